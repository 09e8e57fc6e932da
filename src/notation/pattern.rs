//! What the text of a move says, before any position has had its say.

use super::Letters;
use super::letters::read_rank;
use crate::board::{Role, Square};
use crate::position::Wing;

/// A readable move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MoveText {
    Castling(Wing),
    Unit(Pattern),
}

/// What a text tells of the move of a unit; what it leaves open is `None`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pattern {
    pub role: Option<Role>,
    pub from_file: Option<usize>,
    pub from_rank: Option<usize>,
    pub to: Square,
    pub promotion: Option<Role>,
    /// Who is said to be reborn where.
    pub reborn: Option<(Role, Square)>,
}

/// Cuts the signs off the end of a move that say nothing of the move itself: checks, mates,
/// opinions, and the mark of en passant.
pub(super) fn undecorated(text: &str) -> &str {
    let mut text = text;
    loop {
        let signs = |c: char| matches!(c, '+' | '#' | '!' | '?') || c.is_whitespace();
        let mut shorter = text.trim_end_matches(signs);
        for mark in ["e.p.", "e.p", "ep"] {
            shorter = shorter.strip_suffix(mark).unwrap_or(shorter);
        }
        if shorter.len() == text.len() {
            return text;
        }
        text = shorter;
    }
}

impl MoveText {
    /// Reads short or long algebraic notation; `None` if the text is neither.
    pub fn read(text: &str, letters: &Letters) -> Option<MoveText> {
        let mut brackets = Brackets::default();
        let mut body = undecorated(text);
        while let Some(open) = body.strip_suffix(')') {
            let (head, inside) = open.rsplit_once('(')?;
            brackets.read(inside, letters)?;
            body = undecorated(head);
        }
        let body: Vec<char> = body.chars().map(plain).collect();
        match body[..] {
            ['O', '-', 'O'] => brackets.is_empty().then_some(MoveText::Castling(Wing::King)),
            ['O', '-', 'O', '-', 'O'] => {
                brackets.is_empty().then_some(MoveText::Castling(Wing::Queen))
            }
            _ => Pattern::read(&body, brackets, letters).map(MoveText::Unit),
        }
    }
}

/// One character for every way to write a castling O, a dash and a sign of capture.
fn plain(letter: char) -> char {
    match letter {
        '0' | 'o' | 'Ο' | 'ο' => 'O',
        '‐' | '‑' | '–' | '—' | '−' => '-',
        ':' | '×' => 'x',
        other => other,
    }
}

/// What stands in brackets behind a move.
#[derive(Default)]
struct Brackets {
    promotion: Option<Role>,
    reborn: Option<(Role, Square)>,
}

impl Brackets {
    fn is_empty(&self) -> bool {
        self.promotion.is_none() && self.reborn.is_none()
    }

    /// Takes in the text of one pair; `None` if it is unreadable or says something twice.
    fn read(&mut self, inside: &str, letters: &Letters) -> Option<()> {
        let inside: Vec<char> = inside.trim().chars().collect();
        let twice = match inside[..] {
            [letter] => self.promotion.replace(letters.promotion(letter)?).is_some(),
            [file, rank] => {
                let square = letters.read_square(file, rank)?;
                self.reborn.replace((Role::Pawn, square)).is_some()
            }
            [unit, file, rank] => {
                let (role, square) = (letters.role(unit)?, letters.read_square(file, rank)?);
                self.reborn.replace((role, square)).is_some()
            }
            _ => return None,
        };
        (!twice).then_some(())
    }
}

impl Pattern {
    fn read(body: &[char], brackets: Brackets, letters: &Letters) -> Option<Pattern> {
        let (body, mut promotion) = (body, brackets.promotion);
        let body = match body {
            [head @ .., last] if read_rank(*last).is_none() => {
                if promotion.replace(letters.promotion(*last)?).is_some() {
                    return None;
                }
                head.strip_suffix(&['=']).unwrap_or(head)
            }
            _ => body,
        };
        let [front @ .., file, rank] = body else { return None };
        let to = letters.read_square(*file, *rank)?;
        let (role, front) = match front {
            [letter, tail @ ..] if letters.role(*letter).is_some() => (letters.role(*letter), tail),
            _ => (None, front),
        };
        let (takes, dash, origin) = match front {
            [origin @ .., 'x'] => (true, false, origin),
            [origin @ .., '-'] => (false, true, origin),
            _ => (false, false, front),
        };
        let (from_file, from_rank) = read_origin(origin, letters)?;
        let reborn = brackets.reborn;
        let pattern = Pattern { role, from_file, from_rank, to, promotion, reborn };
        if dash && origin.len() < 2 { None } else { pattern.completed(takes) }
    }

    /// Fills in what a move without letter means: a full origin may be anybody's, all else is a
    /// pawn that stays on its file or names the file it leaves.
    fn completed(self, takes: bool) -> Option<Pattern> {
        let pawn = Some(Role::Pawn);
        match (self.role, self.from_file, self.from_rank) {
            (Some(_), ..) | (None, Some(_), Some(_)) => Some(self),
            (None, None, None) if !takes => {
                Some(Pattern { role: pawn, from_file: Some(self.to.file()), ..self })
            }
            (None, Some(file), None) if file != self.to.file() => {
                Some(Pattern { role: pawn, ..self })
            }
            _ => None,
        }
    }
}

/// What a text tells of the square that a unit leaves: its file, its rank, both or nothing.
fn read_origin(origin: &[char], letters: &Letters) -> Option<(Option<usize>, Option<usize>)> {
    match *origin {
        [] => Some((None, None)),
        [one] => match letters.read_file(one) {
            Some(file) => Some((Some(file), None)),
            None => Some((None, Some(read_rank(one)?))),
        },
        [file, rank] => Some((Some(letters.read_file(file)?), Some(read_rank(rank)?))),
        _ => None,
    }
}

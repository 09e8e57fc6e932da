//! Games as PGN, the format that databases and graphical interfaces open.
//!
//! Readers of PGN alternate the colours, so a side that waits while the other plays its series is
//! written as `--`, the null move of such readers. They get no `Variant` tag, because a name that
//! they do not know makes them refuse the game; the variant stands in a tag of our own. What only
//! people read, the progressive score and the rebirths of Circe, stands in comments.

use super::{Letters, MoveError, ScoreError, ScoreFault, Style};
use crate::board::{Bitboard, Color, Role, attacks};
use crate::position::{Game, Move, Position};

/// The tag with the name of the variant.
pub const VARIANT_TAG: &str = "ProgressiveVariant";

/// The tag with the first position as position text, which an ordinary FEN cannot always tell.
pub const START_TAG: &str = "StartPosition";

/// The tag with the result in the words of the protocol, or of a match.
pub const RESULT_TAG: &str = "ProgressiveResult";

/// How a side that has to wait is written, and how others write it.
const PASSES: [&str; 5] = ["--", "Z0", "0000", "@@@@", "null"];

/// What may stand at the end of the moves.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// The longest line of moves.
const WIDTH: usize = 80;

/// A game as PGN, with an empty line at the end. `tags` come first, in their order; a tag `Result`
/// among them is repeated behind the moves.
pub fn write(game: &Game, tags: &[(&str, &str)]) -> String {
    let start = game.start();
    let mut text = String::new();
    for (name, value) in tags {
        write_tag(&mut text, name, value);
    }
    write_tag(&mut text, VARIANT_TAG, start.rules().name);
    if *start != Position::start(start.rules()) {
        write_tag(&mut text, "SetUp", "1");
        write_tag(&mut text, "FEN", &ordinary_fen(start));
        write_tag(&mut text, START_TAG, &start.pfen());
    }
    let mut words = MoveText::new(start);
    words.comment(&game.score(Style::San(Letters::english())));
    let mut position = *start;
    for &mv in game.moves() {
        words.play(&position, mv);
        position.play_unchecked(mv);
    }
    let result = tags.iter().find(|(name, _)| *name == "Result").map_or("*", |(_, value)| value);
    words.words.push(result.to_string());
    text + "\n" + &wrapped(&words.words) + "\n\n"
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    let value: String = value
        .chars()
        .flat_map(|c| match c {
            '"' | '\\' => vec!['\\', c],
            c if c.is_control() => vec![' '],
            c => vec![c],
        })
        .collect();
    text.push_str(&format!("[{name} \"{value}\"]\n"));
}

/// The position in a FEN that every reader takes: one en passant square at most, and no memory of
/// kings that have never moved.
fn ordinary_fen(position: &Position) -> String {
    let pfen = position.pfen();
    let mut fields: Vec<String> = pfen.split(' ').map(str::to_string).collect();
    if let [_, _, castling, ep, ..] = &mut fields[..] {
        castling.retain(|c| !matches!(c, 'E' | 'e'));
        if castling.is_empty() {
            castling.push('-');
        }
        if ep.len() > 2 {
            *ep = "-".to_string();
        }
    }
    fields.join(" ")
}

/// The moves as they are numbered and passed for readers that alternate the colours.
struct MoveText {
    words: Vec<String>,
    number: u16,
    side: Color,
    /// Whether the next move of Black has to be numbered: it is the first, or follows a comment.
    interrupted: bool,
}

impl MoveText {
    fn new(start: &Position) -> MoveText {
        let (number, side) = (start.turn(), start.side());
        MoveText { words: Vec::new(), number, side, interrupted: true }
    }

    fn comment(&mut self, text: &str) {
        self.words.extend(format!("{{{text}}}").split(' ').map(str::to_string));
        self.interrupted = true;
    }

    fn play(&mut self, position: &Position, mv: Move) {
        if self.side != position.side() {
            self.write(PASSES[0].to_string());
        }
        self.write(plain_san(position, mv));
        if let Some((role, home)) = position.reborn(mv) {
            let letter = Letters::english().of(role).map_or(String::new(), String::from);
            self.comment(&format!("{letter}{home} is reborn"));
        }
    }

    /// Writes what the side whose turn a reader expects does, and passes on to the other.
    fn write(&mut self, word: String) {
        match self.side {
            Color::White => self.words.push(format!("{}.", self.number)),
            Color::Black if self.interrupted => self.words.push(format!("{}...", self.number)),
            Color::Black => {}
        }
        if self.side == Color::Black {
            self.number += 1;
        }
        self.words.push(word);
        self.side = !self.side;
        self.interrupted = false;
    }
}

/// A move in short notation for readers that do not know the variant: the square left is told
/// wherever a second unit could go there by its way of moving alone, and a rebirth is left out.
fn plain_san(position: &Position, mv: Move) -> String {
    let letters = Letters::english();
    let san = position.san(mv, letters);
    let (san, sign) = match san.strip_suffix(['+', '#']) {
        Some(bare) => (bare, &san[bare.len()..]),
        None => (san.as_str(), ""),
    };
    let bare = san.split('(').next().unwrap_or(san);
    match position.board().role_at(mv.from) {
        Some(role) if position.castling_wing(mv).is_none() && has_rival(position, role, mv) => {
            let letter = letters.of(role).map_or(String::new(), String::from);
            let takes = if position.captured(mv).is_some() { "x" } else { "" };
            format!("{letter}{}{takes}{}{sign}", mv.from, mv.to)
        }
        _ => format!("{bare}{sign}"),
    }
}

/// Whether another own unit of this role, pawns aside, reaches the square.
fn has_rival(position: &Position, role: Role, mv: Move) -> bool {
    let occupied = position.board().occupied();
    let reach = match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => attacks::knight(mv.to),
        Role::Bishop => attacks::bishop(mv.to, occupied),
        Role::Rook => attacks::rook(mv.to, occupied),
        Role::Queen => attacks::queen(mv.to, occupied),
        Role::King => attacks::king(mv.to),
    };
    let own = position.board().pieces(position.side(), role);
    ((reach & own) - mv.from.bitboard()).any()
}

fn wrapped(words: &[String]) -> String {
    let (mut text, mut length) = (String::new(), 0);
    for word in words {
        if length > 0 && length + 1 + word.len() > WIDTH {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        text.push_str(word);
        length += word.len();
    }
    text
}

/// A game read from PGN, not yet judged by any rules.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// The line on which it begins, from 1.
    pub line: u64,
    tags: Vec<(String, String)>,
    moves: Vec<String>,
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The position text of the first position, if it is not the normal array.
    pub fn start(&self) -> Option<&str> {
        self.tag(START_TAG).or_else(|| self.tag("FEN"))
    }

    /// Plays the moves from `start` on. Passes and move numbers are read over, so the moves may
    /// also be numbered by turns.
    ///
    /// # Errors
    /// The first word that is no legal move.
    pub fn replay(&self, start: Position) -> Result<Game, ScoreError> {
        let mut game = Game::new(start);
        for text in &self.moves {
            let position = *game.position();
            let fault = |error| ScoreError {
                turn: position.turn(),
                index: u16::from(position.played()) + 1,
                text: text.clone(),
                fault: ScoreFault::Move(error),
            };
            let mv = position.read_move(text, Letters::english()).map_err(fault)?;
            game.play(mv).map_err(|illegal| fault(MoveError::Illegal(illegal)))?;
        }
        Ok(game)
    }
}

/// Whether PGN begins with this line: it is a tag.
pub fn begins(line: &str) -> bool {
    read_tag(line.trim()).is_some()
}

/// The games of a PGN text. Comments, variations and signs of opinion are read over; nothing is an
/// error here, as words that are no moves fail when they are [replayed](PgnGame::replay).
pub fn read(text: &str) -> Vec<PgnGame> {
    let mut reader = Reader::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}');
        if !line.starts_with('%') {
            reader.line(line, index as u64 + 1);
        }
    }
    reader.games
}

/// What is known while lines are read.
#[derive(Default)]
struct Reader {
    games: Vec<PgnGame>,
    in_comment: bool,
    /// How many variations inside one another are open.
    depth: u32,
    /// Whether the game that is read has got beyond its tags.
    in_moves: bool,
}

impl Reader {
    fn line(&mut self, line: &str, number: u64) {
        if !self.in_comment
            && let Some(tag) = read_tag(line.trim())
        {
            if self.games.is_empty() || self.in_moves {
                self.games.push(PgnGame { line: number, ..PgnGame::default() });
                self.in_moves = false;
                self.depth = 0;
            }
            self.games.iter_mut().last().into_iter().for_each(|game| game.tags.push(tag.clone()));
            return;
        }
        let mut word = String::new();
        for c in line.chars() {
            match c {
                '}' if self.in_comment => self.in_comment = false,
                _ if self.in_comment => {}
                ';' => break,
                '{' | '(' | ')' => {
                    self.word(std::mem::take(&mut word), number);
                    match c {
                        '{' => self.in_comment = true,
                        '(' => self.depth += 1,
                        _ => self.depth = self.depth.saturating_sub(1),
                    }
                }
                c if c.is_whitespace() => self.word(std::mem::take(&mut word), number),
                c => word.push(c),
            }
        }
        self.word(word, number);
    }

    fn word(&mut self, word: String, number: u64) {
        if word.is_empty() || self.depth > 0 {
            return;
        }
        if self.games.is_empty() {
            self.games.push(PgnGame { line: number, ..PgnGame::default() });
        }
        self.in_moves = true;
        let is_result = RESULTS.contains(&word.as_str());
        let text = without_number(&word);
        let says_nothing = text.is_empty() || text.starts_with('$') || PASSES.contains(&text);
        if !is_result && !says_nothing {
            self.games.iter_mut().last().into_iter().for_each(|g| g.moves.push(text.to_string()));
        }
    }
}

/// `[Name "value"]`
fn read_tag(line: &str) -> Option<(String, String)> {
    let inside = line.strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inside.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    let mut unescaped = String::with_capacity(value.len());
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        unescaped.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    Some((name.to_string(), unescaped))
}

/// `Nf6` out of `12...Nf6`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.starts_with('.') || rest.is_empty() { rest.trim_start_matches('.') } else { word }
}

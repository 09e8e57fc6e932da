//! Series and whole games as text, in and out.

use std::fmt;

use super::pattern::undecorated;
use super::{Letters, MoveError};
use crate::position::{Game, Move, Position, legible};

/// How moves are written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Style {
    /// Short algebraic notation in a language.
    San(&'static Letters),
    /// Long algebraic notation, the same in all languages: `e2e4`, `e7e8q`.
    Long,
}

impl Style {
    fn write(self, position: &Position, mv: Move) -> String {
        match self {
            Style::San(letters) => position.san(mv, letters),
            Style::Long => mv.to_string(),
        }
    }
}

/// Where and why a score cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreError {
    /// The turn that was on.
    pub turn: u16,
    /// The move of the turn at fault, from 1.
    pub index: u16,
    /// What is written there.
    pub text: String,
    pub fault: ScoreFault,
}

/// What is wrong with a word of a score.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScoreFault {
    /// It is no legal move.
    Move(MoveError),
    /// It numbers a turn that does not begin here; the turn that does.
    TurnNumber(u16),
    /// It begins a turn while this many moves of the turn before are missing.
    TurnUnfinished(u8),
    /// It is a move behind the end of the series.
    SeriesOver,
}

impl fmt::Display for ScoreFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreFault::Move(error) => error.fmt(f),
            ScoreFault::TurnNumber(turn) => write!(f, "the turn that begins here is {turn}"),
            ScoreFault::TurnUnfinished(1) => f.write_str("one move of the turn is still missing"),
            ScoreFault::TurnUnfinished(missing) => {
                write!(f, "{missing} moves of the turn are still missing")
            }
            ScoreFault::SeriesOver => f.write_str("the series has ended before this move"),
        }
    }
}

impl fmt::Display for ScoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (turn, index, text) = (self.turn, self.index, quoted(&self.text));
        write!(f, "turn {turn} move {index} ({text}): {}", self.fault)
    }
}

impl std::error::Error for ScoreError {}

/// What somebody has written, as far as it fits into a message of one line.
pub fn quoted(text: &str) -> String {
    legible(text, 32)
}

impl Position {
    /// Moves from here on in words, as `style` has them, with blanks between them.
    pub fn write_series(&self, moves: &[Move], style: Style) -> String {
        let mut position = *self;
        let words = moves.iter().map(|&mv| {
            let word = style.write(&position, mv);
            position.play_unchecked(mv);
            word
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Reads moves of the current series, as many as the text has. See [`Game::play_score`] for
    /// what may stand between them.
    ///
    /// # Errors
    /// The first word that is no legal move of this series.
    pub fn read_series(&self, text: &str, letters: &Letters) -> Result<Vec<Move>, ScoreError> {
        let (mut position, mut moves) = (*self, Vec::new());
        for (index, word) in words(text).iter().enumerate() {
            if !moves.is_empty() && position.at_boundary() {
                let (turn, index) =
                    (self.turn(), u16::from(self.played()) + moves.len() as u16 + 1);
                let (text, fault) = (word.to_string(), ScoreFault::SeriesOver);
                return Err(ScoreError { turn, index, text, fault });
            }
            if let Some(mv) = word.read(&position, index == 0, letters)? {
                moves.push(mv);
                position.play_unchecked(mv);
            }
        }
        Ok(moves)
    }
}

impl Game {
    /// The game as a progressive score: `1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#`.
    pub fn score(&self, style: Style) -> String {
        let (mut position, mut score) = (*self.start(), String::new());
        for &mv in self.moves() {
            if !score.is_empty() {
                score.push(' ');
            }
            if position.at_boundary() {
                score.push_str(&format!("{}.", position.turn()));
            }
            score.push_str(&style.write(&position, mv));
            position.play_unchecked(mv);
        }
        score
    }

    /// Plays a progressive score from the current position on.
    ///
    /// Blanks, commas, semicolons, slashes or bars separate moves. A turn may be numbered (`2.`,
    /// `2...`) and the number must then be right. A result at the end is read over: the rules
    /// decide. Draws that have to be claimed or adjudicated do not end a score that goes on.
    ///
    /// # Errors
    /// The first word that cannot be followed; the moves before it have been made.
    ///
    /// ```
    /// use crescendo::{Game, Position, notation::Letters, rules::variants};
    ///
    /// let mut game = Game::new(Position::start(variants::default()));
    /// game.play_score("1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# 1-0", Letters::english())?;
    /// assert!(game.position().is_lost());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_score(&mut self, text: &str, letters: &Letters) -> Result<(), ScoreError> {
        for (index, word) in words(text).iter().enumerate() {
            let position = *self.position();
            if let Some(mv) = word.read(&position, index == 0, letters)? {
                self.play(mv).map_err(|illegal| {
                    word.error(&position, ScoreFault::Move(MoveError::Illegal(illegal)))
                })?;
            }
        }
        Ok(())
    }
}

/// A word of a score: the number of a turn, a move, or both.
struct Word {
    number: Option<String>,
    /// Empty where the number stands alone.
    text: String,
}

/// The words of a score, without its result.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let parts = without_result(text).split(separates).filter(|part| !part.is_empty());
    for part in parts {
        let (number, text) = split_number(part);
        let trails = text.starts_with('(') || !text.is_empty() && undecorated(text).is_empty();
        match words.last_mut() {
            // `dxe3 e.p.` and `Rxe8 (Ng8)` are one move in two parts.
            Some(last) if trails && number.is_none() => last.text.push_str(text),
            _ if number.is_none() && text.is_empty() => {}
            _ => words.push(Word { number: number.map(str::to_string), text: text.to_string() }),
        }
    }
    words
}

fn separates(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '/' | '|')
}

fn without_result(text: &str) -> &str {
    let text = text.trim_end();
    ["1-0", "0-1", "1/2-1/2", "½-½", "*"]
        .iter()
        .filter_map(|result| text.strip_suffix(result))
        .find(|head| head.is_empty() || head.ends_with(separates))
        .unwrap_or(text)
}

/// Splits `12...Nf6` into `12` and `Nf6`.
fn split_number(part: &str) -> (Option<&str>, &str) {
    let dots = ['.', '…'];
    let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &part[..part.len() - rest.len()];
    match (number, rest.starts_with(dots)) {
        (_, false) => (None, part),
        ("", true) => (None, rest.trim_start_matches(dots)),
        (_, true) => (Some(number), rest.trim_start_matches(dots)),
    }
}

impl Word {
    /// The move of this word, if it has one. The first word of a text may number the turn that is
    /// going on.
    fn read(
        &self,
        position: &Position,
        first: bool,
        letters: &Letters,
    ) -> Result<Option<Move>, ScoreError> {
        let fault = |fault| self.error(position, fault);
        if let Some(number) = &self.number {
            let right = number.parse() == Ok(position.turn());
            if !(right && (first || position.at_boundary())) {
                return Err(fault(why_not_numbered(position)));
            }
        }
        if self.text.is_empty() {
            return Ok(None);
        }
        position
            .read_move(&self.text, letters)
            .map(Some)
            .map_err(|error| fault(ScoreFault::Move(error)))
    }

    fn error(&self, position: &Position, fault: ScoreFault) -> ScoreError {
        let (turn, index) = (position.turn(), u16::from(position.played()) + 1);
        let text = match fault {
            ScoreFault::Move(_) if !self.text.is_empty() => self.text.clone(),
            _ => self.to_string(),
        };
        ScoreError { turn, index, text, fault }
    }
}

fn why_not_numbered(position: &Position) -> ScoreFault {
    match position.outcome() {
        Some(outcome) => ScoreFault::Move(MoveError::GameOver(outcome)),
        None if position.at_boundary() => ScoreFault::TurnNumber(position.turn()),
        None => ScoreFault::TurnUnfinished(position.moves_left()),
    }
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = &self.number {
            write!(f, "{number}.")?;
        }
        f.write_str(&self.text)
    }
}

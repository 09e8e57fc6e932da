//! Single moves, in long algebraic form.

use std::fmt;
use std::str::FromStr;

use crate::board::{Role, Square};

/// One move: a unit goes from one square to another. Castling is the king's move of two squares.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    pub from: Square,
    pub to: Square,
    pub promotion: Option<Role>,
}

impl fmt::Display for Move {
    /// Long algebraic, as the protocol has it: `e2e4`, `e7e8q`, `e1g1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.letter()))
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is no move in long algebraic form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveParseError;

impl fmt::Display for MoveParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a move like e2e4 or e7e8q")
    }
}

impl std::error::Error for MoveParseError {}

impl FromStr for Move {
    type Err = MoveParseError;

    /// Reads `e2e4`, `e7e8q`; the promotion letter in either case.
    fn from_str(text: &str) -> Result<Move, MoveParseError> {
        let square = |at: usize| {
            text.get(at..at + 2).and_then(|part| part.parse().ok()).ok_or(MoveParseError)
        };
        let promotion = match text.get(4..).map(str::as_bytes) {
            Some([]) => None,
            Some(&[letter]) => {
                let role = Role::from_letter(letter.to_ascii_lowercase() as char);
                Some(role.filter(|&role| role != Role::Pawn).ok_or(MoveParseError)?)
            }
            _ => return Err(MoveParseError),
        };
        Ok(Move { from: square(0)?, to: square(2)?, promotion })
    }
}

/// Moves in long algebraic form, with blanks between them.
pub fn join(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in ["e2e4", "e7e8q", "e1g1", "a7a8k"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
        assert_eq!("e7e8Q".parse::<Move>().unwrap().to_string(), "e7e8q");
        for bad in ["", "e2", "e2e", "e2e9", "e7e8p", "e7e8qq", "e7é8", "0000", "e2-e4", "éééé"]
        {
            assert_eq!(bad.parse::<Move>(), Err(MoveParseError), "{bad}");
        }
    }
}

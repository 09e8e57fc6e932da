//! How a game ends.

use std::fmt;

use crate::board::Color;

/// Why a game is won.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum WinReason {
    /// In check, and no move is legal by the orthodox rules.
    Checkmate,
    /// In check, and every parry would itself be a forbidden early check (Italian mate).
    ProgressiveCheckmate,
    /// Every enemy man is taken.
    TakeAll,
}

/// Why a game is drawn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DrawReason {
    /// No legal move, and not in check; at the start of a turn or inside it.
    Stalemate,
    /// Ten quiet turns.
    Quiet,
    /// Neither side can ever mate.
    Dead,
    /// A position for the third time.
    Repetition,
    /// Fifty quiet turns of each side.
    Fifty,
}

/// The result of a finished game.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    Win(Color, WinReason),
    Draw(DrawReason),
}

impl Outcome {
    /// The score as game records write it: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn score(self) -> &'static str {
        match self {
            Outcome::Win(winner, _) => Outcome::score_of_win(winner),
            Outcome::Draw(_) => "1/2-1/2",
        }
    }

    /// The score of a game that this side has won, for whatever reason.
    pub const fn score_of_win(winner: Color) -> &'static str {
        match winner {
            Color::White => "1-0",
            Color::Black => "0-1",
        }
    }
}

impl fmt::Display for WinReason {
    /// The protocol's word: `checkmate`, `progressive-checkmate` or `takeall`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WinReason::Checkmate => "checkmate",
            WinReason::ProgressiveCheckmate => "progressive-checkmate",
            WinReason::TakeAll => "takeall",
        })
    }
}

impl fmt::Display for Outcome {
    /// The protocol's word: `white-checkmate`, `draw-stalemate`, …
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(winner, reason) => write!(f, "{winner}-{reason}"),
            Outcome::Draw(reason) => f.write_str(match reason {
                DrawReason::Stalemate => "draw-stalemate",
                DrawReason::Quiet => "draw-quiet",
                DrawReason::Dead => "draw-dead",
                DrawReason::Repetition => "draw-repetition",
                DrawReason::Fifty => "draw-fifty",
            }),
        }
    }
}

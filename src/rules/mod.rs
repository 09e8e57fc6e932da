//! What a variant is: a value with one field for each axis along which the games differ.
//!
//! A recombination of known mechanisms is one more row of the [catalogue](variants). A new
//! mechanism is a new arm in the enum of one axis file, and the compiler then names every place
//! that has to answer for it.

mod allowance;
mod balance;
mod check;
mod draws;
mod outcome;
mod rebirth;
pub mod variants;

pub use allowance::{Allowance, MAX_SERIES, MAX_TURN};
pub use balance::{Balance, MAX_COUNTED_UNITS, MoveCounts};
pub use check::CheckRule;
pub use draws::DrawRule;
pub use outcome::{DrawReason, Outcome, WinReason};
pub use rebirth::Rebirth;

use crate::board::Role;

/// What the players are after.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Mate the enemy king. Each side has one king and may never leave it attacked.
    Checkmate,
    /// Take every enemy man. Kings are ordinary men, and pawns may become one.
    TakeAll,
}

/// Which moves of a series may capture en passant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum EnPassant {
    /// None: there is no en passant capture.
    Never,
    /// The first move.
    FirstMove,
    /// The first move, and the second if the first was one and another target is left.
    FirstMoveAndRepeat,
}

/// The rules of one variant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RuleSet {
    /// The name of the catalogue, lower case.
    pub name: &'static str,
    /// One sentence for people.
    pub summary: &'static str,
    pub goal: Goal,
    pub check: CheckRule,
    pub balance: Balance,
    pub rebirth: Rebirth,
    pub allowance: Allowance,
    pub draws: DrawRule,
    pub en_passant: EnPassant,
    /// Whether kings may castle.
    pub castling: bool,
    /// Whether pawns may advance two squares from their home.
    pub double_step: bool,
}

impl RuleSet {
    /// Whether a king may be attacked, and so whether checks, pins and mates exist.
    #[inline]
    pub const fn royal_kings(&self) -> bool {
        matches!(self.goal, Goal::Checkmate)
    }

    /// Whether a series may win before its last move.
    #[inline]
    pub const fn may_win_early(&self) -> bool {
        matches!(self.goal, Goal::TakeAll) || self.check.allows_early_check()
    }

    /// What a pawn may become, the usual choice first.
    #[inline]
    pub const fn promotions(&self) -> &'static [Role] {
        use Role::{Bishop, King, Knight, Queen, Rook};
        match self.goal {
            Goal::Checkmate => &[Queen, Rook, Bishop, Knight],
            Goal::TakeAll => &[Queen, Rook, Bishop, Knight, King],
        }
    }

    /// Whether bare kings, or a lone knight or bishop against a bare king, are a draw: not where
    /// they can still win, nor where men come back.
    #[inline]
    pub const fn has_dead_positions(&self) -> bool {
        matches!((self.goal, self.rebirth), (Goal::Checkmate, Rebirth::Never))
    }
}

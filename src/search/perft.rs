//! Counting sequences of moves.

use super::Control;
use crate::position::{Move, Position};

/// How far to count.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Depth {
    /// Whole turns.
    Turns(u32),
    /// Single moves, across turns.
    Moves(u32),
}

/// What was counted. Sequences that end the game before the full depth are left out.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Sequences of exactly the depth.
    pub count: u128,
    /// Different positions reached; `None` if not asked for, or too many to hold.
    pub distinct: Option<u64>,
    /// Sequences that end in mate, Italian mates and Take-all wins included.
    pub mates: u128,
    /// Of them, those that end in an Italian (progressive) mate.
    pub italian_mates: u128,
    /// Sequences that end in stalemate: of the mover inside the series, or of the next player.
    pub stalemates: u128,
    /// Sequences that end with a check, mates included.
    pub checks: u128,
}

/// Counts from `position`; `None` if `control` broke off.
pub fn perft(
    _position: &Position,
    _depth: Depth,
    _distinct: bool,
    _control: &Control,
) -> Option<Counts> {
    None
}

/// Counts behind each first move, told to `on_move` as they come, and altogether; `None` if
/// `control` broke off.
pub fn divide(
    _position: &Position,
    _depth: Depth,
    _distinct: bool,
    _control: &Control,
    _on_move: &mut dyn FnMut(Move, u128),
) -> Option<Counts> {
    None
}

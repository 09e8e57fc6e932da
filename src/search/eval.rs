//! What a position is worth at a glance: material.

use crate::board::{Color, Role};
use crate::position::Position;

/// The value of `position` for the side to move, in hundredths of a pawn.
pub fn evaluate(position: &Position) -> i32 {
    explain(position).into_iter().map(|(_, value)| value).sum()
}

/// The terms of [`evaluate`]: what each is called, and what it adds.
pub fn explain(position: &Position) -> Vec<(String, i32)> {
    let values = [100, 300, 300, 500, 900, 0];
    let total = |color: Color| -> i32 {
        Role::ALL.iter().zip(values).fold(0, |sum, (&role, value)| {
            sum + value * position.board().pieces(color, role).len() as i32
        })
    };
    vec![("material".to_string(), total(position.side()) - total(!position.side()))]
}

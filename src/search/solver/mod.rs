//! Winning series: find one, prove that there is none, count them, list them.

use super::Control;
use crate::position::{Move, Position};

/// The answer to "does the side to move win in this turn?".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Yes: this series does it.
    Found(Vec<Move>),
    /// No: proved.
    None,
    /// The search was stopped before it knew.
    Unknown,
}

/// How many winning series there are.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Series found, different orders of moves counted apart.
    pub count: u128,
    /// Whether these are all.
    pub complete: bool,
    /// Positions looked at.
    pub nodes: u64,
}

/// Looks for winning series; keeps its table from one question to the next.
pub struct Solver {
    nodes: u64,
}

impl Solver {
    /// A solver whose table takes at most `megabytes` MiB.
    pub fn new(_megabytes: usize) -> Solver {
        Solver { nodes: 0 }
    }

    /// Positions looked at for the last question.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move can mate (or take everything) with the rest of this series.
    pub fn find(&mut self, _position: &Position, _control: &Control) -> Verdict {
        Verdict::Unknown
    }
}

/// Counts all winning series without listing them.
pub fn count(_position: &Position, _control: &Control) -> Tally {
    Tally::default()
}

/// Tells `on_solution` every winning series, up to `max` of them.
pub fn list(
    _position: &Position,
    _max: Option<u64>,
    _control: &Control,
    _on_solution: &mut dyn FnMut(&[Move]),
) -> Tally {
    Tally::default()
}

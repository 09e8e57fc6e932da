//! What a search tells while it runs.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use crate::position::Move;

/// What a position is worth to the side to move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Score {
    /// An estimate in hundredths of a pawn.
    Centipawns(i32),
    /// Proved: a win in the n-th turn of the side to move (1 is this one) if positive; if negative,
    /// a loss in the n-th turn of the opponent.
    Mate(i32),
}

/// What is known about the opponent's next turn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Safety {
    /// He does not win in it: proved.
    Proved,
    /// No win of his has been found.
    Unproved,
    /// He wins in it: proved.
    Lost,
}

impl Display for Safety {
    /// The answer of the protocol to the question whether a series is safe.
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            Safety::Proved => "proved",
            Safety::Unproved => "not proved",
            Safety::Lost => "no",
        })
    }
}

/// One line of progress. The counters cover the whole search so far.
#[derive(Clone, Debug)]
pub struct Report {
    /// Turns searched.
    pub depth: u32,
    /// The longest line looked at, in moves.
    pub seldepth: u32,
    /// The rank of this line, from 1.
    pub multipv: u32,
    pub score: Score,
    pub nodes: u64,
    /// How full the table is, in thousandths.
    pub hashfull: u32,
    pub elapsed: Duration,
    /// The best line, flat.
    pub pv: Vec<Move>,
    /// In the last report on the best line: whether the series that it begins with is safe. `None`
    /// if it ends the game.
    pub safety: Option<Safety>,
}

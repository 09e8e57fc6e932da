//! Choosing a series.

use super::{Control, Limits, Report, TimePlan};
use crate::position::{Game, Move};

/// What to search, and how much.
#[derive(Clone, Debug)]
pub struct Request {
    pub limits: Limits,
    pub plan: TimePlan,
    /// How many lines to report.
    pub multi_pv: u32,
    /// How many threads to use.
    pub threads: usize,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choice {
    /// The rest of the current series, complete; empty if there is no legal move.
    pub series: Vec<Move>,
    /// The series expected in reply; empty if unknown.
    pub ponder: Vec<Move>,
}

/// Chooses series; keeps what it has learnt from one search to the next.
pub struct Searcher {}

impl Searcher {
    /// A searcher whose tables take at most `megabytes` MiB together.
    pub fn new(_megabytes: usize) -> Searcher {
        Searcher {}
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {}

    /// Chooses the rest of the current series. `control` ends the search at once; the plan of the
    /// request says when to stop by choice. At least one report comes before the answer if there
    /// is a legal move.
    pub fn choose(
        &mut self,
        _game: &Game,
        _request: &Request,
        _control: &Control,
        _report: &mut dyn FnMut(Report),
    ) -> Choice {
        Choice::default()
    }
}

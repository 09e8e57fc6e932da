//! Choosing a series.
//!
//! First a win in this very turn is looked for. If there is none, the ways to end the turn are
//! generated ([`series_gen`](super::series_gen)) and go through three sieves, the best evaluated
//! first: whether the opponent can win in his next turn; what his best reply leaves us; and a full
//! proof of safety for what then looks best. `docs/player.md` tells how the means are shared out.

mod candidate;
mod judge;
mod purse;
mod search;

use super::series_gen::SeriesGenerator;
use super::{Control, Limits, Report, TimePlan};
use crate::position::{Game, Move};
use judge::Judge;
use search::Search;

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
pub struct Searcher {
    judge: Judge,
    generator: SeriesGenerator,
}

impl Searcher {
    /// A searcher whose tables take about `megabytes` MiB together, and never less than 9.
    pub fn new(megabytes: usize) -> Searcher {
        let for_solver = megabytes.saturating_sub(SeriesGenerator::MEGABYTES).max(1);
        Searcher { judge: Judge::new(for_solver), generator: SeriesGenerator::new() }
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {
        self.judge.clear();
    }

    /// Chooses the rest of the current series. `control` ends the search at once; the plan of the
    /// request says when to stop by choice. At least one report comes before the answer if there
    /// is a legal move.
    pub fn choose(
        &mut self,
        game: &Game,
        request: &Request,
        control: &Control,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        self.judge.set_threads(request.threads);
        Search::new(self, game, request, control, report).run()
    }
}

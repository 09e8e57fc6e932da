//! Choosing a series.
//!
//! First a win in this very turn is looked for. If there is none, the ways to end the turn are
//! generated ([`series_gen`](super::series_gen)) and go through three sieves, the best evaluated
//! first: whether the opponent can win in his next turn; what his best reply leaves us; and a full
//! proof of safety for what then looks best. Where series do not grow, alpha-beta over single moves
//! takes the place of the sieves. `docs/player.md` tells how the means are shared out.

mod alphabeta;
mod candidate;
mod forecast;
mod judge;
mod purse;
mod rounds;
mod search;
mod worker;

use super::series_gen::SeriesGenerator;
use super::{Control, Limits, Report, TimePlan};
use crate::position::{Game, Move};
use forecast::Forecast;
use judge::Judge;
use search::Search;
use worker::Worker;

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
    /// What the tables may take, in MiB.
    megabytes: usize,
    /// One for each thread, at least one.
    workers: Vec<Worker>,
    forecast: Forecast,
}

impl Searcher {
    /// A searcher whose tables take about `megabytes` MiB together, and never less than 9 for each
    /// thread.
    pub fn new(megabytes: usize) -> Searcher {
        let workers = vec![Worker::new(Judge::new(for_solver(megabytes, 1)))];
        Searcher { megabytes, workers, forecast: Forecast::new() }
    }

    /// Forgets everything: a new game begins.
    pub fn clear(&mut self) {
        for worker in &mut self.workers {
            worker.judge.clear();
            worker.memory.clear();
        }
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
        self.employ(request.threads.max(1));
        Search::new(&mut self.workers, &mut self.forecast, game, request, control, report).run()
    }

    /// Makes ready as many workers as there are threads.
    fn employ(&mut self, threads: usize) {
        let megabytes = for_solver(self.megabytes, threads);
        if self.workers.len() != threads
            && let Some(first) = self.workers.first()
        {
            let judges = (0..threads).map(|_| first.judge.colleague(megabytes));
            self.workers = judges.map(Worker::new).collect();
        }
        for worker in &mut self.workers {
            worker.judge.begin();
        }
        if let Some(first) = self.workers.first() {
            first.judge.forget_news();
        }
    }
}

/// What each solver gets of `megabytes` MiB when there are so many threads.
fn for_solver(megabytes: usize, threads: usize) -> usize {
    (megabytes / threads).saturating_sub(SeriesGenerator::MEGABYTES).max(1)
}

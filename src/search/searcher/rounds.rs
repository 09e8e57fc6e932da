//! Rounds of alpha-beta over the ways to end a turn: each sees one turn further than the one before.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::alphabeta::{AlphaBeta, MATE};
use super::candidate::Candidate;
use super::worker::{Case, Worker, each};
use crate::position::Position;

/// What the threads of a round share.
struct Round<'c> {
    case: &'c Case,
    turns: u32,
    /// The best values so far, as many as lines are wanted, in ascending order.
    best: Mutex<Vec<i32>>,
    stopped: AtomicBool,
}

/// Values all candidates by `turns` turns, at least two, and puts the best first; as many values as
/// `lines`, at least 1, says are exact. Returns `false` if the round was stopped.
pub(super) fn value_all(
    workers: &mut [Worker],
    case: &Case,
    candidates: &mut [Candidate],
    turns: u32,
    lines: usize,
) -> bool {
    let best = Mutex::new(vec![-MATE; lines]);
    let round = Round { case, turns, best, stopped: AtomicBool::new(false) };
    let mut jobs: Vec<(&mut Candidate, bool)> = candidates.iter_mut().map(|c| (c, false)).collect();
    // The first one, best in the round before, tells the others what to beat.
    let Some((first, others)) = jobs.split_first_mut() else { return true };
    let value = |worker: &mut Worker, (candidate, done): &mut (&mut Candidate, bool)| {
        *done = round.value(worker, candidate);
    };
    let Some(worker) = workers.first_mut() else { return false };
    value(worker, first);
    each(workers, others, value);
    if let (true, Some(&most)) = (jobs.iter().any(|(_, done)| *done), round.best().last()) {
        // What was not looked at so deeply stays behind what was.
        let rest = jobs.iter_mut().filter(|(_, done)| !done);
        rest.for_each(|(candidate, _)| candidate.value = candidate.value.min(most - 1));
    }
    candidates.sort_by_key(|candidate| -candidate.value);
    !round.stopped.load(Relaxed)
}

impl Round<'_> {
    fn best(&self) -> MutexGuard<'_, Vec<i32>> {
        self.best.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Values one candidate. Returns `false` if the round was stopped before that was done.
    fn value(&self, worker: &mut Worker, candidate: &mut Candidate) -> bool {
        let purse = &self.case.purse;
        if self.stopped.load(Relaxed) || purse.is_empty() {
            self.stopped.store(true, Relaxed);
            return false;
        }
        let control = purse.until(1.0);
        let mut search = AlphaBeta::new(&mut worker.memory, self.case, &control);
        let least = self.best()[0];
        let value = value_above(&mut search, &candidate.position, self.turns - 2, least);
        purse.spend(search.nodes);
        if search.stopped {
            self.stopped.store(true, Relaxed);
            return false;
        }
        candidate.assess(value, search.nodes);
        let mut best = self.best();
        if value > best[0] {
            candidate.reply = search.expected_series(&candidate.position);
            best[0] = value;
            best.sort_unstable();
        }
        true
    }
}

/// The value for us of a candidate that leads to `position`, when `turns` more turns than the
/// opponent's next are seen through, if it is above `least`; else a bound on it.
fn value_above(search: &mut AlphaBeta, position: &Position, turns: u32, least: i32) -> i32 {
    let mut ask = |most: i32| -search.value(position, turns, -most, -least);
    if least == -MATE {
        return ask(MATE);
    }
    match ask(least + 1) {
        value if value > least => ask(MATE),
        value => value,
    }
}

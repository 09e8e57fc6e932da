//! Searching on several threads: the first moves are shared out, the table is common.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::find::{Batches, Break, Finder, Problem, Task, collect};
use super::order::Tried;
use crate::position::Move;
use crate::search::threads;

/// Series shorter than this are not worth the threads.
const WORTHWHILE: u8 = 5;

/// How many of `threads` threads to use for series of `moves` moves.
pub(super) fn worthwhile(threads: usize, moves: u8) -> usize {
    if moves < WORTHWHILE { 1 } else { threads }
}

/// How a search for the first winning series ended.
pub(super) struct Found {
    /// [`Break::Enough`] if there is a series.
    pub ended: Result<(), Break>,
    pub series: Option<Vec<Move>>,
    /// Positions entered.
    pub nodes: u64,
}

/// Looks for a winning series of exactly `moves` moves on all threads of the problem.
///
/// A thread skips what the order of moves leaves to another one. So "none" is an answer only if all
/// first moves have been gone through, and refutations of the positions behind first moves are not
/// kept.
pub(super) fn find(problem: &Problem, moves: u8) -> Found {
    if problem.threads < 2 {
        let mut finder = Finder::new(problem, Task::First);
        let ended = finder.run(&problem.root, moves).map(|_| ());
        return Found::of(ended, finder);
    }
    let mut batches = Batches::new();
    collect(&problem.root, &mut batches);
    let first_moves = problem.first_moves(&batches);
    problem.progress.reach(0, first_moves.len());
    let taken = AtomicUsize::new(0);
    let results = Mutex::new(Found { ended: Ok(()), series: None, nodes: 0 });
    let work_off = |_: &mut ()| {
        let mut finder = Finder::new(problem, Task::First);
        let ended = work(&mut finder, problem, &batches, &first_moves, &taken, moves);
        if ended.is_err() {
            problem.over.store(true, Ordering::Relaxed);
        }
        let found = Found::of(ended, finder);
        results.lock().unwrap_or_else(PoisonError::into_inner).join(found);
    };
    threads::on_each(&mut vec![(); problem.threads as usize], work_off);
    results.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl Found {
    fn of(ended: Result<(), Break>, finder: Finder) -> Found {
        let nodes = finder.nodes();
        let series = matches!(ended, Err(Break::Enough)).then(|| finder.into_series());
        Found { ended, series, nodes }
    }

    /// Adds what another thread has found. A series settles the matter, whoever was stopped for it.
    fn join(&mut self, other: Found) {
        self.nodes += other.nodes;
        if self.series.is_none() && other.ended.is_err() {
            self.ended = other.ended;
            self.series = other.series;
        }
    }
}

/// A first move: which batch it comes from, and the move.
type FirstMove = (usize, Move);

/// Takes first moves until none is left.
fn work(
    finder: &mut Finder,
    problem: &Problem,
    batches: &Batches,
    first_moves: &[FirstMove],
    taken: &AtomicUsize,
    moves: u8,
) -> Result<(), Break> {
    let enemy = problem.root.board().color(!problem.root.side());
    while let Some(&(index, last)) = first_moves.get(taken.fetch_add(1, Ordering::Relaxed)) {
        finder.run_behind(&Tried { batches, index, last, enemy }, moves)?;
        problem.progress.finish_one();
    }
    Ok(())
}

//! Whether the side to move wins in its turn: earlier winning series are tried first, then the
//! solver is asked.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::purse::Purse;
use crate::position::{Move, Position};
use crate::search::Control;
use crate::search::solver::{Solver, Verdict};

/// How many winning series are remembered, for each side.
const MOST_KILLERS: usize = 128;

/// How many moves of remembered series are tried on one position.
const MOST_REPLAYED: u64 = 2_000;

/// The solver and the series that won in positions like the one at hand.
pub(super) struct Judge {
    solver: Solver,
    /// By side to move, the latest success first.
    killers: [VecDeque<Vec<Move>>; 2],
}

impl Judge {
    pub(super) fn new(megabytes: usize) -> Judge {
        Judge { solver: Solver::new(megabytes), killers: Default::default() }
    }

    /// From now on proofs use so many threads.
    pub(super) fn set_threads(&mut self, threads: usize) {
        self.solver.set_threads(threads);
    }

    /// Forgets the series of earlier games.
    pub(super) fn clear(&mut self) {
        self.killers.iter_mut().for_each(VecDeque::clear);
    }

    /// Whether the side to move wins with the rest of this series; and what the answer cost.
    pub(super) fn wins(
        &mut self,
        position: &Position,
        control: &Control,
        purse: &mut Purse,
    ) -> (Verdict, u64) {
        if let Some(series) = self.replay(position, purse) {
            return (Verdict::Found(series), 0);
        }
        let verdict = self.solver.find(position, control);
        let cost = self.solver.nodes();
        purse.nodes += cost;
        if let Verdict::Found(series) = &verdict {
            let killers = &mut self.killers[position.side() as usize];
            killers.truncate(MOST_KILLERS - 1);
            killers.push_front(series.clone());
        }
        (verdict, cost)
    }

    /// A remembered series that wins here, too.
    fn replay(&mut self, position: &Position, purse: &mut Purse) -> Option<Vec<Move>> {
        let killers = &mut self.killers[position.side() as usize];
        let stop_at = purse.nodes + MOST_REPLAYED;
        for index in 0..killers.len() {
            if let Some(length) = won_after(position, &killers[index], &mut purse.nodes) {
                let killer = killers.remove(index)?;
                let series = killer[..length].to_vec();
                killers.push_front(killer);
                return Some(series);
            }
            if purse.nodes >= stop_at {
                break;
            }
        }
        None
    }
}

/// After how many moves of `series`, played from `position`, the side to move has won.
fn won_after(position: &Position, series: &[Move], nodes: &mut u64) -> Option<usize> {
    let mut at = *position;
    for (index, &mv) in series.iter().enumerate() {
        if !play_if_legal(&mut at, mv) {
            return None;
        }
        *nodes += 1;
        if at.at_boundary() {
            return at.is_lost().then_some(index + 1);
        }
    }
    None
}

/// Makes `mv` if it is legal, and tells whether it was.
fn play_if_legal(position: &mut Position, mv: Move) -> bool {
    if !position.board().color(position.side()).has(mv.from) {
        return false;
    }
    let found = position.generate(|batch| {
        let holds = batch.from == mv.from && batch.promotion == mv.promotion && batch.to.has(mv.to);
        if holds { ControlFlow::Break(batch) } else { ControlFlow::Continue(()) }
    });
    match found {
        ControlFlow::Break(batch) => {
            position.play_batch(&batch, mv.to);
            true
        }
        ControlFlow::Continue(()) => false,
    }
}

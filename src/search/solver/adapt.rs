//! Series that have won in similar positions, adapted to this one: their first moves as far as they
//! are legal here, and behind them any last three.

use super::find::{Break, Finder, Problem, Task};
use super::glance::COMPLETE;
use crate::position::{Move, Position};

/// Looks for a win that begins like one of `winners`. Returns it, and the positions entered.
pub(super) fn adapt<'w>(
    problem: &Problem,
    winners: impl Iterator<Item = &'w [Move]>,
) -> (Option<Vec<Move>>, u64) {
    let early = problem.root.rules().may_win_early();
    let mut met = Vec::new();
    let mut nodes = 0;
    for winner in winners {
        let (position, line) = follow(&problem.root, winner);
        let left = position.moves_left();
        if met.contains(&position.key()) || left > COMPLETE && !early {
            continue;
        }
        met.push(position.key());
        let mut finder = Finder::new(problem, Task::First);
        let ended = finder.run(&position, left.min(COMPLETE));
        nodes += line.len() as u64 + finder.nodes();
        if matches!(ended, Err(Break::Enough)) {
            return (Some([line, finder.into_series()].concat()), nodes);
        }
        if problem.should_stop(nodes) {
            break;
        }
    }
    (None, nodes)
}

/// Plays the moves of `winner` that are legal and quiet, but for the last ones that may be any.
fn follow(root: &Position, winner: &[Move]) -> (Position, Vec<Move>) {
    let mut position = *root;
    let most = winner.len().saturating_sub(COMPLETE.into());
    let mut line = Vec::with_capacity(most);
    for &mv in winner {
        if line.len() >= most || position.moves_left() <= COMPLETE {
            break;
        }
        if let Some(batch) = position.find_legal(mv)
            && !(batch.checks | position.winning_captures(&batch)).has(mv.to)
        {
            position.play_batch(&batch, mv.to);
            line.push(mv);
        }
    }
    (position, line)
}

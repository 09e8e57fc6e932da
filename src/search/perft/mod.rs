//! Counting sequences of moves.
//!
//! Counting goes layer by layer: all positions after the same number of moves of the same turn
//! form a layer, and equal ones are merged, with the number of sequences that lead to them. The
//! last move is counted, not made, unless its position is asked for. `docs/perft.md` tells how this
//! was chosen.
//!
//! Memory is bounded: a layer that holds [`LAYER_LIMIT`] positions is counted to the end before it
//! takes more (counts stay exact, only less is merged), and beyond [`KEY_LIMIT`] different final
//! positions the count of those is given up and nothing else.

mod keys;
mod layer;
mod leaf;

use std::ops::ControlFlow;

use super::Control;
use crate::position::{Batch, Move, Position};
use keys::KeySet;
use layer::Layer;
use leaf::Leaves;

/// The most positions one layer holds, each of about 160 bytes.
pub const LAYER_LIMIT: usize = 1 << 18;

/// The most different final positions told apart: 2^26, in a table of 1 GiB.
pub const KEY_LIMIT: usize = 1 << 26;

/// How far to count.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Depth {
    /// Whole turns.
    Turns(u32),
    /// Single moves, across turns.
    Moves(u32),
}

/// What was counted. Sequences that end the game before the full depth are left out. The counts
/// stop at [`u128::MAX`], which then means "at least that many".
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Sequences of exactly the depth.
    pub count: u128,
    /// Different positions reached, told apart by 64-bit keys; `None` if not asked for, or if there
    /// are more than [`KEY_LIMIT`].
    pub distinct: Option<u64>,
    /// Sequences that end in mate, Italian mates and Take-all wins included.
    pub mates: u128,
    /// Of them, those that end in an Italian (progressive) mate.
    pub italian_mates: u128,
    /// Sequences that end in stalemate: of the mover inside the series, or of the next player.
    pub stalemates: u128,
    /// Sequences that end with a check, mates included.
    pub checks: u128,
}

/// Counts from `position`; `None` if `control` broke off.
pub fn perft(
    position: &Position,
    depth: Depth,
    distinct: bool,
    control: &Control,
) -> Option<Counts> {
    let mut counter = Counter::new(position, depth, distinct, control);
    counter.run(position, None)?;
    Some(counter.leaves.into_counts(KEY_LIMIT))
}

/// Counts behind each first move, told to `on_move` as they come, and altogether; `None` if
/// `control` broke off.
pub fn divide(
    position: &Position,
    depth: Depth,
    distinct: bool,
    control: &Control,
    on_move: &mut dyn FnMut(Move, u128),
) -> Option<Counts> {
    let mut counter = Counter::new(position, depth, distinct, control);
    for mv in position.legal_moves() {
        let before = counter.leaves.count();
        counter.run(position, Some(mv))?;
        on_move(mv, counter.leaves.count().saturating_sub(before));
    }
    Some(counter.leaves.into_counts(KEY_LIMIT))
}

/// Where a layer stands: after which turns and moves, and where the moves of its positions lead.
#[derive(Copy, Clone)]
struct Stage {
    /// The layer of positions inside the same series, one move later.
    inside: usize,
    /// The layer of positions that start the next turn.
    after: usize,
    /// Whether moves that end the series complete the depth.
    ends_count: bool,
    /// Whether every move completes the depth.
    moves_count: bool,
}

/// The stages of a count from `position` to `depth`, in the order in which they are worked off.
fn stages(position: &Position, depth: Depth) -> Vec<Stage> {
    match depth {
        Depth::Moves(moves) => (0..moves as usize)
            .map(|made| {
                let last = made + 1 == moves as usize;
                Stage { inside: made + 1, after: made + 1, ends_count: last, moves_count: last }
            })
            .collect(),
        Depth::Turns(turns) => {
            let mut stages = Vec::new();
            for turn in 0..turns {
                let number = position.turn().saturating_add(turn.min(u16::MAX.into()) as u16);
                let allowance = usize::from(position.rules().allowance.of_turn(number));
                let played = if turn == 0 { usize::from(position.played()) } else { 0 };
                let after = stages.len() + allowance - played;
                let ends_count = turn + 1 == turns;
                for inside in stages.len() + 1..=after {
                    stages.push(Stage { inside, after, ends_count, moves_count: false });
                }
            }
            stages
        }
    }
}

struct Counter<'c> {
    stages: Vec<Stage>,
    layers: Vec<Layer>,
    leaves: Leaves,
    control: &'c Control,
    expanded: u64,
}

impl<'c> Counter<'c> {
    fn new(root: &Position, depth: Depth, distinct: bool, control: &'c Control) -> Counter<'c> {
        let stages = stages(root, depth);
        let layers = (0..=stages.len()).map(|_| Layer::default()).collect();
        let leaves = Leaves::new(distinct.then(|| KeySet::new(KEY_LIMIT)));
        Counter { stages, layers, leaves, control, expanded: 0 }
    }

    /// Counts everything behind `root`, or behind its move `only`.
    fn run(&mut self, root: &Position, only: Option<Move>) -> Option<()> {
        if self.stages.is_empty() {
            self.leaves.add_root(root);
            return Some(());
        }
        self.expand(0, root, 1, only);
        (1..self.stages.len()).try_for_each(|stage| self.drain(stage))
    }

    /// Works off the layer of a stage; layers that are full in between are worked off at once.
    fn drain(&mut self, stage: usize) -> Option<()> {
        let Stage { inside, after, .. } = self.stages[stage];
        let layer = std::mem::take(&mut self.layers[stage]);
        for (position, paths) in layer.into_entries() {
            self.expand(stage, &position, paths, None);
            for next in [inside, after] {
                if self.layers[next].len() >= LAYER_LIMIT {
                    self.drain(next)?;
                }
            }
            self.expanded += 1;
            if self.expanded.is_multiple_of(1024) && self.control.should_stop(self.expanded) {
                return None;
            }
        }
        Some(())
    }

    /// Counts the moves of a position that complete the depth, and puts what follows the others
    /// into the next layers.
    fn expand(&mut self, stage: usize, position: &Position, paths: u128, only: Option<Move>) {
        let Stage { inside, after, ends_count, moves_count } = self.stages[stage];
        let Counter { layers, leaves, .. } = self;
        let survey = ends_count.then(|| leaf::Survey::new(position));
        let mut stuck = true;
        let _ = position.generate(|mut batch: Batch| {
            stuck = false;
            if let Some(mv) = only {
                let fits = batch.from == mv.from && batch.promotion == mv.promotion;
                batch.to &= if fits { mv.to.bitboard() } else { Default::default() };
                batch.checks &= batch.to;
            }
            let ending = position.series_enders(&batch);
            let mut rest = batch.to - ending;
            if let Some(survey) = &survey {
                leaves.add(position, survey, Batch { to: ending, ..batch }, paths);
                if moves_count {
                    leaves.add_inside(position, Batch { to: rest, ..batch }, paths);
                    rest = Default::default();
                }
            }
            let going_on = if ends_count { rest } else { rest | ending };
            for to in going_on {
                let mut next = *position;
                next.play_batch(&batch, to);
                layers[if next.at_boundary() { after } else { inside }].add(next, paths);
            }
            ControlFlow::<()>::Continue(())
        });
        if stuck && ends_count && !moves_count && !position.at_boundary() {
            leaves.add_stuck(paths);
        }
    }
}

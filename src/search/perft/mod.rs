//! Counting sequences of moves.
//!
//! Counting goes layer by layer: all positions after the same number of moves of the same turn
//! form a layer, and equal ones are merged, with the number of sequences that lead to them. The
//! positions in which a turn begins are worked off in families, for only those can meet again in
//! it in which the waiting side stands alike. The last move is counted, not made, unless its
//! position is asked for. `docs/perft.md` tells how this was chosen.
//!
//! Memory is bounded: a layer that holds [`LAYER_LIMIT`] positions is counted to the end before it
//! takes more (counts stay exact, only less is merged), and beyond [`KEY_LIMIT`] different final
//! positions the count of those is given up and nothing else.

mod keys;
mod layer;
mod leaf;
mod shards;

use super::Control;
use crate::board::Square;
use crate::position::{Batch, Move, Position};
use keys::KeySet;
use layer::Layer;
use leaf::Leaves;

pub use shards::{LastTurn, START_LIMIT, Shard, ShardCounts, Unprepared};

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

impl Counts {
    /// Adds `times` as many sequences as `other` has. Different positions are left out.
    fn add(&mut self, other: &Counts, times: u128) {
        for (total, more) in [
            (&mut self.count, other.count),
            (&mut self.mates, other.mates),
            (&mut self.italian_mates, other.italian_mates),
            (&mut self.stalemates, other.stalemates),
            (&mut self.checks, other.checks),
        ] {
            *total = total.saturating_add(more.saturating_mul(times));
        }
    }
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
    /// Whether a whole turn begins here.
    starts_turn: bool,
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
                let (next, last) = (made + 1, made + 1 == moves as usize);
                let (ends_count, moves_count) = (last, last);
                Stage { inside: next, after: next, starts_turn: false, ends_count, moves_count }
            })
            .collect(),
        Depth::Turns(turns) => {
            let mut stages = Vec::new();
            for turn in 0..turns {
                let number = position.turn().saturating_add(turn.min(u16::MAX.into()) as u16);
                let allowance = usize::from(position.rules().allowance.of_turn(number));
                let played = if turn == 0 { usize::from(position.played()) } else { 0 };
                let first = stages.len();
                let after = first + allowance - played;
                let (ends_count, moves_count) = (turn + 1 == turns, false);
                for stage in first..after {
                    let (inside, starts_turn) = (stage + 1, stage == first);
                    stages.push(Stage { inside, after, starts_turn, ends_count, moves_count });
                }
            }
            stages
        }
    }
}

/// A move that leads on.
struct Step {
    /// The key of the position after it.
    key: u64,
    /// The layer to which that belongs.
    layer: usize,
    batch: Batch,
    to: Square,
}

struct Counter<'c> {
    stages: Vec<Stage>,
    layers: Vec<Layer>,
    leaves: Leaves,
    control: &'c Control,
    expanded: u64,
    /// The moves of the position that is being expanded.
    steps: Vec<Step>,
    /// A stage in which a turn begins, to be filled and left alone.
    kept: Option<usize>,
}

impl<'c> Counter<'c> {
    fn new(root: &Position, depth: Depth, distinct: bool, control: &'c Control) -> Counter<'c> {
        let keys = distinct.then(|| KeySet::new(KEY_LIMIT));
        Counter::with_stages(stages(root, depth), keys, control)
    }

    fn with_stages(stages: Vec<Stage>, keys: Option<KeySet>, control: &'c Control) -> Counter<'c> {
        let layers = (0..=stages.len()).map(|_| Layer::default()).collect();
        Counter {
            stages,
            layers,
            leaves: Leaves::new(keys),
            control,
            expanded: 0,
            steps: Vec::new(),
            kept: None,
        }
    }

    /// Counts everything behind `root`, or behind its move `only`.
    fn run(&mut self, root: &Position, only: Option<Move>) -> Option<()> {
        if self.stages.is_empty() {
            self.leaves.add_root(root);
            return Some(());
        }
        self.expand(0, root, 1, only);
        let end = self.kept.unwrap_or(self.stages.len());
        (1..end).try_for_each(|stage| self.work_off(stage))
    }

    /// Empties the layer of a stage.
    fn work_off(&mut self, stage: usize) -> Option<()> {
        let mut layer = std::mem::take(&mut self.layers[stage]);
        if self.stages[stage].starts_turn {
            let order = layer.sorted_by(Position::family);
            for family in order.chunk_by(|a, b| a.0 == b.0) {
                let members = family.iter().map(|&(_, index)| layer.get(index as usize));
                self.work_off_family(stage, members)?;
            }
        } else {
            self.expand_all(stage, (0..layer.len()).map(|index| layer.get(index)))?;
        }
        layer.clear();
        self.layers[stage] = layer;
        Some(())
    }

    /// Brings positions in which a turn begins to the end of it.
    fn work_off_family<'l>(
        &mut self,
        stage: usize,
        family: impl Iterator<Item = (&'l Position, u128)>,
    ) -> Option<()> {
        self.expand_all(stage, family)?;
        (stage + 1..self.stages[stage].after).try_for_each(|inside| self.work_off(inside))
    }

    /// Expands positions; layers that are full in between are worked off at once.
    fn expand_all<'l>(
        &mut self,
        stage: usize,
        positions: impl Iterator<Item = (&'l Position, u128)>,
    ) -> Option<()> {
        let Stage { inside, after, .. } = self.stages[stage];
        for (position, paths) in positions {
            self.expand(stage, position, paths, None);
            for next in [inside, after] {
                match self.layers[next].len() {
                    START_LIMIT.. if self.kept == Some(next) => return None,
                    LAYER_LIMIT.. if self.kept != Some(next) => self.work_off(next)?,
                    _ => {}
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
        let Stage { ends_count, moves_count, .. } = self.stages[stage];
        let may_move = if ends_count && position.moves_left() == 1 && only.is_none() {
            self.leaves.add_all(position, paths)
        } else {
            self.make_moves(stage, position, paths, only)
        };
        if !may_move && ends_count && !moves_count && !position.at_boundary() {
            self.leaves.add_stuck(paths);
        }
    }

    /// Does that where some moves lead on. Returns whether there is a move.
    fn make_moves(
        &mut self,
        stage: usize,
        position: &Position,
        paths: u128,
        only: Option<Move>,
    ) -> bool {
        let Stage { inside, after, ends_count, moves_count, .. } = self.stages[stage];
        let Counter { layers, leaves, steps, .. } = self;
        let mut tally = leaf::Tally::default();
        let survey = ends_count.then(|| leaf::Survey::new(position));
        let mut may_move = false;
        position.for_each_batch(|mut batch| {
            may_move = true;
            if let Some(mv) = only {
                let fits = batch.from == mv.from && batch.promotion == mv.promotion;
                batch.to &= if fits { mv.to.bitboard() } else { Default::default() };
                batch.checks &= batch.to;
            }
            let ending = position.series_enders(&batch) & batch.to;
            let mut rest = batch.to - ending;
            if let Some(survey) = &survey {
                if ending.any() {
                    let ending = Batch { to: ending, ..batch };
                    leaves.add(position, survey, &mut tally, ending, paths);
                }
                if moves_count {
                    leaves.add_inside(position, Batch { to: rest, ..batch }, paths);
                    rest = Default::default();
                }
            }
            for to in if ends_count { rest } else { rest | ending } {
                let layer = if ending.has(to) { after } else { inside };
                steps.push(Step { key: position.key_after(&batch, to), layer, batch, to });
            }
        });
        leaves.add_tally(tally, paths);
        steps.iter().for_each(|step| layers[step.layer].call(step.key));
        for Step { key, layer, batch, to } in steps.drain(..) {
            layers[layer].add(key, paths, || {
                let mut next = *position;
                next.play_batch(&batch, to);
                next
            });
        }
        may_move
    }
}

//! Counting whole turns in shards: parts of the last turn that are counted apart, at different times
//! or on different machines.
//!
//! A shard holds whole families, so that little merging is lost to the partition.

use super::layer::Layer;
use super::{Counter, Counts, Depth, Stage, perft, stages};
use crate::position::Position;
use crate::search::Control;

/// The most positions in which the last turn may begin, each of about 180 bytes.
pub const START_LIMIT: usize = 1 << 24;

/// Everything before the last turn of a count.
pub struct LastTurn {
    stages: Vec<Stage>,
    /// The stage in which the last turn begins.
    stage: usize,
    starts: Layer,
    /// The positions by family.
    order: Vec<(u64, u32)>,
}

/// Why a count cannot be prepared.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unprepared {
    /// The control broke off.
    Stopped,
    /// The last turn begins in more than [`START_LIMIT`] positions.
    TooMany,
}

/// One of so many shards.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Its number, from 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

/// What a shard amounts to.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct ShardCounts {
    /// Different positions in which the last turn begins.
    pub starts: u64,
    /// The sequences that lead to them.
    pub paths: u128,
    /// The sequences of the whole depth. Final positions are not told apart.
    pub counts: Counts,
}

impl ShardCounts {
    /// Adds what another shard amounts to.
    pub fn add(&mut self, other: &ShardCounts) {
        self.starts += other.starts;
        self.paths = self.paths.saturating_add(other.paths);
        self.counts.add(&other.counts, 1);
    }
}

impl Shard {
    /// The shard of a family: all have an equal part of the numbers there are.
    fn of_family(family: u64, of: u32) -> u32 {
        ((u128::from(family) * u128::from(of)) >> 64) as u32 + 1
    }
}

impl LastTurn {
    /// Counts all but the last of `turns` turns from `root`, one turn at least.
    ///
    /// # Errors
    /// The control broke off, or there are too many positions.
    pub fn new(root: &Position, turns: u32, control: &Control) -> Result<LastTurn, Unprepared> {
        let depth = Depth::Turns(turns.max(1));
        let stages = stages(root, depth);
        let stage = stages.iter().rposition(|stage| stage.starts_turn).unwrap_or(0);
        let mut counter = Counter::new(root, depth, false, control);
        if stage == 0 {
            counter.layers[0].add(root.key(), 1, || *root);
        } else {
            counter.kept = Some(stage);
            if counter.run(root, None).is_none() {
                let full = counter.layers[stage].len() >= START_LIMIT;
                return Err(if full { Unprepared::TooMany } else { Unprepared::Stopped });
            }
        }
        let starts = std::mem::take(&mut counter.layers[stage]);
        let order = starts.sorted_by(Position::family);
        Ok(LastTurn { stages, stage, starts, order })
    }

    /// Counts the sequences of one shard; `None` if `control` broke off.
    pub fn count(&self, shard: Shard, control: &Control) -> Option<ShardCounts> {
        let mut counter = Counter::with_stages(self.stages.clone(), None, control);
        let mut total = ShardCounts::default();
        for family in self.order_of(shard).chunk_by(|a, b| a.0 == b.0) {
            let members = family.iter().map(|&(_, index)| self.starts.get(index as usize));
            total.starts += members.len() as u64;
            let all_paths = members.clone().map(|(_, paths)| paths);
            total.paths = all_paths.fold(total.paths, u128::saturating_add);
            counter.work_off_family(self.stage, members)?;
        }
        Some(ShardCounts { counts: counter.leaves.into_counts(0), ..total })
    }

    /// Counts the same position by position: slower, for nothing is merged between them, and a test
    /// of what merging does. `None` if `control` broke off.
    pub fn recount(&self, shard: Shard, control: &Control) -> Option<ShardCounts> {
        let mut total = ShardCounts::default();
        for &(_, index) in self.order_of(shard) {
            let (start, paths) = self.starts.get(index as usize);
            total.starts += 1;
            total.paths = total.paths.saturating_add(paths);
            total.counts.add(&perft(start, Depth::Turns(1), false, control)?, paths);
        }
        Some(total)
    }

    /// The part of `order` that belongs to a shard.
    fn order_of(&self, Shard { number, of }: Shard) -> &[(u64, u32)] {
        let before = |number| {
            self.order.partition_point(|&(family, _)| Shard::of_family(family, of) < number)
        };
        &self.order[before(number)..before(number + 1)]
    }
}

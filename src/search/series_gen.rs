//! The ways to end a turn: series generated layer by layer, equal positions merged.
//!
//! Layer k holds the positions after k moves. Of each layer only the best are carried on, by
//! evaluation, as many as the effort allows; the last layer and every series that ends early are
//! looked at whole. Short series are thus enumerated completely, long ones selectively, and
//! `Ends::complete` tells which it was.
//!
//! Memory: at most `MOST_WIDTH` positions of two layers, four times as many moves waiting to be
//! ranked, and the table of positions seen, 8 MiB.

use super::move_tree::{MoveTree, Spot};
use super::seen::Seen;
use super::{Control, eval};
use crate::board::Square;
use crate::position::{Batch, Move, Position};
use crate::rules::Goal;

/// The most positions of one layer that are carried on.
pub const MOST_WIDTH: usize = 16_384;

/// The most ends of either kind that are kept.
pub const MOST_ENDS: usize = 16_384;

/// How many positions of a layer are remembered.
const MOST_SEEN: usize = 1 << 20;

/// The width that brings a series to its end when the effort is used up.
const LEAST_WIDTH: usize = 4;

/// How many positions are expanded between two looks at the clock.
const POLL: usize = 32;

/// What generating may cost.
pub struct Effort<'c> {
    /// About so many moves are made.
    pub nodes: u64,
    /// So many ends are kept, the best by evaluation; and as many that give check or end early.
    pub ends: usize,
    /// When this says so, the series in hand are brought to their ends as quickly as can be.
    pub hurry: &'c Control,
    /// When this says so, generating stops at once.
    pub stop: &'c Control,
}

/// The end of a series.
#[derive(Copy, Clone, Debug)]
pub struct End {
    /// The static value for the side whose series it is, in centipawns.
    pub score: i32,
    parent: u32,
    mv: Move,
}

/// The ends of the series of one turn.
#[derive(Default)]
pub struct Ends {
    /// The best first.
    pub list: Vec<End>,
    /// Whether every distinct end is in the list.
    pub complete: bool,
    /// A series that wins at once, if one was met; generating stops there.
    pub win: Option<Vec<Move>>,
    /// Moves made.
    pub nodes: u64,
    tree: MoveTree,
}

impl Ends {
    /// The moves that lead to `end`.
    pub fn series(&self, end: &End) -> Vec<Move> {
        line(&self.tree, end)
    }
}

/// The moves of `tree` that lead to `end`.
fn line(tree: &MoveTree, end: &End) -> Vec<Move> {
    let mut moves = tree.line(end.parent);
    moves.push(end.mv);
    moves
}

/// Generates series. All its memory is taken for the first call and kept from then on: what an
/// engine takes shows from its first search on, and allocators give back badly what many threads
/// take and free all the time.
pub struct SeriesGenerator {
    seen: Seen,
    /// The layer in hand and the next one.
    layers: [Vec<Spot>; 2],
    /// Ends after all moves of the series.
    plain: Best,
    /// Ends before, and those that give check.
    early: Best,
    /// What may come into the next layer; `parent` is the index of a spot of the layer in hand.
    next: Best,
}

impl SeriesGenerator {
    /// What its table takes, in MiB.
    pub const MEGABYTES: usize = Seen::bytes(MOST_SEEN) >> 20;

    /// A generator with its table and its lists.
    pub fn new() -> SeriesGenerator {
        SeriesGenerator {
            seen: Seen::new(MOST_SEEN),
            layers: Default::default(),
            plain: Best::new(MOST_ENDS),
            early: Best::new(MOST_ENDS),
            next: Best::new(MOST_WIDTH),
        }
    }

    /// The ways to finish the series of `root`. If `first` is not empty, the series has to begin
    /// with one of its moves.
    pub fn generate(&mut self, root: &Position, first: &[Move], effort: &Effort) -> Ends {
        let SeriesGenerator { seen, layers, plain, early, next } = self;
        for layer in layers.iter_mut().filter(|layer| layer.capacity() == 0) {
            *layer = touched(&Spot::root(root), MOST_WIDTH);
        }
        let [layer, next_layer] = layers;
        plain.start(effort.ends);
        early.start(effort.ends);
        next.start(MOST_WIDTH);
        let mut growth = Growth {
            seen,
            effort,
            tree: MoveTree::default(),
            plain,
            early,
            next,
            nodes: 0,
            complete: true,
            win: None,
        };
        layer.clear();
        layer.push(Spot::root(root));
        let mut first = first;
        for layers_left in (0..u64::from(root.moves_left())).rev() {
            let before = growth.nodes;
            if !growth.expand_layer(layer, first) || layers_left == 0 {
                break;
            }
            let branching = (growth.nodes - before) / layer.len().max(1) as u64;
            let width = growth.width(layers_left, branching.max(1));
            growth.choose(width, layer, next_layer);
            std::mem::swap(layer, next_layer);
            first = &[];
        }
        growth.finish()
    }
}

/// Generation under way.
struct Growth<'a> {
    seen: &'a mut Seen,
    effort: &'a Effort<'a>,
    tree: MoveTree,
    plain: &'a mut Best,
    early: &'a mut Best,
    next: &'a mut Best,
    nodes: u64,
    complete: bool,
    win: Option<Vec<Move>>,
}

impl Growth<'_> {
    /// Makes all moves from the spots of `layer`. Returns whether to go on.
    fn expand_layer(&mut self, layer: &[Spot], first: &[Move]) -> bool {
        self.seen.start_layer(layer.len());
        for (index, spot) in layer.iter().enumerate() {
            if index % POLL == POLL - 1 {
                if self.effort.stop.should_stop(self.nodes) {
                    self.complete = false;
                    return false;
                }
                if index >= LEAST_WIDTH && self.effort.hurry.should_stop(self.nodes) {
                    self.complete = false;
                    return true;
                }
            }
            let mut stuck = true;
            spot.position.for_each_batch(|batch| {
                stuck = false;
                self.expand_batch(index, spot, &batch, first);
            });
            if self.win.is_some() {
                return false;
            }
            if stuck && let Some((parent, mv)) = self.tree.last(spot.node) {
                self.early.push(End { score: eval::if_ended(&spot.position), parent, mv });
            }
        }
        true
    }

    fn expand_batch(&mut self, index: usize, spot: &Spot, batch: &Batch, first: &[Move]) {
        for to in batch.to {
            let mv = batch.move_to(to);
            if !first.is_empty() && !first.contains(&mv) {
                continue;
            }
            let mut child = spot.position;
            child.play_batch(batch, to);
            self.nodes += 1;
            if !self.seen.is_new(child.key()) {
                continue;
            }
            if !child.at_boundary() {
                let score = eval::if_ended(&child) + eval::promise(&child);
                self.next.push(End { score, parent: index as u32, mv });
                continue;
            }
            let end = End { score: -eval::evaluate(&child), parent: spot.node, mv };
            let checks = batch.checks.has(to);
            if (checks || child.rules().goal == Goal::TakeAll) && child.is_lost() {
                self.win = Some(line(&self.tree, &end));
                return;
            }
            if checks { self.early.push(end) } else { self.plain.push(end) }
        }
    }

    /// How many spots the effort left allows in each of `layers` more layers.
    fn width(&self, layers: u64, branching: u64) -> usize {
        if self.effort.hurry.should_stop(self.nodes) {
            return LEAST_WIDTH;
        }
        let budget = self.effort.nodes.saturating_sub(self.nodes);
        ((budget / layers / branching) as usize).clamp(LEAST_WIDTH, MOST_WIDTH)
    }

    /// Makes the best `width` spots behind `layer` the next one.
    fn choose(&mut self, width: usize, layer: &[Spot], next_layer: &mut Vec<Spot>) {
        self.complete &= self.next.fits(width);
        next_layer.clear();
        for &End { parent, mv, .. } in self.next.best(width) {
            next_layer.push(layer[parent as usize].after(mv, &mut self.tree));
        }
        self.next.start(MOST_WIDTH);
    }

    fn finish(self) -> Ends {
        let (most, tree, nodes) = (self.effort.ends, self.tree, self.nodes);
        let complete = self.complete && self.plain.fits(most) && self.early.fits(most);
        let mut list = [self.plain.best(most), self.early.best(most)].concat();
        list.sort_unstable_by_key(|end| (-end.score, end.parent, end.mv));
        Ends { list, complete, win: self.win, nodes, tree }
    }
}

/// An empty list with room for `most` entries. The room is written to, so that it is there: memory
/// that has only been asked for is taken bit by bit.
pub(super) fn touched<T: Clone>(entry: &T, most: usize) -> Vec<T> {
    let mut list = vec![entry.clone(); most];
    list.clear();
    list
}

/// The best of many entries, by score, in bounded room.
struct Best {
    list: Vec<End>,
    most: usize,
    /// Whether entries were thrown away.
    overflowed: bool,
}

impl Best {
    /// How many times as many entries as are wanted may wait to be ranked.
    const SLACK: usize = 4;

    /// With room for the best `most`, at most.
    fn new(most: usize) -> Best {
        let mv = Move { from: Square::A1, to: Square::A1, promotion: None };
        let entry = End { score: 0, parent: 0, mv };
        Best { list: touched(&entry, Best::SLACK * most), most, overflowed: false }
    }

    /// Begins anew, with room for the best `most`.
    fn start(&mut self, most: usize) {
        self.list.clear();
        self.most = most;
        self.overflowed = false;
    }

    #[inline]
    fn push(&mut self, end: End) {
        if self.list.len() >= Best::SLACK * self.most {
            self.shrink(self.most);
        }
        self.list.push(end);
    }

    /// Whether nothing is lost if the best `most` are taken.
    fn fits(&self, most: usize) -> bool {
        !self.overflowed && self.list.len() <= most.min(self.most)
    }

    fn shrink(&mut self, most: usize) {
        if self.list.len() > most {
            self.overflowed = true;
            self.list.select_nth_unstable_by_key(most, |end| (-end.score, end.parent, end.mv));
            self.list.truncate(most);
        }
    }

    /// The best `most`, in no order. The others are thrown away.
    fn best(&mut self, most: usize) -> &[End] {
        self.shrink(most.min(self.most));
        &self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    #[test]
    fn all_memory_is_taken_with_the_first_call() {
        let start = Position::start(variants::default());
        let control = Control::unlimited();
        let mut generator = SeriesGenerator::new();
        let mut taken = |root: &Position, nodes: u64| {
            let effort = Effort { nodes, ends: MOST_ENDS, hurry: &control, stop: &control };
            generator.generate(root, &[], &effort);
            let SeriesGenerator { layers, plain, early, next, .. } = &generator;
            let lists = [plain, early, next].map(|best| best.list.capacity());
            (layers.each_ref().map(Vec::capacity), lists)
        };
        let first = taken(&start, 1);
        let open = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 5";
        let open = Position::from_pfen(open, variants::default()).unwrap();
        let (mut layers, lists) = taken(&open, 10_000_000);
        layers.sort_unstable();
        assert_eq!((layers, lists), first);
    }
}

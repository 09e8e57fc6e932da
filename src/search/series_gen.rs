//! The ways to end a turn: series generated layer by layer, equal positions merged.
//!
//! Layer k holds the positions after k moves. Of each layer only the best are carried on, by
//! evaluation, as many as the effort allows; the last layer and every series that ends early are
//! looked at whole. Short series are thus enumerated completely, long ones selectively, and
//! `Ends::complete` tells which it was.
//!
//! Memory: at most `MOST_WIDTH` positions of two layers, four times as many moves waiting to be
//! ranked, and the table of positions seen, 8 MiB.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::move_tree::{MoveTree, Spot};
use super::seen::Seen;
use super::threads::share_out;
use super::{Control, eval};
use crate::board::{Bitboard, Square};
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

/// How many positions a thread takes up, and expands between two looks at the clock.
const HANDFUL: usize = 32;

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
    yields: Yields,
}

impl SeriesGenerator {
    /// What its table takes, in MiB.
    pub const MEGABYTES: usize = Seen::bytes(MOST_SEEN) >> 20;

    /// A generator with its table and its lists.
    pub fn new() -> SeriesGenerator {
        SeriesGenerator {
            seen: Seen::new(MOST_SEEN),
            layers: Default::default(),
            yields: Yields {
                plain: Best::new(MOST_ENDS),
                early: Best::new(MOST_ENDS),
                next: Best::new(MOST_WIDTH),
            },
        }
    }

    /// The ways to finish the series of `root`. If `first` is not empty, the series has to begin
    /// with one of its moves.
    pub fn generate(&mut self, root: &Position, first: &[Move], effort: &Effort) -> Ends {
        self.generate_with(Vec::new(), root, first, effort)
    }

    /// The same with a thread more for each of `others`, whose lists it uses. Which of equally good
    /// positions are kept then depends on the course of time.
    pub fn generate_with(
        &mut self,
        others: Vec<&mut SeriesGenerator>,
        root: &Position,
        first: &[Move],
        effort: &Effort,
    ) -> Ends {
        let SeriesGenerator { seen, layers, yields } = self;
        for layer in layers.iter_mut().filter(|layer| layer.capacity() == 0) {
            *layer = touched(&Spot::root(root), MOST_WIDTH);
        }
        let others = others.into_iter().map(|generator| &mut generator.yields);
        let mut threads: Vec<&mut Yields> = [yields].into_iter().chain(others).collect();
        threads.iter_mut().for_each(|yields| yields.start(effort.ends));
        let [layer, next_layer] = layers;
        layer.clear();
        layer.push(Spot::root(root));
        let (tree, complete) = (MoveTree::default(), true);
        let mut growth = Growth { seen, effort, tree, threads, nodes: 0, complete, win: None };
        let mut first = first;
        for layers_left in (0..u64::from(root.moves_left())).rev() {
            let before = growth.nodes;
            if !growth.expand(layer, first) || layers_left == 0 {
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

/// What one thread has found.
struct Yields {
    /// Ends after all moves of the series.
    plain: Best,
    /// Ends before, and those that give check.
    early: Best,
    /// What may come into the next layer; `parent` is the index of a spot of the layer in hand.
    next: Best,
}

impl Yields {
    /// Begins anew, with room for so many ends of either kind.
    fn start(&mut self, ends: usize) {
        self.plain.start(ends);
        self.early.start(ends);
        self.next.start(MOST_WIDTH);
    }
}

/// Generation under way.
struct Growth<'a> {
    seen: &'a mut Seen,
    effort: &'a Effort<'a>,
    tree: MoveTree,
    /// One for each thread, at least one.
    threads: Vec<&'a mut Yields>,
    nodes: u64,
    complete: bool,
    win: Option<Vec<Move>>,
}

impl Growth<'_> {
    /// Makes all moves from the spots of `layer`. Returns whether to go on.
    fn expand(&mut self, spots: &[Spot], first: &[Move]) -> bool {
        self.seen.start_layer(spots.len());
        let layer = Layer {
            first,
            seen: self.seen,
            tree: &self.tree,
            effort: self.effort,
            nodes: AtomicU64::new(self.nodes),
            cut_short: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            win: Mutex::new(None),
        };
        share_out(&mut self.threads, spots, HANDFUL, |yields, from, handful| {
            layer.expand(yields, from, handful)
        });
        self.nodes = layer.nodes.into_inner();
        self.complete &= !layer.cut_short.into_inner();
        let win = layer.win.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.win = win.map(|end| line(&self.tree, &end));
        self.win.is_none() && !layer.stopped.into_inner()
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
        next_layer.clear();
        let Some(next) = together(&mut self.threads, |yields| &mut yields.next) else { return };
        self.complete &= next.fits(width);
        for &End { parent, mv, .. } in next.best(width) {
            next_layer.push(layer[parent as usize].after(mv, &mut self.tree));
        }
        next.start(MOST_WIDTH);
    }

    fn finish(mut self) -> Ends {
        let most = self.effort.ends;
        let mut list = Vec::new();
        let kinds: [fn(&mut Yields) -> &mut Best; 2] = [|all| &mut all.plain, |all| &mut all.early];
        for kind in kinds {
            let Some(ends) = together(&mut self.threads, kind) else { continue };
            self.complete &= ends.fits(most);
            list.extend_from_slice(ends.best(most));
        }
        list.sort_unstable_by_key(|end| (-end.score, end.parent, end.mv));
        let Growth { complete, win, nodes, tree, .. } = self;
        Ends { list, complete, win, nodes, tree }
    }
}

/// What all threads have found of one kind, in the list of the first.
fn together<'y>(
    threads: &'y mut [&mut Yields],
    kind: impl Fn(&mut Yields) -> &mut Best,
) -> Option<&'y mut Best> {
    let (first, others) = threads.split_first_mut()?;
    let all = kind(first);
    others.iter_mut().for_each(|yields| all.append(kind(yields)));
    Some(all)
}

/// A layer that all threads expand.
struct Layer<'a> {
    /// The moves to begin with, if not all.
    first: &'a [Move],
    seen: &'a Seen,
    tree: &'a MoveTree,
    effort: &'a Effort<'a>,
    /// Made up to now, with those of the layers before.
    nodes: AtomicU64,
    /// Whether spots were left out.
    cut_short: AtomicBool,
    /// Whether the control says so.
    stopped: AtomicBool,
    win: Mutex<Option<End>>,
}

impl Layer<'_> {
    /// Expands a handful of spots, unless it is too late. Returns whether to go on.
    fn expand(&self, yields: &mut Yields, from: usize, handful: &[Spot]) -> bool {
        if from > 0 && self.is_late() {
            return false;
        }
        (from..).zip(handful).all(|(index, spot)| self.expand_spot(index, spot, yields))
    }

    /// Whether the control tells to leave out the rest.
    fn is_late(&self) -> bool {
        let nodes = self.nodes.load(Relaxed);
        let stopped = self.effort.stop.should_stop(nodes);
        let late = stopped || self.effort.hurry.should_stop(nodes);
        self.stopped.fetch_or(stopped, Relaxed);
        self.cut_short.fetch_or(late, Relaxed);
        late
    }

    /// Makes all moves from `spot`, number `index` of the layer. Returns whether to go on.
    fn expand_spot(&self, index: usize, spot: &Spot, yields: &mut Yields) -> bool {
        let (mut stuck, mut nodes, mut win) = (true, 0, None);
        spot.position.for_each_batch(|batch| {
            stuck = false;
            let to = self.wanted(&batch);
            nodes += u64::from(to.len());
            win = win.or(self.expand_batch(index, spot, &Batch { to, ..batch }, yields));
        });
        self.nodes.fetch_add(nodes, Relaxed);
        if stuck && let Some((parent, mv)) = self.tree.last(spot.node) {
            yields.early.push(End { score: eval::if_ended(&spot.position), parent, mv });
        }
        if win.is_some() {
            *self.win.lock().unwrap_or_else(PoisonError::into_inner) = win;
        }
        win.is_none()
    }

    /// The targets of those moves of `batch` that are to be made.
    fn wanted(&self, batch: &Batch) -> Bitboard {
        let wanted = |to: &Square| self.first.contains(&batch.move_to(*to));
        match self.first {
            [] => batch.to,
            _ => batch.to.into_iter().filter(wanted).collect(),
        }
    }

    /// Makes the moves of `batch`. Returns one that wins, if there is one.
    fn expand_batch(
        &self,
        index: usize,
        spot: &Spot,
        batch: &Batch,
        yields: &mut Yields,
    ) -> Option<End> {
        for to in batch.to {
            let mv = batch.move_to(to);
            let mut child = spot.position;
            child.play_batch(batch, to);
            if !self.seen.is_new(child.key()) {
                continue;
            }
            if !child.at_boundary() {
                let score = eval::under_way(&child);
                yields.next.push(End { score, parent: index as u32, mv });
                continue;
            }
            let end = End { score: -eval::evaluate(&child), parent: spot.node, mv };
            let checks = batch.checks.has(to);
            if (checks || child.rules().goal == Goal::TakeAll) && child.is_lost() {
                return Some(end);
            }
            if checks { yields.early.push(end) } else { yields.plain.push(end) }
        }
        None
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

    /// Takes over what `other` has.
    fn append(&mut self, other: &mut Best) {
        self.overflowed |= other.overflowed;
        other.list.drain(..).for_each(|end| self.push(end));
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
    use std::collections::BTreeSet;

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
            let SeriesGenerator { layers, yields: Yields { plain, early, next }, .. } = &generator;
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

    /// No series wins here: at a win generating stops, with what has been found by then.
    #[test]
    fn several_threads_find_what_one_does() {
        let root = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq d6 0 3";
        let root = Position::from_pfen(root, variants::default()).unwrap();
        let free = &Control::unlimited();
        let effort = Effort { nodes: u64::MAX, ends: MOST_ENDS, hurry: free, stop: free };
        let found = |threads: usize| {
            let mut generators: Vec<_> = (0..threads).map(|_| SeriesGenerator::new()).collect();
            let (first, others) = generators.split_first_mut().unwrap();
            let ends = first.generate_with(others.iter_mut().collect(), &root, &[], &effort);
            assert!(ends.complete && ends.win.is_none());
            let after = |end| {
                let mut position = root;
                ends.series(end).into_iter().for_each(|mv| position.play_unchecked(mv));
                (end.score, position.key())
            };
            ends.list.iter().map(after).collect::<BTreeSet<_>>()
        };
        let alone = found(1);
        assert!(alone.len() > 1000, "{}", alone.len());
        assert!(found(3) == alone);
    }

    /// A list for one end tells whether its own thread has found many.
    #[test]
    fn a_second_thread_finds_ends_of_its_own() {
        let root = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 3";
        let root = Position::from_pfen(root, variants::default()).unwrap();
        let free = &Control::unlimited();
        let effort = Effort { nodes: u64::MAX, ends: 1, hurry: free, stop: free };
        let [mut first, mut other] = [SeriesGenerator::new(), SeriesGenerator::new()];
        // A busy machine may start the second thread when nothing is left to do.
        let found = (0..100).any(|_| {
            first.generate_with(vec![&mut other], &root, &[], &effort);
            other.yields.plain.overflowed
        });
        assert!(found);
    }
}

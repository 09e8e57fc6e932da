//! A quick look for a winning series: the most promising positions of each move only, and the last
//! three moves completely. Where everything has to be taken, positions compete with those where as
//! many men are left: moves that take nothing may be needed first.
//!
//! What it finds is a win; what it does not find says nothing. `docs/solver.md` tells how often it
//! finds what there is.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::find::{Batches, Break, Finder, Problem, Task, collect};
use crate::board::{Bitboard, Board, Color, Role, Square, attacks};
use crate::position::{Move, Position};
use crate::rules::Goal;
use crate::search::eval::Reach;
use crate::search::move_tree::{MoveTree, Spot};
use crate::search::seen::Seen;
use crate::search::series_gen::touched;
use crate::search::threads::share_out;

/// So many moves at the end are searched completely.
pub(super) const COMPLETE: u8 = 3;

/// Where a series may win early, so many of the best positions after each move are searched for a
/// win with the next three moves.
const EARLY: usize = 12;

/// How many spots a thread takes up, and goes through between two looks at the control.
const HANDFUL: usize = 32;

/// A move from a spot of the layer in hand.
#[derive(Copy, Clone)]
struct Step {
    /// Where men have to be taken: how many are left.
    men: u32,
    promise: i32,
    key: u64,
    /// The index of the spot.
    parent: u32,
    mv: Move,
}

impl Step {
    /// The best first.
    fn order(&self) -> (i32, u64) {
        (-self.promise, self.key)
    }
}

/// How many positions of a layer a glance remembers, how many it carries on and how many it comes
/// through without more memory: 2, 3 for each of two layers and 1 MiB.
const MOST_SEEN: usize = 1 << 18;
const USUAL_WIDTH: usize = 1 << 14;
const USUAL_NODES: usize = 1 << 17;

/// Up to so many times as many moves as are carried on wait to be ranked, and those of a handful of
/// spots more: 2 MiB.
const SLACK: usize = 4;
const MOVES_OF_HANDFUL: usize = 1 << 13;

/// The memory of glances, taken for the first one and kept from one to the next.
pub(super) struct Lists {
    seen: Seen,
    /// One list for each thread.
    steps: Vec<Vec<Step>>,
    /// The layer in hand and the next one.
    layers: [Vec<Spot>; 2],
    tree: MoveTree,
}

impl Lists {
    /// Lists for glances at positions like `position`.
    pub fn new(position: &Position) -> Lists {
        let spots = || touched(&Spot::root(position), USUAL_WIDTH);
        let tree = MoveTree::with_room(USUAL_NODES);
        Lists { seen: Seen::new(MOST_SEEN), steps: Vec::new(), layers: [spots(), spots()], tree }
    }

    /// Makes sure that so many threads have lists of steps. What the others have found, the list of
    /// the first takes over.
    fn employ(&mut self, threads: usize) {
        let mv = Move { from: Square::A1, to: Square::A1, promotion: None };
        let step = Step { men: 0, promise: 0, key: 0, parent: 0, mv };
        while self.steps.len() < threads {
            self.steps.push(touched(&step, SLACK * USUAL_WIDTH + MOVES_OF_HANDFUL));
        }
    }
}

/// Looks for a series that wins with the last move of the turn, through the best `width` positions
/// after each move, on all threads of the problem. Returns it, and the positions entered.
pub(super) fn glance(
    problem: &Problem,
    width: usize,
    lists: &mut Lists,
) -> (Option<Vec<Move>>, u64) {
    let threads = problem.threads as usize;
    lists.employ(threads);
    let Lists { seen, steps, layers: [layer, next], tree } = lists;
    let steps = &mut steps[..threads];
    layer.clear();
    layer.push(Spot::root(&problem.root));
    tree.clear();
    let early = if problem.root.rules().may_win_early() { EARLY } else { 0 };
    let glance = Glance { problem, nodes: AtomicU64::new(0) };
    while layer.first().is_some_and(|spot| spot.position.moves_left() > COMPLETE) {
        if glance.should_stop() {
            return (None, glance.nodes.into_inner());
        }
        let win = glance.finish(&layer[..early.min(layer.len())], tree);
        if win.is_some() {
            return (win, glance.nodes.into_inner());
        }
        seen.start_layer(layer.len());
        next.clear();
        for step in glance.list_steps(layer, seen, steps, width) {
            next.push(layer[step.parent as usize].after(step.mv, tree));
        }
        std::mem::swap(layer, next);
    }
    (glance.finish(layer, tree), glance.nodes.into_inner())
}

/// A glance under way.
struct Glance<'p> {
    problem: &'p Problem<'p>,
    /// Positions entered.
    nodes: AtomicU64,
}

impl Glance<'_> {
    fn should_stop(&self) -> bool {
        self.problem.should_stop(self.nodes.load(Relaxed))
    }

    /// A series that wins with three more moves from one of the spots.
    fn finish(&self, spots: &[Spot], tree: &MoveTree) -> Option<Vec<Move>> {
        let series = Mutex::new(None);
        let threads = &mut vec![(); self.problem.threads as usize];
        share_out(threads, spots, 1, |_, _, spots| {
            let found = spots.iter().find_map(|spot| self.finish_one(spot, tree));
            let ended = found.is_some() || self.should_stop();
            if found.is_some() {
                *series.lock().unwrap_or_else(PoisonError::into_inner) = found;
            }
            !ended
        });
        series.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    fn finish_one(&self, Spot { position, node }: &Spot, tree: &MoveTree) -> Option<Vec<Move>> {
        let mut finder = Finder::new(self.problem, Task::First);
        let ended = finder.run(position, position.moves_left().min(COMPLETE));
        self.nodes.fetch_add(finder.nodes(), Relaxed);
        let found = matches!(ended, Err(Break::Enough));
        found.then(|| [tree.line(*node), finder.into_series()].concat())
    }

    /// The best `width` quiet moves from the spots of a layer to different positions, as many for
    /// each number of men left; not of all if so many are reason to stop.
    fn list_steps<'s>(
        &self,
        layer: &[Spot],
        seen: &Seen,
        steps: &'s mut [Vec<Step>],
        width: usize,
    ) -> &'s [Step] {
        steps.iter_mut().for_each(Vec::clear);
        share_out(steps, layer, HANDFUL, |steps, from, handful| {
            if from > 0 && self.should_stop() {
                return false;
            }
            let before = steps.len();
            for (parent, spot) in (from as u32..).zip(handful) {
                add_steps(parent, spot, seen, steps);
            }
            self.nodes.fetch_add((steps.len() - before) as u64, Relaxed);
            if steps.len() > SLACK * width {
                thin(steps, width);
            }
            true
        });
        let Some((all, others)) = steps.split_first_mut() else { return &[] };
        thin(all, width);
        for steps in others {
            thin(steps, width);
            all.append(steps);
            thin(all, width);
        }
        all.sort_unstable_by_key(|step| (step.men, step.order()));
        all
    }
}

/// Adds quiet moves from a spot, number `parent` of its layer, to all new positions that they lead
/// to.
fn add_steps(parent: u32, Spot { position, .. }: &Spot, seen: &Seen, steps: &mut Vec<Step>) {
    let mut batches = Batches::new();
    collect(position, &mut batches);
    for batch in &batches {
        for to in batch.to - batch.checks - position.winning_captures(batch) {
            let key = position.key_after(batch, to);
            if !seen.is_new(key) {
                continue;
            }
            let mut child = *position;
            child.play_batch(batch, to);
            let Some((men, promise)) = prospects(&child) else { continue };
            steps.push(Step { men, promise, key, parent, mv: batch.move_to(to) });
        }
    }
}

/// Keeps the best `width` steps, as many for each number of men left.
fn thin(steps: &mut Vec<Step>, width: usize) {
    steps.sort_unstable_by_key(|step| step.men);
    let groups = steps.chunk_by(|a, b| a.men == b.men).count();
    let share = width.div_ceil(groups.max(1));
    let (mut start, mut kept) = (0, 0);
    while let Some(first) = steps.get(start) {
        let men = first.men;
        let end = steps.partition_point(|step| step.men <= men);
        let best = share.min(end - start);
        if best < end - start {
            steps[start..end].select_nth_unstable_by_key(best, Step::order);
        }
        steps.copy_within(start..start + best, kept);
        (start, kept) = (end, kept + best);
    }
    steps.truncate(kept);
}

/// How many men have to be taken yet, if that counts, and how near a win is; `None` if there are too
/// many for the moves left.
fn prospects(position: &Position) -> Option<(u32, i32)> {
    match position.rules().goal {
        Goal::Checkmate => Some((0, promise(position))),
        Goal::TakeAll => {
            let men = position.unit_count(!position.side());
            (men <= position.moves_left().into()).then(|| (men, reach(position)))
        }
    }
}

/// How much there is to take now, and how far the own units reach.
fn reach(position: &Position) -> i32 {
    let (board, us) = (position.board(), position.side());
    let reach = Reach::of(board, us);
    let struck = reach.squares & board.color(!us);
    10 * struck.len() as i32 + reach.total() + 6 * advance(board, us)
}

/// How near the side to move may be to mating: flights it leaves to the enemy king, units that
/// strike near him, what pawns have become and how far they are, and the defenders left. Weights
/// are by trial on positions from games.
fn promise(position: &Position) -> i32 {
    let (board, us) = (position.board(), position.side());
    let Some(king) = board.king(!us) else { return 0 };
    let ring = attacks::king(king);
    let near = ring | king.bitboard();
    let (mut struck, mut strikes, mut strikers) = (Bitboard::EMPTY, 0, 0);
    for role in Role::ALL {
        for from in board.pieces(us, role) {
            let squares = attacks::of(role, us, from, board.occupied() - king.bitboard()) & near;
            if squares.any() {
                struck |= squares;
                strikes += squares.len() as i32;
                strikers += 1;
            }
        }
    }
    let flights = (ring - board.color(!us) - struck).len() as i32;
    let defenders = (board.color(!us) - board.role(Role::Pawn)).len() as i32;
    3 * (strikes + strikers + force(board, us) - defenders) + 6 * advance(board, us) - 10 * flights
}

/// What the own units are worth, in pawns. Within a series only promotions change it.
fn force(board: &Board, us: Color) -> i32 {
    let worth = [(Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    worth.into_iter().map(|(role, worth)| board.pieces(us, role).len() as i32 * worth).sum()
}

/// How far the pawns on the farther half have come, their squares counted 1, 4 and 9.
fn advance(board: &Board, us: Color) -> i32 {
    let pawns = board.pieces(us, Role::Pawn);
    let on = |rank| (pawns & Bitboard::rank(rank, us)).len() as i32;
    on(4) + 4 * on(5) + 9 * on(6)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::mix;

    /// What is thinned out on the way is not wanted in the end.
    #[test]
    fn thinning_by_and_by_keeps_what_thinning_at_once_does() {
        const WIDTH: usize = 300;
        let mv = Move { from: Square::A1, to: Square::A1, promotion: None };
        let step = |key: u64| {
            let (men, promise) = ((mix(key) % 3) as u32, (mix(!key) % 100) as i32);
            Step { men, promise, key, parent: 0, mv }
        };
        let all: Vec<Step> = (0..5000).map(step).collect();
        let keys = |steps: &[Step]| steps.iter().map(|step| step.key).collect::<BTreeSet<_>>();
        let mut at_once = all.clone();
        thin(&mut at_once, WIDTH);
        let mut by_and_by = Vec::new();
        for part in all.chunks(700) {
            by_and_by.extend_from_slice(part);
            thin(&mut by_and_by, WIDTH);
        }
        assert_eq!(at_once.len(), WIDTH);
        assert_eq!(keys(&by_and_by), keys(&at_once));
        let best = |men| all.iter().filter(|step| step.men == men).map(Step::order).min();
        for men in 0..3 {
            let kept = at_once.iter().filter(|step| step.men == men);
            assert_eq!(kept.map(Step::order).min(), best(men), "{men}");
        }
    }
}

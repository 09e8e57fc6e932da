//! A quick look for a winning series: the most promising positions of each move only, and the last
//! three moves completely. Where everything has to be taken, positions compete with those where as
//! many men are left: moves that take nothing may be needed first.
//!
//! What it finds is a win; what it does not find says nothing. `docs/solver.md` tells how often it
//! finds what there is.

use super::find::{Batches, Break, Finder, Problem, Task, collect};
use crate::board::{Bitboard, Board, Color, Role, Square, attacks};
use crate::position::{Move, Position};
use crate::rules::Goal;
use crate::search::eval::Reach;
use crate::search::move_tree::{MoveTree, Spot};
use crate::search::seen::Seen;
use crate::search::series_gen::touched;

/// So many moves at the end are searched completely.
const COMPLETE: u8 = 3;

/// Where a series may win early, so many of the best positions after each move are searched for a
/// win with the next three moves.
const EARLY: usize = 12;

/// How many spots are gone through between two looks at the control.
const POLL: usize = 32;

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

/// How many positions of a layer a glance remembers, how many moves it ranks and how many positions
/// it carries on without more memory: 2, 6 and 1 MiB.
const MOST_SEEN: usize = 1 << 18;
const USUAL_STEPS: usize = 1 << 18;
const USUAL_WIDTH: usize = 1 << 12;

/// The memory of glances, taken for the first one and kept from one to the next.
pub(super) struct Lists {
    seen: Seen,
    steps: Vec<Step>,
    /// The layer in hand and the next one.
    layers: [Vec<Spot>; 2],
}

impl Lists {
    /// Lists for glances at positions like `position`.
    pub fn new(position: &Position) -> Lists {
        let mv = Move { from: Square::A1, to: Square::A1, promotion: None };
        let step = Step { men: 0, promise: 0, key: 0, parent: 0, mv };
        let spots = || touched(&Spot::root(position), USUAL_WIDTH);
        Lists {
            seen: Seen::new(MOST_SEEN),
            steps: touched(&step, USUAL_STEPS),
            layers: [spots(), spots()],
        }
    }
}

/// Looks for a series that wins with the last move of the turn, through the best `width` positions
/// after each move. Returns it, and the positions entered.
pub(super) fn glance(
    problem: &Problem,
    width: usize,
    lists: &mut Lists,
) -> (Option<Vec<Move>>, u64) {
    let Lists { seen, steps, layers: [layer, next] } = lists;
    layer.clear();
    layer.push(Spot::root(&problem.root));
    let mut tree = MoveTree::default();
    let early = if problem.root.rules().may_win_early() { EARLY } else { 0 };
    let mut nodes = 0;
    while layer.first().is_some_and(|spot| spot.position.moves_left() > COMPLETE) {
        if problem.should_stop(nodes) {
            return (None, nodes);
        }
        let win = finish(problem, &layer[..early.min(layer.len())], &tree, &mut nodes);
        if win.is_some() {
            return (win, nodes);
        }
        seen.start_layer(layer.len());
        steps.clear();
        list_steps(layer, seen, steps, |steps| problem.should_stop(nodes + steps as u64));
        nodes += steps.len() as u64;
        next.clear();
        for step in best(steps, width) {
            next.push(layer[step.parent as usize].after(step.mv, &mut tree));
        }
        std::mem::swap(layer, next);
    }
    (finish(problem, layer, &tree, &mut nodes), nodes)
}

/// A series that wins with three more moves from one of the spots.
fn finish(
    problem: &Problem,
    spots: &[Spot],
    tree: &MoveTree,
    nodes: &mut u64,
) -> Option<Vec<Move>> {
    let before = *nodes;
    let mut finder = Finder::new(problem, Task::First);
    for Spot { position, node } in spots {
        if problem.should_stop(*nodes) {
            break;
        }
        let moves = position.moves_left().min(COMPLETE);
        let ended = finder.run(position, moves).map(|_| ());
        *nodes = before + finder.nodes();
        match ended {
            Ok(()) => {}
            Err(Break::Stopped) => break,
            Err(Break::Enough) => {
                return Some([tree.line(*node), finder.into_series()].concat());
            }
        }
    }
    None
}

/// Adds quiet moves from the spots of a layer to all the positions that they lead to; fewer if so
/// many are reason to stop.
fn list_steps(
    layer: &[Spot],
    seen: &mut Seen,
    steps: &mut Vec<Step>,
    should_stop: impl Fn(usize) -> bool,
) {
    for (parent, Spot { position, .. }) in (0..).zip(layer) {
        if parent as usize % POLL == POLL - 1 && should_stop(steps.len()) {
            break;
        }
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
}

/// The best `width` steps, as many for each number of men left.
fn best(steps: &mut [Step], width: usize) -> Vec<Step> {
    steps.sort_by_key(|step| step.men);
    let groups = steps.chunk_by(|a, b| a.men == b.men).count();
    let share = width.div_ceil(groups.max(1));
    let mut chosen = Vec::with_capacity(groups * share);
    for group in steps.chunk_by_mut(|a, b| a.men == b.men) {
        let order = |step: &Step| (-step.promise, step.key);
        let share = share.min(group.len());
        if share < group.len() {
            group.select_nth_unstable_by_key(share, order);
        }
        group[..share].sort_unstable_by_key(order);
        chosen.extend_from_slice(&group[..share]);
    }
    chosen
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
    10 * struck.len() as i32 + reach.total as i32 + 6 * advance(board, us)
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

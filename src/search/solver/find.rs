//! The search for winning series: depth first, over positions inside the series.
//!
//! Five things keep it small: refuted positions are remembered, independent moves are tried in one
//! order only, positions that the [bound](Bound) rules out are not entered, with two moves left
//! only [promising](Promising) ones are tried, and last moves that leave [flights](Flights) are not
//! made. Each can be switched off and changes no answer.

use std::cell::RefCell;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering};

use arrayvec::ArrayVec;

use super::bound::{Bound, Coverage};
use super::counts::Counts;
use super::flights::Flights;
use super::last_but_one::Promising;
use super::order::{Lookback, Tried};
use super::progress::Progress;
use super::table::Table;
use crate::board::{Role, Square, attacks, mix};
use crate::position::{Batch, Move, Position};
use crate::rules::{Balance, Goal, RuleSet};
use crate::search::Control;

/// Which prunings are in use; for tests that compare.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Prunings {
    /// Remember refuted positions.
    pub table: bool,
    /// Try independent moves in one order only.
    pub order: bool,
    /// Use the coverage bound.
    pub bound: bool,
    /// With two moves left, try only moves that may lead to a mating one.
    pub last_but_one: bool,
    /// Do not make last moves after which the enemy king surely has a step.
    pub flights: bool,
}

impl Prunings {
    /// Everything on.
    pub const ALL: Prunings =
        Prunings { table: true, order: true, bound: true, last_but_one: true, flights: true };
    /// Everything off.
    pub const NONE: Prunings =
        Prunings { table: false, order: false, bound: false, last_but_one: false, flights: false };
}

/// What is wanted of the winning series.
pub(super) enum Task<'t> {
    /// The first one found.
    First,
    /// Each, told to the function until it answers `false`.
    List(&'t dyn Fn(&[Move]) -> bool),
    /// Their number alone; with the numbers behind positions already counted.
    Count(&'t RefCell<Counts>),
}

/// Why a search ended before it had seen everything.
pub(super) enum Break {
    /// The control said so.
    Stopped,
    /// What was wanted has been found.
    Enough,
}

/// How often the clock is read and progress told, in nodes.
const POLL: u64 = 512;

pub(super) type Batches = ArrayVec<Batch, 128>;

/// What all threads of one search share.
pub(super) struct Problem<'s> {
    pub root: Position,
    table: &'s Table,
    control: &'s Control,
    pub progress: &'s Progress,
    bound: Option<&'s Bound>,
    prunings: Prunings,
    /// Mixed into keys, so that refutations of one variant say nothing in another.
    salt: u64,
    /// Another thread has found what was wanted, or was stopped.
    pub over: AtomicBool,
    /// How many threads search.
    pub threads: u64,
}

impl<'s> Problem<'s> {
    pub fn new(
        root: &Position,
        table: &'s Table,
        bound: Option<&'s Bound>,
        prunings: Prunings,
        control: &'s Control,
        progress: &'s Progress,
    ) -> Problem<'s> {
        let rules = root.rules();
        Problem {
            root: *root,
            table,
            control,
            progress,
            bound,
            // Balance rules make later moves depend on the order of earlier ones.
            prunings: Prunings {
                order: prunings.order && rules.balance == Balance::Free,
                ..prunings
            },
            salt: rules_salt(rules),
            over: AtomicBool::new(false),
            threads: 1,
        }
    }
}

impl Problem<'_> {
    /// Whether to stop, `nodes` nodes into the work.
    pub fn should_stop(&self, nodes: u64) -> bool {
        self.control.should_stop(nodes)
    }

    /// The quiet moves among `batches` of the root, each with the index of its batch, in the order
    /// in which they are tried.
    pub fn first_moves(&self, batches: &Batches) -> Vec<(usize, Move)> {
        let quiet = |(index, batch): (usize, &Batch)| {
            let quiet = batch.to - batch.checks - self.root.winning_captures(batch);
            let batch = *batch;
            quiet.into_iter().map(move |to| (index, batch.move_to(to)))
        };
        batches.iter().enumerate().flat_map(quiet).collect()
    }

    /// Whether the bound rules out a win with the moves left after this one.
    #[inline]
    fn is_hopeless(
        &self,
        position: &Position,
        coverage: Option<&Coverage>,
        batch: &Batch,
        to: Square,
        left: u8,
    ) -> bool {
        let (Some(bound), Some(coverage)) = (self.bound, coverage) else { return false };
        let becomes = batch.promotion.unwrap_or(batch.role);
        let enemy = position.board().color(!position.side());
        bound.after(coverage, (batch.role, batch.from), (becomes, to), enemy) >= left
            && is_plain(position, batch, to)
    }
}

/// Refutations hold for the rules under which they were found.
pub(in crate::search) fn rules_salt(rules: &RuleSet) -> u64 {
    rules.name.bytes().fold(0, |salt, byte| mix(salt ^ u64::from(byte)))
}

/// The lengths a winning series of `root` may have. Where a series may win before its last move,
/// short ones come first: they are cheap to search, and found they are the better answer.
pub(super) fn lengths(root: &Position) -> RangeInclusive<u8> {
    let (rules, longest) = (root.rules(), root.moves_left());
    if rules.may_win_early() { 1..=longest } else { longest..=longest }
}

/// One thread of a search.
pub(super) struct Finder<'p, 't> {
    problem: &'p Problem<'p>,
    task: Task<'t>,
    /// Independent moves are tried in one order only: not if every order is wanted.
    one_order: bool,
    nodes: u64,
    /// The moves from the root to here; the winning series when the search has found the first.
    path: Vec<Move>,
    /// The first moves in their order, as soon as somebody may want to know how many are done.
    first_moves: Vec<Move>,
}

impl<'p, 't> Finder<'p, 't> {
    pub fn new(problem: &'p Problem<'p>, task: Task<'t>) -> Finder<'p, 't> {
        let one_order = problem.prunings.order && matches!(task, Task::First);
        Finder { problem, task, one_order, nodes: 0, path: Vec::new(), first_moves: Vec::new() }
    }

    /// Positions entered.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The winning series, if the search for the first has ended with [`Break::Enough`].
    pub fn into_series(self) -> Vec<Move> {
        self.path
    }

    /// Does the task for the series of exactly `moves` moves from `position`, the root or a position
    /// behind it, and says how many of them win.
    pub fn run(&mut self, position: &Position, moves: u8) -> Result<u128, Break> {
        self.visit(position, moves, None)
    }

    /// Does the task for the series of `moves` moves that begin with the last move of `tried`.
    ///
    /// The answer is not remembered: it relies on those moves being tried that `tried` says are.
    pub fn run_behind(&mut self, tried: &Tried, moves: u8) -> Result<u128, Break> {
        let mut next = self.problem.root;
        next.play_batch(&tried.batches[tried.index], tried.last.to);
        self.path.push(tried.last);
        let count = self.try_all(&next, moves - 1, self.one_order.then_some(tried))?;
        self.path.pop();
        Ok(count)
    }

    /// The number of series of exactly `left` more moves that win for the side to move with the
    /// last of them.
    fn visit(
        &mut self,
        position: &Position,
        left: u8,
        tried: Option<&Tried>,
    ) -> Result<u128, Break> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL) && self.poll() {
            return Err(Break::Stopped);
        }
        if left == 1 {
            return self.last_move(position);
        }
        if position.rules().goal == Goal::TakeAll
            && position.unit_count(!position.side()) > left.into()
        {
            return Ok(0);
        }
        let key = position.key() ^ self.problem.salt;
        if self.problem.prunings.table && self.problem.table.refuted(key, left) {
            return Ok(0);
        }
        if let Task::Count(known) = &self.task
            && let Some(count) = known.borrow().get(key ^ u64::from(left))
        {
            return Ok(count);
        }
        let count = self.try_all(position, left, tried)?;
        if count == 0 {
            if self.problem.prunings.table {
                self.problem.table.store(key, left);
            }
        } else if let Task::Count(known) = &self.task {
            known.borrow_mut().insert(key ^ u64::from(left), count);
        }
        Ok(count)
    }

    /// Tells how far the search has come, and whether to stop. The other threads are taken to have
    /// come as far as this one.
    fn poll(&mut self) -> bool {
        let Problem { control, threads, over, progress, .. } = self.problem;
        progress.add(POLL);
        if *threads == 1 {
            self.tell_first_move();
        }
        over.load(Ordering::Relaxed) || control.should_stop(self.nodes * threads)
    }

    /// Tells how many first moves lie behind the one under way.
    fn tell_first_move(&mut self) {
        if self.first_moves.is_empty() {
            let mut batches = Batches::new();
            collect(&self.problem.root, &mut batches);
            let first_moves = self.problem.first_moves(&batches);
            self.first_moves = first_moves.into_iter().map(|(_, mv)| mv).collect();
        }
        let current = self.path.first();
        if let Some(done) = self.first_moves.iter().position(|mv| Some(mv) == current) {
            self.problem.progress.reach(done, self.first_moves.len());
        }
    }

    fn try_all(
        &mut self,
        position: &Position,
        left: u8,
        tried: Option<&Tried>,
    ) -> Result<u128, Break> {
        let mut batches = Batches::new();
        if left == 2 && self.problem.prunings.last_but_one {
            collect_promising(position, &mut batches);
        } else {
            collect(position, &mut batches);
        }
        let mut count = 0u128;
        let enemy = position.board().color(!position.side());
        let coverage = self.problem.bound.and_then(|bound| bound.coverage(position, left));
        let mut tried = tried.map(Lookback::new);
        for (index, batch) in batches.iter().enumerate() {
            let mut quiet = batch.to - batch.checks - position.winning_captures(batch);
            if let Some(tried) = &mut tried {
                quiet -= tried.before(position.rules(), batch);
            }
            for to in quiet {
                if self.problem.is_hopeless(position, coverage.as_ref(), batch, to, left) {
                    continue;
                }
                let mut next = *position;
                next.play_batch(batch, to);
                let last = batch.move_to(to);
                let tried = Tried { batches: &batches, index, last, enemy };
                self.path.push(last);
                let deeper = self.visit(&next, left - 1, self.one_order.then_some(&tried))?;
                self.path.pop();
                count = count.saturating_add(deeper);
            }
        }
        Ok(count)
    }

    /// Tries the last move of a series. Never inlined: its list would lie on the stack once for each
    /// move of a series.
    #[inline(never)]
    fn last_move(&mut self, position: &Position) -> Result<u128, Break> {
        let mut batches = Batches::new();
        if position.rules().royal_kings() && position.rules().balance == Balance::Free {
            position.unbanned().for_each_check(|batch| batches.push(batch));
        } else {
            collect(position, &mut batches);
        }
        self.win_with(position, &batches)
    }

    /// Tries the moves that may win at once.
    fn win_with(&mut self, position: &Position, batches: &[Batch]) -> Result<u128, Break> {
        let mut count = 0;
        let flights =
            (self.problem.prunings.flights && !batches.is_empty()).then(|| Flights::new(position));
        for batch in batches {
            for to in batch.checks | position.winning_captures(batch) {
                if flights.as_ref().is_some_and(|flights| flights.remain(batch, to)) {
                    continue;
                }
                let mut next = *position;
                next.play_batch(batch, to);
                if !next.has_legal_move() {
                    self.win(batch.move_to(to))?;
                    count += 1;
                }
            }
        }
        Ok(count)
    }

    /// A series that ends with `last` wins.
    fn win(&mut self, last: Move) -> Result<(), Break> {
        match &mut self.task {
            Task::Count(_) => return Ok(()),
            Task::First => {
                self.path.push(last);
                return Err(Break::Enough);
            }
            Task::List(tell) => {
                self.path.push(last);
                if !tell(&self.path) {
                    return Err(Break::Enough);
                }
            }
        }
        self.path.pop();
        Ok(())
    }
}

/// Whether the bound understands the move: not castling and not en passant.
fn is_plain(position: &Position, batch: &Batch, to: Square) -> bool {
    match batch.role {
        Role::King => attacks::king(batch.from).has(to),
        Role::Pawn => !position.en_passant_targets().has(to),
        _ => true,
    }
}

/// The moves of a position. Where checks are forbidden before the last move, those that check are
/// told apart but not left out; who goes on with quiet moves alone obeys the rule.
pub(super) fn collect(position: &Position, batches: &mut Batches) {
    match position.rules().balance {
        Balance::Free => position.unbanned().for_each_batch(|batch| batches.push(batch)),
        Balance::CatchUp | Balance::Rounds => position.for_each_batch(|batch| batches.push(batch)),
    }
}

/// The moves of a position that may lead to a win with the next one, and some others. Never inlined:
/// what it needs would lie on the stack once for each move of a series.
#[inline(never)]
fn collect_promising(position: &Position, batches: &mut Batches) {
    match Promising::new(position) {
        Some(promising) if !promising.any() => {}
        Some(promising) => position.unbanned().for_each_batch_into(
            |role, from| promising.squares(role, from),
            |mut batch| {
                batch.to -= position.castling_moves(&batch) - promising.castling();
                if batch.to.any() {
                    batches.push(batch);
                }
            },
        ),
        None => collect(position, batches),
    }
}

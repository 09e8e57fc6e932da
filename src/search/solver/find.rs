//! The search for winning series: depth first, over positions inside the series.
//!
//! Four things keep it small: refuted positions are remembered, independent moves are tried in one
//! order only, positions that the [bound](Bound) rules out are not entered, and with two moves left
//! only [promising](Promising) ones are tried. Each can be switched off and changes no answer.

use std::collections::HashMap;

use arrayvec::ArrayVec;

use super::bound::{Bound, Coverage};
use super::last_but_one::Promising;
use super::table::Table;
use crate::board::{Bitboard, Role, Square, attacks};
use crate::position::{Batch, Move, Position};
use crate::rules::{Balance, CheckRule, Goal, Rebirth, RuleSet};
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
}

impl Prunings {
    /// Everything on.
    pub const ALL: Prunings =
        Prunings { table: true, order: true, bound: true, last_but_one: true };
    /// Everything off.
    pub const NONE: Prunings =
        Prunings { table: false, order: false, bound: false, last_but_one: false };
}

/// What is wanted of the winning series.
pub(super) enum Task<'t> {
    /// The first one found.
    First,
    /// Each, told to the function until it answers `false`.
    List(&'t mut dyn FnMut(&[Move]) -> bool),
    /// Their number alone. The map holds the numbers behind positions already counted.
    Count(HashMap<u64, u128>),
}

/// Why a search ended before it had seen everything.
pub(super) enum Break {
    /// The control said so.
    Stopped,
    /// What was wanted has been found.
    Enough,
}

/// How often the clock is read, in nodes.
const POLL: u64 = 512;

/// The most positions whose numbers of solutions are kept while counting.
const MOST_COUNTS: usize = 1 << 22;

type Batches = ArrayVec<Batch, 128>;

/// One search from one position.
pub(super) struct Finder<'s, 't> {
    table: &'s mut Table,
    control: &'s Control,
    task: Task<'t>,
    bound: Option<Bound>,
    prunings: Prunings,
    /// Mixed into keys, so that refutations of one variant say nothing in another.
    salt: u64,
    nodes: u64,
    /// The moves from the root to here; the winning series when the search has found the first.
    path: Vec<Move>,
}

/// The moves of a position and how far they have been tried, for the next position to look back.
struct Tried<'b> {
    batches: &'b [Batch],
    /// Which batch the last move came from.
    index: usize,
    last: Move,
    /// The squares of the enemy's men before the last move.
    enemy: Bitboard,
}

impl<'s, 't> Finder<'s, 't> {
    pub fn new(
        root: &Position,
        task: Task<'t>,
        table: &'s mut Table,
        prunings: Prunings,
        control: &'s Control,
    ) -> Finder<'s, 't> {
        let rules = root.rules();
        // Balance rules make later moves depend on the order of earlier ones, and who wants every
        // series wants every order.
        let order = prunings.order && rules.balance == Balance::Free && matches!(task, Task::First);
        Finder {
            table,
            control,
            task,
            bound: prunings.bound.then(|| Bound::new(root, root.moves_left())).flatten(),
            prunings: Prunings { order, ..prunings },
            salt: super::rules_salt(rules),
            nodes: 0,
            path: Vec::new(),
        }
    }

    /// Positions entered.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The winning series, if the search for the first has ended with [`Break::Enough`].
    pub fn into_series(self) -> Vec<Move> {
        self.path
    }

    /// Does the task from `root`, and says how many winning series there are.
    ///
    /// Where a series may win before its last move, it goes by length: short series are cheap to
    /// search, and found they are the better answer.
    pub fn run(&mut self, root: &Position) -> Result<u128, Break> {
        let (rules, longest) = (root.rules(), root.moves_left());
        let any_length = rules.goal == Goal::TakeAll || rules.check == CheckRule::EndsSeries;
        let shortest = if any_length { 1 } else { longest };
        let mut count = 0u128;
        for moves in shortest..=longest {
            count = count.saturating_add(self.visit(root, moves, None)?);
        }
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
        if self.nodes.is_multiple_of(POLL) && self.control.should_stop(self.nodes) {
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
        let key = position.key() ^ self.salt;
        if self.prunings.table && self.table.refuted(key, left) {
            return Ok(0);
        }
        if let Task::Count(known) = &self.task
            && let Some(&count) = known.get(&(key ^ u64::from(left)))
        {
            return Ok(count);
        }
        let count = self.try_all(position, left, tried)?;
        if count == 0 {
            if self.prunings.table {
                self.table.store(key, left);
            }
        } else if let Task::Count(known) = &mut self.task
            && known.len() < MOST_COUNTS
        {
            known.insert(key ^ u64::from(left), count);
        }
        Ok(count)
    }

    fn try_all(
        &mut self,
        position: &Position,
        left: u8,
        tried: Option<&Tried>,
    ) -> Result<u128, Break> {
        let mut batches = Batches::new();
        if left == 2 && self.prunings.last_but_one {
            collect_promising(position, &mut batches);
        } else {
            collect(position, &mut batches);
        }
        let mut count = 0u128;
        let enemy = position.board().color(!position.side());
        let coverage = self.bound.as_ref().map(|bound| bound.coverage(position));
        let mut tried = tried.map(Lookback::new);
        for (index, batch) in batches.iter().enumerate() {
            let mut quiet = batch.to - batch.checks - position.winning_captures(batch);
            if let Some(tried) = &mut tried {
                quiet -= tried.before(position.rules(), batch);
            }
            for to in quiet {
                if self.is_hopeless(position, coverage.as_ref(), batch, to, left) {
                    continue;
                }
                let mut next = *position;
                next.play_batch(batch, to);
                let last = batch.move_to(to);
                let tried = Tried { batches: &batches, index, last, enemy };
                self.path.push(last);
                let deeper = self.visit(&next, left - 1, self.prunings.order.then_some(&tried))?;
                self.path.pop();
                count = count.saturating_add(deeper);
            }
        }
        Ok(count)
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
        let (Some(bound), Some(coverage)) = (&self.bound, coverage) else { return false };
        let becomes = batch.promotion.unwrap_or(batch.role);
        let enemy = position.board().color(!position.side());
        bound.after(coverage, (batch.role, batch.from), (becomes, to), enemy) >= left
            && is_plain(position, batch, to)
    }

    /// Tries the last move of a series.
    fn last_move(&mut self, position: &Position) -> Result<u128, Break> {
        let mut batches = Batches::new();
        if position.rules().royal_kings() && position.rules().balance == Balance::Free {
            position.for_each_check(|batch| batches.push(batch));
        } else {
            collect(position, &mut batches);
        }
        self.win_with(position, &batches)
    }

    /// Tries the moves that may win at once.
    fn win_with(&mut self, position: &Position, batches: &[Batch]) -> Result<u128, Break> {
        let mut count = 0;
        for batch in batches {
            for to in batch.checks | position.winning_captures(batch) {
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

/// Goes through the moves of the position before, in step with those of the position now.
struct Lookback<'b> {
    tried: &'b Tried<'b>,
    /// Where the last batch was found, or would have been.
    at: usize,
}

impl<'b> Lookback<'b> {
    fn new(tried: &'b Tried<'b>) -> Lookback<'b> {
        Lookback { tried, at: 0 }
    }

    /// Those moves of `batch` that were tried before the last move and lead, in the other order, to
    /// the same positions. Batches have to come in the order of the generator.
    ///
    /// The move was legal and gave no check before the last one, and so it is now. Then both orders
    /// are legal and quiet, for they end in the same position, provided that the last move still
    /// finds its way after this one.
    fn before(&mut self, rules: &RuleSet, batch: &Batch) -> Bitboard {
        let tried = self.tried;
        let place = order(batch);
        while self.at < tried.index && order(&tried.batches[self.at]) < place {
            self.at += 1;
        }
        let earlier = &tried.batches[self.at];
        let Move { from, to, .. } = tried.last;
        if self.at == tried.index || order(earlier) != place || batch.from == to {
            return Bitboard::EMPTY;
        }
        let reborn = rules.rebirth != Rebirth::Never;
        if !tried.last_commutes(reborn) {
            return Bitboard::EMPTY;
        }
        let mut same = batch.to & (earlier.to - earlier.checks);
        same -= attacks::between(from, to) | to.bitboard();
        if batch.role == Role::King {
            same &= attacks::king(batch.from);
        }
        if reborn { same - tried.enemy } else { same }
    }
}

/// The place of a batch among those of its position: by role, square and promotion, best first.
#[inline]
fn order(batch: &Batch) -> usize {
    let promotion = batch.promotion.map_or(0, |role| Role::King as usize - role as usize);
    (batch.role as usize) << 9 | batch.from.index() << 3 | promotion
}

impl Tried<'_> {
    /// Whether the last move can change places with others: no castling, no en passant, and where
    /// men are reborn, no capture.
    fn last_commutes(&self, reborn: bool) -> bool {
        let Move { from, to, .. } = self.last;
        let captures = self.enemy.has(to);
        match self.batches[self.index].role {
            Role::King if !attacks::king(from).has(to) => false,
            Role::Pawn if from.file() != to.file() && !captures => false,
            _ => !(reborn && captures),
        }
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
fn collect(position: &Position, batches: &mut Batches) {
    match position.rules().balance {
        Balance::Free => position.for_each_batch_with_early_checks(|batch| batches.push(batch)),
        Balance::CatchUp | Balance::Rounds => position.for_each_batch(|batch| batches.push(batch)),
    }
}

/// The moves of a position that may lead to a win with the next one, and some others.
fn collect_promising(position: &Position, batches: &mut Batches) {
    match Promising::new(position) {
        Some(promising) => position.for_each_batch_into(
            |role, from| promising.squares(role, from),
            |batch| batches.push(batch),
        ),
        None => collect(position, batches),
    }
}

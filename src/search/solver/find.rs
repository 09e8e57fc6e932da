//! The search for one winning series, or the proof that there is none.
//!
//! Depth first, over positions inside the series. Three things keep it small: refuted positions are
//! remembered, independent moves are tried in one order only, and positions that the [bound](Bound)
//! rules out are not entered. Each can be switched off, and never changes an answer.

use arrayvec::ArrayVec;

use super::bound::Bound;
use super::last_but_one::Promising;
use super::table::Table;
use crate::board::{Bitboard, Role, Square, attacks};
use crate::position::{Batch, Move, Position};
use crate::rules::{Balance, CheckRule, Goal, Rebirth};
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

/// The search was told to stop.
pub(super) struct Stopped;

/// How often the clock is read, in nodes.
const POLL: u64 = 1024;

/// One search from one position.
pub(super) struct Finder<'s> {
    table: &'s mut Table,
    control: &'s Control,
    bound: Option<Bound>,
    prunings: Prunings,
    /// A check may end the series before its last move, so that shorter series win too.
    early_checks: bool,
    /// Mixed into keys, so that refutations of one variant say nothing in another.
    salt: u64,
    nodes: u64,
    /// The winning series, last move first.
    found: Vec<Move>,
}

/// The moves of a position and how far they have been tried, for the next position to look back.
struct Tried<'t> {
    batches: &'t [Batch],
    /// Which batch the last move came from.
    index: usize,
    last: Move,
    up: Bitboard,
}

impl<'s> Finder<'s> {
    pub fn new(
        root: &Position,
        table: &'s mut Table,
        salt: u64,
        prunings: Prunings,
        control: &'s Control,
    ) -> Finder<'s> {
        let rules = root.rules();
        let bound = if prunings.bound { Bound::new(root, root.moves_left()) } else { None };
        Finder {
            table,
            control,
            bound,
            prunings: Prunings {
                // Balance rules make the later moves depend on the order of the earlier ones.
                order: prunings.order && rules.balance == Balance::Free,
                ..prunings
            },
            early_checks: rules.goal == Goal::TakeAll || rules.check == CheckRule::EndsSeries,
            salt: salt ^ super::rules_salt(rules),
            nodes: 0,
            found: Vec::new(),
        }
    }

    /// Positions entered.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a winning series of `root`.
    pub fn run(&mut self, root: &Position) -> Result<Option<Vec<Move>>, Stopped> {
        let longest = root.moves_left();
        let shortest = if self.early_checks { 1 } else { longest };
        for moves in shortest..=longest {
            if self.wins(root, moves, None)? {
                self.found.reverse();
                return Ok(Some(std::mem::take(&mut self.found)));
            }
        }
        Ok(None)
    }

    /// Whether the side to move wins with at most `left` more moves (exactly as many, where early
    /// checks are forbidden). The winning moves are then in `found`.
    fn wins(
        &mut self,
        position: &Position,
        left: u8,
        tried: Option<&Tried>,
    ) -> Result<bool, Stopped> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(POLL) && self.control.should_stop(self.nodes) {
            return Err(Stopped);
        }
        if left == 1 {
            return Ok(self.wins_at_once(position));
        }
        if position.rules().goal == Goal::TakeAll
            && position.unit_count(!position.side()) > left.into()
        {
            return Ok(false);
        }
        let key = position.key() ^ self.salt;
        if self.prunings.table && self.table.refuted(key, left, self.early_checks) {
            return Ok(false);
        }
        let won = self.tries_all(position, left, tried)?;
        if !won && self.prunings.table {
            self.table.store(key, left);
        }
        Ok(won)
    }

    fn tries_all(
        &mut self,
        position: &Position,
        left: u8,
        tried: Option<&Tried>,
    ) -> Result<bool, Stopped> {
        let mut batches = Batches::new();
        collect(position, &mut batches);
        if self.early_checks && self.wins_with(position, &batches) {
            return Ok(true);
        }
        let enemy = position.board().color(!position.side());
        let coverage = self.bound.as_ref().map(|bound| bound.coverage(position));
        let promising =
            (left == 2 && self.prunings.last_but_one).then(|| Promising::new(position, &batches));
        for (index, batch) in batches.iter().enumerate() {
            let mut quiet = batch.to - batch.checks;
            if let Some(promising) = &promising {
                quiet = promising.filter(batch, quiet);
            }
            if let Some(tried) = tried {
                quiet -= self.tried_before(position, batch, tried);
            }
            for to in quiet {
                if let (Some(bound), Some(coverage)) = (&self.bound, &coverage) {
                    let becomes = batch.promotion.unwrap_or(batch.role);
                    let least =
                        bound.after(coverage, (batch.role, batch.from), (becomes, to), enemy);
                    if least >= left && is_plain(position, batch, to) {
                        continue;
                    }
                }
                let mut next = *position;
                next.play_batch(batch, to);
                let tried = Tried { batches: &batches, index, last: batch.move_to(to), up: enemy };
                let tried = self.prunings.order.then_some(&tried);
                if self.wins(&next, left - 1, tried)? {
                    self.found.push(batch.move_to(to));
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Those moves of `batch` that were tried before the last move and lead, in the other order, to
    /// the same positions.
    ///
    /// The move was legal and gave no check before the last one, and so it is now. Then both orders
    /// are legal and quiet, for they end in the same position, provided that the last move still
    /// finds its way after this one.
    fn tried_before(&self, position: &Position, batch: &Batch, tried: &Tried) -> Bitboard {
        let Move { from, to, .. } = tried.last;
        if batch.from == to || !tried.commutes(position) {
            return Bitboard::EMPTY;
        }
        let earlier = tried.batches[..tried.index]
            .iter()
            .find(|earlier| earlier.from == batch.from && earlier.promotion == batch.promotion);
        let Some(earlier) = earlier else { return Bitboard::EMPTY };
        let mut same = batch.to & (earlier.to - earlier.checks);
        same -= attacks::between(from, to) | to.bitboard();
        if batch.role == Role::King {
            same &= attacks::king(batch.from);
        }
        if position.rules().rebirth != Rebirth::Never {
            same -= tried.up;
        }
        same
    }

    /// Whether one of the moves wins at once.
    fn wins_at_once(&mut self, position: &Position) -> bool {
        let mut batches = Batches::new();
        collect(position, &mut batches);
        self.wins_with(position, &batches)
    }

    fn wins_with(&mut self, position: &Position, batches: &[Batch]) -> bool {
        for batch in batches {
            for to in batch.checks | position.winning_captures(batch) {
                let mut next = *position;
                next.play_batch(batch, to);
                if next.is_lost() {
                    self.found.push(batch.move_to(to));
                    return true;
                }
            }
        }
        false
    }
}

impl Tried<'_> {
    /// Whether the last move can change places with others: no castling, no en passant, and where
    /// men are reborn, no capture.
    fn commutes(&self, position: &Position) -> bool {
        let Move { from, to, .. } = self.last;
        let role = self.batches[self.index].role;
        let castled = role == Role::King && !attacks::king(from).has(to);
        let took_in_passing = role == Role::Pawn && from.file() != to.file() && !self.up.has(to);
        let reborn = position.rules().rebirth != Rebirth::Never && self.up.has(to);
        !(castled || took_in_passing || reborn)
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

type Batches = ArrayVec<Batch, 128>;

/// The moves of a position. Where checks are forbidden before the last move, those that check are
/// told apart but not left out; who goes on with quiet moves alone obeys the rule.
fn collect(position: &Position, batches: &mut Batches) {
    match position.rules().balance {
        Balance::Free => position.for_each_batch_with_early_checks(|batch| batches.push(batch)),
        Balance::CatchUp | Balance::Rounds => position.for_each_batch(|batch| batches.push(batch)),
    }
}

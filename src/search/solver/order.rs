//! Trying independent moves in one order only.
//!
//! Of two moves that could be made in either order and lead to the same position, the second need
//! not be tried after the first if the first was tried after the second. `docs/solver.md` tells why
//! this is sound together with the table.

use crate::board::{Bitboard, Role, attacks};
use crate::position::{Batch, Move};
use crate::rules::{Rebirth, RuleSet};

/// The moves of a position and how far they have been tried, for the next position to look back.
pub(super) struct Tried<'b> {
    pub batches: &'b [Batch],
    /// Which batch the last move came from.
    pub index: usize,
    pub last: Move,
    /// The squares of the enemy's men before the last move.
    pub enemy: Bitboard,
}

/// Goes through the moves of the position before, in step with those of the position now.
pub(super) struct Lookback<'b> {
    tried: &'b Tried<'b>,
    /// Where the last batch was found, or would have been.
    at: usize,
}

impl<'b> Lookback<'b> {
    pub fn new(tried: &'b Tried<'b>) -> Lookback<'b> {
        Lookback { tried, at: 0 }
    }

    /// Those moves of `batch` that were tried before the last move and lead, in the other order, to
    /// the same positions. Batches have to come in the order of the generator.
    ///
    /// The move was legal and gave no check before the last one, and so it is now. Then both orders
    /// are legal and quiet, for they end in the same position, provided that the last move still
    /// finds its way after this one.
    pub fn before(&mut self, rules: &RuleSet, batch: &Batch) -> Bitboard {
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

//! Legal moves, in batches.
//!
//! A [`Batch`] has the squares to which one unit may go, and tells which of them give check. All are
//! legal as handed out, so counting the last move of a series is a population count.

use std::ops::ControlFlow;

use arrayvec::ArrayVec;

use super::generator::Generator;
use super::{Move, Position};
use crate::board::{Bitboard, Role, Square};
use crate::rules::Balance;

/// Legal moves of one unit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Batch {
    pub role: Role,
    /// What the unit becomes, if these moves promote it.
    pub promotion: Option<Role>,
    pub from: Square,
    /// Where it may go.
    pub to: Bitboard,
    /// Those of `to` from which the enemy king is in check afterwards.
    pub checks: Bitboard,
}

impl Batch {
    /// The batch's move to `to`.
    #[inline]
    pub fn move_to(&self, to: Square) -> Move {
        Move { from: self.from, to, promotion: self.promotion }
    }

    /// All moves of the batch.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        self.to.into_iter().map(move |to| self.move_to(to))
    }
}

/// The moves of a position regardless of bans on early checks and on units that have to wait, see
/// [`Position::unbanned`]. What has been found out about pins and checks serves all questions.
pub struct Unbanned<'p>(Generator<'p, true>);

impl Unbanned<'_> {
    /// Hands every batch to `sink`.
    #[inline]
    pub fn for_each_batch(&self, mut sink: impl FnMut(Batch)) {
        let _ = self.0.run(&mut |batch| {
            sink(batch);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Hands to `sink`, of each unit, the moves to the squares that `wanted` names for its role and
    /// square, and all promotions, en passant captures and castling.
    #[inline]
    pub fn for_each_batch_into(
        &self,
        wanted: impl Fn(Role, Square) -> Bitboard,
        mut sink: impl FnMut(Batch),
    ) {
        let _ = self.0.run_into(&wanted, &mut |batch| {
            sink(batch);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Hands every move that checks to `sink`.
    #[inline]
    pub fn for_each_check(&self, mut sink: impl FnMut(Batch)) {
        let _ = self.0.run_checks(&mut |mut batch: Batch| {
            batch.to = batch.checks;
            if batch.to.any() {
                sink(batch);
            }
            ControlFlow::<()>::Continue(())
        });
    }
}

/// More batches than any position has: 63 units, and eight pawns that promote in five ways.
const MOST_BATCHES: usize = 128;

impl Position {
    /// Hands every legal move to `sink`, batch by batch, until it breaks off.
    #[inline]
    pub fn generate<B>(&self, mut sink: impl FnMut(Batch) -> ControlFlow<B>) -> ControlFlow<B> {
        match self.rules.balance {
            Balance::Free => Generator::<true>::new(self).run(&mut sink),
            balance => self.generate_balanced(balance, sink),
        }
    }

    fn generate_balanced<B>(
        &self,
        balance: Balance,
        sink: impl FnMut(Batch) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let mut batches = ArrayVec::<Batch, MOST_BATCHES>::new();
        let mut movable = Bitboard::EMPTY;
        let _ = Generator::<true>::new(self).run(&mut |batch: Batch| {
            movable |= batch.from.bitboard();
            batches.push(batch);
            ControlFlow::<()>::Continue(())
        });
        let own = self.board.color(self.side);
        let eligible = self.counts.eligible(balance, own, movable);
        let fits = |batch: &&Batch| eligible.has(batch.from);
        batches.iter().filter(fits).copied().try_for_each(sink)
    }

    /// The moves as if early checks were allowed and no unit had to wait for another: those that
    /// check are legal only where the rules say so, see [`CheckRule`](crate::rules::CheckRule), and
    /// any move only where balance does not matter.
    #[inline]
    pub fn unbanned(&self) -> Unbanned<'_> {
        let mut generator = Generator::new(self);
        generator.no_early_check = false;
        Unbanned(generator)
    }

    /// Hands every batch to `sink`.
    #[inline]
    pub fn for_each_batch(&self, mut sink: impl FnMut(Batch)) {
        let _ = self.generate(|batch| {
            sink(batch);
            ControlFlow::<()>::Continue(())
        });
    }

    /// Every legal move, in the order of the generator.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.for_each_batch(|batch| moves.extend(batch.moves()));
        moves
    }

    /// How many legal moves there are.
    pub fn count_moves(&self) -> u64 {
        let mut count = 0;
        let mut add = |batch: Batch| {
            count += u64::from(batch.to.len());
            ControlFlow::<()>::Continue(())
        };
        let _ = if self.rules.balance == Balance::Free && !self.forbids_check() {
            Generator::<false>::new(self).run(&mut add)
        } else {
            self.generate(add)
        };
        count
    }

    /// Whether there is a legal move. The balance rules never take the last one away.
    pub fn has_legal_move(&self) -> bool {
        if self.forbids_check() {
            Generator::<true>::new(self).has_any()
        } else {
            self.has_orthodox_move()
        }
    }

    /// Whether there is a move that only the ban on early checks may forbid.
    pub(super) fn has_orthodox_move(&self) -> bool {
        Generator::<false>::new(self).has_any()
    }

    /// Whether moves that check are forbidden here: early in the series of the variants that say so.
    #[inline]
    fn forbids_check(&self) -> bool {
        !self.rules.check.allows_early_check() && self.moves_left() > 1
    }

    /// The batch that holds `mv`, if it is legal.
    pub(crate) fn find_legal(&self, mv: Move) -> Option<Batch> {
        if !self.board.color(self.side).has(mv.from) {
            return None;
        }
        let found = self.generate(|batch| {
            let holds =
                batch.from == mv.from && batch.promotion == mv.promotion && batch.to.has(mv.to);
            if holds { ControlFlow::Break(batch) } else { ControlFlow::Continue(()) }
        });
        found.break_value()
    }
}

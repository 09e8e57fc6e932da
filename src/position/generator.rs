//! Finding the legal moves of one position.
//!
//! Pins, evasions and check squares are found first, so that every square handed out is legal.
//! Only three rare kinds of move are made on a copy of the board and judged there: en passant,
//! castling, and captures with rebirth.

use std::ops::ControlFlow;

use super::{Batch, Castling, Position, Wing};
use crate::board::{Bitboard, Color, Role, Square, attacks};
use crate::rules::Rebirth;

/// What is fixed while the moves of one position are generated. Without `CHECKS` it does not look
/// for checks: its batches name none, and none are forbidden.
pub(super) struct Generator<'p, const CHECKS: bool> {
    position: &'p Position,
    us: Color,
    own: Bitboard,
    enemy: Bitboard,
    occupied: Bitboard,
    /// The royal kings; `None` where kings are ordinary units.
    kings: Option<Kings>,
    /// Own units that may not leave the line through their king.
    pinned: Bitboard,
    /// Where units other than the king must go to parry a check; everywhere if there is none.
    parries: Bitboard,
    /// By role: the squares from which such a unit checks.
    direct: [Bitboard; 6],
    /// Own units that uncover a check when they leave the line to the enemy king.
    discoverers: Bitboard,
    /// Moves that check are forbidden here.
    pub(super) no_early_check: bool,
}

#[derive(Copy, Clone)]
struct Kings {
    own: Square,
    enemy: Square,
    in_check: bool,
}

type Flow<B> = ControlFlow<B>;

/// Who moves as he strikes, on any square: neither pawns nor kings.
const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl<'p, const CHECKS: bool> Generator<'p, CHECKS> {
    #[inline]
    pub(super) fn new(position: &'p Position) -> Generator<'p, CHECKS> {
        let (us, board) = (position.side, &position.board);
        let mut generator = Generator {
            position,
            us,
            own: board.color(us),
            enemy: board.color(!us),
            occupied: board.occupied(),
            kings: None,
            pinned: Bitboard::EMPTY,
            parries: Bitboard::FULL,
            direct: [Bitboard::EMPTY; 6],
            discoverers: Bitboard::EMPTY,
            no_early_check: !position.rules.check.allows_early_check() && position.moves_left() > 1,
        };
        if position.rules.royal_kings()
            && let (Some(own), Some(enemy)) = (board.king(us), board.king(!us))
        {
            generator.set_kings(own, enemy);
        }
        generator
    }

    #[inline]
    fn set_kings(&mut self, own: Square, enemy: Square) {
        let (us, board) = (self.us, &self.position.board);
        self.pinned = board.sole_blockers(own, !us, us);
        if CHECKS {
            self.discoverers = board.sole_blockers(enemy, us, us);
            let straight = attacks::rook(enemy, self.occupied);
            let slanted = attacks::bishop(enemy, self.occupied);
            let (pawn, knight) = (attacks::pawn(!us, enemy), attacks::knight(enemy));
            self.direct = [pawn, knight, slanted, straight, straight | slanted, Bitboard::EMPTY];
        }
        // Inside a series the enemy stands still, and no move left the own king attacked.
        let checkers = if self.position.played == 0 {
            board.attackers(!us, own, self.occupied)
        } else {
            Bitboard::EMPTY
        };
        if let Some(checker) = checkers.first() {
            self.parries = if checkers.is_single() {
                attacks::between(own, checker) | checkers
            } else {
                Bitboard::EMPTY
            };
        }
        self.kings = Some(Kings { own, enemy, in_check: checkers.any() });
    }

    #[inline]
    pub(super) fn run<B>(&self, sink: &mut impl FnMut(Batch) -> Flow<B>) -> Flow<B> {
        self.run_into(&|_, _| Bitboard::FULL, sink)
    }

    #[inline]
    pub(super) fn run_into<B>(
        &self,
        wanted: &impl Fn(Role, Square) -> Bitboard,
        sink: &mut impl FnMut(Batch) -> Flow<B>,
    ) -> Flow<B> {
        let (us, board, occupied) = (self.us, &self.position.board, self.occupied);
        for from in board.pieces(us, Role::Pawn) {
            let wanted = wanted(Role::Pawn, from);
            if wanted.any() {
                self.pawn(from, wanted, sink)?;
            }
        }
        if self.position.ep.any() {
            self.en_passant(sink)?;
        }
        for role in PIECES {
            for from in board.pieces(us, role) {
                let wanted = wanted(role, from);
                if wanted.any() {
                    let reach = attacks::of(role, us, from, occupied);
                    self.unit(role, from, reach & wanted, sink)?;
                }
            }
        }
        match self.kings {
            Some(kings) => self.royal_king(kings, wanted(Role::King, kings.own), sink)?,
            None => {
                for from in board.pieces(us, Role::King) {
                    let reach = attacks::king(from) & wanted(Role::King, from);
                    self.unit(Role::King, from, reach, sink)?;
                }
            }
        }
        if self.position.castling.any(us) { self.castle(sink) } else { Flow::Continue(()) }
    }

    /// Whether there is any move. In check it is most likely the king's.
    #[inline]
    pub(super) fn has_any(&self) -> bool {
        let stop = &mut |_| Flow::Break(());
        let steps_aside = self.kings.is_some_and(|kings| {
            kings.in_check && self.royal_king(kings, Bitboard::FULL, stop).is_break()
        });
        steps_aside || self.run(stop).is_break()
    }

    /// All moves of units that may check, and few others.
    pub(super) fn run_checks<B>(&self, sink: &mut impl FnMut(Batch) -> Flow<B>) -> Flow<B> {
        let (us, board, occupied) = (self.us, &self.position.board, self.occupied);
        let Some(kings) = self.kings else { return Flow::Continue(()) };
        let mut pawns = self.discoverers | Bitboard::rank(6, us);
        for square in self.direct[Role::Pawn as usize] {
            let behind = square.bitboard().ahead(!us);
            pawns |= behind | behind.ahead(!us) | attacks::pawn(!us, square);
        }
        for from in board.pieces(us, Role::Pawn) & pawns {
            self.pawn(from, Bitboard::FULL, sink)?;
        }
        if self.position.ep.any() {
            self.en_passant(sink)?;
        }
        for role in PIECES {
            let goals = self.direct[role as usize] - self.own;
            for from in board.pieces(us, role) {
                let reach = attacks::of(role, us, from, occupied);
                if (reach & goals).any() || self.discoverers.has(from) || self.rebirth() {
                    self.unit(role, from, reach, sink)?;
                }
            }
        }
        if self.discoverers.has(kings.own) || self.rebirth() {
            self.royal_king(kings, Bitboard::FULL, sink)?;
        }
        let rook_checks = |wing: Wing| attacks::rook_rays(wing.rook_to(us)).has(kings.enemy);
        if self.position.castling.any(us) && Wing::ALL.into_iter().any(rook_checks) {
            return self.castle(sink);
        }
        Flow::Continue(())
    }

    /// Moves of a unit that strikes `reach`, without promotion.
    #[inline(always)]
    fn unit<B>(
        &self,
        role: Role,
        from: Square,
        reach: Bitboard,
        sink: &mut impl FnMut(Batch) -> Flow<B>,
    ) -> Flow<B> {
        let to = (reach - self.own) & self.allowed(from);
        let checks = self.checks(role, from, to);
        let captures = reach & self.enemy;
        if self.rebirth() && captures.any() {
            return self.with_reborn(role, from, to - self.enemy, checks, captures, sink);
        }
        self.emit(Batch { role, promotion: None, from, to, checks }, sink)
    }

    /// Where pins and checks let the unit on `from` go.
    #[inline]
    fn allowed(&self, from: Square) -> Bitboard {
        match self.kings {
            Some(kings) if self.pinned.has(from) => self.parries & attacks::line(kings.own, from),
            _ => self.parries,
        }
    }

    /// Which of the squares `to` give check, directly or by uncovering a line.
    #[inline]
    fn checks(&self, role: Role, from: Square, to: Bitboard) -> Bitboard {
        match self.kings {
            _ if !CHECKS => Bitboard::EMPTY,
            Some(kings) if self.discoverers.has(from) => {
                (to & self.direct[role as usize]) | (to - attacks::line(kings.enemy, from))
            }
            _ => to & self.direct[role as usize],
        }
    }

    #[inline]
    fn emit<B>(&self, mut batch: Batch, sink: &mut impl FnMut(Batch) -> Flow<B>) -> Flow<B> {
        if self.no_early_check {
            batch.to -= batch.checks;
            batch.checks = Bitboard::EMPTY;
        }
        if batch.to.is_empty() { Flow::Continue(()) } else { sink(batch) }
    }

    #[inline]
    fn pawn<B>(
        &self,
        from: Square,
        wanted: Bitboard,
        sink: &mut impl FnMut(Batch) -> Flow<B>,
    ) -> Flow<B> {
        let us = self.us;
        let mut reach = from.bitboard().ahead(us) - self.occupied;
        if self.position.rules.double_step && Bitboard::rank(1, us).has(from) {
            reach |= reach.ahead(us) - self.occupied;
        }
        reach |= attacks::pawn(us, from) & self.enemy;
        if (reach & Bitboard::BACK_RANKS).any() {
            self.promotions(from, reach, sink)
        } else {
            self.unit(Role::Pawn, from, reach & wanted, sink)
        }
    }

    /// Moves of a pawn on its seventh rank.
    fn promotions<B>(
        &self,
        from: Square,
        reach: Bitboard,
        sink: &mut impl FnMut(Batch) -> Flow<B>,
    ) -> Flow<B> {
        let (role, to) = (Role::Pawn, reach & self.allowed(from));
        for &promoted in self.position.rules.promotions() {
            let promotion = Some(promoted);
            let mut batch = Batch { role, promotion, from, to, checks: Bitboard::EMPTY };
            if self.rebirth() {
                batch.to -= self.enemy;
            }
            if CHECKS && let Some(kings) = self.kings {
                batch.checks = batch
                    .to
                    .into_iter()
                    .filter(|&to| self.promotion_checks(promoted, from, to, kings.enemy))
                    .collect();
            }
            if self.rebirth() {
                for to in reach & self.enemy {
                    self.try_into_batch(&mut batch, to);
                }
            }
            self.emit(batch, sink)?;
        }
        Flow::Continue(())
    }

    /// Whether a pawn that becomes `promoted` checks; a line through its old square is open then.
    fn promotion_checks(&self, promoted: Role, from: Square, to: Square, king: Square) -> bool {
        let occupied = self.occupied - from.bitboard();
        let reach = attacks::of(promoted, self.us, to, occupied);
        reach.has(king) || self.checks(Role::King, from, to.bitboard()).any()
    }

    fn en_passant<B>(&self, sink: &mut impl FnMut(Batch) -> Flow<B>) -> Flow<B> {
        let (us, board) = (self.us, &self.position.board);
        let role = Role::Pawn;
        for to in self.position.ep {
            for from in attacks::pawn(!us, to) & board.pieces(us, role) {
                let (to_set, checks) = (Bitboard::EMPTY, Bitboard::EMPTY);
                let mut batch = Batch { role, promotion: None, from, to: to_set, checks };
                self.try_into_batch(&mut batch, to);
                self.emit(batch, sink)?;
            }
        }
        Flow::Continue(())
    }

    fn royal_king<B>(
        &self,
        kings: Kings,
        wanted: Bitboard,
        sink: &mut impl FnMut(Batch) -> Flow<B>,
    ) -> Flow<B> {
        let (role, from) = (Role::King, kings.own);
        let without_king = self.occupied - from.bitboard();
        let mut to = Bitboard::EMPTY;
        for target in (attacks::king(from) & wanted) - self.own {
            let attackers = self.position.board.attackers(!self.us, target, without_king);
            if attackers.is_empty() {
                to |= target.bitboard();
            }
        }
        let checks = self.checks(role, from, to);
        let captures = attacks::king(from) & wanted & self.enemy;
        if self.rebirth() && captures.any() {
            return self.with_reborn(role, from, to - self.enemy, checks, captures, sink);
        }
        self.emit(Batch { role, promotion: None, from, to, checks }, sink)
    }

    fn castle<B>(&self, sink: &mut impl FnMut(Batch) -> Flow<B>) -> Flow<B> {
        let us = self.us;
        let from = Castling::king_home(us);
        for wing in Wing::ALL {
            let to = wing.king_to(us);
            let free = self.position.castling.has(us, wing)
                && (Castling::empty_path(us, wing) & self.occupied).is_empty()
                && self.kings.is_none_or(|kings| {
                    !kings.in_check
                        && !self.position.board.is_attacked(!us, wing.rook_to(us))
                        && !self.position.board.is_attacked(!us, to)
                });
            if free {
                let (role, promotion) = (Role::King, None);
                let checks = Bitboard::EMPTY;
                let mut batch = Batch { role, promotion, from, to: checks, checks };
                self.try_into_batch(&mut batch, to);
                self.emit(batch, sink)?;
            }
        }
        Flow::Continue(())
    }

    #[inline]
    fn rebirth(&self) -> bool {
        !matches!(self.position.rules.rebirth, Rebirth::Never)
    }

    /// Quiet moves as found, and captures judged one by one: the man reborn may parry or give check.
    fn with_reborn<B>(
        &self,
        role: Role,
        from: Square,
        quiet: Bitboard,
        checks: Bitboard,
        captures: Bitboard,
        sink: &mut impl FnMut(Batch) -> Flow<B>,
    ) -> Flow<B> {
        let mut batch = Batch { role, promotion: None, from, to: quiet, checks: checks & quiet };
        for to in captures {
            self.try_into_batch(&mut batch, to);
        }
        self.emit(batch, sink)
    }

    /// Makes the move on a copy of the board; adds it to the batch if the own king is safe there.
    fn try_into_batch(&self, batch: &mut Batch, to: Square) {
        let board = self.position.board_after(batch.role, batch.move_to(to));
        let attacked = |king_of: Color| {
            board.king(king_of).is_some_and(|king| board.is_attacked(!king_of, king))
        };
        let royal = self.kings.is_some();
        if !(royal && attacked(self.us)) {
            batch.to |= to.bitboard();
            if CHECKS && royal && attacked(!self.us) {
                batch.checks |= to.bitboard();
            }
        }
    }
}

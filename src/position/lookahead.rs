//! What a move will do, told before it is made: for counting last moves in bulk.

use super::{Batch, Position};
use crate::board::{Bitboard, Role, Square, attacks, en_passant_key, piece_key, side_key};
use crate::rules::{Balance, CheckRule, Goal, MoveCounts, Rebirth};

/// Free pawns that no single ordinary move can all immobilise, see
/// [`Position::opponent_stays_mobile`].
const FREE_PAWNS_ENOUGH: u32 = 5;

impl Position {
    /// Those moves of a batch that end the series.
    #[inline]
    pub fn series_enders(&self, batch: &Batch) -> Bitboard {
        if self.moves_left() == 1 {
            return batch.to;
        }
        let checking = match self.rules.check {
            CheckRule::EndsSeries => batch.checks,
            CheckRule::LastMoveOnly => Bitboard::EMPTY,
        };
        checking | self.winning_captures(batch)
    }

    /// Those moves of a batch that take the enemy's last unit where that wins.
    #[inline]
    pub fn winning_captures(&self, batch: &Batch) -> Bitboard {
        if self.rules.goal != Goal::TakeAll {
            return Bitboard::EMPTY;
        }
        let enemy = self.board.color(!self.side);
        let takes_pawn_in_passing = batch.role == Role::Pawn && {
            let passed = (batch.to & self.ep).into_iter();
            passed.map(|to| to.behind(self.side)).any(|square| enemy.has(square))
        };
        match enemy.is_single() {
            false => Bitboard::EMPTY,
            true if takes_pawn_in_passing => batch.to & (self.ep | enemy),
            true => batch.to & enemy,
        }
    }

    /// Those moves of a king's batch that castle.
    #[inline]
    pub fn castling_moves(&self, batch: &Batch) -> Bitboard {
        if batch.role == Role::King {
            batch.to - attacks::king(batch.from)
        } else {
            Bitboard::EMPTY
        }
    }

    /// Whether the opponent surely has a move in its next turn after any move of ours that gives no
    /// check, is not en passant, is not castling, and is not the king's where early checks are
    /// forbidden.
    ///
    /// It is so if five unpinned pawns can step ahead. One move takes or blocks one pawn; it pins
    /// one by its own new line and one by the line it opens; and where early checks are forbidden,
    /// it makes one step a forbidden discovered check by opening a line to our king. That is four.
    /// Steps that would check at once are not counted there. A man reborn cannot stand before a
    /// pawn, for its home is behind it.
    pub fn opponent_stays_mobile(&self) -> bool {
        let (us, them, board) = (self.side, !self.side, &self.board);
        let mut pawns = board.pieces(them, Role::Pawn);
        let mut free = !board.occupied();
        if self.rules.royal_kings()
            && let (Some(our_king), Some(their_king)) = (board.king(us), board.king(them))
        {
            pawns -= board.sole_blockers(their_king, us, them);
            if !self.rules.check.allows_early_check() {
                pawns -= board.sole_blockers(our_king, them, them);
                free -= attacks::pawn(us, our_king);
            }
        }
        (pawns.ahead(them) & (free - Bitboard::BACK_RANKS)).len() >= FREE_PAWNS_ENOUGH
    }

    /// The key of the position after a move of `batch`, which need not be made for it but for a
    /// few kinds of moves.
    #[inline]
    pub fn key_after(&self, batch: &Batch, to: Square) -> u64 {
        let them = !self.side;
        let taken = if self.board.color(them).has(to) { self.board.role_at(to) } else { None };
        let rare = self.rules.rebirth != Rebirth::Never && taken.is_some()
            || self.castling_moves(batch).has(to)
            || batch.role == Role::Pawn && self.ep.has(to);
        if rare {
            let mut next = *self;
            next.play_batch(batch, to);
            return next.key();
        }
        let (us, from) = (self.side, batch.from);
        let mut key = self.board.hash()
            ^ piece_key(us, batch.role, from)
            ^ piece_key(us, batch.promotion.unwrap_or(batch.role), to);
        if let Some(taken) = taken {
            key ^= piece_key(them, taken, to);
        }
        let mut castling = self.castling;
        castling.touch(from, to);
        let ends = self.series_enders(batch).has(to);
        let mut counts = MoveCounts::default();
        if !ends && self.rules.balance != Balance::Free {
            counts = self.counts;
            counts.record(self.rules.balance, self.board.color(us), (from, to), None);
        }
        let mut doubled = self.doubled;
        if batch.role == Role::Pawn {
            doubled -= from.behind(us).bitboard();
            if from.rank().abs_diff(to.rank()) == 2 {
                doubled |= to.behind(us).bitboard();
            }
        }
        if doubled.any() && self.takes_en_passant() {
            let pawns = self.board.pieces(them, Role::Pawn) - to.bitboard();
            if ends {
                doubled -= (self.board.occupied() - from.bitboard()) | to.bitboard();
            }
            for target in doubled {
                if (attacks::pawn(us, target) & pawns).any() {
                    key ^= en_passant_key(target);
                }
            }
        }
        key ^ castling.key() ^ side_key(if ends { them } else { us }) ^ counts.key()
    }
}

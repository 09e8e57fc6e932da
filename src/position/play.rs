//! Making moves and ending turns.

use super::{Batch, Castling, Move, Position, Wing};
use crate::board::{Bitboard, Board, Color, Piece, Role, Square};
use crate::rules::{CheckRule, EnPassant, Goal, MoveCounts, Rebirth};

/// What a move does besides moving its unit.
pub(super) struct Effect {
    /// The man taken and the square where it stood.
    captured: Option<(Role, Square)>,
    /// Where it was reborn.
    reborn: Option<Square>,
    /// The way of the rook, if the move castles.
    rook: Option<(Square, Square)>,
}

impl Position {
    /// Makes a move of this position's own batches; faster than [`Position::play_unchecked`], for
    /// the batch knows what moves and whether it checks.
    #[inline]
    pub fn play_batch(&mut self, batch: &Batch, to: Square) {
        self.make(batch.role, batch.move_to(to));
        self.complete_move(batch.checks.has(to));
    }

    /// Makes a move that is known to be legal. The series ends where the rules end it, and the
    /// other side is then to move. An illegal move leaves a position that obeys no rule.
    pub fn play_unchecked(&mut self, mv: Move) {
        let Some(role) = self.board.role_at(mv.from) else {
            debug_assert!(false, "no unit on {}", mv.from);
            return;
        };
        self.make(role, mv);
        let checks = self.rules.royal_kings()
            && self
                .board
                .king(!self.side)
                .is_some_and(|king| self.board.is_attacked(self.side, king));
        self.complete_move(checks);
    }

    /// Moves the men on a copy of the board: what a move would do.
    pub(super) fn board_after(&self, role: Role, mv: Move) -> Board {
        let mut board = self.board;
        place(&mut board, self.rules.rebirth, self.side, role, mv);
        board
    }

    /// Makes the move and updates everything but whose turn it is.
    #[inline]
    fn make(&mut self, role: Role, mv: Move) {
        let Move { from, to, .. } = mv;
        let own = self.board.color(self.side);
        let effect = place(&mut self.board, self.rules.rebirth, self.side, role, mv);
        self.castling.touch(from, to);
        if let (Some((taken, _)), Some(home)) = (effect.captured, effect.reborn)
            && self.rules.castling
        {
            self.castling.reborn(!self.side, taken, home);
        }
        self.counts.record(self.rules.balance, own, (from, to), effect.rook);
        self.update_en_passant(role, mv, effect.captured);
        self.progress |= role == Role::Pawn || effect.captured.is_some();
    }

    /// Whether the rules let the second move of this series repeat an en passant capture.
    fn repeats_en_passant(&self) -> bool {
        self.rules.en_passant == EnPassant::FirstMoveAndRepeat
    }

    /// Closes the targets of the enemy's last turn and keeps those of this turn up to date.
    #[inline]
    fn update_en_passant(&mut self, role: Role, mv: Move, captured: Option<(Role, Square)>) {
        let Move { from, to, .. } = mv;
        if self.ep.any() {
            let took_target =
                role == Role::Pawn && captured.is_some_and(|(_, square)| square != to);
            self.ep = if took_target && self.repeats_en_passant() {
                self.ep - to.bitboard()
            } else {
                Bitboard::EMPTY
            };
        }
        if role == Role::Pawn {
            self.doubled -= from.behind(self.side).bitboard();
            if from.rank().abs_diff(to.rank()) == 2 {
                self.doubled |= to.behind(self.side).bitboard();
            }
        }
    }

    /// Counts the move, and passes the turn if the series is over.
    #[inline]
    fn complete_move(&mut self, checks: bool) {
        self.played += 1;
        let over = self.played >= self.allowance
            || checks && self.rules.check == CheckRule::EndsSeries
            || self.rules.goal == Goal::TakeAll && self.board.color(!self.side).is_empty();
        if over {
            self.end_turn();
        }
    }

    fn end_turn(&mut self) {
        self.ep = if self.takes_en_passant() {
            self.doubled - self.board.occupied()
        } else {
            Bitboard::EMPTY
        };
        self.doubled = Bitboard::EMPTY;
        self.counts = MoveCounts::default();
        self.quiet = if self.progress { 0 } else { self.quiet.saturating_add(1) };
        self.progress = false;
        self.side = !self.side;
        self.turn = self.turn.saturating_add(1);
        self.allowance = self.rules.allowance.of_turn(self.turn);
        self.played = 0;
    }

    /// Where the king of the side to move stands before the game, for messages about castling.
    pub(super) fn king_home(&self) -> Square {
        Castling::king_home(self.side)
    }
}

/// Moves the men that a move of `us` moves: the unit itself, the rook that castles with it, and the
/// man it takes, which may be reborn.
#[inline]
fn place(board: &mut Board, rebirth: Rebirth, us: Color, role: Role, mv: Move) -> Effect {
    let Move { from, to, promotion } = mv;
    let them = !us;
    let mut effect = Effect { captured: None, reborn: None, rook: None };
    if board.color(them).has(to) {
        effect.captured = board.role_at(to).map(|taken| (taken, to));
    } else if role == Role::Pawn && from.file() != to.file() {
        effect.captured = Some((Role::Pawn, to.behind(us)));
    } else if role == Role::King && from.file().abs_diff(to.file()) == 2 {
        let wing = Wing::of_king_to(to);
        let (rook_from, rook_to) = (wing.rook_from(us), wing.rook_to(us));
        board.toggle(us, Role::Rook, rook_from);
        board.toggle(us, Role::Rook, rook_to);
        effect.rook = Some((rook_from, rook_to));
    }
    if let Some((taken, square)) = effect.captured {
        board.toggle(them, taken, square);
    }
    board.toggle(us, role, from);
    board.toggle(us, promotion.unwrap_or(role), to);
    if let Some((taken, square)) = effect.captured {
        let piece = Piece { color: them, role: taken };
        effect.reborn = rebirth.home(piece, square).filter(|&home| !board.occupied().has(home));
        if let Some(home) = effect.reborn {
            board.toggle(them, taken, home);
        }
    }
    effect
}

//! Whether the game is over here, as far as the position alone can tell.

use super::Position;
use crate::board::{Color, Role};
use crate::rules::{DrawReason, Goal, Outcome, WinReason};

impl Position {
    /// How the game has ended here by the moves alone: mate, everything taken, or stalemate.
    /// Draws that somebody has to adjudicate are the business of [`Game`](super::Game).
    pub fn outcome(&self) -> Option<Outcome> {
        if self.rules.goal == Goal::TakeAll && self.board.color(self.side).is_empty() {
            return Some(Outcome::Win(!self.side, WinReason::TakeAll));
        }
        if self.has_legal_move() {
            return None;
        }
        if !self.in_check() {
            return Some(Outcome::Draw(DrawReason::Stalemate));
        }
        let reason = if self.has_orthodox_move() {
            WinReason::ProgressiveCheckmate
        } else {
            WinReason::Checkmate
        };
        Some(Outcome::Win(!self.side, reason))
    }

    /// Whether the side to move is mated here or has nothing left: it has just lost.
    pub fn is_lost(&self) -> bool {
        match self.rules.goal {
            Goal::Checkmate => self.in_check() && !self.has_legal_move(),
            Goal::TakeAll => self.board.color(self.side).is_empty(),
        }
    }

    /// Whether no side can ever win: bare kings, or one lone knight or bishop beside them, in
    /// variants where that settles it.
    pub fn is_dead(&self) -> bool {
        let minor = self.board.role(Role::Knight) | self.board.role(Role::Bishop);
        let kings = self.board.role(Role::King);
        self.rules.has_dead_positions()
            && (self.board.occupied() - kings - minor).is_empty()
            && minor.len() <= 1
    }

    /// The number of men of one side.
    pub fn unit_count(&self, color: Color) -> u32 {
        self.board.color(color).len()
    }
}

//! Playing moves that came from outside, and saying in words why one is illegal.

use std::fmt;

use super::{Move, Position, Wing};
use crate::board::{Bitboard, Role, Square, attacks};
use crate::rules::EnPassant;

/// A move that the rules forbid, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalMove {
    pub mv: Move,
    pub reason: IllegalReason,
}

/// Why a move is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalReason {
    /// The game is over: no move is legal.
    NoLegalMove,
    /// Nobody stands on the square.
    EmptySquare(Square),
    /// The unit belongs to the opponent.
    EnemyUnit(Square),
    /// The unit does not move like that, or its way is blocked.
    Unreachable(Role),
    /// A pawn that reaches the last rank has to become something, and nothing else may.
    Promotion,
    /// Castling: no right, a blocked way or an attacked king.
    Castling,
    /// The king would be attacked, or stays in check.
    KingAttacked,
    /// A check before the last move of the series.
    EarlyCheck,
    /// Other units have to move first.
    Unbalanced(Square),
    /// The square is a target no longer, or not with this move of the series.
    EnPassant,
}

impl fmt::Display for IllegalReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalReason::NoLegalMove => f.write_str("no move is legal here"),
            IllegalReason::EmptySquare(square) => write!(f, "{square} is empty"),
            IllegalReason::EnemyUnit(square) => {
                write!(f, "the unit on {square} belongs to the opponent")
            }
            IllegalReason::Unreachable(role) => write!(f, "a {} cannot go there", role.name()),
            IllegalReason::Promotion => {
                f.write_str("a promotion letter belongs to moves of pawns to the last rank alone")
            }
            IllegalReason::Castling => f.write_str("castling is not possible"),
            IllegalReason::KingAttacked => f.write_str("the king would be left in check"),
            IllegalReason::EarlyCheck => {
                f.write_str("only the last move of the series may give check")
            }
            IllegalReason::Unbalanced(square) => {
                write!(f, "units that have moved less than the one on {square} come first")
            }
            IllegalReason::EnPassant => f.write_str("nothing can be taken en passant there now"),
        }
    }
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is illegal: {}", self.mv, self.reason)
    }
}

impl std::error::Error for IllegalMove {}

impl Position {
    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// The move and why it is illegal; the position is then as it was.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match self.find_legal(mv) {
            Some(batch) => {
                self.play_batch(&batch, mv.to);
                Ok(())
            }
            None => Err(IllegalMove { mv, reason: self.why_illegal(mv) }),
        }
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, mv: Move) -> bool {
        self.find_legal(mv).is_some()
    }

    /// Why a move that the generator does not know is illegal.
    fn why_illegal(&self, mv: Move) -> IllegalReason {
        if self.outcome().is_some() {
            return IllegalReason::NoLegalMove;
        }
        let Some(role) = self.board.role_at(mv.from) else {
            return IllegalReason::EmptySquare(mv.from);
        };
        if !self.board.color(self.side).has(mv.from) {
            return IllegalReason::EnemyUnit(mv.from);
        }
        let castles = role == Role::King
            && mv.from == self.king_home()
            && Wing::ALL.iter().any(|wing| wing.king_to(self.side) == mv.to);
        if castles {
            return IllegalReason::Castling;
        }
        if !self.reaches(role, mv) {
            return if self.looks_en_passant(role, mv) {
                IllegalReason::EnPassant
            } else {
                IllegalReason::Unreachable(role)
            };
        }
        let promotes = role == Role::Pawn && Bitboard::BACK_RANKS.has(mv.to);
        let fitting = match mv.promotion {
            Some(wanted) => promotes && self.rules.promotions().contains(&wanted),
            None => !promotes,
        };
        if !fitting {
            return IllegalReason::Promotion;
        }
        self.why_forbidden(role, mv)
    }

    /// Why a move that its unit could make is forbidden.
    fn why_forbidden(&self, role: Role, mv: Move) -> IllegalReason {
        let board = self.board_after(role, mv);
        let attacked =
            |color| board.king(color).is_some_and(|king| board.is_attacked(!color, king));
        if self.rules.royal_kings() && attacked(self.side) {
            IllegalReason::KingAttacked
        } else if self.rules.royal_kings()
            && !self.rules.check.allows_early_check()
            && attacked(!self.side)
        {
            IllegalReason::EarlyCheck
        } else {
            IllegalReason::Unbalanced(mv.from)
        }
    }

    /// Whether the unit on `mv.from` moves like that, its king's safety aside.
    fn reaches(&self, role: Role, mv: Move) -> bool {
        let (us, occupied, from) = (self.side, self.board.occupied(), mv.from);
        let reach = match role {
            Role::Pawn => {
                let one = from.bitboard().ahead(us) - occupied;
                let two = if self.rules.double_step && Bitboard::rank(1, us).has(from) {
                    one.ahead(us) - occupied
                } else {
                    Bitboard::EMPTY
                };
                one | two | attacks::pawn(us, from) & (self.board.color(!us) | self.ep)
            }
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::bishop(from, occupied),
            Role::Rook => attacks::rook(from, occupied),
            Role::Queen => attacks::queen(from, occupied),
            Role::King => attacks::king(from),
        };
        (reach - self.board.color(us)).has(mv.to)
    }

    /// Whether a pawn goes for an empty square behind an enemy pawn.
    fn looks_en_passant(&self, role: Role, mv: Move) -> bool {
        role == Role::Pawn
            && self.rules.en_passant != EnPassant::Never
            && attacks::pawn(self.side, mv.from).has(mv.to)
            && self.board.pieces(!self.side, Role::Pawn).has(mv.to.behind(self.side))
    }
}

//! Finding the legal move that a text means, or saying why there is none.

use std::fmt;

use super::Letters;
use super::pattern::{MoveText, Pattern};
use crate::board::{Bitboard, Role, Square};
use crate::position::{Castling, IllegalMove, IllegalReason, Move, Position, Wing};
use crate::rules::Outcome;

/// Why a text is no move in a position. Each prints as one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MoveError {
    /// Neither short nor long algebraic notation.
    Unreadable,
    /// The game has ended before.
    GameOver(Outcome),
    /// More than one legal move is written like that.
    Ambiguous(Vec<Move>),
    /// The move that must be meant is illegal.
    Illegal(IllegalMove),
    /// No unit of this role, or none of those described, can go there.
    NobodyReaches(Role, Square),
    /// A pawn goes to the last rank, and the text does not name one of these roles.
    Promotion(&'static [Role]),
    /// Another rebirth than the one written; what is reborn in truth.
    Rebirth(Option<(Role, Square)>),
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MoveError::Unreadable => f.write_str("this is no move such as Nf3, exd5, O-O or e2e4"),
            MoveError::GameOver(outcome) => write!(f, "the game has ended before ({outcome})"),
            MoveError::Ambiguous(moves) => {
                let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
                write!(f, "this may be {}", moves.join(" or "))
            }
            MoveError::Illegal(illegal) => illegal.reason.fmt(f),
            MoveError::NobodyReaches(role, square) => {
                write!(f, "no {} can go to {square} like that", role.name())
            }
            MoveError::Promotion(roles) => {
                let names: Vec<&str> = roles.iter().map(|role| role.name()).collect();
                write!(f, "say what the pawn becomes: {}", names.join(", "))
            }
            MoveError::Rebirth(Some((role, home))) => {
                write!(f, "the {} that is taken is reborn on {home}", role.name())
            }
            MoveError::Rebirth(None) => f.write_str("nothing is reborn by this move"),
        }
    }
}

impl std::error::Error for MoveError {}

impl Position {
    /// Reads a move in short or long algebraic notation: `Nf3`, `exd5`, `e8=Q`, `O-O`, `e2-e4`,
    /// `e7e8q`.
    ///
    /// A capture may be marked by `x`, `:` or nothing; castling is written with O or 0; the role
    /// of a promotion may follow behind `=`, in brackets, or at once; a rebirth may follow in
    /// brackets and must then be right. Signs of capture, check, mate, en passant and opinion are
    /// read over: printed scores often have them wrong.
    ///
    /// # Errors
    /// Why the text is no legal move.
    ///
    /// ```
    /// use crescendo::{Position, notation::Letters, rules::variants};
    ///
    /// let position = Position::start(variants::default());
    /// let spanish = Letters::find("spanish").unwrap();
    /// assert_eq!(position.read_move("Cf3", spanish)?.to_string(), "g1f3");
    /// assert!(position.read_move("Nf3", spanish).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_move(&self, text: &str, letters: &Letters) -> Result<Move, MoveError> {
        let read = MoveText::read(text, letters).ok_or(MoveError::Unreadable)?;
        if let Some(outcome) = self.outcome() {
            return Err(MoveError::GameOver(outcome));
        }
        match read {
            MoveText::Castling(wing) => self.find_castling(wing),
            MoveText::Unit(pattern) => self.find_unit_move(&pattern),
        }
    }

    fn find_castling(&self, wing: Wing) -> Result<Move, MoveError> {
        let (from, to) = (Castling::king_home(self.side()), wing.king_to(self.side()));
        let mv = Move { from, to, promotion: None };
        if self.castling_wing(mv).is_some() && self.is_legal(mv) {
            Ok(mv)
        } else {
            Err(MoveError::Illegal(IllegalMove { mv, reason: IllegalReason::Castling }))
        }
    }

    fn find_unit_move(&self, pattern: &Pattern) -> Result<Move, MoveError> {
        let units = self.units_like(pattern);
        let mut meant: Vec<Move> = self.legal_moves();
        meant.retain(|mv| units.has(mv.from) && *mv == pattern.leaving(mv.from));
        // A king's step is no castling where both lead to one square.
        if meant.len() > 1 {
            meant.retain(|&mv| self.castling_wing(mv).is_none());
        }
        match meant[..] {
            [] => Err(self.why_nobody(pattern, units)),
            [mv] => self.agrees(pattern, mv).map(|()| mv),
            _ => Err(MoveError::Ambiguous(meant)),
        }
    }

    /// The own units that fit what the text tells of the unit and the square it leaves.
    fn units_like(&self, pattern: &Pattern) -> Bitboard {
        let own = self.board().color(self.side());
        let fits = |square: &Square| {
            pattern.from_file.is_none_or(|file| file == square.file())
                && pattern.from_rank.is_none_or(|rank| rank == square.rank())
                && pattern.role.is_none_or(|role| self.board().role(role).has(*square))
        };
        own.into_iter().filter(fits).collect()
    }

    /// Whether the rebirth is as the text has it.
    fn agrees(&self, pattern: &Pattern, mv: Move) -> Result<(), MoveError> {
        let reborn = self.reborn(mv);
        match pattern.reborn {
            Some(told) if reborn != Some(told) => Err(MoveError::Rebirth(reborn)),
            _ => Ok(()),
        }
    }

    /// Why none of `units` can make the move. The reason is a rule if all units that could get
    /// there but for the rules run into the same one.
    fn why_nobody(&self, pattern: &Pattern, units: Bitboard) -> MoveError {
        let illegal = |mv: Move| {
            let mut copy = *self;
            copy.play(mv).err()
        };
        let described = pattern.from_file.zip(pattern.from_rank).filter(|_| pattern.role.is_none());
        let units = match described {
            Some((file, rank)) => Square::at(file, rank).bitboard(),
            None => units,
        };
        let all: Vec<IllegalMove> =
            units.into_iter().filter_map(|from| illegal(pattern.leaving(from))).collect();
        let ruled_out = |reason| !matches!(reason, IllegalReason::Unreachable(_));
        let mut near = all.iter().copied().filter(|illegal| ruled_out(illegal.reason));
        let found = match (&all[..], near.next()) {
            ([only], _) => Some(*only),
            (_, Some(first)) if near.all(|other| other.reason == first.reason) => Some(first),
            _ => None,
        };
        match found {
            Some(illegal) if illegal.reason == IllegalReason::Promotion => {
                self.explain_promotion(illegal)
            }
            Some(illegal) => MoveError::Illegal(illegal),
            None => {
                let role = pattern.role.unwrap_or(Role::Pawn);
                MoveError::NobodyReaches(role, pattern.to)
            }
        }
    }

    /// A pawn on its way to the last rank wants a role of the variant; others want none.
    fn explain_promotion(&self, illegal: IllegalMove) -> MoveError {
        let pawn = self.board().role_at(illegal.mv.from) == Some(Role::Pawn);
        if pawn && Bitboard::BACK_RANKS.has(illegal.mv.to) {
            MoveError::Promotion(self.rules().promotions())
        } else {
            MoveError::Illegal(illegal)
        }
    }
}

impl Pattern {
    /// The move that the text means if the unit on `from` makes it.
    fn leaving(&self, from: Square) -> Move {
        Move { from, to: self.to, promotion: self.promotion }
    }
}

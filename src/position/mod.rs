//! A state of the game: the board, whose turn it is, and how far the series has gone.

mod castling;
mod game;
mod generator;
mod legality;
mod lookahead;
mod movegen;
mod moves;
mod outcome;
mod pfen;
mod play;
mod setup;

pub use castling::{Castling, Wing};
pub use game::Game;
pub use legality::{IllegalMove, IllegalReason};
pub use movegen::{Batch, Unbanned};
pub use moves::{Move, MoveParseError, join};
pub use setup::{Setup, SetupError, legible};

use crate::board::{Bitboard, Board, Color, Role, attacks, en_passant_key, mix, side_key};
use crate::rules::{EnPassant, MoveCounts, RuleSet};

/// A position that the rules allow, at the start of a turn or inside its series.
///
/// A position is made from a [`Setup`], which checks it, and changes only by legal moves.
///
/// ```
/// use crescendo::{Position, rules::variants};
///
/// let mut position = Position::start(&variants::ALL[0]);
/// position.play("e2e4".parse()?)?;
/// assert_eq!(position.allowance(), 2);
/// assert_eq!(position.legal_moves().len(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    rules: &'static RuleSet,
    /// Targets that may be taken en passant now.
    ep: Bitboard,
    /// Squares skipped in this series by own pawns that have not moved since.
    doubled: Bitboard,
    turn: u16,
    quiet: u16,
    side: Color,
    castling: Castling,
    played: u8,
    allowance: u8,
    /// Whether this series has moved a pawn or taken something.
    progress: bool,
    counts: MoveCounts,
}

impl Position {
    /// The normal array at turn 1.
    pub fn start(rules: &'static RuleSet) -> Position {
        match Position::from_setup(&Setup::start(), rules) {
            Ok(position) => position,
            Err(error) => unreachable!("the normal array is legal: {error}"),
        }
    }

    /// Who stands where.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The variant.
    #[inline]
    pub fn rules(&self) -> &'static RuleSet {
        self.rules
    }

    /// The side whose series it is.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// The number of the turn, from 1.
    #[inline]
    pub fn turn(&self) -> u16 {
        self.turn
    }

    /// How many moves the series of this turn has.
    #[inline]
    pub fn allowance(&self) -> u8 {
        self.allowance
    }

    /// How many moves of the series have been made.
    #[inline]
    pub fn played(&self) -> u8 {
        self.played
    }

    /// How many moves of the series are left.
    #[inline]
    pub fn moves_left(&self) -> u8 {
        self.allowance - self.played
    }

    /// How many moves the series of the next turn may have.
    #[inline]
    pub fn moves_of_next_turn(&self) -> u8 {
        self.rules.allowance.of_turn(self.turn.saturating_add(1))
    }

    /// Whether a turn begins here.
    #[inline]
    pub fn at_boundary(&self) -> bool {
        self.played == 0
    }

    /// Finished turns in a row without a capture and without a pawn move.
    #[inline]
    pub fn quiet_turns(&self) -> u16 {
        self.quiet
    }

    /// Who may still castle where.
    #[inline]
    pub fn castling(&self) -> Castling {
        self.castling
    }

    /// The targets that may be taken en passant now, whether or not a pawn stands beside.
    #[inline]
    pub fn en_passant_targets(&self) -> Bitboard {
        self.ep
    }

    /// Whether the king of the side to move is attacked; never where kings are ordinary units.
    pub fn in_check(&self) -> bool {
        self.rules.royal_kings()
            && self
                .board
                .king(self.side)
                .is_some_and(|king| self.board.is_attacked(!self.side, king))
    }

    /// Whether this variant has en passant captures.
    fn takes_en_passant(&self) -> bool {
        self.rules.en_passant != EnPassant::Never
    }

    /// The identity of the position: board, side, castling rights, en passant targets that a pawn
    /// can take now or could in the next turn, and what the balance rules remember of this series.
    /// Turn number, moves played and quiet turns are not part of it.
    #[inline]
    pub fn key(&self) -> u64 {
        let mut key = self.board.hash() ^ self.castling.key() ^ side_key(self.side);
        if (self.ep | self.doubled).any() && self.takes_en_passant() {
            let takeable =
                self.takeable(self.ep, self.side) | self.takeable(self.doubled, !self.side);
            for target in takeable {
                key ^= en_passant_key(target);
            }
        }
        key ^ self.counts.key()
    }

    /// A number for how the waiting side stands, men and squares, the same for all positions in
    /// which it stands so.
    pub fn family(&self) -> u64 {
        Role::ALL
            .iter()
            .fold(0, |family, &role| mix(family ^ self.board.pieces(!self.side, role).0))
    }

    /// Those of `targets` beside which a pawn of `taker` stands.
    fn takeable(&self, targets: Bitboard, taker: Color) -> Bitboard {
        let pawns = self.board.pieces(taker, Role::Pawn);
        targets
            .into_iter()
            .filter(|&target| (attacks::pawn(!taker, target) & pawns).any())
            .collect()
    }
}

//! Which last-but-one moves may lead to a mating last move.
//!
//! With two moves left nearly all first ones are idle: after them no last move mates. This finds,
//! for the whole position at once, a set of squares for each unit that holds every move that is not
//! idle (and some that are). `docs/solver.md` gives the argument.

use crate::board::{Bitboard, Role, attacks};
use crate::position::{Batch, Position};

use super::view::{Parries, View};

/// The moves worth trying when one more follows.
pub struct Promising {
    /// Nothing can be excluded.
    anything: bool,
    /// Units all of whose moves are worth trying.
    units: Bitboard,
    /// Units whose departure uncovers squares beside the enemy king.
    uncovering: Bitboard,
    /// Enemy men who, taken and left behind, uncover such squares.
    covering: Bitboard,
    /// By role the unit has after the move: squares worth going to.
    squares: [Bitboard; 6],
    /// By role: squares from which the unit can check with the next move, if that may mate with the
    /// others staying where they are, and in any case.
    mating_next: [Bitboard; 6],
    checking_next: [Bitboard; 6],
}

impl Promising {
    /// The moves worth trying in `position`, whose moves, early checks among them, are `batches`.
    pub fn new(position: &Position, batches: &[Batch]) -> Promising {
        let mut promising = Promising {
            anything: false,
            units: Bitboard::EMPTY,
            uncovering: Bitboard::EMPTY,
            covering: Bitboard::EMPTY,
            squares: [Bitboard::EMPTY; 6],
            mating_next: [Bitboard::EMPTY; 6],
            checking_next: [Bitboard::EMPTY; 6],
        };
        match View::new(position) {
            Some(view) => promising.fill(&view, batches),
            None => promising.anything = true,
        }
        promising
    }

    /// Those of the quiet squares `to` that are worth trying.
    #[inline]
    pub fn filter(&self, batch: &Batch, to: Bitboard) -> Bitboard {
        if self.anything || self.units.has(batch.from) {
            return to;
        }
        let role = batch.promotion.unwrap_or(batch.role) as usize;
        let next = if self.uncovering.has(batch.from) {
            self.checking_next[role]
        } else {
            self.mating_next[role] | (self.checking_next[role] & self.covering)
        };
        let castles =
            if batch.role == Role::King { to - attacks::king(batch.from) } else { Bitboard::EMPTY };
        to & (self.squares[role] | next | castles)
    }

    fn fill(&mut self, view: &View, batches: &[Batch]) {
        self.squares = view.batteries();
        let mut flights = Bitboard::EMPTY;
        let mut checkers = Bitboard::EMPTY;
        for batch in batches {
            for to in batch.checks {
                let role = batch.promotion.unwrap_or(batch.role);
                let parries = view.parries(role, batch.from.bitboard(), to);
                if parries.is_empty() {
                    self.anything = true;
                    return;
                }
                for helper in Role::ALL {
                    self.squares[helper as usize] |= view.helpers(&parries, helper);
                }
                flights |= parries.flights;
                checkers |= batch.from.bitboard();
            }
        }
        let unpinning = view.unpinning();
        let openers = view.openers(flights);
        self.units = openers.checks;
        if unpinning.any() {
            self.units |= view.units(Role::King);
            self.squares.iter_mut().for_each(|squares| *squares |= unpinning);
        }
        self.uncovering = openers.ring;
        self.covering = openers.men;
        self.prepare(view, checkers);
    }

    /// Finds the squares from which a unit can check with its next move.
    fn prepare(&mut self, view: &View, checkers: Bitboard) {
        for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
            let units = view.units(role);
            if units.is_empty() && view.promoting().is_empty() {
                continue;
            }
            // A unit that can check now may come back through the square it leaves.
            let occupied = view.occupied - ((units & checkers) | view.promoting());
            for check in view.direct(role) - view.own {
                let before = view.steps_to(role, check, occupied);
                self.checking_next[role as usize] |= before;
                self.mating_next[role as usize] |= match view.parries_later(role, check) {
                    Parries { flights, .. } if flights.any() => Bitboard::EMPTY,
                    Parries { takers, .. } if takers.is_empty() => before,
                    // Only taking the sole taker on the way makes room.
                    Parries { takers, .. } if takers.is_single() => before & takers,
                    _ => Bitboard::EMPTY,
                };
            }
        }
        // A pawn on the seventh rank may become whatever checks best.
        let seventh = Bitboard::rank(6, view.us);
        self.mating_next[Role::Pawn as usize] |= seventh;
        self.checking_next[Role::Pawn as usize] |= seventh;
    }
}

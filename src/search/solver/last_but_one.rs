//! Which last-but-one moves may lead to a mating last move.
//!
//! With two moves left nearly all first ones are idle: after them no last move mates. This finds,
//! for the whole position at once, a set of squares for each unit that holds every move that is not
//! idle (and some that are). `docs/solver.md` gives the argument.

use crate::board::{Bitboard, Role, Square};
use crate::position::{Position, Unbanned};

use super::view::View;

/// The moves worth trying when one more follows.
pub struct Promising {
    /// Units all of whose moves are worth trying.
    units: Bitboard,
    /// Units whose departure uncovers squares beside the enemy king.
    uncovering: Bitboard,
    /// By role the unit has after the move: squares worth going to.
    squares: [Bitboard; 6],
    /// By role: squares worth going to for an uncovering unit, because it can check from there.
    checking_next: [Bitboard; 6],
}

/// The roles that check directly.
const CHECKERS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl Promising {
    /// The moves worth trying in `position`, whose moves are `moves`; `None` if nothing can be
    /// excluded.
    pub fn new(position: &Position, moves: &Unbanned) -> Option<Promising> {
        let view = View::new(position)?;
        let mut promising = Promising {
            units: Bitboard::EMPTY,
            uncovering: Bitboard::EMPTY,
            squares: [Bitboard::EMPTY; 6],
            checking_next: [Bitboard::EMPTY; 6],
        };
        promising.fill(&view, moves).then_some(promising)
    }

    /// The squares to which a unit of `role` on `from` is worth moving. Promotions and castling are
    /// not told apart: they are always worth trying.
    #[inline]
    pub fn squares(&self, role: Role, from: Square) -> Bitboard {
        if self.units.has(from) {
            return Bitboard::FULL;
        }
        let squares = self.squares[role as usize];
        if self.uncovering.has(from) {
            squares | self.checking_next[role as usize]
        } else {
            squares
        }
    }

    /// Returns `false` if nothing can be excluded.
    fn fill(&mut self, view: &View, moves: &Unbanned) -> bool {
        self.squares = view.batteries();
        let mut flights = Bitboard::EMPTY;
        let mut checkers = Bitboard::EMPTY;
        let mut certain = true;
        moves.for_each_check(|batch| {
            checkers |= batch.from.bitboard();
            let role = batch.promotion.unwrap_or(batch.role);
            for to in batch.checks {
                let parries = view.parries(role, batch.from.bitboard(), to);
                certain &= !parries.is_empty();
                flights |= parries.flights;
                for helper in Role::ALL.into_iter().filter(|&role| view.has(role)) {
                    self.squares[helper as usize] |= view.helpers(&parries, helper);
                }
            }
        });
        if !certain {
            return false;
        }
        let unpinning = view.unpinning();
        let openers = view.openers(flights);
        self.units = openers.checks;
        if unpinning.any() {
            self.units |= view.units(Role::King);
            self.squares.iter_mut().for_each(|squares| *squares |= unpinning);
        }
        self.uncovering = openers.ring;
        self.add_mating_next(view, checkers);
        self.add_checking_next(view, checkers, openers.men);
        true
    }

    /// Adds the squares from which a unit can check with its next move, if that may mate with the
    /// others staying where they are.
    fn add_mating_next(&mut self, view: &View, checkers: Bitboard) {
        let occupied = view.occupied_later(checkers);
        for role in CHECKERS.into_iter().filter(|&role| view.has(role)) {
            for check in view.mating_checks(role) {
                if view.flights_later(check, view.reach(role, check, view.men())).any() {
                    continue;
                }
                let takers = view.takers_later(check);
                let before = view.before(role, check, occupied);
                self.squares[role as usize] |= if takers.is_empty() {
                    before
                } else if takers.is_single() {
                    // Only taking the sole taker on the way makes room.
                    before & takers
                } else {
                    Bitboard::EMPTY
                };
            }
        }
        // A pawn on the seventh rank may become whatever checks best.
        self.squares[Role::Pawn as usize] |= Bitboard::rank(6, view.us);
    }

    /// Adds the squares from which a unit can check with its next move and that are worth going to
    /// because a line opens: those of `men`, who are taken there, and for units that uncover
    /// something, all.
    fn add_checking_next(&mut self, view: &View, checkers: Bitboard, men: Bitboard) {
        let occupied = view.occupied_later(checkers);
        for role in CHECKERS {
            let checks = view.direct(role) - view.own;
            for man in men & view.strikes {
                if view.has(role) && (view.after(role, man, occupied) & checks).any() {
                    self.squares[role as usize] |= man.bitboard();
                }
            }
            if (self.uncovering & view.units(role)).any() {
                for check in checks {
                    self.checking_next[role as usize] |= view.before(role, check, occupied);
                }
            }
        }
        self.checking_next[Role::Pawn as usize] |= Bitboard::rank(6, view.us);
    }
}

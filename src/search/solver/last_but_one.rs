//! Which last-but-one moves may lead to a mating last move.
//!
//! With two moves left nearly all first ones are idle: after them no last move mates. This finds,
//! for the whole position at once, a set of squares for each unit that holds every move that is not
//! idle (and some that are). `docs/solver.md` gives the argument.

use crate::board::{Bitboard, Role, Square, attacks};
use crate::position::{Position, Unbanned};

use super::view::View;

/// The moves worth trying when one more follows.
pub struct Promising {
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
    /// The moves worth trying in `position`, whose moves are `moves`; `None` if nothing can be
    /// excluded.
    pub fn new(position: &Position, moves: &Unbanned) -> Option<Promising> {
        let view = View::new(position)?;
        let mut promising = Promising {
            units: Bitboard::EMPTY,
            uncovering: Bitboard::EMPTY,
            covering: Bitboard::EMPTY,
            squares: [Bitboard::EMPTY; 6],
            mating_next: [Bitboard::EMPTY; 6],
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
        let next = if self.uncovering.has(from) {
            self.checking_next[role as usize]
        } else {
            self.mating_next[role as usize] | (self.checking_next[role as usize] & self.covering)
        };
        self.squares[role as usize] | next
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
                for helper in Role::ALL {
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
        self.covering = openers.men;
        self.prepare(view, checkers);
        true
    }

    /// Finds the squares from which a unit can check with its next move.
    fn prepare(&mut self, view: &View, checkers: Bitboard) {
        // A unit that can check now may come back through the square it leaves.
        let occupied = view.occupied - (checkers | view.promoting());
        let promotes = view.promoting().any();
        let present = |role| view.units(role).any() || promotes;
        if present(Role::Pawn) {
            for check in view.direct(Role::Pawn) - view.own {
                let covered = attacks::pawn(view.us, check);
                self.note(view, Role::Pawn, check, view.pawn_steps_to(check), covered);
            }
        }
        if present(Role::Knight) {
            for check in view.direct(Role::Knight) - view.own {
                let reach = attacks::knight(check);
                self.note(view, Role::Knight, check, reach, reach);
            }
        }
        let queen = present(Role::Queen);
        if present(Role::Rook) || queen {
            let both = (present(Role::Rook), queen);
            self.prepare_sliders(view, Role::Rook, both, occupied, attacks::rook, attacks::bishop);
        }
        if present(Role::Bishop) || queen {
            let both = (present(Role::Bishop), queen);
            self.prepare_sliders(
                view,
                Role::Bishop,
                both,
                occupied,
                attacks::bishop,
                attacks::rook,
            );
        }
        // A pawn on the seventh rank may become whatever checks best.
        let seventh = Bitboard::rank(6, view.us);
        self.mating_next[Role::Pawn as usize] |= seventh;
        self.checking_next[Role::Pawn as usize] |= seventh;
    }

    /// The same for the lines of `role`, of which it strikes `along` and the queen `across` as well;
    /// `present` says whether such a unit and a queen are there.
    fn prepare_sliders(
        &mut self,
        view: &View,
        role: Role,
        present: (bool, bool),
        occupied: Bitboard,
        along: impl Fn(Square, Bitboard) -> Bitboard,
        across: impl Fn(Square, Bitboard) -> Bitboard,
    ) {
        for check in view.direct(role) - view.own {
            let (before, covered) = (along(check, occupied), along(check, view.men()));
            if present.0 {
                self.note(view, role, check, before, covered);
            }
            if present.1 {
                let before = before | across(check, occupied);
                let covered = covered | across(check, view.men());
                self.note(view, Role::Queen, check, before, covered);
            }
        }
    }

    /// Notes that a unit of `role` on one of the squares `before` can check on `check`, from where
    /// it covers the squares `covered`.
    fn note(
        &mut self,
        view: &View,
        role: Role,
        check: Square,
        before: Bitboard,
        covered: Bitboard,
    ) {
        self.checking_next[role as usize] |= before;
        if (before - self.mating_next[role as usize]).is_empty()
            || view.flights_later(check, covered).any()
        {
            return;
        }
        let takers = view.takers_later(check);
        self.mating_next[role as usize] |= if takers.is_empty() {
            before
        } else if takers.is_single() {
            // Only taking the sole taker on the way makes room.
            before & takers
        } else {
            Bitboard::EMPTY
        };
    }
}

//! Which last-but-one moves may lead to a mating last move.
//!
//! With two moves left nearly all first ones are idle: after them no last move mates. This finds,
//! for the whole position at once, a set of squares for each unit that holds every move that is not
//! idle (and some that are). `docs/solver.md` gives the argument.

use crate::board::{Bitboard, Role, Square};
use crate::position::Position;

use super::openers::Openers;
use super::view::{CHECKERS, View};

/// The moves worth trying when one more follows.
pub struct Promising {
    /// Units with a move worth trying, and some others.
    movers: Bitboard,
    /// Units all of whose moves are worth trying.
    units: Bitboard,
    /// Where the king may castle to.
    castling: Bitboard,
    /// Units whose departure uncovers squares beside the enemy king.
    uncovering: Bitboard,
    /// By role the unit has after the move: squares worth going to.
    squares: [Bitboard; 6],
    /// By role: squares worth going to for an uncovering unit, because it can check from there.
    checking_next: [Bitboard; 6],
}

/// The checks possible now that are not futile.
#[derive(Default)]
struct ChecksNow {
    /// The units that can give them.
    checkers: Bitboard,
    /// The squares that they leave to the enemy king.
    flights: Bitboard,
}

impl Promising {
    /// The moves worth trying in `position`; `None` if nothing can be excluded.
    pub fn new(position: &Position) -> Option<Promising> {
        let view = View::new(position);
        let view = view.as_ref()?;
        let mut promising = Promising {
            movers: Bitboard::EMPTY,
            units: Bitboard::EMPTY,
            castling: Bitboard::EMPTY,
            uncovering: Bitboard::EMPTY,
            squares: [Bitboard::EMPTY; 6],
            checking_next: [Bitboard::EMPTY; 6],
        };
        promising.fill(view, position).then_some(promising)
    }

    /// Whether any move is worth trying.
    pub fn any(&self) -> bool {
        self.movers.any() || self.castling.any()
    }

    /// The squares of the king to which castling is worth trying.
    pub fn castling(&self) -> Bitboard {
        self.castling
    }

    /// The squares to which a unit of `role` on `from` is worth moving. Promotions are not told
    /// apart: they are always worth trying. Castling is another matter.
    #[inline]
    pub fn squares(&self, role: Role, from: Square) -> Bitboard {
        if !self.movers.has(from) {
            Bitboard::EMPTY
        } else if self.units.has(from) {
            Bitboard::FULL
        } else {
            self.wanted(role, from)
        }
    }

    /// The squares worth going to for a unit that not all moves of are worth trying.
    #[inline]
    fn wanted(&self, role: Role, from: Square) -> Bitboard {
        let squares = self.squares[role as usize];
        if self.uncovering.has(from) {
            squares | self.checking_next[role as usize]
        } else {
            squares
        }
    }

    /// Finds the units that have somewhere to go on an empty board: most are too far away.
    fn find_movers(&mut self, view: &View) {
        let promoting = view.promoting();
        self.units |= promoting;
        self.movers = self.units;
        for role in Role::ALL {
            let squares = self.squares[role as usize] | self.checking_next[role as usize];
            if (squares & view.goals(role)).is_empty() {
                continue;
            }
            for from in view.units(role) - self.movers {
                if (view.after_on_empty(role, from) & self.wanted(role, from)).any() {
                    self.movers |= from.bitboard();
                }
            }
        }
    }

    /// Returns `false` if nothing can be excluded.
    fn fill(&mut self, view: &View, position: &Position) -> bool {
        self.squares = view.batteries();
        if view.all_checks_are_futile() {
            self.find_movers(view);
            return true;
        }
        let mut now = ChecksNow::default();
        if view.may_check_now() && !self.add_helpers(view, position, &mut now) {
            return false;
        }
        let ChecksNow { checkers, flights } = now;
        let unpinning = view.unpinning();
        let openers = Openers::new(view, flights);
        self.units = openers.units;
        self.add(openers.squares);
        if unpinning.any() {
            self.units |= view.units(Role::King);
            self.squares.iter_mut().for_each(|squares| *squares |= unpinning);
        }
        // A pawn on the seventh rank may become whatever checks best.
        self.squares[Role::Pawn as usize] |= Bitboard::rank(6, view.us);
        if view.may_check_again() {
            self.uncovering = openers.uncovering(view);
            self.add_mating_next(view, checkers);
            self.add_checking_next(view, checkers, &openers);
        }
        for &wing in &view.wings {
            let (king, rook) = (wing.king_to(view.us), wing.rook_to(view.us));
            let openers = self.units | self.uncovering | openers.blockers;
            if view.castling_opens(wing, openers)
                || self.squares[Role::King as usize].has(king)
                || self.squares[Role::Rook as usize].has(rook)
            {
                self.castling |= king.bitboard();
            }
        }
        self.find_movers(view);
        true
    }

    /// Adds where units deal with what parries the checks that are possible now. Returns `false` if
    /// one has no parry for certain.
    fn add_helpers(&mut self, view: &View, position: &Position, now: &mut ChecksNow) -> bool {
        let mut certain = true;
        position.unbanned().for_each_check(|batch| {
            let role = batch.promotion.unwrap_or(batch.role);
            for to in batch.checks & view.mateable(role) {
                now.checkers |= batch.from.bitboard();
                let parries = view.parries(role, batch.from.bitboard(), to);
                certain &= !parries.is_empty();
                now.flights |= parries.flights;
                for &wing in &view.wings {
                    if view.castling_helps(&parries, wing) {
                        self.castling |= wing.king_to(view.us).bitboard();
                    }
                }
                self.add(view.helpers(&parries));
            }
        });
        certain
    }

    /// Adds squares by role.
    fn add(&mut self, more: [Bitboard; 6]) {
        for (squares, more) in self.squares.iter_mut().zip(more) {
            *squares |= more;
        }
    }

    /// Adds the squares from which a unit can check with its next move, if that may mate with the
    /// others staying where they are.
    fn add_mating_next(&mut self, view: &View, checkers: Bitboard) {
        let occupied = view.occupied_later(checkers);
        for role in CHECKERS {
            let goals = view.goals(role);
            if goals.is_empty() {
                continue;
            }
            for check in view.mating_checks(role, Bitboard::EMPTY) {
                let before = view.before(role, check, occupied) & goals;
                if before.is_empty()
                    || view.flights_later(check, view.reach(role, check, view.men())).any()
                {
                    continue;
                }
                let takers = view.takers_later(check);
                self.squares[role as usize] |= match takers.len() {
                    0 => before,
                    // Only taking the sole taker on the way makes room.
                    1 => before & takers,
                    _ => continue,
                };
            }
        }
    }

    /// Adds the squares from which a unit can check with its next move and that are worth going to
    /// because a line opens: those of `men`, who are taken there, and for units that uncover
    /// something, all.
    fn add_checking_next(&mut self, view: &View, checkers: Bitboard, openers: &Openers) {
        let occupied = view.occupied_later(checkers);
        for man in openers.men(view) & view.strikes {
            let gone = man.bitboard();
            let covered = openers.covered_without(gone, None);
            let takers = view.board.attackers(view.us, man, view.occupied);
            for role in CHECKERS {
                let takers = takers & view.units(role);
                if takers.is_empty() {
                    continue;
                }
                let uncovers = (self.uncovering & takers).any();
                let checks = if uncovers {
                    view.direct_twice_moved(role) - view.own
                } else {
                    view.mating_checks(role, covered)
                };
                let next = view.after(role, man, occupied) & checks;
                if next
                    .into_iter()
                    .any(|check| uncovers || view.mates_after_taking(role, check, gone, covered))
                {
                    self.squares[role as usize] |= gone;
                }
            }
        }
        for role in CHECKERS {
            if (self.uncovering & view.units(role)).any() {
                for check in view.direct_twice_moved(role) - view.own {
                    self.checking_next[role as usize] |= view.before(role, check, occupied);
                }
            }
        }
    }
}

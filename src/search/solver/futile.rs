//! Checks that cannot mate, whatever one move before them does.
//!
//! Some enemy men no next move takes, blocks or pins: a check that such a man parries by taking is
//! futile. Some squares beside the enemy king no next move covers: so is a check that leaves him
//! one. `docs/solver.md` gives the argument.

use super::view::{CHECKERS, View};
use crate::board::{Bitboard, Role, Square, attacks};

/// By role: the squares from which a check by such a unit may mate after one more move, as far as
/// is seen here. A check that comes together with another one is not meant.
pub struct Mateable {
    /// After a move of any unit.
    pub checks: [Bitboard; 6],
    /// After a move of the unit that checks.
    pub twice_moved: [Bitboard; 6],
}

impl Mateable {
    /// `checks` are the squares from which units check now.
    pub fn new(view: &View, checks: [Bitboard; 6]) -> Mateable {
        let next = Next::new(view);
        let guarded = next.guarded();
        let mut mateable = Mateable { checks: [!guarded; 6], twice_moved: [!guarded; 6] };
        if checks.into_iter().all(|squares| (squares - guarded).is_empty()) {
            return mateable;
        }
        let barred = view.king_may_bar_steps(next.landing_of_king());
        for flight in view.flights() {
            if next.may_open_line(flight) {
                continue;
            }
            let landed = barred || next.may_land(flight);
            for role in CHECKERS {
                let covering = view.strikes_from(role, flight);
                mateable.twice_moved[role as usize] &= covering;
                if !landed {
                    mateable.checks[role as usize] &= covering;
                }
            }
        }
        mateable
    }
}

/// What one more move can do.
struct Next<'v> {
    view: &'v View<'v>,
    /// Enemy men that it does not take.
    fixed: Bitboard,
    /// By role: where such a unit may stand after it.
    landing: [Bitboard; 6],
    /// Where a pawn may promote with it.
    promotions: Bitboard,
}

impl Next<'_> {
    fn new<'v>(view: &'v View<'v>) -> Next<'v> {
        let mut landing = Role::ALL.map(|role| view.goals(role));
        for wing in &view.wings {
            landing[Role::King as usize] |= wing.king_to(view.us).bitboard();
            landing[Role::Rook as usize] |= wing.rook_to(view.us).bitboard();
        }
        let (fixed, promotions) = (view.men() - view.strikes, view.promotion_squares());
        Next { view, fixed, landing, promotions }
    }

    /// Where the own king may go with it.
    fn landing_of_king(&self) -> Bitboard {
        self.landing[Role::King as usize]
    }

    /// The squares on which fixed men can surely take.
    fn guarded(&self) -> Bitboard {
        let view = self.view;
        let bound = self.pinnable() | view.lines_to_own_king(self.landing_of_king());
        let guards = self.fixed - bound;
        let blockers = self.landing.into_iter().fold(view.occupied, |all, squares| all | squares);
        let mut guarded = Bitboard::EMPTY;
        for role in CHECKERS {
            let guards = guards & view.board.role(role);
            if guards.is_empty() {
                continue;
            }
            let squares = match role {
                Role::Pawn => guards.ahead(!view.us).beside(),
                _ => guards.into_iter().fold(Bitboard::EMPTY, |squares, guard| {
                    squares | view.reach(role, guard, blockers)
                }),
            };
            guarded |= squares - view.forbidden_takes(role, self.landing_of_king());
        }
        guarded
    }

    /// Fixed men that an own slider may pin after the move: nothing fixed is between them and
    /// their king.
    fn pinnable(&self) -> Bitboard {
        let (board, us) = (self.view.board, self.view.us);
        let with_queens = |role: Role| {
            self.landing[role as usize] | self.landing[Role::Queen as usize] | self.promotions
        };
        let straight = board.straight_sliders(us) | with_queens(Role::Rook);
        let slanted = board.diagonal_sliders(us) | with_queens(Role::Bishop);
        let king = self.view.king;
        self.pinnable_along(attacks::rook, straight & attacks::rook_rays(king))
            | self.pinnable_along(attacks::bishop, slanted & attacks::bishop_rays(king))
    }

    /// The same for pins along the lines of `strikes`, from one of the squares `pinners`.
    fn pinnable_along(
        &self,
        strikes: impl Fn(Square, Bitboard) -> Bitboard,
        pinners: Bitboard,
    ) -> Bitboard {
        let king = self.view.king;
        if pinners.is_empty() {
            return Bitboard::EMPTY;
        }
        let seen = strikes(king, self.fixed);
        let first = seen & self.fixed;
        let behind = (strikes(king, self.fixed - first) - seen) & pinners;
        if behind.is_empty() {
            return Bitboard::EMPTY;
        }
        first.into_iter().filter(|&man| (attacks::line(king, man) & behind).any()).collect()
    }

    /// Whether the move may cover `flight` by a line that it opens.
    fn may_open_line(&self, flight: Square) -> bool {
        let opens = |slider: Square| (attacks::between(slider, flight) & self.fixed).is_empty();
        self.view.board.sliders_in_line(self.view.us, flight).into_iter().any(opens)
    }

    /// Whether the move may cover `flight` by the unit that moves.
    fn may_land(&self, flight: Square) -> bool {
        Role::ALL.into_iter().any(|role| {
            let landing = self.landing[role as usize] | self.promotions;
            (landing & self.view.strikes_from(role, flight)).any()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;
    use crate::rules::variants;

    /// Whether a knight's check from `square` may mate after one more move, when the series of
    /// Scottish progressive chess has begun with `first`.
    fn knight_may_mate(pfen: &str, first: &str, square: &str) -> bool {
        let mut position = Position::from_pfen(pfen, variants::default()).unwrap();
        position.play(first.parse().unwrap()).unwrap();
        let view = View::new(&position).unwrap();
        view.direct(Role::Knight).has(square.parse().unwrap())
    }

    /// The pawn on g7 takes on f6, unless the bishop can take it before.
    #[test]
    fn a_check_is_futile_if_a_man_that_stays_takes() {
        assert!(!knight_may_mate("4k3/3ppppp/8/3N4/8/8/P7/7K w - - 0 3", "a2a3", "f6"));
        assert!(knight_may_mate("4k3/3p1ppp/8/3N4/8/8/PB6/7K w - - 0 3", "a2a3", "f6"));
    }

    /// The bishop on d8 takes on c7, unless it can be pinned from a8.
    #[test]
    fn a_check_is_not_futile_if_the_man_that_takes_may_be_pinned() {
        assert!(!knight_may_mate("3bk3/3p1p2/8/3N4/8/8/7P/N6K w - - 0 3", "h2h3", "c7"));
        assert!(knight_may_mate("3bk3/3p1p2/8/3N4/8/8/7P/Q6K w - - 0 3", "h2h3", "c7"));
    }

    /// Neither knight covers f8 in one move; a queen does.
    #[test]
    fn a_check_is_futile_if_it_leaves_a_flight_that_no_move_covers() {
        assert!(!knight_may_mate("4k3/3ppp2/8/3N4/8/8/P7/N6K w - - 0 3", "a2a3", "c7"));
        assert!(knight_may_mate("4k3/3ppp2/8/3N4/8/8/P7/Q6K w - - 0 3", "a2a3", "c7"));
    }
}

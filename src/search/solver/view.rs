//! Lines, checks and parries of a position inside a series, seen from the enemy king.

use std::ops::BitOr;

use arrayvec::ArrayVec;

use super::futile::Mateable;
use crate::board::{Bitboard, Board, Color, Role, Square, attacks};
use crate::position::{Castling, Position, Wing};
use crate::rules::{Balance, Goal, Rebirth};

/// What defeats a check: each of these parries is legal unless one more move of ours changes that.
/// There may be others.
#[derive(Copy, Clone)]
pub struct Parries {
    /// Where the checker stands.
    pub checker: Square,
    /// Squares to which the king may step.
    pub flights: Bitboard,
    /// Men that may take the checker.
    pub takers: Bitboard,
}

impl Parries {
    /// Whether no parry was found.
    pub fn is_empty(&self) -> bool {
        self.flights.is_empty() && self.takers.is_empty()
    }
}

/// What is the same for all moves of a position.
pub struct View<'p> {
    pub board: &'p Board,
    pub us: Color,
    pub own: Bitboard,
    enemy: Bitboard,
    pub occupied: Bitboard,
    own_king: Square,
    pub king: Square,
    /// Where early checks are forbidden, parries must not check either.
    parries_must_not_check: bool,
    pub double_step: bool,
    /// Squares from which a rook, a bishop checks.
    pub straight: Bitboard,
    pub slanted: Bitboard,
    /// Our sliders that strike the enemy king on an empty board.
    aligned: Bitboard,
    /// Squares where our king makes steps of the enemy king illegal.
    behind_enemy_king: Bitboard,
    /// What our units strike, through the enemy king.
    pub strikes: Bitboard,
    /// The same by role.
    strikes_by: [Bitboard; 6],
    /// Squares beside the enemy king that none of our units strikes.
    pub unprotected: Bitboard,
    /// The wings to which the way of king and rook is free.
    pub wings: ArrayVec<Wing, 2>,
    /// By role: squares from which a check is not [futile](super::futile).
    mateable: [Bitboard; 6],
    /// The same where a unit would check directly.
    direct: [Bitboard; 6],
    /// The same if it has made the move before as well.
    twice_moved: [Bitboard; 6],
}

/// The roles that check directly.
pub const CHECKERS: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl<'p> View<'p> {
    /// `None` where the reasoning does not hold and everything has to be tried.
    pub fn new(position: &'p Position) -> Option<View<'p>> {
        let (rules, board, us) = (position.rules(), position.board(), position.side());
        let plain = rules.goal == Goal::Checkmate
            && rules.rebirth == Rebirth::Never
            && rules.balance == Balance::Free
            && position.en_passant_targets().is_empty()
            && !position.at_boundary();
        if !plain {
            return None;
        }
        let (own_king, king) = (board.king(us)?, board.king(!us)?);
        let occupied = board.occupied();
        let mut view = View {
            board,
            us,
            own: board.color(us),
            enemy: board.color(!us),
            occupied,
            own_king,
            king,
            parries_must_not_check: !rules.check.allows_early_check(),
            double_step: rules.double_step,
            straight: attacks::rook(king, occupied),
            slanted: attacks::bishop(king, occupied),
            aligned: Bitboard::EMPTY,
            behind_enemy_king: Bitboard::EMPTY,
            strikes: Bitboard::EMPTY,
            strikes_by: [Bitboard::EMPTY; 6],
            unprotected: Bitboard::EMPTY,
            wings: ArrayVec::new(),
            mateable: [Bitboard::FULL; 6],
            direct: [Bitboard::EMPTY; 6],
            twice_moved: [Bitboard::EMPTY; 6],
        };
        let uncertain = board.sole_blockers(king, us, us).any()
            || view.castling_may_check(position.castling())
            || view.parries_must_not_check && view.king_may_uncover_check();
        if uncertain {
            return None;
        }
        view.aligned = board.sliders_in_line(us, king);
        if view.parries_must_not_check {
            view.behind_enemy_king = view.squares_behind_enemy_king();
        }
        view.find_strikes();
        view.unprotected = attacks::king(king) - view.strikes;
        view.wings = view.open_wings(position.castling());
        view.find_direct_checks();
        Some(view)
    }

    fn find_strikes(&mut self) {
        let occupied = self.occupied - self.king.bitboard();
        self.strikes_by[Role::Pawn as usize] = self.units(Role::Pawn).ahead(self.us).beside();
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
            for square in self.units(role) {
                self.strikes_by[role as usize] |= self.reach(role, square, occupied);
            }
        }
        self.strikes = self.strikes_by.into_iter().fold(Bitboard::EMPTY, BitOr::bitor);
    }

    /// Where units of a role can go now, pins and checks aside, and some squares more.
    pub fn goals(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => {
                let ahead = self.units(role).ahead(self.us);
                ahead | ahead.ahead(self.us) | self.strikes_by[role as usize]
            }
            _ => self.strikes_by[role as usize] - self.own,
        }
    }

    /// The own units of a role.
    pub fn units(&self, role: Role) -> Bitboard {
        self.board.pieces(self.us, role)
    }

    /// The pawns that may promote with the next move: lines through the squares they leave are open
    /// to what they become.
    pub fn promoting(&self) -> Bitboard {
        self.units(Role::Pawn) & Bitboard::rank(6, self.us)
    }

    /// Where these pawns promote, taking something or not, if the square is free.
    pub fn promotion_squares(&self) -> Bitboard {
        let pawns = self.promoting();
        pawns.into_iter().fold(pawns.ahead(self.us), |squares, pawn| {
            squares | (attacks::pawn(self.us, pawn) & self.enemy)
        })
    }

    /// Whether castling might check after one more move: that can clear one square of the way of
    /// king and rook and of the line to the enemy king, if an own unit stands there.
    fn castling_may_check(&self, castling: Castling) -> bool {
        Wing::ALL.into_iter().any(|wing| {
            let rook = wing.rook_to(self.us);
            let clear = Castling::empty_path(self.us, wing) | attacks::between(rook, self.king);
            let blockers = clear & self.occupied;
            castling.has(self.us, wing)
                && attacks::rook_rays(rook).has(self.king)
                && (blockers & self.enemy).is_empty()
                && blockers.len() <= 1
        })
    }

    /// Whether a step of the enemy king might uncover a check to our king where it stands, once
    /// both moves have left their squares.
    fn king_may_uncover_check(&self) -> bool {
        self.board.sliders_in_line(!self.us, self.own_king).into_iter().any(|slider| {
            let between = attacks::between(slider, self.own_king);
            between.has(self.king) && (between & self.occupied).len() <= 3
        })
    }

    /// Squares where a move frees own units from pins, other than by moving the king: the pinning
    /// men and the squares before them.
    pub fn unpinning(&self) -> Bitboard {
        self.board
            .sliders_in_line(!self.us, self.own_king)
            .into_iter()
            .map(|slider| attacks::between(slider, self.own_king) | slider.bitboard())
            .filter(|&line| {
                // The pinning man itself and one own unit before it.
                let pinned = line & self.own;
                pinned.is_single()
                    && (line & (self.occupied - pinned)).is_single()
                    && pinned.first().is_some_and(|unit| self.may_check_next(unit))
            })
            .fold(Bitboard::EMPTY, |squares, line| squares | line)
    }

    /// Whether the unit on `square` might check with the next move if its way were clear.
    fn may_check_next(&self, square: Square) -> bool {
        let Some(role) = self.board.role_at(square) else { return false };
        let steps = self.after(role, square, self.occupied - self.own);
        self.promoting().has(square) || (steps & self.direct(role)).any()
    }

    /// Where our king makes steps of the enemy king illegal, because they would uncover a check.
    fn squares_behind_enemy_king(&self) -> Bitboard {
        self.board.sliders_in_line(!self.us, self.king).into_iter().fold(
            Bitboard::EMPTY,
            |behind, slider| {
                let line = attacks::line(slider, self.king);
                behind | (line - attacks::between(slider, self.king))
            },
        )
    }

    fn find_direct_checks(&mut self) {
        let (straight, slanted) = (self.straight, self.slanted);
        let pawn = attacks::pawn(!self.us, self.king);
        let knight = attacks::knight(self.king);
        let checks = [pawn, knight, slanted, straight, straight | slanted, Bitboard::EMPTY];
        let mateable = Mateable::new(self, checks);
        for role in CHECKERS {
            let role = role as usize;
            self.direct[role] = checks[role] & mateable.checks[role];
            self.twice_moved[role] = checks[role] & mateable.twice_moved[role];
        }
        self.mateable = mateable.checks;
    }

    /// The squares from which a unit of this role checks directly and not [futilely](super::futile).
    pub fn direct(&self, role: Role) -> Bitboard {
        self.direct[role as usize]
    }

    /// The squares from which a unit checks directly and may mate if it makes the move before, too.
    pub fn direct_twice_moved(&self, role: Role) -> Bitboard {
        self.twice_moved[role as usize]
    }

    /// Whether no unit will check directly with the move after the next but futilely.
    pub fn all_checks_are_futile(&self) -> bool {
        // A pawn on the sixth rank may have become anything by then.
        let advanced = (self.units(Role::Pawn) & Bitboard::rank(5, self.us)).any();
        let checks = |role: Role| self.direct(role).any() && (advanced || self.units(role).any());
        let blockers = (self.straight | self.slanted) & self.own;
        self.promoting().is_empty() && blockers.is_empty() && !CHECKERS.into_iter().any(checks)
    }

    /// Whether a unit may check directly, not futilely, with both of the next two moves its own.
    pub fn may_check_again(&self) -> bool {
        let checks = |role: Role| self.direct_twice_moved(role).any() && self.units(role).any();
        CHECKERS.into_iter().any(checks)
    }

    /// Whether a unit may check now and not futilely.
    pub fn may_check_now(&self) -> bool {
        let checks = |role: Role| (self.direct(role) & self.goals(role)).any();
        self.promoting().any() || CHECKERS.into_iter().any(checks)
    }

    /// The squares from which a check by a unit of this role is not [futile](super::futile).
    pub fn mateable(&self, role: Role) -> Bitboard {
        self.mateable[role as usize]
    }

    /// Where the enemy king could step now if he had to.
    pub fn flights(&self) -> Bitboard {
        self.unprotected - self.enemy
    }

    /// Whether our king may make a step of the enemy king illegal by going to one of `landing`.
    pub fn king_may_bar_steps(&self, landing: Bitboard) -> bool {
        (landing & self.behind_enemy_king).any()
    }

    /// Where taking with a man of `role` might be illegal, because it would check our king where it
    /// stands or on one of `landing`.
    pub fn forbidden_takes(&self, role: Role, landing: Bitboard) -> Bitboard {
        if !self.parries_must_not_check {
            return Bitboard::EMPTY;
        }
        let promotions =
            if role == Role::Pawn { Bitboard::rank(0, self.us) } else { Bitboard::EMPTY };
        let kings = landing | self.own_king.bitboard();
        kings
            .into_iter()
            .fold(promotions, |squares, king| squares | attacks::on_empty(role, self.us, king))
    }

    /// The squares from which a man's departure might check our king where it stands or on one of
    /// `landing`, if that matters.
    pub fn lines_to_own_king(&self, landing: Bitboard) -> Bitboard {
        if !self.parries_must_not_check {
            return Bitboard::EMPTY;
        }
        let mut lines = Bitboard::EMPTY;
        for king in landing | self.own_king.bitboard() {
            for slider in self.board.sliders_in_line(!self.us, king) {
                lines |= attacks::between(slider, king);
            }
        }
        lines
    }

    /// What a unit of this role strikes from `square` with these squares occupied.
    pub fn reach(&self, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
        attacks::of(role, self.us, square, occupied)
    }

    /// The squares from which a check by a unit of this role may mate, as far as the squares beside
    /// the enemy king tell: it is protected, and on an empty board it covers what nobody else does.
    /// `covered` are squares that a line just opened covers.
    pub fn mating_checks(&self, role: Role, covered: Bitboard) -> Bitboard {
        let mut checks = self.direct_twice_moved(role) - self.own - (self.unprotected - covered);
        for flight in self.flights() - covered {
            if checks.is_empty() {
                break;
            }
            checks &= self.strikes_from(role, flight);
        }
        checks
    }

    /// Whether a unit of `role` that has taken the man on the square `taken` and goes on to `check`
    /// may mate there, when a line just opened covers the squares `covered`.
    pub fn mates_after_taking(
        &self,
        role: Role,
        check: Square,
        taken: Bitboard,
        covered: Bitboard,
    ) -> bool {
        let covered = covered | self.reach(role, check, self.men() - taken);
        self.flights_later(check, covered).is_empty()
            && (self.takers_later(check) - taken).is_empty()
    }

    /// What may be in the way of a unit's next move. Who can check now may come back through the
    /// square it leaves, and so may what a pawn becomes.
    pub fn occupied_later(&self, checkers: Bitboard) -> Bitboard {
        self.occupied - (checkers | self.promoting())
    }

    /// Where a unit of this role may go from `square` with its next move, at least.
    pub fn after(&self, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
        match role {
            Role::Pawn => self.pawn_steps_from(square),
            _ => self.reach(role, square, occupied),
        }
    }

    /// Where a unit of this role may go from `square` on an empty board.
    pub fn after_on_empty(&self, role: Role, square: Square) -> Bitboard {
        match role {
            Role::Pawn => self.pawn_steps_from(square),
            _ => self.strikes_from(role, square),
        }
    }

    /// Where a unit of this role may stand to go to `square` with its next move.
    pub fn before(&self, role: Role, square: Square, occupied: Bitboard) -> Bitboard {
        match role {
            Role::Pawn => self.pawn_steps_to(square),
            _ => self.reach(role, square, occupied),
        }
    }

    /// Where a pawn may stand to go to `square` with its next move.
    fn pawn_steps_to(&self, square: Square) -> Bitboard {
        let behind = square.bitboard().ahead(!self.us);
        behind | behind.ahead(!self.us) | attacks::pawn(!self.us, square)
    }

    /// Where a pawn may go from `square` with its next move, if nobody stands there.
    fn pawn_steps_from(&self, square: Square) -> Bitboard {
        let ahead = square.bitboard().ahead(self.us);
        ahead | ahead.ahead(self.us) | attacks::pawn(self.us, square)
    }

    /// The men whom no move of ours but taking removes: all of the enemy's but the king, who does
    /// not shield the squares behind him from a check.
    pub fn men(&self) -> Bitboard {
        self.enemy - self.king.bitboard()
    }

    /// By role: squares where a slider has one own unit between itself and the enemy king, so that
    /// this unit may uncover a check; and for all, enemy men between an own slider and their king,
    /// whose taker may uncover one.
    pub fn batteries(&self) -> [Bitboard; 6] {
        let blockers = self.own & (self.straight | self.slanted);
        let without_blockers = self.occupied - (blockers | self.promoting());
        let straight = attacks::rook(self.king, without_blockers) - self.straight;
        let slanted = attacks::bishop(self.king, without_blockers) - self.slanted;
        let masked = self.aligned.into_iter().fold(Bitboard::EMPTY, |masked, slider| {
            masked | (attacks::between(slider, self.king) & self.enemy)
        });
        let mut squares = [masked; 6];
        squares[Role::Bishop as usize] |= slanted;
        squares[Role::Rook as usize] |= straight;
        squares[Role::Queen as usize] |= straight | slanted;
        squares
    }

    /// Where the enemy king may step when a unit that covers the squares `covered` checks from
    /// `check` after another move of its own, with all other units where they are.
    pub fn flights_later(&self, check: Square, covered: Bitboard) -> Bitboard {
        (self.unprotected - (self.enemy - check.bitboard())) - covered
    }

    /// Who may take a unit that checks from `check` after another move of its own.
    pub fn takers_later(&self, check: Square) -> Bitboard {
        self.takers(check, self.occupied | check.bitboard())
    }

    /// What defeats the check that a unit of `role` gives by going from `from` to `to` now.
    pub fn parries(&self, role: Role, from: Bitboard, to: Square) -> Parries {
        let occupied = (self.occupied - from) | to.bitboard();
        let flights = self.flights_after(role, from, to, occupied);
        Parries { checker: to, flights, takers: self.takers(to, occupied) }
    }

    /// Where the enemy king may step when a unit of `role` has come from `from` to `to`.
    fn flights_after(
        &self,
        role: Role,
        from: Bitboard,
        to: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let occupied = occupied - self.king.bitboard();
        // The other move may open the lines of the checker too.
        let covered = self.reach(role, to, occupied - self.own);
        (attacks::king(self.king) - (self.enemy - to.bitboard()) - covered)
            .into_iter()
            .filter(|&flight| (self.board.attackers(self.us, flight, occupied) - from).is_empty())
            .collect()
    }

    /// Enemy men, not the king, that may take a unit on `to`, whatever line the other move opens.
    fn takers(&self, to: Square, occupied: Bitboard) -> Bitboard {
        let candidates =
            self.board.attackers(!self.us, to, occupied) - self.king.bitboard() - to.bitboard();
        if candidates.is_empty() {
            return candidates;
        }
        candidates
            .into_iter()
            .filter(|&taker| {
                let may_be_pinned = (attacks::line(self.king, taker) & self.aligned).any();
                let may_check = self.parries_must_not_check
                    && self.squares_checked_by_taking(taker, to).has(self.own_king);
                !may_be_pinned && !may_check
            })
            .collect()
    }

    /// Where our king might be checked when the enemy man on `taker` takes on `to`.
    fn squares_checked_by_taking(&self, taker: Square, to: Square) -> Bitboard {
        let directly = match self.board.role_at(taker) {
            Some(Role::Pawn) if !Bitboard::BACK_RANKS.has(to) => attacks::pawn(!self.us, to),
            Some(Role::Knight) => attacks::knight(to),
            Some(Role::Bishop) => attacks::bishop_rays(to),
            Some(Role::Rook) => attacks::rook_rays(to),
            // A queen, or a pawn that may become anything.
            _ => attacks::rook_rays(to) | attacks::bishop_rays(to) | attacks::knight(to),
        };
        let sliders = self.board.sliders_in_line(!self.us, taker);
        sliders.into_iter().fold(directly, |squares, slider| {
            squares | (attacks::line(slider, taker) - attacks::between(slider, taker))
        })
    }

    /// By role: where such a unit deals with all of these parries, at least on an empty board.
    pub fn helpers(&self, parries: &Parries) -> [Bitboard; 6] {
        let [mut pawn, mut knight, mut bishop, mut rook, mut queen, mut king] = [Bitboard::FULL; 6];
        for flight in parries.flights {
            let (slanted, straight) = (attacks::bishop_rays(flight), attacks::rook_rays(flight));
            pawn &= attacks::pawn(!self.us, flight);
            knight &= attacks::knight(flight);
            bishop &= slanted;
            rook &= straight;
            queen &= slanted | straight;
            king &= attacks::king(flight) | self.behind_enemy_king;
        }
        for taker in parries.takers {
            // Take it, stand in its way, or pin it. Helping by a double check is a battery.
            let deals = taker.bitboard() | attacks::between(taker, parries.checker);
            let deals_or_pins = deals | attacks::line(self.king, taker);
            pawn &= deals;
            knight &= deals;
            bishop &= deals_or_pins;
            rook &= deals_or_pins;
            queen &= deals_or_pins;
            king &= deals | self.escapes_taker(taker, parries.checker);
        }
        [pawn, knight, bishop, rook, queen, king]
    }

    /// Where our king makes taking on `to` illegal for this man, because it would check.
    fn escapes_taker(&self, taker: Square, to: Square) -> Bitboard {
        if self.parries_must_not_check {
            self.squares_checked_by_taking(taker, to)
        } else {
            Bitboard::EMPTY
        }
    }

    /// Whether castling deals with all of these parries, king and rook together.
    pub fn castling_helps(&self, parries: &Parries, wing: Wing) -> bool {
        let (king, rook) = (wing.king_to(self.us), wing.rook_to(self.us));
        let deals_with_flight = |flight| {
            attacks::rook_rays(rook).has(flight)
                || attacks::king(king).has(flight)
                || self.behind_enemy_king.has(king)
        };
        let deals_with_taker = |taker| {
            let way = attacks::between(taker, parries.checker);
            way.has(king)
                || way.has(rook)
                || attacks::line(self.king, taker).has(rook)
                || self.escapes_taker(taker, parries.checker).has(king)
        };
        parries.flights.into_iter().all(deals_with_flight)
            && parries.takers.into_iter().all(deals_with_taker)
    }

    /// The wings to which the way of king and rook is free.
    fn open_wings(&self, castling: Castling) -> ArrayVec<Wing, 2> {
        let is_open = |&wing: &Wing| {
            castling.has(self.us, wing)
                && (Castling::empty_path(self.us, wing) & self.occupied).is_empty()
        };
        Wing::ALL.into_iter().filter(is_open).collect()
    }

    /// Whether castling changes more than what the squares where king and rook arrive tell: a line
    /// opens, the king comes close to the other king, or the rook can check from its new square.
    /// `openers` are units whose departure opens something.
    pub fn castling_opens(&self, wing: Wing, openers: Bitboard) -> bool {
        let home = Castling::king_home(self.us).bitboard() | wing.rook_from(self.us).bitboard();
        let near = attacks::king(wing.king_to(self.us)) & attacks::king(self.king);
        let rook_next = attacks::rook(wing.rook_to(self.us), self.occupied - home);
        (home & (openers | self.straight | self.slanted)).any()
            || near.any()
            || (rook_next & self.straight).any()
            || self.promoting().any()
    }

    /// Where a unit of `role` strikes `target` on an empty board.
    pub fn strikes_from(&self, role: Role, target: Square) -> Bitboard {
        attacks::on_empty(role, !self.us, target)
    }
}

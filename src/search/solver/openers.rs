//! What opens when an own unit leaves its square, or when an enemy man is taken on the way.

use arrayvec::ArrayVec;

use super::view::{Parries, View};
use crate::board::{Bitboard, Role, Square, attacks};

/// What may be opened with the first of two moves.
pub struct Openers {
    /// Units all of whose moves are worth trying.
    pub units: Bitboard,
    /// Units whose departure opens a check for a slider.
    pub blockers: Bitboard,
    /// By role: squares worth going to for a unit that opens a check for another one.
    pub squares: [Bitboard; 6],
    /// Squares beside the enemy king that become covered when something leaves a line.
    covers: ArrayVec<Cover, 64>,
}

/// A slider would strike a square beside the enemy king if its line were open.
struct Cover {
    slider: Square,
    /// What the line goes through.
    between: Bitboard,
    goal: Square,
    /// Own units alone are in the way.
    own_line: bool,
}

/// A check that a slider can give when one of the units leaves.
struct NewCheck {
    units: Bitboard,
    slider: Square,
    role: Role,
    to: Square,
}

/// A line to the enemy king that an own unit closes.
struct ClosedLine {
    blocker: Square,
    /// Whether it is a rook's.
    straight: bool,
    /// The squares from which a slider checks when the unit is gone.
    opened: Bitboard,
}

type NewChecks = ArrayVec<NewCheck, 64>;

const SLIDERS: [Role; 3] = [Role::Bishop, Role::Rook, Role::Queen];

impl Openers {
    /// `flights` are the squares that checks possible now leave to the enemy king.
    pub fn new(view: &View, flights: Bitboard) -> Openers {
        let mut openers = Openers {
            // What a pawn becomes may come back to the line that the pawn has kept closed.
            units: square_openers(view) | (view.promoting() & (view.straight | view.slanted)),
            blockers: Bitboard::EMPTY,
            squares: [Bitboard::EMPTY; 6],
            covers: ArrayVec::new(),
        };
        let mut checks = NewChecks::new();
        let mut complete = openers.look_through(view, flights, &mut checks);
        openers.units &= view.own;
        if view.may_check_again() || !checks.is_empty() {
            complete &= openers.find_covers(view);
        }
        if complete {
            for check in &checks {
                openers.blockers |= check.units;
                openers.add_new_check(view, check);
            }
        } else {
            openers.units = view.own;
        }
        openers
    }

    /// Own units whose departure may cover squares beside the enemy king.
    pub fn uncovering(&self, view: &View) -> Bitboard {
        let own_lines = self.covers.iter().filter(|cover| cover.own_line);
        own_lines.fold(Bitboard::EMPTY, |units, cover| units | cover.between) & view.own
    }

    /// Enemy men of whom the same holds if they are taken and the taker goes on.
    pub fn men(&self, view: &View) -> Bitboard {
        self.covers.iter().fold(Bitboard::EMPTY, |men, cover| men | cover.between) & view.men()
    }

    /// The squares beside the enemy king that may become covered when these squares are empty, by
    /// other sliders than the one on `except`.
    pub fn covered_without(&self, gone: Bitboard, except: Option<Square>) -> Bitboard {
        self.covers
            .iter()
            .filter(|cover| Some(cover.slider) != except && (cover.between & gone).any())
            .map(|cover| cover.goal)
            .collect()
    }

    /// Goes through the lines of all sliders. `false` if there are too many to keep.
    fn look_through(&mut self, view: &View, flights: Bitboard, checks: &mut NewChecks) -> bool {
        let lines = closed_lines(view);
        let mut opened = Bitboard::EMPTY;
        // What a pawn becomes checks from behind whoever leaves the line.
        let promotions = view.promotion_squares();
        for line in &lines {
            opened |= line.opened;
            if (line.opened & promotions).any() {
                self.units |= line.blocker.bitboard();
            }
        }
        let mut complete = true;
        for role in SLIDERS {
            let direct = view.direct(role);
            let goals = view.king.bitboard() | direct | opened & view.mateable(role) | flights;
            for slider in view.units(role) {
                let strikes = view.strikes_from(role, slider);
                if (strikes & goals).is_empty() {
                    continue;
                }
                let seen = view.reach(role, slider, view.occupied);
                let seen_through = view.reach(role, slider, view.occupied - view.own);
                let through = seen_through - seen;
                for goal in through & (flights | view.king.bitboard()) {
                    self.units |= attacks::between(slider, goal);
                }
                for to in through & direct {
                    let units = attacks::between(slider, to) & view.own;
                    complete &= checks.try_push(NewCheck { units, slider, role, to }).is_ok();
                }
                if ((seen_through | slider.bitboard()) & opened).any() {
                    let goals = seen_through & view.mateable(role);
                    complete &= self.add_line_checks((role, slider), goals, &lines, checks);
                }
            }
        }
        complete
    }

    /// Finds the squares beside the enemy king that sliders would cover. `false` if there are too
    /// many.
    fn find_covers(&mut self, view: &View) -> bool {
        SLIDERS.into_iter().all(|role| {
            view.units(role).into_iter().all(|slider| {
                let goals = view.strikes_from(role, slider) & view.unprotected;
                if goals.is_empty() {
                    return true;
                }
                let seen = view.reach(role, slider, view.occupied);
                let seen_through = view.reach(role, slider, view.occupied - view.own);
                self.add_covers(view, slider, goals - seen, seen_through)
            })
        })
    }

    /// Adds the squares `goals` that a slider would cover, `through` own units alone or more.
    /// `false` if there are too many.
    fn add_covers(
        &mut self,
        view: &View,
        slider: Square,
        goals: Bitboard,
        through: Bitboard,
    ) -> bool {
        for goal in goals {
            let between = attacks::between(slider, goal);
            let men = between & view.men();
            // Of two men on a line one stays, or who takes the second stands in its place.
            if men.any() && !men.is_single() {
                continue;
            }
            let cover = Cover { slider, between, goal, own_line: through.has(goal) };
            if self.covers.try_push(cover).is_err() {
                return false;
            }
        }
        true
    }

    /// Adds the checks that a slider can give from lines to the enemy king that are closed yet.
    /// `false` if there are too many.
    fn add_line_checks(
        &mut self,
        (role, slider): (Role, Square),
        goals: Bitboard,
        lines: &[ClosedLine],
        checks: &mut NewChecks,
    ) -> bool {
        let mut complete = true;
        for line in lines.iter().filter(|line| line.fits(role)) {
            let units = line.blocker.bitboard();
            if slider == line.blocker {
                self.units |= units;
            }
            for to in line.opened & goals {
                complete &= checks.try_push(NewCheck { units, slider, role, to }).is_ok();
            }
        }
        complete
    }

    /// Adds where the units that open this check have to go: one move has to open it and to deal
    /// with what defeats it.
    fn add_new_check(&mut self, view: &View, check: &NewCheck) {
        let &NewCheck { slider, role, to, .. } = check;
        let left = view.flights_later(to, view.reach(role, to, view.men()));
        let mut takers = None;
        for unit in check.units - self.units {
            let gone = unit.bitboard() | slider.bitboard();
            let flights = left - self.covered_without(gone, Some(slider));
            let takers = *takers.get_or_insert_with(|| view.takers_later(to));
            let parries = Parries { checker: to, flights, takers };
            if parries.is_empty() {
                self.units |= unit.bitboard();
            } else if let Some(role) = view.board.role_at(unit) {
                self.squares[role as usize] |= view.helpers(&parries)[role as usize];
            }
        }
    }
}

impl ClosedLine {
    /// Whether a slider of this role strikes along the line.
    fn fits(&self, role: Role) -> bool {
        match role {
            Role::Bishop => !self.straight,
            Role::Rook => self.straight,
            _ => true,
        }
    }
}

fn closed_lines(view: &View) -> ArrayVec<ClosedLine, 8> {
    let mut lines = ArrayVec::new();
    // A pawn that promotes with the last move leaves the line that it then checks along.
    let occupied = view.occupied - view.promoting();
    for blocker in view.straight & view.own {
        let open = attacks::rook(view.king, occupied - blocker.bitboard());
        let opened = (open - view.straight) | blocker.bitboard();
        lines.push(ClosedLine { blocker, straight: true, opened });
    }
    for blocker in view.slanted & view.own {
        let open = attacks::bishop(view.king, occupied - blocker.bitboard());
        let opened = (open - view.slanted) | blocker.bitboard();
        lines.push(ClosedLine { blocker, straight: false, opened });
    }
    lines
}

/// Own units on squares where others would check, or over which a pawn would step to a check or to
/// its promotion.
fn square_openers(view: &View) -> Bitboard {
    let knights = view.units(Role::Knight);
    let on_knight_checks = (view.direct(Role::Knight) & view.own)
        .into_iter()
        .filter(|&square| (attacks::knight(square) & knights).any())
        .collect::<Bitboard>();
    let steps = view.units(Role::Pawn).ahead(view.us);
    let pawn_checks = view.direct(Role::Pawn);
    let mut pawn_goals = pawn_checks | Bitboard::rank(7, view.us);
    if view.double_step {
        pawn_goals |= pawn_checks.ahead(!view.us);
    }
    let double_steps = steps.ahead(view.us) & pawn_checks;
    on_knight_checks | (steps & pawn_goals) | double_steps
}

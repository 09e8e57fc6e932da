//! A lower bound on the moves to mate, from what the mate must cover.
//!
//! During a series the enemy king stands still. In the end every square beside him that his own
//! men do not fill must be covered, and some unit must check. Units that have not moved cover at
//! most what they cover on an empty board; every other square needs a unit that moves. The bound is
//! the least number of moving units, the one that checks among them, that can cover what is
//! missing. `docs/solver.md` tells why it is sound and where it is not used.

use crate::board::{Bitboard, Color, Role, Square, attacks};
use crate::position::{Castling, Position, Wing};
use crate::rules::{Goal, Rebirth};

/// A set of squares beside the enemy king, one bit each.
type Ring = u8;

/// The bound for one place of the enemy king and one kind of army.
pub struct Bound {
    /// By role and square: what a unit there covers of the ring on an empty board.
    cover: [[Ring; 64]; 6],
    /// The squares of the ring.
    ring: Bitboard,
    /// By square: its own bit, if it belongs to the ring.
    ring_bit: [Ring; 64],
    /// By role: the squares that check the king on an empty board.
    checks: [Bitboard; 6],
    /// By missing squares, without and with a slider in line with the king: the least moves.
    least: [[u8; 256]; 2],
}

/// What the units of a position cover.
#[derive(Copy, Clone)]
pub struct Coverage {
    /// Squares beside the enemy king that none of his men fills.
    open: Ring,
    /// Covered by one unit at least.
    once: Ring,
    /// Covered by two units at least.
    twice: Ring,
    /// Sliders in line with the enemy king.
    aligned: u32,
}

impl Bound {
    /// The bound for the side to move of `position`, for series of at most `moves` moves. `None`
    /// where what it assumes does not hold.
    pub fn new(position: &Position, moves: u8) -> Option<Bound> {
        let (rules, us) = (position.rules(), position.side());
        if rules.goal != Goal::Checkmate || rules.rebirth != Rebirth::Never {
            return None;
        }
        let king = position.board().king(!us)?;
        if flight_may_be_illegal(position, king, moves) {
            return None;
        }
        let mut bound = Bound::geometry(us, king);
        bound.fill_least(&available_roles(position, moves), &castled_covers(position, &bound));
        Some(bound)
    }

    fn geometry(us: Color, king: Square) -> Bound {
        let mut bound = Bound {
            cover: [[0; 64]; 6],
            ring: attacks::king(king),
            ring_bit: [0; 64],
            checks: [Bitboard::EMPTY; 6],
            least: [[0; 256]; 2],
        };
        for (bit, square) in attacks::king(king).into_iter().enumerate() {
            bound.ring_bit[square.index()] = 1 << bit;
        }
        for role in Role::ALL {
            for square in Bitboard::FULL {
                let reach = attacks::on_empty(role, us, square);
                if reach.has(king) {
                    bound.checks[role as usize] |= square.bitboard();
                }
                bound.cover[role as usize][square.index()] = (reach & attacks::king(king))
                    .into_iter()
                    .fold(0, |ring, covered| ring | bound.ring_bit[covered.index()]);
            }
        }
        bound.checks[Role::King as usize] = Bitboard::EMPTY;
        bound
    }

    /// Fills the table: by what is missing, the least number of moves.
    fn fill_least(&mut self, roles: &[Role], castled: &[(Ring, bool)]) {
        let of_roles =
            |squares: Bitboard, role: Role| squares.into_iter().map(move |square| (role, square));
        let mut helpers: Vec<Ring> = roles
            .iter()
            .flat_map(|&role| of_roles(Bitboard::FULL, role))
            .map(|(role, square)| self.cover[role as usize][square.index()])
            .chain(castled.iter().map(|&(ring, _)| ring))
            .collect();
        let mut checkers: Vec<Ring> = roles
            .iter()
            .flat_map(|&role| of_roles(self.checks[role as usize], role))
            .map(|(role, square)| self.cover[role as usize][square.index()])
            .chain(castled.iter().filter(|&&(_, checks)| checks).map(|&(ring, _)| ring))
            .collect();
        keep_largest(&mut helpers);
        keep_largest(&mut checkers);
        // Units needed to cover a set, by growing sets: what is left is always smaller as a number.
        let mut units = [u8::MAX; 256];
        units[0] = 0;
        for missing in 1..256usize {
            units[missing] = helpers
                .iter()
                .map(|&ring| missing & !usize::from(ring))
                .filter(|&left| left < missing)
                .map(|left| units[left].saturating_add(1))
                .min()
                .unwrap_or(u8::MAX);
        }
        for missing in 0..256usize {
            let with_checker = checkers
                .iter()
                .map(|&ring| units[missing & !usize::from(ring)].saturating_add(1))
                .min()
                .unwrap_or(u8::MAX);
            // A slider in line checks when another unit leaves the line: nobody need check anew.
            self.least[0][missing] = with_checker;
            self.least[1][missing] = with_checker.min(units[missing].max(1));
        }
    }

    /// What the units of the side to move cover; `None` if even without them a mate might need no
    /// more than the `left` moves that are left, so that nothing is gained by looking.
    pub fn coverage(&self, position: &Position, left: u8) -> Option<Coverage> {
        let (board, us) = (position.board(), position.side());
        let open = self.ring_of(self.ring - board.color(!us));
        if self.least[0][usize::from(open)] < left {
            return None;
        }
        let mut coverage = Coverage { open, once: 0, twice: 0, aligned: 0 };
        for role in Role::ALL {
            for square in board.pieces(us, role) {
                let ring = self.cover[role as usize][square.index()];
                coverage.twice |= coverage.once & ring;
                coverage.once |= ring;
            }
        }
        for role in [Role::Bishop, Role::Rook, Role::Queen] {
            coverage.aligned += (board.pieces(us, role) & self.checks[role as usize]).len();
        }
        Some(coverage)
    }

    /// The bits of a set of squares of the ring.
    fn ring_of(&self, set: Bitboard) -> Ring {
        set.into_iter().fold(0, |ring, square| ring | self.ring_bit[square.index()])
    }

    /// The least number of moves to mate after the unit of `role` went from `from` to `to`, where
    /// it is a `becomes`; the squares of the enemy's men are `enemy`.
    #[inline]
    pub fn after(
        &self,
        coverage: &Coverage,
        (role, from): (Role, Square),
        (becomes, to): (Role, Square),
        enemy: Bitboard,
    ) -> u8 {
        let old = self.cover[role as usize][from.index()];
        let others = coverage.once & !old | coverage.twice;
        let covered = others | self.cover[becomes as usize][to.index()];
        let opened = if enemy.has(to) { self.ring_bit[to.index()] } else { 0 };
        let aligned = coverage.aligned
            - u32::from(is_slider(role) && self.checks[role as usize].has(from))
            + u32::from(is_slider(becomes) && self.checks[becomes as usize].has(to));
        let missing = (coverage.open | opened) & !covered;
        self.least[usize::from(aligned > 0)][usize::from(missing)]
    }
}

fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

/// The roles that the side to move has or may have after `moves` moves.
fn available_roles(position: &Position, moves: u8) -> Vec<Role> {
    let (board, us) = (position.board(), position.side());
    let pawns = board.pieces(us, Role::Pawn);
    let to_go = |square: Square| match square.relative_to(us).rank() {
        // A double step saves a move.
        1 if position.rules().double_step => 5,
        rank => 7 - rank,
    };
    let promotes = pawns.into_iter().any(|square| to_go(square) <= usize::from(moves));
    Role::ALL
        .into_iter()
        .filter(|&role| {
            board.pieces(us, role).any()
                || promotes && position.rules().promotions().contains(&role)
        })
        .collect()
}

/// What king and rook cover together after castling, and whether the rook may check there: one
/// move places two units.
fn castled_covers(position: &Position, bound: &Bound) -> Vec<(Ring, bool)> {
    let us = position.side();
    Wing::ALL
        .into_iter()
        .filter(|&wing| position.castling().has(us, wing))
        .map(|wing| {
            let (king, rook) = (wing.king_to(us), wing.rook_to(us));
            let ring = bound.cover[Role::King as usize][king.index()]
                | bound.cover[Role::Rook as usize][rook.index()];
            (ring, bound.checks[Role::Rook as usize].has(rook))
        })
        .collect()
}

/// Keeps each set once, and none that another one contains.
fn keep_largest(rings: &mut Vec<Ring>) {
    rings.sort_unstable_by_key(|ring| std::cmp::Reverse(ring.count_ones()));
    let mut kept: Vec<Ring> = Vec::new();
    for &ring in rings.iter() {
        if kept.iter().all(|&larger| ring & !larger != 0) {
            kept.push(ring);
        }
    }
    *rings = kept;
}

/// Where only the last move of a series may check, a step of the enemy king that uncovers a check
/// is no parry. Then a mate need not cover that square. It takes an enemy slider in line with its
/// king and our king behind: this tells whether ours can get there in `moves` moves.
fn flight_may_be_illegal(position: &Position, enemy_king: Square, moves: u8) -> bool {
    let (board, us) = (position.board(), position.side());
    if position.rules().check.allows_early_check() {
        return false;
    }
    let Some(own_king) = board.king(us) else { return true };
    // Castling moves the king two squares at once; more than once it cannot.
    let steps = moves.saturating_add(u8::from(position.castling() != Castling::NONE));
    board.sliders_in_line(!us, enemy_king).into_iter().any(|slider| {
        let line = attacks::line(slider, enemy_king);
        let behind = line - attacks::between(slider, enemy_king);
        behind.into_iter().any(|square| distance(own_king, square) <= usize::from(steps))
    })
}

/// Steps of a king from one square to another.
fn distance(a: Square, b: Square) -> usize {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank()))
}

//! What a position is worth without search, in hundredths of a pawn.
//!
//! In a game of growing series the side that moves next owns the danger: the same queen weighs
//! several times more when she has the move. So every unit has two weights, one for the side to
//! move and one for the side that waits, and both depend on how many moves come next. Two hundred
//! points mean that the chances stand about 60 to 40, five hundred about 73 to 27.

use crate::board::{Bitboard, Board, Color, Role, attacks};
use crate::position::Position;
use crate::rules::{Allowance, Balance, Goal, RuleSet};

/// No evaluation lies further from zero than this.
pub const MOST: i32 = 8000;

/// The value of `position` for the side to move, which is about to have `moves_left` moves.
///
/// ```
/// use crescendo::{Position, rules::variants, search::eval};
///
/// let start = Position::start(variants::default());
/// let terms = eval::explain(&start);
/// assert_eq!(eval::evaluate(&start), terms.iter().map(|(_, value)| value).sum::<i32>());
/// ```
pub fn evaluate(position: &Position) -> i32 {
    Terms::of(position, position.side(), position.moves_left()).total()
}

/// The parts of [`evaluate`], each with its name. They add up to it exactly.
pub fn explain(position: &Position) -> Vec<(String, i32)> {
    let terms = Terms::of(position, position.side(), position.moves_left());
    let mut parts = vec![
        ("units of the side to move".to_string(), terms.units_to_move),
        ("units of the side that waits".to_string(), terms.units_waiting),
        ("usual balance at this length of series".to_string(), terms.usual),
        ("waiting pieces under attack".to_string(), terms.attacked),
        ("advanced pawns".to_string(), terms.advanced),
        ("squares in reach".to_string(), terms.reach),
        ("flights of the waiting king".to_string(), terms.flights),
        ("waiting king on the rim".to_string(), terms.rim),
        ("units left to take".to_string(), terms.hunt),
    ];
    let rest = terms.total() - parts.iter().map(|(_, value)| value).sum::<i32>();
    parts.push(("cut to the range of evaluations".to_string(), rest));
    parts.retain(|&(_, value)| value != 0);
    parts
}

/// The value for the side whose series it is if the series ended here.
pub(super) fn if_ended(position: &Position) -> i32 {
    let next = position.rules().allowance.of_turn(position.turn().saturating_add(1));
    -Terms::of(position, !position.side(), next).total()
}

/// The promise of own pawns while the series of `position` goes on: those that can still promote
/// in it.
pub(super) fn promise(position: &Position) -> i32 {
    let pawns = position.board().pieces(position.side(), Role::Pawn);
    let left = usize::from(position.moves_left());
    pawns_within(pawns, position.side(), left) * PROMISE
}

/// What a pawn counts for that can still promote in the running series.
const PROMISE: i32 = 40;

/// The parts of an evaluation, from the view of the side to move.
#[derive(Default)]
struct Terms {
    units_to_move: i32,
    units_waiting: i32,
    usual: i32,
    attacked: i32,
    advanced: i32,
    reach: i32,
    flights: i32,
    rim: i32,
    hunt: i32,
}

impl Terms {
    /// The terms if `side` is to move and has `moves` moves.
    #[inline]
    fn of(position: &Position, side: Color, moves: u8) -> Terms {
        match position.rules().goal {
            Goal::Checkmate => Terms::for_mate(position, side, moves),
            Goal::TakeAll => Terms::for_taking(position, side, moves),
        }
    }

    #[inline]
    fn for_mate(position: &Position, side: Color, moves: u8) -> Terms {
        let board = position.board();
        let weights = Weights::of(position.rules(), moves);
        let reach = Reach::of(board, side).squares;
        let waiting_reach = match weights.waiting_reach {
            0 => 0,
            weight => Reach::of(board, !side).squares.len() as i32 * weight,
        };
        let waiting = board.color(!side);
        let pieces = waiting - board.role(Role::Pawn) - board.role(Role::King);
        let king = board.pieces(!side, Role::King);
        let around = king.first().map_or(Bitboard::EMPTY, attacks::king);
        let advanced = |color| pawns_within(board.pieces(color, Role::Pawn), color, ADVANCED);
        Terms {
            units_to_move: material(board, side, &weights.to_move),
            units_waiting: -material(board, !side, &weights.waiting),
            usual: -weights.usual,
            attacked: (reach & pieces).len() as i32 * weights.attacked,
            advanced: advanced(side) * weights.advanced
                - advanced(!side) * weights.waiting_advanced,
            reach: reach.len() as i32 * weights.reach - waiting_reach,
            flights: (around - waiting - reach).len() as i32 * weights.flight,
            rim: (king & RIM).len() as i32 * weights.rim,
            hunt: 0,
        }
    }

    #[inline]
    fn for_taking(position: &Position, side: Color, moves: u8) -> Terms {
        let board = position.board();
        let (own, waiting) = (Reach::of(board, side), Reach::of(board, !side));
        // Each move takes one unit at most: what remains after the series still has to be caught.
        let spare = i32::from(moves) - board.color(!side).len() as i32;
        let struck = (own.squares & board.color(!side)).len() as i32;
        Terms {
            units_to_move: material(board, side, &TAKING),
            units_waiting: -material(board, !side, &TAKING),
            reach: (own.total as i32 - waiting.total as i32) * 4,
            attacked: struck * 40,
            hunt: spare.clamp(-8, 8) * 40,
            ..Terms::default()
        }
    }

    #[inline]
    fn total(&self) -> i32 {
        let sum = self.units_to_move
            + self.units_waiting
            + self.usual
            + self.attacked
            + self.advanced
            + self.reach
            + self.flights
            + self.rim
            + self.hunt;
        sum.clamp(-MOST, MOST)
    }
}

/// What counts where the king is to be mated, in hundredths of a pawn.
struct Weights {
    /// Pawn, knight, bishop, rook, queen of the side to move.
    to_move: [i32; 5],
    /// The same of the side that waits.
    waiting: [i32; 5],
    /// What usual material at this length of series adds up to; taken off, so that a usual position
    /// is worth nothing to either side.
    usual: i32,
    /// For every piece of the waiting side that is attacked.
    attacked: i32,
    /// For every square the side to move strikes.
    reach: i32,
    /// Taken off for every square the waiting side strikes.
    waiting_reach: i32,
    /// For every square to which the waiting king could go now.
    flight: i32,
    /// If the waiting king stands on the rim.
    rim: i32,
    /// For every pawn of the side to move that is at most [`ADVANCED`] steps from promotion.
    advanced: i32,
    /// Taken off for every such pawn of the waiting side.
    waiting_advanced: i32,
}

impl Weights {
    /// The weights for a side that is about to have `moves` moves.
    #[inline]
    fn of(rules: &RuleSet, moves: u8) -> &'static Weights {
        let (first, table) = match (rules.balance, rules.allowance) {
            (Balance::Free, Allowance::Progressive) => (3, &GROWING[..]),
            (Balance::Free, _) => (2, &STEADY[..]),
            // Where the units take turns, each makes a move or two however long the series is.
            _ => (2, &SHARED[..]),
        };
        &table[usize::from(moves).saturating_sub(first).min(table.len() - 1)]
    }
}

/// How many steps from promotion a pawn counts as advanced.
const ADVANCED: usize = 4;

/// The outermost squares.
const RIM: Bitboard = Bitboard(0xFF81_8181_8181_81FF);

// Fitted by tools/fit, as docs/evaluation.md tells.

/// Where series grow, by the number of moves to come, from three to thirteen and more.
#[rustfmt::skip]
static GROWING: [Weights; 11] = [
    Weights { to_move: [10, 238, 354, 311, 515], waiting: [76, 249, 321, 389, 669], usual: -230, attacked: 405, reach: 17, waiting_reach: 0, flight: -61, rim: 217, advanced: -15, waiting_advanced: 8 },
    Weights { to_move: [-84, 161, 393, 146, 115], waiting: [47, 183, 317, 292, 484], usual: -523, attacked: 78, reach: 32, waiting_reach: 0, flight: 80, rim: 321, advanced: -114, waiting_advanced: 192 },
    Weights { to_move: [-133, 14, -104, 12, 500], waiting: [1, 83, 433, 101, 222], usual: -1223, attacked: 114, reach: 27, waiting_reach: 0, flight: -85, rim: 611, advanced: 90, waiting_advanced: 42 },
    Weights { to_move: [-122, -69, 180, 95, 1174], waiting: [12, 55, -11, 151, 80], usual: -418, attacked: 15, reach: 36, waiting_reach: 0, flight: -272, rim: 511, advanced: 113, waiting_advanced: 7 },
    Weights { to_move: [-133, 63, -42, 218, 1081], waiting: [21, 18, -23, 189, 117], usual: -887, attacked: 39, reach: 54, waiting_reach: 0, flight: -284, rim: 384, advanced: 125, waiting_advanced: -54 },
    Weights { to_move: [-52, 42, -15, 187, 1013], waiting: [56, 132, 61, 392, 105], usual: -1420, attacked: 379, reach: 27, waiting_reach: 0, flight: -129, rim: 56, advanced: 45, waiting_advanced: 99 },
    Weights { to_move: [11, 20, 135, 418, 1161], waiting: [17, 59, 18, 227, 308], usual: -274, attacked: 20, reach: -4, waiting_reach: 0, flight: -88, rim: 223, advanced: 167, waiting_advanced: 16 },
    Weights { to_move: [128, 57, 79, 389, 1140], waiting: [59, 164, 83, 189, 223], usual: -324, attacked: 140, reach: 7, waiting_reach: 0, flight: -70, rim: 7, advanced: 145, waiting_advanced: 84 },
    Weights { to_move: [125, 163, 186, 381, 866], waiting: [83, 26, 77, 212, 427], usual: -493, attacked: 126, reach: -21, waiting_reach: 0, flight: -45, rim: 29, advanced: 115, waiting_advanced: 29 },
    Weights { to_move: [146, 117, 171, 455, 1096], waiting: [96, -2, 79, 117, 281], usual: -204, attacked: 46, reach: -10, waiting_reach: 0, flight: -28, rim: 20, advanced: 46, waiting_advanced: -22 },
    Weights { to_move: [173, 32, 201, 443, 876], waiting: [136, 19, 136, 141, 418], usual: -54, attacked: -5, reach: -12, waiting_reach: 0, flight: 6, rim: 114, advanced: 47, waiting_advanced: -65 },
];

/// Where series have two moves.
#[rustfmt::skip]
static STEADY: [Weights; 1] = [
    Weights { to_move: [66, 181, 268, 498, 912], waiting: [60, 185, 266, 478, 905], usual: 5, attacked: 228, reach: 13, waiting_reach: 13, flight: 0, rim: 0, advanced: 0, waiting_advanced: 0 },
];

/// Where all units have to share in a series: for two moves, and for three and more. Not fitted.
#[rustfmt::skip]
static SHARED: [Weights; 2] = [
    Weights { to_move: [100, 310, 320, 490, 920], waiting: [100, 300, 310, 480, 900], usual: 80, attacked: 60, reach: 4, waiting_reach: 4, flight: 0, rim: 0, advanced: 0, waiting_advanced: 0 },
    Weights { to_move: [80, 260, 290, 460, 820], waiting: [80, 250, 250, 420, 700], usual: 300, attacked: 60, reach: 3, waiting_reach: 3, flight: 0, rim: 0, advanced: 0, waiting_advanced: 0 },
];

/// What units weigh where all of them have to be taken: each counts as one more to catch, and by
/// how much it can take itself. The king last.
const TAKING: [i32; 6] = [100, 140, 150, 200, 320, 130];

/// What the units of `color` weigh together.
#[inline]
fn material(board: &Board, color: Color, weights: &[i32]) -> i32 {
    let units = board.color(color);
    Role::ALL
        .into_iter()
        .zip(weights)
        .map(|(role, weight)| (units & board.role(role)).len() as i32 * weight)
        .sum()
}

/// How many of `pawns` of `color` stand at most `moves` single steps from promotion.
#[inline]
fn pawns_within(pawns: Bitboard, color: Color, moves: usize) -> i32 {
    let farther = 8 * (7 - moves.min(6));
    let zone = match color {
        Color::White => Bitboard(u64::MAX << farther),
        Color::Black => Bitboard(u64::MAX >> farther),
    };
    (pawns & zone).len() as i32
}

/// The squares that one side strikes.
struct Reach {
    /// All of them.
    squares: Bitboard,
    /// Their number, counted once for each unit that strikes them.
    total: u32,
}

impl Reach {
    #[inline]
    fn of(board: &Board, color: Color) -> Reach {
        let occupied = board.occupied();
        let mut reach = Reach { squares: Bitboard::EMPTY, total: 0 };
        let mut add = |struck: Bitboard| {
            reach.squares |= struck;
            reach.total += struck.len();
        };
        for from in board.pieces(color, Role::Knight) {
            add(attacks::knight(from));
        }
        for from in board.straight_sliders(color) {
            add(attacks::rook(from, occupied));
        }
        for from in board.diagonal_sliders(color) {
            add(attacks::bishop(from, occupied));
        }
        for from in board.pieces(color, Role::King) {
            add(attacks::king(from));
        }
        let ahead = board.pieces(color, Role::Pawn).ahead(color);
        add(Bitboard((ahead - Bitboard::A_FILE).0 >> 1));
        add(Bitboard((ahead - Bitboard::H_FILE).0 << 1));
        reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_count_by_their_way_to_the_last_rank() {
        let pawns: Bitboard =
            ["a2", "b5", "c7"].map(|name| name.parse().unwrap()).into_iter().collect();
        let counts = |color| [0, 1, 2, 3, 6].map(|moves| pawns_within(pawns, color, moves));
        assert_eq!(counts(Color::White), [0, 1, 1, 2, 3]);
        assert_eq!(counts(Color::Black), [0, 1, 1, 1, 3]);
    }
}

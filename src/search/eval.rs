//! What a position is worth without search, in hundredths of a pawn.
//!
//! In a game of growing series the side that moves next owns the danger: the same queen weighs
//! several times more when she has the move. So every unit has two weights, one for the side to
//! move and one for the side that waits, and both depend on how many moves come next. Two hundred
//! points mean that the chances stand about 60 to 40, five hundred about 73 to 27.

use crate::board::{Bitboard, Board, Color, Role, attacks};
use crate::position::Position;
use crate::rules::{Balance, Goal, Rebirth};

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
        ("pawns that promote within the series".to_string(), terms.promotions),
        ("squares in reach".to_string(), terms.reach),
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
    promotions: i32,
    reach: i32,
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
        let free = position.rules().balance == Balance::Free;
        // Where the units take turns, each makes a move or two however long the series is.
        let row = if free { usize::from(moves) } else { usize::from(moves).min(3) };
        let weights = &WEIGHTS[row.clamp(FIRST_ROW, FIRST_ROW + WEIGHTS.len() - 1) - FIRST_ROW];
        // A unit that comes back when taken is worth less.
        let part = if position.rules().rebirth == Rebirth::Never { 2 } else { 1 };
        let struck = |color| board.strikes(color, board.occupied());
        let (own, waiting) = (struck(side), struck(!side));
        let targets = board.color(!side) - board.role(Role::Pawn) - board.role(Role::King);
        let near = (usize::from(moves) / 2).min(6);
        let promoting = pawns_within(board.pieces(side, Role::Pawn), side, near);
        Terms {
            units_to_move: material(board, side, &weights.to_move) * part / 2,
            units_waiting: -material(board, !side, &weights.waiting) * part / 2,
            usual: -weights.usual * part / 2,
            attacked: (own & targets).len() as i32 * weights.attacked * part / 2,
            promotions: if free { promoting * weights.promotion } else { 0 },
            reach: (own.len() as i32 - waiting.len() as i32) * weights.reach,
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
            + self.promotions
            + self.reach
            + self.hunt;
        sum.clamp(-MOST, MOST)
    }
}

/// What the units of one side weigh, in hundredths of a pawn.
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
    /// For every pawn of the side to move that promotes within half of its moves.
    promotion: i32,
    /// For every square in reach.
    reach: i32,
}

/// The series length of the first row of [`WEIGHTS`]; shorter series use it, too.
const FIRST_ROW: usize = 2;

/// The weights by the number of moves to come, from two to ten and more. From six on they follow
/// results of games played out, smoothed; below they lean on ordinary chess.
#[rustfmt::skip]
static WEIGHTS: [Weights; 9] = [
    Weights { to_move: [100, 310, 320, 490, 920], waiting: [100, 300, 310, 480, 900], usual: 80, attacked: 60, promotion: 30, reach: 4 },
    Weights { to_move: [80, 260, 290, 460, 820], waiting: [80, 250, 250, 420, 700], usual: 300, attacked: 60, promotion: 30, reach: 3 },
    Weights { to_move: [55, 200, 260, 440, 720], waiting: [55, 190, 180, 360, 550], usual: 150, attacked: 60, promotion: 20, reach: 2 },
    Weights { to_move: [40, 150, 230, 430, 630], waiting: [30, 130, 120, 300, 420], usual: 400, attacked: 60, promotion: 10, reach: 1 },
    Weights { to_move: [25, 90, 210, 410, 560], waiting: [15, 85, 75, 255, 290], usual: 350, attacked: 70, promotion: 0, reach: 0 },
    Weights { to_move: [40, 160, 185, 380, 640], waiting: [30, 75, 95, 300, 250], usual: 200, attacked: 100, promotion: 0, reach: 0 },
    Weights { to_move: [85, 210, 205, 470, 1000], waiting: [50, 105, 105, 240, 200], usual: 370, attacked: 110, promotion: 0, reach: 0 },
    Weights { to_move: [150, 250, 210, 460, 1500], waiting: [95, 165, 120, 220, 150], usual: 150, attacked: 100, promotion: 0, reach: 0 },
    Weights { to_move: [210, 270, 160, 390, 1400], waiting: [120, 165, 150, 270, 170], usual: -100, attacked: 90, promotion: 0, reach: 0 },
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
        let mut reach = Reach { squares: Bitboard::EMPTY, total: 0 };
        for role in Role::ALL {
            for from in board.pieces(color, role) {
                let struck = attacks::of(role, color, from, board.occupied());
                reach.squares |= struck;
                reach.total += struck.len();
            }
        }
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

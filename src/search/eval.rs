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

/// The value of a search that sees a win after every reply it looked at while there may be others:
/// three of four such games are won.
pub const SEEMS_WON: i32 = 700;

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
        ("waiting units under attack".to_string(), terms.attacked),
        ("pawns on their way".to_string(), terms.promotions),
        ("squares in reach".to_string(), terms.reach),
        ("what is left to mate with".to_string(), terms.ending),
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
    ending: i32,
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
        let reborn = position.rules().rebirth != Rebirth::Never;
        let part = if reborn { 1 } else { 2 };
        let struck = |color| board.strikes(color, board.occupied());
        let (own, waiting) = (struck(side), struck(!side));
        let targets = board.color(!side) - board.role(Role::Pawn) - board.role(Role::King);
        let near = (usize::from(moves) / 2).min(6);
        let promoting = pawns_within(board.pieces(side, Role::Pawn), side, near);
        let advanced = |color| pawns_within(board.pieces(color, Role::Pawn), color, 4);
        let advanced = advanced(side) * weights.advanced[0] - advanced(!side) * weights.advanced[1];
        let mut terms = Terms {
            units_to_move: material(board, side, &weights.to_move) * part / 2,
            units_waiting: -material(board, !side, &weights.waiting) * part / 2,
            usual: -weights.usual * part / 2,
            attacked: (own & targets).len() as i32 * weights.attacked * part / 2,
            promotions: if free { promoting * weights.promotion + advanced } else { 0 },
            reach: (own.len() as i32 - waiting.len() as i32) * weights.reach,
            ..Terms::default()
        };
        if free && !reborn && usize::from(moves) >= ENDINGS {
            terms.ending = ending(board, side, terms.total());
        }
        terms
    }

    #[inline]
    fn for_taking(position: &Position, side: Color, moves: u8) -> Terms {
        let board = position.board();
        let row = usize::from(moves).max(FIRST_TAKING) - FIRST_TAKING;
        let weights = &TAKING[row.min(TAKING.len() - 1)];
        let (own, waiting) = (Reach::of(board, side), Reach::of(board, !side));
        let struck = (own.squares & board.color(!side)).len() as i32;
        Terms {
            units_to_move: material(board, side, &weights.to_move),
            units_waiting: -material(board, !side, &weights.waiting),
            usual: -weights.usual,
            reach: (own.total as i32 - waiting.total as i32) * weights.reach,
            attacked: struck * weights.struck,
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
            + self.ending;
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
    /// For every pawn at most four steps from promotion: of the side to move, of the side that waits.
    advanced: [i32; 2],
}

/// The series length of the first row of [`WEIGHTS`]; shorter series use it, too.
const FIRST_ROW: usize = 2;

/// The weights by the number of moves to come, from two to ten and more. Two lean on ordinary chess,
/// the others are fitted to results of games (`docs/player.md`).
#[rustfmt::skip]
static WEIGHTS: [Weights; 9] = [
    Weights { to_move: [100, 310, 320, 490, 920], waiting: [100, 300, 310, 480, 900], usual: 80, attacked: 60, promotion: 30, reach: 4, advanced: [0, 0] },
    Weights { to_move: [77, 295, 323, 465, 636], waiting: [103, 295, 361, 492, 661], usual: -502, attacked: 205, promotion: 3, reach: 11, advanced: [26, 27] },
    Weights { to_move: [51, 238, 296, 446, 517], waiting: [80, 239, 302, 440, 507], usual: -491, attacked: 129, promotion: -9, reach: 16, advanced: [70, 99] },
    Weights { to_move: [27, 218, 202, 414, 489], waiting: [60, 189, 265, 395, 368], usual: -538, attacked: 191, promotion: -25, reach: 14, advanced: [116, 95] },
    Weights { to_move: [21, 123, 215, 400, 325], waiting: [46, 174, 198, 313, 302], usual: -391, attacked: 101, promotion: 16, reach: 10, advanced: [96, 67] },
    Weights { to_move: [35, 135, 174, 311, 272], waiting: [64, 154, 238, 350, 264], usual: -756, attacked: 174, promotion: 63, reach: 10, advanced: [67, 86] },
    Weights { to_move: [86, 152, 178, 307, 520], waiting: [71, 137, 189, 284, 291], usual: -304, attacked: 111, promotion: 42, reach: 10, advanced: [40, 14] },
    Weights { to_move: [151, 142, 189, 347, 843], waiting: [110, 168, 155, 245, 313], usual: -269, attacked: 162, promotion: 9, reach: 1, advanced: [7, 32] },
    Weights { to_move: [220, 180, 168, 281, 499], waiting: [115, 87, 123, 288, 408], usual: 47, attacked: 143, promotion: 7, reach: -7, advanced: [-7, -24] },
];

/// Series of so many moves and more wait for no promotion and reach every square: what counts is
/// whether enough is left to mate with.
const ENDINGS: usize = 10;

/// What units are worth to whoever has to mate a king in the open, in halves: pawn, knight, bishop,
/// rook, queen.
const POWER: [i32; 5] = [2, 3, 2, 4, 6];

/// By what the favoured side has to mate with: the part of its advantage that counts, in eighths,
/// and what it has besides if the other king is alone.
const MATING: [(i32, i32); 9] =
    [(1, 0), (1, 0), (1, 0), (1, 0), (1, 0), (4, 0), (8, 200), (8, 600), (8, 900)];

/// What has to be added to `total`, from the view of `side`, because too little is left to mate
/// with, or enough.
#[inline]
fn ending(board: &Board, side: Color, total: i32) -> i32 {
    let favoured = if total < 0 { !side } else { side };
    let sign = if total < 0 { -1 } else { 1 };
    let power = material(board, favoured, &POWER);
    let (eighths, more) = MATING[(power as usize).min(MATING.len() - 1)];
    let alone = board.color(!favoured).is_single();
    total * eighths / 8 - total + if alone { sign * more } else { 0 }
}

/// What units weigh where all of them have to be taken: by how much they can take themselves, and
/// how hard they are to catch. The king last.
struct Taking {
    to_move: [i32; 6],
    waiting: [i32; 6],
    /// As in [`Weights`].
    usual: i32,
    /// For every waiting unit that is attacked.
    struck: i32,
    /// For every square in reach, counted once for each unit that reaches it.
    reach: i32,
}

/// The series length of the first row of [`TAKING`]; shorter series use it, too.
const FIRST_TAKING: usize = 3;

/// The weights by the number of moves to come, from three to eleven and more, fitted to results.
#[rustfmt::skip]
static TAKING: [Taking; 9] = [
    Taking { to_move: [49, 72, 81, 237, 474, 255], waiting: [47, 60, -9, 216, 220, 226], usual: 489, struck: 149, reach: -5 },
    Taking { to_move: [54, 79, 89, 261, 521, 281], waiting: [52, 66, -10, 237, 242, 248], usual: 646, struck: 150, reach: -7 },
    Taking { to_move: [82, 107, 246, 350, 423, 177], waiting: [61, 79, -12, 283, 289, 296], usual: 472, struck: 26, reach: 3 },
    Taking { to_move: [94, 154, 200, 408, 399, 159], waiting: [109, 84, 190, 278, 243, 128], usual: 27, struck: 112, reach: 5 },
    Taking { to_move: [159, 199, 302, 424, 305, 166], waiting: [94, 138, 173, 307, 300, 122], usual: 245, struck: 85, reach: 6 },
    Taking { to_move: [152, 206, 241, 491, 387, -32], waiting: [145, 195, 273, 313, 202, 174], usual: -587, struck: 77, reach: 5 },
    Taking { to_move: [234, 280, 290, 504, 359, 159], waiting: [105, 157, 202, 216, 132, -63], usual: 177, struck: 104, reach: 10 },
    Taking { to_move: [272, 303, -46, 424, 329, 74], waiting: [94, 143, 125, 173, 161, 65], usual: 317, struck: 97, reach: -3 },
    Taking { to_move: [277, 343, -339, 395, 286, 178], waiting: [65, 179, -3, 184, 361, 121], usual: 149, struck: 74, reach: -8 },
];

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
pub(super) struct Reach {
    /// All of them.
    pub squares: Bitboard,
    /// Their number, counted once for each unit that strikes them.
    pub total: u32,
}

impl Reach {
    /// What `color` strikes on `board`.
    #[inline]
    pub fn of(board: &Board, color: Color) -> Reach {
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

    /// A rook alone mates nobody in the open; with a pawn to promote it does.
    #[test]
    fn in_long_series_it_counts_whether_enough_is_left_to_mate() {
        let worth = |pfen: &str| {
            let rules = crate::rules::variants::default();
            evaluate(&Position::from_pfen(pfen, rules).unwrap())
        };
        let rook = worth("8/8/8/4k3/8/8/8/KR6 w - - 0 15");
        let rook_and_pawn = worth("8/8/8/4k3/8/8/P7/KR6 w - - 0 15");
        assert!((1..100).contains(&rook), "{rook}");
        assert!(rook_and_pawn > 500, "{rook_and_pawn}");
        // In short series both are worth what they usually are.
        assert!(worth("8/8/8/4k3/8/8/8/KR6 w - - 0 9") > 200);
    }
}

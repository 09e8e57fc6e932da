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
        ("the kings".to_string(), terms.kings),
        ("what is left to mate with".to_string(), terms.ending),
    ];
    let rest = terms.total() - parts.iter().map(|(_, value)| value).sum::<i32>();
    parts.push(("cut to the range of evaluations".to_string(), rest));
    parts.retain(|&(_, value)| value != 0);
    parts
}

/// The value for the side whose series it is if the series ended here.
pub(super) fn if_ended(position: &Position) -> i32 {
    let next = position.moves_of_next_turn();
    -Terms::of(position, !position.side(), next).total()
}

/// The value of a position inside a series for the side whose series it is: if it ended here, and
/// what the moves left promise.
pub(super) fn under_way(position: &Position) -> i32 {
    let (board, side) = (position.board(), position.side());
    let next = position.moves_of_next_turn();
    let terms = Terms::of(position, !side, next);
    let left = usize::from(position.moves_left());
    let pawns = pawns_within(board.pieces(side, Role::Pawn), side, left);
    if position.rules().balance != Balance::Free {
        // Who could take or promote has mostly moved already.
        return -terms.total() + pawns * PROMOTING_IN_TURN;
    }
    let prey = heaviest(board, terms.exposed, units_to_move(position, next), left);
    -terms.total() + pawns * PROMOTING + prey * PREY / 100 + terms.attacked * ESCAPING / 100
}

/// What a pawn counts for that can still promote in the running series; and where the units take
/// turns.
const PROMOTING: i32 = 150;
const PROMOTING_IN_TURN: i32 = 40;

/// How much counts, in hundredths, of what can be taken with the next moves, and of what is attacked
/// and may still go away. By the best ends found with few nodes (`docs/player.md`).
const PREY: i32 = 70;
const ESCAPING: i32 = 50;

/// The parts of an evaluation, from the view of the side to move.
#[derive(Default)]
struct Terms {
    units_to_move: i32,
    units_waiting: i32,
    usual: i32,
    attacked: i32,
    promotions: i32,
    reach: i32,
    kings: i32,
    ending: i32,
    /// Units of the side to move that the side that waits strikes.
    exposed: Bitboard,
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
        let weights = Weights::of(position, moves);
        // A unit that comes back when taken is worth less.
        let reborn = position.rules().rebirth != Rebirth::Never;
        let part = if reborn { 1 } else { 2 };
        let (own, waiting) = (Reach::through_king(board, side), Reach::through_king(board, !side));
        let near = (usize::from(moves) / 2).min(6);
        let promoting = pawns_within(board.pieces(side, Role::Pawn), side, near);
        let advanced = |color| pawns_within(board.pieces(color, Role::Pawn), color, 4);
        let advanced = advanced(side) * weights.advanced[0] - advanced(!side) * weights.advanced[1];
        let under_attack = board.color(!side) & own.squares;
        let squares = own.squares.len() as i32 - waiting.squares.len() as i32;
        let freedom = own.freedom(&weights.freedom[0]) - waiting.freedom(&weights.freedom[1]);
        let kings = king_safety(board, side, waiting.squares, &weights.kings[0])
            - king_safety(board, !side, own.squares, &weights.kings[1]);
        let mut terms = Terms {
            units_to_move: material(board, side, &weights.to_move) * part / 2,
            units_waiting: -material(board, !side, &weights.waiting) * part / 2,
            usual: -weights.usual * part / 2,
            attacked: weigh(board, under_attack, &weights.struck) * part / 2,
            promotions: promoting * weights.promotion + advanced,
            reach: squares * weights.reach + freedom,
            kings,
            exposed: board.color(side) & waiting.squares,
            ..Terms::default()
        };
        let free = position.rules().balance == Balance::Free;
        if free && !reborn && usize::from(moves) >= ENDINGS {
            terms.ending = ending(board, side, terms.total());
        }
        terms
    }

    #[inline]
    fn for_taking(position: &Position, side: Color, moves: u8) -> Terms {
        let board = position.board();
        let weights = Taking::of(moves);
        let (own, waiting) = (Reach::of(board, side), Reach::of(board, !side));
        let struck = (own.squares & board.color(!side)).len() as i32;
        Terms {
            units_to_move: material(board, side, &weights.to_move),
            units_waiting: -material(board, !side, &weights.waiting),
            usual: -weights.usual,
            reach: (own.total() - waiting.total()) * weights.reach,
            attacked: struck * weights.struck,
            exposed: board.color(side) & waiting.squares,
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
            + self.kings
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
    /// For every unit of the waiting side that is attacked: pawn, knight, bishop, rook, queen.
    struck: [i32; 5],
    /// For every pawn of the side to move that promotes within half of its moves.
    promotion: i32,
    /// For every square in reach.
    reach: i32,
    /// For every pawn at most four steps from promotion: of the side to move, of the side that waits.
    advanced: [i32; 2],
    /// For every square that a knight, bishop, rook, queen strikes, of either side.
    freedom: [[i32; 4]; 2],
    /// For every square beside either king: to which he could step, that the other side strikes,
    /// with an own man.
    kings: [[i32; 3]; 2],
}

impl Weights {
    /// The weights when the side to move has so many moves.
    #[inline]
    fn of(position: &Position, moves: u8) -> &'static Weights {
        if position.rules().balance != Balance::Free {
            return &IN_TURN;
        }
        let row = usize::from(moves).clamp(FIRST_ROW, FIRST_ROW + WEIGHTS.len() - 1);
        &WEIGHTS[row - FIRST_ROW]
    }
}

/// The series length of the first row of [`WEIGHTS`]; shorter series use it, too.
const FIRST_ROW: usize = 2;

/// The weights by the number of moves to come, from two to twelve and more. Two lean on ordinary chess,
/// the others are fitted to results of games (`docs/player.md`).
#[rustfmt::skip]
static WEIGHTS: [Weights; 11] = [
    Weights { to_move: [100, 310, 320, 490, 920], waiting: [100, 300, 310, 480, 900], usual: 80, struck: [0, 60, 60, 60, 60], promotion: 30, reach: 4, advanced: [0, 0], freedom: [[0; 4]; 2], kings: [[0; 3]; 2] },
    Weights { to_move: [147, 187, 316, 328, 757], waiting: [116, 180, 298, 449, 909], usual: 408, struck: [5, 19, 62, 409, 331], promotion: 98, reach: 13, advanced: [66, 99], freedom: [[33, 6, 37, 17], [11, -7, 13, -43]], kings: [[112, 99, -16], [84, 1, -41]] },
    Weights { to_move: [166, 217, 359, 371, 852], waiting: [123, 183, 315, 484, 985], usual: 16, struck: [25, -148, -10, 450, 228], promotion: 108, reach: 19, advanced: [136, 153], freedom: [[7, 2, 47, -2], [7, 11, 12, -21]], kings: [[115, 87, -3], [44, 1, 6]] },
    Weights { to_move: [132, 328, 334, 429, 748], waiting: [140, 196, 355, 561, 1151], usual: -613, struck: [58, 32, 137, 536, 564], promotion: 129, reach: 23, advanced: [137, 210], freedom: [[5, 16, 24, 14], [16, 2, 12, -24]], kings: [[97, 47, 21], [34, -4, -4]] },
    Weights { to_move: [118, 297, 346, 614, 688], waiting: [104, 314, 416, 600, 1041], usual: -523, struck: [11, 118, 237, 408, 654], promotion: 97, reach: 22, advanced: [192, 157], freedom: [[-1, 19, 35, 14], [8, 1, 6, -26]], kings: [[61, 3, 5], [29, 32, 3]] },
    Weights { to_move: [116, 267, 313, 553, 525], waiting: [134, 233, 332, 686, 783], usual: -594, struck: [18, 151, 187, 451, 368], promotion: 55, reach: 17, advanced: [157, 147], freedom: [[7, 17, 17, 10], [13, 11, -5, -21]], kings: [[54, 17, -13], [-39, 82, -33]] },
    Weights { to_move: [137, 236, 159, 449, 450], waiting: [152, 267, 318, 535, 614], usual: -659, struck: [38, 66, 99, 299, 269], promotion: 20, reach: 8, advanced: [114, 84], freedom: [[13, 26, 31, 9], [5, 7, 2, -7]], kings: [[15, -34, -29], [-49, 22, -22]] },
    Weights { to_move: [186, 235, 202, 445, 441], waiting: [168, 232, 218, 376, 606], usual: -307, struck: [65, 228, 359, 268, 227], promotion: -35, reach: -13, advanced: [70, 78], freedom: [[15, 15, 17, 11], [22, 13, 15, -6]], kings: [[13, -25, -47], [-59, 37, -18]] },
    Weights { to_move: [250, 306, 181, 357, 482], waiting: [153, 220, 179, 344, 584], usual: 392, struck: [103, 220, 159, 62, 266], promotion: -48, reach: -17, advanced: [56, -5], freedom: [[38, 28, 35, 24], [10, 8, 8, 2]], kings: [[18, -6, -5], [-41, 24, -36]] },
    Weights { to_move: [264, 261, 96, 259, 548], waiting: [168, 171, 165, 323, 708], usual: -28, struck: [92, 73, 67, 93, 502], promotion: -73, reach: -16, advanced: [14, -6], freedom: [[37, 29, 18, 18], [14, 10, 19, 13]], kings: [[10, 15, -7], [-6, 71, 12]] },
    Weights { to_move: [243, 131, 37, 201, 545], waiting: [158, 152, 84, 262, 794], usual: 47, struck: [43, 39, -47, 329, 586], promotion: -14, reach: -21, advanced: [-12, -24], freedom: [[19, 32, 17, 11], [14, 16, 36, 18]], kings: [[26, 39, -42], [16, 55, -36]] },
];

/// The weights where the units take turns, so that each makes a move or two however long the series
/// is: those fitted to three moves without what was added since, which is for units that move freely.
#[rustfmt::skip]
static IN_TURN: Weights =
    Weights { to_move: [77, 295, 323, 465, 636], waiting: [103, 295, 361, 492, 661], usual: -502, struck: [0, 205, 205, 205, 205], promotion: 0, reach: 11, advanced: [0, 0], freedom: [[0; 4]; 2], kings: [[0; 3]; 2] };

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

impl Taking {
    /// The weights when the side to move has so many moves.
    #[inline]
    fn of(moves: u8) -> &'static Taking {
        &TAKING[usize::from(moves).saturating_sub(FIRST_TAKING).min(TAKING.len() - 1)]
    }
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
    weigh(board, board.color(color), weights)
}

/// What the units of the side to move weigh, by role, when it has so many moves.
#[inline]
fn units_to_move(position: &Position, moves: u8) -> &'static [i32] {
    match position.rules().goal {
        Goal::Checkmate => &Weights::of(position, moves).to_move,
        Goal::TakeAll => &Taking::of(moves).to_move,
    }
}

/// What so many of `units` weigh together, the heaviest first.
#[inline]
fn heaviest(board: &Board, units: Bitboard, weights: &[i32], most: usize) -> i32 {
    let (mut room, mut sum) = (most as i32, 0);
    for (role, weight) in Role::ALL.into_iter().zip(weights).rev() {
        let taken = room.min((units & board.role(role)).len() as i32);
        room -= taken;
        sum += taken * weight;
    }
    sum
}

/// What `units` weigh together.
#[inline]
fn weigh(board: &Board, units: Bitboard, weights: &[i32]) -> i32 {
    Role::ALL
        .into_iter()
        .zip(weights)
        .map(|(role, weight)| (units & board.role(role)).len() as i32 * weight)
        .sum()
}

/// What is around the king of `color` when the other side strikes the squares `struck`.
#[inline]
fn king_safety(board: &Board, color: Color, struck: Bitboard, weights: &[i32; 3]) -> i32 {
    let Some(king) = board.king(color) else { return 0 };
    let (ring, own) = (attacks::king(king), board.color(color));
    let squares = [ring - own - struck, ring & struck, ring & own];
    squares.into_iter().zip(weights).map(|(squares, weight)| squares.len() as i32 * weight).sum()
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
    /// Their number by role, counted once for each unit that strikes them.
    by_role: [i32; 6],
}

impl Reach {
    /// What `color` strikes on `board`.
    #[inline]
    pub fn of(board: &Board, color: Color) -> Reach {
        Reach::with(board, color, board.occupied())
    }

    /// The same, and what it would strike if the other king stepped aside.
    #[inline]
    fn through_king(board: &Board, color: Color) -> Reach {
        let king = board.pieces(!color, Role::King);
        Reach::with(board, color, board.occupied() - king)
    }

    #[inline]
    fn with(board: &Board, color: Color, occupied: Bitboard) -> Reach {
        let mut reach = Reach { squares: Bitboard::EMPTY, by_role: [0; 6] };
        for role in Role::ALL {
            for from in board.pieces(color, role) {
                let struck = attacks::of(role, color, from, occupied);
                reach.squares |= struck;
                reach.by_role[role as usize] += struck.len() as i32;
            }
        }
        reach
    }

    /// The number of squares, counted once for each unit that strikes them.
    #[inline]
    pub fn total(&self) -> i32 {
        self.by_role.into_iter().sum()
    }

    /// The same for knights, bishops, rooks and queens, each with its weight.
    #[inline]
    fn freedom(&self, weights: &[i32; 4]) -> i32 {
        let pieces = &self.by_role[Role::Knight as usize..=Role::Queen as usize];
        pieces.iter().zip(weights).map(|(squares, weight)| squares * weight).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{RuleSet, variants};

    #[test]
    fn pawns_count_by_their_way_to_the_last_rank() {
        let pawns: Bitboard =
            ["a2", "b5", "c7"].map(|name| name.parse().unwrap()).into_iter().collect();
        let counts = |color| [0, 1, 2, 3, 6].map(|moves| pawns_within(pawns, color, moves));
        assert_eq!(counts(Color::White), [0, 1, 1, 2, 3]);
        assert_eq!(counts(Color::Black), [0, 1, 1, 1, 3]);
    }

    /// A queen that the next move may take, if not all units have moved by then.
    #[test]
    fn a_series_on_its_way_is_worth_what_it_may_take() {
        let promises = |free: bool, rank: &str| {
            let fits = |rules: &&RuleSet| {
                rules.goal == Goal::Checkmate
                    && rules.rebirth == Rebirth::Never
                    && (rules.balance == Balance::Free) == free
            };
            let rules = variants::ALL.iter().find(fits).unwrap();
            let pfen = format!("4k3/8/8/8/{rank}/7P/8/4K3 b - - 0 4");
            let mut position = Position::from_pfen(&pfen, rules).unwrap();
            position.play("e8f8".parse().unwrap()).unwrap();
            under_way(&position) - if_ended(&position)
        };
        let (struck, hidden) = ("1r5Q", "1r6");
        assert!(promises(true, struck) > promises(true, hidden) + 100);
        assert!(promises(false, struck) < promises(true, struck) - 100);
    }

    #[test]
    fn struck_squares_are_those_that_somebody_attacks() {
        for rules in &variants::ALL {
            let mut position = Position::start(rules);
            for _ in 0..100 {
                let board = position.board();
                for (color, blocked) in [
                    (Color::White, u64::MAX),
                    (Color::Black, u64::MAX),
                    (Color::White, position.key()),
                ] {
                    let occupied = board.occupied() & Bitboard(blocked);
                    let attacked: Bitboard = Bitboard::FULL
                        .into_iter()
                        .filter(|&square| board.attackers(color, square, occupied).any())
                        .collect();
                    assert_eq!(Reach::with(board, color, occupied).squares, attacked);
                }
                let moves = position.legal_moves();
                let Some(at) = position.key().checked_rem(moves.len() as u64) else { break };
                position.play_unchecked(moves[at as usize]);
            }
        }
    }

    /// He cannot step back along the line of a check.
    #[test]
    fn squares_behind_a_king_are_no_flights() {
        let pfen = "8/8/8/4k3/8/8/8/K3R3 b - - 0 4";
        let position = Position::from_pfen(pfen, variants::default()).unwrap();
        let behind = "e6".parse().unwrap();
        assert!(Reach::through_king(position.board(), Color::White).squares.has(behind));
        assert!(!Reach::of(position.board(), Color::White).squares.has(behind));
    }

    /// A rook alone mates nobody in the open; with a pawn to promote it does.
    #[test]
    fn in_long_series_it_counts_whether_enough_is_left_to_mate() {
        let worth = |pfen: &str| evaluate(&Position::from_pfen(pfen, variants::default()).unwrap());
        let rook = worth("8/8/8/4k3/8/8/8/KR6 w - - 0 15");
        let rook_and_pawn = worth("8/8/8/4k3/8/8/P7/KR6 w - - 0 15");
        assert!((1..100).contains(&rook), "{rook}");
        assert!(rook_and_pawn > 400, "{rook_and_pawn}");
        // In short series both are worth what they usually are.
        assert!(worth("8/8/8/4k3/8/8/8/KR6 w - - 0 9") > 200);
    }
}

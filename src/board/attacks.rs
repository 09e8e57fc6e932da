//! Where each man strikes, from tables built at compile time.
//!
//! Sliders use kindergarten bitboards (Urban Koistinen's and Gerd Isenberg's scheme): the six inner
//! squares of a line are gathered into an index by one multiplication. A table of 4 KiB serves all
//! ranks and diagonals, another of 4 KiB the files, so both stay in the first-level cache.

use super::{Bitboard, Color, Role, Square};

const fn on_board(file: i32, rank: i32) -> bool {
    file >= 0 && file < 8 && rank >= 0 && rank < 8
}

/// The squares that single steps reach from each square.
const fn step_table<const N: usize>(steps: [(i32, i32); N]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < N {
            let file = square as i32 % 8 + steps[i].0;
            let rank = square as i32 / 8 + steps[i].1;
            if on_board(file, rank) {
                table[square].0 |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] =
    step_table([(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] =
    step_table([(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
static PAWN: [[Bitboard; 64]; 2] = [step_table([(-1, 1), (1, 1)]), step_table([(-1, -1), (1, -1)])];

/// The whole line through each square in one direction and its opposite, without the square.
const fn line_table(step: (i32, i32)) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut sign = -1;
        while sign <= 1 {
            let mut file = square as i32 % 8 + sign * step.0;
            let mut rank = square as i32 / 8 + sign * step.1;
            while on_board(file, rank) {
                table[square].0 |= 1 << (rank * 8 + file);
                file += sign * step.0;
                rank += sign * step.1;
            }
            sign += 2;
        }
        square += 1;
    }
    table
}

const RANKS: [Bitboard; 64] = line_table((1, 0));
const FILES: [Bitboard; 64] = line_table((0, 1));
const DIAGONALS: [Bitboard; 64] = line_table((1, 1));
const ANTIDIAGONALS: [Bitboard; 64] = line_table((1, -1));

/// Ranks and both diagonals by square, so that one index serves them all.
static LINES: [[Bitboard; 3]; 64] = {
    let mut table = [[Bitboard::EMPTY; 3]; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = [RANKS[square], DIAGONALS[square], ANTIDIAGONALS[square]];
        square += 1;
    }
    table
};

/// What a slider at `at` of a line of eight sees when `inner` are the occupied squares 1 to 6.
const fn line_attack(at: usize, inner: usize) -> u8 {
    let occupied = inner << 1;
    let mut seen = 0u8;
    let mut i = at;
    while i < 7 {
        i += 1;
        seen |= 1 << i;
        if occupied >> i & 1 == 1 {
            break;
        }
    }
    let mut i = at;
    while i > 0 {
        i -= 1;
        seen |= 1 << i;
        if occupied >> i & 1 == 1 {
            break;
        }
    }
    seen
}

/// By file and inner occupancy: what the slider sees along its rank, repeated on all eight ranks.
static FILLED: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            table[file][inner] = line_attack(file, inner) as u64 * Bitboard::A_FILE.0;
            inner += 1;
        }
        file += 1;
    }
    table
};

/// Gathers the inner squares of the a-file into the top six bits, seventh rank lowest.
const FILE_GATHER: u64 = 0x0080_4020_1008_0400;

/// By rank and gathered inner occupancy: what the slider sees along the a-file.
static A_FILE: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut rank = 0;
    while rank < 8 {
        let mut inner = 0;
        while inner < 64 {
            let mut file = 0u64;
            let mut i = 1;
            while i < 7 {
                file |= ((inner >> (i - 1) & 1) as u64) << (8 * i);
                i += 1;
            }
            let seen = line_attack(rank, inner) as u64;
            let mut spread = 0u64;
            let mut i = 0;
            while i < 8 {
                spread |= (seen >> i & 1) << (8 * i);
                i += 1;
            }
            table[rank][(file.wrapping_mul(FILE_GATHER) >> 58) as usize] = spread;
            inner += 1;
        }
        rank += 1;
    }
    table
};

#[inline]
fn along(line: Bitboard, square: Square, occupied: Bitboard) -> Bitboard {
    let inner = (occupied & line).0.wrapping_mul(Bitboard::A_FILE.0 << 1) >> 58;
    Bitboard(FILLED[square.file()][inner as usize & 63]) & line
}

#[inline]
fn along_file(square: Square, occupied: Bitboard) -> Bitboard {
    let file = occupied.0 >> square.file() & Bitboard::A_FILE.0;
    let inner = file.wrapping_mul(FILE_GATHER) >> 58;
    Bitboard(A_FILE[square.rank()][inner as usize & 63] << square.file())
}

/// What a rook on `square` strikes, own and enemy men on the way included as last squares.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    along(LINES[square.index()][0], square, occupied) | along_file(square, occupied)
}

/// What a bishop on `square` strikes, own and enemy men on the way included as last squares.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    along(LINES[square.index()][1], square, occupied)
        | along(LINES[square.index()][2], square, occupied)
}

/// What a queen on `square` strikes.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    rook(square, occupied) | bishop(square, occupied)
}

/// What a knight on `square` strikes.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// What a king on `square` strikes.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// What a pawn of `color` on `square` strikes (not where it advances).
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color as usize][square.index()]
}

/// What a unit of `role` and `color` strikes from `square`.
#[inline]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// What a unit of `role` and `color` would strike from `square` on an empty board.
#[inline]
pub fn on_empty(role: Role, color: Color, square: Square) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop_rays(square),
        Role::Rook => rook_rays(square),
        Role::Queen => rook_rays(square) | bishop_rays(square),
        Role::King => king(square),
    }
}

/// What a rook would strike from `square` on an empty board.
#[inline]
pub fn rook_rays(square: Square) -> Bitboard {
    ROOK_RAYS[square.index()]
}

/// What a bishop would strike from `square` on an empty board.
#[inline]
pub fn bishop_rays(square: Square) -> Bitboard {
    BISHOP_RAYS[square.index()]
}

const fn union(a: [Bitboard; 64], b: [Bitboard; 64]) -> [Bitboard; 64] {
    let mut table = a;
    let mut square = 0;
    while square < 64 {
        table[square].0 |= b[square].0;
        square += 1;
    }
    table
}

static ROOK_RAYS: [Bitboard; 64] = union(RANKS, FILES);
static BISHOP_RAYS: [Bitboard; 64] = union(DIAGONALS, ANTIDIAGONALS);

/// The line through both squares, edge to edge, both included; empty if no rank, file or diagonal
/// joins them.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    THROUGH[a.index()][b.index()]
}

/// The squares strictly between two squares of one line; empty if no line joins them.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

static THROUGH: [[Bitboard; 64]; 64] = pair_table(false);
static BETWEEN: [[Bitboard; 64]; 64] = pair_table(true);

const fn pair_table(inner: bool) -> [[Bitboard; 64]; 64] {
    let lines = [RANKS, FILES, DIAGONALS, ANTIDIAGONALS];
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let mut i = 0;
            while i < 4 {
                if lines[i][a].0 >> b & 1 == 1 {
                    let (low, high) = if a < b { (a, b) } else { (b, a) };
                    let within = ((1u64 << high) - 1) & !((1u64 << low) | ((1u64 << low) - 1));
                    table[a][b].0 = if inner {
                        lines[i][a].0 & lines[i][b].0 & within
                    } else {
                        lines[i][a].0 | 1 << a
                    };
                }
                i += 1;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks step by step: slow and obvious.
    fn walk(square: Square, occupied: Bitboard, steps: &[(i32, i32)]) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for &(df, dr) in steps {
            let (mut file, mut rank) = (square.file() as i32 + df, square.rank() as i32 + dr);
            while on_board(file, rank) {
                let next = Square::at(file as usize, rank as usize);
                seen |= next.bitboard();
                if occupied.has(next) {
                    break;
                }
                file += df;
                rank += dr;
            }
        }
        seen
    }

    #[test]
    fn sliders_agree_with_walking() {
        let mut state = 0x9E37_79B9_7F4A_7C15u64;
        for _ in 0..2000 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let occupied = Bitboard(state & state.rotate_left(23));
            for square in Bitboard::FULL {
                let straight = walk(square, occupied, &[(1, 0), (-1, 0), (0, 1), (0, -1)]);
                let slanted = walk(square, occupied, &[(1, 1), (-1, 1), (1, -1), (-1, -1)]);
                assert_eq!(rook(square, occupied), straight, "{square}");
                assert_eq!(bishop(square, occupied), slanted, "{square}");
                assert_eq!(queen(square, occupied), straight | slanted);
            }
        }
    }

    #[test]
    fn lines_join_squares() {
        let square = |text: &str| text.parse::<Square>().unwrap();
        assert_eq!(between(square("a1"), square("d4")).len(), 2);
        assert_eq!(between(square("d4"), square("a1")).len(), 2);
        assert_eq!(between(square("e1"), square("e8")).len(), 6);
        assert_eq!(between(square("a1"), square("b3")), Bitboard::EMPTY);
        assert_eq!(line(square("b2"), square("d4")).len(), 8);
        assert_eq!(line(square("b2"), square("c4")), Bitboard::EMPTY);
        assert_eq!(between(square("a8"), square("h1")).len(), 6);
        assert_eq!(between(square("g1"), square("h1")), Bitboard::EMPTY);
    }
}

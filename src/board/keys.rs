//! Random keys for incremental hashing (Zobrist 1970), made at compile time.

use super::{Color, Role, Square};

/// Mixes 64 bits so that every input bit touches every output bit (the finalizer of SplitMix64,
/// Steele, Lea and Flood 2014).
#[inline]
pub const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

const fn random<const N: usize>(stream: u64) -> [u64; N] {
    let mut keys = [0; N];
    let mut i = 0;
    while i < N {
        keys[i] =
            mix((stream << 32).wrapping_add(i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        i += 1;
    }
    keys
}

static PIECES: [[[u64; 64]; 6]; 2] = {
    let mut keys = [[[0; 64]; 6]; 2];
    let mut i = 0;
    while i < 12 {
        keys[i / 6][i % 6] = random(i as u64 + 1);
        i += 1;
    }
    keys
};
static CASTLING: [u64; 64] = random(13);
static EN_PASSANT: [u64; 64] = random(14);

/// The key of one man on one square.
#[inline]
pub fn piece_key(color: Color, role: Role, square: Square) -> u64 {
    PIECES[color as usize][role as usize][square.index()]
}

/// The key of a set of castling rights, given as its six bits.
#[inline]
pub fn castling_key(bits: u8) -> u64 {
    CASTLING[bits as usize & 63]
}

/// The key of one en passant target.
#[inline]
pub fn en_passant_key(target: Square) -> u64 {
    EN_PASSANT[target.index()]
}

/// The key of the side to move.
#[inline]
pub const fn side_key(side: Color) -> u64 {
    match side {
        Color::White => 0,
        Color::Black => mix(0x5EED),
    }
}

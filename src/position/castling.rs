//! Castling rights, and in games with rebirth the memory of kings that have never moved.

use crate::board::{Bitboard, Color, Role, Square, castling_key};

/// The side of the board to which a king castles.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Wing {
    King,
    Queen,
}

impl Wing {
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// Where the king goes.
    #[inline]
    pub const fn king_to(self, color: Color) -> Square {
        match self {
            Wing::King => Square::G1,
            Wing::Queen => Square::C1,
        }
        .relative_to(color)
    }

    /// Where the rook comes from.
    #[inline]
    pub const fn rook_from(self, color: Color) -> Square {
        match self {
            Wing::King => Square::H1,
            Wing::Queen => Square::A1,
        }
        .relative_to(color)
    }

    /// Where the rook goes.
    #[inline]
    pub const fn rook_to(self, color: Color) -> Square {
        match self {
            Wing::King => Square::F1,
            Wing::Queen => Square::D1,
        }
        .relative_to(color)
    }

    /// The wing to which a king that goes to `to` castles.
    #[inline]
    pub const fn of_king_to(to: Square) -> Wing {
        if to.file() == Wing::King.king_to(Color::White).file() { Wing::King } else { Wing::Queen }
    }
}

/// Who may still castle where.
///
/// Where men are reborn, a king that has never moved is remembered even when no rook is left to
/// castle with: a reborn rook gives the right back. Elsewhere that memory stays empty.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Castling(u8);

impl Castling {
    /// Nobody may castle.
    pub const NONE: Castling = Castling(0);

    const fn right_bit(color: Color, wing: Wing) -> u8 {
        1 << (2 * color as u8 + wing as u8)
    }

    const fn king_bit(color: Color) -> u8 {
        16 << color as u8
    }

    /// Where the king of `color` stands before the game.
    #[inline]
    pub const fn king_home(color: Color) -> Square {
        Square::E1.relative_to(color)
    }

    /// Whether `color` has the right to castle to `wing`.
    #[inline]
    pub const fn has(self, color: Color, wing: Wing) -> bool {
        self.0 & Castling::right_bit(color, wing) != 0
    }

    /// Whether `color` has any castling right.
    #[inline]
    pub const fn any(self, color: Color) -> bool {
        self.0 >> (2 * color as u8) & 3 != 0
    }

    /// Whether the king of `color` is known never to have moved (kept only where men are reborn).
    #[inline]
    pub const fn king_unmoved(self, color: Color) -> bool {
        self.0 & Castling::king_bit(color) != 0
    }

    /// Grants a right.
    pub fn grant(&mut self, color: Color, wing: Wing) {
        self.0 |= Castling::right_bit(color, wing);
    }

    /// Remembers that the king of `color` has never moved.
    pub fn remember_king(&mut self, color: Color) {
        self.0 |= Castling::king_bit(color);
    }

    /// A man left `from` and went to `to`, perhaps taking one there: rights of both squares end.
    #[inline]
    pub(super) fn touch(&mut self, from: Square, to: Square) {
        self.0 &= KEPT[from.index()] & KEPT[to.index()];
    }

    /// A man of `color` was reborn: a rook at home gives an unmoved king its right back.
    pub(super) fn reborn(&mut self, color: Color, role: Role, square: Square) {
        if role == Role::Rook && self.king_unmoved(color) {
            for wing in Wing::ALL {
                if wing.rook_from(color) == square {
                    self.grant(color, wing);
                }
            }
        }
    }

    /// The key for hashing.
    #[inline]
    pub(super) fn key(self) -> u64 {
        castling_key(self.0)
    }

    /// The squares that must be empty for castling.
    #[inline]
    pub fn empty_path(color: Color, wing: Wing) -> Bitboard {
        let squares = match wing {
            Wing::King => 0x60,
            Wing::Queen => 0x0E,
        };
        Bitboard(squares << (56 * color as u8))
    }
}

/// By square: the rights that survive when a man leaves it or is taken on it.
static KEPT: [u8; 64] = {
    let mut kept = [0xFF; 64];
    let mut i = 0;
    while i < 2 {
        let color = Color::ALL[i];
        let (king, queen) =
            (Castling::right_bit(color, Wing::King), Castling::right_bit(color, Wing::Queen));
        kept[Castling::king_home(color).index()] = !(king | queen | Castling::king_bit(color));
        kept[Wing::King.rook_from(color).index()] = !king;
        kept[Wing::Queen.rook_from(color).index()] = !queen;
        i += 1;
    }
    kept
};

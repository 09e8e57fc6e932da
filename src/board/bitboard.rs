//! Sets of squares, one bit each.

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use super::{Color, Square};

/// A set of squares. Iterating yields them from a1 to h8.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    pub const EMPTY: Bitboard = Bitboard(0);
    pub const FULL: Bitboard = Bitboard(!0);
    /// The first and the last rank, where no pawn can stand.
    pub const BACK_RANKS: Bitboard = Bitboard(0xFF00_0000_0000_00FF);
    pub const A_FILE: Bitboard = Bitboard(0x0101_0101_0101_0101);
    pub const H_FILE: Bitboard = Bitboard(0x8080_8080_8080_8080);

    /// The rank with this index (0 = first) as `color` counts ranks.
    #[inline]
    pub const fn rank(index: usize, color: Color) -> Bitboard {
        let index = match color {
            Color::White => index,
            Color::Black => 7 - index,
        };
        Bitboard(0xFF << (8 * index))
    }

    /// Whether the set has no square.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has a square.
    #[inline]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// How many squares the set has.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether `square` belongs to the set.
    #[inline]
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square.index() & 1 == 1
    }

    /// The first square of the set, from a1 on.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(Square::new(self.0.trailing_zeros() as usize)) }
    }

    /// Whether the set has exactly one square.
    #[inline]
    pub const fn is_single(self) -> bool {
        self.0.is_power_of_two()
    }

    /// Every square moved one step ahead for `color`; what leaves the board is gone.
    #[inline]
    pub const fn ahead(self, color: Color) -> Bitboard {
        match color {
            Color::White => Bitboard(self.0 << 8),
            Color::Black => Bitboard(self.0 >> 8),
        }
    }

    /// The squares left and right of those of the set.
    #[inline]
    pub const fn beside(self) -> Bitboard {
        Bitboard((self.0 & !Bitboard::H_FILE.0) << 1 | (self.0 & !Bitboard::A_FILE.0) >> 1)
    }
}

impl Iterator for BitboardIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }
}

/// The squares of a [`Bitboard`], from a1 to h8.
#[derive(Clone)]
pub struct BitboardIter(Bitboard);

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = BitboardIter;

    #[inline]
    fn into_iter(self) -> BitboardIter {
        BitboardIter(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | square.bitboard())
    }
}

macro_rules! set_operator {
    ($trait:ident $method:ident, $assign_trait:ident $assign_method:ident, $($op:tt)+) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard(self.0 $($op)+ other.0)
            }
        }
        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Bitboard) {
                *self = self.$method(other);
            }
        }
    };
}

set_operator!(BitAnd bitand, BitAndAssign bitand_assign, &);
set_operator!(BitOr bitor, BitOrAssign bitor_assign, |);
set_operator!(BitXor bitxor, BitXorAssign bitxor_assign, ^);
// The difference of two sets: what is in the first and not in the second.
set_operator!(Sub sub, SubAssign sub_assign, & !);

impl Not for Bitboard {
    type Output = Bitboard;

    #[inline]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

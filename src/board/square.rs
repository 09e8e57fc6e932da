//! The sixty-four squares, numbered a1 = 0, b1 = 1, … h8 = 63.

use std::fmt;
use std::str::FromStr;

use super::{Bitboard, Color};

/// One square of the board.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    pub const A1: Square = Square::at(0, 0);
    pub const C1: Square = Square::at(2, 0);
    pub const D1: Square = Square::at(3, 0);
    pub const E1: Square = Square::at(4, 0);
    pub const F1: Square = Square::at(5, 0);
    pub const G1: Square = Square::at(6, 0);
    pub const H1: Square = Square::at(7, 0);

    /// The square with this index; only the low six bits of `index` count.
    #[inline]
    pub const fn new(index: usize) -> Square {
        Square((index & 63) as u8)
    }

    /// The square on `file` (0 = a) and `rank` (0 = first); only the low three bits of each count.
    #[inline]
    pub const fn at(file: usize, rank: usize) -> Square {
        Square(((rank & 7) * 8 + (file & 7)) as u8)
    }

    /// 0 (a1) to 63 (h8).
    #[inline]
    pub const fn index(self) -> usize {
        // The mask lets the compiler drop bounds checks on tables of 64.
        self.0 as usize & 63
    }

    /// 0 (the a-file) to 7.
    #[inline]
    pub const fn file(self) -> usize {
        self.0 as usize & 7
    }

    /// 0 (the first rank) to 7.
    #[inline]
    pub const fn rank(self) -> usize {
        (self.0 as usize >> 3) & 7
    }

    /// The set that holds this square alone.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self.index())
    }

    /// The square as `color` sees it: itself for White, mirrored top to bottom for Black.
    #[inline]
    pub const fn relative_to(self, color: Color) -> Square {
        match color {
            Color::White => self,
            Color::Black => Square(self.0 ^ 56),
        }
    }

    /// The square one step ahead of this one for `color`, wrapping at the edge.
    #[inline]
    pub const fn ahead(self, color: Color) -> Square {
        match color {
            Color::White => Square::new(self.index() + 8),
            Color::Black => Square::new(self.index() + 56),
        }
    }

    /// The square one step behind this one for `color`, wrapping at the edge.
    #[inline]
    pub const fn behind(self, color: Color) -> Square {
        self.ahead(color.opposite())
    }

    /// Whether the square is a light one (h1 is).
    #[inline]
    pub const fn is_light(self) -> bool {
        (self.file() + self.rank()) % 2 == 1
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file() as u8) as char, self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SquareParseError;

impl fmt::Display for SquareParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square (a1 to h8)")
    }
}

impl std::error::Error for SquareParseError {}

impl FromStr for Square {
    type Err = SquareParseError;

    /// Reads `a1` to `h8`, lower case.
    fn from_str(text: &str) -> Result<Square, SquareParseError> {
        match text.as_bytes() {
            &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Ok(Square::at((file - b'a') as usize, (rank - b'1') as usize))
            }
            _ => Err(SquareParseError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for square in Bitboard::FULL {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for bad in ["", "e", "e9", "i1", "E4", "e44", "é1"] {
            assert_eq!(bad.parse::<Square>(), Err(SquareParseError), "{bad}");
        }
    }

    #[test]
    fn both_sides_see_their_own_board() {
        assert_eq!(Square::E1.relative_to(Color::Black).to_string(), "e8");
        assert_eq!(Square::E1.ahead(Color::White).to_string(), "e2");
        assert_eq!(Square::E1.relative_to(Color::Black).ahead(Color::Black).to_string(), "e7");
        assert!(!Square::A1.is_light() && Square::H1.is_light());
    }
}

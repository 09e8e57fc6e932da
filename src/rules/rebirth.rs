//! Where a taken man comes back (Circe).

use crate::board::{Piece, Role, Square};

/// What becomes of a man that is taken.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Rebirth {
    /// It is gone.
    Never,
    /// It returns to its home square if that is empty after the capturing move (Circe).
    Home,
}

impl Rebirth {
    /// The square where `piece`, taken on `square`, would be reborn; `None` if it never is.
    ///
    /// A pawn keeps its file. Knight, bishop and rook return to the home square of the colour they
    /// were taken on. Kings are not reborn.
    pub fn home(self, piece: Piece, square: Square) -> Option<Square> {
        let Rebirth::Home = self else { return None };
        let (file, rank) = match piece.role {
            Role::Pawn => (square.file(), 1),
            Role::Knight => (Self::paired(square, piece, 1, 6), 0),
            Role::Bishop => (Self::paired(square, piece, 2, 5), 0),
            Role::Rook => (Self::paired(square, piece, 0, 7), 0),
            Role::Queen => (3, 0),
            Role::King => return None,
        };
        Some(Square::at(file, rank).relative_to(piece.color))
    }

    /// Which of two home files has the colour of `square`.
    fn paired(square: Square, piece: Piece, left: usize, right: usize) -> usize {
        let home = Square::at(left, 0).relative_to(piece.color);
        if home.is_light() == square.is_light() { left } else { right }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn homes_of_the_rulebook() {
        for (letter, taken, home) in [
            ('p', "c5", "c7"),
            ('P', "h7", "h2"),
            ('n', "e4", "g8"),
            ('n', "e5", "b8"),
            ('b', "a2", "c8"),
            ('r', "h1", "a8"),
            ('R', "h1", "h1"),
            ('Q', "a4", "d1"),
        ] {
            let piece = Piece::from_letter(letter).unwrap();
            let found = Rebirth::Home.home(piece, taken.parse().unwrap()).unwrap();
            assert_eq!(found.to_string(), home, "{letter} taken on {taken}");
        }
    }

    #[test]
    fn kings_stay_dead() {
        let king = Piece::from_letter('K').unwrap();
        assert_eq!(Rebirth::Home.home(king, Square::E1), None);
    }
}

//! The letters of men and files in the languages that scores are written in.

use crate::board::{Role, Square};

/// The letters of one language. A pawn has none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Letters {
    /// The English name of the language, lower case.
    pub language: &'static str,
    /// King, queen, rook, bishop, knight.
    units: [char; 5],
    /// From the a-file on.
    files: [char; 8],
}

const ROLES: [Role; 5] = [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
const LATIN: [char; 8] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const GREEK: [char; 8] = ['α', 'β', 'γ', 'δ', 'ε', 'ζ', 'η', 'θ'];

/// Every language, the default first.
pub static ALL: [Letters; 6] = [
    Letters { language: "english", units: ['K', 'Q', 'R', 'B', 'N'], files: LATIN },
    Letters { language: "spanish", units: ['R', 'D', 'T', 'A', 'C'], files: LATIN },
    Letters { language: "italian", units: ['R', 'D', 'T', 'A', 'C'], files: LATIN },
    Letters { language: "german", units: ['K', 'D', 'T', 'L', 'S'], files: LATIN },
    Letters { language: "french", units: ['R', 'D', 'T', 'F', 'C'], files: LATIN },
    Letters { language: "greek", units: ['Ρ', 'Β', 'Π', 'Α', 'Ι'], files: GREEK },
];

impl Letters {
    /// The letters that are meant where no language is named.
    pub fn english() -> &'static Letters {
        &ALL[0]
    }

    /// The letters of the language with this English name, in any case; `None` if it is unknown.
    pub fn find(language: &str) -> Option<&'static Letters> {
        ALL.iter().find(|letters| letters.language.eq_ignore_ascii_case(language))
    }

    /// The letter of a role; `None` for a pawn.
    pub fn of(&self, role: Role) -> Option<char> {
        ROLES.iter().zip(self.units).find(|(own, _)| **own == role).map(|(_, letter)| letter)
    }

    /// The letter of a file, 0 to 7; only the low three bits of `file` count.
    pub fn file(&self, file: usize) -> char {
        self.files[file & 7]
    }

    /// The name of a square.
    pub fn square(&self, square: Square) -> String {
        format!("{}{}", self.file(square.file()), square.rank() + 1)
    }

    /// The role that a capital letter stands for.
    pub(super) fn role(&self, letter: char) -> Option<Role> {
        self.units.iter().position(|&unit| unit == letter).map(|index| ROLES[index])
    }

    /// What a pawn becomes by this letter. Long algebraic moves are the same in all languages, so
    /// a small letter is English where English has it.
    pub(super) fn promotion(&self, letter: char) -> Option<Role> {
        let english = Role::from_letter(letter).filter(|&role| role != Role::Pawn);
        english
            .or_else(|| self.role(letter))
            .or_else(|| letter.to_uppercase().next().and_then(|capital| self.role(capital)))
    }

    /// The file of a letter, 0 to 7. The Latin letters are understood in every language.
    pub(super) fn read_file(&self, letter: char) -> Option<usize> {
        [self.files, LATIN].iter().find_map(|files| files.iter().position(|&file| file == letter))
    }

    /// The square that a file letter and a digit name.
    pub(super) fn read_square(&self, file: char, rank: char) -> Option<Square> {
        Some(Square::at(self.read_file(file)?, read_rank(rank)?))
    }
}

/// The rank of a digit, 0 to 7.
pub(super) fn read_rank(digit: char) -> Option<usize> {
    ('1'..='8').position(|rank| rank == digit)
}

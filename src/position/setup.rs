//! From anything somebody sets up to a position that the rules allow.

use std::fmt;

use super::{Castling, Position, Wing};
use crate::board::{Bitboard, Board, Color, Piece, Role, Square};
use crate::rules::{Balance, EnPassant, Goal, MAX_COUNTED_UNITS, MoveCounts, Rebirth, RuleSet};

/// A position as written down, before any variant has had its say. See [`Position::from_setup`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    pub board: Board,
    pub side: Color,
    /// The castling field as written: letters of `KQkqEe`, or `-`.
    pub castling: String,
    /// The en passant field as written: squares joined, or `-`.
    pub en_passant: String,
    /// Quiet turns so far.
    pub quiet: u16,
    /// The number of the turn, from 1.
    pub turn: u16,
}

/// Why a setup is no position of a variant, or a text no setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// A field that is missing; its name.
    Missing(&'static str),
    /// Something after the last field.
    Trailing(String),
    /// The board field does not describe eight ranks of eight squares.
    BoardText(String),
    /// The side is neither `w` nor `b`.
    SideText(String),
    /// The castling field has something else than `-` or letters of `KQkqEe`, each once.
    CastlingText(String),
    /// The en passant field is not `-` or squares, each once.
    EnPassantText(String),
    /// A field that is not a number in range: its name, what stands there, the range.
    Number(&'static str, String, u16, u16),
    /// An option behind `|` that nobody knows.
    UnknownOption(String),
    /// A pawn on the first or last rank.
    PawnOnBackRank(Square),
    /// A side that should have one king.
    KingCount(Color, u32),
    /// A side without any unit, where the game is to take everything.
    NoUnits(Color),
    /// A side with more units than the balance rules can count.
    TooManyUnits(Color, u32),
    /// A castling right whose king or rook is not at home.
    CastlingWithoutUnits(char),
    /// No pawn can have skipped this square in the last turn.
    EnPassantTarget(Square),
    /// The side that has just moved is in check.
    OpponentInCheck(Color),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| legible(text, LONGEST_SHOWN);
        match self {
            SetupError::Missing(field) => write!(f, "the {field} field is missing"),
            SetupError::Trailing(text) => write!(f, "nothing is expected at '{}'", shown(text)),
            SetupError::BoardText(text) => {
                write!(f, "the board '{}' is not eight ranks of eight squares", shown(text))
            }
            SetupError::SideText(text) => {
                write!(f, "the side '{}' is neither w nor b", shown(text))
            }
            SetupError::CastlingText(text) => {
                let text = shown(text);
                write!(
                    f,
                    "the castling field '{text}' is neither - nor different letters of KQkqEe"
                )
            }
            SetupError::EnPassantText(text) => {
                let text = shown(text);
                write!(f, "the en passant field '{text}' is neither - nor different squares")
            }
            SetupError::Number(field, text, low, high) => {
                write!(f, "the {field} '{}' is not a number from {low} to {high}", shown(text))
            }
            SetupError::UnknownOption(text) => {
                write!(f, "'{}' is not series=, quiet= or progressive_ep=", shown(text))
            }
            SetupError::PawnOnBackRank(square) => write!(f, "a pawn stands on {square}"),
            SetupError::KingCount(color, count) => {
                write!(f, "{color} has {count} kings in place of one")
            }
            SetupError::NoUnits(color) => write!(f, "{color} has no unit"),
            SetupError::TooManyUnits(color, count) => {
                write!(f, "{color} has {count} units, and at most {MAX_COUNTED_UNITS} are counted")
            }
            SetupError::CastlingWithoutUnits(letter) => {
                write!(f, "castling right {letter} without king and rook at home")
            }
            SetupError::EnPassantTarget(square) => {
                write!(f, "no pawn can have skipped {square} in the last turn")
            }
            SetupError::OpponentInCheck(color) => {
                write!(f, "{color} has just moved and is in check")
            }
        }
    }
}

impl std::error::Error for SetupError {}

/// The longest text that an error shows, in characters: any board fits.
const LONGEST_SHOWN: usize = 80;

/// What somebody has written, as far as it fits into `most` characters of one line.
pub fn legible(text: &str, most: usize) -> String {
    let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    let mut legible: String = text.chars().take(most).map(printable).collect();
    if text.chars().nth(most).is_some() {
        legible.push('…');
    }
    legible
}

impl Setup {
    /// The normal array at turn 1.
    pub fn start() -> Setup {
        use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
        let mut board = Board::empty();
        for color in Color::ALL {
            let back = [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook];
            for (file, role) in back.into_iter().enumerate() {
                board.toggle(color, role, Square::at(file, 0).relative_to(color));
                board.toggle(color, Pawn, Square::at(file, 1).relative_to(color));
            }
        }
        let castling = "KQkq".to_string();
        Setup { board, side: Color::White, castling, en_passant: "-".into(), quiet: 0, turn: 1 }
    }
}

impl Position {
    /// The position that `setup` describes, if the variant allows it.
    ///
    /// # Errors
    /// The first rule that the setup breaks. Fields that mean nothing in a variant (castling in
    /// Logical, en passant in English) are not read.
    pub fn from_setup(setup: &Setup, rules: &'static RuleSet) -> Result<Position, SetupError> {
        let position = Position {
            board: setup.board,
            rules,
            ep: en_passant_targets(setup, rules)?,
            doubled: Bitboard::EMPTY,
            turn: turn_number(setup, rules)?,
            quiet: setup.quiet,
            side: setup.side,
            castling: castling_rights(setup, rules)?,
            played: 0,
            allowance: rules.allowance.of_turn(setup.turn),
            progress: false,
            counts: MoveCounts::default(),
        };
        check_units(&setup.board, rules)?;
        let waiting = !setup.side;
        if rules.royal_kings()
            && position.board.king(waiting).is_some_and(|k| position.board.is_attacked(!waiting, k))
        {
            return Err(SetupError::OpponentInCheck(waiting));
        }
        Ok(position)
    }
}

fn turn_number(setup: &Setup, rules: &RuleSet) -> Result<u16, SetupError> {
    let last = rules.allowance.last_turn();
    if (1..=last).contains(&setup.turn) {
        Ok(setup.turn)
    } else {
        Err(SetupError::Number("turn", setup.turn.to_string(), 1, last))
    }
}

fn check_units(board: &Board, rules: &RuleSet) -> Result<(), SetupError> {
    if let Some(square) = (board.role(Role::Pawn) & Bitboard::BACK_RANKS).first() {
        return Err(SetupError::PawnOnBackRank(square));
    }
    for color in Color::ALL {
        let (kings, units) = (board.pieces(color, Role::King).len(), board.color(color).len());
        if rules.balance != Balance::Free && units > MAX_COUNTED_UNITS {
            return Err(SetupError::TooManyUnits(color, units));
        }
        match rules.goal {
            Goal::Checkmate if kings != 1 => return Err(SetupError::KingCount(color, kings)),
            Goal::TakeAll if units == 0 => {
                return Err(SetupError::NoUnits(color));
            }
            _ => {}
        }
    }
    Ok(())
}

fn castling_rights(setup: &Setup, rules: &RuleSet) -> Result<Castling, SetupError> {
    let mut castling = Castling::NONE;
    if !rules.castling || setup.castling == "-" {
        return Ok(castling);
    }
    let reborn = rules.rebirth != Rebirth::Never;
    for (index, letter) in setup.castling.char_indices() {
        if setup.castling[..index].contains(letter) {
            return Err(SetupError::CastlingText(setup.castling.clone()));
        }
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let wing = match letter.to_ascii_lowercase() {
            'k' => Some(Wing::King),
            'q' => Some(Wing::Queen),
            'e' => None,
            _ => return Err(SetupError::CastlingText(setup.castling.clone())),
        };
        let at = |role, square| setup.board.piece_at(square) == Some(Piece { color, role });
        let king = at(Role::King, Castling::king_home(color));
        let rook = wing.is_none_or(|wing| at(Role::Rook, wing.rook_from(color)));
        if wing.is_none() && !reborn {
            continue;
        }
        if !king || !rook {
            return Err(SetupError::CastlingWithoutUnits(letter));
        }
        if let Some(wing) = wing {
            castling.grant(color, wing);
        }
        if reborn {
            castling.remember_king(color);
        }
    }
    Ok(castling)
}

fn en_passant_targets(setup: &Setup, rules: &RuleSet) -> Result<Bitboard, SetupError> {
    let mut targets = Bitboard::EMPTY;
    if rules.en_passant == EnPassant::Never || setup.en_passant == "-" {
        return Ok(targets);
    }
    let unreadable = || SetupError::EnPassantText(setup.en_passant.clone());
    if setup.en_passant.is_empty() {
        return Err(unreadable());
    }
    for pair in setup.en_passant.as_bytes().chunks(2) {
        let text = std::str::from_utf8(pair).map_err(|_| unreadable())?;
        let target: Square = text.parse().map_err(|_| unreadable())?;
        if targets.has(target) {
            return Err(unreadable());
        }
        let them = !setup.side;
        let pawn = Some(Piece { color: them, role: Role::Pawn });
        let skipped = Bitboard::rank(2, them).has(target)
            && !setup.board.occupied().has(target)
            && setup.board.piece_at(target.ahead(them)) == pawn;
        if !skipped {
            return Err(SetupError::EnPassantTarget(target));
        }
        targets |= target.bitboard();
    }
    Ok(targets)
}

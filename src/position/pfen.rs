//! Position text: a FEN whose en passant field may name several squares and whose counters count
//! quiet turns and turns.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use super::{Castling, Position, Setup, SetupError, Wing};
use crate::board::{Board, Color, Piece, Square};
use crate::rules::{MAX_TURN, RuleSet};

impl FromStr for Setup {
    type Err = SetupError;

    /// Reads `board side castling ep quiet turn`; the fields after the side may be missing from the
    /// right. Options may follow a bar: `| series=5 quiet=2 progressive_ep=d3,f3`.
    fn from_str(text: &str) -> Result<Setup, SetupError> {
        let (fields, options) = match text.split_once('|') {
            Some((fields, options)) => (fields, Some(options)),
            None => (text, None),
        };
        let mut fields = fields.split_whitespace();
        let board = parse_board(fields.next().ok_or(SetupError::Missing("board"))?)?;
        let side = match fields.next().ok_or(SetupError::Missing("side"))? {
            "w" => Color::White,
            "b" => Color::Black,
            other => return Err(SetupError::SideText(other.to_string())),
        };
        let castling = fields.next().unwrap_or("-").to_string();
        let en_passant = fields.next().unwrap_or("-").to_string();
        let quiet = fields.next().map_or(Ok(0), |text| number("quiet turns", text, 0))?;
        // Without a turn number White has begun and Black answers.
        let turn = fields.next().map_or(Ok(1 + side as u16), |text| number("turn", text, 1))?;
        if let Some(extra) = fields.next() {
            return Err(SetupError::Trailing(extra.to_string()));
        }
        let mut setup = Setup { board, side, castling, en_passant, quiet, turn };
        for option in options.unwrap_or("").split_whitespace() {
            setup.apply_option(option)?;
        }
        Ok(setup)
    }
}

impl Setup {
    fn apply_option(&mut self, option: &str) -> Result<(), SetupError> {
        match option.split_once('=') {
            Some(("series", value)) => self.turn = number("series", value, 1)?,
            Some(("quiet", value)) => self.quiet = number("quiet turns", value, 0)?,
            Some(("progressive_ep", value)) => self.en_passant = value.replace(',', ""),
            _ => return Err(SetupError::UnknownOption(option.to_string())),
        }
        Ok(())
    }
}

/// Reads a number from `low` to [`MAX_TURN`].
fn number(field: &'static str, text: &str, low: u16) -> Result<u16, SetupError> {
    text.parse()
        .ok()
        .filter(|value| (low..=MAX_TURN).contains(value) && !text.starts_with('+'))
        .ok_or_else(|| SetupError::Number(field, text.to_string(), low, MAX_TURN))
}

fn parse_board(text: &str) -> Result<Board, SetupError> {
    let wrong = || SetupError::BoardText(text.to_string());
    let mut board = Board::empty();
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 8 {
        return Err(wrong());
    }
    for (row, rank) in ranks.into_iter().zip((0..8).rev()).map(|(rank, row)| (row, rank)) {
        let mut file = 0;
        for letter in rank.chars() {
            if let Some(empty @ 1..=8) = letter.to_digit(10) {
                file += empty as usize;
            } else {
                let piece = Piece::from_letter(letter).ok_or_else(wrong)?;
                if file >= 8 {
                    return Err(wrong());
                }
                board.toggle(piece.color, piece.role, Square::at(file, row));
                file += 1;
            }
        }
        if file != 8 {
            return Err(wrong());
        }
    }
    Ok(board)
}

impl Position {
    /// Reads position text for a variant.
    ///
    /// # Errors
    /// What is wrong with the text, or which rule the position breaks.
    pub fn from_pfen(text: &str, rules: &'static RuleSet) -> Result<Position, SetupError> {
        Position::from_setup(&text.parse()?, rules)
    }

    /// The position text. It describes starts of turns; inside a series it tells the men as they
    /// stand now, and [`Game`](super::Game) tells the start of the turn and the moves made.
    pub fn pfen(&self) -> String {
        let mut text = board_text(&self.board);
        let side = if self.side == Color::White { 'w' } else { 'b' };
        let (castling, ep) = (self.castling, square_list(self));
        let _ = write!(text, " {side} {castling} {ep} {} {}", self.quiet, self.turn);
        text
    }
}

fn board_text(board: &Board) -> String {
    let mut text = String::with_capacity(90);
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            match board.piece_at(Square::at(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        let _ = write!(text, "{empty}");
                        empty = 0;
                    }
                    text.push(piece.letter());
                }
            }
        }
        if empty > 0 {
            let _ = write!(text, "{empty}");
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

fn square_list(position: &Position) -> String {
    let mut names: Vec<String> = position.ep.into_iter().map(|square| square.to_string()).collect();
    names.sort();
    if names.is_empty() { "-".to_string() } else { names.concat() }
}

impl fmt::Display for Castling {
    /// The castling field: `KQkq`, then `E` and `e` where they say something new, or `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cased = |color: Color, letter: char| match color {
            Color::White => letter.to_ascii_uppercase(),
            Color::Black => letter,
        };
        let mut text = String::new();
        for color in Color::ALL {
            for (wing, letter) in Wing::ALL.into_iter().zip(['k', 'q']) {
                if self.has(color, wing) {
                    text.push(cased(color, letter));
                }
            }
        }
        for color in Color::ALL {
            if self.king_unmoved(color) && !self.any(color) {
                text.push(cased(color, 'e'));
            }
        }
        f.write_str(if text.is_empty() { "-" } else { &text })
    }
}

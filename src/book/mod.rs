//! The opening book: series that were chosen beforehand, with more thought than a game leaves.
//!
//! A variant that has a book has a text with a line for each position ([`Line`]), which
//! `crescendo book` makes. It is read when a book is asked for first, and every move in it is
//! played by the rules before it is believed. `docs/player.md` tells what is in it.

mod line;

use std::collections::HashMap;
use std::fmt;
use std::sync::OnceLock;

pub use line::{Line, Pick};

use crate::position::{Game, Position};
use crate::rules::{RuleSet, variants};
use crate::search::{Choice, Report, Request, Safety};

/// The text of a book, and the book itself once it has been asked for; `None` if the text is wrong.
struct Shelf {
    variant: &'static str,
    text: &'static str,
    book: OnceLock<Option<Book>>,
}

/// All books.
static SHELVES: [Shelf; 2] = [
    Shelf::new("scottish", include_str!("scottish.txt")),
    Shelf::new("italian", include_str!("italian.txt")),
];

impl Shelf {
    const fn new(variant: &'static str, text: &'static str) -> Shelf {
        Shelf { variant, text, book: OnceLock::new() }
    }
}

/// The first line that is wrong in the text of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadLine {
    /// Its number, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.number, self.reason)
    }
}

impl std::error::Error for BadLine {}

/// What tells the positions of a book apart: board, castling, en passant, and the turn.
pub type Key = (u64, u16);

/// The key of the start of a turn.
pub fn key(position: &Position) -> Key {
    (position.key(), position.turn())
}

/// The series for some positions at the start of a turn.
#[derive(Clone, Debug, Default)]
pub struct Book {
    picks: HashMap<Key, Pick>,
}

impl Book {
    /// The book for these rules, if there is one.
    pub fn of(rules: &RuleSet) -> Option<&'static Book> {
        let shelf = SHELVES.iter().find(|shelf| shelf.variant == rules.name)?;
        let known = variants::find(shelf.variant).filter(|known| *known == rules)?;
        shelf.book.get_or_init(|| Book::read(shelf.text, known).ok()).as_ref()
    }

    /// The book of a text: a [`Line`] for each position. Blank lines and those that begin with `#`
    /// are left out.
    ///
    /// # Errors
    /// The first line that is garbled, has an illegal or incomplete series, or is about a position
    /// that an earlier line is about.
    pub fn read(text: &str, rules: &'static RuleSet) -> Result<Book, BadLine> {
        let mut book = Book::default();
        for (number, text) in (1..).zip(text.lines()) {
            let bad = |reason: String| BadLine { number, reason };
            let Some(line) = Line::read(text, rules).map_err(bad)? else { continue };
            if book.picks.insert(key(&line.position), line.pick).is_some() {
                return Err(bad("an earlier line is about this position".to_string()));
            }
        }
        Ok(book)
    }

    /// The series for the start of a turn. Positions with more quiet turns than there have been
    /// turns are none of a game, and the ten-turn rule may be near.
    pub fn pick(&self, position: &Position) -> Option<&Pick> {
        let plain = position.at_boundary() && position.quiet_turns() < position.turn();
        self.picks.get(&key(position)).filter(|_| plain)
    }
}

/// What the book has to say to a search: the line to report and the choice, whose series is the rest
/// of the current one. `None` if the search is one that has to be made: without a clock or a
/// time, with another limit besides, of given first moves, or for several lines.
pub fn answer(game: &Game, request: &Request) -> Option<(Report, Choice)> {
    let limits = &request.limits;
    let other_limits = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.infinite
        || !limits.search_moves.is_empty();
    if request.plan.hard.is_none() || other_limits || request.multi_pv > 1 {
        return None;
    }
    let book = Book::of(game.boundary().rules())?;
    let pick = book.pick(game.boundary())?;
    let series = pick.series.strip_prefix(game.series())?.to_vec();
    let mut after = *game.position();
    series.iter().try_for_each(|&mv| after.play(mv)).ok()?;
    let ponder = book.pick(&after).map_or_else(Vec::new, |reply| reply.series.clone());
    let pv = [series.as_slice(), &ponder].concat();
    let report = Report {
        depth: if ponder.is_empty() { 1 } else { 2 },
        seldepth: pv.len() as u32,
        multipv: 1,
        score: pick.score,
        nodes: 0,
        hashfull: 0,
        elapsed: std::time::Duration::ZERO,
        pv,
        // The tool that makes books proves every series.
        safety: Some(Safety::Proved),
    };
    Some((report, Choice { series, ponder }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_told_by_number_and_reason() {
        let rules = variants::default();
        for (text, number, reason) in [
            ("e2e4", 1, "there is no '='"),
            ("= e2e4 7\n# e2e4\n\n= e2e4", 4, "series or score is missing"),
            ("e2e4 = e7e5 g8f6", 1, "'g8f6' is no score"),
            ("= e2e3 #0", 1, "'#0' is no score"),
            ("= e2e4 7\n= e2e3 7", 2, "an earlier line is about this position"),
            ("e2e5 = e7e5 g8f6 7", 1, "e2e5 is illegal: a pawn cannot go there"),
            ("e2e4 e7e5 = g8f6 7", 1, "the moves end inside a series"),
            ("e2e4 = e7e5 7", 1, "the series does not end"),
            ("e2e4 = 7", 1, "series or score is missing"),
            ("e2e4 = e7e5 g8f6 g1f3 7", 1, "the series ends before g1f3"),
            ("e2e4 = e7e5 e5e3 7", 1, "e5e3 is illegal: a pawn cannot go there"),
            ("e2e4 = e7 g8f6 7", 1, "'e7' is not a move like e2e4 or e7e8q"),
        ] {
            let bad = Book::read(text, rules).err();
            assert_eq!(bad, Some(BadLine { number, reason: reason.to_string() }), "{text}");
        }
    }

    #[test]
    fn a_position_counts_with_its_turn_and_quiet_turns() {
        let rules = variants::default();
        let book = Book::read("e2e4 = e7e5 g8f6 7", rules).unwrap();
        let pick = |pfen: &str| book.pick(&Position::from_pfen(pfen, rules).unwrap()).is_some();
        assert!(pick("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2"));
        assert!(pick("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 1 2"));
        assert!(!pick("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 2 2"));
        assert!(!pick("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"));
        assert!(!pick("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQk - 0 2"));
        assert!(!pick("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"));
    }

    #[test]
    fn other_rules_of_the_same_name_have_no_book() {
        let stranger = RuleSet { castling: false, ..*variants::default() };
        assert!(Book::of(&stranger).is_none());
        assert!(variants::ALL.iter().filter(|rules| Book::of(rules).is_some()).count() == 2);
    }
}

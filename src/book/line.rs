//! A line of a book: a position, and the series that the book has for it.
//!
//! `e2e4 = e7e5 d8h4 35`: the moves of the game so far, whole turns; `=`; the series; its score. That is in
//! centipawns, from the side that has the series. `#2` is a win in the second turn of that side, this
//! one counted, and `#-2` one of the opponent in his second, both proved.

use std::fmt;

use crate::position::{Move, Position, join};
use crate::rules::RuleSet;
use crate::search::Score;

/// A complete series, and what it is worth to the side that plays it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pick {
    pub series: Vec<Move>,
    pub score: Score,
}

/// What a book has for a position at the start of a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The moves from the normal array to the position, flat.
    pub moves: Vec<Move>,
    pub position: Position,
    pub pick: Pick,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for mv in &self.moves {
            write!(f, "{mv} ")?;
        }
        write!(f, "= {} ", join(&self.pick.series))?;
        match self.pick.score {
            Score::Centipawns(value) => write!(f, "{value}"),
            Score::Mate(turns) => write!(f, "#{turns}"),
        }
    }
}

impl Line {
    /// Reads a line as it is written; `None` if it is blank or a comment, which begins with `#`.
    ///
    /// # Errors
    /// One sentence: what is garbled, which move is illegal, or why the series is not one whole turn.
    pub fn read(text: &str, rules: &'static RuleSet) -> Result<Option<Line>, String> {
        let text = text.trim();
        if text.is_empty() || text.starts_with('#') {
            return Ok(None);
        }
        let (past, future) = text.split_once('=').ok_or("there is no '='")?;
        let (series, score) = future.trim().rsplit_once(' ').ok_or("series or score is missing")?;
        let (moves, mut position) = (read_moves(past)?, Position::start(rules));
        for &mv in &moves {
            position.play(mv).map_err(|error| error.to_string())?;
        }
        if !position.at_boundary() {
            return Err("the moves end inside a series".to_string());
        }
        let score = read_score(score).ok_or_else(|| format!("'{score}' is no score"))?;
        let pick = Pick { series: read_moves(series)?, score };
        pick.check(position)?;
        Ok(Some(Line { moves, position, pick }))
    }
}

impl Pick {
    /// Whether the series is legal and the rest of the turn, no less and no more.
    fn check(&self, mut position: Position) -> Result<(), String> {
        let side = position.side();
        for &mv in &self.series {
            if position.side() != side {
                return Err(format!("the series ends before {mv}"));
            }
            position.play(mv).map_err(|error| error.to_string())?;
        }
        if position.side() == side { Err("the series does not end".to_string()) } else { Ok(()) }
    }
}

fn read_score(text: &str) -> Option<Score> {
    match text.strip_prefix('#') {
        Some(turns) => turns.parse().ok().filter(|&turns| turns != 0).map(Score::Mate),
        None => text.parse().ok().map(Score::Centipawns),
    }
}

fn read_moves(text: &str) -> Result<Vec<Move>, String> {
    let read = |word: &str| word.parse().map_err(|error| format!("'{word}' is {error}"));
    text.split_whitespace().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    #[test]
    fn lines_are_read_as_they_are_written() {
        for text in ["= e2e4 -7", "e2e4 = e7e5 d8h4 35", "e2e4 = d7d5 c8g4 #-2"] {
            let line = Line::read(text, variants::default()).unwrap().unwrap();
            assert_eq!(line.to_string(), text);
        }
        for text in ["", "  ", "# e2e4"] {
            assert_eq!(Line::read(text, variants::default()), Ok(None));
        }
    }
}

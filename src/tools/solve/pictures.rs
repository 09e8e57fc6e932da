//! Winning series by the positions they lead to, and whether a problem is sound.

use std::collections::HashMap;
use std::fmt::Write;

use super::score;
use crate::Position;
use crate::notation::Letters;
use crate::position::Move;
use crate::rules::Goal;

/// How a list has ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// These are all.
    Complete,
    /// There are more than were wanted.
    More,
    /// A limit came first.
    Stopped,
}

/// The winning series of a position.
pub(super) struct Solutions {
    start: Position,
    /// Only series of this many moves are solutions, shorter ones cooks.
    exact: Option<usize>,
    pictures: Pictures,
    cooks: Pictures,
}

impl Solutions {
    /// None so far. If `exact`, only series of full length are solutions.
    pub fn new(start: &Position, exact: bool) -> Solutions {
        Solutions {
            start: *start,
            exact: exact.then(|| start.moves_left().into()),
            pictures: Pictures::default(),
            cooks: Pictures::default(),
        }
    }

    /// Adds a winning series.
    pub fn add(&mut self, series: Vec<Move>) {
        let short = self.exact.is_some_and(|length| series.len() < length);
        let pictures = if short { &mut self.cooks } else { &mut self.pictures };
        pictures.add(&self.start, series);
    }

    /// Everything in words, the judgement last.
    pub fn report(&self, end: End, letters: &'static Letters) -> String {
        let mut text = String::new();
        let name = self.picture_name();
        for (number, picture) in (1..).zip(&self.pictures.all) {
            let Picture { text: position, solutions } = picture;
            let (series, different) = (picture.series(), solutions.len());
            let _ = writeln!(text, "{name} {number}: {position}");
            let _ = writeln!(text, "{series} series, {different} up to move order:");
            for orders in solutions {
                for (index, series) in orders.iter().enumerate() {
                    let indent = if index == 0 { "  " } else { "    " };
                    let _ = writeln!(text, "{indent}{}", score(&self.start, series, letters));
                }
            }
            text.push('\n');
        }
        if !self.cooks.all.is_empty() {
            text.push_str("cooks:\n");
            for series in
                self.cooks.all.iter().flat_map(|picture| picture.solutions.iter().flatten())
            {
                let moves = count(series.len(), "move");
                let _ = writeln!(text, "  {moves}: {}", score(&self.start, series, letters));
            }
            text.push('\n');
        }
        text + &self.judgement(end) + "\n"
    }

    fn picture_name(&self) -> &'static str {
        match self.start.rules().goal {
            Goal::Checkmate => "mating picture",
            Goal::TakeAll => "final picture",
        }
    }

    /// One sentence: sound, cooked, without solution, or unknown.
    fn judgement(&self, end: End) -> String {
        let (different, short) = (self.pictures.different(), self.cooks.different());
        let listed = self.pictures.series() + self.cooks.series();
        let what = match (different, short) {
            (0, 0) => "no solution".to_string(),
            (1, 0) => {
                let orders = count(self.pictures.series(), "move order");
                format!("one solution up to move order, {orders}")
            }
            (0, _) => format!("no solution of full length, {short} shorter up to move order"),
            _ => {
                let pictures = count(self.pictures.all.len(), self.picture_name());
                let solutions = count(different, "solution");
                let shorter = if short > 0 { format!(", {short} shorter") } else { String::new() };
                format!("{solutions} up to move order in {pictures}{shorter}")
            }
        };
        match (end, different + short) {
            (End::Complete, 0) => what,
            (End::Complete, 1) if short == 0 => format!("sound: {what}"),
            (End::Complete, _) => format!("cooked: {what}"),
            (End::More, 0..2) if short == 0 => {
                format!("unknown: more than {listed} series, those listed have {what}")
            }
            (End::More, _) => {
                format!("cooked: more than {listed} series, those listed have {what}")
            }
            (End::Stopped, 0..2) if short == 0 => {
                format!("unknown: stopped at a limit, so far {what}")
            }
            (End::Stopped, _) => format!("cooked: stopped at a limit, so far {what}"),
        }
    }
}

/// Series by the diagram they lead to, in the order in which they came.
#[derive(Default)]
struct Pictures {
    all: Vec<Picture>,
    /// By diagram: which picture.
    known: HashMap<String, usize>,
    /// By picture and moves in order of name: which solution of the picture.
    solutions: HashMap<(usize, Vec<Move>), usize>,
}

/// A final position and the series that lead to it.
struct Picture {
    text: String,
    /// Each solution with its orders of moves.
    solutions: Vec<Vec<Vec<Move>>>,
}

impl Picture {
    fn series(&self) -> usize {
        self.solutions.iter().map(Vec::len).sum()
    }
}

impl Pictures {
    fn add(&mut self, start: &Position, series: Vec<Move>) {
        let mut end = *start;
        series.iter().for_each(|&mv| end.play_unchecked(mv));
        let text = end.pfen();
        let diagram = text.split(' ').next().unwrap_or_default().to_string();
        let mut moves = series.clone();
        moves.sort();
        let all = &mut self.all;
        let picture = *self.known.entry(diagram).or_insert_with(|| {
            all.push(Picture { text, solutions: Vec::new() });
            all.len() - 1
        });
        let solutions = &mut self.all[picture].solutions;
        let solution = *self.solutions.entry((picture, moves)).or_insert_with(|| {
            solutions.push(Vec::new());
            solutions.len() - 1
        });
        solutions[solution].push(series);
    }

    /// All series.
    fn series(&self) -> usize {
        self.all.iter().map(Picture::series).sum()
    }

    /// Solutions that differ by more than the order of moves.
    fn different(&self) -> usize {
        self.all.iter().map(|picture| picture.solutions.len()).sum()
    }
}

/// `1 move`, `2 moves`.
fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

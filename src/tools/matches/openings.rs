//! From where the games start: a book of random first turns, or positions from a file.

use std::collections::HashSet;
use std::fs;

use crate::board::{Color, Role, mix};
use crate::position::{Game, Move, Position, join};
use crate::rules::RuleSet;
use crate::search::Control;
use crate::search::solver::{Solver, Verdict};

/// The most random turns: behind more of them somebody can nearly always win at once.
pub const MOST_TURNS: u16 = 4;

/// How often a further opening is looked for before one is taken twice.
const TRIES: u32 = 200;

/// How much work it may be to prove that nobody wins at once, in nodes.
const PROOF: u64 = 2_000_000;

/// The start of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    position: Position,
    moves: Vec<Move>,
}

impl Opening {
    /// Where the engines begin: the start of a turn.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The moves from the normal array to it, flat; empty if it was set up or is the array itself.
    pub fn moves(&self) -> String {
        join(&self.moves)
    }
}

/// Openings in a fixed order.
pub enum Book {
    /// Random turns from the normal array.
    Random(Box<RandomBook>),
    /// Those of a file, again and again; never empty.
    Listed(Vec<Opening>),
}

impl Book {
    /// The openings of a file: position texts, one on each line; blank lines and lines that begin
    /// with `#` are skipped.
    ///
    /// # Errors
    /// One sentence: the file cannot be read, has no positions, or one of them is illegal or
    /// decided.
    pub fn read(name: &str, rules: &'static RuleSet) -> Result<Book, String> {
        let text =
            fs::read_to_string(name).map_err(|error| format!("cannot read {name}: {error}"))?;
        let mut openings = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let wrong = |error: String| format!("{name}, line {}: {error}", index + 1);
            let position =
                Position::from_pfen(line, rules).map_err(|error| wrong(error.to_string()))?;
            if let Some(outcome) = Game::new(position).outcome(|_| false) {
                return Err(wrong(format!("the game has ended here ({outcome})")));
            }
            openings.push(Opening { position, moves: Vec::new() });
        }
        if openings.is_empty() {
            return Err(format!("{name} has no positions"));
        }
        Ok(Book::Listed(openings))
    }

    /// The opening with this index, from 0. The same index always has the same.
    pub fn opening(&mut self, index: u64) -> Opening {
        match self {
            Book::Random(book) => book.opening(index),
            Book::Listed(openings) => openings[(index % openings.len() as u64) as usize].clone(),
        }
    }
}

/// Random legal turns from the normal array behind which both sides have the same men, nobody has
/// won and the side to move is proved not to win at once.
pub struct RandomBook {
    start: Position,
    turns: u16,
    random: Random,
    solver: Solver,
    found: Vec<Opening>,
    keys: HashSet<u64>,
}

impl RandomBook {
    /// A book of openings of `turns` turns. The same seed gives the same openings in the same
    /// order.
    pub fn new(rules: &'static RuleSet, turns: u16, seed: u64) -> RandomBook {
        RandomBook {
            start: Position::start(rules),
            turns,
            random: Random(mix(seed)),
            solver: Solver::new(16),
            found: Vec::new(),
            keys: HashSet::new(),
        }
    }

    fn opening(&mut self, index: u64) -> Opening {
        let index = index as usize;
        while self.found.len() <= index {
            let next = self.next();
            self.keys.insert(next.position.key());
            self.found.push(next);
        }
        self.found[index].clone()
    }

    /// An opening that is not in the book yet, if one is found in due time.
    fn next(&mut self) -> Opening {
        let mut tries = 0;
        loop {
            tries += 1;
            if let Some(opening) = self.random_turns()
                && (tries > TRIES || !self.keys.contains(&opening.position.key()))
                && self.is_fair(&opening.position)
            {
                return opening;
            }
        }
    }

    /// Random moves for as many turns as are wanted; `None` if the game ends before.
    fn random_turns(&mut self) -> Option<Opening> {
        let mut game = Game::new(self.start);
        let first = self.start.turn();
        while game.position().turn() < first + self.turns {
            let legal = game.position().legal_moves();
            let chosen = *legal.get(self.random.below(legal.len()))?;
            game.play(chosen).ok()?;
        }
        Some(Opening { position: *game.position(), moves: game.moves().to_vec() })
    }

    fn is_fair(&mut self, position: &Position) -> bool {
        let board = position.board();
        let same = |role| {
            let count = |color| board.pieces(color, role).len();
            count(Color::White) == count(Color::Black)
        };
        let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
        let control = Control::unlimited().within_nodes(PROOF);
        roles.into_iter().all(same)
            && position.outcome().is_none()
            && !position.in_check()
            && self.solver.find(position, &control) == Verdict::None
    }
}

/// A small generator of random numbers (splitmix64), whose sequence belongs to its seed for good.
struct Random(u64);

impl Random {
    /// A number below `bound`; 0 if that is 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        ((u128::from(mix(self.0)) * bound as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    fn first(rules: &'static RuleSet, turns: u16, seed: u64, count: u64) -> Vec<Opening> {
        let mut book = RandomBook::new(rules, turns, seed);
        (0..count).map(|index| book.opening(index)).collect()
    }

    #[test]
    fn a_seed_names_its_openings() {
        let rules = variants::default();
        let openings = first(rules, 3, 7, 8);
        assert_eq!(openings, first(rules, 3, 7, 8));
        assert_ne!(openings, first(rules, 3, 8, 8));
        let mut backwards = RandomBook::new(rules, 3, 7);
        assert_eq!(backwards.opening(7), openings[7]);
        assert_eq!(backwards.opening(0), openings[0]);
    }

    #[test]
    fn openings_are_fair_and_different() {
        for rules in &variants::ALL {
            let openings = first(rules, 2, 1, 10);
            let keys: HashSet<u64> = openings.iter().map(|one| one.position().key()).collect();
            assert_eq!(keys.len(), 10, "{}", rules.name);
            for opening in &openings {
                let position = opening.position();
                assert!(position.at_boundary() && position.turn() == 3);
                let mut solver = Solver::new(16);
                assert_eq!(solver.find(&position, &Control::unlimited()), Verdict::None);
            }
        }
    }

    #[test]
    fn a_book_that_is_used_up_begins_to_repeat() {
        let openings = first(variants::find("logical").unwrap(), 1, 1, 20);
        let keys: HashSet<u64> = openings.iter().map(|one| one.position().key()).collect();
        assert_eq!((openings.len(), keys.len()), (20, 12));
    }
}

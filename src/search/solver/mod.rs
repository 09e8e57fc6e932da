//! Winning series: find one, prove that there is none, count them, list them.
//!
//! A series wins if it mates, or where the goal is to take everything, if it takes the last man.

mod bound;
mod find;
mod last_but_one;
mod table;
mod view;

use std::collections::HashMap;

pub use find::Prunings;

use super::Control;
use crate::board::mix;
use crate::position::{Move, Position};
use crate::rules::RuleSet;
use find::{Break, Finder, Task};
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
    /// Series found, different orders of moves counted apart; at most [`u128::MAX`].
    pub count: u128,
    /// Whether these are all.
    pub complete: bool,
    /// Positions looked at.
    pub nodes: u64,
}

/// Looks for winning series; keeps its table from one question to the next.
pub struct Solver {
    table: Table,
    prunings: Prunings,
    nodes: u64,
}

impl Solver {
    /// A solver whose table takes at most `megabytes` MiB.
    pub fn new(megabytes: usize) -> Solver {
        Solver { table: Table::new(megabytes << 20), prunings: Prunings::ALL, nodes: 0 }
    }

    /// The same with some prunings switched off. The answers do not change, only the effort.
    pub fn with_prunings(self, prunings: Prunings) -> Solver {
        Solver { prunings, ..self }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Positions looked at for the last question.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move wins with the rest of this series.
    pub fn find(&mut self, position: &Position, control: &Control) -> Verdict {
        let mut finder = self.finder(position, Task::First, control);
        let (result, nodes) = (finder.run(position), finder.nodes());
        let verdict = match result {
            Ok(_) => Verdict::None,
            Err(Break::Enough) => Verdict::Found(finder.into_series()),
            Err(Break::Stopped) => Verdict::Unknown,
        };
        self.nodes = nodes;
        verdict
    }

    /// Counts all winning series without listing them; equal positions are counted once. If the
    /// count breaks off, the tally is not complete and its count 0.
    pub fn count(&mut self, position: &Position, control: &Control) -> Tally {
        let mut finder = self.finder(position, Task::Count(HashMap::new()), control);
        let (result, nodes) = (finder.run(position), finder.nodes());
        self.nodes = nodes;
        match result {
            Ok(count) => Tally { count, complete: true, nodes },
            Err(_) => Tally { count: 0, complete: false, nodes },
        }
    }

    /// Tells `on_solution` every winning series, up to `max` of them.
    pub fn list(
        &mut self,
        position: &Position,
        max: Option<u64>,
        control: &Control,
        on_solution: &mut dyn FnMut(&[Move]),
    ) -> Tally {
        let mut told = 0u64;
        let mut tell = |series: &[Move]| {
            // One more than wanted shows that these were not all.
            let wanted = max.is_none_or(|max| told < max);
            if wanted {
                told += 1;
                on_solution(series);
            }
            wanted
        };
        let mut finder = self.finder(position, Task::List(&mut tell), control);
        let (result, nodes) = (finder.run(position), finder.nodes());
        drop(finder);
        self.nodes = nodes;
        Tally { count: told.into(), complete: result.is_ok(), nodes }
    }

    fn finder<'s, 't>(
        &'s mut self,
        position: &Position,
        task: Task<'t>,
        control: &'s Control,
    ) -> Finder<'s, 't> {
        Finder::new(position, task, &mut self.table, self.prunings, control)
    }
}

/// Refutations hold for the rules under which they were found.
fn rules_salt(rules: &RuleSet) -> u64 {
    rules.name.bytes().fold(0, |salt, byte| mix(salt ^ u64::from(byte)))
}

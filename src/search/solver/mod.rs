//! Winning series: find one, prove that there is none, count them, list them.
//!
//! A series wins if it mates, or where the goal is to take everything, if it takes the last man.

mod adapt;
mod bound;
mod counts;
mod find;
mod flights;
mod futile;
mod glance;
mod last_but_one;
mod openers;
mod order;
mod parallel;
mod progress;
mod table;
mod view;

use std::cell::{Cell, RefCell};
use std::sync::Arc;

pub use find::Prunings;
pub(super) use find::rules_salt;
pub use progress::{Progress, Stage};

use super::Control;
use crate::position::{Move, Position};
use bound::Bound;
use counts::Counts;
use find::{Finder, Problem, Task, lengths};
use glance::Lists;
use parallel::Found;
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

/// Whether the side to move wins in this turn with a series that begins with one of the legal moves
/// `first`, or with any move if that is empty. `solve` is asked about positions inside the series.
pub fn wins_with(
    position: &Position,
    first: &[Move],
    mut solve: impl FnMut(&Position) -> Verdict,
) -> Verdict {
    if first.is_empty() {
        return solve(position);
    }
    let mut verdict = Verdict::None;
    for &mv in first {
        let mut next = *position;
        next.play_unchecked(mv);
        let behind = match next.at_boundary() {
            false => solve(&next),
            true if next.is_lost() => Verdict::Found(Vec::new()),
            true => Verdict::None,
        };
        match behind {
            Verdict::Found(rest) => return Verdict::Found([vec![mv], rest].concat()),
            Verdict::Unknown => verdict = Verdict::Unknown,
            Verdict::None => {}
        }
    }
    verdict
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
    /// What everything may take together.
    bytes: usize,
    table: Table,
    /// What the last question has counted, until its memory is needed.
    counts: Option<Counts>,
    /// Made for the first glance.
    lists: Option<Lists>,
    prunings: Prunings,
    threads: usize,
    nodes: u64,
    progress: Arc<Progress>,
}

/// A glance uses the table of a search for series of so many moves.
const GLANCE_TABLE: u8 = 6;

impl Solver {
    /// A solver whose tables take at most `megabytes` MiB.
    pub fn new(megabytes: usize) -> Solver {
        let bytes = megabytes << 20;
        Solver {
            bytes,
            table: Table::new(bytes),
            counts: None,
            lists: None,
            prunings: Prunings::ALL,
            threads: 1,
            nodes: 0,
            progress: Arc::default(),
        }
    }

    /// The same with some prunings switched off. The answers do not change, only the effort.
    pub fn with_prunings(self, prunings: Prunings) -> Solver {
        Solver { prunings, ..self }
    }

    /// From now on [`Solver::find`] and glances use this many threads, at least one. With one, what it
    /// finds and the nodes it takes are always the same.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    /// From now on `progress` tells how far a question has come.
    pub fn set_progress(&mut self, progress: Arc<Progress>) {
        self.progress = progress;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.drop_counts();
        self.table.clear();
    }

    /// How full the part of the table in use is, in thousandths.
    pub fn hashfull(&self) -> u32 {
        self.table.fill()
    }

    /// Positions looked at for the last question.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the side to move wins with the rest of this series. Of the winning series it finds
    /// one of the shortest.
    pub fn find(&mut self, position: &Position, control: &Control) -> Verdict {
        self.drop_counts();
        let bound = self.bound(position);
        self.nodes = 0;
        for moves in lengths(position) {
            let rest = control.after_nodes(self.nodes);
            if self.is_over(&rest) {
                return Verdict::Unknown;
            }
            let threads = parallel::worthwhile(self.threads, moves);
            let mut problem = self.problem(position, bound.as_ref(), moves, &rest);
            problem.threads = threads as u64;
            let Found { ended, series, nodes } = parallel::find(&problem, moves);
            self.nodes += nodes;
            match (ended, series) {
                (Ok(()), _) => {}
                (Err(_), Some(series)) => return Verdict::Found(series),
                (Err(_), None) => return Verdict::Unknown,
            }
        }
        Verdict::None
    }

    /// Looks quickly for a series that wins with its last move, at `width` positions after each
    /// move; `None` says nothing. A width of 100 finds nine of ten mates of seven or eight moves
    /// in a tenth of the time of [`Solver::find`].
    pub fn glance(
        &mut self,
        position: &Position,
        width: usize,
        control: &Control,
    ) -> Option<Vec<Move>> {
        self.drop_counts();
        self.nodes = 0;
        // Only the last moves are remembered: a small table does.
        let moves = position.moves_left().min(GLANCE_TABLE);
        let mut lists = self.lists.take().unwrap_or_else(|| Lists::new(position));
        let threads = self.threads as u64;
        let mut problem = self.problem(position, None, moves, control);
        problem.threads = threads;
        let (series, nodes) = glance::glance(&problem, width, &mut lists);
        self.lists = Some(lists);
        self.nodes = nodes;
        series
    }

    /// Looks for a win that begins like one of `winners`, series that have won in similar positions;
    /// `None` says nothing.
    pub fn adapt<'w>(
        &mut self,
        position: &Position,
        winners: impl Iterator<Item = &'w [Move]>,
        control: &Control,
    ) -> Option<Vec<Move>> {
        self.drop_counts();
        self.nodes = 0;
        let moves = position.moves_left().min(GLANCE_TABLE);
        let problem = self.problem(position, None, moves, control);
        let (series, nodes) = adapt::adapt(&problem, winners);
        self.nodes = nodes;
        series
    }

    /// Counts all winning series without listing them; equal positions are counted once. If the
    /// count breaks off, the tally is not complete and has the series of the lengths settled.
    ///
    /// The numbers take half of the memory, for which some earlier refutations are forgotten.
    pub fn count(&mut self, position: &Position, control: &Control) -> Tally {
        self.drop_counts();
        self.table.set_limit(self.bytes / 2);
        let counts = RefCell::new(Counts::new(self.bytes / 2));
        let tally = self.go_through(position, control, &|moves, nodes| {
            counts.borrow_mut().prepare(moves, nodes);
            Task::Count(&counts)
        });
        // To give much memory back takes its time, and somebody waits for the answer.
        self.counts = Some(counts.into_inner());
        tally
    }

    /// Makes room for the next question.
    fn drop_counts(&mut self) {
        self.counts = None;
        self.table.set_limit(self.bytes);
    }

    /// Tells `on_solution` every winning series, short ones first, up to `max` of them.
    pub fn list(
        &mut self,
        position: &Position,
        max: Option<u64>,
        control: &Control,
        on_solution: &mut dyn FnMut(&[Move]),
    ) -> Tally {
        self.drop_counts();
        let told = Cell::new(0u64);
        let on_solution = RefCell::new(on_solution);
        let tell = |series: &[Move]| {
            // One more than wanted shows that these were not all.
            let wanted = max.is_none_or(|max| told.get() < max);
            if wanted {
                told.set(told.get() + 1);
                on_solution.borrow_mut()(series);
            }
            wanted
        };
        let tally = self.go_through(position, control, &|_, _| Task::List(&tell));
        Tally { count: told.get().into(), ..tally }
    }

    /// Does a task for every length a winning series may have; `task` gets the length and the nodes
    /// that shorter series took.
    fn go_through<'t>(
        &mut self,
        position: &Position,
        control: &Control,
        task: &dyn Fn(u8, u64) -> Task<'t>,
    ) -> Tally {
        let bound = self.bound(position);
        let mut tally = Tally { complete: true, ..Tally::default() };
        self.nodes = 0;
        for moves in lengths(position) {
            let rest = control.after_nodes(self.nodes);
            if self.is_over(&rest) {
                tally.complete = false;
                break;
            }
            let task = task(moves, self.nodes);
            let problem = self.problem(position, bound.as_ref(), moves, &rest);
            let mut finder = Finder::new(&problem, task);
            let result = finder.run(&problem.root, moves);
            let nodes = finder.nodes();
            tally.nodes += nodes;
            self.nodes = tally.nodes;
            match result {
                Ok(count) => tally.count = tally.count.saturating_add(count),
                Err(_) => {
                    tally.complete = false;
                    break;
                }
            }
        }
        tally
    }

    /// Whether to stop between two lengths. Short series may be through before anybody looks at the
    /// clock; the first length always has its chance.
    fn is_over(&self, rest: &Control) -> bool {
        self.nodes > 0 && rest.should_stop(0)
    }

    fn bound(&self, position: &Position) -> Option<Bound> {
        self.prunings.bound.then(|| Bound::new(position, position.moves_left())).flatten()
    }

    fn problem<'s>(
        &'s mut self,
        position: &Position,
        bound: Option<&'s Bound>,
        moves: u8,
        control: &'s Control,
    ) -> Problem<'s> {
        self.progress.begin(moves, self.nodes);
        self.table.prepare(moves, self.nodes, || control.should_stop(0));
        Problem::new(position, &self.table, bound, self.prunings, control, &self.progress)
    }
}

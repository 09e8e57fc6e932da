//! From a line of input to what it asks for.

use std::time::Duration;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::engine::SolveTask;
use crate::protocol::play_moves;
use crate::rules::{RuleSet, variants};
use crate::search::Limits;
use crate::search::perft::Depth;
use crate::{Game, Position, Setup};

/// The most winning series that one answer lists, and how many it lists unless it is told.
const MOST_LISTED: u64 = 10_000;

/// The nodes of a search that nobody has limited: about a second. Unlike a second, they are the
/// same every time.
const SEARCH_NODES: u64 = 1_000_000;

/// The longest time that can be given, in milliseconds: three weeks.
const LONGEST_TIME: u64 = 2_000_000_000;

/// A line that has been read.
pub(super) struct Question {
    /// What the answer is to be called by, as it was written; `null` if nobody can tell.
    pub id: Box<RawValue>,
    /// The game and what to do with it, or what is wrong with the line.
    pub asked: Result<(Game, Task), String>,
}

/// What to do.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Task {
    /// Tell the state of the game.
    Status,
    /// Look for winning series of this turn; if `exact`, only those of full length are solutions.
    Solve { task: SolveTask, exact: bool, limits: Limits },
    /// Count sequences.
    Perft { depth: Depth, distinct: bool },
    /// Choose the rest of the series.
    Search { limits: Limits, multi_pv: u32 },
}

/// A line as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line<'l> {
    #[serde(borrow)]
    id: Option<&'l RawValue>,
    op: String,
    variant: Option<String>,
    setup: Option<String>,
    fen: Option<String>,
    series: Option<u16>,
    moves: Option<Moves>,
    #[serde(borrow)]
    limits: Option<&'l RawValue>,
}

/// The one field that is of use even in a line that is wrong.
#[derive(Deserialize)]
struct Named<'l> {
    #[serde(borrow)]
    id: Option<&'l RawValue>,
}

/// Moves one by one, or as one text.
#[derive(Deserialize)]
#[serde(untagged, expecting = "moves is neither a list of moves nor a text")]
enum Moves {
    List(Vec<String>),
    Text(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NoLimits {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SolveLimits {
    #[serde(default)]
    all: bool,
    #[serde(default)]
    count: bool,
    #[serde(default)]
    exact: bool,
    max: Option<u64>,
    movetime: Option<u64>,
    nodes: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PerftLimits {
    depth: Option<u64>,
    moves: Option<u64>,
    distinct: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SearchLimits {
    depth: Option<u64>,
    multipv: Option<u64>,
    movetime: Option<u64>,
    nodes: Option<u64>,
}

impl Question {
    /// Reads a line.
    pub fn read(line: &[u8]) -> Question {
        let id = id_of(line);
        let read = object(line).and_then(|line: Line| {
            if line.id.is_some() && id.get() == RawValue::NULL.get() {
                return Err("the id is neither a text nor a number".to_string());
            }
            Ok((line.game()?, line.task()?))
        });
        Question { id, asked: read }
    }
}

/// The id of a line, or `null` if it has none that can be read.
pub(super) fn id_of(line: &[u8]) -> Box<RawValue> {
    let id = object(line).ok().and_then(|named: Named| named.id);
    let is_name =
        |id: &&RawValue| id.get().starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit());
    id.filter(is_name).unwrap_or(RawValue::NULL).to_owned()
}

/// Reads an object of JSON. (For the library a list of the values of all fields would do as well.)
pub(super) fn object<'l, T: Deserialize<'l>>(text: &'l [u8]) -> Result<T, String> {
    if !text.trim_ascii_start().starts_with(b"{") {
        return Err("this is no JSON object".to_string());
    }
    serde_json::from_slice(text).map_err(|error| {
        let text = error.to_string();
        // There is but one line.
        text.rsplit_once(" at line ").map_or(text.as_str(), |(what, _)| what).to_string()
    })
}

impl Line<'_> {
    /// The game at the moment that is asked about.
    fn game(&self) -> Result<Game, String> {
        let rules = match &self.variant {
            Some(name) => variants::named(name)?,
            None => variants::default(),
        };
        let start = self.start(rules)?;
        let moves: Vec<&str> = match &self.moves {
            None => Vec::new(),
            Some(Moves::List(moves)) => moves.iter().map(String::as_str).collect(),
            Some(Moves::Text(moves)) => moves.split_ascii_whitespace().collect(),
        };
        play_moves(start, &moves)
    }

    fn start(&self, rules: &'static RuleSet) -> Result<Position, String> {
        let setup: Setup = match (&self.setup, &self.fen) {
            (Some(_), Some(_)) => return Err("setup and fen exclude each other".to_string()),
            (Some(name), None) if name != "startpos" => {
                return Err(format!("setup: '{name}' is not startpos"));
            }
            (_, Some(fen)) => fen.parse().map_err(|error| format!("fen: {error}"))?,
            (_, None) => Setup::start(),
        };
        let setup = Setup { turn: self.series.unwrap_or(setup.turn), ..setup };
        Position::from_setup(&setup, rules).map_err(|error| error.to_string())
    }

    fn task(&self) -> Result<Task, String> {
        match self.op.as_str() {
            "status" => self.limits().map(|NoLimits {}| Task::Status),
            "solve" => self.limits().and_then(SolveLimits::task),
            "perft" => self.limits().and_then(PerftLimits::task),
            "search" => self.limits().and_then(SearchLimits::task),
            other => Err(format!("op '{other}' is neither status, solve, perft nor search")),
        }
    }

    /// The limits that this operation has.
    fn limits<'l, T: Deserialize<'l>>(&'l self) -> Result<T, String> {
        let text = self.limits.map_or("{}", RawValue::get);
        object(text.as_bytes()).map_err(|error| format!("limits: {error}"))
    }
}

impl SolveLimits {
    fn task(self) -> Result<Task, String> {
        let SolveLimits { all, count, exact, max, movetime, nodes } = self;
        let lists = all || exact || max.is_some();
        let task = match (count, lists) {
            (true, true) => return Err("limits: count excludes all, exact and max".to_string()),
            (true, false) => SolveTask::Count,
            (false, true) => {
                let max = within("max", max, 1, MOST_LISTED)?;
                SolveTask::List(Some(max.unwrap_or(MOST_LISTED)))
            }
            (false, false) => SolveTask::Find,
        };
        Ok(Task::Solve { task, exact, limits: spending(movetime, nodes)? })
    }
}

impl PerftLimits {
    fn task(self) -> Result<Task, String> {
        let turns = within("depth", self.depth, 1, 255)?;
        let moves = within("moves", self.moves, 1, 1000)?;
        let depth = match (turns, moves) {
            (Some(turns), None) => Depth::Turns(turns as u32),
            (None, Some(moves)) => Depth::Moves(moves as u32),
            _ => return Err("limits: perft needs either depth or moves".to_string()),
        };
        Ok(Task::Perft { depth, distinct: self.distinct.unwrap_or(true) })
    }
}

impl SearchLimits {
    fn task(self) -> Result<Task, String> {
        let SearchLimits { depth, multipv, movetime, nodes } = self;
        let open = depth.is_none() && movetime.is_none();
        let limits = spending(movetime, nodes.or(open.then_some(SEARCH_NODES)))?;
        let depth = within("depth", depth, 1, 255)?.map(|depth| depth as u32);
        let multi_pv = within("multipv", multipv, 1, 64)?.unwrap_or(1) as u32;
        Ok(Task::Search { limits: Limits { depth, ..limits }, multi_pv })
    }
}

/// The limits of time and nodes.
fn spending(movetime: Option<u64>, nodes: Option<u64>) -> Result<Limits, String> {
    let move_time = within("movetime", movetime, 0, LONGEST_TIME)?.map(Duration::from_millis);
    let nodes = within("nodes", nodes, 1, u64::MAX)?;
    Ok(Limits { move_time, nodes, ..Limits::default() })
}

/// The number if it is in range.
fn within(name: &str, number: Option<u64>, low: u64, high: u64) -> Result<Option<u64>, String> {
    match number {
        Some(number) if !(low..=high).contains(&number) => {
            Err(format!("limits: {name} {number} is not a number from {low} to {high}"))
        }
        number => Ok(number),
    }
}

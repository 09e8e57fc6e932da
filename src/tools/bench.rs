//! `crescendo bench`: a fixed amount of work, whose node count is the fingerprint of behaviour.
//!
//! In every variant some positions are searched under a node limit, one of them is solved, and one
//! is counted. With one thread and fresh tables the count depends on the code alone: a change that
//! is meant to change nothing leaves it as it is.

use std::time::{Duration, Instant};

use super::print::print_text;
use crate::position::{Game, Position};
use crate::rules::{RuleSet, variants};
use crate::search::perft::{Depth, perft};
use crate::search::solver::Solver;
use crate::search::{Control, Limits, Request, Searcher, TimePlan};

/// Measure the speed on a fixed amount of work
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
The last line is '<nodes> nodes <nps> nps'. The number of nodes is the same in every run; it changes \
when the engine behaves in another way.

Example:
  crescendo bench")]
pub struct Args {
    /// How much work: each step doubles the nodes of each search
    #[arg(default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
}

/// The nodes of a search at depth 1.
const NODES: u64 = 1000;

/// The size of the tables, in MiB.
const HASH: usize = 32;

/// Positions of games, by what a variant has to allow: castling and double steps, or neither.
const POSITIONS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 3",
    "rnb1kb1r/pp2pppp/2p2n2/q2p4/3P4/2NB1N2/PPP2PPP/R1BQK2R b - - 1 4",
    "r1b1kb1r/1p3ppp/p1n1pn2/8/3P4/2N2N2/P3BPPP/R1B2RK1 w - - 2 7",
];

/// Works and tells about each variant, and then about all.
///
/// # Errors
/// The output cannot be written.
pub fn run(args: Args) -> Result<(), String> {
    let (mut nodes, start) = (0, Instant::now());
    for rules in &variants::ALL {
        let work = work(rules, NODES << args.depth)?;
        print_text(&format!("{}: {work}\n", rules.name))?;
        nodes += work;
    }
    let speed = (nodes as f64 / start.elapsed().as_secs_f64().max(1e-9)) as u64;
    print_text(&format!("{nodes} nodes {speed} nps\n"))
}

/// The nodes of all work in a variant, `limit` for each search.
fn work(rules: &'static RuleSet, limit: u64) -> Result<u64, String> {
    let mut nodes = 0;
    for text in POSITIONS {
        let position = Position::from_pfen(text, rules)
            .map_err(|error| format!("a position of the bench is wrong: {error}"))?;
        nodes += searched(&position, limit);
        let mut solver = Solver::new(HASH);
        solver.find(&position, &Control::unlimited().within_nodes(limit));
        nodes += solver.nodes();
    }
    let counts = perft(&Position::start(rules), Depth::Turns(2), true, &Control::unlimited());
    Ok(nodes + counts.map_or(0, |counts| counts.count as u64))
}

/// The nodes of a search with fresh tables.
fn searched(position: &Position, limit: u64) -> u64 {
    let game = Game::new(*position);
    let limits = Limits { nodes: Some(limit), ..Limits::default() };
    let plan = TimePlan::new(&limits, position.side(), Instant::now(), Duration::ZERO);
    let request = Request { limits, plan, multi_pv: 1, threads: 1 };
    let control = Control::unlimited().within_nodes(limit);
    let mut nodes = 0;
    let report = &mut |report: crate::search::Report| nodes = report.nodes;
    Searcher::new(HASH).choose(&game, &request, &control, report);
    nodes
}

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

/// Positions of games, legal in every variant, with a fight ahead: nobody wins at once.
const POSITIONS: [&str; 4] = [
    "rnbqkbnr/p2ppppp/8/1Bp5/4P3/3P1N2/PPP2PPP/RNBQK2R b - - 0 4",
    "rnb1kbr1/1ppp2pp/p7/4pp2/7q/2P2P2/PP1PP1PP/RNB1KBNR w - - 0 5",
    "r4bnr/2pkpppp/3pb3/p7/1q6/4P3/PPPP1PPP/RNB1KBNR w - - 0 5",
    "rnb1kR2/1ppp2p1/p7/8/7N/2P5/PP1PK2P/RNB5 b - - 0 8",
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
    // With two lines to tell, the last report comes at the very end and has all nodes.
    let request = Request { limits, plan, multi_pv: 2, threads: 1 };
    let control = Control::unlimited().within_nodes(limit);
    let mut nodes = 0;
    let report = &mut |report: crate::search::Report| nodes = report.nodes;
    Searcher::new(HASH).choose(&game, &request, &control, report);
    nodes
}

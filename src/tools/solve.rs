//! `crescendo solve`: winning series from the command line.

use std::time::{Duration, Instant};

use super::PositionArgs;
use super::print::print_job;
use crate::engine::{Job, Solve, SolveTask};

/// The arguments of `crescendo solve`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crescendo solve --series 3 --fen 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3'
  crescendo solve --all --max 10 --variant italian --fen '7k/8/6KP/8/8/8/8/8 w - - 0 2'
  crescendo solve --count --fen '7k/8/6KP/8/8/8/8/8 w - - 0 4'")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// List every winning series in place of one
    #[arg(long)]
    all: bool,
    /// Count the winning series without listing them
    #[arg(long, conflicts_with_all = ["all", "max"])]
    count: bool,
    /// List at most so many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max: Option<u64>,
    /// Give up after so many milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<u32>,
    /// Give up after so many positions
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
}

/// Solves and prints the lines that the protocol's `solve` prints.
///
/// # Errors
/// The position is illegal, or nobody reads the output.
pub fn run(args: Args) -> Result<(), String> {
    let position = args.position.position()?;
    let task = match (args.count, args.all || args.max.is_some()) {
        (true, _) => SolveTask::Count,
        (false, true) => SolveTask::List(args.max),
        (false, false) => SolveTask::Find,
    };
    let deadline = args.movetime.map(|time| Instant::now() + Duration::from_millis(time.into()));
    print_job(&Job::Solve(Solve { position, task, deadline, nodes: args.nodes }))
}

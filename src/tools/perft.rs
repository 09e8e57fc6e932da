//! `crescendo perft`: counting from the command line.

use super::PositionArgs;
use super::print::print_job;
use crate::engine::{Job, Perft};
use crate::search::perft::Depth;

/// The arguments of `crescendo perft`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crescendo perft 3
  crescendo perft --variant italian --divide 2
  crescendo perft --moves 5 --no-distinct")]
pub struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// How many whole turns
    #[arg(required_unless_present = "moves", value_parser = clap::value_parser!(u32).range(1..=255))]
    turns: Option<u32>,
    /// How many single moves, in place of whole turns
    #[arg(long, value_name = "K", conflicts_with = "turns",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    moves: Option<u32>,
    /// Tell the count behind each first move
    #[arg(long)]
    divide: bool,
    /// Count different positions too (the default)
    #[arg(long, conflicts_with = "no_distinct")]
    distinct: bool,
    /// Do not count different positions, which costs memory
    #[arg(long)]
    no_distinct: bool,
}

/// Counts and prints the lines that the protocol's `perft` prints.
///
/// # Errors
/// The position is illegal, or nobody reads the output.
pub fn run(args: Args) -> Result<(), String> {
    let position = args.position.position()?;
    let depth = match (args.turns, args.moves) {
        (Some(turns), _) => Depth::Turns(turns),
        (None, Some(moves)) => Depth::Moves(moves),
        (None, None) => return Err("a number of turns or --moves is needed".to_string()),
    };
    let distinct = args.distinct || !args.no_distinct;
    print_job(&Job::Perft(Perft { position, depth, divide: args.divide, distinct }))
}

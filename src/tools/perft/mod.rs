//! `crescendo perft`: counting from the command line.

mod shards;

use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::time::Instant;

use super::PositionArgs;
use super::print::unwritten;
use crate::Position;
use crate::engine::Progress;
use crate::protocol::Reply;
use crate::search::Control;
use crate::search::perft::{self, Depth};

/// The arguments of `crescendo perft`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  crescendo perft 3
  crescendo perft --variant italian --divide 2
  crescendo perft --moves 5 --no-distinct
  crescendo perft 3 --shards 100 --state shards.jsonl
  crescendo perft 3 --shards 100 --shard 1-50 --state this-machine.jsonl")]
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
    /// Count the last turn in so many parts, without different positions; each that is done is a
    /// line of --state, and the same command goes on where it was broken off
    #[arg(long, value_name = "N", requires = "state",
          conflicts_with_all = ["moves", "divide", "distinct"],
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    shards: Option<u32>,
    /// Which of the shards to count here: a number from 1, or a range
    #[arg(long, value_name = "K|K-L", requires = "shards", value_parser = parse_shards)]
    shard: Option<RangeInclusive<u32>>,
    /// The file of finished shards. When it has them all, whoever counted them, they are added up
    #[arg(long, value_name = "FILE", requires = "shards")]
    state: Option<String>,
    /// Count the shards that the file has again, position by position, and compare
    #[arg(long, requires = "shards")]
    recount: bool,
}

/// Counts and prints the lines that the protocol's `perft` prints.
///
/// # Errors
/// The position is illegal, a shard does not exist, a file is wrong, or nobody reads the output.
pub fn run(args: Args) -> Result<(), String> {
    let position = args.position.position()?;
    if let (Some(turns), Some(shards), Some(state)) = (args.turns, args.shards, args.state) {
        let wanted = args.shard.unwrap_or(1..=shards);
        if *wanted.end() > shards {
            return Err(format!("--shard: there are only {shards} shards"));
        }
        return shards::Request { position, turns, shards, wanted, state, recount: args.recount }
            .run();
    }
    let depth = match (args.turns, args.moves) {
        (Some(turns), _) => Depth::Turns(turns),
        (None, Some(moves)) => Depth::Moves(moves),
        (None, None) => return Err("a number of turns or --moves is needed".to_string()),
    };
    let distinct = args.distinct || !args.no_distinct;
    count(&position, depth, args.divide, distinct).map_err(unwritten)
}

/// Counts, and prints the lines of the protocol, those of `divide` as they come.
fn count(position: &Position, depth: Depth, divide: bool, distinct: bool) -> io::Result<()> {
    let (mut output, start, control) = (io::stdout().lock(), Instant::now(), Control::unlimited());
    let mut written = Ok(());
    let counts = if divide {
        perft::divide(position, depth, distinct, &control, &mut |mv, count| {
            if written.is_ok() {
                written = writeln!(output, "{}", Reply::Progress(&Progress::Divided(mv, count)));
            }
        })
    } else {
        perft::perft(position, depth, distinct, &control)
    };
    written?;
    // Nobody has stopped it.
    counts.map_or(Ok(()), |counts| writeln!(output, "{}", Reply::Counted(&counts, start.elapsed())))
}

/// A number from 1, or a range of them.
fn parse_shards(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok(first..=last),
        _ => Err("a shard is a number from 1, and a range is like 1-50".to_string()),
    }
}

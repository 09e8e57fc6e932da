//! `crescendo solve`: winning series from the command line, for players and composers.

mod bar;
mod pictures;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::common::{StartArgs, check_hash};
use super::print::print_text;
use crate::Position;
use crate::engine::{Answer, Engine, Event, Job, Progress, Solve, SolveTask, Solved, Tables};
use crate::notation::{Letters, Style};
use crate::position::Move;
use crate::protocol::Reply;
use bar::Bar;
use pictures::{End, Solutions};

/// How many series are listed unless `--max` says otherwise.
const MOST_LISTED: u64 = 10_000;

/// How many events may wait before the solver has to.
const CHANNEL: usize = 1024;

/// The arguments of `crescendo solve`.
#[derive(clap::Args)]
#[command(after_help = "\
A series wins by mate, or in Take-all by taking the last unit. Without --all or --count one is
looked for and written, or it is said that there is none, which is a proof; then comes the line with
which the protocol ends a solve.

With --all the series are grouped by the position they lead to. Series of the same moves in another
order are one solution; the last line says whether there is exactly one (sound) or more (cooked).
--exact is the stipulation of series mates: shorter wins are no solutions but cooks.

Examples:
  crescendo solve --series 3 --fen 'rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3'
  crescendo solve --exact --variant italian --fen '7k/8/6KP/8/8/8/8/8 w - - 0 3'
  crescendo solve --all --max 500 --notation german --fen '7k/8/6KP/8/8/8/8/8 w - - 0 4'
  crescendo solve --count --fen '7k/8/6KP/8/8/8/8/8 w - - 0 12'
  crescendo solve --threads 2 --movetime 60000 --series 9 --fen 'k7/8/8/8/8/8/8/KRR5 w - - 0 1'")]
pub struct Args {
    #[command(flatten)]
    start: StartArgs,
    /// List every winning series, by the positions they lead to, and tell sound from cooked
    #[arg(long)]
    all: bool,
    /// The same, but only series of full length are solutions; shorter ones are cooks
    #[arg(long)]
    exact: bool,
    /// List at most so many; 10000 unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    max: Option<u64>,
    /// Count the winning series without listing them
    #[arg(long, conflicts_with_all = ["all", "exact", "max"])]
    count: bool,
    /// Give up after so many milliseconds
    #[arg(long, value_name = "MS")]
    movetime: Option<u32>,
    /// Give up after so many positions
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Threads for finding one; lists and counts use one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=64))]
    threads: u8,
    /// The memory for tables, in MiB
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
}

/// Solves, and prints what came out.
///
/// # Errors
/// One sentence: the position is illegal, there is not so much memory, or the output cannot be
/// written.
pub fn run(args: Args) -> Result<(), String> {
    let position = args.start.at.position()?;
    check_hash(args.hash as usize)?;
    let text = if args.all || args.exact || args.max.is_some() {
        list(&args, &position)?
    } else {
        answer(&args, &position)?
    };
    print_text(&text)
}

/// One winning series in words if it is wanted, and the line of the protocol.
fn answer(args: &Args, position: &Position) -> Result<String, String> {
    let mut found = None;
    let task = if args.count { SolveTask::Count } else { SolveTask::Find };
    let solved = solve(args, position, task, &mut |series| found = Some(series))?;
    let series = match found {
        _ if args.count => String::new(),
        Some(series) => score(position, &series, args.start.notation) + "\n",
        None if solved.complete => "none: proved\n".to_string(),
        None => "unknown: stopped at a limit\n".to_string(),
    };
    Ok(format!("{series}{}\n", Reply::Solved(solved)))
}

/// The winning series by final position, and the judgement.
fn list(args: &Args, position: &Position) -> Result<String, String> {
    let max = args.max.unwrap_or(MOST_LISTED);
    let mut solutions = Solutions::new(position, args.exact);
    let mut told = 0;
    // One more than wanted shows that these were not all.
    let task = SolveTask::List(Some(max.saturating_add(1)));
    let solved = solve(args, position, task, &mut |series| {
        told += 1;
        if told <= max {
            solutions.add(series);
        }
    })?;
    let end = if told > max {
        End::More
    } else if solved.complete {
        End::Complete
    } else {
        End::Stopped
    };
    Ok(solutions.report(end, args.start.notation))
}

/// A series from the start of a turn, with the number of the turn.
fn score(position: &Position, series: &[Move], letters: &'static Letters) -> String {
    format!("{}.{}", position.turn(), position.write_series(series, Style::San(letters)))
}

/// Does the task and hands on every series found; meanwhile a terminal shows how far it has come.
fn solve(
    args: &Args,
    position: &Position,
    task: SolveTask,
    on_solution: &mut dyn FnMut(Vec<Move>),
) -> Result<Solved, String> {
    let (sender, events) = crossbeam_channel::bounded(CHANNEL);
    let mut engine = Engine::with_tables(sender, Tables::for_solving(args.hash as usize));
    let progress = Arc::default();
    let bar = Bar::new(Arc::clone(&progress));
    let deadline = args.movetime.map(|time| Instant::now() + Duration::from_millis(time.into()));
    let job = Job::Solve(Solve {
        position: *position,
        task,
        deadline,
        nodes: args.nodes,
        threads: args.threads.into(),
        progress,
    });
    engine.start(job).map_err(|error| format!("the solver cannot start: {error}"))?;
    loop {
        match events.recv_timeout(Bar::INTERVAL) {
            Ok(Event::Progress(Progress::Solution(series))) => on_solution(series),
            Ok(Event::Done(done)) => match engine.finish(done) {
                Ok(Answer::Solved(solved)) => return Ok(solved),
                Ok(_) => return Err("the solver has answered another question".to_string()),
                Err(message) => return Err(format!("the solver has failed: {message}")),
            },
            Ok(_) => {}
            Err(_) => bar.show(),
        }
    }
}

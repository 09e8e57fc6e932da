//! `crescendo study`: the mates of written games, those that were missed, and what the other rule
//! of checks would have made of them.

mod examine;
mod plot;
mod totals;

use std::io::{self, Write};

use super::common::{StartArgs, check_hash};
use super::games::{Written, read_file};
use super::lines::{is_same, replace};
use super::print::is_read;
use examine::{Chance, Examined, Examiner};
use totals::Totals;

/// Find the mates of games, and those that were missed
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
The file has games in any form that 'crescendo check' reads. One line of the answer is about a game:
  line     where it begins
  result   by the rules, as in the protocol; none while the game is open
  last     its last finished turn
  mate     how it was won: checkmate, progressive-checkmate (an Italian mate) or takeall
  full     whether with the last move of a full series
  other    whether the winner would have won this turn under the other rule of checks (Italian in place
           of Scottish, or the reverse): by the same series, by another alone, not at all (none)
  missed   the turns in which the side to move could have won and did not
  unknown  the turns of which that is not known: --nodes came first
Sums and numbers by turn follow. docs/study.md tells more.

Examples:
  crescendo study games.pgn
  crescendo study games.jsonl --nodes 5000000 --csv games.csv --plot turns.svg")]
pub struct Args {
    /// The file with the games; - or nothing reads the standard input
    #[arg(value_name = "FILE")]
    file: Option<String>,
    #[command(flatten)]
    start: StartArgs,
    /// How many positions to look at for each turn before it counts as unknown
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The memory for tables, in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Write the games as CSV
    #[arg(long, value_name = "FILE")]
    csv: Option<String>,
    /// Draw the numbers by turn as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<String>,
}

/// The columns, in the table and in the CSV.
const HEADS: [&str; 9] =
    ["line", "variant", "result", "last", "mate", "full", "other", "missed", "unknown"];

/// How wide they are in the table; the last but one as wide as it needs to be.
const WIDTHS: [usize; 9] = [6, 19, 28, 4, 21, 4, 7, 6, 7];

/// Examines the games and writes what came out.
///
/// # Errors
/// One sentence: the position given is illegal, a file cannot be read or written.
pub fn run(args: Args) -> Result<(), String> {
    for out in [&args.csv, &args.plot].into_iter().flatten() {
        if args.file.as_ref().is_some_and(|name| is_same(name, out)) {
            return Err(format!("{out} has the games, and would be overwritten"));
        }
    }
    check_hash(args.hash as usize)?;
    let mut examiner = Examiner::new(args.hash as usize, args.nodes);
    let (mut totals, mut csv) = (Totals::default(), HEADS.join(",") + "\n");
    say(&in_columns(&HEADS.map(str::to_string)))?;
    read_file(args.file.as_deref(), &args.start, |read| {
        let cells = match &read.game {
            Ok(game) => {
                let examined = examiner.examine(game);
                totals.add(&examined);
                row(&read, &examined)
            }
            Err(_) => {
                totals.illegal += 1;
                let mut cells = [const { String::new() }; 9];
                cells[0] = read.line.to_string();
                cells[2] = "illegal".to_string();
                cells
            }
        };
        csv.push_str(&(cells.join(",") + "\n"));
        say(&in_columns(&cells)).map(|()| true)
    })?;
    say(&format!("\n{}", totals.table(args.nodes)))?;
    if let Some(name) = &args.csv {
        replace(name, &csv)?;
    }
    if let Some(name) = &args.plot {
        replace(name, &plot::svg(&totals))?;
    }
    Ok(())
}

/// The cells of a game.
fn row(read: &Written, game: &Examined) -> [String; 9] {
    let yes = |is| if is { "yes" } else { "no" }.to_string();
    let turns = |chance: Chance| {
        let numbers: Vec<String> = game.turns_with(chance).map(|turn| turn.to_string()).collect();
        numbers.join(" ")
    };
    let win = game.win;
    [
        read.line.to_string(),
        game.variant.to_string(),
        game.outcome.map_or("none".to_string(), |outcome| outcome.to_string()),
        game.last_turn().to_string(),
        win.map_or(String::new(), |win| win.reason.to_string()),
        win.map_or(String::new(), |win| yes(win.full)),
        win.map_or(String::new(), |win| win.other.word().to_string()),
        turns(Chance::Missed),
        turns(Chance::Unknown),
    ]
}

/// A line of the table; what is empty is shown as a dash.
fn in_columns(cells: &[String; 9]) -> String {
    let cells = cells.iter().zip(WIDTHS).map(|(cell, width)| {
        let cell = if cell.is_empty() { "-" } else { cell };
        format!("{cell:<width$}")
    });
    cells.collect::<Vec<_>>().join(" ").trim_end().to_string() + "\n"
}

/// Writes to the standard output, if somebody reads it: the files are wanted all the same.
fn say(text: &str) -> Result<(), String> {
    is_read(io::stdout().lock().write_all(text.as_bytes())).map(drop)
}

//! `crescendo match`: games between engines, each a process of its own, under our rules.
//!
//! `contestant` says who plays, `player` speaks to a process, `referee` plays one game, `schedule`
//! and `openings` say which games there are, `conductor` has them played, `record` and `files` keep
//! them, `statistics` and `standings` say what they mean.

mod conductor;
mod contestant;
mod files;
mod forfeit;
mod openings;
mod player;
mod record;
mod referee;
mod schedule;
mod standings;
mod statistics;
mod thought;

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, unbounded};

use super::common::{listen_for_interrupts, parse_variant};
use super::times::{TimeControl, parse_move_time, parse_time_control};
use crate::rules::RuleSet;
use conductor::{Conductor, End, Event, Match, Wires};
use contestant::{Contestant, Limit, told_apart};
use files::Files;
use forfeit::Trouble;
use openings::{Book, MOST_TURNS, RandomBook};
use player::{Patience, Player};
use record::Record;
use referee::Terms;
use schedule::Schedule;
use standings::Standings;
use statistics::Sprt;

/// Play games between engines
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
An engine is a command, and behind semicolons what belongs to it: 'path arguments;name=A;\
option.Hash=32;nodes=1000'. One engine alone plays against itself; more than two meet each other.
Games come in pairs from one opening, with colours changed. Every game ends: by the rules, as a draw \
at the last turn allowed, or by a forfeit (illegal, length, time, hang or crash). An engine that \
forfeits is started anew. Engines with the option OwnBook play without their books, unless \
'option.OwnBook=true' belongs to them.

Finished games are written at once. After an interrupt or worse, the same command with --resume \
goes on behind them.

Examples:
  crescendo match --engine ./new --engine ./old --pairs 100 --nodes 20000
  crescendo match --engine ./new --engine ./old --variant italian --tc 10+0.1 --concurrency 2 \
--sprt elo0=0 elo1=10 --pairs 5000 --jsonl games.jsonl --pgn games.pgn --resume")]
pub struct Args {
    /// An engine; give it twice or more
    #[arg(long = "engine", value_name = "COMMAND", required = true)]
    engines: Vec<Contestant>,
    /// The variant: scottish, italian, english, … (an unknown name lists them all)
    #[arg(long, value_name = "NAME", default_value = "scottish", value_parser = parse_variant)]
    variant: &'static RuleSet,
    /// Pairs of games between each two engines
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pairs: Option<u64>,
    /// Games between each two engines, in place of pairs (without either: 20)
    #[arg(long, value_name = "N", conflicts_with = "pairs",
          value_parser = clap::value_parser!(u64).range(1..=20_000_000))]
    games: Option<u64>,
    /// Milliseconds for each series (the default, with 100)
    #[arg(long, value_name = "MS", value_parser = parse_move_time, group = "limit")]
    movetime: Option<Duration>,
    /// Seconds for the game, and for each series in addition: 10+0.1
    #[arg(long, value_name = "BASE+INC", value_parser = parse_time_control, group = "limit")]
    tc: Option<TimeControl>,
    /// Nodes for each series
    #[arg(long, value_name = "N", group = "limit",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How many milliseconds too late an answer may come
    #[arg(long, value_name = "MS", default_value_t = 250,
          value_parser = clap::value_parser!(u64).range(0..=3_600_000))]
    margin: u64,
    /// After how many seconds an engine hangs where no clock runs
    #[arg(long, value_name = "S", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// The last turn: what is undecided after it is a draw
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u16).range(1..=9999))]
    last_turn: u16,
    /// Games played at the same time
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    concurrency: u16,
    /// A file of position texts to start from, one on each line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["random_turns", "seed"])]
    openings: Option<String>,
    /// Random first turns, without the file (0 starts from the normal array)
    #[arg(long, value_name = "T", default_value_t = 2,
          value_parser = clap::value_parser!(u16).range(0..=i64::from(MOST_TURNS)))]
    random_turns: u16,
    /// Which random turns: the same seed gives the same openings
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Stop as soon as it is clear which difference in Elo is the truth: elo0=0 elo1=10
    /// alpha=0.05 beta=0.05
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..=4)]
    sprt: Vec<String>,
    /// Write the games as PGN
    #[arg(long, value_name = "FILE")]
    pgn: Option<String>,
    /// Write the games as lines of JSON
    #[arg(long, value_name = "FILE")]
    jsonl: Option<String>,
    /// Go on behind the games in the file of --jsonl, and make the PGN anew from it
    #[arg(long, requires = "jsonl")]
    resume: bool,
}

impl Args {
    /// The games of each pairing.
    fn games(&self) -> u64 {
        self.games.or(self.pairs.map(|pairs| 2 * pairs)).unwrap_or(20)
    }

    fn limit(&self) -> Limit {
        let clock = self.tc.map(Limit::Clock);
        let given = clock.or(self.movetime.map(Limit::MoveTime)).or(self.nodes.map(Limit::Nodes));
        given.unwrap_or(Limit::MoveTime(Duration::from_millis(100)))
    }

    fn sprt(&self) -> Result<Option<Sprt>, String> {
        if self.sprt.is_empty() {
            return Ok(None);
        }
        if self.engines.len() > 2 {
            return Err("--sprt: the test is about two engines".to_string());
        }
        self.sprt.join(" ").parse().map(Some).map_err(|error| format!("--sprt: {error}"))
    }

    fn book(&self) -> Result<Book, String> {
        match &self.openings {
            Some(name) => Book::read(name, self.variant),
            None => {
                let book = RandomBook::new(self.variant, self.random_turns, self.seed);
                Ok(Book::Random(Box::new(book)))
            }
        }
    }

    /// The files, and the games that are in them.
    fn files(&self) -> Result<(Files, Vec<Record>), String> {
        match &self.jsonl {
            Some(name) if self.resume => Files::resume(self.variant, name, self.pgn.as_deref()),
            name => {
                let files = Files::create(self.variant, name.as_deref(), self.pgn.as_deref())?;
                Ok((files, Vec::new()))
            }
        }
    }

    fn match_(&self, stop: Receiver<()>) -> Match {
        let patience = Patience {
            stop,
            longest: Duration::from_secs(self.patience),
            margin: Duration::from_millis(self.margin),
        };
        Match {
            rules: self.variant,
            contestants: told_apart(self.engines.clone()),
            limit: self.limit(),
            terms: Terms { last_turn: self.last_turn, patience },
        }
    }
}

/// Plays the match and prints its report.
///
/// # Errors
/// One sentence: an argument or a file is wrong, an engine cannot play this, or something cannot
/// be written. No finished game is lost.
pub fn run(args: Args) -> Result<(), String> {
    let sprt = args.sprt()?;
    let book = args.book()?;
    let (stop, stopped) = bounded(0);
    let wires = Wires { events: unbounded(), stop };
    let match_ = args.match_(stopped);
    let events = wires.events.0.clone();
    listen_for_interrupts(move || events.send(Event::Interrupt).is_ok())?;
    try_out(&match_)?;
    let mut conductor = prepare(&args, &match_, book, sprt)?;
    let start = Instant::now();
    let concurrency = usize::from(args.concurrency);
    let (end, played) = conductor.run(match_, concurrency, wires)?;
    let pace = 60.0 * played as f64 / start.elapsed().as_secs_f64();
    let ending = match end {
        End::Complete => "complete",
        End::Decided => "decided by the test",
        End::Interrupted => "interrupted; --resume goes on",
    };
    super::print::print_text(&format!(
        "{}speed: {played} games now, {pace:.1} games a minute\nmatch: {ending}\n",
        conductor.standings
    ))
}

/// Starts every engine once, so that what is wrong is said before the first game.
fn try_out(match_: &Match) -> Result<(), String> {
    for contestant in &match_.contestants {
        match Player::start(contestant, match_.rules, &match_.terms.patience) {
            Err(Trouble::Forfeit(forfeit)) => {
                return Err(format!("engine {}: {}", contestant.name, forfeit.detail));
            }
            Ok(_) | Err(Trouble::Stopped) => {}
        }
    }
    Ok(())
}

/// The state of the match before the first game of this run.
fn prepare(
    args: &Args,
    match_: &Match,
    book: Book,
    sprt: Option<Sprt>,
) -> Result<Conductor, String> {
    let mut schedule = Schedule::new(match_.contestants.len(), args.games(), book);
    let names = match_.contestants.iter().map(|one| one.name.clone()).collect();
    let mut standings = Standings::new(names, schedule.pairings(), sprt);
    let (files, records) = args.files()?;
    let mut finished = HashSet::new();
    for record in &records {
        let slot = schedule.slot(record.game);
        let slot = slot.ok_or_else(|| format!("game {} is not in the schedule", record.game))?;
        match_.agrees(&slot, record)?;
        if finished.insert(record.game) {
            standings.add(&slot, record);
        }
    }
    Ok(Conductor { schedule, files, standings, finished })
}

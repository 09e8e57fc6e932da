//! `crescendo ics`: a small chess server on this machine alone, on which somebody plays against
//! the engine with XBoard or any other client of chess servers.
//!
//! `server` lets clients in one by one, `session` serves one, `command` reads what it says, `table`
//! is its game with `clocks`, `style12` shows the board, `telnet` and `wire` are the two directions
//! of the connection. `docs/gui.md` tells how to use it.

mod clocks;
mod command;
mod server;
mod session;
mod style12;
mod table;
mod telnet;
mod wire;

use std::time::Duration;

use super::common::PositionArgs;
use super::play::Seat;
use super::print::print_text;
use super::times::{TimeControl, parse_move_time, parse_time_control};
use server::Server;

/// Play with clients of chess servers, such as XBoard, on this machine
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
It listens on 127.0.0.1 and ::1, never anywhere else, and plays with one client at a time. The
options say what 'play' means as long as the player wishes nothing else: 'play black italian 5 10'.
Interrupt it to end it.

Example:
  crescendo ics --variant italian --color random --tc 600+10
  printf 'me\\n\\nplay\\n' > logon.txt
  xboard -ics -icshost 127.0.0.1 -icsport 5547 -icslogon logon.txt -testLegality false")]
pub struct Args {
    #[command(flatten)]
    at: PositionArgs,
    /// The port; 0 for any that is free
    #[arg(long, default_value_t = 5547)]
    port: u16,
    /// The side that the player has
    #[arg(long, value_enum, default_value_t = Seat::White)]
    color: Seat,
    /// How long the engine thinks about a series in games without clocks, in milliseconds
    #[arg(long, value_name = "MS", default_value = "3000", value_parser = parse_move_time)]
    movetime: Duration,
    /// Seconds for the game, and for each series in addition: 600+10 (without it, no clock runs)
    #[arg(long, value_name = "BASE+INC", value_parser = parse_time_control,
          conflicts_with = "movetime")]
    tc: Option<TimeControl>,
    /// How long each move of the engine's series is shown before the next, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 400,
          value_parser = clap::value_parser!(u64).range(0..=60_000))]
    pace: u64,
    /// How long a client has to log in, in seconds
    #[arg(long, value_name = "S", default_value_t = 60,
          value_parser = clap::value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// Think about the first turns too, in place of playing them from the book
    #[arg(long)]
    no_book: bool,
}

/// What holds for every client.
struct Terms {
    /// Where games start, unless another variant is wished for.
    at: PositionArgs,
    seat: Seat,
    control: Option<TimeControl>,
    /// For each series where no clock runs.
    move_time: Duration,
    /// Between the moves that the engine shows.
    pace: Duration,
    /// Until a client is logged in.
    patience: Duration,
    /// Whether the engine may play from its book.
    own_book: bool,
}

/// Serves clients one after the other, until the process is ended from outside.
///
/// # Errors
/// One sentence: the position is illegal, or the port cannot be had.
pub fn run(args: Args) -> Result<(), String> {
    args.at.position()?;
    let terms = Terms {
        at: args.at,
        seat: args.color,
        control: args.tc,
        move_time: args.movetime,
        pace: Duration::from_millis(args.pace),
        patience: Duration::from_secs(args.patience),
        own_book: !args.no_book,
    };
    let server = Server::open(args.port)
        .map_err(|error| format!("cannot listen on 127.0.0.1 port {}: {error}", args.port))?;
    let places: Vec<String> = server.addresses().iter().map(ToString::to_string).collect();
    log(&format!("listening on {}; interrupt to end", places.join(" and ")));
    while let Some(client) = server.next_client() {
        log("a client has come");
        match session::serve(client, &terms) {
            Ok(()) => log("the client has left"),
            Err(error) => log(&format!("the client is gone: {error}")),
        }
    }
    Ok(())
}

/// Tells the operator what happens. If nobody reads it, the games go on all the same.
fn log(line: &str) {
    let _ = print_text(&format!("{line}\n"));
}

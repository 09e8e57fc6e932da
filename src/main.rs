//! `crescendo`: the protocol on stdin and stdout, or one of the tools.

use std::io::{self, BufWriter, IsTerminal};
use std::process::ExitCode;

use clap::{Parser, error::ErrorKind};

use crescendo::{protocol, tools::Tool};

/// An engine for progressive chess: turn n is a series of n moves.
///
/// Without a subcommand it speaks its protocol, an extended UCI, on stdin and stdout.
#[derive(Parser)]
#[command(
    name = "crescendo",
    version,
    after_help = "Examples:
  crescendo                         speak the protocol (protocol.md describes it)
  crescendo play --color black      play a game in the terminal
  crescendo perft 3                 count the first three turns exactly
  crescendo solve --help            explain one of the tools"
)]
struct Cli {
    #[command(subcommand)]
    tool: Option<Tool>,
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let result = match cli.tool {
        Some(tool) => tool.run(),
        None => serve(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("crescendo: {sentence}");
            ExitCode::from(2)
        }
    }
}

/// Speaks the protocol.
fn serve() -> Result<(), String> {
    if io::stdin().is_terminal() {
        let version = env!("CARGO_PKG_VERSION");
        eprintln!(
            "Crescendo {version}: type `uci` or `help`, or run `crescendo play`; see `crescendo --help`"
        );
    }
    protocol::run(io::stdin(), BufWriter::new(io::stdout())).map_err(|error| error.to_string())
}

/// Prints what was asked for, or says in one sentence what is wrong with the arguments.
fn refuse(error: &clap::Error) -> ExitCode {
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Nobody may be reading any more.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let sentence: Vec<&str> =
        text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    eprintln!("crescendo: {}", sentence.join(" ").trim_start_matches("error: "));
    ExitCode::from(2)
}

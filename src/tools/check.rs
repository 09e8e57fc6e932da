//! `crescendo check`: whether written games are legal, and how they end.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};

use super::common::{StartArgs, wins_now};
use crate::Game;
use crate::rules::{RuleSet, variants};

/// Check progressive scores, one on each line
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
Each line of the file is one score: 1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#
Turn numbers, signs of check and results may be there or not; moves may be short or long algebraic.
The name of a variant and a colon before a score count for that line alone: italian: 1.e4 2.e5 d6
Blank lines and lines that begin with # are skipped.

Each score is answered by one line:
  3: legal, white-checkmate, turn 4 move 1, black to move
  5: illegal at turn 2 move 2 (Qh5): a queen cannot go there
The result is 'none' while the game is open. An illegal score is an answer and no failure: the exit
code is 0 when everything was read, and 2 for a wrong argument or an unreadable file.

Example:
  echo '1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#' | crescendo check --variant italian")]
pub struct Args {
    /// The file with the scores; - or nothing reads the standard input
    #[arg(value_name = "FILE")]
    pub file: Option<String>,
    #[command(flatten)]
    pub start: StartArgs,
}

/// Checks the scores of the file and writes the answers to the standard output.
///
/// # Errors
/// One sentence: the position given is illegal, or the file cannot be read.
pub fn run(args: Args) -> Result<(), String> {
    let mut output = io::stdout().lock();
    match args.file.as_deref() {
        None | Some("-") => check(io::stdin().lock(), &mut output, &args.start),
        Some(name) => {
            let file = File::open(name).map_err(|error| format!("cannot open {name}: {error}"))?;
            check(BufReader::new(file), &mut output, &args.start)
        }
    }
}

/// Answers every score of `input` with a line on `output`.
///
/// # Errors
/// One sentence: the position of `start` is illegal, or reading or writing fails. A reader of the
/// output that has gone away is no error.
pub fn check(
    mut input: impl BufRead,
    output: &mut impl Write,
    start: &StartArgs,
) -> Result<(), String> {
    start.at.position()?;
    let mut bytes = Vec::new();
    for number in 1u64.. {
        bytes.clear();
        let read = input.read_until(b'\n', &mut bytes);
        if read.map_err(|error| format!("cannot read the scores: {error}"))? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match writeln!(output, "{number}: {}", verdict(line, start)) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => break,
            written => written.map_err(|error| format!("cannot write the answers: {error}"))?,
        }
    }
    Ok(())
}

/// What there is to say of one line.
fn verdict(line: &str, start: &StartArgs) -> String {
    let (rules, score) = split_variant(line).unwrap_or((start.at.variant, line));
    let mut game = match start.at.under(rules) {
        Ok(position) => Game::new(position),
        Err(error) => return format!("illegal: {error}"),
    };
    if let Err(error) = game.play_score(score, start.notation) {
        return format!("illegal at {error}");
    }
    let position = game.position();
    let result = game.outcome(wins_now).map_or("none".to_string(), |outcome| outcome.to_string());
    let (turn, next, side) = (position.turn(), position.played() + 1, position.side());
    format!("legal, {result}, turn {turn} move {next}, {side} to move")
}

/// Splits `italian: 1.e4 …`; `None` if the line does not begin with the name of a variant.
fn split_variant(line: &str) -> Option<(&'static RuleSet, &str)> {
    let (name, score) = line.split_once(':')?;
    Some((variants::find(name.trim())?, score))
}

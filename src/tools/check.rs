//! `crescendo check`: whether written games are legal, and how they end.

use std::io::{self, BufRead, Write};

use super::common::{StartArgs, wins_now};
use super::games::{Written, read_file, read_games};
use super::print::is_read;
use crate::Game;
use crate::position::legible;

/// Check games: scores, lines of JSON, or PGN
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
Each line of the file is one score: 1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#
Turn numbers, signs of check and results may be there or not; moves may be short or long algebraic.
The name of a variant and a colon before a score count for that line alone: italian: 1.e4 2.e5 d6
Blank lines and lines that begin with # are skipped; a line of more than 1 MiB is illegal.
A line that begins with { is a game in JSON, as 'crescendo match' writes it: the fields moves, and where
they are given variant, fen, result and reason. A file whose first line is a tag is PGN; the variant of a
game is in its tag ProgressiveVariant. A result that is not the one of the rules is told behind.

Each score is answered by one line, a game of PGN under the number of its first line:
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
    read_file(args.file.as_deref(), &args.start, |read| answer(&mut output, &read))
}

/// Answers every score of `input` with a line on `output`.
///
/// # Errors
/// One sentence: the position of `start` is illegal, or reading or writing fails. A reader of the
/// output that has gone away is no error.
pub fn check(
    input: impl BufRead,
    output: &mut impl Write,
    start: &StartArgs,
) -> Result<(), String> {
    read_games(input, "the games", start, |read| answer(output, &read))
}

/// Writes an answer; whether somebody still reads them.
fn answer(output: &mut impl Write, read: &Written) -> Result<bool, String> {
    let verdict = match &read.game {
        Ok(game) => legal(game, &read.claims),
        Err(error) => error.clone(),
    };
    is_read(writeln!(output, "{}: {verdict}", read.line))
}

/// The longest claim that is repeated, in characters: any two results fit.
const LONGEST_CLAIM: usize = 80;

/// What there is to say of a legal game for which somebody claims a result, or several words of
/// one; `*` and `none` claim nothing.
fn legal(game: &Game, claims: &[String]) -> String {
    let position = game.position();
    let outcome = game.outcome(wins_now);
    let result = outcome.map_or("none".to_string(), |outcome| outcome.to_string());
    let (turn, next, side) = (position.turn(), position.played() + 1, position.side());
    let score = outcome.map_or("*", |outcome| outcome.score());
    let untrue =
        claims.iter().any(|claim| ![score, &result, "*", "none"].contains(&claim.as_str()));
    let claimed = if untrue {
        format!(", given as {}", legible(&claims.join(" "), LONGEST_CLAIM))
    } else {
        String::new()
    };
    format!("legal, {result}, turn {turn} move {next}, {side} to move{claimed}")
}

//! `crescendo check`: whether written games are legal, and how they end.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};

use serde::Deserialize;

use super::common::{StartArgs, wins_now};
use crate::notation::pgn::{self, PgnGame};
use crate::rules::{RuleSet, variants};
use crate::{Game, Position};

/// Check games: scores, lines of JSON, or PGN
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
Each line of the file is one score: 1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#
Turn numbers, signs of check and results may be there or not; moves may be short or long algebraic.
The name of a variant and a colon before a score count for that line alone: italian: 1.e4 2.e5 d6
Blank lines and lines that begin with # are skipped.
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
    let mut first = true;
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
        if std::mem::take(&mut first) && pgn::begins(line) {
            return check_pgn(&bytes, number, input, output, start);
        }
        if !answer(output, number, &verdict(line, start))? {
            break;
        }
    }
    Ok(())
}

/// Writes an answer; whether somebody still reads them.
fn answer(output: &mut impl Write, number: u64, verdict: &str) -> Result<bool, String> {
    match writeln!(output, "{number}: {verdict}") {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        written => {
            written.map(|()| true).map_err(|error| format!("cannot write the answers: {error}"))
        }
    }
}

/// Answers every game of a PGN file, whose first tag is in the line with this number.
fn check_pgn(
    first: &[u8],
    number: u64,
    mut rest: impl Read,
    output: &mut impl Write,
    start: &StartArgs,
) -> Result<(), String> {
    let mut bytes = first.to_vec();
    rest.read_to_end(&mut bytes).map_err(|error| format!("cannot read the games: {error}"))?;
    for game in pgn::read(&String::from_utf8_lossy(&bytes)) {
        if !answer(output, game.line + number - 1, &pgn_verdict(&game, start))? {
            break;
        }
    }
    Ok(())
}

/// What there is to say of one line.
fn verdict(line: &str, start: &StartArgs) -> String {
    if line.starts_with('{') {
        return json_verdict(line, start).unwrap_or_else(|error| format!("illegal: {error}"));
    }
    let (rules, score) = split_variant(line).unwrap_or((start.at.variant, line));
    let mut game = match start.at.under(rules) {
        Ok(position) => Game::new(position),
        Err(error) => return format!("illegal: {error}"),
    };
    match game.play_score(score, start.notation) {
        Ok(()) => legal(&game, &[]),
        Err(error) => format!("illegal at {error}"),
    }
}

/// A game as a line of JSON.
#[derive(Deserialize)]
struct JsonGame {
    moves: String,
    variant: Option<String>,
    fen: Option<String>,
    result: Option<String>,
    reason: Option<String>,
}

fn json_verdict(line: &str, start: &StartArgs) -> Result<String, String> {
    let read: JsonGame = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let position = position(read.variant.as_deref(), read.fen.as_deref(), start)?;
    let mut game = Game::new(position);
    let claims = [read.result, read.reason];
    Ok(match game.play_score(&read.moves, start.notation) {
        Ok(()) => legal(&game, &claims.iter().flatten().map(String::as_str).collect::<Vec<_>>()),
        Err(error) => format!("illegal at {error}"),
    })
}

fn pgn_verdict(read: &PgnGame, start: &StartArgs) -> String {
    let position = match position(read.tag(pgn::VARIANT_TAG), read.start(), start) {
        Ok(position) => position,
        Err(error) => return format!("illegal: {error}"),
    };
    match read.replay(position) {
        Ok(game) => {
            let claims = ["Result", pgn::RESULT_TAG].iter().filter_map(|name| read.tag(name));
            legal(&game, &claims.collect::<Vec<_>>())
        }
        Err(error) => format!("illegal at {error}"),
    }
}

/// The first position of a game; what it does not tell is as the arguments have it.
fn position(
    variant: Option<&str>,
    pfen: Option<&str>,
    start: &StartArgs,
) -> Result<Position, String> {
    let rules = match variant {
        None => start.at.variant,
        Some(name) => {
            variants::find(name).ok_or_else(|| format!("there is no variant '{name}'"))?
        }
    };
    match pfen {
        None => start.at.under(rules),
        Some(pfen) => Position::from_pfen(pfen, rules)
            .map_err(|error| format!("the position is illegal in {}: {error}", rules.name)),
    }
}

/// What there is to say of a legal game for which somebody claims a result, or several words of
/// one; `*` and `none` claim nothing.
fn legal(game: &Game, claims: &[&str]) -> String {
    let position = game.position();
    let outcome = game.outcome(wins_now);
    let result = outcome.map_or("none".to_string(), |outcome| outcome.to_string());
    let (turn, next, side) = (position.turn(), position.played() + 1, position.side());
    let score = outcome.map_or("*", |outcome| outcome.score());
    let untrue = claims.iter().any(|claim| ![score, &result, "*", "none"].contains(claim));
    let claimed = if untrue { format!(", given as {}", claims.join(" ")) } else { String::new() };
    format!("legal, {result}, turn {turn} move {next}, {side} to move{claimed}")
}

/// Splits `italian: 1.e4 …`; `None` if the line does not begin with the name of a variant.
fn split_variant(line: &str) -> Option<(&'static RuleSet, &str)> {
    let (name, score) = line.split_once(':')?;
    Some((variants::find(name.trim())?, score))
}

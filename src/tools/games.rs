//! Files of written games: scores, lines of JSON, or PGN.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use serde::Deserialize;

use super::common::StartArgs;
use crate::notation::pgn::{self, PgnGame};
use crate::rules::{RuleSet, variants};
use crate::{Game, Position};

/// A game of a file, replayed.
pub struct Written {
    /// The line on which it begins, from 1.
    pub line: u64,
    /// The game, or what is wrong with it: `illegal …`.
    pub game: Result<Game, String>,
    /// The results that the file gives it, in the words of a score or of the protocol.
    pub claims: Vec<String>,
}

/// Hands every game of a file to `each`, which says whether to go on. Without a name, or with `-`,
/// the standard input is read.
///
/// # Errors
/// As for [`read_games`], or the file cannot be opened.
pub fn read_file(
    name: Option<&str>,
    start: &StartArgs,
    each: impl FnMut(Written) -> Result<bool, String>,
) -> Result<(), String> {
    match name {
        None | Some("-") => read_games(io::stdin().lock(), start, each),
        Some(name) => {
            let file = File::open(name).map_err(|error| format!("cannot open {name}: {error}"))?;
            read_games(BufReader::new(file), start, each)
        }
    }
}

/// Hands every game of `input` to `each`, which says whether to go on.
///
/// # Errors
/// One sentence: the position of `start` is illegal, reading fails, or what `each` has to say.
pub fn read_games(
    mut input: impl BufRead,
    start: &StartArgs,
    mut each: impl FnMut(Written) -> Result<bool, String>,
) -> Result<(), String> {
    start.at.position()?;
    let mut bytes = Vec::new();
    let mut first = true;
    for number in 1u64.. {
        bytes.clear();
        let read = input.read_until(b'\n', &mut bytes);
        if read.map_err(|error| format!("cannot read the games: {error}"))? == 0 {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if std::mem::take(&mut first) && pgn::begins(line) {
            return read_pgn(&bytes, number, input, start, each);
        }
        let (game, claims) = match line.starts_with('{') {
            true => of_json(line, start),
            false => (of_score(line, start), Vec::new()),
        };
        if !each(Written { line: number, game, claims })? {
            break;
        }
    }
    Ok(())
}

/// Hands on every game of a PGN file, whose first tag is in the line with this number.
fn read_pgn(
    first: &[u8],
    number: u64,
    mut rest: impl Read,
    start: &StartArgs,
    mut each: impl FnMut(Written) -> Result<bool, String>,
) -> Result<(), String> {
    let mut bytes = first.to_vec();
    rest.read_to_end(&mut bytes).map_err(|error| format!("cannot read the games: {error}"))?;
    for read in pgn::read(&String::from_utf8_lossy(&bytes)) {
        let claims = ["Result", pgn::RESULT_TAG].iter().filter_map(|name| read.tag(name));
        let claims = claims.map(str::to_string).collect();
        let (line, game) = (read.line + number - 1, of_pgn(&read, start));
        if !each(Written { line, game, claims })? {
            break;
        }
    }
    Ok(())
}

/// The game of a score, before which its variant may stand.
fn of_score(line: &str, start: &StartArgs) -> Result<Game, String> {
    let (rules, score) = split_variant(line).unwrap_or((start.at.variant, line));
    let position = start.at.under(rules).map_err(|error| format!("illegal: {error}"))?;
    play(position, score, start)
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

fn of_json(line: &str, start: &StartArgs) -> (Result<Game, String>, Vec<String>) {
    let read: JsonGame = match serde_json::from_str(line) {
        Ok(read) => read,
        Err(error) => return (Err(format!("illegal: {error}")), Vec::new()),
    };
    let position = position(read.variant.as_deref(), read.fen.as_deref(), start);
    let game = position.and_then(|position| play(position, &read.moves, start));
    (game, [read.result, read.reason].into_iter().flatten().collect())
}

fn of_pgn(read: &PgnGame, start: &StartArgs) -> Result<Game, String> {
    let position = position(read.tag(pgn::VARIANT_TAG), read.start(), start)?;
    read.replay(position).map_err(|error| format!("illegal at {error}"))
}

fn play(position: Position, score: &str, start: &StartArgs) -> Result<Game, String> {
    let mut game = Game::new(position);
    let played = game.play_score(score, start.notation);
    played.map(|()| game).map_err(|error| format!("illegal at {error}"))
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
            variants::find(name).ok_or_else(|| format!("illegal: there is no variant '{name}'"))?
        }
    };
    match pfen {
        None => start.at.under(rules).map_err(|error| format!("illegal: {error}")),
        Some(pfen) => Position::from_pfen(pfen, rules).map_err(|error| {
            format!("illegal: the position is illegal in {}: {error}", rules.name)
        }),
    }
}

/// Splits `italian: 1.e4 …`; `None` if the line does not begin with the name of a variant.
fn split_variant(line: &str) -> Option<(&'static RuleSet, &str)> {
    let (name, score) = line.split_once(':')?;
    Some((variants::find(name.trim())?, score))
}

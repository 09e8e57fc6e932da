//! Files of written games: scores, lines of JSON, or PGN.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use serde::Deserialize;

use super::common::StartArgs;
use super::lines::{LONGEST, too_long};
use crate::notation::pgn::{self, PgnGame};
use crate::notation::quoted;
use crate::protocol::{Found, next_line};
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
    let Some(name) = name.filter(|name| *name != "-") else {
        return read_games(io::stdin().lock(), "the games", start, each);
    };
    let file = File::open(name).map_err(|error| format!("cannot open {name}: {error}"))?;
    read_games(BufReader::new(file), name, start, each)
}

/// Hands every game of `input` to `each`, which says whether to go on; `name` is what errors call it.
///
/// # Errors
/// One sentence: the position of `start` is illegal, reading fails, or what `each` has to say.
pub fn read_games(
    mut input: impl BufRead,
    name: &str,
    start: &StartArgs,
    mut each: impl FnMut(Written) -> Result<bool, String>,
) -> Result<(), String> {
    start.at.position()?;
    let unreadable = |error| format!("cannot read {name}: {error}");
    let (mut bytes, mut first) = (Vec::new(), true);
    for number in 1u64.. {
        let found = next_line(&mut input, LONGEST, &mut bytes).map_err(&unreadable)?;
        if found == Found::End {
            break;
        }
        let line = String::from_utf8_lossy(&bytes);
        let line = line.trim_start_matches('\u{feff}').trim();
        let whole = found == Found::Line;
        if whole && line.is_empty() || line.starts_with('#') {
            continue;
        }
        if std::mem::take(&mut first) && whole && pgn::begins(line) {
            let text = rest_of_pgn(bytes, number, input, name)?;
            return read_pgn(&String::from_utf8_lossy(&text), number, start, each);
        }
        let (game, claims) = match line.starts_with('{') {
            _ if !whole => (Err(format!("illegal: {}", too_long())), Vec::new()),
            true => of_json(line, start),
            false => (of_score(line, start), Vec::new()),
        };
        if !each(Written { line: number, game, claims })? {
            break;
        }
    }
    Ok(())
}

/// A text of PGN: its first line, which is the line of the file with this number, and all that follows.
fn rest_of_pgn(
    first: Vec<u8>,
    number: u64,
    mut input: impl BufRead,
    name: &str,
) -> Result<Vec<u8>, String> {
    let (mut text, mut line) = (first, Vec::new());
    for number in number + 1.. {
        match next_line(&mut input, LONGEST, &mut line) {
            Ok(Found::Line) => text.append(&mut line),
            Ok(Found::End) => break,
            Ok(Found::EndlessLine) => return Err(format!("{name}, line {number}: {}", too_long())),
            Err(error) => return Err(format!("cannot read {name}: {error}")),
        }
    }
    Ok(text)
}

/// Hands on every game of PGN, whose first tag is in the line of the file with this number.
fn read_pgn(
    text: &str,
    number: u64,
    start: &StartArgs,
    mut each: impl FnMut(Written) -> Result<bool, String>,
) -> Result<(), String> {
    for read in pgn::read(text) {
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
    let (rules, score) = match split_variant(line) {
        Some((name, score)) => (named(name)?, score),
        None => (start.at.variant, line),
    };
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
    let rules = variant.map_or(Ok(start.at.variant), named)?;
    match pfen {
        None => start.at.under(rules).map_err(|error| format!("illegal: {error}")),
        Some(pfen) => Position::from_pfen(pfen, rules).map_err(|error| {
            format!("illegal: the position is illegal in {}: {error}", rules.name)
        }),
    }
}

fn named(variant: &str) -> Result<&'static RuleSet, String> {
    variants::named(&quoted(variant)).map_err(|error| format!("illegal: {error}"))
}

/// Splits `italian: 1.e4 …`; `None` if what stands before the colon is no name. A colon is also a
/// sign of capture, but no move has three letters and no number before it.
fn split_variant(line: &str) -> Option<(&str, &str)> {
    let (name, score) = line.split_once(':')?;
    let name = name.trim();
    let is_name = name.chars().take_while(|letter| letter.is_alphabetic()).count() >= 3
        && !name.contains(|letter: char| letter.is_numeric());
    is_name.then_some((name, score))
}

//! What a line of the interface says, in the words of the Chess Engine Communication Protocol.

use std::time::Duration;

use crate::notation::quoted;

/// The longest time that is believed, in seconds.
const LONGEST: f64 = 1e7;

/// A line of the interface; `quit` is not among them, for it ends the session.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// Understood and of no effect.
    Nothing,
    /// What can the engine do?
    Features,
    New,
    Variant(String),
    /// A position to begin with.
    SetBoard(String),
    /// Play for nobody.
    Force,
    /// Play for the side to move.
    Go,
    /// Play for the other side.
    PlayOther,
    Move(String),
    MoveNow,
    Undo,
    /// Undo twice.
    Remove,
    /// What is added for each move.
    Level(Duration),
    /// The same time for each series.
    MoveTime(Duration),
    Depth(u32),
    OwnTime(Duration),
    OtherTime(Duration),
    Ping(String),
    Draw,
    /// The game is over, for whatever reason.
    Result,
    /// Whether thinking is to be told.
    Post(bool),
}

/// Reads a line.
///
/// # Errors
/// The answer that says what is wrong with it.
pub fn parse(line: &str) -> Result<Command, String> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let number = |text: &str| read_number(text).ok_or_else(|| misused(line));
    let seconds = |text: &str| read_seconds(text).ok_or_else(|| misused(line));
    Ok(match word {
        "" | "xboard" | "accepted" | "rejected" | "random" | "hard" | "easy" | "computer"
        | "name" | "rating" | "ics" | "hint" | "bk" | "white" | "black" | "otherbrain" => {
            Command::Nothing
        }
        "protover" => Command::Features,
        "new" => Command::New,
        "variant" => Command::Variant(rest.to_string()),
        "setboard" => Command::SetBoard(rest.to_string()),
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "usermove" => Command::Move(rest.to_string()),
        "?" => Command::MoveNow,
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "level" => match rest.split_whitespace().collect::<Vec<_>>()[..] {
            [_moves, _base, increment] => Command::Level(seconds(increment)?),
            _ => return Err(misused(line)),
        },
        "st" => Command::MoveTime(seconds(rest)?),
        "sd" => Command::Depth(number(rest)?.clamp(1, 255)),
        "time" => Command::OwnTime(Duration::from_millis(10 * u64::from(number(rest)?))),
        "otim" => Command::OtherTime(Duration::from_millis(10 * u64::from(number(rest)?))),
        "ping" => Command::Ping(quoted(rest)),
        "draw" => Command::Draw,
        "result" => Command::Result,
        "post" => Command::Post(true),
        "nopost" => Command::Post(false),
        _ => return Err(format!("Error (unknown command): {}", quoted(line))),
    })
}

fn misused(line: &str) -> String {
    format!("Error (wrong parameters): {}", quoted(line))
}

/// A whole number; clocks may have run below zero.
fn read_number(text: &str) -> Option<u32> {
    let number: i64 = text.parse().ok()?;
    Some(number.clamp(0, u32::MAX.into()) as u32)
}

fn read_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok().filter(|seconds| (0.0..=LONGEST).contains(seconds))?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let second = Duration::from_secs(1);
        assert_eq!(parse("level 40 2:30 1"), Ok(Command::Level(second)));
        assert_eq!(parse(" time 100 \r"), Ok(Command::OwnTime(second)));
        assert_eq!(parse("time -3"), Ok(Command::OwnTime(Duration::ZERO)));
        assert_eq!(parse("usermove @@@@"), Ok(Command::Move("@@@@".to_string())));
        assert_eq!(parse("sd 0"), Ok(Command::Depth(1)));
        assert_eq!(parse(""), Ok(Command::Nothing));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for wrong in ["time", "time x", "st -1", "st inf", "sd 1e3", "level 40", "level 1 2 NaN"] {
            assert_eq!(parse(wrong), Err(format!("Error (wrong parameters): {wrong}")));
        }
        for unknown in ["analyze", "edit", "e2e4", "Quit"] {
            assert_eq!(parse(unknown), Err(format!("Error (unknown command): {unknown}")));
        }
    }
}

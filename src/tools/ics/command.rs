//! What a line of the client asks for. The words are those of the Free Internet Chess Server.

use std::time::Duration;

use crate::notation::quoted;
use crate::rules::{RuleSet, variants};
use crate::tools::play::Seat;
use crate::tools::times::TimeControl;

/// What somebody who is logged in wants.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    Nothing,
    Help,
    /// A game under these terms.
    Play(Wishes),
    /// The last game again, with colours changed.
    Rematch,
    Resign,
    Abort,
    Draw,
    TakeBack,
    Flag,
    /// The board once more.
    Refresh,
    Time,
    Moves,
    Legal,
    Who,
    Games,
    /// Whether times are wanted in thousandths of a second.
    Milliseconds(bool),
    /// Something polite to say, and nothing to do.
    Polite(&'static str),
    Quit,
    /// Anything else: a move, or a mistake.
    Other,
}

/// What a player says about the game that he wants; what is absent is as it was.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct Wishes {
    pub seat: Option<Seat>,
    pub rules: Option<&'static RuleSet>,
    /// The time control, or none at all.
    pub control: Option<Option<TimeControl>>,
}

/// Reads a line.
///
/// # Errors
/// One sentence: which word is not understood.
pub fn parse(line: &str) -> Result<Command, String> {
    // Programs mark their own commands by a dollar or an at sign.
    let line = line.trim().trim_start_matches(['$', '@']);
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    Ok(match &words[..] {
        [] => Command::Nothing,
        ["help" | "?" | "commands", ..] => Command::Help,
        ["play" | "match" | "seek" | "new", wishes @ ..] => Command::Play(parse_wishes(wishes)?),
        ["rematch"] => Command::Rematch,
        ["resign"] => Command::Resign,
        ["abort" | "adjourn"] => Command::Abort,
        ["draw"] => Command::Draw,
        ["takeback" | "undo", ..] => Command::TakeBack,
        ["flag"] => Command::Flag,
        ["refresh" | "r" | "board", ..] => Command::Refresh,
        ["time", ..] => Command::Time,
        ["moves" | "score", ..] => Command::Moves,
        ["legal"] => Command::Legal,
        ["who" | "players", ..] => Command::Who,
        ["games", ..] => Command::Games,
        ["iset", "ms", value] => Command::Milliseconds(*value != "0"),
        ["style", "12"] => Command::Polite("Style 12 set."),
        ["style", ..] => Command::Polite("Boards come in style 12 only."),
        ["set" | "iset" | "alias" | "unset", ..] => Command::Polite("Noted."),
        ["sought", ..] => Command::Polite("0 ads displayed."),
        ["accept" | "decline" | "pending" | "withdraw" | "unseek", ..] => {
            Command::Polite("There are no offers pending.")
        }
        ["tell" | "say" | "kibitz" | "whisper" | "shout" | "cshout" | "t", ..] => {
            Command::Polite("Nobody is here to talk to.")
        }
        ["finger" | "variables" | "history" | "date" | "uptime" | "inchannel" | "news", ..] => {
            Command::Polite("Nothing of that kind is kept here.")
        }
        ["observe" | "examine" | "unobserve" | "unexamine" | "smoves", ..] => {
            Command::Polite("There are no games to look at.")
        }
        ["quit" | "exit" | "logout" | "bye"] => Command::Quit,
        _ => Command::Other,
    })
}

/// Reads `[white|black|random] [variant] [minutes [seconds]]`, in any order; words that other
/// servers know beside these are read over.
fn parse_wishes(words: &[&str]) -> Result<Wishes, String> {
    let (mut wishes, mut numbers) = (Wishes::default(), Vec::new());
    for &word in words {
        match word {
            "white" | "w" => wishes.seat = Some(Seat::White),
            "black" | "b" => wishes.seat = Some(Seat::Black),
            "random" => wishes.seat = Some(Seat::Random),
            "untimed" => wishes.control = Some(None),
            "crescendo" | "rated" | "unrated" | "r" | "u" | "standard" | "auto" | "manual" => {}
            _ if variants::find(word).is_some() => wishes.rules = variants::find(word),
            _ => match word.parse::<u32>() {
                Ok(number) if number <= 10_000 && numbers.len() < 2 => {
                    numbers.push(Duration::from_secs(number.into()));
                }
                _ => {
                    return Err(format!(
                        "play: '{}' is neither a colour, nor a variant, nor minutes and seconds.",
                        quoted(word)
                    ));
                }
            },
        }
    }
    if let [minutes, seconds @ ..] = &numbers[..] {
        let increment = seconds.first().copied().unwrap_or_default();
        let control = TimeControl { base: *minutes * 60, increment };
        wishes.control = Some(match (minutes.is_zero(), increment.is_zero()) {
            (false, _) => Some(control),
            (true, true) => None,
            (true, false) => return Err("play: a game needs a minute at least.".to_string()),
        });
    }
    Ok(wishes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_wished_for_in_any_order() {
        let control = TimeControl { base: Duration::from_secs(300), increment: Duration::ZERO };
        assert_eq!(parse("play"), Ok(Command::Play(Wishes::default())));
        let wishes = Wishes {
            seat: Some(Seat::Black),
            rules: variants::find("italian"),
            control: Some(Some(control)),
        };
        assert_eq!(parse("$match Crescendo 5 0 Italian u black"), Ok(Command::Play(wishes)));
        let untimed = Wishes { control: Some(None), ..Wishes::default() };
        assert_eq!(parse("seek 0 0"), Ok(Command::Play(untimed)));
        for wrong in ["play fast", "play 0 5", "play 1 2 3", "play -1", "match 99999999999"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn programs_and_people_are_understood() {
        assert_eq!(parse("  "), Ok(Command::Nothing));
        assert_eq!(parse("$iset ms 1"), Ok(Command::Milliseconds(true)));
        assert_eq!(parse("TAKEBACK 2"), Ok(Command::TakeBack));
        assert_eq!(parse("resign now"), Ok(Command::Other));
        assert_eq!(parse("e2e4"), Ok(Command::Other));
    }
}

//! From a line of input to a [`Command`].
//!
//! Lines of plain UCI that carry no numbers are read by `vampirc-uci`. The rest has more words here
//! than there (`series`, `variant`, `/`, `perft`) or numbers that its types cannot hold, and is
//! read word by word.

use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::str::SplitAsciiWhitespace;
use std::time::Duration;

use vampirc_uci::{UciMessage, parse_strict};

use crate::board::Color;
use crate::engine::SolveTask;
use crate::position::Move;
use crate::search::Limits;
use crate::search::perft::Depth;

/// What a line asks for.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    Uci,
    IsReady,
    /// Understood and of no effect: `debug`, `register`.
    Accepted,
    NewGame,
    SetOption {
        name: String,
        value: Option<String>,
    },
    /// The words behind `position`, still to be read: their meaning depends on the options.
    Position(String),
    Go(Go),
    Solve(SolveOrder),
    Perft(PerftOrder),
    Show(Question),
    Stop,
    PonderHit,
    Quit,
}

/// A `go`: limits, and whether to think on the opponent's time.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Go {
    pub limits: Limits,
    pub ponder: bool,
    /// What was not understood first, if anything.
    pub complaint: Option<String>,
}

/// A `solve`.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct SolveOrder {
    pub task: SolveTask,
    pub move_time: Option<Duration>,
    pub nodes: Option<u64>,
}

/// A `perft`.
#[derive(Clone, PartialEq, Debug)]
pub struct PerftOrder {
    pub depth: Depth,
    pub divide: bool,
    pub distinct: bool,
}

/// What somebody wants to know about the current position.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Question {
    Board,
    Fen,
    Legal,
    Status,
    Eval,
    Help,
}

/// The longest time that can be given, in milliseconds: three weeks.
const LONGEST_TIME: u64 = 2_000_000_000;

/// The words that `go` knows, for telling a missing number from a wrong one.
const GO_WORDS: [&str; 13] = [
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

/// Reads a line; `None` if it is blank.
///
/// # Errors
/// What was not understood, in one sentence.
pub fn parse(line: &str) -> Result<Option<Command>, String> {
    let mut words = Words(line.split_ascii_whitespace().peekable());
    let Some(first) = words.next() else {
        return Ok(None);
    };
    let command = match first.to_ascii_lowercase().as_str() {
        "uci" | "isready" | "debug" | "setoption" | "ucinewgame" | "stop" | "ponderhit"
        | "quit" => standard(line)?,
        "register" => Command::Accepted,
        "position" => Command::Position(words.rest()),
        "go" if words.peek_is("perft") => {
            words.next();
            Command::Perft(perft(words)?)
        }
        "go" => Command::Go(go(words)),
        "perft" => Command::Perft(perft(words)?),
        "solve" => Command::Solve(solve(words)?),
        word => match question(word) {
            Some(question) if words.is_empty() => Command::Show(question),
            Some(_) => return Err(format!("{word}: nothing is expected at '{}'", words.rest())),
            None => return Err(format!("unknown command '{first}'")),
        },
    };
    Ok(Some(command))
}

fn question(word: &str) -> Option<Question> {
    Some(match word {
        "d" => Question::Board,
        "fen" => Question::Fen,
        "legal" => Question::Legal,
        "status" => Question::Status,
        "eval" => Question::Eval,
        "help" => Question::Help,
        _ => return None,
    })
}

/// Reads a line of plain UCI without numbers. The library either takes such a line whole or
/// rejects it.
fn standard(line: &str) -> Result<Command, String> {
    let line = line.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    let message = parse_strict(&line).ok().and_then(|messages| messages.into_iter().next());
    match message {
        Some(UciMessage::Uci) => Ok(Command::Uci),
        Some(UciMessage::IsReady) => Ok(Command::IsReady),
        Some(UciMessage::Debug(_)) => Ok(Command::Accepted),
        Some(UciMessage::SetOption { name, value }) => Ok(Command::SetOption { name, value }),
        Some(UciMessage::UciNewGame) => Ok(Command::NewGame),
        Some(UciMessage::Stop) => Ok(Command::Stop),
        Some(UciMessage::PonderHit) => Ok(Command::PonderHit),
        Some(UciMessage::Quit) => Ok(Command::Quit),
        _ => Err(format!("'{line}' is not understood")),
    }
}

/// The words of a line that are still to be read.
struct Words<'l>(Peekable<SplitAsciiWhitespace<'l>>);

impl<'l> Words<'l> {
    fn next(&mut self) -> Option<&'l str> {
        self.0.next()
    }

    fn is_empty(&mut self) -> bool {
        self.0.peek().is_none()
    }

    fn peek_is(&mut self, word: &str) -> bool {
        self.0.peek().is_some_and(|next| next.eq_ignore_ascii_case(word))
    }

    /// All that is left.
    fn rest(self) -> String {
        self.0.collect::<Vec<_>>().join(" ")
    }

    /// The number behind `name`, which has to lie in `range`.
    fn number(&mut self, name: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
        let is_number = |word: &&str| !GO_WORDS.contains(&word.to_ascii_lowercase().as_str());
        match self.0.next_if(is_number) {
            Some(word) => parse_number(name, word, range),
            None => Err(format!("{name} needs a number")),
        }
    }

    fn milliseconds(&mut self, name: &str) -> Result<Duration, String> {
        self.number(name, 0..=LONGEST_TIME).map(Duration::from_millis)
    }
}

/// Reads a number in `range`.
///
/// # Errors
/// A sentence with `name`, the text and the range.
pub fn parse_number(name: &str, text: &str, range: RangeInclusive<u64>) -> Result<u64, String> {
    // `parse` would take a plus sign.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number| digits && range.contains(number)).ok_or_else(|| {
        format!("{name}: '{text}' is not a number from {} to {}", range.start(), range.end())
    })
}

/// Reads what follows `go`. What is not understood is left out, and the rest still counts.
fn go(mut words: Words) -> Go {
    let mut go = Go::default();
    while let Some(word) = words.next() {
        if let Err(complaint) = go.take(&word.to_ascii_lowercase(), &mut words) {
            go.complaint.get_or_insert(format!("go: {complaint}"));
        }
    }
    go
}

impl Go {
    /// Whether something ends this search by itself.
    pub fn is_limited(&self, side: Color) -> bool {
        let Limits { depth, nodes, move_time, clock, mate, .. } = &self.limits;
        depth.is_some()
            || nodes.is_some()
            || move_time.is_some()
            || mate.is_some()
            || clock.time[side as usize].is_some()
    }

    fn take(&mut self, word: &str, words: &mut Words) -> Result<(), String> {
        let limits = &mut self.limits;
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => self.ponder = true,
            "depth" => limits.depth = Some(words.number(word, 1..=255)? as u32),
            "nodes" => limits.nodes = Some(words.number(word, 1..=u64::MAX)?),
            "mate" => limits.mate = Some(words.number(word, 1..=255)? as u32),
            "movetime" => limits.move_time = Some(words.milliseconds(word)?),
            "wtime" => limits.clock.time[0] = Some(words.milliseconds(word)?),
            "btime" => limits.clock.time[1] = Some(words.milliseconds(word)?),
            "winc" => limits.clock.increment[0] = words.milliseconds(word)?,
            "binc" => limits.clock.increment[1] = words.milliseconds(word)?,
            "movestogo" => {
                // Some clients send 0 for "to the end of the game".
                let moves = words.number(word, 0..=9999)? as u32;
                limits.clock.moves_to_go = Some(moves).filter(|&moves| moves > 0);
            }
            "searchmoves" => {
                let is_move = |word: &&str| word.parse::<Move>().is_ok();
                while let Some(word) = words.0.next_if(is_move) {
                    limits.search_moves.extend(word.parse::<Move>().ok());
                }
                if limits.search_moves.is_empty() {
                    return Err("searchmoves needs moves".to_string());
                }
            }
            _ => return Err(format!("'{word}' is not understood")),
        }
        Ok(())
    }
}

/// Reads what follows `perft`.
fn perft(mut words: Words) -> Result<PerftOrder, String> {
    let (mut depth, mut divide, mut distinct) = (None, false, true);
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_str() {
            "divide" => divide = true,
            "distinct" => distinct = true,
            "nodistinct" => distinct = false,
            _ if depth.is_some() => {
                return Err(format!("perft: nothing is expected at '{word}'"));
            }
            "moves" => {
                let moves = words.number("perft moves", 1..=1000)?;
                depth = Some(Depth::Moves(moves as u32));
            }
            _ => depth = Some(Depth::Turns(parse_number("perft", word, 1..=255)? as u32)),
        }
    }
    let depth = depth.ok_or("perft needs a number of turns, or moves and their number")?;
    Ok(PerftOrder { depth, divide, distinct })
}

/// Reads what follows `solve`.
fn solve(mut words: Words) -> Result<SolveOrder, String> {
    let mut order = SolveOrder { task: SolveTask::Find, move_time: None, nodes: None };
    let mut max = None;
    while let Some(word) = words.next() {
        match word.to_ascii_lowercase().as_str() {
            "all" => order.task = SolveTask::List(None),
            "count" => order.task = SolveTask::Count,
            "max" => max = Some(words.number("solve max", 1..=u64::MAX)?),
            "movetime" => order.move_time = Some(words.milliseconds("solve movetime")?),
            "nodes" => order.nodes = Some(words.number("solve nodes", 1..=u64::MAX)?),
            _ => return Err(format!("solve: '{word}' is not understood")),
        }
    }
    match (max, order.task) {
        (None, _) => {}
        (Some(_), SolveTask::Count) => return Err("solve: max and count exclude each other".into()),
        (Some(_), _) => order.task = SolveTask::List(max),
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        parse(line).unwrap().unwrap()
    }

    fn read_go(line: &str) -> Go {
        match read(line) {
            Command::Go(go) => go,
            other => panic!("{line} is {other:?}"),
        }
    }

    #[test]
    fn plain_words() {
        assert_eq!(parse(" \t\r"), Ok(None));
        assert_eq!(read(" UCI \r"), Command::Uci);
        assert_eq!(read("\tisready"), Command::IsReady);
        assert_eq!(read("debug on"), Command::Accepted);
        assert_eq!(read("register later"), Command::Accepted);
        assert_eq!(read("d"), Command::Show(Question::Board));
        for wrong in ["uc", "uciok now", "stop it", "debug maybe", "fen please", "\0", "é"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn options_have_names_of_several_words() {
        let name = "Move Overhead".to_string();
        let value = Some("30".to_string());
        let command = Command::SetOption { name: name.clone(), value };
        assert_eq!(read("setoption  name Move \t Overhead value 30 "), command);
        let without = Command::SetOption { name, value: None };
        assert_eq!(read("setoption name Move Overhead"), without);
        assert!(parse("setoption Hash 3").is_err());
    }

    #[test]
    fn go_keeps_everything_it_is_given() {
        let go = read_go("go ponder wtime 1000 btime 2000 movetime 70 movestogo 300 depth 200");
        assert!(go.ponder && go.complaint.is_none());
        assert_eq!(go.limits.clock.time[1], Some(Duration::from_secs(2)));
        assert_eq!(go.limits.move_time, Some(Duration::from_millis(70)));
        assert_eq!(go.limits.clock.moves_to_go, Some(300));
        assert_eq!(go.limits.depth, Some(200));
        let go = read_go("go searchmoves e2e4 a7a8k infinite");
        assert_eq!(go.limits.search_moves.len(), 2);
        assert!(go.limits.infinite);
    }

    #[test]
    fn go_names_what_it_does_not_understand_and_keeps_the_rest() {
        for (line, named) in [
            ("go depth -3 movetime 5", "'-3'"),
            ("go depth 1000000000000000000000000000000 movetime 5", "'1000000000000"),
            ("go depth movetime 5", "depth needs a number"),
            ("go movetime 5 nodes", "nodes needs a number"),
            ("go fast movetime 5", "'fast'"),
            ("go depth +3 movetime 5", "'+3'"),
            ("go searchmoves movetime 5", "searchmoves needs moves"),
        ] {
            let go = read_go(line);
            assert!(go.complaint.as_ref().unwrap().contains(named), "{line}: {go:?}");
            assert_eq!(go.limits.move_time, Some(Duration::from_millis(5)), "{line}");
            assert_eq!(go.limits.depth, None);
        }
    }

    #[test]
    fn perft_words_come_in_any_order() {
        let plain = PerftOrder { depth: Depth::Turns(3), divide: false, distinct: true };
        assert_eq!(read("perft 3"), Command::Perft(plain.clone()));
        assert_eq!(read("go perft 3 distinct"), Command::Perft(plain));
        let moves = PerftOrder { depth: Depth::Moves(5), divide: true, distinct: false };
        assert_eq!(read("perft nodistinct divide moves 5"), Command::Perft(moves));
        for wrong in ["perft", "perft x", "perft 0", "perft 3 4", "perft moves", "perft -1"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn solve_lists_counts_or_finds() {
        let task = |line| match read(line) {
            Command::Solve(order) => order.task,
            other => panic!("{line} is {other:?}"),
        };
        assert_eq!(task("solve"), SolveTask::Find);
        assert_eq!(task("solve nodes 5 count"), SolveTask::Count);
        assert_eq!(task("solve max 3"), SolveTask::List(Some(3)));
        assert_eq!(task("solve max 3 all movetime 9"), SolveTask::List(Some(3)));
        for wrong in ["solve some", "solve max", "solve max 3 count", "solve nodes 0"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}

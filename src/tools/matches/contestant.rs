//! Who plays: the command of an engine, its name, its options and its limits.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::board::Color;
use crate::tools::times::{TimeControl, parse_move_time, parse_number, parse_time_control};

/// How long an engine may think about a series.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Limit {
    /// The same time for each series.
    MoveTime(Duration),
    /// A clock for the game, and what each finished series adds to it.
    Clock(TimeControl),
    /// So many nodes for each series, in whatever time.
    Nodes(u64),
}

impl Limit {
    /// The time on the clock when a game begins; `None` where there is no clock.
    pub fn clock(self) -> Option<Duration> {
        match self {
            Limit::Clock(control) => Some(control.base),
            Limit::MoveTime(_) | Limit::Nodes(_) => None,
        }
    }

    /// The `go` command for `side`; `clocks` are those of White and Black.
    pub fn go(self, side: Color, clocks: [Option<Duration>; 2]) -> String {
        match self {
            Limit::MoveTime(time) => format!("go movetime {}", time.as_millis()),
            Limit::Nodes(nodes) => format!("go nodes {nodes}"),
            Limit::Clock(control) => {
                // A side without a clock of its own is told to have as much as the other.
                let own = clocks[side as usize].unwrap_or_default();
                let [white, black] = clocks.map(|clock| clock.unwrap_or(own).as_millis());
                let inc = control.increment.as_millis();
                format!("go wtime {white} btime {black} winc {inc} binc {inc}")
            }
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Limit::MoveTime(time) => write!(f, "movetime={}", time.as_millis()),
            Limit::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Limit::Clock(TimeControl { base, increment }) => {
                write!(f, "tc={}+{}", base.as_secs_f64(), increment.as_secs_f64())
            }
        }
    }
}

/// An engine as the command line has it: `path arguments;name=A;option.Hash=32;nodes=1000`.
#[derive(Clone, PartialEq, Debug)]
pub struct Contestant {
    /// How it is called in reports and files.
    pub name: String,
    /// The program and its arguments, at least the program.
    pub command: Vec<String>,
    /// Options to be set, by name.
    pub options: Vec<(String, String)>,
    /// Its own limit in place of that of the match.
    pub limit: Option<Limit>,
}

impl FromStr for Contestant {
    type Err = String;

    /// Reads the command, whose words are told apart as in a shell, and what follows it behind
    /// semicolons.
    fn from_str(text: &str) -> Result<Contestant, String> {
        let mut parts = text.split(';');
        let command = parts.next().unwrap_or_default();
        let command = shlex::split(command).filter(|words| !words.is_empty());
        let command = command.ok_or_else(|| format!("'{text}' does not begin with a command"))?;
        let program = command.first().map(String::as_str).unwrap_or_default();
        let name = program.rsplit('/').next().unwrap_or(program).to_string();
        let mut contestant = Contestant { name, command, options: Vec::new(), limit: None };
        for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
            contestant.set(part)?;
        }
        Ok(contestant)
    }
}

impl Contestant {
    fn set(&mut self, part: &str) -> Result<(), String> {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        match (key.trim(), value.trim()) {
            ("name", name) if !name.is_empty() => self.name = name.to_string(),
            ("movetime", value) => self.limit = Some(Limit::MoveTime(parse_move_time(value)?)),
            ("nodes", value) => self.limit = Some(Limit::Nodes(parse_number(value, u64::MAX)?)),
            ("tc", value) => self.limit = Some(Limit::Clock(parse_time_control(value)?)),
            (key, value) => match key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                Some(name) => self.options.push((name.to_string(), value.to_string())),
                None => {
                    return Err(format!(
                        "'{part}' is not name=, option.NAME=, movetime=, nodes= or tc="
                    ));
                }
            },
        }
        Ok(())
    }
}

/// The contestants under names of their own: `A`, `A (2)`, … One alone plays against itself.
pub fn told_apart(mut contestants: Vec<Contestant>) -> Vec<Contestant> {
    if let [alone] = &contestants[..] {
        contestants.push(alone.clone());
    }
    let mut names: Vec<String> = Vec::new();
    for contestant in &mut contestants {
        let name = contestant.name.clone();
        for copy in 2.. {
            if !names.contains(&contestant.name) {
                break;
            }
            contestant.name = format!("{name} ({copy})");
        }
        names.push(contestant.name.clone());
    }
    contestants
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_is_a_command_and_what_follows() {
        let text = "./dir/engine -x 'two words';name=A;option.Move Overhead=5;nodes=100;option.X=";
        let contestant: Contestant = text.parse().unwrap();
        assert_eq!(contestant.name, "A");
        assert_eq!(contestant.command, ["./dir/engine", "-x", "two words"]);
        let options =
            [("Move Overhead", "5"), ("X", "")].map(|(n, v)| (n.to_string(), v.to_string()));
        assert_eq!(contestant.options, options);
        assert_eq!(contestant.limit, Some(Limit::Nodes(100)));
        assert_eq!("./dir/engine".parse::<Contestant>().unwrap().name, "engine");
        for wrong in ["", ";name=A", "a;nam=b", "a;name=", "a;option.=3", "a;nodes=0", "'a"] {
            assert!(wrong.parse::<Contestant>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn clocks_are_in_seconds() {
        let clock = Limit::Clock(parse_time_control("10+0.1").unwrap());
        assert_eq!(clock.to_string(), "tc=10+0.1");
        let clocks = [Some(Duration::from_secs(9)), None];
        assert_eq!(clock.go(Color::White, clocks), "go wtime 9000 btime 9000 winc 100 binc 100");
    }

    #[test]
    fn everybody_has_a_name() {
        let named = |names: &[&str]| {
            let contestants = names.iter().map(|name| name.parse().unwrap()).collect();
            told_apart(contestants).into_iter().map(|one| one.name).collect::<Vec<_>>()
        };
        assert_eq!(named(&["a"]), ["a", "a (2)"]);
        assert_eq!(named(&["a", "b", "a", "a"]), ["a", "b", "a (2)", "a (3)"]);
    }
}

//! An engine at work: a process that is spoken to over pipes, and may do anything.
//!
//! A thread writes to it and another reads from it, so that neither a process that does not read
//! nor one that does not write can hold up the match.

use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded, select, unbounded};

use super::contestant::Contestant;
use super::forfeit::{Forfeit, Offence, Trouble};
use super::thought::Thought;
use crate::protocol::{Found, next_line};
use crate::rules::{RuleSet, variants};

/// The longest line that is read, in bytes; the rest of it is dropped.
const LONGEST_LINE: u64 = 1 << 20;

/// How many lines wait to be looked at before the process has to wait.
const WAITING_LINES: usize = 1024;

/// How long an engine has to answer `stop` with a series.
const GRACE: Duration = Duration::from_secs(2);

/// How long an engine has to go after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);

/// The option of an engine that may answer from a book: games are for what engines find themselves.
const OWN_BOOK: &str = "OwnBook";

/// What somebody waits for, and how long.
#[derive(Clone, Debug)]
pub struct Patience {
    /// Closes when the match is stopped.
    pub stop: Receiver<()>,
    /// Until an engine is taken to hang where no clock runs.
    pub longest: Duration,
    /// How much later than it should an answer may come.
    pub margin: Duration,
}

/// A line of an engine, and when it came.
struct Line {
    at: Instant,
    text: String,
}

/// A running engine.
pub struct Player {
    process: Child,
    input: Option<Sender<String>>,
    lines: Receiver<Line>,
    /// Whether it is told the variant with each position.
    told_variant: Option<&'static RuleSet>,
}

impl Player {
    /// Starts an engine and makes it ready for a game of `rules`.
    ///
    /// # Errors
    /// It cannot be started or does not answer, does not play the variant, or has not an option
    /// that it should set.
    pub fn start(
        contestant: &Contestant,
        rules: &'static RuleSet,
        patience: &Patience,
    ) -> Result<Player, Trouble> {
        let mut player = Player::spawn(&contestant.command)
            .map_err(|error| Forfeit::new(Offence::Crash, format!("cannot start: {error}")))?;
        player.send("uci");
        let mut offered = Offered::default();
        player.wait(patience, |line| {
            offered.note(line);
            (line.trim() == "uciok").then_some(())
        })?;
        for (name, value) in &contestant.options {
            if !offered.has(name) {
                let detail = format!("there is no option '{name}'");
                return Err(Forfeit::new(Offence::Crash, detail).into());
            }
            player.send(&format!("setoption name {name} value {value}"));
        }
        let has_say = |(name, _): &(String, String)| name.eq_ignore_ascii_case(OWN_BOOK);
        if offered.has(OWN_BOOK) && !contestant.options.iter().any(has_say) {
            player.send(&format!("setoption name {OWN_BOOK} value false"));
        }
        match &offered.variants {
            Some(names) if names.iter().any(|name| name == rules.name) => {
                player.send(&format!("setoption name UCI_Variant value {}", rules.name));
                player.told_variant = Some(rules);
            }
            None if *rules == *variants::default() => {}
            _ => {
                let detail = format!("it does not offer the variant {}", rules.name);
                return Err(Forfeit::new(Offence::Crash, detail).into());
            }
        }
        player.synchronise(patience)?;
        Ok(player)
    }

    fn spawn(command: &[String]) -> std::io::Result<Player> {
        let [program, arguments @ ..] = command else {
            return Err(std::io::Error::other("no command"));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A group of its own: an interrupt at the terminal is for the match to deal with.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut process = command.spawn()?;
        let pipes = process.stdin.take().zip(process.stdout.take());
        let (stdin, stdout) = pipes.ok_or_else(|| std::io::Error::other("no pipes"))?;
        let (input, to_write) = unbounded();
        let (read, lines) = bounded(WAITING_LINES);
        thread::spawn(move || write_lines(stdin, &to_write));
        thread::spawn(move || read_lines(stdout, &read));
        Ok(Player { process, input: Some(input), lines, told_variant: None })
    }

    /// Tells the engine that a new game begins.
    ///
    /// # Errors
    /// It has ended or hangs.
    pub fn new_game(&mut self, patience: &Patience) -> Result<(), Trouble> {
        self.send("ucinewgame");
        self.synchronise(patience)
    }

    /// The command that sets up a position: position text and the moves made from there, flat.
    pub fn position_command(&self, pfen: &str, moves: &str) -> String {
        let mut command = format!("position fen {pfen}");
        if let Some(rules) = self.told_variant {
            command.push_str(&format!(" variant {}", rules.name));
        }
        if !moves.is_empty() {
            command.push_str(&format!(" moves {moves}"));
        }
        command
    }

    /// Lets the engine think about a position. `allowed` is the time that it has; `None` if it has
    /// as much as the patience of the match.
    ///
    /// # Errors
    /// It has ended, hangs or answers too late.
    pub fn think(
        &mut self,
        position: &str,
        go: &str,
        allowed: Option<Duration>,
        patience: &Patience,
    ) -> Result<Thought, Trouble> {
        self.send(position);
        // Nothing that was said before counts as an answer.
        self.synchronise(patience)?;
        let start = Instant::now();
        self.send(go);
        let wait = allowed.map_or(patience.longest, |allowed| allowed + patience.margin);
        let mut thought = Thought::default();
        let answer = self.wait_until(start + wait, patience, |line| thought.note(line))?;
        if answer.is_none() {
            self.send("stop");
            let late = self.wait_until(Instant::now() + GRACE, patience, |line| thought.note(line));
            return Err(match (late?, allowed) {
                (Some(at), Some(allowed)) => overstepped(at - start, allowed),
                _ => Forfeit::new(Offence::Hang, format!("no answer to '{go}'")).into(),
            });
        }
        thought.time = answer.map_or(wait, |at| at - start);
        match allowed {
            Some(allowed) if thought.time > wait => Err(overstepped(thought.time, allowed)),
            _ => Ok(thought),
        }
    }

    /// Waits until the engine has read everything and said what it had to say.
    fn synchronise(&mut self, patience: &Patience) -> Result<(), Trouble> {
        self.send("isready");
        self.wait(patience, |line| (line.trim() == "readyok").then_some(()))
    }

    fn wait(
        &mut self,
        patience: &Patience,
        wanted: impl FnMut(&str) -> Option<()>,
    ) -> Result<(), Trouble> {
        let deadline = Instant::now() + patience.longest;
        match self.wait_until(deadline, patience, wanted)? {
            Some(_) => Ok(()),
            None => Err(Forfeit::new(Offence::Hang, "no answer to 'uci' or 'isready'").into()),
        }
    }

    /// When the line came that `wanted` wants; `None` if it has not come at `deadline`.
    fn wait_until(
        &mut self,
        deadline: Instant,
        patience: &Patience,
        mut wanted: impl FnMut(&str) -> Option<()>,
    ) -> Result<Option<Instant>, Trouble> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            select! {
                recv(patience.stop) -> _ => return Err(Trouble::Stopped),
                recv(self.lines) -> line => match line {
                    Ok(line) if wanted(&line.text).is_some() => return Ok(Some(line.at)),
                    // One that never stops talking must not hold us up.
                    Ok(line) if line.at >= deadline => return Ok(None),
                    Ok(_) => {}
                    Err(_) => return Err(self.crash().into()),
                },
                default(left) => return Ok(None),
            }
        }
    }

    fn send(&mut self, line: &str) {
        // That the process is gone is noticed when it is waited for.
        let _ = self.input.as_ref().map(|input| input.send(line.to_string()));
    }

    /// How the process has ended, which has closed its output.
    fn crash(&mut self) -> Forfeit {
        let detail = match ended(&mut self.process, FAREWELL) {
            Some(status) => format!("the process has ended: {status}"),
            None => "the process has closed its output".to_string(),
        };
        Forfeit::new(Offence::Crash, detail)
    }
}

impl Drop for Player {
    /// Lets the process go, by force if it does not by itself.
    fn drop(&mut self) {
        self.send("quit");
        self.input = None;
        if ended(&mut self.process, FAREWELL).is_none() {
            // It may have ended in this moment.
            let _ = self.process.kill();
            let _ = self.process.wait();
        }
    }
}

fn overstepped(time: Duration, allowed: Duration) -> Trouble {
    let (time, allowed) = (time.as_millis(), allowed.as_millis());
    Forfeit::new(Offence::Time, format!("{time} ms in place of {allowed}")).into()
}

/// How the process has ended, if it does so within `time`.
fn ended(process: &mut Child, time: Duration) -> Option<std::process::ExitStatus> {
    let deadline = Instant::now() + time;
    loop {
        match process.try_wait() {
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
            Ok(status) => return status,
            Err(_) => return None,
        }
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &Sender<Line>) {
    let mut output = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        match next_line(&mut output, LONGEST_LINE, &mut bytes) {
            Ok(Found::Line | Found::EndlessLine) => {}
            Ok(Found::End) | Err(_) => return,
        }
        let line = Line { at: Instant::now(), text: String::from_utf8_lossy(&bytes).into_owned() };
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// What an engine offers in answer to `uci`.
#[derive(Default)]
struct Offered {
    options: Vec<String>,
    /// The variants that it lists, if it has the option.
    variants: Option<Vec<String>>,
}

impl Offered {
    /// `option name Move Overhead type spin ...`
    fn note(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["option", "name", rest @ ..] = &words[..] else { return };
        let name_length = rest.iter().position(|word| *word == "type").unwrap_or(rest.len());
        let (name, rest) = rest.split_at(name_length);
        let name = name.join(" ");
        if name.eq_ignore_ascii_case("UCI_Variant") {
            let values = rest.windows(2).filter(|pair| pair[0] == "var");
            self.variants = Some(values.map(|pair| pair[1].to_string()).collect());
        }
        self.options.push(name);
    }

    fn has(&self, name: &str) -> bool {
        self.options.iter().any(|own| own.eq_ignore_ascii_case(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_variants_are_read() {
        let mut offered = Offered::default();
        offered.note("option name Move Overhead type spin default 20 min 0 max 10000");
        offered.note("id name type");
        assert!(offered.has("move overhead") && !offered.has("Hash"));
        assert_eq!(offered.variants, None);
        offered.note("option name UCI_Variant type combo default chess var chess var scottish");
        assert_eq!(offered.variants, Some(vec!["chess".to_string(), "scottish".to_string()]));
    }
}

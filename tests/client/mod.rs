//! A client of the real binary: lines go in and come out over pipes.
#![allow(dead_code, reason = "each test file needs a part of this")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crescendo::rules::variants;
use crescendo::{Game, Position};

/// How long anything may take before a test gives up: far more than it ever should.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
}

impl Client {
    /// Speaks the protocol.
    pub fn start() -> Client {
        Client::run(&[])
    }

    /// Runs a tool that speaks in lines.
    pub fn run(arguments: &[&str]) -> Client {
        let mut process = Command::new(env!("CARGO_BIN_EXE_crescendo"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let input = process.stdin.take();
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            output.lines().map_while(Result::ok).all(|line| sender.send(line).is_ok())
        });
        Client { process, input, output: lines }
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        if let Err(error) = input.write_all(bytes).and_then(|()| input.flush()) {
            panic!("the engine does not read: {error}; {:?}", self.process.wait());
        }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// The next line; `None` if the engine has closed its output.
    pub fn next(&mut self) -> Option<String> {
        match self.output.recv_timeout(PATIENCE) {
            Ok(line) => Some(line),
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer"),
        }
    }

    /// The lines up to the first that begins with `word`, which is the last.
    pub fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let line = self.next().unwrap_or_else(|| panic!("no {word} after {lines:?}"));
            let found = line.split(' ').next() == Some(word);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Sends lines, asks whether the engine is ready, and gives what came before `readyok`.
    pub fn ask(&mut self, lines: &[&str]) -> Vec<String> {
        lines.iter().for_each(|line| self.send(line));
        self.send("isready");
        let mut answer = self.until("readyok");
        answer.pop();
        answer
    }

    /// Asks a question with one line of answer.
    pub fn line(&mut self, question: &str) -> String {
        self.send(question);
        self.next().unwrap_or_else(|| panic!("no answer to {question}"))
    }

    /// Starts a search; its lines, and the moves of `bestmove` without those to ponder on.
    pub fn search(&mut self, go: &str) -> (Vec<String>, Vec<String>) {
        self.send(go);
        let mut lines = self.until("bestmove");
        let best = lines.pop().unwrap_or_default();
        (lines, series(&best))
    }

    /// The resident memory of the process, in KiB.
    #[cfg(target_os = "linux")]
    pub fn resident(&self) -> u64 {
        let path = format!("/proc/{}/status", self.process.id());
        let status = std::fs::read_to_string(path).expect("a file about the process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }

    /// The numbers of its threads of this name.
    #[cfg(target_os = "linux")]
    pub fn threads(&self, name: &str) -> Vec<u32> {
        let folder = format!("/proc/{}/task", self.process.id());
        let tasks = std::fs::read_dir(folder).expect("a folder").flatten();
        let named = tasks.filter(|task| {
            let own = std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
            own.trim() == name
        });
        named.filter_map(|task| task.file_name().to_str()?.parse().ok()).collect()
    }

    /// How long its threads have been on a core, those that have ended left out.
    #[cfg(target_os = "linux")]
    pub fn work(&self) -> Duration {
        let folder = format!("/proc/{}/task", self.process.id());
        let tasks = std::fs::read_dir(folder).expect("a folder").flatten();
        let nanoseconds = tasks.filter_map(|task| {
            // A thread may end while we look at it.
            let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            text.split(' ').next()?.parse::<u64>().ok()
        });
        Duration::from_nanos(nanoseconds.sum())
    }

    /// Ends the input; the lines that still come, after which the engine has to exit with success.
    pub fn end(&mut self) -> Vec<String> {
        self.input = None;
        let rest = std::iter::from_fn(|| self.next()).collect();
        assert!(self.process.wait().expect("an exit code").success());
        rest
    }
}

impl Client {
    /// Stops reading and goes on writing until the engine notices and exits, which it has to do
    /// with success.
    pub fn desert(mut self) {
        drop(std::mem::replace(&mut self.output, channel().1));
        let mut input = self.input.take().expect("the input is open");
        let start = Instant::now();
        loop {
            // The engine may be gone already.
            let _ = input.write_all(b"isready\n");
            if let Some(status) = self.process.try_wait().expect("a state") {
                return assert!(status.success());
            }
            assert!(start.elapsed() < PATIENCE, "it writes to nobody");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A test that fails leaves no engine behind; one that has ended cannot be killed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The moves of a `bestmove` line, without those to ponder on; none for `(none)`.
pub fn series(line: &str) -> Vec<String> {
    let moves = line.strip_prefix("bestmove ").unwrap_or_else(|| panic!("no bestmove: {line}"));
    let series = moves.split(" ponder ").next().unwrap_or_default();
    series.split(' ').filter(|mv| *mv != "(none)").map(str::to_string).collect()
}

/// The game after `moves` from the start.
pub fn game(variant: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::start(variants::find(variant).expect("a variant")));
    moves.split_whitespace().for_each(|mv| game.play(mv.parse().unwrap()).unwrap());
    game
}

/// Whether `moves` complete the series of `game`, and nothing more.
pub fn completes(game: &Game, moves: &[String]) -> bool {
    let mut after = game.clone();
    let side = after.position().side();
    let legal = moves.iter().all(|mv| {
        after.position().side() == side && after.play(mv.parse().expect("a move")).is_ok()
    });
    legal && (after.position().side() != side || !after.position().has_legal_move())
}

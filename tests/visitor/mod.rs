//! A visitor of the chess server: a client that speaks over a real connection, as programs and
//! people do.
#![allow(dead_code, reason = "each test file needs a part of this")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crescendo::{Game, Move};

/// How long anything may take before a test gives up: far more than it ever should.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A server of its own, on a port that was free.
pub struct Server {
    process: Child,
    pub port: u16,
}

impl Server {
    /// Starts a server whose engine is fast, unless `arguments` say otherwise.
    pub fn start(arguments: &[&str]) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crescendo"));
        command.args(["ics", "--port", "0"]).args(arguments);
        let given = |names: &[&str]| arguments.iter().any(|argument| names.contains(argument));
        if !given(&["--pace"]) {
            command.args(["--pace", "0"]);
        }
        if !given(&["--movetime", "--tc"]) {
            command.args(["--movetime", "20"]);
        }
        let mut process = command.stdout(Stdio::piped()).spawn().expect("the binary starts");
        let mut output = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        let port = line.split("127.0.0.1:").nth(1).and_then(|rest| rest.split(' ').next());
        let port = port.and_then(|port| port.parse().ok());
        let port = port.unwrap_or_else(|| panic!("no port in {line}"));
        // The pipe stays open for what is logged later.
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        Server { process, port }
    }

    pub fn is_running(&mut self) -> bool {
        self.process.try_wait().expect("a state").is_none()
    }

    /// What Ctrl-C does.
    pub fn interrupt(&self) {
        let id = self.process.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().expect("a shell's tool");
        assert!(sent.success());
    }

    /// A file about the process in /proc.
    pub fn proc_file(&self, name: &str) -> std::path::PathBuf {
        format!("/proc/{}/{name}", self.process.id()).into()
    }

    /// A visitor who has not said anything.
    pub fn connect(&self) -> Visitor {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_millis(50))).expect("a connection");
        Visitor { stream, text: String::new() }
    }

    /// A visitor called human who has logged in.
    pub fn visit(&self) -> Visitor {
        let mut visitor = self.connect();
        visitor.log_in();
        visitor
    }

    /// A visitor in a new game.
    pub fn play(&self, order: &str) -> Visitor {
        let mut visitor = self.visit();
        visitor.send(order);
        visitor
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended cannot be killed.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Somebody at the other end of a connection.
pub struct Visitor {
    pub stream: TcpStream,
    /// What has come and was not looked at.
    text: String,
}

impl Visitor {
    pub fn log_in(&mut self) {
        self.until("login: ");
        self.send("human");
        self.until("Press return");
        self.send("");
        self.until("fics% ");
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("the server reads");
    }

    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\r\n").as_bytes());
    }

    /// Reads what comes, if anything; whether the connection is still open.
    fn read(&mut self) -> bool {
        let mut bytes = [0; 4096];
        match self.stream.read(&mut bytes) {
            Ok(0) => return false,
            Ok(count) => self.text.push_str(&String::from_utf8_lossy(&bytes[..count])),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => return false,
        }
        true
    }

    /// The text up to and with `wanted`.
    pub fn until(&mut self, wanted: &str) -> String {
        let start = Instant::now();
        loop {
            if let Some(at) = self.text.find(wanted) {
                let rest = self.text.split_off(at + wanted.len());
                return std::mem::replace(&mut self.text, rest);
            }
            let open = self.read();
            assert!(open || self.text.contains(wanted), "no '{wanted}' in '{}'", self.text);
            assert!(start.elapsed() < PATIENCE, "no '{wanted}' in '{}'", self.text);
        }
    }

    /// What comes up to the answer to a line that is answered at once.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        // The answer to this stands behind it.
        self.send("inchannel");
        self.until("Nothing of that kind is kept here.")
    }

    /// Everything until the server closes the connection.
    pub fn rest(&mut self) -> String {
        let start = Instant::now();
        while self.read() {
            assert!(start.elapsed() < PATIENCE, "the connection stays open");
        }
        std::mem::take(&mut self.text)
    }

    /// Leaves without a word.
    pub fn leave(self) {
        // The server may have closed the connection before.
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    /// The next board.
    pub fn board(&mut self) -> Board {
        self.until("<12> ");
        let line = self.until("\r\n");
        Board::read(line.trim_end())
    }

    /// Follows the boards from `game` on until it is our turn, and plays what they show.
    pub fn follow(&mut self, game: &mut Game) {
        loop {
            let board = self.board();
            if let Some(mv) = board.played() {
                game.play(mv).expect("a legal move");
            }
            assert_eq!(board.pfen_board(), game.position().pfen().split(' ').next().unwrap());
            let over = game.outcome(|_| true).is_some();
            if over || board.is_mine && board.side == game.position().side().to_string() {
                return;
            }
        }
    }
}

/// A line of style 12, as far as tests look at it.
#[derive(Clone, Debug)]
pub struct Board {
    fields: Vec<String>,
    /// `white` or `black`.
    pub side: String,
    pub is_mine: bool,
}

impl Board {
    fn read(line: &str) -> Board {
        let fields: Vec<String> = line.split(' ').map(str::to_string).collect();
        assert_eq!(fields.len(), 32, "{line}");
        let side = if fields[8] == "W" { "white" } else { "black" }.to_string();
        assert!(["1", "-1"].contains(&fields[18].as_str()), "{line}");
        let is_mine = fields[18] == "1";
        Board { fields, side, is_mine }
    }

    /// The ranks as a FEN has them.
    pub fn pfen_board(&self) -> String {
        let mut text = self.fields[..8].join("/");
        for empty in (1..=8).rev() {
            text = text.replace(&"-".repeat(empty), &empty.to_string());
        }
        text
    }

    /// The castling flags: `1100` where White alone may castle.
    pub fn castling(&self) -> String {
        self.fields[10..14].concat()
    }

    /// The file of an en passant target, from 0, or -1.
    pub fn double_step(&self) -> &str {
        &self.fields[9]
    }

    pub fn clocks(&self) -> [u64; 2] {
        [23, 24].map(|at| self.fields[at].parse().expect("a time"))
    }

    /// Minutes and seconds of the time control.
    pub fn control(&self) -> [&str; 2] {
        [&self.fields[19], &self.fields[20]]
    }

    /// The number of the move, the move in long form, and in short form.
    pub fn last(&self) -> [&str; 3] {
        [&self.fields[25], &self.fields[26], &self.fields[28]]
    }

    /// The last move; `None` for a pass and before the first.
    pub fn played(&self) -> Option<Move> {
        let home = if self.side == "black" { 1 } else { 8 };
        let text = match self.last()[1] {
            "none" | "@@@@" => return None,
            "o-o" => format!("e{home}g{home}"),
            "o-o-o" => format!("e{home}c{home}"),
            verbose => verbose[2..].replace(['-', '='], "").to_ascii_lowercase(),
        };
        Some(text.parse().unwrap_or_else(|_| panic!("no move: {text}")))
    }
}

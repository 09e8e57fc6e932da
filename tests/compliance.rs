//! Plain UCI, step by step: the forty checks that `fastchess --compliance` makes of an engine
//! before it lets it play, in its order.
//!
//! They are about form. That a series of several moves stands where others have one move is no
//! hindrance: such a client reads the first.

mod client;

use client::{Client, series};

/// An engine under examination, and what it has said since the last question.
struct Examination {
    client: Client,
    said: Vec<String>,
}

type Finding = Result<(), String>;
type Check = fn(&mut Examination) -> Finding;

/// Each step by name, and what is done or asked.
const STEPS: [(&str, Check); 40] = [
    ("start the engine", |it| it.ask("uci", "uciok")),
    ("ready", |it| it.ask("isready", "readyok")),
    ("id name", |it| it.identity("id name ")),
    ("id author", |it| it.identity("id author ")),
    ("ucinewgame", |it| it.new_game()),
    ("set startpos", |it| it.send("position startpos")),
    ("ready after startpos", |it| it.ask("isready", "readyok")),
    ("set fen", |it| it.send(MIDDLE_GAME)),
    ("ready after fen", |it| it.ask("isready", "readyok")),
    ("go wtime", |it| it.send("go wtime 100")),
    ("bestmove", |it| it.best_move()),
    ("info line", |it| it.info().map(drop)),
    ("info line: format", |it| well_formed(&it.info()?)),
    ("info line: score", |it| with_score(&it.info()?)),
    ("set fen, black to move", |it| it.send(BLACK_TO_MOVE)),
    ("go btime", |it| it.send("go btime 100")),
    ("go btime: bestmove", |it| it.best_move()),
    ("go btime: info line", |it| it.info().map(drop)),
    ("go btime: info line: format", |it| well_formed(&it.info()?)),
    ("go btime: info line: score", |it| with_score(&it.info()?)),
    ("go with increments", |it| it.send("go wtime 100 winc 100 btime 100 binc 100")),
    ("go with increments: bestmove", |it| it.best_move()),
    ("go with increments: info line", |it| it.info().map(drop)),
    ("go with increments: info line: format", |it| well_formed(&it.info()?)),
    ("go with increments: info line: score", |it| with_score(&it.info()?)),
    ("go, black first", |it| it.send("go btime 100 binc 100 wtime 100 winc 100")),
    ("go, black first: bestmove", |it| it.best_move()),
    ("go, black first: info line", |it| it.info().map(drop)),
    ("go, black first: info line: format", |it| well_formed(&it.info()?)),
    ("go, black first: info line: score", |it| with_score(&it.info()?)),
    ("go, black first: info line: score again", |it| with_score(&it.info()?)),
    ("game: ucinewgame", |it| it.new_game()),
    ("game: set startpos", |it| it.send("position startpos")),
    ("game: go", |it| it.send("go wtime 100 btime 100")),
    ("game: bestmove is a move", |it| it.best_move().and_then(|()| it.move_chosen())),
    ("game: info line: format", |it| well_formed(&it.info()?)),
    ("game: set moves", |it| it.send("position startpos moves e2e4 e7e5")),
    ("game: go after moves", |it| it.send("go wtime 100 btime 100")),
    ("game: bestmove after moves", |it| it.best_move().and_then(|()| it.move_chosen())),
    ("game: info line after moves: format", |it| well_formed(&it.info()?)),
];

const MIDDLE_GAME: &str =
    "position fen 3r2k1/p5n1/1pq1p2p/2p3p1/2P1P1n1/1P1P2pP/PN1Q2K1/5R2 w - - 0 27";
const BLACK_TO_MOVE: &str =
    "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

impl Examination {
    fn send(&mut self, line: &str) -> Finding {
        self.client.send(line);
        Ok(())
    }

    /// Reads up to a line that begins with `last`. Silence is the client's to notice.
    fn read(&mut self, last: &str) -> Finding {
        self.said = self.client.until(last);
        Ok(())
    }

    fn ask(&mut self, line: &str, last: &str) -> Finding {
        self.send(line)?;
        self.read(last)
    }

    fn new_game(&mut self) -> Finding {
        self.send("ucinewgame")?;
        self.ask("isready", "readyok")
    }

    /// Whether the engine says who it is.
    fn identity(&mut self, key: &str) -> Finding {
        self.ask("uci", "uciok")?;
        let name = self.said.iter().find_map(|line| line.strip_prefix(key));
        name.filter(|name| !name.trim().is_empty()).map(drop).ok_or(format!("no '{key}'"))
    }

    fn best_move(&mut self) -> Finding {
        self.read("bestmove")
    }

    /// Whether the last answer begins with a move.
    fn move_chosen(&mut self) -> Finding {
        let last = self.said.last().ok_or("nothing was said")?;
        let first = series(last).into_iter().next();
        let is_move = first.is_some_and(|word| word.parse::<crescendo::Move>().is_ok());
        is_move.then_some(()).ok_or(format!("no move in '{last}'"))
    }

    /// The last line about the best series.
    fn info(&self) -> Result<String, String> {
        let tells_best = |line: &&String| {
            let (is_info, has_score) = (line.contains("info"), line.contains(" score "));
            let of_another = line.contains(" multipv ") && !line.contains(" multipv 1 ");
            is_info && has_score && !of_another
        };
        self.said.iter().rfind(tells_best).cloned().ok_or("there is none".to_string())
    }
}

/// Whether a line begins as it should, and time, speed and score are whole numbers.
fn well_formed(line: &str) -> Finding {
    let mut words = line.split_whitespace();
    if words.next() != Some("info") {
        return Err(format!("'{line}' does not begin with info"));
    }
    while let Some(word) = words.next() {
        let value = match word {
            "time" | "nps" => words.next(),
            "score" => words.next().filter(|unit| ["cp", "mate"].contains(unit)).and(words.next()),
            _ => continue,
        };
        if value.and_then(|value| value.parse::<i64>().ok()).is_none() {
            return Err(format!("no whole number behind {word} in '{line}'"));
        }
    }
    Ok(())
}

fn with_score(line: &str) -> Finding {
    let found = line.split_whitespace().any(|word| word == "score");
    found.then_some(()).ok_or(format!("no score in '{line}'"))
}

#[test]
fn plain_clients_find_what_they_look_for() {
    let mut it = Examination { client: Client::start(), said: Vec::new() };
    for (number, (name, check)) in (1..).zip(STEPS) {
        // Shown if the test fails, even where the client gives up waiting.
        println!("step {number}: {name}");
        if let Err(reason) = check(&mut it) {
            panic!("step {number}, {name}: {reason}; the engine has said {:#?}", it.said);
        }
    }
}

#[test]
fn the_checks_notice_what_is_wrong() {
    let good = "info depth 1 multipv 1 score mate -2 nodes 5 nps 12 hashfull 0 time 0 pv e2e4";
    assert_eq!(well_formed(good), Ok(()));
    assert_eq!(with_score(good), Ok(()));
    assert!(with_score("info depth 1 scores 3").is_err());
    for wrong in [
        "depth 1 score cp 3",
        "info score cp 0.3",
        "info score 3",
        "info score cp",
        "info score cp 3 time 1.5",
        "info time",
        "info nps many",
    ] {
        assert!(well_formed(wrong).is_err(), "{wrong}");
    }
    let mut it = Examination { client: Client::start(), said: Vec::new() };
    assert!(it.info().is_err() && it.move_chosen().is_err());
    it.said = vec![good.to_string(), good.replace("multipv 1", "multipv 2")];
    assert_eq!(it.info().as_deref(), Ok(good));
    for (last, is_move) in
        [("bestmove e7e5 g8f6", true), ("bestmove (none)", false), ("bestmove e2", false)]
    {
        it.said = vec!["info depth 1 nodes 5".to_string(), last.to_string()];
        assert_eq!(it.move_chosen().is_ok(), is_move, "{last}");
        assert!(it.info().is_err(), "no score was told");
    }
    assert!(it.identity("id motto ").is_err());
}

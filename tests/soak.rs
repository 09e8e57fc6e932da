//! Hours at the board: two engines at once are told `position`, `go`, `stop`, `ucinewgame` and what
//! else belongs to a session at random times, and must answer legally, soon, and within their memory.
//!
//! Too long for every change, so it waits to be asked (`cargo test --profile ci --test soak -- --ignored`);
//! `CRESCENDO_SOAK` is the number of seconds, an hour without it.
#![cfg(target_os = "linux")]

mod client;
mod dice;

use std::thread;
use std::time::{Duration, Instant};

use client::{Client, completes, series};
use crescendo::rules::variants;
use crescendo::{Game, Position};
use dice::Dice;

/// What an engine may take besides its tables, in KiB.
const BESIDES_HASH: u64 = 64 << 10;

/// By how much the mean memory of the second half may exceed that of the first, in which the very
/// first tenth, while tables are made, does not count.
const GROWTH: f64 = 1.05;

/// How soon 99 of 100 answers to `stop` have to come.
const STOP_P99: Duration = Duration::from_millis(20);

/// The upper ends of the steps of the histogram, in milliseconds.
const STEPS: [u64; 9] = [1, 2, 5, 10, 20, 50, 100, 500, 1000];

/// How long something took, again and again.
#[derive(Default)]
struct Latency(Vec<Duration>);

impl Latency {
    fn percentile(&mut self, percent: usize) -> Duration {
        self.0.sort();
        let last = self.0.len().saturating_sub(1);
        self.0.get(last * percent / 100).copied().unwrap_or_default()
    }

    fn report(&mut self, what: &str) {
        let [median, most, worst] = [50, 99, 100].map(|percent| self.percentile(percent));
        println!("{what}: {} times, p50 {median:.1?} p99 {most:.1?} max {worst:.1?}", self.0.len());
        let mut from = Duration::ZERO;
        for to in STEPS.map(Duration::from_millis).into_iter().chain([Duration::MAX]) {
            let count = self.0.iter().filter(|time| (from..to).contains(time)).count();
            let name = if to == Duration::MAX { "more".into() } else { format!("< {to:?}") };
            println!("  {name:>9} {count:>8}");
            from = to;
        }
    }
}

/// What there is to tell of an engine in the end.
struct Diary {
    name: String,
    hash: u64,
    stops: Latency,
    /// How much of that the engine has worked; the rest it has waited for a core.
    work: Latency,
    readies: Latency,
    searches: u64,
    /// The most resident memory in each tenth of the time, in KiB.
    peaks: [u64; 10],
    /// All that was measured in each tenth, in KiB, and how often.
    sums: [(u64, u64); 10],
    /// The least right after `ucinewgame`, in each tenth; 0 if there was none.
    floors: [u64; 10],
}

/// A session of one engine.
struct Soak {
    client: Client,
    dice: Dice,
    game: Game,
    diary: Diary,
    start: Instant,
    length: Duration,
}

impl Soak {
    fn new(threads: u64, hash: u64, length: Duration) -> Soak {
        let diary = Diary {
            name: format!("Hash {hash}, Threads {threads}"),
            hash,
            stops: Latency::default(),
            work: Latency::default(),
            readies: Latency::default(),
            searches: 0,
            peaks: [0; 10],
            sums: [(0, 0); 10],
            floors: [0; 10],
        };
        let mut client = Client::start();
        client.send(&format!("setoption name Threads value {threads}"));
        client.send(&format!("setoption name Hash value {hash}"));
        let game = Game::new(Position::start(variants::default()));
        Soak { client, dice: Dice(threads), game, diary, start: Instant::now(), length }
    }

    fn run(mut self) -> Diary {
        self.start = Instant::now();
        while self.start.elapsed() < self.length {
            match self.dice.roll(10) {
                0 => self.new_game(),
                1 => self.nonsense(),
                2 => self.solve(),
                _ => {
                    self.position();
                    self.go();
                }
            }
            self.look_at_memory();
        }
        assert_eq!(self.client.end(), [""; 0]);
        self.diary
    }

    /// In which tenth of the time we are.
    fn tenth(&self) -> usize {
        (self.start.elapsed().as_secs_f64() / self.length.as_secs_f64() * 10.0).min(9.0) as usize
    }

    fn look_at_memory(&mut self) -> u64 {
        let resident = self.client.resident();
        let tenth = self.tenth();
        self.diary.peaks[tenth] = self.diary.peaks[tenth].max(resident);
        let (sum, count) = self.diary.sums[tenth];
        self.diary.sums[tenth] = (sum + resident, count + 1);
        resident
    }

    fn new_game(&mut self) {
        self.client.ask(&["ucinewgame"]);
        let (resident, tenth) = (self.look_at_memory(), self.tenth());
        let floor = &mut self.diary.floors[tenth];
        *floor = if *floor == 0 { resident } else { resident.min(*floor) };
    }

    fn nonsense(&mut self) {
        let lines = ["position fen 8/8 w", "perft soon", "setoption name Hash value -1", "x"];
        let answer = self.client.ask(&[lines[self.dice.roll(lines.len())], "stop"]);
        assert!(answer.len() == 1 && answer[0].starts_with("info string error: "), "{answer:?}");
    }

    /// A position after random moves of a random variant.
    fn position(&mut self) {
        let rules = &variants::ALL[self.dice.roll(variants::ALL.len())];
        self.game = Game::new(Position::start(rules));
        for _ in 0..self.dice.roll(60) {
            let moves = self.game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[self.dice.roll(moves.len())];
            self.game.play(mv).expect("a legal move");
        }
        let moves: Vec<String> = self.game.moves().iter().map(|mv| mv.to_string()).collect();
        let moves = moves.join(" ");
        let line = format!("position startpos variant {} moves {moves}", rules.name);
        assert_eq!(self.client.ask(&[&line]), [""; 0]);
    }

    /// A search that ends by itself, or is stopped at any time.
    fn go(&mut self) {
        let time = self.dice.roll(400) as u64;
        let go = match self.dice.roll(5) {
            0 => format!("go movetime {time}"),
            1 => format!("go nodes {}", 1 + time * 50),
            2 => format!("go wtime {0} btime {0}", time * 10),
            3 => "go ponder".to_string(),
            _ => "go infinite".to_string(),
        };
        let open = go.ends_with('r') || go.ends_with("te");
        self.client.send(&go);
        let wait = Duration::from_millis(self.dice.roll(400) as u64);
        let best = if open {
            thread::sleep(wait);
            self.is_ready();
            self.stop("bestmove")
        } else {
            self.client.until("bestmove")
        };
        let best = best.last().expect("a line");
        assert!(completes(&self.game, &series(best)), "{go}: {best}");
        self.diary.searches += 1;
    }

    fn solve(&mut self) {
        self.position();
        self.client.send(["solve all max 1000", "solve count", "solve"][self.dice.roll(3)]);
        thread::sleep(Duration::from_millis(self.dice.roll(200) as u64));
        self.look_at_memory();
        self.client.send("stop\nisready");
        let lines = self.client.until("readyok");
        let told = |line: &String| line.starts_with("solved ") || line.starts_with("unsolved ");
        if !lines.iter().any(told) {
            while !self.client.next().is_some_and(|line| told(&line)) {}
        }
    }

    /// Asks for a sign of life while something runs; what comes before is read over.
    fn is_ready(&mut self) {
        let start = Instant::now();
        self.client.send("isready");
        let lines = self.client.until("readyok");
        self.diary.readies.0.push(start.elapsed());
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "an answer before stop");
        self.look_at_memory();
    }

    fn stop(&mut self, word: &str) -> Vec<String> {
        let (start, before) = (Instant::now(), self.client.work());
        self.client.send("stop");
        let lines = self.client.until(word);
        self.diary.stops.0.push(start.elapsed());
        self.diary.work.0.push(self.client.work().saturating_sub(before));
        lines
    }
}

/// The mean of what was measured in some tenths.
fn mean(tenths: &[(u64, u64)]) -> u64 {
    let (sum, count) = tenths.iter().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    sum / count.max(1)
}

impl Diary {
    /// Tells everything and then what is wrong, if anything.
    fn report(mut self) -> Vec<String> {
        println!("\n{}: {} searches", self.name, self.searches);
        self.stops.report("stop to bestmove");
        self.work.report("of that, time on a core (threads that have ended left out)");
        self.readies.report("isready to readyok in a search");
        let means = self.sums.map(|tenth| mean(&[tenth]));
        println!("mean resident memory by tenths of the time, KiB: {means:?}");
        println!("most resident memory by tenths of the time, KiB: {:?}", self.peaks);
        println!("least after ucinewgame, KiB: {:?}", self.floors);
        let mut faults = Vec::new();
        let p99 = self.stops.percentile(99);
        if p99 >= STOP_P99 {
            faults.push(format!("{}: stop takes {p99:?}", self.name));
        }
        let [first, second] = [1..5, 5..10].map(|half| mean(&self.sums[half]));
        if second as f64 > first as f64 * GROWTH {
            faults.push(format!("{}: memory grows from {first} to {second} KiB", self.name));
        }
        let (most, allowed) = (self.peaks.into_iter().max(), (self.hash << 10) + BESIDES_HASH);
        if most > Some(allowed) {
            faults.push(format!("{}: {most:?} KiB of {allowed}", self.name));
        }
        faults
    }
}

#[test]
#[ignore = "takes an hour, or as many seconds as CRESCENDO_SOAK says"]
fn engines_stay_the_same_for_an_hour() {
    let seconds = std::env::var("CRESCENDO_SOAK").ok().map(|text| text.parse().expect("seconds"));
    let length = Duration::from_secs(seconds.unwrap_or(3600));
    let engines = [(1, 16), (2, 64)]
        .map(|(threads, hash)| thread::spawn(move || Soak::new(threads, hash, length).run()));
    let diaries = engines.map(|engine| engine.join().expect("a session to its end"));
    let faults: Vec<String> = diaries.into_iter().flat_map(Diary::report).collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

//! The one loop that owns the game and alone writes to the interface.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::time::Duration;

use crossbeam_channel::Receiver;

use super::command::{self, Command};
use crate::board::Color;
use crate::engine::{Done, Event, Progress};
use crate::notation::{Letters, quoted};
use crate::position::{Move, Position, join};
use crate::protocol::{LONGEST_LINE, listen};
use crate::rules::RuleSet;
use crate::search::{Clock, Limits, Report, Score};
use crate::tools::alternation::Alternation;
use crate::tools::play::in_words;
use crate::tools::thinker::Thinker;
use crate::tools::wins_now;

/// How many events may wait; an interface that sends more has to wait itself.
const CHANNEL: usize = 1024;

/// How long the engine thinks about a series if nobody tells it.
const DEFAULT_TIME: Duration = Duration::from_secs(3);

/// How the protocol writes a pass.
const PASS: &str = "@@@@";

const FEATURES: &str = concat!(
    "feature myname=\"Crescendo ",
    env!("CARGO_PKG_VERSION"),
    "\" ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1 \
analyze=0 colors=0 name=0 nps=0 debug=0 variants=\"normal,progressive\" done=1"
);

/// The variant in which null moves are passed on: that of an ancestor which knows them.
const SETUP: &str = "setup (PNBRQ................Kpnbrq................k) 8x8+0_lion \
                     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const WITHOUT_PASSES: &str = "telluser Turn n of progressive chess is a series of n moves: please \
                              start XBoard with -variant progressive -testLegality false";

/// Speaks with the interface on `input` and `output` until it quits, or `input` ends, or nobody
/// reads any more. The engine may play from its book if `own_book`.
///
/// # Errors
/// The system gives no thread to read the input.
pub fn run(
    rules: &'static RuleSet,
    own_book: bool,
    input: impl Read + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let (sender, events) = crossbeam_channel::bounded(CHANNEL);
    listen(input, LONGEST_LINE, sender.clone())?;
    Session::new(rules, output, Thinker::new(sender, own_book)).serve(&events);
    Ok(())
}

/// How long the engine may think.
#[derive(Copy, Clone, Default)]
struct Allowance {
    /// The same time for each series.
    fixed: Option<Duration>,
    depth: Option<u32>,
    increment: Duration,
    own: Option<Duration>,
    other: Option<Duration>,
}

struct Session<W: Write> {
    rules: &'static RuleSet,
    output: W,
    thinker: Thinker,
    game: Alternation,
    /// The side that the engine plays; none in force mode.
    side: Option<Color>,
    /// The rest of the engine's series, to be played as the other side passes.
    series: VecDeque<Move>,
    allowance: Allowance,
    /// Whether thinking is told.
    posts: bool,
    /// Whether the game is over, by the rules or because the interface says so.
    over: bool,
    /// Pings to be answered when the engine has moved.
    pings: Vec<String>,
    /// Whether the interface has been set to games with passes, or been told to.
    knows_passes: bool,
}

impl<W: Write> Session<W> {
    fn new(rules: &'static RuleSet, output: W, thinker: Thinker) -> Session<W> {
        Session {
            rules,
            output,
            thinker,
            game: Alternation::new(Position::start(rules)),
            side: Some(Color::Black),
            series: VecDeque::new(),
            allowance: Allowance::default(),
            posts: false,
            over: false,
            pings: Vec::new(),
            knows_passes: false,
        }
    }

    /// Whatever fails in writing ends the session: nobody is there any more.
    fn serve(&mut self, events: &Receiver<Event>) {
        for event in events {
            let went_on = match event {
                Event::Line(line) if line.trim() == "quit" => return,
                Event::Line(line) => self.take_line(&line),
                Event::EndlessLine => self.say("Error (line too long): ..."),
                Event::Eof => return,
                Event::Progress(progress) => self.take_progress(&progress),
                Event::Done(done) => self.take_answer(done),
            };
            if went_on.and_then(|()| self.output.flush()).is_err() {
                return;
            }
        }
    }

    fn say(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{line}")
    }

    fn take_line(&mut self, line: &str) -> io::Result<()> {
        match command::parse(line) {
            Ok(command) => self.execute(command),
            Err(complaint) => self.say(&complaint),
        }
    }

    fn execute(&mut self, command: Command) -> io::Result<()> {
        match command {
            Command::Nothing => Ok(()),
            Command::Features => self.say(FEATURES),
            Command::New => self.new_game(),
            Command::Variant(name) => self.set_variant(&name),
            Command::SetBoard(text) => self.set_board(&text),
            Command::Force => {
                self.side = None;
                self.forget_plans()
            }
            Command::Go => self.play_for(self.game.side()),
            Command::PlayOther => self.play_for(!self.game.side()),
            Command::Move(text) => self.take_move(&text),
            Command::MoveNow => {
                self.thinker.hurry();
                Ok(())
            }
            Command::Undo => self.undo(1),
            Command::Remove => self.undo(2),
            Command::Level(increment) => {
                self.allowance = Allowance { fixed: None, increment, ..self.allowance };
                Ok(())
            }
            Command::MoveTime(time) => {
                self.allowance.fixed = Some(time);
                Ok(())
            }
            Command::Depth(depth) => {
                self.allowance.depth = Some(depth);
                Ok(())
            }
            Command::OwnTime(time) => {
                self.allowance.own = Some(time);
                Ok(())
            }
            Command::OtherTime(time) => {
                self.allowance.other = Some(time);
                Ok(())
            }
            Command::Ping(token) => {
                self.pings.push(token);
                self.answer_pings()
            }
            Command::Draw if self.thinker.takes_draw() => self.say("offer draw"),
            Command::Draw => Ok(()),
            Command::Result => {
                self.over = true;
                self.forget_plans()
            }
            Command::Post(wanted) => {
                self.posts = wanted;
                Ok(())
            }
        }
    }

    /// Breaks off thinking, and the series that is being played.
    fn forget_plans(&mut self) -> io::Result<()> {
        self.thinker.abandon();
        self.series.clear();
        self.answer_pings()
    }

    /// A ping that comes while the engine thinks is answered behind its move.
    fn answer_pings(&mut self) -> io::Result<()> {
        if self.thinker.is_thinking() {
            return Ok(());
        }
        let pings = std::mem::take(&mut self.pings);
        pings.iter().try_for_each(|token| self.say(&format!("pong {token}")))
    }

    fn new_game(&mut self) -> io::Result<()> {
        self.thinker.forget();
        self.game = Alternation::new(Position::start(self.rules));
        self.side = Some(Color::Black);
        self.allowance = Allowance { depth: None, ..self.allowance };
        self.over = false;
        self.knows_passes = false;
        self.forget_plans()
    }

    fn set_variant(&mut self, name: &str) -> io::Result<()> {
        match name {
            "progressive" => {
                self.knows_passes = true;
                self.say(SETUP)
            }
            "normal" => Ok(()),
            _ => self.say(&format!("Error (unsupported variant): {}", quoted(name))),
        }
    }

    fn set_board(&mut self, text: &str) -> io::Result<()> {
        match Position::from_pfen(text, self.rules) {
            Ok(position) => {
                self.game = Alternation::new(position);
                self.over = false;
                self.forget_plans()
            }
            Err(error) => self.say(&format!("tellusererror Illegal position: {error}")),
        }
    }

    fn undo(&mut self, count: usize) -> io::Result<()> {
        for _ in 0..count {
            self.game.undo();
        }
        self.over = false;
        self.forget_plans()
    }

    fn play_for(&mut self, side: Color) -> io::Result<()> {
        self.side = Some(side);
        self.forget_plans()?;
        self.act()
    }

    /// A move or a pass of the other side, or in force mode of any.
    fn take_move(&mut self, text: &str) -> io::Result<()> {
        if let Err(reason) = self.make_move(text) {
            return self.say(&format!("Illegal move ({reason}): {}", quoted(text)));
        }
        self.claim_result()?;
        self.act()
    }

    fn make_move(&mut self, text: &str) -> Result<(), String> {
        let (side, passes) = (self.game.side(), self.game.passes());
        if self.thinker.is_thinking() {
            return Err("the engine is thinking".to_string());
        }
        match (text == PASS, passes) {
            (true, true) => {
                self.game.pass();
                Ok(())
            }
            (true, false) => Err(format!("it is the turn of {side}, which may not pass")),
            (false, true) => Err(format!("the series of {} goes on: pass with {PASS}", !side)),
            (false, false) => {
                let read = self.game.position().read_move(text, Letters::english());
                let mv = read.map_err(|error| error.to_string())?;
                self.game.play(mv).map_err(|illegal| illegal.reason.to_string())?;
                // What the engine had in mind may not fit any more.
                self.series.clear();
                Ok(())
            }
        }
    }

    /// Moves, passes or begins to think, if it is the engine's turn as the interface sees it.
    fn act(&mut self) -> io::Result<()> {
        if self.over || self.side != Some(self.game.side()) || self.thinker.is_thinking() {
            return Ok(());
        }
        if !std::mem::replace(&mut self.knows_passes, true) {
            self.say(WITHOUT_PASSES)?;
        }
        if self.game.passes() {
            self.game.pass();
            return self.say(&format!("move {PASS}"));
        }
        if let Some(mv) = self.series.pop_front() {
            return self.play(mv);
        }
        if !self.game.position().has_legal_move() {
            return self.claim_result();
        }
        let limits = self.limits(self.game.side());
        match self.thinker.think(self.game.game(), limits) {
            Ok(()) => Ok(()),
            Err(error) => self.say(&format!("tellusererror The engine cannot think: {error}")),
        }
    }

    fn limits(&self, side: Color) -> Limits {
        let Allowance { fixed, depth, increment, own, other } = self.allowance;
        let mut clock = Clock::default();
        if fixed.is_none() && own.is_some() {
            clock.time = Color::ALL.map(|color| if color == side { own } else { other.or(own) });
            clock.increment = [increment; 2];
        }
        let timed = own.is_some() || depth.is_some();
        let move_time = fixed.or((!timed).then_some(DEFAULT_TIME));
        Limits { depth, move_time, clock, ..Limits::default() }
    }

    fn take_progress(&mut self, progress: &Progress) -> io::Result<()> {
        match progress {
            Progress::Report(report) if self.thinker.note(progress) && self.posts => {
                self.say(&thinking_line(report))
            }
            _ => Ok(()),
        }
    }

    fn take_answer(&mut self, done: Done) -> io::Result<()> {
        if let Some(series) = self.thinker.done(done)? {
            self.series = series.into();
            if let Some(mv) = self.series.pop_front() {
                self.play(mv)?;
            }
        }
        self.answer_pings()
    }

    /// Makes a move of the engine's series.
    fn play(&mut self, mv: Move) -> io::Result<()> {
        match self.game.play(mv) {
            Ok(()) => {
                self.say(&format!("move {mv}"))?;
                self.claim_result()
            }
            Err(illegal) => self.say(&format!("tellusererror The engine fails: {illegal}")),
        }
    }

    /// Tells the result, if the rules have ended the game: the interface does not know them.
    fn claim_result(&mut self) -> io::Result<()> {
        match self.game.game().outcome(wins_now) {
            Some(outcome) => {
                self.over = true;
                let words = in_words(outcome);
                self.say(&format!("{} {{{}}}", outcome.score(), words.trim_end_matches('.')))
            }
            None => Ok(()),
        }
    }
}

/// A line of thinking: depth, score, time in hundredths of a second, nodes, and the best line.
fn thinking_line(report: &Report) -> String {
    let score = match report.score {
        Score::Centipawns(score) => score,
        Score::Mate(turns) if turns > 0 => 100_000 + turns,
        Score::Mate(turns) => turns - 100_000,
    };
    let centiseconds = report.elapsed.as_millis() / 10;
    let (depth, nodes) = (report.depth, report.nodes);
    format!("{depth} {score} {centiseconds} {nodes} {}", join(&report.pv))
}

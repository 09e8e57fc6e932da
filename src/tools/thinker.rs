//! The engine as a tool has it that plays somebody: one search at a time, whose answer may be
//! unwanted by the time it comes.

use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::engine::{Answer, Done, Engine, Event, Job, Progress, Search, playable};
use crate::position::{Game, Move};
use crate::search::{Choice, Limits, Request, Score, TimePlan};

/// The size of the tables, in MiB.
const HASH: usize = 64;

/// What passing the answer on may cost.
const OVERHEAD: Duration = Duration::from_millis(20);

/// A player that tells the channel of its owner what happens, as an [`Engine`] does. Its owner
/// hands every [`Event::Progress`] and [`Event::Done`] back.
pub struct Thinker {
    engine: Engine,
    /// Whether the book may answer.
    own_book: bool,
    /// Whether a search runs, wanted or not.
    running: bool,
    /// The game whose series is wanted.
    wanted: Option<Game>,
    /// What to do as soon as the search that nobody wants any more has ended.
    waiting: Option<Limits>,
    /// What its last search has come to, from its own side.
    score: Option<Score>,
}

impl Thinker {
    /// A player that tells `events`, and may play from the book if `own_book`.
    pub fn new(events: Sender<Event>, own_book: bool) -> Thinker {
        let engine = Engine::new(events, HASH);
        Thinker { engine, own_book, running: false, wanted: None, waiting: None, score: None }
    }

    /// Whether an answer will come that is wanted.
    pub fn is_thinking(&self) -> bool {
        self.wanted.is_some()
    }

    /// Whether it takes a draw: not if it stands better as far as it knows.
    pub fn takes_draw(&self) -> bool {
        match self.score {
            Some(Score::Centipawns(score)) => score <= 0,
            Some(Score::Mate(turns)) => turns < 0,
            None => false,
        }
    }

    /// Begins to think about the rest of the series of `game`, in place of anything else.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn think(&mut self, game: &Game, limits: Limits) -> io::Result<()> {
        self.abandon();
        self.wanted = Some(game.clone());
        if self.running {
            self.waiting = Some(limits);
            return Ok(());
        }
        self.start(limits)
    }

    fn start(&mut self, limits: Limits) -> io::Result<()> {
        let Some(game) = self.wanted.clone() else { return Ok(()) };
        let plan = TimePlan::new(&limits, game.position().side(), Instant::now(), OVERHEAD);
        let request = Request { limits, plan, multi_pv: 1, threads: 1 };
        let search = Search { game, request, own_book: self.own_book };
        let started = self.engine.start(Job::Search(Box::new(search)));
        self.running = started.is_ok();
        if !self.running {
            self.wanted = None;
        }
        started
    }

    /// Asks for the answer now.
    pub fn hurry(&self) {
        self.engine.stop();
    }

    /// Wants no answer any more.
    pub fn abandon(&mut self) {
        self.engine.stop();
        self.wanted = None;
        self.waiting = None;
    }

    /// A new game begins: nothing of the last one counts.
    pub fn forget(&mut self) {
        self.abandon();
        self.engine.forget();
        self.score = None;
    }

    /// Takes note of what the search tells; whether it is about what is wanted.
    pub fn note(&mut self, progress: &Progress) -> bool {
        let current = self.is_thinking() && self.waiting.is_none();
        if let (true, Progress::Report(report)) = (current, progress) {
            self.score = Some(report.score);
        }
        current
    }

    /// The search has ended: the complete rest of the series, legal whatever the search did, if it
    /// is wanted.
    ///
    /// # Errors
    /// Another search should begin now, and the system gives no thread.
    pub fn done(&mut self, done: Done) -> io::Result<Option<Vec<Move>>> {
        self.running = false;
        let outcome = self.engine.finish(done);
        if let Some(limits) = self.waiting.take() {
            return self.start(limits).map(|()| None);
        }
        let choice = match outcome {
            Ok(Answer::Chosen(choice)) => choice,
            _ => Choice::default(),
        };
        let wanted = self.wanted.take();
        Ok(wanted.map(|game| playable(game.position(), &choice).series))
    }
}

impl Drop for Thinker {
    /// Nobody is left to hear the answer.
    fn drop(&mut self) {
        self.engine.stop();
    }
}

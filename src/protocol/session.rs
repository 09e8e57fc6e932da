//! The session: the one loop that owns all state and alone writes to the client.
//!
//! Input and the running job send their events into one channel. Commands that have to wait stand
//! in a queue; `protocol.md` tells which do, under "Order".

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};

use super::command::{self, Command, Go, PerftOrder, Question, SolveOrder};
use super::options::Options;
use super::reply::Reply;
use super::thinking::{Thinking, limited};
use super::{input, position};
use crate::engine::{Answer, Done, Engine, Event, Job, Perft, Progress, Search, Solve, Solved};
use crate::position::Game;
use crate::rules::Outcome;
use crate::search::solver::{self, Solver, Verdict};
use crate::search::{Control, Request, TimePlan, eval};

/// How many events may wait for the session before whoever sends more has to wait.
const CHANNEL: usize = 1024;

/// How long `quit` waits for the running job.
const PATIENCE: Duration = Duration::from_millis(500);

/// How long a count or a proof may go on after `quit`.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long jobs that would end by themselves may go on when the input has ended.
const GRACE: Duration = Duration::from_secs(10);

/// What the question whether ten quiet turns are a draw may cost: nodes and time.
const QUIET_PROOF: (u64, Duration) = (200_000, Duration::from_secs(1));

const NO_POSITION: &str = "there is no position: the last one was refused";

/// Speaks the protocol until `quit`, or until the input has ended and its jobs are done, for which
/// they have ten seconds.
///
/// # Errors
/// The system gives no thread to read the input. That nobody reads the output any more is no
/// error, but the end.
pub fn run(input: impl Read + Send + 'static, output: impl Write) -> io::Result<()> {
    let (sender, events) = crossbeam_channel::bounded(CHANNEL);
    input::listen(input, input::LONGEST_LINE, sender.clone())?;
    Session::new(output, sender).serve(&events);
    Ok(())
}

/// A job that has been started and not answered.
enum Running {
    Thinking(Box<Thinking>),
    Solving(Watch),
    Counting,
}

/// The eye on a job that solves.
struct Watch {
    progress: Arc<solver::Progress>,
    start: Instant,
    /// When to tell next how far it has come.
    tell: Instant,
}

/// How often progress is told.
const TELL: Duration = Duration::from_secs(1);

impl Watch {
    fn new() -> Watch {
        let start = Instant::now();
        Watch { progress: Arc::default(), start, tell: start + TELL }
    }
}

impl Running {
    /// Whether this goes on until somebody ends it.
    fn is_open(&self) -> bool {
        matches!(self, Running::Thinking(thinking) if thinking.held)
    }
}

struct Session<W: Write> {
    output: W,
    engine: Engine,
    options: Options,
    /// The current game; `None` after a `position` that was refused.
    game: Option<Game>,
    /// Whether a `position` has come since the start or the last `ucinewgame`.
    positioned: bool,
    running: Option<Running>,
    waiting: VecDeque<Command>,
    /// When to stop the running job, if the session and not the search watches the clock.
    alarm: Option<Instant>,
    /// No more input will come.
    ending: bool,
    /// Nobody waits for answers.
    quitting: bool,
}

impl<W: Write> Session<W> {
    fn new(output: W, events: Sender<Event>) -> Session<W> {
        let options = Options::default();
        Session {
            output,
            engine: Engine::new(events, options.hash),
            game: position::initial(&options),
            options,
            positioned: false,
            running: None,
            waiting: VecDeque::new(),
            alarm: None,
            ending: false,
            quitting: false,
        }
    }

    fn serve(&mut self, events: &Receiver<Event>) {
        while !(self.ending && self.running.is_none() && self.waiting.is_empty()) {
            match self.next_event(events) {
                Some(Event::Line(line)) => self.take_line(&line),
                Some(Event::EndlessLine) => self.error("the line is too long"),
                Some(Event::Eof) => self.end_of_input(),
                Some(Event::Progress(progress)) => self.progress(&progress),
                Some(Event::Done(done)) => self.done(done),
                None => self.wake_up(),
            }
            self.advance();
            if events.is_empty() && self.output.flush().is_err() {
                self.hang_up();
            }
        }
    }

    /// The next event, or `None` when something has to be done by the clock. A job that never stops
    /// telling cannot put that off, except what it has told before it was stopped for good.
    fn next_event(&self, events: &Receiver<Event>) -> Option<Event> {
        match self.wake_up_at() {
            Some(time) if !self.quitting && time <= Instant::now() => None,
            Some(time) => events.recv_deadline(time).ok(),
            // The session holds a sender, so that the channel stays open.
            None => events.recv().ok(),
        }
    }

    /// When something has to be done even if nothing happens.
    fn wake_up_at(&self) -> Option<Instant> {
        let tell = match &self.running {
            Some(Running::Solving(watch)) => Some(watch.tell),
            _ => None,
        };
        self.alarm.into_iter().chain(tell).min()
    }

    /// Does what the clock says has to be done.
    fn wake_up(&mut self) {
        let now = Instant::now();
        if self.alarm.is_some_and(|alarm| alarm <= now) {
            self.time_is_up();
        }
        if let Some(Running::Solving(watch)) = &mut self.running
            && watch.tell <= now
        {
            watch.tell = now + TELL;
            let (stage, elapsed) = (watch.progress.stage(), watch.start.elapsed());
            self.say(&Reply::Solving(stage, elapsed));
        }
    }

    fn say(&mut self, reply: &Reply) {
        if writeln!(self.output, "{reply}").is_err() {
            self.hang_up();
        }
    }

    fn error(&mut self, text: &str) {
        self.say(&Reply::Error(text));
    }

    /// Ends the session at once: nobody reads what it writes.
    fn hang_up(&mut self) {
        self.engine.stop();
        self.waiting.clear();
        self.running = None;
        self.ending = true;
    }

    /// Acts on a line at once, or lets it wait.
    fn take_line(&mut self, line: &str) {
        if self.quitting {
            return;
        }
        match command::parse(line) {
            Ok(None) => {}
            Err(misread) => self.error(&misread),
            Ok(Some(Command::Stop)) => {
                self.stop();
                // It was meant for what waits, too.
                if !self.waiting.is_empty() {
                    self.waiting.push_back(Command::Stop);
                }
            }
            Ok(Some(Command::PonderHit)) if self.waiting.is_empty() => self.ponder_hit(),
            Ok(Some(
                command @ (Command::Uci | Command::IsReady | Command::Accepted | Command::Quit),
            )) => self.execute(command),
            Ok(Some(command)) => self.waiting.push_back(command),
        }
    }

    /// Executes the commands that wait, as far as the running job lets them.
    fn advance(&mut self) {
        while let Some(next) = self.waiting.pop_front() {
            let open = self.running.as_ref().map(Running::is_open);
            if open.is_none() || open == Some(true) && is_harmless(&next) {
                self.execute(next);
                if self.running.is_some() && self.waiting.contains(&Command::Stop) {
                    self.stop();
                }
                continue;
            }
            self.waiting.push_front(next);
            if open == Some(false) {
                break;
            }
            self.stop();
        }
        if self.ending && self.running.as_ref().is_some_and(Running::is_open) {
            self.stop();
        }
    }

    fn execute(&mut self, command: Command) {
        match command {
            Command::Uci => self.say(&Reply::Handshake),
            Command::IsReady => self.say(&Reply::ReadyOk),
            Command::Accepted => {}
            Command::NewGame => self.new_game(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref()),
            Command::Position(text) => self.set_position(&text),
            Command::Go(go) => self.search(go),
            Command::Solve(order) => self.solve(&order),
            Command::Perft(order) => self.perft(&order),
            Command::Show(question) => self.show(question),
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Quit => self.leave(),
        }
    }

    fn new_game(&mut self) {
        self.engine.forget();
        self.positioned = false;
        self.game = position::initial(&self.options);
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let Some(value) = value else {
            return self.error(&format!("option '{name}' needs a value"));
        };
        if let Err(refusal) = self.options.set(name, value) {
            return self.error(&refusal);
        }
        self.engine.resize(self.options.hash);
        if !self.positioned {
            self.game = position::initial(&self.options);
        }
    }

    fn set_position(&mut self, text: &str) {
        self.positioned = true;
        match position::read(text, &self.options) {
            Ok(game) => self.game = Some(game),
            Err(refusal) => {
                self.game = None;
                self.error(&refusal);
            }
        }
    }

    fn search(&mut self, mut go: Go) {
        if let Some(complaint) = go.complaint.take() {
            self.error(&complaint);
        }
        let Some(game) = self.game.clone() else {
            self.error(NO_POSITION);
            return self.say(&Reply::BestMove(&Default::default()));
        };
        let position = *game.position();
        let (legal, illegal) =
            go.limits.search_moves.iter().partition(|&&mv| position.is_legal(mv));
        go.limits.search_moves = legal;
        let illegal: Vec<_> = illegal;
        if let Some(mv) = illegal.first() {
            self.error(&format!("go: searchmoves {mv} is illegal here"));
        }
        let limits = limited(&go, position.side());
        let plan = if go.ponder {
            TimePlan { soft: None, hard: None }
        } else {
            TimePlan::new(&limits, position.side(), Instant::now(), self.options.overhead)
        };
        let thinking = Thinking::new(position, &limits, go.ponder, self.options.single);
        let over = thinking.is_finished();
        self.running = Some(Running::Thinking(Box::new(thinking)));
        if over {
            return self.answer_if_free();
        }
        let Options { multi_pv, threads, own_book, .. } = self.options;
        let request = Request { limits, plan, multi_pv, threads };
        self.start(Job::Search(Box::new(Search { game, request, own_book })));
    }

    fn solve(&mut self, order: &SolveOrder) {
        let Some(game) = &self.game else {
            return self.error(NO_POSITION);
        };
        let position = *game.position();
        let deadline = order.move_time.map(|time| Instant::now() + time);
        let watch = Watch::new();
        let progress = watch.progress.clone();
        self.running = Some(Running::Solving(watch));
        let (SolveOrder { task, nodes, .. }, threads) = (*order, self.options.threads);
        self.start(Job::Solve(Solve { position, task, deadline, nodes, threads, progress }));
    }

    fn perft(&mut self, order: &PerftOrder) {
        let Some(game) = &self.game else {
            return self.error(NO_POSITION);
        };
        let position = *game.position();
        let PerftOrder { depth, divide, distinct } = *order;
        self.running = Some(Running::Counting);
        self.start(Job::Perft(Perft { position, depth, divide, distinct }));
    }

    fn start(&mut self, job: Job) {
        if let Err(failure) = self.engine.start(job) {
            self.conclude(Err(failure.to_string()));
        }
    }

    fn progress(&mut self, progress: &Progress) {
        if let (Some(Running::Thinking(thinking)), Progress::Report(report)) =
            (&mut self.running, progress)
        {
            thinking.note(report);
        }
        self.say(&Reply::Progress(progress));
    }

    fn done(&mut self, done: Done) {
        let outcome = self.engine.finish(done);
        self.conclude(outcome);
    }

    /// Answers the running job with what came out of it.
    fn conclude(&mut self, outcome: Result<Answer, String>) {
        if let Err(failure) = &outcome {
            self.error(&format!("the job has failed: {failure}"));
        }
        match &mut self.running {
            Some(Running::Thinking(thinking)) => {
                thinking.finish(match outcome {
                    Ok(Answer::Chosen(choice)) => Some(choice),
                    _ => None,
                });
                self.answer_if_free();
            }
            Some(Running::Solving(_)) => {
                self.rest();
                let nothing =
                    Solved { count: 0, complete: false, nodes: 0, elapsed: Duration::ZERO };
                self.say(&Reply::Solved(match outcome {
                    Ok(Answer::Solved(solved)) => solved,
                    _ => nothing,
                }));
            }
            Some(Running::Counting) => {
                self.rest();
                match outcome {
                    Ok(Answer::Counted(Some(counts), elapsed)) => {
                        self.say(&Reply::Counted(&counts, elapsed));
                    }
                    _ => self.say(&Reply::Note("perft stopped")),
                }
            }
            None => {}
        }
    }

    /// Gives the answer of a search that has ended, unless it has to wait for a word.
    fn answer_if_free(&mut self) {
        let Some(Running::Thinking(thinking)) = &self.running else {
            return;
        };
        let Some(answer) = thinking.answer() else {
            return;
        };
        self.rest();
        if let Some(report) = answer.report {
            self.say(&Reply::Progress(&Progress::Report(report)));
        }
        self.say(&Reply::BestMove(&answer.choice));
    }

    /// No job runs any more.
    fn rest(&mut self) {
        self.running = None;
        if !self.ending {
            self.alarm = None;
        }
    }

    /// Ends the running job: what it knows is its answer.
    fn stop(&mut self) {
        if let Some(Running::Thinking(thinking)) = &mut self.running {
            thinking.held = false;
        }
        self.engine.stop();
        self.answer_if_free();
    }

    /// The move pondered on was played: from now on the clock runs.
    fn ponder_hit(&mut self) {
        if let Some(Running::Thinking(thinking)) = &mut self.running {
            self.alarm = thinking.ponder_hit(self.options.overhead).or(self.alarm);
            self.answer_if_free();
        }
    }

    fn time_is_up(&mut self) {
        self.alarm = None;
        if self.ending && !self.quitting {
            return self.quit();
        }
        self.engine.stop();
        if self.quitting {
            // The job does not listen; answer with what it has told.
            self.conclude(Err("it does not end".to_string()));
            self.running = None;
        }
    }

    /// Nobody is left to say `quit`: what is asked for is answered if it does not take too long.
    fn end_of_input(&mut self) {
        if !self.ending {
            self.ending = true;
            self.alarm = Some(Instant::now() + GRACE);
        }
    }

    /// `quit`: at once, but a count or a proof that is nearly done is still told.
    fn leave(&mut self) {
        let told_soon = matches!(self.running, Some(Running::Solving(_) | Running::Counting));
        if told_soon && !self.ending {
            self.ending = true;
            self.alarm = Some(Instant::now() + LAST_WORDS);
        } else {
            self.quit();
        }
    }

    fn quit(&mut self) {
        self.waiting.clear();
        self.ending = true;
        self.quitting = true;
        self.alarm = Some(Instant::now() + PATIENCE);
        self.stop();
    }

    fn show(&mut self, question: Question) {
        if question == Question::Help {
            return self.say(&Reply::Help);
        }
        let Some(game) = self.game.clone() else {
            return self.error(NO_POSITION);
        };
        match question {
            Question::Board => self.say(&Reply::Board(&game, self.outcome(&game))),
            Question::Fen => self.say(&Reply::Fen(&game)),
            Question::Legal => self.say(&Reply::Legal(&game)),
            Question::Status => self.say(&Reply::Status(&game, self.outcome(&game))),
            Question::Eval => self.say(&Reply::Eval(eval::explain(game.position()))),
            Question::Help => {}
        }
    }

    /// How the game has ended. Ten quiet turns leave it open if a win in this turn is proved.
    fn outcome(&self, game: &Game) -> Option<Outcome> {
        let claim = self.options.claim_quiet;
        game.outcome(|position| {
            let (nodes, time) = QUIET_PROOF;
            let control = Control::unlimited().until(Instant::now() + time).within_nodes(nodes);
            claim || matches!(Solver::new(1).find(position, &control), Verdict::Found(_))
        })
    }
}

/// Whether a command may be executed while a search runs that nobody has limited.
fn is_harmless(command: &Command) -> bool {
    matches!(
        command,
        Command::SetOption { .. } | Command::Show(_) | Command::Stop | Command::PonderHit
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A session after these lines, which start no job, and its channel.
    fn session(lines: &[&str]) -> (Session<Vec<u8>>, Receiver<Event>) {
        let (sender, events) = crossbeam_channel::unbounded();
        let mut session = Session::new(Vec::new(), sender);
        for line in lines {
            session.take_line(line);
            session.advance();
        }
        (session, events)
    }

    fn said(session: &Session<Vec<u8>>) -> Vec<String> {
        String::from_utf8_lossy(&session.output).lines().map(str::to_string).collect()
    }

    #[test]
    fn a_job_that_fails_is_told_and_answered() {
        let (mut session, _events) = session(&["position startpos moves e2e4 e7e5"]);
        let position = *session.game.as_ref().unwrap().position();
        let thinking = Thinking::new(position, &Default::default(), false, false);
        session.running = Some(Running::Thinking(Box::new(thinking)));
        session.conclude(Err("square out of range".to_string()));
        let lines = said(&session);
        assert_eq!(lines[0], "info string error: the job has failed: square out of range");
        assert!(lines[1].starts_with("info depth 1 "), "{lines:?}");
        assert!(lines[2].starts_with("bestmove ") && lines.len() == 3, "{lines:?}");

        session.running = Some(Running::Solving(Watch::new()));
        session.conclude(Err("full".to_string()));
        assert_eq!(said(&session).last().unwrap(), "unsolved 0 nodes 0 time 0");
        session.running = Some(Running::Counting);
        session.conclude(Err("full".to_string()));
        assert_eq!(said(&session).last().unwrap(), "info string perft stopped");
        assert!(session.running.is_none());
    }

    #[test]
    fn an_alarm_rings_however_much_there_is_to_tell() {
        let (mut session, _events) = session(&[]);
        let (sender, events) = crossbeam_channel::unbounded();
        sender.send(Event::EndlessLine).unwrap();
        session.alarm = Some(Instant::now());
        assert!(session.next_event(&events).is_none());
        session.quitting = true;
        assert!(session.next_event(&events).is_some(), "told before the job was stopped");
        assert!(session.next_event(&events).is_none());
    }

    #[test]
    fn a_job_that_does_not_end_cannot_keep_the_session() {
        let (mut session, _events) = session(&[]);
        let position = *session.game.as_ref().unwrap().position();
        let thinking = Thinking::new(position, &Default::default(), false, false);
        session.running = Some(Running::Thinking(Box::new(thinking)));
        session.take_line("quit");
        assert!(session.running.is_some() && session.alarm.is_some());
        session.time_is_up();
        assert!(session.running.is_none());
        assert!(said(&session).last().unwrap().starts_with("bestmove "));
    }
}

//! The engine as its users see it: jobs go in, events come out.
//!
//! Jobs run on a thread of their own, each with a stop flag of its own, so that a late stop cannot
//! reach the next job. The tables move into the thread and come back with the last event of a job;
//! nobody has to lock anything. A job that panics loses its tables and nothing else.
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::Sender;

use crate::book;
use crate::position::{Game, Move, Position};
use crate::search::perft::{self, Counts, Depth};
use crate::search::solver::{self, Solver, Verdict};
use crate::search::{Choice, Control, Report, Request, Score, Searcher, TimePlan};

/// What everything that happens is told as, in the one channel that the owner of an [`Engine`]
/// reads.
pub enum Event {
    /// A line of input, without its end.
    Line(String),
    /// A line of input too long to keep.
    EndlessLine,
    /// The input has ended.
    Eof,
    /// The running job has something to tell.
    Progress(Progress),
    /// The running job has ended. Hand it to [`Engine::finish`].
    Done(Done),
}

/// Something to do.
pub enum Job {
    /// Choose the rest of the current series.
    Search(Box<Search>),
    /// Look for winning series of this turn.
    Solve(Solve),
    /// Count sequences of moves.
    Perft(Perft),
}

/// A search: for which game, and how.
pub struct Search {
    pub game: Game,
    pub request: Request,
    /// Whether the book may answer, as [`book::answer`] says.
    pub own_book: bool,
}

/// A question about the winning series of a turn.
pub struct Solve {
    pub position: Position,
    pub task: SolveTask,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// After how many nodes to give up.
    pub nodes: Option<u64>,
    /// How many threads to use, where more than one are of use.
    pub threads: usize,
    /// Tells how far the work has come.
    pub progress: Arc<solver::Progress>,
}

/// What to find out about winning series.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SolveTask {
    /// Find one, or prove that there is none.
    Find,
    /// List all, or as many as given.
    List(Option<u64>),
    /// Count all.
    Count,
}

/// What to count.
pub struct Perft {
    pub position: Position,
    pub depth: Depth,
    /// Whether to tell the count behind each first move.
    pub divide: bool,
    /// Whether to count different positions too.
    pub distinct: bool,
}

/// What a job tells before it ends.
pub enum Progress {
    /// A line of a search.
    Report(Report),
    /// What is reported next, and chosen then, is from the book.
    FromBook,
    /// A win in this turn was asked for, and this came out instead; the search goes on.
    NoWin(Verdict),
    /// A winning series.
    Solution(Vec<Move>),
    /// The count behind a first move.
    Divided(Move, u128),
}

/// How a job ends.
pub enum Answer {
    /// The series chosen.
    Chosen(Choice),
    /// How many winning series there are.
    Solved(Solved),
    /// The counts; `None` if the job was stopped.
    Counted(Option<Counts>, Duration),
}

/// What is known about the winning series of a turn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Solved {
    /// Series found.
    pub count: u128,
    /// Whether the question is settled.
    pub complete: bool,
    /// Positions looked at.
    pub nodes: u64,
    pub elapsed: Duration,
}

/// The last event of a job.
pub struct Done {
    /// The answer, or what the job said when it panicked.
    outcome: Result<Answer, String>,
    tables: Option<Box<Tables>>,
}

/// What is kept from one job to the next. Each part is made when a job first asks for it.
pub struct Tables {
    searcher: Option<Searcher>,
    solver: Option<Solver>,
    megabytes: usize,
    /// How much of that is for the solver.
    for_solver: usize,
}

impl Tables {
    /// Empty tables of about `megabytes` MiB together.
    pub fn new(megabytes: usize) -> Tables {
        let for_solver = (megabytes / 4).max(1);
        Tables { searcher: None, solver: None, megabytes, for_solver }
    }

    /// Empty tables of at most `megabytes` MiB for jobs that only solve.
    pub fn for_solving(megabytes: usize) -> Tables {
        Tables { for_solver: megabytes, ..Tables::new(megabytes) }
    }

    /// Whether the system has memory for tables of so many MiB. Ask before: a job that gets none
    /// can only abort.
    pub fn would_fit(megabytes: usize) -> bool {
        Vec::<u8>::new().try_reserve_exact(megabytes << 20).is_ok()
    }

    /// Forgets everything. The memory is kept: what is given back again and again, allocators keep
    /// besides.
    fn clear(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }

    fn searcher(&mut self) -> &mut Searcher {
        let megabytes = self.megabytes.saturating_sub(self.for_solver).max(1);
        self.searcher.get_or_insert_with(|| Searcher::new(megabytes))
    }

    fn solver(&mut self) -> &mut Solver {
        self.solver.get_or_insert_with(|| Solver::new(self.for_solver))
    }
}

/// The stack of a thread that does jobs, in bytes: series may be 255 moves long, and turns follow turns.
pub const STACK: usize = 64 << 20;

/// How long to look for a playable series when a win was asked for and not found.
const CONSOLATION: Duration = Duration::from_secs(1);

/// Runs one job at a time.
///
/// The thread for it comes with the first job and goes with the engine. Common allocators keep memory for
/// each thread: a new one for every job would have it kept several times over.
pub struct Engine {
    events: Sender<Event>,
    tables: Option<Box<Tables>>,
    megabytes: usize,
    stop: Arc<AtomicBool>,
    worker: Option<Sender<Work>>,
}

/// What the thread for jobs does next.
type Work = Box<dyn FnOnce() + Send>;

impl Engine {
    /// An engine that tells `events` what happens and whose tables take about `megabytes` MiB.
    pub fn new(events: Sender<Event>, megabytes: usize) -> Engine {
        Engine { events, tables: None, megabytes, stop: Arc::default(), worker: None }
    }

    /// An engine that begins with these tables.
    pub fn with_tables(events: Sender<Event>, tables: Tables) -> Engine {
        let megabytes = tables.megabytes;
        Engine { tables: Some(Box::new(tables)), ..Engine::new(events, megabytes) }
    }

    /// The size of the tables from the next job on, in MiB.
    pub fn resize(&mut self, megabytes: usize) {
        self.megabytes = megabytes;
    }

    /// Forgets what earlier jobs have learnt.
    pub fn forget(&mut self) {
        if let Some(tables) = &mut self.tables {
            tables.clear();
        }
    }

    /// Starts a job. Its last event is [`Event::Done`]; start the next one only after that.
    ///
    /// # Errors
    /// The system gives no thread.
    pub fn start(&mut self, job: Job) -> std::io::Result<()> {
        self.stop = Arc::default();
        let (events, stop, megabytes) = (self.events.clone(), self.stop.clone(), self.megabytes);
        let kept = self.tables.take().filter(|tables| tables.megabytes == megabytes);
        let work = move || {
            let done = guarded(|| {
                let mut tables = kept.unwrap_or_else(|| Box::new(Tables::new(megabytes)));
                let mut tell = |progress| {
                    // Nobody listens any more when the session is over.
                    let _ = events.send(Event::Progress(progress));
                };
                (job.perform(&mut tables, &stop, &mut tell), tables)
            });
            let done = match done {
                Ok((answer, tables)) => Done { outcome: Ok(answer), tables: Some(tables) },
                Err(message) => Done { outcome: Err(message), tables: None },
            };
            let _ = events.send(Event::Done(done));
        };
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => hire()?,
        };
        let taken = worker.send(Box::new(work));
        self.worker = Some(worker);
        taken.map_err(|_| std::io::ErrorKind::BrokenPipe.into())
    }

    /// Tells the running job, if there is one, to end now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Takes the tables back from a job that has ended.
    ///
    /// # Errors
    /// The job panicked with this message.
    pub fn finish(&mut self, done: Done) -> Result<Answer, String> {
        self.tables = done.tables;
        done.outcome
    }
}

/// A thread that does what it is sent, until nobody can send any more.
fn hire() -> std::io::Result<Sender<Work>> {
    let (worker, work) = crossbeam_channel::unbounded::<Work>();
    let do_all = move || work.iter().for_each(|work| work());
    thread::Builder::new().name("job".into()).stack_size(STACK).spawn(do_all)?;
    Ok(worker)
}

/// The result of `work`, which may be a job on this thread.
///
/// # Errors
/// The message with which it panicked. What it has changed must not be used any more.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload: Box<dyn Any + Send>| {
        let text = payload.downcast_ref::<&str>().map(|text| text.to_string());
        text.or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "unknown failure".to_string())
    })
}

impl Job {
    /// Does the job on this thread, until it is done or `stop` is set.
    pub fn perform(
        &self,
        tables: &mut Tables,
        stop: &Arc<AtomicBool>,
        tell: &mut dyn FnMut(Progress),
    ) -> Answer {
        match self {
            Job::Search(search) => Answer::Chosen(search.perform(tables, stop, tell)),
            Job::Solve(solve) => Answer::Solved(solve.perform(tables.solver(), stop, tell)),
            Job::Perft(perft) => perft.perform(stop, tell),
        }
    }
}

impl Search {
    fn perform(
        &self,
        tables: &mut Tables,
        stop: &Arc<AtomicBool>,
        tell: &mut dyn FnMut(Progress),
    ) -> Choice {
        if self.own_book
            && let Some((report, choice)) = book::answer(&self.game, &self.request)
        {
            tell(Progress::FromBook);
            tell(Progress::Report(report));
            return choice;
        }
        let Request { limits, plan, .. } = &self.request;
        let control = Control::new(stop.clone(), plan.hard, limits.nodes);
        let report = &mut |report| tell(Progress::Report(report));
        if limits.mate != Some(1) {
            return tables.searcher().choose(&self.game, &self.request, &control, report);
        }
        tables.solver().set_threads(self.request.threads);
        match self.win_now(tables.solver(), &control) {
            (Verdict::Found(series), nodes, elapsed) => {
                tell(Progress::Report(sure_win(&series, nodes, elapsed)));
                Choice { series, ponder: Vec::new() }
            }
            (verdict, ..) => {
                tell(Progress::NoWin(verdict));
                self.console(tables.searcher(), &control, tell)
            }
        }
    }

    /// Looks for a win in this turn that begins with one of the moves asked for.
    fn win_now(&self, solver: &mut Solver, control: &Control) -> (Verdict, u64, Duration) {
        let (start, mut nodes) = (Instant::now(), 0);
        let first_moves = &self.request.limits.search_moves;
        let verdict = solver::wins_with(self.game.position(), first_moves, |position| {
            let verdict = solver.find(position, control);
            nodes += solver.nodes();
            verdict
        });
        (verdict, nodes, start.elapsed())
    }

    /// A playable series for somebody who asked for a win that is not there.
    fn console(
        &self,
        searcher: &mut Searcher,
        control: &Control,
        tell: &mut dyn FnMut(Progress),
    ) -> Choice {
        let end = Instant::now() + CONSOLATION;
        let end = control.deadline().map_or(end, |deadline| deadline.min(end));
        let mut request = self.request.clone();
        request.limits.mate = None;
        request.plan = TimePlan { soft: Some(end), hard: Some(end) };
        let report = &mut |report| tell(Progress::Report(report));
        searcher.choose(&self.game, &request, &control.until(end), report)
    }
}

/// The report of a series that wins at once.
fn sure_win(series: &[Move], nodes: u64, elapsed: Duration) -> Report {
    Report {
        depth: 1,
        seldepth: series.len() as u32,
        multipv: 1,
        score: Score::Mate(1),
        nodes,
        hashfull: 0,
        elapsed,
        pv: series.to_vec(),
        safety: None,
    }
}

impl Solve {
    /// Asks this solver on this thread, until it is done or `stop` is set.
    pub fn perform(
        &self,
        solver: &mut Solver,
        stop: &Arc<AtomicBool>,
        tell: &mut dyn FnMut(Progress),
    ) -> Solved {
        let start = Instant::now();
        let control = Control::new(stop.clone(), self.deadline, self.nodes);
        solver.set_threads(self.threads);
        solver.set_progress(self.progress.clone());
        let (count, complete, nodes) = match self.task {
            SolveTask::Find => {
                let verdict = solver.find(&self.position, &control);
                let nodes = solver.nodes();
                match verdict {
                    Verdict::Found(series) => {
                        tell(Progress::Solution(series));
                        (1, true, nodes)
                    }
                    Verdict::None => (0, true, nodes),
                    Verdict::Unknown => (0, false, nodes),
                }
            }
            SolveTask::List(max) => {
                let tell = &mut |series: &[Move]| tell(Progress::Solution(series.to_vec()));
                let tally = solver.list(&self.position, max, &control, tell);
                (tally.count, tally.complete, tally.nodes)
            }
            SolveTask::Count => {
                let tally = solver.count(&self.position, &control);
                (tally.count, tally.complete, tally.nodes)
            }
        };
        Solved { count, complete, nodes, elapsed: start.elapsed() }
    }
}

impl Perft {
    fn perform(&self, stop: &Arc<AtomicBool>, tell: &mut dyn FnMut(Progress)) -> Answer {
        let start = Instant::now();
        let control = Control::new(stop.clone(), None, None);
        let Perft { position, depth, divide, distinct } = self;
        let counts = if *divide {
            let tell = &mut |mv, count| tell(Progress::Divided(mv, count));
            perft::divide(position, *depth, *distinct, &control, tell)
        } else {
            perft::perft(position, *depth, *distinct, &control)
        };
        Answer::Counted(counts, start.elapsed())
    }
}

/// The moves of `choice` as far as they are legal, completed to a whole series by the first legal
/// moves; the reply expected is kept only behind the series it was meant for.
///
/// Whatever a search does, what is played is legal and complete. The series is empty only if there
/// is no legal move.
pub fn playable(position: &Position, choice: &Choice) -> Choice {
    let mut after = *position;
    let mut series = legal_part(&mut after, &choice.series);
    while after.side() == position.side()
        && let Some(&mv) = after.legal_moves().first()
    {
        after.play_unchecked(mv);
        series.push(mv);
    }
    let ponder =
        if series == choice.series { legal_part(&mut after, &choice.ponder) } else { Vec::new() };
    Choice { series, ponder }
}

/// Plays the first of `moves` on `position`, as many as are legal and belong to its turn.
fn legal_part(position: &mut Position, moves: &[Move]) -> Vec<Move> {
    let side = position.side();
    moves
        .iter()
        .copied()
        .take_while(|&mv| position.side() == side && position.play(mv).is_ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }

    fn turn_two() -> Position {
        let mut position = Position::start(variants::default());
        position.play("e2e4".parse().unwrap()).unwrap();
        position
    }

    #[test]
    fn a_panic_becomes_its_message() {
        let failure = guarded(|| panic!("square {} is {}", "e4", "empty"));
        assert_eq!(failure, Err::<(), _>("square e4 is empty".to_string()));
        assert_eq!(guarded(|| 7), Ok(7));
    }

    #[test]
    fn tables_are_made_for_what_is_done_with_them() {
        let job = Job::Solve(Solve {
            position: turn_two(),
            task: SolveTask::Find,
            deadline: None,
            nodes: None,
            threads: 1,
            progress: Arc::default(),
        });
        let mut tables = Tables::for_solving(1);
        job.perform(&mut tables, &Arc::default(), &mut |_| {});
        assert!(tables.solver.is_some() && tables.searcher.is_none());
    }

    #[test]
    fn a_whole_series_stays_and_so_does_its_reply() {
        let choice = Choice { series: moves("e7e5 g8f6"), ponder: moves("g1f3 f3e5 e5f7") };
        assert_eq!(playable(&turn_two(), &choice), choice);
    }

    #[test]
    fn a_broken_series_is_mended_and_its_reply_forgotten() {
        for broken in ["", "e7e5", "e7e5 e2e4", "e7e5 e7e5 a7a6"] {
            let choice = Choice { series: moves(broken), ponder: moves("g1f3") };
            let mended = playable(&turn_two(), &choice);
            assert_eq!(mended.series.len(), 2, "{broken}");
            assert!(mended.ponder.is_empty());
            let mut position = turn_two();
            mended.series.iter().for_each(|&mv| position.play(mv).unwrap());
        }
        let long = Choice { series: moves("e7e5 g8f6 g1f3"), ponder: Vec::new() };
        assert_eq!(playable(&turn_two(), &long).series, moves("e7e5 g8f6"));
    }

    #[test]
    fn a_check_ends_the_series() {
        let choice = Choice { series: moves("d7d5 d8d7"), ponder: Vec::new() };
        let mut position = Position::start(variants::default());
        position.play("e2e4".parse().unwrap()).unwrap();
        assert_eq!(playable(&position, &choice), choice);
        let check = Choice { series: moves("f1b5"), ponder: Vec::new() };
        for mv in moves("d7d5 g8f6") {
            position.play(mv).unwrap();
        }
        assert_eq!(playable(&position, &check), check);
    }

    #[test]
    fn without_a_legal_move_there_is_nothing_to_play() {
        let mut position = Position::start(variants::default());
        for mv in moves("f2f3 e7e5 d7d6 g2g4 a2a3 a3a4 d8h4") {
            position.play(mv).unwrap();
        }
        assert_eq!(playable(&position, &Choice::default()), Choice::default());
    }
}

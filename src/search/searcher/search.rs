//! One search: the phases in which a series is chosen.

use super::candidate::{Candidate, Outlook, Status};
use super::forecast::Forecast;
use super::judge::{Care, QUICK};
use super::purse::Purse;
use super::rounds::value_all;
use super::worker::{Case, Look, Worker, each, is_short};
use super::{Choice, Request};
use crate::position::{Game, Move};
use crate::rules::DrawRule;
use crate::search::series_gen::{Effort, Ends, MOST_ENDS};
use crate::search::{Control, Report, Score, eval};

/// The part of all means that looking for a win in this turn may take, if the series is long.
const WINNING: f64 = 0.1;

/// A win is looked for to the end in series of at most so many moves.
const WIN_FOR_SURE: u8 = 5;

/// The part of all means that generating our own series may take, counted in moves, and the part
/// after which it has to hurry.
const GENERATING: f64 = 0.12;
const GENERATING_AT_MOST: f64 = 0.25;

/// The part of what is left after generating that tests and looks may take, by the opponent's moves
/// from six on: the longer they are, the more do proofs cost. Before that, tests are proofs.
const SIFTING: [f64; 3] = [0.7, 0.6, 0.5];
const SIFTING_SHORT: f64 = 0.6;

/// The same when something good is proved safe and means are left, and when enough is spent.
const MORE_SIFTING: f64 = 0.5;
const ENOUGH: f64 = 0.85;

/// Where series do not grow, at most so many turns are seen through.
const MOST_TURNS: u32 = 50;

/// Where so many candidates have been tested and none survives, the next will hardly do.
const MANY: usize = 1000;

/// Of several threads each tests so many candidates before all meet again.
const TESTS_EACH: usize = 32;

/// So many candidates that survive the first test are looked at before more are tested.
const BATCH: usize = 16;

/// How many of the opponent's replies are looked at, and what generating them costs at most, as a
/// part of all means: for each candidate that survives, then for those that seem won.
const LOOKS: [(usize, f64); 3] = [(64, 0.02), (512, 0.04), (4096, 0.12)];

/// A search under way, and what it knows so far.
pub(super) struct Search<'a> {
    workers: &'a mut [Worker],
    request: &'a Request,
    report: &'a mut dyn FnMut(Report),
    case: Case,
    /// The first moves to choose from; empty: all.
    first: Vec<Move>,
    ends: Ends,
    /// The first of `ends`, as far as they have been taken up.
    candidates: Vec<Candidate>,
    /// How many of `candidates` have been tested.
    tested: usize,
    /// Which of those behind them may survive.
    forecast: &'a mut Forecast,
    /// Turns looked ahead.
    depth: u32,
    /// The depth and the line that were reported last.
    told: Option<(u32, Vec<Move>)>,
}

impl<'a> Search<'a> {
    /// `workers` is not empty.
    pub(super) fn new(
        workers: &'a mut [Worker],
        forecast: &'a mut Forecast,
        game: &Game,
        request: &'a Request,
        control: &Control,
        report: &'a mut dyn FnMut(Report),
    ) -> Search<'a> {
        let root = *game.position();
        let wanted = &request.limits.search_moves;
        let purse = Purse::new(&request.limits, &request.plan, control);
        let case = Case { root, repeated: repeated(game), purse };
        forecast.begin(case.moves_of_opponent());
        Search {
            workers,
            request,
            report,
            first: wanted.iter().copied().filter(|&mv| root.is_legal(mv)).collect(),
            forecast,
            case,
            ends: Ends::default(),
            candidates: Vec::new(),
            tested: 0,
            told: None,
            depth: 1,
        }
    }

    pub(super) fn run(mut self) -> Choice {
        let ready = self.case.quick_series(&self.first);
        if ready.is_empty() {
            return Choice::default();
        }
        if !self.case.purse.is_empty()
            && let Some(series) = self.win_now()
        {
            return self.announce_win(series);
        }
        if self.request.limits.mate.is_some() {
            self.case.purse.excuse();
        }
        if !self.case.purse.is_empty() {
            self.generate();
        }
        if let Some(series) = self.ends.win.take() {
            return self.announce_win(series);
        }
        if !self.take_up_next() {
            self.candidates.push(Candidate::new(&self.case.root, ready, 0));
            self.candidates[0].value = eval::if_ended(&self.candidates[0].position);
        }
        self.tell(false);
        let depth = self.request.limits.depth.unwrap_or(u32::MAX);
        if self.case.root.rules().allowance.grows() {
            self.look_ahead(depth);
        } else {
            self.deepen(depth);
        }
        self.tell(true);
        self.answer()
    }

    fn win_now(&mut self) -> Option<Vec<Move>> {
        let purse = &self.case.purse;
        let control = if self.request.limits.mate.is_some() {
            purse.rest_unbounded()
        } else if self.case.root.moves_left() <= WIN_FOR_SURE {
            purse.rest()
        } else {
            purse.until(WINNING)
        };
        with_all_threads(self.workers, |worker| self.case.win_now(worker, &self.first, &control))?
    }

    fn generate(&mut self) {
        let threads = self.workers.len();
        let Some((worker, others)) = self.workers.split_first_mut() else { return };
        let purse = &self.case.purse;
        let late = (purse.spent() + GENERATING).max(GENERATING_AT_MOST);
        let effort = Effort {
            nodes: purse.moves_for(GENERATING, threads),
            ends: MOST_ENDS,
            hurry: &purse.until(late),
            stop: &purse.rest(),
        };
        let others = others.iter_mut().map(|worker| &mut worker.generator).collect();
        let root = &self.case.root;
        self.ends = worker.generator.generate_with(others, root, &self.first, &effort);
        purse.spend(self.ends.nodes);
    }

    /// Makes the next end a candidate. Returns whether there was one.
    fn take_up_next(&mut self) -> bool {
        let Some(end) = self.ends.list.get(self.candidates.len()) else { return false };
        let series = self.ends.series(end);
        self.candidates.push(Candidate::new(&self.case.root, series, end.score));
        true
    }

    /// Where series do not grow: sees through one turn more after the other.
    fn deepen(&mut self, depth: u32) {
        self.workers.iter_mut().for_each(|worker| worker.memory.begin());
        while self.take_up_next() {}
        let lines = self.request.multi_pv.max(1) as usize;
        for turns in 2..=depth.min(MOST_TURNS) {
            if self.case.purse.spent() >= ENOUGH || self.case.purse.is_empty() {
                break;
            }
            self.depth = turns;
            let done = value_all(self.workers, &self.case, &mut self.candidates, turns, lines);
            self.tell(false);
            let decided = self.candidates.first().is_some_and(|best| best.value.abs() > eval::MOST);
            if decided || !done {
                break;
            }
        }
    }

    /// The phases behind the first turn, as far as `depth` allows.
    fn look_ahead(&mut self, depth: u32) {
        if depth < 2 || self.case.purse.is_empty() {
            return;
        }
        let mut part = self.sifting();
        let mut more = true;
        while more && !self.case.purse.is_empty() {
            let spent = self.case.purse.spent();
            more = self.widen(spent + (1.0 - spent) * part, depth);
            self.settle(depth);
            self.tell(false);
            part = part.min(MORE_SIFTING);
            more &= self.case.purse.spent() < ENOUGH
                && !self.candidates.iter().any(Candidate::wins_next);
        }
    }

    /// Tests candidates and looks at replies, until `share` of all means is spent. Returns whether
    /// there are more.
    fn widen(&mut self, share: f64, depth: u32) -> bool {
        loop {
            self.depth = self.depth.max(2);
            let more = self.sift(BATCH, share);
            self.tell(false);
            if depth >= 3 && more {
                self.depth = 3;
                self.look_at_replies(share);
                self.tell(false);
            }
            if !more || self.case.purse.spent() >= share {
                return more;
            }
        }
    }

    /// The part of what is left that tests and looks may take.
    fn sifting(&self) -> f64 {
        let next = usize::from(self.case.moves_of_opponent());
        match self.candidates.first() {
            Some(candidate) if is_short(&candidate.position) => SIFTING_SHORT,
            _ => SIFTING[next.saturating_sub(6).min(SIFTING.len() - 1)],
        }
    }

    /// Tests more candidates, until `survivors_wanted` of them survive or `share` of all means is
    /// spent; as long as none has survived, until everything is spent. Returns whether some did.
    fn sift(&mut self, survivors_wanted: usize, share: f64) -> bool {
        let before = survivors(&self.candidates);
        let mut now = before;
        while now < before + survivors_wanted && !self.case.purse.is_empty() {
            let share = if now == 0 { 1.0 } else { share };
            if self.case.purse.spent() >= share {
                break;
            }
            let taken = self.candidates.len();
            self.forecast.sort(&self.case.root, &mut self.ends, taken, self.tested);
            let wanted = self.tested + self.at_once();
            while self.candidates.len() < wanted && self.take_up_next() {}
            let end = wanted.min(self.candidates.len());
            if end == self.tested {
                break;
            }
            let control = self.case.purse.until(share);
            let under_test = &mut self.candidates[self.tested..end];
            each(self.workers, under_test, |worker, candidate| {
                self.case.test(worker, candidate, Care::Glance(QUICK), &control);
            });
            under_test.iter().for_each(|candidate| self.forecast.learn(candidate));
            now += survivors(under_test);
            self.tested = end;
        }
        if now == 0 && self.tested == self.candidates.len() {
            // Better an untested series than a refuted one.
            self.take_up_next();
        }
        now > before
    }

    /// How many candidates are handed out together.
    fn at_once(&self) -> usize {
        if self.workers.len() > 1 { TESTS_EACH * self.workers.len() } else { 1 }
    }

    /// Looks at the opponent's replies to the candidates that survive, the best first.
    fn look_at_replies(&mut self, share: f64) {
        let open = |candidate: &Candidate| candidate.is_open() && !candidate.looked();
        let mut chosen: Vec<_> = self.candidates.iter_mut().filter(|c| open(c)).collect();
        look_at(self.workers, &self.case, &mut chosen, share);
    }

    /// Looks at more replies to the best candidates if they seem won: one for each thread, one step.
    /// Returns whether that told anything.
    fn confirm(&mut self) -> bool {
        let looked = self.any_looked();
        let mut best: Vec<&mut Candidate> = self.candidates.iter_mut().collect();
        best.sort_by_key(|candidate| -candidate.rank(looked));
        best.truncate(self.workers.len());
        best.retain(|candidate| candidate.seems_won() && wider(candidate).is_some());
        let seen = |best: &[&mut Candidate]| best.iter().map(|c| c.breadth).sum::<usize>();
        let before = seen(&best);
        look_at(self.workers, &self.case, &mut best, 1.0);
        seen(&best) > before
    }

    /// Makes sure of the best candidate: that it is safe, and if it seems won, that it is.
    fn settle(&mut self, depth: u32) {
        loop {
            self.prove();
            if depth < 3 || self.case.purse.spent() >= ENOUGH || !self.confirm() {
                break;
            }
        }
    }

    /// Proves the safety of candidates in the order of their values, until the best is safe; if all
    /// fall, sifts further.
    fn prove(&mut self) {
        // Those whose proof was tried in earnest and did not end.
        let mut given_up = Vec::new();
        while !self.case.purse.is_empty() {
            let looked = self.any_looked();
            let is_safe = |c: &Candidate| c.status == Status::Safe;
            let best = (self.candidates.iter().enumerate())
                .filter(|(index, c)| c.is_open() && !given_up.contains(index))
                .max_by_key(|(_, c)| (c.looked() || !looked, c.worth(), is_safe(c)))
                .map(|(index, c)| (index, is_safe(c)));
            match best {
                Some((_, true)) => break,
                Some((index, false)) => {
                    self.prove_one(index);
                    if self.candidates[index].glanced().is_some() {
                        given_up.push(index);
                    }
                }
                None if !given_up.is_empty() || !self.sift(1, 1.0) => break,
                None => {}
            }
        }
    }

    /// Tries in earnest to prove that a candidate is safe.
    fn prove_one(&mut self, index: usize) {
        let candidate = &mut self.candidates[index];
        with_all_threads(self.workers, |worker| self.case.prove(worker, candidate));
        if !candidate.survives() {
            self.forecast.correct(candidate);
        }
    }

    fn any_looked(&self) -> bool {
        self.candidates.iter().any(Candidate::looked)
    }

    /// Reports the best lines, unless nothing is new; at the end always, and whether the best is safe.
    fn tell(&mut self, end: bool) {
        let wanted = self.request.multi_pv.max(1) as usize;
        while self.candidates.len() < wanted && self.take_up_next() {}
        let looked = self.any_looked();
        let mut order: Vec<&Candidate> = self.candidates.iter().collect();
        order.sort_by_key(|candidate| -candidate.rank(looked));
        let best = order.first().map(|best| (self.depth, [&best.series[..], &best.reply].concat()));
        if wanted == 1 && !end && self.told == best {
            return;
        }
        let outlook = self.outlook();
        for (candidate, multipv) in order.into_iter().take(wanted).zip(1..) {
            let pv = [candidate.series.as_slice(), &candidate.reply].concat();
            let score = candidate.score(self.ends.complete, outlook);
            let safety = candidate.safety().filter(|_| end && multipv == 1);
            let report = Report { safety, ..self.line(multipv, score, pv) };
            (self.report)(report);
        }
        self.told = best;
    }

    /// Whether anything survives.
    fn outlook(&self) -> Outlook {
        let refuted = |candidate: &Candidate| matches!(candidate.status, Status::Refuted(_));
        let all = self.ends.complete && self.candidates.len() == self.ends.list.len();
        if all && self.candidates.iter().all(refuted) {
            Outlook::Lost
        } else if self.tested >= MANY && survivors(&self.candidates) == 0 {
            Outlook::Bleak
        } else {
            Outlook::Open
        }
    }

    /// A report on one line.
    fn line(&self, multipv: u32, score: Score, pv: Vec<Move>) -> Report {
        let (depth, root) = (self.depth, &self.case.root);
        let ahead = (1..depth).map(|turns| {
            u32::from(root.rules().allowance.of_turn(root.turn().saturating_add(turns as u16)))
        });
        let seldepth = u32::from(root.moves_left()) + ahead.sum::<u32>();
        let hashfull = self.workers.first().map_or(0, |worker| worker.judge.hashfull());
        let (nodes, elapsed) = (self.case.purse.nodes(), self.case.purse.elapsed());
        Report { depth, seldepth, multipv, score, nodes, hashfull, elapsed, pv, safety: None }
    }

    fn announce_win(self, series: Vec<Move>) -> Choice {
        let report = self.line(1, Score::Mate(1), series.clone());
        (self.report)(report);
        Choice { series, ponder: Vec::new() }
    }

    fn answer(mut self) -> Choice {
        let looked = self.any_looked();
        let best = (0..self.candidates.len())
            .rev()
            .max_by_key(|&index| self.candidates[index].rank(looked))
            .map(|index| self.candidates.swap_remove(index));
        best.map_or_else(Choice::default, |best| Choice { series: best.series, ponder: best.reply })
    }
}

/// The next wider look at the replies to `candidate`: how many, and the part of all means that
/// generating them costs.
fn wider(candidate: &Candidate) -> Option<(usize, f64)> {
    LOOKS.into_iter().find(|&(breadth, _)| breadth > candidate.breadth)
}

/// Looks at the replies to `candidates`, more widely than before; begins nothing after `share` of
/// all means.
fn look_at(workers: &mut [Worker], case: &Case, candidates: &mut [&mut Candidate], share: f64) {
    each(workers, candidates, |worker, candidate| {
        let Some((breadth, part)) = wider(candidate) else { return };
        if case.purse.is_empty() || case.purse.spent() >= share {
            return;
        }
        let nodes = case.purse.moves_for(part, 1).clamp(1_000, 4_000_000);
        case.look(worker, candidate, Look { breadth, nodes, share });
    });
}

fn survivors(candidates: &[Candidate]) -> usize {
    candidates.iter().filter(|candidate| candidate.survives()).count()
}

/// Does `work` with the first of `workers`, whose solver uses as many threads as there are workers
/// meanwhile.
fn with_all_threads<T>(workers: &mut [Worker], work: impl FnOnce(&mut Worker) -> T) -> Option<T> {
    let threads = workers.len();
    let worker = workers.first_mut()?;
    worker.judge.set_threads(threads);
    let result = work(worker);
    worker.judge.set_threads(1);
    Some(result)
}

/// The keys of the turn starts that `game` has seen twice, where the rules ask for repetition.
fn repeated(game: &Game) -> Vec<u64> {
    let mut position = *game.start();
    if position.rules().draws != DrawRule::RepetitionOrFifty {
        return Vec::new();
    }
    let mut seen = vec![position.key()];
    let mut repeated = Vec::new();
    for &mv in game.moves() {
        position.play_unchecked(mv);
        if position.at_boundary() {
            let key = position.key();
            if seen.contains(&key) {
                repeated.push(key);
            }
            seen.push(key);
        }
    }
    repeated
}

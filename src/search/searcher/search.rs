//! One search: the phases in which a series is chosen.

use super::candidate::{Candidate, Status};
use super::purse::Purse;
use super::{Choice, Request, Searcher};
use crate::position::{Game, Move, Position};
use crate::rules::{DrawRule, Outcome};
use crate::search::series_gen::{Effort, Ends};
use crate::search::solver::Verdict;
use crate::search::{Control, Report, Score, eval};

/// The part of all means after which each phase ends.
mod until {
    /// Looking for a win in this turn; short series are searched to the end all the same.
    pub const WIN: f64 = 0.25;
    /// Generating series.
    pub const GENERATED: f64 = 0.30;
    /// Sifting out what the opponent refutes.
    pub const SIFTED: f64 = 0.42;
    /// Proving one candidate safe.
    pub const SECURED: f64 = 0.65;
    /// Looking at the opponent's replies.
    pub const LOOKED: f64 = 0.80;
}

/// Series of at most so many moves are always searched to the end for a win.
const SHORT: u8 = 5;

/// The part of all means that generating our own series may take.
const GENERATING: f64 = 0.12;

/// How many ends of our own series are kept.
const MOST_ENDS: usize = 16_384;

/// How many of the opponent's replies are kept for each candidate.
const MOST_REPLIES: usize = 48;

/// So many candidates that survive the first test are looked at before more are tested.
const BATCH: usize = 32;

/// A search under way, and what it knows so far.
pub(super) struct Search<'a> {
    searcher: &'a mut Searcher,
    request: &'a Request,
    report: &'a mut dyn FnMut(Report),
    root: Position,
    /// The first moves to choose from; empty: all.
    first: Vec<Move>,
    /// The turn starts of the game so far, where repetition counts.
    earlier: Vec<u64>,
    purse: Purse,
    ends: Ends,
    /// The first of `ends`, as far as they have been taken up.
    candidates: Vec<Candidate>,
    /// How many of `candidates` have been tested, and how many of these survive.
    tested: usize,
    survivors: usize,
    /// Candidates whose proof was tried in earnest and did not end.
    given_up: Vec<usize>,
    /// Turns looked ahead.
    depth: u32,
    /// The depth and the line that were reported last.
    told: Option<(u32, Vec<Move>)>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        searcher: &'a mut Searcher,
        game: &Game,
        request: &'a Request,
        control: &Control,
        report: &'a mut dyn FnMut(Report),
    ) -> Search<'a> {
        let root = *game.position();
        let wanted = &request.limits.search_moves;
        Search {
            searcher,
            request,
            report,
            root,
            first: wanted.iter().copied().filter(|&mv| root.is_legal(mv)).collect(),
            earlier: turn_starts(game),
            purse: Purse::new(&request.limits, &request.plan, control),
            ends: Ends::default(),
            candidates: Vec::new(),
            tested: 0,
            survivors: 0,
            given_up: Vec::new(),
            told: None,
            depth: 1,
        }
    }

    pub(super) fn run(mut self) -> Choice {
        let ready = self.quick_series();
        if ready.is_empty() {
            return Choice::default();
        }
        if !self.purse.is_empty()
            && let Some(series) = self.win_now()
        {
            return self.announce_win(series);
        }
        if self.request.limits.mate.is_some() {
            self.purse.excuse();
        }
        if !self.purse.is_empty() {
            self.generate();
        }
        if let Some(series) = self.ends.win.take() {
            return self.announce_win(series);
        }
        if !self.take_up_next() {
            self.candidates.push(Candidate::new(&self.root, ready, 0));
            self.candidates[0].value = eval::if_ended(&self.candidates[0].position);
        }
        self.tell();
        self.look_ahead(self.request.limits.depth.unwrap_or(u32::MAX));
        self.answer()
    }

    /// The phases behind the first turn, as far as `depth` allows.
    fn look_ahead(&mut self, depth: u32) {
        if depth < 2 || self.purse.is_empty() {
            return;
        }
        self.depth = 2;
        self.sift(until::SIFTED);
        self.prove(until::SECURED, true);
        self.tell();
        while depth >= 3 && !self.purse.is_empty() && self.purse.spent() < until::LOOKED {
            self.depth = 3;
            self.look_at_replies();
            self.tell();
            if !self.sift(until::LOOKED) {
                break;
            }
        }
        self.prove(1.0, false);
        self.tell();
    }

    /// A legal series, complete, at once: each move the best by evaluation, or any if there is no
    /// time.
    fn quick_series(&mut self) -> Vec<Move> {
        let mut position = self.root;
        let mut series = Vec::with_capacity(usize::from(position.moves_left()));
        while series.is_empty() || !position.at_boundary() {
            let hurried = self.purse.is_empty();
            let mut best: Option<(i32, Move)> = None;
            let first = if series.is_empty() { self.first.as_slice() } else { &[] };
            position.for_each_batch(|batch| {
                for to in batch.to {
                    let mv = batch.move_to(to);
                    if !first.is_empty() && !first.contains(&mv) || hurried && best.is_some() {
                        continue;
                    }
                    let mut child = position;
                    child.play_batch(&batch, to);
                    let value = match child.at_boundary() {
                        true => -eval::evaluate(&child),
                        false => eval::if_ended(&child),
                    };
                    if best.is_none_or(|(most, _)| value > most) {
                        best = Some((value, mv));
                    }
                }
            });
            let Some((_, mv)) = best else { break };
            position.play_unchecked(mv);
            series.push(mv);
        }
        series
    }

    /// A series that wins at once, if the solver finds one.
    fn win_now(&mut self) -> Option<Vec<Move>> {
        let control = if self.request.limits.mate.is_some() {
            self.purse.rest_unbounded()
        } else if self.root.moves_left() <= SHORT {
            self.purse.rest()
        } else {
            self.purse.until(until::WIN)
        };
        if self.first.is_empty() {
            let root = self.root;
            return self.win_from(&root, &control);
        }
        for mv in self.first.clone() {
            let mut child = self.root;
            child.play_unchecked(mv);
            let rest = match child.at_boundary() {
                true => child.is_lost().then(Vec::new),
                false => self.win_from(&child, &control),
            };
            if let Some(rest) = rest {
                return Some([vec![mv], rest].concat());
            }
        }
        None
    }

    fn win_from(&mut self, position: &Position, control: &Control) -> Option<Vec<Move>> {
        match self.searcher.judge.wins(position, control, &mut self.purse).0 {
            Verdict::Found(series) => Some(series),
            Verdict::None | Verdict::Unknown => None,
        }
    }

    fn generate(&mut self) {
        let effort = Effort {
            nodes: self.purse.moves_for(GENERATING),
            ends: MOST_ENDS,
            hurry: &self.purse.until(until::GENERATED),
            stop: &self.purse.rest(),
        };
        self.ends = self.searcher.generator.generate(&self.root, &self.first, &effort);
        self.purse.nodes += self.ends.nodes;
    }

    /// Makes the next end a candidate. Returns whether there was one.
    fn take_up_next(&mut self) -> bool {
        let Some(end) = self.ends.list.get(self.candidates.len()) else { return false };
        self.candidates.push(Candidate::new(&self.root, self.ends.series(end), end.score));
        true
    }

    /// Tests more candidates, until a batch of them survives or `share` of all means is spent; as
    /// long as none has survived, until everything is spent. Returns whether some did.
    fn sift(&mut self, share: f64) -> bool {
        let before = self.survivors;
        while self.survivors < before + BATCH && !self.purse.is_empty() {
            let share = if self.survivors == 0 { 1.0 } else { share };
            let ready = self.tested < self.candidates.len() || self.take_up_next();
            if !ready || self.purse.spent() >= share {
                break;
            }
            let control = self.capped(self.purse.until(share));
            self.test(self.tested, &control);
            self.survivors += usize::from(self.candidates[self.tested].survives());
            self.tested += 1;
        }
        if self.survivors == 0 && self.tested == self.candidates.len() {
            // Better an untested series than a refuted one.
            self.take_up_next();
        }
        self.survivors > before
    }

    /// `control`, but with only as many nodes as one question among many may cost.
    fn capped(&self, control: Control) -> Control {
        control.within_nodes((self.purse.moves_for(0.3) / 20).clamp(2_000, 200_000))
    }

    /// Asks whether the opponent wins against a candidate.
    fn test(&mut self, index: usize, control: &Control) {
        let position = self.candidates[index].position;
        if self.is_drawn(&position) {
            self.candidates[index].status = Status::Drawn;
            return;
        }
        let (verdict, cost) = self.searcher.judge.wins(&position, control, &mut self.purse);
        let candidate = &mut self.candidates[index];
        candidate.status = match verdict {
            Verdict::Found(refutation) => {
                candidate.reply = refutation;
                Status::Refuted(cost)
            }
            Verdict::None if ten_quiet_turns(&position) => Status::Drawn,
            Verdict::None => Status::Safe,
            Verdict::Unknown => Status::Unknown,
        };
    }

    /// Whether the game is drawn where a series ends, whatever the opponent has in hand.
    fn is_drawn(&self, position: &Position) -> bool {
        let seen = || {
            let key = position.key();
            self.earlier.iter().filter(|&&earlier| earlier == key).count()
        };
        let adjudicated = position.rules().draws == DrawRule::RepetitionOrFifty
            && (position.quiet_turns() >= position.rules().draws.quiet_limit() || seen() >= 2);
        adjudicated || position.is_dead() || matches!(position.outcome(), Some(Outcome::Draw(_)))
    }

    /// Looks at the opponent's replies to the candidates that survive, the best first.
    fn look_at_replies(&mut self) {
        let moves = (self.purse.moves_for(0.2) / BATCH as u64).clamp(2_000, 200_000);
        for index in 0..self.candidates.len() {
            if self.purse.is_empty() || self.purse.spent() >= until::LOOKED {
                break;
            }
            if self.candidates[index].is_open() && !self.candidates[index].looked {
                self.look(index, moves);
            }
        }
    }

    /// Finds the opponent's best reply that does not let us win at once; its value is the
    /// candidate's.
    fn look(&mut self, index: usize, moves: u64) {
        let position = self.candidates[index].position;
        let effort = Effort {
            nodes: moves,
            ends: MOST_REPLIES,
            hurry: &self.purse.until(until::LOOKED),
            stop: &self.purse.rest(),
        };
        let replies = self.searcher.generator.generate(&position, &[], &effort);
        self.purse.nodes += replies.nodes;
        if let Some(refutation) = &replies.win {
            self.candidates[index].reply = refutation.clone();
            self.candidates[index].status = Status::Refuted(replies.nodes);
            self.survivors -= 1;
            return;
        }
        for end in &replies.list {
            if self.purse.is_empty() {
                return;
            }
            let reply = Candidate::new(&position, replies.series(end), end.score);
            let drawn = self.is_drawn(&reply.position);
            let control = self.capped(self.purse.until(until::LOOKED));
            if !drawn && self.win_from(&reply.position, &control).is_some() {
                continue;
            }
            let candidate = &mut self.candidates[index];
            candidate.value = if drawn { 0 } else { -end.score };
            candidate.reply = reply.series;
            candidate.looked = true;
            return;
        }
        if !replies.list.is_empty() {
            self.settle_won(index, replies.complete);
        }
    }

    /// After every reply that was looked at we win; `all` if these are all there are.
    fn settle_won(&mut self, index: usize, all: bool) {
        let candidate = &mut self.candidates[index];
        candidate.looked = true;
        candidate.value = eval::MOST;
        if all && candidate.status == Status::Safe {
            candidate.status = Status::WinsNext;
        }
    }

    /// Proves the safety of candidates in the order of their values, until the best is safe, or
    /// with `any` until one is; what turns out to be refuted is made up for by sifting further.
    fn prove(&mut self, share: f64, any: bool) {
        self.given_up.clear();
        let is_safe = |c: &Candidate| c.status == Status::Safe;
        while !self.purse.is_empty() && self.purse.spent() < share {
            if any && self.candidates.iter().any(is_safe) {
                break;
            }
            let looked = self.any_looked();
            let best = (self.candidates.iter().enumerate())
                .filter(|(index, c)| c.is_open() && !self.given_up.contains(index))
                .max_by_key(|(_, c)| (c.looked || !looked, c.value, is_safe(c)))
                .map(|(index, c)| (index, is_safe(c)));
            match best {
                Some((_, true)) => break,
                Some((index, false)) => self.prove_one(index, share),
                None if !self.given_up.is_empty() || !self.sift(share) => break,
                None => {}
            }
        }
    }

    /// Tries in earnest to prove that a candidate is safe, with half of what is left of `share`.
    fn prove_one(&mut self, index: usize, share: f64) {
        let control = self.purse.until((self.purse.spent() + share) / 2.0);
        self.test(index, &control);
        match self.candidates[index].status {
            Status::Unknown => self.given_up.push(index),
            Status::Refuted(_) => self.survivors -= 1,
            _ => {}
        }
    }

    fn any_looked(&self) -> bool {
        self.candidates.iter().any(|candidate| candidate.looked)
    }

    /// Reports the best lines.
    fn tell(&mut self) {
        let wanted = self.request.multi_pv.max(1) as usize;
        while self.candidates.len() < wanted && self.take_up_next() {}
        let looked = self.any_looked();
        let mut order: Vec<&Candidate> = self.candidates.iter().collect();
        order.sort_by_key(|candidate| -candidate.rank(looked));
        let best = order.first().map(|best| (self.depth, [&best.series[..], &best.reply].concat()));
        if wanted == 1 && best == self.told {
            return;
        }
        let all_lose = self.all_lose();
        for (candidate, multipv) in order.into_iter().take(wanted).zip(1..) {
            let pv = [candidate.series.as_slice(), &candidate.reply].concat();
            let score = candidate.score(all_lose);
            (self.report)(line(&self.purse, &self.root, self.depth, multipv, score, pv));
        }
        self.told = best;
    }

    /// Whether every way to end the turn is known and refuted.
    fn all_lose(&self) -> bool {
        let refuted = |candidate: &Candidate| matches!(candidate.status, Status::Refuted(_));
        self.ends.complete
            && self.candidates.len() == self.ends.list.len()
            && self.candidates.iter().all(refuted)
    }

    fn announce_win(self, series: Vec<Move>) -> Choice {
        let win = Score::Mate(1);
        (self.report)(line(&self.purse, &self.root, self.depth, 1, win, series.clone()));
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

/// A report on one line.
fn line(
    purse: &Purse,
    root: &Position,
    depth: u32,
    multipv: u32,
    score: Score,
    pv: Vec<Move>,
) -> Report {
    let ahead = (1..depth).map(|turns| {
        u32::from(root.rules().allowance.of_turn(root.turn().saturating_add(turns as u16)))
    });
    let seldepth = u32::from(root.moves_left()) + ahead.sum::<u32>();
    let (nodes, elapsed) = (purse.nodes, purse.elapsed());
    Report { depth, seldepth, multipv, score, nodes, hashfull: 0, elapsed, pv }
}

/// Whether so many quiet turns have passed that only a win in this turn avoids a draw.
fn ten_quiet_turns(position: &Position) -> bool {
    let draws = position.rules().draws;
    draws == DrawRule::TenQuietTurns && position.quiet_turns() >= draws.quiet_limit()
}

/// The keys of the turn starts of `game`, where the rules ask for repetition.
fn turn_starts(game: &Game) -> Vec<u64> {
    let mut position = *game.start();
    if position.rules().draws != DrawRule::RepetitionOrFifty {
        return Vec::new();
    }
    let mut keys = vec![position.key()];
    for &mv in game.moves() {
        position.play_unchecked(mv);
        if position.at_boundary() {
            keys.push(position.key());
        }
    }
    keys
}

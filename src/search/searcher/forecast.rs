//! Which ends of a turn will survive the opponent's turn: learnt from those tested so far.
//!
//! Where nearly every end loses, those that do not have something in common: the king stands on
//! that square, this man of the enemy is gone. So the untested ones are sorted anew now and then,
//! by value and by a naive Bayes estimate that takes every unit on its square as a sign.
//! `docs/player.md` tells what that is worth.

use super::candidate::{Candidate, Status};
use crate::board::{Board, Color, Role};
use crate::position::Position;
use crate::search::series_gen::{End, Ends, MOST_ENDS, touched};

/// Signs: a unit on its square, by color and role; and the last one, a check.
const SIGNS: usize = 2 * 6 * 64 + 1;
const CHECK: usize = SIGNS - 1;

/// Against shorter series nothing is sorted: enough survives, and a test costs little.
const LEAST_MOVES: u8 = 8;

/// After so many tests the untested ends are sorted for the first time.
const FIRST: usize = 64;

/// An end that takes so many nodes to refute, or more, counts as so many that survive: it takes more
/// than a series known from others, adapted or not.
const HARD: u64 = 1500;
const NEARLY: f32 = 0.1;

/// What a factor of e in the chance to survive is worth, in centipawns.
const CHANCE: f32 = 300.0;

/// What the tests have told.
pub(super) struct Forecast {
    /// By sign: ends that survived, and that fell.
    counts: Vec<[f32; 2]>,
    /// All ends that survived, and that fell.
    all: [f32; 2],
    /// After how many tests to sort next; `None` if never.
    due: Option<usize>,
    /// The untested ends in their order; empty before the first sorting. Its room is kept.
    untested: Vec<Untested>,
}

/// An end that was untested when the ends were sorted last.
#[derive(Clone)]
struct Untested {
    /// Its place in the order, the highest first.
    promise: f32,
    end: End,
    look: Look,
}

/// What an end of the turn looks like.
#[derive(Clone)]
struct Look {
    board: Board,
    check: bool,
}

impl Look {
    fn of(position: &Position) -> Look {
        Look { board: *position.board(), check: position.in_check() }
    }

    /// Calls `f` with each sign.
    #[inline]
    fn for_each_sign(&self, mut f: impl FnMut(usize)) {
        for (color, all) in Color::ALL.into_iter().zip([0, 6]) {
            let units = self.board.color(color);
            for role in Role::ALL {
                for square in self.board.role(role) & units {
                    f((all + role as usize) << 6 | square.index());
                }
            }
        }
        if self.check {
            f(CHECK);
        }
    }
}

impl Forecast {
    /// Takes no room before it is used.
    pub(super) fn new() -> Forecast {
        Forecast { counts: Vec::new(), all: [0.0; 2], due: None, untested: Vec::new() }
    }

    /// Nothing is known of the ends of a turn that the opponent answers with a series of so many
    /// moves.
    pub(super) fn begin(&mut self, moves: u8) {
        self.due = (moves >= LEAST_MOVES).then_some(FIRST);
        self.all = [0.0; 2];
        self.untested.clear();
        self.counts.clear();
        self.counts.resize(SIGNS, [0.0; 2]);
    }

    /// Learns how a candidate has fared in its test.
    pub(super) fn learn(&mut self, tested: &Candidate) {
        let gain = match tested.status {
            Status::Refuted(..HARD) => [0.0, 1.0],
            Status::Refuted(_) => [NEARLY, 1.0],
            _ => [1.0, 0.0],
        };
        self.add(tested, gain);
    }

    /// Learns that a candidate has fallen which had survived its test.
    pub(super) fn correct(&mut self, fallen: &Candidate) {
        self.add(fallen, [NEARLY - 1.0, 1.0]);
    }

    fn add(&mut self, candidate: &Candidate, gain: [f32; 2]) {
        if self.due.is_none() {
            return;
        }
        let add = |counts: &mut [f32; 2]| counts.iter_mut().zip(gain).for_each(|(c, g)| *c += g);
        add(&mut self.all);
        Look::of(&candidate.position).for_each_sign(|sign| add(&mut self.counts[sign]));
    }

    /// After `tested` tests: sorts the untested of `ends`, all behind the first `taken`, if that is
    /// due.
    pub(super) fn sort(&mut self, root: &Position, ends: &mut Ends, taken: usize, tested: usize) {
        if self.due.is_none_or(|due| tested < due) || taken >= ends.list.len() {
            return;
        }
        self.due = Some(tested + tested / 2);
        self.keep_up(root, ends, taken);
        let weights = self.weights();
        let prior = ((self.all[0] + 0.5) / (self.all[1] + 0.5)).ln();
        for Untested { promise, end, look } in &mut self.untested {
            let mut odds = prior;
            look.for_each_sign(|sign| odds += weights[sign]);
            *promise = end.score as f32 + CHANCE * ln_sigmoid(odds);
        }
        self.untested.sort_unstable_by(|a, b| b.promise.total_cmp(&a.promise));
        for (end, untested) in ends.list[taken..].iter_mut().zip(&self.untested) {
            *end = untested.end;
        }
    }

    /// Makes `untested` the list of all ends behind the first `taken`.
    fn keep_up(&mut self, root: &Position, ends: &Ends, taken: usize) {
        let left = ends.list.len() - taken;
        if !self.untested.is_empty() {
            self.untested.drain(..self.untested.len() - left);
            return;
        }
        let untested = |end: &End| {
            let look = Look::of(&after(root, ends, end));
            Untested { promise: 0.0, end: *end, look }
        };
        let mut list = ends.list[taken..].iter().map(untested);
        if self.untested.capacity() == 0
            && let Some(first) = list.next()
        {
            self.untested = touched(&first, 2 * MOST_ENDS);
            self.untested.push(first);
        }
        self.untested.extend(list);
    }

    /// By sign: the logarithm of how much more often it is seen among those that survive.
    fn weights(&self) -> Vec<f32> {
        let [survived, fell] = self.all;
        let weight = |&[good, bad]: &[f32; 2]| {
            let usual = (good + bad + 1.0) / (survived + fell + 2.0);
            ((good + usual) / (survived + 1.0) / ((bad + usual) / (fell + 1.0))).ln()
        };
        self.counts.iter().map(weight).collect()
    }
}

/// The logarithm of the probability with these logarithmic odds.
fn ln_sigmoid(odds: f32) -> f32 {
    odds.min(0.0) - (-odds.abs()).exp().ln_1p()
}

/// The position after an end.
fn after(root: &Position, ends: &Ends, end: &End) -> Position {
    let mut position = *root;
    ends.series(end).into_iter().for_each(|mv| position.play_unchecked(mv));
    position
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::Square;
    use crate::position::Move;
    use crate::rules::variants;
    use crate::search::Control;
    use crate::search::searcher::judge::QUICK;
    use crate::search::series_gen::{Effort, SeriesGenerator};

    /// Of the ends of a turn those survive after which the king stands on `safe`.
    struct Turn {
        root: Position,
        ends: Ends,
        safe: Square,
    }

    impl Turn {
        fn new() -> Turn {
            let pfen = "rn1k1b1r/1p3pp1/p6n/3pp2p/8/8/PPPP1PPP/RNB1K2R w KQ - 0 7";
            let root = Position::from_pfen(pfen, variants::default()).unwrap();
            let free = &Control::unlimited();
            let effort = Effort { nodes: 100_000, ends: 1000, hurry: free, stop: free };
            let ends = SeriesGenerator::new().generate(&root, &[], &effort);
            Turn { root, ends, safe: "d1".parse().unwrap() }
        }

        fn survives(&self, end: &End) -> bool {
            let king = after(&self.root, &self.ends, end).board().king(self.root.side());
            king == Some(self.safe)
        }

        /// The forecast when the first `tested` ends have been tested, and the others sorted.
        fn sort(&mut self, moves: u8, tested: usize) {
            let mut forecast = Forecast::new();
            forecast.begin(moves);
            for end in &self.ends.list[..tested] {
                let mut candidate = Candidate::new(&self.root, self.ends.series(end), end.score);
                let survives = self.survives(end);
                candidate.status =
                    if survives { Status::Glanced(QUICK) } else { Status::Refuted(0) };
                forecast.learn(&candidate);
            }
            forecast.sort(&self.root, &mut self.ends, tested, tested);
        }

        fn series(&self) -> Vec<Vec<Move>> {
            self.ends.list.iter().map(|end| self.ends.series(end)).collect()
        }
    }

    #[test]
    fn what_looks_like_the_survivors_comes_first() {
        let mut turn = Turn::new();
        let share = |turn: &Turn, from: usize| {
            turn.ends.list[from..from + 50].iter().filter(|end| turn.survives(end)).count()
        };
        let (before, first) = (turn.series(), share(&turn, 200));
        turn.sort(LEAST_MOVES, 200);
        assert!(first < 10 && share(&turn, 200) > 40, "{first}, {}", share(&turn, 200));
        let [before, after] = [before, turn.series()];
        assert_eq!(after[..200], before[..200], "what has been tested stays");
        let all = |series: Vec<Vec<Move>>| series.into_iter().collect::<BTreeSet<_>>();
        assert_eq!(all(after), all(before), "none is lost");
    }

    #[test]
    fn against_short_series_the_order_stays() {
        let mut turn = Turn::new();
        let before = turn.series();
        turn.sort(LEAST_MOVES - 1, 200);
        assert_eq!(turn.series(), before);
    }

    /// What takes a search of its own to refute is nearer to surviving.
    #[test]
    fn what_is_hard_to_refute_counts_for_something() {
        let root = Position::start(variants::default());
        let mut candidate = Candidate::new(&root, Vec::new(), 0);
        let mut survived_after = |nodes| {
            let mut forecast = Forecast::new();
            forecast.begin(LEAST_MOVES);
            candidate.status = Status::Refuted(nodes);
            forecast.learn(&candidate);
            forecast.all[0]
        };
        assert_eq!([0, HARD - 1].map(&mut survived_after), [0.0; 2]);
        assert!(survived_after(HARD) > 0.0 && survived_after(HARD) < 1.0);
    }

    #[test]
    fn who_falls_later_counts_as_fallen() {
        let root = Position::start(variants::default());
        let mut candidate = Candidate::new(&root, Vec::new(), 0);
        let learn = |forecast: &mut Forecast, candidate: &mut Candidate, status| {
            candidate.status = status;
            forecast.learn(candidate);
        };
        let mut forecasts = [Forecast::new(), Forecast::new()];
        forecasts.iter_mut().for_each(|forecast| forecast.begin(LEAST_MOVES));
        let [mut one, mut other] = forecasts;
        learn(&mut one, &mut candidate, Status::Glanced(QUICK));
        one.correct(&candidate);
        learn(&mut other, &mut candidate, Status::Refuted(HARD));
        let close = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-6;
        assert!(one.all.iter().zip(&other.all).all(close), "{:?} {:?}", one.all, other.all);
    }
}

//! What one thread of a search does with one candidate.

use std::sync::{Mutex, PoisonError};

use super::alphabeta::Memory;
use super::candidate::{Candidate, Status};
use super::judge::{Care, Judge, SHORT, VERY_WIDE, WIDE, WIDEST};
use super::purse::Purse;
use crate::position::{Move, Position};
use crate::rules::{DrawRule, Outcome};
use crate::search::series_gen::{Effort, SeriesGenerator};
use crate::search::solver::{Verdict, wins_with};
use crate::search::{Control, eval, threads};

/// What a glance costs at most that is four times as wide as the one before.
const WIDER: f64 = 5.0;

/// The part of what is left that one proof of safety may take.
const PROVING: f64 = 0.7;

/// How widely to look at the opponent's replies.
#[derive(Copy, Clone)]
pub(super) struct Look {
    /// So many are kept, the best for him by evaluation.
    pub breadth: usize,
    /// They are generated with about so many nodes.
    pub nodes: u64,
    /// Nothing is begun after this share of all means.
    pub share: f64,
}

/// The tools of one thread; they remember from one search to the next.
pub(super) struct Worker {
    pub judge: Judge,
    pub generator: SeriesGenerator,
    /// Where turns stay short.
    pub memory: Memory,
}

impl Worker {
    pub(super) fn new(judge: Judge) -> Worker {
        Worker { judge, generator: SeriesGenerator::new(), memory: Memory::new() }
    }
}

/// What all threads of a search share.
pub(super) struct Case {
    pub root: Position,
    /// The turn starts that have occurred twice, where the third time is a draw.
    pub repeated: Vec<u64>,
    pub purse: Purse,
}

impl Case {
    /// How many moves the opponent's next series may have.
    pub(super) fn moves_of_opponent(&self) -> u8 {
        self.root.moves_of_next_turn()
    }

    /// Asks whether the opponent wins against a candidate.
    pub(super) fn test(
        &self,
        worker: &mut Worker,
        candidate: &mut Candidate,
        care: Care,
        control: &Control,
    ) {
        let position = candidate.position;
        if self.is_drawn(&position) {
            candidate.status = Status::Drawn;
            return;
        }
        let (verdict, cost) = worker.judge.wins(&position, care, control, &self.purse);
        candidate.status = match verdict {
            Verdict::Found(refutation) => {
                candidate.reply = refutation;
                Status::Refuted(cost)
            }
            Verdict::None if ten_quiet_turns(&position) => Status::Drawn,
            Verdict::None => Status::Safe,
            Verdict::Unknown => match care {
                Care::Glance(width) if !control.should_stop(cost) => Status::Glanced(width),
                _ => Status::Glanced(candidate.glanced().unwrap_or(0)),
            },
        };
    }

    /// Asks in earnest whether the opponent wins against an open candidate: glances as wide as the
    /// means allow, then a proof.
    pub(super) fn prove(&self, worker: &mut Worker, candidate: &mut Candidate) {
        let short = is_short(&candidate.position);
        let widths: &[usize] = if short { &[] } else { &[VERY_WIDE, WIDEST] };
        let (mut spent, mut cost) = (self.purse.spent(), 0.0);
        for &width in widths {
            let wider = candidate.glanced().is_some_and(|before| before < width);
            if wider && spent + WIDER * cost <= 1.0 {
                self.test(worker, candidate, Care::Glance(width), &self.purse.until(1.0));
                cost = self.purse.spent() - spent;
                spent += cost;
            }
        }
        if candidate.is_open() {
            let control = self.purse.until(spent + (1.0 - spent) * PROVING);
            self.test(worker, candidate, Care::Proof, &control);
        }
    }

    /// Finds the opponent's best reply that does not let us win at once; its value is the
    /// candidate's.
    pub(super) fn look(&self, worker: &mut Worker, candidate: &mut Candidate, look: Look) {
        let Look { breadth, nodes, share } = look;
        let position = candidate.position;
        let (hurry, stop) = (&self.purse.until(share), &self.purse.rest());
        // A quick glance leaves more doubt than looking is worth.
        if candidate.glanced().is_some_and(|width| width < WIDE) {
            self.test(worker, candidate, Care::Glance(WIDE), hurry);
            if !candidate.is_open() {
                return;
            }
        }
        let effort = Effort { nodes, ends: breadth, hurry, stop };
        let replies = worker.generator.generate(&position, &[], &effort);
        self.purse.spend(replies.nodes);
        if let Some(refutation) = replies.win {
            candidate.breadth = breadth;
            candidate.reply = refutation;
            candidate.status = Status::Refuted(replies.nodes);
            return;
        }
        for end in &replies.list {
            if self.purse.is_empty() || self.purse.spent() >= share {
                return;
            }
            let reply = Candidate::new(&position, replies.series(end), end.score);
            let drawn = self.is_drawn(&reply.position);
            if !drawn && self.wins(worker, &reply.position, share) {
                continue;
            }
            let value = if drawn { 0 } else { -end.score };
            candidate.escaped(value, reply.series, breadth);
            return;
        }
        if !replies.list.is_empty() {
            candidate.caught(replies.complete, breadth);
        }
    }

    /// Whether we are seen to win from here.
    fn wins(&self, worker: &mut Worker, position: &Position, share: f64) -> bool {
        let control = self.purse.until(share);
        let (verdict, _) = worker.judge.wins(position, Care::Careful, &control, &self.purse);
        matches!(verdict, Verdict::Found(_))
    }

    /// Whether the game is drawn where a series ends, whatever the opponent has in hand.
    fn is_drawn(&self, position: &Position) -> bool {
        self.is_adjudicated(position) || matches!(position.outcome(), Some(Outcome::Draw(_)))
    }

    /// The same if there is a legal move.
    pub(super) fn is_adjudicated(&self, position: &Position) -> bool {
        let drags_on = position.rules().draws == DrawRule::RepetitionOrFifty
            && (position.quiet_turns() >= position.rules().draws.quiet_limit()
                || self.repeated.contains(&position.key()));
        drags_on || position.is_dead()
    }

    /// A series that wins at once and begins with one of `first`, or with any move if that is
    /// empty, if the solver finds one.
    pub(super) fn win_now(
        &self,
        worker: &mut Worker,
        first: &[Move],
        control: &Control,
    ) -> Option<Vec<Move>> {
        let mut ask = |at: &Position, care| worker.judge.wins(at, care, control, &self.purse).0;
        let solve = |at: &Position| {
            let looks = [Care::Careful, Care::Glance(VERY_WIDE), Care::Proof];
            let mut verdicts = looks.into_iter().map(|care| ask(at, care));
            verdicts.find(|verdict| *verdict != Verdict::Unknown).unwrap_or(Verdict::Unknown)
        };
        match wins_with(&self.root, first, solve) {
            Verdict::Found(series) => Some(series),
            Verdict::None | Verdict::Unknown => None,
        }
    }

    /// A legal series, complete, at once: each move the best by evaluation, or any if there is no
    /// time. The first is one of `first`, if that is not empty.
    pub(super) fn quick_series(&self, first: &[Move]) -> Vec<Move> {
        let mut position = self.root;
        let mut series = Vec::with_capacity(usize::from(position.moves_left()));
        while series.is_empty() || !position.at_boundary() {
            let hurried = self.purse.is_empty();
            let mut best: Option<(i32, Move)> = None;
            let first = if series.is_empty() { first } else { &[] };
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
}

/// Does `work` on each of `jobs`, with all `workers` at once.
pub(super) fn each<T: Send>(
    workers: &mut [Worker],
    jobs: &mut [T],
    work: impl Fn(&mut Worker, &mut T) + Sync,
) {
    let queue = Mutex::new(jobs.iter_mut());
    threads::on_each(workers, |worker| {
        loop {
            let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(job) = next else { break };
            work(worker, job);
        }
    });
}

/// Whether a test of the opponent's series in `position` is a proof even if it is quick.
pub(super) fn is_short(position: &Position) -> bool {
    position.moves_left() <= SHORT
}

/// Whether so many quiet turns have passed that only a win in this turn avoids a draw.
fn ten_quiet_turns(position: &Position) -> bool {
    let draws = position.rules().draws;
    draws == DrawRule::TenQuietTurns && position.quiet_turns() >= draws.quiet_limit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;
    use crate::search::searcher::judge::QUICK;
    use crate::search::{Limits, TimePlan};

    /// A quick glance misses the mate behind this end of a turn; the replies are not looked at.
    #[test]
    fn what_a_quick_glance_lets_pass_is_glanced_at_widely_before_it_is_looked_at() {
        let pfen = "6nr/1k3ppp/3b4/2pp4/n7/5P2/P5PP/RN2KB1R w KQ c6 0 9";
        let root = Position::from_pfen(pfen, variants::default()).unwrap();
        let control = Control::unlimited();
        let purse = Purse::unlimited();
        let case = Case { root, repeated: Vec::new(), purse };
        let mut worker = Worker::new(Judge::new(16));
        let mut candidate = Candidate::new(&root, Vec::new(), 0);
        case.test(&mut worker, &mut candidate, Care::Glance(QUICK), &control);
        assert_eq!(candidate.status, Status::Glanced(QUICK));
        let look = Look { breadth: 64, nodes: 1000, share: 1.0 };
        case.look(&mut worker, &mut candidate, look);
        assert!(matches!(candidate.status, Status::Refuted(_)), "{:?}", candidate.status);
        assert!(!candidate.looked());
    }

    /// The mates behind the ends of turns that were chosen: a complete search finds them after
    /// 2,400,000 and 7,600,000 nodes.
    #[test]
    fn wider_glances_come_before_a_proof() {
        let first = "6nB/p2k1p1p/8/2p5/7P/Nb6/PPP2P2/R3K3 w Q c6 0 9";
        let second = "1k5r/3pn1p1/7p/1p2p3/3bP2P/8/1PP2PP1/2B1K1NR w K e6 0 9";
        for (pfen, missed_by, nodes) in [(first, WIDE, 500_000), (second, VERY_WIDE, 2_000_000)] {
            let root = Position::from_pfen(pfen, variants::default()).unwrap();
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let control = Control::unlimited();
            let purse = Purse::new(&limits, &TimePlan { soft: None, hard: None }, &control);
            let case = Case { root, repeated: Vec::new(), purse };
            let mut worker = Worker::new(Judge::new(16));
            let mut candidate = Candidate::new(&root, Vec::new(), 0);
            case.test(&mut worker, &mut candidate, Care::Glance(missed_by), &control);
            assert_eq!(candidate.status, Status::Glanced(missed_by));
            case.prove(&mut worker, &mut candidate);
            assert!(matches!(candidate.status, Status::Refuted(_)), "{:?}", candidate.status);
        }
    }
}

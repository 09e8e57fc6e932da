//! What one thread of a search does with one candidate.

use super::candidate::{Candidate, Status};
use super::judge::{Care, Judge, SHORT};
use super::purse::Purse;
use crate::position::{Move, Position};
use crate::rules::{DrawRule, Outcome};
use crate::search::Control;
use crate::search::eval;
use crate::search::series_gen::{Effort, SeriesGenerator};
use crate::search::solver::{Verdict, wins_with};

/// How many of the opponent's replies are kept for each candidate.
const MOST_REPLIES: usize = 64;

/// The tools of one thread; they remember from one search to the next.
pub(super) struct Worker {
    pub judge: Judge,
    pub generator: SeriesGenerator,
}

impl Worker {
    pub(super) fn new(judge: Judge) -> Worker {
        Worker { judge, generator: SeriesGenerator::new() }
    }
}

/// What all threads of a search share.
pub(super) struct Case {
    pub root: Position,
    /// The turn starts of the game so far, where repetition counts.
    pub earlier: Vec<u64>,
    pub purse: Purse,
}

impl Case {
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
            Verdict::Unknown if care == Care::Quick => Status::Glanced,
            Verdict::Unknown => Status::Unproved,
        };
    }

    /// Finds the opponent's best reply that does not let us win at once; its value is the
    /// candidate's. The replies are generated with `nodes` nodes; nothing is begun after `share` of
    /// all means.
    pub(super) fn look(
        &self,
        worker: &mut Worker,
        candidate: &mut Candidate,
        nodes: u64,
        share: f64,
    ) {
        let position = candidate.position;
        let (hurry, stop) = (&self.purse.until(share), &self.purse.rest());
        let effort = Effort { nodes, ends: MOST_REPLIES, hurry, stop };
        let replies = worker.generator.generate(&position, &[], &effort);
        self.purse.spend(replies.nodes);
        if let Some(refutation) = replies.win {
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
            if !drawn && self.wins(worker, &reply.position, &self.purse.until(share)) {
                continue;
            }
            candidate.value = if drawn { 0 } else { -end.score };
            candidate.reply = reply.series;
            candidate.looked = true;
            return;
        }
        if !replies.list.is_empty() {
            // After every reply that was looked at we win.
            candidate.looked = true;
            candidate.value = eval::MOST;
            candidate.catches_all = replies.complete;
        }
    }

    /// Whether we are seen to win from here.
    fn wins(&self, worker: &mut Worker, position: &Position, control: &Control) -> bool {
        let (verdict, _) = worker.judge.wins(position, Care::Quick, control, &self.purse);
        matches!(verdict, Verdict::Found(_))
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

    /// A series that wins at once and begins with one of `first`, or with any move if that is
    /// empty, if the solver finds one.
    pub(super) fn win_now(
        &self,
        worker: &mut Worker,
        first: &[Move],
        control: &Control,
    ) -> Option<Vec<Move>> {
        let solve = |at: &Position| worker.judge.wins(at, Care::Thorough, control, &self.purse).0;
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

/// Whether a test of the opponent's series in `position` is a proof even if it is quick.
pub(super) fn is_short(position: &Position) -> bool {
    position.moves_left() <= SHORT
}

/// Whether so many quiet turns have passed that only a win in this turn avoids a draw.
fn ten_quiet_turns(position: &Position) -> bool {
    let draws = position.rules().draws;
    draws == DrawRule::TenQuietTurns && position.quiet_turns() >= draws.quiet_limit()
}

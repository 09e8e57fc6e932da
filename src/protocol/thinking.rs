//! A search under way, as the client sees it: what it may answer, and when.

use std::time::{Duration, Instant};

use super::command::Go;
use crate::board::Color;
use crate::engine::playable;
use crate::position::{Move, Position};
use crate::search::{Choice, Limits, Report, Score, TimePlan, eval};

/// How long a search thinks that nobody has limited.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The limits of `go`, with a limit of time where nothing else would end the search.
pub fn limited(go: &Go, side: Color) -> Limits {
    let mut limits = go.limits.clone();
    if !limits.infinite && !go.is_limited(side) {
        limits.move_time = Some(DEFAULT_TIME);
    }
    limits
}

/// A search that has begun and is not answered.
pub struct Thinking {
    position: Position,
    limits: Limits,
    start: Instant,
    pondering: bool,
    /// Whether the answer has to wait for `stop` or `ponderhit`.
    pub held: bool,
    /// Whether the client takes one move at a time.
    single: bool,
    /// The best line told so far.
    best: Vec<Move>,
    finished: Option<Choice>,
}

/// What the client gets.
pub struct Answer {
    /// A last line of the search, if it has told none.
    pub report: Option<Report>,
    pub choice: Choice,
}

impl Thinking {
    /// A search of `position` that begins now. Without a legal move it has already ended.
    pub fn new(position: Position, limits: &Limits, pondering: bool, single: bool) -> Thinking {
        let over = !position.has_legal_move();
        Thinking {
            position,
            limits: limits.clone(),
            start: Instant::now(),
            pondering,
            held: limits.infinite || pondering,
            single,
            best: Vec::new(),
            finished: over.then(Choice::default),
        }
    }

    /// Whether the answer is known.
    pub fn is_finished(&self) -> bool {
        self.finished.is_some()
    }

    /// Remembers what the search has told.
    pub fn note(&mut self, report: &Report) {
        if report.multipv == 1 && !report.pv.is_empty() {
            self.best.clone_from(&report.pv);
        }
    }

    /// The search has ended with this choice, or failed and leaves its best line.
    pub fn finish(&mut self, choice: Option<Choice>) {
        let mut choice =
            choice.unwrap_or_else(|| Choice { series: self.best.clone(), ponder: Vec::new() });
        let allowed = &self.limits.search_moves;
        if !allowed.is_empty() && !choice.series.first().is_some_and(|mv| allowed.contains(mv)) {
            choice.series = allowed.iter().copied().take(1).collect();
        }
        self.finished = Some(playable(&self.position, &choice));
    }

    /// The position pondered on has come about. Returns until when to think from now on, where the
    /// clock decides.
    pub fn ponder_hit(&mut self, overhead: Duration) -> Option<Instant> {
        if !std::mem::take(&mut self.pondering) {
            return None;
        }
        self.held = self.limits.infinite;
        TimePlan::new(&self.limits, self.position.side(), Instant::now(), overhead).soft
    }

    /// The answer, if it is known and may be given.
    pub fn answer(&self) -> Option<Answer> {
        let whole = self.finished.as_ref().filter(|_| !self.held)?;
        let untold = self.best.is_empty() && !whole.series.is_empty();
        let report = untold.then(|| self.report(&whole.series));
        let mut choice = whole.clone();
        if self.single {
            choice.series.truncate(1);
            // One move of the opponent, or one more of our own, is no position to ponder on.
            choice.ponder.clear();
        }
        Some(Answer { report, choice })
    }

    /// A line for a series that no search has vouched for.
    fn report(&self, series: &[Move]) -> Report {
        let mut after = self.position;
        series.iter().for_each(|&mv| after.play_unchecked(mv));
        let wins = after.side() != self.position.side() && after.is_lost();
        let estimate = Score::Centipawns(eval::evaluate(&self.position));
        Report {
            depth: 1,
            seldepth: series.len() as u32,
            multipv: 1,
            score: if wins { Score::Mate(1) } else { estimate },
            nodes: series.len() as u64,
            hashfull: 0,
            elapsed: self.start.elapsed(),
            pv: series.to_vec(),
            safety: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    fn moves(text: &str) -> Vec<Move> {
        text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }

    fn thinking(infinite: bool, pondering: bool, single: bool) -> Thinking {
        let mut position = Position::start(variants::default());
        position.play("e2e4".parse().unwrap()).unwrap();
        let limits = Limits { infinite, ..Limits::default() };
        Thinking::new(position, &limits, pondering, single)
    }

    fn choice() -> Choice {
        Choice { series: moves("e7e5 g8f6"), ponder: moves("g1f3 f3e5 e5f7") }
    }

    #[test]
    fn a_held_answer_waits_for_its_word() {
        let mut open = thinking(true, false, false);
        open.finish(Some(choice()));
        assert!(open.answer().is_none());
        assert_eq!(open.ponder_hit(Duration::ZERO), None);
        assert!(open.answer().is_none(), "ponderhit means nothing to it");
        open.held = false;
        assert_eq!(open.answer().map(|answer| answer.choice), Some(choice()));

        let mut pondering = thinking(false, true, false);
        pondering.finish(Some(choice()));
        assert!(pondering.answer().is_none());
        pondering.ponder_hit(Duration::ZERO);
        assert!(pondering.answer().is_some());
    }

    #[test]
    fn a_line_precedes_the_answer_even_if_the_search_was_silent() {
        let mut silent = thinking(false, false, false);
        silent.finish(None);
        let answer = silent.answer().unwrap();
        assert_eq!(answer.choice.series.len(), 2);
        assert_eq!(answer.report.unwrap().pv, answer.choice.series);
    }

    #[test]
    fn a_failed_search_plays_its_best_line() {
        let mut failed = thinking(false, false, false);
        failed.note(&Report { pv: moves("d7d5 d5e4 g1f3"), ..failed.report(&[]) });
        failed.finish(None);
        let answer = failed.answer().unwrap();
        assert_eq!(answer.choice.series, moves("d7d5 d5e4"));
        assert!(answer.report.is_none());
    }

    #[test]
    fn the_first_move_is_one_of_those_allowed() {
        let mut narrow = thinking(false, false, false);
        narrow.limits.search_moves = moves("d7d5 c7c5");
        narrow.finish(Some(choice()));
        assert_eq!(narrow.answer().unwrap().choice.series[..1], moves("d7d5"));
        narrow.finish(Some(Choice { series: moves("c7c5 d7d5"), ponder: Vec::new() }));
        assert_eq!(narrow.answer().unwrap().choice.series, moves("c7c5 d7d5"));
    }

    #[test]
    fn one_move_at_a_time_is_the_first_of_the_series() {
        let mut single = thinking(false, false, true);
        single.finish(Some(choice()));
        let expected = Choice { series: moves("e7e5"), ponder: Vec::new() };
        assert_eq!(single.answer().map(|answer| answer.choice), Some(expected));
    }
}

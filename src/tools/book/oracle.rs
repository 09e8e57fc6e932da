//! What the engine thinks of a position when it has as much time as it likes.

use std::time::{Duration, Instant};

use crate::book::Pick;
use crate::position::{Game, Move, Position};
use crate::search::solver::{Solver, Verdict};
use crate::search::{Control, Limits, Report, Request, Score, Searcher, TimePlan};

/// The size of the tables of each search, and of those of the proofs, in MiB.
const HASH: usize = 64;
const PROOF_HASH: usize = 16;

/// How many series more than are wanted a search tells, for some may prove unsafe.
const SPARE: usize = 4;

/// Who answers what is best. The same question has the same answer whatever was asked before.
pub(super) struct Oracle {
    /// For proofs, which do not depend on what it remembers.
    solver: Solver,
}

/// What a position is worth, and what to play.
pub(super) struct Opinion {
    /// For the side to move: that of the best safe series, or what else there is.
    pub score: Score,
    /// Series behind which the game goes on and the opponent is proved not to win in his next turn,
    /// the best first.
    pub safe: Vec<Pick>,
}

impl Oracle {
    pub fn new() -> Oracle {
        Oracle { solver: Solver::new(PROOF_HASH) }
    }

    /// What a search of so many nodes comes to, with at most `wanted` safe series; `None` without a
    /// legal move.
    pub fn ask(&mut self, game: &Game, nodes: u64, wanted: usize) -> Option<Opinion> {
        let told = search(game, nodes, wanted + SPARE);
        let first = told.first()?.score;
        let safe = told.into_iter().filter(|pick| self.is_safe(game.position(), &pick.series));
        let safe: Vec<Pick> = safe.take(wanted).collect();
        Some(Opinion { score: safe.first().map_or(first, |pick| pick.score), safe })
    }

    /// Whether the game goes on behind a series and the opponent is proved not to win in his turn.
    fn is_safe(&mut self, position: &Position, series: &[Move]) -> bool {
        let mut after = *position;
        series.iter().for_each(|&mv| after.play_unchecked(mv));
        after.outcome().is_none()
            && self.solver.find(&after, &Control::unlimited()) == Verdict::None
    }
}

/// The best series, as many as given, with their scores, in the eyes of a search with fresh tables.
fn search(game: &Game, nodes: u64, lines: usize) -> Vec<Pick> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let plan = TimePlan::new(&limits, game.position().side(), Instant::now(), Duration::ZERO);
    let request = Request { limits, plan, multi_pv: lines as u32, threads: 1 };
    let control = Control::unlimited().within_nodes(nodes);
    let mut told: Vec<Pick> = Vec::new();
    let report = &mut |report: Report| {
        // The lines of a report come one by one, the best first, in place of those before.
        told.truncate((report.multipv as usize).saturating_sub(1));
        let series = own_part(game.position(), &report.pv);
        told.push(Pick { series, score: report.score });
    };
    Searcher::new(HASH).choose(game, &request, &control, report);
    told
}

/// The moves of a line that belong to the turn in which it begins.
fn own_part(position: &Position, line: &[Move]) -> Vec<Move> {
    let mut after = *position;
    let mut is_own = |&mv: &Move| {
        let own = after.side() == position.side();
        after.play_unchecked(mv);
        own
    };
    line.iter().copied().take_while(|mv| is_own(mv)).collect()
}

/// The same score in the eyes of the opponent, whose turn was the one before.
pub(super) fn turned(score: Score) -> Score {
    match score {
        Score::Centipawns(value) => Score::Centipawns(-value),
        Score::Mate(turns) if turns > 0 => Score::Mate(-turns),
        Score::Mate(turns) => Score::Mate(1 - turns),
    }
}

/// A number by which scores are put in order, the best highest.
pub(super) fn rank(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(turns) if turns > 0 => i32::MAX - turns,
        Score::Mate(turns) => i32::MIN - turns,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wins_in_his_next_turn_has_let_the_opponent_play_once_more() {
        // We are mated in the opponent's next turn: one turn before, he sees it as his second.
        assert_eq!(turned(Score::Mate(-1)), Score::Mate(2));
        assert_eq!(turned(Score::Mate(2)), Score::Mate(-2));
        assert_eq!(turned(Score::Centipawns(-5)), Score::Centipawns(5));
    }

    #[test]
    fn scores_have_an_order() {
        let falling = [
            Score::Mate(1),
            Score::Mate(2),
            Score::Centipawns(0),
            Score::Mate(-2),
            Score::Mate(-1),
        ];
        assert!(falling.is_sorted_by_key(|&score| std::cmp::Reverse(rank(score))));
    }
}

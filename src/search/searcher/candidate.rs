//! A way to end the turn, and what is known about it.

use super::alphabeta::MATE;
use super::judge::{WIDE, WIDEST};
use crate::position::{Move, Position};
use crate::search::{Safety, Score, eval};

/// What the search has found out about a candidate.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Status {
    /// Nothing yet.
    Untested,
    /// The opponent wins in his next turn: proved, with this many nodes of search.
    Refuted(u64),
    /// The opponent may win in his next turn: a glance of this width has found nothing.
    Glanced(usize),
    /// The opponent does not win in his next turn: proved.
    Safe,
    /// The game is drawn.
    Drawn,
}

/// A draw counts like this many centipawns: it is chosen only instead of something worse.
const DRAW: i32 = -400;

/// Taken off the value of a candidate whose safety is not proved, in centipawns: after a quick
/// glance, after a wide or very wide one, and after the widest, which overlooks one win in a hundred.
const RISK: i64 = 1500;
const SMALL_RISK: i64 = 800;
const LEAST_RISK: i64 = 100;

/// Taken off a static value where others have been looked at more deeply, in centipawns.
const UNLOOKED: i64 = 700;

/// So many turns behind the root the opponent has mated, if he can in his next one.
const MATE_NEXT: i32 = 2;

/// What is known of all ways to end the turn together.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Outlook {
    /// Some do not lose at once, or few have been tested.
    Open,
    /// All that were tested lose at once, and these were many.
    Bleak,
    /// All there are lose at once: proved.
    Lost,
}

/// One way to end the turn.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The rest of the series.
    pub series: Vec<Move>,
    /// Where it leads.
    pub position: Position,
    pub status: Status,
    /// For us, in centipawns; static until the opponent's replies have been looked at.
    pub value: i32,
    /// How many of the opponent's replies were looked for; 0 if none were.
    pub breadth: usize,
    /// Whether we were seen to win after every reply looked at.
    pub no_escape: bool,
    /// Whether these were all replies that do not win: proved.
    pub catches_all: bool,
    /// The opponent's expected reply: his refutation if he has one; empty if unknown.
    pub reply: Vec<Move>,
}

impl Candidate {
    /// The candidate that `series`, played from `root`, leads to.
    pub(super) fn new(root: &Position, series: Vec<Move>, value: i32) -> Candidate {
        let mut position = *root;
        series.iter().for_each(|&mv| position.play_unchecked(mv));
        let status = Status::Untested;
        Candidate {
            series,
            position,
            status,
            value,
            breadth: 0,
            no_escape: false,
            catches_all: false,
            reply: Vec::new(),
        }
    }

    /// Whether it may still be chosen without regret.
    pub(super) fn survives(&self) -> bool {
        !matches!(self.status, Status::Untested | Status::Refuted(_))
    }

    /// Whether it is neither decided nor untested.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.status, Status::Safe | Status::Glanced(_))
    }

    /// How widely a win of the opponent was looked for, if that is all that is known.
    pub(super) fn glanced(&self) -> Option<usize> {
        match self.status {
            Status::Glanced(width) => Some(width),
            _ => None,
        }
    }

    /// Whether the opponent's replies have been looked at.
    pub(super) fn looked(&self) -> bool {
        self.breadth > 0
    }

    /// Notes the best reply that escapes, and its value for us.
    pub(super) fn escaped(&mut self, value: i32, reply: Vec<Move>, breadth: usize) {
        self.value = value;
        self.reply = reply;
        self.breadth = breadth;
        self.no_escape = false;
    }

    /// Notes that none of the replies looked at escapes; `all` if there are no others.
    pub(super) fn caught(&mut self, all: bool, breadth: usize) {
        self.value = if all { eval::MOST } else { eval::SEEMS_WON };
        self.breadth = breadth;
        self.no_escape = true;
        self.catches_all = all;
    }

    /// Whether we were seen to win after every reply looked at, and there may be others.
    pub(super) fn seems_won(&self) -> bool {
        self.no_escape && !self.catches_all
    }

    /// Whether it wins in our next turn, whatever the opponent does: proved.
    pub(super) fn wins_next(&self) -> bool {
        self.status == Status::Safe && self.catches_all
    }

    /// Its value; of those that seem won, the one whose replies were looked at most widely is worth
    /// most.
    pub(super) fn worth(&self) -> i64 {
        let confirmed = if self.seems_won() { self.breadth as i64 / 64 } else { 0 };
        i64::from(self.value) + confirmed
    }

    /// Notes the value that [`AlphaBeta`](super::alphabeta::AlphaBeta) has found after all replies,
    /// with so many nodes.
    pub(super) fn assess(&mut self, value: i32, nodes: u64) {
        self.value = value;
        // As many as there are: none is left to look for.
        self.breadth = 1;
        let loses_next = value <= MATE_NEXT - MATE;
        self.status = if loses_next { Status::Refuted(nodes) } else { Status::Safe };
    }

    /// The order of choice, the best highest; `looked` tells whether the replies to any candidate
    /// have been looked at.
    pub(super) fn rank(&self, looked: bool) -> i64 {
        let doubt = if looked && !self.looked() { UNLOOKED } else { 0 };
        let lost = -100 * i64::from(eval::MOST);
        let value = self.worth() - doubt;
        match self.status {
            Status::Safe if self.catches_all => i64::from(2 * eval::MOST),
            Status::Safe => value,
            Status::Drawn => i64::from(DRAW),
            Status::Glanced(..WIDE) => value - RISK,
            Status::Glanced(..WIDEST) => value - SMALL_RISK,
            Status::Glanced(_) => value - LEAST_RISK,
            Status::Untested => i64::from(self.value - 3 * eval::MOST),
            // All lose: the one that is hardest to refute.
            Status::Refuted(effort) => lost + effort.min(-lost as u64 / 2) as i64,
        }
    }

    /// What is known about the opponent's next turn.
    pub(super) fn safety(&self) -> Option<Safety> {
        match self.status {
            Status::Drawn => None,
            Status::Safe => Some(Safety::Proved),
            Status::Refuted(_) => Some(Safety::Lost),
            Status::Untested | Status::Glanced(_) => Some(Safety::Unproved),
        }
    }

    /// The score to report: `complete` if every way to end the turn is a candidate. What loses at
    /// once, or what is likely to where all else does, is told to be as good as lost.
    pub(super) fn score(&self, complete: bool, outlook: Outlook) -> Score {
        match self.status {
            _ if self.wins_next() => Score::Mate(2),
            _ if self.value > eval::MOST => Score::Mate((MATE - self.value + 1) / 2),
            _ if self.value < -eval::MOST && complete => Score::Mate(-(MATE + self.value) / 2),
            Status::Drawn => Score::Centipawns(0),
            Status::Refuted(_) if outlook == Outlook::Lost => Score::Mate(-1),
            Status::Refuted(_) => Score::Centipawns(-2 * eval::MOST),
            Status::Untested if outlook == Outlook::Bleak => Score::Centipawns(-2 * eval::MOST),
            _ => Score::Centipawns(self.value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;
    use crate::search::searcher::judge::{QUICK, VERY_WIDE};

    fn candidate(value: i32) -> Candidate {
        let root = Position::start(variants::default());
        let mut candidate = Candidate::new(&root, Vec::new(), 0);
        candidate.assess(value, 1);
        candidate
    }

    #[test]
    fn mates_are_told_in_own_turns() {
        let told = |value| candidate(value).score(true, Outlook::Open);
        assert_eq!(told(MATE - 3), Score::Mate(2));
        assert_eq!(told(MATE - 5), Score::Mate(3));
        assert_eq!(told(2 - MATE), Score::Mate(-1));
        assert_eq!(told(4 - MATE), Score::Mate(-2));
        assert_eq!(told(eval::MOST), Score::Centipawns(eval::MOST));
    }

    /// There may be a series that nobody has looked at, and that does not lose.
    #[test]
    fn a_loss_is_proved_only_if_every_series_is_known() {
        for value in [2 - MATE, 4 - MATE] {
            let score = candidate(value).score(false, Outlook::Open);
            assert!(matches!(score, Score::Centipawns(_)));
        }
    }

    /// The next of many that all lose is not told to be worth what it looks like.
    #[test]
    fn what_is_untested_is_worth_what_the_tested_are() {
        let root = Position::start(variants::default());
        let untested = Candidate::new(&root, Vec::new(), 500);
        let told = |outlook| untested.score(false, outlook);
        assert_eq!(told(Outlook::Open), Score::Centipawns(500));
        assert_eq!(told(Outlook::Bleak), Score::Centipawns(-2 * eval::MOST));
    }

    #[test]
    fn of_what_seems_won_the_most_looked_at_is_best() {
        let ranks = [64, 512, 4096].map(|breadth| {
            let mut looked_at = candidate(0);
            looked_at.caught(false, breadth);
            looked_at.rank(true)
        });
        assert!(ranks.is_sorted_by(|less, more| less < more), "{ranks:?}");
        assert!(ranks[2] < candidate(MATE - 3).rank(true));
    }

    /// What only seems won and may well lose at once is worth less than what is safe; what the
    /// widest glance has let pass hardly ever loses.
    #[test]
    fn what_is_safe_goes_before_what_seems_won() {
        let mut seems_won = candidate(0);
        seems_won.caught(false, 4096);
        for doubtful in [0, QUICK, WIDE, VERY_WIDE].map(Status::Glanced) {
            seems_won.status = doubtful;
            assert!(seems_won.rank(true) < candidate(0).rank(true), "{doubtful:?}");
        }
        for sure in [Status::Glanced(WIDEST), Status::Safe] {
            seems_won.status = sure;
            assert!(seems_won.rank(true) > candidate(0).rank(true), "{sure:?}");
        }
        assert!(seems_won.rank(true) > candidate(eval::SEEMS_WON).rank(true));
    }
}

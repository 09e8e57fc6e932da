//! Whether the side to move wins in its turn: winning series of similar positions are tried first,
//! then the solver is asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::purse::Purse;
use crate::board::Color;
use crate::position::{Move, Position};
use crate::search::Control;
use crate::search::solver::{Solver, Verdict};

/// How many winning series are remembered, for each side.
const MOST_KILLERS: usize = 256;

/// How many remembered series are adapted to one position.
const MOST_ADAPTED: usize = 32;

/// How many moves of remembered series are tried on one position.
const MOST_REPLAYED: u64 = 4_000;

/// Series of at most so many moves are searched to the end at once: that costs no more than a
/// glance.
pub(super) const SHORT: u8 = 5;

/// How many positions after each move a glance goes through.
pub(super) const QUICK: usize = 150;
pub(super) const WIDE: usize = 1000;
pub(super) const VERY_WIDE: usize = 4000;
pub(super) const WIDEST: usize = 16_000;

/// How thoroughly to look for a win.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Care {
    /// A glance so wide: a win found is a win, nothing is proved. Short series are searched to the
    /// end.
    Glance(usize),
    /// The same with a wide glance where a quick one sees nothing.
    Careful,
    /// To the end, if the control allows.
    Proof,
}

/// Winning series that one thread tells the others.
type News = Arc<Mutex<Vec<(Color, Vec<Move>)>>>;

/// The solver of one thread, and the series that won in positions like the one at hand.
pub(super) struct Judge {
    solver: Solver,
    /// By side to move, the latest success first.
    killers: [VecDeque<Vec<Move>>; 2],
    news: News,
    /// How many of the news are known here.
    read: usize,
}

impl Judge {
    pub(super) fn new(megabytes: usize) -> Judge {
        Judge {
            solver: Solver::new(megabytes),
            killers: Default::default(),
            news: News::default(),
            read: 0,
        }
    }

    /// One more judge who shares the news, for another thread.
    pub(super) fn colleague(&self, megabytes: usize) -> Judge {
        let news = Arc::clone(&self.news);
        Judge { news, killers: self.killers.clone(), read: self.read, ..Judge::new(megabytes) }
    }

    /// From now on proofs use so many threads.
    pub(super) fn set_threads(&mut self, threads: usize) {
        self.solver.set_threads(threads);
    }

    /// A new search begins; no thread is at work. All news are heard then, and need not be kept.
    pub(super) fn begin(&mut self) {
        self.hear_news();
        self.read = 0;
    }

    /// Throws the news away when all have heard them.
    pub(super) fn forget_news(&self) {
        self.news.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// How full the solver's table is, in thousandths.
    pub(super) fn hashfull(&self) -> u32 {
        self.solver.hashfull()
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.solver.clear();
        self.killers.iter_mut().for_each(VecDeque::clear);
        self.news.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.read = 0;
    }

    /// Whether the side to move wins with the rest of this series; and what the answer cost.
    pub(super) fn wins(
        &mut self,
        position: &Position,
        care: Care,
        control: &Control,
        purse: &Purse,
    ) -> (Verdict, u64) {
        self.hear_news();
        if let Some(series) = self.replay(position, purse) {
            return (Verdict::Found(series), 0);
        }
        let (verdict, cost) = self.solve(position, care, control);
        purse.spend(cost);
        if let Verdict::Found(series) = &verdict {
            self.tell_news(position.side(), series);
        }
        (verdict, cost)
    }

    fn solve(&mut self, position: &Position, care: Care, control: &Control) -> (Verdict, u64) {
        if position.moves_left() <= SHORT {
            let verdict = self.solver.find(position, control);
            return (verdict, self.solver.nodes());
        }
        let winners = self.killers[position.side() as usize].iter().take(MOST_ADAPTED);
        let mut series = self.solver.adapt(position, winners.map(Vec::as_slice), control);
        let mut cost = self.solver.nodes();
        let widths: &[usize] = match care {
            Care::Glance(width) => &[width],
            Care::Careful => &[QUICK, WIDE],
            Care::Proof => &[],
        };
        for &width in widths {
            if series.is_some() {
                break;
            }
            series = self.solver.glance(position, width, &control.after_nodes(cost));
            cost += self.solver.nodes();
        }
        match series {
            Some(series) => (Verdict::Found(series), cost),
            None if care == Care::Proof => {
                let verdict = self.solver.find(position, &control.after_nodes(cost));
                (verdict, cost + self.solver.nodes())
            }
            None => (Verdict::Unknown, cost),
        }
    }

    /// Learns what other threads have found.
    fn hear_news(&mut self) {
        let news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        for (side, series) in &news[self.read..] {
            let killers = &mut self.killers[*side as usize];
            killers.truncate(MOST_KILLERS - 1);
            killers.push_front(series.clone());
        }
        self.read = news.len();
    }

    fn tell_news(&mut self, side: Color, series: &[Move]) {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        news.push((side, series.to_vec()));
    }

    /// A remembered series that wins here, too.
    fn replay(&mut self, position: &Position, purse: &Purse) -> Option<Vec<Move>> {
        let killers = &mut self.killers[position.side() as usize];
        let mut nodes = 0;
        let mut winner = None;
        for (index, killer) in killers.iter().enumerate() {
            winner = won_after(position, killer, &mut nodes).map(|length| (index, length));
            if winner.is_some() || nodes >= MOST_REPLAYED {
                break;
            }
        }
        purse.spend(nodes);
        let (index, length) = winner?;
        let killer = killers.remove(index)?;
        let series = killer[..length].to_vec();
        killers.push_front(killer);
        Some(series)
    }
}

/// After how many moves of `series`, played from `position`, the side to move has won.
fn won_after(position: &Position, series: &[Move], nodes: &mut u64) -> Option<usize> {
    let mut at = *position;
    for (index, &mv) in series.iter().enumerate() {
        if !play_if_legal(&mut at, mv) {
            return None;
        }
        *nodes += 1;
        if at.at_boundary() {
            return at.is_lost().then_some(index + 1);
        }
    }
    None
}

/// Makes `mv` if it is legal, and tells whether it was.
fn play_if_legal(position: &mut Position, mv: Move) -> bool {
    let found = position.find_legal(mv);
    if let Some(batch) = &found {
        position.play_batch(batch, mv.to);
    }
    found.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;

    /// What one thread has found costs the others no search.
    #[test]
    fn winning_series_are_told_to_colleagues() {
        let mate_in_one = "rnbqkbnr/pppp1ppp/8/4p3/5PP1/8/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        let position = Position::from_pfen(mate_in_one, variants::default()).unwrap();
        let control = Control::unlimited();
        let purse = Purse::unlimited();
        let mut first = Judge::new(1);
        let mut second = first.colleague(1);
        let ask = |judge: &mut Judge| judge.wins(&position, Care::Proof, &control, &purse);
        let (found, cost) = ask(&mut first);
        assert!(matches!(found, Verdict::Found(_)) && cost > 0);
        assert_eq!(ask(&mut second), (found, 0));
        second.clear();
        assert!(ask(&mut second).1 > 0, "what was cleared is not known");
    }

    /// The mate behind the end of a turn, which neither a quick glance nor a wide one sees.
    #[test]
    fn series_that_won_elsewhere_are_adapted() {
        let pfen = "6nB/p2k1p1p/8/2p5/7P/Nb6/PPP2P2/R3K3 w Q c6 0 9";
        let position = Position::from_pfen(pfen, variants::default()).unwrap();
        let control = Control::unlimited();
        let purse = Purse::unlimited();
        let ask = |judge: &mut Judge, care| judge.wins(&position, care, &control, &purse).0;
        let mut judge = Judge::new(16);
        assert_eq!(ask(&mut judge, Care::Careful), Verdict::Unknown);
        let Verdict::Found(series) = ask(&mut judge, Care::Glance(VERY_WIDE)) else {
            panic!("a very wide glance sees it");
        };
        let begun = &series[..series.len() - 3];
        let mut other = Judge::new(16);
        other.tell_news(position.side(), &[begun, &[begun[0]; 3]].concat());
        let Verdict::Found(adapted) = ask(&mut other, Care::Glance(QUICK)) else {
            panic!("it is not adapted");
        };
        assert_eq!(&adapted[..begun.len()], begun);
    }
}

//! Alpha-beta over single moves, for variants whose series do not grow: where every turn has two
//! moves, several turns can be seen through.
//!
//! Nothing is left out before the last turn, so that a mate that comes back is proved. Behind it,
//! only captures are followed. What the value of a position depends on besides its moves (positions
//! that have occurred twice, quiet turns near the limit) is part of its key, so that what is
//! remembered from an earlier search holds in this one.

use std::cmp::Reverse;

use super::worker::Case;
use crate::board::{Bitboard, Role, Square, mix};
use crate::position::{Batch, Move, Position};
use crate::search::solver::rules_salt;
use crate::search::{Control, eval};

/// The value of being mated now; every turn before it adds one.
pub(super) const MATE: i32 = 2 * eval::MOST;

/// Larger than every value.
const INFINITE: i32 = MATE + 1;

/// How many captures in a row are followed behind the last turn.
const CAPTURES: u32 = 6;

/// Entries of the table: 8 MiB.
const ENTRIES: usize = 1 << 19;

/// What a value in the table says about the true one.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
enum Bound {
    #[default]
    Nothing,
    AtLeast,
    AtMost,
    Exact,
}

/// What is remembered of a position.
#[derive(Copy, Clone, Default)]
struct Entry {
    key: u64,
    best: Option<Move>,
    value: i16,
    turns: u8,
    bound: Bound,
}

/// The table and the successes of moves; kept from search to search.
pub(super) struct Memory {
    entries: Vec<Entry>,
    /// By side, from and to: how often and how early a move was good enough.
    successes: Vec<[[u32; 64]; 64]>,
}

impl Memory {
    /// Takes no room before it is used.
    pub(super) fn new() -> Memory {
        Memory { entries: Vec::new(), successes: Vec::new() }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.successes.clear();
    }

    /// A new search begins.
    pub(super) fn begin(&mut self) {
        self.entries.resize(ENTRIES, Entry::default());
        self.successes.clear();
        self.successes.resize(2, [[0; 64]; 64]);
    }
}

/// A search for the value of positions, from the view of the side to move.
pub(super) struct AlphaBeta<'s> {
    memory: &'s mut Memory,
    case: &'s Case,
    control: &'s Control,
    /// Part of all keys: the rules, and the positions that would be a draw.
    salt: u64,
    /// Moves made.
    pub nodes: u64,
    /// Whether the control ended it; values mean nothing then.
    pub stopped: bool,
}

/// A move to try, and what speaks for trying it early.
struct Trial {
    order: u64,
    batch: Batch,
    to: Square,
}

impl<'s> AlphaBeta<'s> {
    /// `memory` has been made ready with [`Memory::begin`].
    pub(super) fn new(memory: &'s mut Memory, case: &'s Case, control: &'s Control) -> Self {
        let salt =
            case.repeated.iter().fold(rules_salt(case.root.rules()), |salt, &key| salt ^ mix(key));
        AlphaBeta { memory, case, control, salt, nodes: 0, stopped: false }
    }

    /// The value of `position` when the turn under way and `turns` more are seen through, if it is
    /// above `alpha` and below `beta`; else a bound on it.
    pub(super) fn value(&mut self, position: &Position, turns: u32, alpha: i32, beta: i32) -> i32 {
        if position.at_boundary() && self.case.is_adjudicated(position) {
            return 0;
        }
        let key = self.key(position);
        let entry = self.recall(key);
        if let Some(value) = entry.and_then(|entry| self.told(position, &entry, turns, alpha, beta))
        {
            return value;
        }
        let trials = self.trials(position, entry.and_then(|entry| entry.best), Bitboard::FULL);
        if trials.is_empty() {
            let lost = position.at_boundary() && position.is_lost();
            return if lost { self.age(position) - MATE } else { 0 };
        }
        let (mut least, mut best, mut best_move) = (alpha, -INFINITE, None);
        for (index, Trial { batch, to, .. }) in trials.into_iter().enumerate() {
            let mut child = *position;
            child.play_batch(&batch, to);
            let value = self.child_value(&child, turns, least, beta, index == 0);
            if self.stopped {
                return 0;
            }
            if value > best {
                (best, best_move) = (value, Some(batch.move_to(to)));
                if best >= beta {
                    self.praise(position, &batch, to, turns);
                    break;
                }
                least = least.max(best);
            }
        }
        let bound = match best {
            _ if best >= beta => Bound::AtLeast,
            _ if best > alpha => Bound::Exact,
            _ => Bound::AtMost,
        };
        let value = later(best, self.age(position)) as i16;
        self.remember(Entry { key, best: best_move, value, turns: turns as u8, bound });
        best
    }

    /// The value of a position one move on, for the side that made the move. All but the first are
    /// asked only whether they are better, at first.
    fn child_value(
        &mut self,
        child: &Position,
        turns: u32,
        alpha: i32,
        beta: i32,
        first: bool,
    ) -> i32 {
        self.nodes += 1;
        if self.nodes.is_multiple_of(1024) && self.control.should_stop(self.nodes) {
            self.stopped = true;
        }
        if self.stopped {
            return 0;
        }
        let mut ask = |alpha: i32, beta: i32| match (child.at_boundary(), turns) {
            (false, _) => self.value(child, turns, alpha, beta),
            (true, 0) => -self.settled(child, CAPTURES, -beta, -alpha),
            (true, _) => -self.value(child, turns - 1, -beta, -alpha),
        };
        if first {
            return ask(alpha, beta);
        }
        match ask(alpha, alpha + 1) {
            value if value > alpha && value < beta => ask(alpha, beta),
            value => value,
        }
    }

    /// The value of `position` if nothing but captures follows, at most so many.
    fn settled(&mut self, position: &Position, captures: u32, mut alpha: i32, beta: i32) -> i32 {
        let boundary = position.at_boundary();
        if boundary && position.in_check() && position.is_lost() {
            return self.age(position) - MATE;
        }
        let mut best = if boundary { eval::evaluate(position) } else { eval::if_ended(position) };
        if best >= beta || captures == 0 {
            return best;
        }
        alpha = alpha.max(best);
        let enemy = position.board().color(!position.side());
        for Trial { batch, to, .. } in self.trials(position, None, enemy) {
            let mut child = *position;
            child.play_batch(&batch, to);
            self.nodes += 1;
            let value = match child.at_boundary() {
                true => -self.settled(&child, captures - 1, -beta, -alpha),
                false => self.settled(&child, captures - 1, alpha, beta),
            };
            best = best.max(value);
            alpha = alpha.max(value);
            if value >= beta {
                break;
            }
        }
        best
    }

    /// The moves to `goals`, in the order in which to try them.
    fn trials(&self, position: &Position, best: Option<Move>, goals: Bitboard) -> Vec<Trial> {
        let successes = &self.memory.successes[position.side() as usize];
        let worth = |role: Role| [1, 3, 3, 5, 9, 10][role as usize];
        let mut trials = Vec::with_capacity(64);
        position.for_each_batch(|batch| {
            for to in batch.to & goals {
                let order = if best == Some(batch.move_to(to)) {
                    u64::MAX
                } else if let Some(victim) = position.board().role_at(to) {
                    (1 << 40) + 16 * worth(victim) - worth(batch.role)
                } else if batch.promotion == Some(Role::Queen) {
                    1 << 39
                } else {
                    let check = u64::from(batch.checks.has(to)) << 10;
                    check + u64::from(successes[batch.from.index()][to.index()])
                };
                trials.push(Trial { order, batch, to });
            }
        });
        trials.sort_unstable_by_key(|trial| (Reverse(trial.order), trial.batch.move_to(trial.to)));
        trials
    }

    /// Remembers that a move was good enough.
    fn praise(&mut self, position: &Position, batch: &Batch, to: Square, turns: u32) {
        let successes = &mut self.memory.successes[position.side() as usize];
        let success = &mut successes[batch.from.index()][to.index()];
        *success = success.saturating_add(1 << turns.min(16));
    }

    /// The series that is expected from `position` on, as far as it is remembered.
    pub(super) fn expected_series(&self, position: &Position) -> Vec<Move> {
        let (mut at, mut series) = (*position, Vec::new());
        while let Some(best) = self.recall(self.key(&at)).and_then(|entry| entry.best) {
            if !at.is_legal(best) {
                break;
            }
            at.play_unchecked(best);
            series.push(best);
            if at.at_boundary() {
                break;
            }
        }
        series
    }

    /// How many turns `position` lies behind the root.
    fn age(&self, position: &Position) -> i32 {
        i32::from(position.turn()) - i32::from(self.case.root.turn())
    }

    fn key(&self, position: &Position) -> u64 {
        let limit = position.rules().draws.quiet_limit();
        let quiet = position.quiet_turns();
        let near_draw = if quiet > limit / 2 { quiet } else { 0 };
        let inside = u64::from(position.moves_left()) | u64::from(near_draw) << 8;
        self.salt ^ position.key() ^ mix(inside)
    }

    fn recall(&self, key: u64) -> Option<Entry> {
        self.memory.entries.get(key as usize % ENTRIES).filter(|entry| entry.key == key).copied()
    }

    fn remember(&mut self, entry: Entry) {
        if let Some(slot) = self.memory.entries.get_mut(entry.key as usize % ENTRIES) {
            *slot = entry;
        }
    }

    /// What an entry says of the value of `position`, if that is enough.
    fn told(
        &self,
        position: &Position,
        entry: &Entry,
        turns: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let value = later(entry.value.into(), -self.age(position));
        let enough = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= beta,
            Bound::AtMost => value <= alpha,
            Bound::Nothing => false,
        };
        (enough && u32::from(entry.turns) >= turns).then_some(value)
    }
}

/// A value that counts mates from the root, as it counts from a position so many turns later; the
/// other way round with the opposite number.
fn later(value: i32, turns: i32) -> i32 {
    match value {
        _ if value > eval::MOST => value + turns,
        _ if value < -eval::MOST => value - turns,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variants;
    use crate::search::searcher::purse::Purse;

    /// The value without windows, order and memory.
    fn plain(search: &mut AlphaBeta, position: &Position, turns: u32) -> i32 {
        if position.at_boundary() && search.case.is_adjudicated(position) {
            return 0;
        }
        let mut values = Vec::new();
        for mv in position.legal_moves() {
            let mut child = *position;
            child.play_unchecked(mv);
            values.push(match (child.at_boundary(), turns) {
                (false, _) => plain(search, &child, turns),
                (true, 0) => -search.settled(&child, CAPTURES, -INFINITE, INFINITE),
                (true, _) => -plain(search, &child, turns - 1),
            });
        }
        let lost = position.at_boundary() && position.is_lost();
        let stuck = if lost { search.age(position) - MATE } else { 0 };
        values.into_iter().max().unwrap_or(stuck)
    }

    #[test]
    fn finds_what_a_search_of_everything_finds() {
        let rules = variants::ALL.iter().find(|rules| !rules.allowance.grows()).unwrap();
        for (text, turns) in [
            ("7k/8/5K2/8/8/8/8/R7 w - - 0 5", 1),
            ("3qk3/8/8/8/8/8/3P4/3K4 b - - 0 6", 1),
            ("4k2r/6pp/8/8/8/5n2/PP6/R3K3 w Qk - 0 7", 0),
            ("rn2k3/1P6/8/8/8/8/6p1/4K2N b q - 0 8", 0),
        ] {
            let root = Position::from_pfen(text, rules).unwrap();
            let control = Control::unlimited();
            let purse = Purse::unlimited();
            let case = Case { root, repeated: Vec::new(), purse };
            let mut memory = Memory::new();
            memory.begin();
            let mut search = AlphaBeta::new(&mut memory, &case, &control);
            let expected = plain(&mut search, &root, turns);
            for turns in 0..=turns {
                search.value(&root, turns, -MATE, MATE);
            }
            let found = search.value(&root, turns, -MATE, MATE);
            assert_eq!(found, expected, "{text}");
            // A bound is enough where no more is asked.
            let fresh = &mut Memory::new();
            fresh.begin();
            let mut search = AlphaBeta::new(fresh, &case, &control);
            assert!(search.value(&root, turns, expected, expected + 1) <= expected, "{text}");
            assert!(search.value(&root, turns, expected - 1, expected) >= expected, "{text}");
        }
    }

    /// What was remembered before a position had occurred twice does not hold after it has.
    #[test]
    fn repetition_is_no_matter_of_memory() {
        let rules = variants::ALL.iter().find(|rules| !rules.allowance.grows()).unwrap();
        let root = Position::from_pfen("3qk3/8/8/8/8/8/3P4/3K4 b - - 0 6", rules).unwrap();
        let mut memory = Memory::new();
        memory.begin();
        let mut ends = Vec::new();
        for first in root.legal_moves() {
            let mut half = root;
            half.play_unchecked(first);
            if half.at_boundary() {
                ends.push(half.key());
                continue;
            }
            for second in half.legal_moves() {
                let mut end = half;
                end.play_unchecked(second);
                ends.push(end.key());
            }
        }
        let values = [Vec::new(), ends].map(|repeated| {
            let control = Control::unlimited();
            let purse = Purse::unlimited();
            let case = Case { root, repeated, purse };
            AlphaBeta::new(&mut memory, &case, &control).value(&root, 1, -MATE, MATE)
        });
        assert!(values[0] > 0, "the queen is ahead");
        assert_eq!(values[1], 0, "every end is a third repetition");
    }
}

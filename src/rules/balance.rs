//! Which units may move again before the others have moved (English progressive chess).

use crate::board::{Bitboard, Square};

/// How the moves of a series are shared out among the units.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Balance {
    /// Any unit moves as often as it likes.
    Free,
    /// Only units that have made the fewest moves of this series, among those that can move, may
    /// move: who lags behind must catch up.
    CatchUp,
    /// A series runs in rounds. In each a unit moves at most once, and every unit that can move
    /// comes before the next round starts with a clean slate.
    Rounds,
}

/// How many moves each unit has made in this series, as the bits of a binary counter for all
/// squares at once: plane i holds bit i. [`Balance::Rounds`] counts the moves of the current round
/// and so uses one plane.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCounts {
    planes: [Bitboard; 8],
}

impl MoveCounts {
    /// Forgets all moves: a new turn begins.
    #[inline]
    pub fn clear(&mut self) {
        *self = MoveCounts::default();
    }

    /// The units of `movable` that may move under `balance`.
    pub fn eligible(&self, balance: Balance, movable: Bitboard) -> Bitboard {
        match balance {
            Balance::Free => movable,
            // The lowest count, found bit by bit from the highest.
            Balance::CatchUp => self.planes.iter().rev().fold(movable, |lowest, &plane| {
                let without = lowest - plane;
                if without.any() { without } else { lowest }
            }),
            Balance::Rounds => {
                let unserved = movable - self.planes[0];
                if unserved.any() { unserved } else { movable }
            }
        }
    }

    /// Records a move of the units that went from `steps[i].0` to `steps[i].1`; castling moves two.
    /// `mover` is the square the moving unit left, the king's when castling.
    pub fn record(&mut self, balance: Balance, mover: Square, steps: &[(Square, Square)]) {
        match balance {
            Balance::Free => {}
            Balance::CatchUp => steps.iter().for_each(|&(from, to)| self.advance(from, to)),
            Balance::Rounds => {
                // A unit that moves a second time proves that all others have been served.
                if self.planes[0].has(mover) {
                    self.clear();
                }
                for &(from, to) in steps {
                    self.planes[0] -= from.bitboard();
                    self.planes[0] |= to.bitboard();
                }
            }
        }
    }

    /// Carries the count at `from` over to `to`, one higher.
    fn advance(&mut self, from: Square, to: Square) {
        let mut carry = true;
        for plane in &mut self.planes {
            let bit = plane.has(from);
            *plane -= from.bitboard() | to.bitboard();
            if bit != carry {
                *plane |= to.bitboard();
            }
            carry &= bit;
        }
    }

    /// A hash of the counts; zero when nobody has moved.
    pub fn key(&self) -> u64 {
        self.planes.iter().zip(1u64..).fold(0, |key, (plane, i)| {
            if plane.is_empty() {
                key
            } else {
                key ^ crate::board::mix(plane.0.rotate_left(8 * i as u32) ^ i)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sq(text: &str) -> Square {
        text.parse().unwrap()
    }

    fn set(text: &str) -> Bitboard {
        text.split_whitespace().map(sq).collect()
    }

    #[test]
    fn catching_up_takes_as_long_as_the_lead() {
        let mut counts = MoveCounts::default();
        let movable = set("a2 h5");
        for (from, to) in [("h2", "h3"), ("h3", "h4"), ("h4", "h5")] {
            counts.record(Balance::CatchUp, sq(from), &[(sq(from), sq(to))]);
        }
        assert_eq!(counts.eligible(Balance::CatchUp, movable), set("a2"));
        for (from, to) in [("a2", "a3"), ("a3", "a4")] {
            counts.record(Balance::CatchUp, sq(from), &[(sq(from), sq(to))]);
            assert_eq!(counts.eligible(Balance::CatchUp, set(&format!("h5 {to}"))), set(to));
        }
        counts.record(Balance::CatchUp, sq("a4"), &[(sq("a4"), sq("a5"))]);
        assert_eq!(counts.eligible(Balance::CatchUp, set("h5 a5")), set("h5 a5"));
    }

    #[test]
    fn counts_reach_the_longest_series() {
        let mut counts = MoveCounts::default();
        for i in 0..254 {
            let (from, to) = if i % 2 == 0 { ("a1", "a2") } else { ("a2", "a1") };
            counts.record(Balance::CatchUp, sq(from), &[(sq(from), sq(to))]);
        }
        let spread: u32 = counts.planes.iter().zip(0..).map(|(p, i)| (p.0 as u32 & 1) << i).sum();
        assert_eq!(spread, 254);
    }

    #[test]
    fn a_new_round_forgets_the_last() {
        let mut counts = MoveCounts::default();
        counts.record(Balance::Rounds, sq("a2"), &[(sq("a2"), sq("a3"))]);
        assert_eq!(counts.eligible(Balance::Rounds, set("a3 b2")), set("b2"));
        counts.record(Balance::Rounds, sq("a3"), &[(sq("a3"), sq("a4"))]);
        assert_eq!(counts.eligible(Balance::Rounds, set("a4 b2")), set("b2"));
    }
}

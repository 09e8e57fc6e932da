//! Which units may move again before the others have moved (English progressive chess).

use crate::board::{Bitboard, Square, mix};

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

/// The most units a side may have where the balance rules count their moves.
pub const MAX_COUNTED_UNITS: u32 = 16;

/// How many moves each unit has made in this series.
///
/// For [`Balance::CatchUp`] byte i belongs to the i-th unit of the side, counted from a1; the men
/// of the other side vanish in between, those of this one do not. [`Balance::Rounds`] needs only
/// the set of units served in this round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveCounts(u128);

impl MoveCounts {
    /// Those of `movable`, units of the side whose men are `own`, that may move under `balance`.
    pub fn eligible(self, balance: Balance, own: Bitboard, movable: Bitboard) -> Bitboard {
        match balance {
            Balance::Free => movable,
            Balance::CatchUp => {
                // Mostly some unit has not moved at all.
                let unmoved = movable - self.moved(own);
                if unmoved.any() {
                    return unmoved;
                }
                let count = |square| self.0 >> bit_of(own, square) & 0xFF;
                let lowest = movable.into_iter().map(count).min();
                movable.into_iter().filter(|&square| Some(count(square)) == lowest).collect()
            }
            Balance::Rounds => {
                let unserved = movable - self.served();
                if unserved.any() { unserved } else { movable }
            }
        }
    }

    /// The units of `own` that have moved, where each has a count.
    fn moved(self, own: Bitboard) -> Bitboard {
        let (mut counts, mut moved) = (self.0, Bitboard::EMPTY);
        for square in own {
            if counts == 0 {
                break;
            }
            if counts as u8 != 0 {
                moved |= square.bitboard();
            }
            counts >>= 8;
        }
        moved
    }

    /// Records that the unit on `from` went to `to` and, castling, the rook with it. `own` are the
    /// men of the side before the move.
    pub fn record(
        &mut self,
        balance: Balance,
        own: Bitboard,
        (from, to): (Square, Square),
        rook: Option<(Square, Square)>,
    ) {
        match balance {
            Balance::Free => {}
            Balance::CatchUp => {
                self.advance(own, from, to);
                if let Some((rook_from, rook_to)) = rook {
                    self.advance((own - from.bitboard()) | to.bitboard(), rook_from, rook_to);
                }
            }
            Balance::Rounds => {
                // A unit that moves a second time proves that all others have been served.
                let mut served =
                    if self.served().has(from) { Bitboard::EMPTY } else { self.served() };
                served |= to.bitboard();
                if let Some((rook_from, rook_to)) = rook {
                    served -= rook_from.bitboard();
                    served |= rook_to.bitboard();
                }
                self.0 = served.0.into();
            }
        }
    }

    /// Takes out the count of the unit on `from` and puts it in, one higher, where `to` comes in
    /// the order of squares.
    fn advance(&mut self, own: Bitboard, from: Square, to: Square) {
        let below = |bit: u32| (1u128 << bit) - 1;
        let out = bit_of(own, from);
        let count = (self.0 >> out & 0xFF) + 1;
        let others = self.0 & below(out) | self.0 >> 8 & !below(out);
        let into = bit_of(own - from.bitboard(), to);
        self.0 = others & below(into) | (others & !below(into)) << 8 | count << into;
    }

    /// The units that have moved in this round.
    fn served(self) -> Bitboard {
        Bitboard(self.0 as u64)
    }

    /// A hash of the counts; zero when nobody has moved.
    #[inline]
    pub fn key(self) -> u64 {
        if self.0 == 0 { 0 } else { mix(self.0 as u64 ^ mix((self.0 >> 64) as u64 ^ 0xBA1A)) }
    }
}

/// Where the count of the unit on `square` begins.
fn bit_of(own: Bitboard, square: Square) -> u32 {
    let before = Bitboard(square.bitboard().0 - 1);
    8 * (own & before).len().min(MAX_COUNTED_UNITS - 1)
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

    /// A side, its counts, and moves by name.
    struct Side {
        balance: Balance,
        own: Bitboard,
        counts: MoveCounts,
    }

    impl Side {
        fn new(balance: Balance, own: &str) -> Side {
            Side { balance, own: set(own), counts: MoveCounts::default() }
        }

        fn go(&mut self, from: &str, to: &str) {
            let step = (sq(from), sq(to));
            self.counts.record(self.balance, self.own, step, None);
            self.own = (self.own - step.0.bitboard()) | step.1.bitboard();
        }

        fn eligible(&self, movable: &str) -> Bitboard {
            self.counts.eligible(self.balance, self.own, set(movable))
        }
    }

    #[test]
    fn catching_up_takes_as_long_as_the_lead() {
        let mut side = Side::new(Balance::CatchUp, "a2 e1 h2");
        side.go("h2", "h3");
        side.go("h3", "h4");
        side.go("h4", "h5");
        assert_eq!(side.eligible("a2 h5"), set("a2"));
        assert_eq!(side.eligible("h5"), set("h5"), "nobody else can move");
        side.go("a2", "a3");
        side.go("a3", "a4");
        assert_eq!(side.eligible("a4 h5"), set("a4"));
        side.go("a4", "a5");
        assert_eq!(side.eligible("a5 h5"), set("a5 h5"));
        assert_eq!(side.eligible("a5 e1 h5"), set("e1"));
    }

    #[test]
    fn counts_reach_the_longest_series() {
        let own = "a1 b1 c1 d1 e1 f1 g1 h1 b2 c2 d2 e2 f2 g2 h2 h3";
        let mut side = Side::new(Balance::CatchUp, own);
        for _ in 0..127 {
            side.go("h3", "a8");
            side.go("a8", "h3");
        }
        assert_eq!(side.counts.0, 254 << 120);
        side.go("a1", "a3");
        assert_eq!(side.counts.0, 254 << 120 | 1 << (8 * 14));
    }

    #[test]
    fn a_new_round_forgets_the_last() {
        let mut side = Side::new(Balance::Rounds, "a2 b2");
        side.go("a2", "a3");
        assert_eq!(side.eligible("a3 b2"), set("b2"));
        side.go("a3", "a4");
        assert_eq!(side.eligible("a4 b2"), set("b2"));
    }

    #[test]
    fn castling_moves_king_and_rook() {
        for balance in [Balance::CatchUp, Balance::Rounds] {
            let mut counts = MoveCounts::default();
            let rook = Some((sq("h1"), sq("f1")));
            counts.record(balance, set("a2 e1 h1"), (sq("e1"), sq("g1")), rook);
            let eligible = counts.eligible(balance, set("a2 g1 f1"), set("a2 g1 f1"));
            assert_eq!(eligible, set("a2"));
        }
    }
}

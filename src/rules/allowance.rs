//! How many moves a series has.

/// The longest series there is: a technical limit that no recorded game has come near.
pub const MAX_SERIES: usize = 255;

/// The highest turn number a position may have where the allowance does not grow with it.
pub const MAX_TURN: u16 = 9999;

/// How the number of the turn fixes the length of its series.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Allowance {
    /// Turn n has n moves.
    Progressive,
    /// Every turn has two.
    Two,
    /// Turn 1 has one move, every other two.
    OneThenTwo,
}

impl Allowance {
    /// The moves of turn `turn`, at most [`MAX_SERIES`].
    #[inline]
    pub const fn of_turn(self, turn: u16) -> u8 {
        match self {
            Allowance::Progressive if turn as usize > MAX_SERIES => MAX_SERIES as u8,
            Allowance::Progressive => turn as u8,
            Allowance::Two => 2,
            Allowance::OneThenTwo if turn <= 1 => 1,
            Allowance::OneThenTwo => 2,
        }
    }

    /// Whether later turns have longer series.
    pub const fn grows(self) -> bool {
        matches!(self, Allowance::Progressive)
    }

    /// The highest turn number that a set-up position may have.
    pub const fn last_turn(self) -> u16 {
        match self {
            Allowance::Progressive => MAX_SERIES as u16,
            Allowance::Two | Allowance::OneThenTwo => MAX_TURN,
        }
    }
}

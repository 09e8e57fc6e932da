//! What costs an engine the game, whatever stands on the board.

use std::fmt;

/// The ways to forfeit a game.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Offence {
    /// A move of the series is illegal, or no move at all.
    Illegal,
    /// The series is shorter or longer than the rules have it.
    Length,
    /// The answer came too late.
    Time,
    /// No answer came.
    Hang,
    /// The process has ended, or cannot be started.
    Crash,
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Offence::Illegal => "illegal",
            Offence::Length => "length",
            Offence::Time => "time",
            Offence::Hang => "hang",
            Offence::Crash => "crash",
        })
    }
}

/// A game forfeited: how, and in words what happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit {
    pub offence: Offence,
    pub detail: String,
}

impl Forfeit {
    /// A forfeit with its details.
    pub fn new(offence: Offence, detail: impl Into<String>) -> Forfeit {
        Forfeit { offence, detail: detail.into() }
    }
}

/// Why an engine has not answered as it should.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    Forfeit(Forfeit),
    /// The match is being stopped; nobody is to blame.
    Stopped,
}

impl From<Forfeit> for Trouble {
    fn from(forfeit: Forfeit) -> Trouble {
        Trouble::Forfeit(forfeit)
    }
}

//! What a search may spend.

use std::time::{Duration, Instant};

use crate::board::Color;
use crate::position::Move;

/// The clocks of a game.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left, by colour (White first).
    pub time: [Option<Duration>; 2],
    /// Increment for each series, by colour (White first).
    pub increment: [Duration; 2],
    /// Series until the next time control.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search; what is absent does not limit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Turns to look ahead.
    pub depth: Option<u32>,
    pub nodes: Option<u64>,
    pub move_time: Option<Duration>,
    pub clock: Clock,
    /// Prove a win within this many own turns, and do nothing else.
    pub mate: Option<u32>,
    /// The first move must be one of these; empty: any.
    pub search_moves: Vec<Move>,
    /// Do not answer before told to.
    pub infinite: bool,
}

/// When to stop by choice, and when at the latest.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TimePlan {
    /// Start nothing new after this.
    pub soft: Option<Instant>,
    /// Answer by this.
    pub hard: Option<Instant>,
}

impl TimePlan {
    /// Shares out the time of `limits` for a series of `side` that starts thinking at `start`.
    /// `overhead` is what passing the answer on may cost.
    pub fn new(limits: &Limits, side: Color, start: Instant, overhead: Duration) -> TimePlan {
        if limits.infinite {
            return TimePlan { soft: None, hard: None };
        }
        if let Some(time) = limits.move_time {
            let end = start + time.saturating_sub(overhead).max(time / 2);
            return TimePlan { soft: Some(end), hard: Some(end) };
        }
        let Some(left) = limits.clock.time[side as usize] else {
            return TimePlan { soft: None, hard: None };
        };
        let usable = left.saturating_sub(overhead);
        let increment = limits.clock.increment[side as usize];
        // Games end at turn 12 on average: a side rarely has more than eight series to come.
        let share = usable / limits.clock.moves_to_go.map_or(8, |n| n.clamp(1, 8)) + increment;
        let soft = start + share.min(usable / 2);
        let hard = start + (share * 2).min(usable * 3 / 4);
        TimePlan { soft: Some(soft.min(hard)), hard: Some(hard) }
    }
}

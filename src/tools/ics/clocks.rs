//! The clocks of a game: a time for each side, and what each finished series adds to it.

use std::time::{Duration, Instant};

use crate::board::Color;
use crate::search::Clock;
use crate::tools::times::TimeControl;

/// Two clocks, of which one runs or none.
#[derive(Clone, Debug)]
pub struct Clocks {
    control: TimeControl,
    /// What was left when the clock was last stopped, by colour.
    left: [Duration; 2],
    running: Option<(Color, Instant)>,
}

impl Clocks {
    /// Clocks that stand still.
    pub fn new(control: TimeControl) -> Clocks {
        Clocks { control, left: [control.base; 2], running: None }
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// Lets the clock of `color` run, and no other.
    pub fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.running = Some((color, now));
    }

    /// Stops the clock that runs.
    pub fn stop(&mut self, now: Instant) {
        self.left = Color::ALL.map(|color| self.left(color, now));
        self.running = None;
    }

    /// Pays `color` for a finished series.
    pub fn reward(&mut self, color: Color) {
        self.left[color as usize] += self.control.increment;
    }

    /// Whether a clock runs.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// What `color` has left.
    pub fn left(&self, color: Color, now: Instant) -> Duration {
        let spent = match self.running {
            Some((running, since)) if running == color => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        self.left[color as usize].saturating_sub(spent)
    }

    /// When the flag of the running clock falls.
    pub fn flag_falls(&self) -> Option<Instant> {
        self.running.map(|(color, since)| since + self.left[color as usize])
    }

    /// The clocks as a search wants them.
    pub fn for_search(&self, now: Instant) -> Clock {
        let time = Color::ALL.map(|color| Some(self.left(color, now)));
        Clock { time, increment: [self.control.increment; 2], moves_to_go: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_clock_runs_and_its_flag_falls() {
        let seconds = Duration::from_secs;
        let start = Instant::now();
        let mut clocks = Clocks::new(TimeControl { base: seconds(60), increment: seconds(2) });
        assert_eq!(clocks.flag_falls(), None);
        clocks.start(Color::White, start);
        let later = start + seconds(10);
        assert_eq!(clocks.left(Color::White, later), seconds(50));
        assert_eq!(clocks.left(Color::Black, later), seconds(60));
        clocks.start(Color::Black, later);
        clocks.reward(Color::White);
        assert_eq!(clocks.left(Color::White, later + seconds(5)), seconds(52));
        assert_eq!(clocks.flag_falls(), Some(later + seconds(60)));
        clocks.stop(later + seconds(100));
        assert_eq!(clocks.left(Color::Black, later + seconds(200)), Duration::ZERO);
        assert!(!clocks.is_running());
    }
}

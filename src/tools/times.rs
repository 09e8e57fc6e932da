//! How long somebody may think, as arguments say it.

use std::time::Duration;

/// The longest time for a series, in milliseconds: a day.
const LONGEST: u64 = 86_400_000;

/// How long a game may take.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// The time of each side at the start, more than nothing.
    pub base: Duration,
    /// What a finished series adds.
    pub increment: Duration,
}

/// Reads `10+0.1`, seconds for the game and for each series; the increment may be missing.
///
/// # Errors
/// One sentence.
pub fn parse_time_control(text: &str) -> Result<TimeControl, String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let seconds = |text: &str| {
        let seconds: f64 = text.parse().ok().filter(|s| (0.0..=1e6).contains(s))?;
        Duration::try_from_secs_f64(seconds).ok()
    };
    match (seconds(base), seconds(increment)) {
        (Some(base), Some(increment)) if !base.is_zero() => Ok(TimeControl { base, increment }),
        _ => Err(format!("'{text}' is not seconds like 10+0.1")),
    }
}

/// Reads milliseconds for each series.
///
/// # Errors
/// One sentence.
pub fn parse_move_time(text: &str) -> Result<Duration, String> {
    parse_number(text, LONGEST).map(Duration::from_millis)
}

/// Reads a number from 1 to `most`.
///
/// # Errors
/// One sentence.
pub fn parse_number(text: &str, most: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("'{text}' is not a number from 1 to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_in_seconds() {
        let control = parse_time_control("10+0.1").unwrap();
        assert_eq!((control.base.as_millis(), control.increment.as_millis()), (10_000, 100));
        assert_eq!(parse_time_control("60").unwrap().increment, Duration::ZERO);
        for wrong in ["", "x", "0", "-1", "1+", "1+x", "inf", "NaN+1", "1e99"] {
            assert!(parse_time_control(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn move_times_are_in_milliseconds() {
        assert_eq!(parse_move_time("1500"), Ok(Duration::from_millis(1500)));
        for wrong in ["", "0", "-1", "1.5", "86400001"] {
            assert!(parse_move_time(wrong).is_err(), "{wrong}");
        }
    }
}

//! The options a client may set: one table for what is offered, one match for what is taken.

use std::time::Duration;

use vampirc_uci::{UciMessage, UciOptionConfig};

use super::command::parse_number;
use crate::engine::Tables;
use crate::rules::{MAX_SERIES, RuleSet, variants};

/// The options as they are set.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The size of all tables together, in MiB.
    pub hash: usize,
    pub threads: usize,
    pub multi_pv: u32,
    /// What passing on an answer may cost.
    pub overhead: Duration,
    /// The variant of positions that name none.
    pub variant: &'static RuleSet,
    /// The turn number of positions that give none; `None`: as their text has it.
    pub series_length: Option<u16>,
    /// Whether `bestmove` has the first move of the series alone.
    pub single: bool,
    /// Whether the book may answer in place of a search.
    pub own_book: bool,
    /// Whether ten quiet turns leave the game open until somebody claims the draw.
    pub claim_quiet: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 128,
            threads: 1,
            multi_pv: 1,
            overhead: Duration::from_millis(20),
            variant: variants::default(),
            series_length: None,
            single: false,
            own_book: true,
            claim_quiet: false,
        }
    }
}

const MAX_HASH: u64 = 65_536;
const MAX_THREADS: u64 = 64;
const MAX_MULTI_PV: u64 = 64;
const MAX_OVERHEAD: u64 = 10_000;

/// The `option` lines of the handshake.
pub fn offered() -> Vec<String> {
    let spin = |name: &str, default: i64, min: i64, max: u64| UciOptionConfig::Spin {
        name: name.to_string(),
        default: Some(default),
        min: Some(min),
        max: i64::try_from(max).ok(),
    };
    let combo = |name: &str, values: &[&str]| UciOptionConfig::Combo {
        name: name.to_string(),
        default: values.first().map(|value| value.to_string()),
        var: values.iter().map(|value| value.to_string()).collect(),
    };
    let check = |name: &str, default: bool| UciOptionConfig::Check {
        name: name.to_string(),
        default: Some(default),
    };
    let default = Options::default();
    let variants: Vec<&str> = variants::ALL.iter().map(|rules| rules.name).collect();
    let options = [
        spin("Hash", default.hash as i64, 1, MAX_HASH),
        spin("Threads", 1, 1, MAX_THREADS),
        spin("MultiPV", 1, 1, MAX_MULTI_PV),
        check("Ponder", false),
        spin("Move Overhead", default.overhead.as_millis() as i64, 0, MAX_OVERHEAD),
        combo("UCI_Variant", &variants),
        spin("SeriesLength", 0, 0, MAX_SERIES as u64),
        combo("BestMove", &["series", "single"]),
        combo("QuietRule", &["draw", "claim"]),
        check("OwnBook", default.own_book),
    ];
    options.map(|option| UciMessage::Option(option).to_string()).into()
}

impl Options {
    /// Sets an option.
    ///
    /// # Errors
    /// There is no such option, or it does not take this value; nothing has changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let number = |low, high| parse_number(name, value, low..=high);
        match name.to_ascii_lowercase().as_str() {
            "hash" => {
                let megabytes = number(1, MAX_HASH)? as usize;
                if !Tables::would_fit(megabytes) {
                    return Err(format!("{name}: there is no memory for {value} MiB"));
                }
                self.hash = megabytes;
            }
            "threads" => self.threads = number(1, MAX_THREADS)? as usize,
            "multipv" => self.multi_pv = number(1, MAX_MULTI_PV)? as u32,
            // Says what the client means to do; a search needs to know nothing about it.
            "ponder" => drop(either(name, value, ["false", "true"])?),
            "move overhead" => self.overhead = Duration::from_millis(number(0, MAX_OVERHEAD)?),
            "uci_variant" => {
                self.variant =
                    variants::named(value).map_err(|error| format!("{name}: {error}"))?;
            }
            "serieslength" => {
                let length = number(0, MAX_SERIES as u64)? as u16;
                self.series_length = Some(length).filter(|&length| length > 0);
            }
            "bestmove" => self.single = either(name, value, ["series", "single"])?,
            "quietrule" => self.claim_quiet = either(name, value, ["draw", "claim"])?,
            "ownbook" => self.own_book = either(name, value, ["false", "true"])?,
            _ => return Err(format!("there is no option '{name}'")),
        }
        Ok(())
    }
}

/// Whether `value` is the second of `words`; it has to be one of them.
fn either(name: &str, value: &str, words: [&str; 2]) -> Result<bool, String> {
    match words.iter().position(|word| word.eq_ignore_ascii_case(value)) {
        Some(index) => Ok(index == 1),
        None => Err(format!("{name}: '{value}' is neither {} nor {}", words[0], words[1])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offered_default_is_the_default() {
        let mut options = Options::default();
        for line in offered() {
            let (name, rest) = line["option name ".len()..].split_once(" type ").unwrap();
            let words: Vec<&str> = rest.split_whitespace().collect();
            assert_eq!(words[1], "default", "{line}");
            assert_eq!(options.set(name, words[2]), Ok(()), "{line}");
        }
        assert_eq!(options, Options::default());
    }

    #[test]
    fn values_out_of_range_change_nothing() {
        let mut options = Options::default();
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "99999999999999999999"),
            ("Threads", "-1"),
            ("MultiPV", "x"),
            ("Ponder", "maybe"),
            ("Move Overhead", ""),
            ("UCI_Variant", "chess"),
            ("SeriesLength", "256"),
            ("BestMove", "both"),
            ("QuietRule", "1"),
            ("OwnBook", "no"),
            ("Colour", "red"),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value}");
        }
        assert_eq!(options, Options::default());
    }

    #[test]
    fn names_and_words_are_known_in_any_case() {
        let mut options = Options::default();
        assert_eq!(options.set("uci_variant", "Italian"), Ok(()));
        assert_eq!(options.set("BESTMOVE", "Single"), Ok(()));
        assert_eq!(options.set("serieslength", "8"), Ok(()));
        assert_eq!(options.variant.name, "italian");
        assert!(options.single);
        assert_eq!(options.series_length, Some(8));
    }
}

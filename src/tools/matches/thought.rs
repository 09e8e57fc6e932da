//! What an engine says while it thinks, and its answer.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::protocol::SAFE;

/// An answer and what was told on the way to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Thought {
    /// The words of `bestmove`, as the engine has written them, without those to ponder on.
    pub series: Vec<String>,
    /// From the question to the answer.
    pub time: Duration,
    /// The last values of the lines `info`.
    pub info: Told,
}

/// The last score, depth and nodes that an engine has told.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Told {
    /// In the words of the protocol: `cp 31`, `mate 1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Whether the opponent has no win in his next turn, as far as the engine knows: `proved`, `not
    /// proved`, or `no`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub safe: Option<String>,
}

impl Thought {
    /// Takes notice of a line; `Some` if it is the answer.
    pub fn note(&mut self, line: &str) -> Option<()> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("bestmove") => {
                let series = words.take_while(|word| *word != "ponder" && *word != "(none)");
                self.series = series.map(str::to_string).collect();
                Some(())
            }
            Some("info") => {
                match line.trim().strip_prefix(SAFE) {
                    Some(word) => self.info.safe = Some(word.to_string()),
                    None => self.info.note(&words.collect::<Vec<_>>()),
                }
                None
            }
            _ => None,
        }
    }
}

impl Told {
    fn note(&mut self, words: &[&str]) {
        let end = words.iter().position(|word| ["pv", "string"].contains(word));
        let words = &words[..end.unwrap_or(words.len())];
        let second_line = words.windows(2).any(|pair| pair[0] == "multipv" && pair[1] != "1");
        if second_line {
            return;
        }
        for pair in words.windows(2) {
            match pair[0] {
                "depth" => self.depth = pair[1].parse().ok().or(self.depth),
                "nodes" => self.nodes = pair[1].parse().ok().or(self.nodes),
                "cp" | "mate" if pair[1].parse::<i64>().is_ok() => {
                    self.score = Some(pair.join(" "));
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_count() {
        let mut thought = Thought::default();
        for line in [
            "garbage",
            "info depth 1 score cp 20 nodes 5 pv e2e4",
            "info string cp 7",
            "info depth 2 multipv 1 score mate 1 nodes 9 time 3 pv e7e5 depth",
            "info depth 7 multipv 2 score cp -5",
            "info depth x nodes",
            "info string safe: not proved",
        ] {
            assert_eq!(thought.note(line), None);
        }
        assert_eq!(thought.note("bestmove e7e5  g8f6 ponder g1f3"), Some(()));
        assert_eq!(thought.series, ["e7e5", "g8f6"]);
        let told = Told {
            score: Some("mate 1".to_string()),
            depth: Some(2),
            nodes: Some(9),
            safe: Some("not proved".to_string()),
        };
        assert_eq!(thought.info, told);
        thought.note("bestmove (none)");
        assert!(thought.series.is_empty());
    }
}

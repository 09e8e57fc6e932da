//! Transcripts in documents: blocks of lines that somebody sends and of the answers.
#![allow(dead_code, reason = "each test file needs a part of this")]

use std::path::Path;

/// What stands in a document of the project between two fences.
pub struct Block {
    /// The number of its first line, from 1.
    pub first: usize,
    pub lines: Vec<String>,
}

/// The text of a document of the project.
pub fn document(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The blocks of a document that are marked with a word.
pub fn blocks(text: &str, mark: &str) -> Vec<Block> {
    let fence = format!("```{mark}");
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (index, line) in text.lines().enumerate() {
        match &mut open {
            Some(_) if line == "```" => found.extend(open.take()),
            Some(block) => block.lines.push(line.to_string()),
            None if line == fence => open = Some(Block { first: index + 2, lines: Vec::new() }),
            None => {}
        }
    }
    assert!(open.is_none(), "a block does not end");
    found
}

/// Whether `line` is of the form of `pattern`: `<n>` stands for a number, `<word>` for anything
/// without a blank, and `...` at the end for the rest. Behind `nodes`, `nps` and `time` a number
/// stands for any.
pub fn fits(pattern: &str, line: &str) -> bool {
    let (pattern, whole) = match pattern.strip_suffix("...") {
        Some(start) => (start, false),
        None => (pattern, true),
    };
    let (wanted, given): (Vec<&str>, Vec<&str>) =
        (pattern.split_whitespace().collect(), line.split_whitespace().collect());
    let lengths = if whole { wanted.len() == given.len() } else { wanted.len() <= given.len() };
    let number = |word: &str| word.parse::<i64>().is_ok();
    let mut before = "";
    lengths
        && wanted.iter().zip(given).all(|(&wanted, given)| {
            let varies = matches!(before, "nodes" | "nps" | "time") && number(wanted);
            before = wanted;
            match wanted {
                "<n>" => number(given),
                "<word>" => true,
                _ if varies => number(given),
                word => word == given,
            }
        })
}

/// Checks lines of answer against patterns. A pattern `...` stands for any number of lines.
pub fn assert_answers(place: &str, patterns: &[&str], said: &[&str]) {
    let mut said = said.iter();
    let mut skipping = false;
    for &pattern in patterns {
        if pattern == "..." {
            skipping = true;
            continue;
        }
        loop {
            let line = said.next().unwrap_or_else(|| panic!("{place}: no '{pattern}'"));
            if fits(pattern, line) {
                break;
            }
            assert!(skipping, "{place}: '{line}' in place of '{pattern}'");
        }
        skipping = false;
    }
    assert!(skipping || said.next().is_none(), "{place}: more was said");
}

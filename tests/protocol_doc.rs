//! The transcripts of `protocol.md` are true: each is played with the real binary.
//!
//! Lines that begin with `> ` are sent, the others are expected. `<n>` stands for a number,
//! `<word>` for anything without a blank, `...` at the end of a line for its rest, and `...` alone
//! for any number of lines.

mod client;

use std::path::Path;

use client::Client;

/// The transcripts, each with the number of its first line.
fn transcripts() -> Vec<(usize, Vec<String>)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocol.md");
    let text = std::fs::read_to_string(path).expect("protocol.md");
    let mut found = Vec::new();
    let mut open: Option<(usize, Vec<String>)> = None;
    for (index, line) in text.lines().enumerate() {
        match &mut open {
            Some(_) if line == "```" => found.extend(open.take()),
            Some((_, lines)) => lines.push(line.to_string()),
            None if line == "```transcript" => open = Some((index + 2, Vec::new())),
            None => {}
        }
    }
    assert!(open.is_none(), "a transcript does not end");
    found
}

/// Whether `line` is of the form of `pattern`.
fn fits(pattern: &str, line: &str) -> bool {
    let (pattern, whole) = match pattern.strip_suffix("...") {
        Some(start) => (start, false),
        None => (pattern, true),
    };
    let (wanted, given): (Vec<&str>, Vec<&str>) =
        (pattern.split_whitespace().collect(), line.split_whitespace().collect());
    let lengths = if whole { wanted.len() == given.len() } else { wanted.len() <= given.len() };
    lengths
        && wanted.iter().zip(given).all(|(wanted, given)| match *wanted {
            "<n>" => given.parse::<i64>().is_ok(),
            "<word>" => true,
            word => word == given,
        })
}

fn play(first: usize, lines: &[String]) {
    let mut client = Client::start();
    let mut skipping = false;
    for (number, line) in (first..).zip(lines) {
        // Shown if the test fails.
        println!("protocol.md:{number}: {line}");
        if let Some(command) = line.strip_prefix("> ") {
            assert!(!skipping, "protocol.md:{number}: nothing ends the lines left out");
            client.send(command);
        } else if line == "..." {
            skipping = true;
        } else {
            loop {
                let said = client.next().unwrap_or_else(|| panic!("protocol.md:{number}: silence"));
                if fits(line, &said) {
                    break;
                }
                assert!(skipping, "protocol.md:{number}: '{said}' in place of '{line}'");
            }
            skipping = false;
        }
    }
    assert_eq!(client.end(), [""; 0], "protocol.md:{first}: more was said");
}

#[test]
fn every_transcript_is_true() {
    let transcripts = transcripts();
    assert!(transcripts.len() >= 15, "only {} transcripts found", transcripts.len());
    for (first, lines) in transcripts {
        play(first, &lines);
    }
}

#[test]
fn patterns_fit_what_they_should() {
    assert!(fits("perft 20 time <n> nps <n>", "perft 20 time 3 nps -1"));
    assert!(!fits("perft 20 time <n>", "perft 20 time soon"));
    assert!(!fits("perft 20", "perft 20 time 3"));
    assert!(fits("info depth <n> ...", "info depth 3 seldepth 4"));
    assert!(!fits("info depth <n> ...", "info string error"));
    assert!(fits("id name Crescendo <word>", "id name Crescendo 0.1.0"));
}

//! The transcripts of `protocol.md` and `README.md` are true: each is played with the real binary.
//!
//! Lines that begin with `> ` are sent, the others are expected. `<n>` stands for a number,
//! `<word>` for anything without a blank, `...` at the end of a line for its rest, and `...` alone
//! for any number of lines.

mod client;
mod transcript;

use client::Client;
use transcript::{Block, blocks, document, fits};

fn play(name: &str, block: &Block) {
    let mut client = Client::start();
    let mut skipping = false;
    for (number, line) in (block.first..).zip(&block.lines) {
        // Shown if the test fails.
        println!("{name}:{number}: {line}");
        if let Some(command) = line.strip_prefix("> ") {
            assert!(!skipping, "{name}:{number}: nothing ends the lines left out");
            client.send(command);
        } else if line == "..." {
            skipping = true;
        } else {
            loop {
                let said = client.next().unwrap_or_else(|| panic!("{name}:{number}: silence"));
                if fits(line, &said) {
                    break;
                }
                assert!(skipping, "{name}:{number}: '{said}' in place of '{line}'");
            }
            skipping = false;
        }
    }
    assert_eq!(client.end(), [""; 0], "{name}:{}: more was said", block.first);
}

#[test]
fn every_transcript_is_true() {
    for (name, least) in [("protocol.md", 15), ("README.md", 1)] {
        let transcripts = blocks(&document(name), "transcript");
        assert!(transcripts.len() >= least, "{name}: only {} found", transcripts.len());
        transcripts.iter().for_each(|block| play(name, block));
    }
}

#[test]
fn patterns_fit_what_they_should() {
    assert!(fits("perft 20 time <n> nps <n>", "perft 20 time 3 nps -1"));
    assert!(fits("perft 20 time 7 nps 100", "perft 20 time 3 nps 1"));
    assert!(!fits("perft 20 time <n>", "perft 20 time soon"));
    assert!(!fits("perft 20 time 7", "perft 20 time soon"));
    assert!(!fits("perft 20 time 7", "perft 21 time 7"));
    assert!(!fits("perft 20", "perft 20 time 3"));
    assert!(fits("info depth <n> ...", "info depth 3 seldepth 4"));
    assert!(!fits("info depth <n> ...", "info string error"));
    assert!(fits("id name Crescendo <word>", "id name Crescendo 0.1.0"));
}

//! Sessions with all that speaks in lines or over a connection, in lines that are almost right:
//! every answer has its form, and afterwards the other side is there and right.

mod client;
mod mangle;
mod visitor;

use std::io::{Cursor, Write};
use std::net::Shutdown;

use client::Client;
use crescendo::protocol;
use mangle::{config, is_one_line, mangled};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use visitor::Server;

/// What an answer of the protocol may begin with; `d`, `eval` and `help` answer as they like.
const WORDS: [&str; 13] = [
    "id", "option", "uciok", "readyok", "info", "bestmove", "solution", "solved", "unsolved",
    "perft", "fen", "legal", "status",
];

/// Commands whose answers are for people.
const FOR_PEOPLE: [&str; 3] = ["d", "eval", "help"];

fn lines(text: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(text).split('\n').map(str::to_string).collect()
}

fn first_word(line: &str) -> String {
    line.split_ascii_whitespace().next().unwrap_or_default().to_lowercase()
}

/// Whether a line of an answer has one of the known forms: a word, or a move and its count.
fn is_answer(line: &str) -> bool {
    let word = line.split(' ').next().unwrap_or_default();
    let divided = word.strip_suffix(':').is_some_and(|mv| mv.parse::<crescendo::Move>().is_ok());
    (WORDS.contains(&word) || divided) && !line.contains(char::is_control)
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn the_protocol_survives_and_counts_right(session in mangled("protocol.txt")) {
        let session = session.0;
        let said = lines(&session);
        prop_assume!(said.iter().all(|line| first_word(line) != "quit"));
        let last = b"\nstop\nisready\nposition startpos variant scottish series 1\nperft 2\n";
        let mut output = Vec::new();
        protocol::run(Cursor::new([&session[..], last].concat()), &mut output).expect("a session");
        let answers = String::from_utf8(output).expect("text");
        let end = answers.lines().last().unwrap_or_default();
        let expected = "perft 8902 distinct 5362 mates 0 italianmates 0 stalemates 0 checks 12 ";
        prop_assert!(end.starts_with(expected), "{}", answers);
        if !said.iter().any(|line| FOR_PEOPLE.contains(&&*first_word(line))) {
            let strange = answers.lines().find(|line| !is_answer(line));
            prop_assert_eq!(strange, None);
        }
        let count = |word: &str| answers.lines().filter(|line| first_word(line) == word).count();
        let asked = said.iter().filter(|line| first_word(line) == "go").count();
        prop_assert!(count("bestmove") <= asked, "{}", answers);
    }
}

/// Tries mangled seeds of a file on something that goes on from one to the next.
fn try_each(cases: u32, seeds: &str, mut test: impl FnMut(&[u8]) -> Result<(), TestCaseError>) {
    let test = std::cell::RefCell::new(&mut test);
    let tried =
        TestRunner::new(config(cases)).run(&mangled(seeds), |text| test.borrow_mut()(&text.0));
    tried.unwrap_or_else(|error| panic!("{error}"));
}

/// Whether a question asks for no more than a moment's work.
fn is_cheap(line: &[u8]) -> bool {
    let Ok(read) = serde_json::from_slice::<Value>(line) else { return true };
    let limit = |name: &str, most: u64| read["limits"][name].as_u64().is_none_or(|n| n <= most);
    let counts = read["op"] == "perft" && (read["series"].is_u64() || read["fen"].is_string());
    limit("depth", if counts { 1 } else { 2 })
        && limit("moves", 2)
        && limit("movetime", 100)
        && limit("nodes", 10_000)
        && (read["op"] != "solve" || read["limits"]["nodes"].is_u64())
        && (!counts || read["series"].as_u64().is_none_or(|turn| turn <= 2))
}

#[test]
fn every_line_of_a_batch_has_its_answer() {
    let mut batch = Client::run(&["batch", "--hash", "8"]);
    try_each(3000, "batch.txt", |text| {
        for line in text.split(|&byte| byte == b'\n') {
            if line.trim_ascii().is_empty() || !is_cheap(line) {
                continue;
            }
            batch.send_bytes(&[line, b"\n"].concat());
            let answer = batch.next().expect("an answer");
            let read: Value = serde_json::from_str(&answer).expect("JSON");
            prop_assert!(read["error"].is_string() || read["op"].is_string(), "{}", answer);
            if let Some(error) = read["error"].as_str() {
                prop_assert!(is_one_line(error), "{}", answer);
            }
            let asked: Value = serde_json::from_slice(line).unwrap_or_default();
            let ids = String::from_utf8_lossy(line).matches("\"id\"").count();
            if ids > 1 {
                // Nobody can tell which.
                prop_assert!(read["error"].is_string(), "{}", answer);
            } else if asked["id"].is_string() || asked["id"].is_u64() {
                prop_assert_eq!(&read["id"], &asked["id"]);
            }
        }
        Ok(())
    });
    assert_eq!(batch.end(), [""; 0]);
}

#[test]
fn the_engine_of_xboard_survives() {
    let mut engine = Client::run(&["xboard"]);
    let mut number = 0;
    try_each(1000, "xboard.txt", |text| {
        let said: Vec<String> = lines(text);
        prop_assume!(said.iter().all(|line| first_word(line) != "quit"));
        number += 1;
        engine.send_bytes(text);
        engine.send(&format!("\n?\nforce\nping x{number}"));
        let pong = format!("pong x{number}");
        loop {
            let line = engine.next().expect("a sign of life");
            prop_assert!(!line.contains(|c: char| c.is_control() && c != '\t'), "{:?}", line);
            if line == pong {
                return Ok(());
            }
        }
    });
    engine.send("quit");
    engine.end();
}

#[test]
fn the_chess_server_survives() {
    let mut server = Server::start(&["--movetime", "10"]);
    try_each(60, "ics.txt", |text| {
        let mut visitor = server.connect();
        // The server may hang up first, on whoever says `quit`.
        let _ = visitor.stream.write_all(&typed(text));
        let _ = visitor.stream.shutdown(Shutdown::Write);
        let said = visitor.rest();
        prop_assert!(!said.contains("one client at a time"), "{}", said);
        prop_assert!(server.is_running());
        Ok(())
    });
    let mut visitor = server.play("play");
    visitor.until("<12> rnbqkbnr ");
    visitor.leave();
}

/// Lines as clients of servers send them.
fn typed(text: &[u8]) -> Vec<u8> {
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    [&lines.join(&b"\r\n"[..]), &b"\r\n"[..]].concat()
}

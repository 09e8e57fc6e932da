//! `match`: the games of every variant are right, and none that is finished is ever lost.
#![cfg(unix)]

mod arena;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use arena::{Arena, CRESCENDO};
use crescendo::rules::variants;
use serde_json::Value;

/// A pair of fast games of the engine against itself.
fn pair(arena: &Arena, variant: &str) -> Vec<Value> {
    let engine = format!("{CRESCENDO};name=A;option.Hash=16");
    let report = arena.run(&[
        "--engine",
        &engine,
        "--variant",
        variant,
        "--pairs",
        "1",
        "--nodes",
        "300",
        "--concurrency",
        "2",
        "--last-turn",
        "60",
        "--jsonl",
        "games.jsonl",
        "--pgn",
        "games.pgn",
    ]);
    assert!(report.contains("forfeits: A 0, A (2) 0\n"), "{variant}: {report}");
    assert!(!report.contains("ALARM"), "{variant}: {report}");
    arena.games()
}

#[test]
fn self_play_knows_no_forfeit_and_its_files_are_read_back() {
    for rules in &variants::ALL {
        let arena = Arena::new(rules.name);
        let games = pair(&arena, rules.name);
        assert_eq!(games.len(), 2);
        let checked = arena.checked("games.jsonl");
        assert_eq!(checked, arena.checked("games.pgn"), "{}", rules.name);
        for (game, checked) in games.iter().zip(&checked) {
            assert_eq!(game["variant"], rules.name);
            let reason = game["reason"].as_str().unwrap();
            let result = if reason == "draw-turn-limit" { "none" } else { reason };
            assert!(checked.starts_with(&format!("legal, {result}, turn {}", game["turn"])));
            let told = game["info"].as_array().unwrap();
            assert!(told.iter().all(|turn| turn["score"].is_string() && turn["nodes"].is_u64()));
        }
    }
}

/// The independent reference beside the project, if it is there and can run.
fn reference() -> Option<std::path::PathBuf> {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?.join("shared/oracle/oracle.py");
    let works = oracle.exists()
        && Command::new("python3").args(["-c", "import chess"]).status().is_ok_and(|s| s.success());
    works.then_some(oracle)
}

#[test]
fn an_independent_reference_agrees_where_it_is_at_hand() {
    let Some(oracle) = reference() else { return };
    for rules in &variants::ALL {
        let arena = Arena::new(&format!("{}-again", rules.name));
        for game in pair(&arena, rules.name) {
            let field = |name: &str| game[name].as_str().unwrap().to_string();
            let mut command = Command::new("python3");
            command.arg(&oracle).args(["play", rules.name]);
            let output = command.args([field("fen"), field("moves")]).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let answer: Value = serde_json::from_str(&text)
                .unwrap_or_else(|_| panic!("{}: {}", rules.name, field("moves")));
            let (result, reason) = (answer["result"].as_str(), field("reason"));
            let fields: Vec<&str> = answer["fen_after"].as_str().unwrap().split(' ').collect();
            let winner = if fields[1] == "b" { "white" } else { "black" };
            let adjudicated = ["quiet", "dead", "repetition", "fifty", "turn-limit"];
            match result {
                Some("checkmate") => assert_eq!(reason, format!("{winner}-checkmate")),
                Some("progressive-mate") => {
                    assert_eq!(reason, format!("{winner}-progressive-checkmate"));
                }
                Some("win") => assert_eq!(reason, format!("{winner}-takeall")),
                Some(_) => assert_eq!(reason, "draw-stalemate"),
                None => assert!(adjudicated.iter().any(|one| reason == format!("draw-{one}"))),
            }
            assert_eq!(game["turn"].to_string(), fields[5], "{}", rules.name);
        }
    }
}

/// A match long enough to be broken off.
const LONG: [&str; 14] = [
    "--engine",
    CRESCENDO,
    "--games",
    "24",
    "--nodes",
    "400",
    "--concurrency",
    "2",
    "--seed",
    "5",
    "--jsonl",
    "games.jsonl",
    "--pgn",
    "games.pgn",
];

/// Runs the long match until some games are finished, and lets `end` end it.
fn broken_off(arena: &Arena, end: impl FnOnce(&mut std::process::Child)) -> String {
    let mut running = arena.start(&LONG);
    let start = Instant::now();
    while arena.read("games.jsonl").lines().count() < 3 {
        assert!(start.elapsed() < Duration::from_secs(120), "no games");
        std::thread::sleep(Duration::from_millis(2));
    }
    end(&mut running);
    let output = running.wait_with_output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Goes on, and finds every finished game kept and every other played.
fn assert_resumes(arena: &Arena) {
    let text = arena.read("games.jsonl");
    let kept = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let finished = kept.lines().count();
    assert!((3..24).contains(&finished), "{finished} games");
    let mut arguments = LONG.to_vec();
    arguments.push("--resume");
    let report = arena.run(&arguments);
    assert!(report.contains("crescendo - crescendo (2): 24 games, "), "{report}");
    assert!(report.contains(&format!("speed: {} games now", 24 - finished)), "{report}");
    assert!(arena.read("games.jsonl").starts_with(kept));
    let numbers: Vec<u64> = arena.games().iter().map(|g| g["game"].as_u64().unwrap()).collect();
    assert_eq!(numbers.len(), 24);
    assert_eq!(numbers.into_iter().collect::<BTreeSet<_>>(), (1..=24).collect());
    assert_eq!(arena.checked("games.jsonl"), arena.checked("games.pgn"));
}

#[test]
fn a_match_that_is_killed_goes_on() {
    let arena = Arena::new("killed-match");
    broken_off(&arena, |running| running.kill().unwrap());
    // Death came while a line was being written.
    let torn = arena.read("games.jsonl") + "{\"game\":7,\"variant\":\"sco";
    arena.write("games.jsonl", &torn);
    assert_resumes(&arena);
}

#[test]
fn a_match_that_is_interrupted_reports_and_goes_on() {
    let arena = Arena::new("interrupted-match");
    let report = broken_off(&arena, |running| {
        let id = running.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    });
    assert!(report.ends_with("match: interrupted; --resume goes on\n"), "{report}");
    assert!(report.contains("forfeits: crescendo 0, crescendo (2) 0\n"), "{report}");
    assert_resumes(&arena);
}

#[test]
fn files_of_others_are_left_alone() {
    let arena = Arena::new("others");
    let refused = |arguments: &[&str], reason: &str| {
        let all = [&["--engine", CRESCENDO, "--games", "2", "--nodes", "50"], arguments].concat();
        let error = arena.refused(&all);
        assert!(error.contains(reason), "{error}");
    };
    arena.write("games.jsonl", "{\"game\":1}\n");
    refused(&["--jsonl", "games.jsonl"], "games.jsonl is there already");
    refused(&["--jsonl", "games.jsonl", "--resume"], "games.jsonl, line 1: no finished game");
    arena.write("games.pgn", "[Event \"Linares\"]\n\n1. e4 *\n");
    refused(&["--pgn", "games.pgn"], "games.pgn is there already");
    let other = ["--jsonl", "new.jsonl", "--pgn", "games.pgn", "--resume"];
    refused(&other, "games.pgn is not of a match");
    arena.run(&["--engine", CRESCENDO, "--games", "2", "--nodes", "50", "--jsonl", "a.jsonl"]);
    let variant = ["--jsonl", "a.jsonl", "--resume", "--variant", "italian"];
    refused(&variant, "belongs to another match: variant is 'scottish' in place of 'italian'");
    refused(&["--jsonl", "a.jsonl", "--resume", "--seed", "2"], "belongs to another match: fen is");
    assert_eq!(arena.read("games.pgn"), "[Event \"Linares\"]\n\n1. e4 *\n");
}

//! `match`: whatever an engine does, the game ends, the blame is named, and the match goes on.
#![cfg(unix)]

mod arena;

use arena::{Arena, CRESCENDO, stub};

/// Two games against an engine that misbehaves: what is said about them.
fn forfeits(misdeed: &str) -> Vec<serde_json::Value> {
    let arena = Arena::new(misdeed);
    let good = format!("{CRESCENDO};name=good;nodes=200");
    let bad = format!("{};name=bad", stub(misdeed));
    let report = arena.run(&[
        "--engine",
        &good,
        "--engine",
        &bad,
        "--pairs",
        "1",
        "--random-turns",
        "0",
        "--movetime",
        "100",
        "--margin",
        "100",
        "--patience",
        "2",
        "--jsonl",
        "games.jsonl",
    ]);
    assert!(report.contains("good - bad: 2 games, +2 =0 -0, 100.0 %\n"), "{report}");
    assert!(report.contains("forfeits: good 0, bad 2 ("), "{report}");
    assert!(report.ends_with("match: complete\n"), "{report}");
    let games = arena.games();
    assert_eq!(games.len(), 2);
    for game in &games {
        let winner = if game["white"] == "good" { "1-0" } else { "0-1" };
        assert_eq!(game["result"], winner);
    }
    games
}

/// The misdeed costs both games, for this reason and with these details as White.
fn assert_forfeit(misdeed: &str, reason: &str, detail: &str) {
    for game in forfeits(misdeed) {
        assert_eq!(game["reason"], reason, "{misdeed}");
        let told = game["detail"].as_str().unwrap();
        assert!(game["white"] == "good" || told.contains(detail), "{misdeed}: {told}");
    }
}

/// White has proved, it says, that g2-g4 is safe; Black mates.
#[test]
fn a_proof_that_is_belied_raises_an_alarm() {
    let arena = Arena::new("liar");
    arena.write("openings.txt", "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 1\n");
    let (liar, good) = (stub("liar"), format!("{CRESCENDO};nodes=2000"));
    let report = arena.run(&[
        "--engine",
        &liar,
        "--engine",
        &good,
        "--games",
        "1",
        "--openings",
        "openings.txt",
        "--jsonl",
        "games.jsonl",
    ]);
    let alarm = "ALARM: proved safe: 1 turns, mated in the next all the same: 1\n";
    assert!(report.contains(alarm), "{report}");
    assert_eq!(arena.games()[0]["info"][0]["safe"], "proved");
}

#[test]
fn illegal_moves_forfeit() {
    assert_forfeit("illegal", "forfeit-illegal", "e2e5 is illegal: a pawn cannot go there");
    assert_forfeit("garbage", "forfeit-illegal", "is not a move");
}

#[test]
fn series_of_the_wrong_length_forfeit() {
    assert_forfeit("none", "forfeit-length", "0 moves in place of 1");
    let games = forfeits("long");
    // The first move is White's; to Black's series it is illegal.
    let as_white = games.iter().find(|game| game["white"] == "bad").unwrap();
    assert_eq!(as_white["reason"], "forfeit-length");
}

#[test]
fn answers_that_come_late_or_never_forfeit() {
    assert_forfeit("late", "forfeit-time", " ms in place of 100");
    assert_forfeit("hang", "forfeit-hang", "no answer to 'go movetime 100'");
    assert_forfeit("flood", "forfeit-hang", "no answer to 'go movetime 100'");
}

#[test]
fn processes_that_end_forfeit() {
    assert_forfeit("crash", "forfeit-crash", "exit status: 3");
    assert_forfeit("killed", "forfeit-crash", "signal: 9");
    assert_forfeit("closed", "forfeit-crash", "the process has closed its output");
}

#[test]
fn what_cannot_begin_is_said_before() {
    let arena = Arena::new("beginnings");
    let refused = |arguments: &[&str], reason: &str| {
        let error = arena.refused(arguments);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.starts_with("crescendo: ") && error.contains(reason), "{error}");
    };
    refused(&["--engine", "./no-such-engine"], "engine no-such-engine: cannot start: ");
    let (mute, deaf) = (stub("mute"), stub("deaf"));
    refused(&["--engine", &mute, "--patience", "1"], "no answer to 'uci' or 'isready'");
    refused(&["--engine", &deaf, "--patience", "1"], "no answer to 'uci' or 'isready'");
    let hash = format!("{};option.Hash=1", stub("none"));
    refused(&["--engine", &hash], "there is no option 'Hash'");
    refused(&["--engine", &stub("none"), "--variant", "takeall"], "not offer the variant takeall");
    refused(&["--engine", "a;depth=3"], "'depth=3'");
    refused(&["--engine", CRESCENDO, "--movetime", "5", "--nodes", "5"], "cannot be used");
    refused(&["--engine", CRESCENDO, "--tc", "soon"], "'soon'");
    refused(&["--engine", CRESCENDO, "--resume"], "--jsonl");
    refused(&["--engine", CRESCENDO, "--sprt", "elo0=5"], "--sprt: ");
    refused(&["--engine", CRESCENDO, "--openings", "none.txt"], "cannot read none.txt");
    arena.write("bad.txt", "# two\n\n8/8/8/8 w - - 0 1\n");
    refused(&["--engine", CRESCENDO, "--openings", "bad.txt"], "bad.txt, line 3: ");
}

#[test]
fn openings_of_a_file_are_played_in_pairs() {
    let arena = Arena::new("openings");
    let listed = [
        "4k3/p7/8/8/8/8/P7/4K3 w - - 0 3",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2",
    ];
    arena.write("openings.txt", &format!("# positions\n{}\n\n{}\n", listed[0], listed[1]));
    let engine = format!("{CRESCENDO};name=A;option.Hash=16");
    let report = arena.run(&[
        "--engine",
        &engine,
        "--games",
        "5",
        "--tc",
        "1+0.05",
        "--openings",
        "openings.txt",
        "--jsonl",
        "games.jsonl",
        "--pgn",
        "games.pgn",
    ]);
    assert!(report.contains("forfeits: A 0, A (2) 0\n"), "{report}");
    let games = arena.games();
    let from = |game: &serde_json::Value| game["fen"].as_str().unwrap().to_string();
    let starts: Vec<String> = games.iter().map(from).collect();
    assert_eq!(starts, [listed[0], listed[0], listed[1], listed[1], listed[0]]);
    assert_eq!(arena.checked("games.jsonl"), arena.checked("games.pgn"));
}

#[test]
fn a_test_that_is_decided_ends_the_match() {
    let arena = Arena::new("sprt");
    let good = format!("{CRESCENDO};name=good;nodes=100");
    let bad = format!("{};name=bad", stub("illegal"));
    let report = arena.run(&[
        "--engine",
        &good,
        "--engine",
        &bad,
        "--pairs",
        "1000",
        "--random-turns",
        "1",
        "--sprt",
        "elo0=0",
        "elo1=200",
        "alpha=0.1",
        "beta=0.1",
    ]);
    assert!(report.contains("elo1 accepted\n"), "{report}");
    assert!(report.ends_with("match: decided by the test\n"), "{report}");
}

//! The engine under the protocol of XBoard: whole games with passes, and every line is answered.

mod client;

use client::{Client, game};
use crescendo::book::Book;
use crescendo::rules::variants;
use crescendo::{Game, Position};

/// An engine that has been greeted as XBoard greets it, and thinks, fast, from the first turn on.
fn engine(variant: &str) -> Client {
    greeted(&["xboard", "--no-book", "--variant", variant])
}

/// The same with other arguments.
fn greeted(arguments: &[&str]) -> Client {
    let mut engine = Client::run(arguments);
    for line in ["xboard", "protover 2", "accepted usermove", "new", "variant progressive"] {
        engine.send(line);
    }
    assert!(engine.until("feature")[0].contains(" usermove=1 "));
    let setup = engine.until("setup").pop().unwrap_or_default();
    assert!(setup.contains(" 8x8+0_lion rnbqkbnr/pppppppp/"), "{setup}");
    for line in ["random", "level 40 5 0", "post", "nopost", "hard", "easy", "st 0.02"] {
        engine.send(line);
    }
    engine
}

/// What an engine says up to the answer to a ping.
fn said(engine: &mut Client, lines: &[&str]) -> Vec<String> {
    lines.iter().for_each(|line| engine.send(line));
    engine.send("ping 99");
    let mut answer = engine.until("pong");
    assert_eq!(answer.pop().as_deref(), Some("pong 99"));
    answer
}

fn played(engine: &mut Client) -> String {
    let line = engine.next().expect("a move");
    line.strip_prefix("move ").unwrap_or_else(|| panic!("no move: {line}")).to_string()
}

#[test]
fn the_engine_says_what_it_can_do() {
    let mut engine = Client::run(&["xboard"]);
    engine.send("protover 2");
    let features = engine.next().expect("features");
    for feature in ["ping=1", "setboard=1", "analyze=0", "variants=\"normal,progressive\""] {
        assert!(features.contains(&format!(" {feature} ")), "{features}");
    }
    assert!(features.ends_with(" done=1"));
    assert_eq!(engine.end(), [""; 0]);
}

#[test]
fn both_sides_pass_inside_a_series() {
    let mut engine = engine("scottish");
    engine.send("usermove e2e4");
    let mut game = game("scottish", "e2e4");
    game.play(played(&mut engine).parse().unwrap()).unwrap();
    if game.position().turn() == 2 {
        let refused = said(&mut engine, &["usermove d2d4"]);
        let expected = "Illegal move (the series of black goes on: pass with @@@@): d2d4";
        assert_eq!(refused, [expected]);
        engine.send("usermove @@@@");
        game.play(played(&mut engine).parse().unwrap()).unwrap();
    }
    assert_eq!(game.position().turn(), 3);
    let refused = said(&mut engine, &["usermove @@@@"]);
    assert_eq!(refused, ["Illegal move (it is the turn of white, which may not pass): @@@@"]);
    while game.position().turn() == 3 {
        let mv = game.position().legal_moves()[0];
        engine.send(&format!("usermove {mv}"));
        game.play(mv).unwrap();
        if game.position().turn() == 3 {
            assert_eq!(played(&mut engine), "@@@@");
        }
    }
    assert_ne!(played(&mut engine), "@@@@");
}

/// Passes the moves of one engine on to the other until one of them claims the result.
fn duel(variant: &str) -> (Game, String) {
    let (mut one, mut other) = (engine(variant), engine(variant));
    let mut game = game(variant, "");
    one.send("go");
    loop {
        let line = one.next().expect("a line");
        let Some(text) = line.strip_prefix("move ") else { return (game, line) };
        if text != "@@@@" {
            game.play(text.parse().expect("a move")).expect("a legal move");
        }
        if game.outcome(|_| true).is_some() {
            let claim = one.next().expect("a claim");
            return (game, claim);
        }
        other.send(&format!("usermove {text}"));
        std::mem::swap(&mut one, &mut other);
    }
}

#[test]
fn two_engines_play_a_game() {
    for variant in ["scottish", "italian", "english"] {
        let (game, claim) = duel(variant);
        let outcome = game.outcome(|_| false).unwrap_or_else(|| panic!("too early: {claim}"));
        assert!(claim.starts_with(&format!("{} {{", outcome.score())), "{variant}: {claim}");
        assert!(game.position().turn() > 3, "{variant}");
    }
}

#[test]
fn results_are_claimed() {
    let mut engine = engine("scottish");
    let lines = ["force", "setboard 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "go"];
    let answer = said(&mut engine, &lines);
    assert_eq!(answer, ["move a1a8", "1-0 {Checkmate: White wins}"]);
    let lines = ["force", "setboard k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "usermove c1c7"];
    assert_eq!(said(&mut engine, &lines), ["1/2-1/2 {Stalemate: a draw}"]);
    assert_eq!(said(&mut engine, &["result 1/2-1/2 {x}", "go"]), [""; 0]);
}

#[test]
fn force_undo_and_go() {
    let mut engine = engine("scottish");
    let forced = ["force", "usermove e2e4", "usermove e7e5", "usermove @@@@", "usermove g8f6"];
    assert_eq!(said(&mut engine, &forced), [""; 0]);
    let refused = said(&mut engine, &["usermove e4e5", "usermove h1h3", "usermove Sf3"]);
    assert_eq!(
        refused,
        [
            "Illegal move (a pawn cannot go there): e4e5",
            "Illegal move (a rook cannot go there): h1h3",
            "Illegal move (this is no move such as Nf3, exd5, O-O or e2e4): Sf3",
        ]
    );
    // The mate of 3.Bc4 Qh5 Qxf7#.
    assert_eq!(said(&mut engine, &["go"]).len(), 1);
    assert_eq!(said(&mut engine, &["usermove @@@@"]).len(), 1);
    assert_eq!(said(&mut engine, &["usermove @@@@"]), ["move h5f7", "1-0 {Checkmate: White wins}"]);
    // Before the mate, the pass and the move before it, White has still to move.
    assert_eq!(said(&mut engine, &["force", "undo", "remove", "usermove a2a3"]), [""; 0]);
    assert_eq!(
        said(&mut engine, &["usermove @@@@", "usermove a3a4", "undo", "undo", "undo"]),
        [""; 0]
    );
    for _ in 0..20 {
        engine.send("remove");
    }
    assert_eq!(said(&mut engine, &["usermove d2d4"]), [""; 0]);
}

#[test]
fn a_ping_is_answered_behind_the_move() {
    let mut engine = engine("scottish");
    for line in ["st 100000", "usermove e2e4", "ping 1", "usermove d2d4"] {
        engine.send(line);
    }
    assert_eq!(engine.next().as_deref(), Some("Illegal move (the engine is thinking): d2d4"));
    engine.send("?");
    assert_ne!(played(&mut engine), "@@@@");
    assert_eq!(engine.next().as_deref(), Some("pong 1"));
    // Nobody waits for a search that is not wanted any more.
    for line in ["new", "variant progressive", "usermove e2e4", "ping 2", "force"] {
        engine.send(line);
    }
    engine.until("setup");
    assert_eq!(engine.next().as_deref(), Some("pong 2"));
    engine.send("go");
    engine.send("quit");
    assert_eq!(engine.end(), [""; 0]);
}

/// The book needs no time to think, whatever it is given.
#[test]
fn the_first_turns_come_from_the_book() {
    let mut engine = greeted(&["xboard"]);
    for line in ["st 100000", "usermove e2e4"] {
        engine.send(line);
    }
    let mut game = Game::new(Position::start(variants::default()));
    game.play("e2e4".parse().unwrap()).unwrap();
    let pick = Book::of(variants::default()).and_then(|book| book.pick(game.position()));
    let series = &pick.expect("a series").series;
    assert_eq!(played(&mut engine), series[0].to_string());
    engine.send("usermove @@@@");
    assert_eq!(played(&mut engine), series[1].to_string());
    assert_eq!(engine.end(), [""; 0]);
}

#[test]
fn clocks_and_depths_limit_the_search() {
    for limits in [&["level 0 1 0", "time 20", "otim 20"][..], &["sd 1"], &["st 0.01"]] {
        let mut engine = Client::run(&["xboard"]);
        let lines = ["new", "variant progressive"];
        lines.iter().chain(limits).for_each(|line| engine.send(line));
        engine.until("setup");
        engine.send("post");
        engine.send("usermove e2e4");
        let lines = engine.until("move");
        assert!(lines.len() > 1, "thinking is told: {lines:?}");
        let numbers: Vec<&str> = lines[0].split(' ').take(4).collect();
        assert!(numbers.iter().all(|number| number.parse::<i64>().is_ok()), "{lines:?}");
    }
}

#[test]
fn what_is_not_understood_is_named() {
    let mut engine = engine("scottish");
    let lines =
        ["analyze", "e2e4", "level 3", "variant crazyhouse", "setboard 8/8 w", "\u{1}\u{fe}"];
    assert_eq!(
        said(&mut engine, &lines),
        [
            "Error (unknown command): analyze",
            "Error (unknown command): e2e4",
            "Error (wrong parameters): level 3",
            "Error (unsupported variant): crazyhouse",
            "tellusererror Illegal position: the board '8/8' is not eight ranks of eight squares",
            "Error (unknown command): \u{fffd}\u{fe}",
        ]
    );
    engine.send_bytes(b"\xff\xfe\0\r\n");
    assert!(said(&mut engine, &[])[0].starts_with("Error (unknown command): "));
    engine.send(&"x".repeat(1 << 20));
    assert!(said(&mut engine, &[])[0].len() < 100);
    assert_eq!(engine.end(), [""; 0]);
}

#[test]
fn whoever_forgets_the_variant_is_told_once() {
    let mut engine = Client::run(&["xboard"]);
    for line in ["new", "st 0.01", "usermove e2e4"] {
        engine.send(line);
    }
    let told = engine.next().expect("a line");
    assert!(told.starts_with("telluser ") && told.contains("-variant progressive"), "{told}");
    assert_ne!(played(&mut engine), "@@@@");
}

#[test]
fn games_with_rebirth_cannot_be_shown() {
    let mut engine = Client::run(&["xboard", "--variant", "scottish"]);
    assert_eq!(engine.end(), [""; 0]);
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_crescendo"));
    let output = command.args(["xboard", "--variant", "italian-circe"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).expect("text");
    assert!(error.contains("use 'crescendo ics'") && error.lines().count() == 1, "{error}");
}

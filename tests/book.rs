//! The opening book: what is in it is sound, the protocol uses it where it should and nowhere else,
//! and the tool that makes it can be broken off.

mod arena;
mod client;

use std::path::Path;

use arena::{Arena, CRESCENDO};
use client::Client;
use crescendo::book::{Book, Line, key};
use crescendo::rules::{RuleSet, variants};
use crescendo::search::Control;
use crescendo::search::solver::{Solver, Verdict};
use crescendo::{Move, Position};

const WITH_BOOKS: [&str; 2] = ["scottish", "italian"];

/// No book may be larger, in bytes: it is a part of the program.
const LARGEST: usize = 60_000;

/// Whether the book has been asked.
const FROM_BOOK: &str = "info string book";

fn named(variant: &str) -> &'static RuleSet {
    variants::find(variant).expect("a variant")
}

fn text(variant: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/book");
    std::fs::read_to_string(folder.join(format!("{variant}.txt"))).expect("a book")
}

fn lines(variant: &str) -> Vec<Line> {
    let read = |text: &str| Line::read(text, named(variant)).expect("a sound line");
    text(variant).lines().filter_map(read).collect()
}

fn book(variant: &str) -> &'static Book {
    Book::of(named(variant)).expect("a book that can be read")
}

fn after(position: &Position, series: &[Move]) -> Position {
    let mut after = *position;
    series.iter().for_each(|&mv| after.play(mv).expect("a legal move"));
    after
}

fn wins(solver: &mut Solver, position: &Position) -> bool {
    match solver.find(position, &Control::unlimited()) {
        Verdict::Found(_) => true,
        Verdict::None => false,
        Verdict::Unknown => panic!("no proof of {}", position.pfen()),
    }
}

/// Every line, not a sample: nobody could have won at once, the game goes on, and the opponent is
/// proved not to win in his next turn.
#[test]
fn every_series_is_safe_and_forgoes_no_win() {
    let mut solver = Solver::new(16);
    for variant in WITH_BOOKS {
        for Line { position, pick, .. } in lines(variant) {
            let (pfen, next) = (position.pfen(), after(&position, &pick.series));
            assert!(!wins(&mut solver, &position), "{variant}: a win is forgone in {pfen}");
            assert_eq!(next.outcome(), None, "{variant}: {pfen}");
            assert!(!wins(&mut solver, &next), "{variant}: {pfen}: {:?} loses", pick.series);
            assert_eq!(book(variant).pick(&position), Some(&pick), "{variant}: {pfen}");
        }
    }
}

/// Behind every first move Black has a series; and White has one behind everything that may come
/// after the first move of the book, but where he wins at once.
#[test]
fn the_first_turns_are_covered() {
    let mut solver = Solver::new(16);
    for variant in WITH_BOOKS {
        let start = Position::start(named(variant));
        assert!(text(variant).len() <= LARGEST, "{variant}");
        for mv in start.legal_moves() {
            assert!(book(variant).pick(&after(&start, &[mv])).is_some(), "{variant}: {mv}");
        }
        let opened = after(&start, &book(variant).pick(&start).expect("a first move").series);
        let mut missing = 0;
        for first in opened.legal_moves() {
            let inside = after(&opened, &[first]);
            let seconds = if inside.turn() == 3 { vec![] } else { inside.legal_moves().to_vec() };
            let ends = seconds.iter().map(|&second| after(&inside, &[second]));
            for end in ends.chain((inside.turn() == 3).then_some(inside)) {
                let known = book(variant).pick(&end).is_some();
                missing += usize::from(!known && !wins(&mut solver, &end));
            }
        }
        assert_eq!(missing, 0, "{variant}");
        for turn in 1..=4 {
            assert!(lines(variant).iter().any(|line| line.position.turn() == turn));
        }
    }
}

/// The moves of a series in another order lead to the same entry.
#[test]
fn transpositions_are_known() {
    for variant in WITH_BOOKS {
        let mut exchanged = 0;
        for Line { moves, position, pick } in lines(variant) {
            let [first, second, third] = moves[..] else { continue };
            let mut other = Position::start(named(variant));
            let moves = [first, third, second];
            let legal = moves.iter().all(|&mv| other.play(mv).is_ok());
            if legal && key(&other) == key(&position) {
                assert_eq!(book(variant).pick(&other), Some(&pick));
                exchanged += 1;
            }
        }
        assert!(exchanged >= 20, "{variant}: only {exchanged}");
    }
}

/// Whether the book answers, and what it does.
fn asked(client: &mut Client, go: &str) -> (bool, Vec<String>) {
    let (lines, series) = client.search(go);
    (lines.iter().any(|line| line == FROM_BOOK), series)
}

#[test]
fn a_clock_opens_the_book_and_the_option_shuts_it() {
    let mut client = Client::start();
    for variant in WITH_BOOKS {
        client.send(&format!("position startpos variant {variant} moves e2e4"));
        let position = after(&Position::start(named(variant)), &["e2e4".parse().unwrap()]);
        let pick = book(variant).pick(&position).expect("a series");
        let expected: Vec<String> = pick.series.iter().map(Move::to_string).collect();
        for go in ["go movetime 5000", "go wtime 60000 btime 60000", "go"] {
            assert_eq!(asked(&mut client, go), (true, expected.clone()), "{variant}: {go}");
        }
    }
    client.send("setoption name OwnBook value false");
    let (lines, series) = client.search("go movetime 30");
    assert!(!lines.contains(&FROM_BOOK.to_string()) && series.len() == 2, "{lines:?}");
}

#[test]
fn an_answer_of_the_book_is_told_like_any_other() {
    let mut client = Client::start();
    client.send("position startpos");
    client.send("go movetime 1000");
    let lines = client.until("bestmove");
    let [remark, safety, info, best] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(remark, FROM_BOOK);
    assert_eq!(safety, "info string safe: proved");
    assert!(info.starts_with("info depth 2 seldepth 3 multipv 1 score cp "), "{info}");
    let told = info.split_once(" pv ").expect("a line").1;
    assert_eq!(best.replace(" ponder", ""), format!("bestmove {told}"));
}

/// So a search by nodes is the same with and without a book.
#[test]
fn other_searches_are_made() {
    let mut client = Client::start();
    client.send("position startpos");
    for go in [
        "go nodes 1000",
        "go depth 1",
        "go depth 2 movetime 1000",
        "go nodes 1000 wtime 60000 btime 60000",
        "go mate 1",
        "go movetime 50 searchmoves e2e4 d2d4",
    ] {
        assert!(!asked(&mut client, go).0, "{go}");
    }
    for (go, end) in [("go infinite", "stop"), ("go ponder wtime 100 btime 100", "ponderhit")] {
        client.send(go);
        assert!(!asked(&mut client, end).0, "{go}");
    }
    client.send("setoption name MultiPV value 2");
    assert!(!asked(&mut client, "go movetime 50").0);
    client.send("setoption name MultiPV value 1");
    for strange in [
        "position startpos series 2",
        "position startpos variant logical",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 9 1",
    ] {
        client.send(strange);
        assert!(!asked(&mut client, "go movetime 50").0, "{strange}");
    }
}

#[test]
fn a_series_begun_as_in_the_book_is_finished_as_in_the_book() {
    let mut client = Client::start();
    client.send("setoption name BestMove value single");
    let start = Position::start(variants::default());
    let opened = after(&start, &["e2e4".parse().unwrap()]);
    let series = &book("scottish").pick(&opened).expect("a series").series;
    let [first, second] = series[..] else { panic!("{series:?}") };
    client.send(&format!("position startpos moves e2e4 {first}"));
    assert_eq!(asked(&mut client, "go movetime 5000"), (true, vec![second.to_string()]));
    let other = opened.legal_moves().iter().copied().find(|&mv| mv != first && mv != second);
    client.send(&format!("position startpos moves e2e4 {}", other.expect("another move")));
    assert!(!asked(&mut client, "go movetime 50").0);
}

/// What a match tells about the first turn of an engine.
fn first_turn(arena: &Arena, name: &str, engine: &str) -> serde_json::Value {
    arena.run(&[
        "--engine",
        engine,
        "--games",
        "1",
        "--random-turns",
        "0",
        "--last-turn",
        "1",
        "--movetime",
        "200",
        "--jsonl",
        name,
    ]);
    let text = arena.read(name);
    let record: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    record["info"][0].clone()
}

#[test]
fn matches_are_without_books_unless_one_is_asked_for() {
    let arena = Arena::new("own-book");
    assert!(first_turn(&arena, "without.jsonl", CRESCENDO)["nodes"].as_u64() > Some(0));
    let engine = format!("{CRESCENDO};option.ownbook=true");
    assert_eq!(first_turn(&arena, "with.jsonl", &engine)["nodes"], 0);
}

/// The output of the tool, or its error.
fn make(arena: &Arena, arguments: &[&str]) -> Result<String, String> {
    let output = arena.command("book", arguments).output().expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn a_book_that_was_broken_off_is_finished_the_same() {
    let arena = Arena::new("book");
    let told = make(&arena, &["--nodes", "50"]).unwrap();
    let whole = arena.read("scottish.txt");
    let count = whole.lines().count() - 1;
    assert_eq!(told, format!("scottish.txt: {count} positions\n"));
    let read = Book::read(&whole, variants::default());
    assert!(read.is_ok() && count > 50, "{read:?}");
    for cut in [10, whole.len() / 3, whole.len() - 10] {
        arena.write("cut.txt", &whole[..cut]);
        make(&arena, &["--nodes", "50", "--out", "cut.txt"]).unwrap();
        assert_eq!(arena.read("cut.txt"), whole, "{cut}");
    }
    for (arguments, wrong) in [
        (vec!["--nodes", "51"], "line 1: this is not"),
        (vec!["--nodes", "50", "--variant", "italian"], "line 1: this is not"),
    ] {
        let error = make(&arena, &[&arguments[..], &["--out", "cut.txt"]].concat()).unwrap_err();
        assert!(error.contains(wrong), "{error}");
    }
    arena.write("cut.txt", &format!("{whole}e2e4 = e7e5 12\n"));
    let error = make(&arena, &["--nodes", "50", "--out", "cut.txt"]).unwrap_err();
    let expected = format!("cut.txt, line {}: the series does not end\n", count + 2);
    assert!(error.ends_with(&expected), "{error}");
}

/// The first line of a book says how it was made.
#[test]
fn books_tell_the_command_that_makes_them() {
    for variant in WITH_BOOKS {
        let command = format!("# crescendo book --variant {variant} --nodes ");
        assert!(text(variant).starts_with(&command));
    }
}

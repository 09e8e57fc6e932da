//! Searching over the protocol: what comes before `bestmove`, when it comes, and in which order
//! commands act while a job runs.

mod client;

use std::thread;
use std::time::Duration;

use client::{Client, completes, game, series};
use crescendo::rules::variants;

#[test]
fn a_search_answers_a_whole_series_in_every_variant() {
    for rules in &variants::ALL {
        let mut client = Client::start();
        client.send(&format!("position startpos variant {}", rules.name));
        let mut played = String::new();
        for _ in 0..4 {
            let (lines, moves) = client.search("go movetime 60");
            assert!(completes(&game(rules.name, &played), &moves), "{} {played}", rules.name);
            let last_info = lines.last().expect("a line before bestmove");
            assert!(last_info.starts_with("info depth "), "{last_info}");
            assert!(last_info.contains(" score ") && last_info.contains(" pv "), "{last_info}");
            played = format!("{played} {}", moves.join(" "));
            client.send(&format!("position startpos variant {} moves {played}", rules.name));
        }
    }
}

/// The solver has the last word on what is called safe, and on what is not.
#[test]
fn whether_the_best_series_is_safe_is_told_before_the_last_line() {
    let lost = "fen 7k/5K2/8/8/8/8/8/1RQ5 b - - 0 1";
    for (start, told, wins) in [("startpos", "proved", "0"), (lost, "no", "1")] {
        let mut client = Client::start();
        client.send(&format!("position {start}"));
        let (lines, moves) = client.search("go nodes 100000");
        assert_eq!(lines[lines.len() - 2], format!("info string safe: {told}"), "{lines:?}");
        client.send(&format!("position {start} moves {}", moves.join(" ")));
        client.send("solve");
        let solved = client.until("solved").pop().unwrap_or_default();
        assert_eq!(solved.split(' ').nth(1), Some(wins), "{start}: {moves:?}");
    }
}

#[test]
fn one_move_at_a_time_for_clients_that_ask_for_it() {
    let mut client = Client::start();
    client.send("setoption name BestMove value single");
    let mut moves = "e2e4".to_string();
    for _ in 0..2 {
        client.send(&format!("position startpos moves {moves}"));
        let (_, single) = client.search("go movetime 50");
        assert_eq!(single.len(), 1);
        moves = format!("{moves} {}", single[0]);
    }
    assert_eq!(game("scottish", &moves).position().turn(), 3);
}

#[test]
fn the_first_move_may_be_given() {
    let mut client = Client::start();
    client.send("position startpos moves e2e4");
    let (_, moves) = client.search("go movetime 100 searchmoves d7d5");
    assert_eq!(moves.first().map(String::as_str), Some("d7d5"), "{moves:?}");
    assert!(completes(&game("scottish", "e2e4"), &moves));
}

#[test]
fn without_a_legal_move_there_is_no_best_move() {
    let mut client = Client::start();
    client.send("position startpos moves f2f3 e7e5 d7d6 g2g4 a2a3 a3a4 d8h4");
    let status = client.line("status");
    assert!(status.ends_with("check yes result black-checkmate"), "{status}");
    assert_eq!(client.line("legal"), "legal");
    assert_eq!(client.line("go movetime 1000"), "bestmove (none)");
    client.send("go infinite");
    assert_eq!(client.ask(&[]), [""; 0], "it waits for its word");
    assert_eq!(client.line("stop"), "bestmove (none)");
}

#[test]
fn what_is_wrong_in_a_go_is_named_and_the_rest_counts() {
    let mut client = Client::start();
    for (wrong, named) in [
        ("depth -1", "'-1'"),
        ("depth 1000000000000000000000000000000", "'1000000000000000000000000000000'"),
        ("depth 256", "'256'"),
        ("movestogo 10000", "'10000'"),
        ("mate 999", "'999'"),
        ("nodes many", "'many'"),
        ("wtime -5", "'-5'"),
        ("movetime", "movetime needs a number"),
        ("quickly", "'quickly'"),
        ("searchmoves e2e5", "e2e5 is illegal"),
    ] {
        let (lines, moves) = client.search(&format!("go {wrong} movetime 50"));
        let errors: Vec<&String> =
            lines.iter().filter(|line| line.starts_with("info string error")).collect();
        assert_eq!(errors.len(), 1, "{wrong}: {lines:?}");
        assert!(errors[0].contains(named), "{wrong}: {}", errors[0]);
        assert!(completes(&game("scottish", ""), &moves), "{wrong}: {moves:?}");
    }
    for alone in ["go depth x", "go wtime -100 btime 100", "go"] {
        let (_, moves) = client.search(alone);
        assert!(completes(&game("scottish", ""), &moves), "{alone}: {moves:?}");
    }
}

#[test]
fn readyok_comes_at_once_while_a_search_runs() {
    let mut client = Client::start();
    client.send("go infinite");
    for _ in 0..3 {
        client.send("isready");
        let lines = client.until("readyok");
        assert!(lines.iter().all(|line| !line.starts_with("bestmove")));
    }
    let (_, moves) = client.search("stop");
    assert!(completes(&game("scottish", ""), &moves));
    assert_eq!(client.ask(&["stop"]), [""; 0], "a second stop means nothing");
}

#[test]
fn an_open_search_never_ends_by_itself() {
    // One legal move: there is nothing to think about.
    let forced = "position fen 7k/8/8/8/8/8/5r2/7K w - - 0 1";
    for open in ["go infinite", "go ponder wtime 1 btime 1", "go infinite depth 1", "go ponder"] {
        let mut client = Client::start();
        client.send(forced);
        client.send(open);
        thread::sleep(Duration::from_millis(300));
        let early = client.ask(&[]);
        assert!(early.iter().all(|line| line.starts_with("info ")), "{open}: {early:?}");
        let (_, moves) = client.search("stop");
        assert_eq!(moves, ["h1g1"]);
    }
}

#[test]
fn ponderhit_starts_the_clock() {
    for limits in ["wtime 1000 btime 1000", "movetime 100", "depth 1", ""] {
        let mut client = Client::start();
        client.send(&format!("go ponder {limits}"));
        let early = client.ask(&[]);
        assert!(early.iter().all(|line| line.starts_with("info ")), "{limits}: {early:?}");
        client.send("ponderhit");
        client.until("bestmove");
        assert_eq!(client.ask(&["ponderhit"]), [""; 0]);
    }
}

#[test]
fn jobs_with_an_end_keep_what_follows_waiting() {
    let mut client = Client::start();
    client.send("perft 2\nposition startpos moves e2e4 e7e5\nperft 1\nfen\nperft moves 1");
    let words: Vec<String> = (0..4)
        .map(|_| client.next().unwrap().split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    let fen = "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    assert_eq!(words, ["perft 8902", "perft 29", fen, "perft 29"]);
}

#[test]
fn an_open_search_gives_way_to_what_follows() {
    for next in ["position startpos moves e2e4", "ucinewgame", "perft 1", "go movetime 10"] {
        let mut client = Client::start();
        client.send("go infinite");
        client.send(next);
        client.until("bestmove");
        client.send("isready");
        if next.starts_with("go") {
            client.until("bestmove");
        }
        let (_, moves) = client.search("go movetime 10");
        assert!(!moves.is_empty());
    }
}

#[test]
fn questions_and_options_do_not_disturb_an_open_search() {
    let mut client = Client::start();
    client.send("go infinite");
    client.send("setoption name MultiPV value 2");
    client.send("fen");
    let lines = client.until("fen");
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")), "{lines:?}");
    let (_, moves) = client.search("stop");
    assert_eq!(moves.len(), 1);
}

#[test]
fn a_stop_is_meant_for_all_that_waits() {
    let mut client = Client::start();
    client.send("setoption name OwnBook value false");
    client.send("perft 9\nperft 8\ngo infinite\ngo movetime 100000\nstop\nisready");
    client.until("readyok");
    let rest: Vec<String> = std::iter::from_fn(|| client.next())
        .filter(|line| !line.starts_with("info depth") && !line.starts_with("info string safe"))
        .take(4)
        .collect();
    assert_eq!(rest[..2], ["info string perft stopped", "info string perft stopped"]);
    assert!(rest[2..].iter().all(|line| !series(line).is_empty()), "{rest:?}");
}

#[test]
fn a_count_can_be_stopped() {
    let mut client = Client::start();
    client.send("perft 9");
    assert_eq!(client.ask(&[]), [""; 0]);
    assert_eq!(client.line("stop"), "info string perft stopped");
    assert!(client.line("perft 1").starts_with("perft 20 distinct 20 "));
}

#[test]
fn quit_ends_at_once_and_a_search_answers_before() {
    for (job, answer) in [
        ("go infinite", "bestmove "),
        ("go ponder", "bestmove "),
        ("go movetime 100000", "bestmove "),
        ("perft 9", "info string perft stopped"),
        ("solve all\nperft 9\ngo infinite", "unsolved "),
    ] {
        let mut client = Client::start();
        // A position that nobody solves in no time.
        client.send("position startpos series 9");
        client.send(job);
        client.send("quit\ngo infinite\nisready");
        let lines = client.end();
        let last = lines.last().unwrap_or_else(|| panic!("{job}: no answer"));
        assert!(last.starts_with(answer), "{job}: {lines:?}");
    }
}

#[test]
fn at_the_end_of_input_jobs_with_an_end_are_done_and_open_ones_stopped() {
    let mut client = Client::start();
    client.send("go infinite\nperft 1\ngo movetime 50\nposition startpos moves e2e4\nfen");
    client.send_bytes(b"perft moves 2\ngo infinite");
    let lines: Vec<String> =
        client.end().into_iter().filter(|line| !line.starts_with("info ")).collect();
    let words: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(words, ["bestmove", "perft", "bestmove", "fen", "perft", "bestmove"], "{lines:?}");
}

#[test]
fn nobody_reading_is_the_end_too() {
    let mut client = Client::start();
    client.send("go infinite");
    client.desert();
}

#[test]
fn every_command_is_answered_once_whatever_the_order() {
    const COMMANDS: [&str; 14] = [
        "go infinite",
        "go movetime 2",
        "go ponder wtime 20 btime 20",
        "go mate 1 nodes 200",
        "stop",
        "ponderhit",
        "isready",
        "fen",
        "perft 1",
        "solve nodes 100",
        "position startpos moves e2e4 e7e5",
        "position startpos series 4 variant italian",
        "setoption name MultiPV value 2",
        "ucinewgame",
    ];
    let mut client = Client::start();
    let mut state: u64 = 7;
    let sent: Vec<&str> = (0..400)
        .map(|_| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            COMMANDS[(state >> 33) as usize % COMMANDS.len()]
        })
        .collect();
    sent.iter().for_each(|line| client.send(line));
    let lines = client.end();
    let asked = |word: &str| sent.iter().filter(|line| line.starts_with(word)).count();
    let told = |words: &[&str]| {
        lines.iter().filter(|line| words.iter().any(|word| line.starts_with(word))).count()
    };
    assert_eq!(told(&["bestmove "]), asked("go "));
    assert_eq!(told(&["perft ", "info string perft stopped"]), asked("perft "));
    assert_eq!(told(&["solved ", "unsolved "]), asked("solve "));
    assert_eq!(told(&["readyok"]), asked("isready"));
    assert_eq!(told(&["fen "]), asked("fen"));
    assert_eq!(told(&["info string error", "bestmove (none)"]), 0);
}

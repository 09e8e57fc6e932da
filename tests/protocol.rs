//! The protocol, spoken with the real binary: the handshake, options, positions and what is told
//! about them.

mod client;

use client::{Client, completes, game};
use crescendo::rules::variants;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn the_handshake_offers_every_option() {
    let mut client = Client::start();
    client.send("uci");
    let lines = client.until("uciok");
    assert!(lines[0].starts_with("id name Crescendo "), "{}", lines[0]);
    assert!(lines[1].starts_with("id author "), "{}", lines[1]);
    let options: Vec<(&str, &str)> = lines[2..lines.len() - 1]
        .iter()
        .map(|line| {
            let option = line.strip_prefix("option name ").expect("an option");
            let (name, rest) = option.split_once(" type ").expect("a type");
            (name, rest.split(' ').next().unwrap())
        })
        .collect();
    let expected = [
        ("Hash", "spin"),
        ("Threads", "spin"),
        ("MultiPV", "spin"),
        ("Ponder", "check"),
        ("Move Overhead", "spin"),
        ("UCI_Variant", "combo"),
        ("SeriesLength", "spin"),
        ("BestMove", "combo"),
        ("QuietRule", "combo"),
        ("OwnBook", "check"),
    ];
    assert_eq!(options, expected);
    let variants_line = lines.iter().find(|line| line.contains("UCI_Variant")).unwrap();
    for rules in &variants::ALL {
        assert!(variants_line.contains(&format!(" var {}", rules.name)), "{}", rules.name);
    }
}

#[test]
fn nothing_is_said_unasked() {
    let mut client = Client::start();
    assert_eq!(client.ask(&["", "  \t", "debug on", "ucinewgame"]), [""; 0]);
    assert_eq!(client.ask(&["stop", "ponderhit"]), [""; 0]);
    assert_eq!(client.end(), [""; 0]);
}

#[test]
fn bad_options_are_named_and_change_nothing() {
    let mut client = Client::start();
    for (wrong, named) in [
        ("name Hash value 0", "'0'"),
        ("name Hash value 99999999999999999999999", "'99999999999999999999999'"),
        ("name Hash", "needs a value"),
        ("name Contempt value 3", "'Contempt'"),
        ("name UCI_Variant value chess", "'chess'"),
        ("Hash 3", "'setoption Hash 3'"),
        ("", "'setoption'"),
    ] {
        let answer = client.ask(&[&format!("setoption {wrong}")]);
        assert_eq!(answer.len(), 1, "{wrong}: {answer:?}");
        assert!(answer[0].starts_with("info string error: "), "{}", answer[0]);
        assert!(answer[0].contains(named), "{wrong}: {}", answer[0]);
    }
    assert_eq!(client.ask(&["setoption name move overhead value 5"]), [""; 0]);
}

#[test]
fn a_position_may_stand_inside_a_series() {
    let mut client = Client::start();
    client.send("position startpos moves e2e4 e7e5");
    let boundary = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 2";
    assert_eq!(client.line("fen"), format!("fen {boundary} moves e7e5"));
    let status = "status turn 2 side black allowance 2 played 1 check no result none";
    assert_eq!(client.line("status"), status);
    let game = game("scottish", "e2e4 e7e5");
    let mut legal: Vec<String> =
        game.position().legal_moves().iter().map(|mv| mv.to_string()).collect();
    legal.sort();
    assert_eq!(client.line("legal"), format!("legal {}", legal.join(" ")));
    let (_, moves) = client.search("go movetime 50");
    assert_eq!(moves.len(), 1);
    assert!(completes(&game, &moves));
}

#[test]
fn a_variant_of_a_position_is_its_own_and_the_option_is_for_all() {
    let mut client = Client::start();
    let checks = "moves e2e4 f7f6 g7g5";
    client.send(&format!("position startpos variant italian {checks}"));
    assert!(!client.line("legal").contains("d1h5"), "an early check is illegal");
    client.send(&format!("position startpos {checks}"));
    assert!(client.line("legal").contains("d1h5"));
    client.send("setoption name uci_variant value Italian");
    client.send(&format!("position startpos {checks}"));
    assert!(!client.line("legal").contains("d1h5"));
    client.send("ucinewgame");
    let board = client.ask(&["d"]);
    assert!(board.iter().any(|line| line.starts_with("variant italian")), "{board:?}");
}

#[test]
fn a_series_length_stands_in_for_a_missing_turn_number() {
    let mut client = Client::start();
    client.send("setoption name SeriesLength value 8");
    assert!(client.line("status").starts_with("status turn 8 side white allowance 8 "));
    client.send("position startpos series 3");
    assert!(client.line("status").starts_with("status turn 3 side white allowance 3 "));
    client.send("position fen 4k3/8/8/8/8/8/8/4K2R b K - 0 40");
    assert!(client.line("status").starts_with("status turn 8 side black allowance 8 "));
    client.send("setoption name SeriesLength value 0");
    client.send("position fen 4k3/8/8/8/8/8/8/4K2R b K - 0 40");
    assert!(client.line("status").starts_with("status turn 40 side black allowance 40 "));
}

#[test]
fn a_refused_position_leaves_none() {
    for (wrong, named) in [
        ("fen 8/8/8/8/8/8/8/8 w - - 0 1", "kings"),
        ("fen rnbqkbnr w", "'rnbqkbnr'"),
        ("fen", "board"),
        ("fen 4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "castling right Q"),
        ("fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "black has just moved and is in check"),
        ("startpos moves e2e5", "move 1: e2e5 is illegal: a pawn cannot go there"),
        ("startpos moves e2e4 e7e5 g8f6 0000", "move 4: '0000'"),
        ("startpos moves e2e4 e7e5 / g8f6", "after move 2"),
        ("startpos series 0", "'0'"),
        ("startpos variant bughouse", "'bughouse'"),
        ("sideways", "'sideways'"),
        ("", "startpos or fen"),
    ] {
        let mut client = Client::start();
        let answer = client.ask(&["position startpos", &format!("position {wrong}")]);
        assert_eq!(answer.len(), 1, "{wrong}: {answer:?}");
        assert!(answer[0].starts_with("info string error: "), "{wrong}: {}", answer[0]);
        assert!(answer[0].contains(named), "{wrong}: {}", answer[0]);
        let (_, moves) = client.search("go movetime 50");
        assert_eq!(moves, [""; 0], "{wrong}");
        for question in ["d", "fen", "legal", "status", "eval", "perft 2", "solve"] {
            let answer = client.line(question);
            assert!(answer.starts_with("info string error: there is no position"), "{answer}");
        }
        client.send("position startpos");
        assert_eq!(client.line("fen"), format!("fen {START}"));
    }
}

#[test]
fn results_are_told_by_status() {
    let mut client = Client::start();
    for (position, result) in [
        ("fen 8/8/8/8/8/8/8/K1k5 w - - 0 3", "draw-dead"),
        ("fen 8/8/8/8/8/8/8/K1k5 w - - 0 3 variant takeall", "none"),
        ("fen k7/2Q5/8/8/8/8/8/7K b - - 0 4", "draw-stalemate"),
        ("fen k7/1Q6/1K6/8/8/8/8/8 b - - 0 4", "white-checkmate"),
        ("fen 4k3/p7/8/8/8/8/8/4K3 b - - 10 4", "draw-quiet"),
        ("fen 4k3/p7/8/8/8/8/8/4K3 b - - 9 4", "none"),
        ("fen 4k3/p7/8/8/8/8/8/4K3 b - - 100 4 variant marseillais", "draw-fifty"),
        ("fen 8/8/8/8/8/8/1r6/R3k3 w - - 0 3 variant takeall moves a1e1 e1e2", "none"),
        (
            "fen 8/8/8/8/8/8/1r6/R3k3 w - - 0 3 variant takeall moves a1e1 e1e2 e2b2",
            "white-takeall",
        ),
    ] {
        client.send(&format!("position {position}"));
        let status = client.line("status");
        assert_eq!(status.split(" result ").nth(1), Some(result), "{position}: {status}");
    }
    client.send("setoption name QuietRule value claim");
    client.send("position fen 4k3/p7/8/8/8/8/8/4K3 b - - 10 4");
    assert!(client.line("status").ends_with("result none"));
}

#[test]
fn counts_come_in_the_words_of_the_protocol() {
    let mut client = Client::start();
    let counted = client.line("perft 2");
    let known = "perft 8902 distinct 5362 mates 0 italianmates 0 stalemates 0 checks 12 time ";
    assert!(counted.starts_with(known), "{counted}");
    let rest: Vec<&str> = counted[known.len()..].split(' ').collect();
    assert!(rest.len() == 3 && rest[1] == "nps", "{counted}");
    client.send("go perft divide 1");
    let divided = client.until("perft");
    assert_eq!(divided.len(), 21);
    assert!(divided.contains(&"e2e4: 1".to_string()));
    let plain = client.line("perft nodistinct moves 2");
    assert!(plain.starts_with("perft 400 mates 0 "), "{plain}");
}

//! Single moves in writing: what is written, what is understood, and what is said about the rest.

mod common;

use common::{rows, text};
use crescendo::notation::{self, Letters, MoveError, Style};
use crescendo::position::IllegalReason;
use crescendo::rules::variants;
use crescendo::{Game, Position};
use proptest::prelude::*;

fn position(variant: &str, pfen: &str) -> Position {
    Position::from_pfen(pfen, variants::find(variant).unwrap()).unwrap()
}

fn start() -> Position {
    Position::start(variants::default())
}

fn english() -> &'static Letters {
    Letters::english()
}

#[test]
fn recorded_games_survive_writing_and_reading() {
    for record in rows("games.jsonl") {
        let rules = variants::find(text(&record, "variant")).unwrap();
        let first = record["boundaries"][0].as_str().unwrap();
        let mut game = Game::new(Position::from_pfen(first, rules).unwrap());
        for mv in text(&record, "moves").split_whitespace() {
            game.play(mv.parse().unwrap()).unwrap();
        }
        for letters in &notation::ALL {
            for style in [Style::San(letters), Style::Long] {
                let score = game.score(style);
                let mut read = Game::new(*game.start());
                read.play_score(&score, letters).unwrap_or_else(|e| {
                    panic!("{} {}: {e}\n{score}", rules.name, letters.language)
                });
                assert_eq!(read.moves(), game.moves(), "{score}");
            }
        }
    }
}

#[test]
fn a_series_is_written_without_numbers() {
    let moves = ["e7e5", "g8f6"].map(|mv| mv.parse().unwrap());
    let mut after_e4 = start();
    after_e4.play("e2e4".parse().unwrap()).unwrap();
    assert_eq!(after_e4.write_series(&moves, Style::San(english())), "e5 Nf6");
    assert_eq!(after_e4.write_series(&moves, Style::Long), "e7e5 g8f6");
    assert_eq!(after_e4.read_series("e5 Nf6", english()).unwrap(), moves);
}

#[test]
fn moves_are_written_in_the_letters_of_a_language() {
    let promoting = position("scottish", "6k1/3P4/8/8/8/8/8/R3K2N w Q - 0 9");
    for (language, expected) in [
        ("english", ["d8=Q+", "d8=R+", "d8=B", "d8=N", "Ng3", "Ke2", "Ra4", "O-O-O"]),
        ("spanish", ["d8=D+", "d8=T+", "d8=A", "d8=C", "Cg3", "Re2", "Ta4", "O-O-O"]),
        ("italian", ["d8=D+", "d8=T+", "d8=A", "d8=C", "Cg3", "Re2", "Ta4", "O-O-O"]),
        ("german", ["d8=D+", "d8=T+", "d8=L", "d8=S", "Sg3", "Ke2", "Ta4", "O-O-O"]),
        ("french", ["d8=D+", "d8=T+", "d8=F", "d8=C", "Cg3", "Re2", "Ta4", "O-O-O"]),
        ("greek", ["δ8=Β+", "δ8=Π+", "δ8=Α", "δ8=Ι", "Ιη3", "Ρε2", "Πα4", "O-O-O"]),
    ] {
        let letters = Letters::find(language).unwrap();
        let moves = ["d7d8q", "d7d8r", "d7d8b", "d7d8n", "h1g3", "e1e2", "a1a4", "e1c1"];
        for (mv, expected) in moves.into_iter().zip(expected) {
            assert_eq!(promoting.san(mv.parse().unwrap(), letters), expected, "{language}");
        }
    }
}

#[test]
fn the_square_left_is_told_only_as_far_as_needed() {
    for (variant, pfen, mv, expected) in [
        // Two knights on different files, then on one file, then three queens.
        ("scottish", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 5", "b1d2", "Nbd2"),
        ("scottish", "4k3/8/8/1N6/8/1N6/8/4K3 w - - 0 5", "b3d4", "N3d4"),
        ("scottish", "8/8/7k/8/Q2Q4/8/8/Q3K3 w - - 0 5", "a4d1", "Qa4d1"),
        // The other knight is pinned.
        ("scottish", "4k3/4r3/8/8/8/2N1N3/8/4K3 w - - 0 5", "c3d5", "Nd5"),
        // The other rook would uncover a check: forbidden here in one game and allowed in the other.
        ("italian", "7k/8/8/8/3R4/8/1Q6/R3K3 w - - 0 5", "a1a4", "Ra4"),
        ("scottish", "7k/8/8/8/3R4/8/1Q6/R3K3 w - - 0 5", "a1a4", "Raa4"),
    ] {
        let position = position(variant, pfen);
        assert_eq!(position.san(mv.parse().unwrap(), english()), expected, "{pfen}");
    }
}

#[test]
fn checks_mates_and_the_last_capture_are_marked() {
    for (variant, pfen, mv, expected) in [
        ("scottish", "4k3/8/8/8/8/8/8/R3K3 w - - 0 3", "a1a8", "Ra8+"),
        ("scottish", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 3", "a1a8", "Ra8#"),
        ("takeall", "k7/8/8/8/8/8/8/R3K3 w - - 0 3", "a1a8", "Rxa8#"),
        ("takeall", "k7/8/7p/8/8/8/8/R3K3 w - - 0 3", "a1a8", "Rxa8"),
        ("takeall", "4k3/P7/8/8/8/8/8/4K3 w - - 0 3", "a7a8k", "a8=K"),
    ] {
        let position = position(variant, pfen);
        assert_eq!(position.san(mv.parse().unwrap(), english()), expected, "{variant} {pfen}");
        assert_eq!(position.read_move(expected, english()).unwrap().to_string(), mv);
    }
}

#[test]
fn a_rebirth_follows_in_brackets() {
    for (pfen, mv, expected) in [
        ("4n2k/8/8/8/8/8/8/K3R3 w - - 0 1", "e1e8", "Rxe8(Ng8)"),
        ("7k/8/8/8/3p4/4P3/8/K7 w - - 0 1", "e3d4", "exd4(d7)"),
        ("2b4k/1P6/8/8/8/8/8/K7 w - - 0 1", "b7c8q", "bxc8=Q+"),
        ("7k/1P6/8/8/8/8/8/K7 w - - 0 1", "b7b8q", "b8=Q+"),
    ] {
        let position = position("scottish-circe", pfen);
        assert_eq!(position.san(mv.parse().unwrap(), english()), expected, "{pfen}");
        assert_eq!(position.read_move(expected, english()).unwrap().to_string(), mv);
    }
    let position = position("scottish-circe", "4n2k/8/8/8/8/8/8/K3R3 w - - 0 1");
    for right in ["Rxe8", "Re8 (Ng8)", "e1e8(Ng8)", "Rxe8+(Ng8)!"] {
        assert_eq!(position.read_move(right, english()).unwrap().to_string(), "e1e8", "{right}");
    }
    for wrong in ["Rxe8(Nb8)", "Rxe8(g8)", "Rxe8(Bg8)"] {
        let error = position.read_move(wrong, english()).unwrap_err();
        assert_eq!(error.to_string(), "the knight that is taken is reborn on g8", "{wrong}");
    }
    let error = position.read_move("Re2(Ng8)", english()).unwrap_err();
    assert_eq!(error, MoveError::Rebirth(None));
}

#[test]
fn many_ways_to_write_a_move_are_understood() {
    let promoting = position("scottish", "3nk3/4P3/8/8/8/8/8/R3K2R w KQ - 0 9");
    for (mv, texts) in [
        ("e7d8q", "exd8=Q ed8Q exd8(Q) e:d8=Q ed8=Q+ e7d8q e7d8Q e7-d8=Q e7xd8Q exd8=q e7xd8(Q)!!"),
        ("e1g1", "O-O 0-0 o-o O–O 0-0! e1g1 e1-g1 Ke1-g1"),
        ("e1c1", "O-O-O 0-0-0 0-0-0+ e1c1"),
        ("a1a4", "Ra4 a1a4 Ra1a4 R1a4 Ra1-a4 Ra4+ Ra4# Rxa4 R:a4"),
    ] {
        for text in texts.split_whitespace() {
            let read = promoting.read_move(text, english());
            assert_eq!(read.map(|mv| mv.to_string()).as_deref(), Ok(mv), "{text}");
        }
    }
    let en_passant = position("scottish", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 2");
    for text in ["dxe3", "de3", "d:e3", "dxe3e.p.", "dxe3 e.p.", "dxe3ep", "dxe3 e.p. +", "d4e3"] {
        let read = en_passant.read_move(text, english());
        assert_eq!(read.map(|mv| mv.to_string()).as_deref(), Ok("d4e3"), "{text}");
    }
}

#[test]
fn greek_is_read_with_greek_and_latin_files() {
    let greek = Letters::find("Greek").unwrap();
    for (text, mv) in
        [("Ιζ3", "g1f3"), ("Ιf3", "g1f3"), ("ε4", "e2e4"), ("ε2-ε4", "e2e4"), ("e2e4", "e2e4")]
    {
        assert_eq!(start().read_move(text, greek).unwrap().to_string(), mv, "{text}");
    }
    // Letters of men are those of the language alone.
    assert_eq!(start().read_move("Nf3", greek), Err(MoveError::Unreadable));
    assert_eq!(start().read_move("Ιζ3", english()), Err(MoveError::Unreadable));
}

#[test]
fn a_small_promotion_letter_is_english_first() {
    let takeall = position("takeall", "4k3/P7/8/8/8/8/8/4K3 w - - 0 9");
    let spanish = Letters::find("spanish").unwrap();
    for (text, mv) in [("a7a8r", "a7a8r"), ("a8=R", "a7a8k"), ("a8d", "a7a8q"), ("a7a8k", "a7a8k")]
    {
        assert_eq!(takeall.read_move(text, spanish).unwrap().to_string(), mv, "{text}");
    }
}

#[test]
fn a_kings_step_is_told_from_castling() {
    let takeall = position("takeall", "4k3/8/8/8/8/8/5K2/4K2R w K - 0 9");
    for (text, mv) in [("Kg1", "f2g1"), ("O-O", "e1g1"), ("e1g1", "e1g1"), ("f2g1", "f2g1")] {
        assert_eq!(takeall.read_move(text, english()).unwrap().to_string(), mv, "{text}");
    }
    assert_eq!(takeall.san("f2g1".parse().unwrap(), english()), "Kg1");
}

#[test]
fn what_is_no_move_is_unreadable() {
    for text in [
        "",
        " ",
        "e9",
        "i4",
        "xe4",
        "dd4",
        "2e4",
        "-e4",
        "e2--e4",
        "e2xx",
        "Xf3",
        "nf3",
        "e4e",
        "()",
        "(Q)",
        "e4(",
        "e4)",
        "e4(Q)(Q)",
        "e4=Q(Q)",
        "Nf3(zz)",
        "O-O-O-O",
        "OO",
        "O-O(Q)",
        "0000",
        "♞",
        "é",
        "=Q",
        "Ng1g1f3",
        "Pe4",
        "+",
        "e.p.",
        "e2e4 e7e5",
    ] {
        assert_eq!(start().read_move(text, english()), Err(MoveError::Unreadable), "{text}");
    }
}

#[test]
fn a_text_that_fits_two_moves_is_ambiguous() {
    let knights = position("scottish", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 5");
    let error = knights.read_move("Nd2", english()).unwrap_err();
    assert_eq!(error.to_string(), "this may be b1d2 or f1d2");
}

#[test]
fn an_illegal_move_is_told_why() {
    let cases = [
        ("scottish", "4k3/8/8/8/8/8/8/4K1N1 w - - 0 5", "Nd4", "a knight cannot go there"),
        ("scottish", "4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 5", "Nd5", "the king would be left in check"),
        (
            "italian",
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 5",
            "Ra8+",
            "only the last move of the series may give check",
        ),
        ("scottish", "4k3/8/8/8/8/8/8/4K2R w - - 0 5", "O-O", "castling is not possible"),
        ("scottish", "4k3/8/8/8/8/8/8/4K2R w - - 0 5", "e1g1", "castling is not possible"),
        ("scottish", "4k3/8/8/8/8/8/8/4K2R w - - 0 5", "a2a3", "a2 is empty"),
        (
            "scottish",
            "4k3/8/8/8/8/8/8/4K2R w - - 0 5",
            "e8e7",
            "the unit on e8 belongs to the opponent",
        ),
        ("scottish", "4k3/8/8/8/8/8/8/4K2R w - - 0 5", "Qh5", "no queen can go to h5 like that"),
        (
            "scottish",
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 5",
            "exd6",
            "nothing can be taken en passant there now",
        ),
        (
            "scottish",
            "7k/P7/8/8/8/8/8/4K3 w - - 0 5",
            "a8",
            "say what the pawn becomes: queen, rook, bishop, knight",
        ),
        (
            "scottish",
            "7k/P7/8/8/8/8/8/4K3 w - - 0 5",
            "a8=K",
            "say what the pawn becomes: queen, rook, bishop, knight",
        ),
        (
            "scottish",
            "R6k/6pp/8/8/8/8/8/4K3 b - - 0 5",
            "g6",
            "the game has ended before (white-checkmate)",
        ),
    ];
    for (variant, pfen, text, reason) in cases {
        let error = position(variant, pfen).read_move(text, english()).unwrap_err();
        assert_eq!(error.to_string(), reason, "{text} in {pfen}");
    }
}

#[test]
fn the_rule_is_named_if_it_stops_all_that_could_go() {
    // Both knights reach d5 and both are pinned; of the rooks only one could reach d1.
    let pinned = position("scottish", "1k2r3/8/8/b7/8/2N1N3/8/R3K3 w - - 0 5");
    let MoveError::Illegal(illegal) = pinned.read_move("Nd5", english()).unwrap_err() else {
        panic!("a rule is named")
    };
    assert_eq!(illegal.reason, IllegalReason::KingAttacked);
    let blocked = position("italian", "3k4/8/8/8/8/8/8/R3K2R w - - 0 5");
    let error = blocked.read_move("Rd1", english()).unwrap_err();
    assert_eq!(error.to_string(), "only the last move of the series may give check");
}

#[test]
fn every_legal_move_has_a_name_of_its_own() {
    let greek = Letters::find("greek").unwrap();
    for row in rows("perft.jsonl") {
        let position = position(text(&row, "variant"), text(&row, "fen"));
        for letters in [english(), greek] {
            for mv in position.legal_moves() {
                let name = position.san(mv, letters);
                assert_eq!(position.read_move(&name, letters), Ok(mv), "{name} in {row}");
            }
        }
    }
}

/// Positions where much is possible: promotion, castling, en passant, rebirth.
fn rich_positions() -> Vec<Position> {
    let pfen = "r3k2r/1P3pp1/8/2pPp3/4n3/2N1Q3/PP3PPP/R3K2R w KQkq c6e6 0 5";
    variants::ALL.iter().map(|rules| Position::from_pfen(pfen, rules).unwrap()).collect()
}

proptest! {
    #[test]
    fn whatever_is_read_is_legal(text in "[a-hO0KQRNβε]?[a-h1-8α]{0,3}[-x:]?[a-h1-8O0]{2}[-=(]?[O0QRKNq]?[)+#]?.?") {
        for position in rich_positions() {
            for letters in &notation::ALL {
                if let Ok(mv) = position.read_move(&text, letters) {
                    prop_assert!(position.is_legal(mv), "{text}");
                    let name = position.san(mv, letters);
                    prop_assert_eq!(position.read_move(&name, letters), Ok(mv));
                }
            }
        }
    }

    #[test]
    fn any_text_is_a_score_or_has_a_fault(text in "([1-9]\\.+|[a-h][3-6]|[NBRQ][a-h][1-8]|[-/,;*(]|\\PC| ){0,20}") {
        let mut game = Game::new(start());
        let played = game.play_score(&text, english());
        let mut again = Game::new(start());
        prop_assert_eq!(again.play_score(&game.score(Style::Long), english()), Ok(()));
        prop_assert_eq!(again.moves(), game.moves());
        if let Err(error) = played {
            prop_assert_eq!(error.turn, game.position().turn());
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}

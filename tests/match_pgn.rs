//! PGN: what ordinary readers need, and what `check` makes of it.

use crescendo::notation::pgn;
use crescendo::rules::variants;
use crescendo::{Game, Position};

fn game(variant: &str, start: Option<&str>, moves: &str) -> Game {
    let rules = variants::find(variant).unwrap();
    let start = start.map_or(Position::start(rules), |t| Position::from_pfen(t, rules).unwrap());
    let mut game = Game::new(start);
    moves.split_whitespace().for_each(|mv| game.play(mv.parse().unwrap()).unwrap());
    game
}

#[test]
fn who_waits_passes() {
    let game = game("scottish", None, "e2e4 e7e5 g8f6 f1c4 d1h5 h5f7");
    let written = pgn::write(&game, &[("White", "A \"x\" \\ B"), ("Result", "1-0")]);
    let expected = r#"[White "A \"x\" \\ B"]
[Result "1-0"]
[ProgressiveVariant "scottish"]

{1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#} 1. e4 e5 2. -- Nf6 3. Bc4 -- 4. Qh5 -- 5. Qxf7#
1-0

"#;
    assert_eq!(written, expected);
}

#[test]
fn positions_are_told_twice() {
    let start = "4k3/8/8/8/3P1P2/8/8/4K3 b - d3f3 2 6";
    let written = pgn::write(&game("italian", Some(start), "e8e7 e7e6"), &[]);
    for line in [
        "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/3P1P2/8/8/4K3 b - - 2 6\"]\n",
        "[StartPosition \"4k3/8/8/8/3P1P2/8/8/4K3 b - d3f3 2 6\"]\n",
        "{6.Ke7 Ke6} 6... Ke7 7. -- Ke6 *\n",
    ] {
        assert!(written.contains(line), "{written}");
    }
}

#[test]
fn rebirth_stands_in_a_comment() {
    let game = game("scottish-circe", None, "e2e4 d7d5 g8f6 e4d5 d5d6 d6c7");
    let written = pgn::write(&game, &[]);
    let moves = written.split("} 1. ").nth(1).unwrap().replace('\n', " ");
    assert_eq!(moves.trim(), "e4 d5 2. -- Nf6 3. exd5 {d7 is reborn} 3... -- 4. d6 -- 5. dxc7 *");
}

#[test]
fn moves_are_told_apart_for_those_who_know_less() {
    // The knight on f3 has moved and has to wait for the others, which ordinary rules do not know.
    let start = "4k3/8/8/8/8/6P1/4K1P1/1N6 w - - 0 5";
    let game = game("english", Some(start), "b1d2 e2f2 g3g4 g2g3");
    assert!(pgn::write(&game, &[]).contains("5. Nd2 -- 6. Kf2 -- 7. g4 -- 8. g3 *"));
    let start = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 2";
    let two = self::game("english", Some(start), "b1d2 e1e2");
    assert!(pgn::write(&two, &[]).contains("2. Nb1d2 -- 3. Ke2 *"));
}

#[test]
fn what_is_written_is_read_back() {
    let played = "d2d4 d7d5 c7c5 d4c5 c5c6 c6b7 b7a6 c8a6";
    for variant in ["scottish", "scottish-circe", "marseillais"] {
        let rules = variants::find(variant).unwrap();
        let mut game = Game::new(Position::start(rules));
        for mv in played.split(' ') {
            if game.play(mv.parse().unwrap()).is_err() {
                break;
            }
        }
        let text = pgn::write(&game, &[("Result", "*")]).repeat(2);
        let read = pgn::read(&text);
        assert_eq!(read.len(), 2);
        for one in &read {
            assert_eq!(one.tag(pgn::VARIANT_TAG), Some(variant));
            let replayed = one.replay(Position::start(rules)).unwrap();
            assert_eq!(replayed.moves(), game.moves());
        }
    }
}

#[test]
fn games_of_others_are_read() {
    let text = "\u{feff}% escaped\n[White \"A \\\"B\\\"\"]\n\n1.e4! {a comment\n\n[with \"tags\"]} e5 $1 ; to the end\n\
        2. -- (2. Nf3 {no} (2. d4)) 2... Nf6 3.Bc4 @@@@ 4. Qh5 -- 5. Qxf7# 1-0\n\
        [White \"C\"]\n[Black \"D\"]\n1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#";
    let games = pgn::read(text);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].tag("White"), Some("A \"B\""));
    assert_eq!((games[0].line, games[1].line), (2, 8));
    for game in &games {
        let game = game.replay(Position::start(variants::default())).unwrap();
        assert!(game.position().is_lost(), "{:?}", game.moves());
    }
    let wrong = pgn::read("[White \"A\"]\n1. e4 e5 2. -- Qh5 *");
    let error = wrong[0].replay(Position::start(variants::default())).unwrap_err();
    assert_eq!(error.to_string(), "turn 2 move 2 (Qh5): a queen cannot go there");
}

//! Random games of every variant, replayed: legal moves, position text and results must agree
//! with an independent implementation.

mod common;

use common::{rows, text};
use crescendo::rules::variants;
use crescendo::{Game, Position};

#[test]
fn every_recorded_game_replays() {
    let games = rows("games.jsonl");
    assert!(games.len() >= 144);
    for game in &games {
        replay(game);
    }
}

fn replay(record: &serde_json::Value) {
    let rules = variants::find(text(record, "variant")).unwrap();
    let mut boundaries =
        record["boundaries"].as_array().unwrap().iter().map(|b| b.as_str().unwrap());
    let first = Position::from_pfen(boundaries.next().unwrap(), rules).unwrap();
    let mut game = Game::new(first);
    let moves: Vec<&str> = text(record, "moves").split_whitespace().collect();
    let legal_lists = record["legal"].as_array().unwrap();
    for (index, mv) in moves.iter().enumerate() {
        for list in legal_lists.iter().filter(|list| list[0] == index) {
            assert_eq!(legal(game.position()), expected(&list[1]), "{} {index}", rules.name);
        }
        game.play(mv.parse().unwrap()).unwrap_or_else(|e| panic!("{}: {e}", rules.name));
        if game.position().at_boundary() {
            let pfen = game.position().pfen();
            assert_eq!(Some(pfen.as_str()), boundaries.next(), "{}", rules.name);
            if !game.position().is_lost() {
                let read = Position::from_pfen(&pfen, rules).unwrap();
                assert_eq!(read, *game.position(), "{pfen} read back");
            }
        }
    }
    assert_eq!(boundaries.next(), None);
    assert_eq!(u64::from(game.position().turn()), record["turn"].as_u64().unwrap());
    assert_eq!(u64::from(game.position().played()), record["played"].as_u64().unwrap());
    let result = game.outcome(|_| true).map_or("none".to_string(), |outcome| outcome.to_string());
    assert_eq!(result, text(record, "result"));
}

fn legal(position: &Position) -> Vec<String> {
    let mut moves: Vec<String> = position.legal_moves().iter().map(|mv| mv.to_string()).collect();
    moves.sort();
    moves
}

fn expected(list: &serde_json::Value) -> Vec<String> {
    let mut moves: Vec<String> =
        list.as_array().unwrap().iter().map(|mv| mv.as_str().unwrap().to_string()).collect();
    moves.sort();
    moves
}

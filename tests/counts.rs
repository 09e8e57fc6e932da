//! Counts of every variant, against independent implementations.

mod common;

use std::collections::HashSet;

use common::{rows, text};
use crescendo::rules::variants;
use crescendo::search::Control;
use crescendo::search::perft::{Depth, perft};
use crescendo::{Position, rules::Outcome};
use serde_json::Value;

fn position(row: &Value) -> Position {
    let rules = variants::find(text(row, "variant")).unwrap();
    Position::from_pfen(text(row, "fen"), rules).unwrap_or_else(|e| panic!("{row}: {e}"))
}

fn of_kind<'r>(rows: &'r [Value], kind: &'r str) -> impl Iterator<Item = &'r Value> {
    rows.iter().filter(move |row| text(row, "kind") == kind)
}

fn number(row: &Value, field: &str) -> u128 {
    row[field].as_u64().unwrap_or_else(|| panic!("no number '{field}' in {row}")).into()
}

#[test]
fn whole_turns() {
    let rows = rows("perft.jsonl");
    for row in of_kind(&rows, "perft") {
        let turns = Depth::Turns(number(row, "turns") as u32);
        let counts = perft(&position(row), turns, true, &Control::unlimited()).unwrap();
        assert_eq!(counts.count, number(row, "count"), "{row}");
        assert_eq!(counts.mates, number(row, "mates"), "mates of {row}");
        assert_eq!(counts.italian_mates, number(row, "italianmates"), "Italian mates of {row}");
        assert_eq!(counts.stalemates, number(row, "stalemates"), "stalemates of {row}");
        assert_eq!(counts.checks, number(row, "checks"), "checks of {row}");
        assert_eq!(counts.distinct.unwrap() as u128, number(row, "distinct"), "distinct of {row}");
    }
}

#[test]
fn single_moves_across_turns() {
    let rows = rows("perft.jsonl");
    for row in of_kind(&rows, "moves") {
        for (depth, expected) in (1..).zip(row["count"].as_array().unwrap()) {
            let moves = Depth::Moves(depth);
            let counts = perft(&position(row), moves, false, &Control::unlimited()).unwrap();
            assert_eq!(counts.count, expected.as_u64().unwrap().into(), "{depth} of {row}");
        }
    }
}

/// What one number of moves inside a turn amounts to.
#[derive(Default)]
struct Level {
    count: u64,
    mates: u64,
    ended_by_check: u64,
    stuck: u64,
    boards: HashSet<String>,
}

/// Walks the series of one turn without merging, as many moves deep as there are levels.
fn walk(position: &Position, levels: &mut [Level]) {
    let made = usize::from(position.played());
    let Some(level) = levels.get_mut(made) else { return };
    let mut deeper = Vec::new();
    position.for_each_batch(|batch| {
        for to in batch.to {
            let mut next = *position;
            next.play_batch(&batch, to);
            level.count += 1;
            let text = next.pfen();
            let board: Vec<&str> = text.split(" ").collect();
            level.boards.insert(format!("{} {}", board[0], board[2]));
            if next.at_boundary() {
                let early = made + 1 < usize::from(position.allowance());
                level.ended_by_check += u64::from(early && next.in_check());
                let mated = matches!(next.outcome(), Some(Outcome::Win(..)));
                level.mates += u64::from(mated);
            } else {
                level.stuck += u64::from(!next.has_legal_move());
                deeper.push(next);
            }
        }
    });
    for next in deeper {
        walk(&next, levels);
    }
}

/// Walking is slow: rows with more sequences than this are left to the merged counts above.
const WALKED: u64 = 120_000;

#[test]
fn moves_of_one_series() {
    let rows = rows("perft.jsonl");
    let mut walked = 0;
    for row in of_kind(&rows, "series") {
        let list = |field: &str| -> Vec<u64> {
            row[field].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect()
        };
        let counts = list("count");
        let depth = counts.iter().take_while(|&&count| count <= WALKED).count();
        let mut levels: Vec<Level> = Vec::new();
        levels.resize_with(depth, Level::default);
        let position = position(row);
        assert_eq!(u128::from(position.allowance()), number(row, "allowance"));
        walk(&position, &mut levels);
        for (k, level) in levels.iter().enumerate() {
            assert_eq!(level.count, counts[k], "move {} of {row}", k + 1);
            assert_eq!(level.mates, list("mates")[k], "mates at {} of {row}", k + 1);
            assert_eq!(level.ended_by_check, list("ended_by_check")[k], "{row}");
            assert_eq!(level.stuck, list("stuck")[k], "stuck at {} of {row}", k + 1);
            assert_eq!(level.boards.len() as u64, list("distinct")[k], "{row}");
            walked += 1;
        }
    }
    assert!(walked > 1000, "only {walked} levels walked");
}

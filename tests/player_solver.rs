//! Choosing a series where the solver has the last word: wins are found, losses are seen coming,
//! and what can be proved safe is preferred.

mod common;

use std::time::{Duration, Instant};

use common::{rows, text};
use crescendo::rules::variants;
use crescendo::search::solver::{Solver, Verdict};
use crescendo::search::{Choice, Control, Limits, Report, Request, Score, Searcher, TimePlan};
use crescendo::{Game, Move, Position};

/// The choice in a position, which may lie inside a series.
fn choose(position: &Position, limits: Limits) -> (Choice, Vec<Report>) {
    let plan = TimePlan::new(&limits, position.side(), Instant::now(), Duration::ZERO);
    let request = Request { limits, plan, multi_pv: 1, threads: 1 };
    let mut reports = Vec::new();
    let game = Game::new(*position);
    let choice = Searcher::new(16)
        .choose(&game, &request, &Control::unlimited(), &mut |report| reports.push(report));
    (choice, reports)
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn position(variant: &str, pfen: &str) -> Position {
    Position::from_pfen(pfen, variants::find(variant).unwrap()).unwrap()
}

/// Where a series leads.
fn after(position: &Position, series: &[Move]) -> Position {
    let mut end = *position;
    for &mv in series {
        end.play(mv).unwrap();
    }
    end
}

fn assert_wins(position: &Position, limits: Limits) {
    let (choice, reports) = choose(position, limits);
    assert!(after(position, &choice.series).is_lost(), "no win in {}", position.pfen());
    assert_eq!(reports.last().unwrap().score, Score::Mate(1), "{}", position.pfen());
}

/// The start of turn `turn` of a recorded game; `None` if the game is shorter.
fn turn_of(record: &serde_json::Value, turn: usize) -> Option<Position> {
    let pfen = record["boundaries"].as_array()?.get(turn - 1)?.as_str()?;
    Some(position(text(record, "variant"), pfen))
}

#[test]
fn recorded_wins_are_found() {
    let mut found = 0;
    for record in rows("games.jsonl").iter() {
        let result = text(record, "result");
        if result.contains("checkmate") || result.contains("takeall") {
            let last = record["boundaries"].as_array().unwrap().len() - 1;
            if last > 6 {
                continue;
            }
            assert_wins(&turn_of(record, last).unwrap(), nodes(20_000_000));
            found += 1;
        }
    }
    assert!(found > 0, "no short games that end in a win");
}

#[test]
fn a_mate_to_be_proved_is_found() {
    let limits = Limits { mate: Some(1), ..Limits::default() };
    assert_wins(&position("scottish", "7k/8/5K2/8/8/8/8/1RQ5 w - - 0 2"), limits);
}

#[test]
fn everything_is_taken_where_it_can_be() {
    let two_left = position("takeall", "7k/8/8/8/8/3p4/8/Q7 w - - 0 3");
    assert_wins(&two_left, nodes(1_000_000));
    let inside_the_series = after(&two_left, &["a1h8".parse().unwrap()]);
    assert_wins(&inside_the_series, nodes(1_000_000));
}

#[test]
fn a_mate_allowed_by_every_series_is_announced() {
    let lost = position("scottish", "7k/5K2/8/8/8/8/8/1RQ5 b - - 0 1");
    let (choice, reports) = choose(&lost, nodes(1_000_000));
    assert_eq!(choice.series, ["h8h7".parse().unwrap()]);
    assert_eq!(reports.last().unwrap().score, Score::Mate(-1));
    assert!(!choice.ponder.is_empty(), "the mate is the expected reply");
}

/// Where series do not grow, several turns are seen through.
#[test]
fn a_mate_after_every_reply_is_announced_and_comes() {
    let root = position("marseillais", "k7/8/8/3K4/8/8/8/7Q w - - 0 5");
    let (choice, reports) = choose(&root, nodes(1_000_000));
    assert_eq!(reports.last().unwrap().score, Score::Mate(2));
    let end = after(&root, &choice.series);
    let mut replies = 0;
    for first in end.legal_moves() {
        let mut half = end;
        half.play_unchecked(first);
        for second in half.legal_moves() {
            let mut reply = half;
            reply.play_unchecked(second);
            let answer = Solver::new(16).find(&reply, &Control::unlimited());
            assert!(matches!(answer, Verdict::Found(_)), "{}", reply.pfen());
            replies += 1;
        }
    }
    assert!(replies > 0);
}

#[test]
fn a_mate_is_not_walked_into() {
    for variant in ["scottish", "italian", "english", "italian-circe", "marseillais"] {
        let records = rows("games.jsonl");
        let records = records.iter().filter(|record| text(record, "variant") == variant);
        for root in records.filter_map(|record| turn_of(record, 3)).take(4) {
            let (choice, reports) = choose(&root, nodes(5_000_000));
            if matches!(reports.last().unwrap().score, Score::Mate(_)) {
                continue;
            }
            let end = after(&root, &choice.series);
            let answer = Solver::new(16).find(&end, &Control::unlimited());
            assert_eq!(answer, Verdict::None, "{variant}: {} {choice:?}", root.pfen());
        }
    }
}

#[test]
fn a_draw_is_better_than_a_loss() {
    // One series of the lone king ends in his own stalemate; all others allow a mate.
    for pfen in ["8/k7/8/8/8/p5q1/8/6K1 w - - 0 3", "8/8/8/8/6p1/2k1q3/8/4K3 w - - 0 3"] {
        let root = position("scottish", pfen);
        let (choice, reports) = choose(&root, nodes(1_000_000));
        let end = after(&root, &choice.series);
        assert!(!end.has_legal_move() && !end.is_lost(), "{pfen}: {choice:?}");
        assert_eq!(reports.last().unwrap().score, Score::Centipawns(0));
    }
}

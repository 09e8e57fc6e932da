//! Choosing a series where the solver has the last word: wins are found, losses are seen coming,
//! and what can be proved safe is preferred.

mod common;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use common::{rows, text};
use crescendo::rules::variants;
use crescendo::search::solver::{Solver, Verdict};
use crescendo::search::{
    Choice, Control, Limits, Report, Request, Safety, Score, Searcher, TimePlan, eval,
};
use crescendo::{Game, Move, Position};

/// The choice in a position, which may lie inside a series.
fn choose(position: &Position, limits: Limits) -> (Choice, Vec<Report>) {
    choose_with(1, position, limits)
}

fn choose_with(threads: usize, position: &Position, limits: Limits) -> (Choice, Vec<Report>) {
    let plan = TimePlan::new(&limits, position.side(), Instant::now(), Duration::ZERO);
    let request = Request { limits, plan, multi_pv: 1, threads };
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

/// The different positions behind every series of the side to move.
fn ends_of_turn(position: Position) -> Vec<Position> {
    let mut ends: BTreeMap<u64, Position> = BTreeMap::new();
    let mut open = vec![position];
    while let Some(inside) = open.pop() {
        for mv in inside.legal_moves() {
            let mut next = inside;
            next.play_unchecked(mv);
            if next.at_boundary() {
                ends.insert(next.key(), next);
            } else {
                open.push(next);
            }
        }
    }
    ends.into_values().collect()
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

/// Where series do not grow, several turns are seen through, and what is announced comes.
#[test]
fn a_mate_in_three_turns_comes_against_every_reply() {
    let root = position("marseillais", "1k6/8/8/8/8/2K5/8/7Q w - - 0 5");
    for threads in 1..=3 {
        let (choice, reports) = choose_with(threads, &root, nodes(2_000_000));
        assert_eq!(reports.last().unwrap().score, Score::Mate(3), "{threads} threads");
        assert_mates_after(&root, &choice);
    }
}

/// Whatever the reply to `choice`, a mate in two turns follows, and it comes.
fn assert_mates_after(root: &Position, choice: &Choice) {
    let replies = ends_of_turn(after(root, &choice.series));
    assert!(!replies.is_empty(), "{choice:?}");
    for reply in replies {
        let (choice, reports) = choose(&reply, nodes(2_000_000));
        match reports.last().unwrap().score {
            Score::Mate(1) => {}
            Score::Mate(2) => {
                for reply in ends_of_turn(after(&reply, &choice.series)) {
                    let answer = Solver::new(16).find(&reply, &Control::unlimited());
                    assert!(matches!(answer, Verdict::Found(_)), "{}", reply.pfen());
                }
            }
            other => panic!("{}: {other:?}", reply.pfen()),
        }
    }
}

/// Where safe ends come thousands of places behind the first by value: without a forecast these means
/// lead to lost ones.
#[test]
fn what_is_safe_is_found_where_nearly_every_end_loses() {
    for pfen in [
        "rn3b1r/ppk3pp/5p1n/3pp3/8/4P3/P1PP1P1P/R1BbKB1R w KQ d6 0 7",
        "rn1k2nr/p1pp1pp1/4p3/1p6/1b2P3/3P3B/PPP2P1P/RN1K3r w - - 0 7",
    ] {
        let root = position("scottish", pfen);
        let (choice, _) = choose(&root, nodes(1_500_000));
        let end = after(&root, &choice.series);
        assert_eq!(Solver::new(16).find(&end, &Control::unlimited()), Verdict::None, "{pfen}");
    }
}

/// Behind all of the best 64 replies to some series White wins here, but not behind every reply.
#[test]
fn what_seems_won_is_looked_at_again() {
    let pfen = "rn1qkbnr/pbpppppp/1p6/8/8/7N/PPPPPPPP/RNBQKB1R w KQkq - 0 3";
    let (_, reports) = choose(&position("scottish", pfen), nodes(1_000_000));
    let won = Score::Centipawns(eval::SEEMS_WON);
    let mut scores = reports.iter().map(|report| report.score);
    assert!(scores.any(|score| score == won), "it seems won at first");
    assert!(scores.any(|score| score != won), "the claim is taken back");
}

/// With means that a complete search alone sees a quarter of those in English with.
#[test]
fn wins_in_long_series_are_seen_at_once() {
    let takeall = include_str!("data/takeall_wins.txt");
    let english = include_str!("data/english_wins.txt");
    for (variant, games) in [("takeall", takeall), ("english", english)] {
        let positions: Vec<_> = games.lines().map(|pfen| position(variant, pfen)).collect();
        let seen = positions.iter().filter(|root| {
            let (_, reports) = choose(root, nodes(300_000));
            reports.last().unwrap().score == Score::Mate(1)
        });
        let seen = seen.count();
        assert!(seen * 100 >= positions.len() * 88, "{variant}: {seen} of {}", positions.len());
    }
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

/// Of thousands of series not one is found that does not lose at once; others remain.
#[test]
fn what_nobody_survives_is_told_to_be_as_good_as_lost() {
    let pfen = "b4Q2/3p1k1p/8/5pP1/8/5P2/1PP1P2P/RN2KBNR b KQ - 0 8";
    let position = position("scottish", pfen);
    let (_, reports) = choose(&position, nodes(1_500_000));
    let last = reports.last().unwrap();
    assert_eq!(last.score, Score::Centipawns(-2 * eval::MOST));
    assert_eq!(last.safety, Some(Safety::Unproved), "an untested one, not the best of the refuted");
}

//! The solver against numbers that other programs have found: positions from games, composed
//! problems, and positions that once deceived somebody.

mod common;

use std::collections::BTreeMap;
use std::path::Path;

use common::{rows, text};
use crescendo::rules::{Outcome, WinReason, variants};
use crescendo::search::Control;
use crescendo::search::solver::{Solver, Verdict};
use crescendo::{Move, Position};
use serde_json::Value;

const MEGABYTES: usize = 64;

fn position(variant: &str, pfen: &str) -> Position {
    Position::from_pfen(pfen, variants::find(variant).unwrap()).unwrap()
}

/// The number of winning series.
fn count(position: &Position) -> u128 {
    let tally = Solver::new(MEGABYTES).count(position, &Control::unlimited());
    assert!(tally.complete);
    tally.count
}

/// How a winning series ends. It has to be legal, and to win with its last move.
fn replay(position: &Position, series: &[Move]) -> Outcome {
    let mut end = *position;
    for (index, &mv) in series.iter().enumerate() {
        assert!(index == 0 || !end.at_boundary(), "{}: over before {mv}", position.pfen());
        end.play(mv).unwrap_or_else(|error| panic!("{} {mv}: {error}", position.pfen()));
    }
    assert!(end.at_boundary() && end.is_lost(), "{} {series:?}: no win", position.pfen());
    end.outcome().unwrap()
}

/// How the winning series ends that the solver finds; `None` if it proves that there is none.
fn find(position: &Position) -> Option<Outcome> {
    match Solver::new(MEGABYTES).find(position, &Control::unlimited()) {
        Verdict::Found(series) => Some(replay(position, &series)),
        Verdict::None => None,
        Verdict::Unknown => panic!("nobody has stopped it"),
    }
}

/// How many winning series of each length there are. Every one of them has to win.
fn by_length(position: &Position) -> BTreeMap<usize, u64> {
    let mut lengths = BTreeMap::new();
    let tally = Solver::new(MEGABYTES).list(position, None, &Control::unlimited(), &mut |series| {
        replay(position, series);
        *lengths.entry(series.len()).or_default() += 1;
    });
    assert!(tally.complete);
    assert_eq!(tally.count, lengths.values().map(|&count| u128::from(count)).sum());
    lengths
}

/// What `6:20,7:1031` says, or `-` where there is nothing.
fn read_lengths(text: &str) -> BTreeMap<usize, u64> {
    let entry = |part: &str| {
        let (length, count) = part.split_once(':').unwrap();
        (length.parse().unwrap(), count.parse().unwrap())
    };
    text.split(',').filter(|&part| part != "-").map(entry).collect()
}

#[test]
fn mates_in_games_are_counted() {
    let mut counted = 0;
    for row in rows("mates.jsonl") {
        for variant in ["scottish", "italian"] {
            let Some(mates) = row[variant]["mates"].as_u64() else { continue };
            let position = position(variant, text(&row, "fen"));
            assert_eq!(count(&position), mates.into(), "{variant} {}", position.pfen());
            assert_eq!(find(&position).is_some(), mates > 0, "{variant} {}", position.pfen());
            counted += 1;
        }
    }
    assert!(counted >= 136, "only {counted} numbers are given");
}

/// Whether there is an orthodox mate of exactly so many moves is known for every position.
#[test]
fn mates_in_games_are_found_or_refuted() {
    for row in rows("mates.jsonl") {
        let fen = text(&row, "fen");
        let (scottish, italian) =
            (find(&position("scottish", fen)), find(&position("italian", fen)));
        match text(&row, "popeye_exact") {
            "yes" => assert!(scottish.is_some() && italian.is_some(), "{fen}"),
            // If there is something all the same, every parry of it is an early check.
            "no" => assert!(
                italian.is_none_or(|end| matches!(
                    end,
                    Outcome::Win(_, WinReason::ProgressiveCheckmate)
                )),
                "{fen}: {italian:?}"
            ),
            other => panic!("{fen}: neither yes nor no, but {other}"),
        }
    }
}

/// A glance proves nothing, but it misses little, and what it finds is there.
#[test]
fn a_glance_finds_most_mates_in_games_and_no_others() {
    [1, 3].into_iter().for_each(most_mates_are_found_on);
}

fn most_mates_are_found_on(threads: usize) {
    const WIDTH: usize = 600;
    let mut solver = Solver::new(MEGABYTES);
    solver.set_threads(threads);
    let (mut mates, mut found) = (0, 0);
    for row in rows("mates.jsonl").iter().filter(|row| row["n"].as_u64().unwrap() <= 6) {
        for variant in ["scottish", "italian"] {
            let position = position(variant, text(row, "fen"));
            let wins = find(&position).is_some();
            let seen = solver.glance(&position, WIDTH, &Control::unlimited());
            if let Some(series) = &seen {
                replay(&position, series);
                assert!(wins, "{variant} {}: {series:?}", position.pfen());
            }
            mates += u32::from(wins);
            found += u32::from(seen.is_some());
        }
    }
    assert!(mates >= 100, "only {mates} positions have a mate");
    assert!(found * 100 >= mates * 98, "only {found} of {mates} are found");
}

/// Where everything has to be taken, too: turns from games that were won by it.
#[test]
fn a_glance_finds_nearly_all_ways_to_take_everything() {
    let mut solver = Solver::new(MEGABYTES);
    let games = include_str!("data/takeall_wins.txt").lines();
    let positions: Vec<_> = games.map(|pfen| position("takeall", pfen)).collect();
    let found = positions.iter().filter(|position| {
        let seen = solver.glance(position, 150, &Control::unlimited());
        seen.is_some_and(|series| matches!(replay(position, &series), Outcome::Win(_, _)))
    });
    let found = found.count();
    assert!(found * 100 >= positions.len() * 95, "only {found} of {}", positions.len());
}

/// A narrow glance looks at little, whether it finds something or not.
#[test]
fn a_glance_costs_what_its_width_allows() {
    let fen = "1r2kb1r/p1pnp2p/5ppn/5b2/p1p2P2/N7/PP1PP1PP/R1B1KB1R w KQk - 0 7";
    let position = position("italian", fen);
    let mut costs = Vec::new();
    for width in [1, 10, 100] {
        let mut solver = Solver::new(MEGABYTES);
        assert_eq!(solver.glance(&position, width, &Control::unlimited()), None);
        costs.push(solver.nodes());
    }
    assert!(costs.is_sorted_by(|less, more| less * 2 < *more), "{costs:?}");
}

/// Of a series that has won elsewhere, moves that are illegal here are left out, and the last three
/// are any.
#[test]
fn what_has_won_elsewhere_is_adapted() {
    let nowhere: Move = "a1a1".parse().unwrap();
    let mut solver = Solver::new(MEGABYTES);
    let mut adapted = 0;
    for row in rows("mates.jsonl").iter().filter(|row| row["n"].as_u64().unwrap() >= 4) {
        let position = position("italian", text(row, "fen"));
        let Verdict::Found(series) = solver.find(&position, &Control::unlimited()) else {
            continue;
        };
        let begins_like_it = [&[nowhere], &series[..series.len() - 3], &[nowhere; 3]].concat();
        let winners = [vec![nowhere; 4], begins_like_it];
        let winners = winners.iter().map(Vec::as_slice);
        let win = solver.adapt(&position, winners, &Control::unlimited()).unwrap();
        replay(&position, &win);
        assert_eq!(win[..series.len() - 3], series[..series.len() - 3]);
        adapted += 1;
    }
    assert!(adapted >= 50, "{adapted}");
}

#[test]
fn traps_are_seen_through() {
    for row in rows("solver_traps.jsonl") {
        let position = position(text(&row, "variant"), text(&row, "fen"));
        assert!(find(&position).is_some(), "{}", text(&row, "name"));
        match row["mates"].as_u64() {
            Some(mates) => assert_eq!(count(&position), mates.into(), "{}", text(&row, "name")),
            None => assert_eq!(text(&row, "mates"), "some"),
        }
    }
}

/// Diagrams of a problem solver's own tests, which are not part of this project.
#[test]
fn problems_are_counted_by_length() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/problems.jsonl");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no {}", path.display());
        return;
    };
    let mut refused = Vec::new();
    for line in lines.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (id, rules) = (text(&row, "id"), variants::find(text(&row, "variant")).unwrap());
        let position = match Position::from_pfen(text(&row, "fen"), rules) {
            Ok(position) => position,
            Err(error) => {
                refused.push(format!("{id}: {error}"));
                continue;
            }
        };
        let mates = row["mates"].as_u64().unwrap();
        assert_eq!(count(&position), mates.into(), "{id}");
        assert_eq!(find(&position).is_some(), mates > 0, "{id}");
        assert_eq!(by_length(&position), read_lengths(text(&row, "by_length")), "{id}");
    }
    assert!(refused.len() <= 1, "{refused:?}");
}

//! Choosing a series: whatever the variant, the position and the limits, the answer is a legal
//! series that ends where the rules end it, and the limits are kept.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use common::{rows, text};
use crescendo::rules::{RuleSet, variants};
use crescendo::search::{
    Choice, Control, Limits, Report, Request, Score, Searcher, TimePlan, eval,
};
use crescendo::{Game, Move, Position};

/// Limits by nodes alone.
fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn request(limits: Limits, game: &Game) -> Request {
    let side = game.position().side();
    let plan = TimePlan::new(&limits, side, Instant::now(), Duration::ZERO);
    Request { limits, plan, multi_pv: 1, threads: 1 }
}

/// Lets a new searcher choose; hands over what it reported.
fn choose(game: &Game, limits: Limits) -> (Choice, Vec<Report>) {
    choose_with(game, &request(limits, game), &Control::unlimited())
}

fn choose_with(game: &Game, request: &Request, control: &Control) -> (Choice, Vec<Report>) {
    let mut reports = Vec::new();
    let choice = Searcher::new(16).choose(game, request, control, &mut |r| reports.push(r));
    (choice, reports)
}

/// Plays the series and checks that it is legal, complete and no longer than the rules have it.
fn assert_complete(game: &Game, series: &[Move]) {
    let mut position = *game.position();
    for (index, &mv) in series.iter().enumerate() {
        assert!(index == 0 || !position.at_boundary(), "{} goes on", position.pfen());
        position.play(mv).unwrap_or_else(|e| panic!("{}: {e}", game.position().pfen()));
    }
    let stuck = !position.has_legal_move();
    let ended = stuck || !series.is_empty() && position.at_boundary();
    assert!(ended, "{}: {series:?} is not the whole series", game.position().pfen());
}

/// The recorded games of a variant, each up to a turn start chosen by `pick`, and `further` moves
/// into the turn that begins there.
fn recorded(rules: &'static RuleSet, pick: impl Fn(usize) -> usize, further: usize) -> Vec<Game> {
    let mut games = Vec::new();
    for record in rows("games.jsonl").iter().filter(|row| text(row, "variant") == rules.name) {
        let turns = record["boundaries"].as_array().unwrap().len();
        let until = pick(turns).min(turns - 1);
        let mut game = Game::new(Position::start(rules));
        let mut further = further;
        let mut turn = 0;
        for mv in text(record, "moves").split_whitespace() {
            if turn >= until {
                if further == 0 {
                    break;
                }
                further -= 1;
            }
            game.play(mv.parse().unwrap()).unwrap();
            turn += usize::from(game.position().at_boundary());
        }
        games.push(game);
    }
    assert!(!games.is_empty(), "no games of {}", rules.name);
    games
}

#[test]
fn the_start_of_every_variant_has_an_answer() {
    for rules in &variants::ALL {
        let game = Game::new(Position::start(rules));
        let (choice, reports) = choose(&game, nodes(20_000));
        assert_complete(&game, &choice.series);
        assert!(!reports.is_empty(), "{} reports nothing", rules.name);
        assert!(reports.last().unwrap().pv.starts_with(&choice.series), "{}", rules.name);
    }
}

#[test]
fn every_turn_of_recorded_games_has_an_answer() {
    for rules in &variants::ALL {
        for until in [2, 5, 8, 13] {
            for game in recorded(rules, |_| until, 0).iter().take(4) {
                let (choice, reports) = choose(game, nodes(20_000));
                assert_complete(game, &choice.series);
                assert_eq!(reports.is_empty(), !game.position().has_legal_move());
            }
        }
    }
}

#[test]
fn a_series_under_way_is_finished() {
    for rules in &variants::ALL {
        for game in recorded(rules, |turns| turns - 2, 1) {
            let (choice, _) = choose(&game, nodes(10_000));
            assert_complete(&game, &choice.series);
        }
    }
}

/// One searcher is asked with more threads and with fewer; what it keeps must not lead it astray.
#[test]
fn two_threads_have_an_answer_in_every_turn() {
    for rules in &variants::ALL {
        for (until, further) in [(1, 0), (4, 0), (7, 0), (10, 0), (5, 2)] {
            for game in recorded(rules, |_| until, further).iter().take(2) {
                let mut searcher = Searcher::new(32);
                for threads in [2, 1, 2] {
                    let request = Request { threads, ..request(nodes(10_000), game) };
                    let mut reports = Vec::new();
                    let control = Control::unlimited();
                    let choice =
                        searcher.choose(game, &request, &control, &mut |r| reports.push(r));
                    assert_complete(game, &choice.series);
                    assert_eq!(reports.is_empty(), !game.position().has_legal_move());
                    let best = reports.iter().rfind(|report| report.multipv == 1);
                    assert!(best.is_none_or(|best| best.pv.starts_with(&choice.series)));
                }
            }
        }
    }
}

#[test]
fn the_same_nodes_lead_to_the_same_series() {
    for rules in &variants::ALL {
        for game in recorded(rules, |_| 5, 0).iter().take(2) {
            let (first, reports) = choose(game, nodes(30_000));
            let (second, again) = choose(game, nodes(30_000));
            assert_eq!(first, second, "{}", rules.name);
            let pvs = |reports: &[Report]| -> Vec<_> {
                reports.iter().map(|r| (r.depth, r.score, r.nodes, r.pv.clone())).collect()
            };
            assert_eq!(pvs(&reports), pvs(&again), "{}", rules.name);
        }
    }
}

#[test]
fn nodes_are_a_limit() {
    for rules in &variants::ALL {
        for limit in [1, 1_000, 50_000] {
            for game in recorded(rules, |_| 7, 0).iter().take(2) {
                let (_, reports) = choose(game, nodes(limit));
                let most = reports.iter().map(|report| report.nodes).max().unwrap_or(0);
                assert!(most <= limit + 5_000, "{}: {most} for {limit}", rules.name);
            }
        }
    }
}

#[test]
fn time_is_a_limit() {
    for rules in &variants::ALL {
        for game in recorded(rules, |_| 9, 0).iter().take(2) {
            let limits = Limits { move_time: Some(Duration::from_millis(50)), ..Limits::default() };
            let start = Instant::now();
            let (choice, _) = choose(game, limits);
            assert_complete(game, &choice.series);
            // Building the tables and a busy machine are included: this only asks for an end.
            assert!(start.elapsed() < Duration::from_secs(5), "{}", rules.name);
        }
    }
}

#[test]
fn told_to_stop_it_has_a_series_ready() {
    let control = Control::new(Arc::new(AtomicBool::new(true)), None, None);
    for rules in &variants::ALL {
        for until in [0, 4, 8] {
            for game in recorded(rules, |_| until, 0).iter().take(3) {
                let limits = Limits { infinite: true, ..Limits::default() };
                let (choice, reports) = choose_with(game, &request(limits, game), &control);
                assert_complete(game, &choice.series);
                assert_eq!(reports.is_empty(), choice.series.is_empty());
            }
        }
    }
}

#[test]
fn only_the_wanted_first_moves_are_played() {
    for rules in &variants::ALL {
        for game in recorded(rules, |_| 6, 0) {
            let legal = game.position().legal_moves();
            let search_moves: Vec<Move> = legal.iter().copied().skip(1).step_by(9).collect();
            let Some(_) = search_moves.first() else { continue };
            let limits = Limits { search_moves: search_moves.clone(), ..nodes(5_000) };
            let (choice, _) = choose(&game, limits);
            assert_complete(&game, &choice.series);
            assert!(search_moves.contains(&choice.series[0]), "{}", rules.name);
        }
    }
}

#[test]
fn several_lines_are_different() {
    let game = Game::new(Position::start(variants::default()));
    let multi = Request { multi_pv: 5, ..request(nodes(50_000), &game) };
    let (choice, reports) = choose_with(&game, &multi, &Control::unlimited());
    let last: Vec<&Report> = reports[reports.len() - 5..].iter().collect();
    assert_eq!(last.iter().map(|r| r.multipv).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(last[0].pv.starts_with(&choice.series));
    let mut firsts: Vec<Move> = last.iter().map(|r| r.pv[0]).collect();
    firsts.sort();
    firsts.dedup();
    assert_eq!(firsts.len(), 5, "turn 1 has one move: five lines, five moves");
}

#[test]
fn very_long_series_end() {
    for (variant, pfen) in [
        ("scottish", "8/8/8/3k4/8/8/4P3/4K3 w - - 0 101"),
        ("italian", "8/5p2/8/3k4/8/8/4P3/4K3 b - - 0 255"),
        ("takeall", "7k/8/8/3k4/8/8/4P3/4K3 w - - 0 200"),
        ("english", "8/2pp4/8/3k4/8/8/3PP3/4K3 w - - 0 120"),
        ("scottish", "QQQQQQQ1/QQQQQQ2/8/8/3q4/5q2/QQ4qq/K1Q3qk b - - 0 60"),
    ] {
        let position = Position::from_pfen(pfen, variants::find(variant).unwrap()).unwrap();
        let game = Game::new(position);
        let (choice, _) = choose(&game, nodes(60_000));
        assert_complete(&game, &choice.series);
    }
}

#[test]
fn without_a_legal_move_there_is_no_answer() {
    for pfen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 6", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 6"] {
        let game = Game::new(Position::from_pfen(pfen, variants::default()).unwrap());
        let (choice, reports) = choose(&game, nodes(1_000));
        assert_eq!(choice, Choice::default());
        assert!(reports.is_empty());
    }
}

#[test]
fn one_turn_deep_claims_nothing_about_the_next() {
    for game in recorded(variants::default(), |_| 3, 0) {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let (choice, reports) = choose(&game, limits);
        assert_complete(&game, &choice.series);
        for report in reports {
            assert_eq!(report.depth, 1);
            assert!(matches!(report.score, Score::Centipawns(_) | Score::Mate(1)));
        }
    }
}

#[test]
fn the_evaluation_is_the_sum_of_its_terms() {
    for rules in &variants::ALL {
        for until in 0..12 {
            for game in recorded(rules, |_| until, 0) {
                let position = game.position();
                let sum: i32 = eval::explain(position).iter().map(|(_, value)| value).sum();
                assert_eq!(eval::evaluate(position), sum, "{}", position.pfen());
            }
        }
    }
}

#[test]
fn the_evaluation_does_not_care_for_the_colour() {
    let white = "rnb1kbnr/pppp1ppp/8/4p3/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 4";
    let black = "r1bqkbnr/pppppppp/2n5/8/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 4";
    for rules in &variants::ALL {
        let values =
            [white, black].map(|pfen| eval::evaluate(&Position::from_pfen(pfen, rules).unwrap()));
        assert_eq!(values[0], values[1], "{}", rules.name);
        assert!(values[0] > 0, "a queen more and the move is good in {}", rules.name);
    }
}

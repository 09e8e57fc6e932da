//! `crescendo solve` as players and composers use it.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crescendo"));
    command.arg("solve").args(arguments).output().expect("it runs")
}

/// The lines on stdout of a run that succeeds and has no complaint.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = run(arguments);
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect()
}

fn last(arguments: &[&str]) -> String {
    lines(arguments).pop().unwrap_or_default()
}

/// Two quiet moves in either order, and a mate.
const SHEPHERD: &str = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
const BARE: &str = "7k/8/6KP/8/8/8/8/8 w - - 0 3";
const ROOK: &str = "8/7k/5K2/6R1/8/8/8/8 w - - 0 3";

#[test]
fn one_series_is_written_as_people_write_it() {
    let found = lines(&["--fen", SHEPHERD]);
    assert_eq!(found[0], "3.Bc4 Qh5 Qxf7#");
    assert!(found[1].starts_with("solved 1 nodes ") && found.len() == 2, "{found:?}");
    let german = lines(&["--fen", SHEPHERD, "--notation", "german"]);
    assert_eq!(german[0], "3.Lc4 Dh5 Dxf7#");
    let threads = lines(&["--fen", SHEPHERD, "--threads", "2", "--hash", "1"]);
    assert!(threads[0].starts_with("3.") && threads[0].ends_with('#'), "{threads:?}");
}

#[test]
fn none_is_a_proof_and_a_limit_is_not() {
    let none = lines(&["--fen", BARE]);
    assert_eq!(none[0], "none: proved");
    assert!(none[1].starts_with("solved 0 nodes "), "{none:?}");
    for limit in [["--nodes", "2000"], ["--movetime", "30"]] {
        // A knight cannot mate, but with rebirth nothing tells so before all has been tried.
        let arguments = ["--fen", "8/8/8/8/8/2k5/8/K6N w - - 0 60", "--variant", "scottish-circe"];
        let unknown = lines(&[&arguments[..], &limit].concat());
        assert_eq!(unknown[0], "unknown: stopped at a limit");
        assert!(unknown[1].starts_with("unsolved 0 nodes "), "{unknown:?}");
    }
}

#[test]
fn a_count_is_one_line() {
    let counted = lines(&["--fen", SHEPHERD, "--count"]);
    assert!(counted[0].starts_with("solved 2 nodes ") && counted.len() == 1, "{counted:?}");
}

#[test]
fn series_are_grouped_by_picture_and_moves() {
    let picture = "mating picture 1: \
                   rnbqkb1r/pppp1Qpp/5n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4";
    let all = lines(&["--fen", SHEPHERD, "--all"]);
    let expected = [
        picture,
        "2 series, 1 up to move order:",
        "  3.Bc4 Qh5 Qxf7#",
        "    3.Qh5 Bc4 Qxf7#",
        "",
        "sound: one solution up to move order, 2 move orders",
    ];
    assert_eq!(all, expected);
    let rook = lines(&["--fen", ROOK, "--all", "--max", "100000"]);
    let pictures = rook.iter().filter(|line| line.starts_with("mating picture ")).count();
    let heads: Vec<(u32, u32)> = rook
        .iter()
        .filter_map(|line| line.strip_suffix(" up to move order:")?.split_once(" series, "))
        .map(|(series, different)| (series.parse().unwrap(), different.parse().unwrap()))
        .collect();
    let (series, different) =
        heads.iter().fold((0, 0), |sum, head| (sum.0 + head.0, sum.1 + head.1));
    let judgement =
        format!("cooked: {different} solutions up to move order in {pictures} mating pictures");
    assert_eq!(rook.last().unwrap(), &judgement);
    assert!(last(&["--fen", ROOK, "--count"]).starts_with(&format!("solved {series} nodes ")));
    assert_eq!(rook.iter().filter(|line| line.contains("3.")).count(), series as usize);
}

#[test]
fn shorter_series_are_cooks_where_the_length_is_given() {
    let fen = ["--fen", ROOK];
    let exact = lines(&[&fen[..], &["--exact", "--max", "100000"]].concat());
    let cooks = exact.iter().position(|line| line == "cooks:").expect("there are shorter ones");
    let shorter: Vec<&String> =
        exact[cooks + 1..].iter().take_while(|line| !line.is_empty()).collect();
    assert!(!shorter.is_empty());
    assert!(shorter.iter().all(|line| line.starts_with("  2 moves: 3.")), "{shorter:?}");
    assert!(
        exact[..cooks]
            .iter()
            .filter(|line| line.contains("3."))
            .all(|line| { line.split_whitespace().count() == 3 && line.ends_with('#') })
    );
    let judgement = exact.last().unwrap();
    assert!(judgement.starts_with("cooked: ") && judgement.ends_with(" shorter"), "{judgement}");
    // Where a check has to be the last move nothing is shorter.
    let italian = last(&["--fen", SHEPHERD, "--variant", "italian", "--exact"]);
    assert_eq!(italian, "sound: one solution up to move order, 2 move orders");
}

#[test]
fn without_a_solution_that_is_what_is_said() {
    assert_eq!(lines(&["--fen", BARE, "--all"]), ["no solution"]);
    assert_eq!(lines(&["--fen", BARE, "--exact"]), ["no solution"]);
}

#[test]
fn a_list_that_is_cut_says_so() {
    let cut = last(&["--fen", ROOK, "--max", "5"]);
    assert!(cut.starts_with("cooked: more than 5 series, "), "{cut}");
    let one = last(&["--fen", SHEPHERD, "--max", "1"]);
    assert!(one.starts_with("unknown: more than 1 series, "), "{one}");
    let exactly = last(&["--fen", SHEPHERD, "--max", "2"]);
    assert_eq!(exactly, "sound: one solution up to move order, 2 move orders");
    let stopped = last(&["--series", "11", "--variant", "italian", "--all", "--nodes", "2000"]);
    assert_eq!(stopped, "unknown: stopped at a limit, so far no solution");
    let bound = last(&["--fen", "8/Q7/8/8/8/8/8/2k1K2R w K - 0 5", "--all"]);
    assert!(bound.starts_with("cooked: more than 10000 series, "), "{bound}");
}

#[test]
fn everything_may_be_taken() {
    let fen = "8/8/8/8/8/8/1r6/R3k3 w - - 0 3";
    let all = lines(&["--fen", fen, "--variant", "takeall", "--all"]);
    assert!(all[0].starts_with("final picture 1: "), "{all:?}");
    assert!(all.last().unwrap().contains(" up to move order"), "{all:?}");
}

#[test]
fn long_series_of_few_men_are_solved_or_given_up() {
    let pawn = "7k/8/8/8/8/8/P7/K7 w - - 0 1";
    for series in ["12", "25", "40", "255"] {
        let found = lines(&["--fen", pawn, "--series", series]);
        assert!(found[0].starts_with(&format!("{series}.")), "{found:?}");
    }
    for series in ["12", "20", "40"] {
        let found = lines(&["--fen", pawn, "--series", series, "--variant", "italian"]);
        let moves: usize = series.parse().unwrap();
        assert!(found[0].split(' ').count() == moves && found[0].ends_with('#'), "{found:?}");
    }
    let hopeless = ["--fen", "8/3k4/8/8/8/8/8/KN2B3 w - - 0 40", "--variant", "italian"];
    let given_up = lines(&[&hopeless[..], &["--nodes", "100000"]].concat());
    assert_eq!(given_up[0], "unknown: stopped at a limit");
}

#[test]
fn wrong_arguments_are_one_sentence() {
    for (arguments, named) in [
        (&["--count", "--exact"][..], "--exact"),
        (&["--threads", "0"], "'0'"),
        (&["--hash", "0"], "'0'"),
        (&["--hash", "9999999"], "9999999"),
        (&["--max", "-1"], "-1"),
        (&["--notation", "latin"], "'latin'"),
        (&["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "kings"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.lines().count() == 1 && error.contains(named), "{error}");
    }
}

#[test]
fn help_has_examples() {
    let help = lines(&["--help"]);
    assert!(help.iter().any(|line| line.starts_with("Examples:")), "{help:?}");
}

//! The command line: the tools answer in the words of the protocol, and what is wrong with the
//! arguments is one sentence and exit code 2.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_crescendo")).args(arguments).output().expect("it runs")
}

/// The lines on stdout of a run that succeeds.
fn lines(arguments: &[&str]) -> Vec<String> {
    let output = run(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_string).collect()
}

#[test]
fn perft_counts() {
    let counted = lines(&["perft", "2"]);
    assert_eq!(counted.len(), 1);
    assert!(counted[0].starts_with("perft 8902 distinct 5362 mates 0 "), "{counted:?}");
    let divided = lines(&["perft", "--variant", "logical", "--divide", "--no-distinct", "1"]);
    assert_eq!(divided.len(), 13);
    assert!(divided[12].starts_with("perft 12 mates 0 "), "{divided:?}");
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 40";
    let moves = lines(&["perft", "--fen", fen, "--series", "2", "--moves", "1"]);
    assert!(moves[0].starts_with("perft 17 distinct 17 "), "{moves:?}");
}

#[test]
fn solve_ends_with_its_verdict() {
    let fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";
    let found = lines(&["solve", "--fen", fen]);
    assert_eq!(found[0], "1.Ra8#");
    assert!(found[1].starts_with("solved 1 nodes "), "{found:?}");
    let counted = lines(&["solve", "--fen", fen, "--count"]);
    assert!(counted[0].starts_with("solved 1 nodes "), "{counted:?}");
    let none = lines(&["solve"]);
    assert!(none[1].starts_with("solved 0 nodes "), "{none:?}");
}

#[test]
fn wrong_arguments_are_one_sentence() {
    for (arguments, named) in [
        (&["perft"][..], "TURNS"),
        (&["perft", "none"], "'none'"),
        (&["perft", "0"], "0"),
        (&["perft", "2", "--moves", "3"], "--moves"),
        (&["perft", "2", "--variant", "chess"], "'chess'"),
        (&["perft", "2", "--fen", "8/8 w"], "8/8"),
        (&["perft", "2", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "kings"),
        (&["perft", "2", "--series", "300"], "300"),
        (&["solve", "--max", "0"], "'0'"),
        (&["solve", "--count", "--all"], "--all"),
        (&["paint"], "'paint'"),
        (&["--fast"], "'--fast'"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.starts_with("crescendo: ") && error.contains(named), "{error}");
    }
}

#[test]
fn help_has_examples() {
    for arguments in [&["--help"][..], &["perft", "--help"], &["solve", "--help"]] {
        let help = lines(arguments);
        assert!(help.iter().any(|line| line.starts_with("Examples:")), "{arguments:?}");
    }
    assert!(lines(&["--version"])[0].starts_with("crescendo "));
}

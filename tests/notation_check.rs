//! `check`: one line of answer for each score.

use clap::Parser;
use crescendo::tools::check::{Args, check, run};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

fn args(options: &[&str]) -> Args {
    let words = ["check"].iter().chain(options);
    Command::try_parse_from(words).unwrap_or_else(|e| panic!("{e}")).args
}

fn answers(input: impl AsRef<[u8]>, options: &[&str]) -> String {
    let mut output = Vec::new();
    check(input.as_ref(), &mut output, &args(options).start).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn legal_scores_are_told_how_they_end() {
    let scores = "\
1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# 1-0

# a comment
1.e4 2.e5 Nf6 3.Bc4
*
";
    let expected = "\
1: legal, white-checkmate, turn 4 move 1, black to move
4: legal, none, turn 3 move 2, white to move
5: legal, none, turn 1 move 1, white to move
";
    assert_eq!(answers(scores, &[]), expected);
}

#[test]
fn illegal_scores_are_told_where_and_why() {
    let scores = "1.e4 2.e5 Qh5\r\n1.e4 2.e5 Zf6\n1.e4 3.e5\n1.d4 2.e5 Bb4+ 3.e3 e4 e5";
    let expected = "\
1: illegal at turn 2 move 2 (Qh5): a queen cannot go there
2: illegal at turn 2 move 2 (Zf6): this is no move such as Nf3, exd5, O-O or e2e4
3: illegal at turn 2 move 1 (3.e5): the turn that begins here is 2
4: illegal at turn 3 move 1 (e3): the king would be left in check
";
    assert_eq!(answers(scores, &["--variant", "italian"]), expected);
}

#[test]
fn a_line_may_name_its_variant() {
    let scores = "1.e4 2.e5 d6 3.Bb5+\nitalian: 1.e4 2.e5 d6 3.Bb5+\nLogical:1.e4\nnochess: 1.e4";
    let expected = "\
1: legal, none, turn 4 move 1, black to move
2: illegal at turn 3 move 1 (Bb5+): only the last move of the series may give check
3: illegal at turn 1 move 1 (e4): a pawn cannot go there
4: illegal: there is no variant 'nochess'
";
    assert_eq!(answers(scores, &["--variant", "scottish"]), expected);
}

#[test]
fn a_colon_is_a_sign_of_capture_too() {
    let fen = "4k3/8/8/3p4/4P3/8/3n4/R3K3 w Q - 0 2";
    let expected = "\
1: legal, none, turn 2 move 2, white to move
2: legal, none, turn 2 move 2, white to move
3: legal, none, turn 3 move 1, black to move
";
    assert_eq!(answers("e:d5\nK:d2\nO-O-O R:d2", &["--fen", fen]), expected);
}

#[test]
fn scores_may_start_anywhere_in_any_language() {
    let fen = "rnbqkb1r/ppp1pppp/5n2/3p2B1/3P4/2N2N2/PPP1PPPP/R2QKB1R b KQkq -";
    let options = ["--fen", fen, "--series", "4", "--notation", "german"];
    let expected = "1: legal, black-checkmate, turn 5 move 1, white to move\n";
    assert_eq!(answers("4.Se4 Dd6 Dg3 Dxf2#", &options), expected);
}

#[test]
fn a_position_that_a_variant_forbids_is_said_to_be_so() {
    let fen = "4k3/8/8/8/8/8/8/4KK2 w - - 0 3";
    let scores = "Kd2\nitalian: Kd2";
    let expected = "\
1: legal, none, turn 3 move 2, white to move
2: illegal: the position is illegal in italian: white has 2 kings in place of one
";
    assert_eq!(answers(scores, &["--variant", "takeall", "--fen", fen]), expected);
}

#[test]
fn ten_quiet_turns_are_a_draw() {
    let fen = "4k3/7p/8/8/8/8/7P/4K3 w - - 9 1";
    assert_eq!(
        answers("1.Kd2", &["--fen", fen]),
        "1: legal, draw-quiet, turn 2 move 1, black to move\n"
    );
}

#[test]
fn strange_bytes_are_answered_like_any_other_text() {
    let long = "x".repeat(100_000);
    let scores = [b"\xef\xbb\xbf1.e4\n\xff\xfe\n1.e4\x002.e5\n", long.as_bytes()].concat();
    let answers = answers(scores, &[]);
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(lines[0], "1: legal, none, turn 2 move 1, black to move");
    assert!(lines[1].starts_with("2: illegal at turn 1 move 1 (\u{fffd}\u{fffd}): "));
    assert!(lines[2].starts_with("3: illegal at turn 1 move 1 (e4\u{fffd}2.e5): "));
    assert!(lines[3].starts_with("4: illegal at turn 1 move 1 (xxx") && lines[3].len() < 200);
    assert_eq!(lines.len(), 4);
}

/// More than any line may have, in bytes.
const TOO_LONG: usize = 3 << 20;

#[test]
fn an_endless_line_is_illegal_and_the_next_one_is_read() {
    let (words, blanks) = ("1.e4 ".repeat(TOO_LONG / 5), " ".repeat(TOO_LONG));
    let scores = format!("1.e4\n{words}\n#{words}\n{blanks}\n{{{words}\n1.e4 2.e5\n{words}");
    let endless = "illegal: the line is longer than 1048576 bytes";
    let expected = format!(
        "1: legal, none, turn 2 move 1, black to move\n\
         2: {endless}\n4: {endless}\n5: {endless}\n\
         6: legal, none, turn 2 move 2, black to move\n7: {endless}\n"
    );
    assert_eq!(answers(scores, &[]), expected);
}

#[test]
fn an_endless_line_of_pgn_is_one_sentence() {
    let comment = format!("{{{}}}", "x".repeat(TOO_LONG));
    let games = format!("\n[Event \"?\"]\n\n1.e4 *\n{comment}\n[Event \"?\"]\n\n1.d4 *\n");
    let mut output = Vec::new();
    let error = check(games.as_bytes(), &mut output, &args(&[]).start).unwrap_err();
    assert_eq!(error, "the games, line 5: the line is longer than 1048576 bytes");
    assert!(output.is_empty());
}

#[test]
fn wrong_arguments_are_one_sentence() {
    let error = |options: &[&str]| run(args(options)).unwrap_err();
    assert!(error(&["no-such-file"]).starts_with("cannot open no-such-file: "));
    assert!(error(&["src"]).starts_with("cannot read src: "));
    assert_eq!(
        error(&["--series", "0"]),
        "the position is illegal in scottish: the turn '0' is not a number from 1 to 255"
    );
    assert_eq!(
        error(&["--fen", "8/8 w"]),
        "--fen: the board '8/8' is not eight ranks of eight squares"
    );
    for (options, known) in [(["--variant", "chess"], "italian"), (["--notation", "x"], "greek")] {
        let parsed = Command::try_parse_from(["check"].iter().chain(&options));
        assert!(parsed.err().expect("unknown").to_string().contains(known));
    }
}

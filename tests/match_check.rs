//! `check` reads what `match` writes, and holds results against the rules.

use clap::Parser;
use crescendo::tools::check::{Args, check};

#[derive(Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

fn answers(input: &str) -> String {
    let args = Command::try_parse_from(["check"]).unwrap_or_else(|e| panic!("{e}")).args;
    let mut output = Vec::new();
    check(input.as_bytes(), &mut output, &args.start).unwrap();
    String::from_utf8(output).unwrap()
}

#[test]
fn lines_of_json_are_games() {
    let games = r#"{"moves":"e2e4 e7e5 g8f6","result":"*"}
{"variant":"italian","fen":"4k3/8/8/8/8/8/8/4K2R w K - 0 1","moves":"e1g1","result":"0-1","reason":"forfeit-time"}
{"variant":"scottish","moves":"e2e4 e7e5 g8f6 f1c4 d1h5 h5f7","result":"1-0","reason":"white-checkmate","x":1}
{"moves":"e2e4 e7e5 g8f6 f1c4 d1h5 h5f7","result":"0-1"}
{"moves":"e2e4 e7e5 e5e3"}
{"variant":"bughouse","moves":""}
{"fen":"8/8 w","moves":""}
{"moves":7}
1.e4
"#;
    let answers = answers(games);
    let lines: Vec<&str> = answers.lines().collect();
    assert_eq!(
        lines[..7],
        [
            "1: legal, none, turn 3 move 1, white to move",
            "2: legal, none, turn 2 move 1, black to move, given as 0-1 forfeit-time",
            "3: legal, white-checkmate, turn 4 move 1, black to move",
            "4: legal, white-checkmate, turn 4 move 1, black to move, given as 0-1",
            "5: illegal at turn 2 move 2 (e5e3): a pawn cannot go there",
            "6: illegal: there is no variant 'bughouse'",
            "7: illegal: the position is illegal in scottish: the board '8/8' is not eight ranks of eight squares",
        ]
    );
    assert!(lines[7].starts_with("8: illegal: invalid type: integer"), "{}", lines[7]);
    assert_eq!(lines[8], "9: legal, none, turn 2 move 1, black to move");
}

#[test]
fn files_that_begin_with_a_tag_are_pgn() {
    let games = r#"
[White "A"]
[ProgressiveVariant "italian"]
[Result "1-0"]

1. e4 e5 2. -- d6 3. Bb5+ 1-0

[White "B"]
[Result "1/2-1/2"]
[FEN "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]

1. Ra8# 1/2-1/2
"#;
    let expected = "\
2: illegal at turn 3 move 1 (Bb5+): only the last move of the series may give check
8: legal, white-checkmate, turn 2 move 1, black to move, given as 1/2-1/2
";
    assert_eq!(answers(games), expected);
}

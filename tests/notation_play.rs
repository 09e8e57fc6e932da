//! `play`: a game at the table, against somebody whose moves are known beforehand.

use crescendo::board::Color;
use crescendo::notation::Letters;
use crescendo::rules::variants;
use crescendo::tools::play::{Player, Table};
use crescendo::{Game, Move, Position};

/// Plays the series of a list, and has no answer after the last.
struct Script(Vec<&'static str>);

impl Player for Script {
    fn choose(&mut self, _game: &Game) -> Vec<Move> {
        let series = if self.0.is_empty() { "" } else { self.0.remove(0) };
        series.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
    }
}

struct Scene {
    variant: &'static str,
    start: Option<&'static str>,
    human: Color,
    language: &'static str,
}

const WHITE: Scene =
    Scene { variant: "scottish", start: None, human: Color::White, language: "english" };

impl Scene {
    /// What the table says when the human types `input` and the other plays `script`.
    fn transcript(&self, script: &[&'static str], input: &[u8]) -> String {
        let rules = variants::find(self.variant).unwrap();
        let start = match self.start {
            Some(pfen) => Position::from_pfen(pfen, rules).unwrap(),
            None => Position::start(rules),
        };
        let letters = Letters::find(self.language).unwrap();
        let mut output = Vec::new();
        Table::new(Game::new(start), self.human, letters, Script(script.to_vec()))
            .play(input, &mut output)
            .unwrap();
        String::from_utf8(output).unwrap()
    }
}

fn assert_has(transcript: &str, parts: &[&str]) {
    let mut rest = transcript;
    for part in parts {
        let at = rest.find(part).unwrap_or_else(|| panic!("'{part}' is missing in:\n{rest}"));
        rest = &rest[at + part.len()..];
    }
}

#[test]
fn a_game_is_played_to_mate() {
    let said = WHITE.transcript(&["e7e5 g8f6"], b"e4\nBc4 Qh5 Qxf7#\nd3\n");
    let end = "\
8 ♜ ♞ ♝ ♛ ♚ ♝ · ♜
7 ♟ ♟ ♟ ♟ · ♕ ♟ ♟
6 · · · · · ♞ · ·
5 · · · · ♟ · · ·
4 · · ♗ · ♙ · · ·
3 · · · · · · · ·
2 ♙ ♙ ♙ ♙ · ♙ ♙ ♙
1 ♖ ♘ ♗ · ♔ · ♘ ♖
  a b c d e f g h
Checkmate: White wins.
";
    assert_has(
        &said,
        &[
            "Turn 1: White has 1 move.",
            "Turn 2: Black has 2 moves.",
            "2.e5 Nf6\n",
            "Turn 3: White has 3 moves.",
            end,
            "The game is over: undo, save FILE or quit.",
        ],
    );
}

#[test]
fn an_endless_line_is_refused_and_the_next_one_is_read() {
    let input = format!("{}\ne4\n", "e4 ".repeat(1 << 20));
    let said = WHITE.transcript(&[], input.as_bytes());
    assert_has(
        &said,
        &["white> Refused: the line is longer than 1048576 bytes.\nwhite> ", "Turn 2: Black"],
    );
    assert_eq!(said.matches("Refused").count(), 1, "what follows in the line is no line");
}

#[test]
fn black_sees_the_board_from_his_side_and_in_his_letters() {
    let scene = Scene { human: Color::Black, language: "greek", ..WHITE };
    let said = scene.transcript(&["g1f3"], b"\xce\xb55 \xce\x99\xce\xb66\n");
    let board = "\
1 ♖ · ♗ ♔ ♕ ♗ ♘ ♖
2 ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙
3 · · ♘ · · · · ·
4 · · · · · · · ·
5 · · · ♟ · · · ·
6 · · ♞ · · · · ·
7 ♟ ♟ ♟ · ♟ ♟ ♟ ♟
8 ♜ · ♝ ♚ ♛ ♝ ♞ ♜
  θ η ζ ε δ γ β α
Turn 3: White has 3 moves.
";
    assert_has(&said, &["1.Ιζ3", "Turn 2: Black has 2 moves.", board]);
}

#[test]
fn refused_lines_say_why_and_change_nothing() {
    let said = WHITE.transcript(
        &["e7e5 g8f6"],
        b"e5\ne4 d4\ne4\nBc4 Qh5\nBc4 Qh6 Qxf7\nBc4\nfoo\nundo x\nsave\n\xff\nBc4 Qh5 Qxf7\n",
    );
    assert_has(
        &said,
        &[
            "Refused at turn 1 move 1 (e5): a pawn cannot go there.",
            "Refused at turn 1 move 2 (d4): the series has ended before this move.",
            "Turn 3: White has 3 moves.",
            "Refused: 1 move is missing; write the whole series on one line.",
            "Refused at turn 3 move 2 (Qh6): a queen cannot go there.",
            "Refused: 2 moves are missing; write the whole series on one line.",
            "Refused at turn 3 move 1 (foo): ",
            "Refused at turn 3 move 1 (undo): ",
            "Write the name of the file behind 'save'.",
            "Refused at turn 3 move 1 (\u{fffd}): ",
            "Checkmate: White wins.",
        ],
    );
}

#[test]
fn a_series_may_be_short_where_the_rules_end_it() {
    let pfen = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3";
    let scene = Scene { start: Some(pfen), ..WHITE };
    assert_has(
        &scene.transcript(&["e8f7 g8f6 g7g6"], b"e4 Qh5 Qxf7+\n"),
        &["Turn 4: Black has 4 moves, in check.", "The engine has no answer"],
    );
    // After h3 nothing of White's can move.
    let stuck = Scene { start: Some("7k/8/8/8/7p/p7/P1p4P/K7 w - - 0 5"), ..WHITE };
    assert_has(
        &stuck.transcript(&[], b"h3\nundo\n"),
        &["Stalemate: a draw.", "White has 5 moves."],
    );
}

#[test]
fn the_human_may_take_back_a_turn() {
    let said =
        WHITE.transcript(&["e7e5 g8f6", "d7d5 g8f6"], b"undo\ne4\nundo\nd4\nundo\nquit\ne4\n");
    assert_has(
        &said,
        &[
            "There is no turn of yours to take back.",
            "2.e5 Nf6",
            "Turn 3",
            "Turn 1: White has 1 move.",
            "2.d5 Nf6",
            "Turn 3",
            "Turn 1: White has 1 move.\nwhite> ",
        ],
    );
    assert!(said.ends_with("white> "), "quit ends it: {said}");
    let black = Scene { human: Color::Black, ..WHITE };
    assert_has(
        &black.transcript(&["e2e4"], b"undo\n"),
        &["There is no turn of yours to take back."],
    );
}

#[test]
fn without_an_answer_the_human_moves_for_the_engine() {
    let said = WHITE.transcript(&[], b"e4\ne5 Nf6\nBc4 Qh5 Qxf7\n");
    assert_has(&said, &["The engine has no answer", "black> ", "Turn 3", "Checkmate: White wins."]);
    let illegal = WHITE.transcript(&["e7e5 e5e3", "g8f6"], b"e4\nd5\n");
    assert_has(&illegal, &["The engine has no answer", "black> Refused: 1 move is missing"]);
}

#[test]
fn commands_answer() {
    let said = WHITE.transcript(&["e2e4", ""], b"help\nlegal\nhint\nhint\nresign\nlegal\nundo\n\n");
    assert_has(
        &said,
        &[
            "save FILE",
            "Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4",
            "white> e4\n",
            "The engine has no suggestion.",
            "White resigns: Black wins.",
            "The game is over.",
            "Turn 1: White has 1 move.",
            "white> white> \n",
        ],
    );
}

#[test]
fn a_saved_game_is_read_by_check() {
    use clap::Parser;
    use crescendo::tools::check::{Args, check};

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    let file = std::env::temp_dir().join(format!("crescendo-save-{}.txt", std::process::id()));
    let name = file.to_str().unwrap();
    let scene = Scene { variant: "italian", language: "german", ..WHITE };
    let input = format!("e4\nLc4 Dh5 Dxf7\nsave {name}\nsave {name}/impossible\n");
    let said = scene.transcript(&["e7e5 g8f6"], input.as_bytes());
    let saved = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert_has(&said, &["Saved to ", "Cannot write "]);
    assert_has(&saved, &["italian: 1.e4 2.e5 Sf6 3.Lc4 Dh5 Dxf7# 1-0\n"]);
    let args = Command::parse_from(["check", "--notation", "german"]).args;
    let mut answer = Vec::new();
    check(saved.as_bytes(), &mut answer, &args.start).unwrap();
    let expected = "3: legal, white-checkmate, turn 4 move 1, black to move\n";
    assert_eq!(String::from_utf8(answer).unwrap(), expected);
}

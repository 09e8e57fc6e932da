//! Published games and lines, replayed: they end where an independent replay ended, or fail at the
//! very move that it found illegal.

use std::path::Path;

use crescendo::board::{Color, Role};
use crescendo::notation::{Letters, ScoreError};
use crescendo::rules::{Outcome, WinReason, variants};
use crescendo::{Game, Position, Setup};

struct Row<'t> {
    id: &'t str,
    variant: &'t str,
    start: &'t str,
    score: &'t str,
    expected: &'t str,
    end: &'t str,
}

impl<'t> Row<'t> {
    fn read(line: &'t str) -> Row<'t> {
        let fields: Vec<&str> = line.split('\t').collect();
        let [id, variant, _, start, score, expected, end] = fields[..] else {
            panic!("seven fields: {line}")
        };
        Row { id, variant, start, score, expected, end }
    }

    /// A start is the normal array, or a FEN with the number of the turn behind a bar.
    fn game(&self) -> Game {
        let rules = variants::find(self.variant).unwrap();
        let setup = match self.start.split_once('|') {
            None => Setup::start(),
            Some((fen, turn)) => {
                let mut setup: Setup = fen.parse().unwrap();
                setup.turn = turn.parse().unwrap();
                setup
            }
        };
        Game::new(Position::from_setup(&setup, rules).unwrap())
    }

    /// The score. The sources of the two Marseillais games count White's and Black's turn as one,
    /// as ordinary scores do; their numbers are left out.
    fn score(&self) -> String {
        if !self.variant.starts_with("marseillais") {
            return self.score.to_string();
        }
        let bare = |word: &str| word.split_once('.').map_or(word, |(_, mv)| mv).to_string();
        self.score.split_whitespace().map(bare).collect::<Vec<_>>().join(" ")
    }
}

/// Men, side and castling rights: the fields that the file has in common with position text.
fn common_fields(fen: &str) -> Vec<&str> {
    fen.split_whitespace().take(3).collect()
}

fn assert_position(row: &Row, game: &Game, expected: &str) {
    let pfen = game.position().pfen();
    assert_eq!(common_fields(&pfen), common_fields(expected), "{}", row.id);
}

fn assert_end(row: &Row, game: &Game, end: &str) {
    let position = game.position();
    let open = format!("open, turn {} move {}", position.turn(), position.played() + 1);
    let found = match position.outcome() {
        None => open.as_str(),
        Some(Outcome::Win(_, WinReason::Checkmate)) => "mate",
        Some(Outcome::Win(_, WinReason::ProgressiveCheckmate)) => "italian mate",
        Some(other) => panic!("{}: {other}", row.id),
    };
    assert_eq!(found, end, "{}", row.id);
    assert_position(row, game, row.end);
}

/// `Nb5# illegal at 7.6 fen <the position before it>`
fn assert_failure(row: &Row, game: &Game, error: &ScoreError, expected: &str) {
    let (place, fen) = expected.split_once(" fen ").unwrap();
    assert_eq!(format!("{} illegal at {}.{}", error.text, error.turn, error.index), place);
    assert_position(row, game, fen);
}

#[test]
fn published_games_end_as_an_independent_replay_did() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/published.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Row> = text.lines().skip(1).map(Row::read).collect();
    assert_eq!(rows.len(), 40);
    for row in &rows {
        let mut game = row.game();
        let played = game.play_score(&row.score(), Letters::english());
        match (row.expected.split_once(": ").unwrap(), played) {
            (("OK; end", end), Ok(())) => assert_end(row, &game, end),
            (("FAIL", place), Err(error)) => assert_failure(row, &game, &error, place),
            (expected, played) => panic!("{}: {expected:?} but {played:?}", row.id),
        }
    }
}

#[test]
fn the_reasons_of_failures_are_told() {
    for (variant, score, reason) in [
        (
            "italian",
            "1.e4 2.e5 d6 3.Bb5+",
            "turn 3 move 1 (Bb5+): only the last move of the series may give check",
        ),
        (
            "english",
            "1.e4 2.e6 f6 3.e5 Ba6 Bxb7",
            "turn 3 move 3 (Bxb7): units that have moved less than the one on a6 come first",
        ),
        ("scottish", "1.e4 2.e5 Qh5", "turn 2 move 2 (Qh5): a queen cannot go there"),
        (
            "scottish",
            "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7# 4.d6",
            "turn 4 move 1 (d6): the game has ended before (white-checkmate)",
        ),
    ] {
        let mut game = Game::new(Position::start(variants::find(variant).unwrap()));
        let error = game.play_score(score, Letters::english()).unwrap_err();
        assert_eq!(error.to_string(), reason);
    }
}

#[test]
fn what_stands_between_moves_does_not_matter() {
    for score in [
        "1.e4 2.e5 Nf6 3.Bc4 Qh5 Qxf7#",
        "e4 e5 Nf6 Bc4 Qh5 Qxf7",
        "1. e4 2. e5, Nf6 3. Bc4, Qh5, Qxf7# 1-0",
        "1.e4; 2...e5/Nf6; 3.Bc4/Qh5/Qxf7 *",
        "1.e4 | 2. ... e5 Nf6! | 3.Bc4 Qh5?! Qf7 # 1/2-1/2",
        "e2e4 e7-e5 Ng8f6 3. f1-c4 Qd1-h5 h5:f7",
        "\t1.e4\r\n2.e5\u{a0}Nf6\n3.Bc4 Qh5 Q:f7+ 0-1\n",
    ] {
        let mut game = Game::new(Position::start(variants::default()));
        game.play_score(score, Letters::english()).unwrap_or_else(|e| panic!("{score}: {e}"));
        let taken = Outcome::Win(Color::White, WinReason::Checkmate);
        assert_eq!(game.position().outcome(), Some(taken), "{score}");
    }
}

#[test]
fn a_number_must_be_that_of_the_turn_that_begins() {
    for (score, reason) in [
        ("2.e4", "turn 1 move 1 (2.e4): the turn that begins here is 1"),
        ("1.e4 2.e5 3.Nf6", "turn 2 move 2 (3.Nf6): one move of the turn is still missing"),
        ("1.e4 2.e5 2.Nf6", "turn 2 move 2 (2.Nf6): one move of the turn is still missing"),
        ("1.e4 2.e5 Nf6 4.d4", "turn 3 move 1 (4.d4): the turn that begins here is 3"),
        ("1.e4 2.e5 Nf6 3.d4 4.d6", "turn 3 move 2 (4.d6): 2 moves of the turn are still missing"),
        (
            "99999999999999999999.e4",
            "turn 1 move 1 (99999999999999999999.e4): the turn that begins here is 1",
        ),
        ("1-0 e4", "turn 1 move 1 (1-0): this is no move such as Nf3, exd5, O-O or e2e4"),
    ] {
        let mut game = Game::new(Position::start(variants::default()));
        let error = game.play_score(score, Letters::english()).unwrap_err();
        assert_eq!(error.to_string(), reason);
    }
}

#[test]
fn scores_begin_at_any_turn_and_break_off_anywhere() {
    let fen = "8/1p2k1p1/8/8/5Pp1/3Q4/1P2K1P1/q5N1 b - - 0 10";
    let position = Position::from_pfen(fen, variants::find("italian").unwrap()).unwrap();
    let mut game = Game::new(position);
    game.play_score("10.Qxg1 Qc1", Letters::english()).unwrap();
    game.play_score("10...g3 g5 gxf4 Kf6 Kg5 Kg4 b6 f3+", Letters::english()).unwrap();
    let mate = Outcome::Win(Color::Black, WinReason::ProgressiveCheckmate);
    assert_eq!(game.position().outcome(), Some(mate));
    let score = game.score(crescendo::notation::Style::San(Letters::english()));
    assert_eq!(score, "10.Qxg1 Qc1 g3 g5 gxf4 Kf6 Kg5 Kg4 b6 f3#");
}

#[test]
fn a_series_ends_where_the_rules_end_it() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3";
    let position = Position::from_pfen(fen, variants::default()).unwrap();
    let read = |text| position.read_series(text, Letters::english());
    assert_eq!(read("e4 Nf3").unwrap().len(), 2);
    assert_eq!(read("").unwrap(), []);
    let over = read("e4 Nf3 Nxe5 d4").unwrap_err();
    assert_eq!(over.to_string(), "turn 3 move 4 (d4): the series has ended before this move");
    let check = read("e4 Qh5 Qxf7+ Qxe8").unwrap_err();
    assert_eq!(check.index, 4);
    let check = read("e4 Qh5 Qxe5+").unwrap();
    assert_eq!(position.board().role_at(check[2].from), None);
    assert_eq!(position.board().role_at(check[1].from), Some(Role::Queen));
}

//! The chess server: a client of such servers plays whole games, and always sees the true board.

mod visitor;

use crescendo::rules::variants;
use crescendo::{Game, Position};
use visitor::{Server, Visitor};

fn game(variant: &str, pfen: &str) -> Game {
    let rules = variants::find(variant).expect("a variant");
    Game::new(Position::from_pfen(pfen, rules).expect("a position"))
}

/// A server whose games begin with a position, and a visitor who has White in the first.
fn set_up(variant: &str, pfen: &str) -> (Server, Visitor) {
    let server = Server::start(&["--variant", variant, "--fen", pfen]);
    let mut visitor = server.play("play");
    let board = visitor.board();
    assert_eq!(board.pfen_board(), pfen.split(' ').next().unwrap());
    assert_eq!(board.last(), ["1", "none", "none"]);
    (server, visitor)
}

const ENDING: &str = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";

#[test]
fn six_turns_of_either_colour() {
    for (color, passes) in [("white", 4), ("black", 3)] {
        let server = Server::start(&["--fen", ENDING, "--color", color]);
        let mut visitor = server.play("play");
        let mut game = game("scottish", ENDING);
        visitor.follow(&mut game);
        while game.position().turn() < 7 && game.outcome(|_| true).is_none() {
            assert_eq!(game.position().side().to_string(), color);
            let turn = game.position().turn();
            while game.position().turn() == turn {
                let mv = *game.position().legal_moves().first().expect("a legal move");
                visitor.send(&mv.to_string());
                visitor.follow(&mut game);
            }
        }
        assert!(game.moves().len() >= 5 + passes, "{color}: {:?}", game.moves());
    }
}

#[test]
fn a_game_begins_and_ends_in_the_words_of_servers() {
    let server = Server::start(&["--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"]);
    let mut visitor = server.play("play");
    let opening = visitor.until("<12> ");
    assert!(opening.contains("\r\nCreating: human (++++) Crescendo (++++) unrated "), "{opening}");
    let line = "\r\n{Game 1 (human vs. Crescendo) Creating unrated standard match.}\r\n";
    assert!(opening.contains(line), "{opening}");
    visitor.send("Ra8");
    let board = visitor.board();
    assert_eq!(board.last(), ["1", "R/a1-a8", "Ra8#"]);
    let ending = visitor.until("fics% ");
    assert!(ending.contains("\r\n{Game 1 (human vs. Crescendo) Crescendo checkmated} 1-0\r\n"));
    assert!(ending.contains("\r\n1.Ra8#\r\n"), "{ending}");
    assert!(visitor.ask("g1g2").contains("not playing a game"));
}

#[test]
fn other_endings() {
    let italian = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
    for (variant, pfen, mv, words) in [
        ("italian", italian, "h1h8", "Crescendo checkmated} 1-0"),
        ("scottish", "k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7", "Game drawn by stalemate} 1/2-1/2"),
        (
            "scottish",
            "k7/8/8/8/8/8/1p6/K7 w - - 0 1",
            "a1b2",
            "Neither player has mating material} 1",
        ),
        ("takeall", "8/8/8/8/8/8/8/Kr6 w - - 0 1", "a1b1", "Crescendo has lost everything} 1-0"),
    ] {
        let (_server, mut visitor) = set_up(variant, pfen);
        let line = visitor.ask(mv);
        assert!(line.contains(&format!("(human vs. Crescendo) {words}")), "{line}");
    }
}

#[test]
fn the_other_side_passes_inside_a_series() {
    let (_server, mut visitor) = set_up("scottish", "7k/8/8/8/8/8/P7/K7 w - - 0 3");
    visitor.send("a2a4");
    let moved = visitor.board();
    assert_eq!((moved.last(), moved.is_mine), (["1", "P/a2-a4", "a4"], false));
    let passed = visitor.board();
    assert_eq!((passed.last(), passed.is_mine), (["2", "@@@@", "--"], true));
    assert_eq!((passed.side.as_str(), passed.pfen_board()), ("white", moved.pfen_board()));
    // Several moves may stand on one line.
    visitor.send("Kb2 a4-a5");
    assert_eq!(visitor.board().last(), ["2", "K/a1-b2", "Kb2"]);
    assert_eq!(visitor.board().last()[1], "@@@@");
    assert_eq!(visitor.board().last(), ["3", "P/a4-a5", "a5"]);
    assert_eq!(visitor.board().last()[0], "4");
}

#[test]
fn promotion_in_every_form() {
    for text in ["a7a8=q", "a7a8q", "a7-a8=Q", "a8=Q", "a8(Q)"] {
        let (_server, mut visitor) = set_up("scottish", "8/P5k1/8/8/8/8/8/K7 w - - 0 1");
        visitor.send(text);
        let board = visitor.board();
        assert_eq!(board.last(), ["1", "P/a7-a8=Q", "a8=Q"], "{text}");
        assert_eq!(board.pfen_board(), "Q7/6k1/8/8/8/8/8/K7");
    }
    let (_server, mut visitor) = set_up("takeall", "8/P5k1/8/8/8/8/8/K7 w - - 0 1");
    assert!(visitor.ask("a7a8").contains("say what the pawn becomes: queen, rook, bishop, "));
    visitor.send("a7a8=k");
    assert_eq!(visitor.board().pfen_board(), "K7/6k1/8/8/8/8/8/K7");
}

#[test]
fn castling_in_every_form() {
    let pfen = "8/1k6/8/8/8/8/8/R3K2R w KQ - 0 2";
    for (text, verbose, board) in [
        ("o-o", "o-o", "8/1k6/8/8/8/8/8/R4RK1"),
        ("O-O-O", "o-o-o", "8/1k6/8/8/8/8/8/2KR3R"),
        ("0-0", "o-o", "8/1k6/8/8/8/8/8/R4RK1"),
        ("e1c1", "o-o-o", "8/1k6/8/8/8/8/8/2KR3R"),
    ] {
        let server = Server::start(&["--fen", pfen]);
        let mut visitor = server.play("play");
        assert_eq!(visitor.board().castling(), "1100");
        visitor.send(text);
        let shown = visitor.board();
        assert_eq!((shown.last()[1], shown.pfen_board().as_str()), (verbose, board), "{text}");
        assert_eq!(shown.castling(), "0000");
    }
}

#[test]
fn en_passant_with_two_targets() {
    let pfen = "7k/8/8/3pPp2/8/8/8/K7 w - d6f6 0 2";
    let (_server, mut visitor) = set_up("scottish", pfen);
    for (text, board) in [("e5f6", "7k/8/5P2/3p4/8/8/8/K7"), ("exd6", "7k/8/3P4/5p2/8/8/8/K7")] {
        visitor.send(text);
        let shown = visitor.board();
        assert_eq!((shown.pfen_board().as_str(), shown.double_step()), (board, "-1"));
        visitor.board();
        visitor.send("takeback");
        let back = visitor.board();
        assert_eq!(back.pfen_board(), pfen.split(' ').next().unwrap());
        assert!(["3", "5"].contains(&back.double_step()));
    }
    visitor.send("Kb2");
    visitor.board();
    visitor.board();
    assert!(visitor.ask("exf6").contains("nothing can be taken en passant there now"));
}

#[test]
fn a_man_taken_in_circe_is_reborn() {
    let (_server, mut visitor) = set_up("scottish-circe", "4k3/8/8/8/4n3/8/8/K3R3 w - - 0 1");
    visitor.send("Rxe4");
    let board = visitor.board();
    // The knight has been taken on a light square.
    assert_eq!(board.pfen_board(), "4k1n1/8/8/8/4R3/8/8/K7");
    assert_eq!(board.last(), ["1", "R/e1-e4", "Rxe4+"]);
}

#[test]
fn a_move_is_refused_with_its_reason() {
    for (variant, pfen, text, reason) in [
        ("scottish", "4k3/8/8/8/8/8/7P/4K3 w - - 0 1", "e1e3", "a king cannot go there"),
        ("scottish", "4k3/8/8/8/8/8/7P/4K3 w - - 0 1", "e8e7", "belongs to the opponent"),
        ("scottish", "4k3/8/8/8/8/8/7P/4K3 w - - 0 1", "a3a4", "a3 is empty"),
        ("scottish", "3rk3/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1", "the king would be left in check"),
        ("scottish", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "o-o", "castling is not possible"),
        ("italian", "4k3/8/8/8/8/8/R7/4K3 w - - 0 3", "Ra8", "only the last move of the series"),
        ("scottish", "4k3/8/8/8/8/8/R7/4K2R w - - 0 3", "Rb1", "no rook can go to b1 like that"),
    ] {
        let (_server, mut visitor) = set_up(variant, pfen);
        let answer = visitor.ask(text);
        assert!(answer.contains(&format!("({text}): ")) && answer.contains(reason), "{answer}");
        // The unchanged board follows, for programs that have moved the men already.
        assert!(answer.contains("\r\n<12> ") && answer.contains(" none (0:00) none "), "{answer}");
    }
    let english = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 3";
    let (_server, mut visitor) = set_up("english", english);
    visitor.send("a2a3");
    visitor.board();
    visitor.board();
    let answer = visitor.ask("a3a4");
    assert!(
        answer.contains("units that have moved less than the one on a3 come first"),
        "{answer}"
    );
}

#[test]
fn whole_series_are_taken_back() {
    let (_server, mut visitor) = set_up("scottish", ENDING);
    let mut game = game("scottish", ENDING);
    let nothing = visitor.ask("takeback");
    assert!(nothing.contains("There is no turn of yours to take back."), "{nothing}");
    visitor.send("a2a3");
    visitor.follow(&mut game);
    assert_eq!(game.position().turn(), 3);
    // Inside the series: back to its start.
    visitor.send("b2b3 c2c3");
    (0..4).for_each(|_| drop(visitor.board()));
    visitor.send("takeback 1");
    let board = visitor.board();
    assert_eq!(board.pfen_board(), game.position().pfen().split(' ').next().unwrap());
    assert_eq!((board.last()[0], board.is_mine), ("3", true));
    // At its start: back to the turn before.
    visitor.send("undo");
    let board = visitor.board();
    assert_eq!(
        (board.pfen_board().as_str(), board.last()[1]),
        ("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3", "none")
    );
    visitor.send("h2h4");
    assert_eq!(visitor.board().last(), ["1", "P/h2-h4", "h4"]);
}

#[test]
fn a_thinking_engine_can_be_interrupted() {
    let server = Server::start(&["--movetime", "86400000", "--no-book"]);
    let mut visitor = server.play("play");
    visitor.send("e2e4");
    visitor.until(" e4 ");
    assert!(visitor.ask("e7e5").contains("It is not your move."));
    visitor.send("takeback");
    visitor.until("Taken back.");
    visitor.until("none (0:00) none");
    visitor.send("d2d4");
    visitor.until(" d4 ");
    visitor.send("resign");
    visitor.until("{Game 1 (human vs. Crescendo) human resigns} 0-1");
    visitor.send("rematch");
    visitor.until("{Game 2 (Crescendo vs. human) Creating");
    visitor.send("abort");
    visitor.until("{Game 2 (Crescendo vs. human) Game aborted by mutual agreement} *");
    visitor.send("play black italian");
    visitor.until("{Game 3 (Crescendo vs. human) Creating");
    visitor.until("italian: a check");
}

#[test]
fn a_series_that_is_being_shown_can_be_interrupted() {
    let server = Server::start(&["--fen", ENDING, "--pace", "60000"]);
    let mut visitor = server.play("play");
    visitor.board();
    visitor.send("e2e4");
    visitor.board();
    let first = visitor.board();
    assert_eq!((first.side.as_str(), visitor.board().last()[1]), ("white", "@@@@"));
    assert!(visitor.ask("d2d4").contains("It is not your move."));
    assert!(visitor.ask("moves").contains(&format!("1.e4 2.{}\r\n", first.last()[2])));
    visitor.send("takeback");
    assert_eq!(visitor.board().last(), ["1", "none", "none"]);
    visitor.send("d2d4");
    assert_eq!(visitor.board().last(), ["1", "P/d2-d4", "d4"]);
}

#[test]
fn a_random_colour_is_now_the_one_and_now_the_other() {
    let server = Server::start(&["--color", "random", "--movetime", "86400000", "--no-book"]);
    let mut visitor = server.visit();
    let (mut white, mut black) = (0, 0);
    for number in 1..200 {
        visitor.send("play");
        visitor.until(&format!("{{Game {number} ("));
        match visitor.until(")").as_str() {
            "human vs. Crescendo)" => white += 1,
            "Crescendo vs. human)" => black += 1,
            other => panic!("{other}"),
        }
        if white > 0 && black > 0 {
            return;
        }
        visitor.ask("abort");
    }
    panic!("{white} games with White, {black} with Black");
}

#[test]
fn draws_are_taken_by_who_stands_worse() {
    let (_server, mut visitor) = set_up("scottish", "7k/8/8/8/8/8/RRRRR3/K7 w - - 0 1");
    assert!(visitor.ask("draw").contains("Crescendo declines the draw request."));
    let mut game = game("scottish", "7k/8/8/8/8/8/RRRRR3/K7 w - - 0 1");
    visitor.send("Kb1");
    visitor.follow(&mut game);
    if game.outcome(|_| false).is_none() {
        visitor.send("draw");
        visitor.until("Crescendo accepts the draw request.");
        visitor.until("Game drawn by mutual agreement} 1/2-1/2");
    }
}

#[test]
fn the_clock_runs_and_flags_fall() {
    let server = Server::start(&["--tc", "1.5+2"]);
    let mut visitor = server.visit();
    visitor.ask("$iset ms 1");
    visitor.send("play");
    let board = visitor.board();
    assert_eq!(board.control(), ["1", "2"]);
    assert!(board.clocks()[0] <= 1500 && board.clocks()[1] == 1500, "{board:?}");
    visitor.send("e2e4");
    let clocks = visitor.board().clocks();
    assert!((2000..=3500).contains(&clocks[0]), "a series is paid for: {clocks:?}");
    visitor.until("{Game 1 (human vs. Crescendo) human forfeits on time} 0-1");
    visitor.send("play 5 12");
    let board = visitor.board();
    assert_eq!((board.control(), board.clocks()[1]), (["5", "12"], 300_000));
}

#[test]
fn questions_are_answered() {
    let (_server, mut visitor) = set_up("scottish", "7k/8/8/8/8/8/P7/K7 w - - 0 3");
    for (question, answer) in [
        ("help", "takeback"),
        ("who", "human and Crescendo."),
        ("games", "Game 1 (human vs. Crescendo): scottish, turn 3, white to move"),
        ("moves", "No move has been made."),
        ("legal", "Kb1 Kb2 a3 a4"),
        ("time", "No clock runs in this game."),
        ("refresh", "<12> -------k "),
        ("$style 12", "Style 12 set."),
        ("set shout 0", "Noted."),
        ("sought all", "0 ads displayed."),
        ("tell Crescendo hello", "Nobody is here to talk to."),
        ("flag", "still have time"),
        ("play", "You are playing a game: resign or abort it first."),
        ("play chess", "'chess' is neither a colour"),
        ("fly", "fly: Command not found."),
    ] {
        let said = visitor.ask(question);
        assert!(said.contains(answer), "{question}: {said}");
    }
    visitor.send("quit");
    assert!(visitor.rest().contains("Thank you"));
}

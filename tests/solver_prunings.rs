//! No pruning may change an answer: the numbers of winning series with each pruning alone, with
//! all, and with none must be equal, on random positions of every variant.

mod common;

use common::{rows, text};
use crescendo::board::{Board, Color, Role, Square};
use crescendo::rules::{RuleSet, variants};
use crescendo::search::Control;
use crescendo::search::solver::{Prunings, Solver, Verdict};
use crescendo::{Position, Setup};
use proptest::prelude::*;

/// Plays random legal moves from the start until turn `turn` begins, or `None` if the game ends.
fn random_position(rules: &'static RuleSet, turn: u16, seed: u64) -> Option<Position> {
    let mut state = seed;
    let mut position = Position::start(rules);
    while position.turn() < turn {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return None;
        }
        state = crescendo::board::mix(state.wrapping_add(0x9E37_79B9_7F4A_7C15));
        position.play_unchecked(moves[(state % moves.len() as u64) as usize]);
    }
    position.outcome().is_none().then_some(position)
}

/// The position with another turn number, so that the series has as many moves as wanted.
fn with_allowance(position: &Position, moves: u16) -> Position {
    let mut setup: crescendo::Setup = position.pfen().parse().unwrap();
    setup.turn = moves;
    Position::from_setup(&setup, position.rules()).unwrap()
}

/// A few men around the king of the side that is not to move: there mates hang by a thread, on pawns
/// about to promote, on lines just opened, on pins.
fn sparse_position(rules: &'static RuleSet, moves: u16, men: &[(u8, i8, i8)]) -> Option<Position> {
    let mut board = Board::empty();
    let king = men.first().map(|&(at, ..)| Square::new(at as usize % 64))?;
    board.toggle(Color::Black, Role::King, king);
    for (index, &(kind, file, rank)) in men.iter().enumerate().skip(1) {
        let file = (king.file() as i8 + file).rem_euclid(8) as usize;
        let rank = (king.rank() as i8 + rank).rem_euclid(8) as usize;
        let role = match index {
            1 => Role::King,
            // Pawns twice as often as others, and no more kings.
            _ => [Role::Pawn, Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
                [kind as usize % 6],
        };
        let color = if index == 1 || kind < 160 { Color::White } else { Color::Black };
        let rank = if role == Role::Pawn { rank.clamp(1, 6) } else { rank };
        let square = Square::at(file, rank);
        if board.piece_at(square).is_none() {
            board.toggle(color, role, square);
        }
    }
    let setup = Setup { board, castling: "-".into(), turn: moves, ..Setup::start() };
    Position::from_setup(&setup, rules).ok()
}

fn settings() -> [Prunings; 7] {
    let none = Prunings::NONE;
    [
        Prunings { table: true, ..none },
        Prunings { order: true, table: true, ..none },
        Prunings { bound: true, ..none },
        Prunings { last_but_one: true, ..none },
        Prunings { flights: true, ..none },
        Prunings { table: false, ..Prunings::ALL },
        Prunings::ALL,
    ]
}

fn same_answers(position: &Position) -> Result<(), TestCaseError> {
    let control = Control::unlimited();
    let solver = |prunings| Solver::new(1).with_prunings(prunings);
    let expected = solver(Prunings::NONE).count(position, &control).count;
    for prunings in settings() {
        let pfen = position.pfen();
        let count = solver(prunings).count(position, &control).count;
        prop_assert_eq!(count, expected, "count of {} {:?}", &pfen, prunings);
        match solver(prunings).find(position, &control) {
            Verdict::Found(series) => {
                let mut end = *position;
                for mv in series {
                    prop_assert!(end.play(mv).is_ok(), "{} {}", &pfen, mv);
                }
                prop_assert!(end.at_boundary() && end.is_lost(), "no win in {}", &pfen);
            }
            verdict => {
                prop_assert_eq!(verdict, Verdict::None);
                prop_assert_eq!(expected, 0, "a wrong no in {} {:?}", &pfen, prunings);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn answers_do_not_depend_on_prunings(
        variant in 0..variants::ALL.len(),
        turn in 3u16..16,
        moves in 2u16..5,
        seed: u64,
    ) {
        if let Some(position) = random_position(&variants::ALL[variant], turn, seed) {
            same_answers(&with_allowance(&position, moves))?;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10 * cases()))]

    #[test]
    fn answers_do_not_depend_on_prunings_where_few_men_are_left(
        variant in 0..variants::ALL.len(),
        moves in 2u16..4,
        men in prop::collection::vec((any::<u8>(), -3i8..4, -3i8..4), 3..12),
    ) {
        if let Some(position) = sparse_position(&variants::ALL[variant], moves, &men) {
            same_answers(&position)?;
        }
    }
}

/// A position from a game with some men gone and some elsewhere, mostly own units near the enemy
/// king: full boards, and mates by every means. Each change has a square, what becomes of the man
/// there, and a square as seen from the king.
fn mutilated_position(
    rules: &'static RuleSet,
    pfen: &str,
    moves: u16,
    changes: &[(usize, u8, i8, i8)],
) -> Option<Position> {
    let mut setup: Setup = pfen.parse().unwrap();
    let us = if pfen.contains(" w ") { Color::White } else { Color::Black };
    let king = setup.board.king(!us)?;
    for &(from, kind, file, rank) in changes {
        let from = Square::new(from);
        let Some(piece) = setup.board.piece_at(from) else { continue };
        let file = (king.file() as i8 + file).rem_euclid(8) as usize;
        let rank = (king.rank() as i8 + rank).rem_euclid(8) as usize;
        let to = Square::at(file, rank);
        let goes = piece.color == us && kind < 160;
        if piece.role == Role::King && (piece.color != us || kind < 128) {
            continue;
        }
        if goes && (piece.role == Role::Pawn && [0, 7].contains(&rank)) {
            continue;
        }
        if setup.board.piece_at(to).is_none() && (goes || piece.role == Role::King) {
            setup.board.toggle(piece.color, piece.role, from);
            setup.board.toggle(piece.color, piece.role, to);
            setup.castling = if piece.role == Role::King { "-".into() } else { setup.castling };
        } else if piece.role != Role::King {
            setup.board.toggle(piece.color, piece.role, from);
        }
    }
    setup.turn = moves;
    let without_castling = Setup { castling: "-".into(), ..setup.clone() };
    let positions = [setup, without_castling].map(|setup| Position::from_setup(&setup, rules));
    positions.into_iter().find_map(Result::ok)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2 * cases()))]

    #[test]
    fn answers_do_not_depend_on_prunings_in_positions_like_those_of_games(
        variant in 0..variants::ALL.len(),
        row in any::<prop::sample::Index>(),
        moves in 2u16..4,
        changes in prop::collection::vec((0..64usize, any::<u8>(), -3i8..4, -3i8..4), 0..24),
    ) {
        let rows = rows("mates.jsonl");
        let pfen = text(row.get(&rows), "fen");
        let rules = &variants::ALL[variant];
        if let Some(position) = mutilated_position(rules, pfen, moves, &changes) {
            same_answers(&position)?;
        }
    }
}

/// Sliders, pawns about to promote and perhaps a king ready to castle around the king of the other
/// side, many of them on his lines: mates by what opens. Each unit has a role, a place, and a square
/// as seen from the king; the first is the king of `us` unless he castles.
fn lined_position(
    rules: &'static RuleSet,
    (us, castles, king): (Color, bool, usize),
    units: &[(u8, u8, i8, i8)],
) -> Option<Position> {
    let king = Square::new(king);
    let rank = |rank: usize| if us == Color::White { rank } else { 7 - rank };
    let mut men = vec![(!us, Role::King, king)];
    if castles {
        let home = [(Role::King, 4), (Role::Rook, 0), (Role::Rook, 7)];
        men.extend(home.map(|(role, file)| (us, role, Square::at(file, rank(0)))));
    }
    for (index, &(kind, place, file, rise)) in units.iter().enumerate() {
        let color = if index == 0 || kind % 2 == 0 { us } else { !us };
        let role = match kind / 2 % 9 {
            _ if index == 0 && !castles => Role::King,
            0..=1 => Role::Pawn,
            2 => Role::Knight,
            3..=4 => Role::Bishop,
            5..=6 => Role::Rook,
            _ => Role::Queen,
        };
        let near = |from: usize, by: i8| (from as i8 + by).clamp(0, 7) as usize;
        let anywhere = |by: i8| by.rem_euclid(8) as usize;
        let (file, rise) = match place % 5 {
            0 => (king.file(), anywhere(rise)),
            1 => (anywhere(file), king.rank()),
            2 => (anywhere(file), anywhere(rise)),
            _ => (near(king.file(), file), near(king.rank(), rise)),
        };
        let square = match role {
            Role::Pawn if color == us && place >= 128 => Square::at(file, rank(6)),
            Role::Pawn => Square::at(file, rise.clamp(1, 6)),
            _ => Square::at(file, rise),
        };
        men.push((color, role, square));
    }
    let mut board = Board::empty();
    for (color, role, square) in men {
        if board.piece_at(square).is_none() {
            board.toggle(color, role, square);
        }
    }
    let castling = match (castles, us) {
        (false, _) => "-",
        (true, Color::White) => "KQ",
        (true, Color::Black) => "kq",
    };
    let setup = Setup { board, side: us, castling: castling.into(), turn: 3, ..Setup::start() };
    Position::from_setup(&setup, rules).ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20 * cases()))]

    #[test]
    fn answers_do_not_depend_on_prunings_where_lines_open(
        variant in 0..variants::ALL.len(),
        (white, castles, king) in (any::<bool>(), prop::bool::weighted(0.15), 0..64usize),
        units in prop::collection::vec((any::<u8>(), any::<u8>(), -4i8..5, -4i8..5), 3..13),
    ) {
        let us = if white { Color::White } else { Color::Black };
        if let Some(position) = lined_position(&variants::ALL[variant], (us, castles, king), &units) {
            same_answers(&position)?;
        }
    }
}

fn check(variant: &str, pfen: &str) {
    let rules = variants::find(variant).unwrap();
    same_answers(&Position::from_pfen(pfen, rules).unwrap()).unwrap();
}

/// A pawn at home needs five moves to promote, and so may be the queen that mates with the fifth.
#[test]
fn a_double_step_shortens_the_way_to_promotion() {
    check("scottish", "6k1/8/6K1/8/8/8/3P4/8 w - - 0 5");
    check("italian", "8/3p4/8/8/8/1k6/8/1K6 b - - 0 5");
    check("logical", "6k1/8/6K1/8/8/8/3P4/8 w - - 0 6");
}

/// The king steps off the line on which a new queen will check.
#[test]
fn a_unit_leaves_the_line_of_a_pawn_about_to_promote() {
    check("italian-logical", "k7/p1K2P1p/8/8/8/8/8/8 w - - 0 3");
    check("scottish", "8/8/5p2/2b5/7p/6r1/5pPP/3k2nK b - - 0 3");
    // Here the line runs through the square that the pawn leaves.
    check("scottish", "4q3/5P2/6Rp/7k/7p/8/8/K7 w - - 0 3");
}

/// The queen leaves a line of the rook, and may check where he covers the flights then.
#[test]
fn a_unit_that_checks_next_leaves_the_line_of_another() {
    check("scottish", "7R/8/8/4r3/8/8/8/2q1k2K b - - 0 3");
    check("italian", "7R/8/8/4r3/8/8/8/2q1k2K b - - 0 3");
}

/// How many positions to try; `SOLVER_CASES` asks for more than a test run has time for.
fn cases() -> u32 {
    std::env::var("SOLVER_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

//! No pruning may change an answer: the numbers of winning series with each pruning alone, with
//! all, and with none must be equal, on random positions of every variant.

use crescendo::Position;
use crescendo::rules::{RuleSet, variants};
use crescendo::search::Control;
use crescendo::search::solver::{Prunings, Solver, Verdict};
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

fn settings() -> [Prunings; 6] {
    let none = Prunings::NONE;
    [
        Prunings { table: true, ..none },
        Prunings { order: true, table: true, ..none },
        Prunings { bound: true, ..none },
        Prunings { last_but_one: true, ..none },
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

/// How many positions to try; `SOLVER_CASES` asks for more than a test run has time for.
fn cases() -> u32 {
    std::env::var("SOLVER_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

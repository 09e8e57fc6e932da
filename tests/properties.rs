//! What holds in every position of every variant, tried on random play.
//!
//! Each property is checked in all positions of random walks; proptest shortens a walk that fails.

mod common;
mod mangle;
mod rulebook;

use std::sync::LazyLock;

use common::{rows, text};
use crescendo::board::{Bitboard, Board, Color, Role, Square, mix};
use crescendo::position::Batch;
use crescendo::rules::variants;
use crescendo::{Move, Position, Setup};
use mangle::config;
use proptest::prelude::*;
use rulebook::Table;

/// Where walks begin: the counted positions of all variants.
static STARTS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    let mut starts: Vec<Position> = variants::ALL.iter().map(Position::start).collect();
    for row in rows("perft.jsonl") {
        let rules = variants::find(text(&row, "variant")).expect("a variant of the catalogue");
        let position = Position::from_pfen(text(&row, "fen"), rules).expect("a legal position");
        if !starts.contains(&position) {
            starts.push(position);
        }
    }
    starts
});

/// A walk: its first position, and for each move a number that chooses it.
#[derive(Clone, Debug)]
struct Walk {
    start: Position,
    choices: Vec<u8>,
}

impl Walk {
    /// The positions of the walk, up to one without a legal move.
    fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start];
        let mut position = self.start;
        for &choice in &self.choices {
            let Some(mv) = choose(&position, choice) else { break };
            position.play_unchecked(mv);
            positions.push(position);
        }
        positions
    }
}

/// The legal move with this number, counted round and round.
fn choose(position: &Position, choice: u8) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() { None } else { Some(moves[usize::from(choice) % moves.len()]) }
}

fn walks() -> impl Strategy<Value = Walk> {
    let start = (0..STARTS.len()).prop_map(|index| STARTS[index]);
    let choices = proptest::collection::vec(any::<u8>(), 0..60);
    (start, choices).prop_map(|(start, choices)| Walk { start, choices })
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}

fn batches(position: &Position) -> Vec<Batch> {
    let mut batches = Vec::new();
    position.for_each_batch(|batch| batches.push(batch));
    batches
}

/// Whether `color` attacks the enemy king, where kings are royal.
fn gives_check(position: &Position, color: Color) -> bool {
    position.rules().royal_kings()
        && position
            .board()
            .king(!color)
            .is_some_and(|king| position.board().is_attacked(color, king))
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn a_move_made_on_a_copy_is_the_move_played_by_its_text(walk in walks()) {
        for position in walk.positions() {
            for batch in batches(&position) {
                for to in batch.to {
                    let mut made = position;
                    made.play_batch(&batch, to);
                    let mv = batch.move_to(to);
                    let mut played = position;
                    prop_assert!(played.play(mv.to_string().parse().unwrap()).is_ok(), "{}", mv);
                    let mut trusted = position;
                    trusted.play_unchecked(mv);
                    prop_assert_eq!(made, played, "{}", mv);
                    prop_assert_eq!(made, trusted, "{}", mv);
                    prop_assert_eq!(made.key(), position.key_after(&batch, to), "{}", mv);
                }
            }
        }
    }

    #[test]
    fn a_turn_start_read_back_from_its_text_is_itself(walk in walks()) {
        for position in walk.positions() {
            if position.at_boundary() && !position.board().color(position.side()).is_empty() {
                let pfen = position.pfen();
                let read = Position::from_pfen(&pfen, position.rules());
                prop_assert_eq!(&read, &Ok(position), "{}", &pfen);
                prop_assert_eq!(read.unwrap().key(), position.key(), "{}", &pfen);
            }
        }
    }

    #[test]
    fn the_hash_of_a_board_is_that_of_its_men_put_there_anew(walk in walks()) {
        for position in walk.positions() {
            let mut board = Board::empty();
            for square in Bitboard::FULL {
                if let Some(man) = position.board().piece_at(square) {
                    board.toggle(man.color, man.role, square);
                }
            }
            prop_assert_eq!(&board, position.board());
            prop_assert_eq!(board.hash(), position.board().hash());
        }
    }

    #[test]
    fn all_ways_to_count_moves_agree(walk in walks()) {
        for position in walk.positions() {
            let moves = sorted(position.legal_moves());
            prop_assert!(moves.windows(2).all(|pair| pair[0] != pair[1]), "a move comes twice");
            prop_assert_eq!(position.count_moves(), moves.len() as u64);
            let in_batches: u32 = batches(&position).iter().map(|batch| batch.to.len()).sum();
            prop_assert_eq!(in_batches as usize, moves.len());
            prop_assert_eq!(position.has_legal_move(), !moves.is_empty());
        }
    }

    #[test]
    fn a_batch_knows_which_of_its_moves_check_and_which_end_the_series(walk in walks()) {
        for position in walk.positions() {
            let us = position.side();
            for batch in batches(&position) {
                prop_assert!((batch.checks - batch.to).is_empty());
                let enders = position.series_enders(&batch);
                for to in batch.to {
                    let mut next = position;
                    next.play_batch(&batch, to);
                    let mv = batch.move_to(to);
                    prop_assert_eq!(gives_check(&next, us), batch.checks.has(to), "{}", mv);
                    prop_assert!(!gives_check(&next, !us), "{} leaves its king attacked", mv);
                    prop_assert_eq!(next.side() != us, enders.has(to), "{}", mv);
                    if next.side() != us {
                        prop_assert_eq!(next.in_check(), batch.checks.has(to), "{}", mv);
                    }
                }
            }
        }
    }

    #[test]
    fn checks_sought_alone_are_the_checks_among_all_moves(walk in walks()) {
        for position in walk.positions() {
            let mut among_all = Vec::new();
            position.unbanned().for_each_batch(|batch| {
                among_all.extend(Batch { to: batch.checks, ..batch }.moves());
            });
            let mut alone = Vec::new();
            position.unbanned().for_each_check(|batch| {
                assert_eq!(batch.to, batch.checks);
                alone.extend(batch.moves());
            });
            prop_assert_eq!(sorted(alone), sorted(among_all), "{}", position.pfen());
        }
    }

    #[test]
    fn moves_into_wanted_squares_are_among_all_moves(walk in walks(), seed in any::<u64>()) {
        let wanted = |role: Role, from: Square| {
            Bitboard(mix(seed ^ (from.index() * Role::ALL.len() + role as usize) as u64))
        };
        for position in walk.positions() {
            let mut expected = Vec::new();
            position.unbanned().for_each_batch(|batch| {
                let passing = match batch.role {
                    Role::Pawn => position.en_passant_targets(),
                    _ => Bitboard::EMPTY,
                };
                let always = position.castling_moves(&batch) | passing;
                if batch.promotion.is_none() {
                    let to = batch.to & (wanted(batch.role, batch.from) | always);
                    expected.extend(Batch { to, ..batch }.moves());
                } else {
                    expected.extend(batch.moves());
                }
            });
            let mut found = Vec::new();
            position.unbanned().for_each_batch_into(wanted, |batch| found.extend(batch.moves()));
            prop_assert_eq!(sorted(found), sorted(expected), "{}", position.pfen());
        }
    }

    #[test]
    fn legal_moves_are_legal_and_all_others_are_refused(
        walk in walks(), offset in 0..STRIDE, step in 0usize..8,
    ) {
        for position in walk.positions().into_iter().skip(step).step_by(8) {
            let legal = sorted(position.legal_moves());
            prop_assert!(legal.iter().all(|&mv| position.is_legal(mv)));
            for number in (offset..64 * 64 * PROMOTIONS.len()).step_by(STRIDE) {
                let (squares, promotion) =
                    (number / PROMOTIONS.len(), PROMOTIONS[number % PROMOTIONS.len()]);
                let (from, to) = (Square::new(squares / 64), Square::new(squares % 64));
                let mv = Move { from, to, promotion };
                let known = legal.binary_search(&mv).is_ok();
                prop_assert_eq!(position.is_legal(mv), known, "{}", mv);
                let mut played = position;
                match played.play(mv) {
                    Ok(()) => prop_assert!(known, "{} is not refused", mv),
                    Err(refusal) => {
                        prop_assert!(!known, "{}", refusal);
                        prop_assert_eq!(refusal.mv, mv);
                        prop_assert_eq!(played, position);
                    }
                }
            }
        }
    }

    #[test]
    fn moves_texts_and_results_are_those_of_the_rules_read_slowly(walk in walks()) {
        let mut position = walk.start;
        let mut table = Table::read(&position.pfen(), position.rules());
        let mut choices = walk.choices.iter();
        loop {
            let mut legal: Vec<String> =
                position.legal_moves().iter().map(|mv| mv.to_string()).collect();
            legal.sort();
            prop_assert_eq!(legal, table.legal(), "{}: {}", position.rules().name, table.text());
            let result = position.outcome().map_or("none".to_string(), |end| end.to_string());
            prop_assert_eq!(result, table.result(), "{}", table.text());
            if position.at_boundary() {
                prop_assert_eq!(position.pfen(), table.text(), "{}", position.rules().name);
            }
            let Some(mv) = choices.next().and_then(|&choice| choose(&position, choice)) else { break };
            position.play_unchecked(mv);
            table.play(&mv.to_string());
        }
    }

    #[test]
    fn colours_are_alike(walk in walks()) {
        let mut position = walk.start;
        let mut mirrored = mirror(&position);
        for choice in walk.choices {
            let expected = position.legal_moves().into_iter().map(mirror_move).collect();
            prop_assert_eq!(sorted(mirrored.legal_moves()), sorted(expected));
            prop_assert_eq!(mirrored.in_check(), position.in_check());
            prop_assert_eq!(mirrored.outcome().is_some(), position.outcome().is_some());
            let Some(mv) = choose(&position, choice) else { break };
            position.play_unchecked(mv);
            mirrored.play_unchecked(mirror_move(mv));
            if position.at_boundary() && !position.board().color(position.side()).is_empty() {
                prop_assert_eq!(&mirror(&position), &mirrored);
            }
        }
    }

    #[test]
    fn an_opponent_who_stays_mobile_does(promise in promises(), walk in walks()) {
        promise_is_kept(&promise)?;
        let promises = |p: &Position| p.moves_left() == 1 && p.opponent_stays_mobile();
        walk.positions().iter().filter(|&position| promises(position)).try_for_each(promise_is_kept)?;
    }
}

/// Of all combinations of squares and promotions, one in so many is tried. It has no factor in
/// common with their number, so that the offsets reach all.
const STRIDE: usize = 97;

const PROMOTIONS: [Option<Role>; 7] = [
    None,
    Some(Role::Pawn),
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
    Some(Role::King),
];

/// The start of a turn with colours changed and the board turned top to bottom.
fn mirror(position: &Position) -> Position {
    let setup: Setup = position.pfen().parse().expect("position text");
    let mut board = Board::empty();
    for square in Bitboard::FULL {
        if let Some(man) = setup.board.piece_at(square) {
            board.toggle(!man.color, man.role, mirror_square(square));
        }
    }
    let change_case = |letter: char| match letter.is_ascii_uppercase() {
        true => letter.to_ascii_lowercase(),
        false => letter.to_ascii_uppercase(),
    };
    let turn_rank = |letter: char| match letter {
        '3' => '6',
        '6' => '3',
        file => file,
    };
    let mirrored = Setup {
        board,
        side: !setup.side,
        castling: setup.castling.chars().map(change_case).collect(),
        en_passant: setup.en_passant.chars().map(turn_rank).collect(),
        ..setup
    };
    Position::from_setup(&mirrored, position.rules()).expect("legal for one is legal for both")
}

fn mirror_square(square: Square) -> Square {
    square.relative_to(Color::Black)
}

fn mirror_move(mv: Move) -> Move {
    Move { from: mirror_square(mv.from), to: mirror_square(mv.to), ..mv }
}

/// A last move of a series, before which [`Position::opponent_stays_mobile`] makes its promise, with
/// many pawns and many lines. Each man has a square; later ones give way.
fn promises() -> impl Strategy<Value = Position> {
    let variant = (0..variants::ALL.len()).prop_map(|index| &variants::ALL[index]);
    let squares = |men| proptest::collection::vec(0usize..64, men);
    let role = proptest::sample::select(&Role::ALL[..5]);
    let units = proptest::collection::vec((0usize..64, role), 1..9);
    let men = (squares(2..3), squares(5..9), units.clone(), units);
    let moves = proptest::collection::vec(any::<u8>(), 0..3);
    (variant, men, moves).prop_filter_map("no promise", |(rules, men, moves)| {
        let (kings, pawns, own, enemy) = men;
        let (us, them) = (Color::White, Color::Black);
        let mut board = Board::empty();
        let mut put = |color, role, index| {
            let square = Square::new(index);
            let nowhere = role == Role::Pawn && Bitboard::BACK_RANKS.has(square);
            if board.role_at(square).is_none() && !nowhere {
                board.toggle(color, role, square);
            }
        };
        put(us, Role::King, kings[0]);
        put(them, Role::King, kings[1]);
        pawns.into_iter().for_each(|index| put(them, Role::Pawn, index));
        own.into_iter().for_each(|(index, role)| put(us, role, index));
        enemy.into_iter().take(4).for_each(|(index, role)| put(them, role, index));
        let (castling, en_passant) = ("-".to_string(), "-".to_string());
        let turn = moves.len() as u16 + 1;
        let setup = Setup { board, side: us, castling, en_passant, quiet: 0, turn };
        let start = Position::from_setup(&setup, rules).ok()?;
        let walk = Walk { start, choices: moves };
        let last = walk.positions().pop()?;
        (last.moves_left() == 1 && last.opponent_stays_mobile()).then_some(last)
    })
}

/// Whether the promise of [`Position::opponent_stays_mobile`] is kept before the last move of a
/// series: a pawn of the opponent can step ahead after each move that it speaks of.
fn promise_is_kept(position: &Position) -> Result<(), TestCaseError> {
    for batch in batches(position) {
        if batch.role == Role::King && !position.rules().check.allows_early_check() {
            continue;
        }
        let passing = match batch.role {
            Role::Pawn => position.en_passant_targets(),
            _ => Bitboard::EMPTY,
        };
        for to in batch.to - batch.checks - position.castling_moves(&batch) - passing {
            let mut next = *position;
            next.play_batch(&batch, to);
            let steps = next.legal_moves().into_iter().any(|mv| {
                next.board().role_at(mv.from) == Some(Role::Pawn) && mv.from.file() == mv.to.file()
            });
            let (mv, pfen, name) = (batch.move_to(to), position.pfen(), position.rules().name);
            prop_assert!(steps, "{}: {} in {}", name, mv, pfen);
        }
    }
    Ok(())
}

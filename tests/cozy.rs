//! Beside an orthodox move generator, cozy-chess.
//!
//! A turn of one move is orthodox chess: the first turn of most variants, set up anew for every move
//! of a game. A series is orthodox chess in which the other side passes: cozy-chess's play + null
//! move. Moves are compared by their text, sorted.

use std::collections::BTreeMap;

use cozy_chess::{Board, Piece, Rank};
use crescendo::board::mix;
use crescendo::rules::{Balance, EnPassant, Rebirth, RuleSet, variants};
use crescendo::{Move, Position};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Positions that are known for the errors they find, and how deep they are counted here.
const POSITIONS: [(&str, u32); 7] = [
    (START, 4),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 3),
    ("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 4),
];

/// A random number below `below`; each call goes on from `state`.
fn random(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    (mix(*state) % below as u64) as usize
}

/// The board, side, castling and en passant fields of a FEN.
fn four_fields(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// The position of `board` in which turn `turn` begins.
fn position(board: &Board, turn: u16, rules: &'static RuleSet) -> Position {
    let text = format!("{} 0 {turn}", four_fields(&board.to_string()));
    Position::from_pfen(&text, rules).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn texts(moves: &[Move]) -> Vec<String> {
    let mut texts: Vec<String> = moves.iter().map(Move::to_string).collect();
    texts.sort();
    texts
}

/// The orthodox moves of `board` that the rules of a variant know, by our text.
fn orthodox_moves(board: &Board, rules: &RuleSet) -> BTreeMap<String, cozy_chess::Move> {
    let mut moves = BTreeMap::new();
    board.generate_moves(|batch| {
        for mv in batch {
            let castles = board.color_on(mv.to) == Some(board.side_to_move());
            let pawn = batch.piece == Piece::Pawn;
            let doubles = pawn && (mv.from.rank() as usize).abs_diff(mv.to.rank() as usize) == 2;
            let passes = pawn && mv.from.file() != mv.to.file() && board.color_on(mv.to).is_none();
            let unknown = castles && !rules.castling
                || doubles && !rules.double_step
                || passes && rules.en_passant == EnPassant::Never;
            if !unknown {
                moves.insert(our_text(mv, castles), mv);
            }
        }
        false
    });
    moves
}

/// We write castling as the king's way, cozy-chess as the king taking the rook.
fn our_text(mv: cozy_chess::Move, castles: bool) -> String {
    let rank = mv.from.rank();
    match castles {
        true if mv.to.file() > mv.from.file() => format!("{}g{rank}", mv.from),
        true => format!("{}c{rank}", mv.from),
        false => mv.to_string(),
    }
}

fn after(board: &Board, mv: cozy_chess::Move) -> Board {
    let mut next = board.clone();
    next.play_unchecked(mv);
    next
}

/// The variants whose single moves are orthodox, apart from moves that they do not know.
fn orthodox_variants() -> impl Iterator<Item = &'static RuleSet> {
    variants::ALL.iter().filter(|rules| rules.royal_kings() && rules.rebirth == Rebirth::Never)
}

fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_moves();
    }
    let mut count = 0;
    position.for_each_batch(|batch| {
        for to in batch.to {
            let mut next = *position;
            next.play_batch(&batch, to);
            let text = format!("{} 0 1", four_fields(&next.pfen()));
            let next = Position::from_pfen(&text, position.rules()).expect("a legal position");
            count += perft(&next, depth - 1);
        }
    });
    count
}

fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut count = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            count += moves.len() as u64;
        } else {
            count +=
                moves.into_iter().map(|mv| cozy_perft(&after(board, mv), depth - 1)).sum::<u64>();
        }
        false
    });
    count
}

#[test]
fn one_move_a_turn_counts_like_orthodox_chess() {
    for (fen, depth) in POSITIONS {
        let board: Board = fen.parse().expect("a legal position");
        let ours = position(&board, 1, variants::default());
        assert_eq!(perft(&ours, depth), cozy_perft(&board, depth), "{fen}");
    }
}

/// Compares a turn of one move with the moves of `board`; what each leads to, too.
fn compare_single_moves(board: &Board, rules: &'static RuleSet) {
    let ours = position(board, 1, rules);
    let theirs = orthodox_moves(board, rules);
    let name = rules.name;
    assert_eq!(
        texts(&ours.legal_moves()),
        theirs.keys().cloned().collect::<Vec<_>>(),
        "{name} {board}"
    );
    assert_eq!(ours.in_check(), !board.checkers().is_empty(), "{name} {board}");
    for (text, &mv) in &theirs {
        let mut next = ours;
        next.play(text.parse().unwrap()).unwrap();
        let expected = after(board, mv);
        assert_eq!(next.in_check(), !expected.checkers().is_empty(), "{name} {text} in {board}");
        if rules.castling && rules.en_passant != EnPassant::Never {
            let (ours, expected) = (next.pfen(), expected.to_string());
            assert_eq!(four_fields(&ours), four_fields(&expected), "{name} {text} in {board}");
        }
    }
}

#[test]
fn one_move_a_turn_is_orthodox_chess() {
    let single: Vec<_> = orthodox_variants().filter(|r| r.allowance.of_turn(1) == 1).collect();
    assert!(single.len() >= 7);
    let (mut state, mut compared) = (1, 0);
    for (fen, _) in POSITIONS.into_iter().cycle().take(35) {
        let mut board: Board = fen.parse().expect("a legal position");
        for ply in 0..120 {
            compare_single_moves(&board, single[ply % single.len()]);
            compared += 1;
            let moves: Vec<_> = orthodox_moves(&board, &variants::SCOTTISH).into_values().collect();
            if moves.is_empty() {
                break;
            }
            board.play_unchecked(moves[random(&mut state, moves.len())]);
        }
    }
    assert!(compared > 3000, "only {compared} positions compared");
}

/// Plays a random series from `board` with `turn` moves, and compares every step.
fn compare_series(mut board: Board, turn: u16, rules: &'static RuleSet, state: &mut u64) {
    let mut ours = position(&board, turn, rules);
    let side = ours.side();
    // By the square where it stands now: what a pawn has skipped in this series.
    let mut skipped = BTreeMap::new();
    loop {
        let early = ours.moves_left() > 1;
        let mut theirs = orthodox_moves(&board, rules);
        if early && !rules.check.allows_early_check() {
            theirs.retain(|_, &mut mv| after(&board, mv).checkers().is_empty());
        }
        let (name, played) = (rules.name, ours.played());
        let expected: Vec<_> = theirs.keys().cloned().collect();
        assert_eq!(texts(&ours.legal_moves()), expected, "{name} {board}, {played} played");
        if expected.is_empty() {
            return;
        }
        let text = &expected[random(state, expected.len())];
        let mv = theirs[text];
        skipped.remove(&mv.from);
        if board.piece_on(mv.from) == Some(Piece::Pawn) {
            match (mv.from.rank(), mv.to.rank()) {
                (Rank::Second, Rank::Fourth) => drop(skipped.insert(mv.to, mv.to.offset(0, -1))),
                (Rank::Seventh, Rank::Fifth) => drop(skipped.insert(mv.to, mv.to.offset(0, 1))),
                _ => {}
            }
        }
        ours.play(text.parse().unwrap()).unwrap();
        board.play_unchecked(mv);
        let checks = !board.checkers().is_empty();
        assert_eq!(ours.side() != side, checks || !early, "{name} {text} leads to {board}");
        if ours.side() != side {
            assert_eq!(ours.in_check(), checks, "{name} {text} leads to {board}");
            break;
        }
        board = board.null_move().expect("nobody is in check");
    }
    if rules.en_passant != EnPassant::Never {
        let mut targets: Vec<String> = skipped
            .into_values()
            .filter(|&square| !board.occupied().has(square))
            .map(|square| square.to_string())
            .collect();
        targets.sort();
        let field = if targets.is_empty() { "-".to_string() } else { targets.concat() };
        assert_eq!(ours.pfen().split(' ').nth(3), Some(field.as_str()), "{} {board}", rules.name);
    }
}

#[test]
fn a_series_is_orthodox_chess_in_which_the_other_side_passes() {
    let free: Vec<_> = orthodox_variants().filter(|r| r.balance == Balance::Free).collect();
    assert!(free.len() >= 6);
    let mut state = 2;
    for (fen, _) in POSITIONS.into_iter().cycle().take(35) {
        let mut board: Board = fen.parse().expect("a legal position");
        for ply in 0..60 {
            let turn = 2 + random(&mut state, 8) as u16;
            compare_series(board.clone(), turn, free[ply % free.len()], &mut state);
            let moves: Vec<_> = orthodox_moves(&board, &variants::SCOTTISH).into_values().collect();
            if moves.is_empty() {
                break;
            }
            board.play_unchecked(moves[random(&mut state, moves.len())]);
        }
    }
}

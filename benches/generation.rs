//! Generating and making moves, beside cozy-chess in the same run. The series of one side is its
//! play + null move; ratios are what counts.

use std::hint::black_box;

use cozy_chess::Board as CozyBoard;
use crescendo::Position;
use crescendo::rules::variants;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const POSITIONS: [(&str, &str); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 9"),
    ("opening", "r1bqkbnr/pp2p1pp/n1pp1p2/8/8/2N2N2/PPPPPPPP/R1BQKB1R w KQ - 0 9"),
    ("middle game", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 9"),
];

/// Sequences of `depth` moves of one series, every one made. Italian: early checks are no moves.
fn series(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    position.for_each_batch(|batch| {
        for to in batch.to {
            let mut next = *position;
            next.play_batch(&batch, to);
            count += series(&next, depth - 1);
        }
    });
    count
}

fn cozy_series(board: &CozyBoard, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut count = 0;
    board.generate_moves(|moves| {
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            count += next.null_move().map_or(1, |next| cozy_series(&next, depth - 1));
        }
        false
    });
    count
}

/// Sequences of `depth` moves of one series, the last counted in bulk.
fn bulk(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return position.count_moves();
    }
    let mut count = 0;
    position.for_each_batch(|batch| {
        for to in batch.to {
            let mut next = *position;
            next.play_batch(&batch, to);
            count += bulk(&next, depth - 1);
        }
    });
    count
}

fn cozy_bulk(board: &CozyBoard, depth: u32) -> u64 {
    let mut count = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            count += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                count += cozy_bulk(&next, depth - 1);
            }
        }
        false
    });
    count
}

fn generation(criterion: &mut Criterion) {
    let italian = variants::find("italian").expect("a variant of the catalogue");
    for (name, fen) in POSITIONS {
        let ours = Position::from_pfen(fen, italian).expect("a legal position");
        let cozy: CozyBoard = fen.parse().expect("a legal position");
        let mut group = criterion.benchmark_group(format!("legal moves, {name}"));
        group.throughput(Throughput::Elements(ours.legal_moves().len() as u64));
        group.bench_function("crescendo", |b| b.iter(|| black_box(&ours).legal_moves()));
        group.finish();

        let mut group = criterion.benchmark_group(format!("series of 3, {name}"));
        group.throughput(Throughput::Elements(series(&ours, 3)));
        group.bench_function("crescendo", |b| b.iter(|| series(black_box(&ours), 3)));
        group.throughput(Throughput::Elements(cozy_series(&cozy, 3)));
        group.bench_function("cozy-chess", |b| b.iter(|| cozy_series(black_box(&cozy), 3)));
        group.finish();

        let mut group = criterion.benchmark_group(format!("bulk perft 4, {name}"));
        group.throughput(Throughput::Elements(bulk(&ours, 4)));
        group.bench_function("crescendo", |b| b.iter(|| bulk(black_box(&ours), 4)));
        group.throughput(Throughput::Elements(cozy_bulk(&cozy, 4)));
        group.bench_function("cozy-chess", |b| b.iter(|| cozy_bulk(black_box(&cozy), 4)));
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .measurement_time(std::time::Duration::from_secs(2));
    targets = generation
}
criterion_main!(benches);

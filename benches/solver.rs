//! Solving on one thread: proving that no series of five to eight moves mates, and finding one that
//! does.

use crescendo::Position;
use crescendo::rules::variants;
use crescendo::search::Control;
use crescendo::search::solver::{Solver, Verdict};
use criterion::{Criterion, criterion_group, criterion_main};

/// Positions from games in which no series of the turn mates.
const REFUTED: [&str; 5] = [
    "rnbq1rk1/pppp1p1p/4p1pb/8/2B1P1n1/2N5/PPPP1PPP/R1B1K1NR w KQ - 0 5",
    "r1bqkbr1/1ppppppp/7n/BN6/3P1P2/5P1N/PPP1P2P/R2QKBR1 b Qq - 0 6",
    "1r2kb1r/p1pnp2p/5ppn/5b2/p1p2P2/N7/PP1PP1PP/R1B1KB1R w KQk - 0 7",
    "2r1k2r/p1p1nppp/p7/4p3/1b1pP3/N4N2/P1PP1PPP/R1B1K2R w KQk - 0 7",
    "r1bQk3/pp1p1pp1/4p1p1/7Q/5n2/B7/P1PN2PP/R4K2 b q - 0 8",
];

/// Positions in which a mate is not found at first sight, with the variant.
const MATED: [(&str, &str); 2] = [
    ("italian", "3r1br1/1ppk2pp/p2pp3/8/8/2N5/PPPP1PPP/R1BnK2R w KQ - 0 7"),
    ("scottish", "8/1p1kp1pR/8/5p2/5P2/8/3P2PP/1NBb1KNR b - - 0 8"),
];

/// Measures one search, whose answer has to be right.
fn measure(criterion: &mut Criterion, name: &str, variant: &str, pfen: &str, wins: bool) {
    let rules = variants::find(variant).expect("a variant of the catalogue");
    let position = Position::from_pfen(pfen, rules).expect("a legal position");
    let name = format!("{name}, {} moves, {variant}", position.moves_left());
    criterion.bench_function(&name, |b| {
        b.iter(|| {
            // What was learnt before would answer at once.
            let verdict = Solver::new(64).find(&position, &Control::unlimited());
            assert_eq!(matches!(verdict, Verdict::Found(_)), wins, "{pfen}");
        });
    });
}

fn solving(criterion: &mut Criterion) {
    for (number, pfen) in (1..).zip(REFUTED) {
        for variant in ["scottish", "italian"] {
            measure(criterion, &format!("refuted {number}"), variant, pfen, false);
        }
    }
    for (number, (variant, pfen)) in (1..).zip(MATED) {
        measure(criterion, &format!("mated {number}"), variant, pfen, true);
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = solving
}
criterion_main!(benches);

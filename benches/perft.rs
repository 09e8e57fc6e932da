//! Counting whole turns from the start, with and without telling final positions apart.

use crescendo::Position;
use crescendo::rules::variants;
use crescendo::search::Control;
use crescendo::search::perft::{Depth, perft};
use criterion::{Criterion, criterion_group, criterion_main};

fn counting(criterion: &mut Criterion) {
    for name in ["scottish", "italian", "english", "takeall", "italian-circe"] {
        let rules = variants::find(name).expect("a variant of the catalogue");
        let start = Position::start(rules);
        let mut group = criterion.benchmark_group(format!("turn 3, {name}"));
        for (what, distinct) in [("count", false), ("count and distinct", true)] {
            group.bench_function(what, |b| {
                b.iter(|| perft(&start, Depth::Turns(3), distinct, &Control::unlimited()));
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = counting
}
criterion_main!(benches);

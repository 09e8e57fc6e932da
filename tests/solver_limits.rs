//! Whatever the solver is asked, it ends soon after it is told to, keeps within its memory, and
//! says honestly what it does not know.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crescendo::Position;
use crescendo::rules::variants;
use crescendo::search::Control;
use crescendo::search::solver::{Progress, Solver, Verdict};

/// Far more than ending may take, even on a busy machine: this only asks for an end.
const SOON: Duration = Duration::from_secs(5);

/// Questions that take very long: few men and long series, many solutions, full boards.
const ENDLESS: [(&str, &str); 6] = [
    ("italian", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 14"),
    ("italian", "8/3k4/8/8/8/8/8/KN2B3 w - - 0 255"),
    ("italian", "8/3k4/8/8/8/8/8/KN2B3 w - - 0 40"),
    ("scottish", "r1bqk2r/pppppp1p/n6p/8/8/2b5/PPP1PPPP/1R1QKBNR w Kkq - 0 12"),
    ("italian-circe", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 12"),
    ("english", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 17"),
];

fn position(variant: &str, pfen: &str) -> Position {
    Position::from_pfen(pfen, variants::find(variant).unwrap()).unwrap()
}

#[derive(Copy, Clone, PartialEq, Debug)]
enum Task {
    Find,
    List,
    Count,
}

/// Does the task; whether it was done completely.
fn solve(solver: &mut Solver, task: Task, position: &Position, control: &Control) -> bool {
    match task {
        Task::Find => solver.find(position, control) != Verdict::Unknown,
        Task::List => solver.list(position, None, control, &mut |_| {}).complete,
        Task::Count => solver.count(position, control).complete,
    }
}

/// Every task on every endless position, with one thread and with two.
fn for_each_question(mut ask: impl FnMut(&mut Solver, Task, &Position, &str)) {
    for (variant, pfen) in ENDLESS {
        let position = position(variant, pfen);
        for (task, threads) in [(Task::Find, 1), (Task::Find, 2), (Task::List, 1), (Task::Count, 1)]
        {
            let mut solver = Solver::new(64);
            solver.set_threads(threads);
            ask(&mut solver, task, &position, &format!("{task:?} {threads} {variant} {pfen}"));
        }
    }
}

#[test]
fn stop_is_obeyed() {
    let mut stopped = 0;
    for_each_question(|solver, task, position, name| {
        let stop = Arc::new(AtomicBool::new(false));
        let control = Control::new(stop.clone(), None, None);
        let stopper = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let complete = solve(solver, task, position, &control);
        let end = Instant::now();
        let late = end.saturating_duration_since(stopper.join().unwrap());
        assert!(late < SOON, "{name}: {late:?}");
        stopped += u32::from(!complete);
    });
    assert!(stopped >= 12, "only {stopped} have not been done before");
}

#[test]
fn the_deadline_is_kept() {
    for_each_question(|solver, task, position, name| {
        let deadline = Instant::now() + Duration::from_millis(50);
        solve(solver, task, position, &Control::unlimited().until(deadline));
        let late = deadline.elapsed();
        assert!(late < SOON, "{name}: {late:?}");
    });
}

#[test]
fn nodes_are_not_exceeded_by_much() {
    for_each_question(|solver, task, position, name| {
        for limit in [1, 1000, 100_000] {
            solve(solver, task, position, &Control::unlimited().within_nodes(limit));
            // The limit is looked at every few hundred nodes, and by each thread for itself.
            assert!(solver.nodes() <= limit + 2048, "{name}: {} of {limit}", solver.nodes());
        }
    });
}

#[test]
fn a_limit_is_no_proof() {
    let fen = "1r2kb1r/p1pnp2p/5ppn/5b2/p1p2P2/N7/PP1PP1PP/R1B1KB1R w KQk - 0 7";
    let position = position("italian", fen);
    let control = Control::unlimited().within_nodes(10_000);
    assert_eq!(Solver::new(1).find(&position, &control), Verdict::Unknown);
    let mut told = 0;
    let tally = Solver::new(1).list(&position, None, &control, &mut |_| told += 1);
    assert!(!tally.complete && tally.count == told);
    assert!(!Solver::new(1).count(&position, &control).complete);
}

#[test]
fn little_memory_changes_no_count() {
    for (variant, pfen, mates) in [
        ("scottish", "5Q2/8/2P1pP2/4k3/4P3/8/4N3/R3K2R w KQ - 0 4", 17_231),
        ("scottish", "8/Q7/8/8/8/8/8/2k1K2R w K - 0 5", 209_368),
        ("italian", "r1bqk2r/pppppp1p/n6p/8/8/2b5/PPP1PPPP/1R1QKBNR w Kkq - 0 5", 3975),
    ] {
        let position = position(variant, pfen);
        for megabytes in [0, 1, 64] {
            let tally = Solver::new(megabytes).count(&position, &Control::unlimited());
            assert!(tally.complete && tally.count == mates, "{megabytes}: {tally:?}");
        }
    }
}

#[test]
fn threads_change_no_answer() {
    for (variant, pfen, wins) in [
        ("italian", "1r2kb1r/p1pnp2p/5ppn/5b2/p1p2P2/N7/PP1PP1PP/R1B1KB1R w KQk - 0 7", false),
        ("italian", "r1bQk3/pp1p1pp1/4p1p1/7Q/5n2/B7/P1PN2PP/R4K2 b q - 0 8", false),
        ("scottish", "8/1p1kp1pR/8/5p2/5P2/8/3P2PP/1NBb1KNR b - - 0 8", true),
    ] {
        let position = position(variant, pfen);
        for threads in [1, 2, 3, 7] {
            let mut solver = Solver::new(16);
            solver.set_threads(threads);
            match solver.find(&position, &Control::unlimited()) {
                Verdict::Found(series) => {
                    let mut end = position;
                    series.iter().for_each(|&mv| end.play(mv).unwrap());
                    assert!(wins && end.is_lost(), "{pfen} {series:?}");
                }
                verdict => assert!(!wins && verdict == Verdict::None, "{pfen} {threads}"),
            }
        }
    }
}

#[test]
fn progress_is_told_while_the_solver_works() {
    for_each_question(|solver, task, position, name| {
        let progress = Arc::new(Progress::default());
        solver.set_progress(progress.clone());
        let complete = solve(solver, task, position, &Control::unlimited().within_nodes(200_000));
        let stage = progress.stage();
        assert!(stage.length > 0 && stage.length <= position.moves_left(), "{name}: {stage:?}");
        assert!(stage.done <= stage.all, "{name}: {stage:?}");
        // Nobody has to say how far he was when he has the answer.
        assert!(complete || stage.all > 0, "{name}: {stage:?}");
        assert!(stage.nodes <= solver.nodes(), "{name}: {stage:?} {}", solver.nodes());
    });
}

#[test]
fn the_table_tells_how_full_it_is() {
    let fen = "1r2kb1r/p1pnp2p/5ppn/5b2/p1p2P2/N7/PP1PP1PP/R1B1KB1R w KQk - 0 7";
    let position = position("italian", fen);
    let mut solver = Solver::new(16);
    let mut fills = vec![solver.hashfull()];
    for nodes in [20_000, 200_000] {
        solver.find(&position, &Control::unlimited().within_nodes(nodes));
        fills.push(solver.hashfull());
    }
    assert_eq!(fills[0], 0, "a new table is empty");
    assert!(fills.is_sorted_by(|less, more| less < more), "{fills:?}");
    assert!(fills.iter().all(|&fill| fill < 1000), "{fills:?}");
    solver.clear();
    assert_eq!(solver.hashfull(), 0, "a table that was cleared is empty");
    let mut small = Solver::new(0);
    small.find(&position, &Control::unlimited().within_nodes(20_000));
    assert_eq!(small.hashfull(), 1000, "a table of one bucket is full");
}

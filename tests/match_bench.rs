//! `bench`: the node count is the same in every run, and is the one on record.

use std::process::Command;

/// The node count in the last line of a run, which is all that tools read.
fn nodes() -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_crescendo")).arg("bench").output().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let words: Vec<&str> = text.lines().last().unwrap().split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = words[..] else { panic!("{words:?}") };
    assert!(speed.parse::<u64>().unwrap() > 0);
    nodes.to_string()
}

#[test]
fn the_fingerprint_is_the_one_on_record() {
    let (first, second) = (nodes(), nodes());
    assert_eq!(first, second, "two runs have to count the same");
    let recorded = include_str!("data/bench.txt").trim();
    assert_eq!(first, recorded, "if it was to change: write {first} to tests/data/bench.txt");
}

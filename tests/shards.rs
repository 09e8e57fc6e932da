//! Counting in shards: together they are the whole, and a count that is broken off goes on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crescendo::Position;
use crescendo::rules::variants;
use crescendo::search::Control;
use crescendo::search::perft::{Counts, Depth, LastTurn, Shard, ShardCounts, Unprepared, perft};

fn last_turn(position: &Position, turns: u32) -> LastTurn {
    LastTurn::new(position, turns, &Control::unlimited()).expect("few positions")
}

fn plain(position: &Position, turns: u32, distinct: bool) -> Counts {
    perft(position, Depth::Turns(turns), distinct, &Control::unlimited()).expect("no limit")
}

/// All shards together, each counted in both ways.
fn sum(last_turn: &LastTurn, of: u32) -> ShardCounts {
    let mut total = ShardCounts::default();
    for number in 1..=of {
        let shard = Shard { number, of };
        let counted = last_turn.count(shard, &Control::unlimited()).expect("no limit");
        let again = last_turn.recount(shard, &Control::unlimited()).expect("no limit");
        assert_eq!(counted, again, "{shard:?}");
        total.add(&counted);
    }
    total
}

fn assert_whole(position: &Position, turns: u32, of: u32) {
    let total = sum(&last_turn(position, turns), of);
    let name = position.rules().name;
    assert_eq!(total.counts, plain(position, turns, false), "{name}, {of} shards");
    if turns > 1 {
        let before = plain(position, turns - 1, true);
        assert_eq!(Some(total.starts), before.distinct, "{name}");
        assert_eq!(total.paths, before.count, "{name}");
    }
}

#[test]
fn shards_are_the_whole_in_every_variant() {
    for rules in &variants::ALL {
        let start = Position::start(rules);
        assert_whole(&start, 1, 3);
        assert_whole(&start, 2, 1);
        assert_whole(&start, 2, 50);
    }
}

#[test]
fn shards_are_the_whole_with_mates_and_stalemates_of_all_kinds() {
    for (variant, fen, kind) in [
        ("scottish", "k7/2Q5/8/8/8/8/7p/K7 b - - 0 2", "stalemate"),
        ("italian", "5rk1/5ppp/8/8/8/1q6/P7/K7 w - - 0 2", "mate"),
        ("takeall", "8/8/8/3p4/8/2N5/8/8 w - - 0 2", "all taken"),
        ("marseillais", "rnbqkbnr/ppp2ppp/8/3pp3/8/8/PPPPPPPP/RNBQKBNR w KQkq d6e6 0 2", ""),
    ] {
        let rules = variants::find(variant).expect("a variant");
        let position = Position::from_pfen(fen, rules).expect("a legal position");
        let whole = plain(&position, 2, false);
        match kind {
            "stalemate" => assert!(whole.stalemates > 0, "{whole:?}"),
            "" => {}
            _ => assert!(whole.mates > 0, "{whole:?}"),
        }
        assert_whole(&position, 2, 5);
    }
}

#[test]
fn both_steps_break_off() {
    let start = Position::start(variants::default());
    let stopped = Control::new(Arc::new(AtomicBool::new(true)), None, None);
    let unprepared = LastTurn::new(&start, 4, &stopped).err();
    assert_eq!(unprepared, Some(Unprepared::Stopped));
    let last_turn = last_turn(&start, 3);
    assert_eq!(last_turn.count(Shard { number: 1, of: 1 }, &stopped), None);
}

/// A file of a test's own, which is not there yet.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let name = format!("shards-{name}-{}.jsonl", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_file(&path);
        Scratch(path)
    }

    fn with(name: &str, text: &str) -> Scratch {
        let file = Scratch::new(name);
        fs::write(&file.0, text).expect("written");
        file
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.0).unwrap_or_default()
    }

    /// `crescendo perft` with this file and these arguments.
    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crescendo"));
        command.arg("perft").args(arguments.split(" ")).arg("--state").arg(&self.0);
        command
    }

    fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().expect("it runs")
    }

    /// What it says on stdout if it succeeds.
    fn says(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// The one sentence with which it refuses.
    fn refuses(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        let error = String::from_utf8(output.stderr).expect("text");
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    }

    /// The finished shards by number, without their times. No shard may be there twice.
    fn shards(&self) -> BTreeMap<u64, String> {
        let mut shards = BTreeMap::new();
        for line in self.text().lines() {
            let mut row: serde_json::Value = serde_json::from_str(line).expect("a whole line");
            row.as_object_mut().expect("an object").remove("ms");
            let number = row["shard"].as_u64().expect("a number");
            assert!(shards.insert(number, row.to_string()).is_none(), "{number} twice");
        }
        shards
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

const TURN_2: &str = "perft 8902 mates 0 italianmates 0 stalemates 0 checks 12 time ";

#[test]
fn a_killed_count_goes_on_where_it_was() {
    let request = "3 --variant logical --shards 300";
    let undisturbed = Scratch::new("undisturbed");
    let total = "perft 11579735 mates 818 italianmates 0 stalemates 0 checks 170398 time ";
    let said = undisturbed.says(request);
    assert!(said.starts_with("shards 300 starts 1344 paths 2124\n"), "{said}");
    assert!(said.lines().last().is_some_and(|line| line.starts_with(total)), "{said}");

    let killed = Scratch::new("killed");
    let mut run = killed.command(request).stdout(Stdio::null()).spawn().expect("it runs");
    let begun = Instant::now();
    while killed.text().lines().count() < 3 {
        assert!(begun.elapsed() < Duration::from_secs(120), "no shard is ever done");
        std::thread::sleep(Duration::from_millis(1));
    }
    run.kill().and_then(|()| run.wait()).expect("it ends");
    // What a write that was cut short would leave.
    fs::write(&killed.0, killed.text() + "{\"variant\":\"logi").expect("written");
    let said = killed.says(request);
    assert!(said.lines().last().is_some_and(|line| line.starts_with(total)), "{said}");
    assert_eq!(killed.shards(), undisturbed.shards());
    assert_eq!(killed.shards().len(), 300);
}

#[test]
fn two_machines_share_a_count() {
    let here = Scratch::new("here");
    let there = Scratch::new("there");
    let name = here.0.display();
    assert_eq!(here.says("2 --shards 7 --shard 1-3"), format!("{name} has 3 of 7 shards\n"));
    there.says("2 --shards 7 --shard 4-6");
    there.says("2 --shards 7 --shard 7");
    // A shard that both have counted is no harm.
    there.says("2 --shards 7 --shard 3");
    let both = Scratch::with("both", &(there.text() + &here.text()));
    let said = both.says("2 --shards 7");
    let (parts, total) = said.split_once('\n').expect("two lines");
    assert_eq!(parts, "shards 7 starts 20 paths 20");
    assert!(total.starts_with(TURN_2), "{said}");
}

#[test]
fn a_recount_confirms_or_refutes() {
    let file = Scratch::new("recount");
    file.says("2 --shards 4");
    assert_eq!(file.says("2 --shards 4 --recount"), "4 shards counted again: the same\n");
    let honest = file.text();
    let line = honest.lines().find(|line| line.contains("\"shard\":2,")).expect("shard 2");
    let (before, after) = line.split_once("\"checks\":").expect("checks");
    let forged = honest.replace(line, &format!("{before}\"checks\":9{after}"));
    let forged = Scratch::with("forged", &forged);
    assert!(forged.refuses("2 --shards 4 --recount").contains("shard 2 is refuted"));
    forged.says("2 --shards 4 --recount --shard 3-4");
}

#[test]
fn files_of_other_counts_are_refused() {
    let file = Scratch::new("own");
    file.says("2 --shards 4");
    let text = file.text();
    for other in [
        "2 --shards 4 --variant italian",
        "2 --shards 5",
        "3 --shards 4",
        "2 --shards 4 --series 2",
        "2 --shards 4 --variant marseillais",
    ] {
        let error = file.refuses(other);
        assert!(error.contains("line 1: this shard is of another count"), "{other}: {error}");
    }
    assert_eq!(file.text(), text, "a file refused is left alone");

    let contradiction = text.replace("\"checks\":", "\"checks\":9");
    let contradiction = Scratch::with("contradiction", &(text.clone() + &contradiction));
    assert!(contradiction.refuses("2 --shards 4").contains("line 5: this shard contradicts"));
    for garbage in ["\n", "{}\n", "perft 20\n", &text.replace("\"shard\":1,", "\"shard\":9,")] {
        let garbage = Scratch::with("garbage", garbage);
        assert!(garbage.refuses("2 --shards 4").contains("line "));
    }
}

#[test]
fn wrong_arguments_are_one_sentence() {
    let file = Scratch::new("arguments");
    for (arguments, named) in [
        ("2 --shards 0", "0"),
        ("2 --shards 4 --shard 0", "'0'"),
        ("2 --shards 4 --shard 3-2", "'3-2'"),
        ("2 --shards 4 --shard 1-x", "'1-x'"),
        ("2 --shards 4 --shard 5", "only 4 shards"),
        ("2 --shards 4 --divide", "--divide"),
        ("2 --shards 4 --distinct", "--distinct"),
        ("--moves 2 --shards 4", "--moves"),
        ("2", "--shards"),
    ] {
        assert!(file.refuses(arguments).contains(named), "{arguments}");
    }
    assert!(!file.0.exists(), "no file is made for nothing");
    let nowhere = Scratch(Path::new(env!("CARGO_TARGET_TMPDIR")).join("no folder/shards.jsonl"));
    assert!(nowhere.refuses("2 --shards 4").contains("cannot write"));
}

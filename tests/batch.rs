//! `batch`: one answer for each line, in order, whatever the line is and whatever happens.
#![cfg(unix)]

mod arena;
mod transcript;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arena::Arena;
use serde_json::{Value, json};
use transcript::{blocks, document};

/// A batch that reads and writes pipes.
fn start(arena: &Arena, arguments: &[&str]) -> Child {
    let mut command = arena.command("batch", arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("it runs")
}

/// The output of a batch that reads a file and succeeds.
fn run(arena: &Arena, arguments: &[&str]) -> String {
    let output = arena.command("batch", arguments).output().expect("it runs");
    assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The answers to questions that are piped in.
fn answers(questions: impl AsRef<[u8]>) -> Vec<Value> {
    let arena = Arena::new("batch-pipe");
    let mut child = start(&arena, &["--threads", "2"]);
    let mut input = child.stdin.take().expect("a pipe");
    let questions = questions.as_ref().to_vec();
    let feeder = std::thread::spawn(move || input.write_all(&questions));
    let output = child.wait_with_output().expect("it ends");
    feeder.join().expect("no panic").expect("everything is read");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    values(&String::from_utf8(output.stdout).expect("text"))
}

fn values(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// What was said on stderr by a batch that fails.
fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let error = String::from_utf8(output.stderr.clone()).expect("text");
    assert!(error.lines().count() == 1 && error.starts_with("crescendo: "), "{error}");
    error
}

#[test]
fn the_documented_questions_are_answered_like_this() {
    let text = document("docs/batch.md");
    let lines: Vec<String> = blocks(&text, "batch").into_iter().flat_map(|b| b.lines).collect();
    let (questions, expected): (Vec<&String>, Vec<&String>) =
        lines.iter().partition(|line| line.starts_with("> "));
    let questions: String = questions.iter().map(|line| format!("{}\n", &line[2..])).collect();
    let answers = answers(questions);
    assert!(answers.len() >= 12 && answers.len() == expected.len());
    for (mut answer, expected) in answers.into_iter().zip(expected) {
        let expected: Value = serde_json::from_str(expected).expect("a line of JSON");
        // The work may change, the answer may not.
        if let (Some(nodes), Some(other)) = (answer.get_mut("nodes"), expected.get("nodes")) {
            assert!(nodes.is_u64());
            *nodes = other.clone();
        }
        assert_eq!(answer, expected);
    }
}

#[test]
fn what_is_wrong_is_told_and_the_next_line_goes_on() {
    let wrong = [
        (r#"{"id":1}"#, json!(1), "missing field `op`"),
        (r#"{"id":1,"op":"sing"}"#, json!(1), "op 'sing' is neither status, solve,"),
        (r#"{"id":1,"op":"status","varaint":"italian"}"#, json!(1), "unknown field `varaint`"),
        (r#"{"id":1,"op":"status","variant":"chess"}"#, json!(1), "there is no variant 'chess'"),
        (r#"{"id":1,"op":"status","fen":"8/8 w"}"#, json!(1), "fen: the board '8/8'"),
        (r#"{"id":1,"op":"status","fen":"8/8/8/8/8/8/8/8 w - - 0 1"}"#, json!(1), "0 kings"),
        (r#"{"id":1,"op":"status","setup":"chess960"}"#, json!(1), "setup: 'chess960'"),
        (r#"{"id":1,"op":"status","setup":"startpos","fen":"x"}"#, json!(1), "exclude"),
        (r#"{"id":1,"op":"status","series":0}"#, json!(1), "the turn '0'"),
        (r#"{"id":1,"op":"status","series":-1}"#, json!(1), "integer `-1`"),
        (r#"{"id":1,"op":"status","moves":["e2e5"]}"#, json!(1), "move 1: e2e5 is illegal"),
        (r#"{"id":1,"op":"status","moves":["e2e4",5]}"#, json!(1), "moves is neither"),
        (r#"{"id":1,"op":"status","moves":"e2e4 / e7e5 /"}"#, json!(1), "'/' after move 2"),
        (r#"{"id":1,"op":"solve","limits":{"depth":1}}"#, json!(1), "limits: unknown field"),
        (r#"{"id":1,"op":"solve","limits":{"nodes":0}}"#, json!(1), "limits: nodes 0"),
        (r#"{"id":1,"op":"solve","limits":{"max":10001}}"#, json!(1), "from 1 to 10000"),
        (r#"{"id":1,"op":"solve","limits":{"count":true,"all":true}}"#, json!(1), "excludes"),
        (r#"{"id":1,"op":"perft"}"#, json!(1), "needs either depth or moves"),
        (r#"{"id":1,"op":"perft","limits":{"depth":1,"moves":1}}"#, json!(1), "needs either"),
        (r#"{"id":1,"op":"perft","limits":{"depth":256}}"#, json!(1), "from 1 to 255"),
        (r#"{"id":1,"op":"search","limits":{"multipv":65}}"#, json!(1), "from 1 to 64"),
        (r#"{"id":1,"op":"search","limits":[1,1,1,1]}"#, json!(1), "limits: this is no JSON"),
        (r#"{"id":"a","op":"status"} {}"#, json!(null), "trailing characters"),
        (r#"{"id":"a","id":"b","op":"status"}"#, json!(null), "duplicate field `id`"),
        (r#"{"id":["a"],"op":"status"}"#, json!(null), "neither a text nor a number"),
        (r#"{"id":true,"op":"status"}"#, json!(null), "neither a text nor a number"),
        (r#"{"id":1,"op":"status""#, json!(null), "EOF"),
        (r#"[1,"status"]"#, json!(null), "no JSON object"),
        ("\u{0}", json!(null), "no JSON object"),
    ];
    let right = r#"{"op":"status"}"#;
    let questions: String = wrong.iter().map(|(line, ..)| format!("{line}\n{right}\r\n")).collect();
    let answers = answers(questions);
    assert_eq!(answers.len(), 2 * wrong.len());
    for ((line, id, reason), pair) in wrong.iter().zip(answers.chunks(2)) {
        let error = pair[0]["error"].as_str().unwrap_or_else(|| panic!("{line}: {}", pair[0]));
        assert!(pair[0]["id"] == *id && error.contains(reason), "{line}: {}", pair[0]);
        assert_eq!((&pair[1]["id"], &pair[1]["turn"]), (&json!(null), &json!(1)));
    }
}

#[test]
fn strange_bytes_and_endless_lines_are_answered_too() {
    let long = vec![b'x'; 3 << 20];
    let padded = [br#"{"id":1,"op":"status"}"#, " ".repeat(2 << 20).as_bytes()].concat();
    let nested = format!("{{\"id\":2,\"op\":{}", "[".repeat(100_000));
    let lines: [&[u8]; 7] = [
        b"\xef\xbb\xbf{\"id\":1,\"op\":\"status\"}".as_slice(),
        &long,
        b"{\"id\":\"\xff\",\"op\":\"status\"}",
        &padded,
        nested.as_bytes(),
        br#"{"id":9007199254740993.50,"op":"status"}"#,
        &long,
    ];
    let answers = answers(lines.join(&b'\n'));
    assert_eq!(answers.len(), lines.len());
    assert_eq!(answers[0]["turn"], 1);
    for index in [1, 2, 3, 4, 6] {
        assert!(answers[index]["error"].is_string() && answers[index]["id"].is_null());
    }
    assert!(answers[1]["error"].as_str().is_some_and(|error| error.contains("longer than")));
    assert_eq!(answers[3], answers[1]);
}

#[test]
fn ids_come_back_as_they_were_written() {
    let ids = ["1.50", "-0", "123456789012345678901234567890", r#""\u0061 b""#, r#""é""#, "1e3"];
    let arena = Arena::new("batch-ids");
    let questions: Vec<String> =
        ids.iter().map(|id| format!("{{ \"op\" : \"status\", \"id\" : {id} }}")).collect();
    arena.write("in.jsonl", &questions.join("\n"));
    for (answer, id) in run(&arena, &["in.jsonl"]).lines().zip(ids) {
        assert!(answer.starts_with(&format!("{{\"id\":{id},\"op\":")), "{answer}");
    }
}

/// The question of this number: every kind in turn, some of them wrong, some blank.
fn mixed(number: usize) -> String {
    let variant = ["scottish", "italian", "english", "takeall"][number / 16 % 4];
    let shepherd = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3";
    let line = |rest: &str| format!("{{\"id\":{number},\"variant\":\"{variant}\",{rest}}}");
    match number % 16 {
        0 | 7 => line(r#""op":"status","moves":["e2e4","e7e5"]"#),
        1 | 8 => line(&format!(r#""op":"solve","fen":"{shepherd}","limits":{{"nodes":500}}"#)),
        2 => line(&format!(r#""op":"solve","fen":"{shepherd}","limits":{{"max":2,"nodes":200}}"#)),
        3 | 9 => line(r#""op":"perft","limits":{"depth":1}"#),
        4 => line(r#""op":"search","limits":{"nodes":30}"#),
        5 => line(r#""op":"status","moves":["e2e4","e2e4"]"#),
        6 => line(r#""op":"perft","limits":{"moves":2,"distinct":false}"#),
        10 => "not even JSON".to_string(),
        11 => line(r#""op":"status""#) + "\n\n  ",
        12 => line(r#""op":"solve","limits":{"count":1}"#),
        13 => format!("{{\"id\":\"{number}\",\"op\":\"status\",\"series\":{}}}", number % 300),
        14 => "{\"op\":\"status\"}".to_string(),
        _ => line(r#""op":"write""#),
    }
}

/// The id that the answer to this question has.
fn mixed_id(number: usize) -> Value {
    match number % 16 {
        10 | 14 => Value::Null,
        13 => json!(number.to_string()),
        _ => json!(number),
    }
}

#[test]
fn ten_thousand_mixed_lines_get_one_answer_each_in_order() {
    let arena = Arena::new("batch-mixed");
    let questions: Vec<String> = (0..10_000).map(mixed).collect();
    arena.write("in.jsonl", &questions.join("\n"));
    let answers = run(&arena, &["in.jsonl", "--threads", "3", "--hash", "24"]);
    let mut wrong = 0;
    for (number, answer) in values(&answers).iter().enumerate() {
        assert_eq!(answer["id"], mixed_id(number), "{number}: {answer}");
        assert!(answer["op"].is_string() != answer["error"].is_string(), "{number}: {answer}");
        wrong += usize::from(answer["error"].is_string());
        let expected = match number % 16 {
            5 | 10 | 12 | 15 => "error",
            0 | 7 | 11 | 14 => "turn",
            1 | 2 | 8 => "solutions",
            3 | 6 | 9 => "stalemates",
            4 => "bestmove",
            _ => "id",
        };
        assert!(!answer[expected].is_null() || expected == "id", "{number}: {answer}");
    }
    assert_eq!(answers.lines().count(), 10_000);
    assert!(wrong >= 2_500);
    assert_eq!(answers, run(&arena, &["in.jsonl", "--threads", "1", "--hash", "8"]));
}

/// Questions that take a while, and the file of them.
fn slow_questions(arena: &Arena) {
    let line = |number: usize| match number % 8 {
        3 => "nonsense".to_string(),
        5 => r#"{"op":"perft","limits":{"depth":2}}"#.to_string(),
        7 => format!(r#"{{"id":{},"op":"search","limits":{{"nodes":800}}}}"#, number / 16),
        _ => format!(r#"{{"id":"{number}","op":"search","series":5,"limits":{{"nodes":700}}}}"#),
    };
    let lines: Vec<String> = (0..160).map(line).collect();
    arena.write("in.jsonl", &lines.join("\n"));
}

const SLOW: [&str; 7] = ["in.jsonl", "--threads", "2", "--hash", "16", "--resume", "out.jsonl"];

/// Runs the slow questions until `lines` more are answered, and lets `end` end it.
fn broken_off(arena: &Arena, lines: usize, end: impl FnOnce(&mut Child)) -> Output {
    let before = arena.read("out.jsonl").lines().count();
    let mut child = start(arena, &SLOW);
    let begun = Instant::now();
    while arena.read("out.jsonl").lines().count() < before + lines {
        assert!(begun.elapsed() < Duration::from_secs(120), "no answers");
        std::thread::sleep(Duration::from_millis(2));
    }
    end(&mut child);
    child.wait_with_output().expect("it ends")
}

#[test]
fn killed_and_resumed_is_as_if_undisturbed() {
    let arena = Arena::new("batch-killed");
    slow_questions(&arena);
    let undisturbed = run(&arena, &SLOW[..5]);
    assert_eq!(undisturbed.lines().count(), 160);
    for lines in [3, 20, 11] {
        broken_off(&arena, lines, |child| child.kill().expect("it lives"));
        let kept = arena.read("out.jsonl");
        assert!(kept.ends_with('\n') && undisturbed.starts_with(&kept) && kept != undisturbed);
        // Death comes while a line is being written.
        let torn = undisturbed.lines().nth(kept.lines().count()).expect("there is more");
        arena.write("out.jsonl", &(kept + &torn[..torn.len() / 2]));
    }
    assert_eq!(run(&arena, &SLOW), "");
    assert_eq!(arena.read("out.jsonl"), undisturbed);
    run(&arena, &SLOW);
    assert_eq!(arena.read("out.jsonl"), undisturbed, "there was nothing left to do");
}

#[test]
fn an_interrupt_ends_it_in_good_order() {
    let arena = Arena::new("batch-interrupted");
    slow_questions(&arena);
    let output = broken_off(&arena, 5, |child| {
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    });
    assert!(complaint(&output).contains("interrupted when "));
    assert!(arena.read("out.jsonl").ends_with('\n'));
    run(&arena, &SLOW);
    assert_eq!(arena.read("out.jsonl"), run(&arena, &SLOW[..5]));
}

#[test]
fn an_interrupt_ends_even_a_question_without_end() {
    let arena = Arena::new("batch-endless");
    let mut child = start(&arena, &[]);
    let mut input = child.stdin.take().expect("a pipe");
    let endless = r#"{"op":"solve","variant":"italian","series":20,"limits":{"count":true}}"#;
    writeln!(input, "{{\"op\":\"status\"}}\n{endless}").expect("it reads");
    let mut first = String::new();
    BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut first).expect("a line");
    assert!(first.contains("status"));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().expect("it ends");
    assert!(complaint(&output).contains("interrupted when 1 lines were answered"));
    drop(input);
}

#[test]
fn resuming_goes_by_ids() {
    let arena = Arena::new("batch-by-ids");
    let line = |id: &str| format!("{{\"id\":{id},\"op\":\"status\"}}\n");
    let [a, b, c, none] = ["\"a\"", "2", "3.0", "null"].map(line);
    arena.write("in.jsonl", &[&*c, &none, &a, &a, "?\n", &b].concat());
    arena.write("first.jsonl", &[&*a, &b, &none].concat());
    run(&arena, &["first.jsonl", "--resume", "out.jsonl"]);
    let first = arena.read("out.jsonl");
    run(&arena, &["in.jsonl", "--resume", "out.jsonl"]);
    let all = arena.read("out.jsonl");
    assert!(all.starts_with(&first));
    let added = values(&all[first.len()..]);
    let ids: Vec<&Value> = added.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(3.0), &json!("a"), &json!(null)]);
    assert!(added[2]["error"].is_string());
}

/// Writes `line` again and again until nobody reads; how often is counted.
fn feed(mut input: ChildStdin, line: &'static str, times: usize) -> Arc<AtomicUsize> {
    let fed = Arc::new(AtomicUsize::new(0));
    let count = fed.clone();
    std::thread::spawn(move || {
        while count.load(Ordering::Relaxed) < times && input.write_all(line.as_bytes()).is_ok() {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    fed
}

#[test]
fn answers_come_while_the_input_goes_on() {
    let arena = Arena::new("batch-streaming");
    let mut child = start(&arena, &["--threads", "2", "-"]);
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    for number in 0..20 {
        writeln!(input, "{{\"id\":{number},\"op\":\"status\"}}").expect("it reads");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("an answer");
        assert!(answer.starts_with(&format!("{{\"id\":{number},")), "{answer}");
    }
    drop(input);
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_line_that_takes_long_lets_only_so_much_be_read() {
    let arena = Arena::new("batch-bounded");
    let mut child = start(&arena, &["--threads", "2"]);
    let mut input = child.stdin.take().expect("a pipe");
    let endless = r#"{"op":"solve","variant":"italian","series":20,"limits":{"count":true}}"#;
    writeln!(input, "{endless}").expect("it reads");
    let fed = feed(input, "{\"op\":\"status\"}\n", 1_000_000);
    let mut before = usize::MAX;
    while fed.load(Ordering::Relaxed) != before {
        before = fed.load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_secs(1));
    }
    // What fits into the pipe and the buffers, and 256 lines.
    assert!(before < 20_000, "{before} lines were read");
    child.kill().expect("it lives");
    child.wait().expect("it ends");
}

#[test]
fn when_nobody_reads_it_ends_and_says_nothing() {
    let arena = Arena::new("batch-unread");
    let mut child = start(&arena, &["--threads", "2"]);
    feed(child.stdin.take().expect("a pipe"), "{\"op\":\"status\"}\n", usize::MAX);
    let mut some = [0; 100];
    child.stdout.take().expect("a pipe").read_exact(&mut some).expect("an answer");
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn files_that_will_not_do_are_left_alone() {
    let arena = Arena::new("batch-files");
    arena.write("in.jsonl", "{\"op\":\"status\"}\n");
    arena.write("games.jsonl", "{\"op\":\"status\",\"id\":1}\n{\"moves\":\"e2e4\"}\nhalf");
    let refused = |arguments: &[&str], reason: &str| {
        let output = arena.command("batch", arguments).output().expect("it runs");
        assert!(output.stdout.is_empty() && complaint(&output).contains(reason), "{output:?}");
    };
    refused(&["none.jsonl"], "cannot open none.jsonl: ");
    refused(&["."], "cannot read .: ");
    refused(&["in.jsonl", "--resume", "games.jsonl"], "games.jsonl, line 2: no answer of a batch");
    refused(&["in.jsonl", "--resume", "./in.jsonl"], "--resume: ./in.jsonl has the questions");
    refused(&["in.jsonl", "--resume", "."], ". is no file");
    refused(&["in.jsonl", "--resume", "no/such/folder"], "cannot write no/such/folder: ");
    refused(&["in.jsonl", "--threads", "0"], "'0'");
    refused(&["in.jsonl", "--hash", "0"], "'0'");
    assert!(arena.read("games.jsonl").ends_with("half"));
}

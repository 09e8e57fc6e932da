//! What mangled texts and long sessions have broken once, each under the name of what holds now.

mod client;
mod mangle;

use client::Client;
use crescendo::rules::variants;
use crescendo::{Position, Setup};
use mangle::is_one_line;

/// A board with a control character came back in the error as it was, so that `check` and `xboard`
/// wrote it to terminals and interfaces.
#[test]
fn an_error_about_position_text_is_legible_whatever_it_quotes() {
    let endless = "x".repeat(10_000);
    for spoilt in ["\u{7}", "\u{1b}[31m", "\0", &endless] {
        for text in [
            format!("{spoilt}4k3/8/8/8/8/8/P7/4K3 w - - 0 2"),
            format!("4k3/8/8/8/8/8/P7/4K3 {spoilt} - - 0 2"),
            format!("4k3/8/8/8/8/8/P7/4K3 w {spoilt} - 0 2"),
            format!("4k3/8/8/8/8/8/P7/4K3 w - {spoilt} 0 2"),
            format!("4k3/8/8/8/8/8/P7/4K3 w - - {spoilt} 2"),
            format!("4k3/8/8/8/8/8/P7/4K3 w - - 0 2 {spoilt}"),
            format!("4k3/8/8/8/8/8/P7/4K3 w - - 0 2 | {spoilt}"),
        ] {
            let error = Position::from_pfen(&text, variants::default()).expect_err("spoilt");
            assert!(is_one_line(&error.to_string()), "{error:?}");
        }
    }
    // A board that is merely wrong is shown whole.
    let error = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN w".parse::<Setup>().expect_err("short");
    assert!(error.to_string().contains("'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN'"));
}

/// The name of a field that nobody knows stood in the answer with its line ends.
#[test]
fn an_error_of_batch_is_legible_whatever_it_quotes() {
    let mut batch = Client::run(&["batch"]);
    let answer = batch.line("{\"id\":1,\"op\":\"status\",\"a\\nb\\u0007\":2}");
    let read: serde_json::Value = serde_json::from_str(&answer).expect("JSON");
    let error = read["error"].as_str().expect("an error");
    assert!(error.starts_with("unknown field `a") && is_one_line(error), "{answer}");
    assert_eq!(batch.end(), [""; 0]);
}

/// The result that a file claims was repeated with its line ends, so that `check` had two lines for one
/// game.
#[test]
fn a_claimed_result_is_repeated_on_one_line() {
    let mut check = Client::run(&["check"]);
    check.send("{\"moves\":\"e2e4\",\"result\":\"1\\n-\\u00070\"}");
    let answers = check.end();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert!(answers[0].starts_with("1: legal, none, turn 2") && is_one_line(&answers[0]));
    assert!(answers[0].contains(", given as 1"), "{answers:?}");
}

/// Every job had a new thread, for each of which the allocator kept memory: a session with 64 MiB of
/// tables grew to 205 MiB in ten minutes.
#[cfg(target_os = "linux")]
#[test]
fn all_jobs_of_a_session_have_one_thread() {
    let mut client = Client::start();
    let mut of_jobs = Vec::new();
    for job in ["go nodes 100", "ucinewgame\ngo nodes 100", "solve nodes 100", "perft 1"] {
        client.send(&format!("position startpos moves e2e4 e7e5 g8f6\n{job}\nfen"));
        client.until("fen");
        of_jobs.push(client.threads("job"));
    }
    assert_eq!(of_jobs[0].len(), 1);
    assert!(of_jobs.iter().all(|threads| *threads == of_jobs[0]), "{of_jobs:?}");
    client.send("quit");
    client.end();
}

//! `crescendo batch`: many questions as lines of JSON, answered in their order.
//!
//! A thread reads lines, others answer them, and this one writes. Every line that is read gets a
//! channel of its own for its answer. The receiving ends wait in one queue in the order of the
//! lines: that is what puts the answers in order, and since the queue is bounded, so is what can be
//! read ahead of a line that takes long.

mod answer;
mod bar;
mod question;
mod resume;

use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded, select};
use serde_json::value::RawValue;

use super::common::{check_hash, listen_for_interrupts};
use super::lines::{LONGEST, is_same, too_long};
use super::print::is_read;
use crate::engine::STACK;
use crate::protocol::{Found, next_line};
use answer::{Means, answer, complaint};
use bar::Bar;
use resume::Answered;

/// How many lines for each thread may have been read whose answers are not written.
const AHEAD: usize = 128;

/// What some editors put before the first line of a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Answer lines of JSON, many positions in one go
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = "\
Each line of the file is a question, and is answered by one line on the standard output, in order:
  {\"id\":1,\"op\":\"solve\",\"fen\":\"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"}
  {\"id\":1,\"op\":\"solve\",\"solved\":true,\"count\":1,\"nodes\":1,\"solutions\":[[\"a1a8\"]]}
The operations are status, solve, perft and search. A line that is wrong is answered by
{\"id\":..,\"error\":\"..\"}; blank lines are passed over. docs/batch.md tells all fields.

Examples:
  crescendo batch questions.jsonl --threads 4 > answers.jsonl
  crescendo batch questions.jsonl --resume answers.jsonl   go on, whatever has ended it
  echo '{\"id\":1,\"op\":\"perft\",\"limits\":{\"depth\":2}}' | crescendo batch")]
pub struct Args {
    /// The file with the questions; - or nothing reads the standard input
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// Lines answered at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// The memory for tables, in MiB, shared out among the threads
    #[arg(long, value_name = "MB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Add the answers to this file, and pass over the lines whose ids it has
    #[arg(long, value_name = "OUT")]
    resume: Option<String>,
}

/// A line that has been read: where its answer will come, and where in the input it ends.
struct Pending {
    answer: Receiver<String>,
    end: u64,
}

/// A line to answer, empty if it is too long, and where to send the answer.
type Task = (Vec<u8>, Sender<String>);

/// What there is to read, from where.
struct Input {
    reader: Box<dyn BufRead + Send>,
    /// What errors call it.
    name: String,
    /// Its length in bytes, if it is known.
    length: Option<u64>,
}

impl Args {
    fn input(&self) -> Result<Input, String> {
        let Some(name) = self.file.as_deref().filter(|name| *name != "-") else {
            let reader = Box::new(BufReader::new(io::stdin()));
            return Ok(Input { reader, name: "the questions".to_string(), length: None });
        };
        let file = File::open(name).map_err(|error| format!("cannot open {name}: {error}"))?;
        let metadata = file.metadata().map_err(|error| format!("cannot read {name}: {error}"))?;
        let length = metadata.is_file().then_some(metadata.len());
        Ok(Input { reader: Box::new(BufReader::new(file)), name: name.to_string(), length })
    }

    /// Where the answers go, and those that are there already.
    fn output(&self) -> Result<(Box<dyn Write>, Answered), String> {
        let Some(out) = &self.resume else {
            return Ok((Box::new(io::stdout()), Answered::default()));
        };
        if self.file.as_ref().is_some_and(|name| is_same(name, out)) {
            return Err(format!("--resume: {out} has the questions"));
        }
        let (answered, file) = Answered::take_up(out)?;
        Ok((Box::new(file), answered))
    }
}

/// Answers the lines of the file.
///
/// # Errors
/// One sentence: a file cannot be read or written, there is not so much memory, or an interrupt has
/// ended the work. A reader of the answers that has gone away is no error.
pub fn run(args: Args) -> Result<(), String> {
    let Input { reader, name, length } = args.input()?;
    let (output, answered) = args.output()?;
    let bar = Bar::new(length, args.resume.is_none() && io::stdout().is_terminal());
    let (stop, threads) = (Arc::new(AtomicBool::new(false)), usize::from(args.threads));
    let hash = (args.hash as usize / threads).max(1);
    check_hash(hash * threads)?;
    let interrupted = interrupts(&stop)?;
    let (order, pending) = bounded(AHEAD * threads);
    let (tasks, work) = bounded(AHEAD * threads);
    for _ in 0..threads {
        let (work, means) = (work.clone(), Means { hash, stop: stop.clone() });
        start("job", move || answer_all(&work, &means))?;
    }
    start("input", move || {
        if let Err(error) = read(reader, answered, &tasks, &order) {
            // Nobody waits for it after an interrupt.
            let _ = order.send(Err(format!("cannot read {name}: {error}")));
        }
    })?;
    write(output, &pending, &interrupted, &bar)
}

/// A channel that closes at the first interrupt, which also sets `stop`.
fn interrupts(stop: &Arc<AtomicBool>) -> Result<Receiver<()>, String> {
    let (open, interrupted) = bounded(0);
    let stop = stop.clone();
    listen_for_interrupts(move || {
        stop.store(true, Ordering::Relaxed);
        drop(open);
        true
    })?;
    Ok(interrupted)
}

fn start(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let thread = thread::Builder::new().name(name.into()).stack_size(STACK).spawn(work);
    thread.map(|_| ()).map_err(|error| format!("there is no thread: {error}"))
}

/// Reads the lines and hands them to those who answer and to the one who writes.
fn read(
    mut input: impl BufRead,
    mut answered: Answered,
    tasks: &Sender<Task>,
    order: &Sender<Result<Pending, String>>,
) -> io::Result<()> {
    let (mut line, mut end) = (Vec::new(), 0);
    loop {
        let found = next_line(&mut input, LONGEST, &mut line)?;
        if end == 0 && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        end += line.len() as u64;
        match found {
            Found::End => return Ok(()),
            Found::Line if line.trim_ascii().is_empty() => continue,
            Found::Line => {}
            // What is there of the line is not to be mistaken for the whole.
            Found::EndlessLine => line.clear(),
        }
        if answered.has(&line) {
            continue;
        }
        let (reply, answer) = bounded(1);
        let task = (std::mem::take(&mut line), reply);
        if order.send(Ok(Pending { answer, end })).is_err() || tasks.send(task).is_err() {
            return Ok(());
        }
    }
}

/// Answers lines until there are no more, or until it is told to stop: what is then under way is
/// dropped without an answer.
fn answer_all(work: &Receiver<Task>, means: &Means) {
    for (line, reply) in work {
        let answer = match line.is_empty() {
            true => complaint(RawValue::NULL, &too_long()),
            false => answer(&line, means),
        };
        if means.stop.load(Ordering::Relaxed) || reply.send(answer).is_err() {
            return;
        }
    }
}

/// Writes the answers in order, each with one call.
fn write(
    mut output: impl Write,
    pending: &Receiver<Result<Pending, String>>,
    interrupted: &Receiver<()>,
    bar: &Bar,
) -> Result<(), String> {
    for lines in 1.. {
        let next = select! {
            recv(pending) -> next => next.ok(),
            recv(interrupted) -> _ => return Err(stopped(lines - 1)),
        };
        let Some(next) = next else { break };
        let Pending { answer, end } = next?;
        let Ok(mut answer) = answer.recv() else { return Err(stopped(lines - 1)) };
        answer.push('\n');
        if !is_read(output.write_all(answer.as_bytes()).and_then(|()| output.flush()))? {
            break;
        }
        bar.show(lines, end);
    }
    Ok(())
}

fn stopped(lines: u64) -> String {
    format!("interrupted when {lines} lines were answered; --resume goes on")
}

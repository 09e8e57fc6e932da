//! Printing: what a job tells, in the words of the protocol, and text that is ready.

use std::io::{self, ErrorKind, Write};

use crate::engine::{Answer, Job, Tables};
use crate::protocol::Reply;

/// The size of the tables, in MiB.
const HASH: usize = 256;

/// Does a job on this thread and prints what it tells.
///
/// # Errors
/// The output cannot be written.
pub fn print_job(job: &Job) -> Result<(), String> {
    let mut output = io::stdout().lock();
    let mut written = Ok(());
    let mut print = |reply: &Reply| {
        if written.is_ok() {
            written = writeln!(output, "{reply}");
        }
    };
    let mut tables = Tables::new(HASH);
    let mut tell = |progress| print(&Reply::Progress(&progress));
    match job.perform(&mut tables, &Default::default(), &mut tell) {
        Answer::Chosen(choice) => print(&Reply::BestMove(&choice)),
        Answer::Solved(solved) => print(&Reply::Solved(solved)),
        Answer::Counted(Some(counts), elapsed) => print(&Reply::Counted(&counts, elapsed)),
        Answer::Counted(None, _) => print(&Reply::Note("perft stopped")),
    }
    written.map_err(unwritten)
}

/// Prints text that is ready.
///
/// # Errors
/// The output cannot be written.
pub fn print_text(text: &str) -> Result<(), String> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes()).and_then(|()| output.flush()).map_err(unwritten)
}

/// Whether somebody still reads what was written, for those to whom it is no error if not.
///
/// # Errors
/// The output cannot be written for another reason.
pub fn is_read(written: io::Result<()>) -> Result<bool, String> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        written => written.map(|()| true).map_err(unwritten),
    }
}

fn unwritten(error: io::Error) -> String {
    format!("the output cannot be written: {error}")
}

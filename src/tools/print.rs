//! Printing text that is ready.

use std::io::{self, ErrorKind, Write};

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

/// What there is to say when the output fails.
pub fn unwritten(error: io::Error) -> String {
    format!("the output cannot be written: {error}")
}

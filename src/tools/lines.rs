//! Files of lines that only grow, and are taken up again after whatever has ended their writer.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind};

/// Hands every whole line of a file to `each`, with its number from 1. Then cuts off what stands
/// behind the last one: a line that was being written when its writer died. A file that is not
/// there has no lines.
///
/// # Errors
/// One sentence: the file cannot be read or cut, or what `each` has to say of a line; the file is
/// then as it was.
pub fn take_up(
    name: &str,
    mut each: impl FnMut(u64, &[u8]) -> Result<(), String>,
) -> Result<(), String> {
    let cannot_read = |error| format!("cannot read {name}: {error}");
    let mut file = match File::open(name) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        opened => BufReader::new(opened.map_err(cannot_read)?),
    };
    if !file.get_ref().metadata().map_err(cannot_read)?.is_file() {
        return Err(format!("{name} is no file that can be taken up again"));
    }
    let (mut line, mut whole) = (Vec::new(), 0);
    for number in 1.. {
        line.clear();
        let read = file.read_until(b'\n', &mut line).map_err(cannot_read)?;
        if line.ends_with(b"\n") {
            each(number, &line)?;
            whole += read as u64;
        } else {
            return if read == 0 { Ok(()) } else { cut(name, whole) };
        }
    }
    Ok(())
}

/// Makes a file end behind its first `length` bytes.
fn cut(name: &str, length: u64) -> Result<(), String> {
    let cut = OpenOptions::new().write(true).open(name).and_then(|file| {
        file.set_len(length)?;
        file.sync_data()
    });
    cut.map_err(|error| format!("cannot write {name}: {error}"))
}

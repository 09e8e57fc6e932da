//! Lines of files, how long they may be; and files that are never left half written: those that grow
//! line by line, and those that are replaced.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind};

/// The longest line that is read of games and questions, in bytes: several times the longest game.
pub const LONGEST: u64 = 1 << 20;

/// What there is to say of a longer one.
pub fn too_long() -> String {
    format!("the line is longer than {LONGEST} bytes")
}

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

/// Makes a file of exactly this text, in place of what is there.
///
/// # Errors
/// One sentence: the file cannot be written; it is then as it was.
pub fn replace(name: &str, text: &str) -> Result<(), String> {
    let fresh = format!("{name}.new");
    let written = fs::write(&fresh, text).and_then(|()| fs::rename(&fresh, name));
    written.map_err(|error| format!("cannot write {name}: {error}"))
}

/// Whether both names are those of one file that is there.
pub fn is_same(name: &str, other: &str) -> bool {
    let path = fs::canonicalize(name).ok();
    path.is_some() && path == fs::canonicalize(other).ok()
}

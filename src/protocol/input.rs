//! Lines of input, whatever bytes they are made of.

use std::io::{self, BufRead, BufReader, Read};
use std::thread;

use crossbeam_channel::Sender;

use crate::engine::Event;

/// The longest line of the protocol, in bytes: more than a hundred times the longest game.
pub const LONGEST_LINE: u64 = 16 << 20;

/// What [`next_line`] has found.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A line, with its end if it has one.
    Line,
    /// A line longer than wanted: it is passed over, and what is kept of it is its beginning.
    EndlessLine,
    /// The end of the input.
    End,
}

/// Reads the next line into `bytes`, in place of what is there, and never more than `longest`
/// bytes.
///
/// # Errors
/// The input cannot be read.
pub fn next_line(input: &mut impl BufRead, longest: u64, bytes: &mut Vec<u8>) -> io::Result<Found> {
    bytes.clear();
    match input.by_ref().take(longest).read_until(b'\n', bytes)? {
        0 => Ok(Found::End),
        _ if bytes.len() as u64 == longest && !bytes.ends_with(b"\n") => {
            input.skip_until(b'\n')?;
            Ok(Found::EndlessLine)
        }
        _ => Ok(Found::Line),
    }
}

/// Sends every line of `input` as an event from a thread of its own, and the end of the input. Lines
/// of `longest` bytes or more are not kept. Bytes that are no UTF-8 become the replacement character;
/// a failure to read counts as the end.
///
/// # Errors
/// The system gives no thread.
pub fn listen(
    input: impl Read + Send + 'static,
    longest: u64,
    events: Sender<Event>,
) -> io::Result<()> {
    let forward = move || forward(input, longest, &events);
    thread::Builder::new().name("input".into()).spawn(forward).map(|_| ())
}

fn forward(input: impl Read, longest: u64, events: &Sender<Event>) {
    let mut input = BufReader::new(input);
    let mut bytes = Vec::new();
    loop {
        let event = match next_line(&mut input, longest, &mut bytes) {
            Ok(Found::End) | Err(_) => break,
            Ok(Found::EndlessLine) => Event::EndlessLine,
            Ok(Found::Line) => Event::Line(String::from_utf8_lossy(&bytes).into_owned()),
        };
        if events.send(event).is_err() {
            return;
        }
    }
    // The session may be over already.
    let _ = events.send(Event::Eof);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(input: &[u8]) -> Vec<String> {
        let (sender, receiver) = crossbeam_channel::unbounded();
        forward(input, 100, &sender);
        let name = |event| match event {
            Event::Line(line) => line.trim_end().to_string(),
            Event::EndlessLine => "(endless)".to_string(),
            Event::Eof => "(end)".to_string(),
            Event::Progress(_) | Event::Done(_) => "(job)".to_string(),
        };
        receiver.try_iter().map(name).collect()
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_eq!(events(b"uci\r\nisready\nquit"), ["uci", "isready", "quit", "(end)"]);
        assert_eq!(events(b""), ["(end)"]);
        assert_eq!(events(b"a\xff\0b\n"), ["a\u{fffd}\0b", "(end)"]);
    }

    #[test]
    fn an_endless_line_is_not_kept() {
        let mut input = vec![b'x'; 110];
        input.extend(b"\nuci\n");
        assert_eq!(events(&input), ["(endless)", "uci", "(end)"]);
    }
}

//! A stream without what telnet clients negotiate about: options are neither offered nor taken.

use std::io::{self, Read};

const COMMAND: u8 = 255;
const NEGOTIATION: std::ops::RangeInclusive<u8> = 251..=254;
const SUBNEGOTIATION: u8 = 250;
const SUBNEGOTIATION_END: u8 = 240;

/// Reads the bytes of another stream and leaves out those of telnet's own.
pub struct Telnet<R> {
    inner: R,
    state: State,
}

/// What the next byte is.
enum State {
    Text,
    /// What telnet is told to do.
    Command,
    /// The option that somebody would or would not have.
    Option,
    /// Something about an option, as long as one likes.
    Subnegotiation,
    /// Perhaps the end of that.
    SubnegotiationCommand,
}

impl<R: Read> Telnet<R> {
    /// The text of `inner`.
    pub fn new(inner: R) -> Telnet<R> {
        Telnet { inner, state: State::Text }
    }

    /// Whether a byte is text.
    fn takes(&mut self, byte: u8) -> bool {
        let (state, text) = match (&self.state, byte) {
            (State::Text, COMMAND) => (State::Command, false),
            (State::Text, byte) => (State::Text, byte != 0),
            (State::Command, SUBNEGOTIATION) => (State::Subnegotiation, false),
            (State::Command, byte) if NEGOTIATION.contains(&byte) => (State::Option, false),
            (State::Command | State::Option, _) => (State::Text, false),
            (State::Subnegotiation, COMMAND) => (State::SubnegotiationCommand, false),
            (State::SubnegotiationCommand, SUBNEGOTIATION_END) => (State::Text, false),
            (State::Subnegotiation | State::SubnegotiationCommand, _) => {
                (State::Subnegotiation, false)
            }
        };
        self.state = state;
        text
    }
}

impl<R: Read> Read for Telnet<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.inner.read(buffer)?;
            let mut kept = 0;
            for at in 0..count {
                if self.takes(buffer[at]) {
                    buffer[kept] = buffer[at];
                    kept += 1;
                }
            }
            // Nothing kept is not yet the end.
            if kept > 0 || count == 0 {
                return Ok(kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        let mut text = String::new();
        Telnet::new(bytes).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn negotiations_are_left_out() {
        assert_eq!(text(b"\xff\xfb\x01\xff\xfd\x03name\r\n\0"), "name\r\n");
        assert_eq!(text(b"a\xff\xfa\x18\0xterm\xff\xff\xff\xf0b\xff\xf1c"), "abc");
        assert_eq!(text(b"a\xff\xff"), "a");
        assert_eq!(text(b"a\xff\xfa endless"), "a");
    }

    #[test]
    fn reading_goes_on_behind_bytes_that_are_none_of_text() {
        let parts: [&[u8]; 3] = [b"\xff\xfd", b"\x01\xff", b"\xfb\x02e4"];
        let [a, b, c] = parts;
        let mut text = String::new();
        Telnet::new(a.chain(b).chain(c)).read_to_string(&mut text).unwrap();
        assert_eq!(text, "e4");
    }
}

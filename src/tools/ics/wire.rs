//! What the client reads: blocks of text, each with a prompt behind it.

use std::io::{self, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// How long a client may leave everything unread before it is taken to be gone.
const PATIENCE: Duration = Duration::from_secs(5);

const PROMPT: &str = "fics% ";

/// The way to the client.
pub struct Wire {
    stream: TcpStream,
    /// What is said but not sent.
    text: String,
}

impl Wire {
    /// The way over `stream`.
    ///
    /// # Errors
    /// The stream cannot be used.
    pub fn new(stream: TcpStream) -> io::Result<Wire> {
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.set_nodelay(true)?;
        Ok(Wire { stream, text: String::new() })
    }

    /// Says a line, or lines with breaks between them.
    pub fn say(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push_str("\r\n");
    }

    /// Sends what was said, with the prompt behind it.
    ///
    /// # Errors
    /// The client is gone, or does not read.
    pub fn send(&mut self) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        self.send_text(&format!("\r\n{text}{PROMPT}"))
    }

    /// Sends a question, and before it what was said.
    ///
    /// # Errors
    /// The client is gone, or does not read.
    pub fn ask(&mut self, question: &str) -> io::Result<()> {
        let text = std::mem::take(&mut self.text);
        self.send_text(&format!("{text}{question}"))
    }

    /// Sends what was said as the last of all.
    pub fn close(mut self) {
        let text = std::mem::take(&mut self.text);
        // The client may be gone, and then nobody is left to tell.
        let _ = self.send_text(&format!("\r\n{text}"));
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    fn send_text(&mut self, text: &str) -> io::Result<()> {
        self.stream.write_all(text.as_bytes())
    }
}

//! How far a batch has come: on stderr if that is a terminal, and gone at the end.

use indicatif::ProgressBar;

use crate::tools::bar::styled;

/// Shows how many lines are answered; disappears when dropped.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// A bar for an input of so many bytes, if that is known. It is not to be seen if somebody
    /// sees the answers anyway.
    pub fn new(bytes: Option<u64>, answers_are_seen: bool) -> Bar {
        let bar = match bytes {
            _ if answers_are_seen => ProgressBar::hidden(),
            Some(bytes) => ProgressBar::new(bytes),
            None => ProgressBar::new_spinner(),
        };
        let form =
            if bytes.is_some() { "[{bar:20}] {percent} %, {msg}" } else { "{spinner} {msg}" };
        Bar(styled(bar, form))
    }

    /// So many lines are answered, the last of which ends behind so many bytes of the input.
    pub fn show(&self, lines: u64, bytes: u64) {
        self.0.set_position(bytes);
        self.0.set_message(format!("{lines} answered"));
    }
}

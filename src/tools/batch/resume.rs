//! The file of a batch that is taken up again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::question::{id_of, object};
use crate::tools::lines::take_up;

/// The ids of the answers that are there already, and how often each is.
#[derive(Default)]
pub(super) struct Answered(HashMap<Box<str>, u64>);

/// What every answer has, one or the other.
#[derive(Deserialize)]
struct Kind {
    op: Option<IgnoredAny>,
    error: Option<IgnoredAny>,
}

impl Answered {
    /// Reads the answers of a file, which is then ready to be added to: half a line at its end is
    /// removed. If it is not there it is made.
    ///
    /// # Errors
    /// One sentence: the file cannot be read or written, or is not of a batch.
    pub fn take_up(name: &str) -> Result<(Answered, File), String> {
        let mut answered = Answered::default();
        take_up(name, |number, line| {
            let kind =
                object(line).ok().filter(|kind: &Kind| kind.op.is_some() || kind.error.is_some());
            if kind.is_none() {
                return Err(format!("{name}, line {number}: no answer of a batch"));
            }
            *answered.0.entry(id_of(line).get().into()).or_default() += 1;
            Ok(())
        })?;
        let file = OpenOptions::new().append(true).create(true).open(name);
        Ok((answered, file.map_err(|error| format!("cannot write {name}: {error}"))?))
    }

    /// Whether there is an answer to this line that belongs to no line before it.
    pub fn has(&mut self, line: &[u8]) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let id = id_of(line);
        let Some(count) = self.0.get_mut(id.get()) else { return false };
        *count -= 1;
        if *count == 0 {
            self.0.remove(id.get());
        }
        true
    }
}

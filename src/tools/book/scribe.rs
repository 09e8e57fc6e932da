//! The file of a book, which grows line by line and can be taken up again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::Write;

use crate::book::{Key, Line, Pick, key};
use crate::position::Game;
use crate::rules::RuleSet;
use crate::tools::lines::take_up;

/// Who writes into the file of a book, and knows what it has.
pub(super) struct Scribe {
    name: String,
    file: File,
    known: HashMap<Key, Pick>,
}

impl Scribe {
    /// Takes up the file of this name, or begins it with `title`.
    ///
    /// # Errors
    /// One sentence: the file cannot be read or written, or is no book with this title.
    pub fn open(name: &str, title: &str, rules: &'static RuleSet) -> Result<Scribe, String> {
        let (mut known, mut is_new) = (HashMap::new(), true);
        take_up(name, |number, text| {
            let at = |what: String| format!("{name}, line {number}: {what}");
            let text = std::str::from_utf8(text).map_err(|error| at(error.to_string()))?;
            if std::mem::take(&mut is_new) && text.trim_end() != title {
                return Err(at(format!("this is not '{title}'")));
            }
            if let Some(line) = Line::read(text, rules).map_err(at)? {
                known.insert(key(&line.position), line.pick);
            }
            Ok(())
        })?;
        let file = OpenOptions::new().create(true).append(true).open(name);
        let file = file.map_err(|error| format!("cannot write {name}: {error}"))?;
        let mut scribe = Scribe { name: name.to_string(), file, known };
        if is_new {
            scribe.write_line(title)?;
        }
        Ok(scribe)
    }

    /// How many positions the book has.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// What the book has for the position of a game.
    pub fn pick(&self, game: &Game) -> Option<&Pick> {
        self.known.get(&key(game.position()))
    }

    /// Writes what the book is to have for the position of a game, unless it has something.
    ///
    /// # Errors
    /// One sentence: the file cannot be written.
    pub fn write(&mut self, game: &Game, pick: &Pick) -> Result<(), String> {
        if self.pick(game).is_none() {
            let (moves, position) = (game.moves().to_vec(), *game.position());
            self.write_line(&Line { moves, position, pick: pick.clone() }.to_string())?;
            self.known.insert(key(&position), pick.clone());
        }
        Ok(())
    }

    fn write_line(&mut self, line: &str) -> Result<(), String> {
        let text = format!("{line}\n");
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(|error| format!("cannot write {}: {error}", self.name))
    }
}

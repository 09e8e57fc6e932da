//! The files of a match: JSON lines, which are the record, and PGN, which can be made from them.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};

use super::record::Record;
use crate::rules::RuleSet;
use crate::tools::lines::{replace, take_up};

/// The PGN tag `Event` of our games, by which we know our own files.
pub const EVENT: &str = "Crescendo match";

/// Where finished games are written to.
pub struct Files {
    rules: &'static RuleSet,
    json_lines: Option<Output>,
    pgn: Option<Output>,
}

struct Output {
    name: String,
    file: File,
}

impl Output {
    /// A file that does not exist yet, or is empty.
    fn create(name: &str) -> Result<Output, String> {
        let full = fs::metadata(name).is_ok_and(|metadata| metadata.len() > 0);
        if full {
            return Err(format!("{name} is there already; go on with --resume, or remove it"));
        }
        let file = OpenOptions::new().create(true).append(true).open(name);
        let file = file.map_err(|error| format!("cannot create {name}: {error}"))?;
        Ok(Output { name: name.to_string(), file })
    }

    /// Writes and waits until it is on the disk.
    fn write(&mut self, text: &str) -> Result<(), String> {
        let written = self.file.write_all(text.as_bytes()).and_then(|()| sync(&self.file));
        written.map_err(|error| format!("cannot write {}: {error}", self.name))
    }
}

/// Forces a file to the disk; where that has no meaning, as on a pipe, it is no failure.
fn sync(file: &File) -> std::io::Result<()> {
    match file.sync_data() {
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
            Ok(())
        }
        synced => synced,
    }
}

impl Files {
    /// Files for a match that begins.
    ///
    /// # Errors
    /// One sentence: a file has something in it, or cannot be created.
    pub fn create(
        rules: &'static RuleSet,
        json_lines: Option<&str>,
        pgn: Option<&str>,
    ) -> Result<Files, String> {
        let json_lines = json_lines.map(Output::create).transpose()?;
        Ok(Files { rules, json_lines, pgn: pgn.map(Output::create).transpose()? })
    }

    /// Files of a match that goes on, and the games that are finished. A line that was being
    /// written when the match broke off is removed; the PGN is made anew.
    ///
    /// # Errors
    /// One sentence: a file cannot be read or written, or is not of a match.
    pub fn resume(
        rules: &'static RuleSet,
        json_lines: &str,
        pgn: Option<&str>,
    ) -> Result<(Files, Vec<Record>), String> {
        let records = finished_games(json_lines)?;
        let file = OpenOptions::new().append(true).create(true).open(json_lines);
        let file = file.map_err(|error| format!("cannot write {json_lines}: {error}"))?;
        let json_lines = Some(Output { name: json_lines.to_string(), file });
        let pgn = pgn.map(|name| rewrite_pgn(name, &records, rules)).transpose()?;
        Ok((Files { rules, json_lines, pgn }, records))
    }

    /// Adds a finished game to the files.
    ///
    /// # Errors
    /// One sentence: a file cannot be written.
    pub fn add(&mut self, record: &Record) -> Result<(), String> {
        if let Some(output) = &mut self.json_lines {
            let line = serde_json::to_string(record).map_err(|error| error.to_string())?;
            output.write(&format!("{line}\n"))?;
        }
        match &mut self.pgn {
            Some(output) => output.write(&record.pgn(self.rules)?),
            None => Ok(()),
        }
    }
}

/// The games of a file of JSON lines, which is cut behind the last whole line. A file that is not
/// there has none.
fn finished_games(name: &str) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    take_up(name, |number, line| {
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let record = serde_json::from_slice(line).map_err(|error| {
            format!("{name}, line {number}: no finished game of a match: {error}")
        })?;
        records.push(record);
        Ok(())
    })?;
    Ok(records)
}

/// Replaces a PGN file of ours by one with exactly these games.
fn rewrite_pgn(name: &str, records: &[Record], rules: &'static RuleSet) -> Result<Output, String> {
    let old = match fs::read(name) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|error| format!("cannot read {name}: {error}"))?,
    };
    let ours = format!("[Event \"{EVENT}\"]");
    if !old.is_empty() && !old.starts_with(ours.as_bytes()) {
        return Err(format!("{name} is not of a match, and would be overwritten"));
    }
    let games: String = records.iter().map(|record| record.pgn(rules)).collect::<Result<_, _>>()?;
    replace(name, &games)?;
    let file = OpenOptions::new().append(true).open(name);
    let file = file.map_err(|error| format!("cannot write {name}: {error}"))?;
    Ok(Output { name: name.to_string(), file })
}

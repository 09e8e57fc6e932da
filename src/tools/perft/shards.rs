//! Counting in shards, each a line of a file, so that a count of hours can be broken off, taken up
//! again, and spread over machines.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use crate::Position;
use crate::protocol::Reply;
use crate::search::Control;
use crate::search::perft::{Counts, LastTurn, START_LIMIT, Shard, ShardCounts, Unprepared};
use crate::tools::bar::styled;
use crate::tools::lines::take_up;
use crate::tools::print::print_text;

/// A count that is done in shards.
pub(super) struct Request {
    pub position: Position,
    /// How many whole turns.
    pub turns: u32,
    /// How many shards there are.
    pub shards: u32,
    /// Which of them to count, from 1.
    pub wanted: RangeInclusive<u32>,
    /// The name of the file of finished shards.
    pub state: String,
    /// Whether to count finished shards again, in another way.
    pub recount: bool,
}

/// A finished shard: a line of the file.
#[derive(Serialize, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct Line {
    variant: String,
    fen: String,
    turns: u32,
    shards: u32,
    shard: u32,
    starts: u64,
    paths: u128,
    count: u128,
    mates: u128,
    italianmates: u128,
    stalemates: u128,
    checks: u128,
    ms: u64,
}

impl Request {
    /// Counts the wanted shards that the file does not have yet, and adds up all if none is missing.
    ///
    /// # Errors
    /// One sentence: the file is of another count, cannot be read or written, contradicts itself or
    /// is refuted; or the last turn begins in too many positions.
    pub fn run(&self) -> Result<(), String> {
        let mut done = self.finished()?;
        let (finished, missing): (Vec<u32>, Vec<u32>) =
            self.wanted.clone().partition(|shard| done.contains_key(shard));
        if self.recount {
            return self.compare(&finished, &done);
        }
        let open = OpenOptions::new().create(true).append(true).open(&self.state);
        let mut file = open.map_err(|error| self.cannot_write(error))?;
        if !missing.is_empty() {
            self.count(&missing, &mut file, &mut done)?;
        }
        print_text(&self.report(&done))
    }

    /// The shards that the file has.
    fn finished(&self) -> Result<BTreeMap<u32, Line>, String> {
        let mut done = BTreeMap::new();
        take_up(&self.state, |number, text| {
            let at = |what: &str| format!("{}, line {number}: {what}", self.state);
            let line: Line = serde_json::from_slice(text)
                .map_err(|error| at(&format!("no finished shard of a count: {error}")))?;
            let same = self.line(line.shard, &line.found(), line.ms);
            if line != same || !(1..=self.shards).contains(&line.shard) {
                return Err(at("this shard is of another count"));
            }
            match done.insert(line.shard, line) {
                Some(old) if old.found() != same.found() => {
                    Err(at("this shard contradicts an earlier line"))
                }
                _ => Ok(()),
            }
        })?;
        Ok(done)
    }

    /// Counts shards and adds them to the file, one by one.
    fn count(
        &self,
        missing: &[u32],
        file: &mut File,
        done: &mut BTreeMap<u32, Line>,
    ) -> Result<(), String> {
        let last_turn = self.last_turn()?;
        let bar = bar(self.shards.into(), done.len() as u64);
        for &number in missing {
            let start = Instant::now();
            let found = last_turn.count(self.shard(number), &Control::unlimited());
            let line =
                self.line(number, &found.ok_or(STOPPED)?, start.elapsed().as_millis() as u64);
            let text = serde_json::to_string(&line).map_err(|error| error.to_string())? + "\n";
            let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
            written.map_err(|error| self.cannot_write(error))?;
            done.insert(number, line);
            bar.inc(1);
        }
        Ok(())
    }

    /// Counts finished shards again, position by position.
    fn compare(&self, finished: &[u32], done: &BTreeMap<u32, Line>) -> Result<(), String> {
        let last_turn = self.last_turn()?;
        let bar = bar(finished.len() as u64, 0);
        for &number in finished {
            let found = last_turn.recount(self.shard(number), &Control::unlimited());
            let found = found.ok_or(STOPPED)?;
            if done.get(&number).map(Line::found) != Some(found) {
                let counts = Reply::Counted(&found.counts, Duration::ZERO);
                return Err(format!("{}: shard {number} is refuted: {counts}", self.state));
            }
            bar.inc(1);
        }
        drop(bar);
        print_text(&format!("{} shards counted again: the same\n", finished.len()))
    }

    fn last_turn(&self) -> Result<LastTurn, String> {
        let prepared = LastTurn::new(&self.position, self.turns, &Control::unlimited());
        prepared.map_err(|error| match error {
            Unprepared::TooMany => {
                format!("the last turn begins in more than {START_LIMIT} positions")
            }
            Unprepared::Stopped => STOPPED.to_string(),
        })
    }

    fn shard(&self, number: u32) -> Shard {
        Shard { number, of: self.shards }
    }

    fn line(&self, shard: u32, found: &ShardCounts, ms: u64) -> Line {
        let ShardCounts { starts, paths, counts } = *found;
        Line {
            variant: self.position.rules().name.to_string(),
            fen: self.position.pfen(),
            turns: self.turns,
            shards: self.shards,
            shard,
            starts,
            paths,
            count: counts.count,
            mates: counts.mates,
            italianmates: counts.italian_mates,
            stalemates: counts.stalemates,
            checks: counts.checks,
            ms,
        }
    }

    /// The total, or how much of it there is.
    fn report(&self, done: &BTreeMap<u32, Line>) -> String {
        let Request { shards, state, .. } = self;
        if done.len() < *shards as usize {
            return format!("{state} has {} of {shards} shards\n", done.len());
        }
        let mut total = ShardCounts::default();
        let mut time = Duration::ZERO;
        for line in done.values() {
            total.add(&line.found());
            time += Duration::from_millis(line.ms);
        }
        let ShardCounts { starts, paths, counts } = total;
        let counted = Reply::Counted(&counts, time);
        format!("shards {shards} starts {starts} paths {paths}\n{counted}\n")
    }

    fn cannot_write(&self, error: std::io::Error) -> String {
        format!("cannot write {}: {error}", self.state)
    }
}

const STOPPED: &str = "the count was stopped";

impl Line {
    /// What was found in the shard.
    fn found(&self) -> ShardCounts {
        let counts = Counts {
            count: self.count,
            distinct: None,
            mates: self.mates,
            italian_mates: self.italianmates,
            stalemates: self.stalemates,
            checks: self.checks,
        };
        ShardCounts { starts: self.starts, paths: self.paths, counts }
    }
}

/// The bar of a long count.
fn bar(shards: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(shards).with_position(done);
    let bar = styled(bar, "[{bar:20}] {pos}/{len} shards, {eta} to go");
    bar.reset_eta();
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}

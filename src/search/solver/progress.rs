//! How far a search has come, for others to read while it runs.

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering::Relaxed};

/// Written now and then by a running search, read by whoever waits for it.
///
/// The numbers are written one by one: read together, they may lie a moment apart.
#[derive(Debug, Default)]
pub struct Progress {
    length: AtomicU8,
    done: AtomicU32,
    all: AtomicU32,
    nodes: AtomicU64,
}

/// A moment of a search.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Stage {
    /// Series of so many moves are being searched; 0 before the search begins.
    pub length: u8,
    /// So many of the first moves are done at this length.
    pub done: u32,
    /// The first moves at this length; 0 as long as nobody had to count them.
    pub all: u32,
    /// Positions looked at, shorter series included.
    pub nodes: u64,
}

impl Progress {
    /// Where the search is now.
    pub fn stage(&self) -> Stage {
        let all = self.all.load(Relaxed);
        Stage {
            length: self.length.load(Relaxed),
            done: self.done.load(Relaxed).min(all),
            all,
            nodes: self.nodes.load(Relaxed),
        }
    }

    /// Series of `length` moves come next; shorter ones took `nodes` nodes.
    pub(super) fn begin(&self, length: u8, nodes: u64) {
        self.all.store(0, Relaxed);
        self.done.store(0, Relaxed);
        self.length.store(length, Relaxed);
        self.nodes.store(nodes, Relaxed);
    }

    /// `done` of `all` first moves are done.
    pub(super) fn reach(&self, done: usize, all: usize) {
        self.done.store(done as u32, Relaxed);
        self.all.store(all as u32, Relaxed);
    }

    /// One more of the first moves is done.
    pub(super) fn finish_one(&self) {
        self.done.fetch_add(1, Relaxed);
    }

    /// So many more nodes.
    pub(super) fn add(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_tells_what_was_written_last() {
        let progress = Progress::default();
        assert_eq!(progress.stage(), Stage::default());
        progress.begin(5, 100);
        progress.reach(3, 20);
        progress.finish_one();
        progress.add(512);
        assert_eq!(progress.stage(), Stage { length: 5, done: 4, all: 20, nodes: 612 });
        progress.begin(6, 700);
        assert_eq!(progress.stage(), Stage { length: 6, done: 0, all: 0, nodes: 700 });
    }
}

//! What has been refuted: positions from which no series of so many moves wins.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A set of refutations in a bounded amount of memory, shared by the threads of a search.
///
/// How much of it a search uses depends on the length of the series: small tables stay in the
/// cache. Old refutations make room for new ones.
///
/// Every entry is one atomic word that is right by itself, so that threads need no other order
/// among their reads and writes: a lost or late entry costs time and nothing else.
pub struct Table {
    buckets: Vec<[AtomicU64; WAYS]>,
    /// The most buckets there may be, a power of two.
    limit: usize,
    /// The buckets in use are numbered from 0 to this.
    mask: usize,
}

const WAYS: usize = 4;

/// How many buckets are made at once.
const AT_ONCE: usize = 1 << 16;

/// The low bits of an entry hold the number of moves, the others those of the key.
const MOVES: u64 = 0xFF;

/// By the length of the series, the last for all longer ones: the binary logarithm of the buckets
/// in use, unless more nodes than that were needed before.
const SIZES: [u32; 10] = [4, 4, 4, 6, 9, 12, 14, 17, 18, 20];

/// How many buckets are of use for series of `moves` moves, when shorter ones took `nodes` nodes: a
/// power of two.
pub(super) fn wanted(moves: u8, nodes: u64) -> usize {
    let usual = 1 << SIZES[usize::from(moves).min(SIZES.len() - 1)];
    let wanted = usize::try_from(nodes).map_or(usize::MAX, |nodes| nodes.max(usual));
    wanted.checked_next_power_of_two().unwrap_or(1 << (usize::BITS - 1))
}

impl Table {
    /// A table that takes at most `bytes` bytes, and at least one bucket.
    pub fn new(bytes: usize) -> Table {
        let mut table = Table { buckets: Vec::new(), limit: 1, mask: 0 };
        table.set_limit(bytes);
        table
    }

    /// From now on it may grow to `bytes` bytes. If it is larger, the rest is given back, and what
    /// was there forgotten.
    pub fn set_limit(&mut self, bytes: usize) {
        let fitting = (bytes / size_of::<[AtomicU64; WAYS]>()).max(1);
        self.limit = 1 << fitting.ilog2();
        self.buckets.truncate(self.limit);
        self.buckets.shrink_to(self.limit);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets.clear();
    }

    /// Makes ready for series of `moves` moves, when shorter ones took `nodes` nodes. Much memory
    /// takes its time: `hurry` is asked now and then whether to be content with less.
    pub fn prepare(&mut self, moves: u8, nodes: u64, hurry: impl Fn() -> bool) {
        let size = wanted(moves, nodes).min(self.limit);
        // All that it may ever have, and once: memory that is not touched is not taken, and a table
        // that grew by and by would leave holes behind.
        self.buckets.reserve_exact(self.limit.saturating_sub(self.buckets.len()));
        while self.buckets.len() < size {
            let more = (self.buckets.len() + AT_ONCE).min(size);
            self.buckets.resize_with(more, Default::default);
            if hurry() {
                break;
            }
        }
        self.mask = (1 << size.min(self.buckets.len()).ilog2()) - 1;
    }

    /// How full the part in use is, in thousandths, by a sample.
    pub fn fill(&self) -> u32 {
        let in_use = self.buckets.len().min(self.mask + 1);
        let sample = &self.buckets[..in_use.min(1000)];
        let entries = sample.iter().flatten().filter(|entry| entry.load(Relaxed) != 0);
        (1000 * entries.count() / (WAYS * sample.len()).max(1)) as u32
    }

    /// The bucket of a key and a number of moves. In long series of few men the same position
    /// comes with very many numbers of moves; one bucket could not hold them.
    #[inline]
    fn bucket(&self, key: u64, moves: u8) -> &[AtomicU64; WAYS] {
        &self.buckets[((key >> 32) as usize + usize::from(moves)) & self.mask]
    }

    /// Whether the position of this key is known to have no winning series of `moves` moves.
    #[inline]
    pub fn refuted(&self, key: u64, moves: u8) -> bool {
        let wanted = key & !MOVES | u64::from(moves);
        self.bucket(key, moves).iter().any(|entry| entry.load(Relaxed) == wanted)
    }

    /// Remembers that there is no winning series of `moves` moves (at least 1).
    #[inline]
    pub fn store(&self, key: u64, moves: u8) {
        let bucket = self.bucket(key, moves);
        let entry = key & !MOVES | u64::from(moves);
        let moves_at = |way: usize| bucket[way].load(Relaxed) & MOVES;
        // The shallowest refutation is the cheapest to find again.
        let shallowest = (0..WAYS).min_by_key(|&way| moves_at(way)).unwrap_or(0);
        // If all are deeper they take turns, by the key, so that none stays for ever.
        let deeper = moves_at(shallowest) > u64::from(moves);
        let way = if deeper { key as usize % WAYS } else { shallowest };
        bucket[way].store(entry, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::mix;

    #[test]
    fn remembers_what_it_was_told() {
        let mut table = Table::new(1 << 20);
        table.prepare(9, 0, || false);
        for i in 1..5000 {
            table.store(mix(i), 3);
        }
        let known = (1..5000).filter(|&i| table.refuted(mix(i), 3)).count();
        assert!(known > 4900, "{known}");
        assert!((1..5000).all(|i| !table.refuted(mix(i), 2) && !table.refuted(mix(i), 4)));
        table.clear();
        table.prepare(9, 0, || false);
        assert!((1..5000).all(|i| !table.refuted(mix(i), 3)));
    }

    #[test]
    fn never_takes_more_than_it_may() {
        let mut table = Table::new(1 << 16);
        table.prepare(200, u64::MAX, || false);
        (1..100_000).for_each(|i| table.store(mix(i), 3));
        assert!(table.buckets.capacity() * size_of::<[AtomicU64; WAYS]>() <= 1 << 16);
        let recent = (99_000..100_000).filter(|&i| table.refuted(mix(i), 3)).count();
        assert!(recent > 500, "{recent}");
    }

    #[test]
    fn one_position_may_come_with_many_numbers_of_moves() {
        let mut table = Table::new(1 << 20);
        table.prepare(40, 0, || false);
        (1..=40).for_each(|moves| table.store(mix(1), moves));
        assert!((1..=40).all(|moves| table.refuted(mix(1), moves)));
    }

    #[test]
    fn in_a_hurry_it_makes_do_with_less() {
        let mut table = Table::new(1 << 30);
        table.prepare(9, u64::MAX, || true);
        assert_eq!(table.buckets.len(), AT_ONCE);
        table.store(mix(1), 3);
        assert!(table.refuted(mix(1), 3));
    }
}

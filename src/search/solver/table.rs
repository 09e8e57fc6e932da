//! What has been refuted: positions from which no series of so many moves wins.

/// A set of refutations in a bounded amount of memory.
///
/// It begins small, for small tables stay in the cache, and doubles as it fills. At its limit old
/// refutations make room for new ones.
pub struct Table {
    buckets: Vec<[u64; WAYS]>,
    /// The most buckets there may be, a power of two.
    limit: usize,
    /// Entries stored since the table has grown.
    stored: usize,
}

const WAYS: usize = 4;

/// Buckets in the beginning.
const FIRST: usize = 1 << 10;

/// The low bits of an entry hold the number of moves, the others those of the key.
const MOVES: u64 = 0xFF;

impl Table {
    /// A table that takes at most `bytes` bytes, and at least one bucket.
    pub fn new(bytes: usize) -> Table {
        // While it grows, the old half is still there.
        let wanted = (bytes / size_of::<[u64; WAYS]>() / 3 * 2).max(1);
        let limit = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        Table { buckets: vec![[0; WAYS]; FIRST.min(limit)], limit, stored: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.buckets = vec![[0; WAYS]; FIRST.min(self.limit)];
        self.stored = 0;
    }

    fn bucket(&self, key: u64) -> usize {
        (key >> 32) as usize & (self.buckets.len() - 1)
    }

    /// Doubles the table.
    fn grow(&mut self) {
        let doubled = vec![[0; WAYS]; self.buckets.len() * 2];
        self.stored = 0;
        for entry in std::mem::replace(&mut self.buckets, doubled).into_iter().flatten() {
            if entry != 0 {
                let at = self.bucket(entry);
                // Half the entries of one old bucket, or all of them: they fit.
                if let Some(free) = self.buckets[at].iter_mut().find(|way| **way == 0) {
                    *free = entry;
                    self.stored += 1;
                }
            }
        }
    }

    /// Whether the position of this key is known to have no winning series of `moves` moves.
    #[inline]
    pub fn refuted(&self, key: u64, moves: u8) -> bool {
        let wanted = key & !MOVES | u64::from(moves);
        self.buckets[self.bucket(key)].contains(&wanted)
    }

    /// Remembers that there is no winning series of `moves` moves (at least 1).
    pub fn store(&mut self, key: u64, moves: u8) {
        if self.stored > self.buckets.len() * (WAYS / 2) && self.buckets.len() < self.limit {
            self.grow();
        }
        self.stored += 1;
        let at = self.bucket(key);
        let bucket = &mut self.buckets[at];
        let entry = key & !MOVES | u64::from(moves);
        // The shallowest refutation is the cheapest to find again.
        let victim = (0..WAYS).min_by_key(|&way| bucket[way] & MOVES).unwrap_or(0);
        if bucket[victim] & MOVES > u64::from(moves) {
            // All are deeper: take turns, by the key, so that none stays for ever.
            bucket[key as usize % WAYS] = entry;
        } else {
            bucket[victim] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::mix;

    #[test]
    fn remembers_what_it_was_told() {
        let mut table = Table::new(1 << 20);
        for i in 1..5000 {
            table.store(mix(i), 3);
        }
        let known = (1..5000).filter(|&i| table.refuted(mix(i), 3)).count();
        assert!(known > 4900, "{known}");
        assert!((1..5000).all(|i| !table.refuted(mix(i), 2) && !table.refuted(mix(i), 4)));
        table.clear();
        assert!((1..5000).all(|i| !table.refuted(mix(i), 3)));
    }

    #[test]
    fn never_takes_more_than_it_may() {
        let mut table = Table::new(1 << 16);
        (1..100_000).for_each(|i| table.store(mix(i), 3));
        assert!(table.buckets.len() * size_of::<[u64; WAYS]>() <= 1 << 16);
        let recent = (99_000..100_000).filter(|&i| table.refuted(mix(i), 3)).count();
        assert!(recent > 500, "{recent}");
    }
}

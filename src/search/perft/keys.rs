//! A set of 64-bit keys that only grows, up to a limit.

/// Random keys, by open addressing; zero marks an empty slot and stands for itself apart.
///
/// Large tables do not fit the cache, and random places in them are slow to reach. So keys wait
/// until there are many, and go in sorted by the part of the table they belong to.
pub struct KeySet {
    slots: Vec<u64>,
    len: usize,
    limit: usize,
    has_zero: bool,
    waiting: Vec<u64>,
}

/// How many keys wait before they go in together.
const WAITING: usize = 1 << 20;

/// Into how many parts the table is divided for that, as a binary logarithm.
const PARTS: u32 = 8;

impl KeySet {
    /// An empty set that holds at most `limit` keys.
    pub fn new(limit: usize) -> KeySet {
        let slots = vec![0; 1 << 12];
        KeySet { slots, len: 0, limit, has_zero: false, waiting: Vec::new() }
    }

    /// Adds a key. Returns `false` if the set is full; it then need not hold the key.
    #[must_use]
    pub fn insert(&mut self, key: u64) -> bool {
        self.waiting.push(key);
        if self.waiting.len() >= WAITING {
            self.settle();
        }
        self.len < self.limit
    }

    /// How many keys the set holds.
    pub fn len(&mut self) -> usize {
        self.settle();
        self.len + usize::from(self.has_zero)
    }

    /// Puts the waiting keys into their slots.
    fn settle(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        for key in self.sorted(&waiting) {
            self.put(key);
        }
        waiting.clear();
        self.waiting = waiting;
    }

    /// The keys in the order of the parts of the table (counting sort).
    fn sorted(&self, keys: &[u64]) -> Vec<u64> {
        let shift = self.slots.len().trailing_zeros() - PARTS;
        let part = |key: u64| (key as usize & (self.slots.len() - 1)) >> shift;
        let mut starts = [0; (1 << PARTS) + 1];
        keys.iter().for_each(|&key| starts[part(key) + 1] += 1);
        for i in 0..1 << PARTS {
            starts[i + 1] += starts[i];
        }
        let mut sorted = vec![0; keys.len()];
        for &key in keys {
            let start = &mut starts[part(key)];
            sorted[*start] = key;
            *start += 1;
        }
        sorted
    }

    fn put(&mut self, key: u64) {
        if key == 0 {
            self.has_zero = true;
        } else if self.len < self.limit && self.place(key) {
            self.len += 1;
            if self.len * 2 > self.slots.len() {
                self.grow();
            }
        }
    }

    /// Puts a key into its slot; whether it was new.
    #[inline]
    fn place(&mut self, key: u64) -> bool {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        loop {
            let slot = &mut self.slots[at];
            if *slot == key {
                return false;
            }
            if *slot == 0 {
                *slot = key;
                return true;
            }
            at = (at + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let doubled = vec![0; self.slots.len() * 2];
        for key in std::mem::replace(&mut self.slots, doubled) {
            if key != 0 {
                self.place(key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_each_key_once_up_to_the_limit() {
        let mut set = KeySet::new(10_000);
        for round in 0..2 {
            for i in 0..9_000u64 {
                assert!(set.insert(crate::board::mix(i)), "round {round}");
            }
        }
        assert_eq!(set.len(), 9_000);
        assert!((9_000..12_000u64).all(|i| set.insert(crate::board::mix(i))), "not yet settled");
        assert_eq!(set.len(), 10_000);
        assert!(!set.insert(crate::board::mix(1)), "full");
    }
}

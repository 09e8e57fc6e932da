//! A set of 64-bit keys that only grows, up to a limit.

/// Random keys, by open addressing; zero marks an empty slot and stands for itself apart.
pub struct KeySet {
    slots: Vec<u64>,
    len: usize,
    limit: usize,
    has_zero: bool,
}

impl KeySet {
    /// An empty set that holds at most `limit` keys.
    pub fn new(limit: usize) -> KeySet {
        KeySet { slots: vec![0; 1 << 12], len: 0, limit, has_zero: false }
    }

    /// Adds a key. Returns `false`, and then holds no more than it did, when the set is full.
    #[must_use]
    pub fn insert(&mut self, key: u64) -> bool {
        if key == 0 {
            self.has_zero = true;
            return true;
        }
        if self.place(key) {
            self.len += 1;
            if self.len >= self.limit {
                return false;
            }
            if self.len * 2 > self.slots.len() {
                self.grow();
            }
        }
        true
    }

    /// How many keys the set holds.
    pub fn len(&self) -> usize {
        self.len + usize::from(self.has_zero)
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
        let full = (9_000..11_000u64).any(|i| !set.insert(crate::board::mix(i)));
        assert!(full);
    }
}

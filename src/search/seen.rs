//! Which positions of a layer have been met.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The keys of the positions of one layer, for all threads that expand it.
///
/// A table that forgets: where a neighbourhood is full, the newcomer takes the place of another. A
/// forgotten position is looked at twice, which costs time and nothing else; so is one that two
/// threads meet at the same time.
pub(super) struct Seen {
    slots: Vec<AtomicU64>,
    mask: usize,
}

/// Neighbouring slots in which a key may lie: one cache line.
const NEIGHBOURS: usize = 8;

/// Slots for each position expanded.
const ROOM: usize = 64;

impl Seen {
    /// What a table for `most` keys takes.
    pub const fn bytes(most: usize) -> usize {
        most * size_of::<u64>()
    }

    /// A table for at most `most` keys, a power of two and at least eight. All its memory is written
    /// to, so that it is there.
    pub fn new(most: usize) -> Seen {
        Seen { slots: (0..most).map(|_| AtomicU64::new(u64::MAX)).collect(), mask: most - 1 }
    }

    /// Forgets everything, and makes ready for what `spots` positions lead to.
    pub fn start_layer(&mut self, spots: usize) {
        let wanted = (spots * ROOM).next_power_of_two().min(self.slots.len());
        self.mask = wanted - 1;
        self.slots[..wanted].iter_mut().for_each(|slot| *slot.get_mut() = 0);
    }

    /// Whether `key` is met for the first time, as far as the table remembers.
    #[inline]
    pub fn is_new(&self, key: u64) -> bool {
        let home = key as usize & self.mask & !(NEIGHBOURS - 1);
        let line = &self.slots[home..home + NEIGHBOURS];
        for slot in line {
            let taken_by = slot.load(Relaxed);
            if taken_by == key {
                return false;
            }
            if taken_by == 0 {
                slot.store(key, Relaxed);
                return true;
            }
        }
        line[(key >> 61) as usize].store(key, Relaxed);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::mix;

    #[test]
    fn knows_what_it_has_met_in_this_layer() {
        let mut seen = Seen::new(1 << 12);
        for _ in 0..2 {
            seen.start_layer(64);
            let new = (1..1000).filter(|&i| seen.is_new(mix(i))).count();
            assert_eq!(new, 999);
            let again = (1..1000).filter(|&i| seen.is_new(mix(i))).count();
            assert!(again < 20, "{again}");
        }
    }
}

//! How many series win from positions already counted.

use super::table::wanted;

/// Numbers of winning series by key, in a fixed amount of memory.
///
/// The memory is there from the beginning, so that no search has to wait for it, but only as much is
/// used as the length of the series wants. Every key has two places: the first is for
/// the larger number, which took more work to find; the second for whatever came last.
pub(super) struct Counts {
    places: Vec<[Entry; 2]>,
    /// The places in use are numbered from 0 to this.
    mask: usize,
}

/// A key, and the number behind it; 0 where there is none.
type Entry = (u64, u128);

impl Counts {
    /// A store that takes at most `bytes` bytes, and at least two entries.
    pub fn new(bytes: usize) -> Counts {
        let fitting = (bytes / size_of::<[Entry; 2]>()).max(1);
        Counts { places: vec![[(0, 0); 2]; 1 << fitting.ilog2()], mask: 0 }
    }

    /// Makes ready for series of `moves` moves, when shorter ones took `nodes` nodes.
    pub fn prepare(&mut self, moves: u8, nodes: u64) {
        self.mask = wanted(moves, nodes).min(self.places.len()) - 1;
    }

    /// Keys that differ in their low bits alone have different places.
    fn place(&self, key: u64) -> usize {
        (key >> 24 ^ key) as usize & self.mask
    }

    /// The number behind the key, if it is still known.
    pub fn get(&self, key: u64) -> Option<u128> {
        let entries = &self.places[self.place(key)];
        entries.iter().find(|&&(known, count)| known == key && count > 0).map(|&(_, count)| count)
    }

    /// Remembers a number above 0.
    pub fn insert(&mut self, key: u64, count: u128) {
        let place = self.place(key);
        let [larger, latest] = &mut self.places[place];
        if count >= larger.1 {
            *latest = std::mem::replace(larger, (key, count));
        } else {
            *latest = (key, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::mix;

    #[test]
    fn what_fits_is_known_and_memory_is_bounded() {
        let mut counts = Counts::new(1 << 16);
        counts.prepare(6, 0);
        assert!(counts.places.len() * size_of::<[Entry; 2]>() <= 1 << 16);
        (1..100).for_each(|i| counts.insert(mix(i), i.into()));
        let known = (1..100).filter(|&i| counts.get(mix(i)) == Some(i.into())).count();
        assert!(known > 90, "{known}");
        (100..100_000).for_each(|i| counts.insert(mix(i), i.into()));
        assert!((1..100_000).all(|i| counts.get(mix(i)).is_none_or(|count| count == i.into())));
        assert_eq!(counts.get(mix(99_999)), Some(99_999));
        assert_eq!(counts.get(0), None);
    }

    #[test]
    fn the_larger_number_stays() {
        let mut counts = Counts::new(0);
        counts.insert(1, 50);
        counts.insert(2, 7);
        counts.insert(3, 8);
        assert_eq!([1, 2, 3].map(|key| counts.get(key)), [Some(50), None, Some(8)]);
        counts.insert(4, 60);
        assert_eq!([1, 3, 4].map(|key| counts.get(key)), [Some(50), None, Some(60)]);
    }
}

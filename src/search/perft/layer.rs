//! A set of positions with the number of ways to reach each.

use crate::position::Position;

/// Positions of one layer, equal ones merged, in the order in which they first came.
///
/// Open addressing; the positions lie apart from the table, which stays small.
#[derive(Default)]
pub struct Layer {
    slots: Vec<Slot>,
    positions: Vec<Position>,
    paths: Vec<u128>,
}

/// A key, and one more than the index of its position; zero if the slot is empty.
#[derive(Copy, Clone, Default)]
struct Slot {
    key: u64,
    number: u32,
}

/// The slots of a small table; a power of two.
const FEWEST_SLOTS: usize = 1 << 10;

impl Layer {
    /// Adds `paths` ways to reach the position that has `key`; it is made if it is new.
    #[inline]
    pub fn add(&mut self, key: u64, paths: u128, make: impl FnOnce() -> Position) {
        if self.positions.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot].number == 0 {
            self.positions.push(make());
            self.paths.push(paths);
            self.slots[slot] = Slot { key, number: self.positions.len() as u32 };
        } else {
            let known = &mut self.paths[self.slots[slot].number as usize - 1];
            *known = known.saturating_add(paths);
        }
    }

    /// Has the slot of `key` brought near. Large tables do not fit the cache: several keys that are
    /// called first and added afterwards share one wait.
    #[inline]
    pub fn call(&self, key: u64) {
        if let Some(slot) = self.slots.get(key as usize & self.slots.len().wrapping_sub(1)) {
            std::hint::black_box(slot.number);
        }
    }

    /// The slot that has `key`, or the empty one where it belongs.
    #[inline]
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        while self.slots[at].number != 0 && self.slots[at].key != key {
            at = (at + 1) & mask;
        }
        at
    }

    /// Doubles the table, in the memory that it has had if that is enough.
    fn grow(&mut self) {
        let slots = (self.slots.len() * 2).max(FEWEST_SLOTS);
        self.slots.clear();
        self.slots.resize(slots, Slot::default());
        for (index, position) in self.positions.iter().enumerate() {
            let key = position.key();
            let slot = self.slot(key);
            self.slots[slot] = Slot { key, number: index as u32 + 1 };
        }
    }

    /// Forgets all positions. The memory is kept for the next ones, and the table is left as
    /// large as these would have needed.
    pub fn clear(&mut self) {
        let slots = (self.positions.len() * 2 + 1).next_power_of_two().max(FEWEST_SLOTS);
        self.slots.truncate(slots);
        self.slots.fill(Slot::default());
        self.positions.clear();
        self.paths.clear();
    }

    /// How many different positions the layer has.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// The position of this index, and the number of ways to it.
    #[inline]
    pub fn get(&self, index: usize) -> (&Position, u128) {
        (&self.positions[index], self.paths[index])
    }

    /// The indices of all positions, sorted and parted by a property of theirs.
    pub fn sorted_by(&self, property: impl Fn(&Position) -> u64) -> Vec<(u64, u32)> {
        let numbered = self.positions.iter().map(property).zip(0..);
        let mut order: Vec<(u64, u32)> = numbered.collect();
        order.sort_unstable();
        order
    }
}

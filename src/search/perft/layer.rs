//! A set of positions with the number of ways to reach each.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

use crate::position::Position;

/// Passes keys through: they are random already.
#[derive(Default)]
pub struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = crate::board::mix(self.0 ^ u64::from(byte));
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Positions of one layer, equal ones merged, in the order in which they first came.
#[derive(Default)]
pub struct Layer {
    index: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    entries: Vec<(Position, u128)>,
}

impl Layer {
    /// Adds `paths` ways to reach `position`.
    pub fn add(&mut self, position: Position, paths: u128) {
        match self.index.entry(position.key()) {
            Entry::Occupied(slot) => {
                let known = &mut self.entries[*slot.get() as usize].1;
                *known = known.saturating_add(paths);
            }
            Entry::Vacant(slot) => {
                slot.insert(self.entries.len() as u32);
                self.entries.push((position, paths));
            }
        }
    }

    /// How many different positions the layer has.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The positions and the number of ways to each.
    pub fn into_entries(self) -> Vec<(Position, u128)> {
        self.entries
    }
}

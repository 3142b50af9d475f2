//! A map from words to numbers, looked into for every symbol: open addressing, no tombstones.
//!
//! Slots of 16 bytes in one array of a power of two, at most half full, so that a look-up is mostly one cache line. The
//! standard library's map does the same look-ups in about twice the time.

/// A number that no key has: its slot is free.
const NONE: u32 = u32::MAX;
const FIRST_BITS: u32 = 6;

#[derive(Clone, Copy)]
struct Slot {
    key: u64,
    value: u32,
}

const FREE: Slot = Slot {
    key: 0,
    value: NONE,
};

/// The map; values are below `u32::MAX`.
pub(super) struct Index {
    slots: Vec<Slot>,
    /// Binary logarithm of the number of slots.
    bits: u32,
    len: usize,
}

impl Index {
    pub(super) fn new() -> Self {
        Self {
            slots: vec![FREE; 1 << FIRST_BITS],
            bits: FIRST_BITS,
            len: 0,
        }
    }

    /// Takes everything out, and keeps the memory.
    pub(super) fn clear(&mut self) {
        if self.len > 0 {
            self.slots.fill(FREE);
            self.len = 0;
        }
    }

    /// The value of `key`, which becomes `value` if it has none.
    pub(super) fn get_or_insert(&mut self, key: u64, value: u32) -> u32 {
        let place = self.find(key);
        if self.slots[place].value != NONE {
            return self.slots[place].value;
        }
        self.slots[place] = Slot { key, value };
        self.len += 1;
        if self.len * 2 > self.slots.len() {
            self.grow();
        }
        value
    }

    /// Gives `key` a value, whether it has one or not.
    pub(super) fn set(&mut self, key: u64, value: u32) {
        if self.get_or_insert(key, value) != value {
            let place = self.find(key);
            self.slots[place].value = value;
        }
    }

    /// Takes `key` out, if its value is `value`.
    pub(super) fn remove(&mut self, key: u64, value: u32) {
        let mask = self.slots.len() - 1;
        let mut hole = self.find(key);
        if self.slots[hole].value != value {
            return;
        }
        self.len -= 1;
        // What was pushed on by the slot that gets free moves up, so that no search ends at the hole.
        let mut place = hole;
        loop {
            place = (place + 1) & mask;
            let slot = self.slots[place];
            if slot.value == NONE {
                break;
            }
            let way = place.wrapping_sub(self.home(slot.key)) & mask;
            if way >= place.wrapping_sub(hole) & mask {
                self.slots[hole] = slot;
                hole = place;
            }
        }
        self.slots[hole] = FREE;
    }

    /// The slot of a key, or the free one where it would go.
    #[inline]
    fn find(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = self.home(key);
        loop {
            let slot = &self.slots[place & mask];
            if slot.value == NONE || slot.key == key {
                return place & mask;
            }
            place += 1;
        }
    }

    /// Where the search for a key begins.
    #[inline]
    fn home(&self, key: u64) -> usize {
        super::place(key, self.bits)
    }

    fn grow(&mut self) {
        let larger = vec![FREE; self.slots.len() * 2];
        let old = std::mem::replace(&mut self.slots, larger);
        self.bits += 1;
        for slot in old {
            if slot.value != NONE {
                let place = self.find(slot.key);
                self.slots[place] = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn it_is_a_map(steps in prop::collection::vec((0..4u8, 0..90u64, 0..9u32), 0..600), spread: bool) {
            let mut index = Index::new();
            let mut map = HashMap::new();
            for (step, key, value) in steps {
                // Keys that share their upper or their lower half.
                let key = if spread { key << 32 | 5 } else { key };
                match step {
                    0 | 1 => {
                        let expected = *map.entry(key).or_insert(value);
                        prop_assert_eq!(index.get_or_insert(key, value), expected);
                    }
                    2 => {
                        map.insert(key, value);
                        index.set(key, value);
                    }
                    _ => {
                        if map.get(&key) == Some(&value) {
                            map.remove(&key);
                        }
                        index.remove(key, value);
                    }
                }
                prop_assert_eq!(index.len, map.len());
            }
            for (&key, &value) in &map {
                prop_assert_eq!(index.get_or_insert(key, 100), value);
            }
            index.clear();
            prop_assert_eq!(index.get_or_insert(3, 4), 4);
        }
    }
}

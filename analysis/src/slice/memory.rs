//! The variables whose reaching definition is sought (δ of the digest, §3.2), but for local variables.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use jinsi_trace::model::ObjectId;

use super::walk::Location;

/// A hash for small numbers that nobody chooses to collide.
#[derive(Clone, Default)]
pub(super) struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, n: u32) {
        self.write_u64(u64::from(n));
    }

    fn write_u64(&mut self, n: u64) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = (self.0.rotate_left(5) ^ n).wrapping_mul(ODD);
        self.0 = mixed ^ mixed >> 32;
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
}

type Build = BuildHasherDefault<NumberHasher>;

/// The elements of an array that are sought.
#[derive(Debug, Default)]
struct Elements {
    some: HashSet<u32, Build>,
    /// Every one: who reads them was not recorded.
    all: bool,
}

/// Variables in memory that are sought.
#[derive(Debug, Default)]
pub(super) struct Memory {
    fields: HashSet<Location, Build>,
    elements: HashMap<ObjectId, Elements, Build>,
    /// Objects whose state is sought that only unrecorded code knows: strings being built, collections.
    contents: HashSet<ObjectId, Build>,
}

impl Memory {
    /// Seeks the definition of a variable.
    pub(super) fn seek(&mut self, location: Location) {
        match location {
            Location::Element(array, index) => {
                self.elements.entry(array).or_default().some.insert(index);
            }
            _ => {
                self.fields.insert(location);
            }
        }
    }

    /// The variable is defined here. Was it sought? It is not any more.
    pub(super) fn found(&mut self, location: Location) -> bool {
        match location {
            Location::Element(array, index) => {
                let Some(sought) = self.elements.get_mut(&array) else {
                    return false;
                };
                let found = sought.some.remove(&index) || sought.all;
                if sought.some.is_empty() && !sought.all {
                    self.elements.remove(&array);
                }
                found
            }
            _ => self.fields.remove(&location),
        }
    }

    /// Seeks all that unrecorded code may read of an object: its content, and if it is an array its elements.
    pub(super) fn seek_all_of(&mut self, object: ObjectId) {
        self.contents.insert(object);
        self.elements.entry(object).or_default().all = true;
    }

    /// Is anything sought of what unrecorded code may write of an object?
    pub(super) fn seeks_any_of(&self, object: ObjectId) -> bool {
        self.contents.contains(&object) || self.elements.contains_key(&object)
    }

    /// Is anything still sought?
    pub(super) fn seeks_anything(&self) -> bool {
        !(self.fields.is_empty() && self.elements.is_empty() && self.contents.is_empty())
    }

    /// The object is made here, with all that it holds. Was that sought?
    pub(super) fn made(&mut self, object: ObjectId) -> bool {
        let elements = self.elements.remove(&object).is_some();
        self.contents.remove(&object) || elements
    }

    /// Is an element in a range sought?
    pub(super) fn seeks_in(&self, array: ObjectId, from: u32, count: u32) -> bool {
        let Some(sought) = self.elements.get(&array) else {
            return false;
        };
        let range = from..from.saturating_add(count);
        count > 0 && (sought.all || sought.some.iter().any(|index| range.contains(index)))
    }

    /// The elements `to..to + count` of `into` are copies of those of `array` from `from` on: these are sought in their place.
    pub(super) fn copied(
        &mut self,
        (array, from): (ObjectId, u32),
        (into, to): (ObjectId, u32),
        count: u32,
    ) {
        let range = to..to.saturating_add(count);
        let Some(sought) = self.elements.get_mut(&into) else {
            return;
        };
        let all = sought.all;
        let copies: Vec<u32> = match all {
            true => range.collect(),
            false => (sought.some.iter().copied())
                .filter(|index| range.contains(index))
                .collect(),
        };
        for index in &copies {
            sought.some.remove(index);
        }
        if sought.some.is_empty() && !all {
            self.elements.remove(&into);
        }
        for index in copies {
            self.seek(Location::Element(array, index - to + from));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_is_sought_until_it_is_found() {
        let mut memory = Memory::default();
        let field = Location::Field(3, 1);
        memory.seek(field);
        assert!(!memory.found(Location::Field(4, 1)) && !memory.found(Location::Static(1)));
        assert!(memory.found(field) && !memory.found(field));
        memory.seek(Location::Element(9, 2));
        assert!(!memory.found(Location::Element(9, 1)) && memory.seeks_any_of(9));
        assert!(memory.found(Location::Element(9, 2)) && !memory.seeks_any_of(9));
    }

    #[test]
    fn what_unrecorded_code_reads_is_sought_until_it_is_made() {
        let mut memory = Memory::default();
        memory.seek_all_of(5);
        assert!(memory.found(Location::Element(5, 7)) && memory.found(Location::Element(5, 7)));
        assert!(memory.made(5) && !memory.made(5) && !memory.seeks_any_of(5));
    }

    #[test]
    fn copied_elements_are_sought_where_they_come_from() {
        let mut memory = Memory::default();
        memory.seek(Location::Element(2, 4));
        memory.seek(Location::Element(2, 9));
        assert!(memory.seeks_in(2, 4, 1) && !memory.seeks_in(2, 5, 4) && !memory.seeks_in(2, 4, 0));
        // An array copied within itself.
        memory.copied((2, 0), (2, 3), 2);
        assert!(memory.found(Location::Element(2, 1)) && memory.found(Location::Element(2, 9)));
        assert!(!memory.seeks_any_of(2));
    }
}

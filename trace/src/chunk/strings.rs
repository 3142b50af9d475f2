//! The strings of a chunk, each once.

use std::collections::HashMap;

use crate::varint;

/// Strings in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct Strings {
    /// By encoding, then by bytes.
    places: [HashMap<Box<[u8]>, u64>; 2],
    lengths: Vec<(u64, bool)>,
    bytes: Vec<u8>,
}

impl Strings {
    /// Place of a string in the table, and whether it is new.
    pub(super) fn place(&mut self, utf16: bool, bytes: &[u8]) -> (u64, bool) {
        let places = &mut self.places[usize::from(utf16)];
        if let Some(&place) = places.get(bytes) {
            return (place, false);
        }
        let place = self.lengths.len() as u64;
        places.insert(bytes.into(), place);
        self.lengths.push((bytes.len() as u64, utf16));
        self.bytes.extend(bytes);
        (place, true)
    }

    /// Appends the number of strings and the size of each.
    pub(super) fn write_directory(&self, out: &mut Vec<u8>) {
        varint::write(out, self.lengths.len() as u64);
        for &(len, utf16) in &self.lengths {
            varint::write(out, len << 1 | u64::from(utf16));
        }
    }

    /// The bytes of all strings.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// For the next chunk.
    pub(super) fn clear(&mut self) {
        self.places.iter_mut().for_each(HashMap::clear);
        self.lengths.clear();
        self.bytes.clear();
    }
}

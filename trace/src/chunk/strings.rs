//! The strings of a chunk, each once.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::varint;

/// Strings in the order of their first use.
#[derive(Debug, Default)]
pub(super) struct Strings {
    /// Places in `all`. The bytes are kept once, in `bytes`: most strings of a server are new, so one more copy of each would cost
    /// an allocation each time.
    places: HashTable<u32>,
    hasher: DefaultHashBuilder,
    all: Vec<Text>,
    bytes: Vec<u8>,
}

/// One string.
#[derive(Clone, Debug)]
struct Text {
    /// Where in `bytes`.
    range: Range<usize>,
    utf16: bool,
}

impl Strings {
    /// Place of a string in the table, and whether it is new.
    pub(super) fn place(&mut self, utf16: bool, bytes: &[u8]) -> (u64, bool) {
        let Self {
            places,
            hasher,
            all,
            bytes: kept,
        } = self;
        let hash = hasher.hash_one(bytes);
        let is_it = |place: &u32| {
            let text = &all[*place as usize];
            text.utf16 == utf16 && kept[text.range.clone()] == *bytes
        };
        if let Some(&place) = places.find(hash, is_it) {
            return (u64::from(place), false);
        }
        let place = all.len() as u32;
        all.push(Text {
            range: kept.len()..kept.len() + bytes.len(),
            utf16,
        });
        kept.extend(bytes);
        places.insert_unique(hash, place, |place| {
            hasher.hash_one(&kept[all[*place as usize].range.clone()])
        });
        (u64::from(place), true)
    }

    /// Appends the number of strings and the size of each.
    pub(super) fn write_directory(&self, out: &mut Vec<u8>) {
        varint::write(out, self.all.len() as u64);
        for text in &self.all {
            varint::write(out, (text.range.len() as u64) << 1 | u64::from(text.utf16));
        }
    }

    /// The bytes of all strings.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// For the next chunk.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.all.clear();
        self.bytes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_string_has_one_place_and_an_encoding_makes_another() {
        let mut strings = Strings::default();
        let texts: Vec<Vec<u8>> = (0..500_u32).map(|n| n.to_string().into_bytes()).collect();
        for (n, text) in texts.iter().enumerate() {
            assert_eq!(strings.place(false, text), (n as u64, true));
        }
        assert_eq!(strings.place(true, b"17"), (500, true));
        assert_eq!(strings.place(false, b""), (501, true));
        for (n, text) in texts.iter().enumerate() {
            assert_eq!(strings.place(false, text), (n as u64, false));
        }
        assert_eq!(strings.place(true, b"17"), (500, false));
        assert_eq!(strings.bytes(), [texts.concat(), b"17".to_vec()].concat());
        strings.clear();
        assert_eq!(strings.place(false, b"17"), (0, true));
    }
}

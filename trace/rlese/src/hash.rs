//! A hash for keys that are one 64-bit word: such maps are looked into for every event.

use std::hash::{BuildHasherDefault, Hasher};

/// A map from words.
pub type WordMap<V> = WordHashed<u64, V>;
/// A map from numbers.
pub type WordHashed<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<WordHasher>>;

/// An odd constant with evenly spread bits (2^64 divided by the golden ratio).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Multiplies to 128 bits and folds, so that every bit of a word reaches both ends of the hash.
#[derive(Default)]
pub struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word ^ SPREAD) * u128::from(SPREAD);
        self.0 = product as u64 ^ (product >> 64) as u64;
    }
}

//! Maps of words and numbers, which are looked into for every event.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// A map from words.
pub(crate) type WordMap<V> = FxHashMap<u64, V>;

/// The place of a word among 2 to the power of `bits`. Up to 26 bits are spread best.
#[inline]
pub(crate) fn place(word: u64, bits: u32) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write_u64(word);
    hasher.finish() as usize & ((1 << bits) - 1)
}

//! Sorted entries, packed into blocks of which those are unpacked that are asked for.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use jinsi_trace::varint::{self, Reader};

/// By what an entry is found.
pub type Key = (u64, u64);

/// What a table has.
pub trait Entry: Clone + 'static {
    /// A block has so many entries at most.
    const MOST: usize = 1 << 12;
    /// And so many bytes before it is packed, or a little more.
    const BYTES: usize = 1 << 15;
    /// How well zstd packs it.
    const LEVEL: i32 = 6;

    /// By what it is found.
    fn key(&self) -> Key;
    /// Appends it to some bytes; `before` is the entry before it in the block.
    fn write(&self, before: Option<&Self>, out: &mut Vec<u8>);
    /// Takes it off the front of some bytes.
    fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self>;
}

/// A block is not unpacked that claims to be larger.
const LARGEST: usize = 1 << 30;
/// So many blocks are kept unpacked.
const KEPT: usize = 64;

/// Entries by their keys.
pub struct Table<E> {
    /// The key of each block's first entry.
    firsts: Vec<Key>,
    /// Where each block ends in the bytes.
    ends: Vec<usize>,
    bytes: Vec<u8>,
    /// Those that were unpacked last, and their numbers.
    kept: RefCell<Vec<(usize, Rc<[E]>)>>,
}

impl<E> Default for Table<E> {
    fn default() -> Self {
        Self {
            firsts: Vec::new(),
            ends: Vec::new(),
            bytes: Vec::new(),
            kept: RefCell::default(),
        }
    }
}

impl<E> fmt::Debug for Table<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} blocks", self.firsts.len())
    }
}

impl<E: Entry> Table<E> {
    /// The entry with this key.
    pub fn get(&self, key: Key) -> Option<E> {
        let behind = self.firsts.partition_point(|first| *first <= key);
        let block = self.block(behind.checked_sub(1)?);
        let at = block.binary_search_by_key(&key, E::key).ok()?;
        Some(block[at].clone())
    }

    /// The entries from this key on.
    pub fn from(&self, key: Key) -> impl Iterator<Item = E> + '_ {
        let behind = self.firsts.partition_point(|first| *first <= key);
        let first = behind.saturating_sub(1);
        let blocks = (first..self.firsts.len()).map(|no| self.block(no));
        let entries = blocks.flat_map(|block| (0..block.len()).map(move |at| block[at].clone()));
        entries.skip_while(move |entry| entry.key() < key)
    }

    /// All entries. None of their blocks is kept.
    pub fn iter(&self) -> impl Iterator<Item = E> + '_ {
        (0..self.firsts.len()).flat_map(|no| self.unpack(no))
    }

    fn block(&self, no: usize) -> Rc<[E]> {
        let mut kept = self.kept.borrow_mut();
        if let Some(at) = kept.iter().rposition(|(of, _)| *of == no) {
            if at + 1 < kept.len() {
                let found = kept.remove(at);
                kept.push(found);
            }
            return Rc::clone(&kept[kept.len() - 1].1);
        }
        let block: Rc<[E]> = self.unpack(no).into();
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push((no, Rc::clone(&block)));
        block
    }

    /// The entries of a block. The whole index has a checksum: what is here was written so.
    fn unpack(&self, no: usize) -> Vec<E> {
        let begin = no.checked_sub(1).map_or(0, |before| self.ends[before]);
        let mut packed = Reader::new(&self.bytes[begin..self.ends[no]]);
        let mut entries: Vec<E> = Vec::new();
        let size = packed.number().and_then(|n| usize::try_from(n).ok());
        let Some(size) = size.filter(|size| *size <= LARGEST) else {
            return entries;
        };
        let bytes = zstd::bulk::decompress(packed.rest(), size).unwrap_or_default();
        let mut reader = Reader::new(&bytes);
        while !reader.rest().is_empty() {
            let Some(entry) = E::read(entries.last(), &mut reader) else {
                break;
            };
            entries.push(entry);
        }
        entries
    }

    /// Appends all to some bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        varint::write(out, self.firsts.len() as u64);
        for ((a, b), end) in self.firsts.iter().zip(&self.ends) {
            varint::write(out, *a);
            varint::write(out, *b);
            varint::write(out, *end as u64);
        }
        out.extend_from_slice(&self.bytes);
    }

    /// Takes a table off the front of some bytes.
    pub fn read(from: &mut Reader<'_>) -> Option<Self> {
        let mut table = Self::default();
        let mut last = 0;
        for _ in 0..from.count()? {
            table.firsts.push((from.number()?, from.number()?));
            let end = usize::try_from(from.number()?).ok()?;
            table.ends.push((end >= last).then_some(end)?);
            last = end;
        }
        table.bytes = from.bytes(last)?.to_vec();
        Some(table)
    }
}

/// Makes a table of entries that come in the order of their keys.
pub struct Packer<E> {
    table: Table<E>,
    raw: Vec<u8>,
    first: Option<Key>,
    last: Option<E>,
    count: usize,
}

impl<E: Entry> Default for Packer<E> {
    fn default() -> Self {
        Self {
            table: Table::default(),
            raw: Vec::new(),
            first: None,
            last: None,
            count: 0,
        }
    }
}

impl<E: Entry> Packer<E> {
    /// The next entry.
    pub fn push(&mut self, entry: E) {
        self.first.get_or_insert(entry.key());
        entry.write(self.last.as_ref(), &mut self.raw);
        self.last = Some(entry);
        self.count += 1;
        if self.raw.len() >= E::BYTES || self.count >= E::MOST {
            self.seal();
        }
    }

    fn seal(&mut self) {
        let Some(first) = self.first.take() else {
            return;
        };
        self.last = None;
        self.count = 0;
        let bytes = &mut self.table.bytes;
        varint::write(bytes, self.raw.len() as u64);
        // It fails only if there is no memory.
        let packed = zstd::bulk::compress(&self.raw, E::LEVEL).unwrap_or_default();
        bytes.extend_from_slice(&packed);
        self.table.firsts.push(first);
        self.table.ends.push(bytes.len());
        self.raw.clear();
    }

    /// The table, when all entries are in it.
    pub fn finish(mut self) -> Table<E> {
        self.seal();
        self.table.bytes.shrink_to_fit();
        self.table
    }
}

impl<E: Entry> FromIterator<E> for Table<E> {
    fn from_iter<I: IntoIterator<Item = E>>(entries: I) -> Self {
        let mut packer = Packer::default();
        entries.into_iter().for_each(|entry| packer.push(entry));
        packer.finish()
    }
}

/// Appends how far a number is from the one before it, which is not larger.
#[inline]
pub fn rise(before: u64, number: u64, out: &mut Vec<u8>) {
    varint::write(out, number.wrapping_sub(before));
}

/// The number that is so far from the one before it.
#[inline]
pub fn risen(before: u64, from: &mut Reader<'_>) -> Option<u64> {
    Some(before.wrapping_add(from.number()?))
}

/// Appends a key.
#[inline]
pub fn write_key(before: Option<Key>, key: Key, out: &mut Vec<u8>) {
    let (a, b) = before.unwrap_or_default();
    rise(a, key.0, out);
    rise(if key.0 == a { b } else { 0 }, key.1, out);
}

/// Takes a key off the front of some bytes.
#[inline]
pub fn read_key(before: Option<Key>, from: &mut Reader<'_>) -> Option<Key> {
    let (a, b) = before.unwrap_or_default();
    let first = risen(a, from)?;
    Some((first, risen(if first == a { b } else { 0 }, from)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Plain(Key);

    impl Entry for Plain {
        const MOST: usize = 7;

        fn key(&self) -> Key {
            self.0
        }

        fn write(&self, before: Option<&Self>, out: &mut Vec<u8>) {
            write_key(before.map(Self::key), self.0, out);
        }

        fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
            read_key(before.map(Self::key), from).map(Self)
        }
    }

    proptest! {
        #[test]
        fn what_went_in_is_found(mut keys: Vec<(u8, u64)>, wanted: (u8, u64)) {
            keys.sort_unstable();
            keys.dedup();
            let keys: Vec<Key> = keys.into_iter().map(|(a, b)| (u64::from(a), b)).collect();
            let table: Table<Plain> = keys.iter().map(|key| Plain(*key)).collect();
            let mut bytes = Vec::new();
            table.write(&mut bytes);
            let table = Table::<Plain>::read(&mut Reader::new(&bytes)).unwrap();
            prop_assert!(table.iter().map(|entry| entry.0).eq(keys.iter().copied()));
            for key in &keys {
                prop_assert_eq!(table.get(*key), Some(Plain(*key)));
            }
            let wanted = (u64::from(wanted.0), wanted.1);
            prop_assert_eq!(table.get(wanted).is_some(), keys.contains(&wanted));
            let behind = keys.iter().copied().filter(|key| *key >= wanted);
            prop_assert!(table.from(wanted).map(|entry| entry.0).eq(behind));
            for cut in 0..bytes.len() {
                prop_assert!(Table::<Plain>::read(&mut Reader::new(&bytes[..cut])).is_none());
            }
        }
    }
}

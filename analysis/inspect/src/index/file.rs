//! The index as a file beside its trace.
//!
//! ```text
//!  0  magic "JINSIIDX"
//!  8  version u32                  of this form, and of what computes what is in it
//! 12  crc32 of bytes 16.. u32
//! 16  length of the file u64
//! 24  fingerprint of the trace u64, length of the trace u64
//! 40  order, objects, threads, tables
//! ```
//!
//! Whatever is not as it has to be makes it no index: it is made anew.

use jinsi_trace::reader::Trace;
use jinsi_trace::varint::{self, Reader};

use super::{Index, ThreadIndex, Thrown};
use crate::entries::Counted;
use crate::objects::Objects;
use jinsi_packed::Table;
use jinsi_steps::moment::At;
use jinsi_steps::order::Order;

const MAGIC: [u8; 8] = *b"JINSIIDX";
/// It rises when the form changes, or what the machine computes.
const VERSION: u32 = 4;
/// Bytes before those that have the checksum.
const FRONT: usize = 16;

/// An index, and the objects of its trace, as the bytes of a file.
pub(crate) fn write(trace: &Trace, index: &Index, objects: &Objects) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&VERSION.to_le_bytes());
    out.extend_from_slice(&[0; 4 + 8]);
    out.extend_from_slice(&trace.fingerprint().to_le_bytes());
    out.extend_from_slice(&trace.file_bytes().to_le_bytes());
    index.order.write(&mut out);
    objects.write(&mut out);
    varint::write(&mut out, index.threads.len() as u64);
    for thread in index.threads.values() {
        thread.write(&mut out);
    }
    index.made.write(&mut out);
    index.written.write(&mut out);
    index.escape.write(&mut out);
    index.long_escapes.write(&mut out);
    index.read.write(&mut out);
    index.lines.write(&mut out);
    varint::write(&mut out, index.lost);
    varint::write(&mut out, index.contradictions);
    let len = out.len() as u64;
    out[FRONT..FRONT + 8].copy_from_slice(&len.to_le_bytes());
    let crc = crc32fast::hash(&out[FRONT..]);
    out[12..FRONT].copy_from_slice(&crc.to_le_bytes());
    out
}

/// The index that these bytes are, if they are one of this trace.
pub(crate) fn read(bytes: &[u8], trace: &Trace) -> Option<(Index, Objects)> {
    let mut from = Reader::new(bytes);
    let front = (from.array()?, from.u32()?, from.u32()?);
    let is_whole = front == (MAGIC, VERSION, crc32fast::hash(from.rest()));
    let of = (from.u64()?, from.u64()?, from.u64()?);
    let is_of_it = of == (bytes.len() as u64, trace.fingerprint(), trace.file_bytes());
    if !is_whole || !is_of_it {
        return None;
    }
    let order = Order::read(&mut from)?;
    let objects = Objects::read(&mut from)?;
    let mut index = Index {
        order,
        ..Index::default()
    };
    for _ in 0..from.count()? {
        let thread = ThreadIndex::read(&mut from)?;
        index.threads.insert(thread.no, thread);
    }
    index.made = Table::read(&mut from)?;
    index.written = Table::read(&mut from)?;
    index.escape = Table::read(&mut from)?;
    index.long_escapes = Table::read(&mut from)?;
    index.read = Table::read(&mut from)?;
    index.lines = Table::<Counted>::read(&mut from)?;
    (index.lost, index.contradictions) = (from.number()?, from.number()?);
    from.rest().is_empty().then_some((index, objects))
}

impl ThreadIndex {
    fn write(&self, out: &mut Vec<u8>) {
        let mut numbers = vec![u64::from(self.no), u64::from(self.base)];
        numbers.push(self.bounds.len() as u64);
        let mut last = 0;
        for bound in &self.bounds {
            numbers.extend([bound.events.wrapping_sub(last), u64::from(bound.step)]);
            last = bound.events;
        }
        numbers.push(self.thrown.len() as u64);
        last = 0;
        for thrown in &self.thrown {
            numbers.push(thrown.index.wrapping_sub(last));
            numbers.extend([thrown.throwable, u64::from(thrown.caught)]);
            last = thrown.index;
        }
        numbers.push(self.prints.len() as u64);
        numbers.extend(self.prints.iter().map(|no| u64::from(*no)));
        for number in numbers {
            varint::write(out, number);
        }
        self.saved.write(out);
        self.long.write(out);
    }

    fn read(from: &mut Reader<'_>) -> Option<Self> {
        let mut thread = Self {
            no: small(from)?,
            base: small(from)?,
            ..Self::default()
        };
        let mut last = 0u64;
        for _ in 0..from.count()? {
            last = last.wrapping_add(from.number()?);
            let step = small(from)?;
            thread.bounds.push(At { events: last, step });
        }
        last = 0;
        for _ in 0..from.count()? {
            last = last.wrapping_add(from.number()?);
            thread.thrown.push(Thrown {
                index: last,
                throwable: from.number()?,
                caught: from.number()? != 0,
            });
        }
        for _ in 0..from.count()? {
            thread.prints.push(small(from)?);
        }
        thread.saved = Table::read(from)?;
        thread.long = Table::read(from)?;
        Some(thread)
    }
}

fn small(from: &mut Reader<'_>) -> Option<u32> {
    u32::try_from(from.number()?).ok()
}

//! The directory of a chunk's body: its columns and strings.

use std::ops::Range;

use super::column::Form;
use crate::model::JavaString;
use crate::raw::{MAX_COUNT, java_string};
use crate::varint::Reader;

/// Slots beyond this do not exist: a method has at most 255 parameters (JVMS §4.3.3), an event two slots an operand.
const MAX_SLOT: u64 = 1024;

/// A string of a chunk: where in its body, and whether as UTF-16.
#[derive(Clone, Debug)]
pub(super) struct StringPlace {
    range: Range<usize>,
    utf16: bool,
}

impl StringPlace {
    /// The string.
    pub(super) fn read(&self, body: &[u8]) -> JavaString {
        let bytes = body.get(self.range.clone()).unwrap_or_default();
        java_string(self.utf16, bytes)
    }
}

/// The columns of a chunk.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// By place in the alphabet of their symbol, then slot.
    pub(super) entries: Vec<ColumnEntry>,
    /// By place in the alphabet: where its columns end.
    ends: Vec<usize>,
}

impl Columns {
    /// Which columns the symbol at this place in the alphabet has.
    pub(super) fn range(&self, place: usize) -> Range<usize> {
        let end = self.ends.get(place).copied().unwrap_or(0);
        let before = place.checked_sub(1);
        before.map_or(0, |before| self.ends[before].min(end))..end
    }

    /// The columns of the symbol at this place in the alphabet.
    pub(super) fn of(&self, place: usize) -> &[ColumnEntry] {
        &self.entries[self.range(place)]
    }
}

/// A column as the directory has it.
#[derive(Debug)]
pub(super) struct ColumnEntry {
    pub(super) slot: usize,
    pub(super) form: Form,
    /// Of the first bytes of its numbers, and of their other bytes.
    pub(super) ranges: [Range<usize>; 2],
    pub(super) last: u64,
    /// Place in the alphabet and slot of the column to which it is linked.
    pub(super) source: Option<(usize, usize)>,
    /// Which of all columns that is.
    pub(super) source_column: usize,
}

type Directory = (Columns, Vec<StringPlace>);

/// Reads the directory of a body whose first part has `first` bytes, and that was made of so many raw words: no word has more than two slots, or two strings. (Definitions
/// and contents have some slots more.)
pub(super) fn read(body: &[u8], first: usize, symbols: usize, words: u64) -> Option<Directory> {
    let mut reader = Reader::new(body.get(..first)?);
    let mut columns = columns(&mut reader, symbols, words)?;
    find_sources(&mut columns)?;
    let strings = words.min(MAX_COUNT + MAX_SLOT);
    let count = reader.count().filter(|&count| count as u64 <= strings)?;
    let lengths: Vec<u64> = (0..count).map(|_| reader.number()).collect::<Option<_>>()?;
    let mut rest = Reader::new(body.get(first..)?);
    let mut at = [first - reader.rest().len(), first];
    for column in &mut columns.entries {
        reader.bytes(column.ranges[0].end)?;
        rest.bytes(column.ranges[1].end)?;
        for (range, at) in column.ranges.iter_mut().zip(&mut at) {
            *range = *at..*at + range.end;
            *at = range.end;
        }
    }
    let strings = lengths.into_iter().map(|length| {
        let from = first - reader.rest().len();
        let len = reader.bytes(usize::try_from(length >> 1).ok()?)?.len();
        let utf16 = length & 1 != 0;
        (!utf16 || len % 2 == 0).then_some(StringPlace {
            range: from..from + len,
            utf16,
        })
    });
    let strings = strings.collect::<Option<_>>()?;
    let is_whole = reader.rest().is_empty() && rest.rest().is_empty();
    is_whole.then_some((columns, strings))
}

/// The columns of so many symbols, of which it is not known yet where they begin: they are as if each were at the beginning.
fn columns(reader: &mut Reader<'_>, symbols: usize, words: u64) -> Option<Columns> {
    let mut columns = Columns::default();
    let mut left = words.saturating_mul(2).saturating_add(24);
    for _ in 0..symbols {
        let mut least = 0;
        for _ in 0..reader.count()? {
            let slot = reader.number()?;
            if slot < least || slot >= MAX_SLOT {
                return None;
            }
            left = left.checked_sub(slot + 1 - least)?;
            least = slot + 1;
            columns.entries.push(column(reader, slot as usize)?);
        }
        columns.ends.push(columns.entries.len());
    }
    Some(columns)
}

/// The column of a slot.
fn column(reader: &mut Reader<'_>, slot: usize) -> Option<ColumnEntry> {
    let form = Form::from_number(reader.number()?)?;
    let size = usize::try_from(reader.number()?).ok()?;
    let more = usize::try_from(reader.number()?).ok()?;
    let (mut last, mut source) = (0, None);
    match form {
        Form::Bytes => {}
        Form::Words | Form::Plain => last = reader.number()?,
        Form::Linked => {
            let place = usize::try_from(reader.number()?).ok()?;
            if let Some(place) = place.checked_sub(1) {
                let slot = reader.number().filter(|&slot| slot < MAX_SLOT)?;
                source = Some((place, slot as usize));
            }
        }
    }
    Some(ColumnEntry {
        slot,
        form,
        ranges: [0..size, 0..more],
        last,
        source,
        source_column: 0,
    })
}

/// Finds the source of each linked column: a column of another symbol that is not linked. `None` if there is no such.
fn find_sources(columns: &mut Columns) -> Option<()> {
    for own in 0..columns.ends.len() {
        for at in columns.range(own) {
            let Some((place, slot)) = columns.entries[at].source else {
                continue;
            };
            if place == own || place >= columns.ends.len() {
                return None;
            }
            let range = columns.range(place);
            // Slots rise.
            let entries = &columns.entries[range.clone()];
            let found = entries
                .binary_search_by_key(&slot, |entry| entry.slot)
                .ok()?;
            if !matches!(entries[found].form, Form::Words | Form::Plain) {
                return None;
            }
            columns.entries[at].source_column = range.start + found;
        }
    }
    Some(())
}

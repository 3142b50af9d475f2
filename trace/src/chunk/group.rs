//! The events of one symbol in a chunk being filled: their columns and numbers.

use std::sync::Arc;

use super::column::{Column, Form};
use super::links::Cells;
use super::strings::Strings;
use super::waiting::{Operand, Waiting};
use super::{
    KindStats, SLOT_AT, SLOT_BASE, SLOT_ID, SLOT_PACKED, SLOT_SECOND, SLOT_SIZE, SLOT_THIRD,
};
use crate::model::Prim;
use crate::raw::{
    Cursor, FORM_FIELDS, FORM_PATCHED, FORM_PRIMITIVES, FORM_TEXT, FORM_TOO_LARGE, Parts, REPEATS,
    RawContent, RawError, RawPayload, RawValue, TAG_BOX, TAG_CLASS, TAG_OBJECT, TAG_PRIM,
    TAG_STRING, packed_width,
};
use crate::varint;

/// Capacity that a column keeps from one chunk to the next.
const KEPT_BYTES: usize = 4096;

/// What the words of a column are compared with.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// The word before.
    Own,
    /// Nothing.
    Zero,
    /// A column that has no values in this chunk.
    Absent,
    /// The last word of a column.
    Column {
        /// Place in the alphabet of the symbol whose column it is.
        rank: u32,
        /// Its slot.
        slot: usize,
    },
}

/// What chunks know of one symbol. Kept from chunk to chunk for its memory and its letters.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) symbol: u64,
    letters: Option<Arc<str>>,
    /// The events that one of them stands for.
    pub(super) parts: Parts,
    /// Its first column of operands; a column more for each slot.
    first_cell: u32,
    operands: Vec<Operand>,
    /// By slot; those without a value in this chunk are empty.
    pub(super) columns: Vec<Column>,
    pub(super) stats: KindStats,
    /// Of a group whose events repeat the payload of others': the group of such an event, which has operands of the same types.
    pub(super) repeated: u32,
    /// Events whose operands are not in the columns yet.
    pub(super) waiting: Waiting,
    /// Size of strings that came first here.
    string_bytes: u64,
    /// Packed elements that may be patched: where their event begins in the raw bytes, and where they begin in their column.
    whole: Vec<(usize, usize)>,
    /// Its place in the chunk's alphabet, once that is known.
    pub(super) rank: u32,
}

impl Group {
    pub(super) fn new(symbol: u64, letters: Option<Arc<str>>, first_cell: u32) -> Self {
        let bytes = letters.as_deref().unwrap_or_default().bytes();
        Self {
            symbol,
            first_cell,
            operands: bytes.map(Operand::of).collect(),
            columns: Vec::new(),
            letters,
            parts: Parts::default(),
            stats: KindStats::default(),
            repeated: u32::MAX,
            waiting: Waiting::default(),
            string_bytes: 0,
            whole: Vec::new(),
            rank: 0,
        }
    }

    /// Operand letters; `None` for `Define` and `Content`.
    pub(super) fn letters(&self) -> Option<&Arc<str>> {
        self.letters.as_ref()
    }

    /// The share of the body that is this group's.
    pub(super) fn weight(&self) -> u64 {
        let columns: usize = self
            .columns()
            .map(|(_, c)| c.bytes.len() + c.more.len())
            .sum();
        columns as u64 + self.string_bytes
    }

    /// The columns with values, and their slots.
    pub(super) fn columns(&self) -> impl Iterator<Item = (usize, &Column)> {
        let columns = self.columns.iter().enumerate();
        columns.filter(|(_, column)| column.is_used())
    }

    /// Its columns of operands.
    pub(super) fn cells(&self) -> std::ops::Range<u32> {
        let slots = match &self.letters {
            Some(letters) if self.symbol & REPEATS == 0 => 2 * letters.len(),
            _ => 0,
        };
        self.first_cell..self.first_cell + slots as u32
    }

    /// The slot that is this column of operands, if it has values.
    pub(super) fn slot(&self, cell: u32) -> Option<usize> {
        let slot = cell.checked_sub(self.first_cell)? as usize;
        self.columns.get(slot)?.is_used().then_some(slot)
    }

    /// Appends how many columns there are, and what each is. `sources` says what columns are linked to.
    pub(super) fn write_directory(&self, sources: impl Fn(u32) -> Source, out: &mut Vec<u8>) {
        varint::write(out, self.columns().count() as u64);
        let cells = self.cells();
        for (slot, column) in self.columns() {
            let cell = cells.clone().nth(slot);
            let source = cell.map_or(Source::Own, &sources);
            let form = match source {
                Source::Own => column.form,
                Source::Zero => Form::Plain,
                Source::Absent | Source::Column { .. } => Form::Linked,
            };
            varint::write(out, slot as u64);
            varint::write(out, form as u64);
            varint::write(out, column.bytes.len() as u64);
            varint::write(out, column.more.len() as u64);
            match (source, form) {
                (Source::Own, Form::Words) | (Source::Zero, _) => varint::write(out, column.last),
                (Source::Own, _) => {}
                (Source::Absent, _) => varint::write(out, 0),
                (Source::Column { rank, slot }, _) => {
                    varint::write(out, u64::from(rank) + 1);
                    varint::write(out, slot as u64);
                }
            }
        }
    }

    /// For the next chunk.
    pub(super) fn clear(&mut self) {
        for column in &mut self.columns {
            column.clear(KEPT_BYTES);
        }
        self.stats = KindStats::default();
        self.string_bytes = 0;
        self.whole.clear();
        self.waiting.clear(KEPT_BYTES);
    }

    fn column(&mut self, slot: usize) -> &mut Column {
        if self.columns.len() <= slot {
            self.columns.resize_with(slot + 1, Column::new);
        }
        &mut self.columns[slot]
    }

    fn word(&mut self, slot: usize, word: u64) {
        self.column(slot).word(word);
    }

    /// Takes the operands `words` of one event, which begin at `at` in the raw words, if they are like those that wait. They are in the columns
    /// only after [`Self::settle_linked`] and [`Self::settle`]. Says whether they wait now, and if so, whether this
    /// group is to be noted as one that has some.
    #[inline]
    pub(super) fn wait(&mut self, words: &[[u8; 8]], at: usize) -> Option<bool> {
        self.letters.as_ref()?;
        self.waiting.push(&self.operands, words, at)
    }

    /// Has columns for all operands, which go elsewhere for the time being.
    pub(super) fn take_columns(&mut self) -> Vec<Column> {
        let mut columns = std::mem::take(&mut self.columns);
        let slots = 2 * self.operands.len();
        if columns.len() < slots {
            columns.resize_with(slots, Column::new);
        }
        columns
    }

    /// Puts the operands that wait into those of the group's `columns` that are linked to others, whose operands, in `groups`, still wait: each
    /// goes with what its source has before it.
    pub(super) fn settle_linked(
        &self,
        columns: &mut [Column],
        groups: &[Group],
        cells: &Cells,
        raw: &[[u8; 8]],
    ) {
        for (no, lane) in self.waiting.lanes().iter().enumerate() {
            let Some(source) = cells.source(self.first_cell + lane.slot) else {
                continue;
            };
            let column = &mut columns[lane.slot as usize];
            let group = &groups[cells.group(source) as usize];
            let slot = source - group.first_cell;
            let others = group.waiting.lanes().iter().position(|l| l.slot == slot);
            let mut others = others.map(|no| group.waiting.words(no, raw).peekable());
            let mut base = cells.last(source);
            for (at, word) in self.waiting.words(no, raw) {
                while let Some((_, other)) = others.as_mut().and_then(|o| o.next_if(|o| o.0 < at)) {
                    base = other;
                }
                column.difference(base, word);
            }
        }
    }

    /// Puts the operands that wait into the other ones of the group's `columns`, and these into their place.
    pub(super) fn settle(&mut self, mut columns: Vec<Column>, cells: &mut Cells, raw: &[[u8; 8]]) {
        for (no, lane) in self.waiting.lanes().iter().enumerate() {
            let cell = self.first_cell + lane.slot;
            let column = &mut columns[lane.slot as usize];
            let words = self.waiting.words(no, raw).map(|(_, word)| word);
            if words.len() == 0 {
                continue;
            } else if cells.is_plain(cell) {
                column.words(words);
            } else if cells.source(cell).is_none() {
                column.differences(cells.last(cell), words);
            }
            cells.passed(cell, column.last);
        }
        self.columns = columns;
        self.waiting.clear(KEPT_BYTES);
    }

    /// Takes the operands of one event, which are primitives, boxes, objects and null. None may wait.
    pub(super) fn plain_operands(&mut self, words: &[[u8; 8]], cells: &mut Cells) {
        let slots = 2 * self.operands.len();
        if self.columns.len() < slots {
            self.columns.resize_with(slots, Column::new);
        }
        let (columns, _) = self.columns.as_chunks_mut::<2>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let cells_of = (self.first_cell..).step_by(2);
        for ((operand, [column, boxed]), cell) in self.operands.iter().zip(columns).zip(cells_of) {
            let word = words.next().unwrap_or_default();
            if operand.is_reference && word & 7 == TAG_BOX {
                let value = words.next().unwrap_or_default();
                let prim = Operand::of((word >> 3) as u8).canonical(value);
                boxed.difference(cells.word(cell + 1, prim), prim);
            }
            let word = operand.canonical(word);
            column.difference(cells.word(cell, word), word);
        }
    }

    /// Are these words operands of this group that are primitives, boxes, objects and null?
    pub(super) fn are_plain(&self, words: &[[u8; 8]]) -> bool {
        let mut at = 0;
        for operand in &self.operands {
            let Some(word) = words.get(at) else {
                return false;
            };
            at += 1;
            if !operand.is_reference {
                continue;
            }
            let word = u64::from_le_bytes(*word);
            match word & 7 {
                TAG_OBJECT => {}
                TAG_BOX if Prim::is_letter(word >> 3) => at += 1,
                _ if word == 0 => {}
                _ => return false,
            }
        }
        at == words.len() && self.letters.is_some()
    }

    /// Takes the operands of one event. `pending` is scratch memory.
    ///
    /// # Errors
    /// The payload does not fit the letters; then no column has changed.
    pub(super) fn operands(
        &mut self,
        payload: &[u8],
        pending: &mut Vec<(usize, u64)>,
        strings: &mut Strings,
        cells: &mut Cells,
    ) -> Result<(), RawError> {
        let letters = self.letters.as_deref().unwrap_or_default().as_bytes();
        let mut cursor = Cursor::new(payload);
        pending.clear();
        for (position, &letter) in letters.iter().enumerate() {
            let slot = 2 * position;
            let word = match letter {
                b'I' => cursor.word()? as i32 as u64,
                b'L' => match cursor.reference()? {
                    RawValue::Boxed(prim) => {
                        pending.push((slot + 1, prim.to_word()));
                        u64::from(u32::from(prim.letter())) << 3 | TAG_BOX
                    }
                    other => reference(other, strings, &mut self.string_bytes),
                },
                _ => match cursor.value(letter)? {
                    RawValue::Prim(prim) => prim.to_word(),
                    _ => return Err(RawError::Letter(letter)),
                },
            };
            pending.push((slot, word));
        }
        match cursor.left() {
            0 => {}
            rest => return Err(RawError::Rest(rest)),
        }
        for &(slot, word) in pending.iter() {
            let base = cells.word(self.first_cell + slot as u32, word);
            self.column(slot).difference(base, word);
        }
        Ok(())
    }

    /// Takes one definition or content; the event begins at `at` in the raw bytes.
    ///
    /// # Errors
    /// It patches one that is not here; then no column has changed.
    pub(super) fn payload(
        &mut self,
        payload: &RawPayload<'_>,
        at: usize,
        strings: &mut Strings,
    ) -> Result<(), RawError> {
        match payload {
            RawPayload::Operands(_) => {}
            RawPayload::Define {
                id,
                class,
                length_plus_1,
            } => {
                self.word(SLOT_ID, *id);
                self.word(SLOT_SECOND, u64::from(class.get()));
                self.word(SLOT_THIRD, u64::from(*length_plus_1));
            }
            RawPayload::Content { id, content } => {
                self.content(content, at, strings)?;
                self.word(SLOT_ID, *id);
            }
        }
        Ok(())
    }

    fn value(&mut self, slot: usize, value: RawValue<'_>, strings: &mut Strings) {
        let word = match value {
            RawValue::Boxed(prim) => {
                self.word(slot + 1, prim.to_word());
                u64::from(u32::from(prim.letter())) << 3 | TAG_BOX
            }
            other => reference(other, strings, &mut self.string_bytes),
        };
        self.word(slot, word);
    }

    /// A value whose type no site says.
    fn tagged(&mut self, slot: usize, value: RawValue<'_>, strings: &mut Strings) {
        match value {
            RawValue::Prim(prim) => {
                self.word(slot + 1, prim.to_word());
                self.word(slot, u64::from(u32::from(prim.letter())) << 3 | TAG_PRIM);
            }
            reference => self.value(slot, reference, strings),
        }
    }

    fn content(
        &mut self,
        content: &RawContent<'_>,
        at: usize,
        strings: &mut Strings,
    ) -> Result<(), RawError> {
        let form = |form: u64, letter: u8, count: u64| form | u64::from(letter) << 8 | count << 16;
        match content {
            RawContent::Primitives { letter, bytes } => {
                let width = packed_width(*letter).unwrap_or(1);
                let count = (bytes.len() / width) as u64;
                self.word(SLOT_SECOND, form(FORM_PRIMITIVES, *letter, count));
                let place = self.column(SLOT_PACKED).bytes.len();
                self.whole.push((at, place));
                self.column(SLOT_PACKED).bytes(bytes);
            }
            RawContent::Patched {
                letter,
                base,
                bytes,
                range,
                patch,
            } => {
                let found = self.whole.binary_search_by_key(base, |(at, _)| *at);
                let (_, place) = found.map_err(|_| RawError::Base).map(|no| self.whole[no])?;
                let width = packed_width(*letter).unwrap_or(1);
                let count = (bytes.len() / width) as u64;
                self.word(SLOT_SECOND, form(FORM_PATCHED, *letter, count));
                self.word(SLOT_BASE, place as u64);
                self.word(SLOT_AT, range.start as u64);
                self.word(SLOT_SIZE, patch.len() as u64);
                self.column(SLOT_PACKED).bytes(patch);
            }
            RawContent::References {
                form: which,
                values,
            } => {
                self.word(SLOT_SECOND, form(*which, 0, values.len() as u64));
                for value in values {
                    self.value(SLOT_THIRD, *value, strings);
                }
            }
            RawContent::Text(text) => {
                self.word(SLOT_SECOND, form(FORM_TEXT, 0, 1));
                self.value(SLOT_THIRD, *text, strings);
            }
            RawContent::TooLarge { len } => {
                self.word(SLOT_SECOND, form(FORM_TOO_LARGE, 0, *len));
            }
            RawContent::Fields(parts) => {
                self.word(SLOT_SECOND, form(FORM_FIELDS, 0, parts.len() as u64 / 3));
                for part in parts {
                    self.tagged(SLOT_THIRD, *part, strings);
                }
            }
        }
        Ok(())
    }
}

/// The word of a value that takes one.
fn reference(value: RawValue<'_>, strings: &mut Strings, string_bytes: &mut u64) -> u64 {
    match value {
        RawValue::Prim(prim) | RawValue::Boxed(prim) => prim.to_word(),
        RawValue::Null => 0,
        RawValue::Object(id) => id << 3 | TAG_OBJECT,
        RawValue::Class(no) => u64::from(no.get()) << 3 | TAG_CLASS,
        RawValue::Str { utf16, bytes } => {
            let (place, new) = strings.place(utf16, bytes);
            if new {
                *string_bytes += bytes.len() as u64;
            }
            place << 3 | TAG_STRING
        }
    }
}

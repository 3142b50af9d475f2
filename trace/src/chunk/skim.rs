//! The events of a chunk, newest first, for who asks few of them for their operands.
//!
//! Of each column it is known how many of its values the events so far have had; they are passed over when a later one is asked for.
//! Values that nobody asks for are never decoded.

use std::ops::Range;
use std::sync::Arc;

use super::column::Form;
use super::control::Control;
use super::decode::Chunk;
use super::directory::{ColumnEntry, StringPlace};
use super::error::ChunkError;
use super::{kind, site};
use crate::model::{ALWAYS, ClassNo, EventKind, ObjectId, Prim, SiteNo, Value};
use crate::raw::{
    Parts, REPEATS, Shape, SiteShapes, TAG_BOX, TAG_CLASS, TAG_NULL, TAG_OBJECT, TAG_STRING,
    shape_of,
};
use crate::varint::{read_last, unzigzag};

/// A column that is read from its end.
#[derive(Clone, Debug)]
struct Column {
    slot: usize,
    form: Form,
    /// First bytes, and other bytes, of the numbers that are left.
    firsts: Range<usize>,
    more: Range<usize>,
    /// Of words: the next one.
    word: u64,
    /// The word read last.
    current: u64,
    /// Of how many events of its symbol it has been read.
    done: u32,
    /// If it is linked: the place of its source's symbol, and the source.
    source: Option<(usize, usize)>,
}

impl Column {
    fn new(entry: ColumnEntry) -> Self {
        let [firsts, more] = entry.ranges;
        Self {
            slot: entry.slot,
            form: entry.form,
            firsts,
            more,
            word: entry.last,
            current: 0,
            done: 0,
            source: (entry.source).map(|(place, _)| (place, entry.source_column)),
        }
    }

    /// Takes the last number that is left: its first byte of one row, its other bytes, a varint, of another, as [`super::column`] has them.
    #[inline]
    fn number(&mut self, body: &[u8]) -> Option<u64> {
        let first = u64::from(*body.get(self.firsts.clone())?.last()?);
        self.firsts.end -= 1;
        if first < 0x80 {
            return Some(first);
        }
        let (rest, size) = read_last(body.get(self.more.clone())?)?;
        self.more.end -= size;
        (rest <= u64::MAX >> 7).then_some(first & 0x7f | rest << 7)
    }

    /// The last number that is left, which stays.
    fn peek(&self, body: &[u8]) -> Option<u64> {
        let first = u64::from(*body.get(self.firsts.clone())?.last()?);
        if first < 0x80 {
            return Some(first);
        }
        let (rest, _) = read_last(body.get(self.more.clone())?)?;
        (rest <= u64::MAX >> 7).then_some(first & 0x7f | rest << 7)
    }

    /// Passes over values, of which only those that say what comes before them have to be looked at.
    fn pass(&mut self, mut count: u32, body: &[u8]) -> Option<()> {
        while count > 0 {
            let number = self.number(body)?;
            if self.form == Form::Words {
                self.word = self.word.wrapping_sub(unzigzag(number) as u64);
            }
            count -= 1;
        }
        Some(())
    }

    /// Takes the next value; `source` is what its source had, if it is linked.
    #[inline]
    fn take(&mut self, source: u64, body: &[u8]) -> Option<u64> {
        let difference = unzigzag(self.number(body)?) as u64;
        self.current = match self.form {
            Form::Words => {
                let word = self.word;
                self.word = word.wrapping_sub(difference);
                word
            }
            Form::Plain => difference,
            Form::Linked => source.wrapping_add(difference),
            Form::Bytes => return None,
        };
        Some(self.current)
    }

    /// The value that comes next, for columns that are linked to it; 0 if there is none.
    fn next(&self, body: &[u8]) -> u64 {
        match self.form {
            Form::Plain => self.peek(body).map_or(0, |number| unzigzag(number) as u64),
            _ => self.word,
        }
    }
}

/// The events of one symbol.
#[derive(Clone, Debug)]
struct Group {
    kind: EventKind,
    site: Option<SiteNo>,
    letters: Option<Arc<str>>,
    /// The events that one of them stands for.
    parts: Parts,
    columns: Range<usize>,
    /// Its events have the payload of the one before.
    repeats: bool,
    /// Some of its operands are boxes, of which there is not one for each event: their columns are read as the events come.
    boxed: bool,
    /// How many have been met.
    met: u32,
}

/// The operands of an event.
#[derive(Clone, Copy, Debug)]
struct Operands {
    /// Place of the symbol that has them.
    place: usize,
    /// Which event of this symbol it is, from the last, 1, on.
    number: u32,
}

/// The events of a chunk from the newest on. Ends after the first error.
#[derive(Clone, Debug)]
pub(crate) struct Skim {
    body: Vec<u8>,
    strings: Vec<StringPlace>,
    groups: Vec<Group>,
    columns: Vec<Column>,
    /// Places of the symbols of the events that are left, the next one last.
    order: Vec<u32>,
    now: Option<Operands>,
    /// The event met last is this part of the one with these operands.
    part: Option<usize>,
    /// Operands of this site are missing or malformed.
    failed: Option<Option<SiteNo>>,
}

impl Skim {
    /// Of a chunk.
    ///
    /// # Errors
    /// A site of the chunk is not in the tables.
    pub(crate) fn new(chunk: Chunk, sites: &impl SiteShapes) -> Result<Self, ChunkError> {
        let alphabet = chunk.control.alphabet().iter().enumerate();
        let groups = alphabet.map(|(place, &symbol)| {
            let kind = kind(symbol).ok_or(ChunkError::Symbol(symbol))?;
            let site = site(symbol);
            let columns = chunk.columns.range(place);
            let entries = &chunk.columns.entries[columns.clone()];
            let Shape { letters, parts } = shape_of(kind, site, sites)?;
            Ok(Group {
                kind,
                site,
                boxed: letters.is_some() && entries.iter().any(|entry| entry.slot % 2 != 0),
                letters,
                parts,
                columns,
                repeats: symbol & REPEATS != 0,
                met: 0,
            })
        });
        Ok(Self {
            groups: groups.collect::<Result<_, ChunkError>>()?,
            order: Control::places(&chunk.control),
            columns: chunk.columns.entries.into_iter().map(Column::new).collect(),
            body: chunk.body,
            strings: chunk.strings,
            now: None,
            part: None,
            failed: None,
        })
    }

    /// Goes on to the next event: its kind and site.
    #[inline]
    pub(crate) fn advance(&mut self) -> Option<Result<(EventKind, Option<SiteNo>), ChunkError>> {
        if let Some(site) = self.failed.take() {
            self.order.clear();
            return Some(Err(ChunkError::values(site)));
        }
        if let Some(met) = self.part_before() {
            return Some(Ok(met));
        }
        let place = self.order.pop()? as usize;
        let group = self.groups.get_mut(place)?;
        let (kind, site) = (group.kind, group.site);
        let operands = match group.repeats {
            false => {
                group.met += 1;
                Operands {
                    place,
                    number: group.met,
                }
            }
            true => match self.repeated(place) {
                Some(operands) => operands,
                None => {
                    self.order.clear();
                    return Some(Err(ChunkError::values(site)));
                }
            },
        };
        self.now = Some(operands);
        if self.groups[operands.place].boxed {
            self.follow_boxes(operands);
        }
        self.part = match self.groups[place].parts.len() {
            0 => None,
            parts => Some(parts),
        };
        if let Some(met) = self.part_before() {
            return Some(Ok(met));
        }
        Some(Ok((kind, site)))
    }

    /// Goes on to the part before the one met last, if there is one.
    #[inline]
    fn part_before(&mut self) -> Option<(EventKind, Option<SiteNo>)> {
        let before = self.part?.checked_sub(1);
        self.part = before;
        let part = self.groups.get(self.now?.place)?.parts.get(before?)?;
        Some((part.kind, Some(part.site)))
    }

    /// Where the operand at this position of the event met last is among those of the event that it is a part of, and what is added to
    /// an `int`. The position is [`ALWAYS`] if it is not among them.
    #[inline]
    fn in_whole(&self, position: usize) -> Option<(usize, i32)> {
        let Some(part) = self.part else {
            return Some((position, 0));
        };
        let part = self.groups.get(self.now?.place)?.parts.get(part)?;
        let &(position, add) = part.operands.get(position)?;
        Some((usize::from(position), add))
    }

    /// The operand at this position of the event met last, if that is always the same.
    #[inline]
    fn always(&self, position: usize) -> Option<i32> {
        self.part?;
        let (position, number) = self.in_whole(position)?;
        (position == usize::from(ALWAYS)).then_some(number)
    }

    /// The operands that an event of the group `place` repeats: those of the event before it.
    fn repeated(&self, place: usize) -> Option<Operands> {
        let before = *self.order.last()? as usize;
        let (group, repeated) = (self.groups.get(place)?, self.groups.get(before)?);
        let alike = !repeated.repeats && repeated.letters.is_some();
        (alike && repeated.letters == group.letters).then_some(Operands {
            place: before,
            number: repeated.met + 1,
        })
    }

    /// Reads the operands of an event that may be boxes.
    fn follow_boxes(&mut self, of: Operands) {
        for at in self.groups[of.place].columns.clone() {
            let slot = self.columns[at].slot;
            let has_boxes = (self.columns.get(at + 1)).is_some_and(|next| next.slot == slot + 1);
            if !slot.is_multiple_of(2) || !has_boxes || self.columns[at].done >= of.number {
                continue;
            }
            let Some(word) = self.read(at, of.number) else {
                return self.fail(of);
            };
            if word & 7 == TAG_BOX {
                let source = self.source_of(at + 1);
                let taken = source.and_then(|source| self.columns[at + 1].take(source, &self.body));
                if taken.is_none() {
                    return self.fail(of);
                }
            }
        }
    }

    fn fail(&mut self, of: Operands) {
        self.failed = self.groups.get(of.place).map(|group| group.site);
    }

    /// What the source of a column has; 0 if there is none.
    fn source_of(&mut self, column: usize) -> Option<u64> {
        let Some((place, source)) = self.columns[column].source else {
            return Some(0);
        };
        let met = self.groups[place].met;
        // The values of boxes are read as they come.
        if self.columns[source].slot.is_multiple_of(2) && self.columns[source].done < met {
            self.read(source, met)?;
        }
        Some(self.columns[source].next(&self.body))
    }

    /// The word that a column, which is not one of boxes, has for an event of its symbol.
    #[inline]
    fn read(&mut self, column: usize, number: u32) -> Option<u64> {
        let at = &mut self.columns[column];
        if at.done == number {
            return Some(at.current);
        }
        let between = number.checked_sub(at.done + 1)?;
        at.pass(between, &self.body)?;
        let source = match at.form {
            Form::Linked => self.source_of(column)?,
            _ => 0,
        };
        let at = &mut self.columns[column];
        at.done = number;
        at.take(source, &self.body)
    }

    /// How many operands the event has that was met last.
    pub(crate) fn count(&self) -> usize {
        if let (Some(part), Some(now)) = (self.part, self.now) {
            let part = self.groups[now.place].parts.get(part);
            return part.map_or(0, |part| part.operands.len());
        }
        let letters = self
            .now
            .and_then(|now| self.groups[now.place].letters.as_deref());
        letters.map_or(0, str::len)
    }

    /// Letter, column and word of an operand; nothing if the event has no such operand. Operands that should be there and are not, are an
    /// error that comes with the next event.
    #[inline]
    fn operand(&mut self, position: usize) -> Option<(u8, usize, u64)> {
        let now = self.now?;
        let (position, add) = self.in_whole(position)?;
        let group = &self.groups[now.place];
        let letter = *group.letters.as_deref()?.as_bytes().get(position)?;
        let columns = group.columns.clone();
        let of_group = self.columns.get(columns.clone())?;
        let found = of_group
            .iter()
            .position(|column| column.slot == 2 * position);
        let column = found.map(|found| columns.start + found);
        let word = column.and_then(|column| Some((column, self.read(column, now.number)?)));
        if word.is_none() {
            self.fail(now);
        }
        let (column, word) = word?;
        let word = match letter {
            b'I' => (word as i32).wrapping_add(add) as u64,
            _ => word,
        };
        Some((letter, column, word))
    }

    /// The object that an operand is; nothing if it is something else.
    #[inline]
    pub(crate) fn object(&mut self, position: usize) -> Option<ObjectId> {
        let (letter, _, word) = self.operand(position)?;
        (letter == b'L' && word & 7 == TAG_OBJECT).then_some(word >> 3)
    }

    /// The `int` that an operand is; nothing if it is something else.
    #[inline]
    pub(crate) fn int(&mut self, position: usize) -> Option<i32> {
        if let Some(number) = self.always(position) {
            return Some(number);
        }
        let (letter, _, word) = self.operand(position)?;
        (letter == b'I').then_some(word as i32)
    }

    /// An operand.
    pub(crate) fn value(&mut self, position: usize) -> Option<Value> {
        if let Some(number) = self.always(position) {
            return Some(Value::Prim(Prim::Int(number)));
        }
        let (letter, column, word) = self.operand(position)?;
        let value = match letter {
            b'L' => self.reference(column, word),
            _ => Prim::from_word(char::from(letter), word).map(Value::Prim),
        };
        if let (None, Some(now)) = (&value, self.now) {
            self.fail(now);
        }
        value
    }

    fn reference(&self, column: usize, word: u64) -> Option<Value> {
        let rest = word >> 3;
        match word & 7 {
            TAG_NULL if word == 0 => Some(Value::Null),
            TAG_OBJECT => Some(Value::Object(rest)),
            TAG_CLASS => ClassNo::checked(rest).map(Value::Class),
            TAG_STRING => {
                let text = self.strings.get(usize::try_from(rest).ok()?)?;
                Some(Value::Str(text.read(&self.body)))
            }
            TAG_BOX => {
                let letter = char::from(u8::try_from(rest).ok()?);
                let slot = self.columns[column].slot + 1;
                let value = self
                    .columns
                    .get(column + 1)
                    .filter(|next| next.slot == slot);
                Prim::from_word(letter, value?.current).map(Value::Boxed)
            }
            _ => None,
        }
    }
}

//! From a chunk to events, forward or backward.

use std::sync::Arc;

use super::column::ColumnReader;
use super::control::{Control, decompress};
use super::direction::Direction;
use super::directory::{self, ColumnEntry, Columns, StringPlace};
use super::error::ChunkError;
use super::{
    BODY_FACTOR, BODY_SLACK, ChunkHeader, FLAG_BLOCK, MAX_RATIO, SLOT_AT, SLOT_BASE, SLOT_ID,
    SLOT_PACKED, SLOT_SECOND, SLOT_SIZE, SLOT_THIRD, kind, site, usual_body,
};
use crate::model::{
    ClassNo, Content, Event, EventKind, JavaString, ObjectId, Payload, Prim, SiteNo, Value,
};
use crate::raw::{
    FORM_ARRAY, FORM_ELEMENTS, FORM_ENTRIES, FORM_FIELDS, FORM_PATCHED, FORM_PRIMITIVES, FORM_TEXT,
    FORM_TOO_LARGE, MAX_COUNT, Parts, REPEATS, Shape, SiteShapes, TAG_BOX, TAG_CLASS, TAG_NULL,
    TAG_OBJECT, TAG_PRIM, TAG_STRING, apart, fields, packed_width, patched, references, shape_of,
    unpack,
};
use crate::varint::Reader;

/// A chunk taken apart: its control stream not unpacked, its columns decompressed but not decoded.
#[derive(Debug)]
pub(crate) struct Chunk {
    pub(super) control: Control,
    pub(super) body: Vec<u8>,
    pub(super) strings: Vec<StringPlace>,
    pub(super) columns: Columns,
}

impl Chunk {
    /// Takes a chunk apart.
    ///
    /// # Errors
    /// It is malformed.
    pub(crate) fn read(payload: &[u8]) -> Result<Self, ChunkError> {
        let mut reader = Reader::new(payload);
        let header = ChunkHeader::read(&mut reader)?;
        let size = reader.count().ok_or(ChunkError::Header)?;
        let control = reader.bytes(size).ok_or(ChunkError::Header)?;
        let is_block = header.flags & FLAG_BLOCK != 0;
        let control = Control::read(control, is_block, u64::from(header.events))?;
        let mut body = part(&header, &mut reader)?;
        let first = body.len();
        body.append(&mut part(&header, &mut reader)?);
        if !reader.rest().is_empty() {
            return Err(ChunkError::Header);
        }
        let words = (header.to - header.from) / 8;
        let (columns, strings) = directory::read(&body, first, control.alphabet().len(), words)
            .ok_or(ChunkError::Directory)?;
        Ok(Self {
            control,
            body,
            strings,
            columns,
        })
    }

    /// Identity and class of all objects that it defines, oldest first, as far as they can be read.
    pub(crate) fn definitions(&self) -> Vec<(ObjectId, ClassNo)> {
        let symbols = self.control.alphabet().iter().enumerate();
        let groups = symbols.filter(|(_, symbol)| kind(**symbol) == Some(EventKind::Define));
        let of_group = groups.flat_map(|(place, _)| {
            let columns = self.columns.of(place);
            let column = |slot| {
                let entry = columns.iter().find(|entry| entry.slot == slot)?;
                let ranges = entry.ranges.clone();
                let direction = Direction::Forward;
                Some(ColumnReader::new(entry.form, ranges, entry.last, direction))
            };
            let mut readers = column(SLOT_ID).zip(column(SLOT_SECOND));
            std::iter::from_fn(move || {
                let (ids, classes) = readers.as_mut()?;
                let (id, class) = (ids.word(&self.body)?, classes.word(&self.body)?);
                Some((id, ClassNo::checked(class)?))
            })
        });
        of_group.collect()
    }

    /// The events, in the direction asked for.
    ///
    /// # Errors
    /// A site of the chunk is not in the tables.
    pub(crate) fn events(
        self,
        direction: Direction,
        sites: &impl SiteShapes,
    ) -> Result<Events, ChunkError> {
        let symbols = self.control.alphabet().iter().enumerate();
        let groups = symbols
            .map(|(place, &symbol)| Group::new(symbol, self.columns.of(place), direction, sites))
            .collect::<Result<_, _>>()?;
        let strings = self.strings.iter().map(|place| place.read(&self.body));
        let strings = strings.collect();
        let mut order = self.control.places();
        if direction == Direction::Backward {
            order.reverse();
        }
        Ok(Events {
            strings,
            body: self.body,
            groups,
            order: order.into_iter(),
            direction,
            held: None,
            apart: Vec::new(),
            most: u64::MAX,
        })
    }
}

/// The next part of a chunk's body.
fn part(header: &ChunkHeader, reader: &mut Reader<'_>) -> Result<Vec<u8>, ChunkError> {
    let size = reader.number().ok_or(ChunkError::Header)?;
    let stored = reader.number().ok_or(ChunkError::Header)?;
    let is_stored = stored & 1 != 0;
    let stored = usize::try_from(stored >> 1).map_err(|_| ChunkError::Header)?;
    let bytes = reader.bytes(stored).ok_or(ChunkError::Header)?;
    let stored = stored as u64;
    if is_stored {
        return match stored == size {
            true => Ok(bytes.to_vec()),
            false => Err(ChunkError::Header),
        };
    }
    let of_raw = (header.to - header.from).saturating_mul(BODY_FACTOR);
    let of_frame = stored.saturating_mul(MAX_RATIO).max(usual_body());
    if size > of_raw.saturating_add(BODY_SLACK).min(of_frame) {
        return Err(ChunkError::Header);
    }
    decompress(bytes, size).ok_or(ChunkError::Zstd)
}

/// The events of one symbol.
#[derive(Debug)]
struct Group {
    kind: EventKind,
    site: Option<SiteNo>,
    letters: Option<Arc<str>>,
    /// The events that one of them stands for.
    parts: Parts,
    /// By slot.
    columns: Vec<Option<ColumnReader>>,
    /// Slots that are linked, and to which slot of which group.
    links: Vec<(usize, (usize, usize))>,
    direction: Direction,
    /// Its events have the payload of the one before.
    repeats: bool,
}

impl Group {
    fn new(
        symbol: u64,
        entries: &[ColumnEntry],
        direction: Direction,
        sites: &impl SiteShapes,
    ) -> Result<Self, ChunkError> {
        let kind = kind(symbol).ok_or(ChunkError::Symbol(symbol))?;
        let site = site(symbol);
        let Shape { letters, parts } = shape_of(kind, site, sites)?;
        let len = entries.iter().map(|e| e.slot + 1).max().unwrap_or(0);
        let mut columns = vec![None; len];
        for entry in entries {
            columns[entry.slot] = Some(ColumnReader::new(
                entry.form,
                entry.ranges.clone(),
                entry.last,
                direction,
            ));
        }
        Ok(Self {
            kind,
            site,
            letters,
            parts,
            links: entries
                .iter()
                .filter_map(|entry| Some((entry.slot, entry.source?)))
                .collect(),
            columns,
            direction,
            repeats: symbol & REPEATS != 0,
        })
    }

    fn word(&mut self, slot: usize, body: &[u8]) -> Option<u64> {
        self.columns.get_mut(slot)?.as_mut()?.word(body)
    }

    fn reference(&mut self, slot: usize, store: Store<'_>) -> Option<Value> {
        let word = self.word(slot, store.body)?;
        let rest = word >> 3;
        match word & 7 {
            TAG_NULL if word == 0 => Some(Value::Null),
            TAG_OBJECT => Some(Value::Object(rest)),
            TAG_CLASS => ClassNo::checked(rest).map(Value::Class),
            TAG_STRING => {
                let text = store.strings.get(usize::try_from(rest).ok()?)?;
                Some(Value::Str(text.clone()))
            }
            tag @ (TAG_BOX | TAG_PRIM) if tag == TAG_BOX || self.kind == EventKind::Content => {
                let letter = char::from(u8::try_from(rest).ok()?);
                let prim = Prim::from_word(letter, self.word(slot + 1, store.body)?)?;
                Some(if tag == TAG_BOX {
                    Value::Boxed(prim)
                } else {
                    Value::Prim(prim)
                })
            }
            _ => None,
        }
    }

    fn references(&mut self, slot: usize, count: u64, store: Store<'_>) -> Option<Vec<Value>> {
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(self.reference(slot, store)?);
        }
        if self.direction == Direction::Backward {
            values.reverse();
        }
        Some(values)
    }

    fn payload(&mut self, store: Store<'_>) -> Option<Payload> {
        match self.kind {
            EventKind::Define => {
                let id = self.word(SLOT_ID, store.body)?;
                let class = ClassNo::checked(self.word(SLOT_SECOND, store.body)?)?;
                let length = u32::try_from(self.word(SLOT_THIRD, store.body)?).ok()?;
                Some(Payload::Define {
                    id,
                    class,
                    length: length.checked_sub(1),
                })
            }
            EventKind::Content => Some(Payload::Content {
                id: self.word(SLOT_ID, store.body)?,
                content: self.content(store)?,
            }),
            _ => {
                let letters = self.letters.take();
                let each = letters.as_deref().unwrap_or_default().as_bytes();
                let values = each
                    .iter()
                    .enumerate()
                    .map(|(position, &letter)| match letter {
                        b'L' => self.reference(2 * position, store),
                        _ => {
                            let word = self.word(2 * position, store.body)?;
                            Prim::from_word(char::from(letter), word).map(Value::Prim)
                        }
                    });
                let values = values.collect::<Option<_>>();
                self.letters = letters;
                values.map(Payload::Operands)
            }
        }
    }

    /// Packed elements of which it is said what others they were before, and what has changed.
    fn patched(&mut self, letter: u8, count: u64, store: Store<'_>) -> Option<Content> {
        let len = usize::try_from(count).ok()?;
        let len = len.checked_mul(packed_width(letter)?)?;
        let base = self.word(SLOT_BASE, store.body)?;
        let at = usize::try_from(self.word(SLOT_AT, store.body)?).ok()?;
        let size = usize::try_from(self.word(SLOT_SIZE, store.body)?).ok()?;
        let range = at..at.checked_add(size).filter(|&end| end <= len)?;
        let column = self.columns.get_mut(SLOT_PACKED)?.as_mut()?;
        let patch = column.bytes(store.body, size)?;
        let bytes = column.bytes_at(store.body, base, len)?;
        Some(match count > store.most {
            true => Content::TooLarge { len: count },
            false => Content::Array(unpack(letter, &patched(bytes, range, patch))),
        })
    }

    fn content(&mut self, store: Store<'_>) -> Option<Content> {
        let word = self.word(SLOT_SECOND, store.body)?;
        let (form, letter, count) = (word & 0xff, (word >> 8) as u8, word >> 16);
        if count > MAX_COUNT && form != FORM_TOO_LARGE {
            return None;
        }
        match form {
            FORM_PRIMITIVES => {
                let len = usize::try_from(count)
                    .ok()?
                    .checked_mul(packed_width(letter)?)?;
                let column = self.columns.get_mut(SLOT_PACKED)?.as_mut()?;
                let bytes = column.bytes(store.body, len)?;
                Some(match count > store.most {
                    true => Content::TooLarge { len: count },
                    false => Content::Array(unpack(letter, bytes)),
                })
            }
            FORM_PATCHED => self.patched(letter, count, store),
            FORM_ENTRIES if count % 2 != 0 => None,
            FORM_ARRAY | FORM_ELEMENTS | FORM_ENTRIES => {
                Some(references(form, self.references(SLOT_THIRD, count, store)?))
            }
            FORM_TEXT => match self.reference(SLOT_THIRD, store)? {
                Value::Str(text) => Some(Content::Text(text)),
                _ => None,
            },
            FORM_TOO_LARGE => Some(Content::TooLarge { len: count }),
            FORM_FIELDS => {
                let parts = self.references(SLOT_THIRD, count.checked_mul(3)?, store)?;
                fields(parts).map(Content::Fields)
            }
            _ => None,
        }
    }
}

#[derive(Clone, Copy)]
struct Store<'a> {
    body: &'a [u8],
    strings: &'a [JavaString],
    /// See [`Events::elements`].
    most: u64,
}

/// The events of a chunk in one direction. Ends after the first error.
#[derive(Debug)]
pub(crate) struct Events {
    body: Vec<u8>,
    strings: Vec<JavaString>,
    groups: Vec<Group>,
    order: std::vec::IntoIter<u32>,
    direction: Direction,
    /// Forward: payload of the event before, and its group, if the next one repeats it. Backward: the same of the next event, which
    /// was repeated.
    held: Option<(usize, Payload)>,
    /// What is left of the events that one stands for, the next one last.
    apart: Vec<Event>,
    most: u64,
}

impl Iterator for Events {
    type Item = Result<Event, ChunkError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(event) = self.apart.pop() {
            return Some(Ok(event));
        }
        let place = self.order.next()? as usize;
        let group = self.groups.get(place)?;
        let (kind, site, repeats) = (group.kind, group.site, group.repeats);
        let payload = match (self.held.take(), repeats) {
            (None, false) => self.payload(place),
            (Some((before, payload)), true) if self.are_alike(before, place) => Some(payload),
            // Backward, the repeated one comes behind those that repeat it.
            (Some((_, payload)), false) => Some(payload),
            (None, true) if self.direction == Direction::Backward => self.payload_before(place),
            _ => None,
        };
        let Some(payload) = payload else {
            self.order = Vec::new().into_iter();
            return Some(Err(ChunkError::values(site)));
        };
        if self.direction == Direction::Forward && !repeats && self.next_repeats() {
            self.held = Some((place, payload.clone()));
        }
        if self
            .groups
            .get(place)
            .is_some_and(|group| !group.parts.is_empty())
        {
            self.apart = self.take_apart(place, &payload).unwrap_or_default();
            let Some(event) = self.apart.pop() else {
                self.order = Vec::new().into_iter();
                return Some(Err(ChunkError::values(site)));
            };
            return Some(Ok(event));
        }
        Some(Ok(Event {
            kind,
            site,
            payload,
        }))
    }
}

impl Events {
    /// Elements of primitive arrays with more than `most` are not wanted: such contents come as if they had been too large.
    pub(crate) fn elements(self, most: u64) -> Self {
        Self { most, ..self }
    }

    /// Passes over the events before the next one that defines an object or says what it holds: how many they are. Oldest first only. What is
    /// passed over is not decoded, so damage in it is not noticed.
    pub(crate) fn pass_operands(&mut self) -> u64 {
        let mut passed = self.apart.len() as u64;
        self.apart.clear();
        self.held = None;
        while let Some(&place) = self.order.as_slice().first()
            && let Some(group) = self.groups.get(place as usize)
            && group.letters.is_some()
        {
            passed += group.parts.len().max(1) as u64;
            self.order.next();
        }
        passed
    }

    /// The events that one of the group `place` stands for, the next one last. `None` if the payload does not fit them.
    fn take_apart(&self, place: usize, payload: &Payload) -> Option<Vec<Event>> {
        let Payload::Operands(values) = payload else {
            return None;
        };
        let mut events = apart(values, &self.groups.get(place)?.parts)?;
        if self.direction == Direction::Forward {
            events.reverse();
        }
        Some(events)
    }

    /// The payload of the next event, which has one of its own and is of the group `place`.
    fn payload(&mut self, place: usize) -> Option<Payload> {
        self.follow_sources(place);
        let store = Store {
            body: &self.body,
            strings: &self.strings,
            most: self.most,
        };
        self.groups.get_mut(place)?.payload(store)
    }

    /// Going backward: the payload of the event before, which one of the group `place` repeats; it is kept for that event.
    fn payload_before(&mut self, place: usize) -> Option<Payload> {
        let before = *self.order.as_slice().first()? as usize;
        if !self.are_alike(before, place) {
            return None;
        }
        let payload = self.payload(before)?;
        self.held = Some((before, payload.clone()));
        Some(payload)
    }

    /// Going forward: does the next event repeat a payload?
    fn next_repeats(&self) -> bool {
        let next = self.order.as_slice().first();
        next.is_some_and(|&place| self.groups.get(place as usize).is_some_and(|g| g.repeats))
    }

    /// Has the group `before` a payload of its own, of the types of the group `place`?
    fn are_alike(&self, before: usize, place: usize) -> bool {
        match (self.groups.get(before), self.groups.get(place)) {
            (Some(before), Some(group)) => {
                !before.repeats && before.letters.is_some() && before.letters == group.letters
            }
            _ => false,
        }
    }

    /// Tells the linked columns of a group what their sources have.
    fn follow_sources(&mut self, place: usize) {
        let links = self.groups.get(place).map_or(0, |group| group.links.len());
        for link in 0..links {
            let (slot, (source, source_slot)) = self.groups[place].links[link];
            let source = self
                .groups
                .get(source)
                .and_then(|g| g.columns.get(source_slot));
            let word = source
                .and_then(Option::as_ref)
                .map_or(0, ColumnReader::last);
            if let Some(column) = &mut self.groups[place].columns[slot] {
                column.follow(word);
            }
        }
    }
}

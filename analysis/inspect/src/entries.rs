//! What the tables of an index have.

use jinsi_steps::code::MethodNo;
use jinsi_trace::model::{ClassNo, EventId, ObjectId, ThreadNo};
use jinsi_trace::varint::{self, Reader, unzigzag, zigzag};

use jinsi_packed::{Entry, Key, read_key, rise, risen, write_key};
use jinsi_steps::moment::At;

/// Some of the elements of an array that are posted together, each a bit.
pub(crate) type Elements = u64;

/// Of so many stretches together it is known which elements they are about.
pub(crate) const GROUP: usize = 16;

/// In which stretches something happened, by their numbers among those of all threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Posted {
    pub(crate) key: Key,
    /// Rising.
    pub(crate) places: Vec<u32>,
    /// To which elements, by groups of places.
    elements: Vec<Elements>,
}

impl Posted {
    pub(crate) fn new(key: Key, place: u32, elements: Elements) -> Self {
        Self {
            key,
            places: vec![place],
            elements: vec![elements],
        }
    }

    /// It happened in one more stretch, or in the last one.
    pub(crate) fn meet(&mut self, place: u32, elements: Elements) {
        if self.places.last() != Some(&place) {
            if self.places.len().is_multiple_of(GROUP) {
                self.elements.push(0);
            }
            self.places.push(place);
        }
        if let Some(last) = self.elements.last_mut() {
            *last |= elements;
        }
    }

    /// Are elements distinguished? In few stretches they are not, and what is no element has none.
    pub(crate) fn has_groups(&self) -> bool {
        self.places.len() > GROUP && self.elements.iter().any(|group| *group != 0)
    }

    /// The stretches in which it may have happened to an element.
    pub(crate) fn places_of(&self, element: Option<u32>) -> Vec<u32> {
        let Some(element) = element.filter(|_| self.has_groups()) else {
            return self.places.clone();
        };
        let groups = self.places.chunks(GROUP).zip(&self.elements);
        let groups = groups.filter(|(_, elements)| **elements >> element & 1 == 1);
        groups.flat_map(|(places, _)| places).copied().collect()
    }
}

impl Entry for Posted {
    fn key(&self) -> Key {
        self.key
    }

    fn write(&self, before: Option<&Self>, out: &mut Vec<u8>) {
        write_key(before.map(Self::key), self.key, out);
        // Most happens in one stretch only, and near what is beside it.
        let has_groups = self.has_groups();
        let more = self.places.len() as u64 - 1;
        varint::write(out, more << 1 | u64::from(has_groups));
        let mut last = before.map_or(0, |before| before.places[0]);
        for (at, place) in self.places.iter().enumerate() {
            match at {
                0 => varint::write(out, zigzag(i64::from(*place) - i64::from(last))),
                _ => rise(u64::from(last), u64::from(*place), out),
            }
            last = *place;
        }
        // It is often the same elements, or all of them.
        let mut same = Elements::MAX;
        for elements in self.elements.iter().filter(|_| has_groups) {
            varint::write(out, elements ^ same);
            same = *elements;
        }
    }

    fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
        let key = read_key(before.map(Self::key), from)?;
        let count = from.number()?;
        let (more, has_groups) = (usize::try_from(count >> 1).ok()?, count & 1 == 1);
        let last = before.map_or(0, |before| before.places[0]);
        let first = i64::from(last).checked_add(unzigzag(from.number()?))?;
        let mut places = vec![u32::try_from(first).ok()?];
        for at in 0..more {
            let place = risen(u64::from(places[at]), from)?;
            places.push(u32::try_from(place).ok()?);
        }
        let mut elements = Vec::new();
        let mut same = Elements::MAX;
        for _ in places.chunks(GROUP).filter(|_| has_groups) {
            same ^= from.number()?;
            elements.push(same);
        }
        Some(Self {
            key,
            places,
            elements,
        })
    }
}

/// The same, of one thread, and how often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) key: Key,
    /// Stretch, rising, and how often.
    pub(crate) places: Vec<(u32, u32)>,
}

impl Entry for Counted {
    // What runs together has the same numbers.
    const BYTES: usize = 1 << 19;

    fn key(&self) -> Key {
        self.key
    }

    fn write(&self, before: Option<&Self>, out: &mut Vec<u8>) {
        write_key(before.map(Self::key), self.key, out);
        varint::write(out, self.places.len() as u64);
        let mut last = 0;
        for (place, _) in &self.places {
            rise(last, u64::from(*place), out);
            last = u64::from(*place);
        }
        // Those of a kind side by side pack better.
        for (_, count) in &self.places {
            varint::write(out, u64::from(*count));
        }
    }

    fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
        let key = read_key(before.map(Self::key), from)?;
        let mut places = Vec::new();
        let mut last = 0;
        for _ in 0..from.count()? {
            last = risen(last, from)?;
            places.push((u32::try_from(last).ok()?, 0));
        }
        for (_, count) in &mut places {
            *count = u32::try_from(from.number()?).ok()?;
        }
        Some(Self { key, places })
    }
}

/// What is known of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) id: ObjectId,
    pub(crate) class: ClassNo,
    /// Of an array.
    pub(crate) length: Option<u32>,
}

impl Entry for Known {
    fn key(&self) -> Key {
        (self.id, 0)
    }

    fn write(&self, before: Option<&Self>, out: &mut Vec<u8>) {
        rise(before.map_or(0, |before| before.id), self.id, out);
        let class = (self.class.index() as u64) << 1;
        varint::write(out, class | u64::from(self.length.is_some()));
        if let Some(length) = self.length {
            varint::write(out, u64::from(length));
        }
    }

    fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
        let id = risen(before.map_or(0, |before| before.id), from)?;
        let class = from.number()?;
        let length = match class & 1 {
            0 => None,
            _ => Some(u32::try_from(from.number()?).ok()?),
        };
        let class = ClassNo::checked(class >> 1)?;
        Some(Self { id, class, length })
    }
}

/// Objects with identities in a row, from the first to the last, that got them in the same stretch, by its number among those of all threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    pub(crate) first: ObjectId,
    pub(crate) last: ObjectId,
    pub(crate) place: u32,
}

impl Entry for Made {
    fn key(&self) -> Key {
        (self.last, 0)
    }

    fn write(&self, before: Option<&Self>, out: &mut Vec<u8>) {
        rise(before.map_or(0, |before| before.last), self.first, out);
        rise(self.first, self.last, out);
        let place = before.map_or(0, |before| before.place);
        varint::write(out, zigzag(i64::from(self.place) - i64::from(place)));
    }

    fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
        let first = risen(before.map_or(0, |before| before.last), from)?;
        let last = risen(first, from)?;
        let place = i64::from(before.map_or(0, |before| before.place));
        let place = place.checked_add(unzigzag(from.number()?))?;
        Some(Self {
            first,
            last,
            place: u32::try_from(place).ok()?,
        })
    }
}

/// Where it was recorded what an object holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ContentEvents {
    pub(crate) id: ObjectId,
    /// Rising in each thread.
    pub(crate) events: Vec<EventId>,
}

impl Entry for ContentEvents {
    fn key(&self) -> Key {
        (self.id, 0)
    }

    fn write(&self, before: Option<&Self>, out: &mut Vec<u8>) {
        rise(before.map_or(0, |before| before.id), self.id, out);
        varint::write(out, self.events.len() as u64);
        let mut last = before.and_then(|before| before.events.first()).copied();
        for event in &self.events {
            varint::write(out, u64::from(event.thread));
            let from = last.map_or(0, |last| last.index);
            let far = event.index.wrapping_sub(from).cast_signed();
            varint::write(out, zigzag(far));
            last = Some(*event);
        }
    }

    fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
        let id = risen(before.map_or(0, |before| before.id), from)?;
        let mut events: Vec<EventId> = Vec::new();
        for _ in 0..from.count()? {
            let thread = u32::try_from(from.number()?).ok()?;
            let last = (events.last()).or_else(|| before.and_then(|b| b.events.first()));
            let last = last.map_or(0, |last| last.index);
            let far = unzigzag(from.number()?).cast_unsigned();
            let index = last.wrapping_add(far);
            events.push(EventId { thread, index });
        }
        Some(Self { id, events })
    }
}

/// That an array was given away: the call, from its beginning to its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Escape {
    pub(crate) thread: ThreadNo,
    pub(crate) from: At,
    pub(crate) to: At,
}

/// When an array was given to code that is not recorded, which may have written into it, by calls that did not end in the stretch in which they
/// began.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) array: ObjectId,
    pub(crate) all: Vec<Escape>,
}

impl Entry for Given {
    fn key(&self) -> Key {
        (self.array, 0)
    }

    fn write(&self, before: Option<&Self>, out: &mut Vec<u8>) {
        rise(before.map_or(0, |before| before.array), self.array, out);
        varint::write(out, self.all.len() as u64);
        for escape in &self.all {
            varint::write(out, u64::from(escape.thread));
            for at in [escape.from, escape.to] {
                varint::write(out, at.events);
                varint::write(out, u64::from(at.step));
            }
        }
    }

    fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
        let array = risen(before.map_or(0, |before| before.array), from)?;
        let count = from.count()?;
        let all = (0..count).map(|_| {
            let thread = u32::try_from(from.number()?).ok()?;
            let mut at = || {
                Some(At {
                    events: from.number()?,
                    step: u32::try_from(from.number()?).ok()?,
                })
            };
            let (from, to) = (at()?, at()?);
            Some(Escape { thread, from, to })
        });
        let all = all.collect::<Option<Vec<_>>>()?;
        Some(Self { array, all })
    }
}

/// An activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Index of its first event.
    pub(crate) began: u64,
    /// So many events lie before its end; [`Row::OPEN`]: the recording ended first.
    pub(crate) ended: u64,
    /// The first event of the activation around it.
    pub(crate) parent: Option<u64>,
    pub(crate) method: MethodNo,
}

impl Row {
    /// It has no end, or none is known yet.
    pub(crate) const OPEN: u64 = u64::MAX;
}

impl Entry for Row {
    fn key(&self) -> Key {
        (self.began, 0)
    }

    fn write(&self, before: Option<&Self>, out: &mut Vec<u8>) {
        rise(before.map_or(0, |before| before.began), self.began, out);
        varint::write(out, self.method.index() as u64);
        let length = self.ended.wrapping_sub(self.began).cast_signed();
        match self.ended {
            Self::OPEN => varint::write(out, 0),
            _ => varint::write(out, zigzag(length) + 1),
        }
        let depth = self.parent.map(|parent| self.began.wrapping_sub(parent));
        varint::write(out, depth.map_or(0, |depth| depth + 1));
    }

    fn read(before: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
        let began = risen(before.map_or(0, |before| before.began), from)?;
        let method = MethodNo::checked(from.number()?)?;
        let ended = match from.number()?.checked_sub(1) {
            Some(length) => began.wrapping_add(unzigzag(length).cast_unsigned()),
            None => Self::OPEN,
        };
        let depth = from.number()?.checked_sub(1);
        Some(Self {
            began,
            ended,
            parent: depth.map(|depth| began.wrapping_sub(depth)),
            method,
        })
    }
}

/// Bytes by number: a place where a walk can begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Saved {
    pub(crate) no: u64,
    pub(crate) bytes: Vec<u8>,
}

impl Entry for Saved {
    const MOST: usize = 128;
    // What is open for long is the same in all of them, and packs well.
    const BYTES: usize = 1 << 20;

    fn key(&self) -> Key {
        (self.no, 0)
    }

    fn write(&self, _: Option<&Self>, out: &mut Vec<u8>) {
        varint::write(out, self.no);
        varint::write(out, self.bytes.len() as u64);
        out.extend_from_slice(&self.bytes);
    }

    fn read(_: Option<&Self>, from: &mut Reader<'_>) -> Option<Self> {
        let no = from.number()?;
        let count = from.count()?;
        let bytes = from.bytes(count)?.to_vec();
        Some(Self { no, bytes })
    }
}

//! The index: where a walk can begin, and which stretches of the recording a question is about.
//!
//! It is made in one pass ([`build`]), is kept packed in memory, and is the same in a file ([`file`]).

pub(crate) mod build;
pub(crate) mod file;
mod gathered;
mod runs;
mod stretches;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use jinsi_steps::code::{FieldNo, MethodNo, Program};
use jinsi_steps::parked::Parked;
use jinsi_steps::walk::{Location, Walker};
use jinsi_trace::model::{ObjectId, ThreadNo};
use jinsi_trace::reader::{ReadError, Trace};
use jinsi_trace::varint::Reader;

use crate::entries::Escape;
pub(crate) use crate::entries::Row;
use crate::entries::{Counted, Elements, Given, Made, Posted, Saved};
use crate::facts::Facts;
use crate::machine::Snapshot;
use jinsi_packed::{Key, Table};
use jinsi_steps::moment::At;
use jinsi_steps::order::Order;
use jinsi_steps::tape::{Recorder, Tape};

/// Events of a stretch: of more of them the index is smaller, and a question takes longer.
pub(crate) const STRETCH: u64 = 3 << 12;
/// So many elements of an array are posted under one name: a bit each.
const BLOCK: u32 = Elements::BITS;

/// Number of a stretch among those of its thread.
pub(crate) type StretchNo = u32;

/// What is posted together: a variable in memory, or some of an array's elements.
fn name_of(location: Location) -> Key {
    match location {
        Location::Static(field) => (0, field.index() as u64),
        Location::Field(object, field) => (object, (field.index() as u64) << 1),
        Location::Element(array, index) => (array, u64::from(index / BLOCK) << 1 | 1),
    }
}

/// Which of the elements that are posted together it is.
fn element_of(location: Location) -> Option<u32> {
    match location {
        Location::Element(_, index) => Some(index % BLOCK),
        _ => None,
    }
}

/// The same as a bit; 0: it is no element.
fn bit_of(location: Location) -> Elements {
    element_of(location).map_or(0, |element| 1 << element)
}

/// Where a walk can begin.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bound {
    pub(crate) parked: Parked,
    pub(crate) snapshot: Snapshot,
}

impl Bound {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.parked.write(&mut bytes);
        self.snapshot.write(&mut bytes);
        bytes
    }

    fn of(bytes: &[u8], program: &Program) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        Some(Self {
            parked: Parked::read(&mut reader, program)?,
            snapshot: Snapshot::read(&mut reader, program)?,
        })
    }
}

/// An exception that went through recorded code, or was caught there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Thrown {
    pub(crate) index: u64,
    pub(crate) throwable: ObjectId,
    pub(crate) caught: bool,
}

/// What the index has of a thread.
#[derive(Debug, Default)]
pub(crate) struct ThreadIndex {
    no: ThreadNo,
    /// So many stretches have the threads before it.
    base: u32,
    /// Where the stretches begin, and where the last one ends.
    bounds: Vec<At>,
    saved: Table<Saved>,
    /// Activations that were begun in no other, or did not end in the stretch in which they began. Who goes through a stretch finds the others.
    long: Table<Row>,
    pub(crate) thrown: Vec<Thrown>,
    /// Stretches in which something was printed.
    pub(crate) prints: Vec<StretchNo>,
}

impl ThreadIndex {
    pub(crate) fn stretches(&self) -> StretchNo {
        self.bounds.len().saturating_sub(1) as StretchNo
    }

    /// The stretch in which what comes behind this is looked for.
    pub(crate) fn stretch_at(&self, at: At) -> StretchNo {
        let behind = self.bounds.partition_point(|bound| *bound <= at);
        let last = self.stretches().saturating_sub(1);
        (behind.saturating_sub(1) as StretchNo).min(last)
    }

    /// Where a stretch begins; of the number of stretches, where the last one ends.
    pub(crate) fn begin(&self, no: StretchNo) -> At {
        self.bounds.get(no as usize).copied().unwrap_or_default()
    }

    /// The state of the thread where a stretch begins.
    ///
    /// # Errors
    /// The index is of another program.
    pub(crate) fn bound(&self, no: StretchNo, facts: &Facts<'_>) -> Result<Bound, ReadError> {
        let saved = self.saved.get((u64::from(no), 0));
        let bound = saved.and_then(|saved| Bound::of(&saved.bytes, &facts.program));
        bound.ok_or_else(|| ReadError::Io {
            path: "(index)".into(),
            source: std::io::ErrorKind::InvalidData.into(),
        })
    }

    /// The activation that begins with this event, if it is one that was begun in no other, or did not end in the stretch in which it began.
    pub(crate) fn long(&self, began: u64) -> Option<Row> {
        self.long.get((began, 0))
    }

    /// Those that were begun in no other, oldest first.
    pub(crate) fn roots(&self) -> impl Iterator<Item = Row> + '_ {
        self.long.iter().filter(|row| row.parent.is_none())
    }
}

/// The index of a trace.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) threads: BTreeMap<ThreadNo, ThreadIndex>,
    pub(crate) order: Order,
    /// Objects and arrays that recorded code made, so that it is known what they held first.
    made: Table<Made>,
    /// What was written, and where; not what of an object was written only in the stretch in which it got its identity.
    written: Table<Posted>,
    /// Arrays that code which is not recorded was given, and may have written into: by calls that began and ended in these stretches, and by
    /// others.
    escape: Table<Posted>,
    long_escapes: Table<Given>,
    /// Where elements were read of such arrays, and of those that the JVM may have filled.
    read: Table<Posted>,
    /// Where lines were come to, and how often, by thread, method and line. Line 0: the method began.
    lines: Table<Counted>,
    /// Activations whose instructions are not known, for all or a part, though their way was recorded.
    pub(crate) lost: u64,
    /// Events that said something else than what was computed.
    pub(crate) contradictions: u64,
}

impl Index {
    /// The stretches in which a variable may have been written: by thread, rising.
    pub(crate) fn written(&self, location: Location) -> Vec<(ThreadNo, StretchNo)> {
        let key = name_of(location);
        match self.written.get(key) {
            Some(posted) => self.places(&posted.places_of(element_of(location))),
            None => self.places(self.made(key.0).map(|made| made.place).as_slice()),
        }
    }

    fn places(&self, places: &[u32]) -> Vec<(ThreadNo, StretchNo)> {
        let places = places.iter().filter_map(|place| self.place(*place));
        places.collect()
    }

    /// The stretch that has this number among those of all threads.
    fn place(&self, place: u32) -> Option<(ThreadNo, StretchNo)> {
        let mut threads = self.threads.values();
        let thread = threads.rfind(|thread| thread.base <= place)?;
        Some((thread.no, place - thread.base))
    }

    /// The objects of which a field was written, rising; not those of which it was written only in the stretch in which they got their identity.
    pub(crate) fn objects_written(&self, field: FieldNo) -> impl Iterator<Item = ObjectId> {
        let name = (field.index() as u64) << 1;
        let written = self.written.iter().map(|posted| posted.key);
        let of_field = written.filter(move |key| key.0 != 0 && key.1 == name);
        of_field.map(|key| key.0)
    }

    /// Objects of which something was written in one of these stretches of a thread, or was read as [`Self::read`] knows; and those that got their
    /// identity there.
    pub(crate) fn touched(
        &self,
        thread: ThreadNo,
        stretches: RangeInclusive<StretchNo>,
    ) -> impl Iterator<Item = ObjectId> {
        let of = self.threads.get(&thread);
        let base = of.map_or(u32::MAX, |thread| thread.base);
        let (first, last) = (base.saturating_add(*stretches.start()), *stretches.end());
        let last = base.saturating_add(last);
        let made = self.made.iter();
        let made = made.filter(move |made| (first..=last).contains(&made.place));
        let made = made.flat_map(|made| made.first..=made.last);
        let all = self.written.iter().chain(self.read.iter());
        let posted = all.filter_map(move |posted| {
            let object = posted.key.0;
            let behind = posted.places.partition_point(|place| *place < first);
            let touched = *posted.places.get(behind)? <= last;
            (object != 0 && touched).then_some(object)
        });
        made.chain(posted)
    }

    /// Arrays that were given away between two places of each thread, and perhaps others.
    pub(crate) fn handed_within(
        &self,
        bounds: impl Fn(ThreadNo) -> (At, At),
    ) -> impl Iterator<Item = ObjectId> {
        let within = move |thread: ThreadNo, from: At, to: At| {
            let (first, last) = bounds(thread);
            first <= to && from <= last
        };
        let is_long_within = {
            let within = &within;
            move |given: &Given| given.all.iter().any(|h| within(h.thread, h.from, h.to))
        };
        let long = self.long_escapes.iter().filter(is_long_within);
        let mut all: Vec<ObjectId> = long.map(|given| given.array).collect();
        for posted in self.escape.iter() {
            let mut places = self.places(&posted.places).into_iter();
            let is_within = places.any(|(thread, no)| {
                let of = &self.threads[&thread];
                within(thread, of.begin(no), of.begin(no + 1))
            });
            all.extend(is_within.then_some(posted.key.0));
        }
        all.into_iter()
    }

    /// Was the array ever given away?
    pub(crate) fn is_handed(&self, array: ObjectId) -> bool {
        let key = (array, 0);
        self.escape.get(key).is_some() || self.long_escapes.get(key).is_some()
    }

    /// The stretches in which an array was given to code that is not recorded, which may have written into it, and came back: by thread, rising.
    pub(crate) fn escape(&self, array: ObjectId) -> Vec<(ThreadNo, StretchNo)> {
        let posted = self.escape.get((array, 0));
        self.places(&posted.map_or_else(Vec::new, |posted| posted.places))
    }

    /// When that was, where the call did not end in the stretch in which it began.
    pub(crate) fn long_escapes(&self, array: ObjectId) -> Vec<Escape> {
        let given = self.long_escapes.get((array, 0));
        given.map_or_else(Vec::new, |given| given.all)
    }

    /// The stretches in which an element of an array that was given away, or that the JVM may have filled, or one near it, was read: by thread, rising.
    pub(crate) fn read(&self, location: Location) -> Vec<(ThreadNo, StretchNo)> {
        let posted = self.read.get(name_of(location));
        self.places(&posted.map_or_else(Vec::new, |p| p.places_of(element_of(location))))
    }

    /// Did recorded code make the object?
    pub(crate) fn is_made(&self, id: ObjectId) -> bool {
        self.made(id).is_some()
    }

    fn made(&self, id: ObjectId) -> Option<Made> {
        let next = self.made.from((id, 0)).next();
        next.filter(|made| made.first <= id)
    }

    /// The stretch in which an object got its identity, if recorded code made it.
    pub(crate) fn named_in(&self, id: ObjectId) -> Option<(ThreadNo, StretchNo)> {
        self.place(self.made(id)?.place)
    }

    /// Stretches of a thread in which a line of these methods was come to, rising, and how often; of line 0, in which they began.
    pub(crate) fn lines(
        &self,
        thread: ThreadNo,
        methods: &[MethodNo],
        line: u16,
    ) -> Vec<(StretchNo, u64)> {
        let mut all: BTreeMap<StretchNo, u64> = BTreeMap::new();
        for method in methods {
            let counted = self.lines.get(line_of(thread, *method, line));
            for (no, count) in counted.into_iter().flat_map(|counted| counted.places) {
                *all.entry(no).or_default() += u64::from(count);
            }
        }
        all.into_iter().collect()
    }

    /// How often each method began.
    pub(crate) fn counts(&self) -> BTreeMap<MethodNo, u64> {
        let mut counts = BTreeMap::new();
        for counted in self.lines.iter().filter(|counted| counted.key.1 == 0) {
            let Some(method) = MethodNo::checked(counted.key.0 & u64::from(u32::MAX)) else {
                continue;
            };
            let all = counted.places.iter().map(|(_, count)| u64::from(*count));
            *counts.entry(method).or_default() += all.sum::<u64>();
        }
        counts
    }
}

/// By what a line of a method is found, as a thread ran it.
fn line_of(thread: ThreadNo, method: MethodNo, line: u16) -> Key {
    let method = method.index() as u64;
    (u64::from(thread) << 32 | method, u64::from(line))
}

/// The stretch between two places where a walk can begin, in the memory of a tape that is not needed any more.
pub(crate) fn read_stretch(
    (trace, program): (&Trace, &Program),
    thread: ThreadNo,
    from: &Parked,
    to: &Parked,
    memory: Tape,
) -> Result<Tape, ReadError> {
    let mut recorder = Recorder::new(program, to, memory);
    let mut walker = Walker::resume(trace, program, thread, to)?;
    walker.run_back_to(from.events, &mut recorder)?;
    Ok(recorder.finish())
}

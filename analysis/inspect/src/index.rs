//! The index: where a walk can begin, and which stretches of the recording a question is about.
//!
//! It is made in one pass ([`build`]), is kept packed in memory, and is the same in a file ([`file`]).

pub(crate) mod build;
pub(crate) mod entries;
pub(crate) mod file;
mod gathered;
mod runs;
pub(crate) mod table;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use jinsi_steps::code::{FieldNo, MethodNo, Program};
use jinsi_steps::parked::Parked;
use jinsi_steps::walk::{Location, Walker};
use jinsi_trace::model::{ObjectId, ThreadNo};
use jinsi_trace::reader::{ReadError, Trace};
use jinsi_trace::varint::Reader;

use crate::facts::Facts;
use crate::handed::Handed;
use crate::machine::Snapshot;
use crate::tape::{Recorder, Tape};
pub(crate) use entries::Row;
use entries::{Counted, Given, Posted, Range, Saved};
use jinsi_steps::moment::At;
use jinsi_steps::order::Order;
use table::{Key, Table};

/// Events of a stretch.
pub(crate) const STRETCH: u64 = 1 << 13;
/// So many elements of an array are written under one name.
const BLOCK: u32 = 64;

/// Number of a stretch among those of its thread.
pub(crate) type StretchNo = u32;

/// What is written together: a variable in memory, or some of an array's elements.
fn name_of(location: Location) -> Key {
    match location {
        Location::Static(field) => (0, field.index() as u64),
        Location::Field(object, field) => (object, (field.index() as u64) << 1),
        Location::Element(array, index) => (array, u64::from(index / BLOCK) << 1 | 1),
    }
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
    made: Table<Range>,
    written: Table<Posted>,
    /// Arrays that code which is not recorded was given, and may have written into.
    handed: Table<Given>,
    /// Where elements of such arrays were read.
    read: Table<Posted>,
    /// Where lines were come to, and how often, by thread, method and line. Line 0: the method began.
    lines: Table<Counted>,
    /// Activations whose instructions are not known, for all or a part, though their way was recorded.
    pub(crate) lost: u64,
    /// Events that said something else than what was computed.
    pub(crate) contradictions: u64,
}

impl Index {
    /// The stretches in which a variable, or one near it, was written: by thread, rising.
    pub(crate) fn written(&self, location: Location) -> Vec<(ThreadNo, StretchNo)> {
        self.places(self.written.get(name_of(location)))
    }

    fn places(&self, posted: Option<Posted>) -> Vec<(ThreadNo, StretchNo)> {
        let places = posted.map_or_else(Vec::new, |posted| posted.places);
        let places = places.iter().filter_map(|place| self.place(*place));
        places.collect()
    }

    /// The stretch that has this number among those of all threads.
    fn place(&self, place: u32) -> Option<(ThreadNo, StretchNo)> {
        let mut threads = self.threads.values();
        let thread = threads.rfind(|thread| thread.base <= place)?;
        Some((thread.no, place - thread.base))
    }

    /// The objects of which a field was written, rising.
    pub(crate) fn objects_written(&self, field: FieldNo) -> Vec<ObjectId> {
        let name = (field.index() as u64) << 1;
        let written = self.written.iter().map(|posted| posted.key);
        let of_field = written.filter(|key| key.0 != 0 && key.1 == name);
        of_field.map(|key| key.0).collect()
    }

    /// Objects of which something was written in one of these stretches of a thread, or was read of an array that had been given away.
    pub(crate) fn touched(
        &self,
        thread: ThreadNo,
        stretches: RangeInclusive<StretchNo>,
    ) -> impl Iterator<Item = ObjectId> {
        let of = self.threads.get(&thread);
        let base = of.map_or(u32::MAX, |thread| thread.base);
        let (first, last) = (base.saturating_add(*stretches.start()), *stretches.end());
        let last = base.saturating_add(last);
        let all = self.written.iter().chain(self.read.iter());
        all.filter_map(move |posted| {
            let object = posted.key.0;
            let behind = posted.places.partition_point(|place| *place < first);
            let touched = *posted.places.get(behind)? <= last;
            (object != 0 && touched).then_some(object)
        })
    }

    /// Arrays that were given away, and when.
    pub(crate) fn all_handed(&self) -> impl Iterator<Item = (ObjectId, Vec<Handed>)> {
        self.handed.iter().map(|given| (given.array, given.all))
    }

    /// When an array was given to code that is not recorded, which may have written into it.
    pub(crate) fn handed(&self, array: ObjectId) -> Vec<Handed> {
        let given = self.handed.get((array, 0));
        given.map_or_else(Vec::new, |given| given.all)
    }

    /// The stretches in which an element of an array that was given away, or one near it, was read: by thread, rising.
    pub(crate) fn read(&self, location: Location) -> Vec<(ThreadNo, StretchNo)> {
        self.places(self.read.get(name_of(location)))
    }

    /// Did recorded code make the object?
    pub(crate) fn is_made(&self, id: ObjectId) -> bool {
        let mut behind = self.made.from((id, 0));
        behind.next().is_some_and(|range| range.first <= id)
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

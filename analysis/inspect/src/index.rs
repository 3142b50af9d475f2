//! The index: where a walk can begin, and which stretches of the recording a question is about.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use jinsi_steps::code::{FieldNo, MethodNo};
use jinsi_steps::parked::Parked;
use jinsi_steps::walk::{Ended, Location, Walker};
use jinsi_trace::model::{EventId, EventKind, ObjectId, SiteNo, ThreadNo, Value};
use jinsi_trace::reader::{ReadError, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::facts::Facts;
use crate::handed::{Handed, element_read, given, may_write};
use crate::machine::cell::{Bindings, Cell};
use crate::machine::{Call, Done, Machine, Snapshot, Target};
use crate::moment::At;
use crate::objects::Objects;
use crate::order::Order;
use crate::tape::{Item, Recorder, Tape};

/// Events of a stretch.
pub(crate) const STRETCH: u64 = 1 << 13;
/// So many elements of an array are written under one name.
const BLOCK: u32 = 64;

/// Number of a stretch among those of its thread.
pub(crate) type StretchNo = u32;

/// A variable in memory, or some of an array's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Written {
    One(Location),
    Block(ObjectId, u32),
}

impl Written {
    fn of(location: Location) -> Self {
        match location {
            Location::Element(array, index) => Self::Block(array, index / BLOCK),
            other => Self::One(other),
        }
    }
}

/// An activation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Index of its first event.
    pub(crate) began: u64,
    /// So many events lie before its end; `u64::MAX`: the recording ended first.
    pub(crate) ended: u64,
    /// Row of the activation around it.
    pub(crate) parent: Option<u32>,
    pub(crate) method: MethodNo,
    pub(crate) outcome: Ended,
}

/// Where a walk can begin.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) parked: Parked,
    pub(crate) snapshot: Snapshot,
    pub(crate) at: At,
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
    /// One more than there are stretches.
    pub(crate) bounds: Vec<Bound>,
    /// In the order of their beginnings.
    pub(crate) rows: Vec<Row>,
    /// Where a line was come to, and how often.
    pub(crate) lines: FxHashMap<(MethodNo, u16), Vec<(StretchNo, u32)>>,
    /// Where a call was made that says what it was given.
    pub(crate) calls: FxHashMap<SiteNo, Vec<StretchNo>>,
    pub(crate) thrown: Vec<Thrown>,
}

impl ThreadIndex {
    pub(crate) fn stretches(&self) -> StretchNo {
        self.bounds.len().saturating_sub(1) as StretchNo
    }

    /// The stretch in which what comes behind this is looked for.
    pub(crate) fn stretch_at(&self, at: At) -> StretchNo {
        let behind = self.bounds.partition_point(|bound| bound.at <= at);
        let last = self.stretches().saturating_sub(1);
        (behind.saturating_sub(1) as StretchNo).min(last)
    }

    /// The row of the activation that begins with this event.
    pub(crate) fn row(&self, began: u64) -> Option<u32> {
        let found = self.rows.binary_search_by_key(&began, |row| row.began);
        found.ok().map(|at| at as u32)
    }
}

/// The index of a trace.
#[derive(Debug, Default)]
pub(crate) struct Index {
    pub(crate) threads: BTreeMap<ThreadNo, ThreadIndex>,
    pub(crate) order: Order,
    /// Objects and arrays that recorded code made, so that it is known what they held first.
    pub(crate) made: FxHashSet<ObjectId>,
    written: FxHashMap<Written, Vec<(ThreadNo, StretchNo)>>,
    /// Arrays that code which is not recorded was given, and may have written into.
    handed: FxHashMap<ObjectId, Vec<Handed>>,
    /// Where elements of such arrays were read.
    read: FxHashMap<Written, Vec<(ThreadNo, StretchNo)>>,
    /// Activations whose instructions are not known, for all or a part, though their way was recorded.
    pub(crate) lost: u64,
    /// Events that said something else than what was computed.
    pub(crate) contradictions: u64,
}

impl Index {
    /// The stretches in which a variable, or one near it, was written: by thread, rising.
    pub(crate) fn written(&self, location: Location) -> &[(ThreadNo, StretchNo)] {
        let written = self.written.get(&Written::of(location));
        written.map_or(&[], Vec::as_slice)
    }

    /// The objects of which a field was written, rising.
    pub(crate) fn objects_written(&self, field: FieldNo) -> Vec<ObjectId> {
        let fields = self.written.keys().filter_map(|written| match written {
            Written::One(Location::Field(id, no)) if *no == field => Some(*id),
            _ => None,
        });
        let mut objects: Vec<ObjectId> = fields.collect();
        objects.sort_unstable();
        objects
    }

    /// Objects of which something was written in one of these stretches of a thread, or was read of an array that had been given away.
    pub(crate) fn touched(
        &self,
        thread: ThreadNo,
        stretches: RangeInclusive<StretchNo>,
    ) -> impl Iterator<Item = ObjectId> {
        let all = self.written.iter().chain(&self.read);
        all.filter_map(move |(written, places)| {
            let object = match written {
                Written::One(Location::Field(id, _)) | Written::Block(id, _) => *id,
                Written::One(_) => return None,
            };
            let first = places.partition_point(|place| *place < (thread, *stretches.start()));
            let touched = places.get(first)?;
            (*touched <= (thread, *stretches.end())).then_some(object)
        })
    }

    /// Arrays that were given away, and when.
    pub(crate) fn all_handed(&self) -> impl Iterator<Item = (ObjectId, &[Handed])> {
        self.handed
            .iter()
            .map(|(id, handed)| (*id, handed.as_slice()))
    }

    /// When an array was given to code that is not recorded, which may have written into it.
    pub(crate) fn handed(&self, array: ObjectId) -> &[Handed] {
        self.handed.get(&array).map_or(&[], Vec::as_slice)
    }

    /// The stretches in which an element of an array that was given away, or one near it, was read: by thread, rising.
    pub(crate) fn read(&self, location: Location) -> &[(ThreadNo, StretchNo)] {
        let read = self.read.get(&Written::of(location));
        read.map_or(&[], Vec::as_slice)
    }

    fn wrote(&mut self, location: Location, place: (ThreadNo, StretchNo)) {
        add(&mut self.written, location, place);
    }

    /// Only of arrays that were given away it matters who read them.
    fn forget_reads(&mut self) {
        let handed = &self.handed;
        self.read.retain(|read, _| match read {
            Written::Block(array, _) => handed.contains_key(array),
            Written::One(_) => false,
        });
    }
}

/// Notes that a variable is written or read in a stretch.
fn add(
    all: &mut FxHashMap<Written, Vec<(ThreadNo, StretchNo)>>,
    location: Location,
    place: (ThreadNo, StretchNo),
) {
    let places = all.entry(Written::of(location)).or_default();
    match places.last() {
        Some(last) if *last >= place => {
            if let Err(at) = places.binary_search(&place) {
                places.insert(at, place);
            }
        }
        _ => places.push(place),
    }
}

/// The objects of a trace, and the order of its events.
pub(crate) fn scan(trace: &Trace) -> Result<(Objects, Order), ReadError> {
    let mut objects = Objects::default();
    let mut order = Order::default();
    if let [only] = trace.threads() {
        for (index, event) in (0..).zip(trace.events(only.no)) {
            let thread = only.no;
            objects.meet(EventId { thread, index }, &event?);
        }
        return Ok((objects, order));
    }
    let mut counts: FxHashMap<ThreadNo, u64> = FxHashMap::default();
    for merged in trace.merged() {
        let merged = merged?;
        let count = counts.entry(merged.thread).or_default();
        let at = EventId {
            thread: merged.thread,
            index: *count,
        };
        *count += 1;
        order.meet(at);
        objects.meet(at, &merged.event);
    }
    Ok((objects, order))
}

/// The stretch between two places where a walk can begin.
pub(crate) fn read_stretch(
    facts: &Facts<'_>,
    thread: ThreadNo,
    from: &Parked,
    to: &Parked,
) -> Result<Tape, ReadError> {
    let mut recorder = Recorder::new(&facts.program, to);
    let mut walker = Walker::resume(facts.trace, &facts.program, thread, to)?;
    walker.run_back_to(from.events, &mut recorder)?;
    Ok(recorder.finish())
}

/// Goes over a trace.
pub(crate) struct Builder<'f, 't> {
    facts: &'f Facts<'t>,
    index: Index,
}

/// A write whose object has no identity yet.
struct Pending {
    object: Cell,
    field: FieldNo,
    stretch: StretchNo,
}

impl<'f, 't> Builder<'f, 't> {
    pub(crate) fn new(facts: &'f Facts<'t>, order: Order) -> Self {
        let index = Index {
            order,
            ..Index::default()
        };
        Self { facts, index }
    }

    /// The index of all threads.
    pub(crate) fn build(mut self) -> Result<Index, ReadError> {
        for thread in self.facts.trace.threads() {
            let parked = self.park(thread.no)?;
            let built = self.play(thread.no, parked)?;
            self.index.threads.insert(thread.no, built);
        }
        self.index.forget_reads();
        Ok(self.index)
    }

    /// Where the walk of a thread can begin, oldest first.
    fn park(&mut self, thread: ThreadNo) -> Result<Vec<Parked>, ReadError> {
        struct Nobody;
        impl jinsi_steps::walk::Visitor for Nobody {
            fn opened(&mut self, _: &jinsi_steps::walk::Opening) {}
            fn stepped(&mut self, _: &jinsi_steps::walk::Step<'_>) {}
            fn call_ended(&mut self, _: &jinsi_steps::walk::Step<'_>) {}
            fn call_began(&mut self, _: usize, _: jinsi_steps::walk::EventOperands<'_>) {}
            fn caught(&mut self, _: u32, _: usize, _: ObjectId) {}
            fn began(&mut self) {}
            fn lost(&mut self, _: &'static str) {}
            fn unexplained(&mut self, _: jinsi_steps::walk::Met<'_>, _: Option<Location>) {}
            fn resumed(&mut self, _: usize) {}
            fn outside(&mut self, _: jinsi_steps::walk::Met<'_>, _: Location) {}
        }
        let trace = self.facts.trace;
        let mut walker = Walker::new(trace, &self.facts.program, thread);
        let mut parked = vec![walker.park()];
        let mut left = trace.event_count(thread);
        loop {
            left = left.saturating_sub(1) / STRETCH * STRETCH;
            let more = walker.run_back_to(left, &mut Nobody)?;
            let here = walker.park();
            if parked.last().is_some_and(|last| last.events > here.events) {
                parked.push(here);
            }
            if !more || left == 0 {
                break;
            }
        }
        self.index.lost += walker.walked().lost;
        parked.reverse();
        Ok(parked)
    }

    /// Goes forward over a thread.
    fn play(&mut self, thread: ThreadNo, parked: Vec<Parked>) -> Result<ThreadIndex, ReadError> {
        let mut built = ThreadIndex::default();
        let mut machine = Machine::new(self.facts, &begin(self.facts, &parked), 0);
        let mut open: Vec<u32> = Vec::new();
        let mut pending = Vec::new();
        let mut snapshot = machine.snapshot();
        for (no, pair) in (0..).zip(parked.windows(2)) {
            let tape = read_stretch(self.facts, thread, &pair[0], &pair[1])?;
            built.bounds.push(Bound {
                parked: pair[0].clone(),
                at: machine.now,
                snapshot,
            });
            machine.enter(no);
            let mut over = Over {
                index: &mut self.index,
                built: &mut built,
                open: &mut open,
                pending: &mut pending,
                place: (thread, no),
            };
            over.stretch(self.facts, &mut machine, &tape);
            over.settle(&machine.bindings);
            self.index.made.extend(machine.named.drain(..));
            snapshot = machine.snapshot();
            self.index.contradictions += machine.contradictions;
            machine = Machine::new(self.facts, &snapshot, no);
        }
        built.bounds.push(Bound {
            parked: parked.last().cloned().unwrap_or_default(),
            at: machine.now,
            snapshot,
        });
        Ok(built)
    }
}

/// What was open before the first event that there is, of which nothing is known.
fn begin(facts: &Facts<'_>, parked: &[Parked]) -> Snapshot {
    let frames = parked.first().map_or(&[][..], |p| &p.frames);
    Snapshot::of_lost(facts, frames)
}

/// Goes over a stretch.
struct Over<'a> {
    index: &'a mut Index,
    built: &'a mut ThreadIndex,
    /// Rows of the activations that are open.
    open: &'a mut Vec<u32>,
    pending: &'a mut Vec<Pending>,
    place: (ThreadNo, StretchNo),
}

impl Over<'_> {
    fn stretch(&mut self, facts: &Facts<'_>, machine: &mut Machine<'_, Facts<'_>>, tape: &Tape) {
        for no in 0..tape.items.len() {
            let item = &tape.items[no];
            if let (Some(at), Some(top)) = (machine.point(item), machine.top()) {
                let method = top.method;
                let line = facts.line_starts(method).get(at as usize).copied();
                if let Some(line) = line.filter(|line| *line != 0) {
                    self.line(method, line);
                }
            }
            let began = match item {
                Item::Began { method, .. } => Some(*method),
                _ => None,
            };
            self.event(item, tape);
            match machine.go(tape, no) {
                Done::Wrote(write) => match write.target {
                    Target::Known(location) => self.index.wrote(location, self.place),
                    Target::FieldOf(object, field) => self.pending.push(Pending {
                        object,
                        field,
                        stretch: self.place.1,
                    }),
                },
                Done::Closed(_, outcome) => {
                    if let Some(row) = self.open.pop() {
                        let row = &mut self.built.rows[row as usize];
                        row.ended = machine.now.events;
                        row.outcome = outcome;
                    }
                }
                Done::Returned(call, _) if !call.entered => self.handed(facts, &call, machine),
                _ => {}
            }
            if let (Some(method), Some(top)) = (began, machine.top()) {
                self.began(method, top.began);
            }
        }
    }

    /// Code that is not recorded has come back with what it was given.
    fn handed(&mut self, facts: &Facts<'_>, call: &Call, machine: &Machine<'_, Facts<'_>>) {
        let body = machine.top().and_then(|top| top.body());
        let instruction = body.and_then(|body| body.instructions.get(call.at as usize));
        let callee = instruction.and_then(|instruction| instruction.target.as_deref());
        if !callee.is_some_and(may_write) {
            return;
        }
        for id in given(call, &machine.bindings).filter(|id| facts.is_array(*id)) {
            let handed = Handed {
                thread: self.place.0,
                from: call.began,
                to: machine.now,
            };
            self.index.handed.entry(id).or_default().push(handed);
        }
    }

    fn began(&mut self, method: MethodNo, began: u64) {
        let row = self.built.rows.len() as u32;
        self.built.rows.push(Row {
            began,
            ended: u64::MAX,
            parent: self.open.last().copied(),
            method,
            outcome: Ended::Unknown,
        });
        self.open.push(row);
    }

    fn line(&mut self, method: MethodNo, line: u16) {
        let places = self.built.lines.entry((method, line)).or_default();
        match places.last_mut() {
            Some((stretch, count)) if *stretch == self.place.1 => *count += 1,
            _ => places.push((self.place.1, 1)),
        }
    }

    fn event(&mut self, item: &Item, tape: &Tape) {
        let Item::Event(no) = item else { return };
        let event = tape.event(*no);
        let kind = event.kind;
        if let Some(element) = element_read(kind, tape.operands(*no)) {
            add(&mut self.index.read, element, self.place);
        }
        match (kind, event.site) {
            (EventKind::Call, Some(site)) => {
                let places = self.built.calls.entry(site).or_default();
                if places.last() != Some(&self.place.1) {
                    places.push(self.place.1);
                }
            }
            (EventKind::Catch | EventKind::ExitThrow, _) => {
                if let Some(Value::Object(throwable)) = tape.operands(*no).first() {
                    self.built.thrown.push(Thrown {
                        index: event.index,
                        throwable: *throwable,
                        caught: kind == EventKind::Catch,
                    });
                }
            }
            _ => {}
        }
    }

    /// Writes whose object has got its identity since.
    fn settle(&mut self, bindings: &Bindings) {
        let mut left = Vec::new();
        for mut write in self.pending.drain(..) {
            if !bindings.settle(&mut write.object) {
                left.push(write);
                continue;
            }
            if let Some(Value::Object(id)) = bindings.value(&write.object) {
                let location = Location::Field(*id, write.field);
                let place = (self.place.0, write.stretch);
                self.index.wrote(location, place);
            }
        }
        *self.pending = left;
    }
}

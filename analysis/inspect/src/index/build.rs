//! Goes over a trace, for its index.

use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;

use jinsi_steps::code::{FieldNo, MethodNo};
use jinsi_steps::parked::Parked;
use jinsi_steps::walk::Location;
use jinsi_trace::model::{EventId, ObjectId, ThreadNo, Value};
use jinsi_trace::reader::{ReadError, Trace};
use rustc_hash::{FxHashMap, FxHashSet};

use super::gathered::Gathered;
use super::runs::Runs;
use super::stretches::{Group, ParkedThread, StretchReader, TOGETHER, park};
use super::{Bound, Index, StretchNo, ThreadIndex, bit_of, line_of, name_of};
use crate::entries::Escape;
use crate::entries::{Counted, Elements, Given, Made, Row, Saved};
use crate::escaped_arrays::escaped_by;
use crate::facts::{Facts, program};
use crate::machine::{Call, Done, Machine, Snapshot, Target};
use crate::objects::Gathering;
use jinsi_packed::{Key, Packer};
use jinsi_steps::cell::{Bindings, Cell, Datum};
use jinsi_steps::order::Order;
use jinsi_steps::tape::{Item, Tape};

/// All that is known of a trace at all moments, and its index.
pub(crate) fn all(trace: &Trace) -> Result<(Facts<'_>, Index), ReadError> {
    let program = program(trace);
    let (scanned, parked) = thread::scope(|scope| {
        let scanning = scope.spawn(|| scan(trace));
        let threads = trace.threads().iter();
        let parked = threads.map(|thread| park(trace, &program, thread.no));
        let parked = parked.collect::<Result<Vec<_>, ReadError>>();
        (joined(scanning), parked)
    });
    let ((objects, order), parked) = (scanned?, parked?);
    let facts = Facts::new(trace, program, objects.finish());
    let index = Builder::new(&facts).build(order, &parked)?;
    Ok((facts, index))
}

/// What a thread of ours has found. If it has panicked, so does this one.
fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// The objects of a trace, and the order of its events.
fn scan(trace: &Trace) -> Result<(Gathering, Order), ReadError> {
    let mut objects = Gathering::default();
    let mut order = Order::default();
    if let [only] = trace.threads() {
        for reported in trace.object_events(only.no) {
            let (index, event) = reported?;
            let thread = only.no;
            objects.meet(EventId { thread, index }, &event);
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

/// Of fewer stretches the code is not analyzed once more for others to read them.
const FEW: usize = 64;
/// So many read at most, and so many groups ahead.
const READERS: usize = 4;
const AHEAD: usize = 2;

/// What is gathered of all threads.
#[derive(Default)]
struct All {
    made: Vec<Made>,
    written: Runs,
    read: Runs,
    escape: Runs,
    long_escapes: FxHashMap<ObjectId, Vec<Escape>>,
    lines: Packer<Counted>,
    lost: u64,
    contradictions: u64,
}

/// Goes over a trace.
struct Builder<'f, 't> {
    facts: &'f Facts<'t>,
    all: All,
}

/// A write whose object has no identity yet.
struct Pending {
    object: Cell,
    field: FieldNo,
    stretch: StretchNo,
}

impl<'f, 't> Builder<'f, 't> {
    fn new(facts: &'f Facts<'t>) -> Self {
        let all = All::default();
        Self { facts, all }
    }

    /// The index of all threads.
    fn build(mut self, order: Order, parked: &[ParkedThread]) -> Result<Index, ReadError> {
        let mut index = Index {
            order,
            ..Index::default()
        };
        let mut base = 0;
        for (thread, parked) in self.facts.trace.threads().iter().zip(parked) {
            let built = self.play(thread.no, base, parked)?;
            self.all.lost += parked.lost;
            base += built.stretches();
            index.threads.insert(thread.no, built);
        }
        let All {
            made, long_escapes, ..
        } = self.all;
        index.lines = self.all.lines.finish();
        let made = one_after_the_other(made);
        let mut births = made.iter().peekable();
        index.written = self.all.written.merge(|posted| {
            while births.next_if(|made| made.last < posted.key.0).is_some() {}
            let birth = births.peek().filter(|made| made.first <= posted.key.0);
            // That is where it is looked for.
            birth.is_none_or(|made| posted.places != [made.place])
        });
        let mut escape: FxHashSet<ObjectId> = long_escapes.keys().copied().collect();
        index.escape = self.all.escape.merge(|posted| {
            escape.insert(posted.key.0);
            true
        });
        // Only of arrays that were given away it matters who read them, and of those that the JVM may have filled.
        let facts = self.facts;
        index.read = (self.all.read).merge(|posted| {
            let array = posted.key.0;
            escape.contains(&array) || facts.is_perhaps_filled(array)
        });
        index.made = made.into_iter().collect();
        let mut long: Vec<_> = long_escapes.into_iter().collect();
        long.sort_unstable_by_key(|(array, _)| *array);
        let long = long.into_iter();
        index.long_escapes = long.map(|(array, all)| Given { array, all }).collect();
        (index.lost, index.contradictions) = (self.all.lost, self.all.contradictions);
        Ok(index)
    }

    /// Goes forward over a thread, before which there are so many stretches. Others read them meanwhile.
    fn play(
        &mut self,
        thread: ThreadNo,
        base: u32,
        parked: &ParkedThread,
    ) -> Result<ThreadIndex, ReadError> {
        let count = parked.stretches();
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let readers = match count < FEW {
            true => 0,
            false => processors.saturating_sub(1).clamp(1, READERS),
        };
        let groups = count.div_ceil(TOGETHER);
        let (trace, program) = self.facts.code();
        let mut over = Over::new(self.facts, &mut self.all, thread, base);
        thread::scope(|scope| {
            let read = |first| {
                let (sender, receiver) = mpsc::sync_channel(AHEAD);
                let (spent, spare) = mpsc::channel::<Tape>();
                scope.spawn(move || {
                    // Ours is not to be shared.
                    let program = crate::facts::program(trace);
                    let mut reader = StretchReader::new((trace, &program), parked, thread);
                    for no in (first..groups).step_by(readers) {
                        let memory = spare.try_iter().take(TOGETHER).collect();
                        if sender.send(reader.read(no, memory)).is_err() {
                            break;
                        }
                    }
                });
                (receiver, spent)
            };
            let others: Vec<_> = (0..readers).map(read).collect();
            let mut own = StretchReader::new((trace, program), parked, thread);
            let mut group = Group::new();
            over.thread(parked, |no, memory| {
                let reader = (no / TOGETHER).checked_rem(readers);
                if let Some((_, spent)) = reader.and_then(|reader| others.get(reader)) {
                    // It may have read its last.
                    let _ = spent.send(memory);
                }
                if group.is_empty() {
                    group = match reader {
                        // Without an answer it has panicked, and the scope will.
                        Some(reader) => others[reader].0.recv().unwrap_or(Ok(Group::new()))?,
                        None => own.read(no / TOGETHER, Vec::new())?,
                    };
                }
                Ok(group.pop_front().unwrap_or_default())
            })
        })?;
        Ok(over.finish())
    }
}

/// Identities in a row, of a stretch.
fn ranges(mut ids: Vec<ObjectId>, place: u32) -> Vec<Made> {
    ids.sort_unstable();
    let mut ranges: Vec<Made> = Vec::new();
    for id in ids {
        match ranges.last_mut() {
            Some(range) if id <= range.last.saturating_add(1) => range.last = id,
            _ => ranges.push(Made {
                first: id,
                last: id,
                place,
            }),
        }
    }
    ranges
}

/// Those of all stretches, rising. Of two stretches that name an object the first counts.
fn one_after_the_other(mut all: Vec<Made>) -> Vec<Made> {
    all.sort_unstable_by_key(|made| (made.first, made.place));
    let mut rising: Vec<Made> = Vec::new();
    for mut made in all {
        if let Some(before) = rising.last().filter(|before| made.first <= before.last) {
            made.first = before.last.saturating_add(1);
        }
        if made.first <= made.last {
            rising.push(made);
        }
    }
    rising
}

/// An open activation: its first event, and its place, among the rows of the stretch that is gone through if it began there, else among the
/// long ones.
type Opened = (u64, Place);

/// A place among rows.
#[derive(Clone, Copy)]
enum Place {
    Here(usize),
    Long(usize),
}

/// Goes over the stretches of a thread.
struct Over<'a, 't> {
    facts: &'a Facts<'t>,
    all: &'a mut All,
    built: ThreadIndex,
    no: StretchNo,
    open: Vec<Opened>,
    pending: Vec<Pending>,
    /// What began and was written in this stretch.
    rows: Vec<Row>,
    written: FxHashMap<Key, Elements>,
    /// Arrays that were given away in it by calls that began in it, too.
    escape: FxHashSet<ObjectId>,
    saved: Packer<Saved>,
    long: Vec<Row>,
    lines: FxHashMap<(MethodNo, u16), Vec<(StretchNo, u32)>>,
}

impl<'a, 't> Over<'a, 't> {
    fn new(facts: &'a Facts<'t>, all: &'a mut All, thread: ThreadNo, base: u32) -> Self {
        Self {
            facts,
            all,
            built: ThreadIndex {
                no: thread,
                base,
                ..ThreadIndex::default()
            },
            no: 0,
            open: Vec::new(),
            pending: Vec::new(),
            rows: Vec::new(),
            written: FxHashMap::default(),
            escape: FxHashSet::default(),
            saved: Packer::default(),
            long: Vec::new(),
            lines: FxHashMap::default(),
        }
    }

    /// All stretches, one after the other, as `read` gives them, which is given the tape before.
    fn thread(
        &mut self,
        parked: &ParkedThread,
        mut read: impl FnMut(usize, Tape) -> Result<(Tape, Gathered), ReadError>,
    ) -> Result<(), ReadError> {
        let facts = self.facts;
        let mut from = parked.at(0, &facts.program);
        // What was open before the first event that there is, of which nothing is known.
        let mut snapshot = Snapshot::of_lost(facts, &from.frames);
        let mut machine = Machine::new(facts, &snapshot, 0);
        let mut tape = Tape::default();
        for no in 0..parked.stretches() {
            let gathered;
            (tape, gathered) = read(no, tape)?;
            let stretch = no as StretchNo;
            self.enter(stretch, from, snapshot, &machine);
            machine.enter(stretch);
            self.gathered(gathered);
            self.stretch(&mut machine, &tape);
            self.leave(&mut machine);
            snapshot = machine.snapshot();
            machine.go_on(&snapshot, stretch);
            self.forget(&machine.bindings);
            from = parked.at(no + 1, &facts.program);
        }
        self.enter(parked.stretches() as StretchNo, from, snapshot, &machine);
        Ok(())
    }

    /// A stretch begins, or the last one has ended.
    fn enter(
        &mut self,
        no: StretchNo,
        parked: Parked,
        snapshot: Snapshot,
        machine: &Machine<'_, Facts<'_>>,
    ) {
        self.no = no;
        self.built.bounds.push(machine.now);
        let bytes = Bound { parked, snapshot }.bytes();
        let no = u64::from(no);
        self.saved.push(Saved { no, bytes });
    }

    fn stretch(&mut self, machine: &mut Machine<'_, Facts<'_>>, tape: &Tape) {
        for no in 0..tape.items.len() {
            let item = &tape.items[no];
            let (began, reported) = match item {
                Item::Began { method, .. } => (Some(*method), false),
                Item::Step { event, .. } => (None, event.is_some()),
                _ => (None, false),
            };
            match machine.go(tape, no) {
                // Gathered of its event.
                Done::Wrote(write) if reported && write.target.is_element() => {}
                Done::Wrote(write) => self.wrote(write.target),
                Done::Closed(ended, _) => {
                    self.closed(machine.now.events);
                    machine.reuse(*ended);
                }
                Done::Returned(mut call, _) => {
                    if let Some(write) = call.wrote.take() {
                        self.wrote(write.target);
                    }
                    if !call.entered {
                        self.escape(&call, machine);
                    }
                    machine.reuse_call(call);
                }
                Done::Nothing => {}
            }
            if let (Some(method), Some(top)) = (began, machine.top()) {
                self.began(method, top.began);
            }
        }
    }

    fn wrote(&mut self, target: Target) {
        match target {
            Target::Known(location) => {
                *self.written.entry(name_of(location)).or_default() |= bit_of(location);
            }
            Target::FieldOf(object, field) => self.pending.push(Pending {
                object,
                field,
                stretch: self.no,
            }),
        }
    }

    /// Code that is not recorded has come back with what it was given.
    fn escape(&mut self, call: &Call, machine: &Machine<'_, Facts<'_>>) {
        let is_long = call.began < self.built.begin(self.no);
        for id in escaped_by(self.facts, machine, call) {
            if !is_long {
                self.escape.insert(id);
                continue;
            }
            let escape = Escape {
                thread: self.built.no,
                from: call.began,
                to: machine.now,
            };
            self.all.long_escapes.entry(id).or_default().push(escape);
        }
    }

    fn began(&mut self, method: MethodNo, began: u64) {
        let parent = self.open.last().map(|(parent, _)| *parent);
        self.open.push((began, Place::Here(self.rows.len())));
        self.rows.push(Row {
            began,
            ended: Row::OPEN,
            parent,
            method,
        });
    }

    fn closed(&mut self, ended: u64) {
        match self.open.pop() {
            Some((_, Place::Here(row))) => self.rows[row].ended = ended,
            Some((_, Place::Long(row))) => self.long[row].ended = ended,
            None => {}
        }
    }

    fn line(&mut self, method: MethodNo, line: u16, times: u32) {
        let places = self.lines.entry((method, line)).or_default();
        match places.last_mut() {
            Some((last, count)) if *last == self.no => *count += times,
            _ => places.push((self.no, times)),
        }
    }

    /// What a stretch says by itself.
    fn gathered(&mut self, gathered: Gathered) {
        for (method, line, count) in gathered.lines(self.facts) {
            self.line(method, line, count);
        }
        let place = self.built.base + self.no;
        for (what, elements) in gathered.read {
            self.all.read.add(what, place, elements);
        }
        for (what, elements) in gathered.written {
            *self.written.entry(what).or_default() |= elements;
        }
        self.built.thrown.extend(gathered.thrown);
        if gathered.prints {
            self.built.prints.push(self.no);
        }
    }

    /// A stretch has been gone through.
    fn leave(&mut self, machine: &mut Machine<'_, Facts<'_>>) {
        self.settle(&machine.bindings);
        let place = self.built.base + self.no;
        for (what, elements) in self.written.drain() {
            self.all.written.add(what, place, elements);
        }
        for array in self.escape.drain() {
            self.all.escape.add((array, 0), place, 0);
        }
        let named = std::mem::take(&mut machine.bindings.named);
        self.all.made.extend(ranges(named, place));
        self.all.contradictions += machine.bindings.contradictions;
        let rows = std::mem::take(&mut self.rows);
        // Those that are open lie one in the other, so the oldest comes first.
        let mut open = self.open.iter_mut().filter_map(|(_, place)| match place {
            Place::Here(_) => Some(place),
            Place::Long(_) => None,
        });
        for row in &rows {
            if row.ended == Row::OPEN
                && let Some(place) = open.next()
            {
                *place = Place::Long(self.long.len());
            }
            if row.ended == Row::OPEN || row.parent.is_none() {
                self.long.push(*row);
            }
        }
        for row in rows {
            self.line(row.method, 0, 1);
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
                let what = name_of(Location::Field(*id, write.field));
                let place = self.built.base + write.stretch;
                self.all.written.add(what, place, 0);
            }
        }
        self.pending = left;
    }

    /// Writes into objects that nothing refers to any more, as a stretch ends, and that no event has named: none will.
    fn forget(&mut self, bindings: &Bindings) {
        self.pending.retain(|write| match write.object.datum {
            Datum::Open(number, _) => bindings.get(number).is_some(),
            Datum::Unset | Datum::Known(_) => false,
        });
    }

    fn finish(mut self) -> ThreadIndex {
        self.built.saved = self.saved.finish();
        self.built.long = self.long.into_iter().collect();
        let thread = self.built.no;
        let mut lines: Vec<_> = self.lines.into_iter().collect();
        lines.sort_unstable_by_key(|(name, _)| *name);
        for ((method, line), places) in lines {
            let key = line_of(thread, method, line);
            self.all.lines.push(Counted { key, places });
        }
        self.built
    }
}

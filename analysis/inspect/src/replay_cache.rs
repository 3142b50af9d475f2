//! Stretches that have been gone through, kept for the next question about them.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use jinsi_steps::code::MethodNo;
use jinsi_steps::walk::Location;
use jinsi_trace::model::{ObjectId, ThreadNo, Value};
use jinsi_trace::reader::ReadError;
use rustc_hash::FxHashMap;

use crate::entries::Escape;
use crate::escaped_arrays::escaped_by;
use crate::facts::Facts;
use crate::index::{Index, Row, StretchNo, ThreadIndex, read_stretch};
use crate::machine::{Activation, Done, Machine, Snapshot, Target, Write};
use jinsi_steps::cell::{Bindings, Cell};
use jinsi_steps::moment::At;
use jinsi_steps::seen::Seen;
use jinsi_steps::tape::{Item, Tape};

/// How many are kept.
const KEPT: usize = 32;
/// Of how many stretches it is kept what turned out behind them.
const LATER: usize = 8;
/// How many stretches are looked at for the identity of an object that was written to.
const AHEAD: u32 = 64;
/// How many items of the next stretch are looked at for what was not reported yet.
const NEXT: usize = 64;

/// How an object is named later that no event had named when it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// So.
    As(ObjectId),
    /// Its thread never names it.
    Never,
    /// It is not known.
    Unknown,
}

/// A write to memory.
#[derive(Clone, Debug)]
pub(crate) struct ReplayedWrite {
    pub(crate) location: Location,
    pub(crate) value: Seen,
    /// Before which instruction the value was made.
    pub(crate) made: At,
    /// Before the instruction that wrote, and behind it.
    pub(crate) at: At,
    pub(crate) after: At,
    /// The activation that wrote: where it began, its method, the line. None: code outside.
    pub(crate) by: Option<(u64, MethodNo, u16)>,
    /// The value as it was written, if it is an object that no event has named yet.
    fresh: Option<Cell>,
}

/// A stretch.
#[derive(Debug)]
pub(crate) struct ReplayedStretch {
    pub(crate) no: StretchNo,
    /// The state of the thread at its beginning.
    begin: Snapshot,
    pub(crate) tape: Tape,
    /// What turned out in it.
    pub(crate) bindings: Bindings,
    /// Oldest first.
    pub(crate) writes: Vec<ReplayedWrite>,
    /// Where those of each variable are among them, once somebody asked.
    places: OnceCell<FxHashMap<Location, Vec<u32>>>,
    /// Arrays that were given to code which is not recorded, by calls that began in it, too.
    escape: Vec<(ObjectId, Escape)>,
    /// The activations that began in it, in that order.
    pub(crate) rows: Vec<Row>,
}

impl ReplayedStretch {
    /// The writes of a variable in it, oldest first.
    pub(crate) fn writes_of(
        &self,
        location: Location,
    ) -> impl DoubleEndedIterator<Item = &ReplayedWrite> {
        let places = self.places.get_or_init(|| {
            let mut places: FxHashMap<Location, Vec<u32>> = FxHashMap::default();
            for (no, write) in (0..).zip(&self.writes) {
                places.entry(write.location).or_default().push(no);
            }
            places
        });
        let places = places.get(&location).map_or(&[][..], Vec::as_slice);
        places.iter().map(|no| &self.writes[*no as usize])
    }

    /// When this array was given away in it, oldest first.
    pub(crate) fn escapes_of(&self, array: ObjectId) -> impl DoubleEndedIterator<Item = Escape> {
        let all = self.escape.iter().filter(move |(id, _)| *id == array);
        all.map(|(_, escape)| *escape)
    }
}

/// What turned out in a stretch and behind it.
type Later = ((ThreadNo, StretchNo), Rc<Bindings>);

/// Those that were gone through last.
#[derive(Debug, Default)]
pub(crate) struct ReplayCache {
    replayed: RefCell<Vec<(ThreadNo, Rc<ReplayedStretch>)>>,
    /// What turned out behind a stretch.
    later: RefCell<Vec<Later>>,
}

/// What is needed to go through a stretch.
#[derive(Clone, Copy)]
pub(crate) struct Player<'a, 't> {
    pub(crate) facts: &'a Facts<'t>,
    pub(crate) index: &'a Index,
    pub(crate) cache: &'a ReplayCache,
}

/// A write while its stretch is gone through.
struct Seeking {
    target: Target,
    value: Cell,
    at: At,
    after: At,
    by: Option<(u64, MethodNo, u16)>,
}

impl Seeking {
    /// Of the innermost activation, if its code wrote; between these two places.
    fn of(write: Write, top: Option<&Activation>, (before, after): (At, At)) -> Self {
        Self {
            target: write.target,
            value: write.value,
            at: top.and_then(|top| top.at).map_or(before, |(_, at)| at),
            after,
            by: top.map(|top| (top.began, top.method, top.line)),
        }
    }

    /// What was written, and where, once all of the stretch is known.
    fn found(&self, bindings: &Bindings) -> Option<ReplayedWrite> {
        let location = match &self.target {
            Target::Known(location) => *location,
            Target::FieldOf(object, field) => {
                let id = object_of(bindings, object)?;
                Location::Field(id, *field)
            }
        };
        let value = bindings.seen(&self.value);
        let is_fresh = matches!(value, Seen::Fresh { .. });
        Some(ReplayedWrite {
            location,
            fresh: is_fresh.then(|| self.value.clone()),
            value,
            made: self.value.made,
            at: self.at,
            after: self.after,
            by: self.by,
        })
    }
}

impl<'a, 't> Player<'a, 't> {
    pub(crate) fn thread(&self, thread: ThreadNo) -> Option<&'a ThreadIndex> {
        self.index.threads.get(&thread)
    }

    /// The stretch with this number, which there must be.
    pub(crate) fn stretch(
        &self,
        thread: ThreadNo,
        no: StretchNo,
    ) -> Result<Rc<ReplayedStretch>, ReadError> {
        let mut cache = self.cache.replayed.borrow_mut();
        let found = cache.iter().position(|(of, s)| *of == thread && s.no == no);
        if let Some(at) = found {
            let kept = cache.remove(at);
            cache.push(kept.clone());
            return Ok(kept.1);
        }
        let replayed = Rc::new(self.play(thread, no)?);
        if cache.len() >= KEPT {
            cache.remove(0);
        }
        cache.push((thread, Rc::clone(&replayed)));
        Ok(replayed)
    }

    /// The activation that begins with this event.
    pub(crate) fn row(&self, thread: ThreadNo, began: u64) -> Result<Option<Row>, ReadError> {
        let Some(index) = self.thread(thread).filter(|index| index.stretches() > 0) else {
            return Ok(None);
        };
        if let Some(row) = index.long(began) {
            return Ok(Some(row));
        }
        // What begins without an event of its own is called by the one that comes next.
        let at = |events| index.stretch_at(At { events, step: 0 });
        for no in at(began.saturating_sub(1))..=at(began.saturating_add(1)) {
            let replayed = self.stretch(thread, no)?;
            if let Some(row) = replayed.rows.iter().find(|row| row.began == began) {
                return Ok(Some(*row));
            }
        }
        Ok(None)
    }

    /// A machine at the beginning of a stretch, which knows all that turned out in it.
    pub(crate) fn machine(&self, replayed: &ReplayedStretch) -> Machine<'a, Facts<'t>> {
        let mut machine = Machine::new(self.facts, &replayed.begin, replayed.no);
        machine.bindings = replayed.bindings.clone();
        machine
    }

    /// The stretch, and the state of the thread at its beginning.
    fn tape(&self, thread: ThreadNo, no: StretchNo) -> Result<(Tape, Snapshot), ReadError> {
        let index = &self.index.threads[&thread];
        let (from, to) = (
            index.bound(no, self.facts)?,
            index.bound(no + 1, self.facts)?,
        );
        let tape = read_stretch(
            self.facts.code(),
            thread,
            &from.parked,
            &to.parked,
            Tape::default(),
        )?;
        Ok((tape, from.snapshot))
    }

    fn play(&self, thread: ThreadNo, no: StretchNo) -> Result<ReplayedStretch, ReadError> {
        let (tape, begin) = self.tape(thread, no)?;
        let mut machine = Machine::new(self.facts, &begin, no);
        let mut seeking = Vec::new();
        let mut rows = Rows::new(&self.index.threads[&thread]);
        let mut escape = Vec::new();
        let first = machine.now;
        for at in 0..tape.items.len() {
            let before = machine.now;
            let done = machine.go(&tape, at);
            rows.meet(&tape.items[at], &done, &machine);
            if let Done::Returned(call, _) = &done
                && !call.entered
                && call.began >= first
            {
                let to = machine.now;
                let from = call.began;
                let by = escaped_by(self.facts, &machine, call).into_iter();
                escape.extend(by.map(|id| (id, Escape { thread, from, to })));
            }
            let wrote = match done {
                Done::Wrote(write) => Some(write),
                Done::Returned(call, _) => call.wrote,
                _ => None,
            };
            if let Some(write) = wrote {
                let is_accessed = matches!(tape.items[at], Item::Accessed { .. });
                let top = machine.top().filter(|_| !is_accessed);
                seeking.push(Seeking::of(write, top, (before, machine.now)));
            }
        }
        self.look_ahead(thread, no, &mut machine, &seeking)?;
        let bindings = machine.bindings;
        let writes: Vec<_> = (seeking.iter())
            .filter_map(|write| write.found(&bindings))
            .collect();
        Ok(ReplayedStretch {
            no,
            begin,
            escape,
            rows: rows.finish(),
            writes,
            places: OnceCell::new(),
            tape,
            bindings,
        })
    }

    /// Which object was written, if no event had named it by then.
    pub(crate) fn named_later(
        &self,
        thread: ThreadNo,
        no: StretchNo,
        write: &ReplayedWrite,
    ) -> Result<Named, ReadError> {
        let Some(cell) = &write.fresh else {
            return Ok(Named::Unknown);
        };
        let known = {
            let later = self.cache.later.borrow();
            let found = later.iter().find(|(of, _)| *of == (thread, no));
            found.map(|(_, bindings)| Rc::clone(bindings))
        };
        let bindings = match known {
            Some(bindings) => bindings,
            None => {
                let bindings = Rc::new(self.later(thread, no)?);
                let mut cache = self.cache.later.borrow_mut();
                if cache.len() >= LATER {
                    cache.remove(0);
                }
                cache.push(((thread, no), Rc::clone(&bindings)));
                bindings
            }
        };
        let is_all = no + AHEAD >= self.index.threads[&thread].stretches();
        Ok(match object_of(&bindings, cell) {
            Some(id) => Named::As(id),
            None if is_all => Named::Never,
            None => Named::Unknown,
        })
    }

    /// What turns out in a stretch and in those behind it.
    fn later(&self, thread: ThreadNo, no: StretchNo) -> Result<Bindings, ReadError> {
        let (tape, begin) = self.tape(thread, no)?;
        let mut machine = Machine::new(self.facts, &begin, no);
        for at in 0..tape.items.len() {
            machine.go(&tape, at);
        }
        let last = self.index.threads[&thread].stretches();
        for next in (no + 1..last).take(AHEAD as usize) {
            let (tape, _) = self.tape(thread, next)?;
            machine.enter(next);
            for at in 0..tape.items.len() {
                machine.go(&tape, at);
            }
        }
        Ok(machine.bindings)
    }

    /// Goes on a little into the stretches behind, where what is not known yet may turn out.
    fn look_ahead(
        &self,
        thread: ThreadNo,
        no: StretchNo,
        machine: &mut Machine<'a, Facts<'t>>,
        seeking: &[Seeking],
    ) -> Result<(), ReadError> {
        let last = self.index.threads[&thread].stretches();
        let nameless = |bindings: &Bindings| {
            seeking.iter().any(|write| match &write.target {
                Target::FieldOf(object, _) => object_of(bindings, object).is_none(),
                Target::Known(_) => false,
            })
        };
        for next in (no + 1..last).take(AHEAD as usize) {
            if next > no + 1 && !nameless(&machine.bindings) {
                break;
            }
            let (tape, _) = self.tape(thread, next)?;
            machine.enter(next);
            for at in 0..tape.items.len() {
                if at > NEXT && at % NEXT == 0 && !nameless(&machine.bindings) {
                    break;
                }
                machine.go(&tape, at);
            }
        }
        Ok(())
    }
}

/// Gathers the activations that begin in a stretch.
struct Rows<'a> {
    index: &'a ThreadIndex,
    all: Vec<Row>,
    /// Those that are open: their places.
    open: Vec<usize>,
}

impl<'a> Rows<'a> {
    fn new(index: &'a ThreadIndex) -> Self {
        Self {
            index,
            all: Vec::new(),
            open: Vec::new(),
        }
    }

    fn meet(&mut self, item: &Item, done: &Done, machine: &Machine<'_, Facts<'_>>) {
        if let Done::Closed(..) = done
            && let Some(row) = self.open.pop()
        {
            self.all[row].ended = machine.now.events;
        }
        if let (Item::Began { method, .. }, Some(top)) = (item, machine.top()) {
            let around = machine.frames.len().checked_sub(2);
            let around = around.and_then(|at| machine.frames.get(at));
            let parent = match self.open.last() {
                Some(row) => Some(self.all[*row].began),
                // What was open before the recording is nobody's.
                None => around.and_then(|frame| Some(self.index.long(frame.began)?.began)),
            };
            self.open.push(self.all.len());
            self.all.push(Row {
                began: top.began,
                ended: Row::OPEN,
                parent,
                method: *method,
            });
        }
    }

    fn finish(mut self) -> Vec<Row> {
        for row in self.open {
            if let Some(long) = self.index.long(self.all[row].began) {
                self.all[row].ended = long.ended;
            }
        }
        self.all
    }
}

fn object_of(bindings: &Bindings, cell: &Cell) -> Option<ObjectId> {
    match bindings.value(cell)? {
        Value::Object(id) => Some(*id),
        _ => None,
    }
}

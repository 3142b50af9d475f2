//! A stretch of a thread's execution, oldest first: instructions, activations and events.

use std::marker::PhantomData;
use std::num::NonZeroU32;

use crate::code::{MethodNo, Program};
use crate::parked::{Parked, ParkedFrame};
use crate::visitor::EventOperands;
use crate::walk::{Ended, Location, Met, Opening, Role, Step, Visitor};
use jinsi_classfile::cfg::BlockNo;
use jinsi_trace::model::{EventKind, ObjectId, SiteNo, Value};

/// Number of something that a tape keeps apart from its items. Items are many, and one thread makes them for another, so they are small.
#[derive(Debug)]
pub struct No<T>(NonZeroU32, PhantomData<T>);

impl<T> Clone for No<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for No<T> {}

impl<T> No<T> {
    /// Of what is put behind so many.
    fn behind(count: usize) -> Self {
        let one_more = u32::try_from(count).unwrap_or(u32::MAX).saturating_add(1);
        Self(
            NonZeroU32::new(one_more).unwrap_or(NonZeroU32::MAX),
            PhantomData,
        )
    }

    /// Puts it behind the others.
    fn push(all: &mut Vec<T>, new: T) -> Self {
        let no = Self::behind(all.len());
        all.push(new);
        no
    }

    /// Of the last, if there is one.
    fn last(all: &[T]) -> Option<Self> {
        Some(Self::behind(all.len().checked_sub(1)?))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Number of an event on a tape.
pub type EventNo = No<TapeEvent>;

/// What happened. All but [`Item::Began`] is about the innermost activation.
#[derive(Clone, Debug)]
pub enum Item {
    /// An activation begins.
    Began {
        /// Its method.
        method: MethodNo,
        /// What it is to the one that it is nested in.
        role: Role,
        /// Are its instructions known?
        stepwise: bool,
    },
    /// It ends.
    Ended(No<Ended>),
    /// An event.
    Event(EventNo),
    /// An instruction other than a call.
    Step {
        /// Its place in the method.
        at: u32,
        /// Did it throw?
        threw: bool,
        /// Its event.
        event: Option<EventNo>,
    },
    /// A call instruction begins.
    CallBegan {
        /// Its place in the method.
        at: u32,
        /// Its event.
        event: Option<EventNo>,
    },
    /// It ends.
    CallEnded {
        /// Its place in the method.
        at: u32,
        /// Did it throw?
        threw: bool,
        /// The event of its end.
        event: Option<EventNo>,
        /// The object that it constructed, if it is known.
        made: Option<No<ObjectId>>,
    },
    /// An exception has reached a handler; 0 if it is not known which.
    Caught(ObjectId),
    /// From here on the instructions are known, but not what they find on the stack.
    Found,
    /// From here on they are not known.
    Lost,
    /// Code that is not recorded accesses a variable, or code whose instructions are not known.
    Accessed {
        /// The variable.
        location: No<Location>,
        /// The event that tells it.
        event: EventNo,
    },
}

/// An event.
#[derive(Clone, Copy, Debug)]
pub struct TapeEvent {
    /// Its index in the thread's stream.
    pub index: u64,
    /// Its kind.
    pub kind: EventKind,
    /// Its site.
    pub site: Option<SiteNo>,
    first: u32,
    count: u32,
}

/// The items, with what they are about.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// What happened, oldest first once the tape is finished.
    pub items: Vec<Item>,
    events: Vec<TapeEvent>,
    values: Vec<Value>,
    endings: Vec<Ended>,
    made: Vec<ObjectId>,
    locations: Vec<Location>,
}

impl Tape {
    /// An event.
    #[inline]
    pub fn event(&self, no: EventNo) -> TapeEvent {
        self.events[no.index()]
    }

    /// How an activation ended.
    #[inline]
    pub fn ending(&self, no: No<Ended>) -> Ended {
        self.endings[no.index()]
    }

    /// An object that a call constructed.
    #[inline]
    pub fn made(&self, no: No<ObjectId>) -> ObjectId {
        self.made[no.index()]
    }

    /// A variable that was accessed.
    #[inline]
    pub fn location(&self, no: No<Location>) -> Location {
        self.locations[no.index()]
    }

    /// Forgets all, and keeps the memory.
    fn clear(&mut self) {
        self.items.clear();
        self.events.clear();
        self.values.clear();
        self.endings.clear();
        self.made.clear();
        self.locations.clear();
    }

    /// The events with their operands, oldest first.
    pub fn events(&self) -> impl Iterator<Item = (TapeEvent, &[Value])> {
        let oldest_first = self.events.iter().rev();
        oldest_first.map(|event| (*event, self.operands_of(event)))
    }

    /// The operands of an event.
    #[inline]
    pub fn operands(&self, no: EventNo) -> &[Value] {
        self.operands_of(&self.events[no.index()])
    }

    fn operands_of(&self, event: &TapeEvent) -> &[Value] {
        &self.values[event.first as usize..][..event.count as usize]
    }
}

/// An activation that is open: method, role, and whether the instructions are known where the walk is.
type Open = (MethodNo, Role, bool);

/// Makes a tape while a walk goes backward.
pub struct Recorder<'a> {
    program: &'a Program,
    open: Vec<Open>,
    tape: Tape,
}

impl<'a> Recorder<'a> {
    /// From there backward, onto a tape that is not needed any more.
    pub fn new(program: &'a Program, from: &Parked, mut tape: Tape) -> Self {
        let frame = |frame: &ParkedFrame| (frame.method, frame.role, frame.stepwise());
        let open = from.frames.iter().map(frame).collect();
        tape.clear();
        Self {
            program,
            open,
            tape,
        }
    }

    /// The tape, oldest first.
    pub fn finish(mut self) -> Tape {
        self.tape.items.reverse();
        self.tape
    }

    fn push(&mut self, item: Item) {
        self.tape.items.push(item);
    }

    /// The event that was taken last, if what is reported next is of it.
    fn event(&self, operands: EventOperands<'_>) -> Option<EventNo> {
        let last = No::last(&self.tape.events)?;
        operands.is_recorded().then_some(last)
    }

    /// The event that was taken last is of code that is not stepped through.
    fn accessed(&mut self, location: Location) {
        if let Some(event) = No::last(&self.tape.events) {
            let location = No::push(&mut self.tape.locations, location);
            self.push(Item::Accessed { location, event });
        }
    }

    /// Do the events on top of the tape, which come later, end the activation that is met?
    fn ends(&self, item: &Item, method: MethodNo) -> bool {
        let Item::Event(no) = item else { return false };
        let event = self.tape.event(*no);
        let place = event.site.and_then(|site| self.program.place(site));
        matches!(
            event.kind,
            EventKind::Path | EventKind::Exit | EventKind::ExitThrow
        ) && place.and_then(|place| place.method) == Some(method)
    }
}

impl Visitor for Recorder<'_> {
    fn took(&mut self, event: Met<'_>, index: u64) {
        let first = self.tape.values.len() as u32;
        let count = event.operands.count();
        for place in 0..count {
            let value = event.operands.value(place).unwrap_or(Value::Null);
            self.tape.values.push(value);
        }
        let event = TapeEvent {
            index,
            kind: event.kind,
            site: event.site,
            first,
            count: count as u32,
        };
        let no = No::push(&mut self.tape.events, event);
        self.push(Item::Event(no));
    }

    fn opened(&mut self, opening: &Opening) {
        self.open
            .push((opening.method, opening.role, opening.stepwise));
        // The events of its end were met before; they are its own.
        let own = self.tape.items.iter().rev().take(2);
        let own = match opening.ended {
            Ended::Unknown => 0,
            _ => (own.take_while(|item| self.ends(item, opening.method))).count(),
        };
        let place = self.tape.items.len() - own;
        let ended = No::push(&mut self.tape.endings, opening.ended);
        self.tape.items.insert(place, Item::Ended(ended));
    }

    fn stepped(&mut self, step: &Step<'_>) {
        let event = self.event(step.event);
        self.push(Item::Step {
            at: step.at as u32,
            threw: step.threw,
            event,
        });
    }

    fn call_ended(&mut self, step: &Step<'_>) {
        let event = self.event(step.event);
        let made = (step.made != 0).then(|| No::push(&mut self.tape.made, step.made));
        self.push(Item::CallEnded {
            at: step.at as u32,
            threw: step.threw,
            event,
            made,
        });
    }

    fn call_began(&mut self, at: usize, operands: EventOperands<'_>) {
        let event = self.event(operands);
        self.push(Item::CallBegan {
            at: at as u32,
            event,
        });
    }

    fn caught(&mut self, _handler: BlockNo, _from: usize, throwable: ObjectId) {
        self.push(Item::Caught(throwable));
    }

    fn began(&mut self) {
        if let Some((method, role, stepwise)) = self.open.pop() {
            self.push(Item::Began {
                method,
                role,
                stepwise,
            });
        }
    }

    fn lost(&mut self, _why: &'static str) {
        if let Some(open) = self.open.last_mut() {
            open.2 = false;
        }
        self.push(Item::Found);
    }

    fn unexplained(&mut self, _event: Met<'_>, location: Option<Location>) {
        if let Some(location) = location {
            self.accessed(location);
        }
    }

    fn resumed(&mut self, _at: usize) {
        if let Some(open) = self.open.last_mut() {
            open.2 = true;
        }
        self.push(Item::Lost);
    }

    fn outside(&mut self, _event: Met<'_>, location: Location) {
        self.accessed(location);
    }
}

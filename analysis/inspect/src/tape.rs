//! A stretch of a thread's execution, oldest first: instructions, activations and events.

use jinsi_classfile::cfg::BlockNo;
use jinsi_steps::code::{MethodNo, Program};
use jinsi_steps::parked::{Parked, ParkedFrame};
use jinsi_steps::visitor::EventOperands;
use jinsi_steps::walk::{Ended, Location, Met, Opening, Role, Step, Visitor};
use jinsi_trace::model::{EventKind, ObjectId, SiteNo, Value};

/// Number of an event on a tape.
pub(crate) type EventNo = u32;

/// What happened. All but [`Item::Began`] is about the innermost activation.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// An activation begins.
    Began {
        method: MethodNo,
        role: Role,
        stepwise: bool,
    },
    /// It ends.
    Ended(Ended),
    /// An event.
    Event(EventNo),
    /// An instruction other than a call.
    Step {
        at: u32,
        threw: bool,
        event: Option<EventNo>,
    },
    /// A call instruction begins.
    CallBegan { at: u32, event: Option<EventNo> },
    /// It ends; the object that it constructed, 0 if none or not known.
    CallEnded {
        at: u32,
        threw: bool,
        event: Option<EventNo>,
        made: ObjectId,
    },
    /// An exception has reached a handler; 0 if it is not known which.
    Caught(ObjectId),
    /// From here on the instructions are known, but not what they find on the stack.
    Found,
    /// From here on they are not known.
    Lost,
    /// Code that is not recorded accesses a variable, or code whose instructions are not known.
    Accessed { location: Location, event: EventNo },
}

/// An event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TapeEvent {
    /// Its index in the thread's stream.
    pub(crate) index: u64,
    pub(crate) kind: EventKind,
    pub(crate) site: Option<SiteNo>,
    first: u32,
    count: u32,
}

/// The items, with the events that they are about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tape {
    pub(crate) items: Vec<Item>,
    events: Vec<TapeEvent>,
    values: Vec<Value>,
}

impl Tape {
    pub(crate) fn event(&self, no: EventNo) -> TapeEvent {
        self.events[no as usize]
    }

    /// The events with their operands, oldest first.
    pub(crate) fn events(&self) -> impl Iterator<Item = (TapeEvent, &[Value])> {
        let numbers = (0..self.events.len() as EventNo).rev();
        numbers.map(|no| (self.event(no), self.operands(no)))
    }

    /// The operands of an event.
    pub(crate) fn operands(&self, no: EventNo) -> &[Value] {
        let event = self.events[no as usize];
        &self.values[event.first as usize..][..event.count as usize]
    }
}

/// An activation that is open: method, role, and whether the instructions are known where the walk is.
type Open = (MethodNo, Role, bool);

/// Makes a tape while a walk goes backward.
pub(crate) struct Recorder<'a> {
    program: &'a Program,
    open: Vec<Open>,
    tape: Tape,
}

impl<'a> Recorder<'a> {
    /// From there backward.
    pub(crate) fn new(program: &'a Program, from: &Parked) -> Self {
        let frame = |frame: &ParkedFrame| (frame.method, frame.role, frame.stepwise());
        Self {
            program,
            open: from.frames.iter().map(frame).collect(),
            tape: Tape::default(),
        }
    }

    /// The tape, oldest first.
    pub(crate) fn finish(mut self) -> Tape {
        self.tape.items.reverse();
        self.tape
    }

    fn push(&mut self, item: Item) {
        self.tape.items.push(item);
    }

    /// The event that was taken last, if what is told next is of it.
    fn event(&self, operands: EventOperands<'_>) -> Option<EventNo> {
        let last = self.tape.events.len().checked_sub(1)?;
        operands.is_recorded().then_some(last as EventNo)
    }

    /// Do the events on top of the tape, which come later, end the activation that is met?
    fn ends(&self, item: &Item, method: MethodNo) -> bool {
        let Item::Event(no) = item else { return false };
        let event = self.tape.events[*no as usize];
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
        let no = self.tape.events.len() as EventNo;
        self.tape.events.push(TapeEvent {
            index,
            kind: event.kind,
            site: event.site,
            first,
            count: count as u32,
        });
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
        self.tape.items.insert(place, Item::Ended(opening.ended));
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
        self.push(Item::CallEnded {
            at: step.at as u32,
            threw: step.threw,
            event,
            made: step.made,
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
        let event = self.tape.events.len().checked_sub(1);
        if let (Some(location), Some(event)) = (location, event) {
            let event = event as EventNo;
            self.push(Item::Accessed { location, event });
        }
    }

    fn resumed(&mut self, _at: usize) {
        if let Some(open) = self.open.last_mut() {
            open.2 = true;
        }
        self.push(Item::Lost);
    }

    fn outside(&mut self, _event: Met<'_>, location: Location) {
        let event = self.tape.events.len().saturating_sub(1) as EventNo;
        self.push(Item::Accessed { location, event });
    }
}

//! All that recorded code of a thread did, oldest first, in one pass.

use std::rc::Rc;

use jinsi_steps::code::{FieldNo, MethodNo};
use jinsi_steps::walk::{Ended, Location};
use jinsi_trace::model::{EventId, EventKind, MemberRef, ObjectId, ThreadNo, Value};
use rustc_hash::FxHashMap;

use crate::Inspector;
use crate::calls::Outcome;
use crate::error::InspectError;
use crate::facts::{Facts, Field};
use crate::machine::{self, Done, Machine, Target};
use crate::memory::Variable;
use crate::point::{Stop, line_of};
use crate::state::{Local, frame, of_type};
use jinsi_steps::moment::{At, Moment};
use jinsi_steps::seen::Seen;
use jinsi_steps::tape::Item;

/// Something that recorded code did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadAct {
    /// When: of what an instruction does, right before it.
    pub at: Moment,
    /// The activation that did it; `None`: code that is not recorded.
    pub activation: Option<EventId>,
    /// Source line, 0 if not known.
    pub line: u16,
    /// What it was.
    pub deed: Deed,
}

/// What recorded code did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// The activation began. The line is its first.
    Began {
        /// Its method.
        method: MemberRef,
        /// The object whose method it is; `None` of static methods.
        this: Option<Seen>,
        /// What it was given.
        arguments: Vec<Seen>,
        /// The activation in which it was begun.
        caller: Option<EventId>,
    },
    /// It came to the line: from another one, from a call, or from further down on the same. Not reported for the line with which it began. The
    /// variables that have a value there.
    Came(Vec<Local>),
    /// It wrote a field or an element.
    Wrote(Variable, Seen),
    /// An exception came to one of its handlers, at this line; 0 if it is not known which.
    Caught {
        /// The exception.
        throwable: ObjectId,
        /// The line of the instruction that threw it, or called what did.
        from: u16,
    },
    /// It ended.
    Ended(Outcome),
}

impl Inspector<'_> {
    /// The place of an event among those of all threads, from 0: an order that contradicts nothing by which they synchronized.
    pub fn rank(&self, event: EventId) -> u64 {
        self.index.order.rank(event)
    }

    /// Source file of a recorded class's code, by the class's internal name.
    pub fn source_file(&self, class: &str) -> Option<&str> {
        self.trace().class_by_name(class)?.source_file.as_deref()
    }

    /// Tells all that recorded code of a thread did, oldest first, until `each` says no.
    ///
    /// # Errors
    /// There is no such thread; the trace cannot be read.
    pub fn thread_acts(
        &self,
        thread: ThreadNo,
        each: &mut dyn FnMut(ThreadAct) -> bool,
    ) -> Result<(), InspectError> {
        let index = self.index.threads.get(&thread);
        let index = index.ok_or(InspectError::NoThread(thread))?;
        let mut telling = Telling {
            inspector: self,
            thread,
            ways: Vec::new(),
            caught: None,
            fields: FxHashMap::default(),
            more: true,
            each,
        };
        for no in 0..index.stretches() {
            let mut stop = Stop::beginning(self.player(), thread, no)?;
            let count = stop.replayed.tape.items.len();
            while stop.item < count && telling.more {
                telling.item(&mut stop);
            }
        }
        telling.flush(At::default(), 0);
        Ok(())
    }
}

/// Where an activation is.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// Its last instruction, and the line of that; `None` before the first.
    last: Option<(u32, u16)>,
    /// Has a call of recorded code come back since?
    back: bool,
}

/// An exception on its way to the handler's first instruction.
struct Flying {
    throwable: ObjectId,
    activation: EventId,
    from: u16,
}

struct Telling<'a, 't> {
    inspector: &'a Inspector<'t>,
    thread: ThreadNo,
    /// Of the open activations, outermost first.
    ways: Vec<Way>,
    caught: Option<Flying>,
    fields: FxHashMap<FieldNo, Option<Field>>,
    more: bool,
    each: &'a mut dyn FnMut(ThreadAct) -> bool,
}

impl Telling<'_, '_> {
    fn tell(&mut self, at: At, activation: Option<EventId>, line: u16, deed: Deed) {
        if self.more {
            self.more = (self.each)(ThreadAct {
                at: at.of(self.thread),
                activation,
                line,
                deed,
            });
        }
    }

    fn name(&self, began: u64) -> EventId {
        EventId {
            thread: self.thread,
            index: began,
        }
    }

    /// Goes past an item.
    fn item(&mut self, stop: &mut Stop<'_, '_>) {
        let replayed = Rc::clone(&stop.replayed);
        let item = &replayed.tape.items[stop.item];
        self.ways.resize(stop.machine.frames.len(), Way::default());
        let before = stop.machine.now;
        if let Some(at) = stop.machine.point(item) {
            self.point(&stop.machine, at);
        }
        let thrown = stop.machine.top().map(|top| (top.began, top.line));
        let done = stop.machine.go(&replayed.tape, stop.item);
        stop.item += 1;
        let machine = &stop.machine;
        match (item, done) {
            (Item::Began { method, .. }, _) => self.began(machine, *method),
            (_, Done::Closed(closed, ended)) => self.closed(machine, &closed, ended, before),
            (Item::Caught(throwable), _) => {
                let throwable = *throwable;
                self.caught = thrown.map(|(began, from)| Flying {
                    throwable,
                    activation: self.name(began),
                    from,
                });
            }
            (Item::Event(no), _) => {
                let event = replayed.tape.event(*no);
                if let (EventKind::Catch, Some(Value::Object(id)), Some(flying)) = (
                    event.kind,
                    replayed.tape.operands(*no).first(),
                    &mut self.caught,
                ) {
                    flying.throwable = *id;
                }
            }
            (item, Done::Wrote(write)) => {
                let outside = matches!(item, Item::Accessed { .. });
                let by = machine.top().filter(|_| !outside);
                let by = by.map(|top| (self.name(top.began), top.line));
                self.wrote(machine, &write, by, before);
            }
            _ => {}
        }
    }

    /// The innermost activation is about to run this instruction.
    fn point(&mut self, machine: &Machine<'_, Facts<'_>>, at: u32) {
        let line = line_of(machine, at);
        self.flush(machine.now, line);
        let Some(top) = machine.top() else { return };
        let here = Way {
            last: Some((at, line)),
            back: false,
        };
        let before = self.ways.last_mut().map(|way| std::mem::replace(way, here));
        let came = before.is_some_and(|way| match way.last {
            None => false,
            Some((last, of)) => line != of || way.back || at <= last && self.begins_line(top, at),
        });
        if came && line != 0 {
            let frame = frame(top, Some(at), &machine.bindings, self.thread);
            let activation = Some(frame.activation);
            self.tell(machine.now, activation, line, Deed::Came(frame.locals));
        }
    }

    /// An exception has come to its handler, if one was on its way there.
    fn flush(&mut self, now: At, line: u16) {
        if let Some(flying) = self.caught.take() {
            let deed = Deed::Caught {
                throwable: flying.throwable,
                from: flying.from,
            };
            self.tell(now, Some(flying.activation), line, deed);
        }
    }

    fn began(&mut self, machine: &Machine<'_, Facts<'_>>, method: MethodNo) {
        self.flush(machine.now, 0);
        let Some(top) = machine.top() else { return };
        let seen = |cell| machine.bindings.seen(cell);
        let first = (top.body()).and_then(|body| body.instructions.iter().find(|i| i.line != 0));
        let given = parameters(top).map(|(slot, desc)| {
            let cell = top.local(slot);
            of_type(machine.bindings.seen(cell), &desc)
        });
        let deed = Deed::Began {
            method: self.inspector.method(method),
            this: top.this.as_ref().map(seen),
            arguments: given.collect(),
            caller: machine
                .frames
                .iter()
                .rev()
                .nth(1)
                .map(|f| self.name(f.began)),
        };
        let line = first.map_or(0, |first| first.line);
        let began = At {
            events: top.began.saturating_add(1),
            step: 0,
        };
        self.ways.push(Way::default());
        self.tell(began, Some(self.name(top.began)), line, deed);
    }

    fn closed(
        &mut self,
        machine: &Machine<'_, Facts<'_>>,
        closed: &machine::Activation,
        ended: Ended,
        before: At,
    ) {
        self.flush(before, 0);
        self.ways.pop();
        if let Some(way) = self.ways.last_mut() {
            way.back = true;
        }
        let gives = closed.code.desc.rsplit(')').next().unwrap_or_default();
        let outcome = match ended {
            Ended::Returned if gives == "V" => Outcome::Returned(None),
            Ended::Returned => Outcome::Returned(
                (closed.result()).map(|cell| of_type(machine.bindings.seen(cell), gives)),
            ),
            Ended::Threw(id) => Outcome::Threw(id),
            Ended::Unknown => Outcome::Open,
        };
        let name = Some(self.name(closed.began));
        self.tell(before, name, closed.line, Deed::Ended(outcome));
    }

    fn wrote(
        &mut self,
        machine: &Machine<'_, Facts<'_>>,
        write: &machine::Write,
        by: Option<(EventId, u16)>,
        before: At,
    ) {
        let location = match &write.target {
            Target::Known(location) => Some(*location),
            Target::FieldOf(object, field) => match machine.bindings.value(object) {
                Some(Value::Object(id)) => Some(Location::Field(*id, *field)),
                _ => None,
            },
        };
        let variable = match location {
            Some(Location::Field(id, no)) => self.field(no).map(|f| Variable::Field(id, f)),
            Some(Location::Static(no)) => self.field(no).map(Variable::Static),
            Some(Location::Element(id, index)) => Some(Variable::Element(id, index)),
            None => None,
        };
        let Some(variable) = variable else { return };
        let value = machine.bindings.seen(&write.value);
        let value = of_type(value, &self.inspector.desc(&variable));
        let line = by.map_or(0, |(_, line)| line);
        let deed = Deed::Wrote(variable, value);
        self.tell(before, by.map(|(name, _)| name), line, deed);
    }

    fn field(&mut self, no: FieldNo) -> Option<Field> {
        let facts = &self.inspector.facts;
        let known = self.fields.entry(no).or_insert_with(|| facts.field(no));
        known.clone()
    }

    fn begins_line(&self, top: &machine::Activation, at: u32) -> bool {
        let starts = self.inspector.facts.line_starts(top.method);
        starts.get(at as usize).is_some_and(|line| *line != 0)
    }
}

/// Slots and types of the parameters, the receiver excepted.
fn parameters(activation: &machine::Activation) -> impl Iterator<Item = (u16, String)> + use<> {
    let declared = jinsi_classfile::descriptor::MethodType::parse(&activation.code.desc);
    let types: Vec<String> = match &declared {
        Ok(method) => method.params.iter().map(|p| p.desc().to_owned()).collect(),
        Err(_) => Vec::new(),
    };
    let slots: Vec<u16> = match activation.body() {
        Some(body) => body.parameters.clone(),
        None => (0..activation.locals.len() as u16).collect(),
    };
    let own = slots.len().saturating_sub(types.len());
    slots.into_iter().skip(own).zip(types)
}

//! What an activation did itself, in order: variables that it wrote, calls, exceptions that it caught.

use jinsi_classfile::effect::Access;
use jinsi_steps::walk::{Ended, Location};
use jinsi_trace::model::{EventId, EventKind, MemberRef, ObjectId, ThreadNo, Value};

use crate::Inspector;
use crate::error::InspectError;
use crate::facts::Facts;
use crate::index::{Row, StretchNo, ThreadIndex};
use crate::machine::{self, Done, Machine, Target};
use crate::memory::Variable;
use crate::point::Stop;
use crate::state::{frame, seen};
use jinsi_steps::moment::{At, Moment};
use jinsi_steps::seen::{Seen, Why};
use jinsi_steps::tape::Item;

/// Something that an activation did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivationEvent {
    /// Source line, 0 if not known.
    pub line: u16,
    /// Right before the instruction that did it.
    pub before: Moment,
    /// Right behind.
    pub after: Moment,
    /// What it was.
    pub what: What,
}

/// What an activation did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// It wrote a variable.
    Wrote {
        /// As an expression of the activation if it has a name there: `lc`, `c[2]`, `this.size`; else by its object: `#42.size`.
        name: String,
        /// The variable, if it is one in memory, and known.
        variable: Option<Variable>,
        /// What was written.
        value: Seen,
    },
    /// It called.
    Called {
        /// The activation; `None`: the callee is not recorded.
        activation: Option<EventId>,
        /// The callee, or what the instruction names.
        method: MemberRef,
    },
    /// An exception came to one of its handlers; 0 if it is not known which.
    Caught(ObjectId),
    /// It returned this; `None`: it gives nothing.
    Returned(Option<Seen>),
    /// An exception ended it; 0 if it is not known which.
    Threw(ObjectId),
}

impl Inspector<'_> {
    /// What an activation did itself, oldest first, from this moment on: what it wrote, whom it called, how it ended. At most so many.
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn activation_events(
        &self,
        activation: EventId,
        from: Moment,
        most: usize,
    ) -> Result<Vec<ActivationEvent>, InspectError> {
        let row = self.row(activation)?;
        let mut gathered = Gathering {
            inspector: self,
            activation,
            from: from.at(),
            most,
            all: Vec::new(),
            called: None,
        };
        let begin = At {
            events: row.began,
            step: 0,
        };
        self.each_item(activation, row, begin.max(from.at()), |stop| {
            gathered.item(stop);
            gathered.all.len() < most
        })?;
        gathered.all.truncate(most);
        Ok(gathered.all)
    }

    /// Goes through the items from a moment on that are the activation's, passing over long calls: what is to be done before and behind an
    /// item is done by `pass`, which goes past it. Until that says no, or the activation has ended.
    pub(crate) fn each_item(
        &self,
        activation: EventId,
        row: Row,
        from: At,
        mut pass: impl FnMut(&mut Stop<'_, '_>) -> bool,
    ) -> Result<(), InspectError> {
        let thread = activation.thread;
        let index = &self.index.threads[&thread];
        let mut no = index.stretch_at(from);
        while no < index.stretches() {
            if index.begin(no).events > row.ended {
                break;
            }
            let mut stop = Stop::beginning(self.player(), thread, no)?;
            let behind = behind(index, no, &stop.machine, activation.index);
            if behind > no {
                no = behind;
                continue;
            }
            let count = stop.replayed.tape.items.len();
            while stop.item < count {
                if !pass(&mut stop) {
                    return Ok(());
                }
            }
            no += 1;
        }
        Ok(())
    }
}

/// Where it goes on with what an activation does itself, for who has come to the beginning of a stretch: if a call that it made goes on
/// beyond the stretch, the one in which that ends.
pub(crate) fn behind(
    index: &ThreadIndex,
    no: StretchNo,
    machine: &Machine<'_, Facts<'_>>,
    began: u64,
) -> StretchNo {
    let caller = machine.frames.iter().position(|frame| frame.began == began);
    let callee = caller.and_then(|at| machine.frames.get(at + 1));
    let Some(row) = callee.and_then(|callee| index.long(callee.began)) else {
        return no;
    };
    let end = At {
        events: row.ended.saturating_sub(1),
        step: 0,
    };
    match row.ended {
        Row::OPEN => no,
        _ => index.stretch_at(end).max(no),
    }
}

/// A call that runs.
struct Calling {
    at: u32,
    line: u16,
    before: At,
    method: MemberRef,
    entered: Option<EventId>,
    depth: usize,
    /// Is it reported, though its callee is not recorded?
    reported: bool,
}

struct Gathering<'a, 't> {
    inspector: &'a Inspector<'t>,
    activation: EventId,
    from: At,
    most: usize,
    all: Vec<ActivationEvent>,
    called: Option<Calling>,
}

impl Gathering<'_, '_> {
    fn thread(&self) -> ThreadNo {
        self.activation.thread
    }

    /// Goes past an item.
    fn item(&mut self, stop: &mut Stop<'_, '_>) {
        let replayed = std::rc::Rc::clone(&stop.replayed);
        let item = &replayed.tape.items[stop.item];
        let own = stop.machine.top().map(|top| top.began) == Some(self.activation.index);
        let depth = stop.machine.frames.len();
        let before = stop.machine.now;
        if own {
            self.call(item, stop);
        }
        let done = stop.machine.go(&replayed.tape, stop.item);
        stop.item += 1;
        let machine = &stop.machine;
        match (item, done) {
            (Item::Step { at, .. }, done) if own => {
                self.step(machine, *at, before, &done);
            }
            (Item::Began { method, .. }, _) => self.began(machine, *method),
            (_, Done::Closed(closed, ended)) if closed.began == self.activation.index => {
                self.closed(machine, &closed, ended, before);
            }
            (Item::CallEnded { .. }, Done::Returned(..)) if own => self.ended(machine.now),
            (Item::Caught(id), _) if own => {
                self.ended(before);
                let line = machine.top().map_or(0, |top| top.line);
                self.add(line, before, machine.now, What::Caught(*id));
            }
            (Item::Event(no), _) if machine.frames.len() == depth && own => {
                let event = replayed.tape.event(*no);
                if event.kind == EventKind::Catch
                    && let Some(Value::Object(id)) = replayed.tape.operands(*no).first()
                    && let Some(ActivationEvent { what, .. }) = self.all.last_mut()
                    && *what == What::Caught(0)
                {
                    *what = What::Caught(*id);
                }
            }
            _ => {}
        }
    }

    fn call(&mut self, item: &Item, stop: &Stop<'_, '_>) {
        let Item::CallBegan { at, event } = item else {
            return;
        };
        let body = stop.machine.top().and_then(|top| top.body());
        let instruction = body.and_then(|b| b.instructions.get(*at as usize));
        let Some((instruction, target)) =
            instruction.and_then(|i| Some((i, i.target.as_deref().cloned()?)))
        else {
            return;
        };
        self.called = Some(Calling {
            at: *at,
            line: instruction.line,
            before: stop.machine.now,
            method: target,
            entered: None,
            depth: stop.machine.frames.len(),
            reported: event.is_some() || instruction.has_events,
        });
    }

    fn began(&mut self, machine: &Machine<'_, Facts<'_>>, method: jinsi_steps::code::MethodNo) {
        let Some(top) = machine.top() else { return };
        let index = top.began;
        let caller = machine.frames.iter().rev().nth(1);
        let is_ours = caller.is_some_and(|caller| caller.began == self.activation.index);
        if !is_ours {
            return;
        }
        let name = EventId {
            thread: self.thread(),
            index,
        };
        let line = caller.map_or(0, |caller| caller.line);
        let calling = self.called.get_or_insert_with(|| Calling {
            at: u32::MAX,
            line,
            before: machine.now,
            method: self.inspector.method(method),
            entered: None,
            depth: machine.frames.len() - 1,
            reported: true,
        });
        if calling.entered.is_none() {
            calling.entered = Some(name);
            calling.method = self.inspector.method(method);
        }
    }

    /// The call has ended.
    fn ended(&mut self, now: At) {
        let Some(calling) = self.called.take() else {
            return;
        };
        if calling.reported || calling.entered.is_some() {
            let what = What::Called {
                activation: calling.entered,
                method: calling.method,
            };
            self.add(calling.line, calling.before, now, what);
        }
    }

    fn step(&mut self, machine: &Machine<'_, Facts<'_>>, at: u32, before: At, done: &Done) {
        // A call that nothing says the end of.
        if self
            .called
            .as_ref()
            .is_some_and(|c| c.at != at || c.depth != machine.frames.len())
        {
            self.ended(before);
        }
        let Some(top) = machine.top() else { return };
        let Some(body) = top.body() else { return };
        let Some(instruction) = body.instructions.get(at as usize) else {
            return;
        };
        let line = instruction.line;
        match (instruction.effect.access, done) {
            (Access::Store(slot) | Access::Increment(slot), _) => {
                // A variable is there from behind the instruction that gives it its first value.
                let bci = body.instructions.get(at as usize + 1).map_or(0, |i| i.bci);
                let mut there = body.variables.iter();
                let found = there.find(|v| v.slot == slot && v.from <= bci && bci < v.to);
                let (name, desc) = match found {
                    Some(variable) => (variable.name.clone(), variable.desc.as_str()),
                    None if body.variables.is_empty() => (format!("slot{slot}"), ""),
                    None => return,
                };
                let value = seen(&machine.bindings, top.local(slot), desc);
                let what = What::Wrote {
                    name,
                    variable: None,
                    value,
                };
                self.add(line, before, machine.now, what);
            }
            (_, Done::Wrote(write)) => {
                let variable = self.variable(machine, &write.target);
                let name = match &variable {
                    Some(variable) => self.name(machine, at, variable),
                    None => "?".to_owned(),
                };
                let value = machine.bindings.seen(&write.value);
                let value = match &variable {
                    Some(variable) => crate::state::of_type(value, &self.inspector.desc(variable)),
                    None => value,
                };
                let what = What::Wrote {
                    name,
                    variable,
                    value,
                };
                self.add(line, before, machine.now, what);
            }
            _ => {}
        }
    }

    fn closed(
        &mut self,
        machine: &Machine<'_, Facts<'_>>,
        closed: &machine::Activation,
        ended: Ended,
        before: At,
    ) {
        self.ended(before);
        let what = match ended {
            Ended::Returned => {
                let result = closed.result().map(|cell| {
                    let desc = closed.code.desc.rsplit(')').next().unwrap_or_default();
                    seen(&machine.bindings, cell, desc)
                });
                What::Returned(result)
            }
            Ended::Threw(id) => What::Threw(id),
            Ended::Unknown => return,
        };
        self.add(closed.line, before, machine.now, what);
    }

    fn add(&mut self, line: u16, before: At, after: At, what: What) {
        if before < self.from || self.all.len() >= self.most {
            return;
        }
        let thread = self.thread();
        self.all.push(ActivationEvent {
            line,
            before: before.of(thread),
            after: after.of(thread),
            what,
        });
    }

    fn variable(&self, machine: &Machine<'_, Facts<'_>>, target: &Target) -> Option<Variable> {
        let facts = &self.inspector.facts;
        let location = match target {
            Target::Known(location) => *location,
            Target::FieldOf(object, field) => match machine.bindings.value(object)? {
                Value::Object(id) => Location::Field(*id, *field),
                _ => return None,
            },
        };
        Some(match location {
            Location::Field(id, no) => Variable::Field(id, facts.field(no)?),
            Location::Static(no) => Variable::Static(facts.field(no)?),
            Location::Element(id, index) => Variable::Element(id, index),
        })
    }

    /// The variable as the activation has it at this instruction.
    fn name(&self, machine: &Machine<'_, Facts<'_>>, at: u32, variable: &Variable) -> String {
        let Some(top) = machine.top() else {
            return variable.to_string();
        };
        let Some(object) = variable.object() else {
            return variable.to_string();
        };
        let frame = frame(top, Some(at), &machine.bindings, self.thread());
        let is_it = |seen: &Seen| *seen == Seen::Known(Value::Object(object));
        let holder = match &frame.this {
            Some(this) if is_it(this) => Some("this".to_owned()),
            _ => {
                let local = frame.locals.iter().find(|local| is_it(&local.value));
                local.map(|local| local.name.clone())
            }
        };
        match (holder, variable) {
            (Some(holder), Variable::Field(_, field)) => format!("{holder}.{}", field.name),
            (Some(holder), Variable::Element(_, index)) => format!("{holder}[{index}]"),
            _ => variable.to_string(),
        }
    }
}

impl std::fmt::Display for Variable {
    /// As a person asks for it: `#42.size`, `#17[3]`, `com.foo.Bar.count`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Variable::Field(id, field) => write!(f, "#{id}.{}", field.name),
            Variable::Static(field) => {
                write!(f, "{}.{}", field.class.replace('/', "."), field.name)
            }
            Variable::Element(id, index) => write!(f, "#{id}[{index}]"),
        }
    }
}

impl What {
    /// The value that is not known, and why, if it is one.
    pub fn unknown(&self) -> Option<Why> {
        match self {
            What::Wrote {
                value: Seen::Unknown(why),
                ..
            } => Some(*why),
            _ => None,
        }
    }
}

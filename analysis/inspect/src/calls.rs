//! Who called whom, with what, and what came of it.

use jinsi_classfile::descriptor::MethodType;
use jinsi_steps::walk::Ended;
use jinsi_trace::model::{EventId, EventKind, MemberRef, ObjectId, ThreadNo, Value};

use crate::Inspector;
use crate::activation_events::behind;
use crate::error::InspectError;
use crate::index::Row;
use crate::machine::{self, Done, Machine};
use crate::point::Stop;
use crate::state::of_type;
use jinsi_steps::cell::Cell;
use jinsi_steps::moment::{At, Moment};
use jinsi_steps::seen::Seen;
use jinsi_steps::tape::Item;

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It returned this; `None`: it gives nothing.
    Returned(Option<Seen>),
    /// By this exception; 0 if it is not known which.
    Threw(ObjectId),
    /// The recording ended first, or it is not known.
    Open,
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The event with which the activation began: its name. `None`: the callee is not recorded.
    pub activation: Option<EventId>,
    /// The method that ran, or that the instruction names.
    pub method: MemberRef,
    /// Source line of the call, 0 if not known.
    pub line: u16,
    /// Receiver, if there is one, and arguments.
    pub arguments: Vec<Seen>,
    /// How it ended.
    pub outcome: Outcome,
    /// Right before the call instruction, or before the activation if that was begun otherwise.
    pub before: Moment,
    /// Right behind.
    pub after: Moment,
}

/// An activation, without what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activation {
    /// The event with which it began: its name.
    pub name: EventId,
    /// Its method.
    pub method: MemberRef,
    /// Source file of its method, if known.
    pub file: Option<String>,
    /// Its end: behind its last event. `None`: the recording ended first.
    pub end: Option<Moment>,
    /// The activation in which it was begun.
    pub caller: Option<EventId>,
}

impl Inspector<'_> {
    /// The activations of a thread that were begun in no other, oldest first.
    ///
    /// # Errors
    /// There is no such thread.
    pub fn outermost(&self, thread: ThreadNo) -> Result<Vec<Activation>, InspectError> {
        let index = self.index.threads.get(&thread);
        let index = index.ok_or(InspectError::NoThread(thread))?;
        let rows = index.roots();
        Ok(rows.map(|row| self.activation_of(thread, &row)).collect())
    }

    /// An activation by its name.
    ///
    /// # Errors
    /// There is none.
    pub fn activation(&self, name: EventId) -> Result<Activation, InspectError> {
        let row = self.row(name)?;
        Ok(self.activation_of(name.thread, &row))
    }

    pub(crate) fn activation_of(&self, thread: ThreadNo, row: &Row) -> Activation {
        let name = |index: u64| EventId { thread, index };
        let end = At {
            events: row.ended,
            step: 0,
        };
        Activation {
            name: name(row.began),
            method: self.method(row.method),
            file: self.facts.program.get(row.method).file.clone(),
            end: (row.ended != Row::OPEN).then(|| end.of(thread)),
            caller: row.parent.map(name),
        }
    }

    /// The calls that an activation made, oldest first; at most so many, from this moment on. Those of code that is not recorded are among
    /// them, as far as the recording has what they were given.
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn callees(
        &self,
        caller: EventId,
        from: Moment,
        most: usize,
    ) -> Result<Vec<Call>, InspectError> {
        let row = self.row(caller)?;
        let mut calls = Vec::new();
        let mut walk = Callees {
            inspector: self,
            caller,
            open: Vec::new(),
            calls: &mut calls,
            most,
            from: from.at(),
        };
        let begin = At {
            events: row.began,
            step: 0,
        };
        walk.run(begin.max(from.at()), row.ended)?;
        Ok(calls)
    }

    /// How an activation ended.
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn outcome(&self, name: EventId) -> Result<Outcome, InspectError> {
        let row = self.row(name)?;
        if row.ended == Row::OPEN {
            return Ok(Outcome::Open);
        }
        let desc = self.method(row.method).desc;
        let gives = desc.rsplit_once(')').map_or("V", |(_, gives)| gives);
        let index = &self.index.threads[&name.thread];
        let last = At {
            events: row.ended.saturating_sub(1),
            step: 0,
        };
        for no in index.stretch_at(last)..index.stretches() {
            if index.begin(no).events > row.ended {
                break;
            }
            let stop = Stop::beginning(self.player(), name.thread, no)?;
            let (mut machine, replayed) = (stop.machine, stop.replayed);
            for at in 0..replayed.tape.items.len() {
                let Done::Closed(closed, ended) = machine.go(&replayed.tape, at) else {
                    continue;
                };
                if closed.began != name.index {
                    continue;
                }
                let seen = |cell: &Cell| of_type(machine.bindings.seen(cell), gives);
                return Ok(match ended {
                    Ended::Returned if gives == "V" => Outcome::Returned(None),
                    Ended::Returned => Outcome::Returned(closed.result().map(seen)),
                    Ended::Threw(id) => Outcome::Threw(id),
                    Ended::Unknown => Outcome::Open,
                });
            }
        }
        Ok(Outcome::Open)
    }

    /// All calls of a thread, callers first, with their depth: what runs within `root`, or all if there is none. At most so many.
    ///
    /// # Errors
    /// There is no such activation; the trace cannot be read.
    pub fn call_tree(
        &self,
        root: EventId,
        most: usize,
    ) -> Result<Vec<(usize, Call)>, InspectError> {
        let mut tree = Vec::new();
        let calls = self.callees(root, Moment::after(root), most)?;
        let mut pending: Vec<(usize, Call)> = calls.into_iter().rev().map(|c| (1, c)).collect();
        while let Some((depth, call)) = pending.pop() {
            if tree.len() >= most {
                break;
            }
            let name = call.activation;
            tree.push((depth, call));
            if let Some(name) = name {
                let calls = self.callees(name, Moment::after(name), most - tree.len())?;
                pending.extend(calls.into_iter().rev().map(|call| (depth + 1, call)));
            }
        }
        Ok(tree)
    }
}

/// A call while the stretches are gone through.
struct Opened {
    call: Call,
    /// How many activations were open around it.
    depth: usize,
}

struct Callees<'a, 't> {
    inspector: &'a Inspector<'t>,
    caller: EventId,
    open: Vec<Opened>,
    calls: &'a mut Vec<Call>,
    most: usize,
    from: At,
}

impl Callees<'_, '_> {
    fn run(&mut self, begin: At, until: u64) -> Result<(), InspectError> {
        let thread = self.caller.thread;
        let player = self.inspector.player();
        let index = &self.inspector.index.threads[&thread];
        let begin = index.stretch_at(begin);
        let mut no = begin;
        while no < index.stretches() {
            if index.begin(no).events > until || self.calls.len() >= self.most {
                break;
            }
            let stop = Stop::beginning(player, thread, no)?;
            let (mut machine, replayed) = (stop.machine, stop.replayed);
            // Nothing is reported of what a long call does.
            let behind = behind(index, no, &machine, self.caller.index);
            no = behind.max(no + 1);
            if behind >= no {
                continue;
            }
            for at in 0..replayed.tape.items.len() {
                self.before(&machine, &replayed.tape.items[at]);
                let done = machine.go(&replayed.tape, at);
                self.after(&machine, done, &replayed, at);
                if self.calls.len() >= self.most {
                    break;
                }
            }
        }
        let left = std::mem::take(&mut self.open);
        let room = self.most.saturating_sub(self.calls.len());
        self.calls
            .extend(left.into_iter().take(room).map(|o| o.call));
        Ok(())
    }

    fn is_caller(&self, machine: &Machine<'_, crate::facts::Facts<'_>>) -> bool {
        let top = machine.top();
        top.is_some_and(|top| top.began == self.caller.index)
    }

    fn before(&mut self, machine: &Machine<'_, crate::facts::Facts<'_>>, item: &Item) {
        let thread = self.caller.thread;
        match item {
            Item::CallBegan { at, event }
                if self.is_caller(machine) && machine.now >= self.from =>
            {
                let body = machine.top().and_then(|top| top.body());
                let Some(instruction) = body.and_then(|b| b.instructions.get(*at as usize)) else {
                    return;
                };
                // What only computes is no call that anybody would miss; what is recorded tells itself.
                let Some(target) = instruction.target.as_deref() else {
                    return;
                };
                if event.is_none() && !instruction.has_events {
                    return;
                }
                self.open.push(Opened {
                    call: Call {
                        activation: None,
                        method: target.clone(),
                        line: instruction.line,
                        arguments: Vec::new(),
                        outcome: Outcome::Open,
                        before: machine.now.of(thread),
                        after: machine.now.of(thread),
                    },
                    depth: machine.frames.len(),
                });
            }
            Item::Began { .. } if self.is_caller(machine) && self.innermost(machine).is_none() => {
                // The JVM or code that is not recorded has begun it, in the course of no call that is reported.
                self.open.push(Opened {
                    call: Call {
                        activation: None,
                        method: MemberRef {
                            owner: "".into(),
                            name: "".into(),
                            desc: "".into(),
                        },
                        line: machine.top().map_or(0, |top| top.line),
                        arguments: Vec::new(),
                        outcome: Outcome::Open,
                        before: machine.now.of(thread),
                        after: machine.now.of(thread),
                    },
                    depth: machine.frames.len(),
                });
            }
            _ => {}
        }
    }

    fn innermost(&self, machine: &Machine<'_, crate::facts::Facts<'_>>) -> Option<usize> {
        let last = self.open.len().checked_sub(1)?;
        (self.open[last].depth == machine.frames.len()).then_some(last)
    }

    fn after(
        &mut self,
        machine: &Machine<'_, crate::facts::Facts<'_>>,
        done: Done,
        replayed: &crate::replay_cache::ReplayedStretch,
        at: usize,
    ) {
        let depth = machine.frames.len();
        let Some(opened) = self.open.last_mut() else {
            return;
        };
        match (&replayed.tape.items[at], done) {
            (Item::Began { method, .. }, _) if depth == opened.depth + 1 => {
                let method = self.inspector.method(*method);
                opened.enter(machine, method, self.caller.thread);
            }
            (_, Done::Closed(closed, ended)) if depth == opened.depth => {
                self.left(machine, &closed, ended);
            }
            (Item::CallEnded { threw, .. }, Done::Returned(call, result))
                if depth == opened.depth =>
            {
                if opened.call.activation.is_none() {
                    let arguments = call.arguments.iter();
                    opened.call.arguments = arguments.map(|c| machine.bindings.seen(c)).collect();
                    opened.call.outcome = match threw {
                        true => Outcome::Threw(0),
                        false => Outcome::Returned(result.map(|cell| machine.bindings.seen(&cell))),
                    };
                }
                opened.call.after = machine.now.of(self.caller.thread);
                self.close();
            }
            (Item::Event(no), _) if depth == opened.depth => {
                let event = replayed.tape.event(*no);
                if let (EventKind::Catch, Some(Value::Object(id))) =
                    (event.kind, replayed.tape.operands(*no).first())
                    && let Some(call) = self.calls.last_mut()
                    && call.outcome == Outcome::Threw(0)
                {
                    call.outcome = Outcome::Threw(*id);
                }
            }
            _ => {}
        }
    }

    /// The activation that the innermost open call began has ended.
    fn left(
        &mut self,
        machine: &Machine<'_, crate::facts::Facts<'_>>,
        closed: &machine::Activation,
        ended: Ended,
    ) {
        let Some(opened) = self.open.last_mut() else {
            return;
        };
        let name = opened.call.activation;
        if name.is_none_or(|name| name.index != closed.began) {
            return;
        }
        let result = closed.result().map(|cell| machine.bindings.seen(cell));
        opened.call.outcome = match ended {
            Ended::Returned => Outcome::Returned(result),
            Ended::Threw(id) => Outcome::Threw(id),
            Ended::Unknown => Outcome::Open,
        };
        opened.call.after = machine.now.of(self.caller.thread);
        let in_call = machine.top().is_some_and(|top| top.call.is_some());
        if !in_call {
            self.close();
        }
    }

    fn close(&mut self) {
        self.calls
            .extend(self.open.pop().map(|opened| opened.call.typed()));
    }
}

impl Call {
    /// Small values are of the types that the method's descriptor says: the JVM computes with `int`s.
    fn typed(mut self) -> Self {
        let Ok(types) = MethodType::parse(&self.method.desc) else {
            return self;
        };
        let receiver = self.arguments.len().saturating_sub(types.params.len());
        for (seen, of) in self.arguments.iter_mut().skip(receiver).zip(&types.params) {
            *seen = of_type(seen.clone(), of.desc());
        }
        if let (Outcome::Returned(Some(seen)), Some(of)) = (&mut self.outcome, types.result) {
            *seen = of_type(seen.clone(), of.desc());
        }
        self
    }
}

impl Opened {
    /// It turned out to be the call of a recorded method, whose activation has just begun.
    fn enter(
        &mut self,
        machine: &Machine<'_, crate::facts::Facts<'_>>,
        method: MemberRef,
        thread: ThreadNo,
    ) {
        let Some(top) = machine.top() else { return };
        if self.call.activation.is_some() {
            return;
        }
        self.call.activation = Some(EventId {
            thread,
            index: top.began,
        });
        self.call.method = method;
        let parameters = top.locals.iter().filter(|c| **c != Cell::UNSET);
        self.call.arguments = parameters.map(|c| machine.bindings.seen(c)).collect();
    }
}

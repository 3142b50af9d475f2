//! The state of a thread at a moment.

use jinsi_trace::model::{EventId, MemberRef, Value};

use crate::Inspector;
use crate::error::InspectError;
use crate::machine::Activation;
use crate::point::Stop;
use jinsi_steps::cell::{Bindings, Cell, declared};
use jinsi_steps::moment::Moment;
use jinsi_steps::seen::Seen;

/// A local variable of an activation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name in the source; without debug information `arg0`, `arg1` … for parameters, and `slot7` for others.
    pub name: String,
    /// Descriptor of its type; empty if not known.
    pub desc: String,
    /// Its slot in the frame.
    pub slot: u16,
    /// What it holds.
    pub value: Seen,
}

/// An activation that is open at a moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The event with which it began: its name.
    pub activation: EventId,
    /// Its method.
    pub method: MemberRef,
    /// Source file, if known.
    pub file: Option<String>,
    /// Source line, 0 if not known.
    pub line: u16,
    /// Bytecode index of the instruction that comes next, or of the call that runs; `None` if the instructions are not known.
    pub bci: Option<u32>,
    /// The object whose method it is; `None` in a static method.
    pub this: Option<Seen>,
    /// Local variables that have a value here, parameters among them, by slot.
    pub locals: Vec<Local>,
}

/// The state of a thread right before it executes an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// When.
    pub moment: Moment,
    /// Its open activations, innermost first.
    pub frames: Vec<Frame>,
}

impl Inspector<'_> {
    /// The state of the thread at the first instruction at this moment or later.
    ///
    /// # Errors
    /// There is none; the thread does not exist; the trace cannot be read.
    pub fn state(&self, moment: Moment) -> Result<State, InspectError> {
        let stop = Stop::at(self.player(), moment)?;
        Ok(state_at(&stop))
    }
}

/// The state where a thread stands.
pub(crate) fn state_at(stop: &Stop<'_, '_>) -> State {
    let machine = &stop.machine;
    let next = machine.point(&stop.replayed.tape.items[stop.item]);
    let innermost = machine.frames.len().saturating_sub(1);
    let frames = machine.frames.iter().enumerate().rev();
    let frames = frames.map(|(depth, activation)| {
        let at = match depth == innermost {
            true => next,
            false => activation.call.as_ref().map(|call| call.at),
        };
        frame(
            activation,
            at.or(activation.at.map(|(at, _)| at)),
            &machine.bindings,
            stop.thread,
        )
    });
    State {
        moment: stop.moment(),
        frames: frames.collect(),
    }
}

/// An activation that stands at this instruction.
pub(crate) fn frame(
    activation: &Activation,
    at: Option<u32>,
    bindings: &Bindings,
    thread: u32,
) -> Frame {
    let body = activation.body();
    let at = at.filter(|_| activation.stepwise);
    let instruction = at.and_then(|at| body?.instructions.get(at as usize));
    let code = &activation.code;
    Frame {
        activation: EventId {
            thread,
            index: activation.began,
        },
        method: MemberRef {
            owner: code.owner.as_str().into(),
            name: code.name.as_str().into(),
            desc: code.desc.as_str().into(),
        },
        file: code.file.clone(),
        line: instruction.map_or(activation.line, |i| i.line),
        bci: instruction.map(|i| i.bci),
        this: (activation.this.as_ref()).map(|cell| bindings.seen(cell)),
        locals: locals(activation, instruction.map(|i| i.bci), bindings),
    }
}

/// The local variables that are there at this bytecode index.
fn locals(activation: &Activation, bci: Option<u32>, bindings: &Bindings) -> Vec<Local> {
    let first = usize::from(activation.this.is_some());
    let Some(body) = activation.body() else {
        return parameters(activation, first, bindings);
    };
    if body.variables.is_empty() {
        return nameless(activation, &body.parameters, bindings);
    }
    let bci = bci.unwrap_or(0);
    let there = body.variables.iter();
    let there = there.filter(|v| v.from <= bci && bci < v.to && v.name != "this");
    let mut locals: Vec<Local> = there
        .map(|variable| Local {
            name: variable.name.clone(),
            desc: variable.desc.clone(),
            slot: variable.slot,
            value: seen(bindings, activation.local(variable.slot), &variable.desc),
        })
        .collect();
    locals.sort_by_key(|local| local.slot);
    locals
}

/// Of code that is recorded by its ends only.
fn parameters(activation: &Activation, first: usize, bindings: &Bindings) -> Vec<Local> {
    let cells = activation.locals.iter().enumerate().skip(first);
    cells
        .map(|(slot, cell)| Local {
            name: format!("arg{}", slot - first),
            desc: String::new(),
            slot: slot as u16,
            value: bindings.seen(cell),
        })
        .collect()
}

/// Of a class without debug information.
fn nameless(activation: &Activation, parameters: &[u16], bindings: &Bindings) -> Vec<Local> {
    let own = usize::from(activation.this.is_some());
    let cells = activation.locals.iter().enumerate().skip(own);
    let set = cells.filter(|(_, cell)| **cell != Cell::UNSET);
    set.map(|(slot, cell)| {
        let slot = slot as u16;
        let place = parameters.iter().position(|p| *p == slot);
        Local {
            name: match place {
                Some(place) => format!("arg{}", place - own),
                None => format!("slot{slot}"),
            },
            desc: String::new(),
            slot,
            value: bindings.seen(cell),
        }
    })
    .collect()
}

/// What a variable of this type holds.
pub(crate) fn seen(bindings: &Bindings, cell: &Cell, desc: &str) -> Seen {
    of_type(bindings.seen(cell), desc)
}

/// As a variable of this type has it.
pub(crate) fn of_type(seen: Seen, desc: &str) -> Seen {
    match seen {
        Seen::Known(value @ Value::Prim(_)) => Seen::Known(declared(value, desc)),
        other => other,
    }
}

//! Where a value came from, a step at a time.

use jinsi_classfile::effect::Access;
use jinsi_classfile::opcode;
use jinsi_steps::code::Instruction;
use jinsi_trace::model::{EventId, MemberRef, Prim, Value};

use crate::Inspector;
use crate::error::InspectError;
use crate::memory::{Entry, Variable};
use crate::path::{Path, Target};
use crate::point::Stop;
use jinsi_steps::moment::{At, Moment};
use jinsi_steps::seen::Seen;

/// How a value came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// It stands in the code.
    Constant,
    /// An instruction computed it; its name.
    Computed(&'static str),
    /// An object or array was made.
    Made,
    /// It was read there; who had written it, if that is known. Nothing: which variable is not known.
    Read(Option<Variable>, Option<Box<Entry>>),
    /// A call gave it of code that is not recorded.
    Called(MemberRef),
    /// Code that is not recorded handed it in, or the JVM did.
    Handed,
    /// It is what the variable held from the beginning.
    Initial,
}

/// A value that went into another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The value.
    pub value: Seen,
    /// Right before the instruction that made it: where to ask further.
    pub made: Moment,
}

/// Where a value came from. Copies into variables, arguments and results are passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Right before the instruction that made it.
    pub at: Moment,
    /// The activation.
    pub activation: Option<EventId>,
    /// Its method.
    pub method: Option<MemberRef>,
    /// Source line, 0 if not known.
    pub line: u16,
    /// How.
    pub how: How,
    /// What it was made of: operands, or receiver and arguments.
    pub inputs: Vec<Input>,
    /// Where the value was made that was read, if it was read: where to ask further.
    pub further: Option<Moment>,
}

impl Inspector<'_> {
    /// Where the value came from that an expression has at a moment.
    ///
    /// # Errors
    /// There is no such variable there; the trace cannot be read.
    pub fn origin(
        &self,
        moment: Moment,
        depth: usize,
        path: &Path,
    ) -> Result<Origin, InspectError> {
        let stop = Stop::at(self.player(), moment)?;
        match self.target(&stop, depth, path)? {
            Target::Local(cell, _) => self.origin_of(cell.made.of(stop.thread)),
            Target::Memory(variable) => {
                let held = self.value(&variable, stop.moment())?;
                self.written(variable, held.since, stop.moment())
            }
            Target::Value(_) => Err(InspectError::Length(path.to_string())),
        }
    }

    /// The same of the variable in memory, at a moment.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn origin_in_memory(
        &self,
        variable: &Variable,
        moment: Moment,
    ) -> Result<Origin, InspectError> {
        let held = self.value(variable, moment)?;
        self.written(variable.clone(), held.since, moment)
    }

    fn written(
        &self,
        variable: Variable,
        since: Option<Entry>,
        moment: Moment,
    ) -> Result<Origin, InspectError> {
        match since {
            Some(entry) if entry.by.is_some() => {
                self.origin_of(entry.made.of(entry.before.thread()))
            }
            Some(entry) => Ok(Origin {
                how: How::Handed,
                ..nowhere(entry.after)
            }),
            None => Ok(Origin {
                how: match self.value(&variable, moment)?.value {
                    Seen::Known(_) => How::Initial,
                    _ => How::Handed,
                },
                ..nowhere(moment)
            }),
        }
    }

    /// How the value came to be that the instruction at this moment made.
    ///
    /// # Errors
    /// There is no instruction; the trace cannot be read.
    pub fn origin_of(&self, made: Moment) -> Result<Origin, InspectError> {
        let stop = Stop::at(self.player(), made)?;
        let top = stop.machine.top();
        let item = &stop.replayed.tape.items[stop.item];
        let instruction = stop.machine.point(item).and_then(|at| {
            let body = top.and_then(|top| top.body())?;
            body.instructions.get(at as usize)
        });
        let (Some(top), Some(instruction)) = (top, instruction) else {
            return Ok(nowhere(made));
        };
        if stop.machine.now != made.at() || made.at() == At::default() {
            return Ok(nowhere(made));
        }
        let pops = usize::from(instruction.effect.stack.pops());
        let taken = &top.stack[top.stack.len().saturating_sub(pops)..];
        let inputs = taken.iter().map(|cell| Input {
            value: stop.machine.bindings.seen(cell),
            made: cell.made.of(stop.thread),
        });
        let mut inputs: Vec<Input> = inputs.collect();
        let (how, further) = self.how(instruction, &inputs, stop.moment())?;
        if let Access::Increment(slot) = instruction.effect.access {
            let cell = top.local(slot);
            inputs.push(Input {
                value: stop.machine.bindings.seen(cell),
                made: cell.made.of(stop.thread),
            });
        }
        Ok(Origin {
            at: stop.moment(),
            activation: Some(EventId {
                thread: stop.thread,
                index: top.began,
            }),
            method: Some(self.method(top.method)),
            line: instruction.line,
            how,
            inputs,
            further,
        })
    }

    /// How an instruction that takes these made its value; and of one that was read from memory, where what was written there was made.
    fn how(
        &self,
        instruction: &Instruction,
        taken: &[Input],
        moment: Moment,
    ) -> Result<(How, Option<Moment>), InspectError> {
        let how = match instruction.effect.access {
            Access::Invoke(_) => match &instruction.target {
                Some(target) => How::Called(MemberRef::clone(target)),
                None => How::Handed,
            },
            Access::Allocate => How::Made,
            Access::GetField(_) | Access::GetStatic(_) | Access::ArrayLoad => {
                let variable = self.read(instruction.field, taken);
                let since = match &variable {
                    Some(variable) => self.value(variable, moment)?.since,
                    None => None,
                };
                let by = since.as_ref().filter(|entry| entry.by.is_some());
                let further = by.map(|entry| entry.made.of(entry.before.thread()));
                return Ok((How::Read(variable, since.map(Box::new)), further));
            }
            Access::Increment(_) => computed(instruction),
            _ if instruction.effect.stack.pops() == 0 => How::Constant,
            _ => computed(instruction),
        };
        Ok((how, None))
    }

    /// The variable in memory that an instruction reads that takes these.
    fn read(&self, field: Option<jinsi_steps::code::FieldNo>, taken: &[Input]) -> Option<Variable> {
        let object = |at: usize| match taken.get(at)?.value {
            Seen::Known(Value::Object(id)) => Some(id),
            _ => None,
        };
        match (field, taken.len()) {
            (Some(no), 0) => Some(Variable::Static(self.facts.field(no)?)),
            (Some(no), _) => Some(Variable::Field(object(0)?, self.facts.field(no)?)),
            (None, _) => match taken.get(1)?.value {
                Seen::Known(Value::Prim(Prim::Int(index))) => {
                    Some(Variable::Element(object(0)?, index as u32))
                }
                _ => None,
            },
        }
    }
}

fn computed(instruction: &Instruction) -> How {
    How::Computed(opcode::name(instruction.opcode).unwrap_or("?"))
}

fn nowhere(at: Moment) -> Origin {
    Origin {
        at,
        activation: None,
        method: None,
        line: 0,
        how: How::Handed,
        inputs: Vec::new(),
        further: None,
    }
}

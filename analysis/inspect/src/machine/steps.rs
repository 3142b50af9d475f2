//! What single instructions do to the state.

use std::rc::Rc;

use jinsi_classfile::effect::{Access, StackEffect};
use jinsi_classfile::opcode as op;
use jinsi_steps::code::{Constant, Instruction};
use jinsi_steps::walk::Location;
use jinsi_trace::model::{EventKind, ObjectId, Prim, Value};

use super::{Call, Done, Machine, Target, World, Write};
use jinsi_steps::by_handle::is_access;
use jinsi_steps::cell::{Cell, stacked};
use jinsi_steps::compute::boxing;
use jinsi_steps::moment::At;
use jinsi_steps::seen::{Seen, Why};
use jinsi_steps::tape::{EventNo, Tape};

/// Descriptors of what `newarray` makes, by its operand from 4 on (JVMS table 6.5.newarray-A).
const ARRAYS: [&str; 8] = ["[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"];

impl<'w, W: World> Machine<'w, W> {
    /// The innermost activation comes to an instruction, which has these values on the stack: what is missing is not known.
    fn arrive(&mut self, at: u32) -> Option<&'w Instruction> {
        let here = self.now;
        let top = self.frames.last_mut()?;
        let body = self.world.program().get(top.method).body.as_ref()?;
        let instruction = body.instructions.get(at as usize)?;
        top.at = Some((at, here));
        if instruction.line != 0 {
            top.line = instruction.line;
        }
        let depth = usize::from(instruction.depth);
        if top.stack.len() != depth {
            let missing: Vec<Cell> = (0..depth).map(|_| self.unknown(Why::Lost)).collect();
            self.frames.last_mut()?.stack = missing;
        }
        self.now.step += 1;
        Some(instruction)
    }

    /// Moves so many values from the stack behind those of `taken`.
    fn take(&mut self, count: u8, taken: &mut Vec<Cell>) {
        let stack = self.frames.last_mut().map(|top| &mut top.stack);
        let there = stack.as_ref().map_or(0, |stack| stack.len());
        let missing = usize::from(count).saturating_sub(there);
        taken.extend((0..missing).map(|_| Cell::UNSET));
        if let Some(stack) = stack {
            taken.extend(stack.drain(there - (usize::from(count) - missing)..));
        }
    }

    fn push(&mut self, cell: Cell) {
        if let Some(top) = self.frames.last_mut() {
            top.stack.push(cell);
        }
    }

    /// An instruction other than a call.
    pub(super) fn step(
        &mut self,
        at: u32,
        threw: bool,
        tape: &Tape,
        event: Option<EventNo>,
    ) -> Done {
        let Some(instruction) = self.arrive(at) else {
            return Done::Nothing;
        };
        if threw {
            return Done::Nothing;
        }
        let reported = event.map(|event| (tape.event(event).kind, tape.operands(event)));
        let is_given = matches!(reported, Some((EventKind::Given, _)));
        if !is_given && let Some(done) = self.quick(instruction, reported.map(|(_, values)| values))
        {
            return done;
        }
        let mut taken = std::mem::take(&mut self.taken);
        self.take(instruction.effect.stack.pops(), &mut taken);
        let done = match instruction.effect.stack {
            StackEffect::Shuffle { leaves, .. } => {
                for &no in leaves {
                    self.push(taken[usize::from(no)].clone());
                }
                Done::Nothing
            }
            StackEffect::Compute { pushes, .. } => {
                if let Access::PutField(_) | Access::PutStatic(_) | Access::ArrayStore =
                    instruction.effect.access
                {
                    self.store_field(instruction, &taken);
                    self.write(instruction, &taken, reported.map(|(_, values)| values))
                } else {
                    let made = self.execute(instruction, &taken, reported);
                    if pushes {
                        let made = made.unwrap_or_else(|| self.unknown(Why::Computed));
                        self.push(made);
                    }
                    Done::Nothing
                }
            }
        };
        taken.clear();
        self.taken = taken;
        done
    }

    /// Executes an instruction that has taken these values, and of which an event says so much. What does it leave?
    fn execute(
        &mut self,
        instruction: &Instruction,
        taken: &[Cell],
        reported: Option<(EventKind, &[Value])>,
    ) -> Option<Cell> {
        let says = reported.and_then(|(_, values)| values.last());
        let stored = self.stored_field(instruction, taken, says);
        if let Some((EventKind::Given, [value])) = reported {
            return Some(Cell::known(stacked(value.clone()), self.here()));
        }
        match instruction.effect.access {
            Access::GetField(_) | Access::GetStatic(_) | Access::ArrayLoad => {
                match (stored, reported) {
                    (Some(stored), None) => Some(stored),
                    _ => Some(self.read(taken, reported.map(|(_, values)| values))),
                }
            }
            Access::Allocate => Some(self.allocate(instruction, taken)),
            Access::Return => {
                let result = taken.first().cloned();
                if let Some(top) = self.frames.last_mut() {
                    top.result = result;
                }
                None
            }
            _ => self.computed(instruction, taken),
        }
    }

    /// Events of accesses say what was accessed, and last the value.
    fn read(&mut self, taken: &[Cell], reported: Option<&[Value]>) -> Cell {
        let here = self.here();
        match reported.and_then(<[Value]>::split_last) {
            Some((value, place)) => {
                for (cell, value) in taken.iter().zip(place) {
                    self.bindings.bind(cell, value);
                }
                Cell::known(stacked(value.clone()), here)
            }
            None => self.unreported(),
        }
    }

    /// What was read, of which there is no event.
    pub(super) fn unreported(&mut self) -> Cell {
        let why = match self.world.has_states() {
            true => Why::Unreported,
            false => Why::Detail,
        };
        self.unknown(why)
    }

    fn write(
        &mut self,
        instruction: &Instruction,
        taken: &[Cell],
        reported: Option<&[Value]>,
    ) -> Done {
        for (cell, value) in taken.iter().zip(reported.unwrap_or_default()) {
            self.bindings.bind(cell, value);
        }
        let Some((value, place)) = taken.split_last() else {
            return Done::Nothing;
        };
        let target = match (place, instruction.field) {
            ([], Some(field)) => Target::Known(Location::Static(field)),
            ([object], Some(field)) => Target::FieldOf(object.clone(), field),
            ([array, index], None) => {
                let array = self.bindings.value(array);
                let index = self.bindings.value(index);
                match (array, index) {
                    (Some(Value::Object(id)), Some(Value::Prim(Prim::Int(index)))) => {
                        Target::Known(Location::Element(*id, *index as u32))
                    }
                    _ => return Done::Nothing,
                }
            }
            _ => return Done::Nothing,
        };
        Done::Wrote(Write {
            target,
            value: value.clone(),
        })
    }

    fn allocate(&mut self, instruction: &Instruction, taken: &[Cell]) -> Cell {
        let length = taken.first().and_then(|cell| self.bindings.value(cell));
        let length = match length {
            Some(Value::Prim(Prim::Int(length))) => u32::try_from(*length).ok(),
            _ => None,
        };
        let class: Rc<str> = match (&instruction.constant, instruction.opcode) {
            (Constant::Class(class), op::ANEWARRAY) if class.starts_with('[') => {
                format!("[{class}").into()
            }
            (Constant::Class(class), op::ANEWARRAY) => format!("[L{class};").into(),
            (Constant::Class(class), _) => Rc::clone(class),
            (Constant::Number(n), _) => {
                let at = usize::try_from(*n - 4).unwrap_or(usize::MAX);
                ARRAYS.get(at).copied().unwrap_or("[?").into()
            }
            _ => "?".into(),
        };
        let length = length.filter(|_| class.starts_with('['));
        self.open(Seen::Fresh { class, length })
    }

    /// What an instruction leaves that accesses nothing, and is none of the quick ones.
    fn computed(&mut self, instruction: &Instruction, taken: &[Cell]) -> Option<Cell> {
        let here = self.here();
        if instruction.opcode == op::ARRAYLENGTH {
            let array = taken.first()?;
            let length = match self.bindings.value(array) {
                Some(Value::Object(id)) => self.world.length(*id),
                _ => self.bindings.fresh(array).and_then(|(_, length)| length),
            };
            let length = i32::try_from(length?).ok()?;
            return Some(Cell::known(Value::Prim(Prim::Int(length)), here));
        }
        if instruction.opcode == op::INSTANCEOF {
            return Some(self.unreported());
        }
        taken.is_empty().then(|| self.unknown(Why::Constant))
    }

    /// A call instruction begins.
    pub(super) fn call_began(&mut self, at: u32, tape: &Tape, event: Option<EventNo>) {
        let began = self.now;
        let Some(instruction) = self.arrive(at) else {
            return;
        };
        let mut call = self.spare_calls.pop().unwrap_or_default();
        let mut arguments = std::mem::take(&mut call.arguments);
        self.take(instruction.effect.stack.pops(), &mut arguments);
        let reported = event.map_or(&[][..], |event| tape.operands(event));
        // The receiver of a constructor is not reported.
        let unreported = arguments.len().saturating_sub(reported.len());
        for (cell, value) in arguments.iter().skip(unreported).zip(reported) {
            self.bindings.bind(cell, value);
        }
        if let Some(top) = self.frames.last_mut() {
            *call = Call {
                at,
                began,
                arguments,
                entered: false,
                result: None,
                wrote: None,
            };
            top.call = Some(call);
        }
    }

    /// A call instruction ends.
    pub(super) fn call_ended(
        &mut self,
        at: u32,
        threw: bool,
        (tape, event): (&Tape, Option<EventNo>),
        made: Option<ObjectId>,
    ) -> Done {
        let call = self.frames.last_mut().and_then(|top| top.call.take());
        let body = self.top().and_then(|top| top.body().cloned());
        let instruction = body.as_ref().and_then(|b| b.instructions.get(at as usize));
        let (Some(mut call), Some(instruction)) = (call, instruction) else {
            return Done::Nothing;
        };
        if threw {
            return Done::Returned(call, None);
        }
        if let (Some(object), Some(made)) = (call.arguments.first(), made)
            && instruction.effect.stack.pushes() == 0
        {
            self.bindings.bind(object, &Value::Object(made));
        }
        let mut result = None;
        if instruction.effect.stack.pushes() > 0 {
            let reported = event.and_then(|event| tape.operands(event).first());
            let cell = self.result(instruction, &call, reported, made);
            self.push(cell.clone());
            result = Some(cell);
        }
        if let Some(method) = instruction.target.as_deref().filter(|m| is_access(m)) {
            call.wrote = self.written_by_handle(method, &call, result.as_ref());
        }
        Done::Returned(call, result)
    }

    /// What a call has given.
    fn result(
        &mut self,
        instruction: &Instruction,
        call: &Call,
        reported: Option<&Value>,
        made: Option<ObjectId>,
    ) -> Cell {
        let here: At = call.began;
        if let Some(value) = reported {
            let made = call.result.as_ref().map_or(here, |cell| cell.made);
            return Cell::known(stacked(value.clone()), made);
        }
        if let Some(made) = made {
            return Cell::known(Value::Object(made), here);
        }
        if let Some(cell) = &call.result {
            return cell.clone();
        }
        let values: Option<Vec<&Value>> = (call.arguments.iter())
            .map(|cell| self.bindings.value(cell))
            .collect();
        let boxed = values.and_then(|v| boxing(instruction.target.as_ref()?, &v));
        match boxed {
            Some(value) => Cell::known(value, here),
            None if self.world.has_states() => self.unknown(Why::Unreported),
            None if instruction.has_events => self.unknown(Why::CodeNotRecorded),
            None => self.unknown(Why::Detail),
        }
    }
}

//! The instructions that are most of all, done on the stack as it lies: copies to and from local variables, jumps, elements that are read, and
//! what is computed of known values.

use jinsi_classfile::effect::{Access, StackEffect};
use jinsi_classfile::opcode as op;
use jinsi_steps::code::{Constant, Instruction};
use jinsi_trace::model::{Prim, Value};

use super::cell::{Cell, stacked};
use super::compute::compute;
use super::{Machine, World, set};
use crate::seen::Why;

impl<W: World> Machine<'_, W> {
    /// Does what such an instruction does, whose event, if it has one, has these operands. `false` if it is another one, or of values that
    /// are not known: then nothing has happened.
    pub(super) fn quick(&mut self, instruction: &Instruction, told: Option<&[Value]>) -> bool {
        let StackEffect::Compute { pops, pushes } = instruction.effect.stack else {
            return false;
        };
        let Some(top) = self.frames.last_mut() else {
            return false;
        };
        match instruction.effect.access {
            Access::Load(slot) => {
                let cell = top.local(slot).clone();
                top.stack.push(cell);
                true
            }
            Access::Store(slot) => {
                let cell = top.stack.pop().unwrap_or(Cell::UNSET);
                set(&mut top.locals, slot, cell);
                if is_wide_store(instruction.opcode) {
                    set(&mut top.locals, slot.saturating_add(1), Cell::UNSET);
                }
                true
            }
            Access::Increment(slot) => {
                self.increment(instruction, slot);
                true
            }
            Access::Branch(_) | Access::Jump if !pushes => {
                let left = top.stack.len().saturating_sub(usize::from(pops));
                top.stack.truncate(left);
                true
            }
            Access::ArrayLoad => self.load_element(usize::from(pops), told),
            Access::None if pushes => self.compute_known(instruction, usize::from(pops)),
            _ => false,
        }
    }

    fn increment(&mut self, instruction: &Instruction, slot: u16) {
        let here = self.here();
        let step = match instruction.constant {
            Constant::Number(step) => step,
            _ => 0,
        };
        let value = self.top().map(|top| top.local(slot));
        let value = value.and_then(|cell| self.bindings.value(cell));
        let cell = match value {
            Some(Value::Prim(Prim::Int(int))) => {
                Cell::known(Value::Prim(Prim::Int(int.wrapping_add(step))), here)
            }
            _ => self.unknown(Why::Computed),
        };
        if let Some(top) = self.frames.last_mut() {
            set(&mut top.locals, slot, cell);
        }
    }

    /// The event has array, index and element.
    fn load_element(&mut self, pops: usize, told: Option<&[Value]>) -> bool {
        let here = self.here();
        let Some((element, place)) = told.and_then(<[Value]>::split_last) else {
            return false;
        };
        let stack = self.frames.last_mut().map(|top| &mut top.stack);
        let Some((stack, left)) = stack.and_then(|stack| {
            let left = stack.len().checked_sub(pops)?;
            Some((stack, left))
        }) else {
            return false;
        };
        for (cell, value) in stack[left..].iter().zip(place) {
            self.bindings.bind(cell, value);
        }
        stack.truncate(left);
        stack.push(Cell::known(stacked(element.clone()), here));
        true
    }

    fn compute_known(&mut self, instruction: &Instruction, pops: usize) -> bool {
        let here = self.here();
        let Some(top) = self.frames.last_mut() else {
            return false;
        };
        let Some(left) = top.stack.len().checked_sub(pops) else {
            return false;
        };
        let (taken, bindings) = (&top.stack[left..], &self.bindings);
        let value = |at: usize| bindings.value(taken.get(at)?);
        let Some(value) = compute(instruction.opcode, &instruction.constant, pops, value) else {
            return false;
        };
        top.stack.truncate(left);
        top.stack.push(Cell::known(value, here));
        true
    }
}

fn is_wide_store(opcode: u8) -> bool {
    matches!(
        opcode,
        op::LSTORE | op::DSTORE | op::LSTORE_0..=op::LSTORE_3 | op::DSTORE_0..=op::DSTORE_3
    )
}

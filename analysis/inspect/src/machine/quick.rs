//! The instructions that are most of all, done on the stack as it lies: copies to and from local variables, jumps, elements that are read or
//! written, fields that are read, and what is computed of known values.

use jinsi_classfile::effect::{Access, StackEffect};
use jinsi_classfile::opcode as op;
use jinsi_steps::code::{Constant, Instruction};
use jinsi_steps::walk::Location;
use jinsi_trace::model::{Prim, Value};

use super::{Done, Machine, Target, World, Write, set};
use jinsi_steps::cell::{Cell, stacked};
use jinsi_steps::compute::compute;
use jinsi_steps::seen::Why;

impl<W: World> Machine<'_, W> {
    /// Does what such an instruction does, whose event, if it has one, has these operands. `None` if it is another one, or of values that
    /// are not known: then nothing has happened.
    pub(super) fn quick(
        &mut self,
        instruction: &Instruction,
        reported: Option<&[Value]>,
    ) -> Option<Done> {
        let StackEffect::Compute { pops, pushes } = instruction.effect.stack else {
            return None;
        };
        let top = self.frames.last_mut()?;
        match instruction.effect.access {
            Access::Load(slot) => {
                let cell = top.local(slot).clone();
                top.stack.push(cell);
            }
            Access::Store(slot) => {
                let cell = top.stack.pop().unwrap_or(Cell::UNSET);
                set(&mut top.locals, slot, cell);
                if is_wide_store(instruction.opcode) {
                    set(&mut top.locals, slot.saturating_add(1), Cell::UNSET);
                }
            }
            Access::Increment(slot) => self.increment(instruction, slot),
            Access::Branch(_) | Access::Jump if !pushes => {
                let left = top.stack.len().saturating_sub(usize::from(pops));
                top.stack.truncate(left);
            }
            Access::ArrayLoad => self.load(usize::from(pops), reported?)?,
            // Nothing is in fields that nobody has named yet.
            Access::GetField(_) | Access::GetStatic(_) if self.stored.is_empty() => {
                match reported {
                    Some(reported) => self.load(usize::from(pops), reported)?,
                    None => self.load_unreported(usize::from(pops))?,
                }
            }
            Access::ArrayStore => return self.store_element(usize::from(pops), reported?),
            Access::None if pushes => self.compute_known(instruction, usize::from(pops))?,
            _ => return None,
        }
        Some(Done::Nothing)
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

    /// The event has where the value was, such as array and index, and the value.
    fn load(&mut self, pops: usize, reported: &[Value]) -> Option<()> {
        let here = self.here();
        let (value, place) = reported.split_last()?;
        let stack = &mut self.frames.last_mut()?.stack;
        let left = stack.len().checked_sub(pops)?;
        for (cell, value) in stack[left..].iter().zip(place) {
            self.bindings.bind(cell, value);
        }
        stack.truncate(left);
        stack.push(Cell::known(stacked(value.clone()), here));
        Some(())
    }

    fn load_unreported(&mut self, pops: usize) -> Option<()> {
        let value = self.unreported();
        let stack = &mut self.frames.last_mut()?.stack;
        let left = stack.len().checked_sub(pops)?;
        stack.truncate(left);
        stack.push(value);
        Some(())
    }

    /// The event has array, index and element.
    fn store_element(&mut self, pops: usize, reported: &[Value]) -> Option<Done> {
        let [
            array @ Value::Object(id),
            index @ Value::Prim(Prim::Int(at)),
            element,
        ] = reported
        else {
            return None;
        };
        let stack = &mut self.frames.last_mut()?.stack;
        let left = stack.len().checked_sub(pops)?;
        for (cell, value) in stack[left..].iter().zip([array, index, element]) {
            self.bindings.bind(cell, value);
        }
        let value = stack.pop()?;
        stack.truncate(left);
        Some(Done::Wrote(Write {
            target: Target::Known(Location::Element(*id, *at as u32)),
            value,
        }))
    }

    fn compute_known(&mut self, instruction: &Instruction, pops: usize) -> Option<()> {
        let here = self.here();
        let top = self.frames.last_mut()?;
        let left = top.stack.len().checked_sub(pops)?;
        let (taken, bindings) = (&top.stack[left..], &self.bindings);
        let value = |at: usize| bindings.value(taken.get(at)?);
        let value = compute(instruction.opcode, &instruction.constant, pops, value)?;
        top.stack.truncate(left);
        top.stack.push(Cell::known(value, here));
        Some(())
    }
}

fn is_wide_store(opcode: u8) -> bool {
    matches!(
        opcode,
        op::LSTORE | op::DSTORE | op::LSTORE_0..=op::LSTORE_3 | op::DSTORE_0..=op::DSTORE_3
    )
}

//! What one instruction does to stack and locals.

use std::collections::BTreeSet;

use super::{FlowError, Kind, Value};
use crate::descriptor::{MethodType, Type};
use crate::insn::Insn;
use crate::opcode;
use crate::pool::{self, ConstantPool};

/// Their methods that give one of them give the one they are called on.
const BUILDERS: &[&str] = &["java/lang/StringBuffer", "java/lang/StringBuilder"];

/// Stack and locals while they change; see [`super::State`].
#[derive(Debug, Default)]
pub(super) struct Machine {
    pub(super) stack: Vec<Value>,
    pub(super) locals: Vec<Value>,
}

/// Interprets one instruction.
pub(super) struct Step<'a> {
    pub(super) pool: &'a ConstantPool,
    pub(super) max_locals: u16,
    pub(super) offset: u32,
    /// Before the instruction; afterwards, behind it.
    pub(super) state: Machine,
    /// The shortest the stack has been.
    pub(super) low: usize,
    pub(super) receiver: Option<Value>,
    /// Was it a constructor call?
    pub(super) init: bool,
    /// `new`s whose objects are no longer distinguished from others.
    pub(super) mixed: &'a mut BTreeSet<u32>,
}

impl Step<'_> {
    pub(super) fn run(&mut self, insn: &Insn<'_>) -> Result<(), FlowError> {
        match insn.opcode {
            opcode::ILOAD..=opcode::ALOAD_3 if insn.local().is_some() => self.load(insn),
            opcode::ISTORE..=opcode::ASTORE_3 if insn.local().is_some() => self.store(insn),
            opcode::IINC => self.local_slot(insn, 1).map(drop),
            opcode::POP => self.shuffle(1, None),
            opcode::POP2 => self.shuffle(2, None),
            opcode::DUP => self.shuffle(1, Some(0)),
            opcode::DUP_X1 => self.shuffle(1, Some(1)),
            opcode::DUP_X2 => self.shuffle(1, Some(2)),
            opcode::DUP2 => self.shuffle(2, Some(0)),
            opcode::DUP2_X1 => self.shuffle(2, Some(1)),
            opcode::DUP2_X2 => self.shuffle(2, Some(2)),
            opcode::SWAP => self.swap(),
            _ => match opcode::effect(insn.opcode) {
                Some((pops, pushes)) => {
                    self.pop_letters(pops)?;
                    self.push_letters(pushes);
                    Ok(())
                }
                None => self.with_operands(insn),
            },
        }
    }

    fn with_operands(&mut self, insn: &Insn<'_>) -> Result<(), FlowError> {
        let pool = self.pool;
        let index = insn.pool_index().unwrap_or(0);
        match insn.opcode {
            opcode::LDC | opcode::LDC_W | opcode::LDC2_W => {
                let value = constant(pool, index)?;
                self.state.stack.push(value);
            }
            opcode::JSR | opcode::JSR_W => {
                let subroutine = insn.target().unwrap_or(0);
                self.state.stack.push(Value::ReturnAddress(subroutine));
            }
            opcode::GETSTATIC..=opcode::PUTFIELD => self.field(insn.opcode, index)?,
            opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => self.invoke(insn.opcode, index)?,
            opcode::NEW => {
                let new = Value::New(insn.offset);
                // In a loop: the one of the last round, if it was never initialized, can no longer be distinguished.
                self.rename(new, Value::REF);
                if self.rename(Value::Made(insn.offset), Value::REF) {
                    self.mixed.insert(insn.offset);
                }
                self.state.stack.push(new);
            }
            opcode::ANEWARRAY => {
                self.pop_letters("I")?;
                self.state.stack.push(Value::REF);
            }
            opcode::CHECKCAST => {
                let value = self.pop()?;
                self.state.stack.push(value);
            }
            opcode::MULTIANEWARRAY => {
                for _ in 0..insn.immediate().unwrap_or(0) {
                    self.pop_letters("I")?;
                }
                self.state.stack.push(Value::REF);
            }
            _ => return Err(FlowError::Stack(insn.offset)),
        }
        Ok(())
    }

    fn field(&mut self, op: u8, index: u16) -> Result<(), FlowError> {
        let pool = self.pool;
        let desc = pool.member_desc(index)?;
        let value = value_of(Type::parse(&desc)?);
        if matches!(op, opcode::PUTSTATIC | opcode::PUTFIELD) {
            self.pop_sized(value.is_wide())?;
        }
        if matches!(op, opcode::GETFIELD | opcode::PUTFIELD) {
            self.receiver = Some(self.pop_sized(false)?);
        }
        if matches!(op, opcode::GETSTATIC | opcode::GETFIELD) {
            self.state.stack.push(value);
        }
        Ok(())
    }

    fn invoke(&mut self, op: u8, index: u16) -> Result<(), FlowError> {
        let pool = self.pool;
        let desc = match op {
            opcode::INVOKEDYNAMIC => pool.invoke_dynamic(index)?.desc,
            _ => pool.member_desc(index)?,
        };
        let method = MethodType::parse(&desc)?;
        for param in method.params.iter().rev() {
            self.pop_sized(param.slots() == 2)?;
        }
        if !matches!(op, opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC) {
            let receiver = self.pop_sized(false)?;
            self.receiver = Some(receiver);
            if op == opcode::INVOKESPECIAL && pool.member_ref(index)?.name == "<init>" {
                self.init = true;
                match receiver {
                    Value::UninitThis => self.rename(receiver, Value::This),
                    Value::New(new) => self.rename(receiver, Value::Made(new)),
                    _ => false,
                };
            }
        }
        if let Some(result) = method.result {
            let builder = |owner: &str| BUILDERS.contains(&owner);
            let value = match (self.receiver, result.class_name()) {
                (Some(made @ Value::Made(_)), Some(name))
                    if builder(name) && pool.member_owner(index)? == name =>
                {
                    made
                }
                _ => value_of(result),
            };
            self.state.stack.push(value);
        }
        Ok(())
    }

    /// Replaces all copies of a value. Were there any?
    fn rename(&mut self, from: Value, to: Value) -> bool {
        let Machine { stack, locals } = &mut self.state;
        let copies = stack.iter_mut().chain(locals).filter(|e| **e == from);
        copies.map(|entry| *entry = to).count() > 0
    }

    fn pop(&mut self) -> Result<Value, FlowError> {
        let value = self
            .state
            .stack
            .pop()
            .ok_or(FlowError::Stack(self.offset))?;
        self.low = self.low.min(self.state.stack.len());
        Ok(value)
    }

    fn pop_sized(&mut self, wide: bool) -> Result<Value, FlowError> {
        let value = self.pop()?;
        if value.is_wide() == wide {
            Ok(value)
        } else {
            Err(FlowError::Stack(self.offset))
        }
    }

    fn pop_letters(&mut self, letters: &str) -> Result<(), FlowError> {
        for letter in letters.chars().rev() {
            self.pop_sized(matches!(letter, 'J' | 'D'))?;
        }
        Ok(())
    }

    fn push_letters(&mut self, letters: &str) {
        self.state
            .stack
            .extend(letters.chars().map(value_of_letter));
    }

    /// Index of the lowest of the entries that make up `slots` slots below index `from`.
    fn below(&self, from: usize, slots: u16) -> Result<usize, FlowError> {
        let error = FlowError::Stack(self.offset);
        let mut index = from;
        let mut left = slots;
        while left > 0 {
            index = index.checked_sub(1).ok_or(error.clone())?;
            let size = 1 + u16::from(self.state.stack[index].is_wide());
            left = left.checked_sub(size).ok_or(error.clone())?;
        }
        Ok(index)
    }

    /// `pop` and `pop2` (`under` is `None`), or a `dup` of the `slots` slots on top, put below `under` more slots.
    fn shuffle(&mut self, slots: u16, under: Option<u16>) -> Result<(), FlowError> {
        let len = self.state.stack.len();
        let top = self.below(len, slots)?;
        let Some(under) = under else {
            self.state.stack.truncate(top);
            self.low = self.low.min(top);
            return Ok(());
        };
        let bottom = self.below(top, under)?;
        self.low = self.low.min(bottom);
        self.state.stack.extend_from_within(top..);
        self.state.stack[bottom..len].rotate_right(len - top);
        Ok(())
    }

    fn swap(&mut self) -> Result<(), FlowError> {
        let top = self.pop_sized(false)?;
        let under = self.pop_sized(false)?;
        self.state.stack.extend([top, under]);
        Ok(())
    }

    /// The slot an instruction names, checked to have room for `slots` slots.
    fn local_slot(&self, insn: &Insn<'_>, slots: u16) -> Result<usize, FlowError> {
        let slot = insn.local().unwrap_or(0);
        match slot.checked_add(slots) {
            Some(end) if end <= self.max_locals => Ok(usize::from(slot)),
            _ => Err(FlowError::Local(insn.offset)),
        }
    }

    fn load(&mut self, insn: &Insn<'_>) -> Result<(), FlowError> {
        let letters = opcode::effect(insn.opcode).map_or("", |(_, pushes)| pushes);
        let value = letters.chars().next().map_or(Value::TOP, value_of_letter);
        let slot = self.local_slot(insn, 1 + u16::from(value.is_wide()))?;
        let value = match self.state.locals.get(slot).copied().unwrap_or(Value::TOP) {
            known if value == Value::REF && known.is_ref() => known,
            _ => value,
        };
        self.state.stack.push(value);
        Ok(())
    }

    fn store(&mut self, insn: &Insn<'_>) -> Result<(), FlowError> {
        let letters = opcode::effect(insn.opcode).map_or("", |(pops, _)| pops);
        let wide = matches!(letters, "J" | "D");
        let value = self.pop_sized(wide)?;
        let slot = self.local_slot(insn, 1 + u16::from(wide))?;
        let locals = &mut self.state.locals;
        let end = slot + 1 + usize::from(wide);
        if locals.len() < end {
            locals.resize(end, Value::TOP);
        }
        if slot > 0 && locals[slot - 1].is_wide() {
            locals[slot - 1] = Value::TOP;
        }
        locals[slot] = value;
        if wide {
            locals[slot + 1] = Value::TOP;
        }
        Ok(())
    }
}

fn constant(pool: &ConstantPool, index: u16) -> Result<Value, FlowError> {
    Ok(match pool.tag(index) {
        Some(pool::INTEGER) => Value::Other(Kind::Int),
        Some(pool::FLOAT) => Value::Other(Kind::Float),
        Some(pool::LONG) => Value::Other(Kind::Long),
        Some(pool::DOUBLE) => Value::Other(Kind::Double),
        Some(pool::STRING | pool::CLASS | pool::METHOD_HANDLE | pool::METHOD_TYPE) => Value::REF,
        _ => value_of(Type::parse(&pool.dynamic(index)?.desc)?),
    })
}

/// A value of this type, fresh from somewhere else.
pub(super) fn value_of(of: Type<'_>) -> Value {
    value_of_letter(of.letter())
}

fn value_of_letter(letter: char) -> Value {
    Value::Other(match letter {
        'L' | 'A' => Kind::Ref,
        'J' => Kind::Long,
        'F' => Kind::Float,
        'D' => Kind::Double,
        _ => Kind::Int,
    })
}

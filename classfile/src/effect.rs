//! What an instruction uses and defines: operand stack, local variables, memory; of every opcode.
//!
//! Stack entries are counted as values: a `long` or `double` is one. So the effect of `dup2` and its like depends on what is on the
//! stack ([`crate::flow`] knows).

use crate::descriptor::{DescriptorError, MethodType};
use crate::flow::State;
use crate::insn::Insn;
use crate::opcode;
use crate::pool::{ConstantPool, PoolError};

/// Why an instruction has no effect that can be known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EffectError {
    /// It names a constant that is not there or of the wrong kind.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// A descriptor is malformed.
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    /// The stack is shorter than the instruction needs.
    #[error("the stack is too short at {0}")]
    Stack(u32),
}

/// What an instruction does to the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackEffect {
    /// Takes values and leaves one of its own making, or none.
    Compute {
        /// How many it takes.
        pops: u8,
        /// Does it leave one?
        pushes: bool,
    },
    /// Copies, drops or reorders values: takes `pops`, and leaves, bottom first, copies of those of them that are listed (0 was
    /// the lowest).
    Shuffle {
        /// How many it takes.
        pops: u8,
        /// Which of them it leaves.
        leaves: &'static [u8],
    },
}

impl StackEffect {
    /// How many values it takes off the stack.
    pub fn pops(self) -> u8 {
        match self {
            Self::Compute { pops, .. } | Self::Shuffle { pops, .. } => pops,
        }
    }

    /// How many values it leaves.
    pub fn pushes(self) -> u8 {
        match self {
            Self::Compute { pushes, .. } => u8::from(pushes),
            Self::Shuffle { leaves, .. } => leaves.len() as u8,
        }
    }
}

/// What an instruction does besides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Nothing: it computes, or leaves a constant.
    None,
    /// Reads a local variable.
    Load(u16),
    /// Writes a local variable.
    Store(u16),
    /// Reads and writes a local variable (`iinc`).
    Increment(u16),
    /// Reads an instance field; the pool index of the member.
    GetField(u16),
    /// Writes an instance field.
    PutField(u16),
    /// Reads a static field.
    GetStatic(u16),
    /// Writes a static field.
    PutStatic(u16),
    /// Reads an array element.
    ArrayLoad,
    /// Writes an array element.
    ArrayStore,
    /// Makes an object or array.
    Allocate,
    /// Calls; the pool index of member or call site.
    Invoke(u16),
    /// Decides which way it goes on: a conditional jump, a switch, `ret`. The local variable that `ret` reads.
    Branch(Option<u16>),
    /// Goes on elsewhere, always there.
    Jump,
    /// Returns from the method.
    Return,
    /// Throws.
    Throw,
    /// Enters or leaves a monitor.
    Monitor,
}

/// What an instruction uses and defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// On the operand stack.
    pub stack: StackEffect,
    /// Elsewhere.
    pub access: Access,
}

/// The effect of `insn`, whose constants are in `pool`, on a stack as `before` has it.
///
/// # Errors
/// A constant is malformed, or the stack too short. Code that [`crate::flow`] has analyzed gives none.
pub fn effect(
    insn: &Insn<'_>,
    pool: &ConstantPool,
    before: State<'_>,
) -> Result<Effect, EffectError> {
    let stack = match shuffle(insn, before)? {
        Some(shuffle) => shuffle,
        None => compute(insn, pool)?,
    };
    if usize::from(stack.pops()) > before.stack.len() {
        return Err(EffectError::Stack(insn.offset));
    }
    Ok(Effect {
        stack,
        access: access(insn),
    })
}

/// The effect of the instructions that move values about.
fn shuffle(insn: &Insn<'_>, before: State<'_>) -> Result<Option<StackEffect>, EffectError> {
    let wide = |depth: usize| {
        let at = before.stack.len().checked_sub(depth + 1);
        let value = at.and_then(|at| before.stack.get(at));
        value
            .map(|v| v.is_wide())
            .ok_or(EffectError::Stack(insn.offset))
    };
    let (pops, leaves): (u8, &'static [u8]) = match insn.opcode {
        opcode::POP => (1, &[]),
        opcode::POP2 if wide(0)? => (1, &[]),
        opcode::POP2 => (2, &[]),
        opcode::DUP => (1, &[0, 0]),
        opcode::DUP_X1 => (2, &[1, 0, 1]),
        opcode::DUP_X2 if wide(1)? => (2, &[1, 0, 1]),
        opcode::DUP_X2 => (3, &[2, 0, 1, 2]),
        opcode::DUP2 if wide(0)? => (1, &[0, 0]),
        opcode::DUP2 => (2, &[0, 1, 0, 1]),
        opcode::DUP2_X1 if wide(0)? => (2, &[1, 0, 1]),
        opcode::DUP2_X1 => (3, &[1, 2, 0, 1, 2]),
        opcode::DUP2_X2 => match (wide(0)?, wide(1)?) {
            (true, true) => (2, &[1, 0, 1]),
            (true, false) => (3, &[2, 0, 1, 2]),
            (false, _) if wide(2)? => (3, &[1, 2, 0, 1, 2]),
            (false, _) => (4, &[2, 3, 0, 1, 2, 3]),
        },
        opcode::SWAP => (2, &[1, 0]),
        // Whether the cast succeeds is no matter of the value, which stays what it was.
        opcode::CHECKCAST => (1, &[0]),
        _ => return Ok(None),
    };
    Ok(Some(StackEffect::Shuffle { pops, leaves }))
}

fn compute(insn: &Insn<'_>, pool: &ConstantPool) -> Result<StackEffect, EffectError> {
    if let Some((pops, pushes)) = opcode::effect(insn.opcode) {
        return Ok(StackEffect::Compute {
            pops: pops.len() as u8,
            pushes: !pushes.is_empty(),
        });
    }
    let index = insn.pool_index().unwrap_or(0);
    let (pops, pushes) = match insn.opcode {
        opcode::GETSTATIC => (0, true),
        opcode::PUTSTATIC => (1, false),
        opcode::GETFIELD => (1, true),
        opcode::PUTFIELD => (2, false),
        opcode::ANEWARRAY => (1, true),
        opcode::MULTIANEWARRAY => (insn.immediate().unwrap_or(0) as u8, true),
        opcode::INVOKEDYNAMIC => {
            let site = pool.invoke_dynamic(index)?;
            let method = MethodType::parse(&site.desc)?;
            (method.params.len() as u8, method.result.is_some())
        }
        opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE => {
            let desc = pool.member_desc(index)?;
            let method = MethodType::parse(&desc)?;
            let receiver = u8::from(insn.opcode != opcode::INVOKESTATIC);
            (
                method.params.len() as u8 + receiver,
                method.result.is_some(),
            )
        }
        // ldc and its like, new, jsr.
        _ => (0, true),
    };
    Ok(StackEffect::Compute { pops, pushes })
}

fn access(insn: &Insn<'_>) -> Access {
    let index = insn.pool_index().unwrap_or(0);
    let local = insn.local().unwrap_or(0);
    match insn.opcode {
        opcode::IALOAD..=opcode::SALOAD => Access::ArrayLoad,
        opcode::IASTORE..=opcode::SASTORE => Access::ArrayStore,
        opcode::ILOAD..=opcode::ALOAD_3 => Access::Load(local),
        opcode::ISTORE..=opcode::ASTORE_3 => Access::Store(local),
        opcode::IINC => Access::Increment(local),
        opcode::IFEQ..=opcode::IF_ACMPNE | opcode::IFNULL | opcode::IFNONNULL => {
            Access::Branch(None)
        }
        opcode::TABLESWITCH | opcode::LOOKUPSWITCH => Access::Branch(None),
        opcode::RET => Access::Branch(Some(local)),
        opcode::GOTO | opcode::GOTO_W | opcode::JSR | opcode::JSR_W => Access::Jump,
        opcode::IRETURN..=opcode::RETURN => Access::Return,
        opcode::GETSTATIC => Access::GetStatic(index),
        opcode::PUTSTATIC => Access::PutStatic(index),
        opcode::GETFIELD => Access::GetField(index),
        opcode::PUTFIELD => Access::PutField(index),
        opcode::INVOKEVIRTUAL..=opcode::INVOKEDYNAMIC => Access::Invoke(index),
        opcode::NEW | opcode::NEWARRAY | opcode::ANEWARRAY | opcode::MULTIANEWARRAY => {
            Access::Allocate
        }
        opcode::ATHROW => Access::Throw,
        opcode::MONITORENTER | opcode::MONITOREXIT => Access::Monitor,
        _ => Access::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::{Kind, Value};
    use crate::insn;

    const INT: Value = Value::Other(Kind::Int);
    const LONG: Value = Value::Other(Kind::Long);

    fn of(code: &[u8], stack: &[Value]) -> Result<Effect, EffectError> {
        let insns = insn::decode(code).unwrap();
        let pool = ConstantPool::new();
        effect(&insns[0], &pool, State { stack, locals: &[] })
    }

    #[test]
    fn shuffles_depend_on_the_size_of_values() {
        let leaves = |opcode, stack: &[Value]| match of(&[opcode], stack).unwrap().stack {
            StackEffect::Shuffle { pops, leaves } => (pops, leaves.to_vec()),
            StackEffect::Compute { .. } => panic!("{opcode} computes nothing"),
        };
        assert_eq!(leaves(opcode::DUP2, &[INT, INT]), (2, vec![0, 1, 0, 1]));
        assert_eq!(leaves(opcode::DUP2, &[INT, LONG]), (1, vec![0, 0]));
        assert_eq!(leaves(opcode::DUP_X2, &[LONG, INT]), (2, vec![1, 0, 1]));
        assert_eq!(leaves(opcode::DUP_X2, &[INT; 3]), (3, vec![2, 0, 1, 2]));
        let four = (4, vec![2, 3, 0, 1, 2, 3]);
        assert_eq!(leaves(opcode::DUP2_X2, &[INT; 4]), four);
        assert_eq!(leaves(opcode::DUP2_X2, &[LONG, LONG]), (2, vec![1, 0, 1]));
        let under = (3, vec![1, 2, 0, 1, 2]);
        assert_eq!(leaves(opcode::DUP2_X2, &[LONG, INT, INT]), under);
        assert_eq!(leaves(opcode::DUP2_X1, &[INT, INT, INT]), under);
        assert_eq!(leaves(opcode::POP2, &[LONG]), (1, vec![]));
        assert_eq!(leaves(opcode::SWAP, &[INT, INT]), (2, vec![1, 0]));
    }

    #[test]
    fn a_short_stack_is_an_error() {
        assert_eq!(of(&[opcode::DUP2], &[INT]), Err(EffectError::Stack(0)));
        assert_eq!(of(&[opcode::IADD], &[INT]), Err(EffectError::Stack(0)));
        assert_eq!(of(&[opcode::POP2], &[]), Err(EffectError::Stack(0)));
    }

    #[test]
    fn locals_are_named_in_every_form() {
        assert_eq!(of(&[opcode::ILOAD_2], &[]).unwrap().access, Access::Load(2));
        let wide = [opcode::WIDE, opcode::LSTORE, 1, 4];
        assert_eq!(of(&wide, &[LONG]).unwrap().access, Access::Store(260));
        let iinc = [opcode::IINC, 3, 1];
        assert_eq!(of(&iinc, &[]).unwrap().access, Access::Increment(3));
        let ret = of(&[opcode::RET, 5], &[]).unwrap();
        assert_eq!(ret.access, Access::Branch(Some(5)));
    }
}

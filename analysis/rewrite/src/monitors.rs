//! Where recorded threads met others: monitors, volatile fields, and natural objects that threads share. Replay lets threads take turns, so it has no monitors; at
//! their places, and at such accesses and calls, the worker is asked, and may let others go on.
//!
//! What counts as a meeting is the same as for the agent (`agent/instrument/src/order.rs`).

use jinsi_classfile::insn::Insn;
use jinsi_classfile::{ACC_SYNCHRONIZED, ACC_VOLATILE, Asm, ClassFile, Editor, PoolError, opcode};

use jinsi_natural::meets_others;

use crate::{CodeError, REPLAY};

/// Says to the worker that a monitor's object is there, as the instruction would.
const OF_OBJECT: &str = "(Ljava/lang/Object;)V";

/// How the class meets other threads.
pub(super) struct Monitors {
    class: String,
    /// Names and descriptors of the volatile fields that it declares.
    volatile: Vec<(String, String)>,
    /// It is not observed itself: nobody counts there.
    inherited: bool,
}

impl Monitors {
    /// Of a class, before it is rewritten.
    pub(super) fn of(class: &ClassFile, name: &str, inherited: bool) -> Self {
        let fields = class.fields.iter().filter(|f| f.access & ACC_VOLATILE != 0);
        let volatile = fields.filter_map(|f| {
            let (name, desc) = (f.name(&class.pool).ok()?, f.desc(&class.pool).ok()?);
            Some((name.into_owned(), desc.into_owned()))
        });
        Self {
            class: name.to_owned(),
            volatile: volatile.collect(),
            inherited,
        }
    }

    /// Takes an instruction's monitor away, or announces its access of a field. Says whether the instruction is done with.
    pub(super) fn instruction(
        &self,
        insn: &Insn<'_>,
        class: &mut ClassFile,
        editor: &mut Editor<'_>,
    ) -> Result<bool, CodeError> {
        let mut asm = Asm::new();
        match insn.opcode {
            opcode::MONITORENTER => {
                asm.invokestatic(&mut class.pool, REPLAY, self.entered(), OF_OBJECT);
                editor.replace(insn.offset, &asm)?;
            }
            opcode::MONITOREXIT => {
                asm.invokestatic(&mut class.pool, REPLAY, "left", OF_OBJECT);
                editor.replace(insn.offset, &asm)?;
            }
            opcode::INVOKEVIRTUAL | opcode::INVOKEINTERFACE if self.meets_in(insn, class)? => {
                asm.invokestatic(&mut class.pool, REPLAY, "meet", "()V");
                editor.before(insn.offset, &asm)?;
                let mut called = Asm::new();
                called.invokestatic(&mut class.pool, REPLAY, "called", "()V");
                editor.after(insn.offset, &called)?;
                return Ok(false);
            }
            opcode::GETSTATIC | opcode::PUTSTATIC | opcode::GETFIELD | opcode::PUTFIELD
                if self.meets_at(insn, class)? =>
            {
                asm.invokestatic(&mut class.pool, REPLAY, "meet", "()V");
                editor.before(insn.offset, &asm)?;
                return Ok(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Does this call count as a meeting, which natural code has in it?
    fn meets_in(&self, insn: &Insn<'_>, class: &ClassFile) -> Result<bool, PoolError> {
        match insn.pool_index().filter(|_| !self.inherited) {
            Some(index) => Ok(meets_others(&class.pool.member_owner(index)?)),
            None => Ok(false),
        }
    }

    /// Is the field one that the class declares as volatile?
    fn meets_at(&self, insn: &Insn<'_>, class: &ClassFile) -> Result<bool, PoolError> {
        let Some(index) = insn.pool_index().filter(|_| !self.inherited) else {
            return Ok(false);
        };
        if class.pool.member_owner(index)? != self.class.as_str() {
            return Ok(false);
        }
        let member = class.pool.member_ref(index)?;
        let is_it = |(name, desc): &(String, String)| *name == member.name && *desc == member.desc;
        Ok(self.volatile.iter().any(is_it))
    }

    /// Takes the monitor of method `index` away, if it is synchronized.
    pub(super) fn method(
        &self,
        class: &mut ClassFile,
        index: usize,
        editor: &mut Editor<'_>,
    ) -> Result<(), CodeError> {
        if class.methods[index].access & ACC_SYNCHRONIZED == 0 {
            return Ok(());
        }
        let mut begins = Asm::new();
        begins.invokestatic(&mut class.pool, REPLAY, self.entered(), "()V");
        editor.entry(&begins)?;
        let mut ends = Asm::new();
        ends.invokestatic(&mut class.pool, REPLAY, "left", "()V");
        let returns = editor.insns().iter();
        let returns = returns.filter(|insn| opcode::is_return(insn.opcode));
        let returns: Vec<u32> = returns.map(|insn| insn.offset).collect();
        for offset in returns {
            editor.before(offset, &ends)?;
        }
        ends.op(opcode::ATHROW);
        editor.catch_all(0, &ends)?;
        Ok(())
    }

    fn entered(&self) -> &'static str {
        match self.inherited {
            true => "enteredInherited",
            false => "entered",
        }
    }
}

//! What `redact=` names: its values are made known to the probes before any event can hold them.

use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_STATIC, Asm};

use super::emitter::Probes;
use super::emitter::release;
use super::outcome::InstrumentError;

/// Takes a value whose text must not get into the trace.
const SECRET: (&str, &str, &str) = ("java/lang/JinsiRedact", "secret", "(Ljava/lang/Object;)V");

impl Probes<'_, '_> {
    /// Inserts the calls that tell secrets. To be done before any other probe is inserted: at one place the first comes first.
    pub(super) fn tell_secrets(&mut self) -> Result<(), InstrumentError> {
        if !self.context.selection.redacts_anything() {
            return Ok(());
        }
        let own = self.own();
        let is_own = self.context.selection.redacts(&own.owner, &own.name);
        if is_own {
            self.tell_parameters(&own.desc)?;
        }
        for at in self.insns {
            if self.flow.at(at.offset).is_none() {
                continue; // unreachable
            }
            match at.opcode {
                op::ARETURN if is_own => {
                    let mut asm = Asm::new();
                    self.tell_top(&mut asm);
                    self.editor.before(at.offset, &asm)?;
                }
                op::GETSTATIC..=op::PUTFIELD => self.tell_field(at)?,
                op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.tell_call(at)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn tell_parameters(&mut self, desc: &str) -> Result<(), InstrumentError> {
        let mut asm = Asm::new();
        let mut local = u16::from(self.access & ACC_STATIC == 0);
        for param in MethodType::parse(desc)?.params {
            if param.letter() == 'L' {
                asm.load('L', local);
                self.tell(&mut asm);
            }
            local += param.slots();
        }
        self.editor.entry(&asm)?;
        Ok(())
    }

    fn tell_field(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self.access_target(at)?;
        let reference = Type::parse(&target.desc)?.letter() == 'L';
        if reference && self.context.selection.redacts(&target.owner, &target.name) {
            let mut asm = Asm::new();
            self.tell_top(&mut asm);
            match at.opcode {
                op::GETSTATIC | op::GETFIELD => self.editor.after(at.offset, &asm)?,
                _ => self.editor.before(at.offset, &asm)?,
            }
        }
        Ok(())
    }

    /// Arguments and result of a call.
    fn tell_call(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let target = self
            .context
            .class
            .pool
            .member_ref(at.pool_index().unwrap_or(0))?;
        if !self.context.selection.redacts(&target.owner, &target.name) {
            return Ok(());
        }
        let desc = target.desc.into_owned();
        let method = MethodType::parse(&desc)?;
        let mut asm = Asm::new();
        let (locals, _) = self.spill_args(&mut asm, &method)?;
        for &(local, param) in &locals {
            asm.load(param.letter(), local);
            if param.letter() == 'L' {
                self.tell_top(&mut asm);
            }
            release(&mut asm, param.letter(), local);
        }
        self.editor.before(at.offset, &asm)?;
        if method.result_letter() == 'L' {
            let mut asm = Asm::new();
            self.tell_top(&mut asm);
            self.editor.after(at.offset, &asm)?;
        }
        Ok(())
    }

    /// The reference on top of the stack is one of a secret, and stays there.
    fn tell_top(&mut self, asm: &mut Asm) {
        asm.op(op::DUP);
        self.tell(asm);
    }

    fn tell(&mut self, asm: &mut Asm) {
        let (owner, name, desc) = SECRET;
        asm.invokestatic(self.pool, owner, name, desc);
    }
}

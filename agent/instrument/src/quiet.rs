//! Methods that cannot end by an exception.

use jinsi_classfile::ACC_SYNCHRONIZED;
use jinsi_classfile::flow::Value;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;

use super::emitter::Probes;

/// Tags of the constants that are there without being resolved: `CONSTANT_Integer` to `CONSTANT_Double` (JVMS table 4.4-A).
const NUMBERS: std::ops::RangeInclusive<u8> = 3..=6;

impl Probes<'_, '_> {
    /// Can the method surely not end by an exception? Then nobody need watch for one: accessors and the like stay small enough to be
    /// inlined. A stack overflow comes before a method begins, and asynchronous exceptions (`Thread.stop`, gone since Java 20) end
    /// calls whose end the next handler tells.
    pub(super) fn never_throws(&self) -> bool {
        self.access & ACC_SYNCHRONIZED == 0 && self.insns.iter().all(|at| self.is_harmless(at))
    }

    /// Can the instruction surely not throw?
    pub(super) fn is_harmless(&self, at: &Insn<'_>) -> bool {
        let pool = &self.context.class.pool;
        match at.opcode {
            op::IDIV | op::LDIV | op::IREM | op::LREM => false,
            op::NOP..=op::SIPUSH
            | op::ILOAD..=op::ALOAD_3
            | op::ISTORE..=op::ASTORE_3
            | op::POP..=op::GOTO
            | op::TABLESWITCH..=op::RETURN
            | op::IFNULL..=op::GOTO_W => true,
            op::LDC..=op::LDC2_W => pool
                .tag(at.pool_index().unwrap_or(0))
                .is_some_and(|tag| NUMBERS.contains(&tag)),
            op::GETFIELD | op::PUTFIELD => {
                let owner = || pool.member_owner(at.pool_index().unwrap_or(0));
                self.flow.receiver(at.offset) == Some(Value::This)
                    && owner().is_ok_and(|owner| owner == self.context.name)
            }
            _ => false,
        }
    }
}

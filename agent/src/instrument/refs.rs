//! The constants of the probes' methods, looked up once a class.

use jinsi_classfile::pool::ConstantPool;
use jinsi_classfile::{Asm, opcode as op};

const PROBE: &str = "java/lang/JinsiProbe";

/// A method of `JinsiProbe`: name and descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Probe(pub(super) &'static str, pub(super) &'static str);

/// Which constant of the class's pool names which probe.
#[derive(Debug, Default)]
pub(super) struct ProbeRefs {
    // Few enough to be searched.
    known: Vec<(Probe, u16)>,
}

impl ProbeRefs {
    /// Adds a call of `probe`, whose arguments are on the stack. `pool` must be the same each time.
    pub(super) fn call(&mut self, asm: &mut Asm, pool: &mut ConstantPool, probe: Probe) {
        let Probe(name, desc) = probe;
        let known = self.known.iter().find(|(known, _)| *known == probe);
        if let Some(&(_, index)) = known {
            asm.invoke(op::INVOKESTATIC, index, desc);
            return;
        }
        asm.invokestatic(pool, PROBE, name, desc);
        // A full pool is the snippet's error.
        if let Ok(index) = pool.add_method_ref(PROBE, name, desc, false) {
            self.known.push((probe, index));
        }
    }
}

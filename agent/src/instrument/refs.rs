//! The constants of the probes' methods, looked up once a class.

use jinsi_classfile::Asm;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::pool::ConstantPool;

const PROBE: &str = "java/lang/JinsiProbe";

/// A method of `JinsiProbe`: name and descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Probe(pub(super) &'static str, pub(super) &'static str);

/// Which constant of the class's pool names which probe.
#[derive(Debug, Default)]
pub(super) struct ProbeRefs {
    // Few enough to be searched. Behind each its constant, and the slots of its arguments.
    known: Vec<(Probe, u16, u16)>,
}

impl ProbeRefs {
    /// Adds a call of `probe`, whose arguments are on the stack. `pool` must be the same each time.
    pub(super) fn call(&mut self, asm: &mut Asm, pool: &mut ConstantPool, probe: Probe) {
        // The texts are constants of this crate: equal ones mostly lie in one place.
        let known = self
            .known
            .iter()
            .find(|(known, ..)| std::ptr::eq(known.0, probe.0) && std::ptr::eq(known.1, probe.1));
        if let Some(&(_, index, slots)) = known {
            asm.call_static(index, slots);
            return;
        }
        let Probe(name, desc) = probe;
        asm.invokestatic(pool, PROBE, name, desc);
        // A full pool is the snippet's error.
        if let Ok(index) = pool.add_method_ref(PROBE, name, desc, false)
            && let Ok(method) = MethodType::parse(desc)
        {
            self.known.push((probe, index, method.param_slots()));
        }
    }
}

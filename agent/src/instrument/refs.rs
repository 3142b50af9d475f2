//! The constants of the probes' methods, looked up once a class.

use jinsi_classfile::Asm;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::pool::ConstantPool;

use super::Part;

const PROBE: &str = "java/lang/JinsiProbe";
/// The same for inherited code, each with one more argument: the receiver.
const INHERITED: &str = "java/lang/JinsiInherited";

/// Which constant of a class's pool names which probe.
#[derive(Debug)]
pub(super) struct ProbeRefs {
    part: Part,
    // Few enough to be searched.
    known: Vec<Known>,
}

#[derive(Debug)]
struct Known {
    name: &'static str,
    desc: &'static str,
    constant: u16,
    /// Slots of all arguments.
    slots: u16,
}

impl ProbeRefs {
    pub(super) fn new(part: Part) -> Self {
        Self {
            part,
            known: Vec::new(),
        }
    }

    /// Adds a call of a probe, whose arguments are on the stack: but for the receiver, which inherited code gives last. `pool` must be
    /// the same each time.
    pub(super) fn call(
        &mut self,
        asm: &mut Asm,
        pool: &mut ConstantPool,
        name: &'static str,
        desc: &'static str,
    ) {
        if self.part == Part::Inherited {
            asm.load('L', 0);
        }
        // The texts are constants of this crate: equal ones mostly lie in one place.
        let same =
            |known: &&Known| std::ptr::eq(known.name, name) && std::ptr::eq(known.desc, desc);
        if let Some(known) = self.known.iter().find(same) {
            asm.call_static(known.constant, known.slots);
            return;
        }
        let with_receiver;
        let (owner, full) = match self.part {
            Part::Observed | Part::Outside => (PROBE, desc),
            Part::Inherited => {
                with_receiver = desc.replace(')', "Ljava/lang/Object;)");
                (INHERITED, with_receiver.as_str())
            }
        };
        asm.invokestatic(pool, owner, name, full);
        // A full pool is the snippet's error.
        if let Ok(constant) = pool.add_method_ref(owner, name, full, false)
            && let Ok(method) = MethodType::parse(full)
        {
            self.known.push(Known {
                name,
                desc,
                constant,
                slots: method.param_slots(),
            });
        }
    }
}

//! The constants of the probes' methods, looked up once a class.

use jinsi_classfile::Asm;
use jinsi_classfile::descriptor::{MethodType, letter_slots};
use jinsi_classfile::pool::ConstantPool;
use jinsi_probes::{Form, whole_descriptor};

use super::context::ProbeSet;

pub(super) use jinsi_probes::{MOST_VALUES, OWNER as PROBE, Whole};

/// The same for inherited code, each with one more argument: the receiver.
const INHERITED: &str = "java/lang/JinsiInherited";

/// Which constant of a class's pool names which probe.
#[derive(Debug)]
pub(super) struct ProbeRefs {
    probe_set: ProbeSet,
    // Few enough to be searched.
    known: Vec<ProbeRef>,
    /// Constants of the probes of whole events, by [`Whole`] and [`shape`].
    events: [[Option<u16>; 2 << MOST_VALUES]; Whole::ALL.len()],
}

#[derive(Debug)]
struct ProbeRef {
    name: &'static str,
    desc: &'static str,
    constant: u16,
    /// Slots of all arguments.
    slots: u16,
    /// ... and of the result.
    result: u16,
}

impl ProbeRefs {
    pub(super) fn new(probe_set: ProbeSet) -> Self {
        Self {
            probe_set,
            known: Vec::new(),
            events: [[None; 2 << MOST_VALUES]; Whole::ALL.len()],
        }
    }

    /// Adds a call of the probe that writes a whole event with at most [`MOST_VALUES`] values of these letters; they and what event it is
    /// are on the stack.
    pub(super) fn call_event(
        &mut self,
        asm: &mut Asm,
        pool: &mut ConstantPool,
        probe: Whole,
        letters: &[char],
    ) {
        let words = letters
            .iter()
            .map(|&letter| if letter == 'L' { 1 } else { 2 });
        let slots = words.sum::<u16>() + 1;
        let shape = shape(letters);
        let known = &mut self.events[probe as usize][shape];
        if let Some(constant) = *known {
            asm.call_static(constant, slots, 0);
            return;
        }
        let desc = whole_descriptor(letters.iter().map(|letter| match letter {
            'L' => Form::Reference,
            _ => Form::Word,
        }));
        asm.invokestatic(pool, PROBE, probe.name(), &desc);
        // A full pool is the snippet's error.
        *known = pool.add_method_ref(PROBE, probe.name(), &desc, false).ok();
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
        if self.probe_set == ProbeSet::Inherited {
            asm.load('L', 0);
        }
        // The texts are constants of this crate: equal ones mostly lie in one place.
        let same =
            |known: &&ProbeRef| std::ptr::eq(known.name, name) && std::ptr::eq(known.desc, desc);
        if let Some(known) = self.known.iter().find(same) {
            asm.call_static(known.constant, known.slots, known.result);
            return;
        }
        let with_receiver;
        let (owner, full) = match self.probe_set {
            ProbeSet::Observed | ProbeSet::Outside => (PROBE, desc),
            ProbeSet::Inherited => {
                with_receiver = desc.replace(')', "Ljava/lang/Object;)");
                (INHERITED, with_receiver.as_str())
            }
        };
        asm.invokestatic(pool, owner, name, full);
        // A full pool is the snippet's error.
        if let Ok(constant) = pool.add_method_ref(owner, name, full, false)
            && let Ok(method) = MethodType::parse(full)
        {
            self.known.push(ProbeRef {
                name,
                desc,
                constant,
                slots: method.param_slots(),
                result: letter_slots(method.result_letter()),
            });
        }
    }
}

/// A number for each sequence of primitives and references.
fn shape(letters: &[char]) -> usize {
    letters
        .iter()
        .fold(1, |shape, &letter| shape << 1 | usize::from(letter == 'L'))
}

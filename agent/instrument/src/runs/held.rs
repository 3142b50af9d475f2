//! The locals of words, and local variables whose array is identified once.

use jinsi_classfile::cfg::Cfg;
use jinsi_classfile::cfg::loops::loops;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::flow::{Kind, Value};
use jinsi_classfile::frames::VType;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_STATIC, Asm};
use jinsi_probes::MOST_HELD;

use crate::emitter::{LAST_INFERRED, Probes};
use crate::outcome::InstrumentError;
use crate::refs::PROBE;

impl Probes<'_, '_> {
    /// A local for a word: that of the array in `local`, if there is one to begin with.
    pub(super) fn kept_word(
        &mut self,
        initial: &[VType],
        local: Option<u16>,
    ) -> Result<u16, InstrumentError> {
        let word = self.editor.kept_long(initial)?;
        let mut asm = Asm::new();
        match local {
            Some(local) => self.array_word(&mut asm, local),
            None => _ = asm.long(self.pool, 0),
        }
        asm.store('J', word);
        self.editor.entry(&asm)?;
        Ok(word)
    }

    fn array_word(&mut self, asm: &mut Asm, local: u16) {
        asm.load('L', local);
        asm.invokestatic(self.pool, PROBE, "array", "(Ljava/lang/Object;)J");
    }

    /// Keeps the word of the array in `local`; the local where it is.
    pub(super) fn hold(&mut self, local: u16, initial: &[VType]) -> Result<u16, InstrumentError> {
        let is_array = self.array_parameters()?.contains(&local);
        let word = self.kept_word(initial, is_array.then_some(local))?;
        let stores =
            (self.insns.iter()).filter(|at| is_reference_store(at) && at.local() == Some(local));
        for at in stores {
            if self.flow.at(at.offset).is_some() {
                let mut asm = Asm::new();
                // If the stack overflows in the probe, it is not known which array it is.
                asm.long(self.pool, 0).store('J', word);
                self.array_word(&mut asm, local);
                asm.store('J', word);
                self.editor.after(at.offset, &asm)?;
            }
        }
        Ok(word)
    }

    /// Locals of the parameters that are arrays.
    fn array_parameters(&self) -> Result<Vec<u16>, InstrumentError> {
        let method = MethodType::parse(&self.desc)?;
        let mut next = u16::from(self.access & ACC_STATIC == 0);
        let mut arrays = Vec::new();
        for param in &method.params {
            if param.is_array() {
                arrays.push(next);
            }
            next += param.slots();
        }
        Ok(arrays)
    }

    /// For each block the locals that are the same all through a loop that it is in, and whose values can be looked at.
    pub(super) fn holdable(&self, cfg: &Cfg) -> Vec<Vec<u16>> {
        let mut holdable = vec![Vec::new(); cfg.blocks().len()];
        if self.context.class.major <= LAST_INFERRED {
            // What else than objects is stored there is known of newer classes only.
            return holdable;
        }
        let loads = self.insns.iter().filter(|at| is_reference_load(at));
        let mut locals: Vec<u16> = loads.filter_map(Insn::local).collect();
        locals.sort_unstable();
        locals.dedup();
        locals.retain(|&local| self.holds_objects(local));
        let loops = loops(cfg);
        let mut count = 0;
        for local in locals {
            let mut is_held = false;
            for found in &loops {
                let blocks = found.blocks.iter().map(|no| cfg.block(no));
                let mut insns = blocks.flat_map(|block| &self.insns[block.first..=block.last]);
                if insns.any(|at| stores(at, local)) {
                    continue;
                }
                for no in found.blocks.iter() {
                    holdable[no as usize].push(local);
                }
                is_held = true;
            }
            count += usize::from(is_held);
            if count == MOST_HELD {
                break;
            }
        }
        holdable
    }

    /// Is what is stored into the local as an object always an initialized one?
    fn holds_objects(&self, local: u16) -> bool {
        let mut stores =
            (self.insns.iter()).filter(|at| is_reference_store(at) && at.local() == Some(local));
        stores.all(|at| match self.flow.at(at.offset) {
            Some(state) => {
                matches!(
                    state.stack.last(),
                    Some(Value::Other(Kind::Ref) | Value::This | Value::Made(_))
                )
            }
            None => true,
        })
    }
}

/// Does the instruction change the local, or what it is the second half of?
fn stores(at: &Insn<'_>, local: u16) -> bool {
    let is_store = matches!(at.opcode, op::ISTORE..=op::ASTORE_3 | op::IINC | op::RET);
    let wide = matches!(
        at.opcode,
        op::LSTORE | op::DSTORE | op::LSTORE_0..=op::LSTORE_3 | op::DSTORE_0..=op::DSTORE_3
    );
    let changed = at.local().filter(|_| is_store);
    changed.is_some_and(|changed| changed == local || wide && changed.checked_add(1) == Some(local))
}

fn is_reference_store(at: &Insn<'_>) -> bool {
    matches!(at.opcode, op::ASTORE | op::ASTORE_0..=op::ASTORE_3)
}

fn is_reference_load(at: &&Insn<'_>) -> bool {
    matches!(at.opcode, op::ALOAD | op::ALOAD_0..=op::ALOAD_3)
}

//! Probes of a recording at the boundary (`detail=boundary`). What observed classes do to each other is not recorded, because a replay of
//! them all does it again. What is recorded are the calls by the environment, and the calls of it.
//!
//! More than that may be recorded, where it would cost more to find out whether it is needed. What is left out must be what replay runs
//! for real (`jinsi_level::project`).
//!
//! At its beginning a method finds out whether the environment has called it, and keeps the answer, its *gate*, in a fresh local that all
//! frames keep. Its end is an event only if the gate is open. A call on a receiver that may be observed or natural has a gate of its
//! own. The probes that take gates are those of `JinsiEdge`.

mod builders;
mod ends;
mod events;
mod short;
mod sites;
mod unobserved_subclasses;

use jinsi_classfile::flow::Value;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_PRIVATE, ACC_SYNCHRONIZED};

use super::emitter::{Gates, Probes};
use super::outcome::InstrumentError;

impl Probes<'_, '_> {
    /// Inserts all probes; without `inner` only those of the method's ends.
    pub(super) fn insert_at_boundary(&mut self, inner: bool) -> Result<(), InstrumentError> {
        let sheltered = self.gates.is_none();
        if !sheltered {
            self.entry_at_boundary()?;
        }
        let exit = self.exit_site();
        let constructor = self.name == "<init>";
        let mut initialized_from = 0;
        for instruction in self.insns {
            let Some(state) = self.flow.at(instruction.offset) else {
                continue; // unreachable
            };
            if constructor && state.holds(Value::UninitThis) {
                initialized_from = instruction.end();
            }
            match instruction.opcode {
                op::IRETURN..=op::RETURN if sheltered => {}
                op::IRETURN..=op::RETURN => self.exit_at_boundary(instruction, exit)?,
                op::INVOKESPECIAL if self.calls_own_constructor(instruction) => {
                    self.initialized(instruction)?;
                }
                _ if !inner => {}
                op::INVOKEVIRTUAL..=op::INVOKEINTERFACE => self.call_at_boundary(instruction)?,
                op::INVOKEDYNAMIC => self.dynamic_at_boundary(instruction)?,
                op::MONITORENTER => self.monitor_enter(instruction)?,
                op::MONITOREXIT => self.monitor_exit(instruction)?,
                op::GETSTATIC | op::PUTSTATIC | op::GETFIELD | op::PUTFIELD => {
                    self.field_at_boundary(instruction)?;
                }
                _ => {}
            }
        }
        self.handlers_at_boundary()?;
        match sheltered {
            true => Ok(()),
            false => self.exit_throw_at_boundary(initialized_from),
        }
    }

    /// Does nobody but the class itself call the method? It is private, and no method handle, annotation or convention of serialization
    /// leads to it. (Where reflection does all the same, replay diverges.)
    fn is_sheltered(&self) -> Result<bool, InstrumentError> {
        const BY_CONVENTION: &[&str] = &[
            "<init>",
            "main",
            "readObject",
            "readObjectNoData",
            "readResolve",
            "writeObject",
            "writeReplace",
        ];
        let pool = &self.context.class.pool;
        let annotated = |name| self.member.attribute(pool, name).is_some();
        Ok(
            self.access & (ACC_PRIVATE | ACC_SYNCHRONIZED) == ACC_PRIVATE
                && !self.is_inherited()
                && !BY_CONVENTION.contains(&self.name.as_str())
                && !annotated("RuntimeVisibleAnnotations")
                && !self.context.reflective
                && !self.context.handled.contains(&self.name, &self.desc),
        )
    }

    pub(super) fn is_initializer(&self) -> bool {
        self.name == "<clinit>"
    }

    /// Makes the gates of the method, if others than the class itself call it.
    pub(crate) fn keep_gates(&mut self) -> Result<(), InstrumentError> {
        if self.is_sheltered()? {
            return Ok(());
        }
        let initial = self.initial_locals()?;
        let own = self.editor.kept_int(&initial)?;
        let mine = match self.is_inherited() {
            true => Some(self.editor.kept_int(&initial)?),
            false => None,
        };
        self.gates = Some(Gates { own, mine });
        Ok(())
    }
}

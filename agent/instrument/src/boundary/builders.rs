//! Builders of strings that never leave the method that made them. Replay makes and fills them again, and no event can name one. So
//! neither their constructions nor calls on them need a probe.

use std::collections::BTreeSet;

use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::flow::Value;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::pool::MemberRef;
use jinsi_trace::model::is_string_or_box;

use crate::emitter::Probes;

const BUILDERS: &[&str] = &["java/lang/StringBuffer", "java/lang/StringBuilder"];

impl Probes<'_, '_> {
    /// Is this a constructor of a builder that no other code gets, or a method called on one?
    pub(super) fn is_on_own_builder(&mut self, at: &Insn<'_>) -> bool {
        if !matches!(at.opcode, op::INVOKESPECIAL | op::INVOKEVIRTUAL) {
            return false;
        }
        match self.flow.receiver(at.offset) {
            Some(Value::New(new) | Value::Made(new)) => self.builders().contains(&new),
            _ => false,
        }
    }

    /// Offsets of the `new`s that make such builders.
    fn builders(&mut self) -> &BTreeSet<u32> {
        let (flow, insns, pool) = (self.flow, self.insns, &self.context.class.pool);
        self.builders
            .get_or_insert_with(|| flow.confined(insns, pool, &keeps_to_itself))
    }
}

/// Is the call one on a builder that takes and gives nothing that could ask, or keep, another object?
fn keeps_to_itself(call: &MemberRef<'_>) -> bool {
    let Ok(method) = MethodType::parse(&call.desc) else {
        return false;
    };
    let plain = |value: &Type<'_>| match value.class_name() {
        Some(name) => is_string_or_box(name),
        // At most an array of primitives.
        None => !value.is_array() || value.desc().len() == 2,
    };
    let owner = call.owner.as_ref();
    let given = |value: &Type<'_>| match value.class_name() {
        Some(name) => name == owner || name == "java/lang/String",
        None => !value.is_array(),
    };
    BUILDERS.contains(&owner)
        // It tells an identity.
        && call.name != "hashCode"
        && method.params.iter().all(plain)
        && method.result.as_ref().is_none_or(given)
}

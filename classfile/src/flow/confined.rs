//! Objects that no code but the method's own gets hold of.

use std::collections::BTreeSet;

use super::{Flow, State};
use crate::insn::Insn;
use crate::opcode;
use crate::pool::{ConstantPool, MemberRef};

impl Flow {
    /// Offsets of the `new`s whose objects are in locals and on the stack of this method alone, as the receivers of calls that are
    /// `harmless`: whose receiver is nowhere else afterwards. Constructor calls are calls.
    pub fn confined(
        &self,
        insns: &[Insn<'_>],
        pool: &ConstantPool,
        harmless: &dyn Fn(&MemberRef<'_>) -> bool,
    ) -> BTreeSet<u32> {
        let news = self.news.iter().map(|site| site.offset);
        let mut confined: BTreeSet<u32> = news.filter(|new| !self.mixed.contains(new)).collect();
        for (insn, fact) in insns.iter().zip(&self.facts) {
            if confined.is_empty() {
                break;
            }
            let Some(state) = fact.state(&self.values) else {
                continue;
            };
            for new in lost(insn, state, fact.low as usize, pool, harmless) {
                confined.remove(&new);
            }
        }
        confined
    }
}

/// The `new`s whose objects the instruction, which leaves so much of the stack alone, takes where they are lost sight of.
fn lost(
    insn: &Insn<'_>,
    state: State<'_>,
    low: usize,
    pool: &ConstantPool,
    harmless: &dyn Fn(&MemberRef<'_>) -> bool,
) -> Vec<u32> {
    let taken = state.stack.get(low..).unwrap_or_default();
    let kept = match insn.opcode {
        opcode::POP..=opcode::SWAP
        | opcode::ASTORE
        | opcode::ASTORE_0..=opcode::ASTORE_3
        | opcode::IFNULL
        | opcode::IFNONNULL => return Vec::new(),
        opcode::INVOKEVIRTUAL | opcode::INVOKESPECIAL => {
            let member = insn
                .pool_index()
                .and_then(|index| pool.member_ref(index).ok());
            usize::from(member.is_some_and(|member| harmless(&member)))
        }
        _ => 0,
    };
    let others = taken.iter().skip(kept);
    others.filter_map(|value| value.new_of()).collect()
}

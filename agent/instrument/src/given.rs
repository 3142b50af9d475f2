//! Probes that tell values which nothing else tells (`detail=states`).
//!
//! Constants, parameters, copies and what is computed of them follow from the path. Other values are operands of events: what is read of
//! other objects and of arrays, and what calls give. The rest comes out of few instructions: reads of the method's own object and class,
//! calls that only compute, and `instanceof`. An event of its own tells such a value, unless
//!
//! * it goes nowhere but into the operands of the next event (the receiver of a call, what a method returns, an array), or
//! * it only decides a branch, which the path tells.
//!
//! Own writes need no event: what they write is known then.

use std::collections::BTreeSet;

use jinsi_classfile::ACC_STATIC;
use jinsi_classfile::Asm;
use jinsi_classfile::cfg::Cfg;
use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::effect::{Access, StackEffect, effect};
use jinsi_classfile::flow::Value;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_trace::model::{CallOp, Detail, EventKind, MemberRef};

use super::coverage;
use super::emitter::Probes;
use super::events::{Operand, Then};
use super::outcome::InstrumentError;
use super::sites::{is_box, only_computes};

/// What of unreported values is in a stack entry: the bytecode indices that gave them.
type Origins = Vec<u32>;

/// Goes through the blocks of a method.
struct Finder<'p, 'a, 'c> {
    probes: &'p Probes<'a, 'c>,
    stack: Vec<Origins>,
    reported: BTreeSet<u32>,
}

impl Finder<'_, '_, '_> {
    fn tell(&mut self, origins: Origins) {
        self.reported.extend(origins);
    }

    fn tell_all(&mut self) {
        let stack = std::mem::take(&mut self.stack);
        self.reported.extend(stack.into_iter().flatten());
    }

    fn instruction(&mut self, at: &Insn<'_>) {
        let pool = &self.probes.context.class.pool;
        let state = self.probes.flow.at(at.offset);
        let Some(effect) = state.and_then(|state| effect(at, pool, state).ok()) else {
            return self.tell_all();
        };
        match effect.stack {
            StackEffect::Shuffle { pops, leaves } => {
                let taken = self.take(pops);
                for &no in leaves {
                    self.stack.push(taken[usize::from(no)].clone());
                }
            }
            StackEffect::Compute { pops, pushes } => {
                let taken = self.take(pops);
                let made = self.compute(at, effect.access, taken);
                if pushes {
                    self.stack.push(made);
                }
            }
        }
    }

    /// The uppermost entries, lowest first; what is from before the block has no origins.
    fn take(&mut self, count: u8) -> Vec<Origins> {
        let mut taken: Vec<Origins> = (0..count)
            .map(|_| self.stack.pop().unwrap_or_default())
            .collect();
        taken.reverse();
        taken
    }

    /// The origins of what the instruction makes of what it takes.
    fn compute(&mut self, at: &Insn<'_>, access: Access, taken: Vec<Origins>) -> Origins {
        let probes = self.probes;
        match access {
            Access::Invoke(_) if probes.computes(at) => {}
            Access::Invoke(_) => {
                // Its arguments are operands. What lies below would have to wait for all that runs within the call.
                self.tell_all();
                return Origins::new();
            }
            Access::Store(_) => {
                taken.into_iter().for_each(|origins| self.tell(origins));
                return Origins::new();
            }
            Access::PutField(_) | Access::PutStatic(_) if probes.is_own_access(at) => {
                taken.into_iter().for_each(|origins| self.tell(origins));
                return Origins::new();
            }
            Access::None => {}
            // What they take are operands of their events, or decides which way the method goes.
            _ if !probes.may_be_given(at) => return Origins::new(),
            _ => {}
        }
        match probes.may_be_given(at) {
            true => vec![at.offset],
            // It can be computed again.
            false => taken.concat(),
        }
    }
}

impl Probes<'_, '_> {
    /// Finds the instructions whose values have to be reported.
    pub(super) fn find_given(&self, cfg: &Cfg) -> BTreeSet<u32> {
        if self.context.selection.detail() < Detail::States {
            return BTreeSet::new();
        }
        let mut finder = Finder {
            probes: self,
            stack: Vec::new(),
            reported: BTreeSet::new(),
        };
        for no in (0..cfg.blocks().len() as u32).filter(|&no| cfg.is_reachable(no)) {
            let block = cfg.block(no);
            for at in &self.insns[block.first..=block.last] {
                finder.instruction(at);
            }
            finder.tell_all();
        }
        finder.reported
    }

    /// Has the instruction's value to be reported?
    pub(super) fn is_given(&self, at: &Insn<'_>) -> bool {
        self.given.contains(&at.offset)
    }

    /// The event that tells it.
    pub(super) fn give(&mut self, at: &Insn<'_>) -> Result<(), InstrumentError> {
        let (target, letter) = match at.opcode {
            op::INSTANCEOF => (self.nothing(), 'Z'),
            op::GETFIELD | op::GETSTATIC => {
                let target = self.access_target(at)?;
                let letter = Type::parse(&target.desc)?.letter();
                (target, letter)
            }
            _ => {
                let target = self.access_target(at)?;
                let result = MethodType::parse(&target.desc)?.result;
                let letter = result.map_or('L', Type::letter);
                (target, letter)
            }
        };
        let kind = EventKind::Given;
        let letters = letter.to_string().into();
        let site = self.site(kind, at.offset, target, CallOp::None, letters, false);
        let mut asm = Asm::new();
        self.event(&mut asm, &[Operand::Top(letter)], Then::Same, site, kind);
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }

    fn nothing(&self) -> MemberRef {
        MemberRef {
            owner: self.context.name.clone(),
            name: Default::default(),
            desc: Default::default(),
        }
    }

    /// Is the instruction one whose value nothing else may tell?
    fn may_be_given(&self, at: &Insn<'_>) -> bool {
        match at.opcode {
            op::INSTANCEOF => true,
            op::GETFIELD | op::GETSTATIC => self.is_own_access(at),
            _ => {
                self.computes(at)
                    && (self.access_target(at))
                        .is_ok_and(|t| !is_box(&t) && !coverage::is_init(&t.name, &t.desc))
            }
        }
    }

    /// Is it a call that makes no event, because it only computes?
    fn computes(&self, at: &Insn<'_>) -> bool {
        matches!(at.opcode, op::INVOKESTATIC | op::INVOKEVIRTUAL)
            && self.access_target(at).is_ok_and(|t| only_computes(&t))
    }

    /// Is it an access to a field that makes no event, because the method's own object or class is accessed?
    fn is_own_access(&self, at: &Insn<'_>) -> bool {
        match at.opcode {
            op::GETFIELD | op::PUTFIELD => matches!(
                self.flow.receiver(at.offset),
                Some(Value::This | Value::UninitThis)
            ),
            op::GETSTATIC | op::PUTSTATIC => {
                self.access & ACC_STATIC != 0
                    && (self.access_target(at)).is_ok_and(|t| self.context.has_static(&t))
            }
            _ => false,
        }
    }
}

//! Which instructions made the values that another one takes: reaching definitions of stack entries and local variables (Aho et al. 1986, Section 10.5).

use std::collections::{BTreeMap, BTreeSet};

use crate::class::{ClassFile, Member};
use crate::effect::{Access, StackEffect, effect};
use crate::flow::{self, FlowError};
use crate::insn::{self, Insn};

/// Most instructions of a method that is analysed.
const MOST: usize = 20_000;

/// What made a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Producer {
    /// The instruction at this offset: a call, a constant, a computation. Loads, stores, casts of references and copies only hand a value on.
    Insn(u32),
    /// The method was given it in this local variable.
    Parameter(u16),
    /// It was caught by the handler at this offset.
    Caught(u32),
}

/// All that may have made one value.
pub type Made = BTreeSet<Producer>;

/// The producers of what is on the stack before each instruction of a method.
#[derive(Clone, Debug, Default)]
pub struct Producers {
    stacks: BTreeMap<u32, Vec<Made>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    stack: Vec<Made>,
    locals: BTreeMap<u16, Made>,
}

impl State {
    /// Takes in what comes another way; whether that changed anything.
    fn merge(&mut self, other: &State) -> bool {
        let mut changed = false;
        let mut add = |to: &mut Made, from: &Made| {
            let before = to.len();
            to.extend(from);
            changed |= to.len() != before;
        };
        for (to, from) in self.stack.iter_mut().zip(&other.stack) {
            add(to, from);
        }
        for (slot, from) in &other.locals {
            add(self.locals.entry(*slot).or_default(), from);
        }
        changed
    }
}

impl Producers {
    /// Analyses a method of `class`.
    ///
    /// # Errors
    /// The method has no code, or code that cannot be analysed.
    pub fn of(class: &ClassFile, method: &Member) -> Result<Self, FlowError> {
        let code = method.code(&class.pool)?.ok_or(FlowError::NoCode)?;
        let insns = insn::decode(&code.bytes)?;
        if insns.len() > MOST {
            return Err(FlowError::TooLarge);
        }
        let flow = flow::analyze_insns(class, method, &code, &insns)?;
        let index: BTreeMap<u32, usize> = insns.iter().map(|i| i.offset).zip(0..).collect();
        let mut begin = State::default();
        for slot in 0..code.max_locals {
            begin
                .locals
                .insert(slot, Made::from([Producer::Parameter(slot)]));
        }
        let mut states: BTreeMap<u32, State> = BTreeMap::from([(0, begin)]);
        let mut waiting = vec![0];
        while let Some(at) = waiting.pop() {
            let (Some(&no), Some(known)) = (index.get(&at), flow.at(at)) else {
                continue;
            };
            let insn = &insns[no];
            let before = states[&at].clone();
            let Ok(effect) = effect(insn, &class.pool, known) else {
                return Err(FlowError::Stack(at));
            };
            let after = after(insn, &before, effect.stack, effect.access);
            let behind = insn.falls_through().then(|| insn.end());
            let mut next: Vec<(u32, State)> = insn
                .targets()
                .into_iter()
                .chain(behind)
                .map(|to| (to, after.clone()))
                .collect();
            let covering = code.handlers.iter();
            for handler in covering.filter(|h| (u32::from(h.start)..u32::from(h.end)).contains(&at))
            {
                let caught = Made::from([Producer::Caught(handler.handler.into())]);
                for locals in [&before.locals, &after.locals] {
                    let state = State {
                        stack: vec![caught.clone()],
                        locals: locals.clone(),
                    };
                    next.push((handler.handler.into(), state));
                }
            }
            for (to, state) in next {
                let changed = match states.get_mut(&to) {
                    Some(known) => known.merge(&state),
                    None => states.insert(to, state).is_none(),
                };
                if changed && !waiting.contains(&to) {
                    waiting.push(to);
                }
            }
        }
        let stacks = states.into_iter().map(|(at, state)| (at, state.stack));
        Ok(Self {
            stacks: stacks.collect(),
        })
    }

    /// What made the values that are on the stack before the instruction at `offset`, bottom first; empty if it is never reached.
    pub fn stack(&self, offset: u32) -> &[Made] {
        self.stacks.get(&offset).map_or(&[], Vec::as_slice)
    }
}

fn after(insn: &Insn<'_>, before: &State, stack: StackEffect, access: Access) -> State {
    let mut state = before.clone();
    let keep = state.stack.len().saturating_sub(stack.pops().into());
    let taken = state.stack.split_off(keep);
    match (stack, access) {
        (StackEffect::Shuffle { leaves, .. }, _) => {
            let left = leaves.iter().filter_map(|&at| taken.get(usize::from(at)));
            state.stack.extend(left.cloned());
        }
        (StackEffect::Compute { .. }, Access::Load(slot)) => {
            state
                .stack
                .push(before.locals.get(&slot).cloned().unwrap_or_default());
        }
        (StackEffect::Compute { pushes, .. }, access) => {
            match access {
                Access::Store(slot) => {
                    state
                        .locals
                        .insert(slot, taken.into_iter().next().unwrap_or_default());
                }
                Access::Increment(slot) => {
                    state
                        .locals
                        .insert(slot, Made::from([Producer::Insn(insn.offset)]));
                }
                _ => {}
            }
            if pushes {
                state.stack.push(Made::from([Producer::Insn(insn.offset)]));
            }
        }
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Code, Handler};
    use crate::opcode::*;
    use crate::pool::ConstantPool;
    use crate::{ACC_STATIC, subst};

    /// The producers in a static method with this code, which takes an `int`.
    fn of(bytes: &[u8], handlers: &[Handler]) -> Producers {
        let mut pool = ConstantPool::new();
        let this_class = pool.add_class("T").unwrap();
        let super_class = pool.add_class("java/lang/Object").unwrap();
        let mut class = ClassFile {
            minor: 0,
            major: 52,
            pool,
            access: 0x21,
            this_class,
            super_class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
        };
        let code = Code {
            max_stack: 4,
            max_locals: 3,
            bytes: bytes.to_vec(),
            handlers: handlers.to_vec(),
            attributes: Vec::new(),
        };
        let at = subst::add_method(&mut class, ACC_STATIC, "m", "(I)I", &code).unwrap();
        Producers::of(&class, &class.methods[at]).unwrap()
    }

    fn insns(offsets: &[u32]) -> Made {
        offsets.iter().map(|&at| Producer::Insn(at)).collect()
    }

    #[test]
    fn locals_and_copies_hand_on() {
        let code = [ICONST_2, ISTORE_1, ILOAD_0, ILOAD_1, SWAP, IADD, IRETURN];
        let producers = of(&code, &[]);
        let parameter = Made::from([Producer::Parameter(0)]);
        assert_eq!(producers.stack(5), [insns(&[0]), parameter]);
        assert_eq!(producers.stack(6), [insns(&[5])]);
        assert!(producers.stack(99).is_empty());
    }

    #[test]
    fn where_paths_meet_there_are_several() {
        // m(i) = i == 0 ? 0 : 1
        let code = [ILOAD_0, IFEQ, 0, 7, ICONST_1, GOTO, 0, 4, ICONST_0, IRETURN];
        let code = [&code[..3], &[7], &code[4..]].concat();
        assert_eq!(of(&code, &[]).stack(9), [insns(&[4, 8])]);
    }

    #[test]
    fn a_loop_comes_back_with_what_it_made() {
        // for (k = 0; i > k; k++);  return k
        let code = [
            ICONST_0, ISTORE_1, ILOAD_0, ILOAD_1, IF_ICMPLE, 0, 9, IINC, 1, 1, GOTO, 0xff, 0xf8,
            ILOAD_1, IRETURN,
        ];
        assert_eq!(of(&code, &[]).stack(14), [insns(&[0, 7])]);
    }

    #[test]
    fn a_handler_has_what_it_caught() {
        let code = [ICONST_1, ISTORE_1, ILOAD_1, IRETURN, POP, ILOAD_1, IRETURN];
        let handlers = [Handler {
            start: 0,
            end: 4,
            handler: 4,
            catch_type: 0,
        }];
        let producers = of(&code, &handlers);
        assert_eq!(producers.stack(4), [Made::from([Producer::Caught(4)])]);
        let either = Made::from([Producer::Insn(0), Producer::Parameter(1)]);
        assert_eq!(producers.stack(6), [either]);
    }
}

//! Where a handler may cover code without the verifier of old class files having to compare types.
//!
//! The verifier that infers types (JVMS §4.10.2) merges, at the beginning of a handler, the local variables of all instructions that
//! the handler covers. Where a slot holds objects of two classes it loads both to find what they have in common, although the program
//! may run well with one of them missing. A handler that is added must not bring that about.

use std::collections::{BTreeMap, BTreeSet};

use super::{Flow, FlowError, Value};
use crate::class::{ClassFile, Member};
use crate::code::Code;
use crate::descriptor::MethodType;
use crate::insn::Insn;
use crate::opcode;

/// Variables looked at before the analysis gives up.
const BUDGET: usize = 50_000_000;

/// How often the state before an instruction may change freely.
const SETTLES: u8 = 6;

/// What a variable holds: no reference.
const NONE: u32 = 0;
/// `null`, which goes with everything.
const NULL: u32 = 1;
/// First of the numbers that stand for a parameter, a store, or a place where several of them meet.
const FIRST: u32 = 2;

/// Cuts code into ranges (begin and end, rising, without gaps) in each of which every local variable holds references of one origin
/// only: what one instruction has stored, what a parameter brought, what came together where paths meet. Most methods are one range.
///
/// # Errors
/// [`FlowError::TooLarge`] if that would take too long.
pub fn uniform_ranges(
    class: &ClassFile,
    method: &Member,
    code: &Code,
    insns: &[Insn<'_>],
    flow: &Flow,
) -> Result<Vec<(u32, u32)>, FlowError> {
    let end = code.bytes.len() as u32;
    let slots = disputed(class, method, insns)?;
    if slots.is_empty() {
        return Ok(vec![(0, end)]);
    }
    if slots.len().saturating_mul(insns.len()) > BUDGET {
        return Err(FlowError::TooLarge);
    }
    let origins = Solver::new(code, flow, insns, &slots).solve()?;
    let mut cuts = vec![0];
    let mut held = vec![NONE; slots.len()];
    for (insn, state) in insns.iter().zip(&origins) {
        let Some(state) = state else {
            continue; // unreachable
        };
        let conflict = |(held, new): (&u32, &u32)| *held >= FIRST && *new >= FIRST && held != new;
        if held.iter().zip(state).any(conflict) {
            cuts.push(insn.offset);
            held.fill(NONE);
        }
        for (held, new) in held.iter_mut().zip(state) {
            *held = (*held).max(*new);
        }
    }
    let ends = cuts.iter().skip(1).copied().chain([end]);
    Ok(cuts.iter().copied().zip(ends).collect())
}

/// Slots that references get into in more than one way, each with its number among them, and whether a parameter is one way.
fn disputed(
    class: &ClassFile,
    method: &Member,
    insns: &[Insn<'_>],
) -> Result<BTreeMap<u16, Slot>, FlowError> {
    let mut ways: BTreeMap<u16, (u32, bool)> = BTreeMap::new();
    let mut next = 0;
    if !method.is_static() {
        ways.insert(0, (1, true));
        next = 1;
    }
    let desc = method.desc(&class.pool)?;
    for param in MethodType::parse(&desc)?.params {
        if param.letter() == 'L' {
            ways.insert(next, (1, true));
        }
        next += param.slots();
    }
    for insn in insns {
        if let Some(slot) = stored(insn) {
            ways.entry(slot).or_default().0 += 1;
        }
    }
    let several = ways.into_iter().filter(|(_, (ways, _))| *ways > 1);
    let numbered = several.enumerate();
    Ok(numbered
        .map(|(number, (slot, (_, param)))| (slot, Slot { number, param }))
        .collect())
}

#[derive(Clone, Copy)]
struct Slot {
    number: usize,
    param: bool,
}

/// The slot that the instruction puts a reference into.
fn stored(insn: &Insn<'_>) -> Option<u16> {
    match insn.opcode {
        opcode::ASTORE | opcode::ASTORE_0..=opcode::ASTORE_3 => insn.local(),
        _ => None,
    }
}

/// How an instruction is reached from another.
#[derive(Clone, Copy)]
enum Way {
    /// With the variables as that instruction leaves them.
    Behind(usize),
    /// By an exception: with the variables as it finds them.
    Thrown(usize),
}

struct Solver<'a> {
    flow: &'a Flow,
    insns: &'a [Insn<'a>],
    slots: &'a BTreeMap<u16, Slot>,
    /// Instructions behind calls of subroutines: a return may go to any of them.
    returns: Vec<usize>,
    /// Is the instruction jumped to?
    targets: Vec<bool>,
    /// Ways to each instruction, and the instructions each leads to.
    ways: Vec<Vec<Way>>,
    next: Vec<Vec<usize>>,
    states: Vec<Option<Vec<u32>>>,
    /// How often each state has changed.
    changes: Vec<u8>,
    work: usize,
}

impl<'a> Solver<'a> {
    fn new(
        code: &Code,
        flow: &'a Flow,
        insns: &'a [Insn<'a>],
        slots: &'a BTreeMap<u16, Slot>,
    ) -> Self {
        let mut solver = Solver {
            flow,
            insns,
            slots,
            returns: Vec::new(),
            targets: vec![false; insns.len()],
            ways: vec![Vec::new(); insns.len()],
            next: vec![Vec::new(); insns.len()],
            states: vec![None; insns.len()],
            changes: vec![0; insns.len()],
            work: 0,
        };
        for (index, insn) in insns.iter().enumerate() {
            if matches!(insn.opcode, opcode::JSR | opcode::JSR_W) && index + 1 < insns.len() {
                solver.returns.push(index + 1);
            }
        }
        for index in 0..insns.len() {
            solver.link(code, index);
        }
        solver
    }

    /// Notes where execution goes from an instruction.
    fn link(&mut self, code: &Code, index: usize) {
        let insn = &self.insns[index];
        for target in insn.targets() {
            if let Some(at) = self.index(target) {
                self.targets[at] = true;
                self.lead(index, at, Way::Behind(index));
            }
        }
        if insn.opcode == opcode::RET {
            for at in self.returns.clone() {
                self.lead(index, at, Way::Behind(index));
            }
        } else if insn.falls_through() && index + 1 < self.insns.len() {
            self.lead(index, index + 1, Way::Behind(index));
        }
        for handler in &code.handlers {
            let covered = u32::from(handler.start)..u32::from(handler.end);
            if covered.contains(&insn.offset)
                && let Some(at) = self.index(u32::from(handler.handler))
            {
                self.lead(index, at, Way::Thrown(index));
            }
        }
    }

    fn lead(&mut self, from: usize, to: usize, way: Way) {
        self.next[from].push(to);
        self.ways[to].push(way);
    }

    fn index(&self, offset: u32) -> Option<usize> {
        let found = self.insns.binary_search_by_key(&offset, |i| i.offset);
        found.ok()
    }

    /// What each slot holds before each instruction; nothing for those never reached.
    fn solve(mut self) -> Result<Vec<Option<Vec<u32>>>, FlowError> {
        // In order of the code: what comes together is then mostly known before it is looked at.
        let mut pending = BTreeSet::from([0]);
        while let Some(index) = pending.pop_first() {
            let new = self.meet(index)?;
            if self.states[index].as_ref() != Some(&new) {
                self.states[index] = Some(new);
                self.changes[index] = self.changes[index].saturating_add(1);
                pending.extend(&self.next[index]);
            }
        }
        Ok(self.states)
    }

    /// What comes together before an instruction.
    fn meet(&mut self, index: usize) -> Result<Vec<u32>, FlowError> {
        let mut met: Option<Vec<u32>> = None;
        if index == 0 {
            let mut start = vec![NONE; self.slots.len()];
            for slot in self.slots.values().filter(|slot| slot.param) {
                start[slot.number] = FIRST + slot.number as u32;
            }
            met = Some(start);
        }
        let meeting = self.own(index).1;
        for way in &self.ways[index] {
            self.work += 1 + self.slots.len();
            let (Way::Behind(from) | Way::Thrown(from)) = *way;
            let Some(mut new) = self.states[from].clone() else {
                continue;
            };
            if matches!(way, Way::Behind(_)) {
                self.store(from, &mut new);
            }
            match &mut met {
                None => met = Some(new),
                Some(met) => {
                    for (met, new) in met.iter_mut().zip(new) {
                        *met = merged(*met, new, meeting);
                    }
                }
            }
        }
        if self.work > BUDGET {
            return Err(FlowError::TooLarge);
        }
        let mut met = met.unwrap_or_default();
        // Behind a subroutine the verifier knows more of a caller's variables than `flow` does.
        if let Some(known) = self.flow.at(self.insns[index].offset)
            && self.returns.is_empty()
        {
            for (slot, Slot { number, .. }) in self.slots {
                if !is_ref(known.local(*slot)) {
                    met[*number] = NONE;
                }
            }
        }
        // So that it ends: what keeps changing is something of its own.
        if self.changes[index] > SETTLES
            && let Some(before) = &self.states[index]
        {
            for (met, before) in met.iter_mut().zip(before) {
                *met = merged(*before, *met, meeting);
            }
        }
        Ok(met)
    }

    /// Numbers of an instruction's own: of what it stores, and of what meets before it.
    fn own(&self, index: usize) -> (u32, u32) {
        let first = FIRST as usize + self.slots.len() + 2 * index;
        (first as u32, first as u32 + 1)
    }

    fn store(&self, index: usize, state: &mut [u32]) {
        let insn = &self.insns[index];
        if let Some(slot) = stored(insn) {
            if let Some(slot) = self.slots.get(&slot) {
                let null = index > 0
                    && self.insns[index - 1].opcode == opcode::ACONST_NULL
                    && !self.targets[index];
                state[slot.number] = if null { NULL } else { self.own(index).0 };
            }
            return;
        }
        let wide = match insn.opcode {
            opcode::ISTORE | opcode::FSTORE => false,
            opcode::LSTORE | opcode::DSTORE => true,
            op if (opcode::ISTORE_0..opcode::ASTORE_0).contains(&op) => {
                // Four instructions a type, in the order int, long, float, double.
                (op - opcode::ISTORE_0) / 4 % 2 == 1
            }
            _ => return,
        };
        let first = insn.local().unwrap_or(0);
        for slot in first..=first.saturating_add(u16::from(wide)) {
            if let Some(slot) = self.slots.get(&slot) {
                state[slot.number] = NONE;
            }
        }
    }
}

/// What two ways bring together; `meeting` if it is a thing of its own.
fn merged(a: u32, b: u32, meeting: u32) -> u32 {
    match (a, b) {
        _ if a == b => a,
        (NULL, other) | (other, NULL) if other >= FIRST => other,
        _ => meeting,
    }
}

/// May a variable with this value hold an object?
fn is_ref(value: Value) -> bool {
    value.is_ref() || matches!(value, Value::ReturnAddress(_))
}

#[cfg(test)]
mod tests {
    use super::super::{analyze_code, tests::class};
    use super::*;
    use crate::code::Handler;
    use crate::opcode::*;
    use crate::subst;

    fn ranges(desc: &str, bytes: &[u8], handlers: Vec<Handler>) -> Vec<(u32, u32)> {
        let mut class = class();
        let code = Code {
            max_stack: 3,
            max_locals: 5,
            bytes: bytes.to_vec(),
            handlers,
            attributes: Vec::new(),
        };
        let index = subst::add_method(&mut class, crate::ACC_STATIC, "m", desc, &code).unwrap();
        let flow = analyze_code(&class, &class.methods[index], &code).unwrap();
        let insns = crate::insn::decode(&code.bytes).unwrap();
        uniform_ranges(&class, &class.methods[index], &code, &insns, &flow).unwrap()
    }

    #[test]
    fn a_variable_of_one_origin_needs_no_cut() {
        let one = [ALOAD_0, ASTORE_1, ALOAD_1, POP, RETURN];
        assert_eq!(ranges("(LT;)V", &one, vec![]), [(0, 5)]);
        // Ints in the same slot do not matter, nor does null.
        let mixed = [
            ICONST_0,
            ISTORE_1,
            ACONST_NULL,
            ASTORE_1,
            ALOAD_0,
            ASTORE_1,
            RETURN,
        ];
        assert_eq!(ranges("(LT;)V", &mixed, vec![]), [(0, 7)]);
    }

    #[test]
    fn a_second_origin_begins_a_range() {
        let two = [
            ALOAD_0, ASTORE_2, NOP, ALOAD_1, ASTORE_2, ALOAD_2, POP, RETURN,
        ];
        assert_eq!(ranges("(LT;LT;)V", &two, vec![]), [(0, 5), (5, 8)]);
        // A parameter is an origin, too.
        let param = [ALOAD_1, ASTORE_0, ALOAD_0, POP, RETURN];
        assert_eq!(ranges("(LT;LT;)V", &param, vec![]), [(0, 2), (2, 5)]);
    }

    #[test]
    fn where_paths_meet_is_an_origin() {
        // 0: iload_2; 1: ifeq 9; 4: aload_0; 5: astore_3; 6: goto 11; 9: aload_1; 10: astore_3; 11: aload_3; 12: pop; 13: return
        let bytes = [
            ILOAD_2, IFEQ, 0, 8, ALOAD_0, ASTORE_3, GOTO, 0, 5, ALOAD_1, ASTORE_3, ALOAD_3, POP,
            RETURN,
        ];
        let found = ranges("(LT;LT;I)V", &bytes, vec![]);
        // At 9 nothing is in the variable; at 6 and 11 it is not the same.
        assert_eq!(found, [(0, 11), (11, 14)]);
    }

    #[test]
    fn subroutines_keep_what_their_callers_have() {
        // 0: aload_0; 1: astore_2; 2: jsr 12; 5: aload_1; 6: astore_2; 7: jsr 12; 10: nop; 11: return; 12: astore_3; 13: ret 3
        let bytes = [
            ALOAD_0, ASTORE_2, JSR, 0, 10, ALOAD_1, ASTORE_2, JSR, 0, 5, NOP, RETURN, ASTORE_3,
            RET, 3,
        ];
        let found = ranges("(LT;LT;)V", &bytes, vec![]);
        // Nothing is assumed of what the variable is behind a call.
        assert_eq!(found.first(), Some(&(0, 5)));
        assert!(found.len() > 2, "{found:?}");
        assert_eq!(found.last().unwrap().1, 15);
    }
}

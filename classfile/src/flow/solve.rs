//! The fixpoint over all instructions.

use std::collections::{BTreeMap, BTreeSet};

use super::step::{Machine, Step, value_of};
use super::{Fact, Flow, FlowError, Kind, Span, Value, news};
use crate::class::{ClassFile, Member};
use crate::code::Code;
use crate::descriptor::MethodType;
use crate::insn::Insn;
use crate::offsets::Offsets;
use crate::opcode;
use crate::pool::ConstantPool;

/// Stack entries and locals looked at before the analysis gives up. The largest methods of real programs take a few million.
const BUDGET: usize = 200_000_000;
/// Stack entries and locals kept before it gives up.
const MEMORY_BUDGET: usize = 40_000_000;

/// Callers and returns of one subroutine, as instruction indices.
#[derive(Default)]
struct Subroutine {
    calls: BTreeSet<usize>,
    returns: BTreeSet<usize>,
}

struct Solver<'a> {
    pool: &'a ConstantPool,
    code: &'a Code,
    insns: &'a [Insn<'a>],
    offsets: Offsets,
    facts: Vec<Fact>,
    values: Vec<Value>,
    pending: Vec<usize>,
    is_pending: Vec<bool>,
    subroutines: BTreeMap<u32, Subroutine>,
    work: usize,
    /// `new`s whose objects are somewhere not distinguished from others.
    mixed: BTreeSet<u32>,
    /// Room for the state of one instruction.
    scratch: Machine,
}

pub(super) fn solve(
    class: &ClassFile,
    method: &Member,
    code: &Code,
    insns: &[Insn<'_>],
) -> Result<Flow, FlowError> {
    let facts = insns.iter().map(|insn| Fact {
        offset: insn.offset,
        span: None,
        low: 0,
        receiver: None,
    });
    let mut solver = Solver {
        pool: &class.pool,
        code,
        insns,
        offsets: Offsets::of(insns),
        facts: facts.collect(),
        values: Vec::new(),
        pending: Vec::new(),
        is_pending: vec![false; insns.len()],
        subroutines: BTreeMap::new(),
        work: 0,
        mixed: BTreeSet::new(),
        scratch: Machine::default(),
    };
    let start = initial(class, method, code)?;
    solver.flow_to(0, &start.stack, &start.locals)?;
    let mut inits = BTreeSet::new();
    while let Some(index) = solver.pending.pop() {
        solver.is_pending[index] = false;
        if solver.interpret(index)? {
            inits.insert(index);
        }
    }
    let (facts, values, mixed) = (solver.facts, solver.values, solver.mixed);
    let offsets = solver.offsets;
    let news = news::find(insns, &code.handlers, &facts, &values, &inits);
    Ok(Flow {
        facts,
        offsets,
        values,
        news,
        mixed,
    })
}

/// Locals at the beginning: receiver and parameters.
fn initial(class: &ClassFile, method: &Member, code: &Code) -> Result<Machine, FlowError> {
    let mut locals = Vec::new();
    if !method.is_static() {
        // The constructor of java/lang/Object calls no other: its receiver counts as initialized.
        let constructor = class.pool.is_utf8(method.name, "<init>") && class.super_class != 0;
        locals.push(if constructor {
            Value::UninitThis
        } else {
            Value::This
        });
    }
    let desc = method.desc(&class.pool)?;
    for param in MethodType::parse(&desc)?.params {
        let value = value_of(param);
        locals.push(value);
        if value.is_wide() {
            locals.push(Value::TOP);
        }
    }
    if locals.len() > usize::from(code.max_locals) {
        return Err(FlowError::Local(0));
    }
    Ok(Machine {
        stack: Vec::new(),
        locals,
    })
}

impl Solver<'_> {
    /// Interprets the instruction and hands the result on. Was it a constructor call?
    fn interpret(&mut self, index: usize) -> Result<bool, FlowError> {
        let insn = self.insns[index];
        let mut state = std::mem::take(&mut self.scratch);
        state.stack.clear();
        state.locals.clear();
        if let Some(known) = self.facts[index].state(&self.values) {
            state.stack.extend_from_slice(known.stack);
            state.locals.extend_from_slice(known.locals);
        }
        self.spend(state.stack.len() + state.locals.len() + 1)?;
        self.flow_to_handlers(&insn, &state.locals)?;
        let mut step = Step {
            pool: self.pool,
            max_locals: self.code.max_locals,
            offset: insn.offset,
            low: state.stack.len(),
            state,
            receiver: None,
            init: false,
            mixed: &mut self.mixed,
        };
        step.run(&insn)?;
        let Step {
            state,
            low,
            receiver,
            init,
            ..
        } = step;
        self.facts[index].low = low as u32;
        self.facts[index].receiver = receiver;
        match insn.opcode {
            opcode::JSR | opcode::JSR_W => self.call_subroutine(index, &insn, &state)?,
            opcode::RET => self.return_from_subroutine(index, &insn, &state)?,
            _ => {
                for target in insn.targets() {
                    let target = self.index(target)?;
                    self.flow_to(target, &state.stack, &state.locals)?;
                }
                if insn.falls_through() {
                    self.flow_to(index + 1, &state.stack, &state.locals)?;
                }
            }
        }
        self.scratch = state;
        Ok(init)
    }

    fn flow_to_handlers(&mut self, insn: &Insn<'_>, locals: &[Value]) -> Result<(), FlowError> {
        let code = self.code;
        for handler in &code.handlers {
            if (u32::from(handler.start)..u32::from(handler.end)).contains(&insn.offset) {
                let target = self.index(u32::from(handler.handler))?;
                self.flow_to(target, &[Value::REF], locals)?;
            }
        }
        Ok(())
    }

    fn call_subroutine(
        &mut self,
        index: usize,
        insn: &Insn<'_>,
        state: &Machine,
    ) -> Result<(), FlowError> {
        let entry = insn.target().unwrap_or(0);
        let target = self.index(entry)?;
        self.flow_to(target, &state.stack, &state.locals)?;
        let subroutine = self.subroutines.entry(entry).or_default();
        subroutine.calls.insert(index);
        let returns: Vec<_> = subroutine.returns.iter().copied().collect();
        for ret in returns {
            if let Some(state) = self.facts[ret].state(&self.values) {
                let (stack, locals) = (state.stack.to_vec(), state.locals.to_vec());
                self.flow_to(index + 1, &stack, &locals)?;
            }
        }
        Ok(())
    }

    /// Returns to all callers: what differs between them is unknown afterwards.
    fn return_from_subroutine(
        &mut self,
        index: usize,
        insn: &Insn<'_>,
        state: &Machine,
    ) -> Result<(), FlowError> {
        let slot = usize::from(insn.local().unwrap_or(0));
        let Some(&Value::ReturnAddress(entry)) = state.locals.get(slot) else {
            return Err(FlowError::Local(insn.offset));
        };
        let subroutine = self.subroutines.entry(entry).or_default();
        subroutine.returns.insert(index);
        let calls: Vec<_> = subroutine.calls.iter().copied().collect();
        for call in calls {
            self.flow_to(call + 1, &state.stack, &state.locals)?;
        }
        Ok(())
    }

    fn index(&self, offset: u32) -> Result<usize, FlowError> {
        self.offsets.place(offset).ok_or(FlowError::Offset(offset))
    }

    fn spend(&mut self, work: usize) -> Result<(), FlowError> {
        self.work += work;
        if self.work > BUDGET || self.values.len() > MEMORY_BUDGET {
            return Err(FlowError::TooLarge);
        }
        Ok(())
    }

    /// Merges a state into that of an instruction.
    fn flow_to(
        &mut self,
        index: usize,
        stack: &[Value],
        locals: &[Value],
    ) -> Result<(), FlowError> {
        self.spend(stack.len() + locals.len() + 1)?;
        let Some(fact) = self.facts.get_mut(index) else {
            return Err(FlowError::Offset(self.code.bytes.len() as u32));
        };
        let changed = match fact.span {
            Some(span) => {
                let values = &mut self.values[span.start..][..span.stack + span.locals];
                let into = values.split_at_mut(span.stack);
                merge(into, stack, locals, &mut self.mixed).ok_or(FlowError::Merge(fact.offset))?
            }
            None => {
                fact.span = Some(Span {
                    start: self.values.len(),
                    stack: stack.len(),
                    locals: locals.len(),
                });
                self.values.extend_from_slice(stack);
                self.values.extend_from_slice(locals);
                true
            }
        };
        if changed && !self.is_pending[index] {
            self.is_pending[index] = true;
            self.pending.push(index);
        }
        Ok(())
    }
}

/// Merges a state into another; says whether that changed it, `None` if the stacks differ in shape. `mixed` gets the `new`s whose
/// objects are not distinguished from others afterwards.
fn merge(
    (into_stack, into_locals): (&mut [Value], &mut [Value]),
    stack: &[Value],
    locals: &[Value],
    mixed: &mut BTreeSet<u32>,
) -> Option<bool> {
    let same_shape = into_stack.len() == stack.len()
        && (into_stack.iter().zip(stack)).all(|(a, b)| a.is_wide() == b.is_wide());
    if !same_shape {
        return None;
    }
    let mut changed = false;
    let mut merge_one = |a: &mut Value, b: Value| {
        let merged = join(*a, b);
        changed |= merged != *a;
        if merged == Value::REF {
            mixed.extend([*a, b].into_iter().filter_map(Value::new_of));
        }
        *a = merged;
    };
    for (a, b) in into_stack.iter_mut().zip(stack) {
        merge_one(a, *b);
    }
    let unset = std::iter::repeat(Value::TOP);
    for (a, b) in into_locals
        .iter_mut()
        .zip(locals.iter().copied().chain(unset))
    {
        merge_one(a, b);
    }
    Some(changed)
}

fn join(a: Value, b: Value) -> Value {
    if a == b {
        a
    } else if a.is_ref() && b.is_ref() {
        Value::REF
    } else {
        match (a, b) {
            // Wide stack entries keep their size.
            (Value::Other(Kind::Long), Value::Other(Kind::Double)) => a,
            (Value::Other(Kind::Double), Value::Other(Kind::Long)) => b,
            _ => Value::TOP,
        }
    }
}

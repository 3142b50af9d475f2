//! Where what an exception is about came from: a line may only have handed on what its method was given.
//!
//! The exception is about some operands: what was `null`, an index, a divisor, what code was called with that is not recorded, or what the
//! decision asked that led to a `throw`. Each comes from a parameter, from a line that set a local variable, or from the line itself. Where all come
//! from parameters, the line has only handed them on, and the caller's line is asked for its arguments.

use std::collections::BTreeSet;
use std::rc::Rc;

use jinsi_classfile::effect::{Access, StackEffect};
use jinsi_classfile::opcode as op;
use jinsi_steps::code::{Body, Instruction, Method, Program};
use jinsi_trace::model::{Frame, ThrowableDef};

use crate::place::Place;

/// What a frame has to do with the exception.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Handed {
    /// Lines that only hand on what they were given, or only check it; with their frames, counted as those of recorded code.
    pub(super) by: Vec<(Place, u32)>,
    /// The line that threw, if what it used was set by other lines of its method.
    pub(super) used: Option<Place>,
    /// Where that comes from.
    pub(super) from: BTreeSet<Place>,
}

/// A value on the operand stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    /// What a local variable holds.
    Local(u16),
    /// A constant, or an object that has just been made.
    Known,
    /// It is worked out at an instruction, or comes from another block.
    Computed,
}

/// Where values of one method come from.
#[derive(Debug, Default, PartialEq, Eq)]
struct Origins {
    /// Numbers of parameters, the receiver not among them.
    given: BTreeSet<usize>,
    /// Lines.
    lines: BTreeSet<u16>,
}

/// Says where what the exception is about came from. `ran` knows the lines that ran, `is_own` the classes that count.
pub(super) fn handed(
    throwable: &ThrowableDef,
    program: &Program,
    ran: &dyn Fn(&Place) -> bool,
    is_own: &dyn Fn(&str) -> bool,
) -> Handed {
    let mut handed = Handed::default();
    // Which of many calls of a method is wrong that calls itself without end, no argument says.
    if throwable.class.ends_with("StackOverflowError") {
        return handed;
    }
    let own = throwable.frames.iter().enumerate();
    let own = own.filter(|(_, frame)| is_own(&frame.class));
    let own = own.filter_map(|(at, frame)| {
        let line = u16::try_from(frame.line).ok().filter(|line| *line > 0)?;
        Some((at, frame, line))
    });
    let mut last: Option<(usize, BTreeSet<usize>)> = None;
    for ((at, frame, line), depth) in own.zip(0_u32..) {
        let Some(found) = of_frame(throwable, program, (at, frame, line), last.as_ref()) else {
            return handed;
        };
        let place = |line: u16| Place {
            class: frame.class.replace('/', "."),
            line,
        };
        let Origins { given, lines } = found.origins;
        if given.is_empty() || !lines.is_empty() {
            let lines = lines.into_iter().map(place);
            handed.from.extend(lines.filter(|line| ran(line)));
            match depth {
                // It uses what another line has set.
                0 if !handed.from.is_empty() && !handed.from.contains(&place(line)) => {
                    handed.used = Some(place(line));
                }
                0 => {}
                // It is the first that was called with nothing of the kind.
                _ => _ = handed.from.insert(place(line)),
            }
            return handed;
        }
        let lines = found.guards.into_iter().chain([line]).map(place);
        let lines: BTreeSet<Place> = lines.collect();
        handed.by.extend(lines.into_iter().map(|at| (at, depth)));
        last = Some((at, given));
    }
    // What the program was given from outside it has to cope with.
    Handed::default()
}

/// What is found of a frame.
#[derive(Default)]
struct OfFrame {
    origins: Origins,
    /// Lines of decisions that led to a `throw`.
    guards: BTreeSet<u16>,
}

/// Where that comes from what the exception is about, in this frame. `last` is the frame before it, with the parameters that count there. `None`: it cannot be known.
fn of_frame(
    throwable: &ThrowableDef,
    program: &Program,
    (at, frame, line): (usize, &Frame, u16),
    last: Option<&(usize, BTreeSet<usize>)>,
) -> Option<OfFrame> {
    let class = frame.class.replace('.', "/");
    let methods = program.methods().iter();
    let methods = methods.filter(|method| method.owner == class && method.name == frame.method);
    let has_line = |body: &Rc<Body>| body.instructions.iter().any(|i| i.line == line);
    let body = methods
        .filter_map(|method: &Rc<Method>| method.body.clone())
        .find(has_line)?;
    let of_line = Line { body: &body, line };
    let called = at.checked_sub(1).map(|above| &throwable.frames[above]);
    let mut found = OfFrame::default();
    match (called, last) {
        // The arguments that count of a recorded call.
        (Some(called), Some((above, given))) if above + 1 == at => {
            of_line.arguments(&called.method, Some(given), &mut found.origins);
        }
        (_, Some(_)) => return None,
        // All arguments of a call of other code.
        (Some(called), None) => of_line.arguments(&called.method, None, &mut found.origins),
        (None, None) if of_line.throws() => {
            of_line.guards(&mut found);
        }
        (None, None) => of_line.operands(&throwable.class, &mut found.origins),
    }
    Some(found)
}

/// A line of a method.
struct Line<'b> {
    body: &'b Body,
    line: u16,
}

impl Line<'_> {
    fn instructions(&self) -> impl Iterator<Item = (usize, &Instruction)> {
        let all = self.body.instructions.iter().enumerate();
        all.filter(|(_, instruction)| instruction.line == self.line)
    }

    /// Does it throw by a statement of its own?
    fn throws(&self) -> bool {
        self.instructions().any(|(_, i)| i.opcode == op::ATHROW)
    }

    /// The arguments of calls of a method with this name: those with these numbers, or all of them.
    fn arguments(&self, name: &str, which: Option<&BTreeSet<usize>>, origins: &mut Origins) {
        for (at, instruction) in self.instructions() {
            let target = instruction.target.as_ref();
            if target.is_none_or(|target| *target.name != *name) {
                continue;
            }
            let has_receiver = !matches!(instruction.opcode, op::INVOKESTATIC | op::INVOKEDYNAMIC);
            let taken = taken(self.body, at);
            let arguments = taken.iter().skip(usize::from(has_receiver)).enumerate();
            for (no, value) in arguments {
                if which.is_none_or(|which| which.contains(&no)) {
                    self.trace(at, *value, origins);
                }
            }
        }
    }

    /// What the decisions asked on which the `throw` depends.
    fn guards(&self, found: &mut OfFrame) {
        let throwing = self.instructions().find(|(_, i)| i.opcode == op::ATHROW);
        let Some((at, _)) = throwing else {
            return;
        };
        let block = self.body.cfg.block_of(at);
        for &branch in self.body.control.controllers(block) {
            let last = self.body.cfg.block(branch).last;
            found.guards.insert(self.body.instructions[last].line);
            // Numbers that are no `int` are compared before it is asked what came of it.
            let before = last.saturating_sub(1);
            let compares = (op::LCMP..=op::DCMPG).contains(&self.body.instructions[before].opcode);
            let asked = if compares { before } else { last };
            for value in taken(self.body, asked) {
                self.trace(asked, value, &mut found.origins);
            }
        }
        found.guards.remove(&0);
    }

    /// What an exception of this class is about that the JVM throws at the line.
    fn operands(&self, class: &str, origins: &mut Origins) {
        for (at, instruction) in self.instructions() {
            let taken = taken(self.body, at);
            for no in about(class, instruction) {
                if let Some(value) = taken.get(no) {
                    self.trace(at, *value, origins);
                }
            }
        }
    }

    /// Where this value comes from that the instruction takes.
    fn trace(&self, at: usize, value: Value, origins: &mut Origins) {
        trace(self.body, (at, value), origins, &mut BTreeSet::new());
    }
}

/// Which of the operands that it takes an exception is about.
fn about(class: &str, of: &Instruction) -> Vec<usize> {
    let class = class.rsplit(['.', '/']).next().unwrap_or(class);
    let is_access = matches!(of.effect.access, Access::ArrayLoad | Access::ArrayStore);
    match class {
        "NullPointerException" => match (of.opcode, of.effect.access) {
            (op::INVOKESTATIC | op::INVOKEDYNAMIC, _) => Vec::new(),
            (op::ARRAYLENGTH, _)
            | (_, Access::Invoke(_) | Access::GetField(_) | Access::PutField(_)) => vec![0],
            (_, Access::ArrayLoad | Access::ArrayStore) => vec![0],
            _ => Vec::new(),
        },
        "ArrayIndexOutOfBoundsException" if is_access => vec![0, 1],
        "ArithmeticException" => match of.opcode {
            op::IDIV | op::LDIV | op::IREM | op::LREM => vec![1],
            _ => Vec::new(),
        },
        "ClassCastException" if of.opcode == op::CHECKCAST => vec![0],
        "NegativeArraySizeException" if of.effect.access == Access::Allocate => vec![0],
        _ => Vec::new(),
    }
}

/// What the instruction takes from the operand stack, bottom first.
fn taken(body: &Body, at: usize) -> Vec<Value> {
    let first = body.cfg.block(body.cfg.block_of(at)).first;
    let depth = usize::from(body.instructions[first].depth);
    let mut stack = vec![Value::Computed; depth];
    for instruction in &body.instructions[first..at] {
        let pops = usize::from(instruction.effect.stack.pops());
        let taken = stack.split_off(stack.len().saturating_sub(pops));
        match (instruction.effect.stack, instruction.effect.access) {
            (StackEffect::Shuffle { leaves, .. }, _) => {
                let left = leaves.iter().map(|at| taken.get(usize::from(*at)));
                stack.extend(left.map(|value| value.copied().unwrap_or(Value::Computed)));
            }
            (StackEffect::Compute { pushes: false, .. }, _) => {}
            (_, Access::Load(slot)) => stack.push(Value::Local(slot)),
            (_, Access::None) if pops == 0 => stack.push(Value::Known),
            (_, Access::Allocate) if pops == 0 => stack.push(Value::Known),
            _ => stack.push(Value::Computed),
        }
    }
    let pops = usize::from(body.instructions[at].effect.stack.pops());
    stack.split_off(stack.len().saturating_sub(pops))
}

/// Follows a value through local variables that are set to others.
fn trace(
    body: &Body,
    (at, value): (usize, Value),
    origins: &mut Origins,
    seen: &mut BTreeSet<(usize, u16)>,
) {
    let slot = match value {
        Value::Local(slot) => slot,
        Value::Known => return,
        Value::Computed => {
            origins.lines.insert(body.instructions[at].line);
            return;
        }
    };
    let (stores, from_start) = reaching(body, at, slot);
    let parameter = body.parameters.iter().position(|own| *own == slot);
    if let Some(no) = parameter.filter(|_| from_start) {
        match (body.is_of_object, no) {
            // The object whose method it is.
            (true, 0) => {}
            (true, no) => _ = origins.given.insert(no - 1),
            (false, no) => _ = origins.given.insert(no),
        }
    }
    for store in stores {
        let line = body.instructions[store].line;
        if !seen.insert((store, slot)) {
            continue;
        }
        match taken(body, store).first().copied() {
            Some(from @ Value::Local(_)) => trace(body, (store, from), origins, seen),
            _ => _ = origins.lines.insert(line),
        }
    }
}

/// The instructions that may have set the local variable last before this one, and whether it may be as it was when the method began.
fn reaching(body: &Body, at: usize, slot: u16) -> (Vec<usize>, bool) {
    let sets = |at: &usize| {
        let access = body.instructions[*at].effect.access;
        matches!(access, Access::Store(own) | Access::Increment(own) if own == slot)
    };
    let blocks = body.cfg.blocks();
    let mut stores = Vec::new();
    let mut from_start = false;
    let mut seen = vec![false; blocks.len()];
    // Ends of parts of blocks that are looked through backward.
    let mut open = vec![(body.cfg.block_of(at), at)];
    while let Some((no, end)) = open.pop() {
        if let Some(store) = (blocks[no as usize].first..end).rev().find(sets) {
            stores.push(store);
            continue;
        }
        from_start |= no == 0;
        for (before, block) in (0..).zip(blocks) {
            let leads = block.successors.contains(&no) || block.handlers.contains(&no);
            if leads && !std::mem::replace(&mut seen[before as usize], true) {
                open.push((before, block.last + 1));
            }
        }
    }
    (stores, from_start)
}

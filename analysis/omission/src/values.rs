//! Which values the instructions of a method work on.
//!
//! A value is what an instruction, a parameter or a handler brings, or what comes together where ways meet. Stores, loads and moves on the
//! stack make no new one. So a local variable that is used for two things is two values, and assignments are only where ways meet and where
//! a cast says more of the type.

use std::collections::{BTreeSet, HashMap};

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::effect::{Access, StackEffect};
use jinsi_classfile::opcode;
use jinsi_steps::code::{Body, Instruction};

/// Number of a value among those of its method.
pub type ValueNo = u32;

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Born {
    /// A parameter, the receiver first.
    Parameter(u16),
    /// The instruction with this index.
    Instruction(u32),
    /// The exception that a handler takes.
    Handler,
    /// It is one of several, by the way that execution took.
    Meeting,
}

/// A value that an instruction takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The value; `None`: a variable that is not set.
    pub value: Option<ValueNo>,
    /// Index of the instruction that put it on the stack; `None`: that differs by the way.
    pub put_by: Option<u32>,
}

impl Operand {
    const UNSET: Self = Self {
        value: None,
        put_by: None,
    };
}

/// The values of a method.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// By value: where it comes from.
    pub born: Vec<Born>,
    /// By instruction: what it takes, the lowest first; empty if it is never reached.
    pub operands: Vec<Vec<Operand>>,
    /// By instruction: what it brings.
    pub results: Vec<Option<ValueNo>>,
    /// What each meeting may be: the other value, and the meeting.
    pub meetings: BTreeSet<(ValueNo, ValueNo)>,
}

impl Values {
    /// Of a method. What of its code does not make sense has no operands.
    pub fn of(body: &Body) -> Self {
        let count = body.instructions.len();
        let mut reading = Reading {
            body,
            values: Self {
                born: Vec::new(),
                operands: vec![Vec::new(); count],
                results: vec![None; count],
                meetings: BTreeSet::new(),
            },
            before: vec![None; body.cfg.blocks().len()],
            places: HashMap::new(),
            pending: BTreeSet::new(),
        };
        reading.run();
        reading.values
    }

    /// The parameter with this number.
    pub fn parameter(&self, index: usize) -> Option<ValueNo> {
        let is_it = |born: &Born| *born == Born::Parameter(index as u16);
        // They are the first of all.
        self.born.iter().position(is_it).map(|no| no as ValueNo)
    }

    /// What is an operand of an instruction.
    pub fn operand(&self, at: usize, index: usize) -> Option<Operand> {
        self.operands.get(at)?.get(index).copied()
    }
}

/// Stack and locals before an instruction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    stack: Vec<Operand>,
    locals: Vec<Option<ValueNo>>,
}

/// Where ways meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Stack(usize),
    Local(usize),
    Thrown,
}

struct Reading<'b> {
    body: &'b Body,
    values: Values,
    /// By block: the state before it.
    before: Vec<Option<State>>,
    /// The meetings, and the exceptions that are taken.
    places: HashMap<(BlockNo, Place), ValueNo>,
    pending: BTreeSet<BlockNo>,
}

impl Reading<'_> {
    fn run(&mut self) {
        let mut first = State::default();
        for (index, slot) in self.body.parameters.iter().enumerate() {
            let value = self.new_value(Born::Parameter(index as u16));
            set(&mut first.locals, usize::from(*slot), Some(value));
        }
        self.come(0, first);
        while let Some(no) = self.pending.pop_first() {
            self.block(no);
        }
    }

    fn new_value(&mut self, born: Born) -> ValueNo {
        self.values.born.push(born);
        self.values.born.len() as ValueNo - 1
    }

    fn block(&mut self, no: BlockNo) {
        let body = self.body;
        let block = body.cfg.block(no);
        let Some(mut state) = self.before[no as usize].clone() else {
            return;
        };
        self.throw_from(no, &state);
        for at in block.first..=block.last {
            let instruction = &body.instructions[at];
            if !self.instruction(at, instruction, &mut state) {
                return;
            }
            if matches!(instruction.effect.access, Access::Store(_)) {
                self.throw_from(no, &state);
            }
        }
        for next in &block.successors {
            self.come(*next, state.clone());
        }
    }

    /// An exception may go from here to the handlers of a block.
    fn throw_from(&mut self, no: BlockNo, state: &State) {
        for handler in &self.body.cfg.block(no).handlers {
            let value = match self.places.get(&(*handler, Place::Thrown)) {
                Some(value) => *value,
                None => {
                    let value = self.new_value(Born::Handler);
                    self.places.insert((*handler, Place::Thrown), value);
                    value
                }
            };
            let thrown = Operand {
                value: Some(value),
                put_by: None,
            };
            let state = State {
                stack: vec![thrown],
                locals: state.locals.clone(),
            };
            self.come(*handler, state);
        }
    }

    /// Goes past an instruction; false if the code makes no sense.
    fn instruction(&mut self, at: usize, instruction: &Instruction, state: &mut State) -> bool {
        let pops = usize::from(instruction.effect.stack.pops());
        let Some(from) = state.stack.len().checked_sub(pops) else {
            return false;
        };
        let taken = state.stack.split_off(from);
        self.values.operands[at].clone_from(&taken);
        let here = Some(at as u32);
        match (instruction.effect.stack, instruction.effect.access) {
            (StackEffect::Shuffle { .. }, _) if instruction.opcode == opcode::CHECKCAST => {
                let value = Some(self.result(at));
                let put_by = taken.first().and_then(|operand| operand.put_by);
                state.stack.push(Operand { value, put_by });
            }
            (StackEffect::Shuffle { leaves, .. }, _) => {
                let left = leaves.iter().filter_map(|no| taken.get(usize::from(*no)));
                state.stack.extend(left);
            }
            (_, Access::Load(slot)) => {
                let value = state.locals.get(usize::from(slot)).copied().flatten();
                let put_by = here;
                state.stack.push(Operand { value, put_by });
            }
            (_, Access::Store(slot)) => {
                let stored = taken.first().and_then(|operand| operand.value);
                set(&mut state.locals, usize::from(slot), stored);
            }
            (StackEffect::Compute { pushes: true, .. }, _) => {
                let value = Some(self.result(at));
                let put_by = here;
                state.stack.push(Operand { value, put_by });
            }
            _ => {}
        }
        true
    }

    fn result(&mut self, at: usize) -> ValueNo {
        if let Some(value) = self.values.results[at] {
            return value;
        }
        let value = self.new_value(Born::Instruction(at as u32));
        self.values.results[at] = Some(value);
        value
    }

    /// Execution comes to a block.
    fn come(&mut self, no: BlockNo, state: State) {
        let Some(mut known) = self.before[no as usize].take() else {
            self.before[no as usize] = Some(state);
            self.pending.insert(no);
            return;
        };
        let before = known.clone();
        // Code that verifies brings stacks of the same height.
        known.stack.truncate(state.stack.len());
        for (index, (known, new)) in known.stack.iter_mut().zip(&state.stack).enumerate() {
            if known.put_by != new.put_by {
                known.put_by = None;
            }
            known.value = self.met(no, Place::Stack(index), known.value, new.value);
        }
        known.locals.truncate(state.locals.len());
        for (index, (known, new)) in known.locals.iter_mut().zip(&state.locals).enumerate() {
            *known = self.met(no, Place::Local(index), *known, *new);
        }
        if known != before {
            self.pending.insert(no);
        }
        self.before[no as usize] = Some(known);
    }

    /// What two values make that come together. A variable that is not set on one way cannot be used.
    fn met(
        &mut self,
        no: BlockNo,
        place: Place,
        one: Option<ValueNo>,
        other: Option<ValueNo>,
    ) -> Option<ValueNo> {
        let (one, other) = (one?, other?);
        if one == other {
            return Some(one);
        }
        let meeting = match self.places.get(&(no, place)) {
            Some(meeting) => *meeting,
            None => {
                let meeting = self.new_value(Born::Meeting);
                self.places.insert((no, place), meeting);
                meeting
            }
        };
        for value in [one, other] {
            if value != meeting {
                self.values.meetings.insert((value, meeting));
            }
        }
        Some(meeting)
    }
}

fn set(locals: &mut Vec<Option<ValueNo>>, slot: usize, value: Option<ValueNo>) {
    if locals.len() <= slot {
        locals.resize(slot + 1, None);
    }
    locals[slot] = value;
}

impl Default for Operand {
    fn default() -> Self {
        Self::UNSET
    }
}

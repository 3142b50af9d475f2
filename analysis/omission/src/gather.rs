//! What ran, and what was met where: gathered in one walk over each thread.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jinsi_classfile::bits::Bits;
use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::effect::Access;
use jinsi_steps::code::{MethodNo, Program};
use jinsi_steps::walk::{
    Ended, EventOperands, Location, Met, Opening, Role, Step, Visitor, Walker,
};
use jinsi_trace::model::{CallOp, EventKind, ObjectId, ThreadNo};
use jinsi_trace::reader::ReadError;
use rustc_hash::FxHashSet;

use crate::births::{Birth, Births, value_of};
use crate::code::Code;
use crate::place::Place;

/// An activation.
#[derive(Clone, Copy, Debug)]
pub struct Activation {
    /// Whose thread.
    pub thread: ThreadNo,
    /// Index of its first event: its name.
    pub began: u64,
    /// Index of the last event in it.
    pub ended: u64,
    /// Which of its method's ways it went.
    pub way: u32,
}

/// Activations of a method in which the same instructions ran.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Way {
    /// The method.
    pub method: MethodNo,
    /// The instructions that ran, by index.
    pub ran: Bits,
    /// Did an exception end it?
    pub threw: bool,
}

/// What ran.
#[derive(Debug, Default)]
pub struct Gathered {
    /// All activations whose instructions are known.
    pub activations: Vec<Activation>,
    /// The ways that they went.
    pub ways: Vec<Way>,
    /// By method: the instructions that ran in any activation.
    pub ran: BTreeMap<MethodNo, Bits>,
    /// By call instruction: the methods that ran because of it.
    pub called: BTreeMap<Place, BTreeSet<MethodNo>>,
    /// Which object, by its place of birth, was met as which value.
    pub met: FxHashSet<(Birth, Birth)>,
    /// Activations whose instructions are not known.
    pub lost: u64,
}

impl Gathered {
    /// Of a run.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn of(code: &Code<'_>, births: &Births) -> Result<Self, ReadError> {
        let mut gathered = Self::default();
        let mut ways = HashMap::new();
        for thread in code.trace.threads() {
            let mut gathering = Gathering {
                code,
                births,
                thread: thread.no,
                gathered: &mut gathered,
                ways: &mut ways,
                frames: Vec::new(),
                index: 0,
                entered: Vec::new(),
            };
            Walker::new(code.trace, &code.program, thread.no).run(&mut gathering)?;
        }
        gathered.activations.reverse();
        Ok(gathered)
    }

    /// Has the instruction run at all?
    pub fn has_run(&self, place: Place) -> bool {
        let ran = self.ran.get(&place.method);
        ran.is_some_and(|ran| ran.contains(place.at as u32))
    }
}

/// An open activation.
struct Frame {
    method: MethodNo,
    ended: u64,
    threw: bool,
    role: Role,
    ran: Bits,
    /// The call instruction within which it is.
    call: Option<usize>,
    lost: bool,
}

struct Gathering<'a, 't> {
    code: &'a Code<'t>,
    births: &'a Births,
    thread: ThreadNo,
    gathered: &'a mut Gathered,
    ways: &'a mut HashMap<Way, u32>,
    frames: Vec<Frame>,
    /// Index of the event met last.
    index: u64,
    /// Objects that the Enter event met last names, by parameter.
    entered: Vec<(usize, ObjectId)>,
}

impl Gathering<'_, '_> {
    /// An object was met as a value of a method.
    fn meet(&mut self, method: MethodNo, value: Option<u32>, object: Option<ObjectId>) {
        let birth = object.and_then(|id| self.births.get(id)?.birth);
        if let (Some(birth), Some(value)) = (birth, value) {
            self.gathered.met.insert((birth, Birth { method, value }));
        }
    }

    /// The objects that an instruction's event names were met as its operands and result.
    fn meet_all(&mut self, at: usize, kind: EventKind, op: CallOp, event: EventOperands<'_>) {
        let Some(method) = self.frames.last().map(|frame| frame.method) else {
            return;
        };
        let place = Place { method, at };
        for position in 0..event.count() {
            let Some(object) = event.object(position).filter(|id| *id != 0) else {
                continue;
            };
            let value = value_of(self.code, place, (kind, op), position);
            self.meet(method, value, Some(object));
        }
    }

    fn ran(&mut self, at: usize) {
        if let Some(frame) = self.frames.last_mut() {
            frame.ran.insert(at as u32);
        }
    }
}

/// How an instruction calls.
fn op_of(program: &Program, method: MethodNo, at: usize) -> CallOp {
    let body = program.get(method).body.as_ref();
    let instruction = body.and_then(|body| body.instructions.get(at));
    let constructs = instruction
        .and_then(|instruction| instruction.target.as_ref())
        .is_some_and(|target| target.name == "<init>");
    // Only whether it makes an object matters here.
    match constructs {
        true => CallOp::New,
        false => CallOp::None,
    }
}

impl Visitor for Gathering<'_, '_> {
    fn took(&mut self, event: Met<'_>, index: u64) {
        self.index = index;
        if event.kind == EventKind::Enter {
            self.entered.clear();
            let operands = event.operands;
            let objects = (0..operands.count()).filter_map(|at| Some((at, operands.object(at)?)));
            self.entered.extend(objects);
        }
        if event.kind == EventKind::This
            && let Some(method) = self.frames.last().map(|frame| frame.method)
        {
            let value = self.code.values(method).parameter(0);
            self.meet(method, value, event.operands.object(0));
        }
    }

    fn opened(&mut self, opening: &Opening) {
        self.frames.push(Frame {
            method: opening.method,
            ended: self.index,
            threw: matches!(opening.ended, Ended::Threw(_)),
            role: opening.role,
            ran: Bits::default(),
            call: None,
            lost: !opening.stepwise,
        });
    }

    fn stepped(&mut self, step: &Step<'_>) {
        self.ran(step.at);
        let kind = match step.instruction.effect.access {
            Access::GetField(_) if step.event.count() == 1 => EventKind::Given,
            Access::GetField(_) => EventKind::GetField,
            Access::PutField(_) => EventKind::PutField,
            Access::GetStatic(_) => EventKind::GetStatic,
            Access::PutStatic(_) => EventKind::PutStatic,
            Access::ArrayLoad => EventKind::ArrayLoad,
            Access::ArrayStore => EventKind::ArrayStore,
            _ => return,
        };
        self.meet_all(step.at, kind, CallOp::None, step.event);
    }

    fn call_ended(&mut self, step: &Step<'_>) {
        self.ran(step.at);
        let Some(method) = self.frames.last().map(|frame| frame.method) else {
            return;
        };
        let op = op_of(&self.code.program, method, step.at);
        self.meet_all(step.at, EventKind::CallExit, op, step.event);
        if let Some(frame) = self.frames.last_mut() {
            frame.call = Some(step.at);
        }
    }

    fn call_began(&mut self, at: usize, operands: EventOperands<'_>) {
        let Some(method) = self.frames.last().map(|frame| frame.method) else {
            return;
        };
        let op = op_of(&self.code.program, method, at);
        self.meet_all(at, EventKind::Call, op, operands);
        if let Some(frame) = self.frames.last_mut() {
            frame.call = None;
        }
    }

    fn caught(&mut self, _handler: BlockNo, _from: usize, _throwable: ObjectId) {}

    fn began(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let method = frame.method;
        let is_constructor = self.code.method(method).name == "<init>";
        let mut receiver = None;
        for (position, object) in std::mem::take(&mut self.entered) {
            let index = position + usize::from(is_constructor);
            receiver = receiver.or((index == 0).then_some(object));
            let value = self.code.values(method).parameter(index);
            self.meet(method, value, Some(object));
        }
        self.was_called(&frame, receiver);
        if frame.lost {
            self.gathered.lost += 1;
            return;
        }
        let ran = self.gathered.ran.entry(method).or_default();
        ran.add_all(&frame.ran);
        let way = Way {
            method,
            ran: frame.ran,
            threw: frame.threw,
        };
        let way = match self.ways.get(&way) {
            Some(no) => *no,
            None => {
                let no = self.gathered.ways.len() as u32;
                self.gathered.ways.push(way.clone());
                self.ways.insert(way, no);
                no
            }
        };
        self.gathered.activations.push(Activation {
            thread: self.thread,
            began: self.index,
            ended: frame.ended,
            way,
        });
    }

    fn lost(&mut self, _why: &'static str) {
        if let Some(frame) = self.frames.last_mut() {
            frame.lost = true;
        }
    }

    fn unexplained(&mut self, _event: Met<'_>, _location: Option<Location>) {}

    fn resumed(&mut self, _at: usize) {}

    fn outside(&mut self, _event: Met<'_>, _location: Location) {}
}

impl Gathering<'_, '_> {
    /// An activation has been met from its end to its beginning: who called it?
    fn was_called(&mut self, frame: &Frame, receiver: Option<ObjectId>) {
        let Some((caller, at)) = self.frames.last().and_then(|f| Some((f.method, f.call?))) else {
            return;
        };
        let place = Place { method: caller, at };
        match frame.role {
            Role::Callee => {
                let called = self.gathered.called.entry(place).or_default();
                called.insert(frame.method);
                let instruction = self.code.instruction(place);
                if receiver.is_some() && instruction.is_some_and(|i| Code::receivers(i) == 1) {
                    let value = self.code.operand(place, 0).and_then(|o| o.value);
                    self.meet(caller, value, receiver);
                }
            }
            Role::Callback => {
                let called = self.gathered.called.entry(place).or_default();
                called.insert(frame.method);
            }
            Role::Outermost | Role::Initializer | Role::Unknown => {}
        }
    }
}

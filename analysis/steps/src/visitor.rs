//! What a walk over the executed instructions tells, newest first.

use std::fmt;

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::effect::Access;
use jinsi_trace::model::{EventKind, ObjectId, SiteNo, Value};
use jinsi_trace::reader::Skim;

use super::code::{FieldNo, Instruction, MethodNo};

/// What the event says that was met last. It is read when it is asked for: most of it never is.
#[derive(Clone, Copy, Default)]
pub struct EventOperands<'a>(Option<&'a Skim<'a>>);

impl<'a> EventOperands<'a> {
    /// There is no event.
    pub const NONE: Self = Self(None);

    /// The event that was met last.
    pub(super) fn of(events: &'a Skim<'a>) -> Self {
        Self(Some(events))
    }

    /// The object that the operand at this position is; nothing if there is none, or it is no object.
    pub fn object(&self, position: usize) -> Option<ObjectId> {
        self.0?.object(position)
    }

    /// The `int` that the operand at this position is; nothing if there is none, or it is no `int`.
    pub fn int(&self, position: usize) -> Option<i32> {
        self.0?.int(position)
    }

    /// The operand at this position.
    pub fn value(&self, position: usize) -> Option<Value> {
        self.0?.value(position)
    }

    /// Is there an event?
    pub fn is_recorded(&self) -> bool {
        self.0.is_some()
    }

    /// How many operands there are.
    pub fn count(&self) -> usize {
        self.0.map_or(0, Skim::count)
    }

    /// All operands.
    pub fn values(&self) -> Vec<Value> {
        let all = (0..self.count()).map(|position| self.value(position));
        all.flatten().collect()
    }
}

impl fmt::Debug for EventOperands<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.values()).finish()
    }
}

/// An event of which only its own operands tell anything.
#[derive(Clone, Copy, Debug)]
pub struct Met<'a> {
    /// Kind.
    pub kind: EventKind,
    /// Site.
    pub site: Option<SiteNo>,
    /// Its operands.
    pub operands: EventOperands<'a>,
}

/// What is known of the variable in memory that an instruction accesses, before its event is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accessed {
    /// None, or it is not known which.
    Nothing,
    /// This one.
    Known(Location),
    /// This field of the object that the event names.
    Field(FieldNo),
    /// The element that the event names.
    Element,
}

impl Accessed {
    /// The variable, by what the event of the access has.
    pub fn location(self, event: EventOperands<'_>) -> Option<Location> {
        match self {
            Accessed::Nothing => None,
            Accessed::Known(location) => Some(location),
            Accessed::Field(field) => Some(Location::Field(event.object(0)?, field)),
            Accessed::Element => {
                let index = u32::try_from(event.int(1)?).ok()?;
                Some(Location::Element(event.object(0)?, index))
            }
        }
    }
}

/// A variable in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Location {
    /// A static field.
    Static(FieldNo),
    /// A field of an object.
    Field(ObjectId, FieldNo),
    /// An element of an array.
    Element(ObjectId, u32),
}

/// How an activation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It returned.
    Returned,
    /// By this exception.
    Threw(ObjectId),
    /// It is not known: the recording ended first, or an exception did it unseen.
    Unknown,
}

/// What an activation is to the code that was running when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing recorded was running.
    Outermost,
    /// The method that the call instruction called.
    Callee,
    /// Code that is not recorded has called it, in the course of a call instruction.
    Callback,
    /// The JVM has, in the course of any instruction: it initializes a class.
    Initializer,
    /// It is not known which instruction was running.
    Unknown,
}

impl Role {
    const ALL: [Role; 5] = [
        Role::Outermost,
        Role::Callee,
        Role::Callback,
        Role::Initializer,
        Role::Unknown,
    ];

    /// A number that stands for it in bytes.
    pub fn number(self) -> u64 {
        Self::ALL.iter().position(|role| *role == self).unwrap_or(0) as u64
    }

    /// What a number stands for.
    pub fn of_number(number: u64) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }
}

/// An activation met from its end.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Whose code.
    pub method: MethodNo,
    /// How it ended.
    pub ended: Ended,
    /// Who began it.
    pub role: Role,
    /// Are its instructions known?
    pub stepwise: bool,
}

/// An instruction that ran, with what its event said.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// Index in the method's instructions.
    pub at: usize,
    /// The instruction.
    pub instruction: &'a Instruction,
    /// The variable in memory that it accessed, as far as known.
    pub accessed: Accessed,
    /// What its event says, or that of the call's end.
    pub event: EventOperands<'a>,
    /// The object under construction, if it is the call of a constructor; 0 if not known.
    pub made: ObjectId,
    /// Did it end by an exception?
    pub threw: bool,
}

impl Step<'_> {
    /// The variable in memory that it accessed, as far as known.
    pub fn location(&self) -> Option<Location> {
        self.accessed.location(self.event)
    }

    /// The value read or written, or that a call gave, where recorded.
    pub fn value(&self) -> Option<Value> {
        match self.instruction.effect.access {
            Access::Invoke(_) => self.event.value(0),
            _ => self.event.value(self.event.count().checked_sub(1)?),
        }
    }
}

/// Takes what happened, newest first. All but [`Visitor::opened`] are about the activation that was opened last and is not closed.
pub trait Visitor {
    /// An event is met, which has this index in the thread's stream. What else is reported of it follows.
    fn took(&mut self, _event: Met<'_>, _index: u64) {}
    /// An activation is met from its end.
    fn opened(&mut self, opening: &Opening);
    /// An instruction ran. Calls are reported otherwise.
    fn stepped(&mut self, step: &Step<'_>);
    /// A call instruction is met from its end; activations that ran within it may follow.
    fn call_ended(&mut self, step: &Step<'_>);
    /// The beginning of the call that ended last and did not begin yet. Its operands (the receiver first), where recorded.
    fn call_began(&mut self, at: usize, operands: EventOperands<'_>);
    /// An exception went from an instruction, which is reported next, to a handler.
    fn caught(&mut self, handler: BlockNo, from: usize, throwable: ObjectId);
    /// The activation began. It is closed.
    fn began(&mut self);
    /// The activation's instructions are not known from here on backward, but its events.
    fn lost(&mut self, why: &'static str);
    /// An event of an activation whose instructions are not known. Its own variable in memory, if it accesses one.
    fn unexplained(&mut self, event: Met<'_>, location: Option<Location>);
    /// The activation's instructions are known again: before the one with this index the stack was as it has it.
    fn resumed(&mut self, at: usize);
    /// Code outside has accessed a variable in memory.
    fn outside(&mut self, event: Met<'_>, location: Location);
    /// Would it do nothing about the instruction, nor about those that ran before it in the same block up to a call or an access to
    /// memory? Then these may be reported by [`Visitor::passed`] instead.
    fn is_indifferent(&self, _instruction: &Instruction) -> bool {
        false
    }
    /// So many instructions ran that it is indifferent to, of which the one with index `at` came first.
    fn passed(&mut self, _at: usize, _count: u64) {}
    /// Need nothing more be reported?
    fn done(&self) -> bool {
        false
    }
}

/// What was walked over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Instructions.
    pub instructions: u64,
    /// Events.
    pub events: u64,
    /// Activations that had to be walked by their events alone, for all or a part, though their way was recorded.
    pub lost: u64,
}

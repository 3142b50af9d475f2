//! What a walk over the executed instructions tells, newest first.

use jinsi_classfile::cfg::BlockNo;
use jinsi_trace::model::{Event, ObjectId, Value};

use super::code::{FieldNo, Instruction, MethodNo};

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

/// An activation met from its end.
#[derive(Clone, Debug)]
pub struct Opening {
    /// Whose code.
    pub method: MethodNo,
    /// How it ended.
    pub ended: Ended,
    /// Who began it.
    pub role: Role,
    /// What it returned.
    pub value: Option<Value>,
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
    pub location: Option<Location>,
    /// The value read or written, where recorded.
    pub value: Option<&'a Value>,
    /// The object under construction, if it is the call of a constructor; 0 if not known.
    pub made: ObjectId,
    /// Did it end by an exception?
    pub threw: bool,
}

/// Is told what happened, newest first. All but [`Visitor::opened`] are about the activation that was opened last and is not closed.
pub trait Visitor {
    /// An activation is met from its end.
    fn opened(&mut self, opening: &Opening);
    /// An instruction ran. Calls are told of otherwise.
    fn stepped(&mut self, step: &Step<'_>);
    /// A call instruction is met from its end; activations that ran within it may follow. It gave `value`, if recorded.
    fn call_ended(&mut self, step: &Step<'_>);
    /// The beginning of the call that ended last and did not begin yet. Its operands (the receiver first), where recorded.
    fn call_began(&mut self, at: usize, operands: Option<&[Value]>);
    /// An exception went from an instruction, which is told of next, to a handler.
    fn caught(&mut self, handler: BlockNo, from: usize, throwable: ObjectId);
    /// The activation began, with this object and these arguments as recorded. It is closed.
    fn began(&mut self, arguments: &[Value]);
    /// The activation's instructions are not known from here on backward, but its events.
    fn lost(&mut self, why: &'static str);
    /// An event of an activation whose instructions are not known. Its own variable in memory, if it accesses one.
    fn unexplained(&mut self, event: &Event, location: Option<Location>);
    /// The activation's instructions are known again: before the one with this index the stack was as it has it.
    fn resumed(&mut self, at: usize);
    /// Code outside has accessed a variable in memory.
    fn outside(&mut self, event: &Event, location: Location);
    /// Need nothing more be told?
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

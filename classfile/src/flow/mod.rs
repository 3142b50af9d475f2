//! What is on the stack and in the locals before each instruction, as far as object identity goes: the receiver, objects that
//! `new` has made, before and after a constructor has initialized them, everything else.
//!
//! An abstract interpretation over all instructions, exception edges and subroutines (`jsr`/`ret`) included. It checks the
//! shape of the stack, not types: code that verifies is analyzed, code that does not may be, too.

mod confined;
mod news;
mod origins;
mod solve;
mod step;

use std::collections::BTreeSet;

use crate::class::{ClassFile, Member, ParseError};
use crate::code::Code;
use crate::descriptor::DescriptorError;
use crate::insn::{self, Insn, InsnError};
use crate::offsets::Offsets;
use crate::pool::PoolError;

pub use news::{NewShape, NewSite};
pub use origins::uniform_ranges;

/// Why code cannot be analyzed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlowError {
    /// The method has no code.
    #[error("the method has no code")]
    NoCode,
    /// The `Code` attribute cannot be parsed.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The code cannot be decoded.
    #[error(transparent)]
    Code(#[from] InsnError),
    /// An instruction names a constant that is not there or of the wrong kind.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// A descriptor is malformed.
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    /// The stack is too short, or a value of another size is on it.
    #[error("wrong stack at {0}")]
    Stack(u32),
    /// Two paths bring stacks of different shape.
    #[error("stacks of different shape meet at {0}")]
    Merge(u32),
    /// A local variable outside `max_locals`, or a `ret` through something that is no return address.
    #[error("wrong local variable at {0}")]
    Local(u32),
    /// Execution runs past the last instruction, or a handler begins where no instruction does.
    #[error("no instruction at {0}")]
    Offset(u32),
    /// The analysis would take too long; only built for the purpose does code get there.
    #[error("the method is too large to be analyzed")]
    TooLarge,
}

/// The size, or type, of a value whose identity is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `int` and everything smaller.
    Int,
    /// `float`.
    Float,
    /// `long`.
    Long,
    /// `double`.
    Double,
    /// A reference.
    Ref,
    /// Unset, unusable, or the second slot of a `long` or `double` local; one slot.
    Top,
}

/// What is known of a stack entry or local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The receiver, initialized.
    This,
    /// The receiver of a constructor before `super(…)`/`this(…)`.
    UninitThis,
    /// Made by the `new` at this offset, not yet initialized.
    New(u32),
    /// Made by the `new` at this offset and initialized.
    Made(u32),
    /// Return address of a call of the subroutine at this offset.
    ReturnAddress(u32),
    /// Anything else, among it values that differ between the paths that meet.
    Other(Kind),
}

impl Value {
    pub(crate) const REF: Value = Value::Other(Kind::Ref);
    pub(crate) const TOP: Value = Value::Other(Kind::Top);

    /// Does it take two slots?
    pub fn is_wide(self) -> bool {
        matches!(self, Value::Other(Kind::Long | Kind::Double))
    }

    /// Is it a reference?
    pub fn is_ref(self) -> bool {
        matches!(
            self,
            Value::This | Value::UninitThis | Value::New(_) | Value::Made(_) | Value::REF
        )
    }

    /// The offset of the `new` that made it.
    fn new_of(self) -> Option<u32> {
        match self {
            Value::New(new) | Value::Made(new) => Some(new),
            _ => None,
        }
    }
}

/// Stack and locals before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<'a> {
    /// Operand stack, bottom first; a `long` or `double` is one entry.
    pub stack: &'a [Value],
    /// Local variables by slot; those behind the last are unset.
    pub locals: &'a [Value],
}

impl State<'_> {
    /// The local variable at `slot`.
    pub fn local(&self, slot: u16) -> Value {
        let known = self.locals.get(usize::from(slot));
        known.copied().unwrap_or(Value::TOP)
    }

    /// How many slots the operand stack has.
    pub fn depth(&self) -> u32 {
        let wide = self.stack.iter().filter(|value| value.is_wide()).count();
        (self.stack.len() + wide) as u32
    }

    /// Is it anywhere on the stack, or in a local variable?
    pub fn holds(&self, value: Value) -> bool {
        self.stack.contains(&value) || self.locals.contains(&value)
    }
}

/// Where the state before an instruction lies among all values: its stack, behind it its locals.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    stack: usize,
    locals: usize,
}

/// What is known of an instruction.
#[derive(Clone, Debug)]
struct Fact {
    offset: u32,
    /// `None`: never reached.
    span: Option<Span>,
    /// How far down the instruction reaches: so many entries at the bottom of the stack it leaves alone.
    low: u32,
    receiver: Option<Value>,
}

impl Fact {
    fn state<'v>(&self, values: &'v [Value]) -> Option<State<'v>> {
        let span = self.span?;
        let (stack, rest) = values[span.start..].split_at(span.stack);
        let locals = &rest[..span.locals];
        Some(State { stack, locals })
    }
}

/// The result of an analysis.
#[derive(Clone, Debug)]
pub struct Flow {
    facts: Vec<Fact>,
    offsets: Offsets,
    /// The states of all instructions back to back.
    values: Vec<Value>,
    news: Vec<NewSite>,
    /// The `new`s whose objects get where others may be, too.
    mixed: BTreeSet<u32>,
}

impl Flow {
    fn fact(&self, offset: u32) -> Option<&Fact> {
        self.facts.get(self.offsets.place(offset)?)
    }

    /// Stack and locals before the instruction at `offset`; `None` if it is never reached or no instruction begins there.
    pub fn at(&self, offset: u32) -> Option<State<'_>> {
        self.fact(offset)?.state(&self.values)
    }

    /// The object that the reachable `getfield`, `putfield` or non-static call at `offset` is applied to; for an
    /// `invokespecial` of a constructor, the object it initializes.
    pub fn receiver(&self, offset: u32) -> Option<Value> {
        self.fact(offset)?.receiver
    }

    /// All reachable `new` instructions, by offset.
    pub fn news(&self) -> &[NewSite] {
        &self.news
    }

    /// The `new` at `offset`.
    pub fn new_site(&self, offset: u32) -> Option<&NewSite> {
        let index = self
            .news
            .binary_search_by_key(&offset, |site| site.offset)
            .ok()?;
        Some(&self.news[index])
    }
}

/// Analyzes a method of `class`.
pub fn analyze(class: &ClassFile, method: &Member) -> Result<Flow, FlowError> {
    let code = method.code(&class.pool)?.ok_or(FlowError::NoCode)?;
    analyze_code(class, method, &code)
}

/// [`analyze`] for code that is parsed already.
pub fn analyze_code(class: &ClassFile, method: &Member, code: &Code) -> Result<Flow, FlowError> {
    analyze_insns(class, method, code, &insn::decode(&code.bytes)?)
}

/// [`analyze_code`] for code whose instructions are decoded already, with [`insn::decode`].
pub fn analyze_insns(
    class: &ClassFile,
    method: &Member,
    code: &Code,
    insns: &[Insn<'_>],
) -> Result<Flow, FlowError> {
    solve::solve(class, method, code, insns)
}

#[cfg(test)]
mod tests;

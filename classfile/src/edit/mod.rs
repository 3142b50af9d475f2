//! Inserting and replacing code in one method, and repairing everything that names a bytecode offset.
//!
//! What is repaired: jumps (widened where they have become too long) and switches, the exception table, `LineNumberTable`,
//! `LocalVariableTable`, `LocalVariableTypeTable`, `StackMapTable`. Dropped, because they hold offsets and only tools read them:
//! type annotations of the code, CLDC's `StackMap`, attributes jinsi does not know.
//!
//! Inserted code is straight-line, so that no frame has to be computed. It may use the stack as it finds it, and locals
//! from [`Editor::new_local`]; those are forgotten at the next frame, that is, at the next jump target. Locals from
//! [`Editor::kept_int`] and [`Editor::kept_long`] are not: every frame has them. Only where the frame behind it is known can a snippet be passed by:
//! at the beginning of a method and in front of what leaves it ([`Editor::entry_if`], [`Editor::before_if`]).

mod layout;
mod shield;
mod tables;

use std::borrow::Cow;
use std::ops::Range;

use crate::asm::{Asm, AsmError};
use crate::class::ParseError;
use crate::code::{Code, Handler, MAX_CODE_BYTES};
use crate::flow::Flow;
use crate::frames::{FrameError, VType};
use crate::insn::{self, Insn, InsnError};
use crate::offsets::Offsets;
use crate::opcode;
use crate::pool::{ConstantPool, PoolError};

pub use layout::OffsetMap;
use shield::Shield;

/// First class file version whose code has stack maps (JVMS §4.10.1).
pub(crate) const FIRST_WITH_FRAMES: u16 = 50;

/// Why a method cannot be edited. The method is then to be left as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The original code cannot be decoded.
    #[error(transparent)]
    Code(#[from] InsnError),
    /// A table of the original code cannot be parsed.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The stack map is malformed.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A snippet could not be assembled.
    #[error(transparent)]
    Asm(#[from] AsmError),
    /// A constant does not fit.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// No instruction of the original code begins here.
    #[error("no instruction begins at {0}")]
    Offset(u32),
    /// `after` an instruction behind which execution never goes on.
    #[error("execution does not go on behind the instruction at {0}")]
    NoFallThrough(u32),
    /// The instruction is replaced twice.
    #[error("the instruction at {0} is replaced already")]
    Replaced(u32),
    /// A snippet with jumps, handlers or frames; or one to be passed by, by another local than a kept one, or that changes the stack.
    #[error("inserted code has to be straight-line")]
    NotStraight,
    /// The code would pass 65,535 bytes (JVMS §4.9.1).
    #[error("the code would take {0} bytes")]
    TooLarge(u64),
    /// More stack or local variable slots than 65,535.
    #[error("too many stack or local variable slots")]
    TooManySlots,
    /// A conditional jump would have to go further than 32 KiB, and behind it there is no frame to invert it with.
    #[error("the conditional jump at {0} would be too long")]
    FarBranch(u32),
}

/// An edited method.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The new code.
    pub code: Code,
    /// Where everything has gone.
    pub offsets: OffsetMap,
}

/// What is done around one instruction.
#[derive(Clone, Debug, Default)]
struct Edit {
    before: Vec<u8>,
    after: Vec<u8>,
    replacement: Option<Vec<u8>>,
    /// By how many slots the snippets so far have changed the stack.
    net: i32,
}

/// Where a snippet ends that is passed by if a kept local is 0.
#[derive(Clone, Debug)]
struct Join {
    /// The instruction in front of which it is; `None`: the beginning of the method.
    index: Option<usize>,
    /// Bytes from the first snippet there.
    at: usize,
    /// What holds there, but for the kept locals.
    locals: Vec<VType>,
    stack: Vec<VType>,
}

/// A handler to be appended.
#[derive(Clone, Debug)]
struct CatchAll {
    /// First instruction covered.
    from: usize,
    /// First instruction behind, if not all of the rest is covered.
    to: Option<usize>,
    bytes: Vec<u8>,
    locals: Vec<VType>,
}

/// Edits one method's code. Offsets are those of the original code throughout.
#[derive(Clone, Debug)]
pub struct Editor<'a> {
    code: &'a Code,
    /// Does the class need frames at jump targets?
    framed: bool,
    insns: Cow<'a, [Insn<'a>]>,
    offsets: Offsets,
    /// Index into `edits` by instruction; 0 is none.
    edit_of: Vec<u32>,
    edits: Vec<Edit>,
    entry: Vec<u8>,
    joins: Vec<Join>,
    catch_alls: Vec<CatchAll>,
    /// The first slot that no fresh local has.
    next_local: u32,
    /// One more than the highest slot that anything uses.
    max_locals: u32,
    /// What is known of the stack.
    flow: Option<&'a Flow>,
    /// Fresh locals that hold a value of this type everywhere.
    kept: Vec<(u16, VType)>,
    /// Locals with which the method begins; known if there are such fresh ones, or handlers are shielded.
    initial_locals: Vec<VType>,
    max_stack: u32,
    removed_news: Vec<u16>,
    /// Are handlers that cover themselves kept from covering snippets? See [`Editor::shield`].
    shielded: bool,
}

impl<'a> Editor<'a> {
    /// Starts on `code` of a class with class file version `major`.
    pub fn new(code: &'a Code, major: u16) -> Result<Self, EditError> {
        Ok(Self::over(code, insn::decode(&code.bytes)?, major))
    }

    /// [`Editor::new`] for code whose instructions are decoded already, with [`insn::decode`].
    pub fn over(code: &'a Code, insns: impl Into<Cow<'a, [Insn<'a>]>>, major: u16) -> Self {
        let insns = insns.into();
        Editor {
            code,
            framed: major >= FIRST_WITH_FRAMES,
            edit_of: vec![0; insns.len()],
            offsets: Offsets::of(&insns),
            insns,
            edits: vec![Edit::default()],
            entry: Vec::new(),
            joins: Vec::new(),
            catch_alls: Vec::new(),
            next_local: u32::from(code.max_locals),
            max_locals: u32::from(code.max_locals),
            flow: None,
            kept: Vec::new(),
            initial_locals: Vec::new(),
            max_stack: u32::from(code.max_stack),
            removed_news: Vec::new(),
            shielded: false,
        }
    }

    /// Lets the stack grow only where snippets need it, by the depth that it has there. Otherwise it is taken to be full wherever a snippet
    /// runs, and each activation of the method takes more of the thread's stack than it has to.
    pub fn with_flow(mut self, flow: &'a Flow) -> Self {
        self.flow = Some(flow);
        self
    }

    /// The original instructions.
    pub fn insns(&self) -> &[Insn<'a>] {
        &self.insns
    }

    /// Inserts at the beginning of the method. Runs once, even where a loop jumps back to offset 0, and no handler covers it.
    pub fn entry(&mut self, snippet: &Asm) -> Result<(), EditError> {
        let bytes = self.admit(snippet, 0)?;
        self.entry.extend_from_slice(bytes);
        Ok(())
    }

    /// [`Editor::entry`] of a snippet that runs unless `kept`, a local of [`Editor::kept_int`], is 0. It has to leave the stack as it was.
    pub fn entry_if(&mut self, kept: u16, snippet: &Asm) -> Result<(), EditError> {
        self.entry_unless(opcode::IFEQ, kept, snippet)
    }

    /// The same of one that runs if `kept` is positive.
    pub fn entry_if_positive(&mut self, kept: u16, snippet: &Asm) -> Result<(), EditError> {
        self.entry_unless(opcode::IFLE, kept, snippet)
    }

    fn entry_unless(&mut self, jump: u8, kept: u16, snippet: &Asm) -> Result<(), EditError> {
        let bytes = self.admit_unless(jump, kept, snippet, 0)?;
        self.entry.extend_from_slice(&bytes);
        self.joins.push(Join {
            index: None,
            at: self.entry.len(),
            locals: self.initial_locals.clone(),
            stack: Vec::new(),
        });
        Ok(())
    }

    /// [`Editor::before`] for a snippet that runs unless `kept`, a local of [`Editor::kept_int`], is 0. It has to leave the stack as it
    /// was. `stack` is the whole stack there. All other locals are unknown behind it: the instruction has to be one that leaves the
    /// method, and no handler of the method's own may cover it.
    pub fn before_if(
        &mut self,
        offset: u32,
        kept: u16,
        snippet: &Asm,
        stack: Vec<VType>,
    ) -> Result<(), EditError> {
        let index = self.index(offset)?;
        let depth = self.changed_depth(index, index);
        let bytes = self.admit_unless(opcode::IFEQ, kept, snippet, depth)?;
        let before = &mut self.edit_at(offset)?.before;
        before.extend_from_slice(&bytes);
        let at = before.len();
        self.joins.push(Join {
            index: Some(index),
            at,
            locals: Vec::new(),
            stack,
        });
        Ok(())
    }

    /// Inserts in front of an instruction: jumps to it, handlers that begin there and frames reach the snippet first. Several
    /// snippets stand in the order in which they were inserted. A range of the exception table that begins at the instruction
    /// covers the snippet, one that ends there does not; but see [`Editor::shield`].
    pub fn before(&mut self, offset: u32, snippet: &Asm) -> Result<(), EditError> {
        let index = self.index(offset)?;
        let depth = self.changed_depth(index, index);
        let bytes = self.admit(snippet, depth)?;
        let edit = self.edit_at(offset)?;
        edit.before.extend_from_slice(bytes);
        edit.net += snippet.net();
        let raised = u32::try_from(edit.net).unwrap_or(0);
        // The instruction itself runs on the changed stack.
        self.max_stack = self.max_stack.max(u32::from(self.code.max_stack) + raised);
        Ok(())
    }

    /// Inserts behind an instruction, on the way from it to the next one only: jumps to the next one pass it by. A range of
    /// the exception table that covers the instruction covers the snippet.
    pub fn after(&mut self, offset: u32, snippet: &Asm) -> Result<(), EditError> {
        let index = self.index(offset)?;
        if !self.insns[index].falls_through() {
            return Err(EditError::NoFallThrough(offset));
        }
        let depth = self.changed_depth(index, index + 1);
        let bytes = self.admit(snippet, depth)?;
        let edit = self.edit_at(offset)?;
        edit.after.extend_from_slice(bytes);
        edit.net += snippet.net();
        Ok(())
    }

    /// Replaces an instruction; an empty snippet stands for `nop`. The stack has to be left as the instruction left it, as
    /// far as the code behind and its frames go: see [`Editor::remove_new`] and [`Editor::reserve_stack`].
    pub fn replace(&mut self, offset: u32, snippet: &Asm) -> Result<(), EditError> {
        let index = self.index(offset)?;
        let depth = self.changed_depth(index, index);
        let bytes = match self.admit(snippet, depth)? {
            [] => &[opcode::NOP],
            bytes => bytes,
        };
        let edit = self.edit_at(offset)?;
        if edit.replacement.is_some() {
            return Err(EditError::Replaced(offset));
        }
        edit.replacement = Some(bytes.to_vec());
        Ok(())
    }

    /// The `new` at `offset` no longer leaves anything on the stack until its constructor has run (the client replaces it, its
    /// `dup` and the constructor call): takes its uninitialized stack entries out of all frames. See
    /// [`crate::frames::remove_uninitialized`].
    pub fn remove_new(&mut self, offset: u32) -> Result<(), EditError> {
        self.index(offset)?;
        // Offsets of instructions are below 65,536.
        self.removed_news.push(offset as u16);
        Ok(())
    }

    /// Catches everything that leaves the original code from `from` on to its end (snippets among it included, entry and
    /// handler code not): appended last in the exception table, so that the method's own handlers come first. The throwable is
    /// alone on the stack when `snippet` runs; it has to end in `athrow` or a return. No locals are known to it.
    ///
    /// In a constructor `from` must lie behind the call of `super(…)`/`this(…)`: no code may be covered in which the receiver
    /// is uninitialized (JVMS §4.10.1.4).
    pub fn catch_all(&mut self, from: u32, snippet: &Asm) -> Result<(), EditError> {
        self.catch_all_with(from, snippet, Vec::new())
    }

    /// [`Editor::catch_all`] with locals of these types, which must hold everywhere in the covered code: parameters that
    /// are never assigned, for example.
    pub fn catch_all_with(
        &mut self,
        from: u32,
        snippet: &Asm,
        locals: Vec<VType>,
    ) -> Result<(), EditError> {
        self.catch_all_in(from..self.code.bytes.len() as u32, snippet, locals)
    }

    /// [`Editor::catch_all_with`] for a part of the code, from one instruction to before another.
    pub fn catch_all_in(
        &mut self,
        covered: Range<u32>,
        snippet: &Asm,
        locals: Vec<VType>,
    ) -> Result<(), EditError> {
        let bytes = self.straight(snippet)?.to_vec();
        self.max_stack = self.max_stack.max(1 + u32::from(snippet.growth()));
        let from = self.index(covered.start)?;
        let to = match covered.end as usize == self.code.bytes.len() {
            true => None,
            false => Some(self.index(covered.end)?),
        };
        self.catch_alls.push(CatchAll {
            from,
            to,
            bytes,
            locals,
        });
        Ok(())
    }

    /// Fresh local variable slots above all others; the index of the first. Those that no snippet uses take no room.
    pub fn new_local(&mut self, slots: u16) -> Result<u16, EditError> {
        let index = u16::try_from(self.next_local).map_err(|_| EditError::TooManySlots)?;
        self.next_local += u32::from(slots);
        match self.next_local {
            0..=0xffff => Ok(index),
            _ => Err(EditError::TooManySlots),
        }
    }

    /// A fresh local for an `int` that is there in the whole method, handlers appended included: all frames say so. The entry code
    /// must store it. `initial`: the locals with which the method begins, as [`crate::frames::initial_locals`] gives them.
    pub fn kept_int(&mut self, initial: &[VType]) -> Result<u16, EditError> {
        self.kept_local(VType::Integer, 1, initial)
    }

    /// The same for a `long`.
    pub fn kept_long(&mut self, initial: &[VType]) -> Result<u16, EditError> {
        self.kept_local(VType::Long, 2, initial)
    }

    fn kept_local(&mut self, kind: VType, slots: u16, initial: &[VType]) -> Result<u16, EditError> {
        let index = self.new_local(slots)?;
        self.kept.push((index, kind));
        self.initial_locals = initial.to_vec();
        Ok(index)
    }

    /// Builds the new code. `pool` is the class's own.
    pub fn finish(mut self, pool: &mut ConstantPool) -> Result<Edited, EditError> {
        let layout = layout::Layout::compute(&self, self.frame_offsets(pool)?)?;
        let too_many = |_| EditError::TooManySlots;
        let mut code = Code {
            max_stack: u16::try_from(self.max_stack).map_err(too_many)?,
            max_locals: u16::try_from(self.max_locals).map_err(too_many)?,
            bytes: layout.emit(&self),
            handlers: Vec::new(),
            attributes: Vec::new(),
        };
        let offsets = layout.into_offsets(&self);
        let (shields, handler_starts) = self.append_handlers(&mut code, &offsets)?;
        self.removed_news.sort_unstable();
        code.attributes = tables::relocate(&self, &offsets, &shields, &handler_starts, pool)?;
        Ok(Edited { code, offsets })
    }

    /// The exception table, and the code of the handlers that are new. What shields snippets comes back, and where each other one begins.
    fn append_handlers(
        &self,
        code: &mut Code,
        offsets: &OffsetMap,
    ) -> Result<(Vec<Shield>, Vec<u32>), EditError> {
        let end = code.bytes.len() as u16;
        let shields = self.move_handlers(code, offsets)?;
        let mut starts = Vec::new();
        for catch_all in &self.catch_alls {
            starts.push(code.bytes.len() as u32);
            let to = catch_all.to.map(|to| offsets.label_of(to) as u16);
            code.handlers.push(Handler {
                start: offsets.label_of(catch_all.from) as u16,
                end: to.unwrap_or(end),
                handler: code.bytes.len() as u16,
                catch_type: 0,
            });
            code.bytes.extend_from_slice(&catch_all.bytes);
        }
        match code.bytes.len() {
            0..=MAX_CODE_BYTES => Ok((shields, starts)),
            length => Err(EditError::TooLarge(length as u64)),
        }
    }

    fn index(&self, offset: u32) -> Result<usize, EditError> {
        self.offsets.place(offset).ok_or(EditError::Offset(offset))
    }

    fn edit_at(&mut self, offset: u32) -> Result<&mut Edit, EditError> {
        let index = self.index(offset)?;
        if self.edit_of[index] == 0 {
            self.edit_of[index] = self.edits.len() as u32;
            self.edits.push(Edit::default());
        }
        Ok(&mut self.edits[self.edit_of[index] as usize])
    }

    /// What is done around the instruction with this index; nothing, if nothing.
    fn edit(&self, index: usize) -> &Edit {
        &self.edits[self.edit_of[index] as usize]
    }

    /// How deep the stack is before the instruction `at`, in slots, with what the snippets around the instruction `edited` have changed.
    fn changed_depth(&self, edited: usize, at: usize) -> u32 {
        let known = self.insns.get(at).zip(self.flow);
        let state = known.and_then(|(insn, flow)| flow.at(insn.offset));
        let depth = match state {
            Some(state) => state.depth(),
            None => u32::from(self.code.max_stack),
        };
        let net = self.edit(edited).net.max(0);
        depth + net.unsigned_abs()
    }

    /// Bytes of a snippet that begins with a stack of `depth` slots, its needs noted.
    fn admit<'s>(&mut self, snippet: &'s Asm, depth: u32) -> Result<&'s [u8], EditError> {
        let bytes = self.straight(snippet)?;
        self.max_stack = self.max_stack.max(depth + u32::from(snippet.growth()));
        Ok(bytes)
    }

    /// Bytes of a snippet that a conditional jump passes by, which asks `kept`.
    fn admit_unless(
        &mut self,
        jump: u8,
        kept: u16,
        snippet: &Asm,
        depth: u32,
    ) -> Result<Vec<u8>, EditError> {
        /// Of the conditional jump.
        const JUMP: usize = 3;
        if !self.kept.contains(&(kept, VType::Integer)) || snippet.net() != 0 {
            return Err(EditError::NotStraight);
        }
        let mut bytes = self.admit(Asm::new().load('I', kept), depth)?.to_vec();
        let snippet = self.admit(snippet, depth)?;
        let over = i16::try_from(JUMP + snippet.len())
            .map_err(|_| EditError::TooLarge(snippet.len() as u64))?;
        bytes.push(jump);
        bytes.extend_from_slice(&over.to_be_bytes());
        bytes.extend_from_slice(snippet);
        Ok(bytes)
    }

    fn straight<'s>(&mut self, snippet: &'s Asm) -> Result<&'s [u8], EditError> {
        let bytes = snippet.straight_line()?.ok_or(EditError::NotStraight)?;
        self.max_locals = self.max_locals.max(snippet.locals_used());
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests;

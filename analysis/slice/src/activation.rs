//! What a slicer keeps of an activation that the backward walk is in.

use std::cell::Cell;
use std::rc::Rc;

use jinsi_classfile::cfg::BlockNo;
use jinsi_trace::model::ObjectId;

use super::using::{Locals, Unexplained, Use};
use jinsi_steps::code::{Body, MethodNo};
use jinsi_steps::walk::Role;

/// A call that has ended and not begun yet.
#[derive(Clone, Debug, Default)]
pub(super) struct Call {
    /// Is it in the slice?
    pub(super) wanted: Use,
    /// Is what it returned, or threw, used in the slice?
    pub(super) result: Use,
    pub(super) threw: bool,
    /// Its callee, if recorded.
    pub(super) callee: Option<MethodNo>,
    /// What it called back returned or threw something before it was known whether that is used.
    pub(super) missed: bool,
    pub(super) made: ObjectId,
    /// The object that it made or returned; 0 if none.
    pub(super) given: ObjectId,
    /// Its number, from the newest on.
    pub(super) no: u64,
}

/// An open activation.
#[derive(Clone, Debug)]
pub(super) struct Activation {
    pub(super) method: MethodNo,
    pub(super) body: Option<Rc<Body>>,
    pub(super) role: Role,
    /// Operand stack: how is each value used in the slice?
    pub(super) stack: Vec<Use>,
    /// Local variables whose definition is sought.
    pub(super) locals: Locals,
    /// What of it is in the slice that nothing has explained yet.
    pub(super) unexplained: Unexplained,
    /// Is what it returned used in the slice?
    pub(super) returns: Use,
    /// Is that an exception was thrown, or which, of importance to the slice?
    pub(super) throws: Use,
    /// The exception on its way.
    pub(super) thrown: ObjectId,
    pub(super) call: Option<Call>,
    /// Of an activation whose instructions are not known: is it in the slice?
    pub(super) tainted: bool,
    /// Is any of its instructions in the slice?
    pub(super) has_part: bool,
    /// Nothing has been met of it yet.
    pub(super) fresh: bool,
    /// The instruction that ran next, if known.
    pub(super) next: Option<usize>,
    /// In a relevant slice, the [version](super::memory::Memory::version), and one more, at which none of its branches could have defined
    /// what was sought of memory.
    pub(super) sure: Cell<u32>,
}

impl Activation {
    /// The block of an instruction.
    pub(super) fn block_of(&self, at: usize) -> BlockNo {
        let body = self.body.as_ref();
        body.map_or(0, |body| body.cfg.block_of(at))
    }

    /// Is anything sought, or used, that an instruction of it could define or decide, other than memory?
    pub(super) fn may_be_used(&self) -> bool {
        self.unexplained.any()
            || self.tainted
            || self.returns.any()
            || self.throws.any()
            || self.stack.iter().any(|value| value.any())
            || self.locals.any()
    }

    /// The stack as it was behind an instruction: nothing of what an exception, or the method's end, threw away is used.
    pub(super) fn settle(&mut self, at: usize, threw: bool) {
        let Some(body) = &self.body else { return };
        if std::mem::take(&mut self.fresh) || threw {
            let instruction = &body.instructions[at];
            let stack = instruction.effect.stack;
            let left = usize::from(instruction.depth).saturating_sub(usize::from(stack.pops()));
            let pushes = if threw {
                0
            } else {
                usize::from(stack.pushes())
            };
            self.stack.clear();
            self.stack.resize(left + pushes, Use::NONE);
        }
    }
}

//! Relevant slicing (Wang 2007, chapter 4). A use of a variable is *potentially* dependent on a branch, or on a call of an overridable
//! method, that might have defined the variable had it gone another way.
//!
//! Such a branch is in the slice, with what it used, but not what it is control-dependent on: it is used as a statement
//! (`Use::by_statement`). Of such a call only the receiver is used. Values on the operand stack are no variables.

use jinsi_classfile::effect::Access;

use super::activation::Activation;
pub use super::relevance::Relevance;
use super::slicer::Slicer;
use super::using::Use;
use jinsi_steps::code::{Body, Instruction, MethodNo};
use jinsi_steps::walk::Step;

impl Slicer<'_> {
    /// How is a branch used that went to the instruction `went`, and on which nothing depends otherwise? By a statement, if it might have
    /// gone to where a variable that is sought is defined.
    pub(super) fn branch_otherwise(&self, step: &Step<'_>, went: Option<usize>) -> Use {
        let (Some(relevance), Some(activation)) = (&self.relevance, self.activations.last()) else {
            return Use::NONE;
        };
        let (Access::Branch(_), Some(body)) = (step.instruction.effect.access, &activation.body)
        else {
            return Use::NONE;
        };
        let block = body.cfg.block_of(step.at);
        let went = went.map(|next| body.cfg.block_of(next));
        let otherwise = (relevance.may).otherwise(activation.method, body, block, went);
        let Some(may) = otherwise else {
            return Use::NONE;
        };
        let sought = |slot: &u16| activation.locals.sought(*slot).any();
        match self.memory.may_be(&may) || may.locals.iter().any(sought) {
            true => Use::by_statement(block),
            false => Use::NONE,
        }
    }

    /// Might a branch of the activation have defined what is sought of memory?
    pub(super) fn may_matter(&self, activation: &Activation) -> bool {
        let (Some(relevance), Some(body)) = (&self.relevance, &activation.body) else {
            return false;
        };
        let version = self.memory.version() + 1;
        if activation.sure.get() == version {
            return false;
        }
        let may = relevance.may.of_branches(activation.method, body);
        let matters = self.memory.may_be(&may);
        if !matters {
            activation.sure.set(version);
        }
        matters
    }

    /// What an activation might have done otherwise is not known, for its instructions are not.
    pub(super) fn doubt(&mut self, method: MethodNo) {
        if self.relevance.is_some() {
            let name = self.name(method);
            self.cross(format!(
                "{name}: what it might have done otherwise is not known"
            ));
        }
    }

    /// Might a variable that is sought have been defined, had the call `at` not called `callee`?
    pub(super) fn might_have_called(
        &self,
        method: MethodNo,
        (at, instruction): (usize, &Instruction),
        callee: Option<MethodNo>,
    ) -> bool {
        let Some(relevance) = &self.relevance else {
            return false;
        };
        let others = relevance.may.dispatched(method, at, instruction);
        others.is_some_and(|others| {
            if !self.memory.may_be(&others.any) {
                return false;
            }
            let mut others = others
                .methods
                .iter()
                .filter(|other| Some(**other) != callee);
            others.any(|other| self.memory.may_be(relevance.may.called(*other)))
        })
    }

    /// The call `at` is in the slice because of what it might have called instead: it used its receiver, the lowest of `operands`.
    pub(super) fn include_dispatch(&mut self, method: MethodNo, body: &Body, at: usize) {
        let how = Use::by_statement(body.cfg.block_of(at));
        self.include(method, at, how, None);
        let operands = usize::from(body.instructions[at].effect.stack.pops());
        if let Some(activation) = self.activations.last_mut() {
            activation.stack.push(how);
            let depth = activation.stack.len() + operands.saturating_sub(1);
            activation.stack.resize(depth, Use::NONE);
        }
    }
}

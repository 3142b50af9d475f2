//! What a slicer does about an occurrence of an instruction: what it defines and uses, and whether it is in the slice.

use jinsi_classfile::effect::Access;
use jinsi_classfile::opcode;
use jinsi_steps::code::MethodNo;
use jinsi_steps::walk::{EventOperands, Role, Step};
use jinsi_trace::model::{MemberRef, ObjectId};

use super::slicer::Slicer;
use super::summaries::Summary;
use super::using::Use;

/// Most values that an instruction takes from the stack which only moves them (`dup2_x2`).
const MOST_SHUFFLED: usize = 4;

impl Slicer<'_> {
    /// What a call instruction does whose callee is not recorded.
    fn summary(
        &mut self,
        (method, at): (MethodNo, usize),
        target: &MemberRef,
        dynamic: bool,
    ) -> Summary {
        let known = self.known_summaries.entry((method, at));
        *known.or_insert_with(|| self.summaries.of(target, dynamic))
    }

    /// How is what the instruction defines used? It is not sought any more.
    fn defines(&mut self, step: &Step<'_>) -> Use {
        let Some(activation) = self.activations.last_mut() else {
            return Use::NONE;
        };
        match step.instruction.effect.access {
            Access::Store(slot) | Access::Increment(slot) => activation.locals.found(slot),
            Access::PutField(_) | Access::PutStatic(_) | Access::ArrayStore => {
                match self.memory.seeks_anything() {
                    true => (step.location()).map_or(Use::NONE, |at| self.memory.found(at)),
                    false => Use::NONE,
                }
            }
            Access::Branch(_) => {
                let Some(body) = &activation.body else {
                    return Use::NONE;
                };
                let block = body.cfg.block_of(step.at);
                let dependents = body.control.dependents(block);
                activation.unexplained.explain(dependents)
            }
            Access::Return if step.instruction.effect.stack.pops() > 0 => {
                std::mem::take(&mut activation.returns)
            }
            _ => Use::NONE,
        }
    }

    /// The instruction is in the slice: seeks what it used of variables.
    fn uses(&mut self, step: &Step<'_>, how: Use) {
        let mark = self.mark(how);
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        match step.instruction.effect.access {
            Access::Load(slot) | Access::Increment(slot) | Access::Branch(Some(slot)) => {
                activation.locals.seek(slot, mark);
            }
            Access::GetField(_) | Access::GetStatic(_) | Access::ArrayLoad if !step.threw => {
                if let Some(location) = step.location() {
                    self.memory.seek(location, mark);
                }
            }
            _ if step.threw && activation.thrown != 0 => {
                // What its constructor put into the exception.
                self.memory.seek_all_of(activation.thrown, mark);
            }
            _ => {}
        }
    }

    /// How the occurrence's operands are used, if it is used so.
    fn operands_of(&self, at: usize, how: Use) -> Use {
        let body = self.activations.last().and_then(|open| open.body.as_ref());
        match (how.any(), how.mark(), body) {
            (false, ..) => Use::NONE,
            (true, None, Some(body)) => Use::by_statement(body.cfg.block_of(at)),
            _ => Use::by(self.mark(how)),
        }
    }

    pub(super) fn shuffle(&mut self, step: &Step<'_>, pops: u8, leaves: &[u8]) {
        let seed = self.seed(step);
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let mut how = seed;
        if step.threw {
            how = how.or(std::mem::take(&mut activation.throws));
        }
        let method = activation.method;
        let block = activation.block_of(step.at);
        let mut used = [how; MOST_SHUFFLED];
        let used = &mut used[..usize::from(pops)];
        if !step.threw {
            for &source in leaves.iter().rev() {
                let one = activation.stack.pop().unwrap_or_default();
                let one = one.computed_in(block);
                let source = &mut used[usize::from(source)];
                *source = source.or(one);
                how = how.or(one);
            }
        }
        activation.stack.extend_from_slice(used);
        if how.any() {
            self.include(method, step.at, how, None);
        }
    }

    /// An instruction other than a call or a shuffle.
    pub(super) fn compute(
        &mut self,
        step: &Step<'_>,
        (pops, pushes): (u8, bool),
        went: Option<usize>,
    ) {
        let seed = self.seed(step);
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let mut how = match step.threw {
            true => std::mem::take(&mut activation.throws),
            false if pushes => activation.stack.pop().unwrap_or_default(),
            false => Use::NONE,
        };
        how = how.computed_in(activation.block_of(step.at));
        let method = activation.method;
        if !step.threw {
            how = how.or(self.defines(step));
        }
        how = how.or(seed);
        if !how.any() && self.relevance.is_some() {
            how = self.branch_otherwise(step, went);
        }
        if how.any() {
            self.include(method, step.at, how, Some(step));
            self.note((method, step.at), how, Some(step));
            self.uses(step, how);
        }
        let operands = self.operands_of(step.at, how);
        if let Some(activation) = self.activations.last_mut() {
            let depth = activation.stack.len() + usize::from(pops);
            activation.stack.resize(depth, operands);
        }
    }

    /// Does the slice begin with the occurrence?
    pub(super) fn seed(&mut self, step: &Step<'_>) -> Use {
        let takes = self.seeds.takes(self.activations.len(), step);
        if takes {
            self.begun();
        }
        let calls = matches!(step.instruction.effect.access, Access::Invoke(_));
        match takes || (!calls && self.begins()) {
            true => self.criterion(),
            false if self.is_used_elsewhere(step) => Use::by(self.vague()),
            false => Use::NONE,
        }
    }

    /// Does it write what the slice of another thread uses?
    fn is_used_elsewhere(&self, step: &Step<'_>) -> bool {
        let access = step.instruction.effect.access;
        let writes = matches!(
            access,
            Access::PutField(_) | Access::PutStatic(_) | Access::ArrayStore
        );
        writes
            && !step.threw
            && !self.elsewhere.is_empty()
            && step.location().is_some_and(|at| self.elsewhere.has(at))
    }

    /// Does the slice begin with this exception?
    pub(super) fn failed(&mut self, throwable: ObjectId) -> bool {
        let failed = throwable != 0 && self.seeds.failed(throwable);
        if failed {
            self.begun();
        }
        failed
    }

    /// The beginning of a call.
    pub(super) fn begin_call(&mut self, at: usize, operands: EventOperands<'_>) {
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let call = activation.call.take().unwrap_or_default();
        let (method, thrown) = (activation.method, activation.thrown);
        let Some(body) = activation.body.clone() else {
            return;
        };
        let instruction = &body.instructions[at];
        let mut how = call.wanted;
        if self.begins() {
            how = how.or(self.criterion());
        }
        if let (None, Some(target)) = (call.callee, instruction.target.as_deref()) {
            let dynamic = instruction.opcode == opcode::INVOKEDYNAMIC;
            let receiver = !dynamic && instruction.opcode != opcode::INVOKESTATIC;
            let summary = self.summary((method, at), target, dynamic);
            let since = match summary.holds {
                true => self.hold(&call, operands),
                false => None,
            };
            let changed = self.bridge((target, summary), receiver, &call, operands);
            how = how.or(call.result).or(changed);
            if how.any() {
                let mark = self.mark(how);
                self.use_operands((target, summary), operands, mark, since);
                if call.threw && thrown != 0 {
                    self.memory.seek_all_of(thrown, mark);
                }
            }
        }
        if how.any() {
            if call.missed {
                self.late.insert(call.no);
            }
            self.include(method, at, how, None);
            self.note((method, at), how, None);
        } else if self.might_have_called(method, (at, instruction), call.callee) {
            return self.include_dispatch(method, &body, at);
        }
        let used = self.operands_of(at, how);
        if let Some(activation) = self.activations.last_mut() {
            let depth = activation.stack.len() + usize::from(instruction.effect.stack.pops());
            activation.stack.resize(depth, used);
        }
    }

    /// The activation that began was in the slice, or its arguments are used in it: so is the code that called it.
    pub(super) fn called(&mut self, role: Role, how: Use) {
        let Some(caller) = self.activations.last_mut() else {
            return;
        };
        match (role, &mut caller.call) {
            (Role::Callee | Role::Callback, Some(call)) => call.wanted = call.wanted.or(how),
            (Role::Unknown, _) => self.taint(),
            _ => {}
        }
    }
}

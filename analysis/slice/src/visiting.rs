//! What a slicer does about each thing that a walk tells.

use std::cell::Cell;

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::effect::{Access, StackEffect};
use jinsi_trace::model::ObjectId;

use super::activation::{Activation, Call};
use super::slicer::Slicer;
use super::using::{Locals, Unexplained, Use};
use jinsi_steps::code::Instruction;
use jinsi_steps::walk::{Ended, EventOperands, Location, Met, Opening, Role, Step, Visitor};

impl Slicer<'_> {
    /// An activation is about to be opened. If it is the call that gave it, the slice begins here: how is used how it ended?
    fn begin_part(&mut self) -> Use {
        let around = self.activations.len();
        let mark = self.phase;
        let Some(part) = &mut self.part else {
            return Use::NONE;
        };
        if !part.opens(around) {
            return Use::NONE;
        }
        for location in &part.call_result.variables {
            self.memory.seek(*location, mark);
        }
        for object in &part.call_result.objects {
            self.memory.seek_all_of(*object, mark);
        }
        match part.call_result.outcome {
            true => Use::by(mark),
            false => Use::NONE,
        }
    }

    /// What the caller has use for of how a method ends that is opened now.
    fn used_by_caller(&mut self, opening: &Opening) -> Use {
        let vague = Use::by(self.vague());
        let Some(caller) = self.activations.last_mut() else {
            return Use::NONE;
        };
        match (opening.role, &mut caller.call) {
            (Role::Callee, Some(call)) => {
                call.callee = Some(opening.method);
                call.result
            }
            (Role::Callback, Some(call)) => {
                let mut used = call.result.or(call.wanted);
                if self.foreseen.calls.contains(&call.no) {
                    used = used.or(vague);
                }
                call.missed |= !used.any();
                self.missed |= call.missed;
                used
            }
            (Role::Initializer, _) => caller.throws,
            _ if caller.tainted => vague,
            _ => Use::NONE,
        }
    }
}

impl Visitor for Slicer<'_> {
    fn took(&mut self, event: Met<'_>, index: u64) {
        if let Some(part) = &mut self.part {
            part.took(event.kind, index);
        }
    }

    fn opened(&mut self, opening: &Opening) {
        let thrown = match opening.ended {
            Ended::Threw(id) => id,
            _ => 0,
        };
        let mut used = self.used_by_caller(opening);
        if self.failed(thrown) {
            used = used.or(self.criterion());
        }
        used = used.or(self.begin_part()).elsewhere();
        let body = &self.program.get(opening.method).body;
        let body = body.clone().filter(|_| opening.stepwise);
        let known = body.is_some();
        let threw = thrown != 0;
        self.activations.push(Activation {
            method: opening.method,
            role: opening.role,
            stack: Vec::new(),
            locals: Locals::default(),
            unexplained: Unexplained::default(),
            returns: match opening.ended {
                Ended::Returned => used,
                _ => Use::NONE,
            },
            throws: if threw { used } else { Use::NONE },
            thrown,
            call: None,
            tainted: false,
            has_part: false,
            fresh: true,
            next: None,
            sure: Cell::new(0),
            body,
        });
        self.seeds.opened(self.activations.len(), opening.method);
        if used.any() && !known {
            self.taint();
        }
        if !known {
            self.doubt(opening.method);
        }
    }

    fn stepped(&mut self, step: &Step<'_>) {
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        activation.settle(step.at, step.threw);
        let went = activation.next.replace(step.at);
        self.enter_phase(step.at);
        match step.instruction.effect.stack {
            StackEffect::Shuffle { pops, leaves } => self.shuffle(step, pops, leaves),
            StackEffect::Compute { pops, pushes } => self.compute(step, (pops, pushes), went),
        }
        self.clock += 1;
    }

    fn call_ended(&mut self, step: &Step<'_>) {
        self.enter_phase(step.at);
        let seed = self.seed(step);
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        activation.settle(step.at, step.threw);
        activation.next = Some(step.at);
        let pushes = step.instruction.effect.stack.pushes() > 0;
        let result = match step.threw {
            true => std::mem::take(&mut activation.throws),
            false if pushes => activation.stack.pop().unwrap_or_default(),
            false => Use::NONE,
        };
        let result = result.computed_in(activation.block_of(step.at));
        let method = activation.method;
        self.calls += 1;
        activation.call = Some(Call {
            wanted: seed,
            result,
            threw: step.threw,
            callee: None,
            missed: false,
            made: step.made,
            given: if step.threw {
                0
            } else {
                step.event.object(0).unwrap_or(step.made)
            },
            no: self.calls,
        });
        if result.any() && !step.threw {
            self.keep_value(method, step);
        }
    }

    fn call_began(&mut self, at: usize, operands: EventOperands<'_>) {
        self.enter_phase(at);
        let before = self.found.occurrences;
        self.begin_call(at, operands);
        if self.found.occurrences > before
            && let (Some(activation), Some(first)) = (self.activations.last(), operands.object(0))
        {
            let place = (activation.method, at);
            self.found.called_on.entry(place).or_insert(first);
        }
        self.clock += 1;
    }

    fn caught(&mut self, handler: BlockNo, from: usize, throwable: ObjectId) {
        let failed = self.failed(throwable);
        let criterion = self.criterion();
        let Some(activation) = self.activations.last_mut() else {
            return;
        };
        let Some(body) = activation.body.clone() else {
            return;
        };
        let used = activation.stack.pop().unwrap_or_default().elsewhere();
        let ran = body.on_throw(body.cfg.block_of(from), handler);
        activation.throws = activation.unexplained.explain(&ran).or(used);
        if failed {
            activation.throws = activation.throws.or(criterion);
        }
        activation.thrown = throwable;
        activation.next = None;
    }

    fn began(&mut self) {
        let vague = self.vague();
        let Some(activation) = self.activations.pop() else {
            return;
        };
        if let Some(part) = &mut self.part {
            let had_one = activation.has_part || activation.tainted;
            part.began(had_one, self.activations.len());
        }
        let mut how = activation.unexplained.all();
        let parameters = activation.body.as_ref().map(|body| &body.parameters);
        for slot in parameters.into_iter().flatten() {
            how = how.or(activation.locals.sought(*slot));
        }
        if activation.tainted {
            how = how.or(Use::by(vague));
        }
        if how.any() {
            self.called(activation.role, how);
        }
    }

    fn lost(&mut self, why: &'static str) {
        self.lose(why);
    }

    fn unexplained(&mut self, event: Met<'_>, location: Option<Location>) {
        self.take_event(event, location);
    }

    fn resumed(&mut self, at: usize) {
        self.resume(at);
    }

    fn outside(&mut self, event: Met<'_>, location: Location) {
        self.take_outside(event, location);
    }

    fn is_indifferent(&self, instruction: &Instruction) -> bool {
        // It might have gone another way, in a relevant slice.
        let decides = matches!(instruction.effect.access, Access::Branch(_));
        self.division.is_none()
            && (self.activations.last()).is_some_and(|activation| {
                !(activation.may_be_used() || decides && self.may_matter(activation))
            })
            && !self.seeds.is_watching(self.activations.len())
    }

    fn passed(&mut self, at: usize, count: u64) {
        self.clock += count;
        if let Some(activation) = self.activations.last_mut() {
            activation.next = Some(at);
            // None of the values on the stack is used.
            activation.fresh = true;
        }
    }

    fn done(&self) -> bool {
        self.is_behind() || self.part.as_ref().is_some_and(|part| part.is_done())
    }
}

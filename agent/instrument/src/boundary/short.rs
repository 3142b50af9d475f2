//! Calls of which all that is recorded can be taken from the top of the stack: most calls have no argument, or one.
//!
//! One probe finds out the gate and writes the event if it is open. Nothing is moved to locals for it. So the code with probes stays small,
//! and what compilers have to do with it.

use jinsi_classfile::Asm;
use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode as op;
use jinsi_trace::model::{CallOp, EventKind};

use super::sites::owner_number;
use crate::calls::Crossing;
use crate::context::When;
use crate::emitter::Probes;
use crate::order::Handover;
use crate::outcome::InstrumentError;
use crate::sites::{CallSite, may_hold_content};

/// Descriptors of the probes, which give the gate: of calls without argument, with a reference, and with a word. What event it is comes last.
const PLAIN: [&str; 3] = [
    "(Ljava/lang/Object;I)I",
    "(Ljava/lang/Object;Ljava/lang/Object;I)I",
    "(Ljava/lang/Object;JI)I",
];
/// The same with the number of the class that the call names behind it.
const NUMBERED: [&str; 3] = [
    "(Ljava/lang/Object;II)I",
    "(Ljava/lang/Object;Ljava/lang/Object;II)I",
    "(Ljava/lang/Object;JII)I",
];

impl Probes<'_, '_> {
    /// May [`Self::short_call`] do for a call whose gate its receiver tells? Nothing but the gate may be needed behind it.
    pub(super) fn is_short(&self, call: &CallSite, method: &MethodType<'_>) -> bool {
        let changes_hands = |param: Type<'_>| call.exchanges(param, true);
        let is_plain = match method.params[..] {
            [] => true,
            [param] => param.slots() == 1 && !changes_hands(param),
            _ => false,
        };
        is_plain
            && self.gates().mine.is_none()
            && matches!(call.op, CallOp::Virtual | CallOp::Interface)
            && !call.fills_receiver()
            && !self.meets_at(call)
    }

    /// A call for which [`Self::is_short`].
    pub(super) fn short_call(
        &mut self,
        at: &Insn<'_>,
        call: &CallSite,
        method: &MethodType<'_>,
    ) -> Result<(), InstrumentError> {
        let sites = self.sites_of_call(at, call, method);
        let [before, after] = sites;
        if !self.has_event_of(1 + method.params.len(), before) {
            return self.call_with_operands_of(at, call, method, Some(When::ByReceiver), sites);
        }
        let mut asm = Asm::new();
        let form = match method.params.first().map(|param| param.letter()) {
            None => {
                asm.op(op::DUP);
                0
            }
            Some(letter) => {
                asm.op(op::DUP2);
                self.as_value(&mut asm, letter);
                if letter == 'L' { 1 } else { 2 }
            }
        };
        let then = Handover::of(call).then();
        self.what(&mut asm, None, then, before, EventKind::Call);
        let owner = &call.target.owner;
        if self.context.selection.observes(owner, false) {
            asm.int(self.pool, owner_number(owner));
            let probe = match call.op {
                CallOp::Interface => "callOnInterface",
                _ => "callOnClass",
            };
            self.probe(&mut asm, probe, NUMBERED[form]);
        } else {
            self.probe(&mut asm, "callAway", PLAIN[form]);
        }
        let gate = self.call_gate;
        asm.store('I', gate);
        let returns_content = method.result.is_some_and(may_hold_content);
        if !call.outside && returns_content {
            asm.load('I', gate);
            self.probe(&mut asm, "away", "(I)V");
        }
        self.editor.before(at.offset, &asm)?;
        let mut asm = Asm::new();
        let crossing = Crossing::short(gate, self.spill, returns_content);
        let result = method.result_letter();
        self.after_call(&mut asm, at, call, &crossing, (result, after));
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }
}

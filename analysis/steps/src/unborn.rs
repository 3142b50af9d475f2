//! Constructors that an exception left before their object was initialized.

use std::rc::Rc;

use jinsi_classfile::cfg::paths::Start;
use jinsi_trace::model::EventKind;

use super::code::{Instruction, Method, Place};
use super::frame::{Frame, Phase};
use super::walk::{Ended, Opening, Role, Visitor, Walker};

impl Walker<'_> {
    /// An exception leaves a constructor without an event before `super(…)` or `this(…)` has returned. If the next event ends, by an
    /// exception, a constructor that the called one calls so, directly or through others, or a method that it calls for an argument, the
    /// called one is opened. Was that so? Only if it comes to that call by one way.
    pub(super) fn open_unborn(
        &mut self,
        nested: &Method,
        place: Place,
        visitor: &mut impl Visitor,
    ) -> bool {
        let Some(frame) = self.frames.last() else {
            return false;
        };
        let called = match (&frame.code.body, frame.phase, frame.entered) {
            (Some(body), Phase::Call, false) if place.kind == EventKind::ExitThrow => {
                body.instructions[frame.next].target.clone()
            }
            _ => None,
        };
        let Some(called) = called.filter(|called| called.name == "<init>") else {
            return false;
        };
        let Some((method, body, own)) = self.program.own_constructor_call(&called) else {
            return false;
        };
        let constructs = nested.name == "<init>" && self.program.constructs_by(&called, nested);
        let at = match constructs {
            true => Some(own),
            false => only_call(&body.instructions[..own], nested),
        };
        let Some(at) = at else { return false };
        let code = Rc::clone(self.program.get(method));
        let mut unborn = Frame::new(method, Rc::clone(&code), Role::Unknown);
        let entry = body.paths.base(Start::Entry).unwrap_or(0);
        if body.cfg.block_of(at) != 0 || !unborn.go(&body, entry, Some(body.instructions[at].bci)) {
            return false;
        }
        let id = self.events.object(0).unwrap_or(0);
        let role = self.role(&code);
        unborn.role = role;
        visitor.opened(&Opening {
            method,
            ended: Ended::Threw(id),
            role,
            stepwise: true,
        });
        self.frames.push(unborn);
        true
    }
}

/// The one instruction that calls this method.
fn only_call(instructions: &[Instruction], method: &Method) -> Option<usize> {
    let names = |instruction: &Instruction| {
        let target = instruction.target.as_ref();
        target.is_some_and(|target| {
            target.owner == method.owner && target.name == method.name && target.desc == method.desc
        })
    };
    let mut calls = (0..instructions.len()).filter(|&at| names(&instructions[at]));
    calls.next().filter(|_| calls.next().is_none())
}

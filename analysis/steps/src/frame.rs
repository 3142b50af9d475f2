//! An open activation of a walk, and what its events say.

use std::rc::Rc;

use jinsi_classfile::cfg::paths::Segment;
use jinsi_classfile::cfg::{BlockNo, Cfg};
use jinsi_trace::model::{EventKind, ObjectId};

use super::code::{Body, Method, MethodNo};
use super::visitor::Role;

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Next comes the instruction `next`.
    Walk,
    /// Within the call instruction `next`; its Call event is to come.
    Call,
    /// Within `super(…)` or `this(…)`, which made no Call event.
    OwnConstructor,
    /// The instruction `next` is done, but it may have initialized classes.
    Initializing,
    /// All instructions of the segment are done.
    Start,
    /// By events alone.
    Unexplained,
}

/// An open activation.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) method: MethodNo,
    pub(super) code: Rc<Method>,
    /// The object whose method it is, 0 if not known.
    pub(super) this: ObjectId,
    pub(super) phase: Phase,
    pub(super) segment: Option<Rc<Segment>>,
    /// Place in the segment's blocks.
    pub(super) place: usize,
    /// First instruction of that block.
    pub(super) first: usize,
    pub(super) next: usize,
    pub(super) threw: bool,
    /// Has the call's callee been met?
    pub(super) entered: bool,
    /// What it is to the activation in which it is nested.
    pub(super) role: Role,
    /// Number of the segment.
    pub(super) number: u32,
}

impl Frame {
    /// Goes to the end of the segment with this number, or to the instruction in it that threw. Is there one?
    pub(super) fn go(&mut self, body: &Body, number: u32, thrown_at: Option<u32>) -> bool {
        let Some(segment) = body.segment(number) else {
            return false;
        };
        self.phase = Phase::Walk;
        self.number = number;
        self.threw = thrown_at.is_some();
        match (segment.blocks.last(), thrown_at) {
            (None, None) => self.phase = Phase::Start,
            (None, Some(_)) => return false,
            (Some(&last), None) => {
                self.place = segment.blocks.len() - 1;
                let block = body.cfg.block(last);
                (self.first, self.next) = (block.first, block.last);
            }
            (Some(_), Some(bci)) => {
                let Some(at) = body.at(bci) else {
                    return false;
                };
                let block = body.cfg.block_of(at);
                let Some(place) = segment.blocks.iter().position(|no| *no == block) else {
                    return false;
                };
                self.place = place;
                (self.first, self.next) = (body.cfg.block(block).first, at);
            }
        }
        self.segment = Some(segment);
        true
    }

    /// An activation of which nothing is known but its events.
    pub(super) fn new(method: MethodNo, code: Rc<Method>, role: Role) -> Self {
        Self {
            method,
            code,
            this: 0,
            phase: Phase::Unexplained,
            segment: None,
            place: 0,
            first: 0,
            next: 0,
            threw: false,
            entered: false,
            role,
            number: 0,
        }
    }

    /// To the first of the plain instructions that end with `next`, in one block; how many they are.
    pub(super) fn leap_back(&mut self, body: &Body) -> u64 {
        let from = self.next;
        self.next = body.plain_from[from] as usize;
        (from - self.next) as u64 + 1
    }

    /// To the instruction before.
    #[inline]
    pub(super) fn step_back(&mut self, body: &Body) {
        self.threw = false;
        self.phase = Phase::Walk;
        if self.next > self.first {
            self.next -= 1;
        } else {
            self.leave_block(body);
        }
    }

    /// From the first instruction of a block to the block before.
    fn leave_block(&mut self, body: &Body) {
        let Some(segment) = self.segment.as_ref().filter(|_| self.place > 0) else {
            self.phase = Phase::Start;
            return;
        };
        self.place -= 1;
        let block = body.cfg.block(segment.blocks[self.place]);
        (self.first, self.next) = (block.first, block.last);
    }
}

/// Bytecode index of a block's first instruction.
pub(super) fn first_bci(body: &Body, no: BlockNo) -> u32 {
    let cfg: &Cfg = &body.cfg;
    body.instructions[cfg.block(no).first].bci
}

/// Does the event end an activation?
pub(super) fn is_end(kind: EventKind) -> bool {
    matches!(kind, EventKind::Exit | EventKind::ExitThrow)
}

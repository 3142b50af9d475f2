//! A walk that was stopped, and can go on from there at any time, in another process too.

use std::rc::Rc;

use jinsi_trace::model::{ObjectId, ThreadNo};
use jinsi_trace::reader::{ReadError, Trace};

use super::code::{MethodNo, Program};
use super::frame::{Frame, Phase};
use super::visitor::{Role, Walked};
use super::walk::Walker;

/// Where a walk was stopped: the activations that were open there, and how far each had got.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parked {
    /// So many events of the thread lie before.
    pub events: u64,
    /// Outermost first.
    pub frames: Vec<ParkedFrame>,
}

/// An activation that was open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParkedFrame {
    /// Its method.
    pub method: MethodNo,
    /// The object whose method it is, 0 if not known.
    pub this: ObjectId,
    /// What it is to the one before.
    pub role: Role,
    /// What the walk does next in it, and where.
    pub(super) phase: Phase,
    pub(super) number: Option<u32>,
    pub(super) place: usize,
    pub(super) first: usize,
    pub(super) next: usize,
    pub(super) threw: bool,
    pub(super) entered: bool,
}

impl ParkedFrame {
    fn of(frame: &Frame) -> Self {
        Self {
            method: frame.method,
            this: frame.this,
            role: frame.role,
            phase: frame.phase,
            number: frame.segment.is_some().then_some(frame.number),
            place: frame.place,
            first: frame.first,
            next: frame.next,
            threw: frame.threw,
            entered: frame.entered,
        }
    }

    fn frame(&self, program: &Program) -> Frame {
        let code = Rc::clone(program.get(self.method));
        let segment = code.body.as_ref().and_then(|b| b.segment(self.number?));
        let mut frame = Frame::new(self.method, code, self.role);
        frame.this = self.this;
        frame.phase = self.phase;
        frame.segment = segment;
        frame.number = self.number.unwrap_or(0);
        frame.place = self.place;
        frame.first = self.first;
        frame.next = self.next;
        frame.threw = self.threw;
        frame.entered = self.entered;
        frame
    }

    /// Are its instructions known there?
    pub fn stepwise(&self) -> bool {
        self.phase != Phase::Unexplained
    }

    /// Is a call instruction running there, and which?
    pub fn call(&self) -> Option<usize> {
        matches!(self.phase, Phase::Call | Phase::OwnConstructor).then_some(self.next)
    }
}

impl<'t> Walker<'t> {
    /// Where the walk is.
    pub fn park(&self) -> Parked {
        Parked {
            events: self.before(),
            frames: self.frames.iter().map(ParkedFrame::of).collect(),
        }
    }

    /// Goes on with the walk over `thread` that was stopped there.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn resume(
        trace: &'t Trace,
        program: &'t Program,
        thread: ThreadNo,
        parked: &Parked,
    ) -> Result<Self, ReadError> {
        let events = trace.skim_before(thread, parked.events)?;
        let frames = parked.frames.iter().map(|f| f.frame(program)).collect();
        Ok(Self::over(trace, program, events, parked.events).with(frames))
    }

    /// Numbers of what was walked over so far.
    pub fn walked(&self) -> Walked {
        self.walked
    }
}

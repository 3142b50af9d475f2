//! A walk that was stopped, and can go on from there at any time, in another process too.

use std::rc::Rc;

use jinsi_trace::model::{ObjectId, ThreadNo};
use jinsi_trace::reader::{ReadError, Trace};
use jinsi_trace::varint::{self, Reader};

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

/// What can come next, by the number that stands for it in bytes.
const PHASES: [Phase; 6] = [
    Phase::Walk,
    Phase::Call,
    Phase::OwnConstructor,
    Phase::Initializing,
    Phase::Start,
    Phase::Unexplained,
];

impl Parked {
    /// Appends it to some bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        varint::write(out, self.events);
        varint::write(out, self.frames.len() as u64);
        let mut last = 0;
        for frame in &self.frames {
            frame.write(last, out);
            last = frame.this;
        }
    }

    /// Takes it off the front of some bytes; `None` if there is none that can be of this program.
    pub fn read(reader: &mut Reader<'_>, program: &Program) -> Option<Self> {
        let events = reader.number()?;
        let mut last = 0;
        let frames = (0..reader.count()?).map(|_| {
            let frame = ParkedFrame::read(last, reader, program)?;
            last = frame.this;
            Some(frame)
        });
        let frames = frames.collect::<Option<Vec<_>>>()?;
        Some(Self { events, frames })
    }
}

impl ParkedFrame {
    /// Appends it, behind a frame of this object: they are often near each other.
    fn write(&self, last: ObjectId, out: &mut Vec<u8>) {
        let phase = PHASES.iter().position(|phase| *phase == self.phase);
        let flags = [self.threw, self.entered, self.number.is_some()];
        let flags = (0..).zip(flags).map(|(at, flag)| u64::from(flag) << at);
        varint::write(out, self.method.index() as u64);
        let far = self.this.wrapping_sub(last).cast_signed();
        varint::write(out, varint::zigzag(far));
        varint::write(out, self.role.number());
        varint::write(out, (phase.unwrap_or(0) as u64) << 3 | flags.sum::<u64>());
        for number in [self.place, self.first, self.next] {
            varint::write(out, number as u64);
        }
        if let Some(number) = self.number {
            varint::write(out, u64::from(number));
        }
    }

    fn read(last: ObjectId, reader: &mut Reader<'_>, program: &Program) -> Option<Self> {
        let method = program.method_at(reader.number()?)?;
        let far = varint::unzigzag(reader.number()?);
        let this = last.wrapping_add(far.cast_unsigned());
        let role = Role::of_number(reader.number()?)?;
        let flags = reader.number()?;
        let mut number = || usize::try_from(reader.number()?).ok();
        let mut frame = Self {
            method,
            this,
            role,
            phase: *PHASES.get(usize::try_from(flags >> 3).ok()?)?,
            number: None,
            place: number()?,
            first: number()?,
            next: number()?,
            threw: flags & 1 != 0,
            entered: flags & 2 != 0,
        };
        if flags & 4 != 0 {
            frame.number = Some(u32::try_from(reader.number()?).ok()?);
        }
        frame.fits(program).then_some(frame)
    }

    /// Can a walk over this program be there?
    fn fits(&self, program: &Program) -> bool {
        let Some(body) = &program.get(self.method).body else {
            return self.phase == Phase::Unexplained;
        };
        let in_segment = match self.number.map(|number| body.segment(number)) {
            None => true,
            Some(segment) => segment.is_some_and(|segment| self.place <= segment.blocks.len()),
        };
        let count = body.instructions.len().max(1);
        in_segment && self.next < count && self.first < count
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

//! The executed instructions of a thread, newest first, reconstructed from its events (Wang 2007, Section 3.2.2).
//!
//! The events are read backward. A Path event gives a stretch of a method's instructions, and these are walked backward, too. Each
//! instruction that makes events is matched with its own: accesses learn from them which object was accessed, and a call meets its end,
//! the activations that ran within it, and its beginning. Only open activations are kept.
//!
//! Some activations are walked by their events alone: those of methods whose way was not recorded, those whose end is missing (the
//! program was killed in them, or an exception left a constructor before its object was initialized), and those whose events do not fit
//! their code.

use std::rc::Rc;

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::cfg::paths::Start;
use jinsi_classfile::effect::Access;
use jinsi_trace::model::{EventKind, SiteNo, ThreadNo};
use jinsi_trace::reader::{ReadError, Skim, Trace};

use super::access::{event_kind, is_access};
use super::code::{Body, Instruction, Method, Place, Program};
use super::frame::{Frame, Phase, first_bci, is_end};
pub use super::visitor::{
    Accessed, Ended, EventOperands, Location, Met, Opening, Role, Step, Visitor, Walked,
};

/// Walks over one thread's stream.
#[derive(Clone)]
pub struct Walker<'t> {
    trace: &'t Trace,
    pub(super) program: &'t Program,
    /// What it met last is the event that is peeked at, or was taken last.
    pub(super) events: Skim<'t>,
    peeked: Option<Place>,
    /// Index of the event met last in the thread's stream.
    index: u64,
    /// Site of the event met last, once there was one that has a site.
    site: Option<SiteNo>,
    pub(super) frames: Vec<Frame>,
    pub(super) walked: Walked,
}

impl<'t> Walker<'t> {
    /// Over `thread`.
    pub fn new(trace: &'t Trace, program: &'t Program, thread: ThreadNo) -> Self {
        let events = trace.skim_backward(thread);
        Self::over(trace, program, events, trace.event_count(thread))
    }

    /// Over these events, before which there are none, and which are so many.
    pub(super) fn over(
        trace: &'t Trace,
        program: &'t Program,
        events: Skim<'t>,
        count: u64,
    ) -> Self {
        Self {
            trace,
            program,
            events,
            peeked: None,
            index: count,
            site: None,
            frames: Vec::new(),
            walked: Walked::default(),
        }
    }

    /// With these activations open.
    pub(super) fn with(self, frames: Vec<Frame>) -> Self {
        Self { frames, ..self }
    }

    /// So many events lie before what was walked over.
    pub(super) fn before(&self) -> u64 {
        self.index + u64::from(self.peeked.is_some())
    }

    /// Tells `visitor` all.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn run(mut self, visitor: &mut impl Visitor) -> Result<Walked, ReadError> {
        loop {
            if let Some(walked) = self.run_for(u64::MAX, visitor)? {
                return Ok(walked);
            }
        }
    }

    /// Tells `visitor` of so many events, or a few more; what was walked over in all, if that is the end of it.
    pub fn run_for(
        &mut self,
        events: u64,
        visitor: &mut impl Visitor,
    ) -> Result<Option<Walked>, ReadError> {
        let end = self.walked.events.saturating_add(events);
        while !visitor.done() {
            if self.walked.events >= end {
                return Ok(None);
            }
            if !self.go_on(visitor)? {
                break;
            }
        }
        Ok(Some(self.walked))
    }

    /// Tells `visitor` of what happened behind the first `events` events of the thread, or of a little more: where it stops is always the
    /// same, whether the walk was stopped before or not. Is there more?
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn run_back_to(
        &mut self,
        events: u64,
        visitor: &mut impl Visitor,
    ) -> Result<bool, ReadError> {
        while self.before() > events {
            if !self.go_on(visitor)? {
                return Ok(false);
            }
        }
        Ok(self.before() > 0)
    }

    /// Was there anything to go on with?
    fn go_on(&mut self, visitor: &mut impl Visitor) -> Result<bool, ReadError> {
        match self.frames.last() {
            None => {
                let Some(place) = self.peek(visitor)? else {
                    return Ok(false);
                };
                self.descend(place, visitor)?;
            }
            Some(frame) => match frame.phase {
                Phase::Walk => self.walk(visitor)?,
                Phase::Call => self.in_call(visitor)?,
                Phase::OwnConstructor => self.in_own_constructor(visitor)?,
                Phase::Initializing => self.initializing(visitor)?,
                Phase::Start => self.at_start(visitor)?,
                Phase::Unexplained => self.unexplained(visitor)?,
            },
        }
        Ok(true)
    }

    /// The next event that is some activation's.
    pub(super) fn peek(&mut self, visitor: &mut impl Visitor) -> Result<Option<Place>, ReadError> {
        while self.peeked.is_none() {
            let Some(met) = self.events.advance() else {
                return Ok(None);
            };
            let (kind, site) = met?;
            self.walked.events += 1;
            self.index = self.index.saturating_sub(1);
            let place = site.and_then(|site| self.program.place(site));
            let Some(place) = place.filter(|_| kind.has_site()) else {
                continue;
            };
            self.site = site;
            if place.method.is_some() {
                self.peeked = Some(place);
            } else if let Some(location) = self.accessed(kind).location(self.recorded()) {
                visitor.took(self.met(kind), self.index);
                visitor.outside(self.met(kind), location);
            }
        }
        Ok(self.peeked)
    }

    /// Takes the event that is peeked at, and tells `visitor`. Was there one?
    pub(super) fn take(&mut self, visitor: &mut impl Visitor) -> bool {
        let Some(place) = self.peeked.take() else {
            return false;
        };
        visitor.took(self.met(place.kind), self.index);
        true
    }

    /// The operands of the event met last.
    pub(super) fn recorded(&self) -> EventOperands<'_> {
        EventOperands::of(&self.events)
    }

    /// The event met last, which is of this kind.
    pub(super) fn met(&self, kind: EventKind) -> Met<'_> {
        Met {
            kind,
            site: self.site,
            operands: self.recorded(),
        }
    }

    pub(super) fn top(&mut self) -> &mut Frame {
        // Only called while an activation is open.
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The variable that the event met last, which is of this kind, is about.
    pub(super) fn accessed(&self, kind: EventKind) -> Accessed {
        let field = || self.program.field_at(self.trace, self.site?);
        let accessed = match kind {
            EventKind::GetField | EventKind::PutField => field().map(Accessed::Field),
            EventKind::GetStatic | EventKind::PutStatic => {
                field().map(|field| Accessed::Known(Location::Static(field)))
            }
            EventKind::ArrayLoad | EventKind::ArrayStore => Some(Accessed::Element),
            _ => None,
        };
        accessed.unwrap_or(Accessed::Nothing)
    }

    /// The next event belongs to another activation than the one that is open: that one is opened.
    pub(super) fn descend(
        &mut self,
        place: Place,
        visitor: &mut impl Visitor,
    ) -> Result<(), ReadError> {
        let Some(method) = place.method else {
            return Ok(());
        };
        let code = Rc::clone(self.program.get(method));
        if self.open_unborn(&code, place, visitor) {
            return Ok(());
        }
        let role = self.role(&code);
        let mut opening = Opening {
            method,
            ended: Ended::Unknown,
            role,
            stepwise: false,
        };
        let mut frame = Frame::new(method, code, role);
        if matches!(place.kind, EventKind::Exit | EventKind::ExitThrow) {
            self.take(visitor);
            opening.ended = match place.kind {
                EventKind::ExitThrow => Ended::Threw(self.events.object(0).unwrap_or(0)),
                _ => Ended::Returned,
            };
            let mut lost = false;
            if let Some(body) = frame.code.body.clone() {
                opening.stepwise = self.at_end(&body, &mut frame, place.kind, visitor)?;
                lost = !opening.stepwise;
                if lost {
                    frame.phase = Phase::Unexplained;
                }
            }
            self.walked.lost += u64::from(lost);
        }
        opening.stepwise &= frame.phase != Phase::Unexplained;
        visitor.opened(&opening);
        self.frames.push(frame);
        Ok(())
    }

    /// What the activation that the next event ends is to the one that is open.
    pub(super) fn role(&mut self, nested: &Method) -> Role {
        let Some(frame) = self.frames.last_mut() else {
            return Role::Outermost;
        };
        if nested.initializes {
            return Role::Initializer;
        }
        let in_call = matches!(frame.phase, Phase::Call | Phase::OwnConstructor);
        let code = Rc::clone(&frame.code);
        let body = code.body.as_ref().filter(|_| in_call);
        let called = body.map(|body| body.instructions[frame.next].signature);
        match called.filter(|called| *called != 0) {
            None => Role::Unknown,
            Some(called) => {
                let named = called == nested.signature;
                match named && !std::mem::replace(&mut frame.entered, named) {
                    true => Role::Callee,
                    false => Role::Callback,
                }
            }
        }
    }

    /// Puts a new frame at the end of its activation, whose Exit or ExitThrow event has been taken. Is that possible?
    fn at_end(
        &mut self,
        body: &Body,
        frame: &mut Frame,
        kind: EventKind,
        visitor: &mut impl Visitor,
    ) -> Result<bool, ReadError> {
        let throws = kind == EventKind::ExitThrow;
        if !throws && body.paths.total() == 1 && !body.names_this {
            return Ok(frame.go(body, 0, None));
        }
        let place = self.peek(visitor)?;
        let is_path =
            place.is_some_and(|p| p.kind == EventKind::Path && p.method == Some(frame.method));
        let Some(place) = place.filter(|p| is_path && throws == (p.bci == body.end)) else {
            return Ok(false);
        };
        self.take(visitor);
        let last = self.events.count().checked_sub(1);
        if let Some(id) = last.and_then(|last| self.events.object(last)) {
            frame.this = id;
        }
        let thrown_at = if throws {
            match self.thrown_at() {
                None => return Ok(false),
                at => at,
            }
        } else {
            None
        };
        Ok(self.path_number().is_some_and(|number| {
            frame.go(body, number, thrown_at)
                && (throws || body.instructions[frame.next].bci == place.bci)
        }))
    }

    /// The number of the Path event met last.
    pub(super) fn path_number(&self) -> Option<u32> {
        u32::try_from(self.events.int(0)?).ok()
    }

    /// The bytecode index of what threw and so ended the path of the event met last.
    pub(super) fn thrown_at(&self) -> Option<u32> {
        u32::try_from(self.events.int(1)?).ok()
    }

    /// The instructions of the top frame from `next` on, up to one that has something to do with events.
    fn walk(&mut self, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        let Some(body) = self.top().code.body.clone() else {
            self.lose("its code is not known", visitor);
            return Ok(());
        };
        loop {
            let frame = self.top();
            let instruction = &body.instructions[frame.next];
            if !instruction.plain {
                return match instruction.effect.access {
                    Access::Invoke(_) => self.call(&body, visitor),
                    _ => self.access(&body, visitor),
                };
            }
            let (at, threw) = (frame.next, frame.threw);
            if !threw && visitor.is_indifferent(instruction) {
                let ran = frame.leap_back(&body);
                let last = frame.next;
                self.walked.instructions += ran;
                visitor.passed(last, ran);
                self.top().step_back(&body);
            } else {
                visitor.stepped(&Step {
                    at,
                    instruction,
                    accessed: Accessed::Nothing,
                    event: EventOperands::NONE,
                    made: 0,
                    threw,
                });
                self.walked.instructions += 1;
                self.top().step_back(&body);
            }
            if self.top().phase != Phase::Walk || visitor.done() {
                return Ok(());
            }
        }
    }

    /// The instruction `next` of the top frame, which accesses memory or may initialize a class.
    fn access(&mut self, body: &Body, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        let frame = self.top();
        let (at, threw, this) = (frame.next, frame.threw, frame.this);
        let instruction = &body.instructions[at];
        let mut accessed = Accessed::Nothing;
        let mut is_recorded = false;
        if instruction.given {
            match self.own_event(EventKind::Given, instruction, threw, visitor)? {
                EventSearch::Event(_) => is_recorded = true,
                EventSearch::Nothing => {}
                EventSearch::Later => return Ok(()),
            }
        }
        if instruction.has_events && is_access(instruction.effect.access) {
            match self.own_access(instruction, threw, visitor)? {
                EventSearch::Event(kind) => {
                    accessed = self.accessed(kind);
                    is_recorded = true;
                }
                EventSearch::Nothing => {}
                EventSearch::Later => return Ok(()),
            }
        } else if let Some(field) = instruction.field.filter(|_| !instruction.has_events) {
            accessed = match instruction.effect.access {
                Access::GetStatic(_) | Access::PutStatic(_) => {
                    Accessed::Known(Location::Static(field))
                }
                _ if this != 0 => Accessed::Known(Location::Field(this, field)),
                _ => Accessed::Nothing,
            };
        }
        let event = match is_recorded {
            true => self.recorded(),
            false => EventOperands::NONE,
        };
        visitor.stepped(&Step {
            at,
            instruction,
            accessed,
            event,
            made: 0,
            threw,
        });
        self.walked.instructions += 1;
        let initializes = matches!(
            instruction.effect.access,
            Access::Allocate | Access::GetStatic(_) | Access::PutStatic(_)
        );
        match initializes {
            true => self.top().phase = Phase::Initializing,
            false => self.top().step_back(body),
        }
        Ok(())
    }

    /// The event of an instruction that accesses memory.
    fn own_access(
        &mut self,
        instruction: &Instruction,
        threw: bool,
        visitor: &mut impl Visitor,
    ) -> Result<EventSearch, ReadError> {
        match event_kind(instruction.effect.access) {
            Some(kind) => self.own_event(kind, instruction, threw, visitor),
            None => Ok(EventSearch::Nothing),
        }
    }

    /// The event of this kind that an instruction has made.
    pub(super) fn own_event(
        &mut self,
        kind: EventKind,
        instruction: &Instruction,
        threw: bool,
        visitor: &mut impl Visitor,
    ) -> Result<EventSearch, ReadError> {
        match self.peek(visitor)? {
            Some(place) if self.is_own(place, instruction.bci) && place.kind == kind => {
                self.take(visitor);
                Ok(EventSearch::Event(place.kind))
            }
            Some(place) if !self.is_mine(place) || is_end(place.kind) => {
                self.descend(place, visitor)?;
                Ok(EventSearch::Later)
            }
            _ if threw => Ok(EventSearch::Nothing),
            _ => {
                self.lose("an instruction has no event", visitor);
                Ok(EventSearch::Later)
            }
        }
    }

    /// Is the event one of the open activation's method? Of another activation of the same method it may be, too.
    pub(super) fn is_mine(&self, place: Place) -> bool {
        self.frames.last().map(|f| f.method) == place.method
    }

    pub(super) fn is_own(&self, place: Place, bci: u32) -> bool {
        self.is_mine(place) && place.bci == bci && !is_end(place.kind)
    }

    fn initializing(&mut self, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        if let Some(place) = self.peek(visitor)?
            && is_end(place.kind)
            && let Some(method) = place.method
            && self.program.get(method).initializes
        {
            return self.descend(place, visitor);
        }
        let frame = self.top();
        if let Some(body) = frame.code.body.clone() {
            frame.step_back(&body);
        }
        Ok(())
    }

    /// Where a segment began.
    fn at_start(&mut self, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        let frame = self.top();
        let start = frame.segment.as_ref().map(|segment| segment.start);
        let Some(body) = frame.code.body.clone() else {
            return Ok(());
        };
        let place = self.peek(visitor)?;
        if let Some(place) = place
            && (!self.is_mine(place) || is_end(place.kind))
        {
            return self.descend(place, visitor);
        }
        let fits = match (start, place) {
            (Some(Start::Entry), Some(place)) if place.kind == EventKind::Enter => {
                self.take(visitor);
                visitor.began();
                self.frames.pop();
                true
            }
            (Some(Start::Cut(no)), Some(place)) => self.at_cut(&body, no, place, visitor)?,
            _ => false,
        };
        if !fits {
            self.lose("its path does not begin where it should", visitor);
        }
        Ok(())
    }

    /// Where a segment began behind another: goes on with that. Are the events there?
    fn at_cut(
        &mut self,
        body: &Body,
        no: BlockNo,
        mut place: Place,
        visitor: &mut impl Visitor,
    ) -> Result<bool, ReadError> {
        let bci = first_bci(body, no);
        let mut throwable = 0;
        if body.cfg.is_handler(no) {
            if place.kind != EventKind::Catch || place.bci != bci {
                return Ok(false);
            }
            self.take(visitor);
            throwable = self.events.object(0).unwrap_or(0);
            match self.peek(visitor)? {
                Some(next) if self.is_mine(next) => place = next,
                _ => return Ok(false),
            }
        }
        if place.kind != EventKind::Path || place.bci != bci {
            return Ok(false);
        }
        self.take(visitor);
        let Some(number) = self.path_number() else {
            return Ok(false);
        };
        let thrown_at = self.thrown_at();
        if !self.top().go(body, number, thrown_at) {
            return Ok(false);
        }
        if thrown_at.is_some() {
            let from = self.top().next;
            visitor.caught(no, from, throwable);
        }
        Ok(true)
    }
}

/// What became of looking for an instruction's event.
pub(super) enum EventSearch {
    /// It was taken, and is of this kind.
    Event(EventKind),
    Nothing,
    /// Something else has to be walked first.
    Later,
}

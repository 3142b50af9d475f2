//! The executed instructions of a thread, newest first, reconstructed from its events (digest `jslice-thesis.md` §2.6).
//!
//! The events come backward out of the trace. A Path event gives a stretch of a method's instructions; walking these backward, each
//! that makes events meets its own: field and array accesses say which object, a call meets its end, the activations that ran within
//! it, and its beginning. Nothing is held but the activations that are open.
//!
//! What cannot be walked so is walked by its events alone: methods whose way was not recorded, activations whose end is missing (the
//! program was killed in them, or an exception left a constructor before its object was initialized), and those whose events do not
//! fit their code.

use std::rc::Rc;

use jinsi_classfile::cfg::BlockNo;
use jinsi_classfile::cfg::paths::Start;
use jinsi_classfile::effect::Access;
use jinsi_trace::model::{Event, EventKind, ThreadNo, Value};
use jinsi_trace::reader::{Events, ReadError, Trace};

use super::code::{Body, Instruction, Method, Place, Program};
use super::frame::{
    Frame, Phase, event_kind, first_bci, is_access, is_end, number, operands, path_number,
    thrown_at,
};
pub use super::visitor::{Ended, Location, Opening, Role, Step, Visitor, Walked};

/// Walks over one thread's stream.
pub struct Walker<'t> {
    trace: &'t Trace,
    pub(super) program: &'t Program,
    events: Events<'t>,
    pub(super) peeked: Option<(Event, Place)>,
    pub(super) frames: Vec<Frame>,
    walked: Walked,
}

impl<'t> Walker<'t> {
    /// Over `thread`.
    pub fn new(trace: &'t Trace, program: &'t Program, thread: ThreadNo) -> Self {
        Self {
            trace,
            program,
            events: trace.events_backward(thread).brief(),
            peeked: None,
            frames: Vec::new(),
            walked: Walked::default(),
        }
    }

    /// Tells `visitor` all.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn run(mut self, visitor: &mut impl Visitor) -> Result<Walked, ReadError> {
        loop {
            if visitor.done() {
                return Ok(self.walked);
            }
            match self.frames.last() {
                None => {
                    let Some(place) = self.peek(visitor)? else {
                        return Ok(self.walked);
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
        }
    }

    /// The next event that is some activation's.
    fn peek(&mut self, visitor: &mut impl Visitor) -> Result<Option<Place>, ReadError> {
        while self.peeked.is_none() {
            let Some(event) = self.events.next() else {
                return Ok(None);
            };
            let event = event?;
            self.walked.events += 1;
            let Some(place) = self.program.place(event.site) else {
                continue;
            };
            if place.method.is_some() {
                self.peeked = Some((event, place));
            } else if let Some(location) = self.location_of(&event) {
                visitor.outside(&event, location);
            }
        }
        Ok(self.peeked.as_ref().map(|(_, place)| *place))
    }

    fn take(&mut self) -> Option<Event> {
        self.peeked.take().map(|(event, _)| event)
    }

    fn top(&mut self) -> &mut Frame {
        // Only called while an activation is open.
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    /// The variable that an access event is about.
    fn location_of(&self, event: &Event) -> Option<Location> {
        let values = operands(event);
        let field = || self.program.field_at(self.trace, event.site);
        match (event.kind, values) {
            (EventKind::GetField | EventKind::PutField, [Value::Object(id), ..]) => {
                Some(Location::Field(*id, field()?))
            }
            (EventKind::GetStatic | EventKind::PutStatic, _) => Some(Location::Static(field()?)),
            (EventKind::ArrayLoad | EventKind::ArrayStore, [Value::Object(id), at, ..]) => {
                let index = u32::try_from(number(at)?).ok()?;
                Some(Location::Element(*id, index))
            }
            _ => None,
        }
    }

    /// The next event belongs to another activation than the one that is open: that one is opened.
    fn descend(&mut self, place: Place, visitor: &mut impl Visitor) -> Result<(), ReadError> {
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
            value: None,
            stepwise: false,
        };
        let mut frame = Frame::new(method, code);
        if matches!(place.kind, EventKind::Exit | EventKind::ExitThrow) {
            let event = self.take();
            let value = event.as_ref().and_then(|event| operands(event).first());
            opening.ended = match (place.kind, value) {
                (EventKind::ExitThrow, Some(Value::Object(id))) => Ended::Threw(*id),
                (EventKind::ExitThrow, _) => Ended::Threw(0),
                _ => Ended::Returned,
            };
            opening.value = value.cloned();
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
        visitor.opened(&opening);
        self.frames.push(frame);
        Ok(())
    }

    /// What the activation that the next event ends is to the one that is open.
    pub(super) fn role(&mut self, nested: &Method) -> Role {
        let Some(frame) = self.frames.last_mut() else {
            return Role::Outermost;
        };
        if nested.name == "<clinit>" {
            return Role::Initializer;
        }
        let in_call = matches!(frame.phase, Phase::Call | Phase::OwnConstructor);
        let code = Rc::clone(&frame.code);
        let body = code.body.as_ref().filter(|_| in_call);
        let target = body.and_then(|body| body.instructions[frame.next].target.as_ref());
        match target {
            None => Role::Unknown,
            Some(target) => {
                let named = target.name == nested.name && target.desc == nested.desc;
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
        let Some(event) = self.take() else {
            return Ok(false);
        };
        let values = operands(&event);
        if let Some(Value::Object(id)) = values.last() {
            frame.this = *id;
        }
        let thrown_at = match (throws, values.get(1)) {
            (false, _) => None,
            (true, Some(at)) => match number(at).and_then(|at| u32::try_from(at).ok()) {
                Some(at) => Some(at),
                None => return Ok(false),
            },
            (true, None) => return Ok(false),
        };
        Ok(path_number(&event).is_some_and(|number| {
            frame.go(body, number, thrown_at)
                && (throws || body.instructions[frame.next].bci == place.bci)
        }))
    }

    /// The instruction `next` of the top frame.
    fn walk(&mut self, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        let frame = self.top();
        let (at, threw, this) = (frame.next, frame.threw, frame.this);
        let Some(body) = frame.code.body.clone() else {
            self.lose("its code is not known", visitor);
            return Ok(());
        };
        let instruction = &body.instructions[at];
        if matches!(instruction.effect.access, Access::Invoke(_)) {
            return self.call(&body, visitor);
        }
        let mut step = Step {
            at,
            instruction,
            location: None,
            value: None,
            made: 0,
            threw,
        };
        let event;
        if instruction.has_events && is_access(instruction.effect.access) {
            match self.own_access(instruction, threw, visitor)? {
                Met::Event(found) => {
                    event = found;
                    step.location = self.location_of(&event);
                    step.value = operands(&event).last();
                }
                Met::Nothing => {}
                Met::Later => return Ok(()),
            }
        } else if let Some(field) = instruction.field {
            step.location = match instruction.effect.access {
                Access::GetStatic(_) | Access::PutStatic(_) => Some(Location::Static(field)),
                _ if this != 0 => Some(Location::Field(this, field)),
                _ => None,
            };
        }
        visitor.stepped(&step);
        self.walked.instructions += 1;
        let initializes = matches!(
            instruction.effect.access,
            Access::Allocate | Access::GetStatic(_) | Access::PutStatic(_)
        );
        match initializes {
            true => self.top().phase = Phase::Initializing,
            false => self.top().step_back(&body),
        }
        Ok(())
    }

    /// The event of an instruction that accesses memory.
    fn own_access(
        &mut self,
        instruction: &Instruction,
        threw: bool,
        visitor: &mut impl Visitor,
    ) -> Result<Met, ReadError> {
        let kind = event_kind(instruction.effect.access);
        match self.peek(visitor)? {
            Some(place) if self.is_own(place, instruction.bci) && Some(place.kind) == kind => {
                Ok(self.take().map_or(Met::Nothing, Met::Event))
            }
            Some(place) if !self.is_mine(place) || is_end(place.kind) => {
                self.descend(place, visitor)?;
                Ok(Met::Later)
            }
            _ if threw => Ok(Met::Nothing),
            _ => {
                self.lose("an access to memory has no event", visitor);
                Ok(Met::Later)
            }
        }
    }

    /// Is the event one of the open activation's method? Of another activation of the same method it may be, too.
    fn is_mine(&self, place: Place) -> bool {
        self.frames.last().map(|f| f.method) == place.method
    }

    fn is_own(&self, place: Place, bci: u32) -> bool {
        self.is_mine(place) && place.bci == bci && !is_end(place.kind)
    }

    /// A call instruction, from its end.
    fn call(&mut self, body: &Body, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        let (at, threw) = (self.top().next, self.top().threw);
        let instruction = &body.instructions[at];
        let mut step = Step {
            at,
            instruction,
            location: None,
            value: None,
            made: 0,
            threw,
        };
        if !instruction.has_events {
            visitor.call_ended(&step);
            self.begin_call(None, body, visitor);
            return Ok(());
        }
        let (phase, event) = match threw {
            true => (Phase::Call, None),
            false => match self.end_of_call(instruction.bci, visitor)? {
                Some(end) => end,
                None => return Ok(()),
            },
        };
        step.value = event.as_ref().and_then(|event| operands(event).first());
        let constructor = instruction
            .target
            .as_ref()
            .is_some_and(|t| t.name == "<init>");
        step.made = match (step.value, instruction.own) {
            (Some(Value::Object(id)), false) if constructor => *id,
            (_, true) if constructor => self.top().this,
            _ => 0,
        };
        visitor.call_ended(&step);
        let frame = self.top();
        frame.phase = phase;
        frame.entered = false;
        Ok(())
    }

    /// The CallExit event of a call, and how it goes on; `None` if something else has to be walked first.
    fn end_of_call(
        &mut self,
        bci: u32,
        visitor: &mut impl Visitor,
    ) -> Result<Option<(Phase, Option<Event>)>, ReadError> {
        let mut phase = Phase::Call;
        loop {
            let place = self.peek(visitor)?;
            let own = place.filter(|place| self.is_own(*place, bci));
            match (own.map(|place| place.kind), place) {
                (Some(EventKind::This), _) => {
                    let this = self.take();
                    let id = this.as_ref().and_then(|this| operands(this).first());
                    if let Some(Value::Object(id)) = id {
                        self.top().this = *id;
                    }
                    phase = Phase::OwnConstructor;
                }
                (Some(EventKind::CallExit), _) => return Ok(Some((Phase::Call, self.take()))),
                _ if phase == Phase::OwnConstructor => return Ok(Some((phase, None))),
                (None, Some(place)) if !self.is_mine(place) || is_end(place.kind) => {
                    self.descend(place, visitor)?;
                    return Ok(None);
                }
                _ => {
                    self.lose("a call has no end", visitor);
                    return Ok(None);
                }
            }
        }
    }

    fn begin_call(&mut self, operands: Option<&[Value]>, body: &Body, visitor: &mut impl Visitor) {
        visitor.call_began(self.top().next, operands);
        self.walked.instructions += 1;
        self.top().step_back(body);
    }

    fn in_call(&mut self, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        let frame = self.top();
        let (at, threw) = (frame.next, frame.threw);
        let Some(body) = frame.code.body.clone() else {
            return Ok(());
        };
        let bci = body.instructions[at].bci;
        match self.peek(visitor)? {
            Some(place) if self.is_own(place, bci) && place.kind == EventKind::Call => {
                let event = self.take();
                self.begin_call(event.as_ref().map(operands), &body, visitor);
            }
            Some(place) if !self.is_mine(place) || is_end(place.kind) => {
                self.descend(place, visitor)?;
            }
            _ if threw => self.begin_call(None, &body, visitor),
            _ => self.lose("a call has no beginning", visitor),
        }
        Ok(())
    }

    fn in_own_constructor(&mut self, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        let frame = self.top();
        let (at, entered) = (frame.next, frame.entered);
        let Some(body) = frame.code.body.clone() else {
            return Ok(());
        };
        let place = self.peek(visitor)?;
        let target = body.instructions[at].target.clone();
        let is_callee = |place: &Place| {
            let method = place.method.map(|no| self.program.get(no));
            place.kind == EventKind::Exit
                && (method.zip(target.as_ref())).is_some_and(|(method, target)| {
                    method.owner == target.owner
                        && method.name == target.name
                        && method.desc == target.desc
                })
        };
        match place.filter(|place| !entered && is_callee(place)) {
            Some(place) => self.descend(place, visitor),
            None => {
                self.begin_call(None, &body, visitor);
                Ok(())
            }
        }
    }

    fn initializing(&mut self, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        if let Some(place) = self.peek(visitor)?
            && is_end(place.kind)
            && let Some(method) = place.method
            && self.program.get(method).name == "<clinit>"
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
                if let Some(event) = self.take() {
                    visitor.began(operands(&event));
                }
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
            let catch = self.take();
            let id = catch.as_ref().and_then(|catch| operands(catch).first());
            if let Some(Value::Object(id)) = id {
                throwable = *id;
            }
            match self.peek(visitor)? {
                Some(next) if self.is_mine(next) => place = next,
                _ => return Ok(false),
            }
        }
        if place.kind != EventKind::Path || place.bci != bci {
            return Ok(false);
        }
        let Some(event) = self.take() else {
            return Ok(false);
        };
        let Some(number) = path_number(&event) else {
            return Ok(false);
        };
        let thrown_at = thrown_at(&event);
        if !self.top().go(body, number, thrown_at) {
            return Ok(false);
        }
        if thrown_at.is_some() {
            let from = self.top().next;
            visitor.caught(no, from, throwable);
        }
        Ok(true)
    }

    fn lose(&mut self, why: &'static str, visitor: &mut impl Visitor) {
        self.walked.lost += 1;
        self.top().phase = Phase::Unexplained;
        visitor.lost(why);
    }

    /// An activation whose instructions are not known.
    fn unexplained(&mut self, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        let Some(place) = self.peek(visitor)? else {
            // The beginning is lost.
            visitor.began(&[]);
            self.frames.pop();
            return Ok(());
        };
        if !self.is_mine(place) || is_end(place.kind) {
            return self.descend(place, visitor);
        }
        let Some(event) = self.take() else {
            return Ok(());
        };
        match place.kind {
            EventKind::Enter => {
                visitor.began(operands(&event));
                self.frames.pop();
            }
            EventKind::Path => {
                if let Some(body) = self.top().code.body.clone() {
                    self.resume(&body, place, &event, visitor);
                }
            }
            _ => {
                let location = self.location_of(&event);
                visitor.unexplained(&event, location);
            }
        }
        Ok(())
    }

    /// A path is known again.
    fn resume(&mut self, body: &Body, place: Place, event: &Event, visitor: &mut impl Visitor) {
        let (Some(number), Some(at)) = (path_number(event), body.at(place.bci)) else {
            return;
        };
        let thrown_at = thrown_at(event);
        if self.top().go(body, number, thrown_at) {
            visitor.resumed(at);
            if thrown_at.is_some() {
                let (handler, from) = (body.cfg.block_of(at), self.top().next);
                visitor.caught(handler, from, 0);
            }
        }
    }
}

/// What became of looking for an instruction's event.
enum Met {
    Event(Event),
    Nothing,
    /// Something else has to be walked first.
    Later,
}

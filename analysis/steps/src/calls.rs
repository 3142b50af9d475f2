//! Call instructions. A backward walk meets the end of a call first, then what ran within it, then its beginning.

use jinsi_trace::model::EventKind;
use jinsi_trace::reader::ReadError;

use super::code::{Body, Place};
use super::frame::{Phase, is_end};
use super::walk::{Accessed, EventOperands, EventSearch, Step, Visitor, Walker};

impl Walker<'_> {
    /// A call instruction, from its end.
    pub(super) fn call(
        &mut self,
        body: &Body,
        visitor: &mut impl Visitor,
    ) -> Result<(), ReadError> {
        let (at, threw) = (self.top().next, self.top().threw);
        let instruction = &body.instructions[at];
        let mut step = Step {
            at,
            instruction,
            accessed: Accessed::Nothing,
            event: EventOperands::NONE,
            made: 0,
            threw,
        };
        if !instruction.has_events {
            if instruction.given {
                match self.own_event(EventKind::Given, instruction, threw, visitor)? {
                    EventSearch::Event(_) => step.event = self.recorded(),
                    EventSearch::Nothing => {}
                    EventSearch::Later => return Ok(()),
                }
            }
            visitor.call_ended(&step);
            self.begin_call(false, body, visitor);
            return Ok(());
        }
        let (phase, is_recorded) = match threw {
            true => (Phase::Call, false),
            false => match self.end_of_call(instruction.bci, visitor)? {
                Some(end) => end,
                None => return Ok(()),
            },
        };
        if is_recorded {
            step.event = self.recorded();
        }
        if instruction.constructs {
            step.made = match (step.event.object(0), instruction.own) {
                (Some(id), false) => id,
                (_, true) => self.frames.last().map_or(0, |frame| frame.this),
                _ => 0,
            };
        }
        visitor.call_ended(&step);
        let frame = self.top();
        frame.phase = phase;
        frame.entered = false;
        Ok(())
    }

    /// How a call goes on, and whether its CallExit event was met; `None` if something else has to be walked first.
    fn end_of_call(
        &mut self,
        bci: u32,
        visitor: &mut impl Visitor,
    ) -> Result<Option<(Phase, bool)>, ReadError> {
        let mut phase = Phase::Call;
        loop {
            let place = self.peek(visitor)?;
            let own = place.filter(|place| self.is_own(*place, bci));
            match (own.map(|place| place.kind), place) {
                (Some(EventKind::This), _) => {
                    self.take(visitor);
                    if let Some(id) = self.events.object(0) {
                        self.top().this = id;
                    }
                    phase = Phase::OwnConstructor;
                }
                (Some(EventKind::CallExit), _) => {
                    return Ok(Some((Phase::Call, self.take(visitor))));
                }
                _ if phase == Phase::OwnConstructor => return Ok(Some((phase, false))),
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

    /// The beginning of a call; was the event met last that of it?
    fn begin_call(&mut self, is_recorded: bool, body: &Body, visitor: &mut impl Visitor) {
        let at = self.top().next;
        let operands = match is_recorded {
            true => self.recorded(),
            false => EventOperands::NONE,
        };
        visitor.call_began(at, operands);
        self.walked.instructions += 1;
        self.top().step_back(body);
    }

    pub(super) fn in_call(&mut self, visitor: &mut impl Visitor) -> Result<(), ReadError> {
        let frame = self.top();
        let (at, threw) = (frame.next, frame.threw);
        let Some(body) = frame.code.body.clone() else {
            return Ok(());
        };
        let bci = body.instructions[at].bci;
        match self.peek(visitor)? {
            Some(place) if self.is_own(place, bci) && place.kind == EventKind::Call => {
                self.take(visitor);
                self.begin_call(true, &body, visitor);
            }
            Some(place) if !self.is_mine(place) || is_end(place.kind) => {
                self.descend(place, visitor)?;
            }
            _ if threw => self.begin_call(false, &body, visitor),
            _ => self.lose("a call has no beginning", visitor),
        }
        Ok(())
    }

    pub(super) fn in_own_constructor(
        &mut self,
        visitor: &mut impl Visitor,
    ) -> Result<(), ReadError> {
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
                self.begin_call(false, &body, visitor);
                Ok(())
            }
        }
    }
}

//! Moving about in the run.

use jinsi_inspect::{Moment, Stride};
use serde_json::{Value, json};

use super::Session;
use super::search::Hit;
use crate::arguments::{Goto, GotoTargets, Move, OfFrame};
use crate::error::DapError;

/// Calls of a line that can be stepped into.
const CALLS: usize = 50;
/// Where no further instruction is.
const LAST: &str = "the recording ends here";
const FIRST: &str = "the recording begins here";

impl Session<'_, '_> {
    pub(super) fn go_on(&mut self, forward: bool) -> Result<Value, DapError> {
        match self.hit(forward)? {
            Some(hit) => self.arrive_at(hit),
            None => self.edge(forward)?,
        }
        Ok(match forward {
            true => json!({ "allThreadsContinued": true }),
            false => Value::Null,
        })
    }

    fn arrive_at(&mut self, hit: Hit) {
        self.arrive(hit.moment, "step", None);
        self.events.pop();
        self.raised = hit.raised;
        self.stop(hit.reason, None);
    }

    /// To the end of the recording, or to its beginning.
    fn edge(&mut self, forward: bool) -> Result<(), DapError> {
        let thread = self.now.thread();
        let (to, text) = match forward {
            true => (self.inspector.last(thread), LAST),
            false => (self.inspector.first(thread), FIRST),
        };
        let to = to?.unwrap_or(self.now);
        self.arrive(to, "pause", Some(text));
        Ok(())
    }

    pub(super) fn step(&mut self, command: &str, asked: &Move) -> Result<Value, DapError> {
        let from = self.now_of(asked.thread_id)?;
        self.now = from;
        if let Some(target) = asked.target_id {
            let to = *self.targets.get(target).ok_or(DapError::OtherMoment {
                number: target as i64,
            })?;
            self.arrive(to, "step", None);
            return Ok(Value::Null);
        }
        let forward = command != "stepBack";
        let by_instruction = asked.granularity.as_deref() == Some("instruction");
        let to = match (command, by_instruction) {
            ("stepBack", true) => self.inspector.back(from),
            ("stepBack", false) => self.inspector.step_back(from, Stride::Over),
            ("stepIn" | "next", true) => self.inspector.next(from),
            ("stepIn", false) => self.inspector.step(from, Stride::Into),
            ("stepOut", _) => self.inspector.step(from, Stride::Out),
            _ => self.inspector.step(from, Stride::Over),
        };
        let to = to?;
        // A breakpoint on the way comes first.
        if let Some(hit) = self.hit(forward)?
            && to.is_none_or(|to| self.is_before(hit.moment, to, forward))
        {
            self.arrive_at(hit);
            return Ok(Value::Null);
        }
        match to {
            Some(to) => self.arrive(to, "step", None),
            None => self.edge(forward)?,
        }
        Ok(Value::Null)
    }

    /// Does one come before the other, on the way?
    fn is_before(&self, one: Moment, other: Moment, forward: bool) -> bool {
        let [one, other] = [one, other].map(|moment| self.inspector.place(moment));
        match forward {
            true => one < other,
            false => one > other,
        }
    }

    pub(super) fn step_in_targets(&mut self, asked: &OfFrame) -> Result<Value, DapError> {
        let frame = self.frame(asked.frame_id)?;
        let call = frame.frame.activation;
        let calls = self.inspector.callees(call, frame.moment, CALLS);
        let calls = calls?.into_iter();
        let of_line = calls.take_while(|call| call.line == frame.frame.line);
        let mut targets = Vec::new();
        for call in of_line {
            let Some(begin) = call.activation else {
                continue;
            };
            let begin = Moment::after(begin);
            let Ok(state) = self.inspector.state(begin) else {
                continue;
            };
            let id = self.targets.len();
            self.targets.push(state.moment);
            let label = jinsi_answers::place(&call.method, 0);
            targets.push(json!({ "id": id, "label": label }));
        }
        Ok(json!({ "targets": targets }))
    }

    /// The last time that a line ran before now, and the next time.
    pub(super) fn goto_targets(&mut self, asked: &GotoTargets) -> Result<Value, DapError> {
        let path = asked.source.path.as_deref().ok_or(DapError::NoPath)?;
        let lines = self.lines_at(path, asked.line);
        if lines.is_empty() {
            return Err(DapError::NoCode {
                line: asked.line,
                further: 0,
            });
        }
        let (mut before, mut behind) = (None, None);
        for line in &lines {
            let last = self.inspector.run_before(line, self.now)?;
            let next = self.inspector.run_behind(line, self.now)?;
            before = before.max(last.map(|run| run.moment));
            behind = [behind, next.map(|run| run.moment)]
                .into_iter()
                .flatten()
                .min();
        }
        let mut targets = Vec::new();
        let found = [("the last time", before), ("the next time", behind)];
        for (label, moment) in found {
            let Some(moment) = moment else { continue };
            let id = self.targets.len();
            self.targets.push(moment);
            targets.push(json!({
                "id": id,
                "label": format!("{label} ({moment})"),
                "line": asked.line,
            }));
        }
        Ok(json!({ "targets": targets }))
    }

    pub(super) fn goto(&mut self, asked: &Goto) -> Result<Value, DapError> {
        let to = self.targets.get(asked.target_id).copied();
        let to = to.ok_or(DapError::OtherMoment {
            number: asked.target_id as i64,
        })?;
        self.arrive(to, "goto", None);
        Ok(Value::Null)
    }
}

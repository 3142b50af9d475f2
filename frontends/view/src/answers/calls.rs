//! The tree of calls, what each did, and the stack at a moment.

use jinsi_answers::Shown;
use jinsi_classfile::descriptor::MethodType;
use jinsi_inspect::{Activation, ActivationEvent, Call, Frame, Moment, Outcome, Seen, What};
use jinsi_trace::model::{EventId, MemberRef, ThreadNo};
use serde_json::{Value, json};

use super::{Answer, Answers, asked_call, asked_method, method};
use crate::query::Query;

/// Rows of an answer at most: a screen and some more.
const ROWS: usize = 100;
/// What the end of a call is looked for among.
const END: usize = 1000;
/// Frames of a stack that are reported.
const FRAMES: usize = 500;

impl Answers<'_, '_> {
    /// The calls that a call made, or the outermost ones of a thread.
    pub(super) fn calls(&self, query: &Query) -> Answer {
        let most = query.most(ROWS)?;
        let Some(caller) = query.read::<EventId>("call")? else {
            return self.outermost(query, most);
        };
        let from = query.read("from")?.unwrap_or(Moment::after(caller));
        let mut calls = self.inspector.callees(caller, from, most + 1)?;
        let more = (calls.len() > most).then(|| calls[most].before.to_string());
        calls.truncate(most);
        let rows: Vec<Value> = calls.iter().map(|call| self.call_row(call)).collect();
        Ok(json!({ "rows": rows, "more": more }))
    }

    fn outermost(&self, query: &Query, most: usize) -> Answer {
        let thread: ThreadNo = query.need("thread")?;
        let skip: usize = query.read("skip")?.unwrap_or(0);
        let all = self.inspector.outermost(thread)?;
        let mut rows = Vec::new();
        for activation in all.iter().skip(skip).take(most) {
            rows.push(self.activation_row(activation)?);
        }
        let next = skip.saturating_add(rows.len());
        let more = (all.len() > next).then(|| next.to_string());
        Ok(json!({ "rows": rows, "more": more }))
    }

    /// One call, by its name: what it is called, where it began and ended, and who is around it.
    pub(super) fn call(&self, query: &Query) -> Answer {
        let name = asked_call(query)?;
        let activation = self.inspector.activation(name)?;
        let mut row = self.activation_row(&activation)?;
        row["around"] = json!(self.around(name)?);
        Ok(row)
    }

    /// The calls of a method.
    pub(super) fn activations(&self, query: &Query) -> Answer {
        let most = query.most(ROWS)?;
        let skip: usize = query.read("skip")?.unwrap_or(0);
        let member = asked_method(query)?;
        let all = self.inspector.activations_of(&member, skip, most + 1)?;
        let mut rows = Vec::new();
        for activation in all.iter().take(most) {
            rows.push(self.activation_row(activation)?);
        }
        let more = (all.len() > most).then(|| (skip + most).to_string());
        Ok(json!({ "rows": rows, "more": more }))
    }

    fn activation_row(&self, activation: &Activation) -> Answer {
        let name = activation.name;
        let state = self.inspector.state(Moment::after(name));
        let frame = state.ok().and_then(|state| {
            let mut frames = state.frames.into_iter();
            frames.find(|frame| frame.activation == name)
        });
        let this = frame.as_ref().and_then(|frame| frame.this.clone());
        let count = MethodType::parse(&activation.method.desc).map_or(0, |m| m.params.len());
        let locals = frame.as_ref().map_or(&[][..], |frame| &frame.locals);
        let arguments: Vec<Shown> = locals
            .iter()
            .take(count)
            .map(|local| self.shown(&local.value))
            .collect();
        Ok(json!({
            "call": name.to_string(),
            "method": method(&activation.method),
            "file": activation.file,
            "line": 0,
            "this": this.as_ref().map(|this| self.shown(this)),
            "arguments": arguments,
            "outcome": self.outcome(activation)?,
            "before": Moment::after(name).to_string(),
            "after": self.end(activation).to_string(),
            "inside": true,
        }))
    }

    /// Where an activation ends: at its thread's end if nothing says where.
    fn end(&self, activation: &Activation) -> Moment {
        let thread = activation.name.thread;
        let count = self.inspector.trace().event_count(thread);
        activation.end.unwrap_or(Moment::after(EventId {
            thread,
            index: count.saturating_sub(1),
        }))
    }

    /// How an activation ended: the last that it did says so.
    pub(super) fn outcome(&self, activation: &Activation) -> Answer {
        let name = activation.name;
        let Some(end) = activation.end else {
            return Ok(self.outcome_row(&Outcome::Open));
        };
        let index = end.event.index.saturating_sub(1).max(name.index);
        let near = Moment::after(EventId {
            thread: name.thread,
            index,
        });
        let mut last = self.inspector.activation_events(name, near, END)?;
        Ok(self.outcome_row(&match last.pop().map(|last| last.what) {
            Some(What::Returned(value)) => Outcome::Returned(value),
            Some(What::Threw(id)) => Outcome::Threw(id),
            _ => Outcome::Open,
        }))
    }

    fn outcome_row(&self, outcome: &Outcome) -> Value {
        match outcome {
            Outcome::Returned(Some(value)) => {
                json!({ "how": "returned", "value": self.shown(value) })
            }
            Outcome::Returned(None) => json!({ "how": "returned" }),
            Outcome::Threw(0) => json!({ "how": "threw" }),
            Outcome::Threw(id) => {
                let thrown = Seen::Known(jinsi_trace::model::Value::Object(*id));
                json!({ "how": "threw", "value": self.shown(&thrown) })
            }
            Outcome::Open => json!({ "how": "open" }),
        }
    }

    fn call_row(&self, call: &Call) -> Value {
        let (this, arguments) = receiver(&call.method, &call.arguments);
        let activation = (call.activation).and_then(|name| self.inspector.activation(name).ok());
        // Of a call that has but its two ends nothing is reported; of others it turns out.
        let inside = activation.as_ref().is_some_and(|activation| {
            let end = activation.end.map_or(u64::MAX, |end| end.event.index);
            end > activation.name.index + 1
        });
        json!({
            "call": call.activation.map(|name| name.to_string()),
            "method": method(&call.method),
            "file": activation.as_ref().and_then(|activation| activation.file.clone()),
            "line": call.line,
            "this": this.map(|this| self.shown(this)),
            "arguments": arguments.iter().map(|a| self.shown(a)).collect::<Vec<_>>(),
            "outcome": self.outcome_row(&call.outcome),
            "before": call.before.to_string(),
            "after": call.after.to_string(),
            "inside": inside,
        })
    }

    /// What a call did itself.
    pub(super) fn activation_events(&self, query: &Query) -> Answer {
        let most = query.most(ROWS)?;
        let call = asked_call(query)?;
        let from = query.read("from")?.unwrap_or(Moment::after(call));
        let mut all = self.inspector.activation_events(call, from, most + 1)?;
        let more = (all.len() > most).then(|| all[most].before.to_string());
        all.truncate(most);
        let rows: Vec<Value> = all.iter().map(|one| self.activation_event(one)).collect();
        Ok(json!({ "rows": rows, "more": more }))
    }

    pub(super) fn activation_event(&self, activation_event: &ActivationEvent) -> Value {
        let mut row = match &activation_event.what {
            What::Wrote {
                name,
                variable,
                value,
            } => json!({
                "kind": "wrote",
                "name": name,
                "variable": variable.as_ref().map(|variable| variable.to_string()),
                "value": self.shown(value),
            }),
            What::Called {
                activation,
                method: callee,
            } => json!({
                "kind": "called",
                "call": activation.map(|name| name.to_string()),
                "method": method(callee),
            }),
            What::Caught(0) => json!({ "kind": "caught" }),
            What::Caught(id) | What::Threw(id) if *id != 0 => json!({
                "kind": if matches!(activation_event.what, What::Threw(_)) { "threw" } else { "caught" },
                "value": self.shown(&Seen::Known(jinsi_trace::model::Value::Object(*id))),
            }),
            What::Returned(Some(value)) => {
                json!({ "kind": "returned", "value": self.shown(value) })
            }
            What::Returned(None) => json!({ "kind": "returned" }),
            _ => json!({ "kind": "threw" }),
        };
        row["line"] = json!(activation_event.line);
        row["before"] = json!(activation_event.before.to_string());
        row["after"] = json!(activation_event.after.to_string());
        row
    }

    /// The open calls at a moment, innermost first, with their variables.
    pub(super) fn stack(&self, query: &Query) -> Answer {
        let state = self.inspector.state(query.need("at")?)?;
        let frames = state.frames.iter().take(FRAMES);
        let frames: Vec<Value> = frames.map(|frame| self.frame(frame)).collect();
        Ok(json!({
            "moment": state.moment.to_string(),
            "depth": state.frames.len(),
            "frames": frames,
        }))
    }

    fn frame(&self, frame: &Frame) -> Value {
        let locals = frame.locals.iter().map(|local| {
            json!({
                "name": local.name,
                "type": local.desc,
                "value": self.shown(&local.value),
            })
        });
        json!({
            "call": frame.activation.to_string(),
            "method": method(&frame.method),
            "file": frame.file,
            "line": frame.line,
            "this": frame.this.as_ref().map(|this| self.shown(this)),
            "locals": locals.collect::<Vec<_>>(),
        })
    }
}

/// The receiver, if there is one, and the arguments.
fn receiver<'s>(method: &MemberRef, all: &'s [Seen]) -> (Option<&'s Seen>, &'s [Seen]) {
    let count = MethodType::parse(&method.desc).map_or(all.len(), |m| m.params.len());
    match all.split_first() {
        Some((this, arguments)) if all.len() > count => (Some(this), arguments),
        _ => (None, all),
    }
}

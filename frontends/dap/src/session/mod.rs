//! A run that is looked at from a moment.

mod ask;
mod frames;
mod points;
mod search;
mod travel;
mod variables;

use std::rc::Rc;

use jinsi_answers::{Sources, Writer, dotted};
use jinsi_history::failures;
use jinsi_inspect::{Frame, Inspector, Moment};
use jinsi_trace::model::{EventId, ThreadNo};
use serde_json::{Value, json};

use crate::arguments;
use crate::error::DapError;
use crate::handles::Handles;
use crate::launch::Launch;

use points::Points;
use variables::Thing;

/// An activation, seen from a moment.
#[derive(Debug)]
struct FrameAt {
    moment: Moment,
    /// So many activations are nested in it.
    depth: usize,
    frame: Frame,
}

/// An exception, as the client asks of it where it has stopped.
#[derive(Clone, Debug)]
struct Raised {
    class: String,
    message: Option<String>,
    caught: bool,
}

/// Who looks at the run.
pub(crate) struct Session<'a, 't> {
    inspector: &'a Inspector<'t>,
    writer: Writer<'a, 't>,
    sources: Sources,
    now: Moment,
    raised: Option<Raised>,
    frames: Handles<Rc<FrameAt>>,
    things: Handles<Thing>,
    /// Where values were written: class, file, line.
    places: Handles<Value>,
    /// Where the client may jump to.
    targets: Vec<Moment>,
    points: Points,
    events: Vec<(&'static str, Value)>,
}

/// As the protocol numbers threads: not from 0, which some clients take for none.
fn thread_id(thread: ThreadNo) -> i64 {
    i64::from(thread) + 1
}

impl<'a, 't> Session<'a, 't> {
    /// At the moment that the client wants, or at the failure, or at the beginning.
    ///
    /// # Errors
    /// There is no such moment, or no instruction at all.
    pub(crate) fn new(
        inspector: &'a Inspector<'t>,
        sources: Sources,
        launch: &Launch,
    ) -> Result<Self, DapError> {
        let mut session = Self {
            inspector,
            writer: Writer::new(inspector),
            sources,
            now: Moment::after(EventId {
                thread: 0,
                index: 0,
            }),
            raised: None,
            frames: Handles::default(),
            things: Handles::default(),
            places: Handles::default(),
            targets: Vec::new(),
            points: Points::default(),
            events: Vec::new(),
        };
        session.now = session.begin(launch.at.as_deref())?;
        Ok(session)
    }

    fn begin(&mut self, at: Option<&str>) -> Result<Moment, DapError> {
        let trace = self.inspector.trace();
        if let Some(text) = at.filter(|text| *text != "failure") {
            let moment = text.parse::<Moment>();
            let moment = moment.map_err(|_| DapError::Moment {
                text: text.to_owned(),
            })?;
            return Ok(self.inspector.state(moment)?.moment);
        }
        if let Some(failure) = failures::pick(trace.failures()) {
            let thrown = self.inspector.thrown_at(failure.thread, failure.throwable);
            if let Some(moment) = thrown? {
                let def = trace.throwable(failure.throwable);
                self.raised = def.map(|def| Raised {
                    class: def.class.clone(),
                    message: def.text.clone().or_else(|| def.message.clone()),
                    caught: false,
                });
                return Ok(moment);
            }
        }
        if at.is_some() {
            return Err(DapError::NoFailure);
        }
        let busiest = trace.threads().iter();
        let busiest = busiest.max_by_key(|thread| trace.event_count(thread.no));
        let first = busiest.and_then(|thread| self.inspector.first(thread.no).transpose());
        Ok(first.ok_or(DapError::NoInstructions)??)
    }

    /// What a request is answered.
    ///
    /// # Errors
    /// Why it is not.
    pub(crate) fn answer(&mut self, command: &str, given: &Value) -> Result<Value, DapError> {
        match command {
            "configurationDone" => {
                let reason = match self.raised {
                    Some(_) => "exception",
                    None => "entry",
                };
                self.stop(reason, None);
                Ok(Value::Null)
            }
            "threads" => Ok(self.threads()),
            "stackTrace" => self.stack_trace(&arguments::read(given)?),
            "scopes" => self.scopes(&arguments::read(given)?),
            "variables" => self.variables(&arguments::read(given)?),
            "locations" => self.locations(&arguments::read(given)?),
            "evaluate" => self.evaluate(&arguments::read(given)?),
            "completions" => self.completions(&arguments::read(given)?),
            "exceptionInfo" => self.exception_info(),
            "setBreakpoints" => self.set_breakpoints(&arguments::read(given)?),
            "setFunctionBreakpoints" => self.set_function_breakpoints(&arguments::read(given)?),
            "setExceptionBreakpoints" => self.set_exception_breakpoints(&arguments::read(given)?),
            "dataBreakpointInfo" => self.data_breakpoint_info(&arguments::read(given)?),
            "setDataBreakpoints" => self.set_data_breakpoints(&arguments::read(given)?),
            "continue" => self.go_on(true),
            "reverseContinue" => self.go_on(false),
            "next" | "stepIn" | "stepOut" | "stepBack" => {
                self.step(command, &arguments::read(given)?)
            }
            "stepInTargets" => self.step_in_targets(&arguments::read(given)?),
            "gotoTargets" => self.goto_targets(&arguments::read(given)?),
            "goto" => self.goto(&arguments::read(given)?),
            "restartFrame" => self.restart_frame(&arguments::read(given)?),
            "pause" => {
                self.stop("pause", None);
                Ok(Value::Null)
            }
            "disconnect" | "terminate" => Ok(Value::Null),
            "initialize" | "launch" | "attach" => Err(DapError::OpenAlready),
            "setVariable" | "setExpression" => Err(DapError::ReadOnly),
            "source" => Err(DapError::NoSources),
            other => Err(DapError::Unsupported {
                command: other.to_owned(),
            }),
        }
    }

    /// What has happened since this was last asked.
    pub(crate) fn events(&mut self) -> Vec<(&'static str, Value)> {
        std::mem::take(&mut self.events)
    }

    /// Moves, and tells the client.
    fn arrive(&mut self, to: Moment, reason: &str, text: Option<&str>) {
        self.now = to;
        self.raised = None;
        self.frames.forget();
        self.things.forget();
        self.places.forget();
        self.targets.clear();
        self.stop(reason, text);
    }

    fn stop(&mut self, reason: &str, text: Option<&str>) {
        let mut body = json!({
            "reason": reason,
            "threadId": thread_id(self.now.thread()),
            "allThreadsStopped": true,
        });
        if let Some(text) = text {
            body["description"] = text.into();
            body["text"] = text.into();
        }
        if let Some(raised) = self.raised.as_ref().filter(|_| reason == "exception") {
            body["text"] = match &raised.message {
                Some(message) => format!("{}: {message}", raised.class),
                None => raised.class.clone(),
            }
            .into();
        }
        self.events.push(("stopped", body));
    }

    fn note(&mut self, text: &str) {
        let output = format!("{text}\n");
        self.events
            .push(("output", json!({ "category": "console", "output": output })));
    }

    fn threads(&self) -> Value {
        let all = self.inspector.trace().threads().iter();
        let all = all.map(|thread| json!({ "id": thread_id(thread.no), "name": thread.name }));
        json!({ "threads": all.collect::<Vec<_>>() })
    }

    /// Where a thread is now.
    fn now_of(&self, id: i64) -> Result<Moment, DapError> {
        if id == thread_id(self.now.thread()) {
            return Ok(self.now);
        }
        let thread = ThreadNo::try_from(id.saturating_sub(1)).ok();
        let thread = thread.ok_or(DapError::NoThread { id })?;
        let moment = self.inspector.beside(self.now, thread)?;
        moment.ok_or(DapError::NotRecorded)
    }

    fn exception_info(&self) -> Result<Value, DapError> {
        let raised = self.raised.as_ref().ok_or(DapError::NoException)?;
        Ok(json!({
            "exceptionId": dotted(&raised.class),
            "description": raised.message,
            "breakMode": if raised.caught { "always" } else { "unhandled" },
        }))
    }
}

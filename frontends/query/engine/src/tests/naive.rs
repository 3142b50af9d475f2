//! A run folded by hand: its calls and exceptions, by nothing but a stack for each thread.

use std::collections::BTreeMap;

use jinsi_trace::model::{Event, EventKind, ObjectId, Payload, Prim, ThreadNo, Value};
use jinsi_trace::reader::Trace;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) call: i64,
    pub(super) ended: Option<i64>,
    pub(super) thread: ThreadNo,
    pub(super) caller: Option<i64>,
    pub(super) depth: i64,
    pub(super) recorded: bool,
    pub(super) class: String,
    pub(super) method: String,
    pub(super) receiver: Option<ObjectId>,
    pub(super) arguments: String,
    pub(super) result: Option<String>,
    pub(super) threw: Option<ObjectId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exception {
    pub(super) moment: i64,
    pub(super) call: Option<i64>,
    pub(super) caught: Option<i64>,
    pub(super) uncaught: bool,
}

#[derive(Debug, Default)]
pub(super) struct Folded {
    pub(super) calls: Vec<Call>,
    pub(super) exceptions: Vec<Exception>,
    /// Threads by their first and last moment, and whether they died.
    pub(super) threads: BTreeMap<ThreadNo, (i64, i64, bool)>,
    /// Thread of each moment, from 1.
    pub(super) moments: Vec<ThreadNo>,
}

fn text(value: Option<&Value>) -> String {
    match value {
        Some(Value::Prim(Prim::Int(value))) => value.to_string(),
        Some(Value::Object(id)) => format!("#{id}"),
        _ => String::new(),
    }
}

fn object(value: Option<&Value>) -> Option<ObjectId> {
    match value {
        Some(Value::Object(id)) => Some(*id),
        _ => None,
    }
}

pub(super) fn fold(trace: &Trace) -> Folded {
    let mut folded = Folded::default();
    let mut open: BTreeMap<ThreadNo, Vec<usize>> = BTreeMap::new();
    let mut flying: BTreeMap<ThreadNo, usize> = BTreeMap::new();
    for (moment, merged) in (1i64..).zip(trace.merged()) {
        let merged = merged.unwrap();
        let thread = merged.thread;
        folded.moments.push(thread);
        let span = folded
            .threads
            .entry(thread)
            .or_insert((moment, moment, false));
        span.1 = moment;
        span.2 |= merged.event.kind == EventKind::Uncaught;
        let stack = open.entry(thread).or_default();
        let flying = flying.entry(thread).or_insert(usize::MAX);
        folded.event(trace, (moment, thread), &merged.event, stack, flying);
    }
    folded
}

impl Folded {
    fn event(
        &mut self,
        trace: &Trace,
        (moment, thread): (i64, ThreadNo),
        event: &Event,
        stack: &mut Vec<usize>,
        flying: &mut usize,
    ) {
        let Payload::Operands(values) = &event.payload else {
            return;
        };
        let site = trace.site_of(event);
        if !matches!(
            event.kind,
            EventKind::ExitThrow | EventKind::Catch | EventKind::Uncaught
        ) {
            *flying = usize::MAX;
        }
        match event.kind {
            EventKind::Enter | EventKind::Call => {
                let site = site.unwrap();
                let recorded = event.kind == EventKind::Enter;
                let around = stack.iter().rev().find(|no| self.calls[**no].recorded);
                let has_receiver = recorded && site.method != "<init>";
                let caller = around.map(|no| self.calls[*no].call);
                let depth = stack.iter().filter(|no| self.calls[**no].recorded).count();
                stack.push(self.calls.len());
                self.calls.push(Call {
                    call: moment,
                    ended: None,
                    thread,
                    caller,
                    depth: depth as i64,
                    recorded,
                    class: site.target.owner.replace('/', "."),
                    method: site.target.name.to_string(),
                    receiver: object(values.first()).filter(|_| has_receiver),
                    arguments: text(values.last()),
                    result: None,
                    threw: None,
                });
            }
            EventKind::This => {
                let no = *stack.last().unwrap();
                self.calls[no].receiver = object(values.first());
            }
            EventKind::Exit | EventKind::CallExit => {
                let no = stack.pop().unwrap();
                self.calls[no].ended = Some(moment);
                self.calls[no].result = values.last().map(|value| text(Some(value)));
            }
            EventKind::ExitThrow | EventKind::Catch | EventKind::Uncaught => {
                self.thrown(moment, event.kind, object(values.first()), stack, flying);
            }
            _ => {}
        }
    }

    fn thrown(
        &mut self,
        moment: i64,
        kind: EventKind,
        id: Option<ObjectId>,
        stack: &mut Vec<usize>,
        flying: &mut usize,
    ) {
        if *flying == usize::MAX {
            let recorded = stack.iter().rev().find(|no| self.calls[**no].recorded);
            *flying = self.exceptions.len();
            self.exceptions.push(Exception {
                moment,
                call: recorded.map(|no| self.calls[*no].call),
                caught: None,
                uncaught: false,
            });
        }
        // Library calls that were open in the frame end with it.
        while let Some(no) = stack.last().copied() {
            if self.calls[no].recorded {
                break;
            }
            self.end(stack, moment, id);
        }
        match kind {
            EventKind::ExitThrow => self.end(stack, moment, id),
            EventKind::Catch => {
                self.exceptions[*flying].caught = Some(moment);
                *flying = usize::MAX;
            }
            _ => self.exceptions[*flying].uncaught = true,
        }
    }

    fn end(&mut self, stack: &mut Vec<usize>, moment: i64, id: Option<ObjectId>) {
        if let Some(no) = stack.pop() {
            self.calls[no].ended = Some(moment);
            self.calls[no].threw = id;
        }
    }

    /// The recorded calls that are open at a moment, outermost first.
    pub(super) fn opened(&self, moment: i64) -> Vec<&Call> {
        let Some(thread) = usize::try_from(moment - 1)
            .ok()
            .and_then(|at| self.moments.get(at))
        else {
            return Vec::new();
        };
        let open = |call: &&Call| {
            let ends_later = match (call.ended, call.threw) {
                (None, _) => true,
                (Some(ended), Some(_)) => ended >= moment,
                (Some(ended), None) => ended > moment,
            };
            call.recorded && call.thread == *thread && call.call < moment && ends_later
        };
        self.calls.iter().filter(open).collect()
    }
}

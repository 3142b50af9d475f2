//! The run as a whole: threads, failures, the time line, and moving about in it.

use jinsi_inspect::Stride;
use jinsi_trace::model::ThreadNo;
use serde_json::json;

use super::{Answer, Answers, Refusal};
use crate::query::Query;

/// Marks of a time line of each kind: more than fit on it.
const MARKS: usize = 500;

impl Answers<'_, '_> {
    pub(super) fn run(&self) -> Answer {
        let trace = self.inspector.trace();
        let mut threads = Vec::new();
        for thread in trace.threads() {
            threads.push(json!({
                "no": thread.no,
                "name": thread.name,
                "events": trace.event_count(thread.no),
            }));
        }
        let failures = trace.failures().iter().map(|failure| {
            let def = trace.throwable(failure.throwable);
            json!({
                "class": def.map(|def| def.class.clone()),
                "message": def.and_then(|def| def.text.clone().or_else(|| def.message.clone())),
                "thread": failure.thread,
            })
        });
        let busiest = trace
            .threads()
            .iter()
            .max_by_key(|t| trace.event_count(t.no));
        let first = match (self.subject.begin, self.failure, busiest) {
            (Some(begin), _, _) => Some(begin),
            (_, Some(failure), _) => Some(failure),
            (_, _, Some(busiest)) => self.inspector.first(busiest.no)?,
            _ => None,
        };
        Ok(json!({
            "name": self.subject.name,
            "key": self.subject.key,
            "remarks": self.subject.remarks,
            "report": self.subject.report.is_some(),
            "queries": self.subject.engine.is_some(),
            "asks": self.subject.kept.is_some(),
            "detail": trace.meta().detail.to_string(),
            "java": trace.meta().java_version,
            "threads": threads,
            "failures": failures.collect::<Vec<_>>(),
            "failure": self.failure.map(|moment| moment.to_string()),
            "begin": first.map(|moment| moment.to_string()),
        }))
    }

    pub(super) fn timeline(&self, query: &Query) -> Answer {
        let thread: ThreadNo = query.need("thread")?;
        let mut marks = Vec::new();
        for thrown in self.inspector.exceptions(thread)?.into_iter().take(MARKS) {
            let at = self.inspector.thrown_at(thread, thrown.throwable)?;
            let text = match &thrown.message {
                Some(message) => format!("{}: {message}", thrown.class),
                None => thrown.class.clone(),
            };
            marks.push((
                thrown.moment.event.index,
                json!({
                    "kind": if thrown.caught { "caught" } else { "thrown" },
                    "event": thrown.moment.event.index,
                    "moment": at.unwrap_or(thrown.moment).to_string(),
                    "text": text,
                }),
            ));
        }
        for printed in self.inspector.output(thread, MARKS)? {
            let before = jinsi_trace::model::EventId {
                thread,
                index: printed.event.index.saturating_sub(1),
            };
            let arguments = printed.arguments.iter().map(|v| self.writer.value(v));
            marks.push((
                printed.event.index,
                json!({
                    "kind": "printed",
                    "event": printed.event.index,
                    "moment": before.to_string(),
                    "text": arguments.collect::<Vec<_>>().join(", "),
                }),
            ));
        }
        marks.sort_by_key(|(index, _)| *index);
        let first = self.inspector.first(thread)?;
        let last = self.inspector.last(thread)?;
        Ok(json!({
            "events": self.inspector.trace().event_count(thread),
            "first": first.map(|moment| moment.to_string()),
            "last": last.map(|moment| moment.to_string()),
            "marks": marks.into_iter().map(|(_, mark)| mark).collect::<Vec<_>>(),
        }))
    }

    pub(super) fn step(&self, query: &Query) -> Answer {
        let at = query.need("at")?;
        let how: String = query.need("how")?;
        let to = match how.as_str() {
            "into" => self.inspector.step(at, Stride::Into)?,
            "over" => self.inspector.step(at, Stride::Over)?,
            "out" => self.inspector.step(at, Stride::Out)?,
            "back-into" => self.inspector.step_back(at, Stride::Into)?,
            "back-over" => self.inspector.step_back(at, Stride::Over)?,
            "back-out" => self.inspector.step_back(at, Stride::Out)?,
            other => return Err(Refusal::bad(format!("how={other}"))),
        };
        Ok(json!({ "moment": to.map(|moment| moment.to_string()) }))
    }
}

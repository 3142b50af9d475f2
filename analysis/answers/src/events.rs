//! The events of a trace, readable.

use std::io::{self, Write};

use jinsi_history::damage::Entry;
use jinsi_history::describe::Describer;
use jinsi_trace::model::{Event, ObjectId, Payload, Site, ThreadNo, Value};
use jinsi_trace::order::Merged;
use jinsi_trace::reader::{ReadError, Trace};
use serde::Serialize;

/// An event; or, behind all of them, a damage of the trace, of the kind `Damage`.
#[derive(Serialize)]
pub struct EventRow {
    /// Its thread.
    pub thread: Option<ThreadNo>,
    /// Its place in that.
    pub index: Option<u64>,
    /// What happened, in one word.
    pub kind: String,
    /// Where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// With which values.
    pub text: String,
}

/// Which events.
#[derive(Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// Those that name this object.
    pub object: Option<ObjectId>,
    /// Those in classes of which this holds, by their dotted names.
    pub class: Option<&'a dyn Fn(&str) -> bool>,
    /// Those of this thread; else those of all, in one order that contradicts nothing they synchronized by.
    pub thread: Option<ThreadNo>,
    /// Are objects named by what they are? Documents have their numbers alone.
    pub readable: bool,
}

impl<'a> Wanted<'a> {
    /// Those of this trace.
    pub fn of<'t>(self, trace: &'t Trace) -> impl Iterator<Item = Result<EventRow, ReadError>> + 't
    where
        'a: 't,
    {
        let describer = Describer::new(trace);
        events(trace, self.thread).filter_map(move |next| {
            let merged = match next {
                Ok(merged) => merged,
                Err(error) => return Some(Err(error)),
            };
            let event = &merged.event;
            if self.readable {
                describer.learn(event);
            }
            let site = trace.site_of(event);
            self.wants(event, site, trace).then(|| {
                Ok(EventRow {
                    thread: Some(merged.thread),
                    index: Some(merged.index),
                    kind: format!("{:?}", event.kind),
                    at: site.map(|s| describer.location(s)),
                    text: describer.event(event),
                })
            })
        })
    }

    fn wants(&self, event: &Event, site: Option<&Site>, trace: &Trace) -> bool {
        let in_class = self.class.is_none_or(|wanted| {
            site.and_then(|s| trace.class(s.class))
                .is_some_and(|c| wanted(&c.name.replace('/', ".")))
        });
        in_class && self.object.is_none_or(|id| names(event, id))
    }
}

/// The events of one thread, or of all in one order.
fn events(
    trace: &Trace,
    thread: Option<ThreadNo>,
) -> Box<dyn Iterator<Item = Result<Merged, ReadError>> + '_> {
    let Some(thread) = thread else {
        return Box::new(trace.merged());
    };
    let numbered = (0u64..).zip(trace.events(thread));
    Box::new(numbered.map(move |(index, event)| {
        event.map(|event| Merged {
            thread,
            index,
            event,
        })
    }))
}

impl EventRow {
    /// Writes it as a line.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let at = self.at.as_ref();
        let at = at.map_or_else(String::new, |place| format!("  at {place}"));
        let (thread, index) = (
            self.thread.unwrap_or_default(),
            self.index.unwrap_or_default(),
        );
        let (kind, text) = (&self.kind, &self.text);
        writeln!(to, "{thread}:{index:<7} {kind:<10} {text}{at}")
    }

    /// What of the trace is damaged.
    pub fn damage(entry: Entry) -> Self {
        Self {
            thread: entry.thread,
            index: None,
            kind: "Damage".into(),
            at: entry.segment.map(|no| format!("segment {no}")),
            text: entry.what,
        }
    }
}

fn names(event: &Event, id: ObjectId) -> bool {
    let is = |v: &Value| *v == Value::Object(id);
    match &event.payload {
        Payload::Operands(values) => values.iter().any(is),
        Payload::Define { id: defined, .. } => *defined == id,
        Payload::Content {
            id: holder,
            content,
        } => *holder == id || content.values().iter().any(is),
    }
}

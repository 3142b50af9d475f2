//! `jinsi events`: the events of a trace, readable.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use jinsi_history::damage::Entry;
use jinsi_history::describe::Describer;
use jinsi_trace::model::{Event, ObjectId, Payload, Site, ThreadNo, Value};
use jinsi_trace::order::Merged;
use jinsi_trace::reader::{ReadError, Trace};
use serde::Serialize;

use super::damage;
use super::output::{Output, ignore_closed_pipe, note};

const EXAMPLES: &str = "\
Examples:
  jinsi events run.jinsi --object 42        all that happened to object #42
  jinsi events run.jinsi --class 'com.foo.*' --limit 100

A line is thread:index, kind, what happened with which values (objects as #identity), and where. The events of several threads
come in one order that contradicts nothing they synchronized by; Order lines say where that was.";

/// Arguments of `events`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// Only events that name this object
    #[arg(long, value_name = "ID")]
    object: Option<ObjectId>,
    /// Only events in classes of this name ('*' and '?' are wildcards)
    #[arg(long, value_name = "PATTERN")]
    class: Option<String>,
    /// Only events of this thread
    #[arg(long, value_name = "NUMBER")]
    thread: Option<ThreadNo>,
    /// Stop after so many
    #[arg(long, value_name = "COUNT")]
    limit: Option<usize>,
}

/// An event for `--json`; or, behind all of them, a damage of the trace, of the kind `Damage`.
#[derive(Serialize)]
struct Row {
    thread: Option<ThreadNo>,
    index: Option<u64>,
    kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    text: String,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let trace = Trace::open(&args.trace)?;
    let describer = Describer::new(&trace);
    let mut rows = Vec::new();
    let damaged = damage::of(&trace).entries;
    let mut stdout = io::BufWriter::new(io::stdout().lock());
    let mut left = args.limit.unwrap_or(usize::MAX);
    for next in events(&trace, args.thread) {
        let Merged {
            thread,
            index,
            event,
        } = damage::named(next.map_err(Into::into), || damage::of(&trace))?;
        let site = trace.site_of(&event);
        if !wanted(args, &event, site, &trace) {
            continue;
        }
        if left == 0 {
            break;
        }
        left -= 1;
        let row = Row {
            thread: Some(thread),
            index: Some(index),
            kind: format!("{:?}", event.kind),
            at: site.map(|s| describer.location(s)),
            text: describer.event(&event),
        };
        if out.is_json() {
            rows.push(row);
            continue;
        }
        match row.write((thread, index), &mut stdout) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => break,
            written => written?,
        }
    }
    ignore_closed_pipe(stdout.flush())?;
    drop(stdout);
    for entry in &damaged {
        note(format!("{}: damaged: {entry}", args.trace.display()));
    }
    if out.is_json() {
        rows.extend(damaged.into_iter().map(Row::damage));
        out.result(&rows, |_| Ok(()))?;
    }
    Ok(true)
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

impl Row {
    /// Writes it as a line; it stands at this place of this thread.
    fn write(&self, (thread, index): (ThreadNo, u64), to: &mut dyn Write) -> io::Result<()> {
        let at = self.at.as_ref();
        let at = at.map_or_else(String::new, |place| format!("  at {place}"));
        let (kind, text) = (&self.kind, &self.text);
        writeln!(to, "{thread}:{index:<7} {kind:<10} {text}{at}")
    }

    fn damage(entry: Entry) -> Self {
        Self {
            thread: entry.thread,
            index: None,
            kind: "Damage".into(),
            at: entry.segment.map(|no| format!("segment {no}")),
            text: entry.what,
        }
    }
}

fn wanted(args: &Args, event: &Event, site: Option<&Site>, trace: &Trace) -> bool {
    let class_ok = args.class.as_ref().is_none_or(|pattern| {
        let pattern = jinsi_natural::pattern::Pattern::new(pattern);
        site.and_then(|s| trace.class(s.class))
            .is_some_and(|c| pattern.matches(&c.name.replace('/', ".")))
    });
    class_ok && args.object.is_none_or(|id| names(event, id))
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

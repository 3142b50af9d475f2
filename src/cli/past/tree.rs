//! `jinsi tree`: who called whom, with what, and what came of it.

use std::io::{self, Write};

use anyhow::Result;
use jinsi_inspect::{Activation, Call, Moment, Outcome};
use jinsi_trace::model::EventId;
use serde::Serialize;

use super::{Past, Shown, Writer, file, inspector, place};
use crate::cli::output::Output;

const EXAMPLES: &str = "\
Examples:
  jinsi tree run.jinsi                     what each thread called, from its beginning on
  jinsi tree run.jinsi 0:1234 --depth 1    what the call called that began with event 1234 of thread 0
  jinsi tree run.jinsi --depth 9 --limit 1000

Each call has the event with which it began, which is its name; calls of code that is not recorded have none. 'jinsi at FILE MOMENT' looks into one.";

/// Arguments of `tree`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// The call within which is looked, by the event with which it began: THREAD:EVENT (default: all threads)
    #[arg(value_name = "CALL")]
    call: Option<EventId>,
    /// So many levels of calls
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: usize,
    /// Show so many calls
    #[arg(long, value_name = "COUNT", default_value_t = 200)]
    limit: usize,
}

#[derive(Serialize)]
struct Document {
    trace: std::path::PathBuf,
    calls: Vec<Row>,
    /// Are there more than were to be shown?
    more: bool,
}

#[derive(Serialize)]
struct Row {
    depth: usize,
    /// The event with which it began; `null`: it is not recorded.
    call: Option<String>,
    method: String,
    /// The line of the call, 0 if not known.
    line: u16,
    arguments: Vec<Shown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    returned: Option<Shown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    threw: Option<String>,
    /// Did the recording end before the call?
    open: bool,
    before: String,
    after: String,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open()?;
    let inspector = inspector(&opened)?;
    let writer = Writer::new(&inspector);
    let mut pending = Vec::new();
    match args.call {
        Some(call) => pending.extend(within(&writer, call, 1, args)?),
        None => {
            for thread in inspector.trace().threads() {
                let outermost = inspector.outermost(thread.no)?;
                let calls = outermost.iter().take(args.limit + 1);
                let calls = calls.map(|activation| root(&writer, activation));
                for row in calls.collect::<Result<Vec<_>>>()? {
                    pending.push(row);
                }
            }
            pending.reverse();
        }
    }
    let mut calls: Vec<Row> = Vec::new();
    while let Some((name, row)) = pending.pop() {
        if calls.len() >= args.limit {
            pending.push((name, row));
            break;
        }
        let depth = row.depth + 1;
        calls.push(row);
        if let Some(name) = name.filter(|_| depth <= args.depth) {
            pending.extend(within(&writer, name, depth, args)?);
        }
    }
    let document = Document {
        trace: file(&args.past).to_owned(),
        calls,
        more: !pending.is_empty(),
    };
    out.result(&document, |to| print(&document, to))?;
    Ok(true)
}

/// A call that may be looked into, by its name.
type Named = (Option<EventId>, Row);

/// What a call called, the last one first.
fn within(writer: &Writer<'_, '_>, call: EventId, depth: usize, args: &Args) -> Result<Vec<Named>> {
    let most = args.limit.saturating_add(1);
    let calls = writer.inspector.callees(call, Moment::after(call), most)?;
    let rows = calls.iter().rev();
    Ok(rows
        .map(|call| (call.activation, row(writer, call, depth)))
        .collect())
}

fn row(writer: &Writer<'_, '_>, call: &Call, depth: usize) -> Row {
    let arguments = call.arguments.iter().map(|seen| writer.seen(seen));
    let (returned, threw, open) = outcome(writer, &call.outcome);
    Row {
        depth,
        call: call.activation.map(|name| name.to_string()),
        method: match call.method.name.is_empty() {
            true => "?".to_owned(),
            false => place(&call.method, 0),
        },
        line: call.line,
        arguments: arguments.collect(),
        returned,
        threw,
        open,
        before: call.before.to_string(),
        after: call.after.to_string(),
    }
}

/// A call that was begun in no other.
fn root(writer: &Writer<'_, '_>, activation: &Activation) -> Result<Named> {
    let begin = Moment::after(activation.name);
    let (returned, threw, open) = outcome(writer, &writer.inspector.outcome(activation.name)?);
    let state = writer.inspector.state(begin).ok();
    let frame = state.and_then(|state| {
        let mut frames = state.frames.into_iter();
        frames.find(|frame| frame.activation == activation.name)
    });
    let given = frame.map_or_else(Vec::new, |frame| frame.locals);
    let row = Row {
        depth: 0,
        call: Some(activation.name.to_string()),
        method: place(&activation.method, 0),
        line: 0,
        arguments: given
            .iter()
            .map(|local| writer.seen(&local.value))
            .collect(),
        returned,
        threw,
        open,
        before: begin.to_string(),
        after: activation.end.unwrap_or(begin).to_string(),
    };
    Ok((Some(activation.name), row))
}

fn outcome(writer: &Writer<'_, '_>, outcome: &Outcome) -> (Option<Shown>, Option<String>, bool) {
    match outcome {
        Outcome::Returned(value) => (value.as_ref().map(|seen| writer.seen(seen)), None, false),
        Outcome::Threw(0) => (None, Some("?".to_owned()), false),
        Outcome::Threw(id) => {
            let known = writer.inspector.trace().throwable(*id);
            let class = known.map_or_else(|| format!("#{id}"), |def| def.class.clone());
            (None, Some(class), false)
        }
        Outcome::Open => (None, None, true),
    }
}

fn print(document: &Document, to: &mut dyn Write) -> io::Result<()> {
    for row in &document.calls {
        let name = row.call.as_deref().unwrap_or("-");
        let arguments: Vec<String> = row.arguments.iter().map(Shown::to_string).collect();
        let indent = "  ".repeat(row.depth);
        write!(
            to,
            "{name:>12}  {indent}{}({})",
            row.method,
            arguments.join(", ")
        )?;
        match (&row.returned, &row.threw, row.open) {
            (Some(value), ..) => writeln!(to, " = {value}")?,
            (_, Some(class), _) => writeln!(to, " threw {class}")?,
            (_, _, true) => writeln!(to, " did not end")?,
            _ => writeln!(to)?,
        }
    }
    match document.more {
        true => writeln!(to, "… and more: --limit"),
        false => Ok(()),
    }
}

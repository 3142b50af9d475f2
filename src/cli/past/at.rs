//! `jinsi at`: what was the case at a moment.

use std::io::{self, Write};

use anyhow::Result;
use jinsi_inspect::{Change, Frame, Holds, Mark, Path, State, Stride};
use serde::Serialize;

use super::{Past, Shown, When, Writer, dotted, file, inspector, place};
use crate::cli::messages::NoAnswer;
use crate::cli::output::Output;

/// Elements of an array that are shown.
const ELEMENTS: u32 = 100;

const EXAMPLES: &str = "\
Examples:
  jinsi at run.jinsi failure                       the stack, with all variables, where the failure was thrown
  jinsi at run.jinsi 0:1234 --show this.next       and what an expression was then
  jinsi at run.jinsi 0:1234 --object 42            and what object #42 held then
  jinsi at run.jinsi 0:1234 --changed              and what changed since the innermost call began
  jinsi at run.jinsi 0:1234 --step back-over       where the line before began

A moment is THREAD:EVENT, right behind that event, as 'jinsi events' numbers them; with +N behind it, N instructions further. What the
recording does not say has a question mark and the reason.";

/// Arguments of `at`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    past: Past,
    /// THREAD:EVENT, THREAD:EVENT+STEPS, or 'failure'
    #[arg(value_name = "MOMENT")]
    moment: When,
    /// Go a step first: to the next line, or to the line before
    #[arg(long, value_name = "HOW")]
    step: Option<Step>,
    /// Also what this expression was: a variable, field, element (a[i]) or length; may be repeated
    #[arg(long, value_name = "EXPRESSION")]
    show: Vec<Path>,
    /// Also what the object with this number held
    #[arg(long, value_name = "ID")]
    object: Option<u64>,
    /// Also what changed since the innermost call began: '!' before what holds something else, '~' before what leads to that
    #[arg(long)]
    changed: bool,
}

/// A step.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Step {
    Into,
    Over,
    Out,
    BackInto,
    BackOver,
    BackOut,
}

#[derive(Serialize)]
struct Document {
    trace: std::path::PathBuf,
    moment: String,
    frames: Vec<FrameRow>,
    shown: Vec<Named>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<Object>,
    #[serde(skip_serializing_if = "Option::is_none")]
    changed: Option<Vec<Changed>>,
}

#[derive(Serialize)]
struct FrameRow {
    activation: String,
    method: String,
    descriptor: String,
    file: Option<String>,
    line: u16,
    bci: Option<u32>,
    this: Option<Shown>,
    locals: Vec<Named>,
}

#[derive(Serialize)]
struct Named {
    name: String,
    #[serde(flatten)]
    value: Shown,
}

#[derive(Serialize)]
struct Object {
    class: String,
    holds: Vec<Named>,
    /// What is shown is from then, and may have changed since.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<String>,
}

#[derive(Serialize)]
struct Changed {
    name: String,
    mark: &'static str,
    old: Shown,
    new: Shown,
    below: Vec<Changed>,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let opened = args.past.open()?;
    let inspector = inspector(&opened)?;
    let moment = args.moment.moment(&inspector)?;
    let writer = Writer::new(&inspector);
    let mut state = inspector.state(moment)?;
    if let Some(step) = args.step {
        let at = state.moment;
        let next = match step {
            Step::Into => inspector.step(at, Stride::Into)?,
            Step::Over => inspector.step(at, Stride::Over)?,
            Step::Out => inspector.step(at, Stride::Out)?,
            Step::BackInto => inspector.step_back(at, Stride::Into)?,
            Step::BackOver => inspector.step_back(at, Stride::Over)?,
            Step::BackOut => inspector.step_back(at, Stride::Out)?,
        };
        let Some(next) = next else {
            anyhow::bail!(NoAnswer::NoLine { at: at.to_string() }.to_string());
        };
        state = inspector.state(next)?;
    }
    let document = document(args, &writer, &state)?;
    out.result(&document, |to| print(&document, to))?;
    Ok(true)
}

fn document(args: &Args, writer: &Writer<'_, '_>, state: &State) -> Result<Document> {
    let inspector = writer.inspector;
    let at = state.moment;
    let mut shown = Vec::new();
    for path in &args.show {
        shown.push(Named {
            name: path.to_string(),
            value: writer.seen(&inspector.evaluate(at, 0, path)?),
        });
    }
    let object = args
        .object
        .map(|id| object(writer, id, state))
        .transpose()?;
    let changed = match state.frames.first().filter(|_| args.changed) {
        Some(frame) => {
            let all = inspector.changes(frame.activation, Some(at))?;
            Some(all.iter().map(|change| changed(writer, change)).collect())
        }
        None => None,
    };
    Ok(Document {
        trace: file(&args.past).to_owned(),
        moment: at.to_string(),
        frames: state.frames.iter().map(|f| row(writer, f)).collect(),
        shown,
        object,
        changed,
    })
}

fn row(writer: &Writer<'_, '_>, frame: &Frame) -> FrameRow {
    let locals = frame.locals.iter().map(|local| Named {
        name: local.name.clone(),
        value: writer.seen(&local.value),
    });
    FrameRow {
        activation: frame.activation.to_string(),
        method: place(&frame.method, 0),
        descriptor: frame.method.desc.to_string(),
        file: frame.file.clone(),
        line: frame.line,
        bci: frame.bci,
        this: frame.this.as_ref().map(|this| writer.seen(this)),
        locals: locals.collect(),
    }
}

fn object(writer: &Writer<'_, '_>, id: u64, state: &State) -> Result<Object> {
    let object = writer.inspector.object(id, state.moment, 0..ELEMENTS)?;
    let mut since = None;
    let holds = match &object.holds {
        Holds::Fields(fields, _) => fields
            .iter()
            .map(|(field, seen)| Named {
                name: field.name.to_string(),
                value: writer.seen(seen),
            })
            .collect(),
        Holds::Elements(elements, _) => elements
            .iter()
            .map(|(index, seen)| Named {
                name: format!("[{index}]"),
                value: writer.seen(seen),
            })
            .collect(),
        Holds::Content(content, at) => {
            since = Some(at.to_string());
            let values = content.values().iter().take(ELEMENTS as usize);
            let numbered = values.enumerate().map(|(place, value)| Named {
                name: place.to_string(),
                value: writer.seen(&jinsi_inspect::Seen::Known(value.clone())),
            });
            numbered.collect()
        }
        Holds::Opaque => Vec::new(),
    };
    Ok(Object {
        class: dotted(&object.class),
        holds,
        since,
    })
}

fn changed(writer: &Writer<'_, '_>, change: &Change) -> Changed {
    Changed {
        name: change.name.clone(),
        mark: match change.mark {
            Mark::Same => "same",
            Mark::Below => "below",
            Mark::Changed => "changed",
            Mark::Unknown => "unknown",
        },
        old: writer.seen(&change.old),
        new: writer.seen(&change.new),
        below: change.below.iter().map(|c| changed(writer, c)).collect(),
    }
}

fn print(document: &Document, to: &mut dyn Write) -> io::Result<()> {
    writeln!(to, "{}", document.moment)?;
    for frame in &document.frames {
        let line = frame.line;
        let file = frame.file.as_deref().unwrap_or("Unknown Source");
        writeln!(
            to,
            "{}({file}:{line})   call {}",
            frame.method, frame.activation
        )?;
        if let Some(this) = &frame.this {
            writeln!(to, "    this = {this}")?;
        }
        for local in &frame.locals {
            writeln!(to, "    {} = {}", local.name, local.value)?;
        }
    }
    for shown in &document.shown {
        writeln!(to, "{} = {}", shown.name, shown.value)?;
    }
    if let Some(object) = &document.object {
        match &object.since {
            Some(since) => writeln!(to, "{}, as recorded at {since}", object.class)?,
            None => writeln!(to, "{}", object.class)?,
        }
        for held in &object.holds {
            writeln!(to, "    {} = {}", held.name, held.value)?;
        }
    }
    for change in document.changed.iter().flatten() {
        print_change(change, 0, to)?;
    }
    Ok(())
}

fn print_change(change: &Changed, depth: usize, to: &mut dyn Write) -> io::Result<()> {
    let mark = match change.mark {
        "changed" => '!',
        "below" => '~',
        "unknown" => '?',
        _ => ' ',
    };
    let indent = "    ".repeat(depth);
    match change.mark {
        "changed" => writeln!(
            to,
            "{mark} {indent}{}: {} -> {}",
            change.name, change.old, change.new
        )?,
        _ => writeln!(to, "{mark} {indent}{} = {}", change.name, change.new)?,
    }
    for below in &change.below {
        print_change(below, depth + 1, to)?;
    }
    Ok(())
}

//! What was the case at a moment.

use std::io::{self, Write};
use std::path::PathBuf;

use jinsi_inspect::{Change, Frame, Holds, InspectError, Mark, Moment, Path, State};
use serde::Serialize;

use crate::said::{Shown, Writer, distinguish, dotted, place};

/// Elements of an array that are shown.
const ELEMENTS: u32 = 100;

/// The state of a thread at a moment.
#[derive(Serialize)]
pub struct Document {
    /// The recording.
    pub trace: PathBuf,
    /// The moment.
    pub moment: String,
    /// The stack, the innermost call first.
    pub frames: Vec<FrameRow>,
    /// Expressions that were asked for.
    pub shown: Vec<Named>,
    /// The object that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<ObjectRow>,
    /// What changed since the innermost call began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<Changed>>,
}

/// A call on the stack.
#[derive(Serialize)]
pub struct FrameRow {
    /// The event with which it began.
    pub activation: String,
    /// Class and name.
    pub method: String,
    /// Descriptor of the method.
    pub descriptor: String,
    /// The source file.
    pub file: Option<String>,
    /// Where it was, 0 if not known.
    pub line: u16,
    /// The instruction.
    pub bci: Option<u32>,
    /// Its object.
    pub this: Option<Shown>,
    /// Its variables.
    pub locals: Vec<Named>,
}

/// A value with a name.
#[derive(Serialize)]
pub struct Named {
    /// A variable, field, element or expression.
    pub name: String,
    /// What it was.
    #[serde(flatten)]
    pub value: Shown,
}

impl Named {
    fn value_mut(&mut self) -> &mut Shown {
        &mut self.value
    }
}

/// What an object held.
#[derive(Serialize)]
pub struct ObjectRow {
    /// Its class, dotted.
    pub class: String,
    /// Its fields, elements or content.
    pub holds: Vec<Named>,
    /// What is shown is from then, and may have changed since.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// A change within a call.
#[derive(Serialize)]
pub struct Changed {
    /// What changed.
    pub name: String,
    /// `same`, `below` (what it leads to changed), `changed` or `unknown`.
    pub mark: &'static str,
    /// Before.
    pub old: Shown,
    /// After.
    pub new: Shown,
    /// What it leads to.
    pub below: Vec<Changed>,
}

/// What is asked of a moment besides the stack.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Expressions of the innermost call.
    pub shown: &'a [Path],
    /// An object, by its number.
    pub object: Option<u64>,
    /// What changed since the innermost call began.
    pub changed: bool,
}

/// The state, and what is asked besides.
///
/// # Errors
/// The trace cannot be read, or an expression is none there.
pub fn document(
    writer: &Writer<'_, '_>,
    trace: PathBuf,
    state: &State,
    wanted: &Wanted<'_>,
) -> Result<Document, InspectError> {
    let inspector = writer.inspector;
    let at = state.moment;
    let mut shown = Vec::new();
    for path in wanted.shown {
        shown.push(Named {
            name: path.to_string(),
            value: writer.seen_at(&inspector.evaluate(at, 0, path)?, at),
        });
    }
    let object = wanted
        .object
        .map(|id| object(writer, id, state))
        .transpose()?;
    let changed = match state.frames.first().filter(|_| wanted.changed) {
        Some(frame) => {
            let all = inspector.changes(frame.activation, Some(at))?;
            let moments = (Moment::after(frame.activation), at);
            Some(
                (all.iter())
                    .map(|change| changed(writer, change, moments))
                    .collect(),
            )
        }
        None => None,
    };
    let mut document = Document {
        trace,
        moment: at.to_string(),
        frames: state.frames.iter().map(|f| row(writer, f, at)).collect(),
        shown,
        object,
        changed,
    };
    distinguish(document.values());
    Ok(document)
}

fn row(writer: &Writer<'_, '_>, frame: &Frame, at: Moment) -> FrameRow {
    let locals = frame.locals.iter().map(|local| Named {
        name: local.name.clone(),
        value: writer.seen_at(&local.value, at),
    });
    FrameRow {
        activation: frame.activation.to_string(),
        method: place(&frame.method, 0),
        descriptor: frame.method.desc.to_string(),
        file: frame.file.clone(),
        line: frame.line,
        bci: frame.bci,
        this: frame.this.as_ref().map(|this| writer.seen_at(this, at)),
        locals: locals.collect(),
    }
}

fn object(writer: &Writer<'_, '_>, id: u64, state: &State) -> Result<ObjectRow, InspectError> {
    let object = writer.inspector.object(id, state.moment, 0..ELEMENTS)?;
    let mut since = None;
    let holds = match &object.holds {
        Holds::Fields(fields, _) => fields
            .iter()
            .map(|(field, seen)| Named {
                name: field.name.to_string(),
                value: writer.seen_at(seen, state.moment),
            })
            .collect(),
        Holds::Elements(elements, _) => elements
            .iter()
            .map(|(index, seen)| Named {
                name: format!("[{index}]"),
                value: writer.seen_at(seen, state.moment),
            })
            .collect(),
        Holds::Content(content, at) => {
            since = Some(at.to_string());
            let values = content.values().iter().take(ELEMENTS as usize);
            let numbered = values.enumerate().map(|(place, value)| Named {
                name: place.to_string(),
                value: writer.seen_at(&jinsi_inspect::Seen::Known(value.clone()), *at),
            });
            numbered.collect()
        }
        Holds::Opaque => Vec::new(),
    };
    Ok(ObjectRow {
        class: dotted(&object.class),
        holds,
        since,
    })
}

/// A change between two moments.
fn changed(writer: &Writer<'_, '_>, change: &Change, (begin, end): (Moment, Moment)) -> Changed {
    let below = change.below.iter();
    Changed {
        name: change.name.clone(),
        mark: match change.mark {
            Mark::Same => "same",
            Mark::Below => "below",
            Mark::Changed => "changed",
            Mark::Unknown => "unknown",
        },
        old: writer.seen_at(&change.old, begin),
        new: writer.seen_at(&change.new, end),
        below: below.map(|c| changed(writer, c, (begin, end))).collect(),
    }
}

impl Document {
    /// All values, but for what changed.
    fn values(&mut self) -> impl Iterator<Item = &mut Shown> {
        let of_frames = self.frames.iter_mut().flat_map(|frame| {
            let locals = frame.locals.iter_mut().map(Named::value_mut);
            frame.this.iter_mut().chain(locals)
        });
        let held = self.object.iter_mut().flat_map(|object| &mut object.holds);
        of_frames.chain(self.shown.iter_mut().chain(held).map(Named::value_mut))
    }

    /// As text.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&self, to: &mut dyn Write) -> io::Result<()> {
        let document = self;
        writeln!(to, "moment {}", document.moment)?;
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

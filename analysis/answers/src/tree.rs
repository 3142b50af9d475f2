//! Who called whom, with what, and what came of it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::PathBuf;

use jinsi_classfile::descriptor::MethodType;
use jinsi_inspect::{Activation, Call, InspectError, Moment, Outcome};
use jinsi_trace::model::{EventId, MemberRef, ObjectId};
use serde::Serialize;

use crate::said::{Shown, Writer, distinguish, place};

/// Calls, each before those that it called.
#[derive(Serialize)]
pub struct Document {
    /// The recording.
    pub trace: PathBuf,
    /// The calls.
    pub calls: Vec<CallRow>,
    /// Are there more than were to be shown?
    pub more: bool,
}

/// A call.
#[derive(Serialize)]
pub struct CallRow {
    /// In how many of the calls that are shown it is.
    pub depth: usize,
    /// The event with which it began; `null`: it is not recorded.
    pub call: Option<String>,
    /// Class and name of the method.
    pub method: String,
    /// The line of the call, 0 if not known.
    pub line: u16,
    /// The object whose method it is, if it is no static one, and what it was given.
    pub arguments: Vec<Shown>,
    /// Is the first of these the object?
    #[serde(skip)]
    pub has_this: bool,
    /// What it returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub returned: Option<Shown>,
    /// The class of the exception that it threw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threw: Option<String>,
    /// Did the recording end before the call?
    pub open: bool,
    /// The moment before it.
    pub before: String,
    /// The moment after it.
    pub after: String,
}

/// Which calls.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// Those within this call; else those of all threads.
    pub within: Option<EventId>,
    /// So many levels of calls.
    pub depth: usize,
    /// So many calls.
    pub limit: usize,
}

/// The calls.
///
/// # Errors
/// The trace cannot be read, or has no such call.
pub fn document(
    writer: &Writer<'_, '_>,
    trace: PathBuf,
    wanted: Wanted,
) -> Result<Document, InspectError> {
    let inspector = writer.inspector;
    let mut pending = Vec::new();
    match wanted.within {
        Some(call) => pending.extend(within(writer, call, 1, wanted)?),
        None => {
            for thread in inspector.trace().threads() {
                let outermost = inspector.outermost(thread.no)?;
                let calls = outermost.iter().take(wanted.limit + 1);
                let calls = calls.map(|activation| root(writer, activation));
                pending.extend(calls.collect::<Result<Vec<_>, _>>()?);
            }
            pending.reverse();
        }
    }
    let mut calls: Vec<CallRow> = Vec::new();
    while let Some((name, row)) = pending.pop() {
        if calls.len() >= wanted.limit {
            pending.push((name, row));
            break;
        }
        let depth = row.depth + 1;
        calls.push(row);
        if let Some(name) = name.filter(|_| depth <= wanted.depth) {
            pending.extend(within(writer, name, depth, wanted)?);
        }
    }
    distinguish(calls.iter_mut().flat_map(|call| {
        let given = call.arguments.iter_mut().skip(usize::from(call.has_this));
        given.chain(&mut call.returned)
    }));
    Ok(Document {
        trace,
        calls,
        more: !pending.is_empty(),
    })
}

/// A call that may be looked into, by its name.
type Named = (Option<EventId>, CallRow);

/// What a call called, the last one first.
fn within(
    writer: &Writer<'_, '_>,
    call: EventId,
    depth: usize,
    wanted: Wanted,
) -> Result<Vec<Named>, InspectError> {
    let most = wanted.limit.saturating_add(1);
    let calls = writer.inspector.callees(call, Moment::after(call), most)?;
    let rows = calls.iter().rev();
    Ok(rows
        .map(|call| (call.activation, row(writer, call, depth)))
        .collect())
}

fn row(writer: &Writer<'_, '_>, call: &Call, depth: usize) -> CallRow {
    let arguments = (call.arguments.iter()).map(|seen| writer.seen_at(seen, call.before));
    let (returned, threw, open) = outcome(writer, &call.outcome, call.after);
    CallRow {
        depth,
        call: call.activation.map(|name| name.to_string()),
        method: match call.method.name.is_empty() {
            true => "?".to_owned(),
            false => place(&call.method, 0),
        },
        line: call.line,
        arguments: arguments.collect(),
        has_this: has_this(&call.method, call.arguments.len()),
        returned,
        threw,
        open,
        before: call.before.to_string(),
        after: call.after.to_string(),
    }
}

/// A call that was begun in no other.
fn root(writer: &Writer<'_, '_>, activation: &Activation) -> Result<Named, InspectError> {
    let begin = Moment::after(activation.name);
    let end = activation.end.unwrap_or(begin);
    let how = writer.inspector.outcome(activation.name)?;
    let (returned, threw, open) = outcome(writer, &how, end);
    let state = writer.inspector.state(begin).ok();
    let frame = state.and_then(|state| {
        let mut frames = state.frames.into_iter();
        frames.find(|frame| frame.activation == activation.name)
    });
    let given = frame.map_or_else(Vec::new, |frame| frame.locals);
    let row = CallRow {
        depth: 0,
        call: Some(activation.name.to_string()),
        method: place(&activation.method, 0),
        line: 0,
        has_this: has_this(&activation.method, given.len()),
        arguments: given
            .iter()
            .map(|local| writer.seen_at(&local.value, begin))
            .collect(),
        returned,
        threw,
        open,
        before: begin.to_string(),
        after: end.to_string(),
    };
    Ok((Some(activation.name), row))
}

fn outcome(
    writer: &Writer<'_, '_>,
    outcome: &Outcome,
    end: Moment,
) -> (Option<Shown>, Option<String>, bool) {
    match outcome {
        Outcome::Returned(value) => (
            value.as_ref().map(|seen| writer.seen_at(seen, end)),
            None,
            false,
        ),
        Outcome::Threw(0) => (None, Some("?".to_owned()), false),
        Outcome::Threw(id) => {
            let known = writer.inspector.trace().throwable(*id);
            let class = known.map_or_else(|| format!("#{id}"), |def| def.class.clone());
            (None, Some(class), false)
        }
        Outcome::Open => (None, None, true),
    }
}

/// Has a call with so many values besides its parameters the object whose method it is?
fn has_this(method: &MemberRef, values: usize) -> bool {
    let parsed = MethodType::parse(&method.desc);
    parsed.is_ok_and(|parsed| values == parsed.params.len() + 1)
}

/// Of each class, the objects whose methods are called.
struct Receivers<'a>(BTreeMap<&'a str, BTreeSet<ObjectId>>);

impl<'a> Receivers<'a> {
    fn of(calls: &'a [CallRow]) -> Self {
        let mut all: BTreeMap<&str, BTreeSet<ObjectId>> = BTreeMap::new();
        for row in calls {
            let (class, method) = row.class_and_method();
            let this = row.arguments.first().filter(|_| row.has_this);
            if let Some(id) = this.and_then(|this| this.object)
                && method != "<init>"
            {
                all.entry(class).or_default().insert(id);
            }
        }
        Self(all)
    }

    /// A call as Java has it. The number of the object stands there if there is another one of its class.
    fn call(&self, row: &CallRow) -> String {
        let (class, method) = row.class_and_method();
        let given = row.arguments.iter().skip(usize::from(row.has_this));
        let given: Vec<String> = given.map(Shown::to_string).collect();
        let given = given.join(", ");
        let several = self.0.get(class).is_some_and(|all| all.len() > 1);
        let this = row.arguments.first().and_then(|this| this.object);
        match (method, this.filter(|_| several && row.has_this)) {
            ("<init>", _) => format!("new {class}({given})"),
            ("<clinit>", _) => format!("static initializer of {class}"),
            (_, Some(id)) => format!("{class}#{id}.{method}({given})"),
            (_, None) if class.is_empty() => format!("{method}({given})"),
            (_, None) => format!("{class}.{method}({given})"),
        }
    }
}

/// The constructors that are open, to find `super()` calls that nobody wrote.
#[derive(Default)]
struct Constructors {
    /// Depths of open constructors that have not yet called that of their superclass.
    fresh: Vec<usize>,
}

impl Constructors {
    /// Is it the `super()` of a class that extends none? It comes before all else that a constructor creates, and says nothing.
    fn is_bare_super(&mut self, row: &CallRow) -> bool {
        self.fresh.retain(|depth| *depth < row.depth);
        let (class, method) = row.class_and_method();
        if method != "<init>" {
            return false;
        }
        let is_first = self
            .fresh
            .last()
            .is_some_and(|depth| depth + 1 == row.depth);
        if is_first {
            self.fresh.pop();
        }
        let is_bare = is_first
            && row.call.is_none()
            && ["java.lang.Object", "java.lang.Record"].contains(&class);
        if !is_bare {
            self.fresh.push(row.depth);
        }
        is_bare
    }
}

impl CallRow {
    /// The class, dotted, and the name of the method.
    fn class_and_method(&self) -> (&str, &str) {
        self.method.rsplit_once('.').unwrap_or(("", &self.method))
    }
}

impl Document {
    /// As text.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&self, to: &mut dyn Write) -> io::Result<()> {
        let receivers = Receivers::of(&self.calls);
        let mut constructors = Constructors::default();
        for row in &self.calls {
            if constructors.is_bare_super(row) {
                continue;
            }
            let name = row.call.as_deref().unwrap_or("-");
            let indent = "  ".repeat(row.depth);
            write!(to, "{name:>12}  {indent}{}", receivers.call(row))?;
            match (&row.returned, &row.threw, row.open) {
                (Some(value), ..) => writeln!(to, " = {value}")?,
                (_, Some(class), _) => writeln!(to, " threw {class}")?,
                (_, _, true) => writeln!(to, " did not end")?,
                _ => writeln!(to)?,
            }
        }
        match self.more {
            true => writeln!(to, "… and more: --limit"),
            false => Ok(()),
        }
    }
}

//! A call as a question: what it was given, what it gave, what it changed.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::io::{self, Write};

use jinsi_declarative::Tree;
use jinsi_inspect::{Change, Frame, Holds, InspectError, Inspector, Mark, Moment, Printed, Seen};
use jinsi_trace::model::{Content, EventId, ThreadNo, Value};
use serde::Serialize;

use jinsi_answers::{Writer, dotted};

use crate::error::Result;
use crate::span::Span;

/// Elements of an array, and fields of an object, that are written.
const PARTS: u32 = 12;
/// How deep objects are written within one another.
pub(crate) const DEPTH: usize = 3;
/// Prints that are written.
const PRINTED: usize = 30;
/// Characters of a value that a terminal shows.
const WIDTH: usize = 400;
/// Prints that are looked through.
const PRINTS: usize = 100_000;

/// A question.
#[derive(Debug, Serialize)]
pub struct Question {
    /// The activation; of several calls, the first.
    pub call: String,
    /// Of several calls that are asked about together, the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// As a line of Java, with what came of it.
    pub(crate) text: String,
    pub(crate) method: String,
    /// Class file's source and the method's line where the call began.
    pub(crate) place: String,
    /// Of several calls, which these are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) calls: Vec<String>,
    /// Receiver and arguments before; of several calls, the variables of the call that made them.
    pub(crate) given: Vec<Given>,
    /// What came from other threads while it ran, which did not work for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) others: Vec<String>,
    /// What it returned, or by which exception it ended; nothing of several calls.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) gave: String,
    /// The expression that means what it gave, if it gave anything: `result` or `exception`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) outcome: Option<&'static str>,
    /// What was changed that its caller can see.
    pub(crate) changed: Vec<Changed>,
    /// What other threads did for it, and what came of that.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) tasks: Vec<String>,
    /// What it printed, and they.
    pub(crate) printed: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Given {
    pub(crate) name: String,
    pub(crate) value: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct Changed {
    name: String,
    /// `changed`: it holds something else; `below`: what it leads to does.
    mark: &'static str,
    old: String,
    new: String,
    /// The name of the thread that wrote it last, if that is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<String>,
}

impl Changed {
    /// A change of these calls; nothing if it is none.
    pub(crate) fn of(show: &Show<'_, '_>, span: &Span, change: &Change) -> Option<Self> {
        let mark = match change.mark {
            Mark::Changed => "changed",
            Mark::Below => "below",
            Mark::Same | Mark::Unknown => return None,
        };
        Some(Self {
            name: change.name.clone(),
            mark,
            old: show.deep(&change.old, span.begin, 1),
            new: show.deep(&change.new, span.end, 1),
            by: change.by.map(|by| show.thread_name(by.thread())),
        })
    }
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, old, new, .. } = self;
        if self.mark == "below" {
            return write!(f, "{name}, now {new}");
        }
        write!(f, "{name}: {old} -> {new}")?;
        match &self.by {
            Some(by) => write!(f, " (by thread {by})"),
            None => Ok(()),
        }
    }
}

impl Question {
    /// Writes it for a terminal.
    ///
    /// # Errors
    /// That cannot be written.
    pub fn print(&self, to: &mut dyn Write) -> io::Result<()> {
        writeln!(to, "    {}", self.text)?;
        writeln!(to, "        {}", self.place)?;
        let line =
            |to: &mut dyn Write, label: &str, text: &str| match text.char_indices().nth(WIDTH) {
                Some((end, _)) => writeln!(to, "    {label:<9}{} …", &text[..end]),
                None => writeln!(to, "    {label:<9}{text}"),
            };
        for (no, call) in self.calls.iter().enumerate() {
            line(to, if no == 0 { "calls" } else { "" }, call)?;
        }
        let given = if self.last.is_some() {
            "before"
        } else {
            "given"
        };
        for (no, variable) in self.given.iter().enumerate() {
            let label = if no == 0 { given } else { "" };
            line(
                to,
                label,
                &format!("{} = {}", variable.name, variable.value),
            )?;
        }
        for (no, others) in self.others.iter().enumerate() {
            line(to, if no == 0 { "others" } else { "" }, others)?;
        }
        if !self.gave.is_empty() {
            line(to, "gave", &self.gave)?;
        }
        if self.changed.is_empty() {
            line(to, "changed", "nothing that its caller can see")?;
        }
        for (no, change) in self.changed.iter().enumerate() {
            let label = if no == 0 { "changed" } else { "" };
            let mark = if change.mark == "below" { '~' } else { '!' };
            line(to, label, &format!("{mark} {change}"))?;
        }
        for (no, task) in self.tasks.iter().enumerate() {
            line(to, if no == 0 { "tasks" } else { "" }, task)?;
        }
        for (no, printed) in self.printed.iter().enumerate() {
            line(to, if no == 0 { "printed" } else { "" }, printed)?;
        }
        Ok(())
    }
}

/// Receiver and local variables of a frame, by name.
pub(crate) fn variables(frame: &Frame) -> Vec<(String, Seen)> {
    let mut all = Vec::new();
    if let Some(this) = &frame.this {
        all.push(("this".to_owned(), this.clone()));
    }
    let this = frame.this.as_ref().map(|_| 0);
    let locals = frame.locals.iter().filter(|l| Some(l.slot) != this);
    all.extend(locals.map(|l| (l.name.clone(), l.value.clone())));
    all
}

/// Writes calls.
pub struct Show<'a, 't> {
    pub(crate) inspector: &'a Inspector<'t>,
    /// Whose calls are asked about.
    pub(crate) tree: &'a Tree,
    writer: Writer<'a, 't>,
    /// What each thread printed, of those that were looked at.
    printed: BTreeMap<ThreadNo, Vec<Printed>>,
}

impl<'a, 't> Show<'a, 't> {
    /// Of this run, in which questions are about these calls.
    pub fn new(inspector: &'a Inspector<'t>, tree: &'a Tree) -> Self {
        Self {
            inspector,
            tree,
            writer: Writer::new(inspector),
            printed: BTreeMap::new(),
        }
    }

    /// A call as a line of Java.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn call(&self, name: EventId) -> Result<String> {
        let (given, _) = self.given(name)?;
        self.line(name, &given)
    }

    pub(crate) fn line(&self, name: EventId, given: &[(String, Seen)]) -> Result<String> {
        let method = self.inspector.activation(name)?.method;
        let class = dotted(&method.owner);
        let simple = class.rsplit('.').next().unwrap_or_default().to_owned();
        let has_this = given.first().is_some_and(|(name, _)| name == "this");
        let arguments = given.iter().skip(usize::from(has_this));
        let arguments = arguments.map(|(name, seen)| match seen {
            Seen::Known(Value::Object(_)) | Seen::Fresh { .. } | Seen::Unknown(_) => name.clone(),
            Seen::Known(_) => self.short(seen),
        });
        let arguments: Vec<String> = arguments.collect();
        let arguments = arguments.join(", ");
        Ok(match method.name.as_str() {
            "<init>" => format!("new {simple}({arguments})"),
            "<clinit>" => format!("the initializer of {simple}"),
            called if has_this => format!("{}.{called}({arguments})", self.short(&given[0].1)),
            called => format!("{simple}.{called}({arguments})"),
        })
    }

    /// Receiver and arguments, and the line where it begins.
    pub(crate) fn given(&self, name: EventId) -> Result<(Vec<(String, Seen)>, String)> {
        let activation = self.inspector.activation(name)?;
        let Some(state) = known(self.inspector.state(Moment::after(name)))? else {
            return Ok((Vec::new(), activation.file.unwrap_or_default()));
        };
        let frame = state.frames.iter().find(|frame| frame.activation == name);
        let Some(frame) = frame else {
            return Ok((Vec::new(), String::new()));
        };
        let given = variables(frame);
        let mut place = match (&frame.file, frame.line) {
            (Some(file), line) => format!("{file}:{line}"),
            (None, _) => String::new(),
        };
        if name.thread != self.tree.thread() {
            place = format!("{place}, in thread {}", self.thread_name(name.thread));
        }
        if let Some(caller) = activation.caller {
            let caller = self.inspector.activation(caller)?.method;
            place = format!(
                "{place}, called by {}.{}",
                dotted(&caller.owner),
                caller.name
            );
        }
        Ok((given, place))
    }

    pub(crate) fn thrown(&self, name: EventId, id: u64) -> Result<String> {
        let all = self.inspector.exceptions(name.thread)?;
        let thrown = all.into_iter().find(|thrown| thrown.throwable == id);
        let class = self.inspector.class_of(id).map(dotted);
        let class = class.unwrap_or_else(|| "something".to_owned());
        Ok(match thrown.and_then(|thrown| thrown.message) {
            Some(message) => format!("an exception: {class}: {message}"),
            None => format!("an exception: {class}"),
        })
    }

    /// By these calls, and by others for them, in the order of all threads.
    pub(crate) fn printed(&mut self, span: &Span) -> Result<Vec<String>> {
        let mut within = vec![(span.begin.event, span.end.event)];
        for task in span.tasks(self.tree) {
            let name = self.tree.name(task);
            let end = self.inspector.activation(name)?.end;
            within.extend(end.map(|end| (name, end.event)));
        }
        let inspector = self.inspector;
        let mut found: Vec<(u64, String)> = Vec::new();
        for (begin, end) in within {
            let all = match self.printed.entry(begin.thread) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(inspector.output(begin.thread, PRINTS)?),
            };
            let from = all.partition_point(|printed| printed.event < begin);
            let own = all[from..].iter().take_while(|p| p.event <= end);
            let own = own.take(PRINTED);
            found.extend(own.map(|p| (inspector.rank(p.event), print(&self.writer, p))));
        }
        found.sort_by_key(|(rank, _)| *rank);
        let texts = found.into_iter().map(|(_, text)| text);
        Ok(texts.take(PRINTED).collect())
    }

    pub(crate) fn thread_name(&self, no: ThreadNo) -> String {
        let mut threads = self.inspector.trace().threads().iter();
        let named = threads.find(|thread| thread.no == no);
        named.map_or_else(|| no.to_string(), |thread| thread.name.clone())
    }

    /// A value without what it holds.
    fn short(&self, seen: &Seen) -> String {
        match seen {
            Seen::Known(Value::Object(id)) => self.name_of(*id),
            seen => self.writer.seen(seen).to_string(),
        }
    }

    fn name_of(&self, id: u64) -> String {
        let class = self.inspector.class_of(id).map(dotted).unwrap_or_default();
        format!("{}#{id}", class.rsplit('.').next().unwrap_or_default())
    }

    /// A value with what it holds at a moment, so deep.
    pub(crate) fn deep(&self, seen: &Seen, moment: Moment, depth: usize) -> String {
        let Seen::Known(Value::Object(id)) = seen else {
            return self.short(seen);
        };
        if let Ok(Some(Content::Text(text))) = self.inspector.content_at(*id, moment) {
            return text.to_string();
        }
        if depth == 0 {
            return self.name_of(*id);
        }
        let Ok(object) = self.inspector.object(*id, moment, 0..PARTS) else {
            return self.name_of(*id);
        };
        let inner = |seen: &Seen| self.deep(seen, moment, depth - 1);
        match object.holds {
            Holds::Fields(fields, _) => {
                let all = fields.iter().take(PARTS as usize);
                let all = all.map(|(field, seen)| format!("{} = {}", field.name, inner(seen)));
                format!(
                    "{} {{{}}}",
                    self.name_of(*id),
                    all.collect::<Vec<_>>().join(", ")
                )
            }
            Holds::Elements(elements, length) => {
                let mut all: Vec<String> = elements.iter().map(|(_, seen)| inner(seen)).collect();
                if length.is_none_or(|length| length > elements.len() as u32) {
                    all.push("…".to_owned());
                }
                format!("{{{}}}", all.join(", "))
            }
            Holds::Content(content, _) => {
                let values = content.values().iter().take(PARTS as usize);
                let all = values.map(|value| inner(&Seen::Known(value.clone())));
                format!(
                    "{} [{}]",
                    self.name_of(*id),
                    all.collect::<Vec<_>>().join(", ")
                )
            }
            Holds::Opaque => self.name_of(*id),
        }
    }
}

/// Nothing if the recording broke off before it tells any instruction of that moment: a killed program has such calls.
pub(crate) fn known<T>(answer: Result<T, InspectError>) -> Result<Option<T>, InspectError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(InspectError::NoMoment(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What was printed, as a call.
fn print(writer: &Writer<'_, '_>, printed: &Printed) -> String {
    let all = printed.arguments.iter();
    let all: Vec<String> = all.map(|value| writer.value(value).to_string()).collect();
    format!("{}({})", printed.method, all.join(", "))
}

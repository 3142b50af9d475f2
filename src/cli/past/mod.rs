//! What the commands share that ask for the past: opening a trace, and how moments, values and calls are written.

pub(crate) mod at;
pub(crate) mod history;
pub(crate) mod logpoint;
pub(crate) mod origin;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_analysis::pipeline::Run;
use jinsi_files::temporary;
use jinsi_history::describe::Describer;
use jinsi_history::failures;
use jinsi_inspect::{Entry, Inspector, Moment, Seen};
use jinsi_trace::model::{Detail, MemberRef, Value};
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::embedded::agent_library;
use super::output::note;
use super::prepared::ReplayOptions;
use super::progress::Spinner;

/// Which trace, and how it is replayed if it has not all that is needed.
#[derive(clap::Args)]
pub(crate) struct Past {
    /// The trace; one with detail=states answers everything
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// Replay the recording first, so that fields of a method's own object and what is computed are known; moments are then those of the replay
    #[arg(long)]
    replayed: bool,
    #[command(flatten)]
    replay: ReplayOptions,
}

/// A trace to be asked, and the directory that holds it if a replay was recorded.
pub(crate) struct Opened {
    pub(crate) trace: Trace,
    _directory: Option<temporary::Directory>,
}

impl Past {
    /// Opens the trace, or that of a replay.
    pub(crate) fn open(&self) -> Result<Opened> {
        let trace = Trace::open(&self.trace)?;
        let detail = trace.meta().detail;
        if !self.replayed {
            if detail == Detail::Instructions {
                note(
                    "recorded with detail=instructions: some values are not known; --replayed finds them",
                );
            }
            return Ok(Opened {
                trace,
                _directory: None,
            });
        }
        let directory = temporary::directory().context("no temporary directory")?;
        let file = directory.path().join("states.jinsi");
        let _spinner = Spinner::new("replaying, to record states");
        let run = Run::open(&self.trace)?;
        let prepared = self.replay.prepare(None)?;
        run.expand(&prepared.config, &agent_library()?, Detail::States, &file)?;
        Ok(Opened {
            trace: Trace::open(&file)?,
            _directory: Some(directory),
        })
    }
}

impl Past {
    /// How is it replayed?
    pub(crate) fn replay(&self) -> &ReplayOptions {
        &self.replay
    }

    /// Is it a replay that is asked?
    pub(crate) fn is_replayed(&self) -> bool {
        self.replayed
    }
}

/// Goes over the trace.
pub(crate) fn inspector(trace: &Trace) -> Result<Inspector<'_>> {
    let _spinner = Spinner::new("going over the trace");
    Ok(Inspector::new(trace)?)
}

/// A moment as the command line has it.
#[derive(Clone, Debug)]
pub(crate) enum When {
    Moment(Moment),
    Failure,
}

impl std::str::FromStr for When {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "failure" => Ok(Self::Failure),
            text => match text.parse() {
                Ok(moment) => Ok(Self::Moment(moment)),
                Err(e) => Err(format!(
                    "{e}; THREAD:EVENT, THREAD:EVENT+STEPS or 'failure'"
                )),
            },
        }
    }
}

impl When {
    /// The moment: of a failure, where the instruction runs that threw its exception.
    pub(crate) fn moment(&self, inspector: &Inspector<'_>) -> Result<Moment> {
        if let Self::Moment(moment) = self {
            return Ok(*moment);
        }
        let failures = inspector.trace().failures();
        let failure = failures::pick(failures).context("the trace has no failure")?;
        let thrown = inspector.thrown_at(failure.thread, failure.throwable)?;
        thrown.context("no recorded code has seen the exception of the failure")
    }
}

/// What is known of a value.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Shown {
    /// As a person reads it; absent if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    /// Identity of the object that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) object: Option<u64>,
    /// Why it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unknown: Option<String>,
}

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.value, &self.unknown) {
            (Some(value), _) => f.write_str(value),
            (None, Some(why)) => write!(f, "? ({why})"),
            (None, None) => f.write_str("?"),
        }
    }
}

/// Writes values, with the classes of objects.
pub(crate) struct Writer<'a, 't> {
    pub(crate) inspector: &'a Inspector<'t>,
    describer: Describer<'t>,
}

impl<'a, 't> Writer<'a, 't> {
    pub(crate) fn new(inspector: &'a Inspector<'t>) -> Self {
        Self {
            inspector,
            describer: Describer::new(inspector.trace()),
        }
    }

    pub(crate) fn seen(&self, seen: &Seen) -> Shown {
        let mut shown = Shown {
            value: None,
            object: None,
            unknown: None,
        };
        match seen {
            Seen::Known(value) => {
                if let Value::Object(id) = value {
                    shown.object = Some(*id);
                }
                shown.value = Some(self.value(value));
            }
            Seen::Fresh { class, .. } => {
                shown.value = Some(format!("a new {}", dotted(class)));
            }
            Seen::Unknown(why) => shown.unknown = Some(why.to_string()),
        }
        shown
    }

    pub(crate) fn value(&self, value: &Value) -> String {
        let text = self.describer.value(value);
        match value {
            Value::Object(id) => match self.inspector.class_of(*id) {
                Some(class) => format!("{text} {}", dotted(class)),
                None => text,
            },
            _ => text,
        }
    }

    pub(crate) fn entry(&self, variable: String, entry: &Entry) -> Row {
        Row {
            variable,
            value: self.seen(&entry.value),
            before: entry.before.to_string(),
            after: entry.after.to_string(),
            by: entry.by.as_ref().map(|by| place(&by.method, by.line)),
        }
    }
}

/// A row of a history.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) variable: String,
    #[serde(flatten)]
    pub(crate) value: Shown,
    pub(crate) before: String,
    pub(crate) after: String,
    /// Method and line; `null`: code that is not recorded.
    pub(crate) by: Option<String>,
}

impl Row {
    pub(crate) fn print(&self, to: &mut dyn std::io::Write) -> std::io::Result<()> {
        let by = self.by.as_deref().unwrap_or("code that is not recorded");
        writeln!(
            to,
            "{:>12}  {} = {}   {by}",
            self.after, self.variable, self.value
        )
    }
}

/// Method and line.
pub(crate) fn place(method: &MemberRef, line: u16) -> String {
    match line {
        0 => format!("{}.{}", dotted(&method.owner), method.name),
        line => format!("{}.{}:{line}", dotted(&method.owner), method.name),
    }
}

/// A class as a person writes it.
pub(crate) fn dotted(internal: &str) -> String {
    let element = internal.trim_start_matches('[');
    let dimensions = internal.len() - element.len();
    if dimensions == 0 {
        return internal.replace('/', ".");
    }
    let element = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        class => class
            .trim_start_matches('L')
            .trim_end_matches(';')
            .replace('/', "."),
    };
    format!("{element}{}", "[]".repeat(dimensions))
}

/// The file, for messages.
pub(crate) fn file(past: &Past) -> &Path {
    &past.trace
}

//! A recorded run, opened to be asked.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jinsi_history::damage::Damaged;
use jinsi_history::{Gap, History, Moment, Rolling, Tables};
use jinsi_inspect::Inspector;
use jinsi_trace::model::{Detail, EventId, EventKind};
use jinsi_trace::reader::{ReadError, Trace};
use rustc_hash::FxHashMap;
use sha2::{Digest, Sha256};

use crate::error::QueryError;
use crate::left_out::LeftOut;
use crate::schema::Table;

/// What an export says of a run that its trace does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Version of the program.
    pub version: Option<String>,
    /// The test, or whatever else the run was of.
    pub test: Option<String>,
    /// Statements of its minimal test, a line each.
    pub minimal_test: Option<String>,
}

/// A run.
#[derive(Debug)]
pub struct Run {
    pub(crate) trace: Trace,
    pub(crate) file: PathBuf,
    /// What names it in all tables.
    pub(crate) name: String,
    pub(crate) label: Label,
    /// Who is informed what of it could not be read.
    notes: LeftOut,
    begun: OnceLock<Result<Arc<Begun>, Arc<QueryError>>>,
}

/// What instructions do not tell of the calls and objects around them.
#[derive(Debug)]
pub(crate) struct Begun {
    /// Of an activation that is one with a recorded call: the moment of the call.
    calls: FxHashMap<EventId, Moment>,
    /// Has objects, and the moments of events. Its nodes are forgotten.
    pub(crate) history: History,
}

impl Run {
    /// Opens a trace.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn open(file: &Path) -> Result<Self, QueryError> {
        let trace = Trace::open(file)?;
        let name = hash(file).map_err(|e| QueryError::io(file, e))?;
        Ok(Self::of(trace, file, name))
    }

    /// A trace that is open, under a name.
    pub fn of(trace: Trace, file: &Path, name: String) -> Self {
        Self {
            trace,
            file: file.to_owned(),
            name,
            label: Label::default(),
            notes: LeftOut::default(),
            begun: OnceLock::new(),
        }
    }

    /// The same with what is known of it otherwise.
    pub fn labelled(self, label: Label) -> Self {
        Self { label, ..self }
    }

    /// The same, asked in a session which is informed what of it could not be read: now, what of the file is damaged.
    pub(crate) fn noted_in(self, notes: &LeftOut) -> Self {
        let run = Self {
            notes: notes.clone(),
            ..self
        };
        for entry in Damaged::of(&run.trace, &[]).entries {
            run.notes
                .say(format!("{}: {}", run.file.display(), entry.what));
        }
        run
    }

    /// Says once that the events of a thread end where they cannot be read.
    pub(crate) fn gap(&self, error: &ReadError) {
        // It names the file itself.
        self.notes.say(Gap::new(error, None).error);
    }

    /// What names it: the first digits of its SHA-256.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Can the table be filled from it?
    ///
    /// # Errors
    /// The recording has not enough detail.
    pub(crate) fn has(&self, table: Table) -> Result<(), QueryError> {
        let detail = self.trace.meta().detail;
        match table.needs_instructions() && !detail.has_instructions() {
            true => Err(QueryError::Detail {
                table: table.name(),
                detail,
            }),
            false => Ok(()),
        }
    }

    /// The tables of the trace, as a history needs them.
    pub(crate) fn tables(&self) -> Tables {
        let trace = &self.trace;
        Tables::new(
            trace.classes().iter().cloned(),
            trace.sites().iter().cloned(),
            trace.throwables().iter().cloned(),
            trace.failures().iter().cloned(),
        )
        .recorded_at_boundary(trace.meta().detail == Detail::Boundary)
        .of_window(trace.window().is_some())
        .with_identity_hashed(trace.identity_hashed().clone())
    }

    /// Where calls began, which is found out when it is first asked for.
    pub(crate) fn begun(&self) -> Result<Arc<Begun>, QueryError> {
        let begun = self.begun.get_or_init(|| {
            let begun = Begun::new(self).map(Arc::new);
            begun.map_err(Arc::new)
        });
        begun.clone().map_err(QueryError::Begun)
    }

    /// Its past, with the index beside the trace, as other commands have it.
    pub(crate) fn inspector(&self) -> Result<Inspector<'_>, QueryError> {
        let (inspector, _) = Inspector::kept(&self.trace, &self.file)?;
        Ok(inspector)
    }
}

impl Begun {
    fn new(run: &Run) -> Result<Self, QueryError> {
        let mut calls = FxHashMap::default();
        let first = run.trace.threads().first().map_or(0, |thread| thread.no);
        let mut rolling = Rolling::new(run.tables(), first);
        for merged in run.trace.merged_with_elements(0) {
            let merged = match merged {
                Ok(merged) => merged,
                Err(error) => {
                    run.gap(&error);
                    continue;
                }
            };
            let event = EventId {
                thread: merged.thread,
                index: merged.index,
            };
            let enters = merged.event.kind == EventKind::Enter;
            rolling.event(merged, &mut |_, _| {})?;
            if enters && let Some(no) = rolling.innermost(event.thread) {
                let history = rolling.history();
                let begin = history.node(no).begin;
                if begin != history.last_moment() {
                    calls.insert(event, begin);
                }
            }
        }
        Ok(Self {
            calls,
            history: rolling.into_history(),
        })
    }

    /// The key of the call that an activation is: where it began.
    pub(crate) fn key(&self, activation: EventId) -> Option<u32> {
        let call = self.calls.get(&activation).copied();
        let at = call.or_else(|| self.history.moment_of(activation));
        at.map(Moment::get)
    }
}

/// The first digits of a file's SHA-256.
fn hash(file: &Path) -> std::io::Result<String> {
    let mut file = File::open(file)?;
    let mut sha = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => sha.update(&buffer[..read]),
        }
    }
    let bytes = sha.finalize();
    Ok(bytes
        .iter()
        .take(6)
        .map(|byte| format!("{byte:02x}"))
        .collect())
}

//! A recorded run, opened to be asked.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use jinsi_history::{History, Moment, NodeKind, NodeNo, Tables};
use jinsi_inspect::Inspector;
use jinsi_trace::model::{Detail, EventId, ThreadNo};
use jinsi_trace::reader::Trace;
use sha2::{Digest, Sha256};

use crate::error::QueryError;
use crate::schema::Table;

/// What an export says of a run that its trace does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    /// Version of the program.
    pub version: Option<String>,
    /// The test, or whatever else the run was of.
    pub test: Option<String>,
}

/// A run.
#[derive(Debug)]
pub struct Run {
    pub(crate) trace: Trace,
    pub(crate) file: PathBuf,
    /// What names it in all tables.
    pub(crate) name: String,
    pub(crate) label: Label,
    shape: OnceLock<Result<Arc<Shape>, String>>,
}

/// The history, and the calls of each thread by their beginnings.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) history: History,
    /// Activations of a thread, by where they began.
    activations: Vec<(ThreadNo, Vec<(Moment, NodeNo)>)>,
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
            shape: OnceLock::new(),
        }
    }

    /// The same with what is known of it otherwise.
    pub fn labelled(self, label: Label) -> Self {
        Self { label, ..self }
    }

    /// What names it: the first digits of its SHA-256.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The trace.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Can the table be told of it?
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

    /// The history, which is built when it is first asked for.
    pub(crate) fn shape(&self) -> Result<Arc<Shape>, QueryError> {
        let built = self.shape.get_or_init(|| {
            let built = Shape::new(&self.trace).map(Arc::new);
            built.map_err(|e| e.to_string())
        });
        built.clone().map_err(QueryError::Engine)
    }

    /// Its past, with the index beside the trace, as other commands have it.
    pub(crate) fn inspector(&self) -> Result<Inspector<'_>, QueryError> {
        let (inspector, _) = Inspector::kept(&self.trace, &self.file)?;
        Ok(inspector)
    }
}

impl Shape {
    fn new(trace: &Trace) -> Result<Self, QueryError> {
        let tables = Tables::new(
            trace.classes().iter().cloned(),
            trace.sites().iter().cloned(),
            trace.throwables().iter().cloned(),
            trace.failures().iter().cloned(),
        )
        .recorded_at_boundary(trace.meta().detail == Detail::Boundary)
        .of_window(trace.window().is_some())
        .with_identity_hashed(trace.identity_hashed().clone());
        Ok(Self::of(History::of_all(tables, trace)?))
    }

    pub(crate) fn of(history: History) -> Self {
        let mut activations: Vec<(ThreadNo, Vec<(Moment, NodeNo)>)> = Vec::new();
        for (no, node) in history.nodes() {
            if node.kind != NodeKind::Activation {
                continue;
            }
            let thread = history.thread_of(no);
            match activations.last_mut() {
                Some((of, all)) if *of == thread => all.push((node.begin, no)),
                _ => activations.push((thread, vec![(node.begin, no)])),
            }
        }
        Self {
            history,
            activations,
        }
    }

    /// The innermost activation of a thread that is open at a moment: one that began by then and did not end before.
    pub(crate) fn open_at(&self, thread: ThreadNo, at: Moment) -> Option<NodeNo> {
        let of_thread = self.activations.iter().find(|(of, _)| *of == thread);
        let (_, all) = of_thread?;
        let behind = all.partition_point(|(begin, _)| *begin <= at);
        let mut open = Some(all[behind.checked_sub(1)?].1);
        while let Some(no) = open {
            let node = self.history.node(no);
            if node.kind == NodeKind::Activation && node.close >= at {
                return Some(no);
            }
            open = node.parent;
        }
        None
    }

    /// The recorded call around a node, and the call of unrecorded code between, if there is one.
    pub(crate) fn around(&self, no: NodeNo) -> (Option<NodeNo>, Option<NodeNo>) {
        let mut through = None;
        let mut at = self.history.parent(no);
        while let Some(parent) = at {
            if self.history.node(parent).kind == NodeKind::Activation {
                return (Some(parent), through);
            }
            through = through.or(Some(parent));
            at = self.history.parent(parent);
        }
        (None, through)
    }

    /// The key of a call: where it began.
    pub(crate) fn key(&self, no: NodeNo) -> u32 {
        self.history.node(no).begin.get()
    }

    /// The address of what happened at a moment.
    pub(crate) fn event(&self, at: Moment) -> Option<EventId> {
        self.history.event_at(at)
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

//! Expansion of long runs: their history is read, projected and written a stretch at a time, and replayed so. What it takes of memory grows with the objects that
//! cross the edge, and not with the interactions.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jinsi_files::{private, temporary};
use jinsi_history::{History, Stretches};
use jinsi_level::project::stretches::Stretched;
use jinsi_level::{CrashPredicate, Level};
use jinsi_natural::Natural;
use jinsi_replay::session;
use jinsi_trace::model::{Detail, Event, ThreadNo};
use jinsi_trace::reader::Trace;

use super::expand::{Expanded, NotExpanded, PATIENCE, Replayed, run_all};
use super::run::{history, tables};
use super::{Config, PipelineError, Run, file_error};

/// Events of a thread from which on a run is long: its whole history and level would take a gigabyte and more.
const LONG: u64 = 1 << 20;
/// Nodes of a stretch. Its history and level take some hundred megabytes.
const NODES: usize = 1 << 17;
/// Interactions for which a second more is granted. Mostly it takes some microseconds an interaction.
const INTERACTIONS_A_SECOND: u32 = 20_000;

impl Run {
    /// Opens a trace to expand it and for nothing else: the history of a long run is not read.
    ///
    /// # Errors
    /// The trace cannot be read, or not be replayed.
    pub fn open_to_expand(path: &Path) -> Result<Self, PipelineError> {
        Self::open_with(path, |trace, thread| match is_long(trace, thread) {
            true => Ok(History::build(tables(trace), thread, [])?),
            false => history(trace, thread),
        })
    }

    /// Is it expanded a stretch at a time?
    pub(super) fn is_long(&self) -> bool {
        is_long(&self.trace, self.thread)
    }

    /// Expands the run a stretch at a time, its thread alone. See [`Run::expand`].
    pub(super) fn expand_in_stretches(
        &self,
        config: &Config,
        agent: &Path,
        detail: Detail,
        to: &Path,
    ) -> Result<Expanded, NotExpanded> {
        self.check_expands(config, detail)?;
        let began = Instant::now();
        let temporary = temporary::directory().map_err(file_error(&std::env::temp_dir()))?;
        let file = temporary.path().join("replayed.jinsi");
        let recording = session::TraceTables::of(&self.trace);
        let mut written = session::Stretched::new(&recording);
        let (level, interactions, files) =
            self.write_stretches(&config.natural, &mut written, temporary.path())?;
        let (code, layouts) =
            session::rewrite_for_recording(&recording, &config.natural, &level.observed)
                .map_err(PipelineError::from)?;
        // Its failure does not end the run: the environment may still ask the exception for its text.
        let nothing = CrashPredicate::default();
        let bytes = written.session(&code, &level, &nothing, files);
        let bytes = bytes.map_err(PipelineError::from)?;
        drop(level);

        let observe = self.trace.meta().observe.join(":");
        let mut options = self.recorded_worker(config, agent, &observe, detail, &file);
        options.timeout =
            PATIENCE + Duration::from_secs((interactions / INTERACTIONS_A_SECOND).into());
        let result = run_all(&options, &bytes, &[]).map_err(PipelineError::from)?;
        let replayed = Replayed {
            file: &file,
            layouts: &layouts,
            class_files: None,
            thread: Some(self.thread),
            detail,
            calls: None,
            tests: None,
        };
        Ok(Expanded {
            events: self.compose(&replayed, &result, to)?,
            interactions: interactions as usize,
            seconds: began.elapsed().as_secs_f64(),
        })
    }

    /// Projects the run, and writes each stretch to a file in `place`. The result is the level, of which the files have the interactions, the number of these,
    /// and the files.
    fn write_stretches(
        &self,
        natural: &Natural,
        written: &mut session::Stretched<'_>,
        place: &Path,
    ) -> Result<(Level, u32, Vec<PathBuf>), NotExpanded> {
        let unread = Cell::new(false);
        let stretches = || stretches(&self.trace, self.thread, &unread);
        let observed = self.recorded();
        let mut projected = Stretched::new(&tables(&self.trace), natural, &observed, stretches())
            .map_err(PipelineError::from)?;
        let mut class_inits = BTreeMap::new();
        let mut files = Vec::new();
        let mut reading = stretches();
        while reading.read().map_err(PipelineError::from)? {
            let level = projected.project(&reading);
            projected.forget(&mut reading);
            let bytes = written.stretch(&level);
            let bytes = bytes.map_err(|e| PipelineError::from(session::SessionError::from(e)))?;
            let file = place.join(format!("stretch-{}", files.len()));
            private::write(&file, &bytes).map_err(file_error(&file))?;
            files.push(file);
            for (class, mut asked) in level.class_inits {
                let all: &mut Vec<_> = class_inits.entry(class).or_default();
                all.append(&mut asked);
            }
        }
        if unread.get() || !reading.defines_all() || reading.gave_up() {
            let why = "a call did not end for long, the thread met objects that only others tell of, or some of its events cannot be read";
            return Err(NotExpanded::Diverged {
                why: why.into(),
                tests: Vec::new(),
            });
        }
        let interactions = projected.interactions();
        let level = Level {
            observed: projected.observed().clone(),
            class_inits,
            objects: projected.into_objects(),
            ..Level::default()
        };
        Ok((level, interactions, files))
    }
}

/// Is the run of `thread` long, and can it be read a stretch at a time? The window of a recording cannot, and a failure of another thread is not in it.
pub(super) fn is_long(trace: &Trace, thread: ThreadNo) -> bool {
    trace.meta().detail == Detail::Boundary
        && trace.window().is_none()
        && trace.event_count(thread) >= LONG
        && trace.failures().iter().all(|f| f.thread == thread)
}

/// Would it take long to expand this recording? Its replay takes as long as the program took, and what is recorded of that is many times as much.
pub fn is_long_to_expand(trace: &Trace) -> bool {
    let threads = trace.threads().iter();
    let events: u64 = threads.map(|t| trace.event_count(t.no)).sum();
    trace.meta().detail == Detail::Boundary && events >= LONG
}

/// The history of the thread, a stretch at a time. `unread`: some of its events cannot be read.
pub(super) fn stretches<'t>(
    trace: &'t Trace,
    thread: ThreadNo,
    unread: &'t Cell<bool>,
) -> Stretches<impl Iterator<Item = Event> + 't> {
    let events = trace.events(thread).map_while(|event| {
        unread.set(unread.get() || event.is_err());
        event.ok()
    });
    Stretches::new(tables(trace), thread, events, NODES)
}

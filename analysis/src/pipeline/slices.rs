//! What is left of a level, run once more with its instructions recorded, and sliced from the failure (Burger 2011, Section 4.2.2, the third
//! step).
//!
//! The worker's JVM carries the agent. What it records are the classes as replay has rewritten them; bridges tell what they stand for,
//! and lines are where they were.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jinsi_classfile::cfg::BlockNo;
use jinsi_trace::model::{Detail, EventKind, ObjectId, Payload, ThreadNo, Value};
use jinsi_trace::reader::{ReadError, Trace};

use jinsi_files::private;
use jinsi_files::temporary;
use jinsi_level::verdict::{Mode, TestOutcome};
use jinsi_level::{Engine, Level};
use jinsi_omission::Failed;
use jinsi_oracle::Oracle;
use jinsi_replay::session;
use jinsi_replay::worker::{Purpose, Worker, WorkerConfig};
use jinsi_slice::criterion::Criterion;
use jinsi_slice::{Kind, Slice, SliceError};
use jinsi_steps::code::{MethodNo, Program};
use jinsi_steps::walk::{EventOperands, Location, Met, Opening, Step, Visitor, Walker};

use super::expand::PATIENCE;
use super::explained::{Outermost, Recording};
use super::{Case, Config, PipelineError, file_error};

/// Names of the files of a run.
const SESSION: &str = "left.session";
const RECORDING: &str = "left.jinsi";

/// Why what is left of a level was not sliced.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotSliced {
    #[error("its run in another JVM did not fail as recorded: {0}")]
    Differs(String),
    #[error("the search was stopped")]
    Stopped,
    #[error("it ends neither with an exception nor with a wrong value")]
    NoFailure,
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Slice(#[from] SliceError),
}

/// What is left of a level, ready to be run where the agent records it. It does not need the level any more.
pub(super) struct SliceJob {
    /// Holds the session, and takes the recording.
    pub(super) directory: temporary::Directory,
    pub(super) worker: WorkerConfig,
    pub(super) kept: Vec<u32>,
    /// The failure is the value that the last interaction gives, not an exception.
    of_value: bool,
}

impl Case<'_> {
    /// Makes what is left of a level ready to be recorded with this detail.
    ///
    /// # Errors
    /// See [`NotSliced`].
    pub(super) fn left(
        &self,
        config: &Config,
        agent: &Path,
        (level, kept): (&Level, &[u32]),
        detail: Detail,
    ) -> Result<SliceJob, NotSliced> {
        // What does not end would be recorded without end.
        let of_value = match &self.crash.oracle {
            Oracle::Exception | Oracle::Assertion(_) => false,
            Oracle::Value(wrong) => wrong.interaction(level).is_some(),
            _ => return Err(NotSliced::NoFailure),
        };
        self.job(config, agent, (level, kept, detail), of_value)
    }

    /// The run of these interactions of a level, ready to be recorded.
    pub(super) fn job(
        &self,
        config: &Config,
        agent: &Path,
        (level, kept, detail): (&Level, &[u32], Detail),
        of_value: bool,
    ) -> Result<SliceJob, NotSliced> {
        let directory = temporary::directory().map_err(file_error(&std::env::temp_dir()))?;
        let recording = self.run.tables(level.engine);
        let code = match level.engine {
            Engine::Replay => {
                session::rewrite_for_recording(&recording, &config.natural, &level.observed)
                    .map_err(PipelineError::from)?
                    .0
            }
            Engine::Direct => session::untouched(&recording),
        };
        let bytes = self
            .run
            .session(&recording, &code, level)
            .map_err(PipelineError::from)?;
        let file = directory.path().join(SESSION);
        private::write(&file, bytes).map_err(file_error(&file))?;
        let out = directory.path().join(RECORDING);
        let observed = observe(&level.observed);
        let mut worker = self
            .run
            .recorded_worker(config, agent, &observed, detail, &out);
        // Short, and nobody compares identity hash codes.
        worker.purpose = Purpose::Tests;
        Ok(SliceJob {
            directory,
            worker,
            kept: kept.to_vec(),
            of_value,
        })
    }
}

impl Case<'_> {
    /// The run of all recorded classes, for real, recorded with its instructions; of a suite, what other tests did is left out.
    ///
    /// # Errors
    /// See [`NotSliced`].
    pub(super) fn whole(
        &self,
        config: &Config,
        agent: &Path,
    ) -> Result<(Recording, Outermost), NotSliced> {
        let level = self.run.level_of_all(config, Engine::Direct);
        let own = self.run.without_other_tests(&level);
        let all = own.unwrap_or_else(|| level.interactions.iter().map(|one| one.no).collect());
        let job = self.job(config, agent, (&level, &all, Detail::Instructions), false)?;
        let trace = job.recorded()?;
        let criterion = last_thrown(&trace)?.ok_or(NotSliced::NoFailure)?;
        let failed = failed(&trace, &criterion).ok_or(NotSliced::NoFailure)?;
        let recording = Recording {
            index: None,
            file: job.recording(),
            _directory: job.directory,
            failed,
        };
        Ok((recording, Outermost::whole(level, all)))
    }
}

impl SliceJob {
    pub(super) fn session(&self) -> PathBuf {
        self.directory.path().join(SESSION)
    }

    pub(super) fn recording(&self) -> PathBuf {
        self.directory.path().join(RECORDING)
    }

    /// Runs it, and slices the recording: the nearest lines to the failure first. Also that recording, if an exception is the failure: it
    /// is of the level with that index.
    ///
    /// # Errors
    /// See [`NotSliced`].
    pub(super) fn slice(self, index: usize) -> Result<(Slice, Option<Recording>), NotSliced> {
        let trace = self.recorded()?;
        let criterion: fn(&Trace) -> _ = match self.of_value {
            true => last_returned,
            false => last_thrown,
        };
        let criterion = criterion(&trace)?.ok_or(NotSliced::NoFailure)?;
        let failed = failed(&trace, &criterion);
        let mut slice = jinsi_slice::slice(&trace, Some(criterion), Kind::Dynamic)?;
        let far = |line: &jinsi_slice::Line| line.distance.unwrap_or(u32::MAX);
        slice.lines.sort_by_key(far);
        (slice.crossings).retain(|crossing| !crossing.what.starts_with("jinsi."));
        let recording = failed.map(|failed| Recording {
            index: Some(index),
            file: self.recording(),
            _directory: self.directory,
            failed,
        });
        Ok((slice, recording))
    }

    /// Runs it where it is recorded.
    pub(super) fn recorded(&self) -> Result<Trace, NotSliced> {
        let mut worker = Worker::start(&self.worker).map_err(PipelineError::from)?;
        worker
            .load_file(&self.session())
            .map_err(PipelineError::from)?;
        let result = worker
            .test(&self.kept, Mode::Resynchronizing)
            .map_err(PipelineError::from)?;
        worker.quit(PATIENCE);
        // Whether a value is wrong is not for the worker to say.
        let wanted = match self.of_value {
            true => TestOutcome::Passing,
            false => TestOutcome::Failing,
        };
        match result.outcome == wanted {
            true => Ok(Trace::open(&self.recording())?),
            false => Err(NotSliced::Differs(result.detail)),
        }
    }
}

/// How the recorded run fails, if it is an exception.
fn failed(trace: &Trace, criterion: &Criterion) -> Option<Failed> {
    match criterion {
        Criterion::Failure(id) => Some(Failed {
            criterion: criterion.clone(),
            thread: replaying(trace)?,
            throwable: Some(*id),
        }),
        _ => None,
    }
}

/// The classes as patterns of the agent's `observe=`.
fn observe(classes: &BTreeSet<String>) -> String {
    let names: Vec<String> = classes.iter().map(|name| name.replace('/', ".")).collect();
    names.join(":")
}

/// The thread of the replay.
fn replaying(trace: &Trace) -> Option<ThreadNo> {
    let threads = trace.threads().iter().map(|thread| thread.no);
    threads.max_by_key(|no| trace.event_count(*no))
}

/// The exception that ended the last activation that one ended.
fn last_thrown(trace: &Trace) -> Result<Option<Criterion>, ReadError> {
    let Some(thread) = replaying(trace) else {
        return Ok(None);
    };
    for event in trace.events_backward(thread) {
        let event = event?;
        if let (EventKind::ExitThrow, Payload::Operands(values)) = (event.kind, &event.payload)
            && let Some(Value::Object(id)) = values.first()
        {
            return Ok(Some(Criterion::Failure(*id)));
        }
    }
    Ok(None)
}

/// What the last activation computed at the line on which it returned. The event of its end is of the method as a whole; the instruction knows the line.
fn last_returned(trace: &Trace) -> Result<Option<Criterion>, ReadError> {
    let Some(thread) = replaying(trace) else {
        return Ok(None);
    };
    let program = Program::of(trace);
    let mut last = LastReturn::default();
    Walker::new(trace, &program, thread).run(&mut last)?;
    let LastReturn { method, line, .. } = last;
    Ok(method.filter(|_| line > 0).map(|method| Criterion::Line {
        class: program.get(method).owner.replace('/', "."),
        line,
        variable: None,
        occurrence: None,
    }))
}

/// Finds the instruction by which the last activation returned.
#[derive(Default)]
struct LastReturn {
    method: Option<MethodNo>,
    /// 0 if it is not known.
    line: u16,
    found: bool,
}

impl Visitor for LastReturn {
    fn opened(&mut self, opening: &Opening) {
        self.method = Some(opening.method);
        self.found = !opening.stepwise;
    }
    fn stepped(&mut self, step: &Step<'_>) {
        self.line = step.instruction.line;
        self.found = true;
    }
    fn call_ended(&mut self, _: &Step<'_>) {
        self.found = true;
    }
    fn call_began(&mut self, _: usize, _: EventOperands<'_>) {}
    fn caught(&mut self, _: BlockNo, _: usize, _: ObjectId) {}
    fn began(&mut self) {}
    fn lost(&mut self, _: &'static str) {
        self.found = true;
    }
    fn unexplained(&mut self, _: Met<'_>, _: Option<Location>) {}
    fn resumed(&mut self, _: usize) {}
    fn outside(&mut self, _: Met<'_>, _: Location) {}
    fn done(&self) -> bool {
        self.found
    }
}

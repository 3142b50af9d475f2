//! What is left of a failing run when it is minimized, run once more for real and recorded with its states: a smaller run to ask about.

use std::fs;
use std::path::Path;

use jinsi_files::private;
use jinsi_history::{History, NodeKind, NodeNo, Outcome};
use jinsi_jdk::Walls;
use jinsi_level::Engine;
use jinsi_oracle::Oracle;
use jinsi_search::levels::{LevelResult, LevelSpec, Search, Strategy};
use jinsi_search::stop::StopSignal;
use jinsi_testwriter::classes::ClassTable;
use jinsi_trace::model::{Detail, EventId, MemberRef, Value};
use jinsi_trace::reader::Trace;

use super::adapters::{Projector, WorkerReplayer};
use super::run::history;
use super::slices::NotSliced;
use super::{Case, Config, PipelineError, Progress, Run, as_search, file_error};

/// The run that was recorded.
#[derive(Clone, Debug)]
pub struct Left {
    /// Binary names of the classes that drove it, in the recorded run.
    pub callers: Vec<String>,
    /// Their interactions that are left.
    pub interactions: usize,
    /// How many there were.
    pub of: usize,
}

impl Left {
    /// Does the file have what is left of the run that `trace` is of, whole, and is the trace not newer?
    pub fn is_at(file: &Path, trace: &Path) -> bool {
        let written = |file: &Path| fs::metadata(file).ok()?.modified().ok();
        let newer = written(file)
            .zip(written(trace))
            .is_some_and(|(file, trace)| file >= trace);
        let whole = |trace: Trace| trace.end().is_some() && trace.damage().is_empty();
        newer && Trace::open(file).is_ok_and(whole)
    }
}

/// Why there is no such run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NotLeft {
    #[error(
        "this needs a run in the sandbox (not --unconfined), of a failure by an exception or a wrong value"
    )]
    NotForReal,
    #[error(
        "it was recorded with detail=boundary, which has no calls inside; expand it first: jinsi expand FILE -o WHOLE"
    )]
    AtBoundary,
    #[error("run again, no part of the program fails as recorded{0}")]
    Nothing(String),
    #[error("what is left was not recorded: {0}")]
    NotRecorded(String),
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
}

impl Run {
    /// Minimizes the failure as seen from the outermost classes that drive the others, such as a test; what is left is run for real, all other
    /// recorded classes with it, and recorded with `detail=states`, by the agent at `agent`, to the file `to`. Values are those of the recording.
    ///
    /// # Errors
    /// See [`NotLeft`]; then there is no new file `to`.
    pub fn left(
        &self,
        config: &Config,
        agent: &Path,
        to: &Path,
        progress: &mut dyn Progress,
    ) -> Result<Left, NotLeft> {
        self.check_jdk(config)?;
        if self.is_at_boundary() {
            return Err(NotLeft::AtBoundary);
        }
        let case = Case::of(self)?;
        let judged = matches!(
            case.crash.oracle,
            Oracle::Exception | Oracle::Value(_) | Oracle::Assertion(_)
        );
        let known = self.trace.surroundings().is_some();
        if config.walls != Walls::Confined || !judged || !known {
            return Err(NotLeft::NotForReal);
        }
        let specs = case.stack_specs();
        let mut why = String::new();
        // From the outermost: the less drives, the more is there to be asked about. If nothing drives, it is the whole run.
        for spec in specs.iter().rev().filter(|spec| !spec.callers.is_empty()) {
            let found = case.level_for_real(config, (spec, specs.len()), progress)?;
            if found.level.engine != Engine::Direct || found.kept.is_empty() {
                why = found.not_direct.map_or(why, |why| format!(": {why}"));
                continue;
            }
            case.record(config, agent, &found, to)?;
            let callers = spec.callers.iter().map(|class| class.replace('/', "."));
            return Ok(Left {
                callers: callers.collect(),
                interactions: found.kept.len(),
                of: found.level.interactions.len(),
            });
        }
        Err(NotLeft::Nothing(why))
    }

    /// The first call of this run that was given the same and gave the same as a call in the recording `other`, of what is left of it or of its
    /// replay, as far as both are values: for objects their classes stand.
    ///
    /// # Errors
    /// The recording cannot be read.
    pub fn like(&self, other: &Path, call: EventId) -> Result<Option<EventId>, PipelineError> {
        let trace = Trace::open(other)?;
        let other = history(&trace, call.thread)?;
        Ok(self.like_in(&other, call))
    }

    fn like_in(&self, other: &History, call: EventId) -> Option<EventId> {
        let at = other.moment_of(call)?;
        let is_within = |n: &NodeNo| {
            let node = other.node(*n);
            // One that was called by another name has the event of that call, too.
            node.kind == NodeKind::Activation && node.begin <= at && at <= node.close
        };
        let innermost = other.numbers().rfind(is_within)?;
        let wanted = Likeness::of(other, innermost)?;
        let is_it = |n: &NodeNo| {
            self.history.member(*n).as_ref() == Some(&wanted.member)
                && Likeness::of(&self.history, *n).as_ref() == Some(&wanted)
        };
        let found = self.history.numbers().find(is_it)?;
        self.history.event_at(self.history.node(found).begin)
    }
}

/// What tells a call apart in another run of the same.
#[derive(PartialEq)]
struct Likeness {
    member: MemberRef,
    values: Vec<String>,
}

impl Likeness {
    fn of(history: &History, n: NodeNo) -> Option<Self> {
        if history.node(n).kind != NodeKind::Activation {
            return None;
        }
        let text = |value: &Value| match value {
            Value::Object(id) => {
                let class = history.class_of(*id).unwrap_or_default();
                history.value_text(*id).unwrap_or_else(|| class.to_owned())
            }
            Value::Class(no) => history.tables().class_name(*no).to_owned(),
            value => format!("{value:?}"),
        };
        let call_result = match history.outcome(n) {
            Outcome::Return(Some(value)) => text(&value),
            Outcome::Throw(id) => text(&Value::Object(id)),
            _ => String::new(),
        };
        let given = [history.receiver(n)].into_iter().chain(history.args(n));
        Some(Self {
            member: history.member(n)?,
            values: given.map(text).chain([call_result]).collect(),
        })
    }
}

impl Case<'_> {
    fn level_for_real(
        &self,
        config: &Config,
        (spec, of): (&LevelSpec, usize),
        progress: &mut dyn Progress,
    ) -> Result<LevelResult, PipelineError> {
        let table = ClassTable::new(self.run.trace.classes(), self.run.trace.throwables());
        let mut projector = Projector {
            run: self.run,
            natural: &config.natural,
            oracle: &self.crash.oracle,
            table: &table,
        };
        let mut replayer = WorkerReplayer::start(self.run, config, 1)?;
        let recorded = self.run.recorded();
        let mut search = Search {
            recording: &mut projector,
            replayer: &mut replayer,
            recorded: &recorded,
            failure: self.crash.throwable,
            shows: self.crash.oracle.node(),
            strategy: Strategy::default(),
            direct: true,
            shrink: false,
            stop: StopSignal::default(),
            likely: Vec::new(),
        };
        Ok(search.level(spec, of, as_search(progress)))
    }

    fn record(
        &self,
        config: &Config,
        agent: &Path,
        found: &LevelResult,
        to: &Path,
    ) -> Result<(), NotLeft> {
        let job = self.left(config, agent, (&found.level, &found.kept), Detail::States);
        let recorded = job.and_then(|job| {
            job.recorded()?;
            Ok(job)
        });
        let job = recorded.map_err(|why| match why {
            NotSliced::Pipeline(error) => NotLeft::Pipeline(error),
            why => NotLeft::NotRecorded(why.to_string()),
        })?;
        // Half a file would be taken for the whole the next time.
        let part = to.with_extension("part");
        let copied = private::copy(&job.recording(), &part).and_then(|()| fs::rename(&part, to));
        copied
            .inspect_err(|_| drop(fs::remove_file(&part)))
            .map_err(file_error(to))?;
        Ok(())
    }
}

//! `jinsi expand`: a strict replay of all observed classes, recorded by the agent in more detail than the program was.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jinsi_trace::compose::ComposeError;
use jinsi_trace::reader::Trace;
use jinsi_trace::writer::WriteError;

use crate::minimized::Expansion as Attempt;
use jinsi_files::temporary;
use jinsi_jdk::confined::half_of_the_disk;
use jinsi_level::project::project;
use jinsi_level::verdict::{Mode, TestOutcome, TestResult, Unresolved};
use jinsi_level::{CrashPredicate, Interaction, Level, Operation, Outcome};
use jinsi_oracle::Oracle;
use jinsi_replay::expand::{ExpandError, Expansion, FromOutside};
use jinsi_replay::rewrite::Layouts;
use jinsi_replay::session;
use jinsi_replay::worker::{Purpose, Worker, WorkerConfig, WorkerError};
use jinsi_trace::model::{Detail, Failure, FailureKind, MarkNo, ThreadNo};

use super::originals::ClassFiles;
use super::root_cause::by_recorded;
use super::{Config, PipelineError, Run, file_error, worker_config};

/// Longest that the replay may take, and after it the agent to write the rest of its recording.
pub(super) const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// The same for what single tests need: a thread may wait for ever for one that does not run here, and a test has a second try.
const PATIENCE_WITH_TESTS: Duration = Duration::from_secs(2 * 60);
/// The same for what did not end: it may stand still where nobody sees it, as two threads do that wait for each other.
const PATIENCE_WITH_ENDLESS: Duration = Duration::from_secs(60);
/// Replays of what failed tests need, each without the tests with which the one before diverged.
const MOST_REPLAYS: usize = 8;
/// The same if the tests that are left out are run once more, which takes about as long.
const MOST_BEFORE_SECOND_TRY: usize = 3;
/// Backward branches that the replay may take. The program has ended, so its replay does, or else diverges into a loop.
const BUDGET: u64 = 1 << 40;
/// The same where the program did not end: enough to have left what is no endless loop, and few enough to be recorded.
const BUDGET_OF_ENDLESS: u64 = 250_000;

/// Which part of a recording is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What the failed tests need. A test with which the replay diverges is left out, and nothing else is tried: it can be run once more.
    Tests,
    /// All of it.
    All,
    /// What the failed tests need; all of it if no test failed, or if that diverges.
    TestsOrAll,
}

/// An expanded recording.
#[derive(Clone, Copy, Debug)]
pub struct Expanded {
    /// Events in it.
    pub events: u64,
    /// Interactions with the environment that were replayed.
    pub interactions: usize,
    /// Wall time.
    pub seconds: f64,
}

/// Why a recording is not expanded.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum NotExpanded {
    #[error("nothing to expand: the trace has all interactions already (detail={0})")]
    Whole(Detail),
    #[error("nothing to expand: the trace has its instructions already")]
    Stepwise,
    #[error("the replay diverged: {why}")]
    Diverged {
        why: String,
        /// If only what certain tests need was replayed: those that need what diverged.
        tests: Vec<MarkNo>,
    },
    #[error("the program did not end, but its replay does")]
    Ended,
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
    #[error(transparent)]
    Expand(#[from] ExpandError),
}

/// The recording of a replay.
pub(super) struct Replayed<'r> {
    pub(super) file: &'r Path,
    pub(super) layouts: &'r Layouts,
    /// What was replayed in place of recorded classes.
    pub(super) class_files: Option<&'r ClassFiles>,
    /// The thread that was replayed, if it is but one.
    pub(super) thread: Option<ThreadNo>,
    pub(super) detail: Detail,
    /// The calls from outside that it makes again, if they are known.
    pub(super) calls: Option<Vec<FromOutside>>,
    /// If only what certain tests need was replayed: which, ascending.
    pub(super) tests: Option<&'r [MarkNo]>,
}

/// Does `one` diverge with fewer tests than `other` does? Without those, the rest may be expanded.
fn fewer_tests_diverge<T>(one: &Result<T, NotExpanded>, other: &Result<T, NotExpanded>) -> bool {
    let diverging = |expanded: &Result<T, NotExpanded>| match expanded {
        Err(NotExpanded::Diverged { tests, .. }) if !tests.is_empty() => tests.len(),
        _ => usize::MAX,
    };
    diverging(one) < diverging(other)
}

/// Runs all these interactions of a session strictly, in a worker that ends behind it.
pub(super) fn run_all(
    options: &WorkerConfig,
    session: &[u8],
    all: &[u32],
) -> Result<TestResult, WorkerError> {
    let mut worker = Worker::start(options)?;
    worker.load(session)?;
    let result = worker.test(all, Mode::Strict)?;
    worker.quit(PATIENCE);
    Ok(result)
}

impl Run {
    /// Was it recorded at the boundary, and can so be expanded?
    pub fn is_at_boundary(&self) -> bool {
        self.history.tables().at_boundary()
    }

    /// Replays the run with all its observed classes, has the agent (its library at `agent`) record that, and writes to `to` what a
    /// recording with this `detail` would have been; but with instructions the classes are as replay has them, so that is for slices only.
    ///
    /// If the history of one thread diverges, others may have changed what it met. So that of all threads is tried then, and at once if tests have
    /// failed in others. If both diverge, the one with which fewer tests do says why.
    ///
    /// # Errors
    /// See [`NotExpanded`]; then there is no file `to`, unless it was there before.
    pub fn expand(
        &self,
        config: &Config,
        agent: &Path,
        detail: Detail,
        to: &Path,
    ) -> Result<Expanded, NotExpanded> {
        if to.exists() {
            let exists = ComposeError::from(WriteError::Exists(to.to_owned()));
            return Err(ExpandError::from(exists).into());
        }
        if self.is_long() && self.left_out.is_none() {
            match self.expand_in_stretches(config, agent, detail, to) {
                // The whole history may know better.
                Err(NotExpanded::Diverged { .. }) => {}
                done => return done,
            }
            if self.history.is_empty() {
                let whole = Self::open(&self.path)?;
                return whole.expand_at_once(config, agent, (detail, None), to);
            }
        }
        self.expand_at_once(config, agent, (detail, None), to)
    }

    /// The same, with all interactions, of what these tests need alone. In what is written they are the only ones that failed.
    ///
    /// # Errors
    /// As there.
    pub fn expand_tests(
        &self,
        config: &Config,
        agent: &Path,
        tests: &[MarkNo],
        to: &Path,
    ) -> Result<Expanded, NotExpanded> {
        self.expand_at_once(config, agent, (Detail::Interactions, Some(tests)), to)
    }

    fn expand_at_once(
        &self,
        config: &Config,
        agent: &Path,
        detail: (Detail, Option<&[MarkNo]>),
        to: &Path,
    ) -> Result<Expanded, NotExpanded> {
        if let Some(all) = self.with_others_that_failed()? {
            return all.expand_history(config, agent, detail, to);
        }
        let own = self.expand_history(config, agent, detail, to);
        let all = match &own {
            Err(NotExpanded::Diverged { .. }) if self.left_out.is_none() => {
                self.of_all_threads()?
            }
            _ => None,
        };
        let Some(all) = all else { return own };
        let of_all = all.expand_history(config, agent, detail, to);
        if of_all.is_err() && fewer_tests_diverge(&own, &of_all) {
            return own;
        }
        of_all
    }

    /// The run of all threads, if this history is that of one and others have failed, too: tests that ran in them, or tasks whose exception is
    /// the cause of this one. A framework may report on one thread how a test ended that it ran on another.
    fn with_others_that_failed(&self) -> Result<Option<Self>, PipelineError> {
        let ran_elsewhere = |failure: &Failure| {
            let began_here = |no| self.history.test_span(no).is_some();
            failure.thread != self.thread || !failure.test.is_none_or(began_here)
        };
        let mut failures = self.trace.failures().iter();
        if failures.any(|f| f.kind == FailureKind::Test && ran_elsewhere(f)) {
            return self.of_all_threads();
        }
        let crash = self.crash.as_ref().ok();
        let causes = crash.map_or_else(Vec::new, |crash| {
            by_recorded(self.history.tables(), crash.throwable, None)
        });
        if causes.is_empty() {
            return Ok(None);
        }
        let all = self.of_all_threads()?;
        let elsewhere = |all: &Self| {
            let history = &all.history;
            let mut ended = history.numbers();
            ended.any(|n| {
                history.thread_of(n) != self.thread
                    && causes.iter().any(|cause| history.threw(n, *cause))
            })
        };
        Ok(all.filter(elsewhere))
    }

    /// The same with this history alone.
    fn expand_history(
        &self,
        config: &Config,
        agent: &Path,
        (detail, tests): (Detail, Option<&[MarkNo]>),
        to: &Path,
    ) -> Result<Expanded, NotExpanded> {
        self.check_expands(config, detail)?;
        let began = Instant::now();
        let temporary = temporary::directory().map_err(file_error(&std::env::temp_dir()))?;
        let file = temporary.path().join("replayed.jinsi");
        let mut level = project(&self.history, &config.natural, &self.recorded());
        self.originals().leave_out_others(&mut level);
        let threaded = self.history.is_threaded();
        let recording = self
            .tables(level.engine)
            .of_several_threads(threaded)
            .with_initialized(self.history.statics().keys().cloned());
        let (code, layouts) =
            session::rewrite_for_recording(&recording, &config.natural, &level.observed)
                .map_err(PipelineError::from)?;
        // Its failure does not end the run: the environment may still ask the exception for its text.
        let nothing = CrashPredicate::default();
        let bytes = session::level_session(&recording, &code, &level, &nothing)
            .map_err(PipelineError::from)?;

        let observe = self.trace.meta().observe.join(":");
        let mut options = self.recorded_worker(config, agent, &observe, detail, &file);
        if threaded {
            let each = "-Djinsi.replay.meetings=true";
            options.jvm_args.push(each.into());
        }
        if tests.is_some() {
            options.timeout = PATIENCE_WITH_TESTS;
        }
        let endless = matches!(self.oracle(), Oracle::Endless { .. });
        if endless {
            let option = "-Djinsi.replay.endless=true";
            options.jvm_args.push(option.into());
            options.timeout = PATIENCE_WITH_ENDLESS;
        }
        let all = || level.interactions.iter().map(|i| i.no).collect();
        let needed = tests.and_then(|tests| self.needed_by(tests, &level));
        let run = needed.unwrap_or_else(all);
        let mut result = run_all(&options, &bytes, &run).map_err(PipelineError::from)?;
        if endless {
            result.outcome = match result.outcome {
                TestOutcome::Unresolved(Unresolved::Budget) => TestOutcome::Failing,
                TestOutcome::Unresolved(_) => result.outcome,
                _ => return Err(NotExpanded::Ended),
            };
        }
        if let TestOutcome::Unresolved(why) = result.outcome {
            let asked = tests.unwrap_or_default();
            let at = result.ended_in;
            let needing = at.map(|no| self.tests_that_need(no, asked, &level));
            return Err(NotExpanded::Diverged {
                why: format!("{} ({})", result.detail, why.name()),
                tests: needing.unwrap_or_default(),
            });
        }
        let replayed = Replayed {
            file: &file,
            layouts: &layouts,
            class_files: Some(self.originals().of(level.engine)),
            thread: (!threaded).then_some(self.thread),
            detail,
            calls: Some(self.calls(&level, &run)),
            tests,
        };
        Ok(Expanded {
            events: self.compose(&replayed, &result, to)?,
            interactions: run.len(),
            seconds: began.elapsed().as_secs_f64(),
        })
    }

    /// The calls among these interactions, and their call-backs, in the order of their beginnings.
    fn calls(&self, level: &Level, run: &[u32]) -> Vec<FromOutside> {
        let mut calls = Vec::new();
        for interaction in run.iter().filter_map(|no| level.interaction(*no)) {
            self.add_calls(interaction, false, &mut calls);
        }
        calls
    }

    fn add_calls(&self, interaction: &Interaction, is_callback: bool, to: &mut Vec<FromOutside>) {
        let history = &self.history;
        let is_call = matches!(
            interaction.op,
            Operation::Construct | Operation::Call | Operation::CallStatic
        );
        let node = history.node(interaction.node);
        if let (true, Some(began)) = (is_call, history.event_at(node.begin)) {
            let has_ended = history.outcome(interaction.node) != Outcome::Open;
            let end = history.event_at(node.close).filter(|_| has_ended);
            to.push(FromOutside {
                thread: interaction.thread,
                method: interaction.member.clone(),
                began: began.index,
                ended: end.map_or(u64::MAX, |event| event.index),
                is_callback,
            });
        }
        for callback in interaction.outgoing.iter().flat_map(|o| &o.callbacks) {
            self.add_calls(callback, true, to);
        }
    }

    /// Can the recording be expanded to this detail, by this JDK?
    pub(super) fn check_expands(&self, config: &Config, detail: Detail) -> Result<(), NotExpanded> {
        let recorded = self.trace.meta().detail;
        if detail <= recorded {
            return Err(match detail {
                Detail::Instructions | Detail::States => NotExpanded::Stepwise,
                _ => NotExpanded::Whole(recorded),
            });
        }
        Ok(self.check_jdk(config)?)
    }

    /// Makes one recording of this one and that of its replay, which ended so. The result is the number of events.
    pub(super) fn compose(
        &self,
        replayed: &Replayed<'_>,
        result: &TestResult,
        to: &Path,
    ) -> Result<u64, NotExpanded> {
        if let TestOutcome::Unresolved(why) = result.outcome {
            return Err(NotExpanded::Diverged {
                why: format!("{} ({})", result.detail, why.name()),
                tests: Vec::new(),
            });
        }
        let trace = Trace::open(replayed.file);
        let trace = trace.map_err(|e| ExpandError::from(ComposeError::from(e)))?;
        let expansion = Expansion {
            first: &self.trace,
            replayed: &trace,
            layouts: replayed.layouts,
            stand_ins: &result.stand_ins,
            thread: replayed.thread,
            detail: replayed.detail,
            class_files: replayed.class_files,
            damage: self.damage_defs(),
            calls: replayed.calls.clone(),
            tests: replayed.tests.map(<[MarkNo]>::to_vec),
        };
        Ok(expansion.write(to)?)
    }

    /// Expands this part of the run to the file `to`, in the place of which there may be the outcome of an earlier expansion, and opens that. If it
    /// did not work out the reason is in what is given besides, and there is another run only if all threads' history may do better.
    ///
    /// # Errors
    /// The earlier file cannot be removed, or the new one not be read.
    pub fn expanded(
        &self,
        config: &Config,
        agent: &Path,
        part: Part,
        to: &Path,
    ) -> Result<(Option<Run>, Attempt), PipelineError> {
        match std::fs::remove_file(to) {
            Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(file_error(to)(e)),
            _ => {}
        }
        let mut left_out = BTreeMap::new();
        let done = self.expand_failure(config, agent, part, to, &mut left_out);
        if self.left_out.is_some() && matches!(done, Err(NotExpanded::Diverged { .. })) {
            let all = Self::open(&self.path)?;
            let (expanded, attempt) = all.expanded(config, agent, part, to)?;
            return Ok((expanded.or(Some(all)), attempt));
        }
        let attempt = Attempt {
            events: self.trace.kind_stats().values().map(|s| s.events).sum(),
            bytes: self.trace.file_bytes(),
            failed: done.as_ref().err().map(ToString::to_string),
            damage: self.damage(),
            sliced: self.of_slice().filter(|_| done.is_ok()),
            left_out,
        };
        let run = match &done {
            Ok(_) => Some(Run::open(to)?),
            Err(NotExpanded::Diverged { .. }) if part != Part::Tests => self.of_all_threads()?,
            Err(_) => None,
        };
        Ok((run, attempt))
    }

    /// A test with which the replay of what tests need diverges is `left_out`, so that it does not decide about the others.
    fn expand_failure(
        &self,
        config: &Config,
        agent: &Path,
        part: Part,
        to: &Path,
        left_out: &mut BTreeMap<MarkNo, String>,
    ) -> Result<Expanded, NotExpanded> {
        let mut failed = match self.oracle() {
            Oracle::Endless { .. } => self.history.running_test().into_iter().collect(),
            _ => self.failed_test_numbers(),
        };
        let replays = match part {
            Part::Tests => MOST_BEFORE_SECOND_TRY,
            Part::All => 0,
            Part::TestsOrAll if self.is_long() => 0,
            Part::TestsOrAll => MOST_REPLAYS,
        };
        for no in 1..=replays {
            if failed.is_empty() {
                break;
            }
            match self.expand_tests(config, agent, &failed, to) {
                Err(NotExpanded::Diverged { tests, why }) if !tests.is_empty() => {
                    failed.retain(|test| !tests.contains(test));
                    let reason = format!("the replay diverged: {why}");
                    left_out.extend(tests.iter().map(|test| (*test, reason.clone())));
                    let is_last = failed.is_empty() || no == replays;
                    if part == Part::Tests && is_last {
                        return Err(NotExpanded::Diverged { tests, why });
                    }
                }
                Err(NotExpanded::Diverged { .. }) if part != Part::Tests => break,
                done => return done,
            }
        }
        // All tests are in that, or none.
        left_out.clear();
        self.expand(config, agent, Detail::Interactions, to)
    }

    /// A worker that carries the agent, with these options of it.
    pub(super) fn recorded_worker(
        &self,
        config: &Config,
        agent: &Path,
        observe: &str,
        detail: Detail,
        out: &Path,
    ) -> WorkerConfig {
        let detail = detail.name();
        let mut exclude = self.trace.meta().exclude.clone();
        exclude.push("jinsi.replay.*".into());
        let exclude = exclude.join(":");
        let options = format!(
            "observe={observe},exclude={exclude},detail={detail},max-size=none,out={}",
            out.display()
        );
        let agent: PathBuf = std::path::absolute(agent).unwrap_or_else(|_| agent.to_path_buf());
        let mut worker = worker_config(config);
        worker.read.push(agent.clone());
        worker.read.extend(self.class_path());
        if let Some(place) = out.parent() {
            worker.write.push(place.to_owned());
            worker.disk = half_of_the_disk(place);
        }
        worker.timeout = PATIENCE;
        worker.purpose = Purpose::Run;
        worker.jvm_args.extend(self.jvm_options(&config.jdk));
        worker.jvm_args.extend(self.options_of_texts());
        worker.jvm_args.extend(self.option_of_language());
        let budget = match self.oracle() {
            Oracle::Endless { .. } => BUDGET_OF_ENDLESS,
            _ => BUDGET,
        };
        worker.jvm_args.extend([
            format!("-agentpath:{}={options}", agent.display()),
            format!("-Djinsi.replay.budget={budget}"),
            "-Djinsi.replay.recorded=true".into(),
        ]);
        worker
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divergence_of_fewer_tests_says_more() {
        let diverged = |tests: &[MarkNo]| -> Result<(), NotExpanded> {
            Err(NotExpanded::Diverged {
                why: "an answer is missing".to_owned(),
                tests: tests.to_vec(),
            })
        };
        assert!(fewer_tests_diverge(&diverged(&[3]), &diverged(&[3, 5])));
        // Of nobody is of all.
        assert!(fewer_tests_diverge(&diverged(&[3, 5]), &diverged(&[])));
        assert!(!fewer_tests_diverge(&diverged(&[3, 5]), &diverged(&[3])));
        assert!(!fewer_tests_diverge(&diverged(&[]), &diverged(&[])));
    }
}

//! The search's view of history and worker.

use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

use jinsi_history::NodeKind;
use jinsi_level::belonging::{belonging, deciding};
use jinsi_level::change::Change;
use jinsi_level::event_slice::event_slice;
use jinsi_level::handed_on::handed_on;
use jinsi_level::later;
use jinsi_level::surroundings::Setting;
use jinsi_level::verdict::{Mode, TestOutcome, TestResult, Unresolved};
use jinsi_level::{Engine, Interaction, Level, NodeNo};
use jinsi_natural::Natural;
use jinsi_oracle::Oracle;
use jinsi_replay::rewrite::FlipSite;
use jinsi_replay::session::{self, ReplayCode};
use jinsi_replay::worker::{Watch, Worker};
use jinsi_search::ddmin::Verdict;
use jinsi_search::levels::{LoadError, Recording, Replayer, TestRun, whole_runs};

use jinsi_testwriter::classes::ClassTable;

use super::harmless::is_harmless;
use super::judge::Judge;
use super::shown::Shown;
use super::worker_pool::WorkerPool;
use super::{Config, PipelineError, Run, worker_config};

/// Exceptions that say that something is not there.
const OF_ABSENT: [&str; 2] = [
    "java.lang.NullPointerException",
    "java.util.NoSuchElementException",
];

/// Levels out of a history.
pub(super) struct Projector<'a> {
    pub(super) run: &'a Run,
    pub(super) natural: &'a Natural,
    /// What came after it shows is left out.
    pub(super) oracle: &'a Oracle,
    /// What a test can do is a question of access.
    pub(super) table: &'a ClassTable,
}

impl Recording for Projector<'_> {
    fn project(&mut self, observed: &BTreeSet<String>, driver: Option<NodeNo>) -> Level {
        self.run
            .project(self.natural, observed, self.oracle, driver)
    }

    fn project_for_real(&mut self, observed: &BTreeSet<String>, driver: Option<NodeNo>) -> Level {
        self.run.project_for_real(observed, self.oracle, driver)
    }

    fn can_be_done(&self, interaction: &Interaction) -> bool {
        jinsi_testwriter::can_be_done(self.table, interaction)
    }

    fn awaited(&mut self, level: Level, criterion: u32) -> Level {
        let can_be_done = |i: &Interaction| self.can_be_done(i);
        let caught = matches!(self.oracle, Oracle::Exception);
        later::awaited(&self.run.history, level, criterion, caught, &can_be_done)
    }

    fn handed_on(&self, level: &Level, criterion: u32) -> Option<Level> {
        if !matches!(self.oracle, Oracle::Exception) {
            return None;
        }
        let (history, recorded) = (&self.run.history, self.run.recorded());
        let alone = |i: &Interaction| is_harmless(history, self.natural, &recorded, i.node);
        handed_on(level, criterion, &alone)
    }

    fn is_during(&self, node: NodeNo, classes: &[String]) -> bool {
        let history = &self.run.history;
        let mut around = std::iter::successors(history.parent(node), |n| history.parent(*n));
        around.any(|n| {
            let is_code = history.node(n).kind == NodeKind::Activation;
            is_code && classes.iter().any(|class| history.entity_class(n) == class)
        })
    }

    fn surroundings(&self) -> Vec<Setting> {
        self.run.settings()
    }

    fn without_other_tests(&self, level: &Level) -> Option<Vec<u32>> {
        self.run.without_other_tests(level)
    }

    fn belonging(&self, level: &Level, criterion: u32, kept: &[u32]) -> Vec<u32> {
        match self.oracle {
            Oracle::Value(_) | Oracle::Assertion(_) => {
                belonging(&self.run.history, level, criterion, kept)
            }
            // Of a program that an exception ended, one wants the fewest calls that end it. A test was right before, and what a program handles may well be
            // right at other times: there the reason must stay the same. In a test, what was not found may be missing if nothing was put there.
            Oracle::Exception if self.run.test.is_some() => {
                match OF_ABSENT.contains(&&*self.run.predicate().class) {
                    true => belonging(&self.run.history, level, criterion, kept),
                    false => deciding(&self.run.history, level, criterion),
                }
            }
            Oracle::Exception if self.run.was_handled() => {
                deciding(&self.run.history, level, criterion)
            }
            _ => Vec::new(),
        }
    }

    fn event_slice(&mut self, level: &Level, criterion: u32) -> Vec<u32> {
        event_slice(level, criterion)
    }
}

/// Tests by the replay worker.
pub(super) struct WorkerReplayer<'a> {
    run: &'a Run,
    config: &'a Config,
    recording: session::TraceTables,
    /// The same for levels that run for real, where these have other class files.
    for_real: Option<session::TraceTables>,
    worker: Worker,
    pool: WorkerPool,
    /// What makes tests failing, of levels that are loaded from now on.
    pub(super) oracle: Oracle,
    /// The same for the loaded level.
    judge: Judge,
    /// Values that are wrong, as far as strict runs have shown them. What a text of one shows of objects depends on who made them, so replay has its
    /// own.
    known: HashMap<(Engine, BTreeSet<String>), Shown>,
}

impl<'a> WorkerReplayer<'a> {
    /// With one worker, and as many further ones for [`Replayer::begin`] as make it `workers`.
    pub(super) fn start(
        run: &'a Run,
        config: &'a Config,
        workers: usize,
    ) -> Result<Self, PipelineError> {
        let mut each = worker_config(config);
        each.read.extend(run.class_path());
        each.visible = run.visible_files();
        each.jvm_args.extend(run.jvm_options(&config.jdk));
        each.jvm_args.extend(run.option_of_language());
        if let Oracle::Predicate(wrong) = run.oracle() {
            each.read.push(wrong.predicate.directory.clone());
        }
        let tables = |engine| {
            run.tables(engine)
                .of_several_threads(run.history.is_threaded())
                .with_initialized(run.history.statics().keys().cloned())
        };
        let has_others = !run.originals().of(Engine::Direct).is_empty();
        let recording = tables(Engine::Replay);
        let for_real = has_others.then(|| tables(Engine::Direct));
        Ok(Self {
            run,
            config,
            recording,
            for_real,
            worker: Worker::start(&each)?,
            pool: WorkerPool::new(each, workers.saturating_sub(1)),
            oracle: run.oracle().clone(),
            judge: Judge::Worker,
            known: HashMap::new(),
        })
    }

    /// The classes, rewritten for the level's observed set.
    pub(super) fn code(&self, level: &Level) -> Result<ReplayCode, PipelineError> {
        Ok(session::rewrite_for(
            &self.recording,
            &self.config.natural,
            &level.observed,
        )?)
    }

    /// The tables that sessions are made from.
    pub(super) fn recording(&self) -> &session::TraceTables {
        &self.recording
    }

    /// Those that sessions of an engine are made from.
    fn tables(&self, engine: Engine) -> &session::TraceTables {
        match engine {
            Engine::Replay => &self.recording,
            Engine::Direct => self.for_real.as_ref().unwrap_or(&self.recording),
        }
    }

    pub(super) fn load_level(&mut self, level: &Level) -> Result<(), PipelineError> {
        let code = match level.engine {
            Engine::Replay => self.code(level)?,
            Engine::Direct => session::as_it_is(self.tables(level.engine), false)?,
        };
        self.hand_over(&code, level)
    }

    /// As [`Self::load_level`], but tests count lines. False, and nothing is loaded, if some observed code has none.
    fn load_with_lines(&mut self, level: &Level) -> Result<bool, PipelineError> {
        let natural = &self.config.natural;
        let code = match level.engine {
            Engine::Replay => session::rewrite_counting(&self.recording, natural, &level.observed)?,
            Engine::Direct => session::as_it_is(self.tables(level.engine), true)?,
        };
        if code.lines.is_none() {
            return Ok(false);
        }
        self.hand_over(&code, level)?;
        Ok(true)
    }

    /// As [`Self::load_level`], with jumps that can be turned. In classes that another agent changed nobody knows where they are.
    pub(super) fn load_with_flips(
        &mut self,
        level: &Level,
        mut flips: Vec<FlipSite>,
    ) -> Result<(), PipelineError> {
        let others = self.run.originals().of(Engine::Direct);
        flips.retain(|flip| !others.contains_key(flip.method.owner.as_str()));
        let natural = &self.config.natural;
        let code = match level.engine {
            Engine::Replay => {
                session::rewrite_flipping(&self.recording, natural, &level.observed, flips)?
            }
            Engine::Direct => session::as_it_is_flipping(self.tables(level.engine), flips)?,
        };
        let bytes = self.run.session(self.tables(level.engine), &code, level)?;
        self.worker.load(&bytes)?;
        Ok(())
    }

    /// Runs all of these, and tells of a jump that is turned.
    pub(super) fn flip(&mut self, all: &[u32], watch: Watch) -> Result<TestResult, PipelineError> {
        self.worker.watch(watch)?;
        Ok(self.worker.test(all, Mode::Resynchronizing)?)
    }

    fn hand_over(&mut self, code: &ReplayCode, level: &Level) -> Result<(), PipelineError> {
        let bytes = self.run.session(self.tables(level.engine), code, level)?;
        let began = Instant::now();
        self.worker.load(&bytes)?;
        self.pool.loaded(began.elapsed());
        self.judge = self.judge_of(level)?;
        Ok(())
    }

    /// What makes tests of the level failing, which they are asked to report. What the wrong value is, strict replay shows.
    fn judge_of(&mut self, level: &Level) -> Result<Judge, PipelineError> {
        let mut judge = Judge::of(&self.oracle, level);
        if judge.watch() != Watch::Nothing {
            self.worker.watch(judge.watch())?;
        }
        if let Judge::Value {
            wanted,
            interaction,
            ..
        } = &mut judge
        {
            let key = (level.engine, level.observed.clone());
            let mut value = self.known.get(&key).cloned();
            let own = self.run.without_other_tests(level);
            let sliced = event_slice(level, *interaction);
            for list in whole_runs(level, own, sliced) {
                if value.is_some() {
                    break;
                }
                let strict = self.worker.test(&list, Mode::Strict)?;
                let passing = strict.outcome == TestOutcome::Passing;
                let watched = strict.watched.filter(|_| passing);
                value = watched.as_deref().map(Shown::of);
                // Where nothing is answered from the recording, the clock goes on.
                if level.engine == Engine::Direct
                    && let Some(shown) = value.take()
                {
                    let again = self.worker.test(&list, Mode::Strict)?;
                    let shown = shown.but_in(again.watched.as_deref().unwrap_or_default());
                    let recorded = self.oracle.value().and_then(|wrong| wrong.text.as_deref());
                    value = Some(shown.but_recorded(recorded.unwrap_or_default()));
                }
            }
            self.known.extend(value.clone().map(|v| (key, v)));
            *wanted = value;
        }
        Ok(judge)
    }

    /// What `watch` tells of a run of the loaded level, whatever its outcome is.
    pub(super) fn state(
        &mut self,
        watch: Watch,
        subset: &[u32],
    ) -> Result<Option<String>, PipelineError> {
        self.worker.watch(watch)?;
        let result = self.worker.test(subset, Mode::Resynchronizing)?;
        self.worker.watch(self.judge.watch())?;
        Ok(result.watched)
    }

    pub(super) fn run(&mut self, subset: &[u32], mode: Mode) -> Result<TestResult, PipelineError> {
        let began = Instant::now();
        let mut result = self.worker.test(subset, mode)?;
        self.pool.tested(began.elapsed());
        if mode == Mode::Strict {
            self.pool.reproduced(subset);
        }
        self.judge.judge(&mut result);
        Ok(result)
    }
}

impl Replayer for WorkerReplayer<'_> {
    fn load(&mut self, level: &Level) -> Result<(), LoadError> {
        self.load_level(level).map_err(|e| LoadError(e.to_string()))
    }

    fn load_counting(&mut self, level: &Level) -> Result<bool, LoadError> {
        self.load_with_lines(level)
            .map_err(|e| LoadError(e.to_string()))
    }

    fn vary(&mut self, changes: &[Change]) -> Result<(), LoadError> {
        let bytes = session::changes(changes).map_err(|e| LoadError(e.to_string()))?;
        self.worker
            .vary(&bytes)
            .map_err(|e| LoadError(e.to_string()))
    }

    fn test(&mut self, subset: &[u32], mode: Mode) -> TestRun {
        match self.run(subset, mode) {
            Ok(result) => result.into(),
            Err(e) => TestRun {
                verdict: Verdict::Unresolved(Unresolved::Harness),
                detail: e.to_string(),
                resynchronized: false,
                notes: vec![],
                used_answers: vec![],
                blocked_on: None,
                ended_in: None,
                back_edges: 0,
                lines: 0,
                way: 0,
            },
        }
    }

    fn idle(&mut self) -> bool {
        // Those of the crew cannot tell more than the worker itself.
        self.judge == Judge::Worker && self.pool.idle()
    }

    fn begin(&mut self, subset: &[u32]) -> bool {
        self.judge == Judge::Worker && self.pool.begin(&self.worker, subset)
    }

    fn ended(&mut self, wait: bool) -> Option<(Vec<u32>, TestRun)> {
        self.pool.ended(wait)
    }
}

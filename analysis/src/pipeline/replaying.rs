//! A level of a run in the hands of a worker.

use std::collections::BTreeSet;

use jinsi_natural::pattern::Pattern;

use super::adapters::WorkerReplayer;
use super::run::Run;
use super::{Case, Config, PipelineError};
use jinsi_level::verdict::{Mode, TestResult};
use jinsi_level::{Engine, Level};

/// A level in the hands of a worker.
pub struct Replay<'a> {
    run: &'a Run,
    config: &'a Config,
    level: Level,
    replayer: WorkerReplayer<'a>,
}

impl Replay<'_> {
    /// The level.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// Puts the level of another observed set in place of this one.
    ///
    /// # Errors
    /// The worker cannot be used.
    pub fn load(&mut self, observed: &BTreeSet<String>) -> Result<(), PipelineError> {
        self.level = self
            .run
            .project(&self.config.natural, observed, self.run.oracle(), None);
        self.replayer.load_level(&self.level)
    }

    /// Puts the level of this number along the failure's stack in place of this one, to be run for real; the classes `further_callers`, by their
    /// internal names, are not at work.
    ///
    /// # Errors
    /// There is no such level, or the worker cannot be used.
    pub fn load_for_real(
        &mut self,
        number: u32,
        further_callers: &[String],
    ) -> Result<(), PipelineError> {
        let specs = Case::of(self.run)?.stack_specs();
        let spec = specs.into_iter().find(|spec| spec.level == number);
        let spec = spec.ok_or(PipelineError::NoLevel(number))?;
        let mut at_work = spec.all_but_callers(&self.run.recorded());
        at_work.retain(|class| !further_callers.contains(class));
        let run = self.run;
        self.level = run.project_for_real(&at_work, run.oracle(), spec.driver);
        self.level.engine = Engine::Direct;
        self.level.surroundings = run.settings();
        self.replayer.load_level(&self.level)
    }

    /// Replays everything, strictly in the recorded order.
    ///
    /// # Errors
    /// The worker cannot be used.
    pub fn strict(&mut self) -> Result<TestResult, PipelineError> {
        let all: Vec<u32> = self.level.interactions.iter().map(|i| i.no).collect();
        self.replayer.run(&all, Mode::Strict)
    }

    /// Replays a subset of the driven interactions, re-synchronizing where calls are missing.
    ///
    /// # Errors
    /// The worker cannot be used.
    pub fn subset(&mut self, numbers: &[u32]) -> Result<TestResult, PipelineError> {
        self.replayer.run(numbers, Mode::Resynchronizing)
    }
}

impl Run {
    /// A replay of the recording as the observed set `patterns` sees it (all recorded classes if `None`).
    ///
    /// # Errors
    /// The set is empty, or the worker cannot be started.
    pub fn replay<'a>(
        &'a self,
        config: &'a Config,
        patterns: Option<&[Pattern]>,
    ) -> Result<Replay<'a>, PipelineError> {
        let observed = match patterns {
            None => self.recorded(),
            Some(patterns) => self.matching(patterns)?,
        };
        self.check_jdk(config)?;
        let mut replay = Replay {
            run: self,
            config,
            level: Level::default(),
            replayer: WorkerReplayer::start(self, config, 1)?,
        };
        replay.load(&observed)?;
        Ok(replay)
    }
}

//! The search over all levels of a failure: each is minimized, and handed on to be sliced and to have its test tried out.
//!
//! A level is run for real first. One that has no test in plain Java then, or none that fails as recorded, is replayed when all others are
//! done: by then it is known what became of the tests.

use std::collections::BTreeSet;
use std::sync::mpsc::{Sender, channel};

use super::adapters::{Projector, WorkerReplayer};
use super::explained::Outermost;
use super::tests_of_levels::{self, Reply, Subject};
use super::{Case, Config, PipelineError, Progress, Stages, Wanted, as_search};
use crate::minimized::{MinimizedLevel, MinimizedRun};
use jinsi_jdk::Walls;
use jinsi_level::{Engine, NodeNo};
use jinsi_oracle::Oracle;
use jinsi_replay::session::Numbered;
use jinsi_search::levels::{LevelResult, LevelSpec, Search};
use jinsi_testwriter::Form;
use jinsi_testwriter::classes::ClassTable;
use jinsi_testwriter::describe::describe;
use jinsi_trace::model::Detail;

/// The search over the levels of a case.
pub(super) struct LevelSearch<'w, 'a, 'scope> {
    pub(super) case: &'w Case<'a>,
    pub(super) config: &'w Config,
    pub(super) wanted: &'w Wanted,
    pub(super) table: &'w ClassTable,
    pub(super) specs: Vec<LevelSpec>,
    /// Internal names of the recorded classes.
    pub(super) recorded: BTreeSet<String>,
    pub(super) replayer: &'w mut WorkerReplayer<'a>,
    pub(super) stages: &'w mut Stages<'scope>,
    /// What was left of the last level.
    pub(super) likely: Vec<NodeNo>,
    /// Classes that stood behind what is left.
    pub(super) unseen: BTreeSet<String>,
    /// The outermost level so far of which something is left.
    pub(super) outermost: Option<Outermost>,
}

/// What the search over the levels leaves for what comes behind it.
pub(super) struct Searched {
    /// Classes that stood behind what is left ([`stood_in_for`]).
    pub(super) unseen: BTreeSet<String>,
    pub(super) outermost: Option<Outermost>,
}

impl LevelSearch<'_, '_, '_> {
    /// Minimizes the levels, lowest first, and hands on what the report and the tests need of each: a level may have millions of
    /// interactions, and is gone when the next one comes; only of small ones the outermost is kept.
    pub(super) fn all(
        mut self,
        minimized: &mut MinimizedRun,
        progress: &mut dyn Progress,
    ) -> Result<Searched, PipelineError> {
        let stop = self.wanted.stop;
        let (reply, replies) = channel();
        let engine = match self.may_run_directly() {
            true => Engine::Direct,
            false => Engine::Replay,
        };
        for index in 0..self.specs.len() {
            if stop.reason().is_some() {
                break;
            }
            self.level(index, engine, Some(&reply), minimized, progress)?;
        }
        drop(reply);
        // Ends when every level that was run for real has answered.
        for (index, why) in replies {
            if let (Some(why), None) = (why, stop.reason()) {
                self.level(index, Engine::Replay, None, minimized, progress)?;
                minimized.levels[index].result.not_direct = Some(why);
            }
        }
        let all = minimized.levels.len() == self.specs.len();
        let mut levels = minimized.levels.iter();
        let unfinished = levels.any(|l| l.result.stopped.is_some());
        minimized.stopped = stop.reason().filter(|_| unfinished || !all);
        let on_the_stack = |class: &String| self.specs.iter().any(|s| s.observed.contains(class));
        self.unseen.retain(|class| !on_the_stack(class));
        Ok(Searched {
            unseen: self.unseen,
            outermost: self.outermost,
        })
    }

    /// Can what is recorded be run for real and judged? Only where it is shut in; and what is written, and how the program ends, is seen only by
    /// a replay.
    fn may_run_directly(&self) -> bool {
        let crash = self.case.crash;
        let judged = matches!(
            crash.oracle,
            Oracle::Exception | Oracle::Value(_) | Oracle::Assertion(_) | Oracle::Endless { .. }
        );
        let known = self.case.run.trace.surroundings().is_some();
        let plain = self.wanted.form.is_none_or(|form| form == Form::Plain);
        let wanted = !self.wanted.replay_only && plain;
        wanted && self.config.walls == Walls::Confined && judged && known
    }

    /// Minimizes the level at `index`, for real if that fails as recorded and `engine` allows it, and puts it in its place. If
    /// it was run for real, `reply` gets whether a test of it fails as recorded.
    fn level(
        &mut self,
        index: usize,
        engine: Engine,
        reply: Option<&Sender<Reply>>,
        minimized: &mut MinimizedRun,
        progress: &mut dyn Progress,
    ) -> Result<(), PipelineError> {
        let (case, table) = (self.case, self.table);
        let result = self.searched(index, engine, progress);
        let spec = &result.spec;
        let subject = Subject {
            index,
            class_name: jinsi_testwriter::class_name(&spec.joins, spec.level),
            form: self.wanted.form,
            dialect: self.wanted.dialect,
            oracle: &case.crash.oracle,
            message: case.message(),
        };
        let replayer = &*self.replayer;
        let tests =
            tests_of_levels::candidates(case, self.config, replayer, table, &result, &subject)?;
        if let (Some(agent), false) = (&self.wanted.agent, result.kept.is_empty()) {
            let (level, kept) = (&result.level, &result.kept);
            let left = case.left(self.config, agent, (level, kept), Detail::Instructions);
            self.outermost = Outermost::or(self.outermost.take(), index, level, kept);
            self.stages.slices.give((index, left));
        }
        let mut not_written = None;
        match (tests, reply) {
            (Ok(test), reply) => self.stages.tests.give(test.answering(reply)),
            (Err(why), Some(reply)) if result.level.engine == Engine::Direct => {
                let _ = reply.send((index, Some(why.to_string())));
            }
            (Err(why), _) if !result.kept.is_empty() => not_written = Some(why.to_string()),
            _ => {}
        }
        // A level that was run for real hides what lower levels saw from outside; what is replayed sees more than they did.
        let stood_in = stood_in_for(&result, &self.recorded);
        match result.level.engine {
            Engine::Replay => self.unseen = stood_in,
            Engine::Direct => self.unseen.extend(stood_in),
        }
        let mut level = MinimizedLevel::new(result, &|i, level| describe(i, level, table));
        level.locate(&case.run.history);
        level.not_written = not_written;
        match minimized.levels.get_mut(index) {
            Some(place) => *place = level,
            None => minimized.levels.push(level),
        }
        Ok(())
    }

    /// What the search of the level at `index` comes to.
    fn searched(
        &mut self,
        index: usize,
        engine: Engine,
        progress: &mut dyn Progress,
    ) -> LevelResult {
        let (case, wanted) = (self.case, self.wanted);
        let mut projector = Projector {
            run: case.run,
            natural: &self.config.natural,
            oracle: &case.crash.oracle,
            table: self.table,
        };
        let mut search = Search {
            recording: &mut projector,
            replayer: &mut *self.replayer,
            recorded: &self.recorded,
            failure: case.crash.throwable,
            shows: case.crash.oracle.node(),
            strategy: wanted.strategy,
            direct: engine == Engine::Direct,
            shrink: !wanted.keep_values && case.crash.oracle.allows_other_values(),
            stop: wanted.stop,
            likely: std::mem::take(&mut self.likely),
        };
        let result = search.level(&self.specs[index], self.specs.len(), as_search(progress));
        self.likely = search.likely;
        result
    }
}

/// Internal names of the recorded classes that are not on the stack and handed something to what is left of a level: answers where it was
/// replayed, objects with their states where it was run for real. The defect may be in one of them.
fn stood_in_for(result: &LevelResult, recorded: &BTreeSet<String>) -> BTreeSet<String> {
    let numbered = Numbered::new(&result.level);
    let answers = result.used_answers.iter();
    let answers = answers.filter_map(|&no| Some(&numbered.get(no)?.target_class));
    let made = result.kept_interactions().map(|i| &i.target_class);
    let seen = match result.level.engine {
        Engine::Replay => &result.level.observed,
        Engine::Direct => &result.spec.observed,
    };
    answers
        .chain(made)
        .filter(|class| recorded.contains(*class) && !seen.contains(*class))
        .cloned()
        .collect()
}

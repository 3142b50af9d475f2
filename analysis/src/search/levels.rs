//! Levels along the stack (digest `jinsi-thesis.md` §6.1, Algorithm 4): one minimization for each distinct object on the stack
//! of the failure, the observed set growing from the topmost object outward.
//!
//! One recording serves all levels (DESIGN D1): a level is a projection, and only the tests of delta debugging execute code.
//!
//! *Widening.* A narrow observed set answers from the recording what a class outside it did. When delta debugging leaves a
//! call out, such a class may be asked something that was never recorded, the test is unresolved, and the call stays although
//! it is not needed. If the class that was asked was itself recorded, and is not one of the callers further out on the stack
//! (those belong to later levels), it can run instead of being answered for. The level is then minimized once more with every
//! recorded class observed except the callers' classes. The result with fewer interactions counts, the narrow one on a tie.

use std::collections::BTreeSet;
use std::time::Instant;

use jinsi_trace::model::ObjectId;

use super::ddmin::{Minimized, NotFailing, Oracle, Removal, Tally, Verdict, ddmin};
use super::grow::grow;
use super::memo::{Ran, Runner};
use super::shrink::{Change, can_shrink, shrink};
use super::structure::Structure;
use crate::level::{Interaction, Level, NodeNo, Outcome};
pub use crate::replay::worker::Mode;
use crate::replay::worker::{TestOutcome, TestResult};

/// What one test gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRun {
    /// Failing, passing, or unresolved with the stable name of the situation.
    pub verdict: Verdict,
    /// For people: what happened, with the interaction it happened in.
    pub detail: String,
    /// An answer was found by searching and not by position.
    pub resynchronized: bool,
    /// Remarks of the replay.
    pub notes: Vec<String>,
    /// Numbers (as in the replay session) of the outgoing interactions whose answers were used, in order of use.
    pub used_answers: Vec<u32>,
    /// If the test is unresolved for want of an answer: internal name of the class that was asked.
    pub blocked_on: Option<String>,
    /// Number of the interaction in which the run ended before its list did.
    pub ended_in: Option<u32>,
    /// Backward branches taken or passed by observed code.
    pub back_edges: u64,
}

impl From<TestResult> for TestRun {
    fn from(result: TestResult) -> Self {
        let verdict = match result.outcome {
            TestOutcome::Failing => Verdict::Failing,
            TestOutcome::Passing => Verdict::Passing,
            TestOutcome::Unresolved(why) => Verdict::Unresolved(why.name().to_owned()),
        };
        Self {
            verdict,
            detail: result.detail,
            resynchronized: result.resynchronized,
            notes: result.notes,
            used_answers: result.used_answers,
            blocked_on: result.blocked_on,
            ended_in: result.ended_in,
            back_edges: result.back_edges,
        }
    }
}

/// A level could not be handed to the replay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LoadError(pub String);

/// The recorded run, as far as the search needs it.
pub trait Recording {
    /// The run as the observed set `observed` (internal names) sees it.
    fn project(&mut self, observed: &BTreeSet<String>) -> Level;
    /// Numbers of the driven interactions that may have influenced `criterion`, itself included (digest §5.3).
    fn event_slice(&mut self, level: &Level, criterion: u32) -> Vec<u32>;
}

/// Runs tests of the level that was loaded last.
pub trait Replayer {
    /// Makes `level` the one that is tested.
    ///
    /// # Errors
    /// [`LoadError`] if the level cannot be made ready for replay.
    fn load(&mut self, level: &Level) -> Result<(), LoadError>;
    /// From now on tests of the loaded level run with these changes, and no others.
    ///
    /// # Errors
    /// [`LoadError`] if the replay does not take them.
    fn vary(&mut self, changes: &[Change]) -> Result<(), LoadError>;
    /// Runs the driven interactions in `subset`. Trouble of the replay itself is an unresolved verdict.
    fn test(&mut self, subset: &[u32], mode: Mode) -> TestRun;
}

/// How the search is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// From the failure outward ([`grow`]).
    #[default]
    Grow,
    /// Plain delta debugging ([`ddmin`]), the reference.
    Ddmin,
    /// The first; and the second is done as well, for its figures ([`LevelResult::plain`]).
    Both,
}

/// What plain delta debugging would have come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plain {
    /// Its tests.
    pub tests: u64,
    /// Interactions that it leaves.
    pub kept: u64,
    /// Wall time of its tests.
    pub seconds: f64,
}

/// Is told how the search proceeds. All methods may be left out.
pub trait Progress {
    /// A level of `of` begins; `interactions` driven ones were recorded.
    fn level_started(&mut self, spec: &LevelSpec, of: usize, interactions: usize) {
        let _ = (spec, of, interactions);
    }
    /// A test of `size` interactions ended.
    fn tested(&mut self, size: usize, verdict: &Verdict) {
        let _ = (size, verdict);
    }
    /// The level is done.
    fn level_finished(&mut self, result: &LevelResult) {
        let _ = result;
    }
}

/// Tells nobody.
impl Progress for () {}

/// What is to be minimized on one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelSpec {
    /// 1 is the lowest: only the topmost object of the stack.
    pub level: u32,
    /// Internal name of the class that this level adds.
    pub joins: String,
    /// Observed classes, internal names.
    pub observed: BTreeSet<String>,
    /// Classes of the objects further out on the stack: they drive this level.
    pub callers: BTreeSet<String>,
}

/// The levels of a stack of objects, given by the internal names of their run-time classes, topmost first. An object whose
/// class is already observed adds no level: its observed set would be the same.
pub fn level_specs(stack: &[String]) -> Vec<LevelSpec> {
    let mut specs = Vec::new();
    let mut observed = BTreeSet::new();
    for (i, class) in stack.iter().enumerate() {
        if !observed.insert(class.clone()) {
            continue;
        }
        let callers = stack[i + 1..]
            .iter()
            .filter(|c| !observed.contains(*c))
            .cloned()
            .collect();
        specs.push(LevelSpec {
            level: specs.len() as u32 + 1,
            joins: class.clone(),
            observed: observed.clone(),
            callers,
        });
    }
    specs
}

/// How the strict sequential replay of a whole level ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StrictReplay {
    /// It ended with the recorded failure.
    Reproduced,
    /// It did not; the level was not minimized.
    NotReplayable(String),
}

/// What is left of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelResult {
    /// What was asked for.
    pub spec: LevelSpec,
    /// The level as minimized: the widened one if `widened`.
    pub level: Level,
    /// The observed set was widened (see the module's comment) and that left fewer interactions.
    pub widened: bool,
    /// Outcome of the strict replay of the whole level.
    pub strict_replay: StrictReplay,
    /// Number of the driven interaction that let the failure out; `None` if the level has no interactions.
    pub criterion: Option<u32>,
    /// Driven interactions in the event slice, in order; all of them if the slice alone did not fail.
    pub sliced: Vec<u32>,
    /// Driven interactions left, in order. Empty if the level is not replayable.
    pub kept: Vec<u32>,
    /// What the removal of each kept one gives.
    pub removals: Vec<Removal>,
    /// Tests of delta debugging; the strict replay is not counted.
    pub tally: Tally,
    /// Tests of the attempt that was set aside, if there were two (see the module's comment).
    pub other_attempt_tests: u64,
    /// The final run needed re-synchronization (DESIGN D10).
    pub resynchronized: bool,
    /// Answers used by the final run, as in [`TestRun::used_answers`]: numbers of the session of `level`.
    pub used_answers: Vec<u32>,
    /// Remarks, for people.
    pub notes: Vec<String>,
    /// Wall time spent on the level.
    pub seconds: f64,
    /// Of this, the tests.
    pub search_seconds: f64,
    /// Tests of [`shrink`] and of the final run with smaller values.
    pub shrink_tests: u64,
    /// The figures of plain delta debugging on the same level and slice, if they were asked for.
    pub plain: Option<Plain>,
}

impl LevelResult {
    /// The kept interactions, in order.
    pub fn kept_interactions(&self) -> impl Iterator<Item = &Interaction> {
        self.kept
            .iter()
            .filter_map(|&no| interaction(&self.level, no))
    }
}

/// The driven interaction number `no` of a level.
pub fn interaction(level: &Level, no: u32) -> Option<&Interaction> {
    level.interactions.get(no as usize).filter(|i| i.no == no)
}

/// The driven interaction that let the failure out: the last one that threw `failure`, else (it was wrapped on its way) the last
/// one that threw anything or did not end, else the last one.
pub fn criterion(level: &Level, failure: ObjectId) -> Option<u32> {
    let last = |wanted: &dyn Fn(&Outcome) -> bool| {
        level
            .interactions
            .iter()
            .rev()
            .find(|i| wanted(&i.outcome))
            .map(|i| i.no)
    };
    last(&|o| *o == Outcome::Throw(failure))
        .or_else(|| last(&|o| matches!(o, Outcome::Throw(_) | Outcome::Open)))
        .or_else(|| last(&|_| true))
}

/// Backward branches that shrinking the values of a level may cost, about: some seconds.
const SHRINK_BACK_EDGES: u64 = 2_000_000;
/// Tests that it may take at any cost.
const MIN_SHRINK_TESTS: u64 = 10;
/// Tests that it may take at most.
const MAX_SHRINK_TESTS: u64 = 250;

/// The search over all levels of one failure.
pub struct Search<'a> {
    /// The recorded run.
    pub recording: &'a mut dyn Recording,
    /// Runs the tests.
    pub replayer: &'a mut dyn Replayer,
    /// Internal names of all classes recorded by `observe=`, whose bytes are in the trace.
    pub recorded: &'a BTreeSet<String>,
    /// The throwable that is the failure.
    pub failure: ObjectId,
    /// How to search.
    pub strategy: Strategy,
    /// Make the values smaller in what is left.
    pub shrink: bool,
}

impl Search<'_> {
    /// Minimizes every level, lowest first. A level that cannot be replayed is reported as such and the others still come.
    ///
    /// What is left of one level is done by some interactions of the next: there these are tried first.
    pub fn run(&mut self, specs: &[LevelSpec], progress: &mut dyn Progress) -> Vec<LevelResult> {
        let mut likely = Vec::new();
        let mut results = Vec::with_capacity(specs.len());
        for spec in specs {
            let result = self.level(spec, specs.len(), &likely, progress);
            if !result.kept.is_empty() {
                likely = result.kept_interactions().map(|i| i.node).collect();
            }
            results.push(result);
        }
        results
    }

    fn level(
        &mut self,
        spec: &LevelSpec,
        of: usize,
        likely: &[NodeNo],
        progress: &mut dyn Progress,
    ) -> LevelResult {
        let began = Instant::now();
        let level = self.recording.project(&spec.observed);
        progress.level_started(spec, of, level.interactions.len());
        let mut blocked_on = BTreeSet::new();
        let mut loaded = true;
        let mut result = self.attempt(spec, level, likely, &mut blocked_on, progress);
        if let Some(observed) = self.widened(spec, &result, &blocked_on) {
            let level = self.recording.project(&observed);
            let kept: Vec<NodeNo> = result.kept_interactions().map(|i| i.node).collect();
            let wide = self.attempt(spec, level, &kept, &mut BTreeSet::new(), progress);
            result = better(result, wide);
            loaded = result.widened || self.replayer.load(&result.level).is_ok();
        }
        if self.shrink && loaded && !result.kept.is_empty() {
            self.shrink_values(&mut result, progress);
        }
        result.seconds = began.elapsed().as_secs_f64();
        progress.level_finished(&result);
        result
    }

    /// Makes the values in what is left smaller, and takes over the run with them.
    fn shrink_values(&mut self, result: &mut LevelResult, progress: &mut dyn Progress) {
        let kept = result.kept.clone();
        if !can_shrink(&result.level, &kept) {
            return;
        }
        let replayer = &mut *self.replayer;
        let cost = replayer.test(&kept, Mode::Resynchronizing).back_edges;
        let budget = SHRINK_BACK_EDGES
            .checked_div(cost)
            .unwrap_or(MAX_SHRINK_TESTS);
        let budget = budget.clamp(MIN_SHRINK_TESTS, MAX_SHRINK_TESTS) as usize;
        let mut tests = 1;
        let mut smaller = None;
        let mut fails = |changes: &[Change]| {
            if replayer.vary(changes).is_err() {
                return false;
            }
            let run = replayer.test(&kept, Mode::Resynchronizing);
            tests += 1;
            progress.tested(kept.len(), &run.verdict);
            let fails = run.verdict == Verdict::Failing;
            if fails {
                smaller = Some(run);
            }
            fails
        };
        shrink(&mut result.level, &kept, budget, &mut fails);
        result.shrink_tests = tests;
        if let Some(run) = smaller {
            result.resynchronized = run.resynchronized;
            result.used_answers = run.used_answers;
        }
    }

    /// The wider observed set, if a second attempt is worth while.
    fn widened(
        &self,
        spec: &LevelSpec,
        narrow: &LevelResult,
        blocked_on: &BTreeSet<String>,
    ) -> Option<BTreeSet<String>> {
        let can_run =
            |class: &String| self.recorded.contains(class) && !spec.callers.contains(class);
        // One interaction can hardly become fewer; none at all means that nothing was minimized.
        if narrow.kept.len() < 2 || !blocked_on.iter().any(can_run) {
            return None;
        }
        let mut wide = spec.observed.clone();
        wide.extend(self.recorded.iter().filter(|c| can_run(c)).cloned());
        (wide != spec.observed).then_some(wide)
    }

    /// Strict replay, event slice and delta debugging of one observed set.
    fn attempt(
        &mut self,
        spec: &LevelSpec,
        level: Level,
        likely: &[NodeNo],
        blocked_on: &mut BTreeSet<String>,
        progress: &mut dyn Progress,
    ) -> LevelResult {
        let mut result = LevelResult {
            criterion: criterion(&level, self.failure),
            spec: spec.clone(),
            level,
            widened: false,
            strict_replay: StrictReplay::Reproduced,
            sliced: Vec::new(),
            kept: Vec::new(),
            removals: Vec::new(),
            tally: Tally::default(),
            other_attempt_tests: 0,
            resynchronized: false,
            used_answers: Vec::new(),
            notes: Vec::new(),
            seconds: 0.0,
            search_seconds: 0.0,
            shrink_tests: 0,
            plain: None,
        };
        match self.strict_replay(&result) {
            Err(reason) => result.strict_replay = StrictReplay::NotReplayable(reason),
            Ok(criterion) => {
                let likely = doing(&result.level, likely);
                self.minimize(&mut result, criterion, &likely, blocked_on, progress);
            }
        }
        result
    }

    /// Replays the whole level; gives the criterion of the event slice, or why the level is not replayable.
    fn strict_replay(&mut self, result: &LevelResult) -> Result<u32, String> {
        let Some(criterion) = result.criterion else {
            return Err(
                "no interaction with the observed classes was recorded from outside them".into(),
            );
        };
        self.replayer
            .load(&result.level)
            .map_err(|e| e.to_string())?;
        let all: Vec<u32> = result.level.interactions.iter().map(|i| i.no).collect();
        let run = self.replayer.test(&all, Mode::Strict);
        match run.verdict {
            Verdict::Failing => Ok(criterion),
            Verdict::Passing => {
                Err("the replay of all interactions ran through without the failure".into())
            }
            Verdict::Unresolved(reason) if run.detail.is_empty() => Err(reason),
            Verdict::Unresolved(reason) => Err(format!("{reason}: {}", run.detail)),
        }
    }

    fn minimize(
        &mut self,
        result: &mut LevelResult,
        criterion: u32,
        likely: &[u32],
        blocked_on: &mut BTreeSet<String>,
        progress: &mut dyn Progress,
    ) {
        let all: Vec<u32> = result.level.interactions.iter().map(|i| i.no).collect();
        let mut sliced = self.recording.event_slice(&result.level, criterion);
        // The recorded order is the order of the test.
        sliced.sort_unstable();
        let began = Instant::now();
        let mut nobody = BTreeSet::new();
        let mut oracle = ReplayOracle {
            replayer: &mut *self.replayer,
            blocked_on,
            failing: None,
            progress,
        };
        let level = &result.level;
        let strategy = self.strategy;
        let mut reduce = |list: &[u32]| match strategy {
            Strategy::Ddmin => ddmin(list, &mut oracle),
            Strategy::Grow | Strategy::Both => {
                let structure = Structure::of(level, list, criterion, likely);
                grow(list, &structure, &mut oracle)
            }
        };
        let mut minimized = reduce(&sliced);
        if let Err(lost) = &minimized
            && sliced != all
        {
            result.notes.push(format!(
                "the event slice of {} interactions alone does not fail; all {} were minimized",
                sliced.len(),
                all.len()
            ));
            result.tally.add(&lost.tally);
            sliced = all;
            minimized = reduce(&sliced);
        }
        let last = minimized.as_ref().ok().and_then(|m| {
            let last = oracle.failing.take();
            // The answer to the last question may have been known.
            last.filter(|(executed, _)| *executed == m.kept)
                .map(|(_, run)| run)
                .or_else(|| {
                    result.tally.count(&oracle.test(&m.kept));
                    oracle.failing.take().map(|(_, run)| run)
                })
        });
        result.search_seconds = began.elapsed().as_secs_f64();
        if strategy == Strategy::Both && minimized.is_ok() {
            let began = Instant::now();
            // What these tests lack is no reason to widen.
            oracle.blocked_on = &mut nobody;
            result.plain = ddmin(&sliced, &mut oracle).ok().map(|plain| Plain {
                tests: plain.tally.tests,
                kept: plain.kept.len() as u64,
                seconds: began.elapsed().as_secs_f64(),
            });
        }
        result.sliced = sliced;
        adopt(result, minimized, last);
    }
}

/// Numbers of the driven interactions of `level` during which the `nodes` happened.
fn doing(level: &Level, nodes: &[NodeNo]) -> Vec<u32> {
    let during = |&node: &NodeNo| {
        let behind = level.interactions.partition_point(|i| i.node <= node);
        behind.checked_sub(1).map(|at| level.interactions[at].no)
    };
    // The last one is nearest to the failure.
    let mut doing: Vec<u32> = nodes.iter().rev().filter_map(during).collect();
    doing.dedup();
    doing
}

/// Takes over what the search found, with the run of the final list.
fn adopt(
    result: &mut LevelResult,
    minimized: Result<Minimized, NotFailing>,
    last: Option<TestRun>,
) {
    match minimized {
        Ok(minimized) => {
            result.tally.add(&minimized.tally);
            result.kept = minimized.kept;
            result.removals = minimized.removals;
            if let Some(run) = last {
                result.resynchronized = run.resynchronized;
                result.used_answers = run.used_answers;
                result.notes.extend(run.notes);
            }
        }
        Err(error) => {
            result.tally.add(&error.tally);
            let why = match error.verdict {
                Verdict::Unresolved(reason) => reason,
                _ => "it passes".into(),
            };
            result.strict_replay = StrictReplay::NotReplayable(format!(
                "strict replay fails as recorded, but replay as a subset does not: {why}"
            ));
        }
    }
}

/// Of two attempts the one that counts; it says how many tests the other took.
fn better(mut narrow: LevelResult, mut wide: LevelResult) -> LevelResult {
    let both = narrow.tally.tests + wide.tally.tests;
    let classes = wide.level.observed.len();
    let mut result = match &wide.strict_replay {
        StrictReplay::NotReplayable(reason) => {
            narrow.notes.push(format!(
                "a second attempt with {classes} observed classes was not replayable: {reason}"
            ));
            narrow
        }
        StrictReplay::Reproduced if wide.kept.len() < narrow.kept.len() => {
            wide.widened = true;
            wide.notes.push(format!(
                "widened to {classes} observed classes: {} interactions left instead of {}",
                wide.kept.len(),
                narrow.kept.len()
            ));
            wide
        }
        StrictReplay::Reproduced => {
            narrow.notes.push(format!(
                "a second attempt with {classes} observed classes left {} interactions and was set aside",
                wide.kept.len()
            ));
            narrow
        }
    };
    result.other_attempt_tests = both - result.tally.tests;
    result
}

/// Asks the replay, and remembers what the search itself does not need.
struct ReplayOracle<'a> {
    replayer: &'a mut dyn Replayer,
    blocked_on: &'a mut BTreeSet<String>,
    /// The last failing run, and what it executed.
    failing: Option<(Vec<u32>, TestRun)>,
    progress: &'a mut dyn Progress,
}

impl Oracle for ReplayOracle<'_> {
    fn test(&mut self, subset: &[u32]) -> Verdict {
        self.run(subset).verdict
    }
}

impl Runner for ReplayOracle<'_> {
    fn run(&mut self, subset: &[u32]) -> Ran {
        let mut run = self.replayer.test(subset, Mode::Resynchronizing);
        self.progress.tested(subset.len(), &run.verdict);
        if let Some(class) = run.blocked_on.take() {
            self.blocked_on.insert(class);
        }
        let ran = Ran {
            verdict: run.verdict.clone(),
            ended_in: run.ended_in,
        };
        if ran.verdict == Verdict::Failing {
            let last = run.ended_in.unwrap_or(u32::MAX);
            let executed = subset.iter().copied().filter(|&no| no <= last).collect();
            self.failing = Some((executed, run));
        }
        ran
    }
}

#[cfg(test)]
mod tests;

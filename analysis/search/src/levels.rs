//! Levels along the stack (Burger 2011, Section 6.1, Algorithm 4): one minimization for each distinct object on the stack
//! of the failure, the observed set growing from the topmost object outward.
//!
//! One recording serves all levels: a level is a projection, and only the tests of delta debugging execute code.
//!
//! *Widening.* A narrow observed set answers from the recording what a class outside it did. When delta debugging leaves a
//! call out, such a class may be asked something that was never recorded, the test is unresolved, and the call stays although
//! it is not needed. If the class that was asked was itself recorded, and is not one of the callers further out on the stack
//! (those belong to later levels), it can run instead of being answered for. The level is then minimized once more with every
//! recorded class observed except the callers' classes. The result with fewer interactions counts, the narrow one on a tie.

mod ahead;
mod attempt;
mod belonging;
mod note;
mod oracle;
mod surroundings;
#[cfg(test)]
mod tests;
mod waits;
mod whole;

use std::collections::BTreeSet;

use jinsi_trace::model::ObjectId;

use super::ddmin::{Removal, Tally, Verdict};
use super::stop::{StopReason, StopSignal};
use jinsi_level::change::Change;
use jinsi_level::surroundings::Setting;
use jinsi_level::verdict::{Mode, TestOutcome, TestResult, Unresolved};
use jinsi_level::{Interaction, Level, NodeNo, Outcome};
use oracle::Method;
pub use whole::whole_runs;

/// What one test gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRun {
    /// Failing, passing, or unresolved.
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
    /// Different source lines of observed code that were executed; 0 if they are not counted.
    pub lines: u32,
    /// Which way the run went through observed code, as a hash; 0 if lines are not counted.
    pub way: u64,
}

impl TestRun {
    /// Did it go the same way through observed code as `other`, as far as that is known of both?
    pub(crate) fn went_as(&self, other: &TestRun) -> bool {
        self.way != 0 && self.way == other.way
    }
}

impl From<TestResult> for TestRun {
    fn from(result: TestResult) -> Self {
        let verdict = match result.outcome {
            TestOutcome::Failing => Verdict::Failing,
            TestOutcome::Passing => Verdict::Passing,
            TestOutcome::Unresolved(why) => Verdict::Unresolved(why),
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
            lines: result.lines,
            way: result.way,
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
    /// `driver` is that of [`LevelSpec`].
    fn project(&mut self, observed: &BTreeSet<String>, driver: Option<NodeNo>) -> Level;
    /// The same, for a run in which no code is replaced: what is not recorded is there, too.
    fn project_for_real(&mut self, observed: &BTreeSet<String>, driver: Option<NodeNo>) -> Level;
    /// Can a test do for real what this interaction does?
    fn can_be_done(&self, interaction: &Interaction) -> bool;
    /// A level that is run for real, with what waits for the functions that were called later than they were handed over, in their place.
    fn awaited(&mut self, level: Level, criterion: u32) -> Level;
    /// A level that is run for real, in which `criterion` is given what earlier interactions gave, instead of equal texts; `None` if nothing changes.
    fn handed_on(&self, level: &Level, criterion: u32) -> Option<Level>;
    /// Did it happen while code of one of these classes (internal names) ran?
    fn is_during(&self, node: NodeNo, classes: &[String]) -> bool;
    /// What the program had around it.
    fn surroundings(&self) -> Vec<Setting>;
    /// Numbers of the interactions that no other test than the failed one did; `None` if there was no other.
    fn without_other_tests(&self, level: &Level) -> Option<Vec<u32>>;
    /// Numbers of the driven interactions that belong to the failure in `criterion`, even if it shows without them: what would be right may depend on them.
    /// `kept` are those that are left already.
    fn belonging(&self, level: &Level, criterion: u32, kept: &[u32]) -> Vec<u32>;
    /// Numbers of the driven interactions that may have influenced `criterion`, itself included (Burger 2011, Section 4.2.1).
    fn event_slice(&mut self, level: &Level, criterion: u32) -> Vec<u32>;
}

/// Runs tests of the level that was loaded last.
pub trait Replayer {
    /// Makes `level` the one that is tested.
    ///
    /// # Errors
    /// [`LoadError`] if the level cannot be made ready for replay.
    fn load(&mut self, level: &Level) -> Result<(), LoadError>;
    /// [`Replayer::load`], but tests count the lines that observed code executes ([`TestRun::lines`]). False if they cannot, since some of
    /// the code has no line numbers; the level that was loaded before is not to be relied on then.
    ///
    /// # Errors
    /// [`LoadError`] if the level cannot be made ready for that.
    fn load_counting(&mut self, level: &Level) -> Result<bool, LoadError>;
    /// From now on tests of the loaded level run with these changes, and no others.
    ///
    /// # Errors
    /// [`LoadError`] if the replay does not take them.
    fn vary(&mut self, changes: &[Change]) -> Result<(), LoadError>;
    /// Runs the driven interactions in `subset`. Trouble of the replay itself is an unresolved verdict.
    fn test(&mut self, subset: &[u32], mode: Mode) -> TestRun;
    /// Could [`Self::begin`] begin a test now? Where there is one worker, never.
    fn idle(&mut self) -> bool;
    /// Has another worker run a test of the loaded level, re-synchronizing, while this one is not kept from its own; false if none is idle.
    fn begin(&mut self, subset: &[u32]) -> bool;
    /// A test that was begun on the loaded level and has ended, each once; with `wait`, waits for one if any is running.
    fn ended(&mut self, wait: bool) -> Option<(Vec<u32>, TestRun)>;
}

/// How the search is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// From the failure outward ([`super::grow`]).
    #[default]
    Grow,
    /// Plain delta debugging ([`super::ddmin`]), the reference; each level begins anew.
    Ddmin,
    /// Probabilistic delta debugging ([`super::probdd`]).
    ProbDd,
    /// The first; and plain delta debugging is done as well, for its figures ([`LevelResult::plain`]).
    Both,
    /// The first; and the others are done as well, for their figures ([`LevelResult::plain`], [`LevelResult::probdd`]).
    All,
}

impl Strategy {
    /// The search that counts, and those of which only the figures are wanted.
    fn methods(self) -> (Method, &'static [Method]) {
        match self {
            Strategy::Grow => (Method::Grow, &[]),
            Strategy::Ddmin => (Method::Ddmin, &[]),
            Strategy::ProbDd => (Method::ProbDd, &[]),
            Strategy::Both => (Method::Grow, &[Method::Ddmin]),
            Strategy::All => (Method::Grow, &[Method::Ddmin, Method::ProbDd]),
        }
    }
}

/// What another search would have come to, a test at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchFigures {
    /// Its tests.
    pub tests: u64,
    /// Interactions that it leaves.
    pub kept: u64,
    /// Wall time of its tests.
    pub seconds: f64,
    /// It was stopped after half a minute: it needs more tests than these, and what is left is not minimal.
    pub stopped: bool,
}

/// Takes news of the search. All methods may be left out.
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
    /// These are the test, or the class with which the program began. Of others, what they hand in may be what is wrong.
    pub by_test: bool,
    /// The activation that drives the level, as those around it do, although its class is observed: `main`, which calls its own class.
    pub driver: Option<NodeNo>,
}

impl LevelSpec {
    /// What is at work when the level is run for real: of the `recorded` classes all but those of the callers.
    pub fn all_but_callers(&self, recorded: &BTreeSet<String>) -> BTreeSet<String> {
        let others = recorded
            .iter()
            .filter(|class| !self.callers.contains(*class));
        others.chain(&self.observed).cloned().collect()
    }
}

/// The levels of a stack of objects, given by the internal names of their run-time classes, topmost first. An object whose
/// class is already observed adds no level: its observed set would be the same. `further` are the classes that drive all levels.
pub fn level_specs(stack: &[String], further: &BTreeSet<String>) -> Vec<LevelSpec> {
    let mut specs = Vec::new();
    let mut observed = BTreeSet::new();
    for (i, class) in stack.iter().enumerate() {
        if !observed.insert(class.clone()) {
            continue;
        }
        let callers: BTreeSet<String> = stack[i + 1..]
            .iter()
            .chain(further)
            .filter(|c| !observed.contains(*c))
            .cloned()
            .collect();
        let top_level: BTreeSet<&str> = callers
            .iter()
            .map(|c| c.split('$').next().unwrap_or_default())
            .collect();
        specs.push(LevelSpec {
            level: specs.len() as u32 + 1,
            joins: class.clone(),
            observed: observed.clone(),
            by_test: top_level.len() <= 1,
            driver: None,
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
    /// It ended otherwise, for several threads took part and their order is known in part; replay that re-synchronizes did end with the
    /// failure, and the level was minimized.
    Diverged(NotReproduced),
    /// It did not; the level was not minimized.
    NotReplayable(NotReproduced),
}

/// Why the replay of a whole level did not end with the recorded failure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReproduced {
    /// Nothing was recorded that could be replayed.
    #[error("no call from outside to the observed classes was recorded")]
    NothingRecorded,
    /// The level could not be handed to the replay.
    #[error(transparent)]
    NotLoaded(#[from] LoadError),
    /// The replay ended without the failure.
    #[error("replayed alone, this level does not fail")]
    Passing,
    /// The replay did not get to the end.
    #[error("{}", of_unresolved(*why, detail))]
    Unresolved {
        /// The situation in which it ended.
        why: Unresolved,
        /// For people: what happened; may be empty.
        detail: String,
    },
    /// The strict replay did end with the failure, but the re-synchronizing one of the same interactions does not.
    #[error(
        "replayed in the recorded order, it fails as recorded; with calls left out, it does not: {}",
        of_verdict(*verdict)
    )]
    OnlyStrictly {
        /// What the re-synchronizing replay came to.
        verdict: Verdict,
    },
}

impl NotReproduced {
    /// Stable name, as `report.json` has it: `nothing_recorded`, or that of a [`Verdict`]. `harness` says that the fault is that of the
    /// replay, not that of the program or its recording.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NothingRecorded => "nothing_recorded",
            Self::NotLoaded(_) => Unresolved::Harness.name(),
            Self::Passing => Verdict::Passing.name(),
            Self::Unresolved { why, .. } => why.name(),
            Self::OnlyStrictly { verdict } => verdict.name(),
        }
    }
}

fn of_verdict(verdict: Verdict) -> String {
    match verdict {
        Verdict::Passing => "it passes".into(),
        Verdict::Unresolved(why) => why.to_string(),
        Verdict::Failing | Verdict::Untested => verdict.name().into(),
    }
}

fn of_unresolved(why: Unresolved, detail: &str) -> String {
    match (why, detail) {
        (_, "") => why.to_string(),
        // It begins with the word itself.
        (Unresolved::Divergence, _) => detail.into(),
        _ => format!("{why}: {detail}"),
    }
}

/// What is left of a level.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelResult {
    /// What was asked for.
    pub spec: LevelSpec,
    /// The level as minimized: the widened one if `widened`.
    pub level: Level,
    /// Why its interactions are replayed, where they could not be run for real as recorded; `None` also if that was not tried.
    pub not_direct: Option<String>,
    /// Number of the interaction that ended the run of everything by an exception which it did not end by when it was recorded.
    pub hindrance: Option<u32>,
    /// Internal names of classes that were taken for callers, too, since what they do cannot be done once more.
    pub further_callers: Vec<String>,
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
    /// The final run needed re-synchronization.
    pub resynchronized: bool,
    /// Answers used by the final run, as in [`TestRun::used_answers`]: numbers of the session of `level`.
    pub used_answers: Vec<u32>,
    /// Remarks, for people.
    pub notes: Vec<String>,
    /// Wall time spent on the level.
    pub seconds: f64,
    /// Of this, the tests.
    pub search_seconds: f64,
    /// Tests of [`super::shrink`], and those that tell what of its surroundings the failure needs.
    pub shrink_tests: u64,
    /// Tests that further workers ran ahead of the search and that it did not ask for; [`Self::tally`] has none of them.
    pub tests_in_vain: u64,
    /// The figures of plain delta debugging on the same level and slice, if they were asked for.
    pub plain: Option<SearchFigures>,
    /// Those of probabilistic delta debugging.
    pub probdd: Option<SearchFigures>,
    /// Different source lines of observed code (inherited code included) that the recorded run executes; `None`: not counted.
    pub lines_recorded: Option<u32>,
    /// The same of the final run.
    pub lines_executed: Option<u32>,
    /// The search was stopped: what is left fails as recorded, but more of it could perhaps go. Without anything left, there
    /// was no time for a test.
    pub stopped: Option<StopReason>,
}

impl LevelResult {
    /// The kept interactions, in order.
    pub fn kept_interactions(&self) -> impl Iterator<Item = &Interaction> {
        self.kept
            .iter()
            .filter_map(|&no| self.level.interaction(no))
    }
}

/// The driven interaction that let the failure out: the last one that threw `failure`, else (it was wrapped on its way) the last
/// one that threw anything or did not end, else the last one.
///
/// If the failure is no exception, but shows at the node `shows`: the interaction in which that lies.
pub fn criterion(level: &Level, failure: ObjectId, shows: Option<NodeNo>) -> Option<u32> {
    if let Some(node) = shows {
        return level.during(node).map(|i| i.no);
    }
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
    /// If not that is the failure: the node at which it shows.
    pub shows: Option<NodeNo>,
    /// How to search.
    pub strategy: Strategy,
    /// Run interactions for real where that fails as recorded ([`jinsi_level::Engine::Direct`]).
    pub direct: bool,
    /// Make long values smaller in what is left.
    pub shrink: bool,
    /// When to end with what has been found by then.
    pub stop: StopSignal,
    /// What was left of the level before: some interactions of the next one do the same, and these are tried first there.
    pub likely: Vec<NodeNo>,
}

//! One level: strict replay, event slice, search, widening, smaller values.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::super::ddmin::{Minimized, NotFailing, Tally, Verdict};
use super::super::memo::Runner;
use super::super::shrink::{can_shrink, shrink};
use super::note::Note;
use super::oracle::{Method, ReplayRunner, Task, figures, search};
use super::{
    LevelResult, LevelSpec, Mode, NotReproduced, Progress, Search, StrictReplay, TestRun, criterion,
};
use jinsi_level::change::Change;
use jinsi_level::{Engine, Level, NodeNo};

/// Backward branches that shrinking the values of a level may cost, about: some seconds.
const SHRINK_BACK_EDGES: u64 = 2_000_000;
/// So long a level is searched by running it for real. What takes longer is searched by replay, which need not run all.
const PATIENCE: Duration = Duration::from_secs(20);
/// Less than one in so many of a level's interactions need no slice.
const FEW: usize = 10;
/// So often a further class is taken for a caller.
const MOST_CALLERS: usize = 3;
/// Tests that it may take at any cost.
const MIN_SHRINK_TESTS: u64 = 10;
/// Tests that it may take at most.
const MAX_SHRINK_TESTS: u64 = 250;

impl Search<'_> {
    /// Minimizes one level of `of`. A level that cannot be replayed is reported as such, which is no reason not to go on with the next.
    pub fn level(
        &mut self,
        spec: &LevelSpec,
        of: usize,
        progress: &mut dyn Progress,
    ) -> LevelResult {
        let began = Instant::now();
        let mut result = match self.directly(spec, of, progress) {
            Ok(result) => result,
            Err(not_direct) => LevelResult {
                not_direct,
                ..self.replayed(spec, of, progress)
            },
        };
        self.put_back(&mut result, progress);
        self.refine(&mut result, progress);
        self.leave_out_surroundings(&mut result, progress);
        if !result.kept.is_empty() {
            self.likely = result.kept_interactions().map(|i| i.node).collect();
        }
        result.seconds = began.elapsed().as_secs_f64();
        progress.level_finished(&result);
        result
    }

    /// Minimizes the level with all of its classes at work: every recorded class but those of the callers is observed, so that whatever
    /// the level is about was made by what is observed or can be seen from outside. The error says why that does not fail as recorded, if it
    /// was tried.
    ///
    /// What cannot be done once more, as to start a server, need not have anything to do with the failure, but it may have made what does. So its class
    /// is taken for a caller, too, and what it has others make is driven.
    fn directly(
        &mut self,
        spec: &LevelSpec,
        of: usize,
        progress: &mut dyn Progress,
    ) -> Result<LevelResult, Option<String>> {
        if !self.direct {
            return Err(None);
        }
        let mut observed = spec.all_but_callers(self.recorded);
        let mut further_callers = Vec::new();
        let mut first = None;
        let stop = self.stop;
        self.stop = stop.within(PATIENCE);
        for _ in 0..MOST_CALLERS {
            let (why, hindrance) = match self.with_all_at_work(spec, &observed, of, progress) {
                Ok(result) if self.may_owe_to(&result, &further_callers) => break,
                Ok(mut result) => {
                    self.wait_for_given(&mut result, progress);
                    self.stop = stop;
                    return match result.stopped.is_some() && stop.reason().is_none() {
                        true => Err(Some(too_long())),
                        false => Ok(LevelResult {
                            further_callers,
                            ..result
                        }),
                    };
                }
                Err(not) => not,
            };
            first.get_or_insert(why);
            let goes_on = self.stop.reason().is_none();
            match hindrance.filter(|class| goes_on && observed.remove(class)) {
                Some(class) => further_callers.push(class),
                None => break,
            }
        }
        self.stop = stop;
        Err(first)
    }

    /// May the wrong value that is left be the doing of one of these classes, which are taken for callers? What they made, or had made, is but recorded,
    /// and stays so whatever is repaired in them.
    fn may_owe_to(&self, result: &LevelResult, further_callers: &[String]) -> bool {
        let mut kept = result.kept_interactions();
        let is_during = |node| self.recording.is_during(node, further_callers);
        self.shows.is_some() && !further_callers.is_empty() && kept.any(|i| is_during(i.node))
    }

    /// The level with the classes `observed` at work. The error says why that does not fail as recorded, and which class hinders it.
    fn with_all_at_work(
        &mut self,
        spec: &LevelSpec,
        observed: &BTreeSet<String>,
        of: usize,
        progress: &mut dyn Progress,
    ) -> Result<LevelResult, (String, Option<String>)> {
        let mut level = self.recording.project_for_real(observed, spec.driver);
        level.engine = Engine::Direct;
        level.surroundings = self.recording.surroundings();
        let failing = criterion(&level, self.failure, self.shows);
        let failing = failing.and_then(|no| level.interaction(no));
        let failing = failing.map(|i| (i.no, i.target_class.clone()));
        if let Some((no, _)) = failing {
            level = self.recording.awaited(level, no);
        }
        progress.level_started(spec, of, level.interactions.len());
        let criterion = criterion(&level, self.failure, self.shows);
        let criterion = criterion.and_then(|no| level.interaction(no));
        if criterion.is_some_and(|i| !self.recording.can_be_done(i)) {
            return Err((Note::Inaccessible.to_string(), None));
        }
        let nobody = &mut BTreeSet::new();
        let linked = criterion.and_then(|i| self.recording.handed_on(&level, i.no));
        if let Some(linked) = linked {
            let result = self.attempt(spec, linked, None, nobody, progress);
            if !result.kept.is_empty() {
                return Ok(result);
            }
        }
        let result = self.attempt(spec, level, None, nobody, progress);
        let why = match &result.strict_replay {
            StrictReplay::NotReplayable(NotReproduced::Passing) => Note::Passing.to_string(),
            StrictReplay::NotReplayable(why) => why.to_string(),
            _ => return Ok(result),
        };
        let hindrance = result.hindrance.and_then(|no| result.level.interaction(no));
        let class = hindrance.map(|i| i.target_class.clone());
        Err((
            why,
            class.filter(|class| failing.is_none_or(|(_, failing)| *class != failing)),
        ))
    }

    /// The level as its observed classes see it, or, if that leaves less, as more of them do.
    fn replayed(
        &mut self,
        spec: &LevelSpec,
        of: usize,
        progress: &mut dyn Progress,
    ) -> LevelResult {
        let level = self.recording.project(&spec.observed, spec.driver);
        progress.level_started(spec, of, level.interactions.len());
        let mut blocked_on = BTreeSet::new();
        let mut result = self.attempt(spec, level, None, &mut blocked_on, progress);
        if let Some(observed) = self.widened(spec, &result, &blocked_on) {
            let kept: Vec<NodeNo> = result.kept_interactions().map(|i| i.node).collect();
            // Of a million interactions there had better be one copy at a time.
            result.level.interactions = Vec::new();
            let level = self.recording.project(&observed, spec.driver);
            let nobody = &mut BTreeSet::new();
            let wide = self.attempt(spec, level, Some(&kept), nobody, progress);
            result = better(result, wide);
            if !result.widened {
                result.level = self.recording.project(&spec.observed, spec.driver);
            }
        }
        result
    }

    /// Counts the lines that are executed with everything and with what is left, and makes long values in that smaller; both in one session,
    /// for only there it is seen which way a run goes.
    fn refine(&mut self, result: &mut LevelResult, progress: &mut dyn Progress) {
        if result.kept.is_empty() || self.stop.reason().is_some() {
            return;
        }
        if self.replayer.load_counting(&result.level) != Ok(true) {
            return;
        }
        let whole = self.first_whole_run(&result.level);
        let run = self.replayer.test(&whole, Mode::Strict);
        result.lines_recorded =
            Some(run.lines).filter(|n| *n > 0 && run.verdict == Verdict::Failing);
        let run = self.replayer.test(&result.kept, Mode::Resynchronizing);
        result.lines_executed = Some(run.lines).filter(|n| *n > 0);
        if self.shrink && can_shrink(&result.level, &result.kept) {
            self.shrink_values(result, &run, progress);
        }
    }

    /// Makes long values in what is left smaller, where the run goes the same way as with the recorded ones, which is `recorded`.
    fn shrink_values(
        &mut self,
        result: &mut LevelResult,
        recorded: &TestRun,
        progress: &mut dyn Progress,
    ) {
        let kept = result.kept.clone();
        let replayer = &mut *self.replayer;
        let budget = SHRINK_BACK_EDGES
            .checked_div(recorded.back_edges)
            .unwrap_or(MAX_SHRINK_TESTS);
        let budget = budget.clamp(MIN_SHRINK_TESTS, MAX_SHRINK_TESTS) as usize;
        let mut tests = 1;
        let mut smaller = None;
        let stop = self.stop;
        let mut same = |changes: &[Change]| {
            if stop.reason().is_some() || replayer.vary(changes).is_err() {
                return false;
            }
            let run = replayer.test(&kept, Mode::Resynchronizing);
            tests += 1;
            progress.tested(kept.len(), &run.verdict);
            let same = run.verdict == Verdict::Failing && run.went_as(recorded);
            if same {
                smaller = Some(run);
            }
            same
        };
        let changes = shrink(&mut result.level, &kept, budget, &mut same);
        // The last question may have been about a change that is not made.
        let _ = replayer.vary(&changes);
        result.shrink_tests = tests;
        if let Some(run) = smaller.filter(|_| !changes.is_empty()) {
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
        if self.stop.reason().is_some() || narrow.kept.len() < 2 || !blocked_on.iter().any(can_run)
        {
            return None;
        }
        let wide = spec.all_but_callers(self.recorded);
        (wide != spec.observed).then_some(wide)
    }

    /// Strict replay, event slice and delta debugging of one observed set. Interactions during which the nodes `likely` happened (if
    /// nothing is said, what was left of the level before) are tried first.
    fn attempt(
        &mut self,
        spec: &LevelSpec,
        level: Level,
        likely: Option<&[NodeNo]>,
        blocked_on: &mut BTreeSet<String>,
        progress: &mut dyn Progress,
    ) -> LevelResult {
        let mut result = LevelResult {
            criterion: criterion(&level, self.failure, self.shows),
            spec: spec.clone(),
            level,
            not_direct: None,
            hindrance: None,
            further_callers: Vec::new(),
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
            tests_in_vain: 0,
            plain: None,
            probdd: None,
            lines_recorded: None,
            lines_executed: None,
            stopped: None,
        };
        let likely = interactions_during(&result.level, likely.unwrap_or(&self.likely));
        match self.strict_replay(&mut result, &likely) {
            Err(reason)
                if result.level.engine == Engine::Replay
                    && result.level.is_threaded()
                    && let Some(criterion) = result.criterion =>
            {
                result.strict_replay = StrictReplay::Diverged(reason);
                let all = result.level.interactions.iter().map(|i| i.no).collect();
                self.minimize(&mut result, criterion, (all, &likely), blocked_on, progress);
            }
            Err(reason) => result.strict_replay = StrictReplay::NotReplayable(reason),
            Ok((criterion, all)) => {
                self.minimize(&mut result, criterion, (all, &likely), blocked_on, progress);
            }
        }
        result
    }

    fn minimize(
        &mut self,
        result: &mut LevelResult,
        criterion: u32,
        (all, likely): (Vec<u32>, &[u32]),
        blocked_on: &mut BTreeSet<String>,
        progress: &mut dyn Progress,
    ) {
        // Of a server's run, those near to the failure are far less than its slice.
        let mut sliced = match all.len() < result.level.interactions.len() / FEW {
            true => all.clone(),
            false => self.recording.event_slice(&result.level, criterion),
        };
        sliced.retain(|no| all.binary_search(no).is_ok());
        // The recorded order is the order of the test.
        sliced.sort_unstable();
        let began = Instant::now();
        let level = &result.level;
        let task = Task {
            level,
            criterion,
            likely,
        };
        let (method, beside) = self.strategy.methods();
        let mut oracle = ReplayRunner::new(&mut *self.replayer, progress, self.stop);
        let mut minimized = search(&task, method, &sliced, &mut oracle);
        if let Err(lost) = &minimized
            && sliced != all
        {
            let note = Note::SlicePasses {
                sliced: sliced.len(),
                all: all.len(),
            };
            result.notes.push(note.to_string());
            result.tally.add(&lost.tally);
            sliced = all;
            minimized = search(&task, method, &sliced, &mut oracle);
        }
        let last = minimized.as_ref().ok().and_then(|m| {
            let last = oracle.failing.take();
            // The answer to the last question may have been known.
            last.filter(|(executed, _)| *executed == m.kept)
                .map(|(_, run)| run)
                .or_else(|| {
                    result.tally.count(oracle.run(&m.kept).verdict);
                    oracle.failing.take().map(|(_, run)| run)
                })
        });
        result.search_seconds = began.elapsed().as_secs_f64();
        let done = minimized.as_ref().is_ok_and(|m| m.one_minimal);
        result.stopped = self.stop.reason().filter(|_| !done);
        result.tests_in_vain = oracle.in_vain;
        // What the tests of other searches lack is no reason to widen.
        blocked_on.append(&mut oracle.blocked_on);
        if minimized.is_ok() {
            let mut of = |other| {
                let wanted = beside.contains(&other);
                wanted.then(|| figures(&task, other, &sliced, &mut oracle))?
            };
            (result.plain, result.probdd) = (of(Method::Ddmin), of(Method::ProbDd));
        }
        result.sliced = sliced;
        adopt(result, minimized, last);
    }
}

fn too_long() -> String {
    let seconds = PATIENCE.as_secs();
    Note::TooLong { seconds }.to_string()
}

/// Numbers of the driven interactions of `level` during which the `nodes` happened.
fn interactions_during(level: &Level, nodes: &[NodeNo]) -> Vec<u32> {
    // The last one is nearest to the failure.
    let doing = nodes.iter().rev().filter_map(|&node| level.during(node));
    let mut doing: Vec<u32> = doing.map(|i| i.no).collect();
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
        Err(error) if result.stopped.is_some() => result.tally.add(&error.tally),
        Err(error) => {
            result.tally.add(&error.tally);
            let reason = match &result.strict_replay {
                StrictReplay::Diverged(reason) => reason.clone(),
                _ => NotReproduced::OnlyStrictly {
                    verdict: error.verdict,
                },
            };
            result.strict_replay = StrictReplay::NotReplayable(reason);
        }
    }
}

/// Of two attempts the one that counts; it says how many tests the other took.
fn better(mut narrow: LevelResult, mut wide: LevelResult) -> LevelResult {
    let both = narrow.tally.tests + wide.tally.tests;
    let classes = wide.level.observed.len();
    let mut result = match &wide.strict_replay {
        StrictReplay::NotReplayable(reason) => {
            let note = Note::SecondNotReplayable { classes, reason };
            narrow.notes.push(note.to_string());
            narrow
        }
        _ if wide.kept.len() < narrow.kept.len() => {
            wide.widened = true;
            let note = Note::Widened {
                classes,
                left: wide.kept.len(),
                before: narrow.kept.len(),
            };
            wide.notes.push(note.to_string());
            wide
        }
        _ => {
            let note = Note::SecondNoBetter {
                classes,
                left: wide.kept.len(),
            };
            narrow.notes.push(note.to_string());
            narrow
        }
    };
    result.other_attempt_tests = both - result.tally.tests;
    result
}

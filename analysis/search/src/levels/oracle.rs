//! The search of one level, by the strategy that is wanted, with the tests that the replay runs.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::super::ddmin::{Minimized, NotFailing, Verdict, ddmin};
use super::super::grow::grow;
use super::super::memo::{Plain, Ran, Runner};
use super::super::probdd::probdd;
use super::super::stop::StopSignal;
use super::super::structure::Structure;
use super::ahead::Ahead;
use super::{Mode, Progress, Replayer, SearchFigures, TestRun};
use jinsi_level::Level;

/// Longest search of which only the figures are wanted.
const PATIENCE: Duration = Duration::from_secs(30);

/// A search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Grow,
    Ddmin,
    ProbDd,
}

/// What is searched, and what is known of it before any test.
#[derive(Clone, Copy)]
pub(super) struct Task<'l> {
    pub(super) level: &'l Level,
    /// The driven interaction that let the failure out.
    pub(super) criterion: u32,
    /// Probably needed, the likeliest first.
    pub(super) likely: &'l [u32],
}

impl Task<'_> {
    fn structure(&self, method: Method, list: &[u32]) -> Structure {
        match method {
            // As published: it knows nothing.
            Method::Ddmin => Structure::default(),
            Method::Grow | Method::ProbDd => {
                Structure::of(self.level, list, self.criterion, self.likely)
            }
        }
    }
}

/// Minimizes `list` by `method`; tests are run ahead if the replay has somebody to run them.
pub(super) fn search(
    task: &Task<'_>,
    method: Method,
    list: &[u32],
    oracle: &mut ReplayRunner<'_>,
) -> Result<Minimized, NotFailing> {
    let structure = task.structure(method, list);
    let once_more = |runner: &mut dyn Runner| drop(by(method, list, &structure, runner));
    let mut runner = Foresighted {
        ahead: Ahead::new(&once_more),
        oracle,
    };
    let minimized = by(method, list, &structure, &mut runner);
    let in_vain = runner.ahead.in_vain();
    oracle.in_vain += in_vain;
    minimized
}

/// What `method` would have come to, a test at a time.
pub(super) fn figures(
    task: &Task<'_>,
    method: Method,
    list: &[u32],
    oracle: &mut ReplayRunner<'_>,
) -> Option<SearchFigures> {
    let began = Instant::now();
    let stop = oracle.stop;
    oracle.stop = stop.within(PATIENCE);
    let minimized = by(method, list, &task.structure(method, list), oracle);
    oracle.stop = stop;
    let minimized = minimized.ok()?;
    Some(SearchFigures {
        tests: minimized.tally.tests,
        kept: minimized.kept.len() as u64,
        seconds: began.elapsed().as_secs_f64(),
        stopped: !minimized.one_minimal,
    })
}

fn by(
    method: Method,
    list: &[u32],
    structure: &Structure,
    runner: &mut dyn Runner,
) -> Result<Minimized, NotFailing> {
    match method {
        Method::Grow => grow(list, structure, runner),
        Method::Ddmin => ddmin(list, &mut Plain(runner)),
        Method::ProbDd => probdd(list, structure, runner),
    }
}

/// Asks the replay, and remembers what the search itself does not need.
pub(super) struct ReplayRunner<'a> {
    pub(super) replayer: &'a mut dyn Replayer,
    /// Internal names of the classes that were asked for what was not recorded.
    pub(super) blocked_on: BTreeSet<String>,
    /// The last failing run, and what it executed.
    pub(super) failing: Option<(Vec<u32>, TestRun)>,
    pub(super) progress: &'a mut dyn Progress,
    pub(super) stop: StopSignal,
    /// Tests that were run ahead and not asked for.
    pub(super) in_vain: u64,
}

impl<'a> ReplayRunner<'a> {
    pub(super) fn new(
        replayer: &'a mut dyn Replayer,
        progress: &'a mut dyn Progress,
        stop: StopSignal,
    ) -> Self {
        Self {
            replayer,
            blocked_on: BTreeSet::new(),
            failing: None,
            progress,
            stop,
            in_vain: 0,
        }
    }

    /// Takes note of a test that was asked for.
    fn note(&mut self, subset: &[u32], mut run: TestRun) -> Ran {
        self.progress.tested(subset.len(), &run.verdict);
        if let Some(class) = run.blocked_on.take() {
            self.blocked_on.insert(class);
        }
        let ran = Ran {
            verdict: run.verdict,
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

impl Runner for ReplayRunner<'_> {
    fn run(&mut self, subset: &[u32]) -> Ran {
        let run = self.replayer.test(subset, Mode::Resynchronizing);
        self.note(subset, run)
    }

    fn stopped(&self) -> bool {
        self.stop.reason().is_some()
    }
}

/// The same, with tests run ahead.
struct Foresighted<'o, 'a, 's> {
    oracle: &'o mut ReplayRunner<'a>,
    ahead: Ahead<'s>,
}

impl Runner for Foresighted<'_, '_, '_> {
    fn run(&mut self, subset: &[u32]) -> Ran {
        let run = self.ahead.test(subset, self.oracle.replayer);
        self.oracle.note(subset, run)
    }

    fn stopped(&self) -> bool {
        self.oracle.stopped()
    }
}

//! From a trace to reports and tests: the whole of `jinsi minimize`, and of `jinsi debug` after the recording.

mod adapters;
mod chain;
mod expand;
mod explained;
mod flipping;
mod framework;
mod harmless;
mod judge;
mod kept;
mod left;
mod levels;
mod of_tests;
mod originals;
mod others;
mod perturbed;
mod replaying;
mod reproduced;
mod rewritten;
mod room;
mod root_cause;
mod run;
mod second_try;
mod shown;
mod sides;
mod sliced;
mod slices;
mod sources;
mod stage;
mod stretched;
mod suite;
mod switching;
mod test_jvm;
mod test_runner;
mod tests_of_levels;
mod turned;
mod turning;
mod worker_pool;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use jinsi_natural::pattern::Pattern;
use jinsi_trace::reader::ReadError;

use crate::minimized::{Capture, CauseChain, Expansion, MinimizedRun, RecordedFailure, Timing};
use crate::report::html;
use crate::report::json::Report;
use crate::report::second_try::SecondTry as SecondTryReport;
use jinsi_files::private;
use jinsi_history::TooLong;
use jinsi_history::failures::NoCrash;
use jinsi_history::info::frame_text;
use jinsi_history::losses::Losses;
use jinsi_jdk::{Jdk, Walls};
use jinsi_level::CrashPredicate;
use jinsi_natural::Natural;
use jinsi_oracle::Oracle;
use jinsi_oracle::failure::{Crash, StackLevel};
use jinsi_replay::worker::{WorkerConfig, WorkerError};
use jinsi_replay::{rewrite::RewriteError, session};
use jinsi_search::levels::{LevelSpec, Progress as SearchProgress, Strategy};
use jinsi_search::stop::StopSignal;
use jinsi_slice::Slice;
use jinsi_slice::sources::Sources;
use jinsi_testwriter::Dialect;
use jinsi_testwriter::Form;
use jinsi_testwriter::classes::ClassTable;

use adapters::WorkerReplayer;
use chain::ChainSearch;
pub use expand::{Expanded, NotExpanded, Part};
use explained::{Explaining, Outermost, Recording};
pub use flipping::{Flipped, Flipping};
pub use left::{Left, NotLeft};
use levels::LevelSearch;
pub use perturbed::Perturbed;
pub use replaying::Replay;
pub use rewritten::Steps;
pub use run::{LevelName, Run};
pub use second_try::{Again, NotRun, SecondTry};
use slices::{NotSliced, SliceJob};
use stage::Stage;
pub use stretched::is_long_to_expand;
pub use suite::{FailedTest, NotNamed, tests_named};
pub use switching::NotSwitched;
use tests_of_levels::{Attempt, Trial, Tried};
pub use turned::Verified;
pub use turning::{Asked, Turning};

/// What the pipeline needs besides the trace.
pub struct Config {
    /// JDK that runs the replay worker and the written tests.
    pub jdk: Jdk,
    /// JDK that compiles the written tests; another one where `jdk` is a runtime without compiler.
    pub compiler: Jdk,
    /// Directory with the classes of `jinsi.replay`.
    pub harness: PathBuf,
    /// Directory with the classes of `jinsi.server`, which compile and run the written tests.
    pub test_server: PathBuf,
    /// Sources of the JUnit extension, compiled when a test needs it.
    pub junit_sources: Vec<PathBuf>,
    /// What is natural.
    pub natural: Natural,
    /// Are the JVMs shut in that run recorded and written code?
    pub walls: Walls,
}

impl Config {
    /// The release to compile for, unless it is the compiler's own.
    fn release(&self) -> Option<u32> {
        let release = self.jdk.version().feature;
        (release != self.compiler.version().feature).then_some(release)
    }
}

/// What is to be minimized.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// Only this observed set (patterns over dotted names) instead of the levels along the stack.
    pub observe: Option<Vec<Pattern>>,
    /// Only the lowest so many levels.
    pub levels: Option<usize>,
    /// How to search.
    pub strategy: Strategy,
    /// Leave the values in what is left as they were recorded.
    pub keep_values: bool,
    /// Replay every level, instead of running for real what fails so as recorded.
    pub replay_only: bool,
    /// Only tests of this form; those that stand in for the environment are of levels that are replayed.
    pub form: Option<Form>,
    /// When to end with what has been found by then.
    pub stop: StopSignal,
    /// In which words tests are written.
    pub dialect: Dialect,
    /// The framework of the failed test goes before that of `dialect`, if it is known.
    pub like_failed_test: bool,
    /// With two or more, tests of the search are run ahead on so many workers, less the first, where the search takes long enough for
    /// that; and what is left of a level is sliced, and its test compiled and run, while the next level is searched.
    pub workers: usize,
    /// The agent's library, to slice what is left; without it nothing is.
    pub agent: Option<PathBuf>,
    /// Where the program's sources are: directories above the packages.
    pub sources: Vec<PathBuf>,
}

/// What was done before: by `jinsi debug`, the recording.
#[derive(Clone, Debug, Default)]
pub struct Earlier {
    /// Its parts, with their wall times.
    pub parts: Vec<Timing>,
    /// Exit status of the recorded program, if known.
    pub exit_status: Option<i32>,
    /// Of a recording at the boundary: what became of the attempt to expand it.
    pub expansion: Option<Expansion>,
    /// The program was recorded at the boundary before, and that could not be expanded: why.
    pub once_more: Option<String>,
}

/// Takes news of the work.
pub trait Progress: SearchProgress {
    /// A part of the work begins.
    fn part(&mut self, name: &str) {
        let _ = name;
    }
}

impl Progress for () {}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PipelineError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    TooLong(#[from] TooLong),
    #[error(
        "{nodes} calls and accesses need more than {needed} of memory, and {available} are free; record fewer classes (--observe), or with --detail boundary"
    )]
    NoRoom {
        nodes: u64,
        needed: String,
        available: String,
    },
    #[error(
        "this trace is for slices only (from 'jinsi expand --detail instructions'); use the original recording"
    )]
    Rewritten,
    #[error(transparent)]
    NoCrash(#[from] NoCrash),
    #[error("there is no failure {number}: the trace has {of} ('jinsi info' lists them)")]
    NoSuchFailure { number: usize, of: usize },
    #[error(
        "the first {0} events were dropped while recording (at-max=oldest), so the rest cannot be replayed; record with a larger max-size, or with at-max=window"
    )]
    NoBeginning(u64),
    #[error(
        "the program's classes need Java {needed}, and replay would run on Java {found}; choose a newer JDK"
    )]
    OldJdk { needed: u32, found: u32 },
    #[error("no observed class matches {patterns}; observed were {recorded}")]
    NothingMatches {
        /// As they were given.
        patterns: String,
        /// The packages of the observed classes, those first that are spelt most alike.
        recorded: String,
    },
    /// There are not so many levels.
    #[error("there is no level {0}; 'jinsi replay FILE --levels' lists them")]
    NoLevel(u32),
    #[error(
        "a trace with detail=boundary cannot be replayed with {0} alone; expand it first: jinsi expand FILE -o WHOLE"
    )]
    AtBoundary(String),
    #[error("the classes cannot be rewritten for replay: {0}")]
    Rewrite(#[from] RewriteError),
    #[error("run again, the program does not do what was recorded: {0}")]
    NotRun(String),
    #[error("the replay cannot be prepared: {0}")]
    Session(#[from] session::SessionError),
    #[error(transparent)]
    Worker(#[from] WorkerError),
    #[error("cannot use {}: {source}", path.display())]
    File {
        path: PathBuf,
        source: std::io::Error,
    },
}

pub(crate) fn file_error(path: &Path) -> impl FnOnce(std::io::Error) -> PipelineError + '_ {
    move |source| PipelineError::File {
        path: path.to_path_buf(),
        source,
    }
}

/// A recorded failure, ready to be analysed.
pub struct Case<'a> {
    run: &'a Run,
    crash: &'a Crash,
}

impl Case<'_> {
    /// The predicate that is the same on all levels.
    pub fn predicate(&self) -> &CrashPredicate {
        &self.crash.predicate
    }

    fn specs(&self, wanted: &Wanted) -> Result<Vec<LevelSpec>, PipelineError> {
        let Some(patterns) = &wanted.observe else {
            let mut specs = self.stack_specs();
            specs.truncate(wanted.levels.unwrap_or(usize::MAX));
            return Ok(specs);
        };
        let observed = self.run.matching(patterns)?;
        let first = observed.first().cloned().unwrap_or_default();
        // The set was asked for: nothing else may run, so every other recorded class counts as a caller.
        let callers = self.run.recorded().difference(&observed).cloned().collect();
        let joins = self
            .crash
            .levels
            .iter()
            .map(|l| &l.class)
            .find(|c| observed.contains(*c))
            .cloned()
            .unwrap_or(first);
        Ok(vec![LevelSpec {
            level: 1,
            joins,
            observed,
            callers,
            by_test: false,
            driver: None,
        }])
    }

    fn stack_specs(&self) -> Vec<LevelSpec> {
        if let Some(callers) = self.crash.oracle.callers() {
            let spec = |(i, level): (usize, &StackLevel)| LevelSpec {
                level: i as u32 + 1,
                joins: level.class.clone(),
                observed: level.observed.clone(),
                callers: callers.difference(&level.observed).cloned().collect(),
                by_test: true,
                driver: None,
            };
            return self.crash.levels.iter().enumerate().map(spec).collect();
        }
        if let (true, [level]) = (self.run.history.tables().at_boundary(), &*self.crash.levels) {
            return vec![LevelSpec {
                level: 1,
                joins: level.class.clone(),
                observed: level.observed.clone(),
                callers: BTreeSet::new(),
                by_test: true,
                driver: None,
            }];
        }
        let stack: Vec<String> = self.crash.levels.iter().map(|l| l.class.clone()).collect();
        let mut specs = jinsi_search::levels::level_specs(&stack, &self.crash.catchers);
        let main = self.crash.main_above_its_class(&self.run.history);
        if let Some(main) = main
            && let Some(last) = specs.pop()
        {
            let below = LevelSpec {
                driver: Some(main),
                by_test: true,
                ..last.clone()
            };
            let level = last.level + 1;
            specs.extend([below, LevelSpec { level, ..last }]);
        }
        specs
    }

    /// Minimizes, writes tests and reports below `out`.
    ///
    /// # Errors
    /// See [`PipelineError`]. A level that cannot be replayed is no error, it is in the report.
    pub fn minimize(
        &self,
        config: &Config,
        wanted: &Wanted,
        out: &Path,
        earlier: &Earlier,
        progress: &mut dyn Progress,
    ) -> Result<MinimizedRun, PipelineError> {
        let began = Instant::now();
        self.run.check_jdk(config)?;
        private::create_dir_all(out).map_err(file_error(out))?;

        let wanted = Wanted {
            dialect: self.dialect(wanted),
            ..wanted.clone()
        };
        let mut minimized = self.nothing_yet(earlier);
        self.work(config, &wanted, out, &mut minimized, progress)?;
        minimized.seconds =
            began.elapsed().as_secs_f64() + earlier.parts.iter().map(|p| p.seconds).sum::<f64>();
        save(&Report::of(&minimized), out)?;
        Ok(minimized)
    }

    /// Searches; and slices what is left of each level and tries its tests out, beside the search of the next ones if there may be
    /// several workers.
    fn work(
        &self,
        config: &Config,
        wanted: &Wanted,
        out: &Path,
        minimized: &mut MinimizedRun,
        progress: &mut dyn Progress,
    ) -> Result<(), PipelineError> {
        let table = ClassTable::new(self.run.trace.classes(), self.run.trace.throwables())
            .with_sources(self.run.members_of_others());
        let directories = tests_of_levels::directories(self.run, out);
        let parallel = wanted.workers > 1;
        let recorded = Mutex::new(None);
        let (sliced, tried) = thread::scope(|scope| {
            let trial = Trial::new(self, config, wanted, &directories);
            let mut stages = Stages {
                slices: Stage::new(
                    scope,
                    parallel,
                    |()| (),
                    (),
                    |(), left| slice_of(left, wanted.stop, &recorded),
                ),
                tests: Stage::new(scope, parallel, Trial::prepare, trial, |trial, attempt| {
                    trial.of_level(attempt)
                }),
            };
            let setting = (config, wanted, &table);
            let (mut replayer, outermost) =
                self.search(setting, &mut stages, minimized, progress)?;
            progress.part("slicing, and trying tests out");
            let timings = &mut minimized.timings;
            let sliced = timed(timings, "find the lines of the last levels", || {
                Ok::<_, PipelineError>(stages.slices.end())
            })?;
            // While tests are tried.
            minimized.explanation = timed(timings, "explain the failure", || {
                let explaining = Explaining {
                    case: self,
                    config,
                    wanted,
                };
                let found = explaining.explanation(&recorded, outermost, &mut replayer);
                Ok::<_, PipelineError>(found)
            })?;
            let tried = timed(timings, "compile and run the last tests", || {
                Ok::<_, PipelineError>(stages.tests.end())
            })?;
            Ok::<_, PipelineError>((sliced, tried))
        })?;
        let beside = match wanted.sources.is_empty() {
            true => self.run.sources(),
            false => Vec::new(),
        };
        let sources = [beside.as_slice(), &wanted.sources].concat();
        let needed = settle(minimized, &sources, sliced, tried)?;
        if !needed {
            let _ = fs::remove_dir_all(&directories.extension);
        }
        Ok(())
    }

    /// Searches all levels, follows the failure back, and gives what is found to the `stages`. The worker is left, and the outermost level.
    fn search<'a>(
        &'a self,
        (config, wanted, table): (&'a Config, &'a Wanted, &'a ClassTable),
        stages: &mut Stages<'_>,
        minimized: &mut MinimizedRun,
        progress: &mut dyn Progress,
    ) -> Result<(WorkerReplayer<'a>, Option<Outermost>), PipelineError> {
        progress.part("minimizing");
        let mut timings = std::mem::take(&mut minimized.timings);
        let mut replayer = timed(&mut timings, "start the JVM for replays", || {
            WorkerReplayer::start(self.run, config, wanted.workers)
        })?;
        let searched = timed(&mut timings, "minimize all levels", || {
            let search = LevelSearch {
                case: self,
                config,
                wanted,
                table,
                specs: self.specs(wanted)?,
                recorded: self.run.recorded(),
                replayer: &mut replayer,
                stages: &mut *stages,
                likely: Vec::new(),
                unseen: BTreeSet::new(),
                outermost: None,
            };
            search.all(minimized, progress)
        })?;
        progress.part("following the failure back");
        let chain = timed(&mut timings, "follow the failure back", || {
            let way = ChainSearch {
                case: self,
                config,
                wanted,
                table,
                behind: minimized.levels.len(),
            };
            chain::follow(&way, &searched.unseen, &mut replayer, progress)
        })?;
        minimized.chain = chain.chain;
        minimized.timings = timings;
        let tests = chain.attempts.into_iter();
        tests.for_each(|t| stages.tests.give(t));
        Ok((replayer, searched.outermost))
    }

    /// What a person reads of the failure.
    fn message(&self) -> Option<String> {
        match &self.crash.oracle {
            Oracle::Exception | Oracle::Value(_) | Oracle::Assertion(_) | Oracle::State(_) => {}
            Oracle::Output(wrong) => return Some(format!("{:?} was written", wrong.text)),
            Oracle::Predicate(wrong) => {
                return Some(format!("{} holds of an object", wrong.predicate.class));
            }
            Oracle::Exit { status, .. } => {
                return Some(format!("the program was ended with status {status}"));
            }
            Oracle::Endless { .. } => return Some("the program did not end".into()),
        }
        self.run.trace.throwable(self.crash.throwable)?.text.clone()
    }

    /// Where a failure without stack trace shows, `Class.method`.
    fn place(&self) -> Option<String> {
        let member = self.run.history.member(self.crash.oracle.node()?)?;
        let class = member.owner.rsplit('/').next()?;
        Some(format!("{class}.{}", member.name))
    }

    /// What is known before the search.
    fn nothing_yet(&self, earlier: &Earlier) -> MinimizedRun {
        let throwable = self.run.trace.throwable(self.crash.throwable);
        let level_of = |class: &str| {
            let internal = class.replace('.', "/");
            // Inherited methods run on a level's object too: a frame belongs to the first level whose class is it or below it.
            let tables = self.run.history.tables();
            self.stack_specs()
                .iter()
                .find(|s| tables.is_subclass(&s.joins, &internal))
                .map(|s| s.level)
        };
        let frames = throwable.map(|t| t.frames.as_slice()).unwrap_or_default();
        let stack = frames.iter().map(|f| (frame_text(f), level_of(&f.class)));
        let end = self.run.trace.end();
        let events = self.run.trace.kind_stats().values().map(|s| s.events).sum();
        MinimizedRun {
            failure: RecordedFailure {
                oracle: self.crash.oracle.clone(),
                class: self.crash.predicate.class.clone(),
                message: self.message(),
                at: frames
                    .first()
                    .map_or_else(|| self.place().unwrap_or_default(), short_frame),
                stack: stack.collect(),
                test: self.run.test.clone(),
                sides: self.run.sides(),
            },
            capture: Capture {
                events,
                bytes: self.run.trace.file_bytes(),
                seconds: end.map_or(0.0, |e| e.seconds),
                classes_rewritten: end.map_or(0, |e| u64::from(e.classes_rewritten)),
                classes_skipped: self
                    .run
                    .trace
                    .skipped()
                    .iter()
                    .map(|s| s.class.replace('/', "."))
                    .collect(),
                exit_status: earlier.exit_status,
                expansion: earlier.expansion.clone(),
                once_more: earlier.once_more.clone(),
            },
            levels: Vec::new(),
            chain: CauseChain::default(),
            explanation: None,
            timings: earlier.parts.clone(),
            seconds: 0.0,
            trace: self.run.path.clone(),
            // Of what was recorded, not of what was made of it.
            damage: match &earlier.expansion {
                Some(expansion) => expansion.damage.clone(),
                None => self.run.damage(),
            },
            recording_cut: Losses::of_tables(&self.run.trace).recording_cut,
            of_window: self.run.of_window(),
            stopped: None,
            others: Vec::new(),
        }
    }
}

/// Puts what became of a second try into the report in `out`, which was made before.
///
/// # Errors
/// The report cannot be read or written.
pub fn add_second_try(second_try: &SecondTryReport, out: &Path) -> Result<(), PipelineError> {
    let file = out.join("report.json");
    let mut report = Report::read(&file).map_err(file_error(&file))?;
    report.second_try = Some(second_try.clone());
    save(&report, out)
}

fn save(report: &Report, out: &Path) -> Result<(), PipelineError> {
    let json = out.join("report.json");
    report.write(&json).map_err(file_error(&json))?;
    let page = out.join("report.html");
    private::write(
        &page,
        html::render(report, &tests_of_levels::sources(report, out)),
    )
    .map_err(file_error(&page))
}

/// Something of the level with this index in the report, or why it is not to be had.
type OfLevel<T> = (usize, Result<T, NotSliced>);

/// What a level goes through behind its search.
struct Stages<'scope> {
    slices: Stage<'scope, OfLevel<SliceJob>, OfLevel<Slice>>,
    tests: Stage<'scope, Attempt, Result<Vec<Tried>, PipelineError>>,
}

/// Puts slices and tests to their levels; whether one of the tests needs the JUnit extension.
fn settle(
    minimized: &mut MinimizedRun,
    sources: &[PathBuf],
    sliced: Vec<OfLevel<Slice>>,
    tried: Vec<Result<Vec<Tried>, PipelineError>>,
) -> Result<bool, PipelineError> {
    let mut sources = Sources::new(sources);
    for (index, slice) in sliced {
        let level = &mut minimized.levels[index];
        match slice {
            Ok(slice) => level.sliced(slice, &mut sources),
            Err(why) => level.not_sliced = Some(why.to_string()),
        }
    }
    let mut needed = false;
    for all in tried {
        for tried in all? {
            needed |= tried.needs_extension();
            if let Some(level) = minimized.level_mut(tried.index) {
                level.test = Some(tried.test);
            }
        }
    }
    Ok(needed)
}

/// The slice of what is left of a level, unless there is a wish to stop. The recording of the outermost one is kept.
fn slice_of(
    (index, left): OfLevel<SliceJob>,
    stop: StopSignal,
    recorded: &Mutex<Option<Recording>>,
) -> OfLevel<Slice> {
    if stop.reason().is_some() {
        return (index, Err(NotSliced::Stopped));
    }
    let sliced = left.and_then(|left| left.slice(index));
    let slice = sliced.map(|(slice, recording)| {
        if let (Ok(mut known), Some(new)) = (recorded.lock(), recording) {
            Recording::keep(&mut known, new);
        }
        slice
    });
    (index, slice)
}

/// `Class.method(File.java:348)`: the class without its package.
fn short_frame(frame: &jinsi_trace::model::Frame) -> String {
    let text = frame_text(frame);
    let prefix = frame.class.rfind('.').map_or(0, |dot| dot + 1);
    text[prefix..].to_owned()
}

fn as_search(progress: &mut dyn Progress) -> &mut dyn SearchProgress {
    progress
}

fn timed<T, E>(
    timings: &mut Vec<Timing>,
    part: &str,
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let began = Instant::now();
    let result = work();
    timings.push(Timing {
        part: part.into(),
        seconds: began.elapsed().as_secs_f64(),
    });
    result
}

pub(crate) fn worker_config(config: &Config) -> WorkerConfig {
    WorkerConfig {
        walls: config.walls,
        ..WorkerConfig::new(config.jdk.java(), &config.harness)
    }
}

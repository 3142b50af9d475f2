//! `jinsi minimize`: from a trace to minimal tests and reports.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use jinsi_analysis::minimized::{MinimizedRun, Reproduction, Timing};
use jinsi_analysis::pipeline::{Case, Config, Earlier, Progress, Run, Wanted};
use jinsi_analysis::report::json::{LevelReport, Report};
use jinsi_files::private;
use jinsi_files::temporary;
use jinsi_history::damage::Damaged;
use jinsi_jdk::{Jdk, Walls};
use jinsi_natural::Natural;
use jinsi_natural::pattern::Pattern;
use jinsi_oracle::given::Given;
use jinsi_search::ddmin::Verdict;
use jinsi_search::levels::{self, LevelResult, LevelSpec, Strategy};
use jinsi_search::stop::StopSignal;
use jinsi_testwriter::Junit;

use super::damage;
use super::embedded;
use super::interrupt;
use super::oracle::OracleOptions;
use super::output::{Output, note};
use super::progress::Spinner;
use super::suite;

/// The oldest Java that replays and runs written tests.
const OLDEST: u32 = 11;

const EXAMPLES: &str = "\
Examples:
  jinsi minimize run.jinsi --out report                          every level along the failure's stack
  jinsi minimize run.jinsi --levels=2                            only the two lowest
  jinsi minimize tests.jinsi --test ParserTest.emptyInput         one failed test of a recorded suite
  jinsi minimize run.jinsi --observe 'com.foo.Parser:com.foo.Lexer'   one observed set of your own

What is left of a level was executed and failed as recorded, and so was the written test; a level of which that is not true
says why. 1-minimal: without any one of the interactions left, the failure does not appear.";

/// Arguments of `minimize`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace; more than one if they are of test suites
    #[arg(value_name = "FILE", required = true)]
    traces: Vec<PathBuf>,
    /// Minimize for this observed set only: wildcards over the dotted name, joined by ':'
    #[arg(long, value_name = "PATTERNS", conflicts_with = "levels")]
    observe: Option<String>,
    /// Minimize the levels along the failure's stack, from the lowest; at most COUNT of them (default: all)
    #[arg(long, value_name = "COUNT", num_args = 0..=1, require_equals = true, default_missing_value = "all")]
    levels: Option<String>,
    /// Of a recorded test suite, only this failed test: its class and method, or one of them (default: each failed test, into a directory
    /// of its own)
    #[arg(long, value_name = "NAME")]
    test: Option<String>,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// What `debug` and `minimize` share.
#[derive(clap::Args)]
pub(crate) struct Common {
    /// Directory for the reports and tests
    #[arg(long, value_name = "DIR", default_value = "jinsi-report")]
    pub(crate) out: PathBuf,
    /// How to search: 'grow' from the failure outward, 'ddmin' as published, 'probdd' by probabilities; 'both' has the figures of ddmin
    /// beside those of grow, 'all' has those of probdd, too
    #[arg(long, value_name = "HOW", value_enum, default_value = "grow")]
    pub(crate) search: SearchOption,
    /// Leave the values in what is left as they were recorded, instead of making them smaller
    #[arg(long)]
    pub(crate) no_shrink: bool,
    /// Replay every level, instead of running for real what fails so as recorded
    #[arg(long)]
    pub(crate) replay_only: bool,
    /// Version of JUnit that the tests are written for
    #[arg(long, value_name = "VERSION", value_enum, default_value = "5")]
    pub(crate) junit: JunitOption,
    /// Do not run what is left of each level once more to find the lines that made it fail
    #[arg(long)]
    pub(crate) no_slice: bool,
    /// Directory of the program's sources, above the packages, for the report; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) source: Vec<PathBuf>,
    /// Stop searching after so many seconds, with what has been found by then; so does the first Ctrl-C
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,
    /// Workers to replay on, which changes nothing but the time: more than one run tests ahead of a search that takes long, and what is
    /// left of a level is sliced and tested while the next one is searched (default: one a core, at most 4)
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) workers: Option<u16>,
    #[command(flatten)]
    pub(crate) oracle: OracleOptions,
    #[command(flatten)]
    pub(crate) replay: ReplayOptions,
}

/// More workers than these would mostly run tests that nobody asks for.
const MOST_WORKERS: usize = 4;

/// One a core.
fn workers() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    cores.min(MOST_WORKERS)
}

/// A number of seconds, from 0.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(number).map_err(|e| e.to_string())
}

impl Common {
    /// What is wanted, at all levels. An interrupt is a wish to stop from now on.
    pub(crate) fn wanted(&self) -> Result<Wanted> {
        Ok(Wanted {
            strategy: self.search.strategy(),
            keep_values: self.no_shrink,
            replay_only: self.replay_only,
            stop: StopSignal::new(Some(interrupt::wish_to_stop()), self.budget),
            junit: match self.junit {
                JunitOption::Four => Junit::Four,
                JunitOption::Five => Junit::Five,
            },
            workers: self.workers.map_or_else(workers, usize::from),
            // Without the agent there is no slice, but all else.
            agent: embedded::agent_library().ok().filter(|_| !self.no_slice),
            sources: self.source.clone(),
            ..Wanted::default()
        })
    }
}

/// Values of `--search`.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum SearchOption {
    Grow,
    Ddmin,
    Probdd,
    Both,
    All,
}

impl SearchOption {
    pub(crate) fn strategy(self) -> Strategy {
        match self {
            Self::Grow => Strategy::Grow,
            Self::Ddmin => Strategy::Ddmin,
            Self::Probdd => Strategy::ProbDd,
            Self::Both => Strategy::Both,
            Self::All => Strategy::All,
        }
    }
}

/// Values of `--junit`.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum JunitOption {
    #[value(name = "4")]
    Four,
    #[value(name = "5")]
    Five,
}

/// How replay is done.
#[derive(clap::Args)]
pub(crate) struct ReplayOptions {
    /// JDK for replay and the written tests (default: JAVA_HOME, else java on the PATH)
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,
    /// File with more natural classes, in the form of the built-in list
    #[arg(long, value_name = "FILE")]
    natural: Option<PathBuf>,
    /// Run recorded code and written tests with your own rights, instead of shut in by the operating system: without your files, network and
    /// processes. For machines that cannot do that, and traces whose origin you would trust with a program
    #[arg(long)]
    unconfined: bool,
}

/// The pipeline's configuration, and the directory that holds what it points to.
pub(crate) struct Prepared {
    pub(crate) config: Config,
    _unpacked: temporary::Directory,
}

impl ReplayOptions {
    /// To look at a JDK on any machine.
    pub(crate) fn with_jdk(java_home: Option<PathBuf>) -> Self {
        Self {
            java_home,
            natural: None,
            unconfined: true,
        }
    }

    /// Whether what is run is shut in; an error if it has to be, and cannot.
    pub(crate) fn walls(&self) -> Result<Walls> {
        let walls = match self.unconfined {
            true => Walls::Unconfined,
            false => Walls::Confined,
        };
        let checked = walls.check();
        checked
            .context("nothing was run; --unconfined runs it all the same, with your own rights")?;
        Ok(walls)
    }

    /// Finds the JDK and unpacks the worker. Unless the user chose a JDK, it is that of `recorded_with`.
    pub(crate) fn prepare(&self, recorded_with: Option<&Path>) -> Result<Prepared> {
        let walls = self.walls()?;
        let jdk = Jdk::find(self.java_home.as_deref().or(recorded_with))?;
        jdk.require_feature(OLDEST)?;
        let compiler = jdk.compiler().unwrap_or_else(|_| jdk.clone());
        let unpacked = temporary::directory().context("no temporary directory")?;
        let mut natural = Natural::default();
        if let Some(file) = &self.natural {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            natural = natural
                .with_extra(&text)
                .with_context(|| file.display().to_string())?;
        }
        let config = Config {
            jdk,
            compiler,
            harness: embedded::unpack_worker(unpacked.path())?,
            test_server: embedded::unpack_test_server(unpacked.path())?,
            junit_sources: embedded::unpack_junit_sources(unpacked.path())?,
            natural,
            walls,
        };
        Ok(Prepared {
            config,
            _unpacked: unpacked,
        })
    }
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let levels = match args.levels.as_deref() {
        None | Some("all") => None,
        Some(count) => match count.parse() {
            Ok(n) if n > 0 => Some(n),
            _ => bail!("--levels takes a number from 1, not '{count}'"),
        },
    };
    let wanted = Wanted {
        observe: args.observe.as_deref().map(patterns),
        levels,
        ..args.common.wanted()?
    };
    let job = Job {
        test: args.test.as_deref(),
        ..Job::of(&args.traces, &args.common, &wanted)?
    };
    job.run(out)
}

/// Patterns joined by `:`.
pub(crate) fn patterns(text: &str) -> Vec<Pattern> {
    text.split(':')
        .filter(|p| !p.trim().is_empty())
        .map(Pattern::new)
        .collect()
}

/// What is to be minimized: a trace, or several of test suites.
pub(crate) struct Job<'a> {
    pub(super) traces: &'a [PathBuf],
    pub(super) common: &'a Common,
    pub(super) wanted: &'a Wanted,
    pub(super) test: Option<&'a str>,
    /// The failure that the user names.
    pub(super) given: Option<Given>,
    /// What was done before.
    pub(crate) earlier: Earlier,
    /// The `java` that was recorded, if known.
    pub(crate) recorded_with: Option<&'a Path>,
}

impl<'a> Job<'a> {
    /// # Errors
    /// See [`OracleOptions::given`].
    pub(crate) fn of(
        traces: &'a [PathBuf],
        common: &'a Common,
        wanted: &'a Wanted,
    ) -> Result<Self> {
        Ok(Self {
            traces,
            common,
            wanted,
            test: None,
            given: common.oracle.given()?,
            earlier: Earlier::default(),
            recorded_with: None,
        })
    }

    /// Minimizes, writes everything below the output directory, and prints the result. True if at least one written test reproduces a
    /// failure.
    pub(crate) fn run(&self, out: &Output) -> Result<bool> {
        let mut progress = Terminal::new("reading the trace");
        if let [trace] = self.traces
            && self.test.is_none()
        {
            let mut run = Run::open(trace)?;
            if run.failed_tests().is_empty() || self.given.is_some() {
                let done = self.run_one(&mut run, progress, out);
                return damage::named(done, || run.damage());
            }
        }
        let report = suite::minimize(self, &self.prepare()?, &mut progress)?;
        drop(progress);
        suite::finish(&report, &self.common.out, out)
    }

    /// The failure of a run that is no test suite.
    fn run_one(&self, run: &mut Run, mut progress: Terminal, out: &Output) -> Result<bool> {
        if self.given.is_none() {
            Case::of(run)?;
        }
        let prepared = self.prepare()?;
        if let Some(given) = &self.given {
            run.look_for(given)?;
        }
        let run = &*run;
        let mut case = Case::of(run)?;
        let directory = &self.common.out;
        let mut earlier = self.earlier.clone();
        let mut whole;
        if run.is_at_boundary() {
            progress.part("expanding the recording");
            whole = expanded(run, &prepared.config, directory, &mut earlier)?;
            if let (Some(whole), Some(given)) = (&mut whole, &self.given) {
                whole.look_for(given)?;
            }
            if let Some(whole) = &whole {
                case = Case::of(whole)?;
            }
        }
        let config = &prepared.config;
        let minimized = case.minimize(config, self.wanted, directory, &earlier, &mut progress)?;
        drop(progress);
        finish(&minimized, directory, out)
    }

    fn prepare(&self) -> Result<Prepared> {
        // Without a compiler there is no test; better said before the search than after it.
        let prepared = self.common.replay.prepare(self.recorded_with)?;
        prepared.config.jdk.compiler()?;
        Ok(prepared)
    }
}

/// Makes a whole recording of one of the boundary, beside the report. If that is not possible a line tells why, and the report.
fn expanded(
    run: &Run,
    config: &Config,
    directory: &Path,
    earlier: &mut Earlier,
) -> Result<Option<Run>> {
    let began = Instant::now();
    private::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    let file = directory.join("expanded.jinsi");
    let (whole, expansion) = run.expanded(config, &embedded::agent_library()?, &file)?;
    if let Some(why) = &expansion.failed {
        note(&format!(
            "the trace has only what crossed the edge of the observed classes, and cannot be expanded: {why}; it is minimized at one level"
        ));
    }
    earlier.parts.push(Timing {
        part: "expand the recording".into(),
        seconds: began.elapsed().as_secs_f64(),
    });
    earlier.expansion = Some(expansion);
    Ok(whole)
}

/// Prints the result; true if at least one level has a test that reproduces the failure.
fn finish(run: &MinimizedRun, directory: &Path, out: &Output) -> Result<bool> {
    let report = Report::of(run);
    out.result(&report, |to| text(&report, directory, to))?;
    Ok(run.reproduced().next().is_some())
}

fn text(report: &Report, directory: &Path, to: &mut dyn Write) -> io::Result<()> {
    let f = &report.failure;
    let message = f
        .message
        .as_ref()
        .map_or_else(String::new, |m| format!(": {m}"));
    let name = f.name();
    writeln!(to, "failure  {name}{message}\n         at {}", f.at)?;
    writeln!(
        to,
        "{:>5}  {:<44} {:>9} {:>7} {:>5} {:>6} {:>8}  test",
        "level", "joins", "recorded", "slice", "left", "tests", "seconds"
    )?;
    for level in &report.levels {
        writeln!(
            to,
            "{:>5}  {:<44} {:>9} {:>7} {:>5} {:>6} {:>8.2}  {}",
            level.level,
            level.name,
            level.interactions,
            level.after_event_slice,
            level.minimized,
            level.tests,
            level.seconds,
            outcome(level)
        )?;
    }
    for why in &report.recording_cut {
        writeln!(to, "not recorded  {why}")?;
    }
    let damaged = Damaged {
        entries: report.damage.clone(),
        incomplete: report.levels.iter().any(|level| level.incomplete),
    };
    damage::print(&damaged, to)?;
    for (i, link) in report.chain.iter().enumerate().skip(1) {
        let lead = if i == 1 { "because" } else { "" };
        let object = link.object.as_deref().unwrap_or_default();
        writeln!(to, "{lead:<8} {} of {object}", link.predicate)?;
    }
    if let Some(why) = &report.stopped {
        writeln!(
            to,
            "stopped  {why}: levels may be missing, and more could perhaps go"
        )?;
    }
    writeln!(to, "report   {}", directory.join("report.html").display())
}

fn outcome(level: &LevelReport) -> String {
    if level.strict_replay != "reproduced" && level.minimized == 0 {
        return format!("not replayable: {}", level.strict_replay);
    }
    let form = level.test_form.as_deref().unwrap_or("none");
    let incomplete = if level.incomplete { ", incomplete" } else { "" };
    match level.test_outcome {
        Some(Reproduction::Reproduces) => format!("{form}, reproduces{incomplete}"),
        Some(Reproduction::Passes) => format!("{form}, PASSES"),
        Some(Reproduction::FailsOtherwise) => format!("{form}, FAILS OTHERWISE"),
        Some(Reproduction::DoesNotCompile) => format!("{form}, DOES NOT COMPILE"),
        Some(Reproduction::NotRun) => format!("{form}, not run"),
        None => "none".into(),
    }
}

/// Progress of the search on a terminal.
pub(super) struct Terminal {
    spinner: Spinner,
    level: String,
    tests: u64,
}

impl Terminal {
    /// Says first what is done before the search.
    pub(super) fn new(what: &str) -> Self {
        Self {
            spinner: Spinner::new(what),
            level: String::new(),
            tests: 0,
        }
    }

    /// What is done now.
    pub(super) fn say(&self, what: String) {
        self.spinner.say(what);
    }
}

impl levels::Progress for Terminal {
    fn level_started(&mut self, spec: &LevelSpec, of: usize, interactions: usize) {
        self.level = format!(
            "level {} of {of}, {}: {interactions} interactions",
            spec.level,
            spec.joins.replace('/', ".")
        );
        self.tests = 0;
        self.spinner.say(self.level.clone());
    }

    fn tested(&mut self, size: usize, _verdict: &Verdict) {
        self.tests += 1;
        self.spinner
            .say(format!("{}, test {} with {size}", self.level, self.tests));
    }

    fn level_finished(&mut self, _result: &LevelResult) {}
}

impl Progress for Terminal {
    fn part(&mut self, name: &str) {
        self.spinner.say(name.to_owned());
    }
}

//! `jinsi minimize`: from a trace to minimal tests and reports.

use std::collections::HashSet;
use std::path::PathBuf;

use anyhow::{Error, Result};
use jinsi_analysis::job::{Job, JobError, Listener};
use jinsi_analysis::minimized::MinimizedRun;
use jinsi_analysis::pipeline::{Case, FailedTest, NotNamed, Part, Progress, Run, Wanted};
use jinsi_analysis::report::json::Report;
use jinsi_analysis::report::suite::SuiteReport;
use jinsi_history::damage::Damaged;
use jinsi_natural::pattern::Pattern;
use jinsi_oracle::given::Given;
use jinsi_trace::reader::Trace;

use super::advice::{self, Step};
use super::answer::Answer;
use super::damage;
use super::failed_tests;
use super::job::{Common, Program, job};
use super::markdown;
use super::messages::Usage;
use super::nothing::{self, Known};
use super::output::{Output, note};
use super::past::beside;
use super::terminal::Terminal;

/// Tests that are named where the one that was asked for is not there.
const MOST_NAMED: usize = 8;

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
    /// Of several recorded failures only this one: its number, as 'jinsi info' counts them (default: the first that ended its thread, else
    /// the last; and the first of each other kind, at most four, in directories of their own)
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["test", "OracleOptions"])]
    failure: Option<usize>,
    #[command(flatten)]
    pub(crate) common: Common,
}

impl Args {
    /// The traces without replays of others among them, which a pattern such as `test-*.jinsi` finds, too.
    fn originals(&self) -> Vec<PathBuf> {
        let replays = self.traces.iter().map(|t| (t, beside(t)));
        // A path without a name of a file, as `.` is, has none beside it.
        let replays: HashSet<PathBuf> = replays
            .filter(|(trace, replay)| *trace != replay)
            .map(|(_, replay)| replay)
            .collect();
        let originals = self.traces.iter().filter(|t| !replays.contains(*t));
        originals.cloned().collect()
    }

    /// Options that would do nothing.
    fn check(&self, traces: &[PathBuf]) -> Result<()> {
        let several = traces.len() > 1;
        if several && self.failure.is_some() {
            return Err(advice::usage(Usage::FailureOfOne));
        }
        let oracle = &self.common.oracle;
        let named = oracle.name();
        match (named, &self.test) {
            (Some(option), Some(_)) if !oracle.is_of_tests() => {
                Err(advice::usage(Usage::WholeRun { option }))
            }
            (Some(option), None) if several => Err(advice::usage(Usage::OneRun { option })),
            _ => Ok(()),
        }
    }
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let traces = args.originals();
    args.check(&traces)?;
    let levels = match args.levels.as_deref() {
        None | Some("all") => None,
        Some(count) => match count.parse() {
            Ok(n) if n > 0 => Some(n),
            _ => {
                return Err(advice::usage(Usage::Levels { count }));
            }
        },
    };
    let wanted = Wanted {
        observe: args.observe.as_deref().map(patterns),
        levels,
        ..args.common.wanted()?
    };
    let beside = traces.first().and_then(|trace| args.common.beside(trace));
    let mut job = Job {
        test: args.test.as_deref(),
        failure: args.failure,
        ..job(&traces, &args.common, &wanted)?
    };
    if let Some(beside) = &beside {
        job.out = beside;
    }
    run_job(&job, &args.common, Program::default(), out)
}

/// Patterns joined by `:`.
pub(crate) fn patterns(text: &str) -> Vec<Pattern> {
    text.split(':')
        .filter(|p| !p.trim().is_empty())
        .map(Pattern::new)
        .collect()
}

/// Minimizes, writes everything below the output directory, and prints the result. True if at least one written test reproduces a
/// failure.
pub(crate) fn run_job(
    job: &Job<'_>,
    common: &Common,
    program: Program<'_>,
    out: &Output,
) -> Result<bool> {
    let project = common.project()?;
    let minimizing = Minimizing {
        job,
        common,
        program,
        out,
    };
    let (done, minimized) = minimizing.run()?;
    if let Some(project) = project {
        for directory in minimized {
            let taken = project.take(&job.out.join(directory))?;
            taken.iter().for_each(note);
        }
    }
    Ok(done)
}

/// A job, and how it is printed.
struct Minimizing<'a> {
    job: &'a Job<'a>,
    common: &'a Common,
    program: Program<'a>,
    out: &'a Output,
}

impl Minimizing<'_> {
    /// Does the job; whether a written test reproduces a failure, and the directories of reports, relative to that of the first.
    fn run(&self) -> Result<(bool, Vec<String>)> {
        let job = self.job;
        let mut progress = Terminal::new("reading the trace");
        if let [trace] = job.traces
            && job.test.is_none()
        {
            let one = job.given.is_some() || job.failure.is_some();
            if one || FailedTest::all(&Trace::open(trace)?).is_empty() {
                let mut run = match one {
                    true => Run::open(trace)?,
                    false => Run::open_to_minimize(trace)?,
                };
                let done = self.one(&mut run, progress);
                let done = done.map_err(|error| nothing::advised(error, &run, self.known()));
                return damage::named(done, || run.damage());
            }
        }
        let prepared = self.common.prepare(self.program.java)?;
        let report = job.suite(&prepared.config, &mut progress);
        drop(progress);
        let report = report.or_else(|error| self.no_suite(error))?;
        let done = self.finish_suite(&report)?;
        let own = report.tests.into_iter().filter(|t| t.same_as.is_none());
        Ok((done, own.filter_map(|t| t.directory).collect()))
    }

    /// The failure of a run that is no test suite, and, if it was not chosen, those of other kinds.
    fn one(&self, run: &mut Run, mut progress: Terminal) -> Result<(bool, Vec<String>)> {
        let job = self.job;
        if let Some(number) = job.failure {
            run.turn_to_failure(number)?;
        }
        // Of a recording at the boundary, what failed inside is seen when that is expanded.
        let is_empty = nothing::unmatched(run.trace(), run.path(), self.known()).is_some();
        let inside = run.is_at_boundary() && !is_empty && !run.trace().failures().is_empty();
        if job.given.is_none() && !inside {
            Case::of(run)?;
        }
        let prepared = self.common.prepare(self.program.java)?;
        let config = &prepared.config;
        let mut earlier = job.earlier.clone();
        let mut whole = None;
        if run.is_at_boundary() {
            if let Some(given @ Given::Endless) = &job.given {
                run.look_for(given)?;
            }
            progress.part("expanding the recording");
            let file = job.out.join(job.expanded_name);
            let known = (&mut earlier, &mut progress as &mut dyn Listener);
            whole = job.expanded((run, Part::TestsOrAll), config, &file, known)?;
            if let (Some(whole), Some(number)) = (&mut whole, job.failure) {
                whole.turn_to_failure(number)?;
            }
        }
        let run = whole.as_mut().unwrap_or(run);
        // A value that is wrong may be one that never crossed the boundary.
        if let Some(given) = &job.given {
            run.look_for(given)?;
        }
        let case = Case::of(run)?;
        let mut minimized = case.minimize(config, job.wanted, job.out, &earlier, &mut progress)?;
        if job.failure.is_none() && job.given.is_none() {
            let others = job.others(run, config, &mut progress);
            if !others.is_empty() {
                minimized.save_with(others, job.out)?;
            }
        }
        drop(progress);
        let others = minimized.others.iter();
        let others = others.filter(|other| other.keep.is_some());
        let others = others.filter_map(|other| other.directory.clone());
        let directories = std::iter::once(String::new()).chain(others).collect();
        Ok((self.finish(&minimized)?, directories))
    }

    /// What is known of its run besides the trace.
    fn known(&self) -> Known<'_> {
        Known {
            program: self.program.command,
            exit_status: self.job.earlier.exit_status,
            failure: self.job.failure,
            out: Some(self.job.out),
            wrong: match &self.job.given {
                Some(Given::Value(call)) => Some(call),
                _ => None,
            },
        }
    }

    /// Prints the result; true if at least one level, or another failure, has a test that reproduces it.
    fn finish(&self, run: &MinimizedRun) -> Result<bool> {
        let report = Report::of(run);
        let answer = Answer {
            report: &report,
            directory: self.job.out,
            placed: self.common.into.is_some(),
            colours: self.out.has_colours(),
        };
        if let Some(file) = &self.common.markdown {
            markdown::write(file, &markdown::of_run(&report, self.job.out)?)?;
        }
        self.out.result(&report, |to| answer.write(to))?;
        let mut others = run.others.iter();
        Ok(run.reproduced().next().is_some() || others.any(|other| other.keep.is_some()))
    }

    /// Prints the result of a suite; true if at least one test has a written test that reproduces its failure.
    fn finish_suite(&self, report: &SuiteReport) -> Result<bool> {
        let directory = self.job.out;
        if let Some(file) = &self.common.markdown {
            markdown::write(file, &markdown::of_suite(report, directory)?)?;
        }
        let colours = self.out.has_colours();
        let placed = self.common.into.is_some();
        self.out.result(report, |to| {
            failed_tests::write(report, (directory, placed), colours, to)
        })?;
        Ok(report.tests.iter().any(|t| t.reproduces))
    }

    /// No test was minimized: why, and the ways on.
    fn no_suite<T>(&self, error: JobError) -> Result<T> {
        match error {
            JobError::NoTest { damage: entries } => {
                let next = self.job.traces.first().map(|trace| {
                    let trace = advice::path(trace);
                    Step::new("what failed otherwise", format!("jinsi minimize {trace}"))
                });
                let what = "no test failed in what was recorded";
                let error = advice::error(what, next.into_iter().collect());
                damage::named(Err(error), || Damaged {
                    entries,
                    incomplete: false,
                })
            }
            JobError::NotNamed { refused, names } => {
                let mut all = match &refused {
                    NotNamed::None(_) => names,
                    NotNamed::Several { all, .. } => all.clone(),
                };
                all.dedup();
                let traces = advice::command(self.job.traces);
                let step = |name: &String| {
                    let name = advice::quoted(name.as_ref());
                    Step::new("there is", format!("jinsi minimize {traces} --test {name}"))
                };
                let next = all.iter().take(MOST_NAMED).map(step).collect();
                Err(advice::error(refused.to_string(), next))
            }
            JobError::Trace { path, source } => {
                Err(Error::new(*source).context(path.display().to_string()))
            }
            other => Err(other.into()),
        }
    }
}

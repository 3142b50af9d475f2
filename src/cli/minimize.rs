//! `jinsi minimize`: from a trace to minimal tests and reports.

use std::path::PathBuf;

use anyhow::Result;
use jinsi_analysis::minimized::MinimizedRun;
use jinsi_analysis::pipeline::{Case, Progress, Run, Wanted};
use jinsi_analysis::report::json::Report;
use jinsi_natural::pattern::Pattern;
use jinsi_oracle::given::Given;

use super::advice;
use super::answer::Answer;
use super::damage;
use super::job::{Common, Job};
use super::markdown;
use super::messages::Usage;
use super::nothing;
use super::others::Work;
use super::output::Output;
use super::suite;
use super::terminal::Terminal;

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
    /// Options that would do nothing.
    fn check(&self) -> Result<()> {
        let several = self.traces.len() > 1;
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
    args.check()?;
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
    let job = Job {
        test: args.test.as_deref(),
        failure: args.failure,
        ..Job::of(&args.traces, &args.common, &wanted)?
    };
    run_job(&job, out)
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
pub(crate) fn run_job(job: &Job<'_>, out: &Output) -> Result<bool> {
    let project = job.common.project()?;
    let (done, minimized) = minimize(job, out)?;
    if let Some(project) = project {
        for directory in minimized {
            project.take(&job.common.out.join(directory))?;
        }
    }
    Ok(done)
}

/// Does the job; whether a written test reproduces a failure, and the directories of reports, relative to that of the first.
fn minimize(job: &Job<'_>, out: &Output) -> Result<(bool, Vec<String>)> {
    let mut progress = Terminal::new("reading the trace");
    if let [trace] = job.traces
        && job.test.is_none()
    {
        let one = job.given.is_some() || job.failure.is_some();
        let mut run = match one {
            true => Run::open(trace)?,
            false => Run::open_to_minimize(trace)?,
        };
        if one || run.failed_tests().is_empty() {
            let done = run_one(job, &mut run, progress, out);
            let done = done.map_err(|error| nothing::advised(error, &run, job.known()));
            return damage::named(done, || run.damage());
        }
    }
    let report = suite::minimize(job, &job.prepare()?, &mut progress)?;
    drop(progress);
    let done = suite::finish(&report, job, out)?;
    let own = report.tests.into_iter().filter(|t| t.same_as.is_none());
    Ok((done, own.filter_map(|t| t.directory).collect()))
}

/// The failure of a run that is no test suite, and, if it was not chosen, those of other kinds.
fn run_one(
    job: &Job<'_>,
    run: &mut Run,
    mut progress: Terminal,
    out: &Output,
) -> Result<(bool, Vec<String>)> {
    if let Some(number) = job.failure {
        run.turn_to_failure(number)?;
    }
    // Of a recording at the boundary, what failed inside is seen when that is expanded.
    let is_empty = nothing::unmatched(run.trace(), run.path(), job.known()).is_some();
    let inside = run.is_at_boundary() && !is_empty && !run.trace().failures().is_empty();
    if job.given.is_none() && !inside {
        Case::of(run)?;
    }
    let prepared = job.prepare()?;
    let directory = &job.common.out;
    let mut earlier = job.earlier.clone();
    let mut whole = None;
    if run.is_at_boundary() {
        if let Some(given @ Given::Endless) = &job.given {
            run.look_for(given)?;
        }
        progress.part("expanding the recording");
        let file = directory.join(job.expanded_name);
        whole = job.expanded(run, &prepared.config, &file, &mut earlier)?;
        if let (Some(whole), Some(number)) = (&mut whole, job.failure) {
            whole.turn_to_failure(number)?;
        }
    }
    let run = whole.as_mut().unwrap_or(run);
    // A value that is wrong may be one that never crossed the boundary.
    if let Some(given) = &job.given {
        run.look_for(given)?;
    }
    let mut work = Work {
        job,
        config: &prepared.config,
        progress,
    };
    let mut minimized = work.minimize(run, directory, &earlier)?;
    if job.failure.is_none() && job.given.is_none() {
        let others = work.others(run)?;
        if !others.is_empty() {
            minimized.save_with(others, directory)?;
        }
    }
    drop(work);
    let others = minimized.others.iter();
    let others = others.filter(|other| other.keep.is_some());
    let others = others.filter_map(|other| other.directory.clone());
    let directories = std::iter::once(String::new()).chain(others).collect();
    Ok((finish(&minimized, job, out)?, directories))
}

/// Prints the result; true if at least one level, or another failure, has a test that reproduces it.
fn finish(run: &MinimizedRun, job: &Job<'_>, out: &Output) -> Result<bool> {
    let report = Report::of(run);
    let answer = Answer {
        report: &report,
        directory: &job.common.out,
        placed: job.common.into.is_some(),
        colours: out.has_colours(),
    };
    if let Some(file) = &job.common.markdown {
        markdown::write(file, &markdown::of_run(&report, &job.common.out)?)?;
    }
    out.result(&report, |to| answer.write(to))?;
    let mut others = run.others.iter();
    Ok(run.reproduced().next().is_some() || others.any(|other| other.keep.is_some()))
}

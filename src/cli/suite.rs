//! `jinsi minimize` of the trace of a test suite: each failed test has a failure, and a directory, of its own.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use jinsi_analysis::pipeline::{Case, FailedTest, PipelineError, Run};
use jinsi_analysis::report::html::index;
use jinsi_analysis::report::json::Report;
use jinsi_analysis::report::suite::{self, SuiteReport, TestReport};
use jinsi_files::private;
use jinsi_history::damage::{Damaged, Entry};

use super::advice::{self, Step};
use super::answer::{self, Answer};
use super::damage;
use super::job::Job;
use super::output::Output;
use super::prepared::Prepared;
use super::terminal::Terminal;

/// Minimizes each failed test of the job into a directory of its own. What stands in the way of one is in the result, not an error.
pub(super) fn minimize(
    job: &Job<'_>,
    prepared: &Prepared,
    progress: &mut Terminal,
) -> Result<SuiteReport> {
    let began = Instant::now();
    let mut suite = Suite {
        job,
        prepared,
        progress,
        taken: HashSet::new(),
        known: HashMap::new(),
        others: vec![],
        report: SuiteReport::default(),
    };
    for trace in job.traces {
        suite.trace(trace)?;
    }
    let damage = suite.report.damage.clone();
    let mut report = damage::named(suite.checked(), || Damaged {
        entries: damage,
        incomplete: false,
    })?;
    report.seconds = began.elapsed().as_secs_f64();
    save(&report, &job.common.out)?;
    Ok(report)
}

/// The work on the traces of a job.
struct Suite<'a, 'b> {
    job: &'a Job<'b>,
    prepared: &'a Prepared,
    progress: &'a mut Terminal,
    /// Directories of tests so far.
    taken: HashSet<String>,
    /// A test that is run for a thousand values mostly fails a thousand times for one reason.
    known: HashMap<String, TestReport>,
    /// Failed tests that were not asked for.
    others: Vec<String>,
    report: SuiteReport,
}

impl Suite<'_, '_> {
    fn trace(&mut self, trace: &Path) -> Result<()> {
        let mut run = Run::open(trace).with_context(|| trace.display().to_string())?;
        // With the name of the trace, of which there may be several. No failure is asked about yet.
        let damaged = Damaged::of(run.trace(), run.gaps()).entries;
        self.report
            .damage
            .extend(damaged.into_iter().map(|entry| Entry {
                what: format!("{}: {}", trace.display(), entry.what),
                ..entry
            }));
        for test in run.failed_tests() {
            if !self.job.test.is_none_or(|name| test.is_named(name)) {
                self.others.push(test.name);
                continue;
            }
            self.progress.say(test.name.clone());
            let done = self.test(&mut run, &test);
            let done = done.unwrap_or_else(|e| TestReport {
                damage: run.damage().entries,
                ..TestReport::without(&test.name, e.to_string())
            });
            self.report.tests.push(TestReport {
                trace: trace.display().to_string(),
                ..done
            });
        }
        Ok(())
    }

    fn test(&mut self, run: &mut Run, test: &FailedTest) -> Result<TestReport, PipelineError> {
        run.turn_to(test)?;
        let case = Case::of(run)?;
        let alike = format!("{} {:?}", test.method(), case.predicate());
        if let Some(first) = self.known.get(&alike) {
            return Ok(TestReport {
                test: test.name.clone(),
                same_as: Some(first.test.clone()),
                ..first.clone()
            });
        }
        let directory = test.directory(&mut self.taken);
        let result = case.minimize(
            &self.prepared.config,
            self.job.wanted,
            &self.job.common.out.join(&directory),
            &self.job.earlier,
            self.progress,
        )?;
        let result = TestReport::of(&test.name, &result, &directory);
        self.known.insert(alike, result.clone());
        Ok(result)
    }

    /// The report, if there was something to do.
    fn checked(self) -> Result<SuiteReport> {
        match (self.job.test, self.report.tests.is_empty()) {
            (_, false) => Ok(self.report),
            (Some(name), _) if !self.others.is_empty() => bail!(
                "no failed test is named {name}; there are: {}",
                self.others.join(" ")
            ),
            _ => bail!(
                "no failed test was recorded (is jinsi's listener on the class path of the tests?)"
            ),
        }
    }
}

fn save(report: &SuiteReport, directory: &Path) -> Result<()> {
    let file = directory.join(suite::FILE);
    let text = serde_json::to_vec_pretty(report)?;
    let page = directory.join(suite::PAGE);
    private::create_dir_all(directory)
        .and_then(|()| private::write(&file, text))
        .with_context(|| format!("cannot write {}", file.display()))?;
    private::write(&page, index::render(report))
        .with_context(|| format!("cannot write {}", page.display()))
}

/// Prints the result; true if at least one test has a written test that reproduces its failure.
pub(super) fn finish(report: &SuiteReport, job: &Job<'_>, out: &Output) -> Result<bool> {
    let colours = out.has_colours();
    out.result(report, |to| text(report, job, colours, to))?;
    Ok(report.tests.iter().any(|t| t.reproduces))
}

fn text(
    report: &SuiteReport,
    job: &Job<'_>,
    colours: bool,
    to: &mut dyn Write,
) -> io::Result<()> {
    let directory = &job.common.out;
    Damaged::write_text(&report.damage, to)?;
    let own = report.tests.iter().filter(|t| t.same_as.is_none());
    let shown: Vec<&str> = own
        .filter(|t| t.keep.is_some())
        .take(answer::SHOWN)
        .map(|t| t.test.as_str())
        .collect();
    for test in &report.tests {
        writeln!(to, "test     {}", test.test)?;
        if let Some(first) = &test.same_as {
            writeln!(to, "         fails like {first}")?;
            continue;
        }
        if let Some(why) = &test.why_not {
            writeln!(to, "without  {why}")?;
        }
        if let Some(own) = test.directory.as_ref().map(|d| directory.join(d)) {
            let whole = shown.contains(&test.test.as_str());
            of_test(test, (directory, &own), whole.then_some(colours), to)?;
        }
    }
    next(report, job, to)?;
    let page = answer::link(&directory.join(suite::PAGE));
    writeln!(to, "report   {page}")
}

/// What came of a test, which has a report `own` below `directory`; its source in these colours, if it is shown.
fn of_test(
    test: &TestReport,
    (directory, own): (&Path, &Path),
    source: Option<bool>,
    to: &mut dyn Write,
) -> io::Result<()> {
    let report = Report::read(&own.join("report.json"))?;
    let answer = Answer {
        report: &report,
        directory: own,
        placed: true,
        colours: source.unwrap_or(false),
    };
    writeln!(to, "failure  {}", report.failure.line())?;
    match (source, &test.keep) {
        (None, Some(keep)) => {
            let words = test.keep_words.as_deref().unwrap_or_default();
            writeln!(to, "keep     {}", directory.join(keep).display())?;
            writeln!(to, "         {words}")?;
        }
        _ => answer.keep(to)?,
    }
    answer.not_possible(to)?;
    if test.incomplete {
        writeln!(
            to,
            "         incomplete: something may be missing before the failure"
        )?;
    }
    Ok(())
}

/// How the tests get into a project.
fn next(report: &SuiteReport, job: &Job<'_>, to: &mut dyn Write) -> io::Result<()> {
    let kept = report.tests.iter().filter(|t| t.keep.is_some()).count();
    if kept == 0 || job.common.into.is_some() {
        return Ok(());
    }
    let traces = advice::command(job.traces);
    let out = answer::out(&job.common.out);
    let test = job.test.map_or_else(String::new, |name| {
        format!(" --test {}", advice::quoted(name.as_ref()))
    });
    let all = format!("jinsi minimize {traces}{out}{test} --into src/test/java");
    let mut next = vec![Step::new("among your tests", all)];
    if let (true, Some(first)) = (kept > 1 && job.test.is_none(), report.tests.first()) {
        let name = advice::quoted(first.test.as_ref());
        next.push(Step::new(
            "one of them",
            format!("jinsi minimize {traces}{out} --test {name} --into src/test/java"),
        ));
    }
    write!(to, "next\n{}", advice::lines(&next))
}

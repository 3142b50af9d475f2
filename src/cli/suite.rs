//! `jinsi minimize` of the trace of a test suite: each failed test has a failure, and a directory, of its own.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use jinsi_analysis::pipeline::{Case, FailedTest, PipelineError, Run};
use jinsi_analysis::report::suite::{self, SuiteReport, TestReport};
use jinsi_files::private;
use jinsi_history::damage::{Damaged, Entry};

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
    private::create_dir_all(directory)
        .and_then(|()| private::write(&file, text))
        .with_context(|| format!("cannot write {}", file.display()))
}

/// Prints the result; true if at least one test has a written test that reproduces its failure.
pub(super) fn finish(report: &SuiteReport, directory: &Path, out: &Output) -> Result<bool> {
    out.result(report, |to| text(report, directory, to))?;
    Ok(report.tests.iter().any(|t| t.reproduces))
}

fn text(report: &SuiteReport, directory: &Path, to: &mut dyn Write) -> io::Result<()> {
    Damaged::write_text(&report.damage, to)?;
    for test in &report.tests {
        writeln!(to, "test     {}", test.test)?;
        if let Some(first) = &test.same_as {
            writeln!(to, "         fails like {first}")?;
            continue;
        }
        if let Some(why) = &test.why_not {
            writeln!(to, "         {why}")?;
        }
        let Some(own) = test.directory.as_ref().map(|d| directory.join(d)) else {
            continue;
        };
        match (test.minimized, test.test_files.first()) {
            (Some(left), Some(file)) => writeln!(
                to,
                "         interactions left: {left}; reproduced by {}",
                directory.join(file).display()
            )?,
            _ => writeln!(to, "         no written test reproduces it")?,
        }
        if test.incomplete {
            writeln!(
                to,
                "         incomplete: something may be missing before the failure"
            )?;
        }
        writeln!(to, "         report {}", own.join("report.html").display())?;
    }
    Ok(())
}

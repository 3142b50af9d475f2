//! `jinsi minimize` of the trace of a test suite: each failed test has a failure, and a directory, of its own.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use jinsi_analysis::pipeline::{Case, Earlier, FailedTest, Run, Wanted};
use jinsi_analysis::report::suite::{self, SuiteReport, TestReport};

use super::minimize::{Common, Prepared, Terminal};
use super::output::Output;

/// The tests that `name` names; all of them if it is `None`.
pub(super) fn chosen(tests: Vec<FailedTest>, name: Option<&str>) -> Result<Vec<FailedTest>> {
    let Some(name) = name else {
        return Ok(tests);
    };
    if tests.is_empty() {
        bail!("the trace knows of no failed test; was jinsi's listener on the class path?");
    }
    let all: Vec<String> = tests.iter().map(|t| t.name.clone()).collect();
    let named: Vec<FailedTest> = tests.into_iter().filter(|t| t.is_named(name)).collect();
    if named.is_empty() {
        bail!(
            "no failed test is named {name}; there are: {}",
            all.join(" ")
        );
    }
    Ok(named)
}

/// Minimizes each test into a directory of its own. What stands in the way of one is in the result, not an error.
pub(super) fn minimize(
    run: &mut Run,
    tests: &[FailedTest],
    common: &Common,
    prepared: &Prepared,
    wanted: &Wanted,
    earlier: &Earlier,
) -> Result<SuiteReport> {
    let began = Instant::now();
    let mut report = SuiteReport {
        trace: run.path().display().to_string(),
        ..SuiteReport::default()
    };
    // A test that is run for a thousand values mostly fails a thousand times for one reason.
    let mut known: HashMap<String, TestReport> = HashMap::new();
    for test in tests {
        let mut progress = Terminal::new(&format!("{}: reading the trace", test.name));
        let done = run.turn_to(test).and_then(|()| {
            let case = Case::of(run)?;
            let alike = format!("{} {:?}", test.method(), case.predicate());
            if let Some(first) = known.get(&alike) {
                return Ok(TestReport {
                    test: test.name.clone(),
                    same_as: Some(first.test.clone()),
                    ..first.clone()
                });
            }
            let out = common.out.join(&test.directory);
            let config = &prepared.config;
            let result = case.minimize(config, wanted, &out, earlier, &mut progress)?;
            let result = TestReport::of(&test.name, &result, &test.directory);
            known.insert(alike, result.clone());
            Ok(result)
        });
        report
            .tests
            .push(done.unwrap_or_else(|e| TestReport::without(&test.name, e.to_string())));
    }
    report.seconds = began.elapsed().as_secs_f64();
    save(&report, &common.out)?;
    Ok(report)
}

fn save(report: &SuiteReport, directory: &Path) -> Result<()> {
    let file = directory.join(suite::FILE);
    let text = serde_json::to_vec_pretty(report)?;
    std::fs::create_dir_all(directory)
        .and_then(|()| std::fs::write(&file, text))
        .with_context(|| format!("cannot write {}", file.display()))
}

/// Prints the result; true if at least one test has a written test that reproduces its failure.
pub(super) fn finish(report: &SuiteReport, directory: &Path, out: &Output) -> Result<bool> {
    out.result(report, |to| text(report, directory, to))?;
    Ok(report.tests.iter().any(|t| t.reproduces))
}

fn text(report: &SuiteReport, directory: &Path, to: &mut dyn Write) -> io::Result<()> {
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
        writeln!(to, "         report {}", own.join("report.html").display())?;
    }
    Ok(())
}

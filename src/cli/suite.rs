//! `jinsi minimize` of the trace of a test suite: each failed test has a failure, and a directory, of its own.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Error, Result};
use jinsi_analysis::minimized::Timing;
use jinsi_analysis::pipeline::{
    Case, Earlier, FailedTest, NotNamed, PipelineError, Progress, Run, add_second_try, tests_named,
};
use jinsi_analysis::report::html::index;
use jinsi_analysis::report::outputs;
use jinsi_analysis::report::second_try::SecondTry;
use jinsi_analysis::report::suite::{self, SuiteReport, TestReport};
use jinsi_files::private;
use jinsi_history::damage::{Damaged, Entry};
use jinsi_trace::reader::Trace;

use super::advice::{self, Step};
use super::answer;
use super::damage;
use super::failed_test;
use super::job::Job;
use super::markdown;
use super::messages::{self, NoFailure, Way};
use super::output::{Output, note};
use super::prepared::Prepared;
use super::second_try::SecondTries;
use super::terminal::Terminal;

/// Tests that are named where the one that was asked for is not there.
const MOST_NAMED: usize = 8;

/// Tests that are printed as code; of further ones it is said where they are.
const IN_FULL: usize = 10;

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
        second_tries: SecondTries::new(job.second_try),
        report: SuiteReport::default(),
    };
    let wanted = wanted(job)?;
    for (no, trace) in job.traces.iter().enumerate() {
        let file = match no {
            0 => job.expanded_name.to_owned(),
            no => format!("expanded-{}.jinsi", no + 1),
        };
        suite.trace(trace, &job.common.out.join(file), wanted.as_ref())?;
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

/// Of a test of a recording at the boundary.
const WITHOUT_TEST: &str = "the light recording of this test could not be replayed, so it is minimized at one level (-Djinsi.detail=interactions records all levels)";

/// The recording of a second try, in the directory of its test.
const AGAIN: &str = "second-try.jinsi";

/// The work on the traces of a job.
struct Suite<'a, 'b> {
    job: &'a Job<'b>,
    prepared: &'a Prepared,
    progress: &'a mut Terminal,
    /// Directories of tests so far.
    taken: HashSet<String>,
    /// A test that is run for a thousand values mostly fails a thousand times for one reason.
    known: HashMap<String, TestReport>,
    second_tries: SecondTries,
    report: SuiteReport,
}

impl Suite<'_, '_> {
    /// `wanted`: names of the tests that are asked for, if not all are. A recording at the boundary is expanded to `file`.
    fn trace(&mut self, trace: &Path, file: &Path, wanted: Option<&HashSet<String>>) -> Result<()> {
        let mut run = Run::open(trace)?;
        // With the name of the trace, of which there may be several. No failure is asked about yet.
        let damaged = Damaged::of(run.trace(), run.gaps()).entries;
        self.report
            .damage
            .extend(damaged.into_iter().map(|entry| Entry {
                what: format!("{}: {}", trace.display(), entry.what),
                ..entry
            }));
        let is_light = run.is_at_boundary();
        let is_wanted = |test: &FailedTest| wanted.is_none_or(|wanted| wanted.contains(&test.name));
        let mut earlier = self.job.earlier.clone();
        let failed = run.failed_tests();
        let mut whole = None;
        if is_light && failed.iter().any(is_wanted) {
            self.progress.part("expanding the recording");
            whole = self
                .job
                .expanded(&run, &self.prepared.config, file, &mut earlier)?;
        }
        let in_whole = whole.as_ref().map_or_else(Vec::new, Run::failed_tests);
        let light = is_light.then(|| Trace::open(trace)).transpose()?;
        for test in failed.into_iter().filter(is_wanted) {
            self.progress.say(test.name.clone());
            let expanded = in_whole.iter().find(|other| other.is_same_run(&test));
            let of_light = earlier.of_left_out(&test);
            let (from, test) = match (&mut whole, expanded) {
                (Some(whole), Some(expanded)) => ((whole, &earlier), expanded.clone()),
                (whole, _) => {
                    if whole.is_some() && !self.second_tries.are_wanted() {
                        note(format!("{}: {WITHOUT_TEST}", test.name));
                    }
                    ((&mut run, &of_light), test)
                }
            };
            let done = match &light {
                Some(light) => self.test_of_light(from, light, &test)?,
                None => self.test_or_why_not(from, &test),
            };
            let of = match done.trace.is_empty() {
                true => trace.display().to_string(),
                false => done.trace.clone(),
            };
            self.report.tests.push(TestReport { trace: of, ..done });
        }
        Ok(())
    }

    /// A test of the recording `light` at the boundary, which `run` may have been expanded from. If it was not, the test is run once more first;
    /// else only if there is no test to keep.
    fn test_of_light(
        &mut self,
        (run, earlier): (&mut Run, &Earlier),
        light: &Trace,
        test: &FailedTest,
    ) -> Result<TestReport> {
        // Its objects have other numbers in an expanded recording.
        let all = FailedTest::all(light).into_iter();
        let mut named = all.filter(|other| other.name == test.name);
        let of_light = named.next_back();
        let goes_on = self.job.wanted.stop.reason().is_none();
        let of_light = of_light.filter(|_| self.second_tries.are_wanted() && goes_on);
        let Some(of_light) = of_light else {
            return Ok(self.test_or_why_not((run, earlier), test));
        };
        if let Some(first) = self.second_tries.earlier(light, &of_light) {
            let first = self.report.tests.iter().find(|done| done.test == first);
            if let Some(first) = first {
                return Ok(TestReport {
                    test: test.name.clone(),
                    same_as: Some(first.test.clone()),
                    ..first.clone()
                });
            }
        }
        let mut first = None;
        if !run.is_at_boundary() {
            let done = self.test_or_why_not((run, earlier), test);
            if done.keep.is_some() || done.same_as.is_some() {
                return Ok(done);
            }
            first = Some(done);
        }
        let place = first.as_ref().and_then(|first| first.directory.clone());
        let place = place.unwrap_or_else(|| test.directory(&mut self.taken));
        let (second, tried) = self.second(light, &of_light, &place)?;
        if let Some(second) = second {
            return Ok(second);
        }
        let done = first.unwrap_or_else(|| {
            self.taken.remove(&place.to_lowercase());
            self.test_or_why_not((run, earlier), test)
        });
        if let (Some(tried), Some(own)) = (&tried, &done.directory)
            && done.same_as.is_none()
        {
            add_second_try(tried, &self.job.common.out.join(own))?;
        }
        Ok(TestReport {
            second_try: tried,
            ..done
        })
    }

    /// Runs a test once more, and minimizes that, into the directory `place`. If there is a test to keep then, or no report was there before, that
    /// is the result; else all is as before, and only what became of the second try is known.
    fn second(
        &mut self,
        light: &Trace,
        test: &FailedTest,
        place: &str,
    ) -> Result<(Option<TestReport>, Option<SecondTry>)> {
        self.progress.part("running the test once more");
        let own = self.job.common.out.join(place);
        let before = self.job.common.out.join(format!("{place}.first"));
        let had_report = own.is_dir();
        if had_report {
            fs::rename(&own, &before)?;
        }
        let result = self.tried_again(light, test, (place, &own));
        // Without a test to keep, what was there before is as good.
        let is_better = |done: &TestReport| done.keep.is_some() || !had_report;
        if matches!(&result, Ok((Some(done), _)) if is_better(done)) {
            if had_report {
                fs::remove_dir_all(&before)?;
            }
            return result;
        }
        if own.is_dir() {
            fs::remove_dir_all(&own)?;
        }
        if had_report {
            fs::rename(&before, &own)?;
        }
        result.map(|(_, tried)| (None, tried))
    }

    /// Runs a test once more, and minimizes that if it fails in the same way, into the directory `own`, which is `place` in the report.
    fn tried_again(
        &mut self,
        light: &Trace,
        test: &FailedTest,
        (place, own): (&str, &Path),
    ) -> Result<(Option<TestReport>, Option<SecondTry>)> {
        private::create_dir_all(own)?;
        let file = own.join(AGAIN);
        let config = &self.prepared.config;
        let tried = self.second_tries.run(config, (light, test), &file)?;
        let Some(same) = tried.clone().filter(|tried| tried.same) else {
            return Ok((None, tried));
        };
        let Ok(done) = self.minimized_again(&file, test, (place, &same)) else {
            return Ok((None, tried));
        };
        add_second_try(&same, own)?;
        let done = TestReport {
            trace: std::path::absolute(&file)?.display().to_string(),
            second_try: tried.clone(),
            ..done
        };
        Ok((Some(done), tried))
    }

    /// Minimizes the recording of a second try.
    fn minimized_again(
        &mut self,
        file: &Path,
        test: &FailedTest,
        (place, tried): (&str, &SecondTry),
    ) -> Result<TestReport, PipelineError> {
        let mut run = Run::open(file)?;
        let mut earlier = self.job.earlier.clone();
        earlier.parts.push(Timing {
            part: "run the test once more".into(),
            seconds: tried.seconds,
        });
        let again = run.failed_tests();
        let again = again.iter().find(|other| other.name == test.name);
        self.turn(&mut run, again.unwrap_or(test))?;
        self.minimized(&run, test, &earlier, place)
    }

    /// What came of a test, or why nothing did.
    fn test_or_why_not(
        &mut self,
        (run, earlier): (&mut Run, &Earlier),
        test: &FailedTest,
    ) -> TestReport {
        let done = self.test(run, test, earlier);
        done.unwrap_or_else(|e| TestReport {
            damage: run.damage().entries,
            ..TestReport::without(&test.name, e.to_string())
        })
    }

    fn test(
        &mut self,
        run: &mut Run,
        test: &FailedTest,
        earlier: &Earlier,
    ) -> Result<TestReport, PipelineError> {
        self.turn(run, test)?;
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
        let result = self.minimized(run, test, earlier, &directory)?;
        self.known.insert(alike, result.clone());
        Ok(result)
    }

    /// Puts the test's failure in the place of the one that the run has, or the one that was asked for.
    fn turn(&self, run: &mut Run, test: &FailedTest) -> Result<(), PipelineError> {
        run.turn_to(test)?;
        if let Some(given) = &self.job.given {
            run.look_for_in_test(given)?;
        }
        Ok(())
    }

    /// Minimizes the failure that the run was turned to, into the directory `place`.
    fn minimized(
        &mut self,
        run: &Run,
        test: &FailedTest,
        earlier: &Earlier,
        place: &str,
    ) -> Result<TestReport, PipelineError> {
        let root = &self.job.common.out;
        let own = root.join(place);
        let result = Case::of(run)?.minimize(
            &self.prepared.config,
            self.job.wanted,
            &own,
            earlier,
            self.progress,
        )?;
        // Nine failures of one program need its classes, and jinsi's, once.
        outputs::share(&own, root).map_err(|source| PipelineError::File { path: own, source })?;
        Ok(TestReport::of(&test.name, &result, place))
    }

    /// The report, if there was something to do.
    fn checked(mut self) -> Result<SuiteReport> {
        self.report.second_tries_left_out = self.second_tries.left_out;
        match self.report.tests.is_empty() {
            false => Ok(self.report),
            true => Err(no_test(self.job)),
        }
    }
}

/// Names of the tests that are asked for, if not all are.
fn wanted(job: &Job<'_>) -> Result<Option<HashSet<String>>> {
    let Some(wanted) = job.test else {
        return Ok(None);
    };
    let mut names = Vec::new();
    for path in job.traces {
        let trace = Trace::open(path)?;
        names.extend(FailedTest::all(&trace).into_iter().map(|test| test.name));
    }
    if names.is_empty() {
        return Err(no_test(job));
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = tests_named(&names, wanted).map_err(|refused| {
        let mut all = match &refused {
            NotNamed::None(_) => names.iter().map(|name| (*name).to_owned()).collect(),
            NotNamed::Several { all, .. } => all.clone(),
        };
        all.dedup();
        let traces = advice::command(job.traces);
        let step = |name: &String| {
            let name = advice::quoted(name.as_ref());
            Step::new(
                Way::ThereIs,
                format!("jinsi minimize {traces} --test {name}"),
            )
        };
        let next = all.iter().take(MOST_NAMED).map(step).collect();
        advice::error(refused.to_string(), next)
    })?;
    Ok(Some(found.into_iter().map(String::from).collect()))
}

/// The traces are of no test suite, as far as they tell.
fn no_test(job: &Job<'_>) -> Error {
    let next = job.traces.iter().map(|trace| {
        let trace = advice::path(trace);
        Step::new(Way::FailedOtherwise, format!("jinsi minimize {trace}"))
    });
    advice::error(NoFailure::NoFailedTest, next.take(1).collect())
}

fn save(report: &SuiteReport, directory: &Path) -> Result<()> {
    let file = directory.join(suite::FILE);
    let text = serde_json::to_vec_pretty(report)?;
    let page = directory.join(suite::PAGE);
    private::create_dir_all(directory)
        .and_then(|()| private::write(&file, text))
        .with_context(|| messages::unwritten(&file))?;
    private::write(&page, index::render(report)).with_context(|| messages::unwritten(&page))
}

/// Prints the result; true if at least one test has a written test that reproduces its failure.
pub(super) fn finish(report: &SuiteReport, job: &Job<'_>, out: &Output) -> Result<bool> {
    if let Some(file) = &job.common.markdown {
        markdown::write(file, &markdown::of_suite(report, &job.common.out)?)?;
    }
    let colours = out.has_colours();
    out.result(report, |to| text(report, job, colours, to))?;
    Ok(report.tests.iter().any(|t| t.reproduces))
}

fn text(report: &SuiteReport, job: &Job<'_>, colours: bool, to: &mut dyn Write) -> io::Result<()> {
    let directory = &job.common.out;
    Damaged::write_text(&report.damage, to)?;
    let own = report
        .tests
        .iter()
        .filter(|t| t.keep.is_some() && t.same_as.is_none());
    let in_full: HashSet<&str> = own.take(IN_FULL).map(|t| t.test.as_str()).collect();
    for test in &report.tests {
        let failed = failed_test::FailedTest {
            test,
            root: directory,
            in_full: in_full.contains(test.test.as_str()),
            placed: job.common.into.is_some(),
            colours,
        };
        failed.write(to)?;
    }
    if report.second_tries_left_out > 0 {
        writeln!(
            to,
            "not run  {} more failed tests were not run a second time: at most ten are, of different failures, within the time for all (--second-try)",
            report.second_tries_left_out
        )?;
    }
    let page = answer::link(&directory.join(suite::PAGE));
    writeln!(to, "report   {page}")
}

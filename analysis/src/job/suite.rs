//! The failed tests of recorded suites: each has a failure, and a directory, of its own.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;
use std::time::Instant;

use jinsi_files::private;
use jinsi_history::damage::{Damaged, Entry};
use jinsi_trace::reader::Trace;

use super::second_tries::SecondTries;
use super::{Job, JobError, Listener};
use crate::minimized::Timing;
use crate::pipeline::{
    Case, Config, Earlier, FailedTest, PipelineError, Run, add_second_try, file_error, tests_named,
};
use crate::report::html::index;
use crate::report::outputs;
use crate::report::second_try::SecondTry;
use crate::report::suite::{self, SuiteReport, TestReport};

impl Job<'_> {
    /// Minimizes each failed test of the traces into a directory of its own, and writes what became of all. What stands in the way of one is in the
    /// result, not an error.
    ///
    /// # Errors
    /// No test failed, or not the one that is asked for; or a file cannot be read or written.
    pub fn suite(
        &self,
        config: &Config,
        listener: &mut dyn Listener,
    ) -> Result<SuiteReport, JobError> {
        let began = Instant::now();
        let mut suite = Suite {
            job: self,
            config,
            listener,
            taken: HashSet::new(),
            known: HashMap::new(),
            second_tries: SecondTries::new(self.second_try),
            report: SuiteReport::default(),
        };
        let wanted = wanted(self)?;
        for (no, trace) in self.traces.iter().enumerate() {
            let file = match no {
                0 => self.expanded_name.to_owned(),
                no => format!("expanded-{}.jinsi", no + 1),
            };
            suite.trace(trace, &self.out.join(file), wanted.as_ref())?;
        }
        let mut report = suite.checked()?;
        report.seconds = began.elapsed().as_secs_f64();
        save(&report, self.out)?;
        Ok(report)
    }
}

/// Of a test of a recording at the boundary.
const WITHOUT_TEST: &str = "the light recording of this test could not be replayed, so it is minimized at one level (-Djinsi.detail=interactions records all levels)";

/// The recording of a second try, in the directory of its test.
const AGAIN: &str = "second-try.jinsi";

/// The work on the traces of a job.
struct Suite<'a, 'b> {
    job: &'a Job<'b>,
    config: &'a Config,
    listener: &'a mut dyn Listener,
    /// Directories of tests so far.
    taken: HashSet<String>,
    /// A test that is run for a thousand values mostly fails a thousand times for one reason.
    known: HashMap<String, TestReport>,
    second_tries: SecondTries,
    report: SuiteReport,
}

impl Suite<'_, '_> {
    /// `wanted`: names of the tests that are asked for, if not all are. A recording at the boundary is expanded to `file`.
    fn trace(
        &mut self,
        trace: &Path,
        file: &Path,
        wanted: Option<&HashSet<String>>,
    ) -> Result<(), JobError> {
        let mut run = opened(trace)?;
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
            self.listener.part("expanding the recording");
            whole = self
                .job
                .expanded(&run, self.config, file, (&mut earlier, self.listener))?;
        }
        let in_whole = whole.as_ref().map_or_else(Vec::new, Run::failed_tests);
        let light = is_light.then(|| Trace::open(trace)).transpose();
        let light = light.map_err(PipelineError::from)?;
        for test in failed.into_iter().filter(is_wanted) {
            self.listener.part(&test.name);
            let expanded = in_whole.iter().find(|other| other.is_same_run(&test));
            let of_light = earlier.of_left_out(&test);
            let (from, test) = match (&mut whole, expanded) {
                (Some(whole), Some(expanded)) => ((whole, &earlier), expanded.clone()),
                (whole, _) => {
                    if whole.is_some() && !self.second_tries.are_wanted() {
                        self.listener
                            .note(&format!("{}: {WITHOUT_TEST}", test.name));
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
    ) -> Result<TestReport, JobError> {
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
            add_second_try(tried, &self.job.out.join(own))?;
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
    ) -> Result<(Option<TestReport>, Option<SecondTry>), JobError> {
        self.listener.part("running the test once more");
        let own = self.job.out.join(place);
        let before = self.job.out.join(format!("{place}.first"));
        let had_report = own.is_dir();
        if had_report {
            fs::rename(&own, &before).map_err(file_error(&own))?;
        }
        let result = self.tried_again(light, test, (place, &own));
        // Without a test to keep, what was there before is as good.
        let is_better = |done: &TestReport| done.keep.is_some() || !had_report;
        if matches!(&result, Ok((Some(done), _)) if is_better(done)) {
            if had_report {
                fs::remove_dir_all(&before).map_err(file_error(&before))?;
            }
            return result;
        }
        if own.is_dir() {
            fs::remove_dir_all(&own).map_err(file_error(&own))?;
        }
        if had_report {
            fs::rename(&before, &own).map_err(file_error(&before))?;
        }
        result.map(|(_, tried)| (None, tried))
    }

    /// Runs a test once more, and minimizes that if it fails in the same way, into the directory `own`, which is `place` in the report.
    fn tried_again(
        &mut self,
        light: &Trace,
        test: &FailedTest,
        (place, own): (&str, &Path),
    ) -> Result<(Option<TestReport>, Option<SecondTry>), JobError> {
        private::create_dir_all(own).map_err(file_error(own))?;
        let file = own.join(AGAIN);
        let config = self.config;
        let tried = self
            .second_tries
            .run(self.job.tools, config, (light, test), &file)?;
        let Some(same) = tried.clone().filter(|tried| tried.same) else {
            return Ok((None, tried));
        };
        let Ok(done) = self.minimized_again(&file, test, (place, &same)) else {
            return Ok((None, tried));
        };
        add_second_try(&same, own)?;
        let done = TestReport {
            trace: std::path::absolute(&file)
                .map_err(file_error(&file))?
                .display()
                .to_string(),
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
        let root = &self.job.out;
        let own = root.join(place);
        let result =
            Case::of(run)?.minimize(self.config, self.job.wanted, &own, earlier, self.listener)?;
        // Nine failures of one program need its classes, and jinsi's, once.
        outputs::share(&own, root).map_err(|source| PipelineError::File { path: own, source })?;
        Ok(TestReport::of(&test.name, &result, place))
    }

    /// The report, if there was something to do.
    fn checked(mut self) -> Result<SuiteReport, JobError> {
        self.report.second_tries_left_out = self.second_tries.left_out;
        match self.report.tests.is_empty() {
            false => Ok(self.report),
            true => Err(JobError::NoTest {
                damage: self.report.damage,
            }),
        }
    }
}

/// Opens a trace; what is in the way of that begins with its name.
fn opened(trace: &Path) -> Result<Run, JobError> {
    Run::open(trace).map_err(|source| JobError::Trace {
        path: trace.to_owned(),
        source: Box::new(source),
    })
}

/// Names of the tests that are asked for, if not all are.
fn wanted(job: &Job<'_>) -> Result<Option<HashSet<String>>, JobError> {
    let Some(wanted) = job.test else {
        return Ok(None);
    };
    let mut names = Vec::new();
    for path in job.traces {
        let trace = Trace::open(path).map_err(PipelineError::from)?;
        names.extend(FailedTest::all(&trace).into_iter().map(|test| test.name));
    }
    if names.is_empty() {
        return Err(JobError::NoTest { damage: Vec::new() });
    }
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    match tests_named(&all, wanted) {
        Ok(found) => Ok(Some(found.into_iter().map(String::from).collect())),
        Err(refused) => Err(JobError::NotNamed { refused, names }),
    }
}

fn save(report: &SuiteReport, directory: &Path) -> Result<(), JobError> {
    private::create_dir_all(directory).map_err(file_error(directory))?;
    let file = directory.join(suite::FILE);
    let text = serde_json::to_vec_pretty(report).map_err(std::io::Error::from);
    text.and_then(|text| private::write(&file, text))
        .map_err(file_error(&file))?;
    let page = directory.join(suite::PAGE);
    private::write(&page, index::render(report)).map_err(file_error(&page))?;
    Ok(())
}

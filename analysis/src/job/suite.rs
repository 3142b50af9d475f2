//! The failed tests of recorded suites: each has a failure, and a directory, of its own.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use jinsi_files::private;
use jinsi_history::damage::{Damaged, Entry};
use jinsi_trace::model::Detail;
use jinsi_trace::reader::Trace;

use super::alike::{Alike, like};
use super::second_tries::SecondTries;
use super::{Job, JobError, Listener};
use crate::minimized::{NotKept, Timing};
use crate::pipeline::{
    Case, Config, Earlier, FailedTest, Part, PipelineError, Run, add_second_try, file_error,
    is_long_to_expand, tests_named,
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
            alike: Alike::default(),
            second_tries: SecondTries::new(self.second_try),
            tried_first: HashMap::new(),
            small: HashSet::new(),
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

/// What the name of an expanded recording begins with, if there is one of a part of it already.
const WHOLE: &str = "whole-";

/// The recording of a second try, in the directory of its test.
const AGAIN: &str = "second-try.jinsi";

/// A trace that is read when that is needed.
struct Read<'a> {
    trace: &'a Path,
    /// What it is expanded to next.
    file: PathBuf,
    /// The trace, if it was recorded at the boundary.
    light: Option<&'a Trace>,
    /// Its run, once it was read.
    run: Option<Run>,
}

/// The work on the traces of a job.
struct Suite<'a, 'b> {
    job: &'a Job<'b>,
    config: &'a Config,
    listener: &'a mut dyn Listener,
    /// Directories of tests so far.
    taken: HashSet<String>,
    alike: Alike,
    second_tries: SecondTries,
    /// Tests of long recordings that were run once more before anything else, and what became of that, where it did not help.
    tried_first: HashMap<String, Option<SecondTry>>,
    /// Tests that are as small as can be.
    small: HashSet<String>,
    report: SuiteReport,
}

impl Suite<'_, '_> {
    /// `wanted`: names of the tests that are asked for, if not all are. A recording at the boundary is expanded to `file`.
    ///
    /// If tests can be run once more, only what they need is expanded, and nothing if that takes longer than a second run. All of the recording
    /// is replayed for those that neither of the two helps.
    fn trace(
        &mut self,
        trace: &Path,
        file: &Path,
        wanted: Option<&HashSet<String>>,
    ) -> Result<(), JobError> {
        let recorded = opened(trace, Trace::open(trace).map_err(Into::into))?;
        let is_light = recorded.meta().detail == Detail::Boundary;
        let is_long = is_long_to_expand(&recorded);
        let is_wanted = |test: &FailedTest| wanted.is_none_or(|wanted| wanted.contains(&test.name));
        let failed = FailedTest::all(&recorded).into_iter();
        let failed: Vec<FailedTest> = failed.filter(is_wanted).collect();
        let first = self.report.tests.len();
        if is_light && file.exists() {
            fs::remove_file(file).map_err(file_error(file))?;
        }
        let mut read = Read {
            trace,
            file: file.to_owned(),
            light: is_light.then_some(&recorded),
            run: None,
        };
        let mut left = failed.clone();
        let mut part = Part::TestsOrAll;
        if is_light && self.second_tries.are_wanted() {
            left = match is_long {
                true => self.once_more_first(trace, &recorded, left)?,
                false => self.read(&mut read, Part::Tests, left)?,
            };
            part = Part::All;
        }
        self.read(&mut read, part, left)?;
        if read.run.is_none() {
            self.damage(trace, Damaged::of(&recorded, &[]));
        }
        let place = |done: &TestReport| failed.iter().position(|test| test.name == done.test);
        self.report.tests[first..].sort_by_key(place);
        Ok(())
    }

    /// Runs these tests of a recording once more. The result are those that this does not help: they did not fail in the same way, nor as an
    /// earlier one.
    fn once_more_first(
        &mut self,
        trace: &Path,
        light: &Trace,
        tests: Vec<FailedTest>,
    ) -> Result<Vec<FailedTest>, JobError> {
        let mut left = Vec::new();
        for test in tests {
            self.listener.part(&test.name);
            match self.once_more(light, &test)? {
                Some(done) => self.done(done, trace),
                None => left.push(test),
            }
        }
        Ok(left)
    }

    /// What came of running a test of a recording once more, if that is enough.
    fn once_more(
        &mut self,
        light: &Trace,
        test: &FailedTest,
    ) -> Result<Option<TestReport>, JobError> {
        if self.job.wanted.stop.reason().is_some() {
            return Ok(None);
        }
        if let Some(same) = self.same_as_earlier(light, test) {
            return Ok(Some(same));
        }
        let place = test.directory(&mut self.taken);
        let (done, tried) = self.second(light, test, &place)?;
        if done.is_none() {
            self.taken.remove(&place.to_lowercase());
            self.tried_first.insert(test.name.clone(), tried);
        }
        Ok(done)
    }

    /// Reads a trace, unless it was read before, expands this part if it is of the boundary, and minimizes these tests of it. The result are those
    /// that have to be looked for in all of it.
    fn read(
        &mut self,
        read: &mut Read<'_>,
        part: Part,
        tests: Vec<FailedTest>,
    ) -> Result<Vec<FailedTest>, JobError> {
        let mut left = Vec::new();
        if tests.is_empty() {
            return Ok(left);
        }
        let trace = read.trace;
        if read.run.is_none() {
            let run = opened(trace, Run::open(trace))?;
            // No failure is asked about yet.
            self.damage(trace, Damaged::of(run.trace(), run.gaps()));
            read.run = Some(run);
        }
        let Some(run) = &mut read.run else {
            return Ok(left);
        };
        let mut earlier = self.job.earlier.clone();
        let mut whole = None;
        if read.light.is_some() {
            self.listener.part("expanding the recording");
            let of_run = (&*run, part);
            let listener = &mut *self.listener;
            let known = (&mut earlier, listener as &mut dyn Listener);
            whole = self.job.expanded(of_run, self.config, &read.file, known)?;
            if part == Part::Tests && whole.is_some() {
                // Reports name that one.
                let name = read.file.file_name().unwrap_or_default();
                let name = format!("{WHOLE}{}", name.display());
                read.file = read.file.with_file_name(name);
            }
        }
        let in_whole = whole.as_ref().map_or_else(Vec::new, Run::failed_tests);
        for test in tests {
            self.listener.part(&test.name);
            let expanded = in_whole.iter().find(|other| other.is_same_run(&test));
            if let (Part::Tests, None, Some(light)) = (part, expanded, read.light) {
                match self.once_more(light, &test)? {
                    Some(done) => self.done(done, trace),
                    None => left.push(test),
                }
                continue;
            }
            let of_light = earlier.of_left_out(&test);
            let (from, test) = match (&mut whole, expanded) {
                (Some(whole), Some(expanded)) => ((whole, &earlier), expanded.clone()),
                (whole, _) => {
                    if whole.is_some() && !self.second_tries.are_wanted() {
                        self.listener
                            .note(&format!("{}: {WITHOUT_TEST}", test.name));
                    }
                    ((&mut *run, &of_light), test)
                }
            };
            let done = match read.light {
                Some(light) => self.test_of_light(from, light, &test)?,
                None => self.test_or_why_not(from, &test),
            };
            self.done(done, trace);
        }
        Ok(left)
    }

    /// Puts by what came of a test of a trace.
    fn done(&mut self, done: TestReport, trace: &Path) {
        let of = match done.trace.is_empty() {
            true => trace.display().to_string(),
            false => done.trace.clone(),
        };
        self.report.tests.push(TestReport { trace: of, ..done });
    }

    /// Puts by what of a trace is damaged, with its name: there may be several.
    fn damage(&mut self, trace: &Path, damaged: Damaged) {
        let entries = damaged.entries.into_iter().map(|entry| Entry {
            what: format!("{}: {}", trace.display(), entry.what),
            ..entry
        });
        self.report.damage.extend(entries);
    }

    /// The result of an earlier test that was run once more, and had failed as this one did.
    fn same_as_earlier(&mut self, light: &Trace, test: &FailedTest) -> Option<TestReport> {
        let first = self.second_tries.earlier(light, test)?;
        let mut done = self.report.tests.iter();
        let first = done.find(|done| done.test == first)?;
        self.alike
            .is_enough(first, &test.name)
            .then(|| like(first, &test.name))
    }

    /// A test of the recording `light` at the boundary, which `run` may have been expanded from. If it was not, the test is run once more first;
    /// else only if there is no test to keep, but perhaps one to be found.
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
        if let Some(same) = self.same_as_earlier(light, &of_light) {
            return Ok(same);
        }
        if let Some(tried) = self.tried_first.remove(&test.name) {
            let done = self.test_or_why_not((run, earlier), test);
            return self.with_second_try(done, tried);
        }
        let mut first = None;
        if !run.is_at_boundary() {
            let done = self.test_or_why_not((run, earlier), test);
            // Replayed, it does all that it did. A second run has nothing more to show of a test that is as small as can be.
            let is_enough = done.keep.is_some() || self.small.contains(&test.name);
            if is_enough || done.same_as.is_some() {
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
        self.with_second_try(done, tried)
    }

    /// A test, with what became of running it once more, which did not help.
    fn with_second_try(
        &self,
        done: TestReport,
        tried: Option<SecondTry>,
    ) -> Result<TestReport, JobError> {
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
        if matches!(&result, Ok((Some(done), _)) if done.keep.is_some()) {
            self.second_tries.gave(light, test);
        }
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
        let predicate = case.predicate();
        let mut alike = test.way_to_crash(run.trace());
        if alike.is_empty() {
            alike.push(format!("{} {predicate:?}", test.method()));
        }
        if let Some(first) = self.alike.earlier(&alike, &test.name) {
            return Ok(first);
        }
        let directory = test.directory(&mut self.taken);
        let result = self.minimized(run, test, earlier, &directory)?;
        self.alike.insert(alike, &result);
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
        if result.not_kept() == Some(NotKept::OnlyTheTest) {
            self.small.insert(test.name.clone());
        }
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

/// An opened trace; what is in the way of that begins with its name.
fn opened<T>(trace: &Path, opened: Result<T, PipelineError>) -> Result<T, JobError> {
    opened.map_err(|source| JobError::Trace {
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

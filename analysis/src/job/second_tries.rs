//! Failed tests that are run once more, each alone and with all interactions recorded: which, for how long, and what is said of it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jinsi_files::temporary;
use jinsi_trace::reader::Trace;

use super::{JobError, Tools};
use crate::pipeline::{Again, Config, FailedTest, SecondTry};
use crate::report::second_try::SecondTry as SecondTryReport;

/// Different failures of which a test is run once more, at most.
const MOST: usize = 10;
/// All second tries together may take as long as so many of the longest.
const TOGETHER: u32 = 5;

/// The second tries of a job.
pub(super) struct SecondTries {
    /// Longest that one may take; zero if there are none.
    limit: Duration,
    /// What is left for all.
    left: Duration,
    /// What failures have in common of which a test was run once more, and that test: the first, or the first that gave a test to keep.
    tried: HashMap<String, String>,
    /// How many different failures these are.
    different: usize,
    /// Tests that would have been run once more, if there were not so many.
    pub(super) left_out: u64,
    runner: Option<(temporary::Directory, PathBuf)>,
}

impl SecondTries {
    pub(super) fn new(limit: Duration) -> Self {
        Self {
            limit,
            left: limit * TOGETHER,
            tried: HashMap::new(),
            different: 0,
            left_out: 0,
            runner: None,
        }
    }

    /// Is anything run once more?
    pub(super) fn are_wanted(&self) -> bool {
        !self.limit.is_zero()
    }

    /// The test that was run once more and failed in the first place as this one did.
    pub(super) fn earlier(&self, first: &Trace, test: &FailedTest) -> Option<&str> {
        let alike = test.alike(first);
        self.tried.get(alike.first()?).map(String::as_str)
    }

    /// A test that was run once more gave a test to keep: those that failed in the same way refer to it.
    pub(super) fn gave(&mut self, first: &Trace, test: &FailedTest) {
        for alike in test.alike(first) {
            self.tried.insert(alike, test.name.clone());
        }
    }

    /// Runs a failed test of `first` once more, and has it recorded to `to`; `None` if that is not wanted, or there were too many already.
    ///
    /// # Errors
    /// There is no agent, or no temporary directory.
    pub(super) fn run(
        &mut self,
        tools: &dyn Tools,
        config: &Config,
        (first, test): (&Trace, &FailedTest),
        to: &Path,
    ) -> Result<Option<SecondTryReport>, JobError> {
        if !self.are_wanted() {
            return Ok(None);
        }
        if self.different == MOST || self.left.is_zero() {
            self.left_out += 1;
            return Ok(None);
        }
        if self.earlier(first, test).is_none() {
            self.different += 1;
        }
        for alike in test.alike(first) {
            let tried = self.tried.entry(alike);
            tried.or_insert_with(|| test.name.clone());
        }
        let agent = tools.agent().map_err(JobError::Tool)?;
        let (_, runner) = match self.runner.take() {
            Some(unpacked) => self.runner.insert(unpacked),
            None => {
                let directory = temporary::directory().map_err(JobError::Tool)?;
                let classes = tools
                    .test_runner(directory.path())
                    .map_err(JobError::Tool)?;
                self.runner.insert((directory, classes))
            }
        };
        let second = SecondTry {
            jdk: &config.jdk,
            agent: &agent,
            runner,
            limit: self.limit.min(self.left),
        };
        let (took, result) = second.run(first, test, to);
        self.left = self.left.saturating_sub(took);
        let seconds = took.as_secs_f64();
        let mut other_message = None;
        let (ran, same, why_not) = match result {
            Ok(Again::Same) => (true, true, None),
            Ok(Again::OtherMessage(message)) => {
                other_message = Some(message);
                (true, true, None)
            }
            Ok(Again::Passed) => (true, false, Some("passes".to_owned())),
            Ok(Again::Otherwise(how)) => (true, false, Some(format!("fails otherwise ({how})"))),
            Err(why) => (false, false, Some(why.to_string())),
        };
        Ok(Some(SecondTryReport {
            ran,
            same,
            other_message,
            seconds,
            why_not,
        }))
    }
}

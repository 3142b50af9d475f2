//! What is to be done with recordings, as `jinsi debug` and `jinsi minimize` do it: with one failure and those of other kinds, or with each failed
//! test of a suite; a light recording is expanded first.

mod alike;
mod others;
pub mod project;
mod second_tries;
mod suite;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use jinsi_files::private;
use jinsi_history::damage::Entry;
use jinsi_oracle::given::Given;

use crate::minimized::Timing;
use crate::pipeline::{
    Config, Earlier, NotNamed, Part, PipelineError, Progress, Run, Wanted, file_error,
};

/// What belongs to the command, and is found or unpacked when it is needed.
pub trait Tools {
    /// The agent's library.
    ///
    /// # Errors
    /// It is missing.
    fn agent(&self) -> io::Result<PathBuf>;

    /// Writes the classes of what runs one test below a directory, and gives what goes on the class path.
    ///
    /// # Errors
    /// They cannot be written.
    fn test_runner(&self, below: &Path) -> io::Result<PathBuf>;
}

/// Who follows the work.
pub trait Listener: Progress {
    /// Something that the user should know.
    fn note(&mut self, text: &str);
}

/// What is to be minimized: a trace, or several of test suites.
pub struct Job<'a> {
    /// The traces.
    pub traces: &'a [PathBuf],
    /// Directory of the reports.
    pub out: &'a Path,
    /// What is wanted at all levels.
    pub wanted: &'a Wanted,
    /// Only this failed test of a suite.
    pub test: Option<&'a str>,
    /// Number of the recorded failure.
    pub failure: Option<usize>,
    /// The failure that the user names.
    pub given: Option<Given>,
    /// What was done before.
    pub earlier: Earlier,
    /// File beside the report that a recording at the boundary is expanded to.
    pub expanded_name: &'a str,
    /// The program can be run once more: a recording at the boundary that cannot be expanded is an error ([`JobError::NotExpanded`]), unless it is of
    /// tests, each of which can be run once more.
    pub can_repeat: bool,
    /// Longest that a failed test may take that is run once more; zero if none is.
    pub second_try: Duration,
    /// What may be needed for that.
    pub tools: &'a dyn Tools,
}

/// Why a job was not done.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// A trace of several cannot be used.
    #[error("{}: {source}", path.display())]
    Trace {
        /// The trace.
        path: PathBuf,
        /// Why.
        source: Box<PipelineError>,
    },
    /// The failure cannot be minimized.
    #[error("{0}")]
    Pipeline(#[from] PipelineError),
    /// A recording at the boundary cannot be expanded: why.
    #[error("the light recording could not be replayed: {why}")]
    NotExpanded {
        /// What stands in the way.
        why: String,
    },
    /// The traces are of no test suite, as far as they tell.
    #[error("no test failed in what was recorded")]
    NoTest {
        /// What of them is damaged.
        damage: Vec<Entry>,
    },
    /// The test that was asked for is not there, or is one of several.
    #[error("{refused}")]
    NotNamed {
        /// Why.
        refused: NotNamed,
        /// The failed tests.
        names: Vec<String>,
    },
    /// What belongs to the command is missing.
    #[error("a part of jinsi cannot be used: {0}; install it again")]
    Tool(#[source] io::Error),
}

impl Job<'_> {
    /// Makes a whole recording of this part of one of the boundary, beside the report. If that is not possible the report tells why, and a note unless tests are
    /// run once more.
    ///
    /// # Errors
    /// [`JobError::NotExpanded`] in the place of that note, if the program can be run once more.
    pub fn expanded(
        &self,
        (run, part): (&Run, Part),
        config: &Config,
        file: &Path,
        (earlier, listener): (&mut Earlier, &mut dyn Listener),
    ) -> Result<Option<Run>, JobError> {
        let began = Instant::now();
        // The report names it, and is read elsewhere.
        let file = &std::path::absolute(file).map_err(file_error(file))?;
        if let Some(directory) = file.parent() {
            private::create_dir_all(directory).map_err(file_error(directory))?;
        }
        let agent = self.tools.agent().map_err(JobError::Tool)?;
        let (whole, expansion) = run.expanded(config, &agent, part, file)?;
        let is_of_tests = !run.failed_tests().is_empty();
        let is_tried_again = is_of_tests && !self.second_try.is_zero();
        if let Some(why) = &expansion.failed
            && !is_tried_again
        {
            if self.can_repeat && !is_of_tests {
                return Err(JobError::NotExpanded { why: why.clone() });
            }
            listener.note(&format!(
                "the light recording could not be replayed: {why}. Only its outermost level is minimized; record again with --detail interactions for all levels"
            ));
        }
        if let Some(known) = &expansion.sliced {
            listener.note(known);
        }
        earlier.parts.push(Timing {
            part: "replay the light recording".into(),
            seconds: began.elapsed().as_secs_f64(),
        });
        earlier.expansion = Some(expansion);
        Ok(whole)
    }
}

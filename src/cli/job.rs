//! What `debug` and `minimize` are to do.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use jinsi_analysis::job::Job;
use jinsi_analysis::job::project::Project;
use jinsi_analysis::pipeline::{Earlier, Wanted};
use jinsi_platform::signals;
use jinsi_search::levels::Strategy;
use jinsi_search::stop::StopSignal;
use jinsi_testwriter::{Dialect, Form, Framework};

use super::answer;
use super::bad_value::BadValue;
use super::embedded::{self, Embedded};
use super::oracle::OracleOptions;
use super::prepared::{Prepared, ReplayOptions};

/// What `debug` and `minimize` share.
#[derive(clap::Args)]
pub(crate) struct Common {
    /// Directory for the reports and tests (default: jinsi-report; with --into and a trace of a build's, that name beside the trace)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How to search: 'grow' from the failure outward, 'ddmin' as published, 'probdd' by probabilities; 'both' has the figures of ddmin
    /// beside those of grow, 'all' has those of probdd, too
    #[arg(long, value_name = "HOW", value_enum, default_value = "grow")]
    pub(crate) search: SearchOption,
    /// Leave long values in what is left as they were recorded, too
    #[arg(long)]
    pub(crate) no_shrink: bool,
    /// Replay every level, instead of running for real what fails so as recorded
    #[arg(long)]
    pub(crate) replay_only: bool,
    /// Write tests of this form alone (default: of each level the first of these that fails as recorded). All but 'plain' replay every level
    #[arg(long, value_name = "FORM", value_enum)]
    pub(crate) form: Option<FormOption>,
    /// Put the test that is best kept into a project, whose test sources are below DIR, as in src/test/java: under a free name, indented as
    /// its neighbours are, for the framework that they are for, and with AssertJ if most of them have it
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
    /// Also write the answer to this file as Markdown, as a comment that a build puts to a change
    #[arg(long, value_name = "FILE")]
    pub(crate) markdown: Option<PathBuf>,
    /// What the tests are written for: a version of JUnit, 'testng', or 'same' as the failed test (default: what most tests below --into are
    /// for, else JUnit 5)
    #[arg(long, value_name = "VERSION", value_enum)]
    pub(crate) junit: Option<JunitOption>,
    /// Do not run what is left of each level once more to find the lines that made it fail
    #[arg(long)]
    pub(crate) no_slice: bool,
    /// Directory of the program's sources, above the packages, for the report; may be repeated
    #[arg(long, value_name = "DIR", conflicts_with = "no_slice")]
    pub(crate) source: Vec<PathBuf>,
    /// Stop searching after so many seconds, with what has been found by then; so does the first Ctrl-C
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,
    /// Run a failed test once more, alone and with all interactions recorded, where its light recording (detail=boundary) gives no test to keep.
    /// It runs as your build runs it, in no sandbox: give this for your own traces only. At most SECONDS for a test (60 if you leave them out), and
    /// five times as long for all; 0: never (default: of 'debug' 60, of 'minimize' 0)
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, default_missing_value = SECOND_TRY, value_parser = seconds)]
    pub(crate) second_try: Option<Duration>,
    /// Workers to replay on, which changes nothing but the time: more than one run tests ahead of a search that takes long, and what is
    /// left of a level is sliced and tested while the next one is searched (default: one a core, at most 4)
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) workers: Option<u16>,
    #[command(flatten)]
    pub(crate) oracle: OracleOptions,
    #[command(flatten)]
    pub(crate) replay: ReplayOptions,
}

/// Where the plugins of builds leave their recordings.
pub(super) const BUILDS: [&str; 2] = ["target/jinsi", "build/jinsi"];

/// Seconds for a test that is run once more, unless something else is said.
pub(super) const SECOND_TRY: &str = "60";

/// More workers than these would mostly run tests that nobody asks for.
const MOST_WORKERS: usize = 4;

/// One a core.
fn workers() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    cores.min(MOST_WORKERS)
}

/// A number of seconds, from 0.
pub(super) fn seconds(text: &str) -> Result<Duration, BadValue> {
    let number: f64 = text.parse().map_err(|_| BadValue::Seconds)?;
    Duration::try_from_secs_f64(number).map_err(|_| BadValue::Seconds)
}

impl Common {
    /// What is wanted, at all levels. An interrupt is a wish to stop from now on.
    pub(crate) fn wanted(&self) -> Result<Wanted> {
        Ok(Wanted {
            strategy: self.search.strategy(),
            keep_values: self.no_shrink,
            replay_only: self.replay_only,
            form: self.form.map(FormOption::form),
            stop: StopSignal::new(Some(signals::first_interrupt()), self.budget),
            dialect: self.dialect()?,
            like_failed_test: matches!(self.junit, Some(JunitOption::Same)),
            workers: self.workers.map_or_else(workers, usize::from),
            // Without the agent there is no slice, but all else.
            agent: embedded::agent_library().ok().filter(|_| !self.no_slice),
            sources: self.source.clone(),
            ..Wanted::default()
        })
    }

    /// Where the reports go.
    pub(crate) fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new(answer::USUAL))
    }

    /// Where the report of a trace goes that a build has recorded, if only a test of it is wanted among those of the project: to the build's results,
    /// and not among the project's files. `None`: where all reports go.
    pub(super) fn beside(&self, trace: &Path) -> Option<PathBuf> {
        let place = trace.parent()?;
        let is_of_build = |directory: &Path| BUILDS.iter().any(|own| directory.ends_with(own));
        let wanted = self.out.is_none() && self.into.is_some();
        let absolute = std::path::absolute(place).ok()?;
        (wanted && absolute.ancestors().any(is_of_build)).then(|| place.join(answer::USUAL))
    }

    /// Where the recommended test is wanted.
    ///
    /// # Errors
    /// It is no directory.
    pub(super) fn project(&self) -> Result<Option<Project>> {
        let Some(root) = &self.into else {
            return Ok(None);
        };
        let project = Project::at(root).with_context(|| format!("--into {}", root.display()))?;
        Ok(Some(project))
    }

    /// What has to be at hand. `java`: what was recorded.
    pub(super) fn prepare(&self, java: Option<&Path>) -> Result<Prepared> {
        // Without a compiler there is no test; better said before the search than after it.
        let prepared = self.replay.prepare(java)?;
        prepared.config.jdk.compiler()?;
        Ok(prepared)
    }

    fn dialect(&self) -> Result<Dialect> {
        let project = self.project()?;
        let theirs = project.map_or_else(Dialect::default, |project| project.dialect());
        let named = self.junit.and_then(JunitOption::framework);
        Ok(Dialect {
            framework: named.unwrap_or(theirs.framework),
            ..theirs
        })
    }
}

/// Values of `--form`.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum FormOption {
    Plain,
    Mockito,
    Replay,
}

impl FormOption {
    fn form(self) -> Form {
        match self {
            Self::Plain => Form::Plain,
            Self::Mockito => Form::Mockito,
            Self::Replay => Form::Replay,
        }
    }
}

/// Values of `--search`.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum SearchOption {
    Grow,
    Ddmin,
    Probdd,
    Both,
    All,
}

impl SearchOption {
    pub(crate) fn strategy(self) -> Strategy {
        match self {
            Self::Grow => Strategy::Grow,
            Self::Ddmin => Strategy::Ddmin,
            Self::Probdd => Strategy::ProbDd,
            Self::Both => Strategy::Both,
            Self::All => Strategy::All,
        }
    }
}

/// Values of `--junit`.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum JunitOption {
    #[value(name = "3")]
    Three,
    #[value(name = "4")]
    Four,
    #[value(name = "5")]
    Five,
    #[value(name = "testng")]
    TestNg,
    #[value(name = "same")]
    Same,
}

impl JunitOption {
    /// The framework, if it is named.
    fn framework(self) -> Option<Framework> {
        match self {
            Self::Three => Some(Framework::Junit3),
            Self::Four => Some(Framework::Junit4),
            Self::Five => Some(Framework::Junit5),
            Self::TestNg => Some(Framework::TestNg),
            Self::Same => None,
        }
    }
}

/// What is recorded or was said before, besides the job itself.
#[derive(Clone, Copy, Default)]
pub(super) struct Program<'a> {
    /// What was recorded just now.
    pub(super) command: Option<&'a [OsString]>,
    /// The `java` that was recorded, if known.
    pub(super) java: Option<&'a Path>,
}

/// What a recording at the boundary is expanded to, unless something else is said.
const EXPANDED: &str = "expanded.jinsi";

/// The job that these options ask for.
///
/// # Errors
/// See [`OracleOptions::given`].
pub(super) fn job<'a>(
    traces: &'a [PathBuf],
    common: &'a Common,
    wanted: &'a Wanted,
) -> Result<Job<'a>> {
    Ok(Job {
        traces,
        out: common.out(),
        wanted,
        test: None,
        failure: None,
        given: common.oracle.given()?,
        earlier: Earlier::default(),
        expanded_name: EXPANDED,
        can_repeat: false,
        second_try: common.second_try.unwrap_or_default(),
        tools: &Embedded,
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(clap::Parser)]
    struct Options {
        #[command(flatten)]
        common: Common,
    }

    /// Where the report of this trace goes besides the usual place, with these options.
    fn beside(trace: &str, options: &[&str]) -> Option<PathBuf> {
        let all = ["jinsi"].iter().chain(options);
        let parsed = Options::try_parse_from(all).unwrap();
        parsed.common.beside(Path::new(trace))
    }

    #[test]
    fn a_test_of_a_build_leaves_its_report_with_the_results_of_the_build() {
        let into = ["--into", "src/test/java"];
        let own = |place: &str| Some(Path::new(place).join(answer::USUAL));
        assert_eq!(
            beside("target/jinsi/test-7.jinsi", &into),
            own("target/jinsi")
        );
        assert_eq!(
            beside(
                "/home/ann/mill/build/jinsi/test/a.MillTest.grinds/second-try.jinsi",
                &into
            ),
            own("/home/ann/mill/build/jinsi/test/a.MillTest.grinds")
        );
        assert_eq!(beside("traces/test-7.jinsi", &into), None);
        assert_eq!(beside("target/jinsi/test-7.jinsi", &[]), None);
        let named = [&into[..], &["--out", "report"]].concat();
        assert_eq!(beside("target/jinsi/test-7.jinsi", &named), None);
    }
}

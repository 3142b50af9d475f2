//! The JVM that runs test classes of a library.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use jinsi_ground::published;
use jinsi_jdk::Jdk;
use jinsi_jdk::process::{self, ProcessError};

use crate::outcomes::{self, Ran};
use crate::site::{Site, Tools};

/// Runs the tests: `evaluation/suites/java/runner`.
const RUNNER: &str = "org.apache.maven.surefire.suites.SuiteRunner";
/// Exit status of the runner: the class that was to be linked is refused by the verifier.
const DOES_NOT_LINK: i32 = 5;
/// Time for the start and the end of a JVM, beside that of its classes.
const OVERHEAD: Duration = Duration::from_secs(60);

/// What one JVM is to do.
pub(crate) struct Request<'a> {
    pub(crate) classes: &'a [&'a str],
    /// Seconds for each class.
    pub(crate) limit: u64,
    /// Seconds after which no further class is begun.
    pub(crate) limit_of_all: u64,
    /// In front of all else.
    pub(crate) options: Vec<String>,
    /// In front of the class path of the tests.
    pub(crate) first: Vec<PathBuf>,
    /// Behind it.
    pub(crate) last: Vec<PathBuf>,
    /// A class to have verified at the beginning.
    pub(crate) link: Option<&'a str>,
    /// Ids of tests: no further class is run once one of them has failed.
    pub(crate) decisive: &'a [&'a str],
}

impl<'a> Request<'a> {
    /// Runs these classes and nothing else.
    pub(crate) fn new(classes: &'a [&'a str], limit: u64) -> Self {
        Self {
            classes,
            limit,
            limit_of_all: limit.saturating_mul(classes.len() as u64),
            options: Vec::new(),
            first: Vec::new(),
            last: Vec::new(),
            link: None,
            decisive: &[],
        }
    }
}

/// Runs tests of a site.
pub(crate) struct Runner<'a> {
    pub(crate) site: &'a Site,
    pub(crate) tools: &'a Tools,
    pub(crate) jdk: &'a Jdk,
}

impl Runner<'_> {
    /// Runs test classes in one JVM, in the directory of the site.
    ///
    /// # Errors
    /// The class to be linked is refused by the verifier.
    pub(crate) fn run(&self, request: &Request<'_>) -> Result<Vec<Ran>> {
        let work = tempfile::tempdir()?;
        let file = |name: &str| work.path().join(name);
        let temporary = self.site.root.join("target/tmp");
        fs::create_dir_all(&temporary)?;
        fs::write(file("classes"), request.classes.join("\n"))?;
        fs::write(file("decisive"), request.decisive.join("\n"))?;
        let mut class_path = request.first.clone();
        class_path.extend(self.site.class_path());
        class_path.extend_from_slice(&request.last);
        class_path.push(self.tools.runner.clone());
        let mut command = self.jdk.command();
        command.current_dir(&self.site.root).args(&request.options);
        command.args(published::options());
        command
            .arg(format!("-Djava.io.tmpdir={}", temporary.display()))
            .args(["-ea", "-Xmx1g", "-Duser.language=en", "-Duser.country=US"])
            .arg("-cp")
            .arg(env::join_paths(class_path)?)
            .arg(RUNNER)
            .args([file("classes"), file("lines")])
            .args([&request.limit.to_string(), request.link.unwrap_or("-")]);
        match request.decisive {
            [] => command.arg("-"),
            _ => command.arg(file("decisive")),
        };
        command.arg(request.limit_of_all.to_string());
        let limit = Duration::from_secs(request.limit_of_all + request.limit) + OVERHEAD;
        match process::run(&mut command, limit) {
            Ok(finished) if finished.status.code() == Some(DOES_NOT_LINK) => {
                let said = finished.stderr.lines().next_back().unwrap_or_default();
                bail!("the class with the defect does not verify: {said}")
            }
            Ok(_) | Err(ProcessError::TimedOut { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        // A JVM that did not come to it wrote nothing.
        let lines = fs::read_to_string(file("lines")).unwrap_or_default();
        Ok(outcomes::parse(&lines))
    }

    /// Runs one test class in a JVM of its own.
    pub(crate) fn alone(&self, class: &str, limit: u64, options: &[String]) -> Result<Ran> {
        let classes = [class];
        let mut request = Request::new(&classes, limit);
        request.options = options.to_vec();
        let ran = self.run(&request)?.into_iter().next();
        Ok(ran.unwrap_or_default())
    }

    /// Runs all these classes, in a new JVM behind each class that ends the one before, as long as there is time.
    pub(crate) fn all(
        &self,
        classes: &[&str],
        limit: u64,
        limit_of_all: u64,
        options: &[String],
        first: &[PathBuf],
    ) -> Result<Vec<Ran>> {
        let start = Instant::now();
        let mut done: Vec<Ran> = Vec::new();
        while done.len() < classes.len() {
            let left = limit_of_all.saturating_sub(start.elapsed().as_secs());
            if left == 0 {
                break;
            }
            let mut request = Request::new(&classes[done.len()..], limit);
            request.limit_of_all = left;
            request.options = options.to_vec();
            request.first = first.to_vec();
            let ran = self.run(&request)?;
            if ran.is_empty() {
                bail!("the JVM of the tests runs none of them");
            }
            done.extend(ran);
        }
        Ok(done)
    }
}

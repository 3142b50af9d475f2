//! What `jinsi minimize` makes of a recording.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;
use jinsi_analysis::report::json::{LevelReport, Report, TestOutcome};
use jinsi_ground::files;
use jinsi_jdk::{Jdk, process};
use serde::Serialize;

/// What stands before the reason in the line that says that a recording is minimized as it is.
const NOT_EXPANDED: &str = "could not be replayed: ";

/// What came of a recording.
pub(crate) struct Minimized {
    /// Class of the exception that was recorded as the failure; `None` if there is no report.
    pub(crate) failure: Option<String>,
    /// Was the recording replayed into a whole one? `None`: it was one.
    pub(crate) expanded: Option<bool>,
    /// Why not.
    pub(crate) why_not: Option<String>,
    pub(crate) levels: Vec<LeftOnLevel>,
    pub(crate) recommended: Option<Recommended>,
    /// Why none is.
    not_recommended: Option<String>,
    pub(crate) seconds: f64,
    /// What the command said instead of a report.
    pub(crate) said: Option<String>,
}

/// A level.
#[derive(Serialize)]
pub(crate) struct LeftOnLevel {
    level: u32,
    name: String,
    pub(crate) interactions: u64,
    pub(crate) left: u64,
    engine: String,
    strict_replay: String,
    form: Option<String>,
    outcome: Option<TestOutcome>,
}

/// The test that is best kept.
#[derive(Serialize)]
pub(crate) struct Recommended {
    pub(crate) level: u32,
    /// `plain`, `mockito` or `replay`.
    pub(crate) form: String,
    /// What it calls, in order, without packages: `new OrderService`, `OrderService.create`.
    pub(crate) calls: Vec<String>,
    /// Its source.
    #[serde(skip)]
    pub(crate) source: String,
    /// The file of that in the report's directory.
    #[serde(skip)]
    pub(crate) file: String,
}

impl Minimized {
    /// Minimizes a trace within `limit`, with these further options; the report is written to the directory `out`.
    pub(crate) fn of(
        jinsi: &Path,
        jdk: &Jdk,
        trace: &Path,
        out: &Path,
        limit: Duration,
        options: &[&str],
    ) -> Result<Self> {
        let empty = tempfile::tempdir()?;
        let mut command = Command::new(jinsi);
        command
            .env("JAVA_HOME", jdk.home())
            .env_remove("CLASSPATH")
            .current_dir(empty.path())
            .args(["--json", "minimize"])
            .args(options)
            .arg(trace)
            .arg("--out")
            .arg(out);
        let began = Instant::now();
        let finished = process::run(&mut command, limit)?;
        let seconds = began.elapsed().as_secs_f64();
        let file = out.join("report.json");
        if !file.is_file() {
            return Ok(Self::without_report(&finished.stderr, seconds));
        }
        let report: Report = files::document(&file)?;
        Ok(Self {
            expanded: expanded(&report),
            why_not: report.capture.not_expanded.clone(),
            recommended: recommended(&report, out)?,
            not_recommended: not_recommended(&report),
            levels: report.levels.iter().map(LeftOnLevel::of).collect(),
            failure: Some(report.failure.class),
            seconds,
            said: None,
        })
    }

    /// Why there is no recommended test, in the command's own words.
    pub(crate) fn reason(&self) -> String {
        let reasons = [&self.not_recommended, &self.why_not, &self.said];
        let mut given = reasons.into_iter().flatten();
        given
            .next()
            .map_or("no reason is given", |why| why)
            .to_owned()
    }

    /// What the command said on stderr, where there is nothing else.
    fn without_report(stderr: &str, seconds: f64) -> Self {
        let mut lines = stderr.lines().filter_map(|l| l.strip_prefix("jinsi: "));
        let why_not = stderr.lines().find_map(|l| l.split_once(NOT_EXPANDED));
        Self {
            failure: None,
            expanded: why_not.map(|_| false),
            why_not: why_not.map(|(_, why)| why.to_owned()),
            levels: Vec::new(),
            recommended: None,
            not_recommended: None,
            seconds,
            said: lines.next_back().map(str::to_owned),
        }
    }
}

impl LeftOnLevel {
    fn of(level: &LevelReport) -> Self {
        Self {
            level: level.level,
            name: level.name.clone(),
            interactions: level.interactions,
            left: level.minimized,
            engine: level.engine.clone(),
            strict_replay: level.strict_replay.clone(),
            form: level.test_form.clone(),
            outcome: level.test_outcome,
        }
    }
}

/// Was the recording expanded? `None` if it was whole.
fn expanded(report: &Report) -> Option<bool> {
    match (report.capture.expanded_events, &report.capture.not_expanded) {
        (Some(_), _) => Some(true),
        (None, Some(_)) => Some(false),
        (None, None) => None,
    }
}

/// The recommended test, if one fails as recorded.
fn recommended(report: &Report, out: &Path) -> Result<Option<Recommended>> {
    let (Some(level), Some(file)) = (report.kept_level(), &report.keep) else {
        return Ok(None);
    };
    if level.test_outcome != Some(TestOutcome::Reproduces) {
        return Ok(None);
    }
    Ok(Some(Recommended {
        level: level.level,
        form: level.test_form.clone().unwrap_or_default(),
        calls: level.kept.iter().map(|kept| call(&kept.text)).collect(),
        source: files::text(&out.join(file))?,
        file: file.clone(),
    }))
}

/// Why no test is recommended: of all, else of the first level that has a reason.
fn not_recommended(report: &Report) -> Option<String> {
    let of_levels = report.levels.iter().flat_map(|level| {
        let strict = level.strict_replay_reason.as_ref();
        [level.test_why.as_ref(), strict, level.not_direct.as_ref()]
    });
    let mut all = std::iter::once(report.keep_why_not.as_ref()).chain(of_levels);
    all.find_map(|why| why.cloned())
}

/// What an interaction calls, of its text: `OrderService#11.create(…)` is `OrderService.create`.
fn call(text: &str) -> String {
    let named = text.split('(').next().unwrap_or_default();
    let mut parts = named.split('#');
    let mut call = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        call += part.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    call
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_without_a_report_is_kept() {
        let stderr = "jinsi: the light recording could not be replayed: a divergence\njinsi: it passed by\n  look there\n";
        let minimized = Minimized::without_report(stderr, 1.0);
        assert_eq!(minimized.expanded, Some(false));
        assert_eq!(minimized.why_not.as_deref(), Some("a divergence"));
        assert_eq!(minimized.said.as_deref(), Some("it passed by"));
    }

    #[test]
    fn objects_have_no_numbers_in_calls() {
        assert_eq!(
            call("OrderService#11.create(OrderRequest#3) throws X"),
            "OrderService.create"
        );
        assert_eq!(
            call("new OrderService(Prices#1) → OrderService#2"),
            "new OrderService"
        );
        assert_eq!(call("Server.main(String[]#4)"), "Server.main");
    }
}

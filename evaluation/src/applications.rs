//! Small applications on published frameworks, each with one defect: they are started as their manual says, recorded at the default, and minimized.
//!
//! An application is a directory: a Maven project, `application.json` with how it is started and what it is asked, and below `repaired` the files without the
//! defect. Nothing here knows one of them.

mod running;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::report::{self, Figures, Goal, Judged, goal};
use jinsi_ground::{commands, doctor, files, repository};
use jinsi_jdk::{Jdk, compile, maven, process};
use serde::{Deserialize, Serialize};

use crate::corpus::fixed;
use crate::services::minimized::{Minimized, Recommended};

/// Where those of the repository are.
const PLACE: &str = "tests/applications";
/// Writes the class path, pinned so that every machine runs the same one.
const CLASS_PATH: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath";
/// Time for a build, which fetches whatever is not there yet.
const LIMIT_OF_BUILD: Duration = Duration::from_secs(900);
/// The part of the applications whose test has to flip.
const GOAL: f64 = 0.8;

/// What is run, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Only these applications (repeat it for several)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// The directory of the applications, instead of that of the repository
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// JDK for all of it (default: the oldest found): its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// The `jinsi` command, with the agent beside it, instead of the one that is built
    #[arg(long, value_name = "PATH")]
    jinsi: Option<PathBuf>,
    /// How much is recorded
    #[arg(long, value_name = "DETAIL", default_value = "boundary")]
    detail: String,
    /// Seconds that minimizing may take
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    limit: u64,
}

/// How an application is started, and what it is asked: its `application.json`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// The agent's `observe=`.
    observe: String,
    /// The agent's `fail=`, where the framework catches the failure.
    fail: Option<String>,
    /// The `--wrong` of `jinsi minimize`, if a value is wrong.
    wrong: Option<String>,
    /// Arguments of `java`. `{class_path}` and `{port}` stand for what they say.
    start: Vec<String>,
    /// Requests to the port, one after the other: `/path`, `POST /path` or `POST /path body`. Then the application is ended by a signal. One without requests ends
    /// by itself.
    #[serde(default)]
    requests: Vec<String>,
}

/// What came of an application.
#[derive(Default, Serialize)]
struct ApplicationRun {
    application: String,
    /// With jinsi it answers as without: the exit status and what it prints, or its answers to the requests.
    answers_same: bool,
    /// The recommended test.
    keep: Option<Recommended>,
    /// It fails with the defect, and passes without it.
    flips: bool,
    /// From the recording to the test.
    seconds: f64,
    /// Why there is no test that flips, or why the answers differ.
    why_not: Option<String>,
}

#[derive(Serialize)]
struct Totals {
    applications: usize,
    answers_same: usize,
    keep: usize,
    flips: usize,
}

#[derive(Serialize)]
struct ApplicationFigures {
    java: String,
    detail: String,
    runs: Vec<ApplicationRun>,
    totals: Totals,
}

impl Figures for ApplicationFigures {
    fn goals(&self) -> Vec<Goal> {
        let Totals {
            applications,
            answers_same,
            keep,
            flips,
        } = self.totals;
        let explained = |run: &ApplicationRun| run.flips || run.why_not.is_some();
        vec![
            goal("all answer as without jinsi", answers_same == applications),
            goal("every recommended test flips", keep == flips),
            goal(
                format!("{flips} of {applications} have a test that flips, at least {GOAL}"),
                flips as f64 >= GOAL * applications as f64,
            ),
            goal(
                "each other one has a reason",
                self.runs.iter().all(explained),
            ),
        ]
    }
}

/// Runs the applications; false if a goal is missed.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let jdk = doctor::jdk_or_oldest(arguments.java.as_deref())?;
    let jinsi = commands::jinsi(arguments.jinsi.as_deref(), "release")?;
    let place = arguments.dir.clone();
    let place = place.unwrap_or_else(|| repository::root().join(PLACE));
    let mut runs = Vec::new();
    for (name, source) in wanted(&place, &arguments.only)? {
        let mut run = ApplicationRun {
            application: name,
            ..ApplicationRun::default()
        };
        if let Err(error) = Application::build(&source, &run.application, &jdk)
            .and_then(|application| application.judge(arguments, &jinsi, &mut run))
        {
            run.why_not = Some(format!("{error:#}"));
        }
        eprintln!(
            "{}: {} ({:.0} s)",
            run.application,
            if run.flips { "flips" } else { "does not flip" },
            run.seconds
        );
        runs.push(run);
    }
    let count = |wanted: fn(&ApplicationRun) -> bool| runs.iter().filter(|run| wanted(run)).count();
    let figures = ApplicationFigures {
        java: jdk.version().to_string(),
        detail: arguments.detail.clone(),
        totals: Totals {
            applications: runs.len(),
            answers_same: count(|run| run.answers_same),
            keep: count(|run| run.keep.is_some()),
            flips: count(|run| run.flips),
        },
        runs,
    };
    report::print(&Judged::of(figures), arguments.json)
}

/// Names and directories of those with one of these names; of all if there are none.
fn wanted(place: &Path, names: &[String]) -> Result<Vec<(String, PathBuf)>> {
    let unreadable = || format!("cannot read {}", place.display());
    let mut all = Vec::new();
    for entry in fs::read_dir(place).with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        if path.join("application.json").is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            all.push((name.into_owned(), path.clone()));
        }
    }
    all.sort();
    let wanted = jinsi_ground::manifest::wanted(&all, names, |(name, _)| name)?;
    ensure!(
        !wanted.is_empty(),
        "no application is in {}",
        place.display()
    );
    Ok(wanted.into_iter().cloned().collect())
}

/// An application that was built, with its defect and repaired.
struct Application<'a> {
    manifest: Manifest,
    jdk: &'a Jdk,
    /// Where all of it is.
    directory: PathBuf,
    broken: Vec<PathBuf>,
    repaired: Vec<PathBuf>,
}

impl<'a> Application<'a> {
    fn build(source: &Path, name: &str, jdk: &'a Jdk) -> Result<Self> {
        let directory = repository::root().join("target/applications").join(name);
        files::remove(&directory)?;
        let built = |part: &str, files: &[&Path]| {
            let project = directory.join(part);
            for from in files {
                compile::copy_directory(from, &project)?;
            }
            packaged(&project, jdk)
        };
        Ok(Self {
            manifest: files::document(&source.join("application.json"))?,
            jdk,
            broken: built("broken", &[source])?,
            repaired: built("repaired", &[source, &source.join("repaired")])?,
            directory,
        })
    }

    fn judge(&self, arguments: &Arguments, jinsi: &Path, run: &mut ApplicationRun) -> Result<()> {
        let plain = [self.answers(&[])?, self.answers(&[])?];
        let trace = self.directory.join("t.jinsi");
        let recorded = self.answers(&[self.agent(jinsi, &arguments.detail, &trace)])?;
        run.why_not = running::difference(&plain, &recorded);
        run.answers_same = run.why_not.is_none();
        ensure!(trace.is_file(), "no failure was recorded");
        let out = self.directory.join("report");
        let limit = Duration::from_secs(arguments.limit);
        let wrong = self.manifest.wrong.iter().flat_map(|w| ["--wrong", w]);
        let options: Vec<&str> = wrong.collect();
        let minimized = Minimized::of(jinsi, self.jdk, &trace, &out, limit, &options)?;
        run.seconds = minimized.seconds;
        let why_not = match &minimized.recommended {
            Some(test) => self.complaint(&out, test)?,
            None => Some(minimized.reason()),
        };
        run.flips = why_not.is_none();
        run.why_not = run.why_not.take().or(why_not);
        run.keep = minimized.recommended;
        Ok(())
    }

    /// The option that records.
    fn agent(&self, jinsi: &Path, detail: &str, trace: &Path) -> String {
        let Manifest { observe, fail, .. } = &self.manifest;
        let fail = fail
            .as_ref()
            .map_or_else(String::new, |f| format!(",fail={f}"));
        // A value is known to be wrong only later.
        let on = if self.manifest.wrong.is_some() {
            "exit"
        } else {
            "failure"
        };
        let options = format!("observe={observe},detail={detail},on={on},keep-classes=64M{fail}");
        commands::agent(jinsi, &options, trace)
    }

    fn answers(&self, options: &[String]) -> Result<Vec<String>> {
        let port = running::free_port()?;
        let class_path = std::env::join_paths(&self.broken)?;
        let class_path = class_path.to_string_lossy();
        let start = self.manifest.start.iter().map(|argument| {
            argument
                .replace("{class_path}", &class_path)
                .replace("{port}", &port.to_string())
        });
        let mut command = self.jdk.command();
        command
            .current_dir(self.directory.join("broken"))
            .args(options)
            .args(start);
        running::answers(&mut command, &self.directory, port, &self.manifest.requests)
    }

    /// Why a recommended test does not flip, if it does not.
    fn complaint(&self, out: &Path, test: &Recommended) -> Result<Option<String>> {
        let mut needs = maven::fetch(&[maven::JUNIT])?;
        needs.extend(maven::fetch(&maven::MOCKITO)?);
        // A test of the replay form has its recording beside it.
        needs.extend(["tests", "lib/jinsi-junit"].map(|part| out.join(part)));
        let ended = |program: &[PathBuf]| {
            let class_path = [program, &needs].concat();
            fixed::with_libraries(out, &test.file, &class_path, [self.jdk, self.jdk], &[])
        };
        if ended(&self.broken)?.is_none() {
            return Ok(Some("the recommended test passes with the defect".into()));
        }
        let repaired = ended(&self.repaired)?;
        Ok(repaired.map(|why| format!("the recommended test, repaired: {why}")))
    }
}

/// Builds a project; its class path.
fn packaged(project: &Path, jdk: &Jdk) -> Result<Vec<PathBuf>> {
    let list = project.join("target/class-path.txt");
    let mut mvn = Command::new("mvn");
    mvn.current_dir(project)
        .env("JAVA_HOME", jdk.home())
        .args(["-q", "-B", "package", CLASS_PATH])
        .arg(format!("-Dmdep.outputFile={}", list.display()));
    let finished = process::run(&mut mvn, LIMIT_OF_BUILD)?;
    let said = finished.stdout + &finished.stderr;
    let error = said.lines().find(|line| line.contains("ERROR"));
    ensure!(
        finished.status.success(),
        "Maven: {}",
        error.unwrap_or("it failed")
    );
    let text = files::text(&list)?;
    let mut class_path = vec![project.join("target/classes")];
    class_path.extend(std::env::split_paths(text.trim()));
    Ok(class_path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applications_are_directories_with_a_manifest() {
        let place = repository::root().join(PLACE);
        let all = wanted(&place, &[]).unwrap();
        for (name, directory) in &all {
            let manifest: Manifest = files::document(&directory.join("application.json")).unwrap();
            assert!(!manifest.start.is_empty(), "{name}");
            let repaired = files::files_below(&directory.join("repaired"));
            assert!(!repaired.is_empty(), "{name}");
            for file in repaired {
                let below = file.strip_prefix(directory.join("repaired")).unwrap();
                let defect = fs::read(directory.join(below)).unwrap();
                assert_ne!(defect, fs::read(&file).unwrap(), "{name}");
            }
        }
        assert!(wanted(&place, &["none".into()]).is_err());
        assert_eq!(wanted(&place, &["picocli".into()]).unwrap().len(), 1);
    }

    #[test]
    fn a_test_that_does_not_flip_is_worse_than_none() {
        let verdict = |keep: usize, flips: usize| {
            let figures = ApplicationFigures {
                java: String::new(),
                detail: String::new(),
                runs: Vec::new(),
                totals: Totals {
                    applications: 5,
                    answers_same: 5,
                    keep,
                    flips,
                },
            };
            Judged::of(figures).holds
        };
        assert!(verdict(5, 5) && verdict(4, 4));
        assert!(!verdict(5, 4) && !verdict(3, 3));
    }
}

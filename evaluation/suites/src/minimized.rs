//! A failing test class, recorded and minimized as a build with the Maven plugin does it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, ensure};
use jinsi_jdk::{Jdk, process};
use jinsi_platform::process::kill_with_descendants;

use crate::answer::{self, Minimized, Progress};
use crate::site::{Site, packages};

/// What a test is waited for that has a report, but no recommended test.
const PATIENCE: Duration = Duration::from_secs(180);
const POLL: Duration = Duration::from_millis(100);
/// The report is there a little before the last of its files.
const SETTLE: Duration = Duration::from_secs(1);
/// How the names of those traces begin that the command itself makes.
const EXPANDED: &str = "expanded";
const SECOND_TRY: &str = "--second-try";

/// The command, and the agent beside it.
pub(crate) struct Jinsi {
    command: PathBuf,
    agent: PathBuf,
    detail: String,
    /// For one call; the plugin waits for 20 minutes.
    limit: Duration,
    /// Can the command run a test once more by itself?
    second_try: bool,
}

impl Jinsi {
    /// The command and the agent beside it, which records in this detail.
    pub(crate) fn of(command: PathBuf, detail: &str, limit: Duration) -> Result<Jinsi> {
        let agent = command.with_file_name("libjinsi.so");
        ensure!(agent.is_file(), "{} is not built", agent.display());
        let mut help = Command::new(&command);
        let help = process::run(help.args(["minimize", "--help"]), Duration::from_secs(60))?;
        Ok(Jinsi {
            second_try: help.stdout.contains(SECOND_TRY),
            command,
            agent,
            detail: detail.to_owned(),
            limit,
        })
    }

    /// Prepares a recording of tests; what the JVM is to be started with.
    pub(crate) fn option(&self, site: &Site, directory: &Path) -> Result<String> {
        fs::create_dir_all(directory)?;
        let mut lines: Vec<String> = packages(site.own.iter().chain(&site.of_tests))
            .iter()
            .map(|pattern| format!("observe={pattern}"))
            .collect();
        lines.push(format!("detail={}", self.detail));
        for line in ["on=failure", "keep-classes=64M", "max-size=4G"] {
            lines.push(line.to_owned());
        }
        let place = directory.display().to_string().replace('%', "%%");
        lines.push(format!("out={place}/test-%p.jinsi"));
        let file = directory.join("agent.options");
        fs::write(&file, lines.join("\n") + "\n")?;
        Ok(format!(
            "-agentpath:{}=config={}",
            self.agent.display(),
            file.display()
        ))
    }

    /// What comes of the failed test `test` of the traces in a directory, by one call for all that failed, in the directory of the module, which is
    /// `root`.
    pub(crate) fn minimize(
        &self,
        jdk: &Jdk,
        root: &Path,
        directory: &Path,
        test: &str,
    ) -> Result<Minimized> {
        let minimized = self.minimize_all(jdk, root, directory, &[test])?;
        minimized
            .into_iter()
            .next()
            .context("one test was asked for")
    }

    /// The same for several failed tests, in their order.
    pub(crate) fn minimize_all(
        &self,
        jdk: &Jdk,
        root: &Path,
        directory: &Path,
        tests: &[&str],
    ) -> Result<Vec<Minimized>> {
        let traces = traces(directory)?;
        if traces.is_empty() {
            let unnoticed =
                |_: &&str| Minimized::without("no trace: the failed test was not noticed");
            return Ok(tests.iter().map(unnoticed).collect());
        }
        let mut command = Command::new(&self.command);
        command
            .env("JAVA_HOME", jdk.home())
            .current_dir(root)
            .arg("minimize");
        if self.second_try {
            command.arg(SECOND_TRY);
        }
        command
            .arg("--java-home")
            .arg(jdk.home())
            .arg("--out")
            .arg(directory)
            .arg("--markdown")
            .arg(directory.join("comment.md"))
            .args(&traces);
        let log = fs::File::create(directory.join("minimize.log"))?;
        command
            .stdin(Stdio::null())
            .stderr(log.try_clone()?)
            .stdout(log);
        let start = SystemTime::now();
        let mut child = command.spawn().context("cannot start jinsi")?;
        let in_time = wait(&mut child, directory, tests, self.limit)?;
        let whole = answer::seconds_since(start, SystemTime::now());
        let nothing = match in_time {
            true => "jinsi minimize left no tests.json",
            false => "jinsi minimize takes too long",
        };
        let of_test = |test: &&str| {
            let minimized = answer::read(directory, test, start)?;
            let mut minimized = minimized.unwrap_or_else(|| Minimized::without(nothing));
            // Without a test, it is clear only at the end that there is none.
            if minimized.keep.is_none() {
                minimized.seconds = whole;
            }
            Ok(minimized)
        };
        tests.iter().map(of_test).collect()
    }
}

/// Waits until all failed tests are done, or those of interest are: once one has a recommended test, nothing changes that. Without one, there may
/// be a second try, but it is not waited for without end. False if the command took too long.
fn wait(child: &mut Child, directory: &Path, tests: &[&str], limit: Duration) -> Result<bool> {
    let start = Instant::now();
    let mut reported: Option<Instant> = None;
    loop {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        let last = tests
            .iter()
            .map(|test| answer::progress(directory, test))
            .min();
        let enough = match last.unwrap_or(Progress::Test) {
            Progress::Nothing => false,
            Progress::Report => reported.get_or_insert_with(Instant::now).elapsed() > PATIENCE,
            Progress::Test => true,
        };
        let too_long = start.elapsed() > limit;
        if enough || too_long {
            thread::sleep(SETTLE);
            kill_with_descendants(child.id());
            child.wait()?;
            return Ok(!too_long);
        }
        thread::sleep(POLL);
    }
}

fn traces(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut traces = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.ends_with(".jinsi") && !name.starts_with(EXPANDED) {
            traces.push(path);
        }
    }
    traces.sort_unstable();
    Ok(traces)
}

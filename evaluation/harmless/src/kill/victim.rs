//! The program that is killed: how it is compiled and started, and how far it says it got.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use anyhow::{Result, ensure};
use jinsi_ground::{child, commands, repository};
use jinsi_jdk::{Jdk, compile};
use tempfile::TempDir;

/// Sources of the program.
const SOURCES: &str = "evaluation/java/kill";
/// Its main class, which is not observed.
const MAIN: &str = "victim.Main";
/// Classes that are observed.
const OBSERVE: &str = "victim.work.*";
/// Files in the directory of a run.
const PROGRESS: &str = "progress";
/// Name of a trace: of a killed program it has to be found again by its process.
const TRACE: &str = "t-%p.jinsi";

/// The program, compiled, with the JVM and the agent that it runs on.
pub(crate) struct Victim {
    jdk: Jdk,
    jinsi: PathBuf,
    classes: TempDir,
}

/// How a run is started.
#[derive(Clone, Copy)]
pub(crate) struct Start {
    /// Steps of a worker.
    pub(crate) steps: u64,
    /// Microseconds that a worker sleeps after each hundred.
    pub(crate) pause: u64,
    /// With the agent?
    pub(crate) agent: bool,
}

impl Victim {
    /// Compiles the program. The agent is beside the `jinsi` command.
    pub(crate) fn new(jdk: Jdk, jinsi: &Path) -> Result<Victim> {
        let classes = tempfile::tempdir()?;
        let sources = repository::java_sources(SOURCES)?;
        compile::javac(&jdk, &sources, &[], classes.path())?;
        Ok(Victim {
            jdk,
            jinsi: jinsi.to_owned(),
            classes,
        })
    }

    /// The command that runs it: its trace goes into the directory `traces`, all its other files into `directory`.
    pub(crate) fn command(&self, start: Start, directory: &Path, traces: &Path) -> Command {
        let mut command = self.jdk.command();
        command.current_dir(directory);
        if start.agent {
            let options = format!("observe={OBSERVE}");
            command.arg(commands::agent(&self.jinsi, &options, &traces.join(TRACE)));
        }
        // Little work for the JVM itself, and no file of its own beside: what is watched here is the trace.
        command
            .args([
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-XX:-CreateCoredumpOnCrash",
                "-cp",
            ])
            .arg(self.classes.path())
            .arg(MAIN)
            .arg(directory.join(PROGRESS))
            .args([start.steps.to_string(), start.pause.to_string()]);
        command
    }

    /// Starts it; what it prints goes into files in `directory`, its trace, too.
    pub(crate) fn spawn(&self, start: Start, directory: &Path) -> Result<Child> {
        child::spawn(&mut self.command(start, directory, directory), directory)
    }

    /// An error unless `jinsi info` says of the trace, in one line, why it cannot be read. What to do next may stand below it, indented.
    pub(crate) fn refuses(&self, trace: &Path) -> Result<()> {
        let output = Command::new(&self.jinsi).arg("info").arg(trace).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let (why, next) = said.split_once('\n').unwrap_or((&said, ""));
        let clear = output.status.code() == Some(1)
            && output.stdout.is_empty()
            && next.lines().all(|line| line.starts_with("  "))
            && why.contains(&*trace.to_string_lossy());
        ensure!(clear, "jinsi info ends with {}: {said}", output.status);
        Ok(())
    }
}

/// The trace of the process `pid`, whether it exists or not.
pub(crate) fn trace_of(pid: u32, traces: &Path) -> PathBuf {
    traces.join(TRACE.replace("%p", &pid.to_string()))
}

/// How many steps each thread had behind it at least, by its place; nothing before the program's own start.
pub(crate) fn progress(directory: &Path) -> Vec<u64> {
    let bytes = fs::read(directory.join(PROGRESS)).unwrap_or_default();
    let (numbers, _) = bytes.as_chunks::<8>();
    numbers.iter().map(|n| u64::from_le_bytes(*n)).collect()
}

/// What a run printed: standard output, and standard error without what the agent says there.
pub(crate) fn printed(directory: &Path) -> [String; 2] {
    let read = |name| {
        let bytes = fs::read(directory.join(name)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    [read("stdout"), commands::without_our_line(&read("stderr"))]
}

/// The agent's own lines of a run.
pub(crate) fn agent_said(directory: &Path) -> Vec<String> {
    let text = fs::read_to_string(directory.join("stderr")).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.strip_prefix("jinsi: "));
    lines.map(str::to_owned).collect()
}

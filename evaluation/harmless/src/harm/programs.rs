//! The programs, compiled, and the commands that record them and do something with what was recorded.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use base64::prelude::{BASE64_STANDARD, Engine};
use clap::ValueEnum;
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile};
use serde::Serialize;
use tempfile::TempDir;

use super::canaries::{Canary, Place, Way, name};
use super::check::Listeners;

/// Sources: the programs, the class that one of them defines, a class of the JDK's that refuses to end the JVM, and a native library.
const PROGRAM: &str = "evaluation/java/harm/program";
const PAYLOAD: &str = "evaluation/java/harm/payload";
const REFUSES: &str = "evaluation/java/harm/refuses";
const LIBRARY: &str = "evaluation/java/harm/native/canary.c";
/// What is recorded, and what is not: it is a program's business what it defines.
const OBSERVE: [&str; 4] = ["--observe", "harm.*", "--exclude", "harm.Payload"];
/// The oldest Java that has Unix sockets, which programs call.
const OLDEST: u32 = 17;
/// Seconds that a search may take.
const BUDGET: &str = "20";

/// All of the JDK runs for real, but for threads and pools: what they run is recorded code, which replay calls. Members that are
/// answered although their classes run for real are taken back.
const EVERYTHING_NATURAL: &str = "\
java.*
javax.*
sun.*
jdk.*
-java.lang.Thread
-java.lang.Thread$*
-java.lang.Runnable
-java.util.concurrent.*Execut*
-java.util.concurrent.Future*
+java.lang.Class#*
+java.lang.invoke.*#*
+java.lang.reflect.*#*
";

/// What stands between recorded code and the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Walls {
    /// Both, as always: what is to be done then works.
    Both,
    /// Only answers from the recording.
    First,
    /// Only what the operating system refuses.
    Second,
    /// Neither: then the check has to see what happens.
    None,
}

/// What is done with a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Task {
    Replay,
    /// Runs the written tests, too.
    Minimize,
    Slice,
    /// Of a recording of the boundary.
    Expand,
}

impl Task {
    pub(super) const ALL: [Task; 4] = [Task::Replay, Task::Minimize, Task::Slice, Task::Expand];
}

/// Everything that is compiled or written once.
pub(super) struct Programs {
    jdk: Jdk,
    jinsi: PathBuf,
    directory: TempDir,
    /// The class file of the class that is defined.
    pub(super) payload: Vec<u8>,
    /// Does `jinsi` have a second wall, that is, an option that takes it away?
    pub(super) second_wall: bool,
}

impl Programs {
    pub(super) fn new(jdk: Jdk, jinsi: PathBuf) -> Result<Self> {
        jdk.require_feature(OLDEST)?;
        let directory = tempfile::tempdir()?;
        let path = directory.path();
        let compiler = jdk.compiler()?;
        let feature = Some(jdk.version().feature);
        for (sources, out) in [(PROGRAM, "program"), (PAYLOAD, "payload")] {
            let sources = repository::java_sources(sources)?;
            compile::javac_for(&compiler, feature, &sources, &[], &path.join(out))?;
        }
        let payload = fs::read(path.join("payload/harm/Payload.class"))?;
        repository::run(
            Command::new(compiler.require_javac()?)
                .arg("-d")
                .arg(path.join("refuses"))
                .arg("--patch-module")
                .arg(format!(
                    "java.base={}",
                    repository::root().join(REFUSES).display()
                ))
                .args(["-source", &jdk.version().feature.to_string()])
                .args(["-target", &jdk.version().feature.to_string()])
                .args(repository::java_sources(REFUSES)?),
        )?;
        repository::run(
            Command::new("cc")
                .args(["-shared", "-fPIC", "-o"])
                .arg(path.join("libcanary.so"))
                .arg(repository::root().join(LIBRARY))
                .arg("-ldl"),
        )?;
        fs::write(path.join("natural.txt"), EVERYTHING_NATURAL)?;
        let help = Command::new(&jinsi).args(["replay", "--help"]).output();
        let help = help.context("cannot start jinsi")?;
        Ok(Self {
            second_wall: String::from_utf8_lossy(&help.stdout).contains("--unconfined"),
            jdk,
            jinsi,
            directory,
            payload,
        })
    }

    /// The native library.
    pub(super) fn library(&self) -> PathBuf {
        self.directory.path().join("libcanary.so")
    }

    /// Version of the JVM.
    pub(super) fn java(&self) -> String {
        self.jdk.version().to_string()
    }

    /// Records a program in the directory `work`.
    pub(super) fn record(
        &self,
        (canary, way): (Canary, Way),
        place: &Place,
        listeners: &Listeners,
        detail: &str,
        work: &Path,
        trace: &Path,
    ) -> Result<()> {
        let mut command = Command::new(&self.jinsi);
        command
            .arg("record")
            .args(OBSERVE)
            .args(["--detail", detail, "-o"])
            .arg(trace)
            .arg("--")
            .arg(self.jdk.java())
            .arg("-XX:TieredStopAtLevel=1");
        if canary.ends_the_jvm() {
            let refuses = self.directory.path().join("refuses");
            command.args([
                "--patch-module",
                &format!("java.base={}", refuses.display()),
            ]);
        }
        command
            .arg("-cp")
            .arg(self.directory.path().join("program"))
            .args(["harm.Main", &name(canary), &name(way)])
            .arg(place.directory())
            .args(listeners.arguments()?)
            .args([&place.filler, &BASE64_STANDARD.encode(&place.payload)])
            .current_dir(work);
        let output = command.output().context("cannot start jinsi")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "jinsi record fails: {said}");
        ensure!(trace.is_file(), "there is no trace: {said}");
        // The failure of every program begins with its name; another one is a defect of the program.
        if !said.contains(&format!(
            "java.lang.IllegalStateException: {}: ",
            name(canary)
        )) {
            bail!("the program fails otherwise: {said}");
        }
        Ok(())
    }

    /// The command that does something with a recording; what it writes is in `out`.
    pub(super) fn command(&self, task: Task, walls: Walls, traces: &Traces, out: &Path) -> Command {
        let mut command = Command::new(&self.jinsi);
        match task {
            Task::Replay => command.arg("replay").arg(&traces.whole),
            Task::Minimize => command
                .arg("minimize")
                .arg(&traces.whole)
                .arg("--out")
                .arg(out.join("report"))
                .args(["--budget", BUDGET]),
            Task::Slice => command.arg("slice").arg(&traces.whole),
            Task::Expand => command
                .arg("expand")
                .arg(&traces.boundary)
                .arg("-o")
                .arg(out.join("expanded.jinsi")),
        };
        command.args(["--json", "--java-home"]).arg(self.jdk.home());
        if matches!(walls, Walls::Second | Walls::None) {
            command.arg("--natural");
            command.arg(self.directory.path().join("natural.txt"));
        }
        if matches!(walls, Walls::First | Walls::None) && self.second_wall {
            command.arg("--unconfined");
        }
        command
    }
}

/// What was recorded of a program.
pub(super) struct Traces {
    /// With all interactions.
    pub(super) whole: PathBuf,
    /// Only what crosses the edge.
    pub(super) boundary: PathBuf,
}

//! Programs of ours on well-known libraries: output and exit status are the same with the agent.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use jinsi_ground::commands::without_our_line;
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile, maven, process};
use serde::Serialize;
use tempfile::TempDir;

use super::corpus::Program;
use super::run::{self, Agent, Ran, Recording};

/// Time for one run; each takes some seconds.
const LIMIT: Duration = Duration::from_secs(300);

/// The compiler of the Kotlin program, and what it needs.
const KOTLIN_COMPILER: [&str; 7] = [
    "org.jetbrains.kotlin:kotlin-compiler-embeddable:2.2.20",
    "org.jetbrains.kotlin:kotlin-stdlib:2.2.20",
    "org.jetbrains.kotlin:kotlin-script-runtime:2.2.20",
    "org.jetbrains.kotlin:kotlin-reflect:1.6.10",
    "org.jetbrains.kotlin:kotlin-daemon-embeddable:2.2.20",
    "org.jetbrains:annotations:13.0",
    "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.8.0",
];

/// A program's classes, and the jars it needs.
pub(super) struct Compiled {
    classes: TempDir,
    jars: Vec<PathBuf>,
}

/// What two runs were like.
#[derive(Serialize)]
pub(super) struct ProgramReport {
    name: String,
    jdk: String,
    /// Standard output, standard error (without the agent's line) and exit status.
    pub(super) same: bool,
    /// What is not the same.
    different: Vec<String>,
    exit_status: Option<i32>,
    seconds_plain: f64,
    seconds_agent: f64,
    #[serde(flatten)]
    recording: Recording,
}

impl ProgramReport {
    fn judged(self) -> ProgramReport {
        ProgramReport {
            same: self.different.is_empty(),
            ..self
        }
    }
}

/// Fetches what the program needs and compiles it.
pub(super) fn compile(program: &Program, compiler: &Jdk) -> Result<Compiled> {
    let jars = maven::fetch(&program.needs)?;
    let classes = tempfile::tempdir()?;
    let directory = format!("evaluation/java/transparency/{}", program.name);
    let java = repository::java_sources(&directory)?;
    if java.is_empty() {
        kotlinc(
            compiler,
            &repository::root().join(directory),
            &jars,
            classes.path(),
        )?;
    } else {
        compile::javac(compiler, &java, &jars, classes.path())?;
    }
    Ok(Compiled { classes, jars })
}

/// Compiles the Kotlin sources of a directory. The compiler is a Java program.
fn kotlinc(jdk: &Jdk, sources: &Path, class_path: &[PathBuf], out: &Path) -> Result<()> {
    let compiler = std::env::join_paths(maven::fetch(&KOTLIN_COMPILER)?)?;
    let class_path = std::env::join_paths(class_path)?;
    let mut command = jdk.command();
    command.arg("-cp").arg(compiler);
    command.arg("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler");
    command.args(["-no-stdlib", "-no-reflect", "-jvm-target", "11", "-cp"]);
    command.arg(class_path).arg("-d").arg(out).arg(sources);
    let finished = process::run(&mut command, LIMIT)?;
    if !finished.status.success() {
        bail!("the Kotlin compiler failed: {}", finished.stderr);
    }
    Ok(())
}

/// Runs the program without and with the agent, at the same time.
pub(super) fn run(
    program: &Program,
    compiled: &Compiled,
    jdk: &Jdk,
    agent: &Agent,
) -> Result<ProgramReport> {
    let [plain_place, agent_place] = [tempfile::tempdir()?, tempfile::tempdir()?];
    let option = agent.option(&program.observe, agent_place.path());
    let mut without = command(program, compiled, jdk, plain_place.path(), None)?;
    let mut with = command(program, compiled, jdk, agent_place.path(), Some(&option))?;
    let (plain, observed) = std::thread::scope(|scope| {
        let plain = scope.spawn(|| run::run(&mut without, LIMIT));
        let observed = run::run(&mut with, LIMIT);
        anyhow::Ok((plain.join().expect("does not panic")?, observed?))
    })?;
    let recording = agent
        .recording(agent_place.path())
        .with_context(|| format!("with the agent it said: {}", observed.finished.stderr))?;
    Ok(ProgramReport {
        name: program.name.clone(),
        jdk: jdk.version().to_string(),
        same: false,
        different: differences(program, &plain, &observed, &recording),
        exit_status: plain.finished.status.code(),
        seconds_plain: plain.seconds,
        seconds_agent: observed.seconds,
        recording,
    }
    .judged())
}

fn command(
    program: &Program,
    compiled: &Compiled,
    jdk: &Jdk,
    directory: &Path,
    option: Option<&String>,
) -> Result<Command> {
    let jars = compiled.jars.iter().map(PathBuf::as_path);
    let class_path = std::env::join_paths(std::iter::once(compiled.classes.path()).chain(jars))?;
    let mut command = jdk.command();
    command
        .current_dir(directory)
        .args(option)
        .arg("-cp")
        .arg(class_path)
        .arg(&program.main);
    Ok(command)
}

/// What is not as it has to be.
fn differences(
    program: &Program,
    plain: &Ran,
    observed: &Ran,
    recording: &Recording,
) -> Vec<String> {
    let mut found = Vec::new();
    let (a, b) = (&plain.finished, &observed.finished);
    if a.status.code() != Some(program.status) {
        found.push(format!(
            "without the agent it ends with {}, not {}: {}",
            a.status,
            program.status,
            last_lines(&a.stderr)
        ));
    }
    if a.status != b.status {
        found.push(format!(
            "{} without the agent, {} with it",
            a.status, b.status
        ));
    }
    for (name, a, b) in [
        ("stdout", a.stdout.clone(), b.stdout.clone()),
        ("stderr", a.stderr.clone(), without_our_line(&b.stderr)),
    ] {
        let mut lines = a.lines().zip(b.lines());
        if let Some((a, b)) = lines.find(|(a, b)| a != b) {
            found.push(format!("{name}: `{a}` without the agent, `{b}` with it"));
        } else if a != b {
            let (a, b) = (a.lines().count(), b.lines().count());
            found.push(format!("{name}: {a} lines without the agent, {b} with it"));
        }
    }
    found.extend(recording.damage.iter().map(|d| format!("the trace: {d}")));
    found
}

/// The end of a text, in one line.
fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(3)..].join(" | ")
}

//! `jinsi doctor`: what this machine can do.

use std::env;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Result;
use jinsi_replay::worker::{Worker, WorkerConfig};
use serde::Serialize;

use super::embedded::agent_library;
use super::output::Output;
use super::prepared::ReplayOptions;

const EXAMPLES: &str = "\
Examples:
  jinsi doctor                          the Java on the PATH, or of JAVA_HOME
  jinsi doctor --java-home /opt/jdk-25  another one

Exit status 1 if something is missing that minimizing needs.";

/// Arguments of `doctor`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// JDK to look at (default: JAVA_HOME, else java on the PATH)
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,
}

/// What was looked at.
#[derive(Serialize)]
struct Document {
    checks: Vec<Check>,
    /// Is everything there?
    ok: bool,
}

#[derive(Serialize)]
struct Check {
    /// Stable name.
    name: &'static str,
    ok: bool,
    /// What was found, or what to do.
    found: String,
}

impl Check {
    fn of(name: &'static str, found: Result<String>) -> Self {
        let ok = found.is_ok();
        let found = found.unwrap_or_else(|error| format!("{error:#}"));
        Self { name, ok, found }
    }
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let prepared = ReplayOptions::with_jdk(args.java_home.clone()).prepare(None);
    let mut checks = Vec::new();
    match &prepared {
        Err(error) => checks.push(Check {
            name: "java",
            ok: false,
            found: format!("{error:#}"),
        }),
        Ok(prepared) => {
            let config = &prepared.config;
            let java = format!(
                "Java {} in {}",
                config.jdk.version(),
                config.jdk.home().display()
            );
            checks.push(Check::of("java", Ok(java)));
            let compiler = config.jdk.compiler();
            let compiler = compiler.map(|jdk| format!("javac of {}", jdk.home().display()));
            checks.push(Check::of("compiler", compiler.map_err(Into::into)));
            let worker = WorkerConfig::new(config.jdk.java(), &config.harness);
            checks.push(Check::of("confinement", confinement(&worker)));
        }
    }
    let agent = agent_library().map(|file| file.display().to_string());
    checks.push(Check::of("agent", agent));
    checks.push(maven());
    let document = Document {
        ok: checks.iter().all(|check| check.ok),
        checks,
    };
    out.result(&document, |to| print(&document, to))?;
    Ok(document.ok)
}

/// Starts a JVM as replay does.
fn confinement(worker: &WorkerConfig) -> Result<String> {
    let support = jinsi_confine::support();
    worker.walls.check()?;
    Worker::start(worker)?;
    Ok(format!(
        "{support}: a replay reads its JDK and its own files, and writes to its temporary directory alone; no sockets, no processes"
    ))
}

/// Where JUnit and Mockito come from, if they are not in the local repository yet.
fn maven() -> Check {
    let paths = env::var_os("PATH").unwrap_or_default();
    let found: Option<PathBuf> = env::split_paths(&paths)
        .map(|directory| directory.join("mvn"))
        .find(|file| file.is_file());
    Check {
        name: "maven",
        ok: found.is_some(),
        found: match found {
            Some(file) => file.display().to_string(),
            None => "there is no `mvn` on the PATH: written tests can be run only if JUnit is in the local Maven repository".to_owned(),
        },
    }
}

fn print(document: &Document, to: &mut dyn Write) -> io::Result<()> {
    for check in &document.checks {
        let mark = if check.ok { "ok     " } else { "missing" };
        writeln!(to, "{mark}  {:<12} {}", check.name, check.found)?;
    }
    Ok(())
}

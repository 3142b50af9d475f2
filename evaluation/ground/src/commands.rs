//! Commands of jinsi, as measures have them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::{Jdk, compile, maven};
use serde_json::Value;

use crate::repository;

/// How the agent's own line on stderr begins.
const OURS: &str = "jinsi: ";

/// The `jinsi` command that is asked for, or else the one of a profile, which is built; the agent is beside it.
///
/// # Errors
/// It cannot be built, or there is no agent.
pub fn jinsi(asked: Option<&Path>, profile: &str) -> Result<PathBuf> {
    let jinsi = match asked {
        Some(jinsi) => std::path::absolute(jinsi)?,
        None => repository::build_jinsi_in(profile)?,
    };
    let library = jinsi.with_file_name("libjinsi.so");
    ensure!(library.is_file(), "{} is not built", library.display());
    Ok(jinsi)
}

/// `jinsi record` of these classes in this detail; the program's command comes behind it.
pub fn record(jinsi: &Path, (observe, detail): (&str, &str), trace: &Path) -> Command {
    let mut command = Command::new(jinsi);
    command.args(["record", "--observe", observe, "--detail", detail, "-o"]);
    command.arg(trace).arg("--");
    command
}

/// The option of a JVM that loads the agent beside `jinsi`, with options of the agent's.
pub fn agent(jinsi: &Path, options: &str, trace: &Path) -> String {
    let library = jinsi.with_file_name("libjinsi.so");
    let (library, trace) = (library.display(), trace.display());
    format!("-agentpath:{library}={options},out={trace}")
}

/// Standard error without what the agent says there.
pub fn without_our_line(stderr: &str) -> String {
    let theirs = stderr.lines().filter(|line| !line.starts_with(OURS));
    theirs.map(|line| format!("{line}\n")).collect()
}

/// Compiles the sources in directories of the repository into a directory; the class path: it, and the jars that they need.
///
/// # Errors
/// A jar cannot be had, or something does not compile.
pub fn compiled(
    jdk: &Jdk,
    sources: &[String],
    needs: &[String],
    into: &Path,
) -> Result<Vec<PathBuf>> {
    let mut class_path = maven::fetch(needs)?;
    let mut java = Vec::new();
    for directory in sources {
        java.extend(repository::java_sources(directory)?);
    }
    compile::javac(jdk, &java, &class_path, into)?;
    class_path.insert(0, into.to_owned());
    Ok(class_path)
}

/// What `jinsi info` says of a trace.
///
/// # Errors
/// It cannot be read.
pub fn info(jinsi: &Path, trace: &Path) -> Result<Value> {
    let mut command = Command::new(jinsi);
    let output = command.args(["info", "--json"]).arg(trace).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "jinsi info: {said}");
    serde_json::from_slice(&output.stdout).context("jinsi info")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_line_is_taken_away() {
        let text = "one\njinsi: 3 events\n jinsi: two\n";
        assert_eq!(without_our_line(text), "one\n jinsi: two\n");
    }
}

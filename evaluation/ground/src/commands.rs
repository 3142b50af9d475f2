//! Commands of jinsi, as measures have them.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

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

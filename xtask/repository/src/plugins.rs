//! The plugins for Maven and Gradle, with the natives inside.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// Builds what `java-harness/pom.xml` describes, with this command and the agent beside it; where the projects of the plugins are.
///
/// `install`: into the local Maven repository, too. `gradle`: with the plugin for Gradle, whose API is a download of 185 MB.
///
/// # Errors
/// Maven does not start, or fails.
pub fn build(jinsi: &Path, install: bool, gradle: bool) -> Result<PathBuf> {
    let natives = jinsi.parent().context("the command is in a directory")?;
    let projects = crate::root().join("java-harness");
    let mut mvn = Command::new("mvn");
    // What is printed here may have to be one JSON document.
    mvn.stdout(io::stderr());
    mvn.args(["-q", "-B", "-f"])
        .arg(projects.join("pom.xml"))
        .arg(format!("-Djinsi.natives={}", natives.display()))
        .arg(if install { "install" } else { "package" });
    if gradle {
        mvn.arg("-Pgradle");
    }
    crate::run(&mut mvn)?;
    Ok(projects)
}

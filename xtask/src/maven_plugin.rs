//! `cargo xtask maven-plugin`: the artifacts for Maven, with the natives inside.

use std::process::Command;

use anyhow::{Context, Result};

use crate::repository;

/// What is done with the artifacts.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Install them into the local Maven repository, so that projects of this machine can use them
    #[arg(long)]
    install: bool,
}

/// Builds the natives in the release profile, and then what `java-harness/pom.xml` describes.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let command = repository::build_jinsi()?;
    let natives = command.parent().context("the command is in a directory")?;
    let project = repository::root().join("java-harness/pom.xml");
    let goal = if arguments.install {
        "install"
    } else {
        "package"
    };
    let mut mvn = Command::new("mvn");
    mvn.args(["-q", "-B", "-f"])
        .arg(&project)
        .arg(format!("-Djinsi.natives={}", natives.display()))
        .arg(goal);
    repository::run(&mut mvn)?;
    let artifact = project.with_file_name("maven-plugin/target");
    println!("the artifacts are in {}", artifact.display());
    Ok(true)
}

//! `cargo xtask maven-plugin`: the plugins for Maven and Gradle, with the natives inside.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use jinsi_repository as repository;

/// What is done with the artifacts.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Install them into the local Maven repository, so that projects of this machine can use them
    #[arg(long)]
    install: bool,
    /// The Gradle plugin, too; Gradle's API is a download of 185 MB
    #[arg(long)]
    gradle: bool,
}

/// Builds the natives in the release profile, and then what `java-harness/pom.xml` describes.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let project = build(arguments)?;
    println!(
        "the artifacts are in {}*/target",
        project.with_file_name("").display()
    );
    Ok(true)
}

/// Installs all of it into the local Maven repository.
pub(crate) fn install_all() -> Result<()> {
    build(&Arguments {
        install: true,
        gradle: true,
    })
    .map(drop)
}

/// Installs what builds by Maven need.
pub(crate) fn install_for_maven() -> Result<()> {
    build(&Arguments {
        install: true,
        gradle: false,
    })
    .map(drop)
}

/// Builds, and says where the description is.
fn build(arguments: &Arguments) -> Result<PathBuf> {
    let command = repository::build_jinsi()?;
    let natives = command.parent().context("the command is in a directory")?;
    let project = repository::root().join("java-harness/pom.xml");
    let goal = if arguments.install {
        "install"
    } else {
        "package"
    };
    let mut mvn = Command::new("mvn");
    // What is printed here may have to be one JSON document.
    mvn.stdout(std::io::stderr());
    mvn.args(["-q", "-B", "-f"])
        .arg(&project)
        .arg(format!("-Djinsi.natives={}", natives.display()))
        .arg(goal);
    if arguments.gradle {
        mvn.arg("-Pgradle");
    }
    repository::run(&mut mvn)?;
    Ok(project)
}

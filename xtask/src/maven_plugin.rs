//! `cargo xtask maven-plugin`: the plugins for Maven and Gradle, with the natives inside.

use std::path::PathBuf;

use anyhow::Result;
use jinsi_repository::{self as repository, plugins};

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
    println!("the artifacts are in {}/*/target", project.display());
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

/// Builds; where the projects of the plugins are.
fn build(arguments: &Arguments) -> Result<PathBuf> {
    plugins::build(
        &repository::build_jinsi()?,
        arguments.install,
        arguments.gradle,
    )
}

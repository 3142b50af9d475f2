//! `cargo xtask query`: the checks and tests of `jinsi-query`, which are not among those of `cargo xtask test`: its engine takes too long to build.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use clap::Args;
use jinsi_repository::{self as repository, doctor};

/// Options of `query`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Check and test what asks a cluster, too: it builds the engine with all its features
    #[arg(long)]
    cluster: bool,
}

/// Checks, builds and tests; the first failure ends it with an error.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let jdk = doctor::check(None, &doctor::FOR_TESTS)?;
    cargo(&["fmt"], &["--check"], None)?;
    // The end-to-end tests record with these.
    repository::build_jinsi_in("dev")?;
    let features: &[&str] = if arguments.cluster {
        repository::build_query_with_cluster("dev")?;
        &["--features", "ballista"]
    } else {
        repository::build_query_with("dev", &[])?;
        &[]
    };
    let lints = ["--all-targets", "--no-deps", "--", "-D", "warnings"];
    cargo(&["clippy"], &[features, &lints].concat(), None)?;
    // They find Java by this.
    let home = jdk.home();
    let has_prolog = Command::new("swipl").arg("--version").output().is_ok();
    if has_prolog {
        let all = ["--", "--include-ignored"];
        cargo(&["test"], &[features, &all].concat(), Some(home))?;
    } else {
        println!("SWI-Prolog is not here: the published rules are not run");
        cargo(&["test"], features, Some(home))?;
    }
    println!("\nEvery check and test of queries passed.");
    Ok(true)
}

fn cargo(task: &[&str], options: &[&str], java_home: Option<&Path>) -> Result<()> {
    let mut command = repository::cargo();
    command.envs(java_home.map(|home| ("JAVA_HOME", home)));
    command.args(task).args(repository::QUERY).args(options);
    repository::run(&mut command)
}

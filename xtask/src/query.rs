//! `cargo xtask query`: the checks and tests of `jinsi-query`, which are not among those of `cargo xtask test`: its engine takes too long to build.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use jinsi_evaluation::{doctor, repository};

/// Checks, builds and tests; the first failure ends it with an error.
pub(crate) fn run() -> Result<bool> {
    let jdk = doctor::check(None, &doctor::FOR_TESTS)?;
    cargo(&["fmt"], &["--check"], None)?;
    // The end-to-end tests record with these.
    repository::build_jinsi_in("dev")?;
    repository::build_query_with("dev", &[])?;
    let lints = ["--all-targets", "--no-deps", "--", "-D", "warnings"];
    cargo(&["clippy"], &lints, None)?;
    // They find Java by this.
    let home = jdk.home();
    let has_prolog = Command::new("swipl").arg("--version").output().is_ok();
    if has_prolog {
        cargo(&["test"], &["--", "--include-ignored"], Some(home))?;
    } else {
        println!("SWI-Prolog is not here: the published rules are not run");
        cargo(&["test"], &[], Some(home))?;
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

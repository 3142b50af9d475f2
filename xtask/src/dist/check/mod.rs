//! `cargo xtask dist --check`: a user's machine, on which nothing of this repository is.

mod debian;
mod plugins;

use anyhow::Result;
use jinsi_jdk::Jdk;

use super::Packed;
use crate::builds::Check;
use jinsi_repository as repository;

/// Where the check leaves what it works with, below the repository.
const PLACE: &str = "target/dist-check";

/// Prints what holds; `false` if not all does.
pub(super) fn run(packed: &Packed, jdk: &Jdk) -> Result<bool> {
    let place = repository::root().join(PLACE);
    let mut checks = debian::check(packed, jdk, &place)?;
    checks.extend(plugins::check(packed, jdk, &place)?);
    for check in &checks {
        println!("{check}");
    }
    Ok(checks.iter().all(Check::holds))
}

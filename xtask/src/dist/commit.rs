//! What is packed: a commit, and its time, which everything packed bears.

use std::process::Command;

use anyhow::{Context, Result, ensure};

use jinsi_repository as repository;

/// A commit of the repository.
pub(super) struct Commit {
    /// Time of the commit, in seconds of Unix.
    pub(super) epoch: u64,
}

impl Commit {
    /// The one that is checked out. An error if files differ from it, unless `changed` says that they may.
    pub(super) fn checked_out(changed: bool) -> Result<Commit> {
        let status = git(&["status", "--porcelain"])?;
        ensure!(
            changed || status.is_empty(),
            "files differ from the commit that the archive would name; commit, or give --changed:\n{status}"
        );
        let epoch = git(&["show", "-s", "--format=%ct", "HEAD"])?;
        let epoch = epoch.parse().context("git gives no time of the commit")?;
        Ok(Commit { epoch })
    }
}

fn git(arguments: &[&str]) -> Result<String> {
    let mut git = Command::new("git");
    let output = git
        .current_dir(repository::root())
        .args(arguments)
        .output()
        .context("cannot start git, which knows the commit")?;
    ensure!(
        output.status.success(),
        "this is no git repository with a commit"
    );
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

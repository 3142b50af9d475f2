//! Files below a directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use jinsi_jdk::Jdk;

use crate::repository;

/// All files below a directory; none if it is gone.
pub fn files_below(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// Unpacks a jar, or these entries of it, into a directory, which is made if need be.
///
/// # Errors
/// There is no such jar, or no such entry.
pub fn unpack(jdk: &Jdk, jar: &Path, entries: &[&str], into: &Path) -> Result<()> {
    fs::create_dir_all(into)?;
    let mut command = Command::new(jdk.home().join("bin/jar"));
    repository::run(command.current_dir(into).arg("xf").arg(jar).args(entries))
}

/// Size of all files below a directory. Files that go away meanwhile do not count.
pub fn bytes_below(directory: &Path) -> u64 {
    let sizes = files_below(directory)
        .into_iter()
        .filter_map(|file| Some(file.metadata().ok()?.len()));
    sizes.sum()
}

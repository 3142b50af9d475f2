//! Files, read and looked for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use jinsi_jdk::Jdk;
use serde::de::DeserializeOwned;

use crate::repository;

/// What is in a text file.
///
/// # Errors
/// It cannot be read; the error names it.
pub fn text(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
}

/// The JSON document in a file.
///
/// # Errors
/// It cannot be read, or is another document; the error names it.
pub fn document<T: DeserializeOwned>(file: &Path) -> Result<T> {
    serde_json::from_str(&text(file)?).with_context(|| file.display().to_string())
}

/// Removes a directory with all that is in it, if it is there.
///
/// # Errors
/// It cannot be removed; the error names it.
pub fn remove(directory: &Path) -> Result<()> {
    if directory.exists() {
        fs::remove_dir_all(directory)
            .with_context(|| format!("cannot empty {}", directory.display()))?;
    }
    Ok(())
}

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

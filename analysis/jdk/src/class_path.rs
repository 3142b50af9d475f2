//! Class paths, and other lists of files, as programs take them.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// A class path as one argument. An empty one names a directory that cannot exist: an empty argument would mean the working directory.
pub(super) fn join(class_path: &[PathBuf]) -> Result<OsString, env::JoinPathsError> {
    if class_path.is_empty() {
        return Ok(OsString::from("/dev/null/none"));
    }
    env::join_paths(class_path)
}

/// The JVM runs in another directory: relative paths would no longer mean the same.
pub(super) fn absolute(paths: &[PathBuf]) -> Vec<PathBuf> {
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    paths.iter().map(absolute).collect()
}

//! Files below a directory.

use std::fs;
use std::path::{Path, PathBuf};

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

/// Size of all files below a directory. Files that go away meanwhile do not count.
pub fn bytes_below(directory: &Path) -> u64 {
    let sizes = files_below(directory)
        .into_iter()
        .filter_map(|file| Some(file.metadata().ok()?.len()));
    sizes.sum()
}

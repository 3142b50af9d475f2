//! Files that commands leave.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files in the system's temporary directory whose names begin so.
pub(super) fn fillers(beginning: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir("/tmp").into_iter().flatten().flatten();
    let named = entries.filter(|e| e.file_name().to_string_lossy().starts_with(beginning));
    named.map(|e| e.path()).collect()
}

/// The file itself, or all below the directory; nothing if there is neither.
pub(super) fn files_below(path: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        match fs::symlink_metadata(&path) {
            Ok(of) if of.is_dir() => {
                for entry in fs::read_dir(&path)? {
                    open.push(entry?.path());
                }
            }
            Ok(_) => files.push(path),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(e),
        }
    }
    Ok(files)
}

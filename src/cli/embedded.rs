//! The Java that travels inside the executable.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

include!(concat!(env!("OUT_DIR"), "/replay.rs"));
include!(concat!(env!("OUT_DIR"), "/junit.rs"));

/// Writes the classes of the replay worker below `dir` and gives the directory for the class path.
pub(crate) fn unpack_worker(dir: &Path) -> Result<PathBuf> {
    unpack(REPLAY_CLASSES, "class", &dir.join("replay-classes"))
}

/// Writes the sources of the JUnit extension below `dir`; gives the files.
pub(crate) fn unpack_junit_sources(dir: &Path) -> Result<Vec<PathBuf>> {
    let root = unpack(JUNIT_SOURCES, "java", &dir.join("junit-sources"))?;
    Ok(JUNIT_SOURCES
        .iter()
        .map(|(name, _)| root.join(name).with_extension("java"))
        .collect())
}

fn unpack(files: &[(&str, &[u8])], extension: &str, into: &Path) -> Result<PathBuf> {
    for (name, bytes) in files {
        // Class names hold dots only as separators of nothing: `with_extension` would cut inner class names of the form a.b.
        let path = into.join(format!("{name}.{extension}"));
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)
                .with_context(|| format!("cannot create {}", parent.display()))?;
        }
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(into.to_path_buf())
}

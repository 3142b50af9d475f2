//! What travels with the executable: Java inside it, the agent beside it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use jinsi_files::private;

include!(concat!(env!("OUT_DIR"), "/replay.rs"));
include!(concat!(env!("OUT_DIR"), "/server.rs"));
include!(concat!(env!("OUT_DIR"), "/junit.rs"));

/// Writes the classes of the replay worker below `dir` and gives the directory for the class path.
pub(crate) fn unpack_worker(dir: &Path) -> Result<PathBuf> {
    unpack(REPLAY_CLASSES, "class", &dir.join("replay-classes"))
}

/// Writes the classes of the test server below `dir` and gives the directory for the class path.
pub(crate) fn unpack_test_server(dir: &Path) -> Result<PathBuf> {
    unpack(SERVER_CLASSES, "class", &dir.join("server-classes"))
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
            private::create_dir_all(parent)
                .with_context(|| format!("cannot create {}", parent.display()))?;
        }
        private::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(into.to_path_buf())
}

/// The agent library beside this executable.
pub(crate) fn agent_library() -> Result<PathBuf> {
    let exe = std::env::current_exe().context("cannot tell where jinsi itself is")?;
    let exe = exe.canonicalize().unwrap_or(exe);
    let library = exe.with_file_name("libjinsi.so");
    if !library.is_file() {
        bail!(
            "the agent is missing: {} (build it with cargo build)",
            library.display()
        );
    }
    Ok(library)
}

//! What travels with the executable: Java inside it, the agent beside it.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use jinsi_analysis::job::Tools;
use jinsi_files::private;

use super::messages::{self, Cannot, NotRecorded};

include!(concat!(env!("OUT_DIR"), "/replay.rs"));
include!(concat!(env!("OUT_DIR"), "/server.rs"));
include!(concat!(env!("OUT_DIR"), "/rerun.rs"));
include!(concat!(env!("OUT_DIR"), "/junit.rs"));

/// The library that rewrites classes where written tests run.
static REWRITER: &[u8] = include_bytes!(env!("JINSI_REWRITER"));
/// Where its class has it.
const REWRITER_PLACE: &str = "jinsi/replay/linux-x86_64/libjinsi_rewriter.so";

/// Writes the classes of the replay worker below `dir`, with what the JUnit extension needs besides, and gives the directory for the class path.
pub(crate) fn unpack_worker(dir: &Path) -> Result<PathBuf> {
    let classes = unpack(REPLAY_CLASSES, "class", &dir.join("replay-classes"))?;
    let library = classes.join(REWRITER_PLACE);
    if let Some(parent) = library.parent() {
        private::create_dir_all(parent).with_context(|| messages::uncreated(parent))?;
    }
    private::write(&library, REWRITER).with_context(|| messages::unwritten(&library))?;
    Ok(classes)
}

/// Writes the classes of the test server below `dir` and gives the directory for the class path.
pub(crate) fn unpack_test_server(dir: &Path) -> Result<PathBuf> {
    unpack(SERVER_CLASSES, "class", &dir.join("server-classes"))
}

/// What travels with this executable, for whoever needs it later.
pub(crate) struct Embedded;

impl Tools for Embedded {
    fn agent(&self) -> io::Result<PathBuf> {
        agent_library().map_err(io::Error::other)
    }

    fn test_runner(&self, below: &Path) -> io::Result<PathBuf> {
        let to = below.join("rerun-classes");
        unpack(RERUN_CLASSES, "class", &to).map_err(io::Error::other)
    }
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
            private::create_dir_all(parent).with_context(|| messages::uncreated(parent))?;
        }
        private::write(&path, bytes).with_context(|| messages::unwritten(&path))?;
    }
    Ok(into.to_path_buf())
}

/// Where the agent lies, seen from the directory of the executable: beside it as cargo builds them, or as they are installed.
const AGENT: [&str; 2] = ["libjinsi.so", "../lib/jinsi/libjinsi.so"];

/// The agent library that belongs to this executable.
pub(crate) fn agent_library() -> Result<PathBuf> {
    let exe = std::env::current_exe().context(NotRecorded::NoSelf)?;
    let exe = exe.canonicalize().unwrap_or(exe);
    library_of(&exe)
}

fn library_of(exe: &Path) -> Result<PathBuf> {
    let directory = exe.parent().context(NotRecorded::NoSelf)?;
    let found = AGENT.iter().map(|place| directory.join(place));
    let Some(library) = found.into_iter().find(|file| file.is_file()) else {
        let missing = NotRecorded::NoAgent {
            library: AGENT[0],
            directory: directory.display(),
        };
        bail!(missing.to_string());
    };
    // JVMs get this path, and `..` in it would be read by whoever looks at their command line.
    library.canonicalize().with_context(|| {
        let path = library.display();
        Cannot::Find { path }.to_string()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_is_beside_the_command_or_where_it_is_installed() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        for directory in ["bin", "lib/jinsi"] {
            std::fs::create_dir_all(root.join(directory)).unwrap();
        }
        let exe = root.join("bin/jinsi");
        let error = library_of(&exe).unwrap_err().to_string();
        assert!(error.starts_with("the agent is missing: libjinsi.so is not in"));

        let installed = root.join("lib/jinsi/libjinsi.so");
        std::fs::write(&installed, "").unwrap();
        assert_eq!(library_of(&exe).unwrap(), installed);
        let beside = root.join("bin/libjinsi.so");
        std::fs::write(&beside, "").unwrap();
        assert_eq!(library_of(&exe).unwrap(), beside);
    }
}

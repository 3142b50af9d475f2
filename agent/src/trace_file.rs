//! The file of a recording.

use std::path::{Path, PathBuf};

use jinsi_platform::files;
use jinsi_trace::writer::{TraceWriter, WriteError, WriterOptions};

/// Traces of one name that may stand beside each other.
const MAX_NUMBERED: u32 = 1000;

/// Makes the directory of a trace, with those above it, if it is missing.
///
/// # Errors
/// It cannot be made.
pub(crate) fn make_directory(path: &Path) -> Result<(), WriteError> {
    let Some(directory) = path.parent().filter(|d| !d.as_os_str().is_empty()) else {
        return Ok(());
    };
    // Directories are their owner's only, as traces are.
    files::make_directory(directory, true).map_err(|source| WriteError::Io {
        path: path.to_owned(),
        source,
    })
}

/// Creates the trace file. A trace is never overwritten, and no program fails to start because of one: an earlier trace gets a younger one
/// beside it, with a number in its name. That happens to whoever records twice with the same options, to JVMs that inherit
/// `JAVA_TOOL_OPTIONS` from another one, and in containers, where every process has the same id.
///
/// # Errors
/// The file cannot be created, or there are too many of its name.
pub(crate) fn create(
    path: &Path,
    sizes: &WriterOptions,
) -> Result<(PathBuf, TraceWriter), WriteError> {
    let mut free = path.to_owned();
    for n in 2..=MAX_NUMBERED {
        match TraceWriter::create(&free, sizes.clone()) {
            Err(WriteError::Exists(_)) => free = numbered(path, n),
            other => return other.map(|writer| (free, writer)),
        }
    }
    Err(WriteError::Exists(path.to_owned()))
}

/// `t-2.jinsi` of `t.jinsi`.
fn numbered(path: &Path, n: u32) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(match path.extension() {
        Some(extension) => format!("{stem}-{n}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{n}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_that_is_there_stays_and_another_stands_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let sizes = WriterOptions::default();
        for (name, names) in [
            ("a.jinsi", ["a-2.jinsi", "a-3.jinsi"]),
            ("plain", ["plain-2", "plain-3"]),
        ] {
            let taken = directory.path().join(name);
            std::fs::write(&taken, "precious").unwrap();
            for expected in names {
                let (free, _writer) = create(&taken, &sizes).unwrap();
                assert_eq!(free, directory.path().join(expected));
            }
            assert_eq!(std::fs::read_to_string(&taken).unwrap(), "precious");
        }
    }

    #[test]
    fn a_missing_directory_is_made_for_its_owner_only() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a/b/t.jinsi");
        make_directory(&path).unwrap();
        make_directory(&path).unwrap();
        for made in ["a", "a/b"] {
            let found = std::fs::metadata(directory.path().join(made)).unwrap();
            assert_eq!(files::mode(&found), 0o700, "{made}");
        }
        create(&path, &WriterOptions::default()).unwrap();
        let below_a_file = make_directory(&path.join("t.jinsi"));
        assert!(matches!(below_a_file, Err(WriteError::Io { .. })));
    }
}

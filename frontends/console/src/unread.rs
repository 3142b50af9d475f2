//! Traces that cannot be read: what there is in their place.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Error;
use jinsi_analysis::pipeline::PipelineError;
use jinsi_jdk::JvmError;
use jinsi_trace::FORMAT_VERSION;
use jinsi_trace::reader::ReadError;

use crate::advice::{self, Step};
use crate::messages::{Cannot, Way};

/// Traces that are named in the place of a missing one.
const NAMED: usize = 3;

/// The error; if it is that a trace cannot be read, with ways on.
pub fn advised(error: Error) -> Error {
    if !advice::next(&error).is_empty() {
        return error;
    }
    if let Some(path) = error.chain().find_map(directory) {
        let what = Cannot::ReadDirectory {
            path: path.display(),
        };
        return advice::error(what, in_its_place(path));
    }
    let next = error.chain().find_map(|cause| {
        let read = cause.downcast_ref::<ReadError>();
        let read = read.or_else(|| match cause.downcast_ref::<PipelineError>()? {
            PipelineError::Read(read) => Some(read),
            _ => None,
        });
        let java: Option<&JvmError> = cause.downcast_ref();
        let java = java.map(|_| vec![Step::new(Way::WhichJava, "jinsi doctor")]);
        let ways = read.map(ways_on).filter(|ways| !ways.is_empty());
        let refused = || cause.downcast_ref().and_then(refused);
        ways.or(java).or_else(refused)
    });
    match next {
        Some(next) if !next.is_empty() => advice::error(advice::text(&error), next),
        _ => error,
    }
}

/// The directory that was named in the place of a trace.
fn directory<'e>(cause: &'e (dyn std::error::Error + 'static)) -> Option<&'e Path> {
    let read = cause.downcast_ref::<ReadError>();
    let read = read.or_else(|| match cause.downcast_ref::<PipelineError>()? {
        PipelineError::Read(read) => Some(read),
        _ => None,
    })?;
    match read {
        ReadError::Io { path, .. } | ReadError::Foreign(path) if path.is_dir() => Some(path),
        _ => None,
    }
}

/// What to do where the operating system refuses.
fn refused(error: &std::io::Error) -> Option<Vec<Step>> {
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            Some(vec![Step::new(
                Way::NoRoom,
                "free some, or choose another directory (--out, -o; TMPDIR for temporary files)",
            )])
        }
        ErrorKind::PermissionDenied => Some(vec![Step::new(
            Way::NoRights,
            "ask the owner of the file, or choose another directory",
        )]),
        _ => None,
    }
}

fn ways_on(error: &ReadError) -> Vec<Step> {
    match error {
        ReadError::Io { path, source } if source.kind() == ErrorKind::NotFound => {
            let directory = path.parent().filter(|p| !p.as_os_str().is_empty());
            let directory = directory.unwrap_or(Path::new("."));
            in_its_place(directory)
        }
        ReadError::Version { version, .. } if *version > FORMAT_VERSION => vec![Step::new(
            Way::Newer,
            "install that one, or record again with this one",
        )],
        ReadError::Version { .. } => vec![Step::new(
            Way::Older,
            "read it with that one, or record again with this one",
        )],
        ReadError::Empty(path) => vec![Step::new(
            Way::EndedBefore,
            format!(
                "record again: jinsi record -o {} -- java …",
                advice::path(path)
            ),
        )],
        ReadError::Foreign(_) => vec![Step::new(
            Way::TracesBy,
            "jinsi record -o run.jinsi -- java …",
        )],
        ReadError::Chunk { path, .. } => vec![Step::new(
            Way::Damaged,
            format!("jinsi info {}", advice::path(path)),
        )],
        _ => Vec::new(),
    }
}

/// The traces in a directory, the youngest first; how one is made, if there is none.
pub fn in_its_place(directory: &Path) -> Vec<Step> {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut traces: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|e| e == "jinsi") && !is_replay(path))
        .collect();
    traces.sort_by_cached_key(|path| {
        let changed = std::fs::metadata(path).and_then(|m| m.modified()).ok();
        (std::cmp::Reverse(changed), path.clone())
    });
    if traces.is_empty() {
        let none = match directory == Path::new(".") {
            true => Way::NoTraceHere,
            false => Way::NoTraceIn {
                path: directory.display(),
            },
        };
        return vec![Step::new(none, "jinsi record -o run.jinsi -- java …")];
    }
    let here = |path: &PathBuf| {
        let plain = path.strip_prefix(".").unwrap_or(path);
        Step::new(Way::TraceIs, advice::path(plain))
    };
    traces.iter().take(NAMED).map(here).collect()
}

/// Is it the replay that is kept beside a trace? Questions are about the trace.
fn is_replay(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".replayed.jinsi")
}

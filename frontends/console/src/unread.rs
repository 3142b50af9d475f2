//! Traces that cannot be read: what there is in their place.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Error;
use jinsi_analysis::pipeline::PipelineError;
use jinsi_trace::reader::ReadError;

use crate::advice::{self, Step};
use crate::messages::Way;

/// Traces that are named in the place of a missing one.
const NAMED: usize = 3;

/// The error; if it is that a trace cannot be read, with ways on.
pub fn advised(error: Error) -> Error {
    if !advice::next(&error).is_empty() {
        return error;
    }
    let next = error.chain().find_map(|cause| {
        let read = cause.downcast_ref::<ReadError>();
        let read = read.or_else(|| match cause.downcast_ref::<PipelineError>()? {
            PipelineError::Read(read) => Some(read),
            _ => None,
        });
        read.map(ways_on)
    });
    match next {
        Some(next) if !next.is_empty() => advice::error(advice::text(&error), next),
        _ => error,
    }
}

fn ways_on(error: &ReadError) -> Vec<Step> {
    match error {
        ReadError::Io { path, .. } if path.is_dir() => in_its_place(path),
        ReadError::Io { path, source } if source.kind() == ErrorKind::NotFound => {
            let directory = path.parent().filter(|p| !p.as_os_str().is_empty());
            let directory = directory.unwrap_or(Path::new("."));
            in_its_place(directory)
        }
        ReadError::Version { .. } => vec![Step::new(
            Way::OtherVersion,
            "use that one ('jinsi info' of it says which), or record again with this one",
        )],
        ReadError::Empty(path) => vec![Step::new(
            Way::EndedBefore,
            format!(
                "record again: jinsi record -o {} -- java …",
                advice::path(path)
            ),
        )],
        ReadError::Foreign(path) if path.is_dir() => in_its_place(path),
        ReadError::Foreign(_) => vec![Step::new(
            Way::TracesBy,
            "jinsi record -o run.jinsi -- java …",
        )],
        _ => Vec::new(),
    }
}

/// The traces in a directory, the youngest first; how one is made, if there is none.
fn in_its_place(directory: &Path) -> Vec<Step> {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut traces: Vec<PathBuf> = files
        .filter(|path| path.extension().is_some_and(|e| e == "jinsi"))
        .collect();
    traces.sort_by_cached_key(|path| {
        let changed = std::fs::metadata(path).and_then(|m| m.modified()).ok();
        (std::cmp::Reverse(changed), path.clone())
    });
    if traces.is_empty() {
        let none = Way::NoTraceIn {
            path: directory.display(),
        };
        return vec![Step::new(none, "jinsi record -o run.jinsi -- java …")];
    }
    let here = |path: &PathBuf| {
        let plain = path.strip_prefix(".").unwrap_or(path);
        Step::new(Way::TraceIs, advice::path(plain))
    };
    traces.iter().take(NAMED).map(here).collect()
}

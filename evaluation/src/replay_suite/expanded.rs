//! The other way to a whole recording: the boundary alone is recorded, and replay adds the rest (`jinsi expand`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::Jdk;
use jinsi_replay::expand::{Comparison, Difference, compare};
use jinsi_trace::reader::Trace;
use serde::Serialize;

/// An expanded recording beside whole ones of other runs of the same program.
#[derive(Serialize)]
pub(super) struct Expanded {
    /// Do they have the same events?
    pub(super) equal: bool,
    /// Do whole recordings have the same events among themselves? If not, there is nothing to compare with.
    pub(super) steady: bool,
    /// Threads that have events.
    threads: usize,
    /// Where they part, or why there is nothing to compare.
    pub(super) difference: Option<String>,
    /// Events at the boundary.
    boundary_events: u64,
    /// Events of the whole recording.
    events: u64,
}

impl Expanded {
    /// Expands `boundary` in the directory `place` and compares it with `whole`, the recording of another run, and with those that
    /// `record` makes of further runs.
    pub(super) fn of(
        jinsi: &Path,
        jdk: &Jdk,
        boundary: &Path,
        whole: &Path,
        place: &Path,
        record: impl FnMut() -> Result<Trace>,
    ) -> Result<Self> {
        let first = Trace::open(boundary)?;
        let whole = Trace::open(whole)?;
        let found = match expand(jinsi, jdk, boundary, place) {
            Ok(expanded) => compared(&whole, &expanded, record)?,
            Err(error) => Err(format!("{error:#}")),
        };
        Ok(Self {
            equal: found == Ok(true),
            steady: found != Ok(false),
            difference: found.err(),
            threads: busy(&whole),
            boundary_events: events(&first),
            events: events(&whole),
        })
    }
}

/// Recordings with which the first whole one is compared, to see what is the same in each run. Random values of a small range are
/// the same in two runs often enough.
const MOST_RECORDINGS: usize = 5;

/// Has `expanded` what `whole` has in common with all of these recordings? `false` if these have different events themselves; where it differs
/// as an error.
fn compared(
    whole: &Trace,
    expanded: &Trace,
    mut record: impl FnMut() -> Result<Trace>,
) -> Result<Result<bool, String>> {
    let mut again = Vec::new();
    loop {
        again.push(record()?);
        match compare(whole, expanded, &again)? {
            Comparison::Same => return Ok(Ok(true)),
            Comparison::Different(_) if again.len() < MOST_RECORDINGS => {}
            Comparison::Different(difference) => return Ok(Err(text(&difference))),
            Comparison::Unsteady { .. } => return Ok(Ok(false)),
        }
    }
}

/// Where the expanded recording of the run is whose directory is `place`, if it could be expanded.
pub(super) fn made_in(place: &Path) -> PathBuf {
    place.join("expanded.jinsi")
}

/// The expanded recording of the run whose directory is `place`, if there is one; else that of its boundary.
pub(super) fn best_in(place: &Path, boundary: &Path) -> PathBuf {
    let made = made_in(place);
    if made.is_file() {
        made
    } else {
        boundary.to_owned()
    }
}

fn expand(jinsi: &Path, jdk: &Jdk, trace: &Path, place: &Path) -> Result<Trace> {
    let to = made_in(place);
    let empty = tempfile::tempdir()?;
    let output = Command::new(jinsi)
        .current_dir(empty.path())
        .args(["expand", "--java-home"])
        .arg(jdk.home())
        .arg(trace)
        .arg("-o")
        .arg(&to)
        .output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{}", said.trim());
    Trace::open(&to).context("the expanded trace")
}

fn busy(trace: &Trace) -> usize {
    let threads = trace.threads().iter();
    threads.filter(|t| trace.event_count(t.no) > 0).count()
}

fn events(trace: &Trace) -> u64 {
    trace
        .threads()
        .iter()
        .map(|t| trace.event_count(t.no))
        .sum()
}

fn text(difference: &Difference) -> String {
    let end = || "nothing more".to_owned();
    format!(
        "thread {}, event {}: recorded {}, expanded {}",
        difference.thread,
        difference.event,
        difference.left.clone().unwrap_or_else(end),
        difference.right.clone().unwrap_or_else(end)
    )
}

//! The other way to a whole recording: the boundary alone is recorded, and replay adds the rest (`jinsi expand`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::Jdk;
use jinsi_replay::expand::{Comparison, Difference, compare};
use jinsi_trace::reader::Trace;
use serde::Serialize;

/// Part of the runs of which the expanded recording has to be that of a whole one.
pub(super) const GOAL: f64 = 0.9;

/// An expanded recording beside whole ones of other runs of the same program.
#[derive(Serialize)]
pub(super) struct Expanded {
    /// Do they have the same events?
    pub(super) equal: bool,
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
        let difference = match expand(jinsi, jdk, boundary, place) {
            Ok(expanded) => difference(&whole, &expanded, record)?,
            Err(error) => Some(format!("{error:#}")),
        };
        Ok(Self {
            equal: difference.is_none(),
            difference,
            boundary_events: events(&first),
            events: events(&whole),
        })
    }
}

/// Recordings with which the first whole one is compared, to see what is the same in each run. Random values of a small range are
/// the same in two runs often enough.
const MOST_RECORDINGS: usize = 4;

/// Where `expanded` differs from `whole` in what all of these recordings have in common.
fn difference(
    whole: &Trace,
    expanded: &Trace,
    mut record: impl FnMut() -> Result<Trace>,
) -> Result<Option<String>> {
    let mut again = Vec::new();
    loop {
        again.push(record()?);
        match compare(whole, expanded, &again)? {
            Comparison::Same => return Ok(None),
            Comparison::Different(_) if again.len() < MOST_RECORDINGS => {}
            Comparison::Different(difference) => return Ok(Some(text(&difference))),
            Comparison::Unsteady(event) => {
                let what = "whole recordings differ in what they do";
                return Ok(Some(format!("event {event}: {what}")));
            }
        }
    }
}

/// Where the expanded recording of the run is whose directory is `place`, if it could be expanded.
pub(super) fn made_in(place: &Path) -> PathBuf {
    place.join("expanded.jinsi")
}

/// Does only one thread of the recorded run have events?
pub(super) fn is_single_threaded(trace: &Path) -> Result<bool> {
    let trace = Trace::open(trace)?;
    let busy = trace
        .threads()
        .iter()
        .filter(|t| trace.event_count(t.no) > 0);
    Ok(busy.count() == 1)
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
        "event {}: recorded {}, expanded {}",
        difference.event,
        difference.left.clone().unwrap_or_else(end),
        difference.right.clone().unwrap_or_else(end)
    )
}

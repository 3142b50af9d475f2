//! The other way to a whole recording: the boundary alone is recorded, and replay adds the rest (`jinsi expand`).

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use jinsi_analysis::expand::{Comparison, Difference, compare};
use jinsi_analysis::jvm::Jdk;
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
    /// Expands `boundary` in the directory `place` and compares it with `whole`, two recordings of other runs.
    pub(super) fn of(
        jinsi: &Path,
        jdk: &Jdk,
        boundary: &Path,
        whole: [&Path; 2],
        place: &Path,
    ) -> Result<Self> {
        let first = Trace::open(boundary)?;
        let (again, whole) = (Trace::open(whole[1])?, Trace::open(whole[0])?);
        let difference = match expand(jinsi, jdk, boundary, place) {
            Ok(expanded) => match compare(&whole, &expanded, &again)? {
                Comparison::Same => None,
                Comparison::Different(difference) => Some(text(&difference)),
                Comparison::Unsteady(event) => Some(format!(
                    "event {event}: two whole recordings differ in what they do"
                )),
            },
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
    let to = place.join("expanded.jinsi");
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

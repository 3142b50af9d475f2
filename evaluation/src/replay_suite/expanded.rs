//! The other way to a whole recording: the boundary alone is recorded, and replay adds the rest (`jinsi expand`).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use jinsi_jdk::Jdk;
use jinsi_replay::expand::{Comparison, Difference, compare};
use jinsi_trace::reader::Trace;
use serde::Serialize;
use tempfile::TempDir;

use super::record::{OTHER_SPEEDS, OTHER_WAYS};

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
    /// How often the boundary was recorded until then. Threads that race may go another way where they are recorded at the boundary, which is faster.
    pub(super) boundary_recordings: usize,
    /// Events at the boundary.
    boundary_events: u64,
    /// Events of the whole recording.
    events: u64,
}

/// What makes further recordings of a run, with these further options of the JVM.
pub(super) trait Records {
    /// A whole one.
    fn whole(&mut self, way: &str) -> Result<Trace>;

    /// One of the boundary, in a directory.
    fn boundary(&mut self, directory: &Path, way: &str) -> Result<PathBuf>;
}

impl Expanded {
    /// Expands `boundary` in the directory `place` and compares it with `whole`, the recording of another run, and with those of
    /// further runs.
    pub(super) fn of(
        expander: &Expander<'_>,
        boundary: &Path,
        whole: &Path,
        place: &Path,
        further: &mut impl Records,
    ) -> Result<Self> {
        let first = Trace::open(boundary)?;
        let mut wholes = Wholes {
            first: Trace::open(whole)?,
            again: Vec::new(),
        };
        let threads = busy(&wholes.first);
        let expanded = expander.expand(boundary, place);
        // What cannot be expanded is no other way to go.
        let may_race = threads > 1 && expanded.is_ok();
        let mut found = match expanded {
            Ok(expanded) => wholes.compared(&expanded, further)?,
            Err(error) => Err(Differs(format!("{error:#}"))),
        };
        let mut boundary_recordings = 1;
        let speeds: &[_] = if may_race { &OTHER_SPEEDS } else { &[] };
        for speed in speeds {
            if found.is_ok() {
                break;
            }
            boundary_recordings += 1;
            let place = TempDir::new()?;
            let boundary = further.boundary(place.path(), speed)?;
            match expander.expand(&boundary, place.path()) {
                Ok(expanded) => found = found.or(wholes.compared(&expanded, further)?),
                Err(error) => {
                    found = Err(Differs(format!("{error:#}")));
                    break;
                }
            }
        }
        Ok(Self {
            equal: found == Ok(true),
            steady: found != Ok(false),
            difference: found.err().map(|Differs(how)| how),
            threads,
            boundary_recordings,
            boundary_events: events(&first),
            events: events(&wholes.first),
        })
    }
}

/// An expanded recording is not as a whole one: how, or why there is none.
#[derive(PartialEq, Eq)]
struct Differs(String);

/// Whole recordings of runs of one program.
struct Wholes {
    first: Trace,
    /// Further ones, with which the first is compared to see what is the same in each run. Random values of a small range are the same in two runs often enough.
    again: Vec<Trace>,
}

impl Wholes {
    /// Has `expanded` what all of these have in common? `false` if these have different events themselves; where it differs as an error. Then as many are recorded as there are ways.
    fn compared(
        &mut self,
        expanded: &Trace,
        further: &mut impl Records,
    ) -> Result<Result<bool, Differs>> {
        loop {
            if self.again.is_empty() {
                self.again.push(further.whole(OTHER_WAYS[0])?);
            }
            match compare(&self.first, expanded, &self.again)? {
                Comparison::Same => return Ok(Ok(true)),
                Comparison::Unsteady { .. } => return Ok(Ok(false)),
                Comparison::Different(difference) => match OTHER_WAYS.get(self.again.len()) {
                    Some(way) => self.again.push(further.whole(way)?),
                    None => return Ok(Err(Differs(text(&difference)))),
                },
            }
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

/// What expands.
pub(super) struct Expander<'a> {
    pub(super) jinsi: &'a Path,
    pub(super) jdk: &'a Jdk,
}

impl Expander<'_> {
    /// Expands a trace into the directory of its run.
    fn expand(&self, trace: &Path, place: &Path) -> Result<Trace> {
        let to = made_in(place);
        let empty = tempfile::tempdir()?;
        let output = Command::new(self.jinsi)
            .current_dir(empty.path())
            .args(["expand", "--java-home"])
            .arg(self.jdk.home())
            .arg(trace)
            .arg("-o")
            .arg(&to)
            .output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "{}", said.trim());
        Trace::open(&to).context("the expanded trace")
    }
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

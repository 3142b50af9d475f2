//! A trace with all instructions: the recorded one if it has them, else that of a replay, which is kept beside it for the next question.

use std::path::{Path, PathBuf};

use anyhow::{Context, Error, Result};
use jinsi_analysis::pipeline::{Run, Steps};
use jinsi_answers::remarks;
use jinsi_files::{private, temporary};
use jinsi_inspect::Inspector;
use jinsi_trace::model::Detail;
use jinsi_trace::reader::Trace;

use crate::cli::advice::{self, Step};
use crate::cli::embedded::agent_library;
use crate::cli::messages::{Cannot, NoAnswer, Remark, Way};
use crate::cli::output::note;
use crate::cli::prepared::ReplayOptions;
use crate::cli::progress::Spinner;
use crate::cli::unread;

/// What the trace of a replay is called, behind the name of the recording.
const EXTENSION: &str = "replayed.jinsi";

/// Where the replay of a recording is kept.
pub(crate) fn beside(recorded: &Path) -> PathBuf {
    recorded.with_extension(EXTENSION)
}

/// Where the trace of a replay is.
enum Place {
    /// It is no replay: it was recorded.
    Recorded,
    /// Beside the recording.
    Kept,
    /// In a directory that goes with this.
    Temporary(temporary::Directory),
}

/// A trace to be asked, and its file.
pub(crate) struct Opened {
    pub(crate) trace: Trace,
    pub(crate) file: PathBuf,
    place: Place,
}

impl Opened {
    /// A trace as it was recorded.
    pub(super) fn recorded(trace: Trace, file: &Path) -> Self {
        Self {
            trace,
            file: file.to_owned(),
            place: Place::Recorded,
        }
    }

    /// Is it the trace of a replay?
    pub(crate) fn is_replay(&self) -> bool {
        !matches!(self.place, Place::Recorded)
    }

    /// Whose instructions it has.
    pub(crate) fn steps(&self) -> Steps {
        match self.is_replay() {
            true => Steps::Replayed,
            false => Steps::Recorded,
        }
    }

    /// Says what is missing of it. Of a replay nothing is: it has come to the end of the recording.
    pub(super) fn remarked(self) -> Self {
        if !self.is_replay() {
            remarks(&self.trace).iter().for_each(note);
        }
        self
    }

    /// Goes over the trace, or takes what was kept when that was done before. Of a temporary one, which nobody will ask again, nothing is kept.
    pub(crate) fn inspector(&self) -> Result<Inspector<'_>> {
        let _spinner = Spinner::new("going over the trace");
        Ok(match self.place {
            Place::Temporary(_) => Inspector::new(&self.trace)?,
            Place::Recorded | Place::Kept => Inspector::kept(&self.trace, &self.file)?.0,
        })
    }

    /// The trace, its file if that stays, and what holds it if it does not.
    pub(crate) fn into_parts(self) -> (Trace, Option<PathBuf>, Option<temporary::Directory>) {
        match self.place {
            Place::Temporary(directory) => (self.trace, None, Some(directory)),
            Place::Recorded | Place::Kept => (self.trace, Some(self.file), None),
        }
    }
}

/// The trace itself if it has instructions, else that of a replay.
pub(crate) fn with_instructions(
    recorded: Trace,
    file: &Path,
    options: &ReplayOptions,
) -> Result<Opened> {
    let detail = recorded.meta().detail;
    if detail.has_instructions() {
        return Ok(Opened::recorded(recorded, file));
    }
    drop(recorded);
    let replayed = replay_of(options, file);
    replayed.map_err(|why| not_replayable(&unread::advised(why), detail))
}

/// That a replay cannot record what the recording does not have, and how it is recorded.
fn not_replayable(why: &Error, detail: Detail) -> Error {
    let what = NoAnswer::NotReplayable {
        detail: detail.name(),
        why: advice::text(why),
    };
    let mut next = advice::next(why).to_vec();
    if next.is_empty() {
        next.push(Step::new(
            Way::FromBeginning,
            "jinsi record --detail states -o run.jinsi -- java …",
        ));
    }
    advice::error(what, next)
}

/// The trace of a replay of this recording, with all instructions and what they wrote: the kept one, or a new one.
///
/// Recorded classes run in the sandbox. With natural classes of the user's own the replay may be another one, so nothing is kept then.
pub(crate) fn replay_of(options: &ReplayOptions, recorded: &Path) -> Result<Opened> {
    let beside = beside(recorded);
    let is_usual = options.is_usual();
    if let Some(trace) = kept(&beside, recorded).filter(|_| is_usual) {
        return Ok(Opened {
            trace,
            file: beside,
            place: Place::Kept,
        });
    }
    let directory = temporary::directory().context(Cannot::Temporary)?;
    let file = directory.path().join("states.jinsi");
    let spinner = Spinner::new("replaying, to see each instruction");
    let run = Run::open(recorded)?;
    let prepared = options.prepare(None)?;
    run.expand(&prepared.config, &agent_library()?, Detail::States, &file)?;
    drop(spinner);
    let (file, place) = match is_usual.then(|| private::move_to(&file, &beside)) {
        Some(Ok(())) => {
            let path = beside.display();
            note(Remark::ReplayedFirst { path });
            (beside, Place::Kept)
        }
        Some(Err(error)) => {
            note(Remark::ReplayNotKept {
                path: beside.display(),
                why: error.to_string(),
            });
            (file, Place::Temporary(directory))
        }
        None => (file, Place::Temporary(directory)),
    };
    let trace = Trace::open(&file)?;
    Ok(Opened { trace, file, place })
}

/// The trace of an earlier replay of this recording, if it is whole, and not older than the recording.
fn kept(beside: &Path, recorded: &Path) -> Option<Trace> {
    let written = |file: &Path| std::fs::metadata(file).ok()?.modified().ok();
    if written(beside)? < written(recorded)? {
        return None;
    }
    let recorded = Trace::open(recorded).ok()?;
    let replayed = Trace::open(beside).ok()?;
    let run = |trace: &Trace| (trace.meta().started_ms, trace.meta().pid);
    let is_of_it = run(&recorded) == run(&replayed);
    let is_whole = replayed.damage().is_empty() && replayed.meta().detail == Detail::States;
    (is_of_it && is_whole).then_some(replayed)
}

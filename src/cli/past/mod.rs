//! What the commands share that ask for the past: opening a trace, and how moments, values and calls are written.

pub(crate) mod at;
pub(crate) mod dap;
pub(crate) mod facts;
pub(crate) mod history;
pub(crate) mod logpoint;
pub(crate) mod mcp;
pub(crate) mod origin;
pub(crate) mod tree;
pub(crate) mod view;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_analysis::pipeline::Run;
use jinsi_answers::{Row, Writer, remarks};
use jinsi_files::temporary;
use jinsi_history::failures;
use jinsi_inspect::{Inspector, Moment};
use jinsi_trace::model::Detail;
use jinsi_trace::reader::Trace;

use super::advice;
use super::bad_value::BadValue;
use super::embedded::agent_library;
use super::output::note;
use super::prepared::ReplayOptions;
use super::progress::Spinner;
use crate::cli::messages::{Cannot, NoAnswer, Remark, Usage};

/// Which trace, and how it is replayed if it has not all that is needed.
#[derive(clap::Args)]
pub(crate) struct Past {
    /// The trace; one with detail=states answers everything
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// Replay the recording first, so that fields of a method's own object and what is computed are known; moments are then those of the replay
    #[arg(long)]
    replayed: bool,
    #[command(flatten)]
    replay: ReplayOptions,
}

/// A trace to be asked, its file, and the directory that holds it if a replay was recorded.
pub(crate) struct Opened {
    pub(crate) trace: Trace,
    file: PathBuf,
    directory: Option<temporary::Directory>,
}

impl Opened {
    fn recorded(trace: Trace, file: &Path) -> Self {
        Self {
            trace,
            file: file.to_owned(),
            directory: None,
        }
    }

    /// Is it the trace of a replay?
    pub(crate) fn is_replay(&self) -> bool {
        self.directory.is_some()
    }

    /// Says what is missing of it. Of a replay nothing is: it has come to the end of the recording.
    fn remarked(self) -> Self {
        if !self.is_replay() {
            remarks(&self.trace).iter().for_each(note);
        }
        self
    }
}

impl Past {
    /// Opens another trace than the one that is named, as it is.
    pub(crate) fn open_recorded(file: &Path) -> Result<Opened> {
        let trace = Trace::open(file)?;
        Ok(Opened::recorded(trace, file).remarked())
    }

    /// Opens the trace, or that of a replay.
    pub(crate) fn open(&self) -> Result<Opened> {
        Ok(self.open_at(&self.trace)?.remarked())
    }

    /// The same; the options of a replay are also those of another use.
    pub(crate) fn open_to_run(&self) -> Result<Opened> {
        match self.replayed {
            true => self.replay_of(&self.trace),
            false => {
                let trace = Trace::open(&self.trace)?;
                Ok(Opened::recorded(trace, &self.trace).remarked())
            }
        }
    }

    /// The same, of this file.
    pub(crate) fn open_at(&self, trace: &Path) -> Result<Opened> {
        if let (Some(option), false) = (self.replay.name(), self.replayed) {
            return Err(advice::usage(Usage::NotReplayed { option }));
        }
        let file = trace;
        let trace = Trace::open(file)?;
        let detail = trace.meta().detail;
        if !self.replayed {
            if detail == Detail::Instructions {
                note(Remark::SomeUnknown);
            }
            return Ok(Opened::recorded(trace, file));
        }
        self.replay_of(file)
    }

    /// Replays the recording, and opens the trace of that.
    pub(crate) fn replay_of(&self, trace: &Path) -> Result<Opened> {
        replay_of(&self.replay, trace)
    }
}

/// Replays a recording, and opens the trace of that.
pub(crate) fn replay_of(options: &ReplayOptions, trace: &Path) -> Result<Opened> {
    let directory = temporary::directory().context(Cannot::Temporary)?;
    let file = directory.path().join("states.jinsi");
    let _spinner = Spinner::new("replaying, to record states");
    let run = Run::open(trace)?;
    let prepared = options.prepare(None)?;
    run.expand(&prepared.config, &agent_library()?, Detail::States, &file)?;
    Ok(Opened {
        trace: Trace::open(&file)?,
        file,
        directory: Some(directory),
    })
}

impl Past {
    /// How is it replayed?
    pub(crate) fn replay(&self) -> &ReplayOptions {
        &self.replay
    }

    /// Is it a replay that is asked?
    pub(crate) fn is_replayed(&self) -> bool {
        self.replayed
    }
}

/// Goes over the trace, or takes what was kept when that was done before. Of a replay, which nobody will ask again, nothing is kept.
pub(crate) fn inspector(opened: &Opened) -> Result<Inspector<'_>> {
    let _spinner = Spinner::new("going over the trace");
    Ok(match opened.is_replay() {
        true => Inspector::new(&opened.trace)?,
        false => Inspector::kept(&opened.trace, &opened.file)?.0,
    })
}

/// A moment as the command line has it.
#[derive(Clone, Debug)]
pub(crate) enum When {
    Moment(Moment),
    Failure,
}

impl std::str::FromStr for When {
    type Err = BadValue;

    fn from_str(text: &str) -> Result<Self, BadValue> {
        match text {
            "failure" => Ok(Self::Failure),
            text => match text.parse() {
                Ok(moment) => Ok(Self::Moment(moment)),
                Err(_) => Err(BadValue::Moment),
            },
        }
    }
}

impl When {
    /// The moment: of a failure, where the instruction runs that threw its exception.
    pub(crate) fn moment(&self, inspector: &Inspector<'_>) -> Result<Moment> {
        if let Self::Moment(moment) = self {
            return Ok(*moment);
        }
        let failures = inspector.trace().failures();
        let failure = failures::pick(failures).context(NoAnswer::NoFailure)?;
        let thrown = inspector.thrown_at(failure.thread, failure.throwable)?;
        thrown.context(NoAnswer::Unseen)
    }
}

/// The file, for messages.
pub(crate) fn file(past: &Past) -> &Path {
    &past.trace
}

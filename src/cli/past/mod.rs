//! What the commands share that ask for the past: opening a trace, and how moments, values and calls are written.

pub(crate) mod at;
pub(crate) mod dap;
pub(crate) mod facts;
pub(crate) mod history;
pub(crate) mod logpoint;
pub(crate) mod mcp;
pub(crate) mod origin;
mod replayed;
pub(crate) mod tree;
pub(crate) mod view;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_answers::{Row, Writer, remarks};
use jinsi_history::failures;
use jinsi_inspect::{Inspector, Moment};
use jinsi_trace::model::Detail;
use jinsi_trace::reader::Trace;

use super::advice;
use super::bad_value::BadValue;
use super::output::note;
use super::prepared::ReplayOptions;
use crate::cli::messages::{NoAnswer, Remark, Usage};

pub(crate) use replayed::{Opened, beside, replay_of, with_instructions};

/// Which trace, and how it is replayed if it has not all that is needed.
#[derive(clap::Args)]
pub(crate) struct Past {
    /// The trace; one without instructions is replayed first
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// Replay the recording first even if it has instructions, as with detail=instructions: a replay knows all values. Moments are then those of the replay
    #[arg(long)]
    replayed: bool,
    #[command(flatten)]
    replay: ReplayOptions,
}

impl Past {
    /// Opens another trace than the one that is named, as it is.
    pub(crate) fn open_recorded(file: &Path) -> Result<Opened> {
        let trace = Trace::open(file)?;
        Ok(Opened::recorded(trace, file).remarked())
    }

    /// Opens the trace as it is, unless a replay is wanted.
    pub(crate) fn open_recorded_or_replayed(&self) -> Result<Opened> {
        match self.replayed {
            true => replay_of(&self.replay, &self.trace),
            false => Ok(Opened::recorded(Trace::open(&self.trace)?, &self.trace)),
        }
    }

    /// Opens the trace, or that of a replay.
    pub(crate) fn open(&self) -> Result<Opened> {
        Ok(self.open_at(&self.trace)?.remarked())
    }

    /// The same; the options of a replay are also those of another use.
    pub(crate) fn open_to_run(&self) -> Result<Opened> {
        Ok(self.opened(&self.trace)?.remarked())
    }

    /// The same, of this file.
    pub(crate) fn open_at(&self, file: &Path) -> Result<Opened> {
        let opened = self.opened(file)?;
        if opened.is_replay() {
            return Ok(opened);
        }
        if let Some(option) = self.replay.name() {
            return Err(advice::usage(Usage::NotReplayed { option }));
        }
        if opened.trace.meta().detail == Detail::Instructions {
            note(Remark::SomeUnknown);
        }
        Ok(opened)
    }

    fn opened(&self, file: &Path) -> Result<Opened> {
        match self.replayed {
            true => replay_of(&self.replay, file),
            false => with_instructions(Trace::open(file)?, file, &self.replay),
        }
    }

    /// How is it replayed?
    pub(crate) fn replay(&self) -> &ReplayOptions {
        &self.replay
    }

    /// Is a replay wanted, even of a trace that has instructions?
    pub(crate) fn is_replayed(&self) -> bool {
        self.replayed
    }
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

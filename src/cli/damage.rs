//! What of a trace is damaged, in whatever a command prints.

use std::io::{self, Write};

use anyhow::Result;
use jinsi_analysis::damage::{Damaged, Entry};
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::output::note;

/// A document, and the damage of the trace that it was made of.
#[derive(Serialize)]
pub(super) struct Named<'a, T> {
    #[serde(flatten)]
    document: &'a T,
    damage: &'a [Entry],
    /// Something may be missing before the failure.
    incomplete: bool,
}

impl<'a, T> Named<'a, T> {
    pub(super) fn new(document: &'a T, damaged: &'a Damaged) -> Self {
        Self {
            document,
            damage: &damaged.entries,
            incomplete: damaged.incomplete,
        }
    }
}

/// The same for people.
pub(super) fn print(damaged: &Damaged, to: &mut dyn Write) -> io::Result<()> {
    Damaged::write_text(&damaged.entries, to)?;
    match damaged.incomplete {
        true => writeln!(
            to,
            "incomplete something may be missing before the failure: this rests on the rest"
        ),
        false => Ok(()),
    }
}

/// If there is no answer, the damage may be why: a line on stderr for each.
pub(super) fn named<T>(answer: Result<T>, damaged: impl FnOnce() -> Damaged) -> Result<T> {
    if answer.is_err() {
        for entry in damaged().entries {
            note(&format!("damaged: {entry}"));
        }
    }
    answer
}

/// The damage of a trace of which nothing was read yet.
pub(super) fn of(trace: &Trace) -> Damaged {
    Damaged::of(trace, &[])
}

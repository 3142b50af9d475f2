//! What of a trace is damaged, in whatever a command prints.

use std::io::{self, Write};

use anyhow::Result;
use jinsi_history::damage::{Damaged, Entry};
use jinsi_trace::reader::Trace;
use serde::Serialize;

use crate::advice;

/// A document, and the damage of the trace that it was made of.
#[derive(Serialize)]
pub struct Named<'a, T> {
    #[serde(flatten)]
    document: &'a T,
    damage: &'a [Entry],
    /// Something may be missing before the failure.
    incomplete: bool,
}

impl<'a, T> Named<'a, T> {
    /// The document, with this damage.
    pub fn new(document: &'a T, damaged: &'a Damaged) -> Self {
        Self {
            document,
            damage: &damaged.entries,
            incomplete: damaged.incomplete,
        }
    }
}

/// The same for people.
pub fn print(damaged: &Damaged, to: &mut dyn Write) -> io::Result<()> {
    Damaged::write_text(&damaged.entries, to)?;
    match damaged.incomplete {
        true => writeln!(
            to,
            "incomplete something may be missing before the failure: this rests on the rest"
        ),
        false => Ok(()),
    }
}

/// If there is no answer, the damage may be why: the error says so, in its one line.
pub fn named<T>(answer: Result<T>, damaged: impl FnOnce() -> Damaged) -> Result<T> {
    answer.map_err(|error| {
        let entries = damaged().entries;
        let Some(first) = entries.first() else {
            return error;
        };
        let more = match entries.len() {
            1 => String::new(),
            many => format!(", and {} more: see 'jinsi info'", many - 1),
        };
        let what = format!(
            "{}; the trace is damaged: {first}{more}",
            advice::text(&error)
        );
        advice::error(what, advice::next(&error).to_vec())
    })
}

/// The damage of a trace of which nothing was read yet.
pub fn of(trace: &Trace) -> Damaged {
    Damaged::of(trace, &[])
}

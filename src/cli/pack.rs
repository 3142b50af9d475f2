//! `jinsi pack`: one small file to mail.

use std::path::{Path, PathBuf};

use anyhow::Result;
use jinsi_history::damage::Entry;
use jinsi_history::info::{FailureInfo, Info};
use jinsi_trace::model::Note;
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::compact;
use super::output::Output;

/// Arguments of `pack`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The trace; that of a program that still runs is packed as far as it has come
    #[arg(value_name = "FILE")]
    trace: PathBuf,

    /// The file to mail; by default FILE with `.packed.jinsi` for its extension
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What is in the file.
#[derive(Serialize)]
struct Packed {
    #[serde(flatten)]
    compacted: compact::Compacted,
    complete: bool,
    classes_observed: usize,
    failures: Vec<FailureInfo>,
    notes: Vec<Note>,
    damage: Vec<String>,
    damage_details: Vec<Entry>,
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let to = args.out.clone().unwrap_or_else(|| beside(&args.trace));
    let before = Trace::open(&args.trace)?;
    let compacted = compact::write(&before, &to, &to)?;
    let info = Info::of(&before, false);
    let done = Packed {
        compacted,
        complete: before.end().is_some(),
        classes_observed: info.classes.observed,
        failures: info.failures,
        notes: info.notes,
        damage: info.damage,
        damage_details: info.damage_details,
    };
    out.result(&done, |text| {
        let Packed { compacted, .. } = &done;
        writeln!(
            text,
            "{}: {} bytes, {} events, with all that minimizing needs",
            compacted.trace.display(),
            compacted.bytes_after,
            compacted.events
        )?;
        if !done.complete {
            writeln!(text, "the program had not ended: what came later is not in it")?;
        }
        for failure in &done.failures {
            let message = failure.message.as_deref().unwrap_or_default();
            writeln!(text, "failure    {} {message}", failure.class)?;
        }
        for note in &done.notes {
            writeln!(text, "marked     after {:.1} s: {}", note.seconds, note.text)?;
        }
        if done.failures.is_empty() && done.notes.is_empty() {
            writeln!(text, "there is no failure in it, and nobody marked one")?;
        }
        for damage in &done.damage {
            writeln!(text, "damaged    {damage}")?;
        }
        writeln!(
            text,
            "it holds the recorded classes, and values that they handled, but for what redact= kept out"
        )
    })?;
    Ok(true)
}

fn beside(trace: &Path) -> PathBuf {
    trace.with_extension("packed.jinsi")
}

//! `jinsi compact`: a trace encoded again.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_history::damage::{Damaged, Entry};
use jinsi_trace::compact::compact;
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::damage;
use super::messages::NoAnswer;
use super::output::Output;

/// Arguments of `compact`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The trace
    #[arg(value_name = "FILE")]
    trace: PathBuf,

    /// The smaller trace; by default it takes the place of the other
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What came of it.
#[derive(Serialize)]
pub(super) struct Compacted {
    pub(super) trace: PathBuf,
    pub(super) events: u64,
    pub(super) bytes_before: u64,
    pub(super) bytes_after: u64,
}

/// And what was lost before.
#[derive(Serialize)]
struct Compact<'a> {
    #[serde(flatten)]
    compacted: &'a Compacted,
    damage: &'a [Entry],
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let before = Trace::open(&args.trace)?;
    let to = args.out.as_ref().unwrap_or(&args.trace);
    let written = match &args.out {
        Some(out) => out.clone(),
        None => {
            let mut name = args.trace.as_os_str().to_owned();
            name.push(".compacting");
            name.into()
        }
    };
    let damaged = damage::of(&before);
    let done = damage::named(write(&before, &written, to), || damaged.clone())?;
    if written != *to {
        std::fs::rename(&written, to)
            .with_context(|| format!("cannot replace {} by {}", to.display(), written.display()))?;
    }
    out.result(
        &Compact {
            compacted: &done,
            damage: &damaged.entries,
        },
        |text| {
            writeln!(
                text,
                "{}: {} events, {} bytes, {} before",
                done.trace.display(),
                done.events,
                done.bytes_after,
                done.bytes_before
            )?;
            Damaged::write_text(&damaged.entries, text)
        },
    )?;
    Ok(true)
}

/// Writes `before` to `written`, which is to become `trace`, and reads it again.
pub(super) fn write(before: &Trace, written: &Path, trace: &Path) -> Result<Compacted> {
    compact(before, written)?;
    let after = Trace::open(written)?;
    let done = Compacted {
        trace: trace.to_path_buf(),
        events: events(&after),
        bytes_before: before.file_bytes(),
        bytes_after: after.file_bytes(),
    };
    anyhow::ensure!(
        done.events == events(before),
        NoAnswer::NotCompacted {
            events: done.events,
            of: events(before),
            path: written.display(),
        }
        .to_string()
    );
    Ok(done)
}

fn events(trace: &Trace) -> u64 {
    let threads = trace.threads().iter();
    threads.map(|thread| trace.event_count(thread.no)).sum()
}

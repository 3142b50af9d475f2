//! The one line on stderr.

use std::io::Write;
use std::path::PathBuf;

use crate::bound::CutShort;
use crate::known::{KnownFailure, LIST};

/// What the last line on stderr says.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The trace file, if one was kept.
    pub path: Option<PathBuf>,
    /// The failure because of which it was not, there being traces of it.
    pub known: Option<KnownFailure>,
    /// Its size in bytes.
    pub bytes: u64,
    /// Events recorded.
    pub events: u64,
    /// Classes rewritten.
    pub classes: u32,
    /// Classes matched but left alone.
    pub skipped: u32,
    /// Packages that were loaded, in words, if no class matched.
    pub unmatched: String,
    /// Failures seen.
    pub failures: u32,
    /// Why the recording ended before the program did, if that was its `max-size=`.
    pub cut_short: Option<CutShort>,
    /// The write error that stopped the recording, if one did.
    pub error: Option<String>,
}

/// Writes a line to stderr; a closed stderr is nobody's fault.
pub fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "jinsi: {text}");
}

/// What the recording came to.
pub fn text(summary: &Summary, observe: &str) -> String {
    if let Some(error) = &summary.error {
        let rest = if summary.path.is_some() {
            "; the trace holds what was recorded before"
        } else {
            ""
        };
        return format!("recording stopped: {error}{rest}");
    }
    let cut = summary.cut_short.as_ref();
    let cut = cut.map_or_else(String::new, |cut| format!("; {}", cut.line()));
    if let Some(known) = &summary.known {
        return format!(
            "{} at {} is known, {} times by now ({LIST}); no trace kept (keep-same)",
            known.kind.class, known.kind.place, known.count
        );
    }
    let Some(path) = &summary.path else {
        return "no failure, no trace kept (on=failure)".into();
    };
    if summary.classes == 0 {
        let why = if summary.skipped > 0 {
            format!(
                "{} matching classes could not be rewritten",
                summary.skipped
            )
        } else {
            let loaded = match &*summary.unmatched {
                "" => String::new(),
                packages => format!(": loaded were {packages}"),
            };
            format!("no class matched observe={observe}{loaded}")
        };
        return format!("{why}; the trace {} is empty", path.display());
    }
    let skipped = if summary.skipped > 0 {
        format!(", {} left alone", summary.skipped)
    } else {
        String::new()
    };
    format!(
        "{} events of {} classes{skipped} recorded in {} ({} bytes){cut}",
        summary.events,
        summary.classes,
        path.display(),
        summary.bytes
    )
}

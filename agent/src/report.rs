//! The one line on stderr.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::bound::CutShort;
use crate::known::{KnownFailure, LIST};
use crate::message::Message;

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
pub fn line(text: &dyn Display) {
    let _ = writeln!(std::io::stderr(), "jinsi: {text}");
}

/// What the recording came to.
pub fn text(summary: &Summary, observe: &str) -> String {
    let path = summary.path.as_deref();
    if let Some(error) = &summary.error {
        return match path {
            Some(_) => Message::Stopped { error },
            None => Message::Failed { error },
        }
        .to_string();
    }
    if let Some(known) = &summary.known {
        return Message::Known {
            class: &known.kind.class,
            place: &known.kind.place,
            count: known.count,
            list: LIST,
        }
        .to_string();
    }
    let Some(path) = path.map(Path::display) else {
        return Message::NoFailure.to_string();
    };
    if summary.classes == 0 {
        return match (summary.skipped, &*summary.unmatched) {
            (0, "") => Message::NoMatch { observe, path },
            (0, packages) => Message::OthersLoaded {
                observe,
                packages,
                path,
            },
            (count, _) => Message::NotRewritten { count, path },
        }
        .to_string();
    }
    let cut = summary.cut_short.as_ref();
    let left_alone = match summary.skipped {
        0 => String::new(),
        count => Message::LeftAlone { count }.to_string(),
    };
    Message::Recorded {
        events: summary.events,
        classes: summary.classes,
        left_alone: &left_alone,
        path,
        bytes: summary.bytes,
        cut: &cut.map_or_else(String::new, |cut| format!("; {}", cut.line())),
    }
    .to_string()
}

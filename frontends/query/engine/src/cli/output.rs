//! What goes to stdout and stderr.

use std::io::{self, Write};

use anyhow::{Context, Result};
use serde::Serialize;

/// The call is wrong, in a way that the command line's grammar does not know.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Usage(String);

/// An error that says so.
pub(super) fn usage(text: impl Into<String>) -> anyhow::Error {
    Usage(text.into()).into()
}

/// Where results go: text for people or one JSON document.
pub(super) struct Output {
    json: bool,
}

impl Output {
    pub(super) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Is stdout reserved for the JSON document?
    pub(super) fn is_json(&self) -> bool {
        self.json
    }

    /// The result: `document` under `--json`, else what `text` writes.
    pub(super) fn result<T: Serialize>(
        &self,
        document: &T,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        let mut stdout = io::stdout().lock();
        let written = if self.json {
            serde_json::to_writer_pretty(&mut stdout, document)
                .map_err(io::Error::from)
                .and_then(|()| writeln!(stdout))
        } else {
            text(&mut stdout)
        };
        ignore_closed_pipe(written.and_then(|()| stdout.flush())).context("cannot write to stdout")
    }
}

/// A reader that has seen enough (`jinsi query … | head`) is no error.
pub(super) fn ignore_closed_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// The error and what led to it, in one line. What an error says of its cause by itself is not said twice.
pub(super) fn text(error: &anyhow::Error) -> String {
    let mut all = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        if all.is_empty() {
            all = cause;
        } else if !all.ends_with(&cause) {
            all = format!("{all}: {cause}");
        }
    }
    all
}

/// An error, on stderr.
pub(super) fn error(e: &anyhow::Error) {
    let _ = writeln!(io::stderr(), "jinsi: {}", text(e));
}

/// One line on stderr for a person.
pub(super) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "jinsi: {text}");
}

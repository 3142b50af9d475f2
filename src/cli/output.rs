//! What goes to stdout and stderr.

use std::io::{self, Write};

use anyhow::{Context, Result};
use serde::Serialize;

/// Where results go: text for people or one JSON document.
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Is stdout reserved for the JSON document?
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// The result: `document` under `--json`, else what `text` writes.
    pub(crate) fn result<T: Serialize>(
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

/// A reader that has seen enough (`jinsi events … | head`) is no error.
pub(crate) fn ignore_closed_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// One line on stderr: the error and what led to it.
pub(crate) fn error(e: &anyhow::Error) {
    let _ = writeln!(io::stderr(), "jinsi: {e:#}");
}

/// One line on stderr for a person.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "jinsi: {text}");
}

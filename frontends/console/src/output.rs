//! What goes to stdout and stderr.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::advice::{self, Step};
use crate::answer;
use crate::messages::{Cannot, Remark, Way};

/// Where results go: text for people or one JSON document.
pub struct Output {
    json: bool,
}

impl Output {
    /// One JSON document, or text.
    pub fn new(json: bool) -> Self {
        Self { json }
    }

    /// Is stdout reserved for the JSON document?
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// May text on stdout be coloured? Only a terminal's, and there by the wish of <https://no-color.org>.
    pub fn has_colours(&self) -> bool {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        !self.json && !unwanted && io::stdout().is_terminal()
    }

    /// The result: `document` under `--json`, else what `text` writes.
    pub fn result<T: Serialize>(
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
        ignore_closed_pipe(written.and_then(|()| stdout.flush())).context(Cannot::Stdout)
    }
}

/// A reader that has seen enough (`jinsi events … | head`) is no error.
pub fn ignore_closed_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// One line on stderr: the error and what led to it; below it the ways on, if it knows some.
pub fn error(e: &anyhow::Error) {
    let (text, next) = (advice::text(e), advice::lines(advice::next(e)));
    let _ = write!(io::stderr(), "jinsi: {text}\n{next}");
}

/// What there is after an interrupt (Ctrl-C) while a program was recorded, and how to go on. `out`: where the report was to go.
pub fn interrupted(trace: &Path, out: Option<&Path>) {
    note(Remark::Interrupted {
        path: trace.display(),
    });
    let file = advice::path(trace);
    let out = out.map_or_else(String::new, answer::out);
    let next = [
        Step::new(Way::FailedByThen, format!("jinsi minimize {file}{out}")),
        Step::new(Way::HungWhere, format!("jinsi minimize {file}{out} --hang")),
    ];
    let _ = write!(io::stderr(), "{}", advice::lines(&next));
}

/// One line on stderr for a person.
pub fn note(text: impl Display) {
    let _ = writeln!(io::stderr(), "jinsi: {text}");
}

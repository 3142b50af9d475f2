//! The run that is asked about: what is left of a failing one.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_analysis::pipeline::{Config, Left, Run};
use jinsi_asked::Saved;

use crate::cli::embedded::agent_library;
use crate::cli::messages::{NoAnswer, Remark};
use crate::cli::output::note;
use crate::cli::terminal::Terminal;

/// The file with what is left of a recorded run, beside its trace: that of an earlier session, if it is whole and the trace is not newer.
pub(super) fn left(trace: &Path, config: &Config) -> Result<PathBuf> {
    let to = trace.with_extension("left.jinsi");
    if Left::is_at(&to, trace) {
        return Ok(to);
    }
    let mut progress = Terminal::new("reading the trace");
    let run = Run::open(trace)?;
    let left = run.left(config, &agent_library()?, &to, &mut progress);
    drop(progress);
    // Answers about another run of this name, if there was one, are none about this.
    let _ = fs::remove_file(Saved::beside(&to));
    let left = left.context(NoAnswer::NotMinimized)?;
    note(Remark::Left {
        left: left.interactions,
        of: left.of,
        callers: &left.callers.join(", "),
        path: to.display(),
    });
    Ok(to)
}

//! Findings as they are printed at a terminal.

use std::io::{self, Write};

use super::why;
use crate::look::{DifferenceReport, Findings, FoundLine};

/// The first `shown` lines, and what is known besides. `text` gives what a line says, if its source is found.
///
/// # Errors
/// It cannot be written.
pub fn print(
    findings: &Findings,
    shown: usize,
    mut text: impl FnMut(&FoundLine) -> Option<String>,
    to: &mut dyn Write,
) -> io::Result<()> {
    for line in findings.lines.iter().take(shown) {
        let place = &line.ranked.place;
        let method = line.method.as_deref().unwrap_or("?");
        write!(
            to,
            "{:>4}  {}.{method}:{}",
            line.ranked.rank, place.class, place.line
        )?;
        if let Some(text) = text(line) {
            write!(to, "  {text}")?;
        }
        if !line.values.is_empty() {
            write!(to, "    // {}", line.values.join("; "))?;
        }
        writeln!(to, "\n      {}", why(line))?;
    }
    if let Some(difference) = &findings.difference {
        print_difference(difference, shown, to)?;
    }
    if let Some(asked) = &findings.solver {
        writeln!(to, "solver: {asked}")?;
    }
    for what in &findings.not_followed {
        writeln!(to, "not followed: {what}")?;
    }
    if let Some(why) = &findings.without_slice {
        writeln!(to, "without slice: {why}")?;
    }
    let tests = findings.tests.as_ref();
    let tests = tests.map(|t| format!(", {} failing and {} passing runs", t.failed, t.passed));
    writeln!(
        to,
        "{} lines for {} of {}{}",
        findings.lines.len(),
        findings.failure,
        findings.run,
        tests.unwrap_or_default()
    )
}

fn print_difference(
    difference: &DifferenceReport,
    shown: usize,
    to: &mut dyn Write,
) -> io::Result<()> {
    let of = difference.compared;
    if difference.same {
        return writeln!(
            to,
            "nearest: {} of {of} passing runs; no branch decided otherwise",
            difference.run
        );
    }
    writeln!(to, "nearest: {} of {of} passing runs", difference.run)?;
    for branch in difference.branches.iter().rev().take(shown) {
        writeln!(
            to,
            "      {}.{}:{}, time {}: went {}, and not {}",
            branch.class,
            branch.method,
            branch.line,
            branch.occurrence,
            branch.went,
            branch.passing
        )?;
    }
    Ok(())
}

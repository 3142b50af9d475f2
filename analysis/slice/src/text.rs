//! Slices as people read them.

use std::io::{self, Write};

use crate::hierarchy::{Dependence, Hierarchical, PhaseLevel, PhaseText};
use crate::sources::Sources;
use crate::{Crossing, Slice};

/// A slice by phases, as text.
///
/// # Errors
/// It cannot be written.
pub fn print_levels(slice: &Hierarchical, to: &mut dyn Write) -> io::Result<()> {
    for (no, level) in (1..).zip(&slice.levels) {
        writeln!(to, "level {no}")?;
        for (no, phase) in (1..).zip(&level.phases) {
            print_phase(no, phase, to)?;
        }
        for (no, dependence) in (1..).zip(&level.dependences) {
            print_dependence(no, level, dependence, to)?;
        }
        if let (None, Some(phase)) = (level.chosen, level.entered) {
            writeln!(to, "  all of it within phase {phase}")?;
        }
    }
    print_crossings(&slice.crossings, to)?;
    writeln!(
        to,
        "{} dependences shown; {} of {} executed instructions explain {}",
        slice.shown, slice.occurrences, slice.executed, slice.criterion
    )?;
    match slice.levels.last() {
        Some(level) if level.entered.is_none() => {
            writeln!(
                to,
                "--zoom N looks into the phase of the first that is wrong, 0 if none is"
            )
        }
        _ => writeln!(to, "nothing more to divide"),
    }
}

fn print_phase(no: usize, phase: &PhaseText, to: &mut dyn Write) -> io::Result<()> {
    write!(to, "{no:>4} | {}", phase.what)?;
    match phase.lines {
        Some((first, last)) if first == last => write!(to, ", {}:{first}", phase.class)?,
        Some((first, last)) => write!(to, ", {}:{first}-{last}", phase.class)?,
        None => {}
    }
    writeln!(to, " ({} instructions)", phase.instructions)
}

fn print_dependence(
    no: usize,
    level: &PhaseLevel,
    dependence: &Dependence,
    to: &mut dyn Write,
) -> io::Result<()> {
    let chosen = if level.chosen == Some(no) { '*' } else { ' ' };
    let value = dependence.value.as_ref();
    let value = value.map_or_else(String::new, |value| format!(" = {value}"));
    writeln!(
        to,
        "{chosen}{:>4}. {}{value}, {}.{}:{}, from phase {} to {}",
        no,
        dependence.variable,
        dependence.class,
        dependence.method,
        dependence.line,
        dependence.phase,
        dependence.used_in
    )
}

fn print_crossings(crossings: &[Crossing], to: &mut dyn Write) -> io::Result<()> {
    for crossing in crossings {
        let (what, times) = (&crossing.what, crossing.times);
        writeln!(to, "not followed: {what} ({times} times)")?;
    }
    Ok(())
}

/// The lines of a slice, as text.
///
/// # Errors
/// It cannot be written.
pub fn print(slice: &Slice, sources: &mut Sources<'_>, to: &mut dyn Write) -> io::Result<()> {
    let mut class = "";
    for line in &slice.lines {
        if line.class != class {
            class = &line.class;
            writeln!(to, "{class}")?;
        }
        let methods: Vec<&str> = line.methods.iter().map(String::as_str).collect();
        write!(to, "{:>6} | ", line.line)?;
        match sources.text(line) {
            Some(text) => write!(to, "{text}")?,
            None => write!(to, "{}", methods.join(", "))?,
        }
        if !line.values.is_empty() {
            write!(to, "    // {}", line.values.join("; "))?;
        }
        writeln!(to)?;
    }
    print_crossings(&slice.crossings, to)?;
    writeln!(
        to,
        "{} lines, {} of {} executed instructions, explain {}",
        slice.lines.len(),
        slice.occurrences,
        slice.executed,
        slice.criterion
    )
}

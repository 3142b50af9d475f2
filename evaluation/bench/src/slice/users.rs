//! A simulated user who looks for the repaired line of real bugs in hierarchical slices of the whole run (Wang 2007,
//! Section 5.3): how many dependences are looked at, beside what is in the slice.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use jinsi_ground::bugs::{Bug, CHOSEN};
use jinsi_jdk::{Jdk, process};
use jinsi_slice::hierarchy::user::{Inspection, simulated};
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::LIMITS;
use crate::recorded::Recorded;

/// For a list of what is in a jar.
const LIMIT: Duration = Duration::from_secs(120);
/// Classes that a program has at least of which the effort is compared with the slice, and how many times less it has to be.
const CLASSES: usize = 50;
const TIMES: u64 = 10;

/// What the user did about one bug.
#[derive(Serialize)]
pub(crate) struct User {
    bug: String,
    repaired: Vec<String>,
    /// How the repaired lines were found, where the manifest says so.
    repaired_source: Option<String>,
    /// Classes of the library.
    classes: usize,
    /// Executed instructions; those in the dynamic slice of the failure; and instances of statements in it.
    executed: u64,
    instructions: u64,
    statements: u64,
    levels: usize,
    /// Levels on which the user had to choose.
    interventions: usize,
    /// Dependences looked at to choose, and all that were shown.
    inspected: usize,
    shown: usize,
    /// Was a repaired line come to?
    found: bool,
    /// It was, and an order of magnitude less was inspected than is in the slice.
    pub(crate) holds: bool,
}

/// Of all bugs of libraries whose repaired lines are known; those whose slice has none of these are left out, and named on stderr.
pub(crate) fn all(jdk: &Jdk, jinsi: &Path) -> Result<Vec<User>> {
    let mut users = Vec::new();
    let known = Bug::wanted(CHOSEN, &[])?.into_iter();
    for bug in known.filter(|bug| !bug.fixed.is_empty() && !bug.coordinates.is_empty()) {
        eprintln!("{}: a simulated user", bug.id);
        let user = one(jdk, jinsi, &bug).with_context(|| bug.id.clone())?;
        if user.is_none() {
            eprintln!("{}: the repaired line is not in the slice", bug.id);
        }
        users.extend(user);
    }
    Ok(users)
}

fn one(jdk: &Jdk, jinsi: &Path, bug: &Bug) -> Result<Option<User>> {
    let place = tempfile::tempdir()?;
    let with = (place.path(), LIMITS);
    let recorded = Recorded::of(bug, (jinsi, jdk), with, "instructions")?;
    let trace = Trace::open(&recorded.trace)?;
    ensure!(trace.damage().is_empty(), "{:?}", trace.damage());
    let Some(inspection) = simulated(&trace, None, &bug.fixed)? else {
        return Ok(None);
    };
    let Some(library) = recorded.jars.first() else {
        bail!("no library");
    };
    Ok(Some(user(bug, classes(jdk, library)?, inspection)))
}

fn user(bug: &Bug, classes: usize, inspection: Inspection) -> User {
    let less = inspection.inspected as u64 * TIMES <= inspection.statements;
    User {
        bug: bug.id.clone(),
        repaired: bug.fixed.clone(),
        repaired_source: bug.fixed_source.clone(),
        classes,
        executed: inspection.executed,
        instructions: inspection.occurrences,
        statements: inspection.statements,
        levels: inspection.levels,
        interventions: inspection.interventions,
        inspected: inspection.inspected,
        shown: inspection.shown,
        found: inspection.found,
        holds: inspection.found && classes >= CLASSES && less,
    }
}

/// How many classes a jar has.
fn classes(jdk: &Jdk, jar: &Path) -> Result<usize> {
    let mut command = Command::new(jdk.home().join("bin/jar"));
    let listed = process::run(command.arg("tf").arg(jar), LIMIT)?;
    let is_class = |line: &&str| line.ends_with(".class");
    Ok(listed.stdout.lines().filter(is_class).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_of_magnitude_less_has_to_be_inspected() {
        let bug = Bug::wanted(CHOSEN, &["lang412".into()]).unwrap().remove(0);
        let of = |inspected, statements, found| {
            let inspection = Inspection {
                inspected,
                statements,
                found,
                ..Inspection::default()
            };
            user(&bug, CLASSES, inspection).holds
        };
        assert!(of(3, 30, true));
        assert!(!of(4, 39, true) && !of(3, 30, false));
    }
}

//! The programs whose instructions are recorded: six kernels, and three libraries at work.

use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile};
use tempfile::TempDir;

use super::super::capture::programs::{Compiled, PROGRAMS};

/// Kernels: name, work, what that must be a multiple of (0: a power of two). Work takes some tenths of a second on an idle machine.
const KERNELS: [(&str, u64, u64); 6] = [
    ("crypt", 200_000, 8),
    ("sor", 100, 1),
    ("fft", 1 << 15, 0),
    ("heapsort", 50_000, 1),
    ("lufact", 200, 1),
    ("series", 200, 1),
];

/// Libraries: name, work.
const LIBRARIES: [(&str, u64); 3] = [("h2", 1), ("jackson", 200), ("math", 10)];

/// A program.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    /// The agent's option.
    pub(crate) observe: String,
    full: u64,
    unit: u64,
    compiled: Kind,
}

enum Kind {
    Kernel(Rc<TempDir>),
    Library(Compiled),
}

/// The programs of these names, or all, compiled.
pub(crate) fn chosen(jdk: &Jdk, only: &[String]) -> Result<Vec<Subject>> {
    let wanted = |name: &str| only.is_empty() || only.iter().any(|one| one == name);
    let mut subjects = Vec::new();
    let classes = Rc::new(tempfile::tempdir()?);
    let sources = repository::java_sources("evaluation/java/bench/kernels")?;
    compile::javac(jdk, &sources, &[], classes.path())?;
    for (name, full, unit) in KERNELS {
        if wanted(name) {
            subjects.push(Subject {
                name,
                observe: "kernels.*".into(),
                full,
                unit,
                compiled: Kind::Kernel(Rc::clone(&classes)),
            });
        }
    }
    for (name, full) in LIBRARIES {
        if wanted(name) {
            let program = PROGRAMS.iter().find(|program| program.name == name);
            let program = program.with_context(|| format!("no program {name}"))?;
            subjects.push(Subject {
                name,
                observe: format!("{}.*", program.application),
                full,
                unit: 1,
                compiled: Kind::Library(program.compile(jdk)?),
            });
        }
    }
    if subjects.is_empty() {
        bail!("no program is called {}", only.join(" or "));
    }
    Ok(subjects)
}

impl Subject {
    /// A part of the full work.
    pub(crate) fn work(&self, scale: f64) -> u64 {
        self.rounded((self.full as f64 * scale) as u64)
    }

    /// Work that the program can do.
    pub(crate) fn rounded(&self, work: u64) -> u64 {
        match self.unit {
            0 => work.max(8).next_power_of_two(),
            unit => work.max(unit).next_multiple_of(unit),
        }
    }

    pub(crate) fn command(
        &self,
        jdk: &Jdk,
        options: &[String],
        work: u64,
        directory: &Path,
    ) -> Result<Command> {
        match &self.compiled {
            Kind::Library(compiled) => compiled.command(jdk, options, work, directory),
            Kind::Kernel(classes) => {
                let mut command = jdk.command();
                command.args(options).arg("-cp").arg(classes.path());
                command
                    .arg("kernels.Main")
                    .arg(self.name)
                    .arg(work.to_string());
                Ok(command)
            }
        }
    }
}

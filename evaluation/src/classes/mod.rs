//! `cargo xtask verify-classes`: rewrites classes by the hundred thousand and has JVMs verify them.

mod asm;
pub(crate) mod bundle;
pub(crate) mod corpus;
pub(crate) mod jvm;
mod report;
pub(crate) mod rewrite;
pub(crate) mod unit;

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;
use jinsi_ground::report::{outline, print_or};
use jinsi_ground::{doctor, repository};
use jinsi_jdk::Jdk;
use jinsi_natural::pattern::glob;
use serde::Serialize;
use serde_json::Value;

use jvm::Harness;
use report::{Problem, Seen, Totals};
use unit::{Bench, Unit};

/// JVMs that run at a time.
const THREADS: usize = 2;

/// How many problems of a kind are printed without `--json`.
const SHOWN: usize = 20;
/// Lists that only programs read; of the errors people see the first.
const LONG: [&str; 5] = [
    "errors",
    "skipped_classes",
    "kept",
    "thinned_methods",
    "left_out_methods",
];

/// What came out.
#[derive(Serialize)]
struct Rewritten {
    #[serde(flatten)]
    totals: Totals,
    seconds: f64,
    jdks: Vec<String>,
    artifacts: usize,
    units: usize,
    asm: Value,
}

/// Options of the task.
#[derive(Args)]
pub struct Options {
    /// Print one JSON document, and nothing else, on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// JDKs to use instead of all that are found: home directories or `java` programs; artifacts are linked on each
    #[arg(long, value_name = "PATH", num_args = 1..)]
    pub(crate) java: Vec<PathBuf>,
    /// Only the artifacts and JDKs with such a name (`org.scala-lang:*`, `jdk-17`)
    #[arg(long, value_name = "PATTERN")]
    pub(crate) only: Option<String>,
    /// Only every Nth class
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) every: u32,
    /// Go on to the next artifact or JDK when one has errors
    #[arg(long)]
    pub(crate) keep_going: bool,
}

/// Runs the task; were there no errors?
pub(crate) fn run(options: &Options) -> Result<bool> {
    let start = Instant::now();
    let directory = directory("verify-classes")?;
    let harnesses = harnesses(&options.java, &directory)?;
    let list = fs::read_to_string(repository::root().join(corpus::LIST))?;
    let mut wanted = corpus::coordinates(&list)?;
    let chosen = |name: &str| {
        let only = options.only.as_deref();
        only.is_none_or(|pattern| glob(pattern.as_bytes(), name.as_bytes()))
    };
    wanted.retain(|coordinates| chosen(coordinates));
    let mut units: Vec<Unit> = (0..harnesses.len())
        .filter(|index| chosen(&harnesses[*index].name()))
        .map(Unit::Jdk)
        .collect();
    let artifacts = corpus::resolve(&wanted, &directory)?;
    units.extend(artifacts.into_iter().map(Unit::Artifact));
    ensure!(
        !units.is_empty(),
        "no artifact and no JDK has the name {}",
        options.only.as_deref().unwrap_or("*")
    );
    let count = units.len();
    let work = tempfile::tempdir_in(&directory)?;
    let (totals, bundles) = run_units(units, &harnesses, options, work.path())?;
    let asm = asm::compare(&harnesses, &bundles)?;
    let seconds = start.elapsed().as_secs_f64();
    let jdks: Vec<String> = (harnesses.iter().map(|h| h.jdk.version().to_string())).collect();
    let report = Rewritten {
        seconds,
        jdks,
        artifacts: wanted.len(),
        units: count,
        asm,
        totals,
    };
    print_or(&report, options.json, || {
        let errors = &report.totals.errors;
        let errors: Vec<&Problem> = errors.iter().take(SHOWN).collect();
        outline(&report, &LONG) + &outline(&errors, &[])
    })?;
    Ok(report.totals.errors.is_empty())
}

/// A directory of this name below the build's own.
pub(crate) fn directory(name: &str) -> Result<PathBuf> {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| repository::root().join("target"), PathBuf::from);
    let directory = target.join(name);
    fs::create_dir_all(&directory)?;
    Ok(directory.canonicalize()?)
}

/// The Java side on the JDKs asked for, else on all of this machine.
pub(crate) fn harnesses(java: &[PathBuf], directory: &Path) -> Result<Vec<Harness>> {
    let jdks = if java.is_empty() {
        doctor::usable_jdks()?
    } else {
        let found: Result<Vec<_>, _> = java.iter().map(|path| Jdk::find(Some(path))).collect();
        found?
    };
    jdks.into_iter()
        .map(|jdk| Harness::new(jdk, directory))
        .collect()
}

/// Takes all units, some at a time; the sum, and the bundles of their original classes.
fn run_units(
    units: Vec<Unit>,
    harnesses: &[Harness],
    options: &Options,
    work: &Path,
) -> Result<(Totals, Vec<PathBuf>)> {
    let queue: Mutex<VecDeque<(usize, Unit)>> = Mutex::new(units.into_iter().enumerate().collect());
    let sum = Mutex::new((Totals::default(), Vec::new()));
    let seen = Seen::default();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let mut bench = Bench::new(harnesses, &seen, options.every as usize);
                while !stop.load(Ordering::Relaxed) {
                    let next = queue
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .pop_front();
                    let Some((n, unit)) = next else {
                        break;
                    };
                    let start = Instant::now();
                    let name = unit.name(harnesses);
                    let directory = work.join(n.to_string());
                    let totals = bench
                        .run(&unit, &directory)
                        .unwrap_or_else(|error| failed(&name, &error));
                    eprintln!(
                        "{name}: {} classes, {} errors, {:.1} s",
                        totals.classes,
                        totals.errors.len(),
                        start.elapsed().as_secs_f64()
                    );
                    if !totals.errors.is_empty() && !options.keep_going {
                        stop.store(true, Ordering::Relaxed);
                    }
                    let mut sum = sum.lock().unwrap_or_else(PoisonError::into_inner);
                    sum.0.add(totals);
                    sum.1.push(directory.join("original"));
                }
            });
        }
    });
    let (totals, mut bundles) = sum.into_inner().unwrap_or_else(PoisonError::into_inner);
    bundles.retain(|bundle| bundle.is_file());
    Ok((totals, bundles))
}

/// A unit that did not come to its end: a JVM that crashed, a jar that cannot be read.
fn failed(name: &str, error: &anyhow::Error) -> Totals {
    let mut totals = Totals::default();
    totals.errors.push(Problem {
        class: String::new(),
        from: name.to_owned(),
        view: "",
        java: String::new(),
        message: format!("{error:#}"),
    });
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_of_the_jdks_verifies() {
        let directory = tempfile::tempdir().unwrap();
        let harnesses = harnesses(&[], directory.path()).unwrap();
        let units = (0..harnesses.len()).map(Unit::Jdk).collect();
        let options = Options {
            json: false,
            java: Vec::new(),
            only: None,
            every: 1_600,
            keep_going: true,
        };
        let (totals, _) = run_units(units, &harnesses, &options, directory.path()).unwrap();
        assert_eq!(totals.errors, []);
        assert!(totals.classes > 12 * harnesses.len() as u64);
        assert_eq!(totals.rewritten, totals.classes);
        assert!(totals.bytes_out > totals.bytes_in);
    }
}

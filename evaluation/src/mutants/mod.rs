//! `cargo xtask fuzz-classes`: damaged class files that a JVM still accepts must be accepted rewritten, too.

mod mutate;
mod partner;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use jinsi_ground::numbers::Numbers;
use jinsi_ground::report::{Findings, print};
use jinsi_jdk::Jdk;
use serde::Serialize;

use crate::classes::bundle;
use crate::classes::corpus::{self, Artifact};
use crate::classes::jvm::Harness;
use crate::classes::rewrite::{self, Outcome, View};
use crate::classes::{directory, unit};
use partner::{Partner, Verdict};

/// Artifacts of the corpus whose classes are damaged: small classes of many compilers.
const SEEDS: &[&str] = &[
    "junit:junit:3.8.1",
    "log4j:log4j:1.2.8",
    "commons-collections:commons-collections:3.2.1",
    "antlr:antlr:2.7.7",
    "org.apache.commons:commons-lang3:3.13.0",
    "com.google.code.gson:gson:2.10.1",
    "com.github.ben-manes.caffeine:caffeine:3.1.8",
    "org.jetbrains.kotlin:kotlin-stdlib:1.9.10",
    "org.scala-lang:scala3-library_3:3.3.1",
    "org.clojure:clojure:1.3.0",
    "org.codehaus.groovy:groovy:2.4.21",
];

/// Larger class files would only slow it down.
const LARGEST: usize = 10_000;

/// Mutants on their way to the JVM and back.
const IN_FLIGHT: usize = 64;

/// Options of the task.
#[derive(Args)]
pub struct Options {
    /// How long to go on
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// The mutants are those of this number
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// Print one JSON document, and nothing else, on standard output
    #[arg(long)]
    json: bool,
}

/// A class file that is damaged.
struct Seed {
    name: String,
    bytes: Vec<u8>,
}

/// A damaged class file and its rewritten forms.
pub(super) struct Mutant {
    name: String,
    bytes: Vec<u8>,
    /// With how they are observed; none if the rewriter leaves it alone.
    forms: Vec<(View, Vec<u8>)>,
    /// What the rewriter did wrong.
    panic: Option<String>,
}

#[derive(Default, Serialize)]
struct Tally {
    mutants: u64,
    accepted: u64,
    rewritten: u64,
    #[serde(rename = "jvm_crashes")]
    crashes: u64,
    left_alone: BTreeMap<String, u64>,
    findings: Vec<String>,
}

/// What came out.
#[derive(Serialize)]
struct Fuzzed {
    #[serde(flatten)]
    tally: Tally,
    seeds: usize,
    seed: u64,
    java: String,
    seconds: f64,
}

/// Runs the task; was nothing found?
pub(crate) fn run(options: &Options) -> Result<bool> {
    let work = directory("fuzz-classes")?;
    let harness = Harness::new(Jdk::find(options.java.as_deref())?, &work)?;
    let artifacts = corpus::resolve(SEEDS, &work)?;
    let mut partner = Partner::start(&harness, &class_path(&artifacts)?)?;
    let seeds = accepted(&mut partner, seeds(&harness, &artifacts, &work)?)?;
    ensure!(!seeds.is_empty(), "the JVM accepts none of the classes");
    let findings = work.join("findings");
    fs::create_dir_all(&findings)?;
    let start = Instant::now();
    let tally = search(&mut partner, &seeds, options, &findings)?;
    let report = Fuzzed {
        tally,
        seeds: seeds.len(),
        seed: options.seed,
        java: harness.jdk.version().to_string(),
        seconds: start.elapsed().as_secs_f64(),
    };
    print(&report, options.json)
}

impl Findings for Fuzzed {
    fn holds(&self) -> bool {
        self.tally.findings.is_empty()
    }
}

fn class_path(artifacts: &[Artifact]) -> Result<std::ffi::OsString> {
    let jars = artifacts.iter().flat_map(|artifact| {
        let own = std::iter::once(&artifact.jar);
        own.chain(&artifact.class_path)
    });
    Ok(std::env::join_paths(jars)?)
}

/// The small classes of the artifacts.
fn seeds(harness: &Harness, artifacts: &[Artifact], work: &Path) -> Result<Vec<Seed>> {
    let mut worker = harness.worker()?;
    let file = work.join("seeds");
    let mut seeds = Vec::new();
    for artifact in artifacts {
        worker.order(&["jar".as_ref(), artifact.jar.as_ref(), file.as_ref()])?;
        for mut entry in bundle::read(&file)? {
            unit::name_by_content(&mut entry, true);
            if entry.bytes.len() <= LARGEST && entry.place.is_empty() {
                seeds.push(Seed {
                    name: entry.name,
                    bytes: entry.bytes,
                });
            }
        }
    }
    Ok(seeds)
}

/// Those that the JVM accepts on their own: not classes that need their package.
fn accepted(partner: &mut Partner, seeds: Vec<Seed>) -> Result<Vec<Seed>> {
    let mut good = Vec::new();
    for seed in seeds {
        partner.send(&seed.name, &seed.bytes, &[])?;
        if partner.receive()? != Verdict::Refused {
            good.push(seed);
        }
    }
    Ok(good)
}

/// A seed chosen and damaged, and what the rewriter makes of it.
fn mutant(seeds: &[Seed], numbers: &mut Numbers) -> Mutant {
    let seed = &seeds[numbers.below(seeds.len())];
    let bytes = mutate::mutate(&seed.bytes, numbers);
    let name = rewrite::class_name(&bytes).unwrap_or_else(|| seed.name.clone());
    let mut mutant = Mutant {
        name,
        bytes,
        forms: Vec::new(),
        panic: None,
    };
    for view in View::EACH {
        match rewrite::rewrite(&mutant.name, &mutant.bytes, view) {
            Outcome::Rewritten { bytes, .. } => mutant.forms.push((view, bytes)),
            Outcome::Skipped { .. } => {}
            Outcome::Panicked(text) => mutant.panic = Some(text),
        }
    }
    mutant
}

fn search(
    partner: &mut Partner,
    seeds: &[Seed],
    options: &Options,
    findings: &Path,
) -> Result<Tally> {
    let mut numbers = Numbers::new(options.seed);
    let mut tally = Tally::default();
    let mut waiting = std::collections::VecDeque::new();
    let end = Instant::now() + Duration::from_secs(options.seconds);
    loop {
        while waiting.len() < IN_FLIGHT && Instant::now() < end {
            let mutant = mutant(seeds, &mut numbers);
            tally.mutants += 1;
            // A JVM that has ended shows when the answer is missing.
            let _ = partner.send(&mutant.name, &mutant.bytes, &mutant.forms);
            waiting.push_back(mutant);
        }
        let Some(mutant) = waiting.pop_front() else {
            return Ok(tally);
        };
        let verdict = match partner.receive() {
            Ok(verdict) => verdict,
            Err(_) => {
                let verdict = after_crash(partner, &mutant, &mut tally)?;
                for mutant in &waiting {
                    partner.send(&mutant.name, &mutant.bytes, &mutant.forms)?;
                }
                verdict
            }
        };
        judge(&mutant, verdict, &mut tally, findings)?;
    }
}

/// The JVM ended instead of giving an answer: with the original, or with a rewritten form only?
fn after_crash(partner: &mut Partner, mutant: &Mutant, tally: &mut Tally) -> Result<Verdict> {
    tally.crashes += 1;
    partner.restart()?;
    partner.send(&mutant.name, &mutant.bytes, &[])?;
    match partner.receive() {
        Ok(Verdict::Accepted(_)) => Ok(Verdict::Accepted(vec![(0, "the JVM ended".to_owned())])),
        Ok(verdict) => Ok(verdict),
        Err(_) => {
            partner.restart()?;
            Ok(Verdict::Refused)
        }
    }
}

fn judge(mutant: &Mutant, verdict: Verdict, tally: &mut Tally, findings: &Path) -> Result<()> {
    let mut found = Vec::new();
    if let Some(panic) = &mutant.panic {
        found.push(format!("the rewriter panicked: {panic}"));
    }
    if let Verdict::Accepted(refusals) = verdict {
        tally.accepted += 1;
        if mutant.forms.is_empty() {
            let why = match rewrite::rewrite(&mutant.name, &mutant.bytes, View::All) {
                Outcome::Skipped { reason, .. } => reason,
                _ => "panic",
            };
            *tally.left_alone.entry(why.to_owned()).or_default() += 1;
        } else {
            tally.rewritten += 1;
        }
        for (form, why) in refusals {
            let view = mutant.forms.get(form).map_or("", |(view, _)| view.name());
            found.push(format!("refused rewritten ({view}): {why}"));
        }
    }
    if found.is_empty() {
        return Ok(());
    }
    let file = findings.join(format!("{}.class", tally.mutants));
    fs::write(&file, &mutant.bytes).with_context(|| format!("cannot write {}", file.display()))?;
    for what in found {
        let line = format!("{} in {}: {what}", mutant.name, file.display());
        eprintln!("{line}");
        tally.findings.push(line);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_classfile::ClassFile;
    use jinsi_ground::repository;
    use jinsi_jdk::compile;

    /// The classes of a program that has all kinds of code.
    fn constructs() -> Vec<Seed> {
        let directory = tempfile::tempdir().unwrap();
        let source = repository::root().join("agent/instrument/tests/programs/Constructs.java");
        compile::javac(&Jdk::find(None).unwrap(), &[source], &[], directory.path()).unwrap();
        let files = fs::read_dir(directory.path()).unwrap();
        let mut seeds: Vec<Seed> = files
            .map(|file| fs::read(file.unwrap().path()).unwrap())
            .map(|bytes| Seed {
                name: rewrite::class_name(&bytes).unwrap(),
                bytes,
            })
            .collect();
        seeds.sort_by(|a, b| a.name.cmp(&b.name));
        seeds
    }

    #[test]
    fn damaged_classes_are_rewritten_or_left_alone() {
        let seeds = constructs();
        let mut numbers = Numbers::new(7);
        let (mut rewritten, mut left_alone) = (0, 0);
        for _ in 0..600 {
            let mutant = mutant(&seeds, &mut numbers);
            assert_eq!(mutant.panic, None, "{}", mutant.name);
            match mutant.forms.as_slice() {
                [] => left_alone += 1,
                forms => rewritten += forms.len(),
            }
            for (_, bytes) in &mutant.forms {
                let class = ClassFile::parse(bytes).unwrap();
                assert_eq!(&class.to_bytes().unwrap(), bytes);
            }
        }
        assert!(rewritten > 200, "{rewritten}");
        assert!(left_alone > 20, "{left_alone}");
    }

    #[test]
    fn a_refused_form_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let harness = Harness::new(Jdk::find(None).unwrap(), directory.path()).unwrap();
        let mut partner = Partner::start(&harness, "".as_ref()).unwrap();
        let mut seeds = constructs();
        let seed = seeds.remove(0);
        // Returns with nothing on the stack.
        let mut broken = ClassFile::parse(&seed.bytes).unwrap();
        let code = jinsi_classfile::Code {
            bytes: vec![jinsi_classfile::opcode::IRETURN],
            ..jinsi_classfile::Code::default()
        };
        let desc = "()I";
        jinsi_classfile::subst::add_method(&mut broken, 8, "broken", desc, &code).unwrap();
        let broken = broken.to_bytes().unwrap();
        let forms = [
            (View::All, seed.bytes.clone()),
            (View::Alone, broken.clone()),
        ];
        for (bytes, forms) in [(&seed.bytes, &forms[..]), (&broken, &[])] {
            partner.send(&seed.name, bytes, forms).unwrap();
        }
        match partner.receive().unwrap() {
            Verdict::Accepted(refusals) => {
                assert_eq!(refusals.len(), 1);
                assert_eq!(refusals[0].0, 1);
                assert!(refusals[0].1.contains("VerifyError"), "{refusals:?}");
            }
            Verdict::Refused => panic!("the original is refused"),
        }
        assert_eq!(partner.receive().unwrap(), Verdict::Refused);
    }

    #[test]
    fn the_same_seed_makes_the_same_mutants() {
        let seeds = constructs();
        let run = || {
            let mut numbers = Numbers::new(42);
            let bytes = (0..8).map(|_| mutant(&seeds, &mut numbers).bytes);
            bytes.collect::<Vec<_>>()
        };
        assert_eq!(run(), run());
    }
}

//! `cargo xtask bench questions`: how many questions it takes to find a defect.
//!
//! Table 1 of Hermanns and Kuchen ("JHyde - the Java hybrid debugger") again: five programs with containers, one changed line each, and a user
//! who knows what each call should have given. The user is the program without the change, which is asked the same.

mod corpus;
mod large;
mod mutants;
mod play;
mod report;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use clap::Args;
use jinsi_ground::commands;
use jinsi_ground::numbers::Numbers;
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile, process};

use jinsi_ground::report::Judged;
use large::Large;
use mutants::Mutant;
use report::{Program, QuestionFigures};

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of text
    #[arg(long)]
    json: bool,
    /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// Mutants are those of this number
    #[arg(long, value_name = "S", default_value_t = 34)]
    seed: u64,
    /// Ask about the bugs of the corpus instead, and the release in which each is repaired
    #[arg(long)]
    corpus: bool,
    /// With --corpus: the bugs that a rule drew, instead of those that were chosen
    #[arg(long, requires = "corpus")]
    blind: bool,
    /// Only this program, or with --corpus this bug (repeat it for several)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// With --corpus: record with this jinsi, with its agent beside it, instead of building one
    #[arg(long, value_name = "PATH", requires = "corpus")]
    jinsi: Option<PathBuf>,
    /// Calls of the large tree
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    calls: usize,
}

/// The programs: name, package, how many mutants the paper has.
const PROGRAMS: [(&str, &str, usize); 5] = [
    ("Avl", "avl", 10),
    ("Binary Tree", "bintree", 5),
    ("B Tree", "btree", 7),
    ("Heap sort", "heapsort", 5),
    ("Hash table", "hashtable", 5),
];

/// Time for a mutant: some do not end.
const LIMIT: Duration = Duration::from_secs(5);

/// What all of it needs.
struct EvaluationSetup {
    jdk: Jdk,
    jinsi: PathBuf,
    /// Classes of the replay worker.
    harness: PathBuf,
    work: tempfile::TempDir,
}

pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    if arguments.corpus {
        return corpus::run(arguments);
    }
    // First: what it takes is counted with all that the process has.
    let large = Large::of(arguments.calls, arguments.seed);
    let ground = EvaluationSetup::new(arguments)?;
    let mut programs = Vec::new();
    for (name, package, count) in PROGRAMS {
        if arguments.only.is_empty() || arguments.only.iter().any(|only| only == package) {
            programs.push(program(&ground, (name, package, count), arguments.seed)?);
        }
    }
    let java = ground.jdk.version().to_string();
    let figures = QuestionFigures::of((java, arguments.seed), programs, large);
    jinsi_ground::report::print(&Judged::of(figures), arguments.json)
}

impl EvaluationSetup {
    fn new(arguments: &Arguments) -> Result<Self> {
        let jdk = Jdk::find(arguments.java.as_deref())?;
        let work = tempfile::tempdir()?;
        let harness = work.path().join("harness");
        let sources = repository::java_sources("java-harness/replay/jinsi")?;
        compile::javac(&jdk, &sources, &[], &harness)?;
        let jinsi = commands::jinsi(arguments.jinsi.as_deref(), "release")?;
        Ok(Self {
            jdk,
            jinsi,
            harness,
            work,
        })
    }
}

/// A program in its own directory of classes.
struct Built {
    classes: PathBuf,
    output: String,
}

fn program(
    ground: &EvaluationSetup,
    of: (&'static str, &str, usize),
    seed: u64,
) -> Result<Program> {
    let (name, package, count) = of;
    let sources = repository::java_sources(&format!("tests/questions/{package}"))?;
    let mut texts = Vec::new();
    for source in &sources {
        let file = source.file_name().context("a source has a name")?;
        texts.push((
            file.to_string_lossy().into_owned(),
            fs::read_to_string(source)?,
        ));
    }
    let right = build(ground, package, &texts)?.context("the program itself does not run")?;
    let mut candidates: Vec<Mutant> = Vec::new();
    for (file, text) in texts.iter().filter(|(file, _)| file != "Main.java") {
        candidates.extend(mutants::of_source(file, text));
    }
    let mut numbers = Numbers::new(seed);
    let mut program = Program::new(name, candidates.len());
    while program.samples.len() < count && !candidates.is_empty() {
        let mutant = candidates.swap_remove(numbers.below(candidates.len()));
        let changed: Vec<(String, String)> = texts
            .iter()
            .map(|(file, text)| match mutant.file == Path::new(file) {
                true => (file.clone(), mutant.apply(text)),
                false => (file.clone(), text.clone()),
            })
            .collect();
        let Some(wrong) = build(ground, package, &changed)? else {
            program.unusable += 1;
            continue;
        };
        if wrong.output == right.output {
            program.unnoticed += 1;
            continue;
        }
        let sample = play::sample(ground, package, [&right.classes, &wrong.classes], mutant)?;
        program.samples.push(sample);
    }
    ensure!(program.samples.len() == count, "{name} has too few mutants");
    Ok(program)
}

/// Compiles and runs it; nothing if it does not compile or does not end.
fn build(
    ground: &EvaluationSetup,
    package: &str,
    texts: &[(String, String)],
) -> Result<Option<Built>> {
    let place = tempfile::tempdir_in(ground.work.path())?.keep();
    let mut sources = Vec::new();
    for (file, text) in texts {
        let source = place.join(file);
        fs::write(&source, text)?;
        sources.push(source);
    }
    let classes = place.join("classes");
    if compile::javac(&ground.jdk, &sources, &[], &classes).is_err() {
        return Ok(None);
    }
    let mut java = ground.jdk.command();
    java.arg("-cp").arg(&classes).arg(format!("{package}.Main"));
    let Ok(done) = process::run(&mut java, LIMIT) else {
        return Ok(None);
    };
    // Its recording would be of thousands of calls that all wait for each other.
    if done.stderr.contains("StackOverflowError") || done.stderr.contains("OutOfMemoryError") {
        return Ok(None);
    }
    let first = done.stderr.lines().next().unwrap_or_default();
    Ok(Some(Built {
        classes,
        output: done.stdout + first,
    }))
}

/// Records a program with its states.
fn record(ground: &EvaluationSetup, package: &str, classes: &Path) -> Result<PathBuf> {
    let trace = classes.with_file_name("run.jinsi");
    let observe = format!("{package}.*");
    let output = commands::record(&ground.jinsi, (&observe, "states"), &trace)
        .arg(ground.jdk.java())
        .arg("-cp")
        .arg(classes)
        .arg(format!("{package}.Main"))
        .output()
        .context("jinsi record")?;
    ensure!(trace.exists(), "no trace: {output:?}");
    Ok(trace)
}

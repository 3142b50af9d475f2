//! The programs that are stepped through: they do the same each time, in the thread that begins.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use jinsi_ground::bugs::{Bug, CHOSEN};
use jinsi_ground::{program_generator, repository};
use jinsi_jdk::{Jdk, compile};

/// Programs of `tests/programs`: directory, main class with arguments, and what the names of its classes begin with. Those are not among them that need
/// a library or several threads, ask for hash codes that a JVM draws, end in a class initializer, or go through millions of instructions.
const OURS: &[(&str, &str, &str)] = &[
    ("bst", "bst.Main", "bst."),
    ("chain", "chain.Main", "chain."),
    ("construction", "construction.Main", "construction."),
    ("family", "family.Main", "family."),
    ("fares", "fares.Main", "fares."),
    ("fields", "fields.Listings", "fields."),
    ("fields", "fields.Main", "fields."),
    ("gathered", "Gathered", "Gathered"),
    ("golden", "golden.Builders", "golden."),
    ("golden", "golden.Directions", "golden."),
    ("golden", "golden.Exceptions", "golden."),
    ("golden", "golden.Identities", "golden."),
    ("golden", "golden.PartialInformation", "golden."),
    ("golden", "golden.Situations", "golden."),
    ("golden", "golden.Truth", "golden."),
    ("grids", "grids.Grids", "grids."),
    ("handles", "handles.Main", "handles."),
    ("inheritance", "inheritance.ListingMain", "inheritance."),
    ("javata", "Example", "Example"),
    ("mergesort", "mergesort.MergeSort", "mergesort."),
    ("mocks", "mocks.app.Main", "mocks."),
    ("notices", "notices.Notices", "notices."),
    ("numberwriter", "numberwriter.LongerMain", "numberwriter."),
    ("numberwriter", "numberwriter.Main", "numberwriter."),
    ("omitted", "omitted.Filters", "omitted."),
    ("omitted", "omitted.Flawed", "omitted."),
    ("omitted", "omitted.Guards", "omitted."),
    ("omitted", "omitted.Lost", "omitted."),
    ("omitted", "omitted.Unset", "omitted."),
    ("patches", "patches.Main", "patches."),
    ("pointed", "pointed.Figures", "pointed."),
    ("postings", "postings.Main", "postings."),
    ("proxied", "proxied.Main", "proxied."),
    ("queried", "queried.Bank", "queried."),
    ("restored", "restored.Main", "restored."),
    ("secrets", "secrets.app.Main", "secrets."),
    ("shapes", "shapes.Main", "shapes."),
    ("shop", "shop.Main", "shop."),
    ("sliced", "sliced.Database", "sliced."),
    ("sliced", "sliced.Golden", "sliced."),
    ("sliced", "sliced.Held", "sliced."),
    ("sliced", "sliced.Potential", "sliced."),
    ("sliced", "sliced.Reported", "sliced."),
    ("small", "small.Main", "small."),
    ("spot", "spot.Main", "spot."),
    ("taken", "taken.Main", "taken."),
    ("tariff", "tariff.Main", "tariff."),
    ("till", "till.Main", "till."),
    ("traded", "traded.Main", "traded."),
    ("vending", "vending.Main", "vending."),
    ("wrapped", "wrapped.Main", "wrapped."),
    ("xmltree", "xmltree.Main", "xmltree."),
];

/// Bugs of the corpus, each of another library.
const BUGS: [&str; 10] = [
    "cli133", "codec89", "coll304", "csv219", "gson1013", "jax3", "jod3", "jsoup184", "lang412",
    "math904",
];

/// A program.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    /// Of ours: directory, main class with arguments, prefix of its classes.
    Ours(&'static str, &'static str, &'static str),
    /// Made by chance, of a seed.
    Made(u64),
    /// A bug of the corpus, by its package.
    Bug(&'static str),
}

/// A program as it is started.
#[derive(Debug)]
pub(super) struct Prepared {
    /// Its classes, and the libraries that it needs.
    pub(super) class_path: String,
    /// Main class and arguments.
    pub(super) main: String,
    /// What the names of the classes begin with that are stepped through.
    pub(super) prefix: String,
    /// Options of the JVM.
    pub(super) options: Vec<String>,
}

impl Subject {
    /// All of them, with so many that are made by chance.
    pub(super) fn all(made: u64) -> Vec<Self> {
        let ours = OURS.iter();
        let ours = ours.map(|&(directory, main, prefix)| Self::Ours(directory, main, prefix));
        let bugs = BUGS.map(Self::Bug);
        ours.chain((0..made).map(Self::Made)).chain(bugs).collect()
    }

    /// What it is called.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Ours(_, main, _) => (*main).to_owned(),
            Self::Made(seed) => format!("made by chance, seed {seed}"),
            Self::Bug(name) => format!("bug {name}"),
        }
    }

    /// Compiles it.
    pub(super) fn prepare(&self, jdk: &Jdk, place: &Path) -> Result<Prepared> {
        match self {
            Self::Ours(directory, main, prefix) => {
                let sources = repository::java_sources(&format!("tests/programs/{directory}"))?;
                let class_path = compiled(jdk, &sources, Vec::new(), place)?;
                Ok(prepared(class_path, main, prefix))
            }
            Self::Made(seed) => {
                let sources = program_generator::write(place, *seed)?;
                let class_path = compiled(jdk, &sources, Vec::new(), place)?;
                Ok(prepared(class_path, "made.Main", "made."))
            }
            Self::Bug(name) => bug(jdk, name, place),
        }
    }
}

fn prepared(class_path: String, main: &str, prefix: &str) -> Prepared {
    Prepared {
        class_path,
        main: main.to_owned(),
        prefix: prefix.to_owned(),
        options: Vec::new(),
    }
}

/// Stepped through is the library: a debugger's filter has one pattern, and the program that shows the bug is short.
fn bug(jdk: &Jdk, name: &str, place: &Path) -> Result<Prepared> {
    let bugs = Bug::wanted(CHOSEN, &[name.to_owned()])?;
    let bug = bugs.first().context("there is no such bug")?;
    let class_path = compiled(jdk, &bug.driver()?, bug.jars()?, place)?;
    let observed = bug.observe.split(':').next().unwrap_or_default();
    let prefix = observed
        .strip_suffix('*')
        .context("no pattern of a package")?;
    Ok(Prepared {
        options: bug.jvm_options(),
        ..prepared(class_path, &bug.main, prefix)
    })
}

/// Class path of a program.
fn compiled(
    jdk: &Jdk,
    sources: &[PathBuf],
    libraries: Vec<PathBuf>,
    place: &Path,
) -> Result<String> {
    let classes = place.join("classes");
    std::fs::create_dir(&classes)?;
    compile::javac(jdk, sources, &libraries, &classes)?;
    let all = std::env::join_paths(libraries.iter().chain([&classes]))?;
    all.into_string().ok().context("a path that is no text")
}

//! `cargo xtask bench where`: how soon one comes to the fault, looking at lines in the order of `jinsi where`.
//!
//! Table 6.3 of Wang's thesis again, with the programs of the Siemens suite written in Java; and bugs of the corpus whose repair is known.

mod corpus;
mod faults;
mod graph;
mod report;
mod siemens;
mod suite;
mod train;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile};
use jinsi_locate::Place;
use jinsi_locate::rank::{Clue, Kind, Weights};

use report::{Program, Report};

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of text
    #[arg(long)]
    json: bool,
    /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// Only this program of the Siemens suite, or `corpus`, or `suite`
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Also look for better weights, on every other fault; the others are what they are tested on
    #[arg(long)]
    train: bool,
}

/// What all of it needs.
struct Ground {
    jdk: Jdk,
    jinsi: PathBuf,
    /// Of the JVM.
    options: Vec<String>,
    work: tempfile::TempDir,
}

/// How many kinds of clues there are.
const KINDS: usize = Kind::ALL.len();
/// Kinds of clues that need other runs.
const OF_OTHERS: [Kind; 3] = [Kind::Difference, Kind::Guarded, Kind::Spectrum];

/// A failing run: what speaks for which line, and which lines are wrong.
struct Case {
    lines: Vec<([f64; KINDS], bool)>,
    /// Lines that there are.
    all: usize,
}

impl Case {
    fn new(clues: Vec<Clue>, wrong: impl Fn(&Place) -> bool, all: usize) -> Self {
        let mut lines: std::collections::BTreeMap<Place, [f64; KINDS]> = Default::default();
        for clue in clues {
            let strengths = lines.entry(clue.place).or_insert([0.0; KINDS]);
            let strength = &mut strengths[clue.kind as usize];
            *strength = strength.max(clue.strength);
        }
        let lines = lines.into_iter().map(|(place, s)| (s, wrong(&place)));
        Self {
            lines: lines.collect(),
            all,
        }
    }

    /// The rank of the first wrong line, at worst.
    fn rank(&self, weights: &Weights) -> usize {
        let score = |strengths: &[f64; KINDS]| -> f64 {
            strengths.iter().zip(&weights.0).map(|(s, w)| s * w).sum()
        };
        let scored = self.lines.iter().map(|(s, wrong)| (score(s), *wrong));
        let scored: Vec<(f64, bool)> = scored.collect();
        let wrong = scored.iter().filter(|(_, wrong)| *wrong).map(|(s, _)| *s);
        let Some(best) = wrong.max_by(f64::total_cmp).filter(|best| *best > 0.0) else {
            return self.all.max(1);
        };
        scored.iter().filter(|(score, _)| *score >= best).count()
    }
}

/// Without what needs other runs.
fn of_one_run(weights: &Weights) -> Weights {
    let mut single = weights.clone();
    for kind in OF_OTHERS {
        single.0[kind as usize] = 0.0;
    }
    single
}

/// Measures; `false` if a figure is not what it has to be.
///
/// # Errors
/// Something that is needed is not there.
pub fn run(arguments: &Arguments) -> Result<bool> {
    let jdk = Jdk::find(arguments.java.as_deref())?;
    let ground = Ground {
        jinsi: repository::build_jinsi()?,
        jdk,
        options: vec!["-Xss4m".to_owned(), "-XX:TieredStopAtLevel=1".to_owned()],
        work: tempfile::tempdir()?,
    };
    let is_wanted = |name: &str| arguments.only.as_deref().is_none_or(|only| only == name);
    let sources = repository::java_sources(siemens::DIRECTORY)?;
    compile::javac(
        &ground.jdk,
        &sources,
        &[],
        &ground.work.path().join("right"),
    )?;
    let mut programs = Vec::new();
    for program in siemens::PROGRAMS {
        if is_wanted(program.package) {
            let versions = program.versions(&ground)?;
            programs.push(Program::new(versions));
        }
    }
    let bugs = match is_wanted("corpus") {
        true => corpus::bugs(&ground)?,
        false => Vec::new(),
    };
    let suite = match is_wanted("suite") {
        true => Some(suite::suite(&ground)?),
        false => None,
    };
    let trained = arguments.train.then(|| train::train(&programs, &bugs));
    let report = Report::of(
        ground.jdk.version().to_string(),
        &programs,
        &bugs,
        (suite, trained),
    );
    report.print(arguments.json)?;
    Ok(report.holds)
}

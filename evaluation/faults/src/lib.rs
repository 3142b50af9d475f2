//! `cargo xtask bench where`: how soon one comes to the fault, looking at lines in the order of `jinsi where`.
//!
//! Table 6.3 of Wang's thesis again, with the programs of the Siemens suite written in Java; and bugs of the corpus whose repair is known.

mod corpus;
mod faults;
mod graph;
mod ranked;
mod report;
mod siemens;
mod suite;
mod train;
mod where_report;

use std::fs;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use jinsi_ground::repository;
use jinsi_jdk::{Jdk, compile};
use jinsi_locate::Place;
use jinsi_locate::rank::{Clue, Kind, Weights};
use jinsi_locate::solver::Solver;
use serde::{Deserialize, Serialize};

use jinsi_ground::report::{Judged, outline, print, print_or};
use ranked::Program;
use report::WhereFigures;

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of text
    #[arg(long)]
    json: bool,
    /// The JDK to use instead of JAVA_HOME or the `java` on the PATH: its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// Only this program of the Siemens suite, or all of them (`siemens`), or `corpus`, or `suite`
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// Also look for better weights, on every other library and program; the others are what they are tested on
    #[arg(long)]
    train: bool,
    /// Measure nothing, but train on the clues in these files, which --clues has written
    #[arg(long, value_name = "FILE", num_args = 1.., requires = "train")]
    from: Vec<PathBuf>,
    /// Turn no decision of the Siemens programs: it takes most of the time, and a JVM a failing run
    #[arg(long)]
    no_flip: bool,
    /// Keep what is compiled and recorded in this directory, and use what is there
    #[arg(long, value_name = "DIR")]
    work: Option<PathBuf>,
    /// Also write all clues to this file, as JSON: for those who try other weights
    #[arg(long, value_name = "FILE")]
    clues: Option<PathBuf>,
}

/// What all of it needs.
struct EvaluationSetup {
    jdk: Jdk,
    jinsi: PathBuf,
    /// Of the JVM.
    options: Vec<String>,
    work: PathBuf,
    /// Are decisions turned?
    flips: bool,
    /// Is there a solver that says which of them are possible?
    has_solver: bool,
    /// Holds it, unless it is kept.
    _temporary: Option<tempfile::TempDir>,
}

impl EvaluationSetup {
    fn of(arguments: &Arguments) -> Result<Self> {
        let temporary = match arguments.work {
            Some(_) => None,
            None => Some(tempfile::tempdir()?),
        };
        let work = match (&arguments.work, &temporary) {
            (Some(kept), _) => kept.clone(),
            (None, Some(temporary)) => temporary.path().to_owned(),
            (None, None) => PathBuf::new(),
        };
        fs::create_dir_all(&work)?;
        Ok(Self {
            jinsi: repository::build_jinsi()?,
            jdk: Jdk::find(arguments.java.as_deref())?,
            options: vec!["-Xss4m".to_owned(), "-XX:TieredStopAtLevel=1".to_owned()],
            work: work.canonicalize()?,
            flips: !arguments.no_flip,
            has_solver: Solver::start(where_report::SOLVER).is_ok(),
            _temporary: temporary,
        })
    }
}

/// How many kinds of clues there are.
const KINDS: usize = Kind::ALL.len();
/// Kinds of clues that need other runs.
const OF_OTHERS: [Kind; 6] = [
    Kind::Difference,
    Kind::Guarded,
    Kind::Spectrum,
    Kind::Way,
    Kind::Pair,
    Kind::Value,
];

/// A failing run: what speaks for which line, and which lines are wrong.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Case {
    lines: Vec<CaseLine>,
    /// Lines that there are.
    all: usize,
}

/// A line, with the strongest clue of each kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct CaseLine {
    class: String,
    line: u16,
    strengths: [f64; KINDS],
    wrong: bool,
}

impl Case {
    fn new(clues: Vec<Clue>, wrong: impl Fn(&Place) -> bool, all: usize) -> Self {
        let mut lines: std::collections::BTreeMap<Place, [f64; KINDS]> = Default::default();
        for clue in clues {
            let strengths = lines.entry(clue.place).or_insert([0.0; KINDS]);
            let strength = &mut strengths[clue.kind as usize];
            *strength = strength.max(clue.strength);
        }
        let lines = lines.into_iter().map(|(place, strengths)| CaseLine {
            wrong: wrong(&place),
            class: place.class,
            line: place.line,
            strengths,
        });
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
        let lines = self.lines.iter();
        let scored = lines.map(|line| (score(&line.strengths), line.wrong));
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
    if !arguments.from.is_empty() {
        let trained = train::train(&train::read(&arguments.from)?);
        print_or(&trained, arguments.json, || outline(&trained, &[]))?;
        return Ok(true);
    }
    let ground = EvaluationSetup::of(arguments)?;
    let only = arguments.only.as_deref();
    let is_wanted = |name: &str| only.is_none_or(|only| only == name);
    let sources = repository::java_sources(siemens::DIRECTORY)?;
    compile::javac(&ground.jdk, &sources, &[], &ground.work.join("right"))?;
    let mut programs = Vec::new();
    for program in siemens::PROGRAMS {
        if is_wanted(program.package) || only == Some("siemens") {
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
    let faults = train::faults(&programs, &bugs);
    let trained = arguments.train.then(|| train::train(&faults));
    if let Some(file) = &arguments.clues {
        train::write(file, faults)?;
    }
    let figures = WhereFigures::of(
        ground.jdk.version().to_string(),
        &programs,
        &bugs,
        (suite, trained),
    );
    print(&Judged::of(figures), arguments.json)
}

//! The seven programs of the Siemens suite, written in Java, with faults seeded into them (`evaluation/java/where`).

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::commands;
use jinsi_jdk::{compile, process};
use jinsi_locate::Place;
use jinsi_locate::align::{Aligner, closest};
use jinsi_locate::coverage::Coverage;
use jinsi_locate::look::{Question, Recording, look};
use jinsi_locate::rank::{Clue, Kind, Weights};
use jinsi_locate::record::runs;
use jinsi_locate::spans::Span;
use jinsi_locate::spectra::{Formula, worst_rank};
use jinsi_locate::statements::Statements;
use jinsi_steps::code::Program as Code;
use jinsi_trace::reader::Trace;

use super::faults::{self, Fault, Faulty};
use super::graph::LineGraph;
use super::where_report::WhereReport;
use super::{Case, EvaluationSetup};

/// Where the programs are.
pub(super) const DIRECTORY: &str = "evaluation/java/where/siemens";
/// Runs the inputs.
const DRIVER: &str = "siemens.Driver";
/// Time for all inputs of a version.
const LIMIT: Duration = Duration::from_secs(120);
/// Tests of a version that are recorded: failed and passed ones.
const MOST_FAILED: usize = 40;
const MOST_PASSED: usize = 200;
/// Failing runs of a version that are looked into.
const LOOKED_INTO: usize = 3;

/// What a run alone says by turning decisions.
const OF_TURNED: [Kind; 5] = [
    Kind::Flip,
    Kind::Because,
    Kind::Nearest,
    Kind::Avoid,
    Kind::Refuted,
];

/// A program of the suite.
pub(super) struct Program {
    /// Its package, below `siemens`.
    pub(super) package: &'static str,
    /// The class with the faults.
    class: &'static str,
    pub(super) faults: usize,
}

/// All of them.
pub(super) const PROGRAMS: [Program; 7] = [
    program("tcas", "Tcas", 41),
    program("schedule", "Schedule", 9),
    program("schedule2", "Schedule2", 10),
    program("print_tokens", "PrintTokens", 7),
    program("print_tokens2", "PrintTokens2", 10),
    program("replace", "Replace", 32),
    program("tot_info", "TotInfo", 23),
];

const fn program(package: &'static str, class: &'static str, faults: usize) -> Program {
    Program {
        package,
        class,
        faults,
    }
}

/// What came of a version.
pub(super) enum Version {
    /// No input fails, or all do; or it does not compile.
    Unusable(String),
    Looked(Looked),
}

/// A version that was looked into.
pub(super) struct Looked {
    pub(super) about: String,
    pub(super) failed: usize,
    pub(super) passed: usize,
    /// Lines with code.
    pub(super) lines: usize,
    /// By failing run: what speaks for which line.
    pub(super) cases: Vec<Case>,
    /// By failing run: the share of the code that one need not look at, by the difference to the nearest passing run.
    pub(super) by_difference: Vec<f64>,
    /// Branches in these reports.
    pub(super) reported: Vec<usize>,
    /// The same share, by the last decision with which turned the run succeeds.
    pub(super) by_turned: Vec<f64>,
    /// The same, if a solver says of it that it is possible: as APG. Nothing without a solver.
    pub(super) by_possible: Vec<f64>,
    pub(super) ochiai: usize,
}

impl Program {
    /// The file that has the faults.
    pub(super) fn source(&self) -> PathBuf {
        let directory = jinsi_ground::repository::root().join(DIRECTORY);
        directory
            .join(self.package)
            .join(format!("{}.java", self.class))
    }

    /// The source, and its faults.
    pub(super) fn read(&self) -> Result<(String, String)> {
        let source = self.source();
        let faults = source.with_file_name("faults.txt");
        let read =
            |file: &Path| fs::read_to_string(file).with_context(|| file.display().to_string());
        Ok((read(&source)?, read(&faults)?))
    }

    /// Is it a class that may have the fault?
    fn is_own(&self, class: &str) -> bool {
        let rest = class.strip_prefix("siemens.");
        let rest = rest.and_then(|rest| rest.strip_prefix(self.package)?.strip_prefix('.'));
        rest.and_then(|rest| rest.strip_prefix(self.class))
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    }

    /// All versions.
    pub(super) fn versions(&self, ground: &EvaluationSetup) -> Result<Vec<(String, Version)>> {
        let (source, faults) = self.read()?;
        let right = ground.work.join("right");
        let expected = ground.work.join(format!("{}.expected", self.package));
        run(
            ground,
            &[&right],
            &["expect", self.package, &text(&expected)],
        )?;
        let mut all = Vec::new();
        let faults = faults::parse(&faults)?;
        ensure!(faults.len() == self.faults, "{} faults", faults.len());
        for fault in faults {
            let faulty = fault.apply(&source)?;
            let place = ground.work.join(self.package).join(&fault.id);
            fs::create_dir_all(&place)?;
            let version = self.version(ground, (&place, &expected), (&fault, &faulty))?;
            all.push((format!("{} {}", self.package, fault.id), version));
        }
        Ok(all)
    }

    fn version(
        &self,
        ground: &EvaluationSetup,
        (place, expected): (&Path, &Path),
        (fault, faulty): (&Fault, &Faulty),
    ) -> Result<Version> {
        let right = ground.work.join("right");
        let source = place.join(format!("{}.java", self.class));
        fs::write(&source, &faulty.text)?;
        let classes = place.join("classes");
        let libraries = std::slice::from_ref(&right);
        if let Err(why) = compile::javac(&ground.jdk, &[source], libraries, &classes) {
            let why = why.to_string();
            let first = why
                .lines()
                .find(|line| line.contains("error"))
                .unwrap_or(&why);
            return Ok(Version::Unusable(format!("does not compile: {first}")));
        }
        let class_path = [classes.as_path(), &right];
        let verdicts = place.join("verdicts");
        if !verdicts.exists() {
            let arguments = ["check", self.package, &text(expected), &text(&verdicts)];
            run(ground, &class_path, &arguments)?;
        }
        let verdicts = fs::read_to_string(&verdicts)?;
        let numbers = |wanted: &str, most: usize| numbers(&verdicts, wanted, most);
        let (failed, passed) = (numbers("fail", MOST_FAILED), numbers("pass", MOST_PASSED));
        if failed.is_empty() || passed.is_empty() {
            let what = if failed.is_empty() { "fails" } else { "passes" };
            return Ok(Version::Unusable(format!("no input {what}")));
        }
        let chosen = place.join("numbers");
        let numbers = [passed, failed].concat();
        fs::write(&chosen, numbers.join("\n") + "\n")?;
        let file = text(&chosen);
        let arguments = ["run", self.package, &text(expected), &file];
        let trace = record(ground, self, (&class_path, "run.jinsi"), (&arguments, &[]))?;
        let alone = |which: usize| -> Result<Alone> {
            if !ground.flips {
                return Ok(Alone::default());
            }
            let number = &numbers[which];
            let arguments = ["one", self.package, &text(expected), number];
            let name = format!("one-{number}.jinsi");
            // What is not recorded is not run again: it would give what it gave.
            let around = ["siemens.Lines", "siemens.Check"];
            let trace = record(ground, self, (&class_path, &name), (&arguments, &around))?;
            let possible = ground
                .has_solver
                .then(|| WhereReport::possible(ground, &trace));
            Ok(Alone {
                turned: of_turned(&WhereReport::of(ground, &trace, None)?),
                possible: possible.transpose()?.as_ref().map(of_turned),
            })
        };
        let mut looked = self.look(&trace, faulty, &alone)?;
        looked.about.clone_from(&fault.about);
        let count = |wanted: &str| verdicts.lines().filter(|v| *v == wanted).count();
        (looked.failed, looked.passed) = (count("fail"), count("pass"));
        Ok(Version::Looked(looked))
    }

    /// `alone` has what turned decisions say of one of the failing runs, done by itself.
    fn look(
        &self,
        trace: &Path,
        faulty: &Faulty,
        alone: &dyn Fn(usize) -> Result<Alone>,
    ) -> Result<Looked> {
        let trace = Trace::open(trace)?;
        let code = Code::of(&trace);
        let mut spans = Span::calls(&trace, &code, DRIVER, "test")?;
        for span in &mut spans {
            span.test_class = Some(DRIVER.to_owned());
        }
        let failing: Vec<usize> = (0..spans.len())
            .filter(|at| spans[*at].failed.is_some())
            .collect();
        ensure!(!failing.is_empty(), "no recorded test failed");
        let step = failing.len().div_ceil(LOOKED_INTO).max(1);
        let failing: Vec<usize> = failing.into_iter().step_by(step).collect();
        let graph = LineGraph::of(&code, |method| self.is_own(&method.owner.replace('/', ".")));
        let wrong = |place: &Place| self.is_own(&place.class) && faulty.lines.contains(&place.line);
        let mut looked = Looked {
            about: String::new(),
            failed: 0,
            passed: 0,
            lines: graph.len(),
            cases: Vec::new(),
            by_difference: Vec::new(),
            reported: Vec::new(),
            by_turned: Vec::new(),
            by_possible: Vec::new(),
            ochiai: self.ochiai(&trace, &code, &spans, (&graph, &wrong))?,
        };
        for &which in &failing {
            let Alone { turned, possible } = alone(which)?;
            let share = |clues: &[Clue]| by_turned(clues, &graph, &wrong);
            looked.by_turned.push(share(&turned));
            looked.by_possible.extend(possible.as_deref().map(share));
            let clues = self.clues((&trace, &spans), which, turned)?;
            looked.cases.push(Case::new(clues, wrong, graph.len()));
        }
        self.differences(
            &trace,
            &code,
            (&spans, &failing),
            (&graph, &wrong),
            &mut looked,
        )?;
        Ok(looked)
    }

    /// What speaks for lines of the program in one of the failing runs.
    fn clues(
        &self,
        (trace, spans): (&Trace, &[Span]),
        which: usize,
        turned: Vec<Clue>,
    ) -> Result<Vec<Clue>> {
        let findings = look(Question {
            failing: Recording {
                trace,
                spans: spans.to_vec(),
            },
            which,
            criterion: None,
            others: Vec::new(),
            clues: turned,
            spectra: None,
            solver: None,
            weights: Weights::default(),
        })?;
        let lines = findings.lines.into_iter();
        let lines = lines.filter(|line| self.is_own(&line.ranked.place.class));
        Ok(lines.flat_map(|line| line.ranked.clues).collect())
    }

    /// The rank of the fault by Ochiai.
    fn ochiai(
        &self,
        trace: &Trace,
        code: &Code,
        spans: &[Span],
        (graph, wrong): (&LineGraph, &dyn Fn(&Place) -> bool),
    ) -> Result<usize> {
        let mut coverage = Coverage::new();
        coverage.add(trace, code, spans)?;
        let spectra = coverage.finish().0.lines_only();
        let suspicion = spectra.suspicion(Formula::Ochiai);
        let own = spectra.elements.iter().zip(suspicion);
        let own: Vec<(Place, f64)> = own
            .map(|(element, suspicion)| {
                let class = element.class.to_string();
                let line = element.line;
                (Place { class, line }, suspicion)
            })
            .filter(|(place, _)| self.is_own(&place.class))
            .collect();
        let suspicion: Vec<f64> = own.iter().map(|(_, suspicion)| *suspicion).collect();
        let ranks = (0..own.len()).filter(|at| wrong(&own[*at].0));
        let ranks = ranks.map(|at| worst_rank(&suspicion, at));
        Ok(ranks.min().unwrap_or(graph.len()))
    }

    /// Reports by the difference to the nearest passing run alone.
    fn differences(
        &self,
        trace: &Trace,
        code: &Code,
        (spans, failing): (&[Span], &[usize]),
        (graph, wrong): (&LineGraph, &dyn Fn(&Place) -> bool),
        looked: &mut Looked,
    ) -> Result<()> {
        let mut statements = Statements::default();
        let made = runs(trace, code, spans, &mut statements)?;
        let passing = || {
            let all = made.iter().zip(spans);
            all.filter(|(_, span)| span.failed.is_none())
                .map(|(run, _)| run)
        };
        let all: Vec<Place> = graph
            .places()
            .filter(|place| wrong(place))
            .cloned()
            .collect();
        for &which in failing {
            let aligner = Aligner::new(&made[which]);
            let Some((_, difference)) = closest(&aligner, passing()) else {
                continue;
            };
            let events = difference.events().iter();
            let mut report: Vec<Place> = events
                .map(|no| statements.get(made[which].event(*no).statement).place())
                .filter(|place| self.is_own(&place.class))
                .collect();
            report.dedup();
            let score = match difference.is_same() {
                true => 0.0,
                false => (graph.looked_at(&report, &all))
                    .map_or(0.0, |seen| 1.0 - seen as f64 / graph.len() as f64),
            };
            looked.by_difference.push(score);
            looked.reported.push(report.len());
        }
        Ok(())
    }
}

/// The numbers of so many inputs with this verdict, spread over all of them.
fn numbers(verdicts: &str, wanted: &str, most: usize) -> Vec<String> {
    let all = verdicts.lines().enumerate();
    let all: Vec<usize> = all
        .filter(|(_, v)| *v == wanted)
        .map(|(no, _)| no)
        .collect();
    let step = all.len().div_ceil(most).max(1);
    all.iter().step_by(step).map(usize::to_string).collect()
}

/// What turned decisions say of a failing run by itself.
#[derive(Default)]
struct Alone {
    turned: Vec<Clue>,
    /// Without those that a solver says no state of the program does.
    possible: Option<Vec<Clue>>,
}

fn of_turned(reported: &WhereReport) -> Vec<Clue> {
    let clues = reported.lines.iter().flat_map(|line| line.clues());
    clues
        .filter(|clue| OF_TURNED.contains(&clue.kind))
        .collect()
}

/// The share of the code that one need not look at from the last decision with which turned the run succeeds, or, if that is not possible, from the
/// others with which it does; nothing is reported if there is none.
fn by_turned(clues: &[Clue], graph: &LineGraph, wrong: &dyn Fn(&Place) -> bool) -> f64 {
    let of = |kind: Kind| -> Vec<Place> {
        let clues = clues.iter().filter(|clue| clue.kind == kind);
        clues.map(|clue| clue.place.clone()).collect()
    };
    let mut report = of(Kind::Nearest);
    if report.is_empty() {
        report = of(Kind::Flip);
    }
    let all: Vec<Place> = graph.places().filter(|at| wrong(at)).cloned().collect();
    let seen = graph.looked_at(&report, &all);
    seen.map_or(0.0, |seen| 1.0 - seen as f64 / graph.len() as f64)
}

pub(super) fn text(path: &Path) -> String {
    path.display().to_string()
}

pub(super) fn java(
    ground: &EvaluationSetup,
    class_path: &[&Path],
    arguments: &[&str],
) -> Result<Vec<String>> {
    let class_path = std::env::join_paths(class_path)?;
    let mut all = vec!["-cp".to_owned(), class_path.to_string_lossy().into_owned()];
    all.extend(ground.options.iter().cloned());
    all.push(DRIVER.to_owned());
    all.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    Ok(all)
}

pub(super) fn run(
    ground: &EvaluationSetup,
    class_path: &[&Path],
    arguments: &[&str],
) -> Result<()> {
    let mut command = ground.jdk.command();
    command.args(java(ground, class_path, arguments)?);
    let done = process::run(&mut command, LIMIT)?;
    ensure!(done.status.success(), "{arguments:?}: {}", done.stderr);
    Ok(())
}

fn record(
    ground: &EvaluationSetup,
    program: &Program,
    (class_path, name): (&[&Path], &str),
    (arguments, around): (&[&str], &[&str]),
) -> Result<PathBuf> {
    let trace = class_path[0].with_file_name(name);
    if trace.exists() {
        return Ok(trace);
    }
    let own = format!("siemens.{}.*", program.package);
    let observed = [&[own.as_str(), DRIVER], around].concat().join(":");
    let mut command = commands::record(&ground.jinsi, (&observed, "instructions"), &trace);
    command
        .arg(ground.jdk.java())
        .args(java(ground, class_path, arguments)?);
    let done = process::run(&mut command, LIMIT)?;
    ensure!(trace.exists(), "no trace: {}", done.stderr);
    Ok(trace)
}

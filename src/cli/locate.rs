//! `jinsi where`: the lines of the program, ranked by all that speaks for them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jinsi_analysis::pipeline::{Run, Steps, tests_named};
use jinsi_analysis::report::json::Report;
use jinsi_analysis::report::suspects;
use jinsi_files::private;
use jinsi_files::temporary;
use jinsi_locate::forms::{console, gitlab, gzoltar, jacoco, markdown, sarif};
use jinsi_locate::look::{Findings, FoundLine, Question, Recording, look};
use jinsi_locate::rank::{Clue, Weights};
use jinsi_locate::solver::{NoSolver, Solver};
use jinsi_locate::spans::Span;
use jinsi_slice::criterion::Criterion;
use jinsi_slice::sources::Sources;
use jinsi_trace::reader::Trace;

use super::advice::{self, Step};
use super::damage::{self, Named};
use super::embedded::agent_library;
use super::messages::{self, NoAnswer, NoFailure, Remark, Way};
use super::mistyped;
use super::output::{Output, note};
use super::past::with_instructions;
use super::prepared::ReplayOptions;
use super::progress::Spinner;
use super::slice::{damaged, write};

/// Lines that are printed.
const SHOWN: usize = 10;
/// Tests that are named where one has to be chosen.
const MOST_NAMED: usize = 8;

const EXAMPLES: &str = "\
Examples:
  jinsi where run.jinsi                                 one failing run: what its failure depends on
  jinsi where run.jinsi --passing ok1.jinsi ok2.jinsi   and what it did otherwise than the nearest of these
  jinsi where suite.jinsi --test FooTest.parses         a recorded suite: its other tests are what it is compared with
  jinsi where run.jinsi --report report                 and what is left of the run by 'jinsi minimize'
  jinsi where run.jinsi --markdown where.md             a table, for the summary of a step or a comment

Instructions are needed (detail=instructions). A recording without them is replayed first, strictly; the replay is kept beside it.";

/// Arguments of `where`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The trace of the failing run, or of a suite with failed tests
    #[arg(value_name = "FILE")]
    trace: PathBuf,
    /// Traces of runs that passed; of suites, all their tests
    #[arg(long, value_name = "FILE", num_args = 1..)]
    passing: Vec<PathBuf>,
    /// The failed test of a suite that is looked into (default: the first)
    #[arg(long, value_name = "NAME")]
    test: Option<String>,
    /// What went wrong, if it is not the failure: CLASS:LINE[:VAR][#OCCURRENCE]
    #[arg(long, value_name = "PLACE")]
    at: Option<Criterion>,
    /// Directory of the report that 'jinsi minimize' has made of the run: what its slices hold counts, too
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    /// Directory with GZoltar's matrix.txt, spectra.csv and tests.csv: they count instead of what the traces cover
    #[arg(long, value_name = "DIR")]
    spectra: Option<PathBuf>,
    /// Directory of sources, above the packages; may be repeated
    #[arg(long, value_name = "DIR")]
    source: Vec<PathBuf>,
    /// Lines that are printed; the documents have more
    #[arg(long, value_name = "N", default_value_t = SHOWN)]
    lines: usize,
    /// Also write the lines to this file as a SARIF document, with ranks
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
    /// Also write the lines to this file as Markdown: a comment, or the summary of a step
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Also write the lines to this file as GitLab's code quality report
    #[arg(long, value_name = "FILE")]
    code_quality: Option<PathBuf>,
    /// Also write what the runs cover below this directory, as GZoltar's matrix, spectra and rankings
    #[arg(long, value_name = "DIR")]
    gzoltar: Option<PathBuf>,
    /// Also write what all runs together cover to this file, as JaCoCo's XML report
    #[arg(long, value_name = "FILE")]
    jacoco: Option<PathBuf>,
    /// Run nothing: do not try what would have come of it had a decision been another
    #[arg(long)]
    no_flip: bool,
    /// Also compare with runs of the same with slightly other arguments, as far as they do not fail
    #[arg(long)]
    perturb: bool,
    /// Ask this SMT solver, such as z3, whether the program may go the ways that turned decisions lead to
    #[arg(long, value_name = "PROGRAM", conflicts_with = "no_flip")]
    solver: Option<String>,
    #[command(flatten)]
    replay: ReplayOptions,
}

/// A trace with instructions, its parts, and the directory that holds it if it is of a replay.
struct Opened {
    trace: Trace,
    spans: Vec<Span>,
    steps: Steps,
    _directory: Option<temporary::Directory>,
}

impl Opened {
    fn open(path: &Path, recorded: Trace, replay: &ReplayOptions) -> Result<Self> {
        if !recorded.marks().is_empty() && !jinsi_slice::has_instructions(&recorded) {
            return Err(advice::error(
                NoAnswer::OfSuite,
                vec![
                    Step::new(
                        Way::OfReport,
                        format!("jinsi minimize {}", advice::path(path)),
                    ),
                    Step::new(Way::RecordedAnew, "mvn test -Djinsi.detail=instructions"),
                ],
            ));
        }
        let opened = with_instructions(recorded, path, replay)?;
        let steps = opened.steps();
        let (trace, _, directory) = opened.into_parts();
        let mut spans = Span::tests(&trace)?;
        if spans.is_empty() {
            let whole = Span::whole(&trace, &path.display().to_string());
            spans.extend(whole);
        }
        Ok(Self {
            trace,
            spans,
            steps,
            _directory: directory,
        })
    }

    fn is_of_suite(&self) -> bool {
        self.spans.iter().any(|span| span.test_class.is_some())
    }

    fn recording(&self, spans: Vec<Span>) -> Recording<'_> {
        Recording {
            trace: &self.trace,
            spans,
        }
    }
}

pub(crate) fn run(args: &Args, out: &Output) -> Result<bool> {
    let recorded = Trace::open(&args.trace)?;
    let damaged = damaged(&recorded, args.at.is_none());
    let findings = damage::named(found(args, recorded), || damaged.clone())?;
    let mut sources = Sources::new(&args.source);
    documents(args, &findings, &mut sources)?;
    out.result(&Named::new(&findings, &damaged), |to| {
        console::print(&findings, args.lines, |line| text(&mut sources, line), to)?;
        damage::print(&damaged, to)
    })?;
    Ok(true)
}

fn found(args: &Args, recorded: Trace) -> Result<Findings> {
    let opened = Opened::open(&args.trace, recorded, &args.replay)?;
    let which = which(args, &opened)?;
    let mut others = Vec::new();
    for path in &args.passing {
        let trace = Trace::open(path)?;
        others.push(Opened::open(path, trace, &args.replay)?);
    }
    others.extend(perturbed(args, &opened));
    let passing = others.iter().map(|other| {
        let passed = other.spans.iter().filter(|span| span.failed.is_none());
        other.recording(passed.cloned().collect())
    });
    let mut spans = opened.spans.clone();
    if args.at.is_some() && spans[which].failed.is_none() {
        // Something went wrong all the same: 0 is no object.
        spans[which].failed = Some(0);
    }
    let spectra = args.spectra.as_deref().map(gzoltar::read).transpose()?;
    let mut clues = match &args.report {
        Some(directory) => of_report(directory)?,
        None => Vec::new(),
    };
    clues.extend(switched(args, &opened));
    let question = Question {
        failing: opened.recording(spans),
        which,
        criterion: args.at.clone(),
        others: passing.collect(),
        clues,
        spectra,
        solver: solver(args),
        weights: Weights::default(),
    };
    let _spinner = Spinner::new("looking");
    look(question).map_err(|error| mistyped::advised(error.into(), &opened.trace))
}

/// What turned decisions say: of a run of its own whose failure is the recorded one.
fn switched(args: &Args, opened: &Opened) -> Vec<Clue> {
    if args.no_flip || args.at.is_some() || opened.is_of_suite() {
        return Vec::new();
    }
    let _spinner = Spinner::new("turning decisions");
    let switched = || -> Result<Vec<Clue>> {
        let run = Run::open(&args.trace)?;
        let prepared = args.replay.prepare(None)?;
        Ok(run.switched(&opened.trace, opened.steps, &prepared.config)?)
    };
    switched().unwrap_or_else(|why| {
        note(Remark::NotTurned {
            why: format!("{why:#}"),
        });
        Vec::new()
    })
}

/// Runs near the failing one that pass.
fn perturbed(args: &Args, opened: &Opened) -> Vec<Opened> {
    if !args.perturb || opened.is_of_suite() {
        return Vec::new();
    }
    let _spinner = Spinner::new("trying other arguments");
    let perturbed = || -> Result<Vec<Opened>> {
        let run = Run::open(&args.trace)?;
        let prepared = args.replay.prepare(None)?;
        let found = run.perturbed(&prepared.config, &agent_library()?)?;
        let mut all = Vec::new();
        for (no, (file, directory)) in (1..).zip(found) {
            let trace = Trace::open(&file)?;
            let span = Span::whole(&trace, &format!("perturbed run {no}"));
            all.push(Opened {
                spans: span.into_iter().collect(),
                trace,
                steps: Steps::Recorded,
                _directory: Some(directory),
            });
        }
        ensure!(!all.is_empty(), NoAnswer::NothingPasses.to_string());
        Ok(all)
    };
    perturbed().unwrap_or_else(|why| {
        note(Remark::NoOtherPasses {
            why: format!("{why:#}"),
        });
        Vec::new()
    })
}

/// The solver that is to be asked, if it is there.
fn solver(args: &Args) -> Option<Solver> {
    let started = Solver::start(args.solver.as_deref()?);
    let missing = |why: NoSolver| {
        note(Remark::NoSolver {
            why: why.to_string(),
        })
    };
    started.map_err(missing).ok()
}

/// Which of the parts is looked into.
fn which(args: &Args, opened: &Opened) -> Result<usize> {
    ensure!(
        !opened.spans.is_empty(),
        NoAnswer::NothingRan {
            path: args.trace.display()
        }
        .to_string()
    );
    if !opened.is_of_suite() {
        ensure!(
            args.test.is_none(),
            NoAnswer::NoSuite {
                path: args.trace.display()
            }
            .to_string()
        );
        return Ok(0);
    }
    let failed = opened
        .spans
        .iter()
        .enumerate()
        .filter(|(_, span)| span.failed.is_some());
    let failed: Vec<(usize, &str)> = failed.map(|(at, span)| (at, span.name.as_str())).collect();
    let names: Vec<&str> = failed.iter().map(|(_, name)| *name).collect();
    let step = |name: &&str| {
        let (trace, name) = (advice::path(&args.trace), advice::quoted(name.as_ref()));
        Step::new(Way::ThereIs, format!("jinsi where {trace} --test {name}"))
    };
    let steps = || {
        names
            .iter()
            .take(MOST_NAMED)
            .map(step)
            .collect::<Vec<Step>>()
    };
    let wanted = match &args.test {
        Some(wanted) => {
            let found = tests_named(&names, wanted);
            found.map_err(|refused| advice::error(refused.to_string(), steps()))?[0]
        }
        None => *names.first().context(NoFailure::NoFailedTest)?,
    };
    if args.test.is_none() && names.len() > 1 {
        note(Remark::FirstOf {
            count: names.len(),
            test: wanted,
        });
    }
    let at = failed.iter().find(|(_, name)| *name == wanted);
    Ok(at.map_or(0, |(at, _)| *at))
}

/// What the slices of a report hold: lines on which what is left of the run depends.
fn of_report(directory: &Path) -> Result<Vec<Clue>> {
    let file = directory.join("report.json");
    let report = Report::read(&file).with_context(|| messages::unread(&file));
    let report = report.map_err(|error| {
        let minimize = format!("jinsi minimize FILE --out {}", advice::path(directory));
        advice::error(
            advice::text(&error),
            vec![Step::new(Way::ReportBy, minimize)],
        )
    })?;
    Ok(suspects::clues(&report))
}

/// What goes into files.
fn documents(args: &Args, findings: &Findings, sources: &mut Sources<'_>) -> Result<()> {
    if let Some(file) = &args.sarif {
        write(
            file,
            &serde_json::to_string_pretty(&sarif::document(findings))?,
        )?;
    }
    if let Some(file) = &args.markdown {
        let text = markdown::document(findings, |line| text(sources, line));
        write(file, &text)?;
    }
    if let Some(file) = &args.code_quality {
        let root = args.source.first().map(|root| root.display().to_string());
        let document = gitlab::document(findings, root.as_deref().unwrap_or_default());
        write(file, &serde_json::to_string_pretty(&document)?)?;
    }
    if let Some(file) = &args.jacoco {
        write(file, &jacoco::document(&findings.methods, &findings.run))?;
    }
    if let Some(directory) = &args.gzoltar {
        private::create_dir_all(directory).with_context(|| messages::uncreated(directory))?;
        for (name, text) in gzoltar::files(&findings.spectra) {
            write(&directory.join(name), &text)?;
        }
    }
    Ok(())
}

fn text(sources: &mut Sources<'_>, line: &FoundLine) -> Option<String> {
    let place = &line.ranked.place;
    let text = sources.text_at(&place.class, line.file.as_deref()?, place.line)?;
    Some(text.trim().to_owned())
}

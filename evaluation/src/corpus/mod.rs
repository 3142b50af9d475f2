//! Real bugs of released libraries, from one failing run to a minimal test: the thesis' tables 9.3 and 9.4 for `tests/corpus`.

mod debug;
pub(crate) mod fixed;
mod form;
mod gallery;
mod levels;
mod minimal;
mod non_crashing;
mod other;
mod repaired;
mod report;
mod slice_summary;
mod slices;
mod summary;
mod surefire;
mod table;

use std::path::PathBuf;

use anyhow::Result;
use jinsi_ground::bugs::{BLIND, Bug, CHOSEN};
use jinsi_ground::report::{print, write};
use jinsi_ground::{doctor, repository};
use jinsi_jdk::Jdk;

use debug::Debugger;
use form::FormRow;
use minimal::Checker;
use other::OtherRow;
use report::CorpusReport;
use slices::Slices;
use table::BugRow;

/// Bugs that are quickly done: the sample of `cargo xtask test`.
const SAMPLE: [&str; 4] = ["CLI-133", "COMPRESS-178", "LANG-346", "MATH-369"];

/// What is run, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Only these bugs, by id or directory (repeat it for several)
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Only a few bugs that are quickly done
    #[arg(long, conflicts_with = "only")]
    sample: bool,
    /// The bugs that a rule drew, instead of those that were chosen
    #[arg(long, conflicts_with = "sample")]
    blind: bool,
    /// JDK to record, replay and test with (default: the oldest found): its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// Minimize each recording with this JDK, too, and compare what comes of it
    #[arg(long, value_name = "PATH")]
    minimize_java: Option<PathBuf>,
    /// Record each bug at the boundary, too, and compare what comes of it
    #[arg(long, value_name = "DETAIL", value_parser = ["boundary"])]
    detail: Option<String>,
    /// Write the JSON document to this file, too, again after every bug
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw ten bugs, and write a page with their recommended tests
    #[arg(long, value_name = "FILE", requires = "blind", conflicts_with = "only")]
    gallery: Option<PathBuf>,
    /// Take each interaction that is left out once more, and see that the failure goes away
    #[arg(long)]
    check_minimal: bool,
    /// Have Maven Surefire run the written tests in a fresh project with JUnit, Mockito and the library
    #[arg(long)]
    surefire: bool,
    /// Enough bugs must have a test that passes with the release in which they are repaired
    #[arg(long)]
    repaired: bool,
    /// Compile the written tests with all warnings on each JDK, and have Checkstyle and google-java-format judge them
    #[arg(long)]
    form: bool,
    /// Minimize by plain and by probabilistic delta debugging as well: no bug may need more tests than the former
    #[arg(long)]
    ddmin: bool,
    /// Version of JUnit that the tests are written for
    #[arg(long, value_name = "VERSION", default_value_t = 5, value_parser = clap::value_parser!(u32).range(4..=5))]
    junit: u32,
    /// JVMs to replay on (default: as jinsi chooses)
    #[arg(long, value_name = "COUNT")]
    workers: Option<u16>,
    /// Use jinsi as `cargo test` has built it, instead of the release profile
    #[arg(long)]
    dev: bool,
}

/// Runs the corpus; false if something that has to hold of a bug, or of all together, does not.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let names = match arguments.sample {
        true => SAMPLE.map(str::to_owned).to_vec(),
        false => arguments.only.clone(),
    };
    let place = if arguments.blind { BLIND } else { CHOSEN };
    let whole = names.is_empty() && !arguments.blind && arguments.gallery.is_none();
    let mut bugs = Bug::wanted(place, &names)?;
    if arguments.gallery.is_some() {
        bugs = gallery::draw(bugs);
    }
    let debugger = debugger(arguments, place)?;
    let checker = arguments
        .check_minimal
        .then(|| Checker::new(&debugger.jdk, &debugger.compiler))
        .transpose()?;
    let version = debugger.jdk.version().to_string();
    let report_of = |rows| {
        let report = CorpusReport::new(version.clone(), rows, whole);
        let report = report.beside(debugger.other_jdk.as_ref());
        report.with_boundary(debugger.boundary, arguments.blind)
    };
    let mut report = report_of(Vec::new());
    eprint!("{}", CorpusReport::head());
    for bug in &bugs {
        if !bug.java.has(debugger.jdk.version().feature) {
            eprintln!("{:<20} does not show on this Java", bug.id);
            continue;
        }
        let mut row = one(&debugger, checker.as_ref(), arguments.surefire, bug);
        if arguments.form {
            judge_form(&mut row, bug, &debugger);
        }
        eprint!("{}", row.text());
        let mut rows = report.bugs;
        rows.push(row);
        report = report_of(rows);
        if let Some(file) = &arguments.out {
            write(&report, file)?;
        }
    }
    if let Some(file) = &arguments.gallery {
        let rows = report.bugs.iter();
        let of = |row: &BugRow| bugs.iter().find(|bug| bug.id == row.id);
        gallery::write(
            file,
            rows.filter_map(|row| Some((of(row)?, row))),
            &debugger,
        )?;
    }
    // Of bugs that were drawn, what is not found is a result.
    let holds = print(&report, arguments.json)? || arguments.blind;
    let other = report.other_jdk.as_ref();
    Ok(holds
        && report.form.as_ref().is_none_or(|form| form.holds)
        && (!arguments.repaired || report.repaired.holds)
        && other.is_none_or(|other| other.holds)
        && report.boundary.as_ref().is_none_or(|all| all.holds))
}

/// What runs the bugs of a place.
fn debugger(arguments: &Arguments, place: &str) -> Result<Debugger> {
    let compiler = doctor::jdk_or_oldest(None)?;
    let named = |path: &Option<PathBuf>| path.as_ref().map(|p| Jdk::find(Some(p))).transpose();
    Ok(Debugger {
        jinsi: repository::build_jinsi_in(if arguments.dev { "dev" } else { "release" })?,
        out: repository::root()
            .join("target")
            .join(place.trim_start_matches("tests/")),
        jdk: named(&arguments.java)?.unwrap_or_else(|| compiler.clone()),
        other_jdk: named(&arguments.minimize_java)?,
        boundary: arguments.detail.is_some(),
        compiler,
        ddmin: arguments.ddmin,
        junit: arguments.junit,
        workers: arguments.workers,
    })
}

fn one(debugger: &Debugger, checker: Option<&Checker>, surefire: bool, bug: &Bug) -> BugRow {
    let debugged = match debugger.debug(bug) {
        Ok(debugged) => debugged,
        Err(error) => return BugRow::failed(bug, format!("{error:#}")),
    };
    let minimal = checker
        .map(|checker| checker.check(bug, &debugged.trace(), &debugged.report))
        .transpose();
    let mut row = match minimal {
        Ok(minimal) => BugRow::new(bug, &debugged.report, &minimal.unwrap_or_default()),
        Err(error) => {
            return BugRow::failed(bug, format!("checking that it is minimal: {error:#}"));
        }
    };
    match slices::source_lines(&debugger.compiler, bug) {
        Ok(lines) => row.slices = Slices::of(bug, &debugged.report, lines),
        Err(error) => row.error = Some(format!("the library's lines: {error:#}")),
    }
    if surefire {
        match surefire::check(bug, &debugged, debugger) {
            Ok(verdicts) => row.set_surefire(verdicts),
            Err(error) => row.error = Some(format!("Surefire: {error:#}")),
        }
    }
    let other_jdk = debugger.other_jdk.as_ref();
    if let Some(jdk) = other_jdk.filter(|jdk| bug.java.has(jdk.version().feature)) {
        row.other_jdk = Some(OtherRow::of(debugger, jdk, bug, &debugged));
    }
    if debugger.boundary {
        row.boundary = Some(OtherRow::at_boundary(debugger, bug, &debugged));
    }
    if row.error.is_none() {
        match fixed::flips(bug, &debugged, debugger) {
            Ok(flips) => row.set_flips(flips),
            Err(error) => row.error = Some(format!("with the repaired release: {error:#}")),
        }
    }
    row
}

/// Notes the form of the bug's tests.
fn judge_form(row: &mut BugRow, bug: &Bug, debugger: &Debugger) {
    if row.error.is_some() {
        return;
    }
    match form_of(bug, debugger) {
        Ok(form) => row.form = Some(form),
        Err(error) => row.error = Some(format!("the tests' form: {error:#}")),
    }
}

/// The form of the tests of a bug that was minimized.
fn form_of(bug: &Bug, debugger: &Debugger) -> Result<FormRow> {
    let mut jdks = doctor::usable_jdks()?;
    jdks.sort_by_key(|jdk| jdk.version().feature);
    form::check(bug, &debugger.debugged(bug)?, &jdks)
}

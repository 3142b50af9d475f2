//! Any suite: small defects in published libraries, and what jinsi makes of the libraries' own tests that fail by them, at its default.
//!
//! A list of libraries comes from outside; nothing here knows one of them. Each is resolved with what its tests need (`libraries`, `resolve`,
//! `publisher`, `engines`) and laid out as its build has it (`site`). Its tests run (`jvm`, `outcomes`), and the seed draws instructions that they
//! execute (`places`) and a defect for each (`operators`). The class of a test that fails is recorded and minimized as the Maven plugin does it
//! (`minimized`, `answer`), and the recommended test is run with the defect and without it (`kept`). What came of it is added up (`report`, `causes`).
//!
//! The same is done with one small program beside other agents and tools in its JVM ([`neighbours`]).

mod answer;
mod causes;
mod engines;
mod jvm;
mod kept;
mod left;
mod libraries;
mod measured;
mod minimized;
pub mod neighbours;
mod operators;
mod outcomes;
mod places;
mod publisher;
mod report;
mod resolve;
mod site;

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jinsi_ground::report::{print, write};
use jinsi_ground::{doctor, repository};
use jinsi_jdk::Jdk;
use jinsi_trace::model::Detail;

use libraries::Library;
use measured::Measure;
use minimized::Jinsi;
use report::SuitesReport;
use site::Tools;

/// What is measured, and how.
#[derive(clap::Args)]
pub struct Arguments {
    /// The libraries: group:artifact:version a line, each with a jar of tests (classifier `tests`); `#` begins a comment
    #[arg(long, value_name = "FILE")]
    libraries: PathBuf,
    /// Draws the places and defects: the same seed, the same ones
    #[arg(long, value_name = "N")]
    seed: u64,
    /// Defects in each library
    #[arg(long, value_name = "M", default_value_t = 20)]
    mutants: usize,
    /// How much is recorded
    #[arg(long, value_name = "D", default_value = "boundary")]
    detail: Detail,
    /// Print one JSON document on stdout, and nothing else there
    #[arg(long)]
    json: bool,
    /// Only libraries whose coordinates have this in them (repeat it for several)
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Seconds for a test class; what takes longer is left out
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    limit_seconds: u64,
    /// Seconds for all tests of a library, without probes; test classes that are not run by then are left out
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    suite_seconds: u64,
    /// Seconds for `jinsi minimize` of a failing class
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    minimize_seconds: u64,
    /// Leave what was made of each library in target/suites, recordings included
    #[arg(long)]
    keep_work: bool,
    /// Record and minimize the failures once more that the last run with --keep-work left; nothing is drawn
    #[arg(long)]
    again: bool,
    /// JDK for all of it (default: the oldest found): its home directory or its `java` program
    #[arg(long, value_name = "PATH")]
    java: Option<PathBuf>,
    /// A `jinsi` command with `libjinsi.so` beside it (default: the release profile is built)
    #[arg(long, value_name = "FILE")]
    jinsi: Option<PathBuf>,
}

/// Measures; false if a goal is missed, or the list is too short for one.
///
/// # Errors
/// The list cannot be read, or a tool is missing.
pub fn run(arguments: &Arguments) -> Result<bool> {
    print(&measure(arguments)?, arguments.json)
}

fn measure(arguments: &Arguments) -> Result<SuitesReport> {
    let list = &arguments.libraries;
    let text =
        fs::read_to_string(list).with_context(|| format!("cannot read {}", list.display()))?;
    let libraries = wanted(libraries::parse(&text)?, &arguments.only)?;
    let jdk = match &arguments.java {
        Some(path) => Jdk::find(Some(path))?,
        None => oldest()?,
    };
    let command = match &arguments.jinsi {
        Some(command) => command.canonicalize().context("the jinsi command")?,
        None => repository::build_jinsi()?,
    };
    let out = repository::root().join("target/suites");
    fs::create_dir_all(&out)?;
    let tools_at = tempfile::tempdir()?;
    let tools = Tools::compile(&jdk, tools_at.path())?;
    let detail = arguments.detail.to_string();
    let jinsi = Jinsi::of(
        command,
        &detail,
        Duration::from_secs(arguments.minimize_seconds),
    )?;
    let measure = Measure {
        seed: arguments.seed,
        mutants: arguments.mutants,
        limit: arguments.limit_seconds,
        limit_of_suite: arguments.suite_seconds,
        jinsi: &jinsi,
        tools: &tools,
        jdk: &jdk,
        out: &out,
        // What is taken once more stays for the next time.
        keep_work: arguments.keep_work || arguments.again,
        again: arguments.again,
    };
    let java = jdk.version().to_string();
    let about = (arguments.seed, arguments.mutants, &*detail, &*java);
    let (mut rows, mut runs) = (Vec::new(), Vec::new());
    for library in &libraries {
        let (row, more) = measure.library(library);
        if let Some(why) = &row.why_not {
            eprintln!("{library}: {why}");
        }
        rows.push(row);
        runs.extend(more);
        // Hours of work are not lost with the rest.
        let so_far = SuitesReport::of(about, rows.clone(), runs.clone());
        write(&so_far, &out.join("report.json"))?;
    }
    Ok(SuitesReport::of(about, rows, runs))
}

fn wanted(all: Vec<Library>, only: &[String]) -> Result<Vec<Library>> {
    let is_wanted = |library: &Library| {
        let name = library.to_string();
        only.is_empty() || only.iter().any(|part| name.contains(part))
    };
    let wanted: Vec<Library> = all.into_iter().filter(is_wanted).collect();
    ensure!(
        !wanted.is_empty(),
        "no library of the list has {} in its coordinates",
        only.join(" or ")
    );
    Ok(wanted)
}

/// Of the JDKs of this machine that can compile.
fn oldest() -> Result<Jdk> {
    let all = doctor::usable_jdks()?;
    let oldest = all.into_iter().min_by_key(|jdk| jdk.version().feature);
    oldest.context("no JDK with a compiler")
}

//! What recordings say of the past, beside what a debugger has seen of the same programs, at every instruction.

mod programs;

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use jinsi_ground::past::{Compared, Program, compare, compile_dump, dump};
use jinsi_ground::report::{Findings, brief, print};
use jinsi_ground::{commands, repository};
use jinsi_inspect::Inspector;
use jinsi_jdk::{Jdk, process};
use jinsi_trace::reader::Trace;
use programs::Subject;
use serde::Serialize;

/// Time for a recording, far beyond what any may take.
const LIMIT: Duration = Duration::from_secs(300);

/// Options.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only programs that have this in their name
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Programs made by chance
    #[arg(long, value_name = "COUNT", default_value_t = 6)]
    made: u64,
    /// Only with this version of Java
    #[arg(long, value_name = "FEATURE")]
    java: Option<u32>,
    /// Step through at most so many instructions of each
    #[arg(long, value_name = "COUNT", default_value_t = 4000)]
    most: u64,
    /// Print one JSON document on stdout
    #[arg(long)]
    json: bool,
}

/// A program on a JDK.
#[derive(Serialize)]
struct ComparedRun {
    program: String,
    java: u32,
    /// Why there was nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<Compared>,
    /// Seconds for the index, and its events.
    index_seconds: f64,
    events: u64,
}

#[derive(Serialize)]
struct Document {
    rows: Vec<ComparedRun>,
    instructions: u64,
    values: u64,
    unknown: u64,
    different: u64,
    holds: bool,
}

/// Compares all programs.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let jinsi = repository::build_jinsi()?;
    let mut subjects = Subject::all(arguments.made);
    if let Some(only) = &arguments.only {
        subjects.retain(|subject| subject.name().contains(only));
    }
    let mut rows = Vec::new();
    for jdk in Jdk::all()? {
        let feature = jdk.version().feature;
        let is_wanted = arguments.java.is_none_or(|java| java == feature);
        if jdk.javac().is_none() || feature < 17 || !is_wanted {
            continue;
        }
        let debugger = tempfile::tempdir()?;
        compile_dump(&jdk, debugger.path())?;
        let one = One {
            jdk: &jdk,
            jinsi: &jinsi,
            debugger: debugger.path(),
            most: arguments.most,
        };
        for subject in &subjects {
            let row = one.row(subject);
            eprintln!("{}", brief(&row));
            rows.push(row);
        }
    }
    ensure!(!rows.is_empty(), "no program was compared");
    print(&document(rows), arguments.json)
}

impl Findings for Document {
    const LONG: &'static [&'static str] = &["rows"];

    fn holds(&self) -> bool {
        self.holds
    }
}

fn document(rows: Vec<ComparedRun>) -> Document {
    let compared = || rows.iter().filter_map(|row| row.compared.as_ref());
    let unknown = compared().flat_map(|c| c.unknown.values());
    Document {
        instructions: compared().map(|c| c.instructions).sum(),
        values: compared().map(|c| c.values).sum(),
        unknown: unknown.sum(),
        different: compared().map(|c| c.different + c.jumped_wrong).sum(),
        holds: rows.iter().all(|row| row.failed.is_none()) && compared().all(Compared::is_equal),
        rows,
    }
}

/// How one program is run.
struct One<'a> {
    jdk: &'a Jdk,
    jinsi: &'a Path,
    debugger: &'a Path,
    most: u64,
}

impl One<'_> {
    fn row(&self, subject: &Subject) -> ComparedRun {
        let mut row = ComparedRun {
            program: subject.name(),
            java: self.jdk.version().feature,
            failed: None,
            compared: None,
            index_seconds: 0.0,
            events: 0,
        };
        match self.compare(subject, &mut row) {
            Ok(compared) => row.compared = Some(compared),
            Err(why) => row.failed = Some(format!("{why:#}")),
        }
        row
    }

    fn compare(&self, subject: &Subject, row: &mut ComparedRun) -> Result<Compared> {
        let place = tempfile::tempdir()?;
        let prepared = subject.prepare(self.jdk, place.path())?;
        let program = Program {
            class_path: &prepared.class_path,
            main: &prepared.main,
            prefix: &prepared.prefix,
            most: self.most,
            options: &prepared.options,
        };
        let seen = dump(self.jdk, self.debugger, &program, place.path())?;
        let file = place.path().join("states.jinsi");
        let observe = format!("{}*", prepared.prefix);
        let mut record = commands::record(self.jinsi, (&observe, "states"), &file);
        record
            .current_dir(place.path())
            .arg(self.jdk.java())
            .args(&prepared.options)
            .args(["-cp", &prepared.class_path])
            .args(prepared.main.split(' '));
        process::run(&mut record, LIMIT)?;
        let trace = Trace::open(&file)?;
        let began = Instant::now();
        Inspector::new(&trace)?;
        row.index_seconds = began.elapsed().as_secs_f64();
        let threads = trace.threads().iter();
        row.events = threads.map(|t| trace.event_count(t.no)).sum();
        compare(&trace, &seen, 200)
    }
}

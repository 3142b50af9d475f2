//! What recordings say of the past, beside what a debugger has seen of the same programs, at every instruction.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use jinsi_ground::past::{Compared, Program, compare, compile_dump, dump};
use jinsi_ground::repository;
use jinsi_inspect::Inspector;
use jinsi_jdk::{Jdk, compile, process};
use jinsi_trace::reader::Trace;
use serde::Serialize;

/// Time for a recording, far beyond what any may take.
const LIMIT: Duration = Duration::from_secs(300);

/// Programs of `tests/programs` that do the same each time: directory, main class with arguments, package.
const PROGRAMS: [(&str, &str, &str); 17] = [
    ("mergesort", "mergesort.MergeSort", "mergesort."),
    ("golden", "golden.Truth", "golden."),
    ("golden", "golden.Identities", "golden."),
    ("golden", "golden.Builders", "golden."),
    ("golden", "golden.Exceptions", "golden."),
    ("golden", "golden.PartialInformation", "golden."),
    ("small", "small.Main", "small."),
    ("till", "till.Main", "till."),
    ("shapes", "shapes.Main", "shapes."),
    ("vending", "vending.Main", "vending."),
    ("numberwriter", "numberwriter.Main", "numberwriter."),
    ("inheritance", "inheritance.ListingMain", "inheritance."),
    ("tariff", "tariff.Main", "tariff."),
    ("xmltree", "xmltree.Main", "xmltree."),
    ("construction", "construction.Main", "construction."),
    ("sliced", "sliced.Golden", "sliced."),
    ("sliced", "sliced.Held", "sliced."),
];

/// Options.
#[derive(clap::Args)]
pub struct Arguments {
    /// Only programs whose main class has this in its name
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Step through at most so many instructions of each
    #[arg(long, value_name = "COUNT", default_value_t = 4000)]
    most: u64,
    /// Print one JSON document on stdout
    #[arg(long)]
    json: bool,
}

/// A program on a JDK.
#[derive(Serialize)]
struct Row {
    program: &'static str,
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
    rows: Vec<Row>,
    instructions: u64,
    values: u64,
    unknown: u64,
    different: u64,
    holds: bool,
}

/// Compares all programs.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let jinsi = repository::build_jinsi()?;
    let mut rows = Vec::new();
    for jdk in Jdk::all()? {
        if jdk.javac().is_none() || jdk.version().feature < 17 {
            continue;
        }
        let debugger = tempfile::tempdir()?;
        compile_dump(&jdk, debugger.path())?;
        for (directory, main, prefix) in PROGRAMS {
            if arguments
                .only
                .as_ref()
                .is_some_and(|only| !main.contains(only))
            {
                continue;
            }
            let mut row = Row {
                program: main,
                java: jdk.version().feature,
                failed: None,
                compared: None,
                index_seconds: 0.0,
                events: 0,
            };
            let run = One {
                jdk: &jdk,
                jinsi: &jinsi,
                debugger: debugger.path(),
                most: arguments.most,
            };
            match run.compare((directory, main, prefix), &mut row) {
                Ok(compared) => row.compared = Some(compared),
                Err(why) => row.failed = Some(format!("{why:#}")),
            }
            tell(&row);
            rows.push(row);
        }
    }
    ensure!(!rows.is_empty(), "no program was compared");
    let document = document(rows);
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&document)?);
    } else {
        println!(
            "{} instructions, {} values, {} of them not known, {} different{}",
            document.instructions,
            document.values,
            document.unknown,
            document.different,
            if document.holds { "" } else { " VIOLATED" }
        );
    }
    Ok(document.holds)
}

fn document(rows: Vec<Row>) -> Document {
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

fn tell(row: &Row) {
    match (&row.failed, &row.compared) {
        (Some(why), _) => eprintln!("{:<28} Java {}: {why}", row.program, row.java),
        (None, Some(compared)) => {
            let unknown: u64 = compared.unknown.values().sum();
            eprintln!(
                "{:<28} Java {}: {} instructions, {} values, {unknown} not known, {} different, {} of {} jumps wrong",
                row.program,
                row.java,
                compared.instructions,
                compared.values,
                compared.different,
                compared.jumped_wrong,
                compared.jumps
            );
            for difference in &compared.differences {
                eprintln!("    {difference}");
            }
        }
        _ => {}
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
    fn compare(
        &self,
        (directory, main, prefix): (&str, &str, &str),
        row: &mut Row,
    ) -> Result<Compared> {
        let place = tempfile::tempdir()?;
        let classes = place.path().join("classes");
        std::fs::create_dir(&classes)?;
        let sources = repository::java_sources(&format!("tests/programs/{directory}"))?;
        compile::javac(self.jdk, &sources, &[], &classes)?;
        let class_path = classes.to_str().context("a path of text")?;
        let program = Program {
            class_path,
            main,
            prefix,
            most: self.most,
        };
        let seen = dump(self.jdk, self.debugger, &program, place.path())?;
        let file = place.path().join("states.jinsi");
        let mut record = Command::new(self.jinsi);
        record
            .current_dir(place.path())
            .args(["record", "--detail", "states", "--observe"])
            .arg(format!("{prefix}*"))
            .arg("-o")
            .arg(&file)
            .arg("--")
            .arg(self.jdk.java())
            .args(["-cp", class_path])
            .args(main.split(' '));
        process::run(&mut record, LIMIT)?;
        let trace = Trace::open(&file)?;
        let began = Instant::now();
        Inspector::new(&trace)?;
        row.index_seconds = began.elapsed().as_secs_f64();
        row.events = trace
            .threads()
            .iter()
            .map(|t| trace.event_count(t.no))
            .sum();
        compare(&trace, &seen, 200)
    }
}

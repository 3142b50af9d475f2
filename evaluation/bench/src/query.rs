//! `cargo xtask bench query`: what queries take, by the size of the run: of a trace, of the run exported, and of the same files in DuckDB.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;
use jinsi_ground::{doctor, repository};
use jinsi_trace::reader::Trace;
use serde::Serialize;

use super::Goal;
use super::capture::child;
use super::slice::subjects::{self, Subject};
use super::slice::{Bench, LIMITS, ended};

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of the table
    #[arg(long)]
    json: bool,
    /// Sizes of the traces, in events
    #[arg(long, value_name = "EVENTS", value_delimiter = ',', default_values_t = [1_000_000, 10_000_000])]
    events: Vec<u64>,
}

/// The program that is asked: one of objects and calls.
const ASKED: &str = "jackson";
/// What a question about one moment may take, and one about all of the run, in seconds.
const POINT: f64 = 1.0;
const SCAN: f64 = 10.0;
/// Memory that a query may take, in KiB.
const MEMORY: u64 = 2 << 20;

/// A question, and what it is over: `M` is a moment in the middle.
struct Question {
    name: &'static str,
    is_scan: bool,
    sql: &'static str,
}

const QUESTIONS: [Question; 6] = [
    Question {
        name: "event",
        is_scan: false,
        sql: "select * from events where moment = M",
    },
    Question {
        name: "chain",
        is_scan: false,
        sql: "select call, class, method from calls where recorded and call < M and (ended is null or ended > M) order by call",
    },
    Question {
        name: "object",
        is_scan: false,
        sql: "select count(*) from accesses where object = 1000",
    },
    Question {
        name: "kinds",
        is_scan: true,
        sql: "select kind, count(*) as n from events group by kind order by n desc",
    },
    Question {
        name: "methods",
        is_scan: true,
        sql: "select class, method, count(*) as n from calls group by class, method order by n desc limit 20",
    },
    Question {
        name: "last writes",
        is_scan: true,
        sql: "select count(*) from (select object, max(moment) from accesses where kind = 'write' group by object) t",
    },
];

#[derive(Serialize)]
struct Asked {
    question: &'static str,
    is_scan: bool,
    /// `trace`, `exported` or `duckdb`.
    of: &'static str,
    seconds: f64,
    peak_kib: u64,
}

#[derive(Serialize)]
struct Row {
    program: &'static str,
    events: u64,
    trace_bytes: u64,
    exported_bytes: u64,
    export_seconds: f64,
    export_peak_kib: u64,
    asked: Vec<Asked>,
}

#[derive(Serialize)]
struct Report {
    java: String,
    duckdb: Option<String>,
    rows: Vec<Row>,
    goals: Vec<Goal>,
    holds: bool,
}

/// Measures and prints; `false` if something is worse than it has to be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let bench = Bench {
        jdk: doctor::check(None, &doctor::FOR_DEMO)?,
        jinsi: repository::build_jinsi()?,
        rounds: 1,
    };
    // It comes to lie beside.
    repository::build_query_with("release", &[])?;
    let duckdb = Command::new("duckdb").arg("--version").output().ok();
    let duckdb = duckdb.map(|said| String::from_utf8_lossy(&said.stdout).trim().to_owned());
    let mut rows = Vec::new();
    let subjects = subjects::chosen(&bench.jdk, &[ASKED.to_owned()])?;
    for subject in &subjects {
        for &events in &arguments.events {
            eprintln!("{}: {events} events", subject.name);
            rows.push(row(&bench, subject, events, duckdb.is_some())?);
        }
    }
    let report = Report::new(bench.jdk.version().feature.to_string(), duckdb, rows);
    match arguments.json {
        true => println!("{}", serde_json::to_string_pretty(&report)?),
        false => report.print(),
    }
    Ok(report.holds)
}

/// A run of about so many events, exported and asked.
fn row(bench: &Bench, subject: &Subject, events: u64, has_duckdb: bool) -> Result<Row> {
    let place = tempfile::tempdir()?;
    let file = place.path().join("run.jinsi");
    let record = |work| -> Result<u64> {
        bench.seconds(subject, work, place.path(), Some(("interactions", &file)))?;
        Ok(count(&Trace::open(&file)?))
    };
    let (small, full) = (subject.work(0.05), subject.work(0.1));
    let (at_small, at_full) = (record(small)?, record(full)?);
    let each = (at_full.saturating_sub(at_small)) as f64 / (full - small).max(1) as f64;
    let recorded = record(subject.rounded((events as f64 / each.max(1e-9)) as u64))?;
    let runs = place.path().join("runs");
    let mut export = Command::new(&bench.jinsi);
    export.args(["export", "--parquet"]).arg(&runs).arg(&file);
    let export = ended(
        child::run(&mut export, place.path(), LIMITS)?,
        "jinsi export",
    )?;
    let mut asked = Vec::new();
    for question in &QUESTIONS {
        let sql = question.sql.replace('M', &(recorded / 2).to_string());
        for (of, over) in [("trace", &file), ("exported", &runs)] {
            let mut command = Command::new(&bench.jinsi);
            command.arg("query").arg(over).arg(&sql);
            asked.push(ask(question, of, &mut command, place.path())?);
        }
        if has_duckdb {
            let mut command = Command::new("duckdb");
            command.arg("-c").arg(in_duckdb(&sql, &runs));
            asked.push(ask(question, "duckdb", &mut command, place.path())?);
        }
    }
    Ok(Row {
        program: subject.name,
        events: recorded,
        trace_bytes: fs::metadata(&file)?.len(),
        exported_bytes: bytes(&runs)?,
        export_seconds: export.whole.as_secs_f64(),
        export_peak_kib: export.memory.peak_kib,
        asked,
    })
}

/// The same, where a table is a pattern of files.
fn in_duckdb(sql: &str, runs: &Path) -> String {
    let mut sql = sql.to_owned();
    for table in ["events", "calls", "accesses"] {
        let pattern = runs.join(format!("*/*/*/*/{table}.parquet"));
        let read = format!(
            "from read_parquet('{}', hive_partitioning = true)",
            pattern.display()
        );
        sql = sql.replace(&format!("from {table}"), &read);
    }
    sql
}

fn ask(
    question: &Question,
    of: &'static str,
    command: &mut Command,
    place: &Path,
) -> Result<Asked> {
    let run = ended(child::run(command, place, LIMITS)?, of)?;
    Ok(Asked {
        question: question.name,
        is_scan: question.is_scan,
        of,
        seconds: run.whole.as_secs_f64(),
        peak_kib: run.memory.peak_kib,
    })
}

fn count(trace: &Trace) -> u64 {
    let threads = trace.threads().iter();
    threads.map(|thread| trace.event_count(thread.no)).sum()
}

/// Size of all files below a directory.
fn bytes(directory: &Path) -> Result<u64> {
    let mut all = 0;
    for entry in fs::read_dir(directory).context("nothing was exported")? {
        let entry = entry?;
        all += match entry.file_type()?.is_dir() {
            true => bytes(&entry.path())?,
            false => entry.metadata()?.len(),
        };
    }
    Ok(all)
}

impl Report {
    fn new(java: String, duckdb: Option<String>, rows: Vec<Row>) -> Self {
        let all = |of: &str, holds: &dyn Fn(&Asked) -> bool| {
            let mut asked = rows.iter().flat_map(|row| &row.asked);
            asked.all(|asked| asked.of != of || holds(asked))
        };
        let goal = |what, holds| Goal { what, holds };
        let quick = |asked: &Asked| asked.seconds <= if asked.is_scan { SCAN } else { POINT };
        let goals = vec![
            goal(
                "exported: one moment within 1 s, all of the run within 10 s",
                all("exported", &quick),
            ),
            goal(
                "of a trace: all of the run within 10 s",
                all("trace", &|asked| asked.seconds <= SCAN),
            ),
            goal(
                "exported: within 2 GiB",
                all("exported", &|asked| asked.peak_kib <= MEMORY),
            ),
        ];
        Self {
            holds: goals.iter().all(|goal| goal.holds),
            java,
            duckdb,
            rows,
            goals,
        }
    }

    fn print(&self) {
        for row in &self.rows {
            println!(
                "{}, {} events: trace {} MiB, exported {} MiB in {:.1} s with {} MiB",
                row.program,
                row.events,
                row.trace_bytes >> 20,
                row.exported_bytes >> 20,
                row.export_seconds,
                row.export_peak_kib >> 10
            );
            for asked in &row.asked {
                println!(
                    "  {:<12} {:<9} {:>7.2} s {:>6} MiB",
                    asked.question,
                    asked.of,
                    asked.seconds,
                    asked.peak_kib >> 10
                );
            }
        }
        for goal in &self.goals {
            println!(
                "{}: {}",
                if goal.holds { "holds" } else { "VIOLATED" },
                goal.what
            );
        }
    }
}

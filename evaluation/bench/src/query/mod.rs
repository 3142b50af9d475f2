//! `cargo xtask bench query`: what queries take, by the size of the run: of a trace, of the run exported, and of the same files in DuckDB; and
//! of many runs, which a cluster is asked about, too.

mod cluster;
mod engines;
mod many;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use jinsi_ground::{doctor, repository};
use serde::Serialize;

use super::slice::subjects::{self, Subject};
use super::slice::{Bench, ended};
use engines::{Asked, Engines, Query, Question};
use jinsi_ground::child::{self, Limits};
use jinsi_ground::files::bytes_below;
use jinsi_ground::report::{self, Figures, Goal, Judged, goal};
use many::Many;

/// Options of the benchmark.
#[derive(Args)]
pub struct Arguments {
    /// Print one JSON document on stdout instead of the table
    #[arg(long)]
    json: bool,
    /// Sizes of the traces, in events
    #[arg(long, value_name = "EVENTS", value_delimiter = ',', default_values_t = [1_000_000, 10_000_000, 100_000_000])]
    events: Vec<u64>,
    /// Runs of a small program that are asked as one table; 0: none
    #[arg(long, value_name = "COUNT", default_value_t = 1000)]
    runs: usize,
    /// Profile in which jinsi is built: figures are those of release, and `dev` tries the benchmark out
    #[arg(long, value_name = "PROFILE", default_value = "release")]
    profile: String,
}

/// The longest run of which the trace is asked, too, in events: each question goes through all of it.
const LONGEST: u64 = 20_000_000;
/// A run that is short enough for its trace to be asked.
const ASKED_AS_IT_IS: u64 = 2_000_000;
/// The program that is asked: one of objects and calls.
const ASKED: &str = "jackson";
/// What an export may take, and its room.
const EXPORT: Limits = Limits {
    time: Duration::from_secs(3600),
    disk: 32 << 30,
};
/// What a question about one moment may take, and one about all of the run, in seconds.
const POINT: f64 = 1.0;
const SCAN: f64 = 10.0;
/// Memory that a query may take, in KiB.
const MEMORY: u64 = 2 << 20;

#[derive(Serialize)]
struct RunRow {
    program: &'static str,
    events: u64,
    trace_bytes: u64,
    exported_bytes: u64,
    export_seconds: f64,
    export_peak_kib: u64,
    asked: Vec<Asked>,
}

#[derive(Serialize)]
struct QueryFigures {
    java: String,
    duckdb: Option<String>,
    rows: Vec<RunRow>,
    many: Option<Many>,
}

/// Measures and prints; `false` if something is worse than it has to be.
pub(crate) fn run(arguments: &Arguments) -> Result<bool> {
    let bench = Bench {
        jdk: doctor::check(None, &doctor::FOR_DEMO)?,
        jinsi: repository::build_jinsi_in(&arguments.profile)?,
        rounds: 1,
    };
    // It comes to lie beside.
    let query = repository::build_query_with_cluster(&arguments.profile)?;
    let duckdb = engines::duckdb();
    let mut rows = Vec::new();
    let subjects = subjects::chosen(&bench.jdk, &[ASKED.to_owned()])?;
    for subject in &subjects {
        for &events in &arguments.events {
            eprintln!("{}: {events} events", subject.name);
            rows.push(row(&bench, subject, events, duckdb.is_some())?);
        }
    }
    let mut many = None;
    if arguments.runs > 0 {
        eprintln!("{} runs", arguments.runs);
        let place = tempfile::tempdir()?;
        let engines = engines(&bench, duckdb.is_some(), place.path());
        many = Some(many::measured(
            &bench.jdk,
            &engines,
            &query,
            arguments.runs,
        )?);
    }
    let figures = QueryFigures {
        java: bench.jdk.version().feature.to_string(),
        duckdb,
        rows,
        many,
    };
    report::print(&Judged::of(figures), arguments.json)
}

fn engines<'a>(bench: &Bench, has_duckdb: bool, place: &'a Path) -> Engines<'a> {
    Engines {
        jinsi: bench.jinsi.clone(),
        has_duckdb,
        place,
    }
}

/// A run of about so many events, exported and asked.
fn row(bench: &Bench, subject: &Subject, events: u64, has_duckdb: bool) -> Result<RunRow> {
    let place = tempfile::tempdir()?;
    let file = place.path().join("run.jinsi");
    let recorded = bench.record_about(subject, events, place.path(), ("interactions", &file))?;
    let runs = place.path().join("runs");
    let mut export = Command::new(&bench.jinsi);
    export.args(["export", "--parquet"]).arg(&runs).arg(&file);
    let export = ended(
        child::run(&mut export, place.path(), EXPORT)?,
        "jinsi export",
    )?;
    let engines = engines(bench, has_duckdb, place.path());
    let mut asked = Vec::new();
    for question in questions(&engines, &runs, recorded / 2)? {
        let over = [("exported", runs.as_path()), ("trace", file.as_path())];
        let over = if recorded <= LONGEST {
            &over[..]
        } else {
            &over[..1]
        };
        asked.extend(engines.ask(&question, over, Some(&runs))?);
    }
    Ok(RunRow {
        program: subject.name,
        events: recorded,
        trace_bytes: fs::metadata(&file)?.len(),
        exported_bytes: bytes_below(&runs),
        export_seconds: export.whole.as_secs_f64(),
        export_peak_kib: export.memory.peak_kib,
        asked,
    })
}

/// Questions about the moment in the middle, and about all of the run.
fn questions(engines: &Engines<'_>, runs: &Path, moment: u64) -> Result<Vec<Question>> {
    let busiest = engines.cells(
        runs,
        "select class, method from calls where recorded group by class, method order by count(*) desc, class, method limit 1",
    )?;
    let busiest = busiest.first().context("no calls were recorded")?;
    let at = moment.to_string();
    let of = |name: &str, is_scan, query| Question {
        name: name.to_owned(),
        is_scan,
        query,
    };
    let sql = |sql: &str| Query::Sql(sql.to_owned());
    let event = format!(
        "select run, moment, event, kind, class, method, line, name, object, value from events where moment = {at}"
    );
    let called = ["method_called", &busiest[0], &busiest[1]];
    Ok(vec![
        of("event", false, sql(&event)),
        of("call_chain", false, Query::named(&["call_chain", &at])),
        of(
            "arguments",
            false,
            Query::named(&["enclosing_arguments", &at]),
        ),
        of(
            "called before",
            false,
            Query::named(&["pre_event_called_methods", &at]),
        ),
        of("where_exception", false, Query::named(&["where_exception"])),
        of(
            "kinds",
            true,
            sql("select kind, count(*) as n from events group by kind"),
        ),
        of(
            "methods",
            true,
            sql("select class, method, count(*) as n from calls group by class, method"),
        ),
        of("method_called", true, Query::named(&called)),
        of(
            "object",
            true,
            sql("select count(*) as n from accesses where object = 1000"),
        ),
        of(
            "last writes",
            true,
            sql(
                "select count(*) as n, sum(last) as sum from (select object, max(moment) as last from accesses where kind = 'write' group by object) t",
            ),
        ),
    ])
}

impl Figures for QueryFigures {
    fn goals(&self) -> Vec<Goal> {
        let groups = self.rows.iter().map(|row| &row.asked);
        let groups = groups.chain(self.many.iter().map(|many| &many.asked));
        let groups: Vec<&Vec<Asked>> = groups.collect();
        let all = |of: &str, holds: &dyn Fn(&Asked) -> bool| {
            let mut asked = groups.iter().flat_map(|asked| asked.iter());
            asked.all(|asked| asked.of != of || holds(asked))
        };
        let quick = |asked: &Asked| asked.seconds <= if asked.is_scan { SCAN } else { POINT };
        // Each question goes through all of it, so longer ones are exported first.
        let short = self.rows.iter().filter(|row| row.events <= ASKED_AS_IT_IS);
        let mut short = short.flat_map(|row| row.asked.iter());
        vec![
            goal(
                "exported: one moment within 1 s, all of the run within 10 s",
                all("exported", &quick),
            ),
            goal(
                "of a trace of at most two million events: all of the run within 10 s",
                short.all(|asked| asked.of != "trace" || asked.seconds <= SCAN),
            ),
            goal(
                "exported: within 2 GiB",
                all("exported", &|asked| asked.peak_kib <= MEMORY),
            ),
            goal(
                "all who are asked the same have the same rows",
                groups.iter().all(|asked| agree(asked)),
            ),
        ]
    }
}

/// Are the answers to each question the same?
fn agree(asked: &[Asked]) -> bool {
    asked.iter().all(|one| {
        let mut others = asked.iter().filter(|other| other.question == one.question);
        let same = others.all(|other| one.agrees_with(other));
        if !same {
            eprintln!("{}: {} has other rows", one.question, one.of);
        }
        same
    })
}

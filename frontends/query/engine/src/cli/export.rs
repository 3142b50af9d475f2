//! `jinsi export`: runs as Parquet files, for many of them to be asked together.

use std::path::PathBuf;

use anyhow::Result;
use jinsi_query::export::{Done, export};
use jinsi_query::minimal::Minimal;
use jinsi_query::{Label, Run};
use jinsi_query_options::Export as Args;
use serde::Serialize;

use super::output::{Output, note, text};

#[derive(Serialize)]
struct Row {
    trace: PathBuf,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<PathBuf>,
    /// Was it there before?
    known: bool,
    /// Why it was left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Exports each trace that can be read.
pub(super) fn run(args: &Args, out: &Output) -> Result<bool> {
    jinsi_files::private::create_dir_all(&args.parquet)?;
    let minimal = Minimal::read(&args.report)?;
    let label = |trace| Label {
        version: args.version.clone(),
        test: args.test.clone(),
        minimal_test: minimal.of(trace),
    };
    let mut rows = Vec::new();
    for trace in &args.traces {
        let done = Run::open(trace).and_then(|run| {
            let damage = run.trace().damage().len();
            let done = export(&run.labelled(label(trace)), &args.parquet)?;
            Ok((done, damage))
        });
        let mut row = Row {
            trace: trace.clone(),
            directory: None,
            known: false,
            error: None,
        };
        match done {
            Ok((done, damage)) => {
                row.known = matches!(done, Done::Known(_));
                let (Done::Known(directory) | Done::Written(directory)) = done;
                row.directory = Some(directory);
                if damage > 0 {
                    let name = trace.display();
                    note(&format!("{name}: damaged; what is left of it is exported"));
                }
            }
            // One that cannot be read costs itself only.
            Err(e) => {
                let why = text(&e.into());
                note(&format!("{}: left out: {why}", trace.display()));
                row.error = Some(why);
            }
        }
        rows.push(row);
    }
    let left_out = rows.iter().filter(|row| row.error.is_some()).count();
    let known = rows.iter().filter(|row| row.known).count();
    out.result(&rows, |to| {
        let written = rows.len() - left_out - known;
        writeln!(
            to,
            "{written} exported, {known} there before, {left_out} left out: {}",
            args.parquet.display()
        )
    })?;
    Ok(left_out < rows.len())
}

//! A thousand runs of a small program: recorded, exported, and asked as one table.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use jinsi_ground::commands::agent;
use jinsi_ground::files::bytes_below;
use jinsi_ground::{parallel, repository};
use jinsi_jdk::{Jdk, compile};
use serde::Serialize;

use super::cluster::Cluster;
use super::engines::{Asked, Engines, Query, Question};

/// What the program is called with; it fails unless there are two words.
const ARGUMENTS: [&[&str]; 10] = [
    &["ann"],
    &["bob", "quiet"],
    &["cid"],
    &["dora", "quiet"],
    &["eve", "quiet"],
    &["fay", "quiet"],
    &["gil", "quiet"],
    &["hugo", "quiet"],
    &["ida", "quiet"],
    &["jon", "quiet"],
];
/// Versions of it, as the export was given them.
const VERSIONS: [&str; 4] = ["1.0", "1.1", "1.2", "2.0"];

/// Executors of the cluster that is asked, too.
const EXECUTORS: usize = 2;

/// What came of many runs.
#[derive(Serialize)]
pub(super) struct Many {
    pub(super) runs: usize,
    pub(super) record_seconds: f64,
    pub(super) trace_bytes: u64,
    pub(super) export_seconds: f64,
    pub(super) exported_bytes: u64,
    pub(super) asked: Vec<Asked>,
}

/// Records, exports and asks so many runs.
pub(super) fn measured(
    jdk: &Jdk,
    engines: &Engines<'_>,
    query: &Path,
    count: usize,
) -> Result<Many> {
    let [classes, traces, runs] = ["classes", "traces", "many"].map(|n| engines.place.join(n));
    fs::create_dir(&classes)?;
    fs::create_dir(&traces)?;
    let sources = repository::java_sources("tests/programs/queried")?;
    compile::javac(jdk, &sources, &[], &classes)?;
    let begin = Instant::now();
    let files = recorded(jdk, engines, (&classes, &traces), count)?;
    let record_seconds = begin.elapsed().as_secs_f64();
    let begin = Instant::now();
    for (no, version) in VERSIONS.iter().enumerate() {
        let own: Vec<&PathBuf> = files.iter().skip(no).step_by(VERSIONS.len()).collect();
        let mut export = Command::new(&engines.jinsi);
        export.args(["export", "--test", "Bank", "--version", version]);
        export.arg("--parquet").arg(&runs).args(own);
        let said = export.stdout(Stdio::null()).status()?;
        ensure!(said.success(), "jinsi export: {said}");
    }
    let export_seconds = begin.elapsed().as_secs_f64();
    let mut asked = Vec::new();
    for question in questions() {
        asked.extend(engines.ask(&question, &[("exported", &runs)], Some(&runs))?);
    }
    let cluster = Cluster::started(query, EXECUTORS, engines.place)?;
    for question in questions() {
        asked.push(engines.ask_cluster(&question, cluster.address(), &runs)?);
    }
    drop(cluster);
    // Traces have no versions: only what is not about these can be asked of them.
    for question in &questions()[..1] {
        asked.extend(engines.ask(question, &[("traces", &traces)], None)?);
    }
    let found = asked.iter().find(|asked| asked.question == "runs");
    let found = found.context("nothing was asked")?;
    ensure!(found.rows == count, "{} runs of {count}", found.rows);
    Ok(Many {
        runs: count,
        record_seconds,
        trace_bytes: bytes_below(&traces),
        export_seconds,
        exported_bytes: bytes_below(&runs),
        asked,
    })
}

/// Records each run anew, as many at once as there are processors.
fn recorded(
    jdk: &Jdk,
    engines: &Engines<'_>,
    (classes, traces): (&Path, &Path),
    count: usize,
) -> Result<Vec<PathBuf>> {
    let files: Vec<PathBuf> = (0..count)
        .map(|no| traces.join(format!("run-{no:05}.jinsi")))
        .collect();
    let most = thread::available_parallelism().map_or(1, usize::from);
    parallel::each(count, most, |no| {
        let option = agent(
            &engines.jinsi,
            "observe=queried.*,detail=states",
            &files[no],
        );
        let mut java = jdk.command();
        java.arg(option).arg("-cp").arg(classes).arg("queried.Bank");
        java.args(ARGUMENTS[no / VERSIONS.len() % ARGUMENTS.len()]);
        // Some of them are to fail.
        java.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
        ensure!(files[no].is_file(), "run {no} was not recorded");
        Ok(())
    })?;
    Ok(files)
}

fn questions() -> Vec<Question> {
    let sql = |name: &str, sql: &str| Question {
        name: name.to_owned(),
        is_scan: true,
        query: Query::Sql(sql.to_owned()),
    };
    let named = |words: &[&str]| Question {
        name: words[0].to_owned(),
        is_scan: true,
        query: Query::named(words),
    };
    vec![
        sql(
            "runs",
            "select run, count(*) as calls from calls group by run",
        ),
        sql(
            "owners",
            "select r.outcome, c.arguments, count(distinct c.run) as runs from calls c join runs r on r.run = c.run where c.method = '<init>' and c.recorded group by r.outcome, c.arguments",
        ),
        named(&["outcomes"]),
        named(&["same_failures"]),
        named(&["calls_of_failing"]),
        named(&["values_of_failing", "queried.Bank", "tried"]),
    ]
}

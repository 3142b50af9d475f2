//! Who is asked: jinsi over a trace, jinsi over exported runs, and DuckDB over the same files.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use super::super::slice::{LIMITS, ended};
use jinsi_ground::child;

/// Tables that are asked.
const TABLES: [&str; 6] = [
    "runs",
    "events",
    "calls",
    "accesses",
    "exceptions",
    "threads",
];

/// What is asked.
#[derive(Clone, Debug)]
pub(super) enum Query {
    Sql(String),
    /// A query with a name, and its arguments.
    Named(Vec<String>),
}

impl Query {
    pub(super) fn named(words: &[&str]) -> Self {
        Query::Named(words.iter().map(|word| (*word).to_owned()).collect())
    }

    fn words(&self) -> Vec<&str> {
        match self {
            Query::Sql(sql) => vec![sql],
            Query::Named(words) => words.iter().map(String::as_str).collect(),
        }
    }
}

/// An answer, and what it took.
#[derive(Serialize)]
pub(super) struct Asked {
    pub(super) question: String,
    pub(super) is_scan: bool,
    /// `trace`, `traces`, `exported`, `duckdb` or `ballista`.
    pub(super) of: &'static str,
    pub(super) seconds: f64,
    pub(super) peak_kib: u64,
    pub(super) rows: usize,
    #[serde(skip)]
    cells: Vec<Vec<String>>,
}

impl Asked {
    /// Have the two the same rows?
    pub(super) fn agrees_with(&self, other: &Asked) -> bool {
        self.cells == other.cells
    }
}

/// A question.
pub(super) struct Question {
    pub(super) name: String,
    /// Is it about all of the run, and not about one moment?
    pub(super) is_scan: bool,
    pub(super) query: Query,
}

/// The programs.
pub(super) struct Engines<'a> {
    pub(super) jinsi: PathBuf,
    pub(super) has_duckdb: bool,
    /// A directory to work in.
    pub(super) place: &'a Path,
}

/// The version of DuckDB, if it is installed.
pub(super) fn duckdb() -> Option<String> {
    let said = Command::new("duckdb").arg("--version").output().ok()?;
    Some(String::from_utf8_lossy(&said.stdout).trim().to_owned())
}

impl Engines<'_> {
    /// Asks jinsi over each of these; and DuckDB over exported runs, if there are some.
    pub(super) fn ask(
        &self,
        question: &Question,
        over: &[(&'static str, &Path)],
        runs: Option<&Path>,
    ) -> Result<Vec<Asked>> {
        let mut asked = Vec::new();
        for (of, path) in over {
            let mut command = Command::new(&self.jinsi);
            command.arg("query").arg(path);
            command
                .args(question.query.words())
                .args(["--format", "csv"]);
            asked.push(self.run(question, of, &mut command)?);
        }
        if let Some(runs) = runs.filter(|_| self.has_duckdb) {
            let mut command = Command::new("duckdb");
            let sql = format!("{}{};", views(runs), self.sql(&question.query, runs)?);
            // Nothing is an empty cell, as in ours.
            command.args(["-csv", "-nullvalue", "", "-c", &sql]);
            asked.push(self.run(question, "duckdb", &mut command)?);
        }
        Ok(asked)
    }

    /// Asks a cluster over exported runs, whose scheduler listens there.
    pub(super) fn ask_cluster(
        &self,
        question: &Question,
        address: &str,
        runs: &Path,
    ) -> Result<Asked> {
        let mut command = Command::new(&self.jinsi);
        command.arg("query").arg(runs);
        command.args(question.query.words());
        command.args(["--cluster", address, "--format", "csv"]);
        self.run(question, "ballista", &mut command)
    }

    /// Rows of an answer.
    pub(super) fn cells(&self, over: &Path, sql: &str) -> Result<Vec<Vec<String>>> {
        let mut command = Command::new(&self.jinsi);
        command
            .arg("query")
            .arg(over)
            .args([sql, "--format", "csv"]);
        let said = command.output().context("cannot start jinsi")?;
        ensure!(said.status.success(), "no answer to {sql}");
        Ok(rows(&String::from_utf8(said.stdout)?))
    }

    /// What the engine gets of a query.
    fn sql(&self, query: &Query, runs: &Path) -> Result<String> {
        match query {
            Query::Sql(sql) => Ok(sql.clone()),
            Query::Named(words) => {
                let mut command = Command::new(&self.jinsi);
                command.arg("query").arg(runs).args(words).arg("--sql");
                let said = command.output().context("cannot start jinsi")?;
                ensure!(said.status.success(), "no SQL of {words:?}");
                Ok(String::from_utf8(said.stdout)?)
            }
        }
    }

    fn run(&self, question: &Question, of: &'static str, command: &mut Command) -> Result<Asked> {
        let run = ended(child::run(command, self.place, LIMITS)?, of)?;
        let cells = rows(&run.stdout);
        Ok(Asked {
            question: question.name.clone(),
            is_scan: question.is_scan,
            of,
            seconds: run.whole.as_secs_f64(),
            peak_kib: run.memory.peak_kib,
            rows: cells.len(),
            cells,
        })
    }
}

/// The tables as DuckDB has them.
fn views(runs: &Path) -> String {
    let view = |table: &&str| {
        let files = runs.join(format!("*/*/*/*/{table}.parquet"));
        format!(
            "create view {table} as select * from read_parquet('{}', hive_partitioning = true, hive_types_autocast = false);\n",
            files.display()
        )
    };
    TABLES.iter().map(view).collect()
}

/// Rows of an answer, sorted, without the name of the run: of one run a query with a name does not say it.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let mut rows = parsed(csv);
    let has_run = rows.first().is_some_and(|head| head[0] == "run");
    let mut rows = rows.split_off(rows.len().min(1));
    if has_run {
        rows.iter_mut().for_each(|row| _ = row.remove(0));
    }
    rows.sort();
    rows
}

/// Comma-separated values (RFC 4180): which of them have quotes, each program decides otherwise.
fn parsed(csv: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = vec![String::new()];
    let mut quoted = false;
    let mut rest = csv.chars().filter(|c| *c != '\r').peekable();
    while let Some(c) = rest.next() {
        let cell = row.last_mut();
        match (c, quoted) {
            ('"', true) if rest.next_if_eq(&'"').is_some() => {
                cell.map_or((), |cell| cell.push('"'))
            }
            ('"', _) => quoted = !quoted,
            (',', false) => row.push(String::new()),
            ('\n', false) => rows.push(std::mem::replace(&mut row, vec![String::new()])),
            (c, _) => cell.map_or((), |cell| cell.push(c)),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_compared_without_their_run_order_and_quotes() {
        let one = rows("run,a,b\nr,2,x z\nr,1,\"y,\"\"z\n\"\n");
        assert_eq!(one, [["1", "y,\"z\n"], ["2", "x z"]]);
        assert_eq!(one, rows("a,b\n1,\"y,\"\"z\n\"\n2,\"x z\"\n"));
        assert!(rows("a\n").is_empty() && rows("").is_empty());
    }
}

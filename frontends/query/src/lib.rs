//! Options of `jinsi query` and `jinsi export`.
//!
//! Two programs have them: `jinsi`, which explains and completes them, and refuses what is wrong; and `jinsi-query`, which it then starts with
//! the same words, because the engine is in that one.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

const QUERY_EXAMPLES: &str = "\
Examples:
  jinsi query run.jinsi \"select class, method, count(*) from calls group by 1, 2 order by 3 desc\"
  jinsi query run.jinsi where_exception
  jinsi query run.jinsi instance_field_history Account 17 balance
  jinsi query run.jinsi pre_event_called_methods 0:1234
  jinsi query run.jinsi return_history Account withdraw --compare other.jinsi
  jinsi query runs same_failures                                     runs of 'jinsi export'
  jinsi query run.jinsi                                              a shell

'jinsi query --list' has the queries with names, 'jinsi query --tables' tables and columns. A cell of a column 'event' is a moment:
'jinsi at run.jinsi THREAD:EVENT' goes there.";

/// What is about an answer.
const OF_ANSWERS: [&str; 11] = [
    "path", "format", "out", "most", "from", "to", "views", "compare", "keep", "sql", "cluster",
];

/// Options of `query`.
#[derive(Args, Debug)]
#[command(after_help = QUERY_EXAMPLES)]
pub struct Query {
    /// A trace; or a directory of runs: exported ones, or traces
    #[arg(value_name = "FILE")]
    pub path: Option<PathBuf>,
    /// A query with a name and its arguments, or SQL; none: a shell
    #[arg(value_name = "QUERY", allow_negative_numbers = true)]
    pub query: Vec<String>,
    /// How the answer is written; by default as a table
    #[arg(long, value_name = "FORM")]
    pub format: Option<Form>,
    /// Where it is written
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// At most so many rows
    #[arg(long, value_name = "N", conflicts_with_all = ["keep", "compare"])]
    pub most: Option<usize>,
    /// Ask only from this moment on: THREAD:EVENT, or its number
    #[arg(long, value_name = "MOMENT")]
    pub from: Option<String>,
    /// Ask only up to this moment
    #[arg(long, value_name = "MOMENT")]
    pub to: Option<String>,
    /// A file of views, 'create view NAME as select …;', that the query may use; may be repeated
    #[arg(long, value_name = "FILE")]
    pub views: Vec<PathBuf>,
    /// Ask this, too, and print only what differs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["format", "out"])]
    pub compare: Option<PathBuf>,
    /// Keep the answer in this directory, and give it from there the next time
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Have a cluster of Ballista answer, whose scheduler listens there; FILE is a directory of exported runs that its executors see under the same path
    #[arg(long, value_name = "HOST:PORT", conflicts_with_all = ["compare", "keep"])]
    pub cluster: Option<String>,
    /// Print the SQL of a query with a name, its arguments in it, and ask nothing: other engines have it, too
    #[arg(long, conflicts_with_all = ["format", "out", "most", "views", "compare", "keep"])]
    pub sql: bool,
    /// The queries with names
    #[arg(long, conflicts_with_all = OF_ANSWERS, conflicts_with = "tables")]
    pub list: bool,
    /// The tables and their columns
    #[arg(long, conflicts_with_all = OF_ANSWERS)]
    pub tables: bool,
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// For people
    Table,
    /// Comma-separated values, with a line of names
    Csv,
    /// One JSON document, as with --json
    Json,
    /// A Parquet file
    Parquet,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  jinsi export --parquet runs target/jinsi/*.jinsi                   the traces of a build's failed tests
  jinsi export --parquet runs run.jinsi --version 1.6.2
  jinsi query runs same_failures                                     and what is asked then

Each run is in runs/version=…/test=…/outcome=…/run=…/, a file a table. A run that is there already is left alone. Runs are written
completely or not at all. docs/query.md says how other engines read them.";

/// Options of `export`.
#[derive(Args, Debug)]
#[command(after_help = EXPORT_EXAMPLES)]
pub struct Export {
    /// Below this directory
    #[arg(long, value_name = "DIR")]
    pub parquet: PathBuf,
    /// The traces
    #[arg(value_name = "FILE", required = true)]
    pub traces: Vec<PathBuf>,
    /// Version of the program that ran
    #[arg(long, value_name = "TEXT")]
    pub version: Option<String>,
    /// What ran; by default the test that failed, if one did
    #[arg(long, value_name = "TEXT")]
    pub test: Option<String>,
    /// A report.json, or a directory with some, whose minimal tests are exported with the traces they are of; may be repeated. One beside a trace counts anyway
    #[arg(long, value_name = "PATH")]
    pub report: Vec<PathBuf>,
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Debug, Parser)]
    enum Asked {
        Query(Query),
        Export(Export),
    }

    fn query(words: &[&str]) -> Query {
        let words = ["jinsi", "query"].iter().chain(words);
        match Asked::try_parse_from(words) {
            Ok(Asked::Query(query)) => query,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_grammar_is_sound() {
        Asked::command().debug_assert();
    }

    #[test]
    fn what_is_asked_follows_the_file() {
        let asked = query(&["run.jinsi", "call_chain", "0:17", "--format", "csv"]);
        assert_eq!(asked.query, ["call_chain", "0:17"]);
        assert_eq!(asked.format, Some(Form::Csv));
        let negative = query(&["run.jinsi", "field_assigned", "A", "balance", "-7"]);
        assert_eq!(negative.query[3], "-7");
        assert!(query(&["--list"]).list && query(&["run.jinsi"]).query.is_empty());
    }

    #[test]
    fn what_has_no_effect_is_refused() {
        for words in [
            &["query", "--list", "run.jinsi"][..],
            &["query", "--list", "--tables"],
            &["query", "a", "where_exception", "--sql", "--keep", "b"],
            &[
                "query",
                "a",
                "where_exception",
                "--compare",
                "b",
                "--out",
                "c",
            ],
            &["export", "run.jinsi"],
        ] {
            let words = ["jinsi"].iter().chain(words);
            assert!(Asked::try_parse_from(words).is_err());
        }
    }
}

//! `jinsi query`: recorded runs, asked in SQL.

use std::io::{self, IsTerminal};

use anyhow::Result;
use jinsi_query_options::{Form, Query as Args};

use super::output::{Output, usage};
use super::query::{Asked, Opened, about, differences, prepare, tell_notes, written};
use super::shell;

/// Asks, and writes what comes out.
pub(super) fn run(args: &Args, out: &Output) -> Result<bool> {
    if args.list || args.tables {
        return about(args, out);
    }
    let Some(path) = &args.path else {
        return Err(usage(
            "which runs: jinsi query FILE, or a directory of 'jinsi export'",
        ));
    };
    if out.is_json() && args.format.is_some_and(|form| form != Form::Json) {
        return Err(usage("--json is a form, and --format names another"));
    }
    let opened = Opened::new(path, args)?;
    prepare(args, &opened.session)?;
    let Some((first, rest)) = args.query.split_first() else {
        if args.sql {
            return Err(usage("--sql goes with a query that has a name"));
        }
        if !io::stdin().is_terminal() {
            return shell::read(&opened.session, args, out);
        }
        return shell::run(&opened.session, args, out);
    };
    let asked = Asked::new(args, first, rest)?;
    if args.sql {
        let sql = asked.sql(&opened.session)?;
        out.result(&serde_json::json!({ "sql": sql }), |to| {
            writeln!(to, "{sql}")
        })?;
        return Ok(true);
    }
    let answer = asked.answer(&opened, args)?;
    tell_notes(&opened.session);
    if let Some(other) = &args.compare {
        return differences(args, &asked, &answer, other, out);
    }
    written(args, &answer, out)?;
    Ok(true)
}

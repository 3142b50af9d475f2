//! What `jinsi query` asks, and how the answer is written.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};
use jinsi_query::catalogue::{self, Interval, Named};
use jinsi_query::cluster::Cluster;
use jinsi_query::functions;
use jinsi_query::kept::{Kept, compare};
use jinsi_query::schema::Table;
use jinsi_query::{Answer, Run, Session};
use jinsi_query_options::{Form, Query as Args};

use super::output::{Output, ignore_closed_pipe, note, usage};

/// What is asked.
pub(super) struct Opened {
    pub(super) session: Session,
    /// Name of the trace, if it is one.
    run: Option<String>,
}

impl Opened {
    pub(super) fn new(path: &Path, args: &Args) -> Result<Self> {
        if let Some(address) = &args.cluster {
            return Ok(Self {
                session: Session::on_cluster(path, Cluster::at(address)?)?,
                run: None,
            });
        }
        if path.is_dir() {
            return Ok(Self {
                session: Session::open(path)?,
                run: None,
            });
        }
        let run = Run::open(path)?;
        let name = run.name().to_owned();
        Ok(Self {
            session: Session::of(vec![run])?,
            run: Some(name),
        })
    }
}

/// A question.
pub(super) enum Asked<'a> {
    Named(&'static Named, &'a [String], Interval),
    Sql(&'a str),
}

impl<'a> Asked<'a> {
    pub(super) fn new(args: &Args, first: &'a str, rest: &'a [String]) -> Result<Self> {
        let interval = Interval {
            from: args.from.clone(),
            to: args.to.clone(),
        };
        if let Some(named) = catalogue::find(first) {
            return Ok(Self::Named(named, rest, interval));
        }
        if !rest.is_empty() || !first.contains(char::is_whitespace) {
            return Err(unknown(first));
        }
        match interval == Interval::default() {
            true => Ok(Self::Sql(first)),
            false => Err(usage(
                "--from and --to go with a query that has a name; in SQL: where moment between …",
            )),
        }
    }

    pub(super) fn ask(&self, session: &Session, most: Option<usize>) -> Result<Answer> {
        Ok(match self {
            Self::Named(named, arguments, interval) => {
                named.ask_first(session, arguments, interval, most)?
            }
            Self::Sql(sql) => session.ask_first(sql, most)?,
        })
    }

    /// What the engine gets.
    pub(super) fn sql(&self, session: &Session) -> Result<String> {
        Ok(match self {
            Self::Named(named, arguments, interval) => named.bound(session, arguments, interval)?,
            Self::Sql(sql) => (*sql).to_owned(),
        })
    }

    /// The answer, from the directory of those that are kept if it is there.
    pub(super) fn answer(&self, opened: &Opened, args: &Args) -> Result<Answer> {
        let session = &opened.session;
        let Some(directory) = &args.keep else {
            return self.ask(session, args.most);
        };
        let Some(run) = &opened.run else {
            return Err(usage(
                "--keep is about one trace: answers are kept by its name",
            ));
        };
        let sql = self.sql(session)?;
        let kept = Kept::new(directory);
        if let Some(answer) = kept.get(run, &sql)? {
            return Ok(answer);
        }
        let answer = self.ask(session, None)?;
        kept.put(run, &sql, &answer)?;
        Ok(answer)
    }
}

/// Whatever was typed is no query.
fn unknown(name: &str) -> anyhow::Error {
    let near = catalogue::all().map(|named| named.name);
    let near: Vec<&str> = near
        .filter(|known| known.contains(name) || name.contains(known))
        .take(3)
        .collect();
    let like = match near.as_slice() {
        [] => String::new(),
        near => format!(" (there are {})", near.join(", ")),
    };
    usage(format!(
        "no query is called {name}{like}: 'jinsi query --list' has all of them; SQL is one argument, in quotes"
    ))
}

/// Reads the files of views.
pub(super) fn prepare(args: &Args, session: &Session) -> Result<()> {
    args.views
        .iter()
        .try_for_each(|file| Ok(session.run_file(file)?))
}

pub(super) fn tell_notes(session: &Session) {
    session.notes().iter().for_each(|text| note(text));
}

/// Writes an answer in the form that is asked for.
pub(super) fn written(args: &Args, answer: &Answer, out: &Output) -> Result<()> {
    let form = match (out.is_json(), args.format) {
        (true, None) => Form::Json,
        (_, form) => form.unwrap_or(Form::Table),
    };
    let mut text = Vec::new();
    match form {
        Form::Table => answer.table(&mut text)?,
        Form::Csv => answer.csv(&mut text)?,
        Form::Json => {
            answer.json(&mut text)?;
        }
        Form::Parquet => answer.parquet(&mut text)?,
    }
    if let Some(file) = &args.out {
        return jinsi_files::private::write(file, &text)
            .with_context(|| format!("cannot write {}", file.display()));
    }
    let stdout = io::stdout();
    if form == Form::Parquet && stdout.is_terminal() {
        return Err(usage("Parquet is not for a terminal: --out FILE"));
    }
    let mut stdout = stdout.lock();
    ignore_closed_pipe(stdout.write_all(&text).and_then(|()| stdout.flush()))?;
    if form == Form::Table {
        let rows = answer.len();
        let plural = if rows == 1 { "" } else { "s" };
        ignore_closed_pipe(writeln!(stdout, "{rows} row{plural}"))?;
    }
    Ok(())
}

/// The rows that only one of two runs has.
pub(super) fn differences(
    args: &Args,
    asked: &Asked<'_>,
    answer: &Answer,
    other: &Path,
    out: &Output,
) -> Result<bool> {
    let session = Session::open(other)?;
    prepare(args, &session)?;
    let others = asked.ask(&session, None)?;
    tell_notes(&session);
    let (names, rows) = compare(answer, &others)?;
    let document: Vec<serde_json::Value> = rows
        .iter()
        .map(|row| {
            let side = if row.is_second { "second" } else { "first" };
            let cells = names
                .iter()
                .cloned()
                .zip(row.cells.iter().cloned().map(Into::into));
            let cells: serde_json::Map<String, serde_json::Value> = cells.collect();
            serde_json::json!({ "only_in": side, "row": cells })
        })
        .collect();
    out.result(&document, |to| {
        writeln!(to, "  {}", names.join("  "))?;
        for row in &rows {
            let side = if row.is_second { '+' } else { '-' };
            let cells = row
                .cells
                .iter()
                .map(|cell| cell.as_deref().unwrap_or_default());
            writeln!(to, "{side} {}", cells.collect::<Vec<_>>().join("  "))?;
        }
        match rows.len() {
            0 => writeln!(to, "the same in both"),
            _ => Ok(()),
        }
    })?;
    Ok(true)
}

/// What can be asked.
pub(super) fn about(args: &Args, out: &Output) -> Result<bool> {
    if args.tables {
        let document: Vec<_> = Table::ALL.iter().map(|table| described(*table)).collect();
        out.result(&document, tables)?;
        return Ok(true);
    }
    let document: Vec<_> = catalogue::all()
        .map(|named| serde_json::json!({ "name": named.name, "usage": named.usage(), "says": named.says, "sql": named.sql }))
        .collect();
    out.result(&document, queries)?;
    Ok(true)
}

fn described(table: Table) -> serde_json::Value {
    let columns = table.columns().iter().map(|column| {
        serde_json::json!({ "name": column.name, "type": format!("{:?}", column.of).to_lowercase(), "says": column.says })
    });
    let columns: Vec<_> = columns.collect();
    serde_json::json!({ "table": table.name(), "says": table.says(), "columns": columns })
}

/// The tables, for people.
pub(super) fn tables(to: &mut dyn Write) -> io::Result<()> {
    for table in Table::ALL {
        writeln!(to, "{}: {}", table.name(), table.says())?;
        for column in table.columns() {
            let of = format!("{:?}", column.of).to_lowercase();
            writeln!(to, "  {:<15} {of:<5} {}", column.name, column.says)?;
        }
    }
    for function in functions::ALL {
        writeln!(to, "{}: {}", function.usage, function.says)?;
    }
    Ok(())
}

/// The queries with names, for people.
pub(super) fn queries(to: &mut dyn Write) -> io::Result<()> {
    for named in catalogue::all() {
        writeln!(to, "{}\n    {}", named.usage(), named.says)?;
    }
    Ok(())
}

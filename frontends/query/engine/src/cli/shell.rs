//! The shell of `jinsi query`.

use std::io::{self, Read};
use std::path::PathBuf;

use anyhow::{Context, Result};
use jinsi_query::schema::Table;
use jinsi_query::{Session, catalogue, statements};
use jinsi_query_options::Query as Args;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Editor, Helper};

use super::output::{Output, error, note};
use super::query::{self, Asked, tell_notes, written};

const HELP: &str = "\
SQL ends with a semicolon; a query with a name and its arguments is one line. \\d: tables, \\q: queries with names, Ctrl-D: the end.";

/// Asks what is typed, until the end.
pub(super) fn run(session: &Session, args: &Args, out: &Output) -> Result<bool> {
    let mut editor: Editor<Words, FileHistory> = Editor::new().context("no terminal")?;
    editor.set_helper(Some(Words));
    let file = history();
    if let Some(file) = &file {
        // There is none the first time.
        let _ = editor.load_history(file);
    }
    note(HELP);
    loop {
        match editor.readline("jinsi> ") {
            Ok(line) => {
                let _ = editor.add_history_entry(line.as_str());
                if let Err(e) = line_of(session, args, out, &line) {
                    error(&e);
                }
            }
            Err(ReadlineError::Interrupted) => {}
            Err(ReadlineError::Eof) => break,
            Err(e) => return Err(e.into()),
        }
    }
    if let Some(file) = &file {
        save(&mut editor, file);
    }
    Ok(true)
}

/// Asks what comes from elsewhere than a terminal: statements, each ended by a semicolon at a line's end.
pub(super) fn read(session: &Session, args: &Args, out: &Output) -> Result<bool> {
    let mut text = String::new();
    io::stdin()
        .read_to_string(&mut text)
        .context("cannot read what to ask")?;
    for statement in statements(&text) {
        line_of(session, args, out, &statement)?;
    }
    Ok(true)
}

/// One question.
fn line_of(session: &Session, args: &Args, out: &Output, line: &str) -> Result<()> {
    let text = line.trim().trim_end_matches(';').trim();
    match text {
        "" => return Ok(()),
        "\\d" => return Ok(query::tables(&mut io::stdout())?),
        "\\q" => return Ok(query::queries(&mut io::stdout())?),
        _ => {}
    }
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let asked = match words.split_first() {
        Some((first, rest)) if catalogue::find(first).is_some() => Asked::new(args, first, rest)?,
        _ => Asked::Sql(text),
    };
    let answer = asked.ask(session, args.most)?;
    tell_notes(session);
    written(args, &answer, out)
}

/// Where what was typed is kept; it can hold values of the program.
fn history() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let state = set("XDG_STATE_HOME").map(PathBuf::from);
    let state = state.or_else(|| Some(PathBuf::from(set("HOME")?).join(".local/state")))?;
    Some(state.join("jinsi/query-history"))
}

fn save(editor: &mut Editor<Words, FileHistory>, file: &std::path::Path) {
    let parent = file.parent().unwrap_or(file);
    let saved = jinsi_files::private::create_dir_all(parent)
        .and_then(|()| match file.exists() {
            true => Ok(()),
            false => jinsi_files::private::write(file, ""),
        })
        .map_err(ReadlineError::from)
        .and_then(|()| editor.save_history(file));
    if let Err(e) = saved {
        note(&format!(
            "what was typed is not kept: {}: {e}",
            file.display()
        ));
    }
}

/// Completes names of tables, columns and queries.
struct Words;

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let before = &line[..position];
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begin = before.rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
        Ok((begin, completions(&before[begin..])))
    }
}

/// The names that begin so.
fn completions(word: &str) -> Vec<String> {
    let tables = Table::ALL.iter().map(|table| table.name());
    let columns = Table::ALL.iter().flat_map(|table| table.columns());
    let columns = columns.map(|column| column.name);
    let queries = catalogue::all().map(|named| named.name);
    let all = tables.chain(columns).chain(queries);
    let mut found: Vec<String> = all
        .filter(|name| name.starts_with(word))
        .map(str::to_owned)
        .collect();
    found.sort();
    found.dedup();
    found
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {
    /// SQL goes on over lines until its semicolon.
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(match is_whole(context.input()) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

impl Helper for Words {}

fn is_whole(text: &str) -> bool {
    let text = text.trim();
    let first = text.split_whitespace().next().unwrap_or_default();
    text.is_empty()
        || text.ends_with(';')
        || text.starts_with('\\')
        || catalogue::find(first).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sql_is_whole_with_its_semicolon() {
        assert!(is_whole("select 1;") && is_whole("") && is_whole("\\d"));
        assert!(is_whole("where_exception") && is_whole("call_chain 0:3"));
        assert!(!is_whole("select 1"));
    }

    #[test]
    fn names_are_completed() {
        assert_eq!(completions("exc"), ["exception_caught", "exceptions"]);
        assert!(completions("rec").contains(&"receiver_class".to_owned()));
    }
}

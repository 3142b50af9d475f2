//! What every measure ends with: a document for programs, a text for people, and whether what has to hold does.
//!
//! The keys of the documents are the names of the fields; they stay as they are. People read the same keys: [`outline`].

mod outline;

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;
use serde_json::Value;

pub use outline::{brief, outline};

/// Something that has to hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Goal {
    /// In words.
    pub what: Cow<'static, str>,
    /// Does it?
    pub holds: bool,
}

/// A goal, and whether it is reached.
pub fn goal(what: impl Into<Cow<'static, str>>, holds: bool) -> Goal {
    Goal {
        what: what.into(),
        holds,
    }
}

/// Do all of them hold?
pub fn all_hold(goals: &[Goal]) -> bool {
    goals.iter().all(|goal| goal.holds)
}

/// A line a goal.
pub fn goal_lines(goals: &[Goal]) -> String {
    let line = |goal: &Goal| {
        let verdict = if goal.holds { "holds   " } else { "VIOLATED" };
        format!("{verdict} {}\n", goal.what)
    };
    goals.iter().map(line).collect()
}

/// Adds a line to a text.
#[macro_export]
macro_rules! line {
    ($text:expr, $($words:tt)*) => {{
        $text.push_str(&format!($($words)*));
        $text.push('\n');
    }};
}

/// What a measure has found.
pub trait Findings: Serialize {
    /// Keys of long lists, which only programs read.
    const LONG: &'static [&'static str] = &[];

    /// For people.
    fn text(&self) -> String
    where
        Self: Sized,
    {
        outline(self, Self::LONG)
    }

    /// Is all as it has to be?
    fn holds(&self) -> bool;
}

/// Prints what was found, as one JSON document or as text; `false` if something is not as it has to be.
///
/// # Errors
/// It cannot be written as JSON.
pub fn print(found: &impl Findings, json: bool) -> Result<bool> {
    print_or(found, json, || found.text())?;
    Ok(found.holds())
}

/// Prints a JSON document, or this text.
///
/// # Errors
/// It cannot be written as JSON.
pub fn print_or(
    document: &impl Serialize,
    json: bool,
    text: impl FnOnce() -> String,
) -> Result<()> {
    match json {
        true => println!("{}", serde_json::to_string_pretty(document)?),
        false => print!("{}", text()),
    }
    Ok(())
}

/// Writes a document to a file.
///
/// # Errors
/// It cannot be written.
pub fn write(document: &impl Serialize, file: &Path) -> Result<()> {
    let mut text = serde_json::to_string_pretty(document)?;
    text.push('\n');
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// Figures that have goals.
pub trait Figures: Serialize {
    /// Keys of long lists, which only programs read.
    const LONG: &'static [&'static str] = &[];

    /// What has to hold of them.
    fn goals(&self) -> Vec<Goal>;

    /// For people, without the goals.
    fn text(&self) -> String
    where
        Self: Sized,
    {
        outline(self, Self::LONG)
    }
}

/// Figures, and which of their goals they reach.
#[derive(Debug, Serialize)]
pub struct Judged<T> {
    /// The figures. Their keys stand beside those of the verdict.
    #[serde(flatten)]
    pub figures: T,
    /// The goals.
    pub goals: Vec<Goal>,
    /// Do all of them hold?
    pub holds: bool,
}

impl<T: Figures> Judged<T> {
    /// Compares the figures with what has to be reached.
    pub fn of(figures: T) -> Self {
        let goals = figures.goals();
        Self {
            holds: all_hold(&goals),
            goals,
            figures,
        }
    }
}

impl<T: Figures> Findings for Judged<T> {
    fn text(&self) -> String {
        self.figures.text() + &goal_lines(&self.goals)
    }

    fn holds(&self) -> bool {
        self.holds
    }
}

/// The fields with these keys, which have spaces between them, a line a row: `seconds`, or `index.seconds` of a field within a field. A column is
/// headed by its key, or the last part of that if no other has the same, and is as wide as its widest cell; the first one stands to the left, all
/// others to the right.
pub fn table<R: Serialize>(rows: &[R], keys: &str) -> String {
    let keys: Vec<&str> = keys.split_whitespace().collect();
    let mut lines = vec![heads(&keys)];
    for row in rows {
        let row = serde_json::to_value(row).unwrap_or_default();
        let field = |key: &&str| key.split('.').fold(&row, |value, key| &value[key]);
        lines.push(
            keys.iter()
                .map(|key| cell(field(key)))
                .collect::<Vec<String>>(),
        );
    }
    aligned(&lines)
}

/// What stands above columns: the key, or the last part of it if no other has the same.
fn heads(keys: &[&str]) -> Vec<String> {
    let last = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
    let head = |&key: &&str| match keys.iter().filter(|k| last(k) == last(key)).count() {
        1 => last(key),
        _ => key.to_owned(),
    };
    keys.iter().map(head).collect()
}

/// Lines of cells, each column as wide as its widest cell.
fn aligned(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |at: usize| lines.iter().map(|cells| cells[at].chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|at| width(at).unwrap_or(0)).collect();
    let line = |cells: &Vec<String>| {
        let padded = cells.iter().zip(&widths).enumerate();
        let padded = padded.map(|(at, (cell, &width))| match at {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    lines.iter().map(line).collect()
}

/// A field as people read it: of fractions as many digits as say something.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or_default();
            let digits = match number.abs() {
                n if n >= 1000.0 => 0,
                n if n >= 10.0 => 1,
                _ => 3,
            };
            format!("{number:.digits$}")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Seconds {
        seconds: f64,
    }

    impl Figures for Seconds {
        fn goals(&self) -> Vec<Goal> {
            vec![goal("it takes a second", self.seconds <= 1.0)]
        }
    }

    #[test]
    fn figures_stand_beside_their_goals() {
        let judged = Judged::of(Seconds { seconds: 2.0 });
        let document = serde_json::to_value(&judged).unwrap();
        let goals = serde_json::json!([{"what": "it takes a second", "holds": false}]);
        let expected = serde_json::json!({"seconds": 2.0, "goals": goals, "holds": false});
        assert_eq!(document, expected);
        assert_eq!(
            judged.text(),
            "seconds  2.000\nVIOLATED it takes a second\n"
        );
        assert!(!judged.holds());
        assert!(Judged::of(Seconds { seconds: 1.0 }).holds());
    }

    #[test]
    fn columns_are_fields() {
        let rows = [
            serde_json::json!({"name": "a long name", "took": {"seconds": 1.5}, "found": 3}),
            serde_json::json!({"name": "ü", "took": {"seconds": 123.456}, "found": null}),
        ];
        let expected = "name         seconds  found\na long name    1.500      3\nü              123.5      -\n";
        assert_eq!(table(&rows, "name took.seconds found"), expected);
        let heads = table(&rows[..0], "name took.seconds lost.seconds");
        assert_eq!(heads, "name  took.seconds  lost.seconds\n");
    }
}

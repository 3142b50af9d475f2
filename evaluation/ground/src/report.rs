//! What every measure ends with: a document for programs, a text for people, and whether what has to hold does.
//!
//! The keys of the documents are the names of the fields; they stay as they are.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

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
    /// For people.
    fn text(&self) -> String;

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
    /// What has to hold of them.
    fn goals(&self) -> Vec<Goal>;

    /// For people, without the goals.
    fn text(&self) -> String;
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

/// A column of a table: its head, and what it says of a row.
pub type Column<'a, R> = (&'a str, &'a dyn Fn(&R) -> String);

/// A line a row below the heads. A column is as wide as its widest cell; the first one stands to the left, as does a last one without a head, all
/// others to the right.
pub fn table<'r, R: 'r>(
    rows: impl IntoIterator<Item = &'r R>,
    columns: &[Column<'_, R>],
) -> String {
    let heads = columns.iter().map(|(head, _)| (*head).to_owned()).collect();
    let cells = |row: &R| columns.iter().map(|(_, cell)| cell(row)).collect();
    let lines = std::iter::once(heads).chain(rows.into_iter().map(cells));
    let lines: Vec<Vec<String>> = lines.collect();
    let width = |at: usize| lines.iter().map(|cells| cells[at].chars().count()).max();
    let widths: Vec<usize> = (0..columns.len())
        .map(|at| width(at).unwrap_or(0))
        .collect();
    let left = |at: usize| at == 0 || at + 1 == columns.len() && columns[at].0.is_empty();
    let line = |cells: &Vec<String>| {
        let padded = cells.iter().zip(&widths).enumerate();
        let padded = padded.map(|(at, (cell, &width))| match left(at) {
            true => format!("{cell:<width$}"),
            false => format!("{cell:>width$}"),
        });
        format!("{}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    lines.iter().map(line).collect()
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

        fn text(&self) -> String {
            format!("{} s\n", self.seconds)
        }
    }

    #[test]
    fn figures_stand_beside_their_goals() {
        let judged = Judged::of(Seconds { seconds: 2.0 });
        let document = serde_json::to_value(&judged).unwrap();
        let goals = serde_json::json!([{"what": "it takes a second", "holds": false}]);
        let expected = serde_json::json!({"seconds": 2.0, "goals": goals, "holds": false});
        assert_eq!(document, expected);
        assert_eq!(judged.text(), "2 s\nVIOLATED it takes a second\n");
        assert!(!judged.holds());
        assert!(Judged::of(Seconds { seconds: 1.0 }).holds());
    }

    #[test]
    fn columns_are_as_wide_as_they_have_to_be() {
        let rows = [("a long name", 1.5, ""), ("ü", 12.0, "slow")];
        let text = table(
            &rows,
            &[
                ("", &|row| row.0.to_owned()),
                ("seconds", &|row| format!("{:.1}", row.1)),
                ("", &|row| row.2.to_owned()),
            ],
        );
        let expected = "             seconds\na long name      1.5\nü               12.0  slow\n";
        assert_eq!(text, expected);
    }
}

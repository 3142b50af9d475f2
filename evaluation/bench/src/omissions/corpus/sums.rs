//! What came of all bugs together, and what has to hold of it.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;

use super::Row;
use jinsi_ground::goal::Goal;

/// Goals: medians.
const RANK: usize = 3;
const FALSE: usize = 3;

/// All of it.
#[derive(Serialize)]
pub(super) struct Report {
    java: String,
    omissions: usize,
    /// Medians over the omissions; a bug that is not found ranks behind all.
    median_method: Option<usize>,
    median_line: Option<usize>,
    /// Of these, those with an answer in a method of the repair.
    found: usize,
    /// Without an order: as many as have to be looked at on average, until one is in a method of the repair.
    median_unranked: Option<usize>,
    median_slice: Option<usize>,
    others: usize,
    /// Answers of a bug that is no omission: all are false.
    median_false: Option<usize>,
    median_seconds: f64,
    bugs: Vec<Row>,
    goals: Vec<Goal>,
    pub(super) holds: bool,
}

impl Report {
    pub(super) fn of(java: String, bugs: Vec<Row>) -> Self {
        let (omissions, others): (Vec<&Row>, Vec<&Row>) = bugs.iter().partition(|row| row.omission);
        let rank = |rank: Option<usize>| rank.unwrap_or(usize::MAX);
        let method = median(omissions.iter().map(|row| rank(row.method)));
        let median_false = others.iter().filter(|row| row.error.is_none());
        let median_false = median(median_false.map(|row| row.answers));
        let mut seconds: Vec<f64> = bugs.iter().map(|row| row.seconds).collect();
        seconds.sort_by(f64::total_cmp);
        let goals = vec![
            Goal {
                what: "omissions: the place of the repair is third or better in the median",
                holds: method.is_none_or(|rank| rank <= RANK),
            },
            Goal {
                what: "no omissions: at most three answers in the median",
                holds: median_false.is_none_or(|count| count <= FALSE),
            },
        ];
        let known = |rank: Option<usize>| rank.filter(|rank| *rank != usize::MAX);
        Self {
            java,
            omissions: omissions.len(),
            median_method: known(method),
            median_line: known(median(omissions.iter().map(|row| rank(row.line)))),
            found: omissions.iter().filter(|row| row.method.is_some()).count(),
            median_unranked: known(median(omissions.iter().map(|row| unranked(row)))),
            median_slice: median(omissions.iter().map(|row| row.slice)),
            others: others.len(),
            median_false,
            median_seconds: seconds.get(seconds.len() / 2).copied().unwrap_or(0.0),
            holds: goals.iter().all(|goal| goal.holds),
            goals,
            bugs,
        }
    }

    pub(super) fn print(&self, as_json: bool) -> Result<()> {
        if as_json {
            println!("{}", serde_json::to_string_pretty(self)?);
            return Ok(());
        }
        let shown = |rank: Option<usize>| rank.map_or_else(|| "-".to_owned(), |no| no.to_string());
        println!(
            "Java {}: {} omissions, {} with an answer in the method of the repair; medians: rank {} (by line {}), without an order {}, {} lines in the relevant slice",
            self.java,
            self.omissions,
            self.found,
            shown(self.median_method),
            shown(self.median_line),
            shown(self.median_unranked),
            shown(self.median_slice),
        );
        println!(
            "{} others; median of answers, which are false: {}; median of {:.1} s an answer",
            self.others,
            shown(self.median_false),
            self.median_seconds
        );
        for goal in &self.goals {
            let verdict = if goal.holds { "holds   " } else { "VIOLATED" };
            println!("{verdict} {}", goal.what);
        }
        Ok(())
    }
}

/// How many answers have to be looked at in any order, on average, until one is in a method of the repair: of `n` with `k` there,
/// (n + 1) / (k + 1).
fn unranked(row: &Row) -> usize {
    match row.unranked_there {
        0 => usize::MAX,
        there => (row.unranked + 1).div_ceil(there + 1),
    }
}

/// The upper median.
fn median(values: impl Iterator<Item = usize>) -> Option<usize> {
    let mut all: Vec<usize> = values.collect();
    all.sort_unstable();
    all.get(all.len() / 2).copied()
}

/// A bug, for people.
pub(super) fn text(row: &Row) -> String {
    let mut text = String::new();
    let kind = if row.omission { "omission" } else { "other" };
    if let Some(error) = &row.error {
        let _ = writeln!(text, "{:<22} {kind:<8} {error}", row.id);
        return text;
    }
    let shown = |rank: Option<usize>| rank.map_or_else(|| "-".to_owned(), |no| no.to_string());
    let _ = writeln!(
        text,
        "{:<22} {kind:<8} method {:>3}, line {:>3}; {} answers, {} hidden; {} of {} there; slice {}; {:.1} s",
        row.id,
        shown(row.method),
        shown(row.line),
        row.answers,
        row.hidden,
        row.unranked_there,
        row.unranked,
        row.slice,
        row.seconds
    );
    for first in &row.first {
        let _ = writeln!(text, "    {first}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(omission: bool, method: Option<usize>, answers: usize) -> Row {
        Row {
            omission,
            method,
            answers,
            unranked: 9,
            unranked_there: 1,
            ..Row::default()
        }
    }

    #[test]
    fn what_is_not_found_ranks_behind_all() {
        let omissions = [Some(1), None, Some(3)].map(|rank| row(true, rank, 1));
        let others = [0, 3, 9].map(|count| row(false, None, count));
        let report = Report::of(String::new(), [omissions, others].concat());
        assert_eq!(report.median_method, Some(3));
        assert_eq!(report.median_unranked, Some(5));
        assert_eq!((report.found, report.median_false), (2, Some(3)));
        assert!(report.holds);
        let missed = [Some(1), None].map(|rank| row(true, rank, 1));
        let report = Report::of(String::new(), missed.to_vec());
        assert_eq!(report.median_method, None);
        assert!(!report.holds);
    }
}

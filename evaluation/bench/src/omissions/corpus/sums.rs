//! What came of all bugs together, and what has to hold of it.

use serde::Serialize;

use super::Row;
use jinsi_ground::figures::upper_median;
use jinsi_ground::report::{Figures, Goal, goal};

/// Goals: medians.
const RANK: usize = 3;
const FALSE: usize = 3;

/// All of it.
#[derive(Serialize)]
pub(super) struct CorpusFigures {
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
}

impl CorpusFigures {
    pub(super) fn of(java: String, bugs: Vec<Row>) -> Self {
        let (omissions, others): (Vec<&Row>, Vec<&Row>) = bugs.iter().partition(|row| row.omission);
        let rank = |rank: Option<usize>| rank.unwrap_or(usize::MAX);
        let method = upper_median(omissions.iter().map(|row| rank(row.method)));
        let median_false = others.iter().filter(|row| row.error.is_none());
        let median_false = upper_median(median_false.map(|row| row.answers));
        let known = |rank: Option<usize>| rank.filter(|rank| *rank != usize::MAX);
        Self {
            java,
            omissions: omissions.len(),
            median_method: known(method),
            median_line: known(upper_median(omissions.iter().map(|row| rank(row.line)))),
            found: omissions.iter().filter(|row| row.method.is_some()).count(),
            median_unranked: known(upper_median(omissions.iter().map(|row| unranked(row)))),
            median_slice: upper_median(omissions.iter().map(|row| row.slice)),
            others: others.len(),
            median_false,
            median_seconds: upper_median(bugs.iter().map(|row| row.seconds)).unwrap_or(0.0),
            bugs,
        }
    }
}

impl Figures for CorpusFigures {
    const LONG: &'static [&'static str] = &["bugs"];

    fn goals(&self) -> Vec<Goal> {
        // One that is not found ranks behind all.
        let third = self.omissions == 0 || self.median_method.is_some_and(|rank| rank <= RANK);
        vec![
            goal(
                "omissions: the place of the repair is third or better in the median",
                third,
            ),
            goal(
                "no omissions: at most three answers in the median",
                self.median_false.is_none_or(|count| count <= FALSE),
            ),
        ]
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

#[cfg(test)]
mod tests {
    use jinsi_ground::report::Judged;

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
        let report = CorpusFigures::of(String::new(), [omissions, others].concat());
        assert_eq!(report.median_method, Some(3));
        assert_eq!(report.median_unranked, Some(5));
        assert_eq!((report.found, report.median_false), (2, Some(3)));
        assert!(Judged::of(report).holds);
        let missed = [Some(1), None].map(|rank| row(true, rank, 1));
        let report = CorpusFigures::of(String::new(), missed.to_vec());
        assert_eq!(report.median_method, None);
        assert!(!Judged::of(report).holds);
    }
}

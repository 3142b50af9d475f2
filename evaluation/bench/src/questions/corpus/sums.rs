//! What came of all bugs together, and what has to hold of it.

use serde::Serialize;

use super::{Led, Row};
use jinsi_ground::figures::upper_median;
use jinsi_ground::report::{Figures, Findings, Goal, Judged, goal};

/// Share of the blamed methods that have to hold the repair, and median of the questions until then.
const SHARE: f64 = 0.9;
const QUESTIONS: usize = 5;

/// All of it.
#[derive(Serialize)]
pub(super) struct CorpusFigures {
    java: String,
    /// Bugs with a repaired release.
    bugs: usize,
    /// Those of them in whose run no method ran that the repair changed: it added one, or is elsewhere. No verdict can be right by that.
    repair_did_not_run: usize,
    /// Of which nothing came.
    failed: usize,
    plain: Judged<SessionSums>,
    pointed: Judged<SessionSums>,
    minimized: Judged<SessionSums>,
    /// Bugs whose runs were not minimized: the session is that of the whole run.
    not_minimized: usize,
    /// Share of the calls that minimizing leaves, of the others (median).
    share_left: Option<f64>,
    pub(super) holds: bool,
    rows: Vec<Row>,
}

/// What came of the sessions of one kind, of bugs of whose repair a method ran.
#[derive(Serialize)]
struct SessionSums {
    /// Where the repaired release could answer until a method was blamed.
    answered: usize,
    /// Blamed methods that hold the repair: they have other instructions there.
    holding: usize,
    /// Blamed methods of which it is written down whether they do, and that do by that.
    written_down: usize,
    holding_as_written_down: usize,
    /// Of the methods that ran, the share that has other instructions: so often one who guesses would be right.
    share_by_chance: f64,
    /// Of the bugs where it could answer.
    median_questions: Option<usize>,
    /// With those that it could not answer.
    median_with_unanswered: Option<usize>,
}

impl SessionSums {
    fn of(rows: &[Row], led: fn(&Row) -> &Led) -> Judged<Self> {
        let answered = rows.iter().filter(|row| row.changed_methods > 0);
        let answered: Vec<&Row> = answered.filter(|row| led(row).blamed.is_some()).collect();
        let holding = answered.iter().filter(|row| led(row).changed == Some(true));
        let holding = holding.count();
        let placed: Vec<bool> = answered.iter().filter_map(|row| led(row).place).collect();
        let chances = answered
            .iter()
            .map(|row| row.changed_methods as f64 / row.methods.max(1) as f64);
        let median_questions = upper_median(answered.iter().map(|row| led(row).questions));
        let with_unanswered = |row: &&Row| led(row).questions + led(row).unanswered;
        Judged::of(Self {
            answered: answered.len(),
            holding,
            written_down: placed.len(),
            holding_as_written_down: placed.iter().filter(|place| **place).count(),
            share_by_chance: chances.sum::<f64>() / answered.len().max(1) as f64,
            median_questions,
            median_with_unanswered: upper_median(answered.iter().map(with_unanswered)),
        })
    }
}

impl Figures for SessionSums {
    fn goals(&self) -> Vec<Goal> {
        let most = |questions: usize| questions <= QUESTIONS;
        vec![
            goal(
                "where the repaired release can answer, the blamed method holds the repair for 90 %",
                self.holding as f64 >= SHARE * self.answered as f64,
            ),
            goal(
                "there, it takes at most five questions in the median",
                self.median_questions.is_none_or(most),
            ),
        ]
    }
}

impl CorpusFigures {
    pub(super) fn of(java: String, rows: Vec<Row>) -> Self {
        let did_not_run = rows
            .iter()
            .filter(|row| row.error.is_none() && row.changed_methods == 0);
        let repair_did_not_run = did_not_run.count();
        let plain = SessionSums::of(&rows, |row| &row.plain);
        let pointed = SessionSums::of(&rows, |row| &row.pointed);
        let minimized = SessionSums::of(&rows, |row| &row.minimized);
        let left = rows
            .iter()
            .filter_map(|row| Some(row.calls_left? as f64 / row.calls.max(1) as f64));
        Self {
            java,
            bugs: rows.len(),
            repair_did_not_run,
            failed: rows.iter().filter(|row| row.error.is_some()).count(),
            not_minimized: rows
                .iter()
                .filter(|row| row.not_minimized.is_some())
                .count(),
            share_left: upper_median(left),
            holds: plain.holds && pointed.holds && minimized.holds,
            plain,
            pointed,
            minimized,
            rows,
        }
    }
}

impl Findings for CorpusFigures {
    const LONG: &'static [&'static str] = &["rows"];

    fn holds(&self) -> bool {
        self.holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(questions: usize, changed: Option<bool>) -> Row {
        let led = Led {
            questions,
            unanswered: 7,
            blamed: changed.map(|_| "a.B.c".to_owned()),
            changed,
            ..Led::default()
        };
        Row {
            methods: 10,
            changed_methods: 5,
            plain: led.clone(),
            pointed: led.clone(),
            minimized: led,
            ..Row::default()
        }
    }

    #[test]
    fn what_is_not_answered_is_counted_apart() {
        let rows = vec![row(3, Some(true)), row(90, None), row(4, Some(true))];
        let report = CorpusFigures::of("17".to_owned(), rows.clone());
        let plain = &report.plain.figures;
        assert!(report.holds);
        assert_eq!((report.bugs, plain.answered, plain.holding), (3, 2, 2));
        assert_eq!(plain.median_questions, Some(4));
        assert_eq!(plain.median_with_unanswered, Some(11));
        let worse = [rows, vec![row(9, Some(false)), row(8, Some(true))]].concat();
        let report = CorpusFigures::of("17".to_owned(), worse);
        assert!(!report.holds && report.plain.goals.iter().all(|goal| !goal.holds));
        let mut elsewhere = row(30, Some(false));
        elsewhere.changed_methods = 0;
        let report = CorpusFigures::of("17".to_owned(), vec![elsewhere, row(3, Some(true))]);
        let plain = &report.plain.figures;
        assert_eq!((plain.answered, report.repair_did_not_run), (1, 1));
        assert!(report.holds);
    }

    #[test]
    fn sessions_of_both_kinds_are_summed_up_apart() {
        let mut one = row(9, Some(true));
        one.pointed.questions = 3;
        let report = CorpusFigures::of("17".to_owned(), vec![one]);
        assert_eq!(report.plain.figures.median_questions, Some(9));
        assert_eq!(report.pointed.figures.median_questions, Some(3));
        assert!(!report.holds && report.pointed.holds);
    }
}

//! The table.

use jinsi_declarative::Strategy;
use serde::Serialize;

use super::large::Large;
use super::play::Sample;
use jinsi_ground::figures::mean;
use jinsi_ground::report::{Figures, Goal, goal};

/// The average of the best strategy may be this.
const MOST: f64 = 5.0;
/// No strategy that is recommended may need so many more than plain divide-and-query on any program.
const WORSE: f64 = 1.0;

/// What is published (Hermanns and Kuchen, Table 1): answers by top-down, D&Q, def-use chains, edges.
const PUBLISHED: [(&str, [f64; 4]); 6] = [
    ("Avl", [13.90, 9.10, 7.70, 6.60]),
    ("Binary Tree", [11.80, 10.20, 7.40, 7.80]),
    ("B Tree", [15.57, 13.43, 8.57, 9.43]),
    ("Heap sort", [9.60, 7.20, 9.00, 9.00]),
    ("Hash table", [11.20, 9.60, 9.00, 5.80]),
    ("Total Avg.", [12.84, 10.00, 8.25, 7.66]),
];
/// Their columns, by our names.
const THEIRS: [&str; 4] = ["top-down", "divide", "chains", "edges"];

/// A program with its mutants.
#[derive(Debug, Serialize)]
pub(super) struct Program {
    name: &'static str,
    /// Mutants that there are, those tried that did not compile or not end, and those that nobody noticed.
    mutants: usize,
    pub(super) unusable: usize,
    pub(super) unnoticed: usize,
    pub(super) samples: Vec<Sample>,
}

impl Program {
    pub(super) fn new(name: &'static str, mutants: usize) -> Self {
        Self {
            name,
            mutants,
            unusable: 0,
            unnoticed: 0,
            samples: Vec::new(),
        }
    }
}

/// A column of a row.
#[derive(Debug, Serialize)]
struct Column {
    strategy: &'static str,
    answers: f64,
    answers_to_the_call: f64,
    /// Of the calls that are not trusted.
    classified: f64,
    savings: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    published: Option<f64>,
}

#[derive(Debug, Serialize)]
struct ProgramRow {
    program: &'static str,
    tests: usize,
    calls: f64,
    trusted: f64,
    columns: Vec<Column>,
}

/// All of it.
#[derive(Serialize)]
pub(super) struct QuestionFigures {
    java: String,
    seed: u64,
    rows: Vec<ProgramRow>,
    best: &'static str,
    wrong_verdicts: usize,
    not_judged: usize,
    large: Large,
    programs: Vec<Program>,
}

impl QuestionFigures {
    pub(super) fn of((java, seed): (String, u64), programs: Vec<Program>, large: Large) -> Self {
        let mut rows: Vec<ProgramRow> = programs
            .iter()
            .map(|program| row(program.name, &program.samples.iter().collect::<Vec<_>>()))
            .collect();
        let all: Vec<&Sample> = programs.iter().flat_map(|p| &p.samples).collect();
        rows.push(row("Total Avg.", &all));
        let total = &rows[rows.len() - 1].columns;
        let best = total.iter().min_by(|a, b| a.answers.total_cmp(&b.answers));
        let best = best.map_or("", |best| best.strategy);
        let wrong_verdicts = all.iter().flat_map(|sample| &sample.sessions);
        let wrong_verdicts = wrong_verdicts
            .filter(|p| p.blamed.is_some() && !p.right)
            .count();
        Self {
            java,
            seed,
            best,
            wrong_verdicts,
            not_judged: all.iter().map(|sample| sample.unknown).sum(),
            large,
            rows,
            programs,
        }
    }
}

impl ProgramRow {
    /// Answers that a strategy needs.
    fn answers(&self, strategy: &str) -> f64 {
        let column = self.columns.iter().find(|c| c.strategy == strategy);
        column.map_or(0.0, |column| column.answers)
    }
}

impl Figures for QuestionFigures {
    const LONG: &'static [&'static str] = &["programs"];

    fn goals(&self) -> Vec<Goal> {
        let total = self.rows.last();
        let average = total.map_or(0.0, |total| total.answers(self.best));
        let worse = |row: &ProgramRow| row.answers(self.best) > row.answers("divide") + WORSE;
        let mut goals = vec![
            goal(
                "the best strategy needs at most 5.0 answers on average",
                average <= MOST,
            ),
            goal(
                "on no program it needs more than one answer more than divide-and-query",
                !self.rows.iter().any(worse),
            ),
            goal("no verdict is wrong", self.wrong_verdicts == 0),
        ];
        goals.extend(self.large.goals());
        goals
    }
}

fn row(program: &'static str, samples: &[&Sample]) -> ProgramRow {
    let of =
        |count: &dyn Fn(&Sample) -> usize| mean(samples.iter().map(|sample| count(sample) as f64));
    let published = PUBLISHED.iter().find(|(name, _)| *name == program);
    let column = |no: usize, strategy: &'static str| {
        let answers = of(&|sample| sample.sessions[no].to_the_method);
        let first = of(&|sample| sample.sessions[0].to_the_method);
        let untrusted = of(&|sample| sample.calls - sample.trusted);
        let place = THEIRS.iter().position(|name| *name == strategy);
        Column {
            strategy,
            answers,
            answers_to_the_call: of(&|sample| sample.sessions[no].to_the_call),
            classified: answers / untrusted.max(1.0),
            savings: 1.0 - answers / first.max(1.0),
            published: place.and_then(|place| published.map(|(_, figures)| figures[place])),
        }
    };
    let columns = Strategy::ALL.iter().enumerate();
    ProgramRow {
        program,
        tests: samples.len(),
        calls: of(&|sample| sample.calls),
        trusted: of(&|sample| sample.trusted),
        columns: columns.map(|(no, (_, name))| column(no, name)).collect(),
    }
}

//! The table.

use anyhow::Result;
use jinsi_declarative::Strategy;
use serde::Serialize;

use super::large::Large;
use super::play::Sample;
use jinsi_ground::goal::Goal;

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
struct Row {
    program: &'static str,
    tests: usize,
    calls: f64,
    trusted: f64,
    columns: Vec<Column>,
}

/// All of it.
#[derive(Serialize)]
pub(super) struct Report {
    java: String,
    seed: u64,
    rows: Vec<Row>,
    best: &'static str,
    wrong_verdicts: usize,
    not_judged: usize,
    large: Large,
    goals: Vec<Goal>,
    pub(super) holds: bool,
    programs: Vec<Program>,
}

impl Report {
    pub(super) fn of((java, seed): (String, u64), programs: Vec<Program>, large: Large) -> Self {
        let mut rows: Vec<Row> = programs
            .iter()
            .map(|program| row(program.name, &program.samples.iter().collect::<Vec<_>>()))
            .collect();
        let all: Vec<&Sample> = programs.iter().flat_map(|p| &p.samples).collect();
        rows.push(row("Total Avg.", &all));
        let total = &rows[rows.len() - 1].columns;
        let best = total.iter().min_by(|a, b| a.answers.total_cmp(&b.answers));
        let (best, average) = best.map_or(("", 0.0), |best| (best.strategy, best.answers));
        let of = |row: &Row, strategy: &str| {
            let column = row.columns.iter().find(|c| c.strategy == strategy);
            column.map_or(0.0, |column| column.answers)
        };
        let never_worse = rows
            .iter()
            .all(|row| of(row, best) <= of(row, "divide") + WORSE);
        let wrong_verdicts = all.iter().flat_map(|sample| &sample.sessions);
        let wrong_verdicts = wrong_verdicts
            .filter(|p| p.blamed.is_some() && !p.right)
            .count();
        let mut goals = vec![
            Goal {
                what: "the best strategy needs at most 5.0 answers on average",
                holds: average <= MOST,
            },
            Goal {
                what: "on no program it needs more than one answer more than divide-and-query",
                holds: never_worse,
            },
            Goal {
                what: "no verdict is wrong",
                holds: wrong_verdicts == 0,
            },
        ];
        goals.extend(large.goals());
        Self {
            java,
            seed,
            best,
            wrong_verdicts,
            not_judged: all.iter().map(|sample| sample.unknown).sum(),
            holds: goals.iter().all(|goal| goal.holds),
            large,
            goals,
            rows,
            programs,
        }
    }

    pub(super) fn print(&self, json: bool) -> Result<()> {
        if json {
            println!("{}", serde_json::to_string_pretty(self)?);
            return Ok(());
        }
        println!(
            "Answers until the method is found, in brackets until one call is left; in the second line what is published."
        );
        print!(
            "{:<12}{:>6}{:>8}{:>9}",
            "program", "tests", "calls", "trusted"
        );
        for (_, name) in Strategy::ALL {
            print!("{name:>15}");
        }
        println!();
        for row in &self.rows {
            let (tests, calls, trusted) = (row.tests, row.calls, row.trusted);
            print!("{:<12}{tests:>6}{calls:>8.1}{trusted:>9.1}", row.program);
            for column in &row.columns {
                print!(
                    "{:>7.2} ({:>5.2})",
                    column.answers, column.answers_to_the_call
                );
            }
            println!();
            print!("{:<35}", "");
            for column in &row.columns {
                match column.published {
                    Some(published) => print!("{published:>7.2}        "),
                    None => print!("{:>15}", ""),
                }
            }
            println!();
        }
        println!(
            "best: {}; calls that the user could not judge: {}",
            self.best, self.not_judged
        );
        self.large.print();
        for goal in &self.goals {
            println!(
                "{}: {}",
                if goal.holds { "holds" } else { "VIOLATED" },
                goal.what
            );
        }
        Ok(())
    }
}

fn mean(values: impl Iterator<Item = usize>) -> f64 {
    let (sum, count) = values.fold((0, 0), |(sum, count), v| (sum + v, count + 1));
    sum as f64 / f64::from(count.max(1))
}

fn row(program: &'static str, samples: &[&Sample]) -> Row {
    let published = PUBLISHED.iter().find(|(name, _)| *name == program);
    let column = |no: usize, strategy: &'static str| {
        let played = |sample: &&Sample| sample.sessions[no].clone();
        let answers = mean(samples.iter().map(|s| played(s).to_the_method));
        let first = mean(samples.iter().map(|s| s.sessions[0].to_the_method));
        let untrusted = mean(samples.iter().map(|s| s.calls - s.trusted));
        let place = THEIRS.iter().position(|name| *name == strategy);
        Column {
            strategy,
            answers,
            answers_to_the_call: mean(samples.iter().map(|s| played(s).to_the_call)),
            classified: answers / untrusted.max(1.0),
            savings: 1.0 - answers / first.max(1.0),
            published: place.and_then(|place| published.map(|(_, figures)| figures[place])),
        }
    };
    let columns = Strategy::ALL.iter().enumerate();
    Row {
        program,
        tests: samples.len(),
        calls: mean(samples.iter().map(|sample| sample.calls)),
        trusted: mean(samples.iter().map(|sample| sample.trusted)),
        columns: columns.map(|(no, (_, name))| column(no, name)).collect(),
    }
}

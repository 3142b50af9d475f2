//! The tables.

use jinsi_locate::rank::Weights;
use serde::Serialize;

use super::corpus::Bug;
use super::of_one_run;
use super::ranked::{Found, Program};
use super::siemens::{Looked, Version};
use super::suite::Suite;
use super::train::{Split, Trained, program_of};
use jinsi_ground::figures::mean;
use jinsi_ground::report::{Figures, Goal, goal};

/// The rank of a bug, if it has one.
type Rank = fn(&BugSample) -> Option<usize>;

/// What is published (Wang 2007, Table 6.3): programs by the share of code that one need not look at, in tenths from the best on.
const PUBLISHED: [(&str, [usize; 10]); 3] = [
    ("AC", [30, 18, 11, 14, 19, 12, 8, 12, 3, 3]),
    ("APG", [38, 9, 9, 6, 5, 8, 5, 10, 2, 38]),
    ("NN", [14, 26, 27, 18, 14, 13, 3, 4, 1, 10]),
];
/// Of APG's programs, those from 0.9 on.
const APG_SHARE: f64 = 38.0 / 130.0;

/// A fault.
#[derive(Debug, Serialize)]
struct Sample {
    id: String,
    about: String,
    failed: usize,
    passed: usize,
    lines: usize,
    /// Mean over the failing runs that were looked into.
    rank: f64,
    rank_of_one_run: f64,
    rank_by_ochiai: usize,
    /// Shares of code that one need not look at.
    ours: f64,
    by_difference: f64,
    by_turned: f64,
    /// Nothing without a solver.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_possible: Option<f64>,
    by_ochiai: f64,
    reported_branches: f64,
}

/// A bug of the corpus.
#[derive(Debug, Serialize)]
struct BugSample {
    id: String,
    library: String,
    /// Was it drawn by a rule?
    blind: bool,
    /// `null`: it could not be looked into, and counts as not found.
    rank: Option<usize>,
    rank_by_ochiai: Option<usize>,
    lines: usize,
    why_not: Option<String>,
}

#[derive(Debug, Serialize)]
struct Column {
    method: &'static str,
    published: bool,
    /// Programs by tenths, from 0.9 on first.
    programs: Vec<usize>,
}

/// All of it.
#[derive(Serialize)]
pub(super) struct WhereFigures {
    java: String,
    table: Vec<Column>,
    siemens: Vec<(&'static str, Found)>,
    corpus: Vec<(&'static str, Found)>,
    unusable: Vec<(String, String)>,
    samples: Vec<Sample>,
    bugs: Vec<BugSample>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trained: Option<Trained>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suite: Option<Suite>,
}

fn sample(id: &str, looked: &Looked) -> Sample {
    let weights = Weights::default();
    let single = of_one_run(&weights);
    let lines = looked.lines.max(1) as f64;
    let ranks = |weights: &Weights| mean(looked.cases.iter().map(|case| case.rank(weights) as f64));
    let (rank, rank_of_one_run) = (ranks(&weights), ranks(&single));
    Sample {
        id: id.to_owned(),
        about: looked.about.clone(),
        failed: looked.failed,
        passed: looked.passed,
        lines: looked.lines,
        rank,
        rank_of_one_run,
        rank_by_ochiai: looked.ochiai,
        ours: 1.0 - rank / lines,
        by_difference: mean(looked.by_difference.iter().copied()),
        by_turned: mean(looked.by_turned.iter().copied()),
        by_possible: (!looked.by_possible.is_empty())
            .then(|| mean(looked.by_possible.iter().copied())),
        by_ochiai: 1.0 - looked.ochiai as f64 / lines,
        reported_branches: mean(looked.reported.iter().map(|n| *n as f64)),
    }
}

fn tenths(scores: impl Iterator<Item = f64>) -> Vec<usize> {
    let mut programs = vec![0; 10];
    for score in scores {
        let tenth = ((score + 1e-9) * 10.0).clamp(0.0, 9.0) as usize;
        programs[9 - tenth] += 1;
    }
    programs
}

/// The table of the thesis, ours first.
fn thesis_table(samples: &[Sample]) -> Vec<Column> {
    let of = |score: fn(&Sample) -> f64| tenths(samples.iter().map(score));
    let mut own = vec![
        ("difference (AC)", of(|sample| sample.by_difference)),
        ("turned (APG, forced)", of(|sample| sample.by_turned)),
        ("jinsi where", of(|sample| sample.ours)),
        ("Ochiai", of(|sample| sample.by_ochiai)),
    ];
    if samples.iter().any(|sample| sample.by_possible.is_some()) {
        let possible = of(|sample| sample.by_possible.unwrap_or_default());
        own.insert(2, ("turned, possible (APG)", possible));
    }
    let published = PUBLISHED.map(|(method, programs)| (method, programs.to_vec()));
    let columns = own.into_iter().map(|column| (column, false));
    let columns = columns.chain(published.into_iter().map(|column| (column, true)));
    columns
        .map(|((method, programs), published)| Column {
            method,
            published,
            programs,
        })
        .collect()
}

impl WhereFigures {
    pub(super) fn of(
        java: String,
        programs: &[Program],
        bugs: &[Bug],
        (suite, trained): (Option<Suite>, Option<Trained>),
    ) -> Self {
        let (mut samples, mut unusable) = (Vec::new(), Vec::new());
        for (id, version) in programs.iter().flat_map(|program| &program.versions) {
            match version {
                Version::Looked(looked) => samples.push(sample(id, looked)),
                Version::Unusable(why) => unusable.push((id.clone(), why.clone())),
            }
        }
        let table = thesis_table(&samples);
        let siemens = of_seeded(&samples);
        let bugs: Vec<BugSample> = bugs.iter().map(bug_sample).collect();
        let corpus = of_real(&bugs);
        Self {
            java,
            table,
            siemens,
            unusable,
            corpus,
            samples,
            bugs,
            trained,
            suite,
        }
    }
}

impl Figures for WhereFigures {
    fn goals(&self) -> Vec<Goal> {
        let mut goals = goals(&self.samples, &self.siemens, &self.corpus);
        goals.extend(self.suite.iter().map(|suite| {
            goal(
                "a suite of 5,000 tests: recorded and ranked in two minutes over its own time, with 2 GiB",
                suite.added() <= 120.0 && suite.ranking_peak_kib <= 2 << 20,
            )
        }));
        goals
    }
}

/// How many seeded faults are found, by which method.
fn of_seeded(samples: &[Sample]) -> Vec<(&'static str, Found)> {
    let ranks = |of: fn(&Sample) -> f64| Found::of(&samples.iter().map(of).collect::<Vec<_>>());
    let split = Split::of(std::iter::empty());
    let tested_on = |of: fn(&Sample) -> f64| {
        let others = samples.iter();
        let others = others.filter(|sample| !split.has(program_of(&sample.id), false));
        Found::of(&others.map(of).collect::<Vec<_>>())
    };
    vec![
        ("jinsi where", ranks(|s| s.rank)),
        ("of one run", ranks(|s| s.rank_of_one_run)),
        ("Ochiai", ranks(|s| s.rank_by_ochiai as f64)),
        ("jinsi where, tested on", tested_on(|s| s.rank)),
        ("Ochiai, the same", tested_on(|s| s.rank_by_ochiai as f64)),
    ]
}

/// How many real bugs are found; one that could not be looked into is not.
fn of_real(bugs: &[BugSample]) -> Vec<(&'static str, Found)> {
    let of_bugs = |rank: Rank, is_wanted: &dyn Fn(&BugSample) -> bool| {
        let ranks = bugs.iter().filter(|bug| is_wanted(bug));
        let ranks = ranks.map(|bug| rank(bug).map_or(f64::INFINITY, |rank| rank as f64));
        Found::of(&ranks.collect::<Vec<_>>())
    };
    let libraries = bugs.iter().filter(|bug| !bug.blind);
    let split = Split::of(libraries.map(|bug| bug.library.as_str()));
    let is_own = |bug: &BugSample| split.has(&bug.library, bug.blind);
    let ours: Rank = |bug| bug.rank;
    vec![
        ("of one run", of_bugs(ours, &|_| true)),
        ("Ochiai", of_bugs(|bug| bug.rank_by_ochiai, &|_| true)),
        ("of one run, trained on", of_bugs(ours, &is_own)),
        (
            "of one run, tested on",
            of_bugs(ours, &|bug| !bug.blind && !is_own(bug)),
        ),
        ("of one run, drawn", of_bugs(ours, &|bug| bug.blind)),
    ]
}

fn bug_sample(bug: &Bug) -> BugSample {
    let weights = of_one_run(&Weights::default());
    let case = bug.case.as_ref();
    BugSample {
        id: bug.id.clone(),
        library: bug.library.clone(),
        blind: bug.blind,
        rank: case.map(|case| case.rank(&weights)),
        rank_by_ochiai: case.map(|_| bug.ochiai),
        lines: case.map_or(0, |case| case.all),
        why_not: bug.why_not.clone(),
    }
}

fn goals(
    samples: &[Sample],
    siemens: &[(&'static str, Found)],
    corpus: &[(&'static str, Found)],
) -> Vec<Goal> {
    let mut goals = Vec::new();
    if !samples.is_empty() {
        let best = samples
            .iter()
            .filter(|sample| sample.ours >= 0.9 - 1e-9)
            .count();
        goals.push(goal("Siemens: 0.9 of the code need not be looked at for a larger share of the programs than APG's 38 of 130", best as f64 / samples.len() as f64 > APG_SHARE));
        goals.push(goal(
            "Siemens: not worse than Ochiai, first, among five and among ten",
            not_worse(&siemens[0].1, &siemens[2].1),
        ));
    }
    let [(_, ours), (_, ochiai), ..] = corpus else {
        return goals;
    };
    if ours.faults > 0 {
        goals.push(goal(
            "corpus: first for 25 %, among five for 50 %, among ten for 60 %",
            ours.first >= 0.25 && ours.among_five >= 0.5 && ours.among_ten >= 0.6,
        ));
        goals.push(goal(
            "corpus: one run alone is better than Ochiai of the same run",
            not_worse(ours, ochiai) && ours.among_ten > ochiai.among_ten,
        ));
    }
    goals
}

fn not_worse(one: &Found, other: &Found) -> bool {
    one.first >= other.first
        && one.among_five >= other.among_five
        && one.among_ten >= other.among_ten
}

//! Weights of the kinds of clues, found on one part of the faults and tested on the others.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use jinsi_ground::figures::mean;
use jinsi_locate::rank::{Kind, Weights};
use serde::{Deserialize, Serialize};

use super::corpus::Bug;
use super::ranked::{Found, Program};
use super::siemens::PROGRAMS;
use super::{Case, of_one_run};

/// What a weight may be.
const VALUES: [f64; 11] = [0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0, 1.5, 2.0, 3.0, 4.0];
/// The same of a clue that speaks against a line.
const AGAINST: [f64; 6] = [0.0, -0.2, -0.5, -1.0, -1.5, -2.0];
/// What it costs that a weight is one of these values away from the chosen one: what betters less is of single faults.
const COST: f64 = 0.02;
/// How much it counts what one run alone says of a seeded fault.
const ALONE: f64 = 0.3;

/// A fault, with its failing runs: once, however many there are.
#[derive(Serialize, Deserialize)]
pub(super) struct Fault {
    id: String,
    /// The program that it was seeded into, or the library.
    of: String,
    seeded: bool,
    /// Was it drawn by a rule?
    drawn: bool,
    ochiai: usize,
    runs: Vec<Case>,
}

/// Faults in a file, with the kinds of their clues.
#[derive(Serialize, Deserialize)]
struct Document {
    kinds: Vec<Kind>,
    faults: Vec<Fault>,
}

/// The faults that were looked into.
pub(super) fn faults(programs: &[Program], bugs: &[Bug]) -> Vec<Fault> {
    let versions = programs.iter().flat_map(Program::named);
    let seeded = versions.map(|(id, looked)| Fault {
        id: id.to_owned(),
        of: program_of(id).to_owned(),
        seeded: true,
        drawn: false,
        ochiai: looked.ochiai,
        runs: looked.cases.clone(),
    });
    let real = bugs.iter().map(|bug| Fault {
        id: bug.id.clone(),
        of: bug.library.clone(),
        seeded: false,
        drawn: bug.blind,
        ochiai: bug.ochiai,
        runs: bug.case.iter().cloned().collect(),
    });
    seeded.chain(real).collect()
}

/// Writes all clues of all failing runs, by fault.
pub(super) fn write(file: &Path, faults: Vec<Fault>) -> Result<()> {
    let kinds = Kind::ALL.to_vec();
    let document = serde_json::to_string(&Document { kinds, faults })?;
    fs::write(file, document).with_context(|| file.display().to_string())
}

/// Reads what was written so, from one file or several.
pub(super) fn read(files: &[PathBuf]) -> Result<Vec<Fault>> {
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
        let document: Document = serde_json::from_str(&text)?;
        let same = document.kinds == Kind::ALL;
        ensure!(same, "{}: other kinds of clues", file.display());
        all.extend(document.faults);
    }
    Ok(all)
}

/// The program of a seeded fault.
pub(super) fn program_of(id: &str) -> &str {
    id.split(' ').next().unwrap_or(id)
}

/// What is trained on: every other library, and every other program of the suite, in the order of the alphabet, so nobody chooses. Versions of a library, and programs that do
/// the same, go together: they differ in a number.
pub(super) struct Split(BTreeSet<String>);

impl Split {
    /// Of these libraries, and of all programs.
    pub(super) fn of<'a>(libraries: impl Iterator<Item = &'a str>) -> Self {
        let every_other = |names: BTreeSet<&str>| -> Vec<String> {
            names.into_iter().step_by(2).map(str::to_owned).collect()
        };
        let programs = PROGRAMS.iter().map(|program| family(program.package));
        let mut own = every_other(libraries.map(family).collect());
        own.extend(every_other(programs.collect()));
        Self(own.into_iter().collect())
    }

    /// Is it of the part that is trained on? A bug that was drawn by a rule is only ever tested on: nobody looks at those.
    pub(super) fn has(&self, of: &str, drawn: bool) -> bool {
        !drawn && self.0.contains(family(of))
    }
}

fn family(name: &str) -> &str {
    name.trim_end_matches(|sign: char| sign.is_ascii_digit())
}

/// Some of the faults.
struct Part<'a> {
    seeded: Vec<&'a Fault>,
    real: Vec<&'a Fault>,
}

impl<'a> Part<'a> {
    fn of(faults: &'a [Fault], is_wanted: impl Fn(&Fault) -> bool) -> Self {
        let wanted = faults.iter().filter(|fault| is_wanted(fault));
        let (seeded, real) = wanted.partition(|fault| fault.seeded);
        Self { seeded, real }
    }

    /// How good weights are: the mean over the faults of how often the wrong line is first, among five, among ten, and of one by its rank; of
    /// seeded ones with all that is known, and with one run alone; of real ones with one run alone.
    fn quality(&self, weights: &Weights) -> f64 {
        let single = of_one_run(weights);
        let seeded = self.seeded.iter().filter(|fault| !fault.runs.is_empty());
        let seeded = seeded.map(|fault| {
            let of =
                |case: &Case| of_rank(case.rank(weights)) + ALONE * of_rank(case.rank(&single));
            fault.runs.iter().map(of).sum::<f64>() / fault.runs.len() as f64
        });
        let real = self.real.iter().flat_map(|fault| &fault.runs);
        let real = real.map(|case| of_rank(case.rank(&single)));
        mean(seeded) + mean(real)
    }

    /// The same, less what the weights cost.
    fn worth(&self, weights: &Weights) -> f64 {
        let chosen = Weights::chosen();
        let away = Kind::ALL.map(|kind| {
            let [from, to] = [&chosen, weights].map(|all| place(kind, all.of(kind)));
            from.abs_diff(to)
        });
        self.quality(weights) - COST * away.iter().sum::<usize>() as f64
    }

    /// How many are found: seeded ones with all that is known, others with one run alone.
    fn found(faults: &[&Fault], weights: &Weights) -> Found {
        let single = of_one_run(weights);
        let ranks = faults.iter().map(|fault| {
            let weights = if fault.seeded { weights } else { &single };
            let ranks = fault.runs.iter().map(|case| case.rank(weights) as f64);
            match fault.runs.len() {
                0 => f64::INFINITY,
                runs => ranks.sum::<f64>() / runs as f64,
            }
        });
        Found::of(&ranks.collect::<Vec<_>>())
    }
}

fn values(kind: Kind) -> &'static [f64] {
    match kind {
        Kind::Thrown | Kind::Handed | Kind::Refuted => &AGAINST,
        _ => &VALUES,
    }
}

/// Which of the values it is, or the nearest.
fn place(kind: Kind, weight: f64) -> usize {
    let away = values(kind).iter().map(|value| (value - weight).abs());
    let nearest = away.enumerate().min_by(|(_, a), (_, b)| a.total_cmp(b));
    nearest.map_or(0, |(at, _)| at)
}

fn of_rank(rank: usize) -> f64 {
    let within = [1, 5, 10].iter().filter(|most| rank <= **most).count();
    within as f64 / 3.0 + 1.0 / rank as f64
}

/// What came of looking for weights.
#[derive(Debug, Serialize)]
pub(super) struct Trained {
    weights: Vec<(Kind, f64)>,
    /// How good the weights are on the faults they were found on, and on the others; those in use beside them.
    on_their_own: f64,
    on_others: f64,
    in_use_on_their_own: f64,
    in_use_on_others: f64,
    /// By part: what is found with weights in use, and with those.
    found: Vec<(&'static str, Found, Found)>,
}

/// Looks for weights, from chosen ones on: the one change that betters them most, and again, until none betters them by more than it costs.
pub(super) fn train(faults: &[Fault]) -> Trained {
    let libraries = faults.iter().filter(|fault| !fault.seeded && !fault.drawn);
    let split = Split::of(libraries.map(|fault| fault.of.as_str()));
    let is_own = |fault: &Fault| split.has(&fault.of, fault.drawn);
    let own = Part::of(faults, is_own);
    let others = Part::of(faults, |fault| !is_own(fault));
    let in_use = Weights::default();
    let mut weights = Weights::chosen();
    let mut reached = own.worth(&weights);
    while let Some((worth, better)) = step(&own, &weights, reached) {
        (reached, weights) = (worth, better);
    }
    let (drawn, rest): (Vec<&Fault>, Vec<&Fault>) =
        others.real.iter().partition(|fault| fault.drawn);
    let all: Vec<&Fault> = faults.iter().filter(|fault| !fault.seeded).collect();
    let parts = [
        ("seeded, trained on", &own.seeded),
        ("seeded, others", &others.seeded),
        ("real, trained on", &own.real),
        ("real, others", &rest),
        ("real, drawn", &drawn),
        ("real, all", &all),
    ];
    let found = parts.map(|(name, part)| {
        let found = |weights: &Weights| Part::found(part, weights);
        (name, found(&in_use), found(&weights))
    });
    Trained {
        on_their_own: own.quality(&weights),
        on_others: others.quality(&weights),
        in_use_on_their_own: own.quality(&in_use),
        in_use_on_others: others.quality(&in_use),
        weights: Kind::ALL.map(|kind| (kind, weights.of(kind))).to_vec(),
        found: found.to_vec(),
    }
}

/// The weights with the one change that is best, if it comes to more than this.
fn step(own: &Part<'_>, weights: &Weights, more_than: f64) -> Option<(f64, Weights)> {
    let mut best: Option<(f64, Weights)> = None;
    for kind in Kind::ALL {
        for &value in values(kind) {
            let mut tried = weights.clone();
            tried.0[kind as usize] = value;
            let found = own.worth(&tried);
            let reached = best.as_ref().map_or(more_than, |(best, _)| *best);
            if found > reached + 1e-9 {
                best = Some((found, tried));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::{CaseLine, KINDS};
    use super::*;

    #[test]
    fn no_library_is_in_both_parts_and_drawn_bugs_are_tested_on_only() {
        let split = Split::of(["lang", "math3", "lang3", "codec", "math"].into_iter());
        let own = ["codec", "lang", "lang3", "math", "math3"].map(|of| split.has(of, false));
        assert_eq!(own, [true, false, false, true, true]);
        assert!(!split.has("codec", true) && !split.has("unknown", false));
        let programs = [
            "print_tokens",
            "print_tokens2",
            "replace",
            "schedule2",
            "tcas",
            "tot_info",
        ];
        let own = programs.map(|of| split.has(of, false));
        assert_eq!(own, [true, true, false, true, false, true]);
    }

    #[test]
    fn a_kind_that_finds_faults_is_trained_to_count() {
        let case = |kind: Kind| -> Case {
            let line = |at: u16, wrong: bool| {
                let mut strengths = [0.0; KINDS];
                strengths[Kind::Slice as usize] = 0.5;
                strengths[kind as usize] = f64::from(u8::from(wrong));
                CaseLine {
                    class: "a.B".into(),
                    line: at,
                    strengths,
                    wrong,
                }
            };
            Case {
                lines: (1..20).map(|at| line(at, at == 7)).collect(),
                all: 20,
            }
        };
        let fault = |of: &str| Fault {
            id: format!("{of}-1"),
            of: of.into(),
            seeded: false,
            drawn: false,
            ochiai: 1,
            runs: vec![case(Kind::Avoid)],
        };
        let trained = train(&[fault("a"), fault("b")]);
        let weight = |kind: Kind| trained.weights[kind as usize].1;
        assert!(weight(Kind::Avoid) > 0.0);
        assert_eq!(weight(Kind::Slice), Weights::chosen().of(Kind::Slice));
        assert!(trained.on_others > trained.in_use_on_others);
    }
}

//! Weights of the kinds of clues, found on every other fault and tested on the others.

use jinsi_locate::rank::Weights;

use super::corpus::Bug;
use super::report::{Program, Trained};
use super::{Case, KINDS, of_one_run};

/// Rounds over all weights.
const ROUNDS: usize = 6;
/// What a weight is tried with.
const FACTORS: [f64; 8] = [0.0, 0.25, 0.5, 0.8, 1.25, 2.0, 4.0, 8.0];

/// A fault counts once, however many of its failing runs there are.
type Faults<'a> = Vec<Vec<&'a Case>>;

/// The faults of one half, from `first` on.
fn half<'a>(programs: &'a [Program], bugs: &'a [Bug], first: usize) -> Faults<'a> {
    let versions = programs.iter().flat_map(Program::looked);
    let versions = versions.map(|looked| looked.cases.iter().collect::<Vec<_>>());
    let bugs = bugs.iter().map(|bug| bug.case.iter().collect::<Vec<_>>());
    let [versions, bugs] = [versions.collect::<Faults<'_>>(), bugs.collect()];
    let every_other = |faults: Faults<'a>| faults.into_iter().skip(first).step_by(2);
    let all = every_other(versions).chain(every_other(bugs));
    all.filter(|cases| !cases.is_empty()).collect()
}

/// How good weights are: the mean over the faults of how often the wrong line is first, among five, among ten, and of one by its rank; with all
/// that is known, and with one run alone.
fn quality(weights: &Weights, faults: &Faults<'_>) -> f64 {
    let single = of_one_run(weights);
    let of_rank = |rank: usize| {
        let within = [1, 5, 10].iter().filter(|most| rank <= **most).count();
        within as f64 / 3.0 + 1.0 / rank as f64
    };
    let of_fault = |cases: &Vec<&Case>| {
        let all = cases
            .iter()
            .map(|case| of_rank(case.rank(weights)) + 0.5 * of_rank(case.rank(&single)));
        all.sum::<f64>() / cases.len() as f64
    };
    faults.iter().map(of_fault).sum::<f64>() / faults.len().max(1) as f64
}

/// Looks for weights, one at a time.
pub(super) fn train(programs: &[Program], bugs: &[Bug]) -> Trained {
    let [own, others] = [0, 1].map(|first| half(programs, bugs, first));
    let in_use = Weights::default();
    let mut weights = in_use.clone();
    let mut best = quality(&weights, &own);
    for _ in 0..ROUNDS {
        let before = best;
        for kind in 0..KINDS {
            let start = weights.0[kind].max(0.05);
            for factor in FACTORS {
                let mut tried = weights.clone();
                tried.0[kind] = start * factor;
                let found = quality(&tried, &own);
                if found > best + 1e-9 {
                    (best, weights) = (found, tried);
                }
            }
        }
        if best <= before {
            break;
        }
    }
    Trained {
        on_their_own: best,
        on_others: quality(&weights, &others),
        in_use_on_their_own: quality(&in_use, &own),
        in_use_on_others: quality(&in_use, &others),
        weights,
    }
}

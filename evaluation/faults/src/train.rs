//! Weights of the kinds of clues, found on one half of the faults and tested on the other.

use jinsi_locate::rank::Weights;

use super::corpus::Bug;
use super::report::{Program, Trained};
use super::{Case, KINDS, of_one_run};

/// A change has to better the weights by so much: else it is of single faults.
const MARGIN: f64 = 0.015;
/// What a weight may be.
const VALUES: [f64; 15] = [
    -0.5, -0.2, 0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.0, 6.0,
];
/// How much it counts what one run alone says of a seeded fault.
const ALONE: f64 = 0.3;

/// Is it of the half that is trained on? By its name, so nobody chooses.
pub(super) fn is_trained_on(id: &str) -> bool {
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    // The last letters alone would change few of its bits.
    (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd) >> 63 == 0
}

/// A real bug that was drawn by a rule is only ever tested on: nobody looks at those.
pub(super) fn is_bug_trained_on(id: &str, drawn: bool) -> bool {
    !drawn && is_trained_on(id)
}

/// A fault counts once, however many of its failing runs there are.
#[derive(Default)]
struct Half<'a> {
    seeded: Vec<Vec<&'a Case>>,
    real: Vec<&'a Case>,
}

impl<'a> Half<'a> {
    fn of(programs: &'a [Program], bugs: &'a [Bug], trained_on: bool) -> Self {
        let is_own = |id: &str| is_trained_on(id) == trained_on;
        let versions = programs.iter().flat_map(Program::named);
        let versions = versions.filter(|(id, looked)| is_own(id) && !looked.cases.is_empty());
        let is_own = |bug: &&Bug| is_bug_trained_on(&bug.id, bug.blind) == trained_on;
        let bugs = bugs.iter().filter(is_own);
        Self {
            seeded: versions
                .map(|(_, looked)| looked.cases.iter().collect())
                .collect(),
            real: bugs.filter_map(|bug| bug.case.as_ref()).collect(),
        }
    }

    /// How good weights are: the mean over the faults of how often the wrong line is first, among five, among ten, and of one by its rank; of
    /// seeded ones with all that is known, and with one run alone; of real ones with one run alone.
    fn quality(&self, weights: &Weights) -> f64 {
        let single = of_one_run(weights);
        let seeded = self.seeded.iter().map(|cases| {
            let all = cases
                .iter()
                .map(|case| of_rank(case.rank(weights)) + ALONE * of_rank(case.rank(&single)));
            all.sum::<f64>() / cases.len() as f64
        });
        let real = self.real.iter().map(|case| of_rank(case.rank(&single)));
        let seeded = seeded.sum::<f64>() / self.seeded.len().max(1) as f64;
        seeded + real.sum::<f64>() / self.real.len().max(1) as f64
    }
}

fn of_rank(rank: usize) -> f64 {
    let within = [1, 5, 10].iter().filter(|most| rank <= **most).count();
    within as f64 / 3.0 + 1.0 / rank as f64
}

/// Looks for weights, from those in use on: the one change that betters them most, and again, until none betters them enough.
pub(super) fn train(programs: &[Program], bugs: &[Bug]) -> Trained {
    let [own, others] = [true, false].map(|trained_on| Half::of(programs, bugs, trained_on));
    let in_use = Weights::default();
    let mut weights = in_use.clone();
    let mut reached = own.quality(&weights);
    while let Some((quality, better)) = step(&own, &weights, reached + MARGIN) {
        (reached, weights) = (quality, better);
    }
    Trained {
        on_their_own: reached,
        on_others: others.quality(&weights),
        in_use_on_their_own: own.quality(&in_use),
        in_use_on_others: others.quality(&in_use),
        weights,
    }
}

/// The weights with the one change that is best, if it comes to more than this.
fn step(own: &Half<'_>, weights: &Weights, more_than: f64) -> Option<(f64, Weights)> {
    let mut best: Option<(f64, Weights)> = None;
    for kind in 0..KINDS {
        for value in VALUES {
            let mut tried = weights.clone();
            tried.0[kind] = value;
            let found = own.quality(&tried);
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
    use super::*;

    #[test]
    fn drawn_bugs_are_tested_on_only() {
        let names = (0..40).map(|no| format!("BUG-{no}"));
        let halves: Vec<bool> = names.map(|name| is_trained_on(&name)).collect();
        let own = halves.iter().filter(|own| **own).count();
        assert!((10..30).contains(&own), "{own}");
        for no in 0..40 {
            let name = format!("BUG-{no}");
            assert!(!is_bug_trained_on(&name, true));
            assert_eq!(is_bug_trained_on(&name, false), is_trained_on(&name));
        }
    }
}

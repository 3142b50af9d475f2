//! Weights of the kinds of clues, found on one half of the faults and tested on the other.

use jinsi_locate::rank::Weights;

use super::corpus::Bug;
use super::report::{Program, Trained};
use super::{Case, KINDS, of_one_run};

/// Rounds over all weights.
const ROUNDS: usize = 8;
/// Searches, each from other weights.
const STARTS: u64 = 12;
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
    (hash >> 32) & 1 == 0
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
        let bugs = bugs.iter().filter(|bug| is_own(&bug.id));
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
            let all = cases.iter().map(|case| {
                of_rank(case.rank(weights)) + ALONE * of_rank(case.rank(&single))
            });
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

/// Looks for weights, one at a time, from those in use and from some that are drawn.
pub(super) fn train(programs: &[Program], bugs: &[Bug]) -> Trained {
    let [own, others] = [true, false].map(|trained_on| Half::of(programs, bugs, trained_on));
    let in_use = Weights::default();
    let mut found = climbed(&own, in_use.clone());
    let mut state = 37_u64;
    for _ in 1..STARTS {
        let mut start = in_use.clone();
        for weight in &mut start.0 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            *weight = VALUES[(state >> 33) as usize % VALUES.len()];
        }
        let other = climbed(&own, start);
        if other.0 > found.0 + 1e-9 {
            found = other;
        }
    }
    let (best, weights) = found;
    Trained {
        on_their_own: best,
        on_others: others.quality(&weights),
        in_use_on_their_own: own.quality(&in_use),
        in_use_on_others: others.quality(&in_use),
        weights,
    }
}

/// The best that is found from these weights on, and how good it is.
fn climbed(own: &Half<'_>, mut weights: Weights) -> (f64, Weights) {
    let mut best = own.quality(&weights);
    for _ in 0..ROUNDS {
        let before = best;
        for kind in 0..KINDS {
            for value in VALUES {
                let mut tried = weights.clone();
                tried.0[kind] = value;
                let found = own.quality(&tried);
                if found > best + 1e-9 {
                    (best, weights) = (found, tried);
                }
            }
        }
        if best <= before {
            break;
        }
    }
    (best, weights)
}

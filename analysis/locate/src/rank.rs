//! One ranking of source lines, by all that speaks for them.
//!
//! Whatever finds a line suspicious gives a [`Clue`]. A further analysis that does so adds a [`Kind`] and hands its clues in with the others.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::place::Place;

/// What a clue is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The failure depends on it: the nearer the stronger.
    Slice,
    /// The failure might have depended on it, had it gone another way.
    Relevant,
    /// What is left of the run when it is minimized depends on it.
    Minimized,
    /// It decided otherwise than in the nearest passing run.
    Difference,
    /// It ran because of a branch that decided otherwise.
    Guarded,
    /// Failing tests covered it rather than passing ones.
    Spectrum,
    /// Failing tests went one way at it rather than passing ones.
    Way,
    /// It was being executed when the exception was thrown.
    Frame,
    /// Something that should have been done there was not.
    Omission,
    /// The run came to where it failed and did not fail when it was made to decide otherwise.
    Flip,
    /// It ran because of a decision that keeps the run from failing when it is turned.
    Because,
    /// It is the last decision after which the run does not fail when it is made to decide otherwise.
    Nearest,
    /// The run did not come to where it failed when it was made to decide otherwise.
    Avoid,
    /// The run failed all the same, or otherwise, when it was made to decide otherwise.
    Refuted,
    /// It ran in a method that the exception left.
    Method,
    /// It ran for the first time when most other lines had run.
    Late,
    /// Failing tests used a variable at it as another line had set it, rather than passing ones.
    Pair,
    /// Failing tests met a value of one class at it rather than passing ones.
    Value,
    /// It throws the exception by a statement of its own: somebody has looked, and found what is wrong elsewhere.
    Thrown,
    /// The exception is about what was worked out elsewhere: the line has only handed that on, checked or used it.
    Handed,
    /// What the exception is about came from there.
    Origin,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 21] = [
        Self::Slice,
        Self::Relevant,
        Self::Minimized,
        Self::Difference,
        Self::Guarded,
        Self::Spectrum,
        Self::Way,
        Self::Frame,
        Self::Omission,
        Self::Flip,
        Self::Because,
        Self::Nearest,
        Self::Avoid,
        Self::Refuted,
        Self::Method,
        Self::Late,
        Self::Pair,
        Self::Value,
        Self::Thrown,
        Self::Handed,
        Self::Origin,
    ];
}

/// Something that speaks for a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Clue {
    /// The line.
    #[serde(skip)]
    pub place: Place,
    /// What it is from.
    pub kind: Kind,
    /// How much it says, compared with others of its kind: from 0 to 1.
    pub strength: f64,
    /// What it is, for people.
    pub why: String,
}

/// How much the kinds of clues count.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Weights(pub [f64; Kind::ALL.len()]);

impl Default for Weights {
    /// Those that `cargo xtask bench where --train` found: the chosen ones, but for what known faults have changed.
    fn default() -> Self {
        let mut weights = Self::chosen();
        for (kind, weight) in TRAINED {
            weights.0[kind as usize] = weight;
        }
        weights
    }
}

/// What training has changed.
const TRAINED: [(Kind, f64); 4] = [
    (Kind::Refuted, -0.2),
    (Kind::Spectrum, 3.0),
    (Kind::Origin, 2.0),
    (Kind::Difference, 0.3),
];

impl Weights {
    /// Round numbers, chosen by what a clue says.
    pub fn chosen() -> Self {
        Self(Kind::ALL.map(|kind| match kind {
            Kind::Slice | Kind::Omission | Kind::Origin => 1.0,
            Kind::Flip => 0.8,
            Kind::Minimized | Kind::Difference | Kind::Frame | Kind::Method | Kind::Late => 0.5,
            Kind::Relevant => 0.3,
            Kind::Guarded | Kind::Because => 0.2,
            Kind::Spectrum | Kind::Way => 2.0,
            Kind::Thrown | Kind::Handed => -0.5,
            Kind::Nearest | Kind::Avoid | Kind::Refuted | Kind::Pair | Kind::Value => 0.0,
        }))
    }

    /// The weight of a kind.
    pub fn of(&self, kind: Kind) -> f64 {
        self.0[kind as usize]
    }
}

/// So many dependences in words: `1 step`, `2 steps`.
pub fn steps(dependences: u32) -> String {
    match dependences {
        1 => "1 step".to_owned(),
        many => format!("{many} steps"),
    }
}

/// How much it says that the failure depends on something so many dependences away.
pub fn by_distance(distance: Option<u32>) -> f64 {
    match distance {
        Some(distance) => 1.0 / (1.0 + f64::from(distance + 1).log2()),
        None => 0.05,
    }
}

/// A line in the ranking.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// How many lines have to be looked at until this one has been, at worst: those that score as much come first.
    pub rank: usize,
    /// The line.
    #[serde(flatten)]
    pub place: Place,
    /// The weighted sum of the clues.
    pub score: f64,
    /// What speaks for it, the strongest of each kind.
    pub clues: Vec<Clue>,
}

/// Ranks all lines that have clues, the most suspicious first; of those that score alike the first by class and number.
pub fn rank(clues: impl IntoIterator<Item = Clue>, weights: &Weights) -> Vec<Ranked> {
    let mut strongest: BTreeMap<(Place, Kind), Clue> = BTreeMap::new();
    for clue in clues {
        let key = (clue.place.clone(), clue.kind);
        match strongest.get(&key) {
            Some(known) if known.strength >= clue.strength => {}
            _ => {
                strongest.insert(key, clue);
            }
        }
    }
    let mut lines: BTreeMap<Place, Vec<Clue>> = BTreeMap::new();
    for ((place, _), clue) in strongest {
        lines.entry(place).or_default().push(clue);
    }
    let ranked = lines.into_iter().map(|(place, clues)| {
        let score = clues
            .iter()
            .map(|clue| weights.of(clue.kind) * clue.strength);
        Ranked {
            rank: 0,
            place,
            score: score.sum(),
            clues,
        }
    });
    let mut ranked: Vec<Ranked> = ranked.collect();
    ranked.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut end = ranked.len();
    for at in (0..ranked.len()).rev() {
        if at + 1 < ranked.len() && ranked[at].score > ranked[at + 1].score {
            end = at + 1;
        }
        ranked[at].rank = end;
    }
    ranked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clue(line: u16, kind: Kind, strength: f64) -> Clue {
        Clue {
            place: Place {
                class: "a.B".into(),
                line,
            },
            kind,
            strength,
            why: String::new(),
        }
    }

    #[test]
    fn clues_add_up_and_ties_are_at_the_worst_rank() {
        let mut weights = Weights([0.0; Kind::ALL.len()]);
        weights.0[Kind::Slice as usize] = 1.0;
        weights.0[Kind::Spectrum as usize] = 2.0;
        let ranked = rank(
            [
                clue(1, Kind::Slice, 0.5),
                clue(2, Kind::Slice, 0.5),
                clue(3, Kind::Slice, 0.25),
                clue(3, Kind::Slice, 0.5),
                clue(4, Kind::Spectrum, 0.5),
                clue(4, Kind::Slice, 0.25),
                clue(5, Kind::Frame, 1.0),
            ],
            &weights,
        );
        let found: Vec<(u16, usize, f64)> = ranked
            .iter()
            .map(|line| (line.place.line, line.rank, line.score))
            .collect();
        assert_eq!(
            found,
            [
                (4, 1, 1.25),
                (1, 4, 0.5),
                (2, 4, 0.5),
                (3, 4, 0.5),
                (5, 5, 0.0)
            ]
        );
        assert_eq!(ranked[0].clues.len(), 2);
    }

    #[test]
    fn kinds_are_numbered_as_weights_are() {
        for (at, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, at);
        }
    }
}

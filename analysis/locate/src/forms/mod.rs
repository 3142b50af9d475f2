//! Findings and spectra in the forms of other tools.

pub mod console;
pub mod gitlab;
pub mod gzoltar;
pub mod jacoco;
pub mod markdown;
pub mod sarif;

use crate::look::FoundLine;
use crate::rank::{Clue, Weights};

/// Most lines that a report has: who looks further has the whole list.
pub const SHOWN: usize = 20;

/// What speaks most for a line. The documents have all that does.
pub fn why(line: &FoundLine) -> String {
    let weights = Weights::default();
    let counts = |clue: &Clue| weights.of(clue.kind) * clue.strength;
    // Of those that count the same, the first.
    let clues = line.ranked.clues.iter().rev();
    let most = clues.max_by(|a, b| counts(a).total_cmp(&counts(b)));
    most.map_or_else(String::new, |clue| clue.why.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::Kind;

    #[test]
    fn the_reason_is_what_counts_most() {
        let mut line = testing::findings().lines.remove(0);
        let place = line.ranked.place.clone();
        let clue = |kind, strength, why: &str| Clue {
            place: place.clone(),
            kind,
            strength,
            why: why.to_owned(),
        };
        line.ranked.clues = vec![
            clue(Kind::Late, 1.0, "it ran late"),
            clue(Kind::Origin, 0.9, "the value is from here"),
            clue(Kind::Refuted, 1.0, "it fails all the same"),
        ];
        assert_eq!(why(&line), "the value is from here");
        line.ranked.clues.clear();
        assert_eq!(why(&line), "");
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use crate::look::{BranchReport, DifferenceReport, Findings, FoundLine, Tests};
    use crate::place::Place;
    use crate::rank::{Clue, Kind, Ranked};
    use crate::spectra::Spectra;

    fn line(rank: usize, line: u16, score: f64) -> FoundLine {
        let place = Place {
            class: "a.b.C".into(),
            line,
        };
        FoundLine {
            ranked: Ranked {
                rank,
                place: place.clone(),
                score,
                clues: vec![Clue {
                    place,
                    kind: Kind::Slice,
                    strength: 0.5,
                    why: "the failure depends on it, 2 dependences away".into(),
                }],
            },
            method: Some("m".into()),
            file: Some("C.java".into()),
            values: vec!["x = 1".into()],
        }
    }

    pub(crate) fn findings() -> Findings {
        Findings {
            run: "a.b.CTest.works".into(),
            failure: "the failure (#7)".into(),
            lines: vec![line(1, 12, 1.5), line(2, 3, 0.25)],
            difference: Some(DifferenceReport {
                run: "a.b.CTest.other".into(),
                compared: 3,
                same: false,
                branches: vec![BranchReport {
                    class: "a.b.C".into(),
                    method: "m".into(),
                    file: Some("C.java".into()),
                    line: 12,
                    occurrence: 2,
                    went: "to line 13".into(),
                    passing: "to line 15".into(),
                    values: vec!["x = 1".into()],
                }],
            }),
            tests: Some(Tests {
                failed: 1,
                passed: 3,
            }),
            solver: None,
            not_followed: Vec::new(),
            without_slice: None,
            spectra: Spectra::default(),
            methods: Vec::new(),
        }
    }
}

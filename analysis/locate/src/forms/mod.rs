//! Findings and spectra in the forms of other tools.

pub mod console;
pub mod gitlab;
pub mod gzoltar;
pub mod jacoco;
pub mod markdown;
pub mod sarif;

use crate::look::FoundLine;

/// Most lines that a report has: who looks further has the whole list.
pub const SHOWN: usize = 20;

/// What speaks for a line, in one line.
pub fn why(line: &FoundLine) -> String {
    let mut clues: Vec<_> = line.ranked.clues.iter().collect();
    clues.sort_by(|a, b| b.strength.total_cmp(&a.strength));
    let texts: Vec<&str> = clues.iter().map(|clue| clue.why.as_str()).collect();
    texts.join("; ")
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

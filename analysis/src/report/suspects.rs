//! Where to look first, as far as a report tells: lines on which what is left of the levels depends, and the stack trace.
//!
//! `jinsi where` knows more: what other runs did, and what all of the recorded run depends on.

use std::collections::HashMap;

use super::json::{Failure, LevelReport, Report, SliceLine, Suspect};
use jinsi_level::program::is_the_programs;
use jinsi_locate::Place;
use jinsi_locate::rank::{Clue, Kind, Weights, by_distance, rank, steps};

/// Lines that a report has.
const MOST: usize = 10;

/// What the slices of a report's levels say, for a ranking.
pub fn clues(report: &Report) -> Vec<Clue> {
    of_levels(&report.levels)
}

fn of_levels(levels: &[LevelReport]) -> Vec<Clue> {
    let lines = levels.iter().flat_map(|level| {
        level
            .slice_lines
            .iter()
            .map(move |line| (level.level, line))
    });
    let clues = lines.filter_map(|(level, line)| {
        let distance = line.distance.and_then(|far| u32::try_from(far).ok());
        let why = match distance {
            Some(0) => format!("the failure shows here (level {level})"),
            Some(far) => {
                let steps = steps(far);
                format!("the failure depends on it, {steps} away (level {level})")
            }
            None => format!("the failure depends on it (level {level})"),
        };
        Some(Clue {
            place: place(line)?,
            kind: Kind::Minimized,
            strength: by_distance(distance),
            why,
        })
    });
    clues.collect()
}

fn place(line: &SliceLine) -> Option<Place> {
    Some(Place {
        class: line.class.clone(),
        line: u16::try_from(line.line).ok()?,
    })
}

/// The program's own frames.
fn of_stack(failure: &Failure) -> Vec<Clue> {
    let own = failure.stack.iter().map(|frame| frame.text.as_str());
    let own = own
        .filter(|text| is_the_programs(text))
        .filter_map(of_frame);
    let clues = own.enumerate().map(|(depth, place)| Clue {
        place,
        kind: Kind::Frame,
        strength: 1.0 / (1.0 + depth as f64),
        why: match depth {
            0 => "the exception was thrown here".into(),
            depth => format!("the exception went through here, frame {depth}"),
        },
    });
    clues.collect()
}

/// The place of `package.Class.method(File.java:348)`.
fn of_frame(text: &str) -> Option<Place> {
    let (member, rest) = text.split_once('(')?;
    let line = rest.strip_suffix(')')?.rsplit_once(':')?.1;
    Some(Place {
        class: member.rsplit_once('.')?.0.to_owned(),
        line: line.parse().ok()?,
    })
}

/// The lines to look at first. None if no level was sliced.
pub(super) fn suspects(failure: &Failure, levels: &[LevelReport]) -> Vec<Suspect> {
    let mut clues = of_levels(levels);
    if clues.is_empty() {
        return Vec::new();
    }
    clues.extend(of_stack(failure));
    let mut known: HashMap<Place, &SliceLine> = HashMap::new();
    for line in levels.iter().flat_map(|level| &level.slice_lines) {
        known.extend(place(line).map(|place| (place, line)));
    }
    let ranked = rank(clues, &Weights::default()).into_iter().take(MOST);
    let suspects = ranked.map(|ranked| {
        let line = known.get(&ranked.place);
        Suspect {
            rank: ranked.rank as u64,
            file: line.and_then(|line| line.file.clone()),
            text: line.and_then(|line| line.text.clone()),
            line: u64::from(ranked.place.line),
            class: ranked.place.class,
            why: ranked.clues.into_iter().map(|clue| clue.why).collect(),
        }
    });
    suspects.collect()
}

#[cfg(test)]
mod tests {
    use super::super::json::StackFrame;
    use super::*;

    fn line(line: u64, distance: u64) -> SliceLine {
        SliceLine {
            class: "a.B".into(),
            file: Some("B.java".into()),
            line,
            distance: Some(distance),
            text: Some(format!("text {line}")),
            ..SliceLine::default()
        }
    }

    #[test]
    fn slices_and_frames_say_where_to_look() {
        let level = |level, slice_lines| LevelReport {
            level,
            slice_lines,
            ..LevelReport::default()
        };
        let frame = |text: &str| StackFrame {
            text: text.into(),
            level: None,
        };
        let failure = Failure {
            stack: vec![
                frame("java.base/java.util.ArrayList.get(ArrayList.java:1)"),
                frame("a.B.m(B.java:7)"),
                frame("a.C.n(C.java:3)"),
            ],
            ..Failure::default()
        };
        let levels = [
            level(1, vec![line(7, 1), line(5, 0)]),
            level(2, vec![line(5, 4)]),
        ];
        let found = suspects(&failure, &levels);
        let places: Vec<(&str, u64)> = found.iter().map(|s| (s.class.as_str(), s.line)).collect();
        assert_eq!(places.len(), 3);
        assert_eq!(
            found[0].text.as_deref().map(|text| &text[..5]),
            Some("text ")
        );
        assert!(places.contains(&("a.C", 3)) && places.contains(&("a.B", 7)));
        let seven = found.iter().find(|suspect| suspect.line == 7).unwrap();
        assert_eq!(seven.why.len(), 2);
        assert_eq!(suspects(&failure, &[]), []);
    }
}

//! Failures that happen again and again: the first are recorded in full, the others are counted.

use std::collections::HashMap;

use jinsi_trace::model::ThrowableDef;
use parking_lot::Mutex;

/// So many of a kind are recorded in full.
pub const FULL: u64 = 100;

/// How often failures of each kind happened: of a class, thrown at a place.
#[derive(Default)]
pub struct Repeats(Mutex<HashMap<(String, String), u64>>);

/// A kind of failure of which not all were recorded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Repeated {
    /// Binary name of the exception's class.
    pub class: String,
    /// Where it was thrown, `a.B.m:7`.
    pub place: String,
    /// How many were counted only.
    pub left_out: u64,
}

impl Repeats {
    /// Counts a failure; is it one of the first of its kind?
    pub fn is_early(&self, throwable: &ThrowableDef) -> bool {
        let place = throwable.frames.first().map_or_else(String::new, |top| {
            format!("{}.{}:{}", top.class, top.method, top.line)
        });
        let mut counts = self.0.lock();
        let count = counts.entry((throwable.class.clone(), place)).or_default();
        *count += 1;
        *count <= FULL
    }

    /// The kinds of which some were only counted, sorted.
    pub fn left_out(&self) -> Vec<Repeated> {
        let counts = self.0.lock();
        let many = counts.iter().filter(|&(_, &count)| count > FULL);
        let mut all: Vec<Repeated> = many
            .map(|((class, place), &count)| Repeated {
                class: class.clone(),
                place: place.clone(),
                left_out: count - FULL,
            })
            .collect();
        all.sort();
        all
    }
}

#[cfg(test)]
mod tests {
    use jinsi_trace::model::Frame;

    use super::*;

    fn thrown(class: &str, line: i32) -> ThrowableDef {
        ThrowableDef {
            id: 1,
            class: class.into(),
            message: None,
            text: None,
            cause: 0,
            frames: vec![Frame {
                class: "a.B".into(),
                method: "m".into(),
                file: None,
                line,
            }],
        }
    }

    #[test]
    fn the_first_of_each_kind_are_told_from_the_others() {
        let repeats = Repeats::default();
        for _ in 0..FULL {
            assert!(repeats.is_early(&thrown("a.E", 7)));
        }
        assert!(!repeats.is_early(&thrown("a.E", 7)));
        assert!(!repeats.is_early(&thrown("a.E", 7)));
        assert!(repeats.is_early(&thrown("a.E", 8)));
        assert!(repeats.is_early(&thrown("a.F", 7)));
        let expected = Repeated {
            class: "a.E".into(),
            place: "a.B.m:7".into(),
            left_out: 2,
        };
        assert_eq!(repeats.left_out(), [expected]);
    }
}

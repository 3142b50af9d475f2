//! Failures that happen again and again: the first are recorded in full, the others are counted.

use std::collections::HashMap;

use jinsi_trace::model::{ObjectId, ThrowableDef};
use parking_lot::Mutex;

/// So many of a kind are recorded in full.
pub const FULL: u64 = 100;

/// Throwables whose kind is remembered, until as many further ones were seen.
const REMEMBERED: usize = 4096;

/// What makes failures the same.
#[derive(Clone, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
pub struct Kind {
    /// Binary name of the exception's class.
    pub class: String,
    /// Where it was thrown, `a.B.m:7`.
    pub place: String,
}

impl Kind {
    /// That of a throwable.
    pub fn of(throwable: &ThrowableDef) -> Kind {
        let place = throwable.frames.first().map_or_else(String::new, |top| {
            format!("{}.{}:{}", top.class, top.method, top.line)
        });
        Kind {
            class: throwable.class.clone(),
            place,
        }
    }
}

/// How often failures of each kind happened.
#[derive(Default)]
pub struct Repeats(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    /// Those that `fail=` names.
    listed: HashMap<Kind, u64>,
    /// Those that ended a thread.
    uncaught: HashMap<Kind, u64>,
    /// Kinds of throwables seen.
    seen: HashMap<ObjectId, Kind>,
    /// Something failed whose kind is not known any more.
    unknown: bool,
}

/// A kind of failure of which not all were recorded.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Repeated {
    /// What they are.
    pub kind: Kind,
    /// How many were counted only.
    pub left_out: u64,
}

impl Repeats {
    /// Counts a failure that `fail=` names; is it one of the first of its kind?
    pub fn is_early(&self, throwable: &ThrowableDef) -> bool {
        let mut counts = self.0.lock();
        let count = counts.listed.entry(Kind::of(throwable)).or_default();
        *count += 1;
        *count <= FULL
    }

    /// Remembers a throwable, which may end its thread later.
    pub fn seen(&self, throwable: &ThrowableDef) {
        let seen = &mut self.0.lock().seen;
        if seen.len() >= REMEMBERED {
            seen.clear();
        }
        seen.insert(throwable.id, Kind::of(throwable));
    }

    /// The kind of a throwable that was seen.
    pub fn kind(&self, throwable: ObjectId) -> Option<Kind> {
        self.0.lock().seen.get(&throwable).cloned()
    }

    /// Counts a failure that ended its thread.
    pub fn uncaught(&self, throwable: ObjectId) {
        let counts = &mut *self.0.lock();
        match counts.seen.get(&throwable) {
            Some(kind) => *counts.uncaught.entry(kind.clone()).or_default() += 1,
            None => counts.unknown = true,
        }
    }

    /// How often each kind of failure happened, in any order; `None` if not all kinds are known.
    pub fn all(&self) -> Option<Vec<(Kind, u64)>> {
        let counts = self.0.lock();
        let mut all = counts.listed.clone();
        for (kind, count) in &counts.uncaught {
            *all.entry(kind.clone()).or_default() += count;
        }
        (!counts.unknown).then(|| all.into_iter().collect())
    }

    /// The kinds of which some were only counted, sorted.
    pub fn left_out(&self) -> Vec<Repeated> {
        let counts = self.0.lock();
        let many = counts.listed.iter().filter(|&(_, &count)| count > FULL);
        let mut all: Vec<Repeated> = many
            .map(|(kind, &count)| Repeated {
                kind: kind.clone(),
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
    fn the_first_of_each_kind_are_distinguished_from_the_others() {
        let repeats = Repeats::default();
        for _ in 0..FULL {
            assert!(repeats.is_early(&thrown("a.E", 7)));
        }
        assert!(!repeats.is_early(&thrown("a.E", 7)));
        assert!(!repeats.is_early(&thrown("a.E", 7)));
        assert!(repeats.is_early(&thrown("a.E", 8)));
        assert!(repeats.is_early(&thrown("a.F", 7)));
        let kind = |class: &str, line: i32| Kind::of(&thrown(class, line));
        let expected = Repeated {
            kind: kind("a.E", 7),
            left_out: 2,
        };
        assert_eq!(repeats.left_out(), [expected]);
        // Throwable 1 is known by what was seen of it last.
        repeats.seen(&thrown("a.F", 7));
        assert_eq!(repeats.kind(1), Some(kind("a.F", 7)));
        repeats.uncaught(1);
        let mut all = repeats.all().unwrap();
        all.sort();
        let expected = [("a.E", 7, FULL + 2), ("a.E", 8, 1), ("a.F", 7, 2)];
        assert_eq!(all, expected.map(|(c, l, n)| (kind(c, l), n)));
        repeats.uncaught(2);
        assert_eq!(repeats.all(), None);
    }
}

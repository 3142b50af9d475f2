//! How often recording may begin.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::repeats::Kind;

/// For so long a kind of failure begins no further recording.
const REST: Duration = Duration::from_secs(60 * 60);

/// What is left of what the options allow.
#[derive(Debug)]
pub(super) struct Budget {
    left: u32,
    /// When each kind began a recording.
    began: HashMap<Kind, Instant>,
}

impl Budget {
    /// For so many recordings.
    pub(super) fn new(at_most: u32) -> Self {
        Self {
            left: at_most,
            began: HashMap::new(),
        }
    }

    /// May a failure of this kind begin a recording now? Then that is one of them.
    pub(super) fn grants(&mut self, kind: &Kind, now: Instant) -> bool {
        self.began
            .retain(|_, began| now.saturating_duration_since(*began) < REST);
        if self.left == 0 || self.began.contains_key(kind) {
            return false;
        }
        self.left -= 1;
        self.began.insert(kind.clone(), now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(place: &str) -> Kind {
        Kind {
            class: "a.E".into(),
            place: place.into(),
        }
    }

    #[test]
    fn a_kind_has_one_recording_an_hour() {
        let mut budget = Budget::new(3);
        let now = Instant::now();
        assert!(budget.grants(&kind("a"), now));
        assert!(!budget.grants(&kind("a"), now + REST / 2));
        assert!(budget.grants(&kind("b"), now + REST / 2));
        assert!(budget.grants(&kind("a"), now + REST));
        assert!(!budget.grants(&kind("b"), now + REST * 3), "all are used");
    }
}

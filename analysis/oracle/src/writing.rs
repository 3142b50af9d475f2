//! What a program must not write.

use std::ops::Range;

use regex::Regex;

/// What must not be written.
#[derive(Clone, Debug)]
pub enum Writing {
    /// This text.
    Text(String),
    /// What matches this.
    Pattern(Regex),
}

impl Writing {
    /// What matches the regular expression.
    ///
    /// # Errors
    /// It is none.
    pub fn pattern(text: &str) -> Result<Self, regex::Error> {
        Regex::new(text).map(Writing::Pattern)
    }

    /// Where it is first in all that was written.
    pub(super) fn find(&self, all: &str) -> Option<Range<usize>> {
        match self {
            Writing::Text(text) => all.find(text).map(|at| at..at + text.len()),
            Writing::Pattern(pattern) => pattern.find(all).map(|found| found.range()),
        }
    }

    /// Is it in all that was written?
    pub fn is_in(&self, all: &str) -> bool {
        self.find(all).is_some()
    }
}

impl PartialEq for Writing {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Writing::Text(a), Writing::Text(b)) => a == b,
            (Writing::Pattern(a), Writing::Pattern(b)) => a.as_str() == b.as_str(),
            _ => false,
        }
    }
}

impl Eq for Writing {}

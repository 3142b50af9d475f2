//! Programs with the ranks of their faults, and how many faults are found by so many lines.

use serde::Serialize;

use super::siemens::{Looked, Version};

/// A program with its versions.
pub(super) struct Program {
    pub(super) versions: Vec<(String, Version)>,
}

impl Program {
    pub(super) fn new(versions: Vec<(String, Version)>) -> Self {
        Self { versions }
    }

    /// The versions that were looked into, with their names.
    pub(super) fn named(&self) -> impl Iterator<Item = (&str, &Looked)> {
        self.versions
            .iter()
            .filter_map(|(id, version)| match version {
                Version::Looked(looked) => Some((id.as_str(), looked)),
                Version::Unusable(_) => None,
            })
    }
}

/// How many faults have their line among so many.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Found {
    pub(super) faults: usize,
    pub(super) first: f64,
    pub(super) among_five: f64,
    pub(super) among_ten: f64,
}

impl Found {
    pub(super) fn of(ranks: &[f64]) -> Self {
        let share = |most: f64| {
            let found = ranks.iter().filter(|rank| **rank <= most).count();
            found as f64 / ranks.len().max(1) as f64
        };
        Self {
            faults: ranks.len(),
            first: share(1.0),
            among_five: share(5.0),
            among_ten: share(10.0),
        }
    }
}

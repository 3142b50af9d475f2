//! How much is recorded.

use serde::{Deserialize, Serialize};

/// How much of the observed classes is recorded (`detail=`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Detail {
    /// What crosses the edge of the observed classes. More than that may be: what is left out is what replay computes again.
    Boundary,
    /// All that they do to each other and to the environment.
    #[default]
    Interactions,
    /// That, and which way each method went: all that slicing needs.
    Instructions,
    /// That, and the values that do not follow from it: all that the state at any step needs.
    States,
}

impl Detail {
    /// All of them, least first.
    pub const ALL: [Self; 4] = [
        Self::Boundary,
        Self::Interactions,
        Self::Instructions,
        Self::States,
    ];

    /// Is it recorded which way each method went?
    pub fn has_instructions(self) -> bool {
        self >= Self::Instructions
    }

    /// The word in options and traces.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boundary => "boundary",
            Self::Interactions => "interactions",
            Self::Instructions => "instructions",
            Self::States => "states",
        }
    }
}

/// A word that is no [`Detail`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not 'boundary', 'interactions', 'instructions' or 'states'")]
pub struct UnknownDetail;

impl std::str::FromStr for Detail {
    type Err = UnknownDetail;

    fn from_str(word: &str) -> Result<Self, UnknownDetail> {
        let mut all = Self::ALL.into_iter();
        all.find(|detail| detail.name() == word)
            .ok_or(UnknownDetail)
    }
}

impl std::fmt::Display for Detail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

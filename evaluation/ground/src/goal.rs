//! What a measurement has to reach.

use serde::Serialize;

/// Something that has to hold.
#[derive(Clone, Debug, Serialize)]
pub struct Goal {
    /// In words.
    pub what: &'static str,
    /// Does it?
    pub holds: bool,
}

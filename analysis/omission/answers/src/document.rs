//! An answer, whole.

use std::path::PathBuf;

use serde::Serialize;

use crate::behind::Behind;
use crate::suggested::{Suggested, Used};

/// An answer.
#[derive(Serialize)]
pub struct Document {
    /// The recording.
    pub trace: PathBuf,
    /// What is asked, in words.
    pub question: String,
    /// The instructions that do it.
    pub uses: Vec<Used>,
    /// Chains of calls to these from methods that ran.
    pub chains: Vec<Vec<String>>,
    /// There were more chains than are listed.
    pub chains_cut: bool,
    /// What kept them from running, the most likely first.
    pub suggestions: Vec<Suggested>,
    /// What is behind the first of them: containers in which something was missing.
    pub behind: Vec<Behind>,
    /// How many more suggestions there are.
    pub more: usize,
    /// What would only have read the object, and is left out.
    pub reads_hidden: usize,
    /// Of a failure: what does not speak for itself, as decisions after which the run fails all the same, and is left out.
    pub others_hidden: usize,
    /// Why no jump was flipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_flipped: Option<String>,
    /// Activations of which it is not known what ran in them.
    pub unknown_activations: u64,
}

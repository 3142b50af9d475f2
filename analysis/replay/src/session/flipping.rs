//! Classes whose jumps can be turned.

use std::collections::BTreeSet;

use super::build::{ReplayCode, TraceTables, counted, rewrite};
use crate::rewrite::{FlipSite, RewriteError, Tables};
use jinsi_natural::Natural;

/// [`super::rewrite_for`], with jumps that can be turned.
///
/// # Errors
/// Those of [`super::rewrite_for`]; some method may have become too large.
pub fn rewrite_flipping(
    recording: &TraceTables,
    natural: &Natural,
    observed: &BTreeSet<String>,
    flips: Vec<FlipSite>,
) -> Result<ReplayCode, RewriteError> {
    let tables = Tables {
        flips,
        ..Tables::default()
    };
    Ok(rewrite(recording, natural, observed, tables)?.0)
}

/// [`super::as_it_is`], with jumps that can be turned.
///
/// # Errors
/// As there; some method may have become too large.
pub fn as_it_is_flipping(
    recording: &TraceTables,
    flips: Vec<FlipSite>,
) -> Result<ReplayCode, RewriteError> {
    let tables = Tables {
        flips,
        ..Tables::default()
    };
    counted(recording, tables)
}

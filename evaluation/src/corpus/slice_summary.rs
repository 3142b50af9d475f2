//! What is left to look at, over the corpus.

use serde::Serialize;

use super::table::BugRow;
use jinsi_ground::figures::median;

/// Figures over the corpus.
#[derive(Debug, Default, Serialize)]
pub(super) struct SliceSummary {
    /// Levels that were sliced.
    pub(super) levels: usize,
    /// Lines in their slices, and the median.
    pub(super) lines: u64,
    pub(super) median_lines: f64,
    /// Of 100 source lines of the library, the median of all levels (the thesis: 0.22).
    pub(super) median_percent_of_source: f64,
    /// Bugs whose repair is known, those of which a slice holds it, and those of which none does though nothing was not followed.
    pub(super) fixed: usize,
    pub(super) held: usize,
    pub(super) lost_silently: usize,
}

impl SliceSummary {
    /// Of these bugs.
    pub(super) fn of(rows: &[BugRow]) -> Self {
        let lines = |row: &BugRow| {
            row.slices
                .lines
                .iter()
                .flatten()
                .copied()
                .collect::<Vec<u64>>()
        };
        let all: Vec<u64> = rows.iter().flat_map(lines).collect();
        let percents = rows.iter().flat_map(|row| {
            let source = row.slices.source_lines.filter(|source| *source > 0);
            let of = move |lines: u64| Some(lines as f64 * 100.0 / source? as f64);
            lines(row).into_iter().filter_map(of)
        });
        let known = || rows.iter().filter(|row| !row.slices.fixed.is_empty());
        Self {
            levels: all.len(),
            lines: all.iter().sum(),
            median_lines: median(all.iter().map(|lines| *lines as f64).collect()),
            median_percent_of_source: median(percents.collect()),
            fixed: known().count(),
            held: known().filter(|row| !row.slices.held_at.is_empty()).count(),
            lost_silently: known().filter(|row| row.slices.is_lost_silently()).count(),
        }
    }
}

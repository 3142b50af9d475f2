//! What of the trace is damaged, and where the recording ends too early.

use super::{Page, Report, escape};

impl Page {
    /// Said before all else: the rest may hang on it.
    pub(super) fn damage(&mut self, report: &Report) {
        for why in &report.recording_cut {
            let why = escape(why);
            self.line(format_args!(
                "<p class=\"stopped\">Not recorded: {why}.</p>"
            ));
        }
        if report.damage.is_empty() {
            return;
        }
        let incomplete = report.levels.iter().any(|level| level.incomplete);
        self.line(format_args!(
            "<p class=\"stopped\">The trace is damaged{}:</p>\n<ul class=\"damage\">",
            match incomplete {
                true =>
                    ", and something may be missing before the failure: the levels are incomplete",
                false => "",
            }
        ));
        for entry in &report.damage {
            let what = escape(&entry.to_string());
            self.line(format_args!("<li>{what}</li>"));
        }
        self.raw("</ul>\n");
    }
}

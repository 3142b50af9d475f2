//! Where to look first.

use super::{Page, Report, escape, past};

/// Lines that are shown.
const SHOWN: usize = 5;

impl Page {
    /// The lines that most speaks for.
    pub(super) fn suspects(&mut self, report: &Report) {
        if report.suspects.is_empty() {
            return;
        }
        self.raw("<h2>Where to look first</h2>\n<div class=\"card\">\n<table class=\"lines\">\n");
        for suspect in report.suspects.iter().take(SHOWN) {
            self.line(format_args!(
                "<tr><td class=\"fit\"><span{}>{}:{}</span></td><td><code>{}</code></td><td class=\"dim\">{}</td></tr>",
                past("line", &format!("{}:{}", suspect.class, suspect.line)),
                escape(&suspect.class),
                suspect.line,
                escape(suspect.text.as_deref().unwrap_or("")),
                escape(&suspect.why.join("; "))
            ));
        }
        self.raw("</table>\n</div>\n");
    }
}

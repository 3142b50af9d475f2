//! The failures of other kinds in the same recording.

use super::{Page, Report, breakable, escape, simple};
use crate::minimized::OtherFailure;

impl Page {
    pub(super) fn others(&mut self, report: &Report) {
        if report.other_failures.is_empty() {
            return;
        }
        self.raw("<h2>Other failures of this recording</h2>\n<div class=\"card\">\n<ul class=\"others\">\n");
        for other in &report.other_failures {
            self.other(other);
        }
        self.raw("</ul>\n</div>\n");
    }

    fn other(&mut self, other: &OtherFailure) {
        let name = escape(simple(&other.class));
        let name = match &other.directory {
            Some(own) => format!("<a href=\"{}/report.html\">{name}</a>", escape(own)),
            None => name,
        };
        let number = other.number;
        let message = other
            .message
            .as_deref()
            .map_or_else(String::new, |message| format!(": {}", escape(message)));
        let at = breakable(&other.at);
        let outcome = match (&other.keep, &other.directory, &other.why_not) {
            (Some(test), ..) => format!("reproduced by <code>{}</code>", breakable(test)),
            (None, Some(_), _) => "no test to keep".into(),
            (None, None, Some(why)) => format!("not minimized: {}", escape(why)),
            (None, None, None) => {
                format!("<code>jinsi minimize --failure {number}</code> minimizes it")
            }
        };
        self.line(format_args!(
            "<li>{number}: {name}{message} <span class=\"dim mono\">{at}</span><br>{outcome}</li>"
        ));
    }
}

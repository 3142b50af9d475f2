//! The test that is best kept, before all else that was found; or why there is none, and what made the failure.

use super::code::Code;
use super::{Page, Report, breakable, escape};

impl Page {
    /// `tests`: the sources of the levels' tests, as [`super::render`] has them.
    pub(super) fn keep(&mut self, report: &Report, tests: &[Option<String>]) {
        if let Some(why) = &report.keep_why_not {
            self.not_kept(report, why);
            return;
        }
        let kept = report.levels.iter().zip(tests);
        let kept = kept.filter(|(level, _)| level.test_file.is_some());
        let Some((level, Some(source))) =
            kept.into_iter().find(|(l, _)| l.test_file == report.keep)
        else {
            return;
        };
        let n = level.level;
        let words = match &report.keep_words {
            Some(words) => format!("<b>{}.</b> ", escape(words)),
            None => String::new(),
        };
        self.raw("<section class=\"card keep\">\n<h2>The test to keep</h2>\n");
        self.line(format_args!(
            "<p>{words}{} <a href=\"#level-{n}\">Level {n}</a></p>",
            escape(report.keep_why.as_deref().unwrap_or_default())
        ));
        self.code(&Code {
            source,
            id: Some("keep"),
        });
        self.line(format_args!(
            "<p class=\"dim\"><code>{}</code></p>",
            breakable(report.keep.as_deref().unwrap_or_default())
        ));
        self.slice(level, true);
        self.raw("</section>\n");
    }

    /// With what is left of the lowest level that was sliced.
    fn not_kept(&mut self, report: &Report, why: &str) {
        self.raw("<section class=\"card keep\">\n<h2>No test to keep</h2>\n");
        self.line(format_args!("<p>{}</p>", escape(why)));
        let mut levels = report.levels.iter();
        if let Some(level) = levels.find(|level| !level.slice_lines.is_empty()) {
            self.slice(level, true);
        }
        self.raw(
            "<p class=\"dim\">To click through the run: <code>jinsi view</code> and the directory of this page.</p>\n</section>\n",
        );
    }
}

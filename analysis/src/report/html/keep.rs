//! The test that is best kept, before all else that was found.

use super::{Page, Report, breakable, escape, java};

impl Page {
    /// `tests`: the sources of the levels' tests, as [`super::render`] has them.
    pub(super) fn keep(&mut self, report: &Report, tests: &[Option<String>]) {
        let kept = report.levels.iter().zip(tests);
        let kept = kept.filter(|(level, _)| level.test_file.is_some());
        let Some((level, Some(source))) =
            kept.into_iter().find(|(l, _)| l.test_file == report.keep)
        else {
            return;
        };
        let n = level.level;
        self.line(format_args!(
            "<h2>The test to keep</h2>\n<section class=\"card\">\n<p>{} <a href=\"#level-{n}\">Level {n}</a></p>",
            escape(report.keep_why.as_deref().unwrap_or_default())
        ));
        self.line(format_args!(
            "<h4><code>{}</code></h4>\n<pre><code>{}</code></pre>\n</section>",
            breakable(report.keep.as_deref().unwrap_or_default()),
            java::highlight(source.trim_end())
        ));
    }
}

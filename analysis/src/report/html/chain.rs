//! The cause-effect chain as a picture: the failure on top, below each state the one that it came from.

use super::super::json::Link;
use super::{Page, breakable, counted, escape};

/// Interactions that are shown of a link.
const SHOWN: usize = 8;

impl Page {
    /// Nothing, if the failure has no chain.
    pub(super) fn chain(&mut self, links: &[Link]) {
        if links.is_empty() {
            return;
        }
        self.raw("<h2>How it came about</h2>\n");
        for (i, link) in links.iter().enumerate() {
            if i > 0 {
                self.raw("<p class=\"dim\">↑ because</p>\n");
            }
            self.link(link);
        }
        let last = links.last().filter(|l| l.by.is_some());
        if let Some(by) = last.and_then(|l| l.by.as_ref()) {
            let by = escape(by);
            self.line(format_args!(
                "<p>No state that is wrong was found before <code>{by}</code>.</p>"
            ));
        }
    }

    fn link(&mut self, link: &Link) {
        let object = link.object.as_ref();
        let of = object.map_or_else(String::new, |o| format!(" of {}", escape(o)));
        let predicate = escape(&link.predicate);
        self.line(format_args!(
            "<div class=\"card\">\n<h3>{predicate}<span class=\"dim\">{of}</span></h3>"
        ));
        if let Some(by) = &link.by {
            let by = escape(by);
            self.line(format_args!("<p>since <code>{by}</code></p>"));
        }
        let level = &link.level;
        let classes: Vec<String> = level.observed.iter().map(|c| breakable(c)).collect();
        let (left, all) = (level.minimized, counted(level.interactions, "interaction"));
        self.line(format_args!(
            "<p class=\"dim\">{left} of {all} with {}:</p>\n<p class=\"mono\">",
            classes.join(", ")
        ));
        for kept in level.kept.iter().take(SHOWN) {
            let text = escape(&kept.text);
            self.line(format_args!("{text}<br>"));
        }
        if level.kept.len() > SHOWN {
            self.raw("…\n");
        }
        self.raw("</p>\n</div>\n");
    }
}

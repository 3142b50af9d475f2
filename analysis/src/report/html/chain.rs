//! The cause-effect chain as a picture: the failure on top, below each state the one that it came from; and a card for each link.

use super::super::json::{Link, Report};
use super::code::Code;
use super::{Page, breakable, counted, escape, simple};

/// Interactions that are shown of a link.
const SHOWN: usize = 8;
/// Width of the picture, height of a box, and distance of two, in its own units.
const WIDTH: usize = 720;
const BOX: usize = 56;
const STEP: usize = 104;
/// Characters that fit into a line of the picture.
const LINE: usize = 84;

impl Page {
    /// Nothing, if the failure has no chain. `tests` holds the source of each link's test, as far as there is one.
    pub(super) fn chain(&mut self, report: &Report, tests: &[Option<String>]) {
        let links = report.chain.as_slice();
        if links.is_empty() {
            return;
        }
        self.raw("<h2>How it came about</h2>\n");
        self.picture(links);
        let last = links.last().filter(|l| l.by.is_some());
        if let Some(by) = last.and_then(|l| l.by.as_ref()) {
            let by = escape(by);
            self.line(format_args!(
                "<p>No state that is wrong was found before <code>{by}</code>.</p>"
            ));
        }
        if let Some(undone) = &report.chain_undone {
            self.raw("<p>Something was left undone, after which the failure is gone:</p>\n");
            self.sentence(undone);
        }
        for (i, link) in links.iter().enumerate() {
            self.link(link, tests.get(i).and_then(Option::as_deref));
        }
    }

    /// A box for each link; an arrow leads from each state to what it caused, and says by which interaction it arose.
    fn picture(&mut self, links: &[Link]) {
        let height = links.len() * STEP - (STEP - BOX) + 2;
        self.line(format_args!(
            "<svg class=\"chain\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"The chain of causes, the failure first\">"
        ));
        let middle = WIDTH / 2;
        for (i, link) in links.iter().enumerate() {
            let top = i * STEP + 1;
            let class = if i == 0 { "failure" } else { "state" };
            let width = WIDTH - 2;
            self.line(format_args!(
                "<rect class=\"{class}\" x=\"1\" y=\"{top}\" width=\"{width}\" height=\"{BOX}\" rx=\"8\"/>"
            ));
            let what = cut(&link.predicate);
            let of = match (&link.object, &link.class) {
                (Some(object), Some(class)) => format!("{object} ({})", simple(class)),
                _ => "the failure".to_owned(),
            };
            let left = counted(link.level.minimized, "call");
            let of = cut(&format!("{of}, {left} left"));
            let (first, second) = (top + 23, top + 43);
            self.line(format_args!(
                "<text x=\"{middle}\" y=\"{first}\">{what}</text>"
            ));
            self.line(format_args!(
                "<text class=\"dim\" x=\"{middle}\" y=\"{second}\">{of}</text>"
            ));
            if let Some(by) = link.by.as_ref().filter(|_| i > 0) {
                self.arrow(top, &cut(by));
            }
        }
        self.raw("</svg>\n");
    }

    /// From the box that begins at `top` to the one above it.
    fn arrow(&mut self, top: usize, by: &str) {
        let (middle, head) = (WIDTH / 2, top - (STEP - BOX));
        let (left, right, neck) = (middle - 6, middle + 6, head + 9);
        self.line(format_args!(
            "<path d=\"M{middle} {top}V{neck}\"/><path class=\"head\" d=\"M{left} {neck}H{right}L{middle} {head}Z\"/>"
        ));
        let (x, y) = (middle + 14, top - (STEP - BOX) / 2 + 5);
        self.line(format_args!(
            "<text class=\"by\" x=\"{x}\" y=\"{y}\">{by}</text>"
        ));
    }

    fn link(&mut self, link: &Link, test: Option<&str>) {
        let object = link.object.as_ref();
        let of = object.map_or_else(String::new, |o| format!(" in {}", escape(o)));
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
        let (left, all) = (level.minimized, counted(level.interactions, "call"));
        let lines = level.lines_executed;
        let lines = lines.map_or_else(String::new, |n| {
            format!(", which run {}", counted(n, "line"))
        });
        self.line(format_args!(
            "<p class=\"dim\">{left} of {all} to {}{lines}:</p>\n<p class=\"mono\">",
            classes.join(", ")
        ));
        for kept in level.kept.iter().take(SHOWN) {
            let text = escape(&kept.text);
            self.line(format_args!("{text}<br>"));
        }
        if level.kept.len() > SHOWN {
            self.raw("…\n");
        }
        self.raw("</p>\n");
        if let Some(test) = test {
            let file = breakable(level.test_file.as_deref().unwrap_or_default());
            self.line(format_args!(
                "<h3 class=\"small\">Unit test <code>{file}</code></h3>"
            ));
            self.code(&Code {
                source: test,
                id: None,
            });
        }
        self.raw("</div>\n");
    }
}

/// As much of a text as fits into a line, as HTML.
fn cut(text: &str) -> String {
    if text.chars().count() <= LINE {
        return escape(text);
    }
    let shown: String = text.chars().take(LINE - 1).collect();
    escape(&shown) + "…"
}

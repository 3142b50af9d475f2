//! The lines that made what is left of a level fail.

use super::{LevelReport, Page, counted, escape, past};

/// Lines that are shown.
const SHOWN_LINES: usize = 50;

/// A slice of more lines is folded: it would stand in the way of what comes behind it.
const OPEN_LINES: u64 = 25;

impl Page {
    /// The lines that made it fail, the nearest to the failure first.
    pub(super) fn slice(&mut self, level: &LevelReport, is_open: bool) {
        if level.slice_lines.is_empty() {
            return;
        }
        let count = level.slice_lines.len() as u64;
        self.line(format_args!(
            "<details{}><summary>{} made it fail, the nearest to the failure first</summary>",
            if is_open && count <= OPEN_LINES {
                " open"
            } else {
                ""
            },
            counted(count, "line")
        ));
        self.raw("<table class=\"lines\">\n");
        for line in level.slice_lines.iter().take(SHOWN_LINES) {
            let values = match line.values.is_empty() {
                true => String::new(),
                false => format!("// {}", line.values.join("; ")),
            };
            self.line(format_args!(
                "<tr><td class=\"fit\"><span{}>{}:{}</span></td><td><code>{}</code></td><td class=\"dim\">{}</td></tr>",
                past("line", &format!("{}:{}", line.class, line.line)),
                escape(&line.class),
                line.line,
                escape(line.text.as_deref().unwrap_or("")),
                escape(&values)
            ));
        }
        self.raw("</table>\n");
        if level.slice_lines.len() > SHOWN_LINES {
            self.raw("<p class=\"dim\">The others are in report.json.</p>\n");
        }
        for crossing in &level.slice_crossings {
            let crossing = escape(crossing);
            self.line(format_args!(
                "<p class=\"dim\">Not looked into: {crossing}.</p>"
            ));
        }
        self.raw("</details>\n");
    }
}

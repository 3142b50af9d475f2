//! Findings as Markdown: the summary of a step at GitHub, or a comment.

use std::fmt::Write;

use super::why;
use crate::look::{Findings, FoundLine};

/// Lines that the table has.
const LINES: usize = 10;

/// The findings as Markdown. `text` gives what a line says, if its source is found.
pub fn document(findings: &Findings, mut text: impl FnMut(&FoundLine) -> Option<String>) -> String {
    let mut out = format!("### Where to look first: {}\n\n", code(&findings.run));
    out.push_str("| rank | line | what it says | why |\n| ---: | --- | --- | --- |\n");
    for line in findings.lines.iter().take(LINES) {
        let place = &line.ranked.place;
        let says = text(line).map_or_else(String::new, |says| code(says.trim()));
        let at = code(&format!("{}:{}", place.class, place.line));
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "| {} | {at} | {says} | {} |",
            line.ranked.rank,
            cell(&why(line))
        );
    }
    if let Some(difference) = findings.difference.as_ref().filter(|d| !d.same) {
        let _ = write!(
            out,
            "\nThe nearest of {} passing runs, {}, decided otherwise at\n\n",
            difference.compared,
            code(&difference.run)
        );
        for branch in difference.branches.iter().rev().take(LINES) {
            let at = code(&format!("{}:{}", branch.class, branch.line));
            let _ = writeln!(
                out,
                "* {at}, time {}: it went {} and not {}",
                branch.occurrence, branch.went, branch.passing
            );
        }
    }
    out
}

/// Text as code in a cell of a table, so that nothing in it is markup.
fn code(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = line.replace('|', "\\|");
    let runs = line.split(|c| c != '`').map(str::len);
    let ticks = "`".repeat(runs.max().unwrap_or(0) + 1);
    match line.starts_with('`') || line.ends_with('`') {
        true => format!("{ticks} {line} {ticks}"),
        false => format!("{ticks}{line}{ticks}"),
    }
}

/// Text in a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::testing::findings;

    #[test]
    fn the_summary_has_lines_and_branches() {
        let text = document(&findings(), |line| {
            (line.ranked.place.line == 12).then(|| "  if (a || b) {".to_owned())
        });
        assert!(text.contains("| 1 | `a.b.C:12` | `if (a \\|\\| b) {` | the failure depends"));
        assert!(text.contains("| 2 | `a.b.C:3` |  | "));
        assert!(text.contains("* `a.b.C:12`, time 2: it went to line 13 and not to line 15\n"));
    }
}

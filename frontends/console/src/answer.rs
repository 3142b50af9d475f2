//! What `debug` and `minimize` say at the end: the failure, the test to keep, and what to do next.

use std::fs;
use std::io::{self, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use jinsi_analysis::report::java;
use jinsi_analysis::report::json::{LevelReport, Report, TestOutcome};
use jinsi_history::damage::Damaged;

use crate::advice::{self, Step};
use crate::{also, damage};

/// Lines of a test that are shown; of a longer one, its head and the assertion.
const LINES: usize = 15;

/// Where reports go unless something else is said.
pub const USUAL: &str = "jinsi-report";

/// The answer to a run, for people.
pub struct Answer<'a> {
    /// What came of it.
    pub report: &'a Report,
    /// Where the report is.
    pub directory: &'a Path,
    /// The test was put into a project.
    pub placed: bool,
    /// Java is coloured.
    pub colours: bool,
}

impl Answer<'_> {
    /// Writes all of it.
    ///
    /// # Errors
    /// The recommended test cannot be read, or nothing can be written.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let Self {
            report, directory, ..
        } = *self;
        self.failure(to)?;
        self.chain(to)?;
        self.keep(to)?;
        self.not_possible(to)?;
        self.losses(to)?;
        self.next(to)?;
        writeln!(to, "report   {}", link(&directory.join("report.html")))?;
        also::print(&report.other_failures, directory, to)
    }

    /// The failure in one line, by the program's own frame.
    fn failure(&self, to: &mut dyn Write) -> io::Result<()> {
        let failure = &self.report.failure;
        let test = failure.test.as_ref();
        let test = test.map_or_else(String::new, |test| format!(", in {test}"));
        writeln!(to, "failure  {}{test}", failure.line())
    }

    fn chain(&self, to: &mut dyn Write) -> io::Result<()> {
        for (i, link) in self.report.chain.iter().enumerate().skip(1) {
            let lead = if i == 1 { "because" } else { "" };
            let object = link.object.as_deref().unwrap_or_default();
            writeln!(to, "{lead:<8} in {object}, {}", link.predicate)?;
        }
        Ok(())
    }

    /// The test that is best kept: what it is, where, and its source.
    fn keep(&self, to: &mut dyn Write) -> io::Result<()> {
        let report = self.report;
        let Some(file) = &report.keep else {
            let why = report.keep_why_not.as_deref().unwrap_or_default();
            return writeln!(to, "keep     none. {why}");
        };
        let file = self.directory.join(file);
        let words = report.keep_words.as_deref().unwrap_or_default();
        writeln!(to, "keep     {}", file.display())?;
        let why = report.keep_why.as_deref().unwrap_or_default();
        writeln!(to, "         {words}. {why}")?;
        if let Some(level) = report.kept_level() {
            writeln!(
                to,
                "         level {}: {} of {} recorded calls left",
                level.level, level.minimized, level.interactions
            )?;
        }
        let source = fs::read_to_string(&file)?;
        let shown = shown(&source, self.colours);
        writeln!(to, "\n{shown}\n")
    }

    /// Which levels have no test that fails as recorded, and why.
    fn not_possible(&self, to: &mut dyn Write) -> io::Result<()> {
        let mut reasons: Vec<(String, Vec<u32>)> = Vec::new();
        for level in &self.report.levels {
            let Some(why) = why_not(level) else { continue };
            match reasons.iter_mut().find(|(known, _)| *known == why) {
                Some((_, levels)) => levels.push(level.level),
                None => reasons.push((why, vec![level.level])),
            }
        }
        for (why, levels) in reasons {
            let plural = if levels.len() == 1 { "" } else { "s" };
            let levels: Vec<String> = levels.iter().map(u32::to_string).collect();
            writeln!(to, "no test  level{plural} {}: {why}", levels.join(", "))?;
        }
        if let Some(why) = &self.report.stopped {
            writeln!(
                to,
                "stopped  {why}: levels may be missing, and more could perhaps go"
            )?;
        }
        Ok(())
    }

    /// What the recording lacks.
    fn losses(&self, to: &mut dyn Write) -> io::Result<()> {
        for why in &self.report.recording_cut {
            writeln!(to, "not recorded  {why}")?;
        }
        let damaged = Damaged {
            entries: self.report.damage.clone(),
            incomplete: self.report.levels.iter().any(|level| level.incomplete),
        };
        damage::print(&damaged, to)
    }

    fn next(&self, to: &mut dyn Write) -> io::Result<()> {
        let trace = advice::path(Path::new(&self.report.trace));
        let mut next = Vec::new();
        let not_run = |l: &LevelReport| l.test_outcome == Some(TestOutcome::NotRun);
        if self.report.levels.iter().any(not_run) {
            next.push(Step::new("to run the written tests", "jinsi doctor"));
        }
        if self.report.keep.is_some() && !self.placed {
            next.push(Step::new(
                "to copy it among your tests",
                self.keeping(&trace),
            ));
        }
        if self.report.keep.is_none() {
            next.push(Step::new(
                "to see where to look first",
                format!("jinsi where {trace}"),
            ));
        }
        next.push(Step::new(
            "to step through the run",
            format!("jinsi view {trace}"),
        ));
        let undone = format!("jinsi why-not {trace} --call CLASS.METHOD");
        next.push(Step::new("to ask why something did not happen", undone));
        let lead = if next.is_empty() { "" } else { "next\n" };
        write!(to, "{lead}{}", advice::lines(&next))
    }

    /// The command that puts the test into a project.
    fn keeping(&self, trace: &str) -> String {
        let out = out(self.directory);
        format!("jinsi minimize {trace}{out} --into src/test/java")
    }
}

/// Why a level has no test that fails as recorded; `None` if it has one.
pub fn why_not(level: &LevelReport) -> Option<String> {
    if level.strict_replay != "reproduced" && level.minimized == 0 {
        let why = match (&level.stopped, level.strict_replay.as_str()) {
            (Some(_), _) => "the search was stopped before it",
            (None, "") => "it was not searched",
            (None, why) => why,
        };
        return Some(format!("not replayable: {why}"));
    }
    let form = level.test_form.as_deref().unwrap_or("no");
    let what = match level.test_outcome {
        Some(TestOutcome::Reproduces) => return None,
        Some(TestOutcome::Passes) => format!("the {form} test passes"),
        Some(TestOutcome::FailsOtherwise) => format!("the {form} test fails otherwise"),
        Some(TestOutcome::DoesNotCompile) => format!("the {form} test does not compile"),
        Some(TestOutcome::NotRun) => format!("the {form} test was not run"),
        None => "no test could be written".to_owned(),
    };
    let why = level.test_why.as_deref().map(first_line);
    Some(match why {
        Some(why) if !why.is_empty() => {
            let why = why.strip_prefix("the test was not run: ").unwrap_or(why);
            format!("{what}: {why}")
        }
        _ => what,
    })
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The option for this directory, unless it is the usual one.
pub fn out(directory: &Path) -> String {
    match directory == Path::new(USUAL) {
        true => String::new(),
        false => format!(" --out {}", advice::path(directory)),
    }
}

/// A file as a link that terminals and editors open.
pub fn link(file: &Path) -> String {
    let whole = std::path::absolute(file).unwrap_or_else(|_| PathBuf::from(file));
    let mut link = String::from("file://");
    for byte in whole.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                link.push(byte.into());
            }
            other => link.push_str(&format!("%{other:02X}")),
        }
    }
    link
}

/// The part of a test that there is room for: without package, imports and comment; if it is long, its head, and the assertion.
pub fn shown(source: &str, colours: bool) -> String {
    let bare = without_comments(body(source));
    let lines: Vec<&str> = bare.lines().collect();
    let of_lines = |lines: &[&str]| {
        let text = lines.join("\n");
        if colours { coloured(&text) } else { text }
    };
    let more = |count: usize| {
        let lines = if count == 1 { "line" } else { "lines" };
        format!("    … {count} more {lines}")
    };
    if lines.len() <= LINES {
        return of_lines(&lines);
    }
    let asserted = asserted(&lines).filter(|asserted| asserted.end > LINES - 1);
    let Some(asserted) = asserted else {
        let head = of_lines(&lines[..LINES - 1]);
        return format!("{head}\n{}", more(lines.len() - (LINES - 1)));
    };
    // Two lines say what is left out.
    let head = (LINES - 2 - asserted.len()).min(asserted.start);
    let mut parts = vec![of_lines(&lines[..head])];
    if asserted.start > head {
        parts.push(more(asserted.start - head));
    }
    parts.push(of_lines(&lines[asserted.clone()]));
    if asserted.end < lines.len() {
        parts.push(more(lines.len() - asserted.end));
    }
    parts.join("\n")
}

/// The lines of the first assertion, a few at most.
fn asserted(lines: &[&str]) -> Option<Range<usize>> {
    let begins = |line: &&str| {
        ["assert", "fail("]
            .iter()
            .any(|word| line.trim_start().starts_with(word))
    };
    let start = lines.iter().position(begins)?;
    let ends = |line: &&str| line.trim_end().ends_with(';');
    let long = lines[start..].iter().position(ends).map_or(1, |at| at + 1);
    Some(start..start + long.min(LINES / 2))
}

/// A test class from its first annotation or modifier on.
fn body(source: &str) -> &str {
    let mut at = 0;
    let mut in_comment = false;
    for line in source.split_inclusive('\n') {
        let text = line.trim();
        let skipped = in_comment
            || text.is_empty()
            || ["package ", "import ", "//", "/*"]
                .iter()
                .any(|begin| text.starts_with(begin));
        if !skipped {
            break;
        }
        in_comment = (in_comment || text.starts_with("/*")) && !text.ends_with("*/");
        at += line.len();
    }
    source[at..].trim_end()
}

/// Java without comments of several lines, and without the empty lines around them.
fn without_comments(source: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut in_comment = false;
    for line in source.lines() {
        let text = line.trim();
        if in_comment || text.starts_with("/*") {
            in_comment = !text.ends_with("*/");
            continue;
        }
        let after = out.last().map(|line| line.trim());
        let opens = after.is_none_or(|line| line.is_empty() || line.ends_with('{'));
        if !(text.is_empty() && opens) {
            out.push(line);
        }
    }
    out.join("\n")
}

/// Java with the colours of a terminal.
pub fn coloured(source: &str) -> String {
    let mut out = String::new();
    for (text, class) in java::tokens(source) {
        let colour = match class {
            "k" => "35",
            "s" => "32",
            "n" => "36",
            "c" => "2",
            "t" => "33",
            "a" => "34",
            _ => {
                out.push_str(text);
                continue;
            }
        };
        // A comment may go on over lines; each is coloured by itself, so that a pager that begins below shows it right.
        for (i, line) in text.split('\n').enumerate() {
            let end = if i == 0 { "" } else { "\n" };
            out.push_str(&format!("{end}\u{1b}[{colour}m{line}\u{1b}[0m"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: &str = "package a;\n\nimport b.C;\n\n/**\n * Said here.\n */\nclass ATest {\n\n    /**\n     * What.\n     */\n    @Test\n    void fails() {\n        new C(1).go();\n    }\n}\n";

    #[test]
    fn a_test_is_shown_from_its_class_on_and_without_its_comment() {
        let expected =
            "class ATest {\n    @Test\n    void fails() {\n        new C(1).go();\n    }\n}";
        assert_eq!(shown(TEST, false), expected);
        assert_eq!(shown("", false), "");
        let coloured = shown(TEST, true);
        assert!(coloured.contains("\u{1b}[34m@Test\u{1b}[0m"), "{coloured}");
    }

    #[test]
    fn of_a_long_one_its_head() {
        let long = format!("class A {{\n{}}}\n", "    int i;\n".repeat(30));
        let shown = shown(&long, false);
        assert_eq!(shown.lines().count(), LINES);
        assert!(shown.ends_with("    … 18 more lines"), "{shown}");
    }

    #[test]
    fn of_a_long_one_the_assertion_is_seen() {
        let test = |before: usize, behind: usize| {
            let statements = |count: usize| "    go();\n".repeat(count);
            let (before, behind) = (statements(before), statements(behind));
            let long = format!("class A {{\n{before}    assertEquals(\n        1);\n{behind}}}\n");
            shown(&long, false)
        };
        let middle = test(20, 20);
        assert_eq!(middle.lines().count(), LINES);
        let end = "    … 10 more lines\n    assertEquals(\n        1);\n    … 21 more lines";
        assert!(middle.ends_with(end), "{middle}");
        let last = test(20, 0);
        assert!(last.ends_with("        1);\n    … 1 more line"), "{last}");
        // At the border of what there is room for.
        for before in 0..20 {
            let text = test(before, 9);
            assert!(
                text.lines().count() <= LINES && text.contains("1);"),
                "{text}"
            );
        }
    }

    #[test]
    fn links_can_be_opened() {
        assert_eq!(link(Path::new("/a b/ü.html")), "file:///a%20b/%C3%BC.html");
    }
}

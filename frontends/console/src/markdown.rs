//! The answer as Markdown: a comment that a build puts to a change.

use std::fs;
use std::io;
use std::path::Path;

use jinsi_analysis::report::json::{Failure, Report};
use jinsi_analysis::report::suite::SuiteReport;

use crate::messages::Remark;
use crate::{advice, answer};

/// Tests that a comment has; of the others it has the names. Services take comments of some 65,000 characters.
const MOST: usize = 10;

/// Lines to look at where there is no test to keep.
const SUSPECTS: usize = 5;

/// Longest source of a test in a comment, in characters.
const LONGEST: usize = 4000;

/// The comment on one failure.
pub fn of_run(report: &Report, directory: &Path) -> io::Result<String> {
    let head = match &report.keep {
        Some(_) => "A failure, and the test to keep",
        None => "A failure",
    };
    let mut text = format!("### {head}\n\n");
    failure(&report.failure, &mut text);
    kept(report, directory, &mut text)?;
    Ok(text)
}

/// The comment on the failed tests of a suite.
pub fn of_suite(suite: &SuiteReport, directory: &Path) -> io::Result<String> {
    let own: Vec<_> = suite.tests.iter().filter(|t| t.same_as.is_none()).collect();
    let kept_ones = own.iter().filter(|t| t.keep.is_some()).count();
    let mut text = format!(
        "### {}, {} to keep\n",
        counted(suite.tests.len(), "failed test"),
        counted(kept_ones, "test")
    );
    for (number, test) in own.iter().enumerate() {
        let name = code(&test.test);
        if number == MOST {
            text.push_str("\nAnd these, in the report:\n\n");
        }
        if number >= MOST {
            text.push_str(&format!("* {name}\n"));
            continue;
        }
        text.push_str(&format!("\n#### {name}\n\n"));
        let alike = suite.tests.iter();
        let alike = alike.filter(|t| t.same_as.as_ref() == Some(&test.test));
        let alike: Vec<String> = alike.map(|t| code(&t.test)).collect();
        match &test.directory {
            Some(own) => {
                let own = directory.join(own);
                let report = Report::read(&own.join("report.json"))?;
                failure(&report.failure, &mut text);
                kept(&report, &own, &mut text)?;
            }
            None => {
                let why = test.why_not.as_deref().unwrap_or("it was not minimized");
                text.push_str(&format!("No test: {}\n", code(why)));
            }
        }
        if let Some(second) = &test.second_try {
            text.push_str(&format!("\n{}\n", code(&second.sentence())));
        }
        if !alike.is_empty() {
            text.push_str(&format!("\nAlso {}.\n", alike.join(", ")));
        }
    }
    Ok(text)
}

fn failure(failure: &Failure, text: &mut String) {
    text.push_str(&format!("{}\n\n", code(&failure.line())));
}

/// The test that is best kept.
fn kept(report: &Report, directory: &Path, text: &mut String) -> io::Result<()> {
    let Some(file) = &report.keep else {
        not_kept(report, directory, text);
        return Ok(());
    };
    let source = fs::read_to_string(directory.join(file))?;
    let words = report.keep_words.as_deref().unwrap_or_default();
    let why = report.keep_why.as_deref().unwrap_or_default();
    let fence = fence(&source);
    let whole = source.chars().count() <= LONGEST;
    let source: String = source.chars().take(LONGEST).collect();
    let more = if whole { "" } else { "\n// …" };
    text.push_str(&format!(
        "{words}. {why}\n\n{fence}java\n{}{more}\n{fence}\n\n{}\n",
        source.trim_end(),
        code(&directory.join(file).display().to_string())
    ));
    let level = report.kept_level();
    if let Some(level) = level {
        text.push_str(&format!(
            "\nLevel {} of {}: {} of {} recorded calls are left.\n",
            level.level,
            report.levels.len(),
            level.minimized,
            level.interactions
        ));
    }
    Ok(())
}

/// Why no test is recommended, and where to look.
fn not_kept(report: &Report, directory: &Path, text: &mut String) {
    let why = report.keep_why_not.as_deref().unwrap_or_default();
    text.push_str(&format!("{why}\n"));
    let suspects = report.suspects.iter().take(SUSPECTS);
    let mut lines = suspects.map(|suspect| {
        let place = code(&format!("{}:{}", suspect.class, suspect.line));
        let said = suspect.text.as_deref().map(code).unwrap_or_default();
        format!("* {place} {said}\n")
    });
    if let Some(first) = lines.next() {
        text.push_str("\nLook here first:\n\n");
        text.push_str(&first);
        lines.for_each(|line| text.push_str(&line));
    }
    let view = format!("jinsi view {}", advice::path(directory));
    text.push_str(&format!("\nTo click through the run: {}\n", code(&view)));
}

fn counted(n: usize, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

/// Text as code, in one line, so that nothing in it is markup, or calls anybody by name.
fn code(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let ticks = "`".repeat(longest_ticks(&line) + 1);
    match line.starts_with('`') || line.ends_with('`') {
        true => format!("{ticks} {line} {ticks}"),
        false => format!("{ticks}{line}{ticks}"),
    }
}

/// A fence that does not occur in the text.
fn fence(text: &str) -> String {
    "`".repeat(longest_ticks(text).max(2) + 1)
}

fn longest_ticks(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

/// Writes the comment to where `--markdown` says.
pub fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    jinsi_files::private::write(file, text)
        .map_err(|e| anyhow::anyhow!("cannot write {}: {e}", file.display()))?;
    super::output::note(Remark::Comment {
        link: &answer::link(file),
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_analysis::report::json::Suspect;

    #[test]
    fn code_is_no_markup() {
        assert_eq!(code("a.B: **x** @you\n<b>"), "`a.B: **x** @you <b>`");
        assert_eq!(code("a `b` c"), "``a `b` c``");
        assert_eq!(code("`b"), "`` `b ``");
        assert_eq!(fence("no ticks"), "```");
        assert_eq!(fence("``` in it"), "````");
    }

    #[test]
    fn a_comment_has_the_failure_and_the_test() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join("T.java"), "class T {\n}\n").unwrap();
        let report = Report {
            failure: Failure {
                class: "a.E".into(),
                message: Some("1 | 2".into()),
                at: "B.go(B.java:3)".into(),
                ..Failure::default()
            },
            keep: Some("T.java".into()),
            keep_words: Some("plain Java: keep it".into()),
            keep_why: Some("It needs nothing but JUnit.".into()),
            ..Report::default()
        };
        let text = of_run(&report, directory.path()).unwrap();
        assert!(
            text.starts_with("### A failure, and the test to keep\n"),
            "{text}"
        );
        for part in [
            "`a.E: 1 | 2, at B.go(B.java:3)`\n",
            "plain Java: keep it. It needs nothing but JUnit.\n\n```java\nclass T {\n}\n```\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn a_comment_without_a_test_has_the_lines() {
        let report = Report {
            keep_why_not: Some("It is small.".into()),
            suspects: vec![Suspect {
                class: "a.B".into(),
                line: 3,
                text: Some("go();".into()),
                ..Suspect::default()
            }],
            ..Report::default()
        };
        let text = of_run(&report, Path::new("a b")).unwrap();
        assert!(text.starts_with("### A failure\n"), "{text}");
        let expected = "It is small.\n\nLook here first:\n\n* `a.B:3` `go();`\n\nTo click through the run: `jinsi view 'a b'`\n";
        assert!(text.ends_with(expected), "{text}");
    }
}

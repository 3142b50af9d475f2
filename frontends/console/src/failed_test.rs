//! What is printed of a failed test of a suite: its failure, the test to keep or the lines to look at, and one command. A build prints this of each.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use jinsi_analysis::report::json::{LevelReport, Report, Suspect, TestOutcome};
use jinsi_analysis::report::suite::TestReport;
use jinsi_testwriter::Form;
use jinsi_testwriter::measure::statements;

use crate::advice;
use crate::answer::coloured;

/// Lines that a failed test has.
const LINES: usize = 8;
/// Characters of a line of code, or of a failure's message; longer ones end with an ellipsis.
const WIDTH: usize = 140;
/// Lines to look at where there is no test to keep.
const SUSPECTS: usize = 3;
/// Behind this the lines below a label begin.
const INDENT: &str = "         ";
/// How statements are indented in a written test.
const BODY: &str = "        ";
/// Where tests are, below a project.
const TESTS: &str = "src/test/java";

/// A failed test, and where its report is.
pub struct FailedTest<'a> {
    /// What came of the test.
    pub test: &'a TestReport,
    /// The directory that the paths in `test` begin at.
    pub root: &'a Path,
    /// The recommended test is shown as code.
    pub in_full: bool,
    /// The recommended test was put into a project.
    pub placed: bool,
    /// Java is coloured.
    pub colours: bool,
}

impl FailedTest<'_> {
    /// Writes some lines about it.
    ///
    /// # Errors
    /// The report or the recommended test cannot be read, or nothing can be written.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        let test = self.test;
        let mut lines = vec![format!("test     {}", test.test)];
        match (&test.same_as, &test.directory) {
            (Some(first), _) => lines.push(format!("{INDENT}fails like {first}")),
            (None, Some(own)) => {
                let report = Report::read(&self.root.join(own).join("report.json"))?;
                lines.push(format!(
                    "failure  {}",
                    cut_before_place(&report.failure.line())
                ));
                let note = "incomplete: something may be missing before the failure";
                let note = test.incomplete.then(|| format!("{INDENT}{note}"));
                lines.extend(note);
                lines.extend(self.second_try());
                let rest = match &test.keep {
                    Some(keep) => self.kept(&report, keep, LINES - lines.len())?,
                    None => self.not_kept(&report, own, LINES - lines.len()),
                };
                lines.extend(rest);
            }
            (None, None) => {
                let why = test.why_not.as_deref().unwrap_or_default();
                let why = why.lines().next().unwrap_or_default();
                lines.push(format!("no test  {}", cut(why)));
                lines.extend(self.second_try());
            }
        }
        lines.iter().try_for_each(|line| writeln!(to, "{line}"))
    }

    /// What came of a second try, if there was one.
    fn second_try(&self) -> Option<String> {
        let second = self.test.second_try.as_ref()?;
        Some(format!("{INDENT}{}", cut(&second.sentence())))
    }

    /// The recommended test in so many lines.
    fn kept(&self, report: &Report, keep: &str, room: usize) -> io::Result<Vec<String>> {
        let file = self.root.join(keep);
        let mut lines = Vec::new();
        if self.in_full {
            let source = fs::read_to_string(&file)?;
            lines = decisive(&source, room - 2, self.colours);
        }
        let form = report.kept_level().and_then(|l| l.test_form.as_deref());
        let needs = match form {
            Some(form) if form == Form::Mockito.name() => " (needs Mockito)",
            Some(form) if form == Form::Replay.name() => " (needs jinsi on the test class path)",
            _ => "",
        };
        lines.push(format!("keep     {}{needs}", file.display()));
        if !self.placed {
            let trace = advice::path(Path::new(&self.test.trace));
            let name = advice::quoted(self.test.test.as_ref());
            let into = advice::path(&tests_of_project(self.root));
            lines.push(next(&format!(
                "jinsi minimize {trace} --test {name} --into {into}"
            )));
        }
        Ok(lines)
    }

    /// Why nothing is recommended, and where to look, in so many lines.
    fn not_kept(&self, report: &Report, own: &str, room: usize) -> Vec<String> {
        let why = report.keep_why_not.as_deref().unwrap_or_default();
        let mut lines = vec![format!("keep     none. {why}")];
        // People know their test: it is where they come from.
        let of_test = |suspect: &&Suspect| {
            let rest = self.test.test.strip_prefix(&suspect.class);
            // Tests may be in a class of their class.
            rest.is_some_and(|rest| rest.starts_with(['.', '$']))
        };
        let suspects = report.suspects.iter().filter(|s| !of_test(s));
        let suspects = suspects.take(SUSPECTS.min(room - 2)).enumerate();
        lines.extend(suspects.map(|(at, suspect)| look(at, suspect)));
        let not_run = |level: &LevelReport| level.test_outcome == Some(TestOutcome::NotRun);
        let command = match report.levels.iter().any(not_run) {
            true => "jinsi doctor".to_owned(),
            false => format!("jinsi view {}", advice::path(&self.root.join(own))),
        };
        lines.push(next(&command));
        lines
    }
}

fn next(command: &str) -> String {
    format!("next     {}", advice::called(command))
}

fn look(at: usize, suspect: &Suspect) -> String {
    let lead = if at == 0 { "look at" } else { "" };
    let file = suspect.file.as_deref().unwrap_or(&suspect.class);
    let text = suspect.text.as_deref().unwrap_or_default();
    let line = format!("{lead:<8} {file}:{}  {text}", suspect.line);
    cut(line.trim_end())
}

/// A line, or its beginning if it is long.
fn cut(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line.to_owned(),
    }
}

/// The line of a failure: of a long one the message is cut, and not the place behind it. A place that leaves little of the message is the line alone.
fn cut_before_place(line: &str) -> String {
    match line.rsplit_once(", at ") {
        Some((message, at)) if line.chars().count() > WIDTH => {
            let line_alone = |at: &str| {
                let file = at.rsplit_once('(')?.1.strip_suffix(')')?;
                file.contains(':').then(|| file.to_owned())
            };
            let is_long = at.chars().count() > WIDTH / 3;
            let short = if is_long { line_alone(at) } else { None };
            let at = short.as_deref().unwrap_or(at);
            let room = WIDTH.saturating_sub(at.chars().count());
            match message.char_indices().nth(room) {
                Some((end, _)) => format!("{}…, at {at}", &message[..end]),
                None => format!("{message}, at {at}"),
            }
        }
        _ => line.to_owned(),
    }
}

/// What a test does, in so many lines: if it does more, how it begins and how it ends, as the end lets the failure out.
fn decisive(source: &str, room: usize, colours: bool) -> Vec<String> {
    let all: Vec<&str> = statements(source).collect();
    let line = |line: &&str| {
        let line = cut(line.strip_prefix(BODY).unwrap_or(line));
        let line = if colours { coloured(&line) } else { line };
        format!("{INDENT}{line}")
    };
    if all.len() <= room {
        return all.iter().map(line).collect();
    }
    let end = room.saturating_sub(2).min(2);
    let begin = room - 1 - end;
    let mut lines: Vec<String> = all[..begin].iter().map(line).collect();
    lines.push(format!("{INDENT}…"));
    lines.extend(all[all.len() - end..].iter().map(line));
    lines
}

/// The tests of the project in which there is this directory, seen from here.
fn tests_of_project(directory: &Path) -> PathBuf {
    let found = std::path::absolute(directory).ok().and_then(|whole| {
        let mut above = whole.ancestors();
        above
            .find(|above| above.join(TESTS).is_dir())
            .map(|project| project.join(TESTS))
    });
    let Some(found) = found else {
        return PathBuf::from(TESTS);
    };
    let here = std::env::current_dir().unwrap_or_default();
    match found.strip_prefix(&here) {
        Ok(relative) => relative.to_owned(),
        Err(_) => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_analysis::report::json::Failure;
    use jinsi_analysis::report::second_try::SecondTry;

    fn written(body: &[&str]) -> String {
        let body: String = body
            .iter()
            .map(|line| format!("        {line}\n"))
            .collect();
        format!(
            "package z;\n\nclass ZooLevel1Test {{\n\n    /** Fails. */\n    @Test\n    void feeds() {{\n{body}    }}\n}}\n"
        )
    }

    #[test]
    fn of_a_long_test_its_beginning_and_its_end_are_shown() {
        let lines = |body: &[&str], room| decisive(&written(body), room, false);
        let indented = |lines: &[&str]| -> Vec<String> {
            lines.iter().map(|line| format!("{INDENT}{line}")).collect()
        };
        let long = [
            "Zoo zoo = new Zoo();",
            "zoo.add(1);",
            "// more",
            "zoo.add(2);",
            "zoo.add(3);",
            "assertEquals(",
            "    3, zoo.size());",
        ];
        assert_eq!(lines(&long[..2], 4), indented(&long[..2]));
        let shown = [long[0], "…", long[5], long[6]];
        assert_eq!(lines(&long, 4), indented(&shown));
        for room in 1..8 {
            assert!(lines(&long, room).len() <= room, "{room}");
        }
        let long = format!("E: {}, at A.b(A.java:3)", "é".repeat(500));
        let cut = cut_before_place(&long);
        assert!(cut.starts_with("E: éé") && cut.ends_with("é…, at A.b(A.java:3)"));
        assert!(cut.chars().count() < WIDTH + 9, "{cut}");
        assert_eq!(cut_before_place("E, at A.b"), "E, at A.b");
        let place = "MountainRailwayTimetableTest$OnSundays.hasNoTrainBeforeSix(MountainRailwayTimetableTest.java:31)";
        let cut = cut_before_place(&format!(
            "expected: <06:12> but was: <05:47>{}, at {place}",
            "; and".repeat(9)
        ));
        assert!(
            cut.starts_with("expected: <06:12> but was: <05:47>"),
            "{cut}"
        );
        assert!(
            cut.ends_with("; and, at MountainRailwayTimetableTest.java:31"),
            "{cut}"
        );
        let wide = lines(&[&"ü".repeat(500)], 4);
        assert_eq!(wide[0].chars().count(), INDENT.len() + WIDTH + 1);
    }

    /// What is printed of a test with this report, below a directory that is empty but for that and for the test to keep.
    fn printed(test: &TestReport, report: &Report, source: &str) -> String {
        let root = tempfile::tempdir().unwrap();
        let own = root.path().join("own");
        fs::create_dir(&own).unwrap();
        report.write(&own.join("report.json")).unwrap();
        fs::write(own.join("ZooLevel1Test.java"), source).unwrap();
        let mut out = Vec::new();
        let failed = FailedTest {
            test,
            root: root.path(),
            in_full: true,
            placed: false,
            colours: false,
        };
        failed.write(&mut out).unwrap();
        let root = format!("{}/", root.path().display());
        String::from_utf8(out).unwrap().replace(&root, "")
    }

    fn failed() -> (TestReport, Report) {
        let test = TestReport {
            test: "z.ZooTest.feeds()[1]".into(),
            trace: "t.jinsi".into(),
            directory: Some("own".into()),
            ..TestReport::default()
        };
        let report = Report {
            failure: Failure {
                class: "z.Hungry".into(),
                at: "Zoo.feed(Zoo.java:7)".into(),
                ..Failure::default()
            },
            ..Report::default()
        };
        (test, report)
    }

    #[test]
    fn a_test_to_keep_is_shown_with_one_command() {
        let (mut test, mut report) = failed();
        test.keep = Some("own/ZooLevel1Test.java".into());
        test.incomplete = true;
        test.second_try = Some(SecondTry {
            ran: true,
            same: true,
            ..SecondTry::default()
        });
        report.keep_level = Some(1);
        report.levels = vec![LevelReport {
            level: 1,
            test_form: Some("mockito".into()),
            ..LevelReport::default()
        }];
        let source = written(&["a();"; 9]);
        let text = printed(&test, &report, &source);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), LINES, "{text}");
        assert_eq!(lines[1], "failure  z.Hungry, at Zoo.feed(Zoo.java:7)");
        assert!(lines[3].contains("failed in the same way"), "{text}");
        assert_eq!(lines[6], "keep     own/ZooLevel1Test.java (needs Mockito)");
        assert!(
            lines[7]
                .ends_with(" minimize t.jinsi --test 'z.ZooTest.feeds()[1]' --into src/test/java"),
            "{text}"
        );
    }

    #[test]
    fn without_a_test_to_keep_the_lines_are_shown() {
        let (test, mut report) = failed();
        report.keep_why_not = Some("It is small.".into());
        let suspect = |class: &str, line| Suspect {
            class: class.into(),
            file: Some(format!("{class}.java")),
            line,
            text: Some("feed(null);".into()),
            ..Suspect::default()
        };
        let mut of_nested = test.clone();
        of_nested.test = "z.ZooTest$AtNight.feeds".into();
        report.suspects = vec![suspect("z.ZooTest", 3), suspect("Zoo", 7)];
        let text = printed(&of_nested, &report, "");
        assert!(
            text.contains("look at  Zoo.java:7") && !text.contains("ZooTest.java"),
            "{text}"
        );
        report.suspects = vec![
            suspect("z.ZooTest", 3),
            suspect("Zoo", 7),
            suspect("Food", 2),
        ];
        let text = printed(&test, &report, "");
        let shown = "keep     none. It is small.\nlook at  Zoo.java:7  feed(null);\n         Food.java:2  feed(null);\nnext     ";
        assert!(text.contains(shown), "{text}");
        assert!(text.ends_with(" view own\n"), "{text}");
        let mut noted = test.clone();
        noted.incomplete = true;
        noted.second_try = Some(SecondTry::default());
        report.suspects.push(suspect("Hay", 4));
        let text = printed(&noted, &report, "");
        assert_eq!(text.lines().count(), LINES, "{text}");
        assert!(
            text.contains("Food.java:2") && !text.contains("Hay.java:4"),
            "{text}"
        );
        report.levels = vec![LevelReport {
            test_outcome: Some(TestOutcome::NotRun),
            ..LevelReport::default()
        }];
        assert!(printed(&test, &report, "").ends_with(" doctor\n"));
    }

    #[test]
    fn tests_like_others_and_without_report_have_a_line() {
        let (mut test, report) = failed();
        test.same_as = Some("z.ZooTest.feeds()".into());
        assert_eq!(
            printed(&test, &report, ""),
            "test     z.ZooTest.feeds()[1]\n         fails like z.ZooTest.feeds()\n"
        );
        let lost = TestReport::without("z.ZooTest.sleeps", "it is lost\nfor ever".into());
        assert_eq!(
            printed(&lost, &report, ""),
            "test     z.ZooTest.sleeps\nno test  it is lost\n"
        );
    }
}

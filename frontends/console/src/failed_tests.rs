//! What is printed of the failed tests of a suite.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

use jinsi_analysis::report::suite::{self, SuiteReport};
use jinsi_history::damage::Damaged;

use crate::{answer, failed_test};

/// Tests that are printed as code; of further ones it is said where they are.
const IN_FULL: usize = 10;

/// Writes the answer to the failed tests of a suite. `directory` has the reports; `placed`: recommended tests were put into a project.
///
/// # Errors
/// A report or a recommended test cannot be read, or nothing can be written.
pub fn write(
    report: &SuiteReport,
    (directory, placed): (&Path, bool),
    colours: bool,
    to: &mut dyn Write,
) -> io::Result<()> {
    Damaged::write_text(&report.damage, to)?;
    let own = report
        .tests
        .iter()
        .filter(|t| t.keep.is_some() && t.same_as.is_none());
    let in_full: HashSet<&str> = own.take(IN_FULL).map(|t| t.test.as_str()).collect();
    let is_first = |name: &str| {
        let mut own = report.tests.iter().filter(|t| t.same_as.is_none());
        own.any(|t| t.test == name)
    };
    for test in &report.tests {
        if test.same_as.as_deref().is_some_and(is_first) {
            continue;
        }
        let failed = failed_test::FailedTest {
            test,
            root: directory,
            in_full: in_full.contains(test.test.as_str()),
            placed,
            colours,
        };
        failed.write(to)?;
        let alike = report.tests.iter();
        let alike = alike.filter(|t| t.same_as.as_ref() == Some(&test.test));
        let alike: Vec<&str> = alike.map(|t| t.test.as_str()).collect();
        match alike.as_slice() {
            [] => {}
            [other] => writeln!(to, "alike    {other} fails like it")?,
            [other, ..] => {
                writeln!(
                    to,
                    "alike    {} tests fail like it: {other}, …",
                    alike.len()
                )?;
            }
        }
    }
    if report.second_tries_left_out > 0 {
        writeln!(
            to,
            "not run  {} more failed tests were not run a second time: at most ten are, of different failures, within the time for all (--second-try)",
            report.second_tries_left_out
        )?;
    }
    let page = answer::link(&directory.join(suite::PAGE));
    writeln!(to, "report   {page}")
}

#[cfg(test)]
mod tests {
    use jinsi_analysis::report::suite::TestReport;

    use super::*;

    #[test]
    fn tests_that_fail_like_another_are_counted_with_it() {
        let first = TestReport::without("z.ZooTest.feeds", "it is lost".into());
        let like = |test: &str| TestReport {
            same_as: Some(first.test.clone()),
            ..TestReport::without(test, "it is lost".into())
        };
        let printed = |tests: Vec<TestReport>| {
            let report = SuiteReport {
                tests,
                ..SuiteReport::default()
            };
            let mut text = Vec::new();
            write(&report, (Path::new("."), false), false, &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            let (tests, _) = text.split_once("report ").unwrap();
            tests.to_owned()
        };
        let alone = "test     z.ZooTest.feeds\nno test  it is lost\n";
        assert_eq!(printed(vec![first.clone()]), alone);
        let two = vec![first.clone(), like("z.ZooTest.opens")];
        assert_eq!(
            printed(two),
            format!("{alone}alike    z.ZooTest.opens fails like it\n")
        );
        let three = vec![first.clone(), like("z.ZooTest.opens"), like("z.ZooTest.x")];
        assert_eq!(
            printed(three),
            format!("{alone}alike    2 tests fail like it: z.ZooTest.opens, …\n")
        );
    }
}

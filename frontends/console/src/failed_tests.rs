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
    for test in &report.tests {
        let failed = failed_test::FailedTest {
            test,
            root: directory,
            in_full: in_full.contains(test.test.as_str()),
            placed,
            colours,
        };
        failed.write(to)?;
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

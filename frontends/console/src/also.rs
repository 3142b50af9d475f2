//! What came of the failures of other kinds, for people.

use std::io::{self, Write};
use std::path::Path;

use jinsi_analysis::minimized::OtherFailure;

/// What came of the `others`, for people; `directory` has the report of the first failure.
pub fn print(others: &[OtherFailure], directory: &Path, to: &mut dyn Write) -> io::Result<()> {
    for other in others {
        writeln!(
            to,
            "also     failure {}: {} at {}",
            other.number, other.class, other.at
        )?;
        match (&other.keep, &other.directory, &other.why_not) {
            (Some(test), ..) => writeln!(
                to,
                "         reproduced by {}",
                directory.join(test).display()
            )?,
            (None, Some(own), _) => writeln!(
                to,
                "         no test to keep; report {}",
                directory.join(own).join("report.html").display()
            )?,
            (None, None, Some(why)) => writeln!(to, "         not minimized: {why}")?,
            (None, None, None) => writeln!(
                to,
                "         'jinsi minimize --failure {}' minimizes it",
                other.number
            )?,
        }
    }
    Ok(())
}

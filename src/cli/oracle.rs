//! Options by which the user names what is wrong.

use std::path::PathBuf;

use anyhow::{Context, Result};
use jinsi_oracle::Writing;
use jinsi_oracle::given::{Given, WrongCall};
use jinsi_oracle::predicate::UserPredicate;

/// What the failure is, if it is not the exception or assertion that was recorded.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(crate) struct OracleOptions {
    /// The failure is what a call returned, or a field held: CLASS.METHOD[#NUMBER][=>EXPECTED], the NUMBERth such call by another class
    /// (default: the last), or THREAD:EVENT[=>EXPECTED], the call that begins or ends with this event of 'jinsi events'
    #[arg(long, value_name = "CALL")]
    wrong: Option<WrongCall>,
    /// The failure is that observed code wrote this text, to standard output or elsewhere
    #[arg(long, value_name = "TEXT")]
    output_contains: Option<String>,
    /// The failure is that observed code wrote what matches this regular expression
    #[arg(long, value_name = "REGEX", value_parser = Writing::pattern)]
    output_matches: Option<Writing>,
    /// The failure is the first line that observed code wrote otherwise than it stands in this file
    #[arg(long, value_name = "FILE")]
    output_differs: Option<PathBuf>,
    /// The failure is that observed code ended the program with this status
    #[arg(long, value_name = "STATUS", allow_negative_numbers = true)]
    exit_status: Option<i32>,
    /// The failure is that this java.util.function.Predicate holds of an object at the end: CLASS[@DIRECTORY], its class file being in
    /// the directory (default: the current one)
    #[arg(long, value_name = "CLASS")]
    predicate: Option<UserPredicate>,
    /// The failure is that the program did not end: what was running when the recording was stopped
    #[arg(long)]
    hang: bool,
}

impl OracleOptions {
    /// The option that names what is wrong, if one does.
    pub(crate) fn name(&self) -> Option<&'static str> {
        let given = [
            (self.wrong.is_some(), "--wrong"),
            (self.output_contains.is_some(), "--output-contains"),
            (self.output_matches.is_some(), "--output-matches"),
            (self.output_differs.is_some(), "--output-differs"),
            (self.exit_status.is_some(), "--exit-status"),
            (self.predicate.is_some(), "--predicate"),
            (self.hang, "--hang"),
        ];
        let found = given.into_iter().find(|(is_given, _)| *is_given);
        found.map(|(_, name)| name)
    }

    /// Can what is wrong be that of one test of a suite?
    pub(crate) fn is_of_tests(&self) -> bool {
        self.wrong.is_some()
    }

    /// What the user names, if anything.
    ///
    /// # Errors
    /// A file that is named cannot be read.
    pub(crate) fn given(&self) -> Result<Option<Given>> {
        let written = self.output_contains.clone().map(Writing::Text);
        let written = written.or_else(|| self.output_matches.clone());
        if let Some(file) = &self.output_differs {
            let expected = std::fs::read_to_string(file);
            let expected = expected.with_context(|| format!("cannot read {}", file.display()))?;
            return Ok(Some(Given::Instead(expected)));
        }
        let value = self.wrong.clone().map(Given::Value);
        Ok(value
            .or_else(|| written.map(Given::Output))
            .or_else(|| self.exit_status.map(Given::Exit))
            .or_else(|| self.predicate.clone().map(Given::Predicate))
            .or_else(|| self.hang.then_some(Given::Endless)))
    }
}

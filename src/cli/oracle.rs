//! Options by which the user names what is wrong.

use jinsi_analysis::oracle::given::{Given, WrongCall};

/// What the failure is, if it is not the exception or assertion that was recorded.
#[derive(clap::Args)]
#[group(multiple = false)]
pub(crate) struct OracleOptions {
    /// The failure is what a call returned, or a field held: CLASS.METHOD[#NUMBER][=>EXPECTED], the NUMBERth such call by another class
    /// (default: the last)
    #[arg(long, value_name = "CALL")]
    wrong: Option<WrongCall>,
    /// The failure is that observed code wrote this text, to standard output or elsewhere
    #[arg(long, value_name = "TEXT")]
    output_contains: Option<String>,
    /// The failure is that observed code ended the program with this status
    #[arg(long, value_name = "STATUS", allow_negative_numbers = true)]
    exit_status: Option<i32>,
    /// The failure is that the program did not end: what was running when the recording was stopped
    #[arg(long)]
    hang: bool,
}

impl OracleOptions {
    /// What the user names, if anything.
    pub(crate) fn given(&self) -> Option<Given> {
        let value = self.wrong.clone().map(Given::Value);
        value
            .or_else(|| self.output_contains.clone().map(Given::Output))
            .or_else(|| self.exit_status.map(Given::Exit))
            .or_else(|| self.hang.then_some(Given::Endless))
    }
}

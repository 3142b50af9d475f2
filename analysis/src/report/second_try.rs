//! What became of a second run of a failed test, as the reports say it.

use serde::{Deserialize, Serialize};

/// What became of a failed test that was run once more, alone and with all interactions recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SecondTry {
    /// It was run to its end.
    pub ran: bool,
    /// It failed in the same way: by the same exception at the same place.
    pub same: bool,
    /// The exception and its message, if that was another one than before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_message: Option<String>,
    /// Wall time of the run.
    pub seconds: f64,
    /// Why it was not run, or how it ended instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why_not: Option<String>,
}

impl SecondTry {
    /// What a user should know of it, in one sentence.
    pub fn sentence(&self) -> String {
        let why = self.why_not.as_deref();
        match (self.ran, self.same) {
            (true, true) => match &self.other_message {
                None => {
                    "jinsi ran this test a second time, alone; it failed in the same way.".into()
                }
                Some(message) => format!(
                    "jinsi ran this test a second time, alone; it failed at the same place, with another message: {message}."
                ),
            },
            (true, false) => format!(
                "Run alone, this test {}: the failure depends on the order of the tests, or on chance.",
                why.unwrap_or("passes")
            ),
            (false, _) => format!(
                "jinsi could not run this test a second time: {}.",
                why.unwrap_or("it did not end")
            ),
        }
    }
}

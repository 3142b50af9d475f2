//! What comes of turning a jump.

use serde::Serialize;

/// What came of turning a jump.
#[derive(Clone, Debug, Serialize)]
pub struct Flip {
    /// Which time it ran was turned, from 1.
    pub time: u64,
    /// How often it ran.
    pub times: u64,
    /// Was something done that had been missed?
    pub done: bool,
    /// Of a failure: was the place come to all the same at which it had failed?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub came_to: Option<bool>,
    /// Is the text printed that had been missed?
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<bool>,
    /// `gone`, `stays`, `none` (there was no failure), `other` (something else breaks) or `unresolved`.
    pub failure: &'static str,
    /// The other exception, or why it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// `direct` or `replay`.
    pub engine: &'static str,
    /// The least comes first.
    #[serde(skip)]
    pub rank: u8,
}

impl Flip {
    /// Did the run fail all the same, or otherwise?
    pub fn refutes(&self) -> bool {
        matches!(self.failure, "stays" | "other")
    }

    /// Did the failure go?
    pub fn confirms(&self) -> bool {
        self.failure == "gone"
    }

    /// Did it go only because the run did not come to where it had failed?
    pub fn avoids(&self) -> bool {
        self.confirms() && self.came_to == Some(false)
    }

    /// As a person reads it.
    pub fn words(&self) -> String {
        let done = match (self.printed, self.done) {
            (Some(true), _) => "the text is printed",
            (Some(false), _) => "the text is still not printed",
            (None, true) => "it runs",
            (None, false) => "it still does not run",
        };
        let failure = match self.failure {
            "gone" => "the failure is gone",
            "stays" => "the failure stays",
            "other" => "something else breaks",
            "unresolved" => "what follows is not known",
            _ => "the run ends as it did",
        };
        let why = self.why.as_deref().map(|why| format!(": {why}"));
        let time = match (self.time, self.times) {
            (_, 1) => String::new(),
            (time, times) => format!(" (at time {time} of {times})"),
        };
        format!("{done}, and {failure}{}{time}", why.unwrap_or_default())
    }
}

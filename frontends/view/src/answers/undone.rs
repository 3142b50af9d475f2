//! What was left undone, and the jumps of the run that kept it from being done: each belongs to a call in the tree.

use std::cell::OnceCell;

use jinsi_omission::{
    Code, Finder, OmissionError, Options, Question, Suggestion, suggestions, words,
};
use jinsi_omission_answers::{AnswersError, Hands, Shower};
use jinsi_trace::model::EventId;
use serde_json::{Value, json};

use super::{Answer, Answers};
use crate::query::Query;
use crate::refusal::Refusal;

/// Jumps that are reported, the most likely ones.
const JUMPS: usize = 40;
/// Calls that are reported of each, the last ones.
const CALLS: usize = 10;

/// Gone over the first time that something is asked.
pub(crate) struct Undone<'a, 't> {
    pub(crate) code: &'a OnceCell<Code<'t>>,
    finder: OnceCell<Finder<'a, 't>>,
}

impl<'a, 't> Undone<'a, 't> {
    pub(crate) fn new(code: &'a OnceCell<Code<'t>>) -> Self {
        Self {
            code,
            finder: OnceCell::new(),
        }
    }
}

impl<'a, 't> Answers<'a, 't> {
    fn finder(&self) -> Result<&Finder<'a, 't>, Refusal> {
        let Undone { code, finder } = &self.undone;
        if let Some(finder) = finder.get() {
            return Ok(finder);
        }
        let code: &'a Code<'t> = code.get_or_init(|| Code::of(self.inspector.trace()));
        let new = Finder::new(code)?;
        Ok(finder.get_or_init(|| new))
    }

    /// What was left undone of what is asked about (`what`, as [`Question`] reads it).
    pub(super) fn undone(&self, query: &Query) -> Answer {
        let question: Question = query.need("what")?;
        let finder = self.finder()?;
        let found = finder.ask(&question, &Options::default())?;
        let hands = Hands::new(self.inspector, finder.code(), &question);
        let ranked = suggestions(&found, |_| None, |omission| hands.of(omission));
        let shower = Shower::new(self.inspector, finder.code(), &found, &question);
        let mut balloons = Vec::new();
        for suggestion in ranked.iter().take(JUMPS) {
            balloons.extend(self.balloons(suggestion, &shower)?);
        }
        Ok(json!({
            "question": words(&question),
            "balloons": balloons,
            "jumps": ranked.len().min(JUMPS),
            "more": ranked.len().saturating_sub(JUMPS),
            "reads": found.hidden,
        }))
    }

    /// One for each call in which the jump went another way.
    fn balloons(
        &self,
        suggestion: &Suggestion,
        shower: &Shower<'_, 't>,
    ) -> Result<Vec<Value>, Refusal> {
        let reported = shower.suggested(suggestion, None).map_err(unread)?;
        let reported =
            serde_json::to_value(reported).map_err(|error| Refusal::failed(error.to_string()))?;
        let times = shower.times(suggestion, CALLS).map_err(unread)?;
        let calls = suggestion.activations.len();
        let balloons = times.into_iter().map(|(call, at)| {
            Ok(json!({
                "call": call.to_string(),
                "around": self.around(call)?,
                "at": at.to_string(),
                "calls": calls,
                "kind": reported["kind"],
                "place": reported["place"],
                "line": reported["line"],
                "needed": reported["needed"],
                "values": reported["values"],
                "omitted": reported["omitted"],
                "more": reported["more"],
            }))
        });
        balloons.collect()
    }

    /// The calls around a call, outermost first.
    pub(super) fn around(&self, call: EventId) -> Result<Vec<String>, Refusal> {
        let mut around = Vec::new();
        let mut next = self.inspector.activation(call)?.caller;
        while let Some(caller) = next {
            around.push(caller.to_string());
            next = self.inspector.activation(caller)?.caller;
        }
        around.reverse();
        Ok(around)
    }
}

impl From<OmissionError> for Refusal {
    fn from(error: OmissionError) -> Self {
        let why = error.to_string();
        match error {
            OmissionError::Read(_) | OmissionError::Slice(_) => Self { status: 500, why },
            _ => Self::none(why),
        }
    }
}

fn unread(error: AnswersError) -> Refusal {
    Refusal::failed(error.to_string())
}

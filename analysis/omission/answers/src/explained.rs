//! One failure explained in a few sentences: what failed with which values, what kept something from being done, and that the failure
//! goes when that goes another way.

use std::collections::BTreeSet;

use jinsi_answers::place;
use jinsi_classfile::effect::Access;
use jinsi_inspect::{How, Moment, Seen, Variable};
use jinsi_omission::jumps::Kind;
use jinsi_omission::{Place, Suggestion};
use jinsi_trace::model::Value;
use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::flip::Flip;
use crate::suggested::Shower;

/// Steps back to where a value came from.
const STEPS: usize = 4;
/// Values that are reported of one place.
const VALUES: usize = 2;

/// A sentence of an explanation. What is code stands between backticks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentence {
    /// `failure`: where it failed; `state`: a state that is wrong, on the way to it; `jump`: what went another way, and what was not done
    /// therefore; `turned`: what comes of turning that.
    pub kind: String,
    /// The sentence.
    pub text: String,
    /// Binary name of the class that it is about, if it is about a place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The line there, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
}

impl Shower<'_, '_> {
    /// The failure, and a jump that makes it go when it is turned, in sentences.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn explained(&self, suggestion: &Suggestion, flip: &Flip) -> Result<Vec<Sentence>> {
        let mut reported = BTreeSet::new();
        let failed = self.failed(&mut reported)?;
        let jump = self.went_by(suggestion, &mut reported)?;
        let turned = match (flip.came_to, suggestion.kind) {
            (Some(false), Kind::Round) => {
                "With one more round, the same run does not come to where it failed."
            }
            (Some(false), _) => {
                "With this turned once, the same run does not come to where it failed."
            }
            (_, Kind::Round) => "With one more round, the failure is gone.",
            _ => "With this turned once, the failure is gone.",
        };
        let turned = Sentence {
            kind: "turned".into(),
            text: turned.into(),
            ..Sentence::default()
        };
        Ok(failed.into_iter().chain([jump, turned]).collect())
    }

    /// Where it failed, with the values that failed.
    fn failed(&self, reported: &mut BTreeSet<String>) -> Result<Option<Sentence>> {
        let Some((at, activation)) = self.found.innermost else {
            return Ok(None);
        };
        let Some(instruction) = self.code.instruction(at) else {
            return Ok(None);
        };
        if matches!(instruction.effect.access, Access::Throw) {
            return Ok(Some(self.about("failure", at, "It was thrown".into())));
        }
        let text = format!("`{}` failed", self.code.text(at, None));
        let values = match self.last_time(activation, instruction.bci)? {
            Some(moment) => self.values(at, moment, reported)?,
            None => Vec::new(),
        };
        let mut sentence = self.about("failure", at, text);
        sentence.text.push_str(&behind(": ", &values));
        Ok(Some(sentence))
    }

    /// What went another way, with what it compared, and what was not done therefore.
    fn went_by(
        &self,
        suggestion: &Suggestion,
        reported: &mut BTreeSet<String>,
    ) -> Result<Sentence> {
        let jump = suggestion.jump;
        let omission = &self.found.omissions[suggestion.omitted[0]];
        let target = self.found.targets[omission.target].place;
        let line = self.code.instruction(target).map_or(0, |i| i.line);
        let text = self.code.text(target, None);
        // A value that would have been put on the stack says nothing.
        let missed = match text.contains(['(', '=', ' ']) {
            true => format!("`{text}` (line {line})"),
            false => format!("line {line}"),
        };
        let what = match suggestion.kind {
            Kind::Round => format!("A loop ended that might have come to {missed}"),
            _ => format!("Nothing came to {missed}"),
        };
        let needed = self.code.needed(jump, suggestion.other_way);
        let needed = needed.filter(|needed| !needed.contains('…'));
        let needed = needed.map(|needed| format!("`{needed}` was false"));
        let last = suggestion.activations.last();
        let bci = self.code.instruction(jump).map_or(0, |i| i.bci);
        let at = last.map(|last| self.last_time(*last, bci)).transpose()?;
        let values = match at.flatten() {
            Some(at) => self.values(jump, at, reported)?,
            None => Vec::new(),
        };
        let mut sentence = self.about("jump", jump, what);
        let why: Vec<String> = needed.into_iter().collect();
        sentence.text = sentence.text.trim_end_matches('.').to_owned();
        sentence.text.push_str(&behind(", because ", &why));
        sentence.text = sentence.text.trim_end_matches('.').to_owned();
        sentence.text.push_str(&behind(": ", &values));
        Ok(sentence)
    }

    /// A sentence about a place, which is named.
    fn about(&self, kind: &str, at: Place, what: String) -> Sentence {
        let line = self.code.instruction(at).map_or(0, |i| i.line);
        Sentence {
            kind: kind.into(),
            text: format!("{what} in {}", self.place(at)),
            class: Some(self.code.method(at.method).owner.replace('/', ".")),
            line: (line > 0).then_some(line.into()),
        }
    }

    /// The values that an instruction worked on, with where they came from: what is `null` alone, if something is. What stands in the text of
    /// the instruction, or was reported before, is not repeated.
    fn values(
        &self,
        at: Place,
        moment: Moment,
        reported: &mut BTreeSet<String>,
    ) -> Result<Vec<String>> {
        let origin = self.inspector.origin_of(moment)?;
        let is_null = |seen: &Seen| seen.known() == Some(&Value::Null);
        let first_is_null = origin.inputs.first().is_some_and(|one| is_null(&one.value));
        let most = if first_is_null { 1 } else { VALUES };
        let mut all = Vec::new();
        for (no, input) in origin.inputs.iter().enumerate() {
            let name = self.code.expression(at, no);
            let value = self.writer.seen(&input.value);
            // The numbers of this run's objects say nothing to who has recorded another one.
            let text = match (value.object, value.value) {
                (Some(_), Some(text)) => {
                    text.split_once(' ').map(|(_, class)| format!("a {class}"))
                }
                (_, text) => text,
            };
            let says = |text: &String| *text != name && name != "this" && name != "…";
            let Some(text) = text.filter(says) else {
                continue;
            };
            let whence = self.whence(input.made)?;
            let whence = whence.map_or(String::new(), |whence| format!(", {whence}"));
            let said = format!("`{name}` was {text}{whence}");
            if reported.insert(said.clone()) {
                all.push(said);
            }
            if all.len() == most {
                break;
            }
        }
        Ok(all)
    }

    /// Where a value came from, in a few words.
    fn whence(&self, made: Moment) -> Result<Option<String>> {
        let mut origin = self.inspector.origin_of(made)?;
        let mut read = None;
        for _ in 0..STEPS {
            let there = (origin.method.as_ref()).map(|method| place(method, origin.line));
            let within = |what: &str| there.as_ref().map(|there| format!("{what} in {there}"));
            let (words, next) = match &origin.how {
                How::Constant => (within("a constant"), None),
                How::Made => (within("made"), None),
                How::Read(Some(variable), None) => (
                    Some(format!(
                        "and nobody had written {}",
                        variable_words(variable)
                    )),
                    None,
                ),
                How::Read(Some(variable), Some(entry)) => {
                    let by = entry.by.as_ref().map(|by| place(&by.method, by.line));
                    let variable = variable_words(variable);
                    let by = by.map(|by| format!("written to {variable} in {by}"));
                    read = read.or(by);
                    (None, origin.further)
                }
                How::Read(None, _) => (None, None),
                How::Called(target) => (Some(format!("given by {}", place(target, 0))), None),
                How::Handed => (Some("handed in from outside".to_owned()), None),
                How::Initial => (Some("what it held from the beginning".to_owned()), None),
                How::Computed(_) => match origin.inputs.as_slice() {
                    [only] => (None, Some(only.made)),
                    _ => (within("computed"), None),
                },
            };
            let next = next.filter(|next| *next != origin.at);
            match (words, next) {
                (None, Some(next)) => origin = self.inspector.origin_of(next)?,
                // Who wrote it says more than that it is a constant there.
                (words, _) => return Ok(read.or(words)),
            }
        }
        Ok(read)
    }
}

fn variable_words(variable: &Variable) -> String {
    match variable {
        Variable::Field(_, field) => format!("the field `{}`", field.name),
        Variable::Static(field) => format!("the static field `{}`", field.name),
        Variable::Element(_, index) => format!("element {index}"),
    }
}

/// Parts of a sentence behind its beginning, and its end.
fn behind(lead: &str, parts: &[String]) -> String {
    match parts {
        [] => ".".to_owned(),
        parts => format!("{lead}{}.", parts.join("; ")),
    }
}

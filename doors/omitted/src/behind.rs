//! What is behind a jump: containers that were found empty, or without something, on the way to what it compared, and what could have been
//! put into them, and was not.

use std::collections::BTreeSet;

use anyhow::Result;
use jinsi_inspect::Inspector;
use jinsi_omission::jumps::Kind;
use jinsi_omission::{Code, Finder, Hand, Options, Place, Question, Suggestion, suggestions};
use jinsi_slice::content::SliceContent;
use jinsi_slice::criterion::Criterion;
use jinsi_slice::{SliceError, find};
use jinsi_trace::model::{ObjectId, Prim, ThreadNo, Value};
use serde::Serialize;

use crate::hand::Hands;
use crate::suggested::{Shower, Suggested};

/// Containers that are asked about, the nearest ones.
const OBJECTS: usize = 6;
/// Answers of which each is shown, at most.
const ANSWERS: usize = 2;
/// Calls between what went another way and the container, at most.
const CALLS: usize = 3;

/// A container that was looked into.
#[derive(Serialize)]
pub struct Behind {
    /// The container.
    object: ObjectId,
    /// What it was asked, and what it said.
    pub(crate) read: String,
    /// Class, method and line of that.
    pub(crate) place: String,
    /// What kept it from being filled.
    pub(crate) suggestions: Vec<Suggested>,
}

/// A container said that there is nothing.
struct Looked {
    distance: u32,
    place: Place,
    object: ObjectId,
    said: &'static str,
}

/// Looks for containers behind jumps.
pub struct Looking<'a, 'c, 't> {
    /// Knows the run.
    pub finder: &'a Finder<'c, 't>,
    /// Knows its past.
    pub inspector: &'a Inspector<'t>,
    /// How it is looked for.
    pub options: &'a Options,
}

impl Looking<'_, '_, '_> {
    /// What is behind a suggestion, if something certainly is: the nearest first.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn behind(&self, suggestion: Option<&Suggestion>, asked: &Question) -> Result<Vec<Behind>> {
        let last = suggestion.and_then(|s| Some((s, s.activations.last()?.thread)));
        let Some((suggestion, thread)) = last else {
            return Ok(Vec::new());
        };
        let mut known = BTreeSet::new();
        if let Question::Object(id) = asked {
            known.insert(*id);
        }
        // Tables that one method fills are much alike.
        let mut methods = BTreeSet::new();
        let mut all = Vec::new();
        for looked in self.looked(suggestion.jump, thread)? {
            if methods.len() == OBJECTS {
                break;
            }
            if known.insert(looked.object) && methods.insert(looked.place.method) {
                all.extend(self.asked(&looked)?);
            }
        }
        Ok(all)
    }

    /// The empty answers in the slice of a jump's line.
    fn looked(&self, jump: Place, thread: ThreadNo) -> Result<Vec<Looked>> {
        let code = self.finder.code();
        let line = code.instruction(jump).map_or(0, |i| i.line);
        if line == 0 {
            // Without line numbers, any instruction of the class would be the place.
            return Ok(Vec::new());
        }
        let criterion = Criterion::Line {
            class: code.method(jump.method).owner.replace('/', "."),
            line,
            variable: None,
            occurrence: None,
        };
        let content = match find(code.trace, &code.program, &criterion, thread, &None) {
            Ok(content) => content,
            Err(SliceError::Read(error)) => return Err(error.into()),
            // The answer stands without it.
            Err(_) => return Ok(Vec::new()),
        };
        let places = content.instructions.iter();
        let places = places.map(|&(method, at)| Place { method, at });
        let mut all: Vec<Looked> = places
            .filter_map(|place| looked(code, place, &content))
            .collect();
        all.sort_by_key(|looked| (looked.distance, looked.place));
        Ok(all)
    }

    fn asked(&self, looked: &Looked) -> Result<Option<Behind>> {
        let question = Question::Object(looked.object);
        let code = self.finder.code();
        let options = Options {
            calls: self.options.calls.min(CALLS),
            ..*self.options
        };
        let Ok(found) = self.finder.ask(&question, &options) else {
            // No recorded code has met it.
            return Ok(None);
        };
        let hands = Hands::new(self.inspector, code, &question);
        let ranked = suggestions(&found, |_| None, |omission| hands.of(omission));
        let shower = Shower::new(self.inspector, code, &found, &question);
        let is_certain = |suggestion: &&Suggestion| {
            let best = &found.omissions[suggestion.omitted[0]];
            suggestion.kind == Kind::Jump && hands.of(best) == Hand::Certain
        };
        let certain = ranked.iter().filter(is_certain).take(ANSWERS);
        let suggestions: Vec<Suggested> = certain
            .map(|suggestion| Ok(shower.suggested(suggestion, None)?.in_short()))
            .collect::<Result<_>>()?;
        Ok((!suggestions.is_empty()).then(|| Behind {
            object: looked.object,
            read: format!("{} was {}", code.text(looked.place, None), looked.said),
            place: shower.place(looked.place),
            suggestions,
        }))
    }
}

/// Was the instruction told by a container that there is nothing?
fn looked(code: &Code<'_>, place: Place, content: &SliceContent) -> Option<Looked> {
    let target = code.instruction(place)?.target.as_deref()?;
    let at = (place.method, place.at);
    let answer = content.values.get(&at)?;
    let said = match (&*target.name, answer) {
        ("size", Value::Prim(Prim::Int(0))) => "0",
        ("isEmpty" | "empty", Value::Prim(Prim::Boolean(true))) => "true",
        ("contains" | "containsKey" | "containsValue", Value::Prim(Prim::Boolean(false))) => {
            "false"
        }
        ("get" | "getProperty" | "peek" | "poll" | "remove", Value::Null) => "null",
        _ => return None,
    };
    let object = *content.called_on.get(&at)?;
    target.owner.starts_with("java/util/").then(|| Looked {
        distance: content.distance(at).unwrap_or(u32::MAX),
        place,
        object,
        said,
    })
}

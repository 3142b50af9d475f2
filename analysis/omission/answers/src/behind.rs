//! What is behind a jump: containers that were found empty, or without something, on the way to what it compared, and fields that nobody had
//! written; and what could have been put into them, and was not.

use std::collections::BTreeSet;

use jinsi_classfile::effect::Access;
use jinsi_inspect::{How, Inspector, Variable};
use jinsi_omission::jumps::Kind;
use jinsi_omission::{Code, Finder, Hand, Options, Place, Question, Suggestion, suggestions};
use jinsi_slice::content::SliceContent;
use jinsi_slice::criterion::Criterion;
use jinsi_slice::{SliceError, find};
use jinsi_trace::model::{ObjectId, Prim, ThreadNo, Value};
use serde::Serialize;

use crate::error::Result;
use crate::hand::Hands;
use crate::suggested::{Shower, Suggested};

/// Containers that are asked about, the nearest ones.
const OBJECTS: usize = 6;
/// Answers of which each is shown, at most.
const ANSWERS: usize = 2;
/// Reads of fields that are looked up, the nearest ones.
const READS: usize = 40;
/// Calls between what went another way and the container, at most.
const CALLS: usize = 3;

/// A container that was looked into, or an object with a field that was read.
#[derive(Serialize)]
pub struct Behind {
    /// The container, or the object.
    object: ObjectId,
    /// The field, if it is one that was never written.
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
    /// What it was asked, and what it said.
    pub(crate) read: String,
    /// Class, method and line of that.
    pub(crate) place: String,
    /// What kept it from being filled.
    pub(crate) suggestions: Vec<Suggested>,
}

/// A container said that there is nothing, or a field was read that nobody had written.
struct Looked {
    distance: u32,
    place: Place,
    object: ObjectId,
    about: About,
}

enum About {
    /// What it said.
    Container(&'static str),
    /// The field's name.
    Field(String),
}

impl Looked {
    fn question(&self) -> Question {
        match &self.about {
            About::Container(_) => Question::Object(self.object),
            About::Field(name) => Question::Field {
                class: None,
                name: name.clone(),
                object: Some(self.object),
            },
        }
    }
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
        let mut known = vec![asked.clone()];
        // Tables that one method fills are much alike.
        let mut methods = BTreeSet::new();
        let mut all = Vec::new();
        for looked in self.looked(suggestion.jump, thread)? {
            if methods.len() == OBJECTS {
                break;
            }
            let question = looked.question();
            if known.contains(&question) || !methods.insert(looked.place.method) {
                continue;
            }
            all.extend(self.asked(&looked, &question)?);
            known.push(question);
        }
        Ok(all)
    }

    /// The empty answers in the slice of a jump's line, and reads of what nobody had written.
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
            .clone()
            .filter_map(|place| looked(code, place, &content))
            .collect();
        let is_read = |place: &Place| {
            let instruction = code.instruction(*place);
            instruction.is_some_and(|i| matches!(i.effect.access, Access::GetField(_)))
        };
        let distance = |place: &Place| content.distance((place.method, place.at));
        let mut reads: Vec<Place> = places.filter(is_read).collect();
        reads.sort_by_key(|place| (distance(place).unwrap_or(u32::MAX), *place));
        for place in reads.into_iter().take(READS) {
            let Some((object, name)) = self.unwritten(place, jump, thread) else {
                continue;
            };
            all.push(Looked {
                distance: distance(&place).unwrap_or(u32::MAX),
                place,
                object,
                about: About::Field(name),
            });
        }
        all.sort_by_key(|looked| (looked.distance, looked.place));
        Ok(all)
    }

    /// The field, and whose, that an instruction read the last time before the jump ran, if nobody had written it.
    fn unwritten(&self, place: Place, jump: Place, thread: ThreadNo) -> Option<(ObjectId, String)> {
        let gathered = self.finder.gathered();
        let ran = |at: Place| {
            let own = gathered.activations.iter().rev();
            own.filter(move |activation| {
                let way = &gathered.ways[activation.way as usize];
                let there = activation.thread == thread && way.method == at.method;
                there && way.ran.contains(at.at as u32)
            })
        };
        let end = ran(jump).next()?.ended;
        let last = ran(place).find(|activation| activation.began <= end)?;
        let bci = self.finder.code().instruction(place)?.bci;
        // What cannot be looked up is not shown.
        let moment = self.inspector.times_of(last.name(), bci, 1).ok()?.pop()?;
        match self.inspector.origin_of(moment).ok()?.how {
            How::Read(Some(Variable::Field(object, field)), None) => {
                Some((object, field.name.to_string()))
            }
            _ => None,
        }
    }

    fn asked(&self, looked: &Looked, question: &Question) -> Result<Option<Behind>> {
        let code = self.finder.code();
        let options = Options {
            calls: self.options.calls.min(CALLS),
            ..*self.options
        };
        let Ok(found) = self.finder.ask(question, &options) else {
            // No recorded code has met it.
            return Ok(None);
        };
        let hands = Hands::new(self.inspector, code, question);
        let ranked = suggestions(&found, |_| None, |omission| hands.of(omission));
        let shower = Shower::new(self.inspector, code, &found, question);
        let is_certain = |suggestion: &&Suggestion| {
            let best = &found.omissions[suggestion.omitted[0]];
            suggestion.kind == Kind::Jump && hands.of(best) == Hand::Certain
        };
        let certain = ranked.iter().filter(is_certain).take(ANSWERS);
        let suggestions: Vec<Suggested> = certain
            .map(|suggestion| Ok(shower.suggested(suggestion, None)?.in_short()))
            .collect::<Result<_>>()?;
        let text = code.text(looked.place, None);
        let (field, read) = match &looked.about {
            About::Container(said) => (None, format!("{text} was {said}")),
            About::Field(name) => (
                Some(name.clone()),
                format!("{text} was never written, but read"),
            ),
        };
        Ok((!suggestions.is_empty()).then(|| Behind {
            object: looked.object,
            field,
            read,
            place: shower.place(looked.place),
            suggestions,
        }))
    }
}

/// Did a container say to the instruction that there is nothing?
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
        about: About::Container(said),
    })
}

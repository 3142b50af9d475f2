//! Documents about the run, one for each question that the page has.

mod calls;
mod places;
mod run;
mod undone;
mod variables;

use std::cell::{OnceCell, RefCell};

use jinsi_answers::{Shown, Sources, Writer, dotted};
use jinsi_history::failures;
use jinsi_inspect::{Inspector, Moment, Seen};
use jinsi_omission::Code;
use jinsi_trace::model::{EventId, MemberRef};
use serde_json::{Value, json};

use crate::Subject;
use crate::http::Reply;
use crate::query::Query;
use crate::refusal::Refusal;
use undone::Undone;

type Answer = Result<Value, Refusal>;

/// A question, and what all its history was: who scrolls asks for the next part of the same.
type Asked<T> = RefCell<Option<(String, std::rc::Rc<T>)>>;

/// Answers what the page asks.
pub struct Answers<'a, 't> {
    inspector: &'a Inspector<'t>,
    writer: Writer<'a, 't>,
    subject: &'a Subject,
    sources: Sources,
    failure: Option<Moment>,
    history: Asked<variables::VariableHistory>,
    undone: Undone<'a, 't>,
}

impl<'a, 't> Answers<'a, 't> {
    /// About this run. Its code is put into `code` once somebody asks what was left undone.
    pub fn new(
        inspector: &'a Inspector<'t>,
        subject: &'a Subject,
        sources: Sources,
        code: &'a OnceCell<Code<'t>>,
    ) -> Self {
        let failure = failures::pick(inspector.trace().failures());
        let failure = failure.and_then(|failure| {
            let thrown = inspector.thrown_at(failure.thread, failure.throwable);
            thrown.ok().flatten()
        });
        Self {
            inspector,
            writer: Writer::new(inspector),
            subject,
            sources,
            failure,
            history: RefCell::default(),
            undone: Undone::new(code),
        }
    }

    /// The document, or what is wrong with the question.
    pub(crate) fn answer(&self, question: &str, query: &Query) -> Answer {
        match question {
            "run" => self.run(),
            "timeline" => self.timeline(query),
            "calls" => self.calls(query),
            "call" => self.call(query),
            "activations" => self.activations(query),
            "happenings" => self.activation_events(query),
            "stack" => self.stack(query),
            "step" => self.step(query),
            "variables" => self.variables(query),
            "inside" => self.inside(query),
            "value" => self.value(query),
            "history" => self.history(query),
            "origin" => self.origin(query),
            "course" => self.course(query),
            "source" => self.source(query),
            "find" => self.find(query),
            "hits" => self.hits(query),
            "undone" => self.undone(query),
            _ => Err(Refusal::none(format!("no such question: {question}"))),
        }
    }

    /// The same, as the server sends it.
    pub(crate) fn reply(&self, question: &str, query: &Query) -> Reply {
        Reply::document(self.answer(question, query))
    }

    fn shown(&self, seen: &Seen) -> Shown {
        self.writer.seen(seen)
    }
}

/// A method as the page shows it.
fn method(method: &MemberRef) -> Value {
    json!({
        "owner": dotted(&method.owner),
        "class": method.owner,
        "name": method.name,
        "desc": method.desc,
    })
}

/// The same, as a question has it.
fn asked_method(query: &Query) -> Result<MemberRef, Refusal> {
    let part = |name: &str| {
        let value = query.get(name);
        value.ok_or_else(|| Refusal::bad(format!("{name}= is missing")))
    };
    Ok(MemberRef {
        owner: part("class")?.into(),
        name: part("name")?.into(),
        desc: part("desc")?.into(),
    })
}

/// The activation that a question is about.
fn asked_call(query: &Query) -> Result<EventId, Refusal> {
    query.need("call")
}

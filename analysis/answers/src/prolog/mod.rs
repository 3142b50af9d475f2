//! A run as facts for Prolog: the nine events of Girgis and Jayaraman's JavaTA, `event(Id, Thread, Event)`.

mod terms;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jinsi_inspect::{Deed, InspectError, Inspector, Outcome, Seen, ThreadAct};
use jinsi_trace::model::{EventId, FailureKind, ObjectId, ThreadNo, Value};
use serde::Serialize;

use terms::{Terms, atom, class, location, string};

/// A fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Its number, from 0.
    pub id: u64,
    /// The thread's name.
    pub thread: String,
    /// What happened, as a term.
    pub event: String,
    /// The moment, as the other commands take it.
    pub moment: String,
}

impl std::fmt::Display for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "event({},{},{}).",
            self.id,
            atom(&self.thread),
            self.event
        )
    }
}

/// The facts of a run, in an order that contradicts nothing by which threads synchronized.
///
/// # Errors
/// The trace cannot be read.
pub fn facts(inspector: &Inspector<'_>) -> Result<Vec<Fact>, InspectError> {
    let terms = Terms::new(inspector);
    let names = names(inspector);
    let mut all = Vec::new();
    for thread in inspector.trace().threads() {
        let mut teller = Teller::new(&terms, thread.no, &names[&thread.no]);
        inspector.thread_acts(thread.no, &mut |act| {
            teller.act(act);
            true
        })?;
        all.extend(teller.finish());
    }
    all.sort_by_key(|statement| statement.at);
    Ok(numbered(&terms, &names, all))
}

/// The threads' names; where several have one, with their numbers.
fn names(inspector: &Inspector<'_>) -> BTreeMap<ThreadNo, String> {
    let threads = inspector.trace().threads();
    let name = |no: ThreadNo, name: &str| {
        let alone = threads.iter().filter(|t| t.name == name).count() == 1;
        match alone && !name.is_empty() {
            true => name.to_owned(),
            false => format!("{name}#{no}"),
        }
    };
    threads
        .iter()
        .map(|t| (t.no, name(t.no, &t.name)))
        .collect()
}

/// The facts with their numbers. A class is described before its first fact, if it has fields.
fn numbered(
    terms: &Terms<'_, '_>,
    names: &BTreeMap<ThreadNo, String>,
    all: Vec<Statement>,
) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    let mut calls = HashMap::new();
    let mut described = BTreeSet::new();
    for statement in all {
        let mut add = |event: String| {
            let id = facts.len() as u64;
            facts.push(Fact {
                id,
                thread: names[&statement.thread].clone(),
                event,
                moment: statement.moment.clone(),
            });
            id
        };
        if let Some(name) = statement
            .class
            .filter(|name| described.insert(name.clone()))
        {
            let fields = terms.fields(&name);
            if !fields.is_empty() {
                add(format!("memberfields({},[{fields}])", class(&name)));
            }
        }
        match statement.what {
            What::Call(activation, text) => _ = calls.insert(activation, add(text)),
            What::Exit(activation, text) => {
                if let Some(call) = calls.get(&activation) {
                    add(format!("methodexit({call},{text})"));
                }
            }
            What::Other(text) => _ = add(text),
        }
    }
    facts
}

/// Where a fact stands: rank of the event before it, instructions behind that, and its place among the facts of its thread.
type Place = (u64, u32, usize);

/// A fact that has no number yet.
struct Statement {
    at: Place,
    thread: ThreadNo,
    moment: String,
    /// Internal name of the class that is concerned.
    class: Option<String>,
    what: What,
}

enum What {
    Call(EventId, String),
    /// What stands behind the number of the call.
    Exit(EventId, String),
    Other(String),
}

/// An activation that is open.
struct Open {
    file: Option<String>,
    receiver: String,
    name: String,
}

/// An exception that was thrown.
struct Exception {
    id: ObjectId,
    /// Where its fact stands, which lacks its end.
    at: usize,
    /// Where it was caught, if recorded code did.
    caught: Option<String>,
}

/// Turns what a thread did into facts.
struct Teller<'a, 't> {
    terms: &'a Terms<'a, 't>,
    thread: ThreadNo,
    name: String,
    statements: Vec<Statement>,
    open: HashMap<EventId, Open>,
    exceptions: Vec<Exception>,
    /// Which of them is on its way.
    flying: Option<usize>,
    /// What data structures held when that was reported last; nothing at first.
    held: HashMap<ObjectId, String>,
    depth: usize,
    last: (Place, String),
}

impl<'a, 't> Teller<'a, 't> {
    fn new(terms: &'a Terms<'a, 't>, thread: ThreadNo, name: &str) -> Self {
        Self {
            terms,
            thread,
            name: name.to_owned(),
            statements: Vec::new(),
            open: HashMap::new(),
            exceptions: Vec::new(),
            flying: None,
            held: HashMap::new(),
            depth: 0,
            last: ((0, 0, 0), String::new()),
        }
    }

    fn tell(&mut self, class: Option<String>, what: What) {
        let ((rank, step, _), moment) = self.last.clone();
        let place = (rank, step, self.statements.len());
        self.statements.push(Statement {
            at: place,
            thread: self.thread,
            moment,
            class,
            what,
        });
    }

    fn other(&mut self, text: String) {
        self.tell(None, What::Other(text));
    }

    /// The thread's group: recordings do not have it, but that of the first thread has a name.
    fn group(&self) -> &'static str {
        match self.name.as_str() {
            "main" => "main",
            _ => "unknown",
        }
    }

    fn act(&mut self, act: ThreadAct) {
        let rank = self.terms.inspector.rank(act.at.event);
        self.last = ((rank, act.at.step, 0), act.at.to_string());
        if self.statements.is_empty() {
            self.other(format!("threadstart({})", self.group()));
        }
        let place = act.activation.map(|name| self.place(name, act.line));
        let place = place.unwrap_or_else(|| location(None, 0));
        if !matches!(
            act.deed,
            Deed::Caught { .. } | Deed::Ended(Outcome::Threw(_))
        ) {
            self.flying = None;
        }
        match &act.deed {
            Deed::Began { .. } => self.began(&act),
            Deed::Came(locals) => {
                let locals = locals.iter().map(|local| {
                    let value = self.terms.seen(&local.value);
                    format!("lv({},{value})", atom(&local.name))
                });
                let locals: Vec<String> = locals.collect();
                self.other(format!("step({place},[{}])", locals.join(",")));
            }
            Deed::Wrote(variable, value) => {
                let Some((of, name)) = self.terms.field(variable) else {
                    return;
                };
                let text = self.terms.seen(value);
                self.other(format!("setfield({place},{of},{name},{text})"));
                self.structure(&place, value, &act);
            }
            Deed::Caught { throwable, from } => self.caught(&act, *throwable, *from, &place),
            Deed::Ended(outcome) => self.ended(&act, outcome, &place),
        }
    }

    fn began(&mut self, act: &ThreadAct) {
        let (
            Some(name),
            Deed::Began {
                method,
                this,
                arguments,
                ..
            },
        ) = (act.activation, &act.deed)
        else {
            return;
        };
        self.depth += 1;
        let inspector = self.terms.inspector;
        let file = inspector.source_file(&method.owner).map(str::to_owned);
        let receiver = match this {
            Some(this) => self.terms.seen(this),
            None => class(&method.owner),
        };
        let own = match this {
            Some(Seen::Known(Value::Object(id))) => inspector.class_of(*id),
            _ => None,
        };
        let own = own.unwrap_or(&method.owner).to_owned();
        let place = location(file.as_deref(), act.line);
        let open = Open {
            file,
            receiver,
            name: atom(&method.name),
        };
        let given: Vec<String> = arguments.iter().map(|a| self.terms.seen(a)).collect();
        let (of, called) = (&open.receiver, &open.name);
        let text = format!("methodcall({place},{of},{called},[{}])", given.join(","));
        self.open.insert(name, open);
        self.tell(Some(own), What::Call(name, text));
        for argument in arguments {
            self.structure(&place, argument, act);
        }
    }

    fn ended(&mut self, act: &ThreadAct, outcome: &Outcome, place: &str) {
        let Some(name) = act.activation else { return };
        self.depth = self.depth.saturating_sub(1);
        match outcome {
            Outcome::Returned(value) => {
                let Some(open) = self.open.get(&name) else {
                    return;
                };
                let text = match value {
                    Some(value) => self.terms.seen(value),
                    None => "void".to_owned(),
                };
                let text = format!("{place},{},{},{text}", open.receiver, open.name);
                self.tell(None, What::Exit(name, text));
                if let Some(value) = value {
                    self.structure(place, value, act);
                }
            }
            Outcome::Threw(id) => _ = self.exception(*id, place),
            Outcome::Open => {}
        }
        self.open.remove(&name);
    }

    /// Which exception it is: one that is reported now, unless it is on its way.
    fn exception(&mut self, id: ObjectId, place: &str) -> usize {
        if let Some(flying) = self.flying
            && (id == 0 || self.exceptions[flying].id == id)
        {
            return flying;
        }
        let def = self.terms.inspector.trace().throwable(id);
        let message = def.and_then(|def| def.message.as_deref());
        let message = message.map_or_else(|| "null".to_owned(), string);
        let instance = self.terms.object(id);
        let at = self.statements.len();
        self.other(format!("exception({place},{instance},{message},"));
        self.exceptions.push(Exception {
            id,
            at,
            caught: None,
        });
        let no = self.exceptions.len() - 1;
        self.flying = Some(no);
        no
    }

    fn caught(&mut self, act: &ThreadAct, throwable: ObjectId, from: u16, place: &str) {
        let thrown = act.activation.map(|name| self.place(name, from));
        let thrown = thrown.unwrap_or_else(|| location(None, 0));
        let no = self.exception(throwable, &thrown);
        self.exceptions[no].caught = Some(place.to_owned());
        self.flying = None;
    }

    /// What an array or a container holds, unless that was reported already.
    fn structure(&mut self, place: &str, value: &Seen, act: &ThreadAct) {
        let Seen::Known(Value::Object(id)) = value else {
            return;
        };
        let Some(contents) = self.terms.contents(*id, act.at) else {
            return;
        };
        let known = self.held.get(id).map_or("[]", String::as_str);
        if known == contents {
            return;
        }
        let object = self.terms.object(*id);
        self.other(format!(
            "datastructure({place},contents({object},{contents}))"
        ));
        self.held.insert(*id, contents);
    }

    fn place(&self, activation: EventId, line: u16) -> String {
        match self.open.get(&activation) {
            Some(open) => location(open.file.as_deref(), line),
            None => {
                let known = self.terms.inspector.activation(activation).ok();
                location(known.and_then(|a| a.file).as_deref(), line)
            }
        }
    }

    /// The facts, with the thread's end if it has one.
    fn finish(mut self) -> Vec<Statement> {
        let trace = self.terms.inspector.trace();
        let ended = |id: ObjectId| {
            let mut failures = trace.failures().iter();
            failures.any(|f| {
                f.kind == FailureKind::Uncaught && f.thread == self.thread && f.throwable == id
            })
        };
        let mut died = false;
        for exception in &self.exceptions {
            let uncaught = exception.caught.is_none() && ended(exception.id);
            died |= uncaught;
            let end = match (&exception.caught, uncaught) {
                (Some(place), _) => place,
                (None, true) => "uncaught",
                // Code that is not recorded has caught it.
                (None, false) => "l(unknown,0)",
            };
            if let What::Other(text) = &mut self.statements[exception.at].what {
                text.push_str(end);
                text.push(')');
            }
        }
        let over = self.depth == 0 && trace.end().is_some();
        if !self.statements.is_empty() && (died || over) {
            self.other(format!("threaddeath({})", self.group()));
        }
        self.statements
    }
}

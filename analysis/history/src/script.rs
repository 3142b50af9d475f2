//! Traces written by hand, for tests. One line an event; `//` begins a comment, indentation is for the eye.
//!
//! ```text
//! class A : B                 observed class (and its superclass); `env A` a skeleton; names with `java/` or `[` are the JDK's
//! throwable #9 a.B at A.m     entry of the throwable table, thrown at A.m; `cause #8` may stand behind it
//! obj #1 A | arr #2 [I 3      identity and class (and length)
//! content #2 array 1 2 3      content: array, elements, entries, text
//! > A.m(I)V #1 5              an observed instance method or constructor is entered (`s>` static); receiver, arguments
//! this #1                     the object of the constructor that runs
//! < 5 | <! #9                 it returns (a value) or throws
//! catch #9                    a handler in it takes over
//! call O.m(I)V #1 5           call: `call` virtual, `calls` static, `callsuper`, `new`, `dyn`; `light`, `lightnew` without operands
//! ret 5                       that call returns (a value); `retlight`
//! get A.f:I #1 5              fields: `get put gets puts`; arrays: `load #2 0 5`, `store #2 0 5`
//! by E get A.f:I #1 5         ... by code of the class E, which is not observed
//! uncaught #9                 the thread dies
//! @1                          the next lines are of this thread (at first: 0)
//! acquire                     the thread has waited for others
//! release                     it lets others go on
//! ```
//!
//! Values: `5 5L true "text" null #1 class:A box:5`.

use std::collections::HashMap;
use std::sync::Arc;

use jinsi_trace::model::*;
use jinsi_trace::order::{Meetings, Merged, Stamp};

use super::{History, Stretches, Tables};

/// A script being read.
#[derive(Default)]
pub struct Script {
    classes: Vec<ClassDef>,
    numbers: HashMap<String, ClassNo>,
    sites: Vec<Site>,
    throwables: Vec<ThrowableDef>,
    failures: Vec<Failure>,
    events: Vec<Event>,
    /// Class, method, descriptor and access of the activations open; with each the sites of its open calls.
    frames: Vec<(Site, Vec<Site>)>,
    /// From which event on which thread it is.
    switches: Vec<(usize, ThreadNo)>,
    /// Frames of the other threads.
    others: HashMap<ThreadNo, Vec<(Site, Vec<Site>)>>,
}

/// The history that a script gives.
pub fn history(text: &str) -> History {
    let (tables, events, switches) = read(text);
    if switches.is_empty() {
        return History::build(tables, 0, events).expect("a short script");
    }
    let merged = events.into_iter().enumerate().map(|(at, event)| {
        let begun = switches.iter().rev().find(|(from, _)| *from <= at);
        Merged {
            thread: begun.map_or(0, |(_, thread)| *thread),
            index: at as u64,
            event,
        }
    });
    History::build_merged(tables, merged).expect("a short script")
}

/// The same a stretch at a time, with the tables; of a script of one thread.
pub fn stretches(text: &str, most: usize) -> (Tables, Stretches<std::vec::IntoIter<Event>>) {
    let (tables, events, _) = read(text);
    let (of_stretches, ..) = read(text);
    (
        tables,
        Stretches::new(of_stretches, 0, events.into_iter(), most),
    )
}

fn read(text: &str) -> (Tables, Vec<Event>, Vec<(usize, ThreadNo)>) {
    let mut script = Script::default();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or("").trim();
        if !line.is_empty() {
            script.line(line);
        }
    }
    let tables = Tables::new(
        script.classes,
        script.sites,
        script.throwables,
        script.failures,
    );
    (tables, script.events, script.switches)
}

impl Script {
    fn line(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        let verb = words.next().unwrap_or("");
        let rest: Vec<&str> = words.collect();
        match verb {
            "class" => self.class(&rest, ClassOrigin::Observed),
            "env" => self.class(&rest, ClassOrigin::Skeleton),
            "throwable" => self.throwable(&rest),
            "obj" | "arr" => self.define(&rest),
            "content" => self.content(&rest),
            ">" | "s>" => self.enter(verb == "s>", &rest),
            "this" => self.in_frame(EventKind::This, &rest),
            "<" => self.leave(EventKind::Exit, &rest),
            "<!" => self.leave(EventKind::ExitThrow, &rest),
            "catch" => {
                self.in_frame(EventKind::Catch, &rest);
                if let Some((_, calls)) = self.frames.last_mut() {
                    calls.clear();
                }
            }
            "ret" | "retlight" => self.ret(&rest),
            "uncaught" => {
                let id = id(rest[0]);
                self.failures.push(Failure {
                    kind: FailureKind::Uncaught,
                    throwable: id,
                    thread: 0,
                    test: None,
                });
                self.operands(EventKind::Uncaught, None, &rest);
            }
            "get" | "put" | "gets" | "puts" | "load" | "store" => {
                let frame = self.frames.last().expect("no activation is open").0.clone();
                self.access(verb, &rest, frame);
            }
            "by" => {
                let class = self.class_no(rest[0]);
                let place = Site {
                    outside: true,
                    ..blank(EventKind::GetField, class, "m", "()V", 8)
                };
                self.access(rest[1], &rest[2..], place);
            }
            "acquire" => self.events.push(Stamp::acquire(1).event()),
            "release" => self.events.push(Stamp::release(1).event()),
            // How many meetings since the last such event.
            "met" | "released" => {
                let (met, stamp) = match verb {
                    "met" => (true, Stamp::acquire(1)),
                    _ => (false, Stamp::release(1)),
                };
                let count = rest[0].parse().unwrap();
                self.events.push(Meetings { count, met }.event(stamp));
            }
            _ if verb.starts_with('@') => self.switch(verb[1..].parse().unwrap()),
            _ => self.call(verb, &rest),
        }
    }

    fn switch(&mut self, thread: ThreadNo) {
        let current = self.switches.last().map_or(0, |(_, thread)| *thread);
        let frames = self.others.remove(&thread).unwrap_or_default();
        let left = std::mem::replace(&mut self.frames, frames);
        self.others.insert(current, left);
        self.switches.push((self.events.len(), thread));
    }

    fn class(&mut self, rest: &[&str], origin: ClassOrigin) {
        let super_name = rest.get(2).copied().unwrap_or("java/lang/Object");
        self.add_class(rest[0], super_name, origin);
    }

    fn add_class(&mut self, name: &str, super_name: &str, origin: ClassOrigin) -> ClassNo {
        let no = ClassNo::from_index(self.classes.len());
        self.numbers.insert(name.to_owned(), no);
        self.classes.push(ClassDef {
            no,
            name: name.to_owned(),
            super_name: (name != "java/lang/Object").then(|| super_name.to_owned()),
            interfaces: Vec::new(),
            access: 0,
            origin,
            source_file: None,
            bytes: Arc::from([]),
        });
        no
    }

    fn class_no(&mut self, name: &str) -> ClassNo {
        match self.numbers.get(name) {
            Some(&no) => no,
            None => {
                assert!(
                    name.starts_with("java/") || name.starts_with('['),
                    "class {name} is not declared"
                );
                self.add_class(name, "java/lang/Object", ClassOrigin::Jdk)
            }
        }
    }

    fn throwable(&mut self, rest: &[&str]) {
        let (class, method) = rest
            .get(3)
            .map_or(("", ""), |at| at.rsplit_once('.').unwrap());
        let frame = Frame {
            class: class.to_owned(),
            method: method.to_owned(),
            file: None,
            line: 7,
        };
        self.throwables.push(ThrowableDef {
            id: id(rest[0]),
            class: rest[1].to_owned(),
            message: None,
            text: None,
            cause: rest.get(5).map_or(0, |cause| id(cause)),
            frames: vec![frame],
        });
        self.define(&[rest[0], &rest[1].replace('.', "/")]);
    }

    fn define(&mut self, rest: &[&str]) {
        let class = self.class_no(rest[1]);
        let length = rest.get(2).map(|n| n.parse().unwrap());
        let payload = Payload::Define {
            id: id(rest[0]),
            class,
            length,
        };
        self.events.push(Event {
            kind: EventKind::Define,
            site: None,
            payload,
        });
    }

    fn content(&mut self, rest: &[&str]) {
        let values: Vec<Value> = if rest[1] == "text" {
            Vec::new()
        } else {
            self.values(&rest[2..])
        };
        let content = match rest[1] {
            "array" => Content::Array(values),
            "elements" => Content::Elements(values),
            "entries" => Content::Entries(values),
            _ => Content::Text(JavaString::new(rest[2])),
        };
        let payload = Payload::Content {
            id: id(rest[0]),
            content,
        };
        self.events.push(Event {
            kind: EventKind::Content,
            site: None,
            payload,
        });
    }

    fn enter(&mut self, is_static: bool, rest: &[&str]) {
        let target = member(rest[0]);
        let class = self.class_no(&target.owner);
        let access = if is_static { 8 } else { 0 };
        let mut site = blank(EventKind::Enter, class, &target.name, &target.desc, access);
        site.target = target;
        let site = self.add_site(site);
        self.operands(EventKind::Enter, Some(site.no), &rest[1..]);
        self.frames.push((site, Vec::new()));
    }

    fn in_frame(&mut self, kind: EventKind, rest: &[&str]) {
        let frame = self.frames.last().expect("no activation is open").0.clone();
        let site = self.add_site(Site { kind, ..frame });
        self.operands(kind, Some(site.no), rest);
    }

    fn leave(&mut self, kind: EventKind, rest: &[&str]) {
        self.in_frame(kind, rest);
        self.frames.pop();
    }

    fn call(&mut self, verb: &str, rest: &[&str]) {
        let op = match verb {
            "call" | "light" => CallOp::Virtual,
            "calls" => CallOp::Static,
            "callsuper" => CallOp::Special,
            "new" | "lightnew" => CallOp::New,
            "dyn" => CallOp::Dynamic,
            _ => panic!("unknown line: {verb}"),
        };
        let frame = self.frames.last().expect("no activation is open").0.clone();
        let target = if verb.ends_with("new") && !rest[0].contains('.') {
            member(&rest[0].replace('(', ".<init>("))
        } else {
            member(rest[0])
        };
        let site = Site {
            kind: EventKind::Call,
            target,
            op,
            light: verb.starts_with("light"),
            ..frame
        };
        let site = self.add_site(site);
        self.operands(EventKind::Call, Some(site.no), &rest[1..]);
        if let Some((_, calls)) = self.frames.last_mut() {
            calls.push(site);
        }
    }

    fn ret(&mut self, rest: &[&str]) {
        let call = self
            .frames
            .last_mut()
            .and_then(|(_, calls)| calls.pop())
            .expect("no call is open");
        let bci = call.bci;
        let site = self.add_site(Site {
            kind: EventKind::CallExit,
            ..call
        });
        self.sites.last_mut().unwrap().bci = bci;
        self.operands(EventKind::CallExit, Some(site.no), rest);
    }

    /// An access at `place`.
    fn access(&mut self, verb: &str, rest: &[&str], place: Site) {
        let kind = match verb {
            "get" => EventKind::GetField,
            "put" => EventKind::PutField,
            "gets" => EventKind::GetStatic,
            "puts" => EventKind::PutStatic,
            "load" => EventKind::ArrayLoad,
            _ => EventKind::ArrayStore,
        };
        let (target, operands) = match rest[0].split_once(':') {
            Some((field, desc)) => {
                let (owner, name) = field.rsplit_once('.').unwrap();
                let target = MemberRef {
                    owner: owner.into(),
                    name: name.into(),
                    desc: desc.into(),
                };
                (target, &rest[1..])
            }
            None => (place.target.clone(), rest),
        };
        let site = self.add_site(Site {
            kind,
            target,
            ..place
        });
        self.operands(kind, Some(site.no), operands);
    }

    /// Adds a site with a number and bytecode index of its own.
    fn add_site(&mut self, mut site: Site) -> Site {
        site.no = SiteNo::FIRST.behind(self.sites.len());
        site.bci = site.no.get() as u16;
        site.line = site.no.get() as u16;
        self.sites.push(site.clone());
        site
    }

    fn operands(&mut self, kind: EventKind, site: Option<SiteNo>, words: &[&str]) {
        let payload = Payload::Operands(self.values(words));
        self.events.push(Event {
            kind,
            site,
            payload,
        });
    }

    fn values(&mut self, words: &[&str]) -> Vec<Value> {
        words.iter().map(|w| self.value(w)).collect()
    }

    fn value(&mut self, word: &str) -> Value {
        if let Some(class) = word.strip_prefix("class:") {
            return Value::Class(self.class_no(class));
        }
        value(word)
    }
}

/// The value of a word, classes excepted.
pub fn value(word: &str) -> Value {
    if let Some(boxed) = word.strip_prefix("box:") {
        return Value::Boxed(Prim::Int(boxed.parse().unwrap()));
    }
    match word {
        "null" => Value::Null,
        "true" | "false" => Value::Prim(Prim::Boolean(word == "true")),
        _ if word.starts_with('#') => Value::Object(id(word)),
        _ if word.starts_with('"') => Value::Str(JavaString::new(word.trim_matches('"'))),
        _ => match word.strip_suffix('L') {
            Some(long) => Value::Prim(Prim::Long(long.parse().unwrap())),
            None => Value::Prim(Prim::Int(word.parse().unwrap())),
        },
    }
}

fn id(word: &str) -> ObjectId {
    word.trim_start_matches('#').parse().unwrap()
}

/// `O.m(I)V` as a member.
pub fn member(text: &str) -> MemberRef {
    let at = text.find('(').expect("a method");
    let (owner, name) = text[..at].rsplit_once('.').expect("a class");
    MemberRef {
        owner: owner.into(),
        name: name.into(),
        desc: text[at..].into(),
    }
}

fn blank(kind: EventKind, class: ClassNo, method: &str, desc: &str, access: u16) -> Site {
    Site {
        no: SiteNo::FIRST,
        kind,
        class,
        method: method.into(),
        desc: desc.into(),
        access,
        bci: 0,
        line: 0,
        target: MemberRef {
            owner: String::new().into(),
            name: method.into(),
            desc: desc.into(),
        },
        op: CallOp::None,
        operands: String::new().into(),
        light: false,
        outside: false,
        stepwise: false,
        parts: Vec::new(),
    }
}

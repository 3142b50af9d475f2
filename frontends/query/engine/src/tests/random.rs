//! Random runs, written as traces.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use jinsi_trace::model::{
    CallOp, ClassDef, ClassNo, ClassOrigin, Event, EventKind, Failure, FailureKind, Frame,
    MemberRef, Meta, ObjectId, Payload, Prim, Record, Site, SiteNo, ThreadNo, ThrowableDef, Value,
};
use jinsi_trace::synthetic::TraceBuilder;
use proptest::prelude::*;

/// Classes with code.
pub(super) const CLASSES: [&str; 2] = ["a/One", "a/Two"];
/// Methods of each.
pub(super) const METHODS: [&str; 3] = ["run", "walk", "<init>"];
/// Objects of each class that are there from the beginning, by number: 1 and 2 of the first, 3 and 4 of the second.
pub(super) const OBJECTS: [ObjectId; 4] = [1, 2, 3, 4];
const THROWN: ObjectId = 9;

/// What a thread does next, as far as it can: the numbers choose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    what: u8,
    one: u8,
    value: i32,
    thread: u8,
}

pub(super) fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = (0u8..10, 0u8..12, -3i32..3, 0u8..2).prop_map(|(what, one, value, thread)| Step {
        what,
        one,
        value,
        thread,
    });
    prop::collection::vec(step, 0..60)
}

/// The same steps, all by the first thread.
pub(super) fn by_one_thread(steps: &[Step]) -> Vec<Step> {
    let steps = steps.iter();
    steps.map(|step| Step { thread: 0, ..*step }).collect()
}

/// A call that is open while the run is made.
struct Open {
    class: usize,
    method: usize,
    object: ObjectId,
    /// A library call is open.
    calling: bool,
}

/// What is thrown in a run: its class, and the line where it is made.
pub(super) const WRONGS: [(&str, i32); 2] = [("a.Wrong", 7), ("a.Worse", 8)];

/// Writes a run; its file.
pub(super) fn written(directory: &Path, steps: &[Step]) -> PathBuf {
    written_of(directory, steps, 0, 0)
}

/// The same of a run that began at this time, and in which this is thrown.
pub(super) fn written_of(
    directory: &Path,
    steps: &[Step],
    started_ms: u64,
    wrong: usize,
) -> PathBuf {
    let file = directory.join("run.jinsi");
    let meta = Meta {
        started_ms,
        ..Meta::default()
    };
    let mut making = Making {
        events: Vec::new(),
        frames: [Vec::new(), Vec::new()],
        next: 100,
        dead: [false; 2],
    };
    making.begin();
    steps.iter().for_each(|step| making.step(*step));
    let mut builder = TraceBuilder::new(&file).record(Record::Meta(meta));
    for (no, name) in (0..).zip(["main", "other"]) {
        let name = name.to_owned();
        builder = builder.record(Record::Thread { no, name });
    }
    for class in classes() {
        builder = builder.record(Record::Class(class));
    }
    builder = builder.record(Record::Sites(sites()));
    builder = builder.record(Record::Throwable(throwable(wrong)));
    for thread in (0..2).filter(|no| making.dead[*no as usize]) {
        builder = builder.record(Record::Failure(Failure {
            kind: FailureKind::Uncaught,
            throwable: THROWN,
            thread,
            test: None,
        }));
    }
    for (thread, event) in making.events {
        builder = builder.event(thread, event);
    }
    builder.finish().unwrap();
    file
}

fn throwable(wrong: usize) -> ThrowableDef {
    let (class, line) = WRONGS[wrong];
    let frame = Frame {
        class: "a.One".into(),
        method: "run".into(),
        file: Some("One.java".into()),
        line,
    };
    ThrowableDef {
        id: THROWN,
        class: class.into(),
        message: Some("said".into()),
        text: None,
        cause: 0,
        frames: vec![frame],
    }
}

fn classes() -> Vec<ClassDef> {
    let names = [CLASSES[0], CLASSES[1], "a/Wrong", "java/util/Lib"];
    let class = |(no, name): (usize, &&str)| ClassDef {
        no: ClassNo::from_index(no),
        name: (*name).to_owned(),
        super_name: Some("java/lang/Object".into()),
        interfaces: Vec::new(),
        access: 0,
        origin: match no {
            0 | 1 => ClassOrigin::Observed,
            _ => ClassOrigin::Jdk,
        },
        source_file: None,
        bytes: Arc::from([]),
    };
    names.iter().enumerate().map(class).collect()
}

/// Kinds of sites of each method.
const KINDS: [EventKind; 7] = [
    EventKind::Enter,
    EventKind::Exit,
    EventKind::ExitThrow,
    EventKind::Catch,
    EventKind::Call,
    EventKind::CallExit,
    EventKind::This,
];

fn site_no(class: usize, method: usize, kind: EventKind) -> SiteNo {
    let place = KINDS.iter().position(|of| *of == kind).unwrap();
    SiteNo::FIRST.behind((class * METHODS.len() + method) * KINDS.len() + place)
}

fn sites() -> Vec<Site> {
    let mut sites = Vec::new();
    for class in 0..CLASSES.len() {
        for (method, name) in METHODS.iter().enumerate() {
            for kind in KINDS {
                sites.push(site(class, (method, name), kind));
            }
        }
    }
    sites
}

fn site(class: usize, (method, name): (usize, &str), kind: EventKind) -> Site {
    let constructor = name == "<init>";
    let desc = if constructor { "(I)V" } else { "(I)I" };
    let calls = matches!(kind, EventKind::Call | EventKind::CallExit);
    let target = match calls {
        true => ("java/util/Lib", "help", "(I)I"),
        false => (CLASSES[class], name, desc),
    };
    let operands = match kind {
        EventKind::Enter if constructor => "I",
        EventKind::Enter => "LI",
        EventKind::Exit if constructor => "",
        EventKind::Exit | EventKind::Call | EventKind::CallExit => "I",
        _ => "L",
    };
    Site {
        no: site_no(class, method, kind),
        kind,
        class: ClassNo::from_index(class),
        method: name.into(),
        desc: desc.into(),
        access: 1,
        bci: 3,
        line: 10 + method as u16,
        target: MemberRef {
            owner: target.0.into(),
            name: target.1.into(),
            desc: target.2.into(),
        },
        op: if calls { CallOp::Static } else { CallOp::None },
        operands: operands.into(),
        light: false,
        outside: false,
        stepwise: false,
        parts: Vec::new(),
    }
}

struct Making {
    events: Vec<(ThreadNo, Event)>,
    frames: [Vec<Open>; 2],
    next: ObjectId,
    dead: [bool; 2],
}

fn int(value: i32) -> Value {
    Value::Prim(Prim::Int(value))
}

impl Making {
    fn begin(&mut self) {
        for id in OBJECTS {
            self.define(0, id, ClassNo::from_index(usize::from(id > 2)));
        }
        self.define(0, THROWN, ClassNo::from_index(2));
    }

    fn define(&mut self, thread: ThreadNo, id: ObjectId, class: ClassNo) {
        let payload = Payload::Define {
            id,
            class,
            length: None,
        };
        self.events.push((
            thread,
            Event {
                kind: EventKind::Define,
                site: None,
                payload,
            },
        ));
    }

    fn event(&mut self, thread: ThreadNo, of: (usize, usize), kind: EventKind, values: Vec<Value>) {
        let has_site = kind.has_site();
        self.events.push((
            thread,
            Event {
                kind,
                site: has_site.then(|| site_no(of.0, of.1, kind)),
                payload: Payload::Operands(values),
            },
        ));
    }

    fn step(&mut self, step: Step) {
        let thread = usize::from(step.thread);
        if self.dead[thread] {
            return;
        }
        match step.what {
            0..=3 => self.enter(step),
            4 | 5 => self.exit(step),
            6 => self.throw(step),
            7 | 8 => self.call(step),
            _ => self.back(step),
        }
    }

    fn enter(&mut self, step: Step) {
        let thread = u32::from(step.thread);
        let method = usize::from(step.one) % METHODS.len();
        let (class, object, values) = match METHODS[method] {
            "<init>" => {
                self.next += 1;
                let class = usize::from(step.one) % 2;
                (class, self.next, vec![int(step.value)])
            }
            _ => {
                let object = OBJECTS[usize::from(step.one) % OBJECTS.len()];
                let values = vec![Value::Object(object), int(step.value)];
                (usize::from(object > 2), object, values)
            }
        };
        self.event(thread, (class, method), EventKind::Enter, values);
        if METHODS[method] == "<init>" {
            self.define(thread, object, ClassNo::from_index(class));
            self.event(
                thread,
                (class, method),
                EventKind::This,
                vec![Value::Object(object)],
            );
        }
        self.frames[usize::from(step.thread)].push(Open {
            class,
            method,
            object,
            calling: false,
        });
    }

    /// The innermost frame of the thread; library calls in it end first.
    fn exit(&mut self, step: Step) {
        self.back(step);
        let thread = u32::from(step.thread);
        if let Some(frame) = self.frames[usize::from(step.thread)].pop() {
            let values = match METHODS[frame.method] {
                "<init>" => Vec::new(),
                _ => vec![int(step.value)],
            };
            debug_assert!(frame.object > 0);
            self.event(thread, (frame.class, frame.method), EventKind::Exit, values);
        }
    }

    /// An exception leaves some frames, and is caught in the next; or ends the thread.
    fn throw(&mut self, step: Step) {
        let thread = u32::from(step.thread);
        let thrown = || vec![Value::Object(THROWN)];
        let leaves = usize::from(step.one) % 4;
        for _ in 0..leaves {
            let Some(frame) = self.frames[usize::from(step.thread)].pop() else {
                break;
            };
            self.event(
                thread,
                (frame.class, frame.method),
                EventKind::ExitThrow,
                thrown(),
            );
        }
        match self.frames[usize::from(step.thread)].last_mut() {
            Some(frame) => {
                frame.calling = false;
                let of = (frame.class, frame.method);
                self.event(thread, of, EventKind::Catch, thrown());
            }
            None if leaves > 0 => {
                self.dead[usize::from(step.thread)] = true;
                self.event(thread, (0, 0), EventKind::Uncaught, thrown());
            }
            None => {}
        }
    }

    fn call(&mut self, step: Step) {
        let thread = u32::from(step.thread);
        if let Some(frame) = self.frames[usize::from(step.thread)].last_mut()
            && !frame.calling
        {
            frame.calling = true;
            let of = (frame.class, frame.method);
            self.event(thread, of, EventKind::Call, vec![int(step.value)]);
        }
    }

    /// A library call comes back.
    fn back(&mut self, step: Step) {
        let thread = u32::from(step.thread);
        if let Some(frame) = self.frames[usize::from(step.thread)].last_mut()
            && frame.calling
        {
            frame.calling = false;
            let of = (frame.class, frame.method);
            self.event(thread, of, EventKind::CallExit, vec![int(step.value)]);
        }
    }
}

//! Who handed over what other threads did: the calls in which the object of a task was given to code that is not recorded.
//!
//! `submit`, `execute`, `supplyAsync`, `start`: which method of which library has a task done is not known here, and need not be. Where a task may
//! have been handed over in several calls, all are reported: the same object given away twice, or lambdas that were made for the same body with the
//! same captured values, which nothing tells apart where the body begins.
//!
//! What keeps an object for later does not have it done: a list that it is put into, a thread that is made of it. It is handed over with what keeps
//! it. If that is never seen, it is where it was put that counts.

use std::collections::{BTreeMap, HashMap, HashSet};

use jinsi_classfile::{ACC_STATIC, ClassFile};
use jinsi_inspect::Inspector;
use jinsi_level::function::function_at;
use jinsi_trace::model::{
    CallOp, ClassOrigin, EventId, EventKind, MemberRef, ObjectId, Payload, Site, SiteNo, ThreadNo,
    Value,
};
use jinsi_trace::order::Merged;
use jinsi_trace::reader::Trace;

/// Methods by which an object of the JDK's has itself done.
const BEGINNINGS: [&str; 2] = ["start", "fork"];
/// Packages of the JDK whose methods have nothing done by other threads.
const BY_ITSELF: [&str; 4] = ["java/lang/", "java/io/", "java/text/", "java/math/"];
/// Classes in them that do.
const BY_OTHERS: [&str; 2] = ["java/lang/Thread", "java/lang/Runtime"];
/// Its classes keep what they are given; those in packages below it do not.
const KEEPS: &str = "java/util/";
/// The one that has it done.
const TIMER: &str = "java/util/Timer";
/// Calls in which a task may have been handed over; of more none is reported.
const CALLS: usize = 32;
/// Superclasses that are looked through.
const SUPERCLASSES: usize = 100;
/// Objects that are handed over with what keeps them.
const OBJECTS: usize = 10_000;

/// That a task was handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HandOver {
    /// The event of the call by which it was.
    pub(crate) at: EventId,
    /// The recorded call that made that one.
    pub(crate) within: EventId,
}

/// In which calls an object was handed over.
#[derive(Clone, Debug, Default)]
struct Calls {
    /// One of each call that made any, the last.
    all: Vec<HandOver>,
    /// Were there too many?
    many: bool,
    /// Was it only kept up to now?
    kept: bool,
}

impl Calls {
    fn add(&mut self, one: HandOver, kept: bool) {
        if kept && !self.kept && !self.all.is_empty() {
            return;
        }
        if self.kept && !kept {
            *self = Self::default();
        }
        self.kept = kept;
        self.all.retain(|other| other.within != one.within);
        self.many |= self.all.len() >= CALLS;
        if !self.many {
            self.all.push(one);
        }
    }
}

/// A function object: what it calls, and what it captured.
#[derive(Debug)]
struct Made {
    target: MemberRef,
    captured: Vec<Value>,
}

/// What is known of a thread while its events are gone through.
#[derive(Debug, Default)]
struct Running {
    /// The recorded calls that are open.
    open: Vec<EventId>,
    /// The function object that is being made.
    making: Option<Made>,
    /// What the results of calls keep that have not returned.
    keeping: Vec<(SiteNo, Vec<ObjectId>)>,
}

/// Goes through the events of all threads.
struct Passing<'a, 't> {
    inspector: &'a Inspector<'t>,
    trace: &'t Trace,
    /// Methods that outermost calls are of, and the classes whose objects have one.
    targets: HashSet<MemberRef>,
    classes: HashSet<&'t str>,
    threads: HashMap<ThreadNo, Running>,
    /// What function objects call that are made at a site.
    made_at: HashMap<SiteNo, Option<MemberRef>>,
    /// Is what a site calls surely recorded?
    recorded: HashMap<SiteNo, bool>,
    functions: HashMap<ObjectId, Made>,
    /// What an object keeps.
    kept: HashMap<ObjectId, Vec<ObjectId>>,
    by_object: HashMap<ObjectId, Calls>,
    /// By method, how many values its function objects capture, and by these values, as text, where they were handed over.
    by_function: HashMap<MemberRef, BTreeMap<usize, HashMap<String, Calls>>>,
    /// By the event with which an outermost call began.
    by_task: HashMap<EventId, Calls>,
}

/// By outermost call, in which calls it may have been handed over. The methods are those of outermost calls, of all threads.
pub(crate) fn handovers<'t>(
    inspector: &Inspector<'t>,
    methods: impl Iterator<Item = MemberRef>,
) -> HashMap<EventId, Vec<HandOver>> {
    let trace = inspector.trace();
    let targets: HashSet<MemberRef> = methods.collect();
    let mut passing = Passing {
        inspector,
        trace,
        classes: classes_with(trace, &targets),
        targets,
        threads: HashMap::new(),
        made_at: HashMap::new(),
        recorded: HashMap::new(),
        functions: HashMap::new(),
        kept: HashMap::new(),
        by_object: HashMap::new(),
        by_function: HashMap::new(),
        by_task: HashMap::new(),
    };
    // Of a thread whose recording is damaged what comes before counts.
    let known = trace.merged_with_elements(0).filter_map(Result::ok);
    known.for_each(|merged| passing.take(&merged));
    let reported = passing.by_task.into_iter();
    reported
        .map(|(task, calls)| {
            let calls = if calls.many { Vec::new() } else { calls.all };
            (task, calls)
        })
        .collect()
}

/// The classes that have one of these methods, or inherit it.
fn classes_with<'t>(trace: &'t Trace, methods: &HashSet<MemberRef>) -> HashSet<&'t str> {
    let owners: HashSet<&str> = methods.iter().map(|method| &*method.owner).collect();
    let has_one = |name: &str| {
        let mut next = Some(name.to_owned());
        let ups = std::iter::from_fn(|| {
            let name = next.take()?;
            next = trace
                .class_by_name(&name)
                .and_then(|c| c.super_name.clone());
            Some(name)
        });
        // A default method may come from an interface. The table of a hostile trace may go round in circles.
        let mut ups = ups.take(SUPERCLASSES);
        ups.any(|up| {
            let class = trace.class_by_name(&up);
            let interfaces = class.map_or(&[][..], |class| &class.interfaces);
            owners.contains(&*up) || interfaces.iter().any(|i| owners.contains(&**i))
        })
    };
    let names = trace.classes().iter().map(|class| &*class.name);
    names.filter(|name| has_one(name)).collect()
}

impl Passing<'_, '_> {
    fn take(&mut self, merged: &Merged) {
        let trace = self.trace;
        let (Some(site), Payload::Operands(values)) =
            (trace.site_of(&merged.event), &merged.event.payload)
        else {
            return;
        };
        let name = EventId {
            thread: merged.thread,
            index: merged.index,
        };
        let running = self.threads.entry(name.thread).or_default();
        match merged.event.kind {
            EventKind::Enter => {
                running.open.push(name);
                if running.open.len() == 1 {
                    let calls = self.by_function(site, values);
                    let calls = calls.or_else(|| self.by_receiver(site, values));
                    self.by_task.extend(calls.map(|calls| (name, calls)));
                }
            }
            EventKind::Exit | EventKind::ExitThrow => drop(running.open.pop()),
            EventKind::Call if site.op == CallOp::Dynamic => {
                let target = self.made_at.entry(site.no).or_insert_with(|| {
                    let function = function_at(trace.class(site.class)?, site);
                    function.map(|function| function.target)
                });
                running.making = target.clone().map(|target| Made {
                    target,
                    captured: values.clone(),
                });
            }
            EventKind::CallExit if site.op == CallOp::Dynamic => {
                if let (Some(made), Some(Value::Object(id))) =
                    (running.making.take(), values.first())
                {
                    self.is_made(*id, made);
                }
            }
            EventKind::CallExit => self.returned(name.thread, site, values),
            EventKind::Call if !site.light => self.called(name, site, values),
            EventKind::ArrayStore => {
                if let [Value::Object(array), _, Value::Object(id)] = values[..] {
                    self.keeps(array, &[id]);
                }
            }
            _ => {}
        }
    }

    fn is_made(&mut self, id: ObjectId, made: Made) {
        let captured: Vec<ObjectId> = made.captured.iter().filter_map(object).collect();
        self.keeps(id, &captured);
        if self.targets.contains(&made.target) {
            self.functions.insert(id, made);
        }
    }

    /// Is it a task, or does it keep one?
    fn is_task(&self, id: ObjectId) -> bool {
        let class = || self.inspector.class_of(id);
        self.functions.contains_key(&id)
            || self.kept.contains_key(&id)
            || class().is_some_and(|class| self.classes.contains(class))
    }

    fn keeps(&mut self, by: ObjectId, objects: &[ObjectId]) {
        for id in objects.iter().filter(|id| **id != by) {
            if self.is_task(*id) {
                self.kept.entry(by).or_default().push(*id);
            }
        }
    }

    fn called(&mut self, at: EventId, site: &Site, values: &[Value]) {
        let owner = &*site.target.owner;
        let has_receiver = !matches!(site.op, CallOp::Static | CallOp::New);
        let begins = BEGINNINGS.contains(&&*site.target.name);
        // What an object is asked does not hand it to anybody, but for threads and the like that begin.
        let arguments = values.iter().skip(usize::from(has_receiver && !begins));
        let objects: Vec<ObjectId> = arguments.filter_map(object).collect();
        let tasks: Vec<ObjectId> = objects.into_iter().filter(|id| self.is_task(*id)).collect();
        let by_others = BY_OTHERS.contains(&owner) || begins;
        let by_itself = BY_ITSELF.iter().any(|package| owner.starts_with(package)) && !by_others;
        let within = self.threads[&at.thread].open.last().copied();
        let (Some(within), false) = (within, tasks.is_empty() || by_itself) else {
            return;
        };
        if self.is_recorded(site) {
            return;
        }
        let keeps = match owner.strip_prefix(KEEPS) {
            Some(class) => !class.contains('/') && owner != TIMER,
            None => site.op == CallOp::New,
        };
        let one = HandOver { at, within };
        self.hand_over(tasks.clone(), one, keeps);
        if !keeps {
            return;
        }
        match values.first().and_then(object).filter(|_| has_receiver) {
            Some(receiver) => self.keeps(receiver, &tasks),
            None => {
                let running = self.threads.entry(at.thread).or_default();
                running.keeping.push((site.no, tasks));
            }
        }
    }

    fn returned(&mut self, thread: ThreadNo, site: &Site, values: &[Value]) {
        let keeping = &mut self.threads.entry(thread).or_default().keeping;
        let is_it = |(no, _): &(SiteNo, Vec<ObjectId>)| {
            let called = self.trace.site(*no);
            called.is_some_and(|called| {
                (called.class, called.bci, &called.method, &called.desc)
                    == (site.class, site.bci, &site.method, &site.desc)
            })
        };
        let Some(at) = keeping.iter().rposition(is_it) else {
            return;
        };
        let (_, tasks) = keeping.swap_remove(at);
        keeping.truncate(at);
        if let Some(result) = values.first().and_then(object) {
            self.keeps(result, &tasks);
        }
    }

    /// These, with all that they keep.
    fn hand_over(&mut self, tasks: Vec<ObjectId>, one: HandOver, kept: bool) {
        let mut met: HashSet<ObjectId> = tasks.iter().copied().collect();
        let mut left = tasks;
        while let Some(id) = left.pop().filter(|_| met.len() < OBJECTS) {
            self.by_object.entry(id).or_default().add(one, kept);
            if let Some(made) = self.functions.get(&id) {
                let of = self.by_function.entry(made.target.clone()).or_default();
                let of = of.entry(made.captured.len()).or_default();
                let calls = of.entry(text(&made.captured)).or_default();
                calls.add(one, kept);
            }
            let inside = self.kept.get(&id).into_iter().flatten();
            left.extend(inside.filter(|inner| met.insert(**inner)));
        }
    }

    /// Is it surely recorded code that runs? What a class inherits from one that is not recorded is not.
    fn is_recorded(&mut self, site: &Site) -> bool {
        let trace = self.trace;
        *self.recorded.entry(site.no).or_insert_with(|| {
            let mut next = trace.class_by_name(&site.target.owner);
            let is_known =
                |origin| matches!(origin, ClassOrigin::Observed | ClassOrigin::Inherited);
            for _ in 0..SUPERCLASSES {
                let Some(class) = next.filter(|class| is_known(class.origin)) else {
                    break;
                };
                let parsed = ClassFile::parse(&class.bytes);
                let target = &site.target;
                if parsed.is_ok_and(|c| c.find_method(&target.name, &target.desc).is_some()) {
                    return true;
                }
                let above = class.super_name.as_deref();
                next = above.and_then(|name| trace.class_by_name(name));
            }
            false
        })
    }

    /// Where a function object may have been handed over that calls this method.
    fn by_function(&self, site: &Site, values: &[Value]) -> Option<Calls> {
        let mut found: Option<Calls> = None;
        let all = self.by_function.get(&site.target)?;
        for (count, of) in all.range(..=values.len()) {
            let Some(calls) = of.get(&text(&values[..*count])) else {
                continue;
            };
            let found = found.get_or_insert_default();
            found.many |= calls.many;
            calls.all.iter().for_each(|one| found.add(*one, false));
        }
        found
    }

    fn by_receiver(&self, site: &Site, values: &[Value]) -> Option<Calls> {
        let has_receiver = site.access & ACC_STATIC == 0;
        let receiver = values.first().filter(|_| has_receiver).and_then(object)?;
        self.by_object.get(&receiver).cloned()
    }
}

fn object(value: &Value) -> Option<ObjectId> {
    match value {
        Value::Object(id) => Some(*id),
        _ => None,
    }
}

/// Values as a key.
fn text(values: &[Value]) -> String {
    format!("{values:?}")
}

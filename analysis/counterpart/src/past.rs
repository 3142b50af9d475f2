//! What recorded code did with objects that the recording does not tell the content of: those of the JDK, and of other code that is not recorded.

use std::time::Instant;

use jinsi_history::{History, NodeKind, NodeNo, Outcome, Tables};
use jinsi_inspect::Inspector;
use jinsi_natural::Natural;
use jinsi_trace::model::{CallOp, ClassOrigin, Detail, EventId, ObjectId, Prim, Value};
use jinsi_trace::reader::Trace;
use rustc_hash::FxHashMap;

use crate::doubt::Doubt;
use crate::foreign::{Foreign, Foreigns};
use crate::methods::{self, Part};

/// Of longer recordings nothing is repeated: all of it would have to be in memory.
const EVENTS: u64 = 8_000_000;

/// Of primitive arrays with more elements it is not kept what they held: buffers of readers are recorded again and again.
const ELEMENTS: u64 = 2_048;

/// Copies of copies that are followed.
const COPIES: usize = 3;

/// The run as calls, by the objects that they were about.
#[derive(Debug)]
pub(crate) struct Past {
    pub(crate) history: History,
    natural: Natural,
    /// What was done first with elements of arrays of arrays: when, and the value that was read; nothing if it was written.
    rows: FxHashMap<(ObjectId, u32), Option<Value>>,
    /// Of objects whose class inherits from one that is not recorded, the call of that one's constructor.
    supers: FxHashMap<ObjectId, NodeNo>,
    foreign: Foreigns,
}

impl Past {
    /// Of a trace, unless it is too long.
    pub(crate) fn of(trace: &Trace) -> Option<Self> {
        let events: u64 = (trace.threads().iter())
            .map(|thread| trace.event_count(thread.no))
            .sum();
        if events > EVENTS || trace.window().is_some() || trace.meta().detail == Detail::Boundary {
            return None;
        }
        let tables = Tables::new(
            trace.classes().iter().cloned(),
            trace.sites().iter().cloned(),
            trace.throwables().iter().cloned(),
            trace.failures().iter().cloned(),
        );
        let mut is_whole = true;
        let events = trace.merged_with_elements(ELEMENTS).map_while(|event| {
            is_whole &= event.is_ok();
            event.ok()
        });
        let history = History::build_merged(tables, events).ok()?;
        if !is_whole {
            return None;
        }
        let supers = supers(&history);
        Some(Self {
            rows: rows(&history),
            foreign: Foreigns::of(&history),
            history,
            natural: Natural::default(),
            supers,
        })
    }

    /// The call of a constructor of a class that is not recorded, by which an object of a recorded class began.
    pub(crate) fn began(&self, id: ObjectId) -> Option<NodeNo> {
        self.supers.get(&id).copied()
    }

    /// What a call looked for that is not the program's doing, from its first event to its last.
    pub(crate) fn looked_for(&self, begin: EventId, end: Option<EventId>) -> Option<Foreign> {
        let begin = self.history.moment_of(begin)?;
        let end = end.and_then(|end| self.history.moment_of(end));
        self.foreign.within(begin, end)
    }

    /// Was a field or element of one of these objects written as memory, past what is recorded?
    pub(crate) fn is_written_past(&self, mut objects: impl Iterator<Item = ObjectId>) -> bool {
        objects.any(|id| self.foreign.is_written_past(id))
    }

    /// Is the class of an object one whose fields are recorded?
    pub(crate) fn is_recorded(&self, id: ObjectId) -> bool {
        let class = self.history.object(id).map(|object| object.class);
        let class = class.and_then(|class| self.history.tables().class(class));
        class.is_some_and(|c| matches!(c.origin, ClassOrigin::Observed | ClassOrigin::Inherited))
    }

    pub(crate) fn class(&self, id: ObjectId) -> &str {
        self.history.class_of(id).unwrap_or_default()
    }

    /// Was an array given to code that is not recorded, and that may have kept it? What it writes later is not reported.
    pub(crate) fn is_kept(&self, id: ObjectId) -> bool {
        let mentions = self.history.object(id).map_or(&[][..], |o| o.mentions());
        let keeps = |n: &NodeNo| {
            let target = self.history.site(*n).map(|site| &site.target);
            target.is_none_or(methods::writes_later)
        };
        self.history.is_threaded() || mentions.iter().any(keeps)
    }

    /// Was something copied into an array from one of which it is not kept what it held?
    pub(crate) fn is_of_large(&self, id: ObjectId) -> bool {
        self.copies_large(id, COPIES)
    }

    fn copies_large(&self, id: ObjectId, depth: usize) -> bool {
        let mentions = self.history.object(id).map_or(&[][..], |o| o.mentions());
        mentions.iter().any(|n| {
            let is_target = self.history.copied(*n).is_some_and(|(to, _)| to == id);
            let Some(Value::Object(from)) = self.history.args(*n).first().filter(|_| is_target)
            else {
                return false;
            };
            let length = self.history.object(*from).and_then(|from| from.length);
            length.is_none_or(|length| u64::from(length) > ELEMENTS)
                || depth > 0 && *from != id && self.copies_large(*from, depth - 1)
        })
    }

    /// What an element of an array of arrays held from the beginning: the JVM may have made what it holds. Nothing if nobody looked.
    pub(crate) fn row(&self, array: ObjectId, index: u32) -> Option<Value> {
        self.rows.get(&(array, index)).cloned().flatten()
    }

    /// How a call is about an object.
    pub(crate) fn part(&self, n: NodeNo, id: ObjectId) -> Part {
        let history = &self.history;
        let object = Value::Object(id);
        if history.node(n).kind == NodeKind::GetStatic {
            return Part::Gives;
        }
        if *history.receiver(n) == object {
            return Part::Receives;
        }
        if history.outcome(n) == Outcome::Return(Some(object.clone())) {
            return Part::Gives;
        }
        let Some(site) = history.site(n) else {
            return Part::None;
        };
        let is_factory = !history.has_receiver(n) && site.op != CallOp::Dynamic;
        match is_factory || methods::may_change_arguments(&site.target, self.class(id)) {
            true => Part::IsGiven,
            false => Part::None,
        }
    }

    /// Why a call cannot be repeated, if it cannot.
    pub(crate) fn refuses(&self, n: NodeNo, class: &str) -> Option<Doubt> {
        let class = class.to_owned();
        let history = &self.history;
        let site = history.site(n)?;
        let (owner, name) = (site.target.owner.as_str(), site.target.name.as_str());
        let method = format!("{}.{name}", owner.replace('/', "."));
        if site.op == CallOp::Dynamic {
            return Some(Doubt::Lambda { class });
        }
        // What the program brings along the other version has, too: in its release.
        let is_resource = methods::is_resource(owner, name);
        if methods::is_of_machine(owner) && !is_resource {
            return Some(Doubt::Machine { class, method });
        }
        let made = !history.has_receiver(n) && history.node(n).kind == NodeKind::Call;
        let asks = made && self.natural.is_answered(owner, name, &site.target.desc);
        if asks && !is_resource && !methods::is_set_up(owner, name) {
            return Some(Doubt::Environment { class, method });
        }
        let callee = self.ran_within(n)?;
        Some(Doubt::CalledBack {
            class,
            method,
            callee,
        })
    }

    /// A recorded method that ran within a call, and may have changed something.
    fn ran_within(&self, n: NodeNo) -> Option<String> {
        let history = &self.history;
        let mut at = n.next();
        let end = history.node(n).end;
        while at < end {
            let node = history.node(at);
            let is_activation = node.kind == NodeKind::Activation;
            let name = history.site(at).map_or("", |site| site.method.as_str());
            match is_activation {
                true if name == "<clinit>" || methods::is_pure(name) => at = node.end,
                true => return Some(name.to_owned()),
                false => at = at.next(),
            }
        }
        None
    }

    /// Is a call that has not ended at a moment one that had not done anything yet: did it only ask objects what they are?
    pub(crate) fn is_asking(&self, n: NodeNo) -> bool {
        let name = self.history.site(n).map_or("", |site| &site.target.name);
        self.ran_within(n).is_none() && !name.contains("sort")
    }
}

/// The recording.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a, 't> {
    pub(crate) inspector: &'a Inspector<'t>,
    /// What can be repeated of it.
    pub(crate) past: Option<&'a Past>,
    /// Objects that came out otherwise when they were made by repeating calls, and how.
    pub(crate) failed: Option<&'a Failed>,
    /// What is not found out by then is not known.
    pub(crate) until: Option<Instant>,
}

/// Objects that the other version does not have, and why.
#[derive(Clone, Debug, Default)]
pub(crate) struct Failed {
    /// Those that cannot be made as they were recorded.
    pub(crate) made: FxHashMap<ObjectId, Doubt>,
    /// Those that it does not have where they have their home, either.
    pub(crate) homeless: FxHashMap<ObjectId, Doubt>,
}

impl<'a, 't> Source<'a, 't> {
    /// Nothing is repeated.
    pub(crate) fn plain(inspector: &'a Inspector<'t>) -> Self {
        Self {
            inspector,
            past: None,
            failed: None,
            until: None,
        }
    }
}

/// What was done first with elements of arrays of arrays.
fn rows(history: &History) -> FxHashMap<(ObjectId, u32), Option<Value>> {
    let mut rows = FxHashMap::default();
    for (no, node) in history.nodes() {
        let reads = match node.kind {
            NodeKind::ArrayLoad => true,
            NodeKind::ArrayStore => false,
            _ => continue,
        };
        let (Value::Object(id), Some(Value::Prim(Prim::Int(index)))) =
            (history.receiver(no), history.args(no).first())
        else {
            continue;
        };
        let is_nested = history.class_of(*id).is_some_and(|c| c.starts_with("[["));
        if let Ok(index) = u32::try_from(*index)
            && is_nested
        {
            rows.entry((*id, index))
                .or_insert_with(|| match history.outcome(no) {
                    Outcome::Return(value) if reads => value,
                    _ => None,
                });
        }
    }
    rows
}

/// The calls of constructors of classes that are not recorded, by the objects of recorded classes that they began.
fn supers(history: &History) -> FxHashMap<ObjectId, NodeNo> {
    let mut all = FxHashMap::default();
    for (no, node) in history.nodes() {
        if node.kind != NodeKind::Call {
            continue;
        }
        let site = history.site(no);
        let is_super = site.is_some_and(|s| s.op == CallOp::Special && s.target.name == "<init>");
        let Some(parent) = history.parent(no).filter(|_| is_super) else {
            continue;
        };
        if let jinsi_history::Entity::Object(id) = history.entity(parent) {
            all.insert(id, no);
        }
    }
    all
}

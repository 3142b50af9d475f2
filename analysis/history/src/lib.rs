//! The history: streams of events as trees of activations, calls and accesses.
//!
//! A node is an activation, a call or an access. The nodes of a thread are numbered in time order, so the subtree of a node is a range
//! of numbers. Nodes refer to each other by number, and take memory linear in the number of events.
//!
//! A *moment* is a position in the stream. Moments are finer than nodes: a content that is recorded while a call runs lies between the
//! call's beginning and its close.
//!
//! A history covers one thread, or all. A history of all threads is built from the merged stream ([`jinsi_trace::order`]). Its moments
//! tell the order between threads, and the nodes of each thread are numbered behind those of the thread before. A history of one thread
//! does not see what other threads did to shared objects: such changes have no explanation in it.

mod arrays;
mod build;
pub mod damage;
pub mod describe;
pub mod failures;
pub mod info;
pub mod losses;
mod moment;
mod natural_ops;
mod node;
mod objects;
mod reading;
mod repeated;
#[cfg(any(test, feature = "testing"))]
pub mod script;
mod snapshot;
mod statics;
mod tables;
#[cfg(test)]
mod tests;
mod threads;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use jinsi_trace::model::{
    CallOp, Content, EventId, MarkNo, MemberRef, ObjectId, Phase, Site, SiteNo, ThreadNo, Value,
    box_class,
};

pub use build::rolling::{Over, Rolling};
pub use build::stretches::Stretches;
use moment::Calendar;
pub use moment::Moment;
use node::Ended;
pub use node::{Entity, Node, NodeKind, NodeNo, Outcome, TooLong};
pub use objects::ObjectRecord;
use objects::Objects;
pub use reading::Gap;
pub use snapshot::Snapshot;
pub use statics::Statics;
pub use tables::Tables;

use threads::ThreadBlocks;

/// The history of one thread, or of all.
#[derive(Debug)]
pub struct History {
    tables: Tables,
    threads: ThreadBlocks,
    calendar: Calendar,
    nodes: Vec<Node>,
    values: Vec<Value>,
    objects: Objects,
    statics: statics::ReportedStatics,
    /// Where tests began and ended.
    marks: Vec<(Moment, MarkNo, Phase)>,
    moments: Moment,
    anomalies: u64,
    before_window: u64,
    /// What of the events could not be read.
    gaps: Vec<Gap>,
}

impl History {
    /// The tables of the trace.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// The thread of node `n`.
    pub fn thread_of(&self, n: NodeNo) -> ThreadNo {
        self.threads.of(n)
    }

    /// When the event happened; `None` if it is not in this history. Takes time logarithmic in how often the threads take turns.
    pub fn moment_of(&self, event: EventId) -> Option<Moment> {
        self.calendar.moment(event)
    }

    /// The event that happened at `at`; `None` if none did. Takes time as [`Self::moment_of`].
    pub fn event_at(&self, at: Moment) -> Option<EventId> {
        self.calendar.event(at)
    }

    /// Have several threads done something?
    pub fn is_threaded(&self) -> bool {
        self.threads.are_several()
    }

    /// The last moment in `from..to` at which `thread` had waited for others, if there is one: what it did behind that comes after what
    /// they had done. Only if there are several threads.
    pub fn last_acquire(&self, thread: ThreadNo, from: Moment, to: Moment) -> Option<Moment> {
        self.threads.last_acquire(thread, from, to)
    }

    /// Where `thread` had waited for others in observed code: at which of its meetings with them ([`jinsi_trace::order::Meetings`]), from 1, and the
    /// moment from which on it goes. What orders it between two meetings counts at the second one: it touches nothing before that
    /// others touch, too, if nothing races. `counts`: only meetings in the code of such classes (internal names) are counted; `None`: all are. The
    /// result is `None` if not so much was counted.
    pub fn waits(
        &self,
        thread: ThreadNo,
        counts: Option<&dyn Fn(&str) -> bool>,
    ) -> Option<Vec<(u32, Moment)>> {
        let Some(counts) = counts else {
            return self.threads.waits(thread, None);
        };
        let of_site = |site: SiteNo| {
            let class = self.tables.site(site).map(|s| s.class);
            class.is_some_and(|class| counts(self.tables.class_name(class)))
        };
        self.threads.waits(thread, Some(&of_site))
    }

    /// The first moment in `from..to` at which `thread` let others go on that had been ordered since it last did, if there is one.
    pub fn first_release(&self, thread: ThreadNo, from: Moment, to: Moment) -> Option<Moment> {
        self.threads.first_release(thread, from, to)
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Did nothing happen?
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Moment of the last event.
    pub fn last_moment(&self) -> Moment {
        self.moments
    }

    /// Events that did not fit their surroundings and were repaired or left out.
    pub fn anomalies(&self) -> u64 {
        self.anomalies
    }

    /// What static fields held where the history begins, by the internal name of the class, which was initialized before. Nothing if the
    /// history begins with the program.
    pub fn statics(&self) -> &BTreeMap<String, Statics> {
        self.statics.classes()
    }

    /// Calls and accesses that were left out, because the calls they belong to had begun before the window of the recording.
    pub fn before_window(&self) -> u64 {
        self.before_window
    }

    /// The first and the last moment of the test `no`, if a thread reported it; its last is that of the stream if it did not end.
    pub fn test_span(&self, no: MarkNo) -> Option<(Moment, Moment)> {
        let mut of_test = self.marks.iter().filter(|(_, test, _)| *test == no);
        let (begin, ..) = of_test.find(|(.., phase)| *phase == Phase::Begin)?;
        let end = of_test.find(|(.., phase)| *phase != Phase::Begin);
        Some((*begin, end.map_or(self.moments, |(moment, ..)| *moment)))
    }

    /// The test that began last of those that did not end, as of a run that was ended while they ran.
    pub fn running_test(&self) -> Option<MarkNo> {
        let mut ended = BTreeSet::new();
        self.marks
            .iter()
            .rev()
            .find_map(|(_, no, phase)| match phase {
                Phase::Begin => (!ended.contains(no)).then_some(*no),
                Phase::End | Phase::Failed => {
                    ended.insert(*no);
                    None
                }
            })
    }

    /// Where tests other than `no` began and ended, and on which thread, in the order of their beginnings.
    pub fn other_tests(&self, no: MarkNo) -> Vec<(Moment, Moment, ThreadNo)> {
        let begins = self.marks.iter();
        let begins = begins.filter(|(_, test, phase)| *test != no && *phase == Phase::Begin);
        begins
            .filter_map(|(begin, test, _)| {
                let (_, end) = self.test_span(*test)?;
                let thread = self.event_at(*begin)?.thread;
                Some((*begin, end, thread))
            })
            .collect()
    }

    /// Internal name of the class whose code does `n`; empty if that is code which was not recorded.
    pub fn source_class(&self, n: NodeNo) -> &str {
        if self.by_outside(n) {
            return "";
        }
        let ancestors = std::iter::successors(self.parent(n), |&p| self.parent(p));
        let mut activations = ancestors.filter(|&p| self.node(p).kind == NodeKind::Activation);
        activations.next().map_or("", |p| self.entity_class(p))
    }

    /// Node `n`, which must be below [`Self::len`].
    pub fn node(&self, n: NodeNo) -> &Node {
        &self.nodes[n.index()]
    }

    /// All nodes, those of a thread in time order.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeNo, &Node)> {
        self.nodes
            .iter()
            .enumerate()
            .map(|(n, node)| (NodeNo::from_index(n), node))
    }

    /// The numbers of all nodes, ascending.
    pub fn numbers(&self) -> impl DoubleEndedIterator<Item = NodeNo> + ExactSizeIterator + Clone {
        NodeNo::first(self.nodes.len())
    }

    /// The numbers of the nodes below `n`, ascending.
    pub fn below(
        &self,
        n: NodeNo,
    ) -> impl DoubleEndedIterator<Item = NodeNo> + ExactSizeIterator + Clone {
        n.next().until(self.node(n).end)
    }

    /// The parent of `n`, if it has one.
    pub fn parent(&self, n: NodeNo) -> Option<NodeNo> {
        self.node(n).parent
    }

    /// The direct children of `n`, in time order.
    pub fn children(&self, n: NodeNo) -> impl Iterator<Item = NodeNo> {
        let end = self.node(n).end;
        let first = Some(n.next()).filter(|&c| c < end);
        std::iter::successors(first, move |&c| Some(self.node(c).end).filter(|&c| c < end))
    }

    /// Receiver of `n`; `Null` for static members and constructors.
    pub fn receiver(&self, n: NodeNo) -> &Value {
        let node = self.node(n);
        if node.has_receiver {
            &self.values[node.values as usize]
        } else {
            &Value::Null
        }
    }

    /// Has `n` a receiver (which may be `null`)?
    pub fn has_receiver(&self, n: NodeNo) -> bool {
        self.node(n).has_receiver
    }

    /// Arguments of `n`: of a write the value, of array accesses the index (and the value stored).
    pub fn args(&self, n: NodeNo) -> &[Value] {
        let node = self.node(n);
        let from = node.values as usize + usize::from(node.has_receiver);
        &self.values[from..(node.values + node.count) as usize]
    }

    /// How `n` ended. A constructor returns the new object.
    pub fn outcome(&self, n: NodeNo) -> Outcome {
        let node = self.node(n);
        match node.ended {
            Ended::Open => Outcome::Open,
            Ended::Throw(id) => Outcome::Throw(id),
            _ if node.object != 0 && self.is_constructor(n) => {
                Outcome::Return(Some(Value::Object(node.object)))
            }
            Ended::Void => Outcome::Return(None),
            Ended::Value(at) => Outcome::Return(Some(self.values[at as usize].clone())),
        }
    }

    /// Did `n` end by the throwable `id`?
    pub fn threw(&self, n: NodeNo, id: ObjectId) -> bool {
        self.node(n).ended == Ended::Throw(id)
    }

    /// Site of `n`.
    pub fn site(&self, n: NodeNo) -> Option<&Site> {
        self.tables.site(self.node(n).site)
    }

    /// The call site of `n`: of a call its own, of an activation the one that led to it, if that was recorded.
    pub fn call_site(&self, n: NodeNo) -> Option<&Site> {
        let node = self.node(n);
        match node.kind {
            NodeKind::Activation => self.tables.site(node.call_site?),
            _ => self.tables.site(node.site),
        }
    }

    /// Is `n` the activation or call of a constructor?
    pub fn is_constructor(&self, n: NodeNo) -> bool {
        matches!(self.node(n).kind, NodeKind::Activation | NodeKind::Call)
            && self.site(n).is_some_and(|s| match self.node(n).kind {
                NodeKind::Activation => s.method == "<init>",
                _ => s.op == CallOp::New,
            })
    }

    /// The member that ran (activations: as declared) or was named (calls and accesses).
    pub fn member(&self, n: NodeNo) -> Option<MemberRef> {
        let site = self.site(n)?;
        Some(match self.node(n).kind {
            NodeKind::Activation => MemberRef {
                owner: self.tables.class_name(site.class).into(),
                name: site.method.clone(),
                desc: site.desc.clone(),
            },
            _ => site.target.clone(),
        })
    }

    /// Whose code the activation `n` is.
    pub fn entity(&self, n: NodeNo) -> Entity {
        let node = self.node(n);
        if node.object != 0 {
            return Entity::Object(node.object);
        }
        if self.is_constructor(n) {
            let mut outermost = n;
            while self.continues_construction(outermost)
                && let Some(parent) = self.parent(outermost)
            {
                outermost = parent;
            }
            return Entity::Unborn(outermost);
        }
        self.site(n)
            .map_or(Entity::Outside, |s| Entity::Class(s.class))
    }

    /// Is `n` an access by code that was not recorded?
    pub fn by_outside(&self, n: NodeNo) -> bool {
        self.site(n).is_some_and(|s| s.outside)
    }

    /// Whose code does `n`: the entity of the innermost activation around it, unless it is an access by code outside.
    pub fn source(&self, n: NodeNo) -> Entity {
        if self.by_outside(n) {
            return Entity::Outside;
        }
        let mut at = self.parent(n);
        while let Some(p) = at {
            if self.node(p).kind == NodeKind::Activation {
                return self.entity(p);
            }
            at = self.parent(p);
        }
        Entity::Outside
    }

    /// Is the constructor activation `n` a `super(…)` or `this(…)` call of the constructor activation around it?
    pub fn continues_construction(&self, n: NodeNo) -> bool {
        let Some(parent) = self.parent(n) else {
            return false;
        };
        let (inner, outer) = (self.node(n), self.node(parent));
        let led_to = inner.call_site.and_then(|call| self.tables.site(call));
        let by_new = led_to.is_some_and(|call| call.op == CallOp::New);
        outer.kind == NodeKind::Activation
            && !by_new
            && self.is_constructor(n)
            && self.is_constructor(parent)
            && (inner.object == outer.object || inner.object == 0 || outer.object == 0)
    }

    /// Internal name of the run-time class of the entity of activation `n`.
    pub fn entity_class(&self, n: NodeNo) -> &str {
        let declared = |n: NodeNo| self.site(n).map_or("", |s| self.tables.class_name(s.class));
        match self.entity(n) {
            Entity::Outside => "",
            Entity::Class(no) => self.tables.class_name(no),
            Entity::Object(id) => self.class_of(id).unwrap_or_else(|| declared(n)),
            Entity::Unborn(outermost) => match self.call_site(outermost) {
                Some(site) if site.op == CallOp::New => &site.target.owner,
                _ => declared(outermost),
            },
        }
    }

    /// Internal name of the run-time class of object `id`.
    pub fn class_of(&self, id: ObjectId) -> Option<&str> {
        let class = self.objects.get(id)?.class;
        self.tables.class(class).map(|c| c.name.as_str())
    }

    /// Internal name of the run-time class of a reference; `None` for `null`, primitives and objects never defined.
    pub fn class_of_value(&self, value: &Value) -> Option<&str> {
        match value {
            Value::Object(id) => self.class_of(*id),
            Value::Str(_) => Some("java/lang/String"),
            Value::Class(_) => Some("java/lang/Class"),
            Value::Boxed(prim) => box_class(prim.letter()),
            Value::Null | Value::Prim(_) => None,
        }
    }

    /// Is `id` an object of a class of the JDK's whose objects have identity hash codes?
    pub fn is_identity_hashed(&self, id: ObjectId) -> bool {
        self.objects
            .get(id)
            .is_some_and(|o| self.tables.is_identity_hashed(o.class))
    }

    /// What is known of object `id`.
    pub fn object(&self, id: ObjectId) -> Option<&ObjectRecord> {
        self.objects.get(id)
    }

    /// All objects, in no order.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &ObjectRecord)> {
        self.objects.all()
    }

    /// Has every object that a value names got its identity in this history? Of a history of one thread: not in another one.
    pub fn defines_all(&self) -> bool {
        let known = |value: &Value| match value {
            Value::Object(id) => self.objects.get(*id).is_some(),
            _ => true,
        };
        self.values.iter().all(known)
    }

    /// Was the object made by something else than a recorded constructor (`clone`, deserialization, `Unsafe`), so that what it
    /// holds is known from recorded fields, if it holds anything?
    pub fn made_without_constructor(&self, id: ObjectId) -> bool {
        self.objects.get(id).is_some_and(|o| {
            let class = self.tables.class(o.class).map_or("", |c| &c.name);
            !o.constructed && (self.objects.has_fields(id) || self.tables.has_no_fields(class))
        })
    }

    /// Contents recorded, of all objects, in time order.
    pub fn snapshots(&self) -> &[Snapshot] {
        self.objects.snapshots()
    }

    /// The last content recorded of `id` at or before `at`.
    pub fn snapshot_at(&self, id: ObjectId, at: Moment) -> Option<&Snapshot> {
        self.objects.snapshot_at(id, at)
    }

    /// The text from which the value or constant `id` can be made again; not what a builder of texts holds for a while, nor the name of a member that a
    /// reflective object stands for ([`Self::member_text`]).
    pub fn value_text(&self, id: ObjectId) -> Option<String> {
        let is_builder = self.class_of(id) == Some("java/lang/StringBuilder");
        let text = self.text(id);
        text.filter(|_| !is_builder && !self.is_reflective(id))
    }

    /// The member that the reflective object `id` (`Field`, `Method`, `VarHandle`, …) stands for, as
    /// `pkg.Class.member:descriptor`.
    pub fn member_text(&self, id: ObjectId) -> Option<String> {
        self.text(id).filter(|_| self.is_reflective(id))
    }

    fn text(&self, id: ObjectId) -> Option<String> {
        match &self.snapshot_at(id, Moment::END)?.content {
            Content::Text(text) => Some(text.to_string()),
            _ => None,
        }
    }

    /// Only the JDK can define classes in these packages, and no value that is made from its text is in them.
    fn is_reflective(&self, id: ObjectId) -> bool {
        let class = self.class_of(id).unwrap_or("");
        ["java/lang/reflect/", "java/lang/invoke/"]
            .iter()
            .any(|p| class.starts_with(p))
            || class.starts_with("java/util/concurrent/atomic/") && class.contains("FieldUpdater")
    }

    /// What array `id` held right after moment `at`: snapshots, and the stores since. Arrays that first appear without a
    /// content start zeroed. `None` if it is no array, or was larger than the bound.
    pub fn array_at(&self, id: ObjectId, at: Moment) -> Option<Content> {
        let record = self.objects.get(id)?;
        let log = record.array()?;
        log.at(at, self.objects.snapshots()).map(Content::Array)
    }

    /// The elements that node `n` wrote if it is a call of `System.arraycopy` that returned: the array, and which ones of it.
    pub fn copied(&self, n: NodeNo) -> Option<(ObjectId, Range<u32>)> {
        self.site(n).filter(|site| arrays::is_array_copy(site))?;
        let (Outcome::Return(_), [_, _, Value::Object(array), to, count]) =
            (self.outcome(n), self.args(n))
        else {
            return None;
        };
        let (to, count) = (arrays::index(to)?, arrays::index(count)?);
        Some((*array, to..to.checked_add(count)?))
    }
}

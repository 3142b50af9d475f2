//! How objects are made that the recording does not tell the content of: what recorded code did with them is done once more.
//!
//! A list is what its constructor and all `add` and `remove` made of it. So of each object that is wanted the calls are taken that it was called by, that
//! gave it, or that may have changed it as an argument; and those of all that these need. They come in the order of the run, up to a moment.
//! A call in which recorded code ran that may have changed something is not repeated; nor what asks the machine. Then the object is not known.

use std::collections::BTreeSet;
use std::ops::Range;

use jinsi_history::{Moment, NodeKind, NodeNo, Outcome};
use jinsi_inspect::{InspectError, Seen};
use jinsi_trace::model::{CallOp, Content, MemberRef, ObjectId, ThreadNo, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::doubt::Doubt;
use crate::graph::{Parts, Val};
use crate::methods::{self, Part};
use crate::past::{Past, Source};
use crate::taking::{LOADER, Taking, is_value};

/// Calls that are repeated for one question, and elements of arrays that are reported for that.
const CALLS: usize = 100_000;
const ELEMENTS: usize = 4_000_000;

/// Something that is done once more.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// An array holds this now.
    Fill(usize, Vec<Val>),
    /// A call.
    Call(Box<Repeated>),
}

/// How a call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// Of a constructor.
    New = 0,
    Static = 1,
    /// Of a method of the first argument's class.
    Virtual = 2,
    /// Of the very method.
    Special = 3,
    /// It is the read of a static field.
    Field = 4,
    /// Of a superclass's constructor, for a new object of another class.
    Super = 5,
}

/// A call that is repeated.
#[derive(Clone, Debug)]
pub(crate) struct Repeated {
    pub(crate) how: How,
    pub(crate) target: MemberRef,
    /// Class whose code called.
    pub(crate) caller: String,
    /// Receiver, if there is one, and arguments.
    pub(crate) given: Vec<Val>,
    pub(crate) came: RecordedOutcome,
}

/// What came of it in the recorded run.
#[derive(Clone, Debug)]
pub(crate) enum RecordedOutcome {
    /// It does not matter.
    Anything,
    Returned(Val),
    Threw,
}

/// What is repeated.
#[derive(Clone, Debug, Default)]
pub(crate) struct Script {
    pub(crate) ops: Vec<Op>,
    /// May what it makes print, unseen by the recording?
    pub(crate) prints: bool,
}

impl Script {
    /// Is something made of what lies beside the program's classes?
    pub(crate) fn looks_beside(&self) -> bool {
        self.ops.iter().any(|op| match op {
            Op::Fill(..) => false,
            Op::Call(call) => methods::looks_beside(&call.target.owner, &call.target.name),
        })
    }

    /// Something is made that writes to where the program prints.
    fn find_prints(&mut self) {
        let mut out = FxHashSet::default();
        for op in &self.ops {
            let Op::Call(call) = op else { continue };
            match (call.how, &call.came) {
                (How::Field, RecordedOutcome::Returned(Val::Object(no)))
                    if call.target.owner == "java/lang/System" =>
                {
                    out.insert(*no);
                }
                (How::New | How::Static | How::Super, _) => {
                    let mut given = call.given.iter();
                    self.prints |=
                        given.any(|val| matches!(val, Val::Object(no) if out.contains(no)));
                }
                _ => {}
            }
        }
    }
}

/// Tells what the objects hold that were met, with those that repeated calls make, and how these are made.
pub(crate) fn fill(
    taking: &mut Taking<'_, '_>,
    source: Source<'_, '_>,
    at: jinsi_inspect::Moment,
) -> Result<Script, InspectError> {
    taking.until = source.until;
    taking.failed = source.failed.cloned().unwrap_or_default();
    let past = source.past;
    let past = past.and_then(|past| Some((past, past.history.moment_of(at.event)?)));
    let Some((past, at)) = past else {
        taking.fill(None)?;
        return Ok(Script::default());
    };
    let mut making = Making {
        past,
        at,
        calls: BTreeSet::new(),
        made: taking.known.homes().collect(),
        failed: taking.failed.made.clone(),
    };
    let mut reported = FxHashSet::default();
    loop {
        taking.fill(Some((past, at)))?;
        let wanted = std::mem::take(&mut taking.unmade);
        if wanted.is_empty() {
            break;
        }
        for id in wanted {
            if let Err(why) = making.want(id) {
                taking.fails(id, why);
            }
        }
        // What these calls were given and gave is met by that.
        for (_, n) in &making.calls {
            if reported.insert(*n) {
                making.values(*n).iter().for_each(|value| {
                    taking.value(&Seen::Known(value.clone()));
                });
            }
        }
    }
    Ok(making.script(taking))
}

struct Making<'p> {
    past: &'p Past,
    at: Moment,
    /// In the order of the run.
    calls: BTreeSet<(Moment, NodeNo)>,
    /// What they make.
    made: FxHashSet<ObjectId>,
    failed: FxHashMap<ObjectId, Doubt>,
}

impl Making<'_> {
    /// Takes the calls that make an object, with all that these need.
    fn want(&mut self, id: ObjectId) -> Result<(), Doubt> {
        let mut calls = Vec::new();
        let mut seen = FxHashSet::from_iter([id]);
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if self.made.contains(&id) {
                continue;
            }
            if let Some(why) = self.failed.get(&id) {
                return Err(why.clone());
            }
            let needed = match self.calls_of(id, &mut calls) {
                Ok(needed) => needed,
                Err(why) => {
                    self.failed.insert(id, why.clone());
                    return Err(why);
                }
            };
            if self.calls.len() + calls.len() > CALLS {
                return Err(Doubt::TooManyCalls);
            }
            pending.extend(needed.into_iter().filter(|id| seen.insert(*id)));
        }
        self.calls.extend(calls);
        self.made.extend(seen);
        Ok(())
    }

    /// Adds the calls that an object takes part in; the objects that they need.
    fn calls_of(
        &self,
        id: ObjectId,
        calls: &mut Vec<(Moment, NodeNo)>,
    ) -> Result<Vec<ObjectId>, Doubt> {
        let past = self.past;
        let mut needed = Vec::new();
        let class = past.class(id);
        // Of these the content is known, or there is none.
        let began = past.began(id);
        let is_reported = class.starts_with('[') || class == "java/lang/Object";
        if is_reported || self.is_known_by_text(id) || past.is_recorded(id) && began.is_none() {
            return Ok(needed);
        }
        let named = || class.replace('/', ".");
        if methods::is_of_machine(class) {
            return Err(Doubt::OfMachine { class: named() });
        }
        let mut born = false;
        let mentions = past.history.object(id).map_or(&[][..], |o| o.mentions());
        for n in mentions.iter().copied().chain(began) {
            let part = match Some(n) == began {
                true => Part::Gives,
                false => past.part(n, id),
            };
            if !self.matters(n, part, class)? {
                continue;
            }
            if let Some(why) = self.refuses(n, (part, mentions), &named()) {
                return Err(why);
            }
            born |= part == Part::Gives;
            calls.push((self.moment(n), n));
            needed.extend(self.needs(n));
        }
        match born {
            true => Ok(needed),
            false => Err(Doubt::NotBorn { class: named() }),
        }
    }

    /// Has a call, which is so about an object, made of it what it is at the moment?
    fn matters(&self, n: NodeNo, part: Part, class: &str) -> Result<bool, Doubt> {
        let history = &self.past.history;
        let (node, Some(site)) = (history.node(n), history.site(n)) else {
            return Ok(false);
        };
        let idle = part != Part::Gives && methods::is_idle(&site.target);
        if node.begin > self.at || part == Part::None || idle {
            return Ok(false);
        }
        // Who is asked what he is while a call goes on finds everything as it was before.
        // It gives nothing before it ends, and puts nothing.
        let is_later = part == Part::Gives || methods::puts_what_it_gives(&site.target);
        match node.close > self.at {
            true if is_later || self.past.is_asking(n) => Ok(false),
            true => Err(Doubt::Midst {
                class: class.replace('/', "."),
                method: site.target.name.to_string(),
            }),
            false => Ok(true),
        }
    }

    /// When a call is repeated among the others.
    fn moment(&self, n: NodeNo) -> Moment {
        let history = &self.past.history;
        let node = history.node(n);
        // What is put is made meanwhile.
        let puts = (history.site(n)).is_some_and(|s| methods::puts_what_it_gives(&s.target));
        if puts { node.close } else { node.begin }
    }

    /// Why a call cannot be repeated, if it cannot.
    fn refuses(
        &self,
        n: NodeNo,
        (part, mentions): (Part, &[NodeNo]),
        class: &str,
    ) -> Option<Doubt> {
        let named = || class.to_owned();
        let target = &self.past.history.site(n)?.target;
        if !methods::puts_what_it_gives(target)
            && let Some(why) = self.past.refuses(n, class)
        {
            return Some(why);
        }
        if self.reads_unknown(n) {
            return Some(Doubt::GivenLargeArray { class: named() });
        }
        let is_now = part == Part::Gives && methods::asks_clock(target);
        (is_now && !self.is_set(mentions)).then(|| Doubt::Now { class: named() })
    }

    /// Does a text say all that an object holds?
    fn is_known_by_text(&self, id: ObjectId) -> bool {
        if self.past.class(id) == LOADER {
            return true;
        }
        let reported = self.past.history.snapshot_at(id, self.at);
        let is_text = reported.is_some_and(|reported| matches!(reported.content, Content::Text(_)));
        is_text && is_value(self.past.class(id))
    }

    /// Does a call read an array of which it is not known what it held?
    fn reads_unknown(&self, n: NodeNo) -> bool {
        let history = &self.past.history;
        let begin = history.node(n).begin;
        let is_unknown = |value: &Value| {
            let array = object(value).filter(|id| self.past.class(*id).starts_with('['));
            array.is_some_and(|id| history.array_at(id, begin).is_none())
        };
        let fills = history
            .site(n)
            .is_some_and(|site| methods::fills_array(&site.target));
        !fills && history.args(n).iter().any(is_unknown)
    }

    /// Is a date set by one of these calls?
    fn is_set(&self, mentions: &[NodeNo]) -> bool {
        let history = &self.past.history;
        let mut names = mentions.iter().filter_map(|n| {
            let before = history.node(*n).close <= self.at;
            history
                .site(*n)
                .filter(|_| before)
                .map(|site| site.target.name.as_str())
        });
        names.any(|name| matches!(name, "setTime" | "setTimeInMillis" | "clear"))
    }

    /// The objects that a call needs, and those of what it gave that may change what they came from.
    fn needs(&self, n: NodeNo) -> Vec<ObjectId> {
        let history = &self.past.history;
        let site = history.site(n);
        let most = match site.is_some_and(|site| methods::puts_what_it_gives(&site.target)) {
            true => 1,
            false => usize::MAX,
        };
        let given = history.args(n).iter().take(most);
        let given = given.chain([history.receiver(n)]);
        let mut all: Vec<ObjectId> = given.filter_map(object).collect();
        all.extend(self.in_arrays(n).iter().filter_map(object));
        if let Outcome::Return(Some(Value::Object(id))) = history.outcome(n)
            && !self.is_apart(id)
        {
            all.push(id);
        }
        all
    }

    /// What is in arrays that a call is given, and reads.
    fn in_arrays(&self, n: NodeNo) -> Vec<Value> {
        let history = &self.past.history;
        if (history.site(n)).is_none_or(|site| methods::fills_array(&site.target)) {
            return Vec::new();
        }
        let arrays = history
            .args(n)
            .iter()
            .filter_map(|value| self.array(value, n));
        let held = arrays.flat_map(|(_, content)| content.values().to_vec());
        held.filter(|value| object(value).is_some()).collect()
    }

    /// Is it of no consequence what becomes of an object that a call gave?
    fn is_apart(&self, id: ObjectId) -> bool {
        let past = self.past;
        let class = past.class(id);
        if methods::is_apart(class) {
            return true;
        }
        let mentions = past.history.object(id).map_or(&[][..], |o| o.mentions());
        let changes = |n: &NodeNo| {
            let site = past.history.site(*n);
            site.is_some_and(|site| methods::changes_by_iterator(&site.target.name))
        };
        methods::is_iterator(class) && !past.is_recorded(id) && !mentions.iter().any(changes)
    }

    /// All values of a call that is repeated.
    fn values(&self, n: NodeNo) -> Vec<Value> {
        let history = &self.past.history;
        let mut values = history.args(n).to_vec();
        values.extend(self.in_arrays(n));
        if history.has_receiver(n) {
            values.insert(0, history.receiver(n).clone());
        }
        if let Outcome::Return(Some(value)) = history.outcome(n)
            && self.is_checked(&value)
        {
            values.push(value);
        }
        values
    }

    /// Does it matter that a call gives this?
    fn is_checked(&self, value: &Value) -> bool {
        match value {
            Value::Object(id) => {
                let is_array = self.past.class(*id).starts_with('[');
                is_array
                    || self.past.is_recorded(*id)
                    || self.made.contains(id)
                    || self.is_known_by_text(*id)
            }
            _ => true,
        }
    }

    fn script(self, taking: &mut Taking<'_, '_>) -> Script {
        let mut script = Script::default();
        let mut held = FxHashMap::default();
        let mut last: FxHashMap<ThreadNo, Range<NodeNo>> = FxHashMap::default();
        for (_, n) in &self.calls {
            let history = &self.past.history;
            let Some(site) = history.site(*n) else {
                continue;
            };
            // What ran within another one runs again with it.
            let thread = history.thread_of(*n);
            if last.get(&thread).is_some_and(|within| within.contains(n)) {
                continue;
            }
            if !methods::puts_what_it_gives(&site.target) {
                last.insert(thread, *n..history.node(*n).end);
            }
            match methods::fills_array(&site.target) {
                true => history.args(*n).iter().filter_map(object).for_each(|id| {
                    held.remove(&id);
                }),
                false => self.fill_arrays(*n, &mut held, (taking, &mut script)),
            }
            let call = self.repeated(*n, taking);
            script.ops.extend(call.map(|call| Op::Call(Box::new(call))));
        }
        let elements = script.ops.iter().map(|op| match op {
            Op::Fill(_, elements) => elements.len(),
            Op::Call(_) => 0,
        });
        if elements.sum::<usize>() > ELEMENTS {
            let made = self.made.iter().copied();
            made.for_each(|id| taking.fails(id, Doubt::LargeArrays));
            script.ops.clear();
        }
        script.find_prints();
        script
    }

    /// Arrays that a call is given hold what they held then.
    fn fill_arrays(
        &self,
        n: NodeNo,
        held: &mut FxHashMap<ObjectId, Content>,
        (taking, script): (&mut Taking<'_, '_>, &mut Script),
    ) {
        for value in self.past.history.args(n) {
            let Some((id, content)) = self.array(value, n) else {
                continue;
            };
            if held.get(&id) == Some(&content) {
                continue;
            }
            let Val::Object(no) = taking.value(&Seen::Known(value.clone())) else {
                continue;
            };
            let all = content.values().iter();
            let all = all.map(|v| taking.value(&Seen::Known(v.clone())));
            script.ops.push(Op::Fill(no, all.collect()));
            held.insert(id, content);
        }
    }

    /// What an array held when it was given to a call.
    fn array(&self, value: &Value, n: NodeNo) -> Option<(ObjectId, Content)> {
        let id = object(value)?;
        let class = self.past.class(id);
        if !class.starts_with('[') || class.starts_with("[[") {
            return None;
        }
        let history = &self.past.history;
        let content = history.array_at(id, history.node(n).begin)?;
        Some((id, content))
    }

    fn repeated(&self, n: NodeNo, taking: &mut Taking<'_, '_>) -> Option<Repeated> {
        let history = &self.past.history;
        let site = history.site(n)?;
        let mut val = |value: &Value| taking.value(&Seen::Known(value.clone()));
        let mut given: Vec<Val> = Vec::new();
        if history.has_receiver(n) {
            given.push(val(history.receiver(n)));
        }
        let key = history.args(n).first().map(&mut val);
        given.extend(history.args(n).iter().map(&mut val));
        let mut how = match (site.op, history.node(n).kind) {
            (_, NodeKind::GetStatic) => How::Field,
            (CallOp::New, _) => How::New,
            (CallOp::Static, _) => How::Static,
            (CallOp::Special, _) if site.target.name == "<init>" => How::Super,
            (CallOp::Special, _) => How::Special,
            _ => How::Virtual,
        };
        let mut came = match history.outcome(n) {
            Outcome::Return(Some(value)) if self.is_checked(&value) => {
                RecordedOutcome::Returned(val(&value))
            }
            Outcome::Throw(_) => RecordedOutcome::Threw,
            _ => RecordedOutcome::Anything,
        };
        let mut target = site.target.clone();
        if how == How::Super {
            let jinsi_history::Entity::Object(id) = history.entity(history.parent(n)?) else {
                return None;
            };
            came = RecordedOutcome::Returned(val(&Value::Object(id)));
        }
        if methods::puts_what_it_gives(&target) {
            let RecordedOutcome::Returned(value) = came else {
                return None;
            };
            let (name, gives) = match value {
                Val::Null => ("remove", "(Ljava/lang/Object;)Ljava/lang/Object;"),
                _ => (
                    "put",
                    "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                ),
            };
            given.truncate(1);
            given.extend(key);
            given.extend((name == "put").then_some(value));
            target = MemberRef {
                owner: "java/util/Map".into(),
                name: name.into(),
                desc: gives.into(),
            };
            (how, came) = (How::Virtual, RecordedOutcome::Anything);
        }
        Some(Repeated {
            how,
            target,
            caller: history.source_class(n).replace('/', "."),
            given,
            came,
        })
    }
}

fn object(value: &Value) -> Option<ObjectId> {
    match value {
        Value::Object(id) => Some(*id),
        _ => None,
    }
}

/// Which objects of a graph count: those that can be reached from what is given, and those that repeated calls may keep.
pub(crate) fn needed(
    objects: &[crate::graph::Object],
    roots: &[&Val],
    script: &Script,
) -> Vec<bool> {
    let mut needed = vec![false; objects.len()];
    let mut pending: Vec<usize> = Vec::new();
    let mut reach = |val: &Val, pending: &mut Vec<usize>| {
        if let Val::Object(no) = val
            && needed.get(*no) == Some(&false)
        {
            needed[*no] = true;
            pending.push(*no);
        }
    };
    roots.iter().for_each(|val| reach(val, &mut pending));
    for op in &script.ops {
        let Op::Call(call) = op else { continue };
        let keeps = methods::keeps_array(&call.target);
        for val in &call.given {
            let is_array =
                matches!(val, Val::Object(no) if matches!(objects[*no].parts, Parts::Elements(_)));
            if keeps || !is_array {
                reach(val, &mut pending);
            }
        }
    }
    while let Some(no) = pending.pop() {
        objects[no]
            .parts
            .values()
            .for_each(|val| reach(val, &mut pending));
    }
    needed
}

//! Containers, iterators and streams that came from the environment, made for real over what the recorded run took from them.
//!
//! A stand-in for one of them would answer as recorded whatever the program asks: a list in the recorded order, though the program's own comparator
//! has been repaired. So a test has the real thing, with what the run got to see of it; and where that cannot be known from the answers, it has none.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_trace::model::{Content, ObjectId, Prim, Value};

use super::Request;
use super::access::{params, result};
use super::java::JavaType;
use super::member::{HOLDERS, is_generic_container};
use super::plan::{Plan, object};
use jinsi_level::{Level, Outcome, Outgoing, Role};

/// Where the JDK's streams are.
pub(super) const STREAMS: &str = "java/util/stream/";
/// Classes of `java.util`, by their simple names, that programs extend to make containers of their own.
const FRAMES: [&str; 4] = [
    "AbstractCollection",
    "AbstractList",
    "AbstractMap",
    "AbstractSet",
];
/// What a stream does on its way that neither leaves elements out nor makes others of them. (What a filter lets through, it lets through again.)
const ON_THE_WAY: [&str; 9] = [
    "distinct",
    "filter",
    "onClose",
    "parallel",
    "peek",
    "sequential",
    "sorted",
    "takeWhile",
    "unordered",
];
/// Steps from a container to what its elements are read off.
const DEEPEST: usize = 12;

/// Is this type of the JDK's one whose objects hold others, or lead through them?
pub(super) fn is_container(class: &str) -> bool {
    let simple = class.strip_prefix("java/util/");
    class == "java/lang/Iterable"
        || class.starts_with(STREAMS)
        || simple.is_some_and(|simple| {
            FRAMES.contains(&simple) || HOLDERS.contains(&simple) || is_generic_container(class)
        })
}

/// What to write in place of stand-ins for containers.
pub(super) struct Real<'a> {
    /// The level, in which they are natural objects with contents.
    pub(super) level: Level,
    /// The answers that others gave.
    pub(super) answers: Vec<&'a Outgoing>,
}

/// The request's level and answers with real containers; `None` if no container is stood in for, or one has to be.
pub(super) fn real<'a>(request: &Request<'a>) -> Option<Real<'a>> {
    let taken = Taken::of(request);
    let found = taken.containers();
    if found.is_empty() {
        return None;
    }
    let mut objects: BTreeMap<ObjectId, (&'static str, Content)> = BTreeMap::new();
    let mut dropped: BTreeSet<ObjectId> = BTreeSet::new();
    for id in found {
        if dropped.contains(&id) {
            continue;
        }
        let mut seen = Seen::default();
        let content = taken.content(id, &mut seen)?;
        let class = taken.class(id, &content)?;
        dropped.extend(seen.ways);
        objects.insert(id, (class, content));
    }
    objects.retain(|id, _| !dropped.contains(id));
    let answers = request.answers.iter().copied();
    let is_own = |answer: &&Outgoing| {
        object(&answer.receiver)
            .is_none_or(|id| !objects.contains_key(&id) && !dropped.contains(&id))
    };
    let answers = answers.filter(is_own).collect();
    let mut level = request.level.clone();
    for (id, (class, content)) in objects {
        let info = level.objects.get_mut(&id)?;
        info.class = class.into();
        info.role = Role::Natural {
            initial: Some(content),
        };
    }
    Some(Real { level, answers })
}

/// What is seen on the way to a container's elements.
#[derive(Default)]
struct Seen {
    /// Iterators, streams and views that the container itself gives.
    ways: BTreeSet<ObjectId>,
}

/// What a run took from the environment.
struct Taken<'r, 'a> {
    request: &'r Request<'a>,
    by_receiver: BTreeMap<ObjectId, Vec<&'a Outgoing>>,
    /// The types that stand-ins are called by, given as and passed as.
    types: BTreeMap<ObjectId, BTreeSet<String>>,
}

impl<'r, 'a> Taken<'r, 'a> {
    fn of(request: &'r Request<'a>) -> Self {
        let mut by_receiver: BTreeMap<ObjectId, Vec<&'a Outgoing>> = BTreeMap::new();
        let mut types: BTreeMap<ObjectId, BTreeSet<String>> = BTreeMap::new();
        let mut used = |value: &Value, class: &str| {
            if let Some(id) = object(value) {
                types.entry(id).or_default().insert(class.to_owned());
            }
        };
        for answer in request.answers.iter().copied() {
            if let Some(id) = object(&answer.receiver) {
                by_receiver.entry(id).or_default().push(answer);
            }
            used(&answer.receiver, &answer.member.owner);
            let given = result(&answer.member.desc);
            if let (Outcome::Return(Some(value)), Some(given)) = (&answer.outcome, given) {
                used(value, class_of(&given));
            }
            for (value, ty) in answer.args.iter().zip(params(&answer.member.desc)) {
                used(value, class_of(&ty));
            }
        }
        let plan = Plan::new(request.level, request.kept);
        for id in plan.mocks(request.level) {
            let passed = plan.usage(id).into_iter().flat_map(|u| &u.passed_as);
            let passed = passed.map(|ty| class_of(ty).to_owned());
            types.entry(id).or_default().extend(passed);
        }
        Self {
            request,
            by_receiver,
            types,
        }
    }

    /// The stand-ins that are used as containers, and as nothing else; those that lead to others first.
    fn containers(&self) -> Vec<ObjectId> {
        let is_one = |(id, types): &(&ObjectId, &BTreeSet<String>)| {
            let info = self.request.level.objects.get(id);
            let stands_in = info.is_some_and(|o| matches!(o.role, Role::Mock | Role::Hidden));
            let general = |class: &String| class == "java/lang/Object";
            stands_in
                && types.iter().any(|class| is_container(class))
                && types
                    .iter()
                    .all(|class| is_container(class) || general(class))
        };
        let all = self.types.iter().filter(is_one).map(|(id, _)| *id);
        // What a container gives was made after it.
        all.collect()
    }

    fn answers(&self, id: ObjectId) -> &[&'a Outgoing] {
        self.by_receiver.get(&id).map_or(&[], Vec::as_slice)
    }

    /// What the stand-in is seen to hold; `None` if that cannot be known.
    fn content(&self, id: ObjectId, seen: &mut Seen) -> Option<Content> {
        let types = self.types.get(&id)?;
        let is_map = types.iter().any(|class| class.ends_with("Map"));
        match is_map {
            true => self.entries(id, seen).map(Content::Entries),
            false => self.elements(id, seen, 0).map(Content::Elements),
        }
    }

    /// The elements of a collection, iterator, stream or `Optional`, as far as the run came.
    fn elements(&self, id: ObjectId, seen: &mut Seen, depth: usize) -> Option<Vec<Value>> {
        if depth > DEEPEST {
            return None;
        }
        let mut found = Found::default();
        for answer in self.answers(id) {
            let Outcome::Return(given) = &answer.outcome else {
                // At the end of an iterator, or of an empty one.
                matches!(answer.member.name.as_str(), "next" | "get" | "orElseThrow")
                    .then_some(())?;
                continue;
            };
            if !answer.effects.is_empty() {
                return None;
            }
            let name = answer.member.name.as_str();
            let arg = answer.args.first();
            match (name, given, arg) {
                ("hashCode" | "equals" | "toString" | "close", ..) => return None,
                ("forEach" | "forEachOrdered" | "ifPresent" | "forEachRemaining", ..) => {
                    let called = answer
                        .callbacks
                        .iter()
                        .filter_map(|c| c.args.first().cloned());
                    found.all(called.collect())?;
                }
                _ if !answer.callbacks.is_empty() && !ON_THE_WAY.contains(&name) => return None,
                ("hasNext" | "hasMoreElements" | "isPresent", Some(truth), _) => {
                    found.goes_on(truth)?
                }
                ("next" | "nextElement" | "orElseThrow", Some(value), _) => {
                    found.next(value, name)?
                }
                ("get", Some(value), None) => found.next(value, "orElseThrow")?,
                ("orElse", Some(value), Some(other)) if value != other => {
                    found.next(value, "orElseThrow")?
                }
                ("get" | "elementAt", Some(value), Some(Value::Prim(Prim::Int(at)))) => {
                    found.at(usize::try_from(*at).ok()?, value)?;
                }
                ("getFirst" | "element" | "peek" | "firstElement" | "first", Some(value), None) => {
                    found.at(0, value)?;
                }
                ("size" | "count", Some(count), _) => found.counted(count)?,
                ("isEmpty", Some(truth), _) => found.empty(truth)?,
                ("contains", Some(Value::Prim(Prim::Boolean(is))), Some(value)) => {
                    found.has(value, *is)
                }
                ("toArray" | "toList" | "collect", Some(Value::Object(all)), _) => {
                    found.all(self.held(*all)?)?;
                }
                (
                    "iterator" | "listIterator" | "elements" | "stream" | "parallelStream",
                    Some(Value::Object(way)),
                    None,
                ) => {
                    seen.ways.insert(*way);
                    found.all(self.elements(*way, seen, depth + 1)?)?;
                }
                (on, Some(Value::Object(way)), _) if ON_THE_WAY.contains(&on) => {
                    seen.ways.insert(*way);
                    found.all(self.elements(*way, seen, depth + 1)?)?;
                }
                _ => return None,
            }
        }
        found.elements()
    }

    /// Keys and values of a map.
    fn entries(&self, id: ObjectId, seen: &mut Seen) -> Option<Vec<Value>> {
        let mut found: Vec<(Value, Option<Value>)> = Vec::new();
        let mut absent: Vec<Value> = Vec::new();
        let mut count = None;
        for answer in self.answers(id) {
            let Outcome::Return(given) = &answer.outcome else {
                return None;
            };
            if !answer.effects.is_empty() || !answer.callbacks.is_empty() {
                return None;
            }
            let key = answer.args.first();
            match (answer.member.name.as_str(), given, key) {
                ("get", Some(Value::Null), Some(key)) => absent.push(key.clone()),
                ("get" | "getOrDefault", Some(value), Some(key)) => match answer.args.get(1) {
                    Some(other) if other == value => absent.push(key.clone()),
                    _ => put(&mut found, key, Some(value))?,
                },
                ("containsKey", Some(Value::Prim(Prim::Boolean(is))), Some(key)) => match is {
                    true => put(&mut found, key, None)?,
                    false => absent.push(key.clone()),
                },
                ("size", Some(Value::Prim(Prim::Int(n))), _) => count = Some(*n),
                ("isEmpty", Some(Value::Prim(Prim::Boolean(true))), _) => count = Some(0),
                ("keySet", Some(Value::Object(keys)), _) => {
                    seen.ways.insert(*keys);
                    for key in self.elements(*keys, seen, 1)? {
                        put(&mut found, &key, None)?;
                    }
                }
                ("entrySet", Some(Value::Object(entries)), _) => {
                    seen.ways.insert(*entries);
                    for entry in self.elements(*entries, seen, 1)? {
                        let [key, value] = self.entry(object(&entry)?)?;
                        seen.ways.extend(object(&entry));
                        put(&mut found, &key, Some(&value))?;
                    }
                }
                _ => return None,
            }
        }
        let is_absent = |(key, _): &(Value, _)| absent.contains(key);
        if found.iter().any(is_absent)
            || count.is_some_and(|n| usize::try_from(n) != Ok(found.len()))
        {
            return None;
        }
        let pairs = found.into_iter().map(|(key, value)| Some([key, value?]));
        Some(pairs.collect::<Option<Vec<_>>>()?.concat())
    }

    /// Key and value of an entry of a map.
    fn entry(&self, id: ObjectId) -> Option<[Value; 2]> {
        let part = |name: &str| {
            let mut answers = self.answers(id).iter();
            let answer = answers.find(|a| a.member.name == name)?;
            match &answer.outcome {
                Outcome::Return(value) => value.clone(),
                _ => None,
            }
        };
        let others = |a: &&&Outgoing| !["getKey", "getValue"].contains(&a.member.name.as_str());
        if self.answers(id).iter().any(|a| others(&a)) {
            return None;
        }
        Some([part("getKey")?, part("getValue")?])
    }

    /// What a container or array that was handed over holds.
    fn held(&self, id: ObjectId) -> Option<Vec<Value>> {
        match &self.request.level.objects.get(&id)?.role {
            Role::Natural {
                initial: Some(Content::Elements(all)),
            }
            | Role::Array {
                initial: Some(Content::Array(all)),
            } => Some(all.clone()),
            _ => None,
        }
    }

    /// The class of the real thing.
    fn class(&self, id: ObjectId, content: &Content) -> Option<&'static str> {
        let types = self.types.get(&id)?;
        let named = |names: &[&str]| {
            let names = names.iter().map(|name| format!("java/util/{name}"));
            names.into_iter().any(|name| types.contains(&name))
        };
        let streams = || types.iter().any(|class| class.starts_with(STREAMS));
        Some(match content {
            Content::Entries(_) if named(&["SortedMap", "NavigableMap", "TreeMap"]) => {
                "java/util/TreeMap"
            }
            Content::Entries(all) if all.len() > 2 => "java/util/HashMap",
            Content::Entries(_) => "java/util/LinkedHashMap",
            _ if named(&["SortedSet", "NavigableSet", "TreeSet"]) => "java/util/TreeSet",
            _ if named(&["Set", "HashSet", "LinkedHashSet", "AbstractSet"]) => {
                "java/util/LinkedHashSet"
            }
            _ if named(&["Queue", "Deque", "ArrayDeque"]) => "java/util/ArrayDeque",
            _ if named(&["LinkedList"]) => "java/util/LinkedList",
            Content::Elements(all) if named(&["Optional"]) && all.len() < 2 => "java/util/Optional",
            _ if named(&["Iterator"]) && !named(&["ListIterator"]) => "java/util/Iterator",
            _ if streams() => match types.iter().all(|class| class == "java/util/stream/Stream") {
                true => "java/util/stream/Stream",
                false => return None,
            },
            _ if named(&[
                "Optional",
                "Enumeration",
                "ListIterator",
                "Map$Entry",
                "Vector",
                "Stack",
            ]) =>
            {
                return None;
            }
            _ => "java/util/ArrayList",
        })
    }
}

/// The class, if it is one; else what is no container.
fn class_of(ty: &JavaType) -> &str {
    ty.class_name().unwrap_or("")
}

/// Puts what is known of a key; `None` if the map changed.
fn put(found: &mut Vec<(Value, Option<Value>)>, key: &Value, value: Option<&Value>) -> Option<()> {
    match found.iter_mut().find(|(k, _)| k == key) {
        None => found.push((key.clone(), value.cloned())),
        Some((_, known)) => match (&known, value) {
            (Some(before), Some(now)) if before != now => return None,
            (None, Some(now)) => *known = Some(now.clone()),
            _ => {}
        },
    }
    Some(())
}

/// Elements by what was asked.
#[derive(Default)]
struct Found {
    /// By place.
    placed: BTreeMap<usize, Value>,
    /// How many an iterator has given.
    given: usize,
    /// It said whether it contains this.
    contained: Vec<(Value, bool)>,
    count: Option<usize>,
    filled: bool,
}

impl Found {
    fn at(&mut self, at: usize, value: &Value) -> Option<()> {
        let before = self.placed.insert(at, value.clone());
        before.is_none_or(|before| before == *value).then_some(())
    }

    fn next(&mut self, value: &Value, name: &str) -> Option<()> {
        // An `Optional` gives the same again and again.
        let at = if name == "orElseThrow" { 0 } else { self.given };
        self.given = at + 1;
        self.at(at, value)
    }

    fn goes_on(&mut self, truth: &Value) -> Option<()> {
        match truth {
            Value::Prim(Prim::Boolean(true)) => self.filled = true,
            Value::Prim(Prim::Boolean(false)) if self.count.is_none() => {
                self.count = Some(self.given)
            }
            Value::Prim(Prim::Boolean(false)) => {}
            _ => return None,
        }
        Some(())
    }

    fn all(&mut self, all: Vec<Value>) -> Option<()> {
        all.iter()
            .enumerate()
            .try_for_each(|(at, value)| self.at(at, value))
    }

    fn counted(&mut self, count: &Value) -> Option<()> {
        let count = match count {
            Value::Prim(Prim::Int(n)) => usize::try_from(*n).ok()?,
            Value::Prim(Prim::Long(n)) => usize::try_from(*n).ok()?,
            _ => return None,
        };
        let before = self.count.replace(count);
        before.is_none_or(|before| before == count).then_some(())
    }

    fn empty(&mut self, truth: &Value) -> Option<()> {
        match truth {
            Value::Prim(Prim::Boolean(true)) => self.counted(&Value::Prim(Prim::Int(0))),
            _ => {
                self.filled = true;
                Some(())
            }
        }
    }

    fn has(&mut self, value: &Value, is: bool) {
        self.contained.push((value.clone(), is));
    }

    /// All of them; `None` if some are not known, or what is known does not fit together.
    fn elements(self) -> Option<Vec<Value>> {
        let mut all: Vec<Value> = Vec::new();
        for (at, value) in self.placed {
            (at == all.len()).then_some(())?;
            all.push(value);
        }
        for (value, is) in self.contained {
            match (all.contains(&value), is) {
                (false, true) => all.push(value),
                (true, false) => return None,
                _ => {}
            }
        }
        let missing = self.filled && all.is_empty() || self.count.is_some_and(|n| n != all.len());
        (!missing).then_some(all)
    }
}

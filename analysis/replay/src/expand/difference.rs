//! Do two recordings say the same?

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use jinsi_trace::model::{
    ClassNo, Content, Event, EventKind, Fields, ObjectId, Payload, Site, ThreadNo, Value,
};
use jinsi_trace::reader::{ReadError, Trace};

use super::unordered::{Match, is_by_hash, pair_up};
use jinsi_history::describe::Describer;

/// What comparing two recordings came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They have the same events.
    Same,
    /// They part here.
    Different(Difference),
    /// Up to here they are the same. From here on two recordings of the same kind do different things as well.
    Unsteady {
        /// Name of the thread.
        thread: String,
        /// Number of its event, from 0, among those compared.
        event: u64,
    },
}

/// Where two recordings part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Name of the thread.
    pub thread: String,
    /// Number of its event, from 0, among those compared.
    pub event: u64,
    /// The event of the one, for a person; `None` if the thread has no more.
    pub left: Option<String>,
    /// That of the other.
    pub right: Option<String>,
}

/// Compares two recordings of one program, thread by thread, event for event. Threads that have events are paired by name, and those of one name in
/// the order in which they began. Identities are compared by a one-to-one relation
/// that grows as objects appear; classes by name; sites by what they are and where. Events that only order threads do not count.
///
/// A program sees the clock and random numbers: `again` are further recordings made as `left` was, and values that differ among
/// these may differ in `right`, too.
///
/// # Errors
/// A stream cannot be read to its end.
pub fn compare(left: &Trace, right: &Trace, again: &[Trace]) -> Result<Comparison, ReadError> {
    let mut pairs = Pairs::new(left, right);
    let mut others: Vec<_> = again.iter().map(|t| Pairs::new(left, t)).collect();
    let mut names: Vec<_> = busy_threads(left).into_keys().collect();
    names.extend(busy_threads(right).into_keys());
    names.sort();
    names.dedup();
    for thread in names {
        let compared = compare_thread(&thread, &mut pairs, &mut others)?;
        if compared != Comparison::Same {
            return Ok(compared);
        }
    }
    Ok(Comparison::Same)
}

/// The same for the threads of one name and number.
fn compare_thread(
    thread: &(String, usize),
    pairs: &mut Pairs<'_>,
    others: &mut [Pairs<'_>],
) -> Result<Comparison, ReadError> {
    let (left, right) = (pairs.left, pairs.right);
    let mut streams = (stream(left, thread), stream(right, thread));
    let of_others = others.iter_mut();
    let mut others: Vec<_> = of_others.map(|p| (stream(p.right, thread), p)).collect();
    let mut event = 0;
    loop {
        let a = streams.0.next().transpose()?;
        let b = streams.1.next().transpose()?;
        let mut fixed = true;
        for (other, pairs) in &mut others {
            match (&a, other.next().transpose()?) {
                (None, None) => {}
                (Some(a), Some(c)) if pairs.same_step(a, &c) => fixed &= pairs.same_payload(a, &c),
                _ => {
                    let thread = thread.0.clone();
                    return Ok(Comparison::Unsteady { thread, event });
                }
            }
        }
        let same = match (&a, &b) {
            (None, None) => return Ok(Comparison::Same),
            (Some(a), Some(b)) => pairs.same_step(a, b) && (pairs.same_payload(a, b) || !fixed),
            _ => false,
        };
        if !same {
            return Ok(Comparison::Different(Difference {
                thread: thread.0.clone(),
                event,
                left: a.map(|e| text(left, &e)),
                right: b.map(|e| text(right, &e)),
            }));
        }
        event += 1;
    }
}

/// The event and its place, for a person.
fn text(trace: &Trace, event: &Event) -> String {
    let describer = Describer::new(trace);
    let place = trace.site_of(event).map(|s| describer.location(s));
    let at = place.map_or_else(String::new, |place| format!(" at {place}"));
    format!("{:?} {}{at}", event.kind, describer.event(event))
}

/// The threads that have events, by name and by how many of that name began before.
fn busy_threads(trace: &Trace) -> BTreeMap<(String, usize), ThreadNo> {
    let mut threads = BTreeMap::new();
    let mut of_name: HashMap<&str, usize> = HashMap::new();
    for thread in trace.threads() {
        if trace.event_count(thread.no) > 0 {
            let before = of_name.entry(&thread.name).or_default();
            threads.insert((thread.name.clone(), *before), thread.no);
            *before += 1;
        }
    }
    threads
}

/// What the thread of that name and number did; nothing if there is none.
fn stream<'t>(
    trace: &'t Trace,
    thread: &(String, usize),
) -> impl Iterator<Item = Result<Event, ReadError>> + use<'t> {
    let orders = |e: &Result<Event, ReadError>| matches!(e, Ok(e) if e.kind == EventKind::Order);
    let no = busy_threads(trace).get(thread).copied();
    let events = no.into_iter().flat_map(|no| trace.events(no));
    events.filter(move |e| !orders(e))
}

/// What of one recording is what of the other.
struct Pairs<'a> {
    left: &'a Trace,
    right: &'a Trace,
    there: HashMap<ObjectId, ObjectId>,
    back: HashMap<ObjectId, ObjectId>,
    /// Containers by hash of the one.
    by_hash: HashSet<ObjectId>,
}

impl<'a> Pairs<'a> {
    fn new(left: &'a Trace, right: &'a Trace) -> Self {
        Self {
            left,
            right,
            there: HashMap::new(),
            back: HashMap::new(),
            by_hash: HashSet::new(),
        }
    }

    /// Do both do the same at the same place?
    fn same_step(&self, a: &Event, b: &Event) -> bool {
        a.kind == b.kind && self.same_site(a, b)
    }

    fn same_site(&self, a: &Event, b: &Event) -> bool {
        let (Some(a), Some(b)) = (self.left.site_of(a), self.right.site_of(b)) else {
            return a.site.is_none() && b.site.is_none();
        };
        let same_member = (&a.method, &a.desc, &a.target) == (&b.method, &b.desc, &b.target);
        let place = |s: &Site| (s.bci, s.line, s.op);
        self.same_class(a.class, b.class) && same_member && place(a) == place(b)
    }

    fn same_class(&self, a: ClassNo, b: ClassNo) -> bool {
        let (a, b) = (self.left.class(a), self.right.class(b));
        a.is_some() && a.map(|c| stable(&c.name)) == b.map(|c| stable(&c.name))
    }

    fn same_payload(&mut self, a: &Event, b: &Event) -> bool {
        match (&a.payload, &b.payload) {
            (Payload::Operands(a), Payload::Operands(b)) => self.same_values(a, b),
            (Payload::Define { id: a, .. }, Payload::Define { id: b, .. })
                if !self.same_object(*a, *b) =>
            {
                false
            }
            (
                Payload::Define {
                    id,
                    class: a,
                    length: m,
                },
                Payload::Define {
                    class: b,
                    length: n,
                    ..
                },
            ) => {
                if self.left.class(*a).is_some_and(|c| is_by_hash(&c.name)) {
                    self.by_hash.insert(*id);
                }
                self.same_class(*a, *b) && m == n
            }
            (Payload::Content { id: a, content: x }, Payload::Content { id: b, content: y }) => {
                let in_order = match self.by_hash.contains(a) {
                    true => self.in_order_of(x, y),
                    false => None,
                };
                self.same_object(*a, *b) && self.same_content(x, in_order.as_ref().unwrap_or(y))
            }
            _ => false,
        }
    }

    fn same_content(&mut self, a: &Content, b: &Content) -> bool {
        let same_form = match (a, b) {
            (Content::Text(a), Content::Text(b)) => a == b,
            (Content::TooLarge { len: a }, Content::TooLarge { len: b }) => a == b,
            (Content::Fields(a), Content::Fields(b)) => self.same_names(a, b),
            (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
        };
        same_form && self.same_values(a.values(), b.values())
    }

    /// What the container by hash holds that `b` is the content of, in the order of `a`, if that is the same.
    fn in_order_of(&self, a: &Content, b: &Content) -> Option<Content> {
        let (a, b, values_of_one) = match (a, b) {
            (Content::Elements(a), Content::Elements(b)) => (a, b, 1),
            (Content::Entries(a), Content::Entries(b)) => (a, b, 2),
            _ => return None,
        };
        let entries = |values: &'_ [Value]| values.len() / values_of_one;
        let entry = |no: usize| no * values_of_one..(no + 1) * values_of_one;
        let order = pair_up(entries(a), entries(b), |x, y| {
            let values = a[entry(x)].iter().zip(&b[entry(y)]);
            let matches = values.map(|(a, b)| self.may_be_same(a, b));
            matches.fold(Match::Known, |all, one| match (all, one) {
                (Match::No, _) | (_, Match::No) => Match::No,
                (Match::Known, Match::Known) => Match::Known,
                _ => Match::Possible,
            })
        })?;
        let ordered = order.into_iter().flat_map(|no| b[entry(no)].iter());
        let ordered = ordered.cloned().collect();
        Some(match values_of_one {
            1 => Content::Elements(ordered),
            _ => Content::Entries(ordered),
        })
    }

    fn may_be_same(&self, a: &Value, b: &Value) -> Match {
        let same = match (a, b) {
            (Value::Object(a), Value::Object(b)) => match (self.there.get(a), self.back.get(b)) {
                (Some(known), Some(_)) => known == b,
                (None, None) => return Match::Possible,
                _ => false,
            },
            (Value::Class(a), Value::Class(b)) => self.same_class(*a, *b),
            _ => a == b,
        };
        if same { Match::Known } else { Match::No }
    }

    fn same_names(&self, a: &Fields, b: &Fields) -> bool {
        let mut fields = a.iter().zip(b.iter());
        a.len() == b.len()
            && fields.all(|((a, _), (b, _))| a.name == b.name && self.same_class(a.class, b.class))
    }

    /// Objects are paired even where values before them differ.
    fn same_values(&mut self, a: &[Value], b: &[Value]) -> bool {
        let pairs = a.iter().zip(b);
        let different = pairs.filter(|(a, b)| !self.same_value(a, b)).count();
        different == 0 && a.len() == b.len()
    }

    fn same_value(&mut self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Object(a), Value::Object(b)) => self.same_object(*a, *b),
            (Value::Class(a), Value::Class(b)) => self.same_class(*a, *b),
            _ => a == b,
        }
    }

    /// Throwables are besides compared by class and message.
    fn same_object(&mut self, a: ObjectId, b: ObjectId) -> bool {
        match (self.there.get(&a), self.back.get(&b)) {
            (Some(known), Some(_)) => return *known == b,
            (None, None) => {}
            _ => return false,
        }
        self.there.insert(a, b);
        self.back.insert(b, a);
        let (a, b) = (self.left.throwable(a), self.right.throwable(b));
        a.map(|t| (&t.class, &t.message)) == b.map(|t| (&t.class, &t.message))
    }
}

/// The name of a class without what the JVM numbers: hidden classes are called by how many there were before them, and by an address.
fn stable(name: &str) -> Cow<'_, str> {
    const HIDDEN: &str = "$$Lambda";
    match name.find(HIDDEN) {
        Some(at) => Cow::Owned(name[..at + HIDDEN.len()].to_owned()),
        None => Cow::Borrowed(name),
    }
}

//! Objects as they are at a moment of the recording.

use std::sync::Arc;
use std::time::Instant;

use jinsi_inspect::{Field, Holds, InspectError, Inspector, Moment, Named, Seen, Variable};
use jinsi_trace::model::{ClassOrigin, Content, ObjectId, Prim, Value};
use jinsi_trace::reader::Trace;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::doubt::Doubt;
use crate::graph::{Graph, Object, Parts, Val};
use crate::past::{Failed, Past};

/// Elements of an array that are looked at.
const ELEMENTS: u32 = 100_000;
/// Objects that are looked at.
const OBJECTS: usize = 20_000;

/// Of a thread with fewer events it is known of each array whether it is ever accessed.
const SHORT: u64 = 1 << 13;

/// An array that nobody has accessed, by where it is: object, field, and when it was put there.
type Nameless = (ObjectId, String, Moment);

/// Objects that are taken as the initializers of the other version's classes leave them: class and static field of each.
pub(crate) type Homes = FxHashMap<ObjectId, (String, String)>;

/// The objects that were met, by identity.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) graph: Graph,
    pub(crate) numbers: FxHashMap<ObjectId, usize>,
    nameless: FxHashMap<Nameless, usize>,
    homes: Homes,
    /// Objects of recorded classes that a constructor of a class began that is not recorded.
    pub(crate) begun: FxHashSet<usize>,
}

impl Known {
    /// The identities of objects with these numbers.
    pub(crate) fn ids(&self, of: Vec<(usize, Doubt)>) -> Vec<(ObjectId, usize, Doubt)> {
        let numbered = self.numbers.iter().map(|(id, no)| (*no, *id));
        let ids: FxHashMap<usize, ObjectId> = numbered.collect();
        let all = of
            .into_iter()
            .filter_map(|(no, why)| Some((*ids.get(&no)?, no, why)));
        all.collect()
    }

    /// The identity of the object with this number.
    pub(crate) fn id(&self, no: usize) -> Option<ObjectId> {
        let mut all = self.numbers.iter();
        all.find(|(_, of)| **of == no).map(|(id, _)| *id)
    }

    /// Are there objects that are taken from where they have their home?
    pub(crate) fn has_homes(&self) -> bool {
        !self.homes.is_empty()
    }

    /// The objects that are taken from where they have their home.
    pub(crate) fn homes(&self) -> impl Iterator<Item = ObjectId> {
        self.homes.keys().copied()
    }

    /// Is the object with this number taken from where it has its home?
    pub(crate) fn is_home(&self, no: usize) -> bool {
        let object = self.graph.objects.get(no);
        object.is_some_and(|object| matches!(object.parts, Parts::Home(..)))
    }
}

/// What an element of a new array holds.
fn default_of(class: &str) -> Val {
    Val::Prim(match class.as_bytes().get(1) {
        Some(b'Z') => Prim::Boolean(false),
        Some(b'B') => Prim::Byte(0),
        Some(b'C') => Prim::Char(0),
        Some(b'S') => Prim::Short(0),
        Some(b'I') => Prim::Int(0),
        Some(b'J') => Prim::Long(0),
        Some(b'F') => Prim::Float(0.0),
        Some(b'D') => Prim::Double(0.0),
        _ => return Val::Null,
    })
}

/// Superclasses of the JDK without fields of their own, or with such as are made again when they are missed.
const PLAIN: [&str; 11] = [
    "java/io/InputStream",
    "java/io/OutputStream",
    "java/lang/Number",
    "java/lang/Record",
    "java/util/AbstractCollection",
    "java/util/AbstractList",
    "java/util/AbstractMap",
    "java/util/AbstractQueue",
    "java/util/AbstractSequentialList",
    "java/util/AbstractSet",
    "java/util/Dictionary",
];

/// Is all that is not recorded above a class plain?
fn is_plain(trace: &Trace, class: &str) -> bool {
    let mut name = class.to_owned();
    for _ in 0..trace.classes().len() {
        let Some(class) = trace.class_by_name(&name) else {
            return false;
        };
        let Some(above) = &class.super_name else {
            return false;
        };
        if class.origin != ClassOrigin::Observed {
            return false;
        }
        if above == "java/lang/Object" || PLAIN.contains(&above.as_str()) {
            return true;
        }
        name.clone_from(above);
    }
    false
}

/// The class of the loader that has the program's classes. The other version has another one in its place.
pub(crate) const LOADER: &str = "jdk/internal/loader/ClassLoaders$AppClassLoader";

/// Is what its objects hold in their text?
pub(crate) fn is_value(class: &str) -> bool {
    let value = ["java/math/", "java/time/"]
        .iter()
        .any(|p| class.starts_with(p));
    value || ["java/util/UUID", "java/util/Locale"].contains(&class)
}

/// Takes objects as they are at a moment.
pub(crate) struct Taking<'a, 't> {
    pub(crate) inspector: &'a Inspector<'t>,
    pub(crate) moment: Moment,
    pub(crate) known: Known,
    pending: Vec<(ObjectId, usize)>,
    /// Objects that repeated calls have to make.
    pub(crate) unmade: Vec<ObjectId>,
    /// What is not found out by then is not known.
    pub(crate) until: Option<Instant>,
    /// Objects that the other version does not have.
    pub(crate) failed: Failed,
}

impl<'a, 't> Taking<'a, 't> {
    /// Without any; some are taken from where they have their home.
    pub(crate) fn new(inspector: &'a Inspector<'t>, moment: Moment, homes: Homes) -> Self {
        let known = Known {
            homes,
            ..Known::default()
        };
        Self {
            inspector,
            moment,
            known,
            pending: Vec::new(),
            unmade: Vec::new(),
            until: None,
            failed: Failed::default(),
        }
    }

    /// With those that were known before. What was accessed meanwhile has a name; the others hold what they held.
    pub(crate) fn again(inspector: &'a Inspector<'t>, moment: Moment, known: Known) -> Self {
        let numbers = known.numbers.iter().map(|(id, no)| (*id, *no));
        let pending = numbers.filter(|(id, _)| !known.homes.contains_key(id));
        Self {
            inspector,
            moment,
            pending: pending.collect(),
            unmade: Vec::new(),
            until: None,
            failed: Failed::default(),
            known,
        }
    }

    pub(crate) fn class(&self, id: ObjectId) -> String {
        let class = self.inspector.class_of(id);
        class.map_or_else(String::new, |class| class.replace('/', "."))
    }

    /// An object of which nothing is reported.
    pub(crate) fn bare(&mut self, id: ObjectId) -> usize {
        let number = self.known.graph.objects.len();
        self.known.graph.objects.push(Object {
            class: self.class(id),
            parts: Parts::Fields(Vec::new()),
        });
        self.known.numbers.insert(id, number);
        number
    }

    pub(crate) fn value(&mut self, seen: &Seen) -> Val {
        let value = match seen {
            Seen::Known(value) => value,
            Seen::Fresh { class, .. } => {
                let class = class.replace('/', ".");
                return Val::Unknown(Doubt::Nameless { class });
            }
            Seen::Unknown(why) => return Val::Unknown(Doubt::Unknown(*why)),
        };
        match value {
            Value::Null => Val::Null,
            Value::Prim(prim) => Val::Prim(*prim),
            Value::Boxed(prim) => Val::Boxed(*prim),
            Value::Str(text) => Val::Text(text.0.clone()),
            Value::Class(no) => match self.inspector.trace().class(*no) {
                Some(class) => Val::Class(class.name.replace('/', ".")),
                None => Val::Unknown(Doubt::Class),
            },
            Value::Object(id) => {
                if let Some(known) = self.known.numbers.get(id) {
                    return Val::Object(*known);
                }
                if self.known.graph.objects.len() >= OBJECTS {
                    return Val::Unknown(Doubt::TooManyObjects);
                }
                let number = self.bare(*id);
                match self.known.homes.get(id) {
                    Some((class, field)) => {
                        let home = Parts::Home(class.clone(), field.clone());
                        self.known.graph.objects[number].parts = home;
                    }
                    None => self.pending.push((*id, number)),
                }
                Val::Object(number)
            }
        }
    }

    /// What a field holds: of an object, or with 0 of its class.
    fn held(&mut self, object: ObjectId, field: &Field, seen: &Seen) -> Result<Val, InspectError> {
        let Seen::Fresh {
            class,
            length: Some(length),
        } = seen
        else {
            return Ok(self.value(seen));
        };
        let trace = self.inspector.trace();
        let events = trace.event_count(self.moment.thread());
        let variable = match object {
            0 => Variable::Static(field.clone()),
            object => Variable::Field(object, field.clone()),
        };
        if trace.threads().len() != 1 {
            return Ok(self.value(seen));
        }
        let named = self.inspector.named_later(&variable, self.moment)?;
        if let Named::As(id) = named {
            return Ok(self.value(&Seen::Known(Value::Object(id))));
        }
        let is_nobodys = events < SHORT || named == Named::Never;
        if !is_nobodys || !class.starts_with('[') || class.starts_with("[[") {
            return Ok(self.value(seen));
        }
        let held = self.inspector.value(&variable, self.moment)?;
        let Some(since) = held.since.filter(|_| *length <= ELEMENTS) else {
            return Ok(self.value(seen));
        };
        let name = format!("{}.{}", field.class, field.name);
        let next = self.known.graph.objects.len();
        let number = *self
            .known
            .nameless
            .entry((object, name, since.after))
            .or_insert(next);
        if number == next {
            self.known.graph.objects.push(Object {
                class: class.replace('/', "."),
                parts: Parts::Elements(vec![default_of(class); *length as usize]),
            });
        }
        Ok(Val::Object(number))
    }

    /// It is not known how an object is made.
    pub(crate) fn fails(&mut self, id: ObjectId, why: Doubt) {
        let Some(no) = self.known.numbers.get(&id) else {
            return;
        };
        self.known.begun.remove(no);
        match &mut self.known.graph.objects[*no].parts {
            Parts::Fields(fields) => {
                fields.push((String::new(), String::new(), Val::Unknown(why)));
            }
            Parts::Home(..) => {}
            parts => *parts = Parts::Opaque(why),
        }
    }

    /// What the objects hold that were met, and those that they lead to. What the run did with others is the `past`.
    pub(crate) fn fill(
        &mut self,
        past: Option<(&Past, jinsi_history::Moment)>,
    ) -> Result<(), InspectError> {
        while let Some((id, number)) = self.pending.pop() {
            if self.until.is_some_and(|until| Instant::now() > until) {
                self.known.graph.objects[number].parts = Parts::Opaque(Doubt::TooLong);
                continue;
            }
            if let Some(parts) = self.reported_array(id, past) {
                self.known.graph.objects[number].parts = parts;
                continue;
            }
            if self.inspector.class_of(id) == Some(LOADER) {
                self.known.graph.objects[number].parts = Parts::Text(Arc::from([]));
                continue;
            }
            let state = self.inspector.object(id, self.moment, 0..ELEMENTS)?;
            let parts = match state.holds {
                Holds::Fields(fields, missing) => {
                    let fields = fields.iter().map(|(field, seen)| {
                        let class = field.class.replace('/', ".");
                        Ok((class, field.name.to_string(), self.held(id, field, seen)?))
                    });
                    let mut fields = fields.collect::<Result<Vec<_>, InspectError>>()?;
                    if missing && !is_plain(self.inspector.trace(), &state.class) {
                        if past.is_some_and(|(past, _)| past.began(id).is_some()) {
                            self.known.begun.insert(number);
                            self.unmade.push(id);
                        } else {
                            let why = Doubt::Superclass;
                            fields.push((String::new(), String::new(), Val::Unknown(why)));
                        }
                    }
                    Parts::Fields(fields)
                }
                Holds::Elements(elements, length) => self.elements((&elements, length)),
                // These never change; of others it is not known what became of them since.
                Holds::Content(Content::Text(text), _) if is_value(&state.class) => {
                    Parts::Text(text.0)
                }
                // A mere lock.
                Holds::Opaque if state.class == "java/lang/Object" => Parts::Fields(Vec::new()),
                Holds::Content(..) | Holds::Opaque => match past {
                    Some(_) => {
                        self.unmade.push(id);
                        Parts::Made
                    }
                    None => Parts::Opaque(Doubt::Object {
                        class: state.class.replace('/', "."),
                    }),
                },
            };
            self.known.graph.objects[number].parts = parts;
            if let Some(why) = self.failed.made.get(&id).cloned() {
                self.fails(id, why);
            }
        }
        Ok(())
    }

    /// What an array held, by its stores and by what was reported of it: all that there is, but for arrays that somebody else may keep.
    fn reported_array(
        &mut self,
        id: ObjectId,
        past: Option<(&Past, jinsi_history::Moment)>,
    ) -> Option<Parts> {
        let (past, at) = past?;
        if past.is_kept(id) || past.is_of_large(id) {
            return None;
        }
        let Content::Array(reported) = past.history.array_at(id, at)? else {
            return None;
        };
        // The JVM fills arrays of arrays; with what shows where somebody reads it first.
        let nested = past.class(id).starts_with("[[");
        let all = (0..).zip(reported).map(|(index, value)| match value {
            Value::Null if nested => match past.row(id, index) {
                Some(row) => self.value(&Seen::Known(row)),
                None => Val::Unknown(Doubt::NestedArray),
            },
            value => self.value(&Seen::Known(value)),
        });
        Some(Parts::Elements(all.collect()))
    }

    fn elements(&mut self, (elements, length): (&[(u32, Seen)], Option<u32>)) -> Parts {
        let all: Vec<Seen> = elements.iter().map(|(_, seen)| seen.clone()).collect();
        if length != Some(all.len() as u32) {
            return Parts::Opaque(Doubt::LargeArray);
        }
        Parts::Elements(all.iter().map(|seen| self.value(seen)).collect())
    }
}

//! What the recording says of a call: what it was given, and what came of it.

use jinsi_inspect::{Field, Holds, InspectError, Inspector, Moment, Outcome, Seen, Variable};
use jinsi_trace::model::{ClassOrigin, EventId, MemberRef, ObjectId, Prim, Value};
use rustc_hash::FxHashMap;

use crate::graph::{End, Graph, Object, Parts, Snapshot, Val};

/// Elements of an array that are looked at.
const ELEMENTS: u32 = 100_000;
/// Objects that are looked at.
const OBJECTS: usize = 20_000;

/// Of a thread with fewer events it is known of each array whether it is ever accessed.
const SHORT: u64 = 1 << 13;

/// A call, with what it was given.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) activation: EventId,
    pub(crate) method: MemberRef,
    /// Receiver and arguments with their names; of a constructor, arguments alone.
    pub(crate) given: Vec<(String, Val)>,
    /// Of a constructor, the number of what it constructs.
    pub(crate) made: Option<usize>,
    /// Static fields: class, name, value.
    pub(crate) statics: Vec<(String, String, Val)>,
    /// Classes with static fields.
    pub(crate) watched: Vec<String>,
    pub(crate) graph: Graph,
    numbers: FxHashMap<ObjectId, usize>,
    nameless: FxHashMap<Nameless, usize>,
}

/// An array that nobody has accessed, by where it is: object, field, and when it was put there.
type Nameless = (ObjectId, String, Moment);

/// The call; or why what it was given is not known.
pub(crate) fn call(
    inspector: &Inspector<'_>,
    activation: EventId,
) -> Result<Result<Call, String>, InspectError> {
    let of = inspector.activation(activation)?;
    if of.method.name == "<clinit>" {
        return Ok(Err("a class is initialized once".to_owned()));
    }
    if of.end.is_none() {
        return Ok(Err("the recording ended first".to_owned()));
    }
    let begin = Moment::after(activation);
    let state = inspector.state(begin)?;
    let frame = state.frames.first();
    let Some(frame) = frame.filter(|frame| frame.activation == activation) else {
        return Ok(Err("its instructions are not known".to_owned()));
    };
    let mut taking = Taking::new(inspector, begin);
    let mut given = Vec::new();
    let constructs = of.method.name == "<init>";
    let mut made = None;
    match (&frame.this, constructs) {
        (Some(Seen::Known(Value::Object(id))), true) => {
            let class = inspector.class_of(*id).unwrap_or_default();
            if class != of.method.owner {
                return Ok(Err("it constructs a part of an object only".to_owned()));
            }
            made = Some(taking.bare(*id));
        }
        (_, true) => return Ok(Err("what it constructs is not known".to_owned())),
        (Some(this), false) => given.push(("this".to_owned(), taking.value(this))),
        (None, false) => {}
    }
    let this_slot = frame.this.as_ref().map(|_| 0);
    let locals = frame.locals.iter().filter(|l| Some(l.slot) != this_slot);
    given.extend(locals.map(|l| (l.name.clone(), taking.value(&l.value))));
    let parameters = parameter_count(&of.method.desc);
    let expected = parameters + usize::from(frame.this.is_some() && !constructs);
    if given.len() != expected {
        return Ok(Err("its arguments are not known".to_owned()));
    }
    let statics = taking.statics()?;
    taking.fill()?;
    if let Some(why) = taking.unknown(&given, &statics) {
        return Ok(Err(why));
    }
    Ok(Ok(Call {
        activation,
        method: of.method,
        given,
        made,
        statics,
        watched: watched(inspector),
        graph: taking.graph,
        numbers: taking.numbers,
        nameless: taking.nameless,
    }))
}

/// What came of it. Objects that it was given keep their numbers.
pub(crate) fn exit(
    inspector: &Inspector<'_>,
    call: &Call,
    printed: Option<String>,
) -> Result<Snapshot, InspectError> {
    let of = inspector.activation(call.activation)?;
    let end = of.end.unwrap_or(Moment::after(call.activation));
    let mut taking = Taking::new(inspector, end);
    taking.numbers.clone_from(&call.numbers);
    taking.nameless.clone_from(&call.nameless);
    // What was accessed meanwhile has a name; the others hold what they held.
    taking.graph.clone_from(&call.graph);
    let mut given = call.given.clone();
    let known = call.numbers.iter().map(|(id, no)| (*id, *no));
    taking.pending.extend(known);
    let ended = match inspector.outcome(call.activation)? {
        Outcome::Returned(value) => End::Returned(value.map(|seen| taking.value(&seen))),
        Outcome::Threw(0) | Outcome::Open => End::Unknown,
        Outcome::Threw(id) => {
            let class = taking.class(id);
            let all = inspector.exceptions(call.activation.thread)?;
            let thrown = all.into_iter().find(|thrown| thrown.throwable == id);
            End::Threw(class, thrown.and_then(|thrown| thrown.message))
        }
    };
    // What was not constructed to its end is nobody's.
    if !matches!(ended, End::Threw(..)) {
        given.extend(call.made.map(|no| ("this".to_owned(), Val::Object(no))));
    }
    let statics = taking.statics()?;
    taking.fill()?;
    Ok(Snapshot {
        end: ended,
        given,
        statics,
        printed,
        graph: taking.graph,
    })
}

/// The recorded classes that have static fields.
fn watched(inspector: &Inspector<'_>) -> Vec<String> {
    let classes = inspector.trace().classes().iter();
    let observed = classes.filter(|class| class.origin == ClassOrigin::Observed);
    observed
        .filter(|class| inspector.fields_of(&class.name).iter().any(|f| f.is_static))
        .map(|class| class.name.replace('/', "."))
        .collect()
}

fn parameter_count(desc: &str) -> usize {
    let inside = desc.trim_start_matches('(').split(')').next();
    let mut rest = inside.unwrap_or_default();
    let mut count = 0;
    while !rest.is_empty() {
        rest = rest.trim_start_matches('[');
        rest = match rest.strip_prefix('L') {
            Some(name) => name.split_once(';').map_or("", |(_, rest)| rest),
            None => rest.get(1..).unwrap_or_default(),
        };
        count += 1;
    }
    count
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

/// Takes objects as they are at a moment.
struct Taking<'a, 't> {
    inspector: &'a Inspector<'t>,
    moment: Moment,
    graph: Graph,
    numbers: FxHashMap<ObjectId, usize>,
    nameless: FxHashMap<Nameless, usize>,
    pending: Vec<(ObjectId, usize)>,
}

impl<'a, 't> Taking<'a, 't> {
    fn new(inspector: &'a Inspector<'t>, moment: Moment) -> Self {
        Self {
            inspector,
            moment,
            graph: Graph::default(),
            numbers: FxHashMap::default(),
            nameless: FxHashMap::default(),
            pending: Vec::new(),
        }
    }

    fn class(&self, id: ObjectId) -> String {
        let class = self.inspector.class_of(id);
        class.map_or_else(String::new, |class| class.replace('/', "."))
    }

    /// An object of which nothing is told.
    fn bare(&mut self, id: ObjectId) -> usize {
        let number = self.graph.objects.len();
        self.graph.objects.push(Object {
            class: self.class(id),
            parts: Parts::Fields(Vec::new()),
        });
        self.numbers.insert(id, number);
        number
    }

    fn value(&mut self, seen: &Seen) -> Val {
        let value = match seen {
            Seen::Known(value) => value,
            Seen::Fresh { class, .. } => {
                let class = class.replace('/', ".");
                return Val::Unknown(format!("a {class} that nobody else has seen"));
            }
            Seen::Unknown(why) => return Val::Unknown(why.to_string()),
        };
        match value {
            Value::Null => Val::Null,
            Value::Prim(prim) => Val::Prim(*prim),
            Value::Boxed(prim) => Val::Boxed(*prim),
            Value::Str(text) => Val::Text(text.0.clone()),
            Value::Class(_) => Val::Unknown("a class object".to_owned()),
            Value::Object(id) => {
                if let Some(known) = self.numbers.get(id) {
                    return Val::Object(*known);
                }
                if self.graph.objects.len() >= OBJECTS {
                    return Val::Unknown("too many objects".to_owned());
                }
                let number = self.bare(*id);
                self.pending.push((*id, number));
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
        if trace.threads().len() != 1 || events >= SHORT || !class.starts_with('[') {
            return Ok(self.value(seen));
        }
        let variable = match object {
            0 => Variable::Static(field.clone()),
            object => Variable::Field(object, field.clone()),
        };
        let held = self.inspector.value(&variable, self.moment)?;
        let Some(since) = held.since.filter(|_| *length <= ELEMENTS) else {
            return Ok(self.value(seen));
        };
        let name = format!("{}.{}", field.class, field.name);
        let next = self.graph.objects.len();
        let number = *self
            .nameless
            .entry((object, name, since.after))
            .or_insert(next);
        if number == next {
            self.graph.objects.push(Object {
                class: class.replace('/', "."),
                parts: Parts::Elements(vec![default_of(class); *length as usize]),
            });
        }
        Ok(Val::Object(number))
    }

    /// The static fields of recorded classes that were written.
    fn statics(&mut self) -> Result<Vec<(String, String, Val)>, InspectError> {
        let mut all = Vec::new();
        for class in watched(self.inspector) {
            for field in self.inspector.fields_of(&class.replace('.', "/")) {
                if !field.is_static {
                    continue;
                }
                let name = field.name.to_string();
                let held = self
                    .inspector
                    .value(&Variable::Static(field), self.moment)?;
                if held.since.is_some() {
                    all.push((class.clone(), name, self.value(&held.value)));
                }
            }
        }
        Ok(all)
    }

    /// What the objects hold that were met, and those that they lead to.
    fn fill(&mut self) -> Result<(), InspectError> {
        while let Some((id, number)) = self.pending.pop() {
            let state = self.inspector.object(id, self.moment, 0..ELEMENTS)?;
            let parts = match state.holds {
                Holds::Fields(fields, missing) => {
                    let fields = fields.iter().map(|(field, seen)| {
                        let class = field.class.replace('/', ".");
                        Ok((class, field.name.to_string(), self.held(id, field, seen)?))
                    });
                    let mut fields = fields.collect::<Result<Vec<_>, InspectError>>()?;
                    if missing {
                        let why = "its superclass is not recorded".to_owned();
                        fields.push((String::new(), String::new(), Val::Unknown(why)));
                    }
                    Parts::Fields(fields)
                }
                Holds::Elements(elements, length) => {
                    let known = length == Some(elements.len() as u32);
                    match known {
                        true => {
                            let all = elements.iter().map(|(_, seen)| self.value(seen));
                            Parts::Elements(all.collect())
                        }
                        false => Parts::Opaque,
                    }
                }
                Holds::Content(..) | Holds::Opaque => Parts::Opaque,
            };
            self.graph.objects[number].parts = parts;
        }
        Ok(())
    }

    /// Why not all is known, if it is not.
    fn unknown(
        &self,
        given: &[(String, Val)],
        statics: &[(String, String, Val)],
    ) -> Option<String> {
        let unknown = |name: &str, val: &Val| match val {
            Val::Unknown(why) => Some(format!("{name}: {why}")),
            _ => None,
        };
        let of_given = given.iter().find_map(|(name, val)| unknown(name, val));
        let of_statics = statics.iter();
        let of_statics = || {
            of_statics
                .clone()
                .find_map(|(class, name, val)| unknown(&format!("{class}.{name}"), val))
        };
        let in_object = |object: &Object| match &object.parts {
            Parts::Opaque => Some(format!("it is given a {}", object.class)),
            Parts::Fields(fields) => {
                let mut fields = fields.iter();
                fields.find_map(|(_, name, val)| unknown(&format!("{}.{name}", object.class), val))
            }
            Parts::Elements(all) => all.iter().find_map(|val| unknown(&object.class, val)),
        };
        of_given
            .or_else(of_statics)
            .or_else(|| self.graph.objects.iter().find_map(in_object))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn parameters_are_counted() {
        for (desc, count) in [("()V", 0), ("(I[J[[Lp/A;Z)I", 4), ("(Lp/A;D)V", 2)] {
            assert_eq!(super::parameter_count(desc), count);
        }
    }
}

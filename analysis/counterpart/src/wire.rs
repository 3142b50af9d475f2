//! How a call is sent to the JVM, and its outcome sent back (`jinsi.replay.Counterpart`).

use std::sync::Arc;

use jinsi_trace::model::Prim;
use rustc_hash::FxHashSet;

use crate::call::Call;
use crate::doubt::Doubt;
use crate::graph::{Contents, End, Graph, Object, Parts, Snapshot, Static, Val};
use crate::script::{Op, RecordedOutcome, Script};
use crate::taking::Known;

/// Time for a call, in milliseconds.
const LIMIT: i32 = 5_000;

/// What is asked: what a call gives, or what objects hold.
const CALL: i32 = 0;
const CONTENTS: i32 = 1;

/// Instead of an array's length: objects with fields, those of a static field, those that a text says; those that repeated calls make, and of them
/// those with fields, and arrays.
const FIELDS: i32 = -1;
const HOME: i32 = -2;
const TEXT: i32 = -3;
const MADE: i32 = -4;

/// What came of a request.
pub(crate) enum Reply<T> {
    Done(T),
    /// Nothing: why.
    Cannot(Doubt),
    /// Repeated calls did not make these objects, by number: why.
    Broken(Vec<(usize, Doubt)>),
}

/// What a call gave.
pub(crate) struct CallResult {
    pub(crate) snapshot: Snapshot,
    /// The class of the exception by which the machine refused something, if the call ended by that or for that: a file that is not there.
    pub(crate) refused: Option<String>,
    /// May it have been something else if the JVM had drawn other hash codes?
    pub(crate) drawn: bool,
    /// Fields that classes have more there, and of which it is not known what they should hold: class, name.
    pub(crate) grown: Vec<(String, String)>,
    /// Static fields that were reported, and that it does not have so: class, name.
    pub(crate) apart: Vec<(String, String)>,
    /// Classes that nobody initialized.
    pub(crate) untouched: Vec<String>,
}

impl CallResult {
    /// Did the call end by a `NullPointerException`?
    pub(crate) fn is_by_null(&self) -> bool {
        matches!(&self.snapshot.end, End::Threw(class, _) if class == "java.lang.NullPointerException")
    }
}

/// The request to call.
pub(crate) fn request(call: &Call) -> Vec<u8> {
    let mut to = Out(Vec::new());
    to.int(LIMIT);
    to.int(CALL);
    to.text(&call.method.owner.replace('/', "."));
    to.text(&call.method.name);
    to.text(&call.method.desc);
    to.scene((&call.known, &call.needed()), &call.statics, &call.script);
    to.count(call.given.len());
    match call.made {
        Some(made) => to.count(made),
        None => to.int(-1),
    }
    to.text(call.constructed.as_deref().unwrap_or_default());
    for (_, val) in &call.given {
        to.value(val);
    }
    to.count(call.watched.len());
    for class in &call.watched {
        to.text(class);
    }
    to.0
}

/// The request to tell what objects hold that repeated calls make.
pub(crate) fn contents_of(known: &Known, given: usize, script: &Script) -> Vec<u8> {
    let mut to = Out(Vec::new());
    to.int(LIMIT);
    to.int(CONTENTS);
    let needed = vec![true; known.graph.objects.len()];
    to.scene((known, &needed), &[], script);
    to.count(given);
    to.0
}

/// What came of it there; nothing if the reply is none.
pub(crate) fn reply(bytes: &[u8], call: &Call) -> Option<Reply<CallResult>> {
    let mut from = In(bytes);
    match from.byte()? {
        0 => return Some(Reply::Cannot(Doubt::reported(from.text()?))),
        3 => return Some(Reply::Broken(from.broken()?)),
        _ => {}
    }
    let (end, refused) = match from.byte()? {
        0 => (End::Returned(Some(from.value()?)), None),
        _ => {
            let threw = End::Threw(from.text()?.unwrap_or_default(), from.text()?);
            (threw, from.text()?)
        }
    };
    let printed = from.text()?;
    let mut statics = Vec::new();
    let mut untouched = Vec::new();
    for class in &call.watched {
        let count = from.int()?;
        if count < 0 {
            untouched.push(class.clone());
        }
        for _ in 0..count {
            let name = from.text()?.unwrap_or_default();
            statics.push((class.clone(), name, from.value()?));
        }
    }
    let graph = from.graph()?;
    let drawn = from.byte()? == 1;
    let grown = from.members()?;
    let apart = from.members()?;
    let mut given = call.given.clone();
    given.extend(call.made.map(|no| ("this".to_owned(), Val::Object(no))));
    let snapshot = Snapshot {
        end,
        given,
        statics,
        printed,
        graph,
    };
    Some(Reply::Done(CallResult {
        snapshot,
        refused,
        drawn,
        grown,
        apart,
        untouched,
    }))
}

/// What objects hold; nothing if the reply is none.
pub(crate) fn contents(bytes: &[u8]) -> Option<Reply<Contents>> {
    let mut from = In(bytes);
    if from.byte()? == 0 {
        return Some(Reply::Cannot(Doubt::reported(from.text()?)));
    }
    let broken = from.broken()?;
    let graph = from.graph()?;
    Some(Reply::Done(Contents { graph, broken }))
}

/// The objects that only a repeated call gives: arrays of which nothing was heard before.
fn given_by_calls(objects: &[Object], script: &Script) -> FxHashSet<usize> {
    let mut met = FxHashSet::default();
    let mut given = FxHashSet::default();
    for op in &script.ops {
        let Op::Call(call) = op else { continue };
        for val in &call.given {
            if let Val::Object(no) = val {
                met.insert(*no);
            }
        }
        if let RecordedOutcome::Returned(Val::Object(no)) = call.came
            && matches!(objects[no].parts, Parts::Elements(_))
            && met.insert(no)
        {
            given.insert(no);
        }
    }
    given
}

struct Out(Vec<u8>);

impl Out {
    fn int(&mut self, number: i32) {
        self.0.extend_from_slice(&number.to_be_bytes());
    }

    fn count(&mut self, count: usize) {
        self.int(i32::try_from(count).unwrap_or(i32::MAX));
    }

    fn text(&mut self, text: &str) {
        let units: Vec<u16> = text.encode_utf16().collect();
        self.units(&units);
    }

    fn units(&mut self, units: &[u16]) {
        self.count(units.len());
        let bytes = units.iter().flat_map(|unit| unit.to_be_bytes());
        self.0.extend(bytes);
    }

    /// Objects with what they hold, static fields, and what is repeated.
    fn scene(&mut self, (known, needed): (&Known, &[bool]), statics: &[Static], script: &Script) {
        let objects = &known.graph.objects;
        let by_calls = given_by_calls(objects, script);
        self.count(objects.len());
        for (no, object) in objects.iter().enumerate() {
            self.text(&object.class);
            self.0.push(u8::from(needed[no]));
            let is_unborn = by_calls.contains(&no) || known.begun.contains(&no);
            match &object.parts {
                _ if is_unborn => self.int(MADE),
                Parts::Made | Parts::Internals(_) | Parts::Opaque(_) => self.int(MADE),
                Parts::Elements(all) => self.count(all.len()),
                Parts::Home(class, field) => {
                    self.int(HOME);
                    self.text(class);
                    self.text(field);
                }
                Parts::Text(text) => {
                    self.int(TEXT);
                    self.units(text);
                }
                Parts::Fields(_) => self.int(FIELDS),
            }
        }
        for (object, needed) in objects.iter().zip(needed) {
            self.parts(object, *needed);
        }
        self.count(statics.len());
        for (class, name, val) in statics {
            self.text(class);
            self.text(name);
            self.value(val);
        }
        self.script(script);
    }

    fn parts(&mut self, object: &Object, is_needed: bool) {
        match &object.parts {
            Parts::Elements(all) if is_needed => {
                self.count(all.len());
                all.iter().for_each(|val| self.value(val));
            }
            Parts::Fields(fields) => {
                // What is not known is left as it is.
                let known = |val: &Val| !matches!(val, Val::Unknown(_));
                let fields: Vec<_> = fields.iter().filter(|(_, _, val)| known(val)).collect();
                self.count(fields.len());
                for (class, name, val) in fields {
                    self.text(class);
                    self.text(name);
                    self.value(val);
                }
            }
            _ => self.count(0),
        }
    }

    fn script(&mut self, script: &Script) {
        self.count(script.ops.len());
        for op in &script.ops {
            match op {
                Op::Fill(array, elements) => {
                    self.0.push(0);
                    self.count(*array);
                    self.count(elements.len());
                    elements.iter().for_each(|val| self.value(val));
                }
                Op::Call(call) => {
                    self.0.push(1);
                    self.0.push(call.how as u8);
                    let owner = call.target.owner.replace('/', ".");
                    for text in [&*owner, &call.caller, &call.target.name, &call.target.desc] {
                        self.text(text);
                    }
                    self.count(call.given.len());
                    call.given.iter().for_each(|val| self.value(val));
                    match &call.came {
                        RecordedOutcome::Anything => self.0.push(0),
                        RecordedOutcome::Returned(val) => {
                            self.0.push(1);
                            self.value(val);
                        }
                        RecordedOutcome::Threw => self.0.push(2),
                    }
                }
            }
        }
    }

    fn value(&mut self, val: &Val) {
        match val {
            Val::Null | Val::Unknown(_) => self.0.push(0),
            Val::Object(number) => {
                self.0.push(1);
                self.count(*number);
            }
            Val::Text(text) => {
                self.0.push(2);
                self.units(text);
            }
            Val::Prim(prim) | Val::Boxed(prim) => {
                self.0.push(3);
                self.0.push(prim.letter() as u8);
                self.0.extend_from_slice(&bits(*prim).to_be_bytes());
            }
            Val::Class(name) => {
                self.0.push(5);
                self.text(name);
            }
        }
    }
}

fn bits(prim: Prim) -> i64 {
    match prim {
        Prim::Boolean(b) => i64::from(b),
        Prim::Byte(n) => n.into(),
        Prim::Char(c) => c.into(),
        Prim::Short(n) => n.into(),
        Prim::Int(n) => n.into(),
        Prim::Long(n) => n,
        Prim::Float(f) => f.to_bits().into(),
        Prim::Double(d) => d.to_bits() as i64,
    }
}

fn prim(letter: u8, bits: i64) -> Prim {
    match letter {
        b'Z' => Prim::Boolean(bits != 0),
        b'B' => Prim::Byte(bits as i8),
        b'C' => Prim::Char(bits as u16),
        b'S' => Prim::Short(bits as i16),
        b'I' => Prim::Int(bits as i32),
        b'F' => Prim::Float(f32::from_bits(bits as u32)),
        b'D' => Prim::Double(f64::from_bits(bits as u64)),
        _ => Prim::Long(bits),
    }
}

struct In<'a>(&'a [u8]);

impl In<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn int(&mut self) -> Option<i32> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(i32::from_be_bytes(*number))
    }

    fn long(&mut self) -> Option<i64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(i64::from_be_bytes(*number))
    }

    fn units(&mut self) -> Option<Option<Vec<u16>>> {
        let Ok(count) = usize::try_from(self.int()?) else {
            return Some(None);
        };
        let (text, rest) = self.0.split_at_checked(count.checked_mul(2)?)?;
        self.0 = rest;
        let units = text.chunks_exact(2);
        Some(Some(
            units.map(|u| u16::from_be_bytes([u[0], u[1]])).collect(),
        ))
    }

    fn broken(&mut self) -> Option<Vec<(usize, Doubt)>> {
        let count = self.int()?;
        let all = (0..count).map(|_| {
            let no = usize::try_from(self.int()?).ok()?;
            Some((no, Doubt::reported(self.text()?)))
        });
        all.collect()
    }

    /// Fields, a line each: class and name.
    fn members(&mut self) -> Option<Vec<(String, String)>> {
        let text = self.text()?.unwrap_or_default();
        let members = text.lines().filter_map(|line| line.split_once(' '));
        let members = members.map(|(class, name)| (class.to_owned(), name.to_owned()));
        Some(members.collect())
    }

    /// Objects with what they hold.
    fn graph(&mut self) -> Option<Graph> {
        let mut graph = Graph::default();
        while self.byte()? == 1 {
            let class = self.text()?.unwrap_or_default();
            let parts = match self.byte()? {
                kind @ (1 | 4) => {
                    let mut fields = Vec::new();
                    for _ in 0..self.int()? {
                        let class = self.text()?.unwrap_or_default();
                        let name = self.text()?.unwrap_or_default();
                        fields.push((class, name, self.value()?));
                    }
                    match kind {
                        1 => Parts::Fields(fields),
                        _ => Parts::Internals(fields),
                    }
                }
                2 => {
                    let count = self.int()?;
                    let all = (0..count).map(|_| self.value());
                    Parts::Elements(all.collect::<Option<_>>()?)
                }
                3 => Parts::Text(Arc::from(self.units()??)),
                _ => Parts::Opaque(Doubt::Object {
                    class: class.clone(),
                }),
            };
            graph.objects.push(Object { class, parts });
        }
        Some(graph)
    }

    /// A text, or `null`.
    fn text(&mut self) -> Option<Option<String>> {
        let units = self.units()?;
        Some(units.map(|units| String::from_utf16_lossy(&units)))
    }

    fn value(&mut self) -> Option<Val> {
        Some(match self.byte()? {
            0 => Val::Null,
            1 => Val::Object(usize::try_from(self.int()?).ok()?),
            2 => Val::Text(Arc::from(self.units()??)),
            5 => Val::Class(self.text()??),
            kind => {
                let letter = self.byte()?;
                let prim = prim(letter, self.long()?);
                match kind {
                    3 => Val::Prim(prim),
                    _ => Val::Boxed(prim),
                }
            }
        })
    }
}

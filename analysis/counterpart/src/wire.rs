//! How a call is told to the JVM, and what came of it told back (`jinsi.replay.Counterpart`).

use std::sync::Arc;

use jinsi_trace::model::Prim;

use crate::graph::{End, Graph, Object, Parts, Snapshot, Val};
use crate::recorded::Call;

/// Time for a call, in milliseconds.
const LIMIT: i32 = 5_000;

/// Instead of an array's length: objects with fields, those of a static field, those that a text says.
const FIELDS: i32 = -1;
const HOME: i32 = -2;
const TEXT: i32 = -3;

/// The request.
pub(crate) fn request(call: &Call) -> Vec<u8> {
    let mut to = Out(Vec::new());
    to.int(LIMIT);
    to.text(&call.method.owner.replace('/', "."));
    to.text(&call.method.name);
    to.text(&call.method.desc);
    let objects = &call.known.graph.objects;
    to.count(objects.len());
    for object in objects {
        to.text(&object.class);
        match &object.parts {
            Parts::Elements(all) => to.count(all.len()),
            Parts::Home(class, field) => {
                to.int(HOME);
                to.text(class);
                to.text(field);
            }
            Parts::Text(text) => {
                to.int(TEXT);
                to.units(text);
            }
            Parts::Fields(_) | Parts::Opaque => to.int(FIELDS),
        }
    }
    for object in objects {
        match &object.parts {
            Parts::Elements(all) => {
                to.count(all.len());
                for (index, val) in all.iter().enumerate() {
                    to.count(index);
                    to.value(val);
                }
            }
            Parts::Fields(fields) => {
                to.count(fields.len());
                for (class, name, val) in fields {
                    to.text(class);
                    to.text(name);
                    to.value(val);
                }
            }
            Parts::Text(_) | Parts::Home(..) | Parts::Opaque => to.count(0),
        }
    }
    to.count(call.statics.len());
    for (class, name, val) in &call.statics {
        to.text(class);
        to.text(name);
        to.value(val);
    }
    to.count(call.given.len());
    match call.made {
        Some(made) => to.count(made),
        None => to.int(-1),
    }
    for (_, val) in &call.given {
        to.value(val);
    }
    to.count(call.watched.len());
    for class in &call.watched {
        to.text(class);
    }
    to.0
}

/// What came of it there, or why nothing did; nothing if the reply is none.
pub(crate) fn reply(bytes: &[u8], call: &Call) -> Option<Result<Snapshot, String>> {
    let mut from = In(bytes);
    if from.byte()? == 0 {
        return Some(Err(from.text()?.unwrap_or_default()));
    }
    let end = match from.byte()? {
        0 => End::Returned(Some(from.value()?)),
        _ => End::Threw(from.text()?.unwrap_or_default(), from.text()?),
    };
    let printed = from.text()?;
    let mut statics = Vec::new();
    for class in &call.watched {
        for _ in 0..from.int()? {
            let name = from.text()?.unwrap_or_default();
            statics.push((class.clone(), name, from.value()?));
        }
    }
    let mut graph = Graph::default();
    while from.byte()? == 1 {
        let class = from.text()?.unwrap_or_default();
        let parts = match from.byte()? {
            1 => {
                let mut fields = Vec::new();
                for _ in 0..from.int()? {
                    let class = from.text()?.unwrap_or_default();
                    let name = from.text()?.unwrap_or_default();
                    fields.push((class, name, from.value()?));
                }
                Parts::Fields(fields)
            }
            2 => {
                let count = from.int()?;
                let all = (0..count).map(|_| from.value());
                Parts::Elements(all.collect::<Option<_>>()?)
            }
            3 => Parts::Text(Arc::from(from.units()??)),
            _ => Parts::Opaque,
        };
        graph.objects.push(Object { class, parts });
    }
    let mut given = call.given.clone();
    given.extend(call.made.map(|no| ("this".to_owned(), Val::Object(no))));
    Some(Ok(Snapshot {
        end,
        given,
        statics,
        printed,
        graph,
    }))
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

//! Writing the raw form, as the probes do it.

use thiserror::Error;

use super::{
    FORM_ARRAY, FORM_ELEMENTS, FORM_ENTRIES, FORM_FIELDS, FORM_PRIMITIVES, FORM_TEXT,
    FORM_TOO_LARGE, LONG_EVENT, TAG_BOX, TAG_CLASS, TAG_OBJECT, TAG_PRIM, TAG_STRING, packed_width,
};
use crate::model::{Content, Event, EventKind, JavaString, ObjectId, Payload, Prim, SiteNo, Value};

/// Object numbers take 61 bits in a reference word, counts 48 in a form word.
const MAX_ID: u64 = u64::MAX >> 3;
const MAX_COUNT: u64 = (1 << 48) - 1;

/// Why an event cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum EncodeError {
    /// Operands are not of the number or types that the site says.
    #[error("operands of a {0:?} event do not fit its site")]
    Operands(EventKind),
    /// The payload is not the one of the kind.
    #[error("payload of another kind in a {0:?} event")]
    Payload(EventKind),
    /// A primitive among references, primitives of several types in one array, or a key without value.
    #[error("content holds values that cannot stand together")]
    Content,
    /// A number needs more bits than the form has.
    #[error("{0} is too large for the raw form")]
    Large(u64),
}

/// Appends `event` to `out`; `letters` are its site's operand types, `L` for `Uncaught`, `J` for `Order` and `Mark`, not used for `Define` and
/// `Content`. On an error `out` is as before.
///
/// # Errors
/// The event contradicts itself or its site.
pub fn encode(event: &Event, letters: &str, out: &mut Vec<u8>) -> Result<(), EncodeError> {
    let start = out.len();
    let mut words = Words(Vec::new());
    words.payload(event, letters)?;
    let count = (words.0.len() / 8) as u64;
    let head = u64::from(SiteNo::written(event.site))
        | (event.kind as u64) << 32
        | count.min(LONG_EVENT) << 48;
    out.reserve(words.0.len() + 16);
    out.extend(head.to_le_bytes());
    if count >= LONG_EVENT {
        out.extend(count.to_le_bytes());
    }
    out.extend(words.0);
    debug_assert!((out.len() - start).is_multiple_of(8));
    Ok(())
}

struct Words(Vec<u8>);

impl Words {
    fn push(&mut self, word: u64) {
        self.0.extend(word.to_le_bytes());
    }

    fn pad(&mut self) {
        self.0.resize(self.0.len().next_multiple_of(8), 0);
    }

    fn payload(&mut self, event: &Event, letters: &str) -> Result<(), EncodeError> {
        match (&event.payload, event.kind) {
            (Payload::Define { id, class, length }, EventKind::Define) => {
                let length_plus_1 = length.map_or(Some(0), |n| n.checked_add(1));
                let length_plus_1 = length_plus_1.ok_or(EncodeError::Large(u64::from(u32::MAX)))?;
                self.push(*id);
                self.push(u64::from(class.get()) | u64::from(length_plus_1) << 32);
                Ok(())
            }
            (Payload::Content { id, content }, EventKind::Content) => {
                self.push(*id);
                self.content(content)
            }
            (Payload::Operands(_), EventKind::Define | EventKind::Content) => {
                Err(EncodeError::Payload(event.kind))
            }
            (Payload::Operands(values), kind) => {
                if values.len() != letters.len() {
                    return Err(EncodeError::Operands(kind));
                }
                values
                    .iter()
                    .zip(letters.chars())
                    .try_for_each(|(value, letter)| match value {
                        Value::Prim(p) if p.letter() == letter => {
                            self.push(p.to_word());
                            Ok(())
                        }
                        Value::Prim(_) => Err(EncodeError::Operands(kind)),
                        _ if letter != 'L' => Err(EncodeError::Operands(kind)),
                        reference => self.reference(reference),
                    })
            }
            (_, kind) => Err(EncodeError::Payload(kind)),
        }
    }

    fn object(&mut self, id: ObjectId) -> Result<(), EncodeError> {
        if id > MAX_ID {
            return Err(EncodeError::Large(id));
        }
        self.push(id << 3 | TAG_OBJECT);
        Ok(())
    }

    fn reference(&mut self, value: &Value) -> Result<(), EncodeError> {
        match value {
            Value::Prim(_) => return Err(EncodeError::Content),
            Value::Null => self.push(0),
            Value::Str(text) => self.string(text),
            Value::Boxed(prim) => {
                self.push(u64::from(u32::from(prim.letter())) << 3 | TAG_BOX);
                self.push(prim.to_word());
            }
            Value::Class(no) => self.push(u64::from(no.get()) << 3 | TAG_CLASS),
            Value::Object(id) => self.object(*id)?,
        }
        Ok(())
    }

    fn string(&mut self, text: &JavaString) {
        let latin1 = text.0.iter().all(|&unit| unit < 0x100);
        let (len, flag) = if latin1 {
            (text.0.len(), 0)
        } else {
            (text.0.len() * 2, 8)
        };
        self.push((len as u64) << 4 | flag | TAG_STRING);
        if latin1 {
            self.0.extend(text.0.iter().map(|&unit| unit as u8));
        } else {
            self.0
                .extend(text.0.iter().flat_map(|unit| unit.to_le_bytes()));
        }
        self.pad();
    }

    fn form(&mut self, form: u64, letter: u8, count: u64) -> Result<(), EncodeError> {
        if count > MAX_COUNT {
            return Err(EncodeError::Large(count));
        }
        self.push(form | u64::from(letter) << 8 | count << 16);
        Ok(())
    }

    fn content(&mut self, content: &Content) -> Result<(), EncodeError> {
        match content {
            Content::Array(values) => match values.first() {
                Some(Value::Prim(first)) => self.primitives(first.letter(), values),
                _ => self.references(FORM_ARRAY, values),
            },
            Content::Elements(values) => self.references(FORM_ELEMENTS, values),
            Content::Entries(values) if values.len() % 2 != 0 => Err(EncodeError::Content),
            Content::Entries(values) => self.references(FORM_ENTRIES, values),
            Content::Text(text) => {
                self.form(FORM_TEXT, 0, 1)?;
                self.string(text);
                Ok(())
            }
            Content::TooLarge { len } => self.form(FORM_TOO_LARGE, 0, *len),
            Content::Fields(fields) => {
                self.form(FORM_FIELDS, 0, fields.len() as u64)?;
                fields.iter().try_for_each(|(field, value)| {
                    self.push(u64::from(field.class.get()) << 3 | TAG_CLASS);
                    self.string(&JavaString::new(&field.name));
                    match value {
                        Value::Prim(prim) => {
                            self.push(u64::from(u32::from(prim.letter())) << 3 | TAG_PRIM);
                            self.push(prim.to_word());
                            Ok(())
                        }
                        reference => self.reference(reference),
                    }
                })
            }
        }
    }

    fn references(&mut self, form: u64, values: &[Value]) -> Result<(), EncodeError> {
        self.form(form, 0, values.len() as u64)?;
        values.iter().try_for_each(|v| self.reference(v))
    }

    fn primitives(&mut self, letter: char, values: &[Value]) -> Result<(), EncodeError> {
        let letter_byte = letter as u8;
        let width = packed_width(letter_byte).ok_or(EncodeError::Content)?;
        self.form(FORM_PRIMITIVES, letter_byte, values.len() as u64)?;
        for value in values {
            match value {
                Value::Prim(p) if p.letter() == letter => self.packed(*p, width),
                _ => return Err(EncodeError::Content),
            }
        }
        self.pad();
        Ok(())
    }

    fn packed(&mut self, prim: Prim, width: usize) {
        self.0.extend(&prim.to_word().to_le_bytes()[..width]);
    }
}

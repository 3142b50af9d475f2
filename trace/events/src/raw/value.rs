//! Values as they lie in a buffer: borrowed, not yet copied into the event model.

use std::ops::Range;

use crate::model::{
    ClassNo, Content, FieldName, Fields, JavaString, ObjectId, Payload, Prim, Value,
};

/// A value in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawValue<'a> {
    /// A primitive.
    Prim(Prim),
    /// `null`.
    Null,
    /// An object by identity.
    Object(ObjectId),
    /// A string.
    Str {
        /// UTF-16 little-endian instead of Latin-1.
        utf16: bool,
        /// Its characters; of even length if UTF-16.
        bytes: &'a [u8],
    },
    /// A class object.
    Class(ClassNo),
    /// A box.
    Boxed(Prim),
}

/// Content in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawContent<'a> {
    /// A primitive array: elements of type `letter`, packed in their natural width, little-endian.
    Primitives {
        /// Type of the elements.
        letter: u8,
        /// The elements, without padding.
        bytes: &'a [u8],
    },
    /// A primitive array that differs little from what it was before.
    Patched {
        /// Type of the elements.
        letter: u8,
        /// Where in the walked bytes the event begins that has them as they were.
        base: usize,
        /// The elements as they were, without padding.
        bytes: &'a [u8],
        /// Which bytes have changed; within those of the elements.
        range: Range<usize>,
        /// What they are now.
        patch: &'a [u8],
    },
    /// References of an array, a collection or a map; `form` is one of [`super::FORM_ARRAY`],
    /// [`super::FORM_ELEMENTS`], [`super::FORM_ENTRIES`].
    References {
        /// Which of the three.
        form: u64,
        /// The references.
        values: Vec<RawValue<'a>>,
    },
    /// An immutable value's text; always a [`RawValue::Str`].
    Text(RawValue<'a>),
    /// Not recorded.
    TooLarge {
        /// Number of elements.
        len: u64,
    },
    /// Fields: class, name and value of each, one after the other.
    Fields(Vec<RawValue<'a>>),
}

/// Payload of an event in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawPayload<'a> {
    /// Operand values.
    Operands(Vec<RawValue<'a>>),
    /// An object gets its identity.
    Define {
        /// The identity.
        id: ObjectId,
        /// Its run-time class.
        class: ClassNo,
        /// Array length plus one; 0 if it is no array.
        length_plus_1: u32,
    },
    /// Content of an object.
    Content {
        /// The object.
        id: ObjectId,
        /// What it holds.
        content: RawContent<'a>,
    },
}

impl RawValue<'_> {
    /// The value in the event model.
    pub fn to_value(self) -> Value {
        match self {
            RawValue::Prim(p) => Value::Prim(p),
            RawValue::Null => Value::Null,
            RawValue::Object(id) => Value::Object(id),
            RawValue::Str { utf16, bytes } => Value::Str(java_string(utf16, bytes)),
            RawValue::Class(no) => Value::Class(no),
            RawValue::Boxed(p) => Value::Boxed(p),
        }
    }
}

impl RawContent<'_> {
    /// The content in the event model.
    pub fn to_content(&self) -> Content {
        match self {
            RawContent::Primitives { letter, bytes } => Content::Array(unpack(*letter, bytes)),
            RawContent::Patched {
                letter,
                bytes,
                range,
                patch,
                ..
            } => Content::Array(unpack(*letter, &patched(bytes, range.clone(), patch))),
            RawContent::References { form, values } => {
                references(*form, values.iter().map(|v| v.to_value()).collect())
            }
            RawContent::Text(text) => Content::Text(match text.to_value() {
                Value::Str(s) => s,
                _ => JavaString::new(""),
            }),
            RawContent::TooLarge { len } => Content::TooLarge { len: *len },
            RawContent::Fields(parts) => {
                let parts = parts.iter().map(|v| v.to_value()).collect();
                Content::Fields(fields(parts).unwrap_or_default())
            }
        }
    }
}

impl RawPayload<'_> {
    /// The payload in the event model.
    pub fn to_payload(&self) -> Payload {
        match self {
            RawPayload::Operands(values) => {
                Payload::Operands(values.iter().map(|v| v.to_value()).collect())
            }
            RawPayload::Define {
                id,
                class,
                length_plus_1,
            } => Payload::Define {
                id: *id,
                class: *class,
                length: length_plus_1.checked_sub(1),
            },
            RawPayload::Content { id, content } => Payload::Content {
                id: *id,
                content: content.to_content(),
            },
        }
    }
}

/// The fields that `parts` tell of: class, name and value of each; `None` if they are something else.
pub fn fields(parts: Vec<Value>) -> Option<Fields> {
    let mut parts = parts.into_iter();
    let mut all = Vec::new();
    while let Some(class) = parts.next() {
        match (class, parts.next()?, parts.next()?) {
            (Value::Class(class), Value::Str(name), value) => {
                let name = name.to_string();
                all.push((FieldName { class, name }, value));
            }
            _ => return None,
        }
    }
    Some(all.into_iter().collect())
}

/// The content that `form`, one of the three forms of references, makes of `values`.
pub fn references(form: u64, values: Vec<Value>) -> Content {
    match form {
        super::FORM_ARRAY => Content::Array(values),
        super::FORM_ELEMENTS => Content::Elements(values),
        _ => Content::Entries(values),
    }
}

/// The string of Latin-1 or UTF-16 little-endian bytes.
pub fn java_string(utf16: bool, bytes: &[u8]) -> JavaString {
    JavaString(if utf16 {
        bytes
            .chunks_exact(2)
            .map(|b| u16::from_le_bytes([b[0], b[1]]))
            .collect()
    } else {
        bytes.iter().map(|&b| u16::from(b)).collect()
    })
}

/// `bytes` with `patch` in place of a range of them, which is as long.
pub fn patched(bytes: &[u8], range: Range<usize>, patch: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if let Some(changed) = bytes.get_mut(range)
        && changed.len() == patch.len()
    {
        changed.copy_from_slice(patch);
    }
    bytes
}

/// The elements of a packed primitive array; none if `letter` is no primitive type's.
pub fn unpack(letter: u8, bytes: &[u8]) -> Vec<Value> {
    let Some(width) = super::packed_width(letter) else {
        return Vec::new();
    };
    bytes
        .chunks_exact(width)
        .filter_map(|element| {
            let mut word = [0; 8];
            word[..width].copy_from_slice(element);
            Prim::from_word(char::from(letter), u64::from_le_bytes(word)).map(Value::Prim)
        })
        .collect()
}

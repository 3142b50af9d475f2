//! Values in events, and what objects hold.

use std::fmt;
use std::sync::Arc;

use super::{ClassNo, ObjectId};

/// A Java string: UTF-16, unpaired surrogates allowed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JavaString(pub Arc<[u16]>);

impl JavaString {
    /// From Rust text.
    pub fn new(text: &str) -> Self {
        Self(text.encode_utf16().collect())
    }
}

impl fmt::Display for JavaString {
    /// Unpaired surrogates become U+FFFD.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf16_lossy(&self.0))
    }
}

impl fmt::Debug for JavaString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&String::from_utf16_lossy(&self.0), f)
    }
}

/// A primitive value with its type.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Prim {
    Boolean(bool),
    Byte(i8),
    Char(u16),
    Short(i16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
}

impl Prim {
    /// Descriptor letter of the type.
    pub fn letter(self) -> char {
        match self {
            Prim::Boolean(_) => 'Z',
            Prim::Byte(_) => 'B',
            Prim::Char(_) => 'C',
            Prim::Short(_) => 'S',
            Prim::Int(_) => 'I',
            Prim::Long(_) => 'J',
            Prim::Float(_) => 'F',
            Prim::Double(_) => 'D',
        }
    }

    /// The value as an operand word: integers sign-extended, floats as their bits.
    pub fn to_word(self) -> u64 {
        match self {
            Prim::Boolean(v) => u64::from(v),
            Prim::Byte(v) => v as i64 as u64,
            Prim::Char(v) => u64::from(v),
            Prim::Short(v) => v as i64 as u64,
            Prim::Int(v) => v as i64 as u64,
            Prim::Long(v) => v as u64,
            Prim::Float(v) => u64::from(v.to_bits()),
            Prim::Double(v) => v.to_bits(),
        }
    }

    /// Is this the letter of a primitive type?
    pub fn is_letter(letter: u64) -> bool {
        u8::try_from(letter).is_ok_and(|letter| b"ZBCSIJFD".contains(&letter))
    }

    /// The value of type `letter` held by an operand word; `None` if the letter is no primitive type's.
    pub fn from_word(letter: char, word: u64) -> Option<Self> {
        Some(match letter {
            'Z' => Prim::Boolean(word & 1 != 0),
            'B' => Prim::Byte(word as i8),
            'C' => Prim::Char(word as u16),
            'S' => Prim::Short(word as i16),
            'I' => Prim::Int(word as i32),
            'J' => Prim::Long(word as i64),
            'F' => Prim::Float(f32::from_bits(word as u32)),
            'D' => Prim::Double(f64::from_bits(word)),
            _ => return None,
        })
    }
}

/// Internal names of the classes that box, with the descriptor letters of what they box.
const BOXES: [(char, &str); 8] = [
    ('Z', "java/lang/Boolean"),
    ('B', "java/lang/Byte"),
    ('C', "java/lang/Character"),
    ('S', "java/lang/Short"),
    ('I', "java/lang/Integer"),
    ('J', "java/lang/Long"),
    ('F', "java/lang/Float"),
    ('D', "java/lang/Double"),
];

/// Internal name of the class that boxes the primitive type with this descriptor letter.
pub fn box_class(letter: char) -> Option<&'static str> {
    let of_letter = BOXES.iter().find(|(boxed, _)| *boxed == letter);
    of_letter.map(|(_, class)| *class)
}

/// Does the internal name name `String` or a class that boxes? Their instances are their content, and have no identity in a trace.
pub fn is_string_or_box(internal: &str) -> bool {
    internal == "java/lang/String" || BOXES.iter().any(|(_, class)| *class == internal)
}

/// Equal when of the same type and the same bits (so `NaN == NaN`, and `0.0 != -0.0`).
impl PartialEq for Prim {
    fn eq(&self, other: &Self) -> bool {
        self.letter() == other.letter() && self.to_word() == other.to_word()
    }
}
impl Eq for Prim {}

/// A value in an event: strings by content, objects by identity and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A primitive.
    Prim(Prim),
    /// `null`.
    Null,
    /// A string, by content.
    Str(JavaString),
    /// A box of `java.lang`, by content.
    Boxed(Prim),
    /// A class object, by the class it stands for.
    Class(ClassNo),
    /// Any other object or array, by identity.
    Object(ObjectId),
}

/// An instance field as a class declares it. Fields of one name in a class and its superclass are two.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldName {
    /// The class that declares it.
    pub class: ClassNo,
    /// Simple name.
    pub name: String,
}

/// What all instance fields of an object hold, superclasses' fields included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields {
    names: Vec<FieldName>,
    values: Vec<Value>,
}

impl Fields {
    /// The fields, in the order of the recording.
    pub fn iter(&self) -> impl Iterator<Item = (&FieldName, &Value)> {
        self.names.iter().zip(&self.values)
    }

    /// What the field holds that `class` declares.
    pub fn get(&self, class: ClassNo, name: &str) -> Option<&Value> {
        self.iter()
            .find(|(field, _)| field.class == class && field.name == name)
            .map(|(_, value)| value)
    }

    /// Number of fields.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Has the object no field?
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The values alone, in the order of [`Self::iter`].
    pub fn values(&self) -> &[Value] {
        &self.values
    }
}

impl FromIterator<(FieldName, Value)> for Fields {
    fn from_iter<I: IntoIterator<Item = (FieldName, Value)>>(fields: I) -> Self {
        let (names, values) = fields.into_iter().unzip();
        Self { names, values }
    }
}

/// Content of an array, a natural object, or an object that no recorded constructor made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Array of primitives or references, all elements.
    Array(Vec<Value>),
    /// A list, set or queue, in iteration order.
    Elements(Vec<Value>),
    /// A map, in iteration order: key, value, key, value…
    Entries(Vec<Value>),
    /// An immutable value: the text that `toString()` of its (JDK) class gives and from which it is made again
    /// (`BigDecimal`, `java.time`, `Locale` as language tag, `UUID`, …), or an enum constant's name.
    Text(JavaString),
    /// Content larger than the bound: not recorded. `len` is its size.
    TooLarge {
        /// Number of elements.
        len: u64,
    },
    /// An object of an observed class that got its identity otherwise than in its constructor (`clone`, deserialization,
    /// `Unsafe.allocateInstance`, or a constructor of a superclass that let it escape).
    Fields(Fields),
}

impl Content {
    /// The elements, keys, values and field values that are held.
    pub fn values(&self) -> &[Value] {
        match self {
            Content::Array(v) | Content::Elements(v) | Content::Entries(v) => v,
            Content::Fields(fields) => fields.values(),
            Content::Text(_) | Content::TooLarge { .. } => &[],
        }
    }
}

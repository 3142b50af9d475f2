//! Values on the operand stack and in local variables, some of which turn out later.

use std::rc::Rc;

use jinsi_trace::model::{ObjectId, Prim, Value};
use rustc_hash::FxHashMap;

use crate::moment::At;
use crate::seen::{Seen, Why};

/// What is in a [`Cell`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    /// Nothing yet.
    Unset,
    /// This value.
    Known(Value),
    /// What is known of it is among the [`Bindings`], by this number. If nothing is there, this is why.
    Open(u64, Why),
}

/// A place for a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What is in it.
    pub datum: Datum,
    /// Before which instruction of the thread the one stood that made the value: copies keep it.
    pub made: At,
}

impl Cell {
    /// With nothing in it yet.
    pub const UNSET: Cell = Cell {
        datum: Datum::Unset,
        made: At { events: 0, step: 0 },
    };

    /// With this value, which was made then.
    #[inline]
    pub fn known(value: Value, made: At) -> Self {
        Self {
            datum: Datum::Known(value),
            made,
        }
    }
}

/// What is known of a value that no event had reported when it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// That.
    pub seen: Seen,
}

/// Values that turn out later than they were made: an object gets its identity when an event first names it.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    known: FxHashMap<u64, Binding>,
    /// Objects that got their identity after recorded code had made them.
    pub named: Vec<ObjectId>,
    /// Events that said something else than what had been computed. More than none means that code was not understood.
    pub contradictions: u64,
}

impl Bindings {
    /// A value of which this is known. What is known of it already stays.
    #[inline]
    pub fn open(&mut self, number: u64, seen: Seen) -> Datum {
        match (self.known.get(&number), seen) {
            (
                Some(Binding {
                    seen: Seen::Known(value),
                }),
                _,
            ) if !matches!(value, Value::Object(_)) => Datum::Known(value.clone()),
            (Some(_), _) => Datum::Open(number, Why::Unreported),
            // Most are soon forgotten.
            (None, Seen::Unknown(why)) => Datum::Open(number, why),
            (None, seen) => {
                self.known.insert(number, Binding { seen });
                Datum::Open(number, Why::Unreported)
            }
        }
    }

    /// An event says what the cell holds.
    #[inline]
    pub fn bind(&mut self, cell: &Cell, value: &Value) {
        let agrees = match &cell.datum {
            Datum::Known(known) => same(known, &stacked(value.clone())),
            Datum::Unset => true,
            Datum::Open(number, _) => self.bind_open(*number, stacked(value.clone())),
        };
        self.contradictions += u64::from(!agrees);
    }

    /// An event says what an open value is. Does that agree with what was known?
    fn bind_open(&mut self, number: u64, value: Value) -> bool {
        let before = self.known.get_mut(&number);
        match before.map(|binding| &mut binding.seen) {
            Some(Seen::Known(known)) => return same(known, &value),
            Some(seen) => {
                if let (Seen::Fresh { .. }, Value::Object(id)) = (&*seen, &value) {
                    self.named.push(*id);
                }
                *seen = Seen::Known(value);
            }
            None => {
                let seen = Seen::Known(value);
                self.known.insert(number, Binding { seen });
            }
        }
        true
    }

    /// What is known of what a cell holds.
    pub fn seen(&self, cell: &Cell) -> Seen {
        match &cell.datum {
            Datum::Unset => Seen::Unknown(Why::Unset),
            Datum::Known(value) => Seen::Known(value.clone()),
            Datum::Open(number, why) => match self.known.get(number) {
                Some(binding) => binding.seen.clone(),
                None => Seen::Unknown(*why),
            },
        }
    }

    /// The value, if it is known.
    #[inline]
    pub fn value<'a>(&'a self, cell: &'a Cell) -> Option<&'a Value> {
        match &cell.datum {
            Datum::Known(value) => Some(value),
            Datum::Unset => None,
            Datum::Open(number, _) => match &self.known.get(number)?.seen {
                Seen::Known(value) => Some(value),
                _ => None,
            },
        }
    }

    /// What is known of an object that no event has named.
    #[inline]
    pub fn fresh(&self, cell: &Cell) -> Option<(&Rc<str>, Option<u32>)> {
        match &cell.datum {
            Datum::Open(number, _) => match &self.known.get(number)?.seen {
                Seen::Fresh { class, length } => Some((class, *length)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Puts what is known into the cell itself; is it known for good then?
    #[inline]
    pub fn settle(&self, cell: &mut Cell) -> bool {
        let Datum::Open(..) = cell.datum else {
            return true;
        };
        match self.value(cell).cloned() {
            Some(value) => {
                cell.datum = Datum::Known(value);
                true
            }
            None => false,
        }
    }

    /// Knows nothing any more.
    pub fn clear(&mut self) {
        self.known.clear();
        self.named.clear();
        self.contradictions = 0;
    }

    /// What is known by this number.
    #[inline]
    pub fn get(&self, number: u64) -> Option<&Binding> {
        self.known.get(&number)
    }

    /// Says what is known by this number.
    pub fn set(&mut self, number: u64, binding: Binding) {
        self.known.insert(number, binding);
    }
}

/// Are they the same, as far as the two ways of telling agree? A string that is reported may have been cut or redacted, and a class may have
/// two numbers.
fn same(known: &Value, reported: &Value) -> bool {
    match (known, reported) {
        (Value::Prim(Prim::Float(a)), Value::Prim(Prim::Float(b))) => {
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
        }
        (Value::Prim(Prim::Double(a)), Value::Prim(Prim::Double(b))) => {
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
        }
        (Value::Prim(a), Value::Prim(b)) => a == b,
        (Value::Object(a), Value::Object(b)) => a == b,
        (Value::Null, Value::Null) => true,
        (Value::Prim(_), _) | (_, Value::Prim(_)) => false,
        (Value::Null, _) | (_, Value::Null) => false,
        _ => true,
    }
}

/// As the operand stack has it: everything smaller than an `int` is one.
#[inline]
pub fn stacked(value: Value) -> Value {
    let int = match value {
        Value::Prim(Prim::Boolean(v)) => i32::from(v),
        Value::Prim(Prim::Byte(v)) => i32::from(v),
        Value::Prim(Prim::Char(v)) => i32::from(v),
        Value::Prim(Prim::Short(v)) => i32::from(v),
        other => return other,
    };
    Value::Prim(Prim::Int(int))
}

/// As a variable of the type with this descriptor has it.
#[inline]
pub fn declared(value: Value, desc: &str) -> Value {
    let Value::Prim(Prim::Int(int)) = value else {
        return value;
    };
    Value::Prim(match desc.as_bytes().first() {
        Some(b'Z') => Prim::Boolean(int & 1 != 0),
        Some(b'B') => Prim::Byte(int as i8),
        Some(b'C') => Prim::Char(int as u16),
        Some(b'S') => Prim::Short(int as i16),
        _ => Prim::Int(int),
    })
}

/// What a variable of this type holds that nobody has written.
#[inline]
pub fn default_of(desc: &str) -> Value {
    match desc.chars().next().and_then(|c| Prim::from_word(c, 0)) {
        Some(zero) => Value::Prim(zero),
        None => Value::Null,
    }
}

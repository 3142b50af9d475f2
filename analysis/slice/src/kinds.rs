//! Kinds of what objects hold besides recorded fields: elements of arrays, and the state of objects whose code is not recorded.
//!
//! A branch that went another way could have changed an array or a collection. It is not known which one, but of what kind it is
//! (Wang 2007, Section 4.3, with types in the place of allocation sites).

use std::collections::HashMap;

use jinsi_classfile::opcode;
use jinsi_trace::model::{ClassDef, ClassNo, ClassOrigin, ObjectId};
use jinsi_trace::reader::{ReadError, Trace};

/// How many kinds there are.
pub const COUNT: usize = 10;

/// Any other array: of references.
const REFERENCES: u16 = 1 << 4;
/// `StringBuilder` and `StringBuffer`.
const TEXT: u16 = 1 << 8;
/// Collections, streams, and all else.
const OTHER: u16 = 1 << 9;
const ALL: u16 = (1 << COUNT) - 1;

/// Identities come one after the other. One further ahead than this is of a damaged trace.
const LEAP: usize = 1 << 20;

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kinds(u16);

impl Kinds {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// Every one.
    pub const ALL: Self = Self(ALL);

    /// Elements that an `xaload` or `xastore` accesses.
    pub fn of_element(code: u8) -> Self {
        match code {
            opcode::IALOAD..=opcode::SALOAD => Self(1 << (code - opcode::IALOAD)),
            opcode::IASTORE..=opcode::SASTORE => Self(1 << (code - opcode::IASTORE)),
            _ => Self::ALL,
        }
    }

    /// What a value of this type (a field descriptor) may hold.
    pub fn of_type(desc: &str) -> Self {
        let mut letters = desc.bytes();
        match (letters.next(), letters.next()) {
            (Some(b'['), Some(element)) => Self(match element {
                b'I' => 1,
                b'J' => 1 << 1,
                b'F' => 1 << 2,
                b'D' => 1 << 3,
                b'B' | b'Z' => 1 << 5,
                b'C' => 1 << 6,
                b'S' => 1 << 7,
                _ => REFERENCES,
            }),
            (Some(b'L'), _) => Self::of_class(&desc[1..desc.len().saturating_sub(1)]),
            _ => Self::NONE,
        }
    }

    /// What an object declared to be of this class may hold.
    pub fn of_class(internal: &str) -> Self {
        match internal {
            "java/lang/Object" | "java/lang/Cloneable" | "java/io/Serializable" => Self::ALL,
            "java/lang/StringBuilder" | "java/lang/StringBuffer" => Self(TEXT),
            "java/lang/CharSequence" | "java/lang/Appendable" | "java/lang/Comparable" => {
                Self(TEXT | OTHER)
            }
            "java/lang/String" => Self::NONE,
            _ if internal.starts_with('[') => Self::of_type(internal),
            _ => Self(OTHER),
        }
    }

    /// Those of both.
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those but the one of this number.
    pub fn without(self, number: usize) -> Self {
        Self(self.0 & !(1 << number))
    }

    /// Is one of `other` among them?
    pub fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Their numbers, below [`COUNT`].
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        (0..COUNT).filter(move |number| self.0 & 1 << number != 0)
    }
}

/// What each object of a trace may hold, by identity.
#[derive(Debug, Default)]
pub struct Objects {
    kinds: Vec<Kinds>,
}

impl Objects {
    /// Of all objects that `trace` names. Takes two bytes an object.
    ///
    /// # Errors
    /// The trace cannot be read.
    pub fn of(trace: &Trace) -> Result<Self, ReadError> {
        let classes: HashMap<ClassNo, Kinds> = (trace.classes().iter())
            .map(|class| (class.no, of_definition(trace, class)))
            .collect();
        let mut objects = Self::default();
        for thread in trace.threads() {
            for defined in trace.definitions(thread.no) {
                objects.add(&defined?, &classes);
            }
        }
        Ok(objects)
    }

    /// Objects of these classes.
    fn add(&mut self, defined: &[(ObjectId, ClassNo)], classes: &HashMap<ClassNo, Kinds>) {
        for &(id, class) in defined {
            let index = usize::try_from(id).unwrap_or(usize::MAX);
            if index > self.kinds.len() + LEAP {
                continue;
            }
            if self.kinds.len() <= index {
                self.kinds.resize(index + 1, Kinds::ALL);
            }
            if let Some(kinds) = classes.get(&class) {
                self.kinds[index] = *kinds;
            }
        }
    }

    /// What an object may hold.
    pub fn holds(&self, object: ObjectId) -> Kinds {
        let known = self.kinds.get(object as usize);
        known.copied().unwrap_or(Kinds::ALL)
    }
}

/// What instances of a class hold. All that a recorded class has is in recorded fields, if all that it inherits from is recorded, too.
fn of_definition(trace: &Trace, class: &ClassDef) -> Kinds {
    let mut at = Some(class);
    while let Some(class) = at {
        if class.name == "java/lang/Object" {
            return Kinds::NONE;
        }
        if class.origin != ClassOrigin::Observed {
            break;
        }
        at = match class.super_name.as_deref() {
            Some("java/lang/Object") | None => return Kinds::NONE,
            Some(name) => trace.class_by_name(name),
        };
    }
    Kinds::of_class(&class.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_distinguished_by_what_they_hold() {
        let ints = Kinds::of_element(opcode::IALOAD);
        assert_eq!(ints, Kinds::of_element(opcode::IASTORE));
        assert_eq!(ints, Kinds::of_type("[I"));
        let bytes = Kinds::of_element(opcode::IALOAD + 5);
        assert_eq!(bytes, Kinds::of_type("[Z"));
        assert!(!ints.intersects(bytes) && ints.with(bytes).intersects(bytes));
        assert_eq!(Kinds::of_element(opcode::AALOAD), Kinds::of_type("[[I"));
        assert_eq!(Kinds::of_element(opcode::SASTORE), Kinds::of_type("[S"));
    }

    #[test]
    fn what_may_be_anything_has_all_kinds() {
        assert_eq!(Kinds::of_type("Ljava/lang/Object;"), Kinds::ALL);
        assert_eq!(Kinds::ALL.numbers().count(), COUNT);
        assert_eq!(Kinds::of_type("I"), Kinds::NONE);
        let builder = Kinds::of_type("Ljava/lang/StringBuilder;");
        assert!(!builder.intersects(Kinds::of_class("java/util/List")));
    }
}

//! Constants that few ask for: types of methods, and numbers.

use std::borrow::Cow;

use crate::pool::{
    CLASS, ConstantPool, DOUBLE, FLOAT, INTEGER, LONG, METHOD_TYPE, PoolError, STRING,
};

/// What an instruction that loads a constant puts on the stack.
#[derive(Clone, Debug, PartialEq)]
pub enum Loaded<'a> {
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// A text.
    Text(Cow<'a, str>),
    /// A class, by its internal name or array descriptor.
    Class(Cow<'a, str>),
}

impl ConstantPool {
    /// Descriptor of the `CONSTANT_MethodType` at `index`.
    ///
    /// # Errors
    /// There is none.
    pub fn method_type(&self, index: u16) -> Result<Cow<'_, str>, PoolError> {
        let entry = self.entry(index)?;
        match entry[0] {
            METHOD_TYPE => self.utf8(u16::from_be_bytes([entry[1], entry[2]])),
            found => Err(PoolError::WrongTag {
                index,
                found,
                expected: METHOD_TYPE,
            }),
        }
    }

    /// What `ldc` loads from `index`; `None` for what a Java program has no literal for.
    ///
    /// # Errors
    /// There is no such constant, or it is malformed.
    pub fn loaded(&self, index: u16) -> Result<Option<Loaded<'_>>, PoolError> {
        let entry = self.entry(index)?;
        let four = |at: usize| entry.get(at..at + 4).and_then(|b| b.try_into().ok());
        let eight = || entry.get(1..9).and_then(|b| b.try_into().ok());
        Ok(match entry[0] {
            INTEGER => four(1).map(|b| Loaded::Int(i32::from_be_bytes(b))),
            FLOAT => four(1).map(|b| Loaded::Float(f32::from_be_bytes(b))),
            LONG => eight().map(|b| Loaded::Long(i64::from_be_bytes(b))),
            DOUBLE => eight().map(|b| Loaded::Double(f64::from_be_bytes(b))),
            STRING => Some(Loaded::Text(self.string(index)?)),
            CLASS => Some(Loaded::Class(self.class_name(index)?)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_what_is_loaded() {
        let mut pool = ConstantPool::new();
        let text = pool.add_string("a").unwrap();
        let int = pool.add_integer(-7).unwrap();
        let long = pool.add_long(1 << 40).unwrap();
        let class = pool.add_class("a/B").unwrap();
        assert_eq!(pool.loaded(text), Ok(Some(Loaded::Text("a".into()))));
        assert_eq!(pool.loaded(int), Ok(Some(Loaded::Int(-7))));
        assert_eq!(pool.loaded(long), Ok(Some(Loaded::Long(1 << 40))));
        assert_eq!(pool.loaded(class), Ok(Some(Loaded::Class("a/B".into()))));
        assert!(pool.loaded(999).is_err());
        assert!(pool.method_type(int).is_err());
    }
}

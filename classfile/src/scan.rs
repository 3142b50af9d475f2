//! One pass over a class file's constant pool: what the class inherits from and whose members it names, without parsing the class.
//!
//! Most classes are asked and not rewritten, so this has to cost next to nothing.

use std::borrow::Cow;

use crate::bytes::Reader;
use crate::class::{MAGIC, ParseError};
use crate::mutf8;
use crate::pool;

/// Internal name of the class whose access methods are signature polymorphic.
const VAR_HANDLE: &str = "java/lang/invoke/VarHandle";

/// What the constant pool of a class says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct References<'a> {
    /// Internal name of the class.
    pub name: Cow<'a, str>,
    /// Access flags (JVMS table 4.1-B).
    pub access: u16,
    /// Internal name of its superclass, if it has one.
    pub super_name: Option<Cow<'a, str>>,
    /// Internal names of the interfaces that it names as its own.
    pub interfaces: Vec<Cow<'a, str>>,
    /// Internal names of the classes that its field references name, each once.
    pub field_owners: Vec<Cow<'a, str>>,
    /// Does it name `java/lang/invoke/VarHandle`?
    pub var_handles: bool,
}

/// Looks through a class file.
///
/// # Errors
/// The constant pool, or what follows it up to the interfaces, is malformed. Nothing behind that is looked at.
pub fn references(bytes: &[u8]) -> Result<References<'_>, ParseError> {
    let (entries, mut reader) = Entries::of(bytes)?;
    let access = reader.u16()?;
    let (this, parent) = (reader.u16()?, reader.u16()?);
    let mut interfaces = Vec::new();
    for _ in 0..reader.u16()? {
        interfaces.push(entries.class(bytes, reader.u16()?)?);
    }
    Ok(References {
        name: entries.class(bytes, this)?,
        access,
        super_name: match parent {
            0 => None,
            parent => Some(entries.class(bytes, parent)?),
        },
        interfaces,
        field_owners: entries.classes(bytes, &entries.fields)?,
        var_handles: entries.var_handles,
    })
}

/// Internal names of the classes that the method references of a class file name, each once; of arrays, their descriptors.
///
/// # Errors
/// The constant pool is malformed.
pub fn method_owners(bytes: &[u8]) -> Result<Vec<Cow<'_, str>>, ParseError> {
    let (entries, _) = Entries::of(bytes)?;
    entries.classes(bytes, &entries.methods)
}

/// Where the constants are.
struct Entries {
    /// Offset of the payload of each class constant and text; 0 for all others.
    payloads: Vec<u32>,
    /// Class indices of the field references.
    fields: Vec<u16>,
    /// ... and of the method references, those of interfaces included.
    methods: Vec<u16>,
    var_handles: bool,
}

impl Entries {
    /// The constants of a class file, and what follows them.
    fn of(bytes: &[u8]) -> Result<(Self, Reader<'_>), ParseError> {
        let mut reader = Reader::new(bytes);
        let magic = reader.u32()?;
        if magic != MAGIC {
            return Err(ParseError::Magic(magic));
        }
        reader.u32()?; // version
        let entries = Self::read(&mut reader)?;
        Ok((entries, reader))
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let count = usize::from(reader.u16()?);
        let mut entries = Entries {
            payloads: vec![0; count],
            fields: Vec::new(),
            methods: Vec::new(),
            var_handles: false,
        };
        let mut index = 1;
        while index < count {
            let tag = reader.u8()?;
            match tag {
                pool::UTF8 => {
                    entries.payloads[index] = reader.pos() as u32;
                    let len = usize::from(reader.u16()?);
                    let text = reader.take(len)?;
                    entries.var_handles |= text == VAR_HANDLE.as_bytes();
                }
                pool::CLASS => {
                    entries.payloads[index] = reader.pos() as u32;
                    reader.u16()?;
                }
                pool::FIELD_REF => {
                    entries.fields.push(reader.u16()?);
                    reader.u16()?;
                }
                pool::METHOD_REF | pool::INTERFACE_METHOD_REF => {
                    entries.methods.push(reader.u16()?);
                    reader.u16()?;
                }
                _ => {
                    let len = pool::fixed_len(tag).ok_or(ParseError::ConstantTag { index, tag })?;
                    reader.take(len)?;
                }
            }
            index += match tag {
                pool::LONG | pool::DOUBLE => 2,
                _ => 1,
            };
        }
        Ok(entries)
    }

    /// The names of the class constants at these indices, each once.
    fn classes<'a>(
        &self,
        bytes: &'a [u8],
        indices: &[u16],
    ) -> Result<Vec<Cow<'a, str>>, ParseError> {
        let mut indices = indices.to_vec();
        indices.sort_unstable();
        indices.dedup();
        indices.iter().map(|&at| self.class(bytes, at)).collect()
    }

    /// The name of the class constant at `index`.
    fn class<'a>(&self, bytes: &'a [u8], index: u16) -> Result<Cow<'a, str>, ParseError> {
        let name = Reader::at(bytes, self.payload(index)?).u16()?;
        let mut text = Reader::at(bytes, self.payload(name)?);
        let len = usize::from(text.u16()?);
        Ok(mutf8::decode(text.take(len)?))
    }

    fn payload(&self, index: u16) -> Result<usize, ParseError> {
        match self.payloads.get(usize::from(index)) {
            Some(&at) if at != 0 => Ok(at as usize),
            _ => Err(ParseError::Malformed {
                what: "no class or text constant",
                at: usize::from(index),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::ClassFile;
    use crate::pool::ConstantPool;

    fn class(fill: impl Fn(&mut ConstantPool)) -> Vec<u8> {
        let mut pool = ConstantPool::new();
        pool.add_long(7).unwrap();
        let this = pool.add_class("a/Me").unwrap();
        let parent = pool.add_class("a/Parent").unwrap();
        fill(&mut pool);
        ClassFile {
            minor: 0,
            major: 55,
            pool,
            access: 0x21,
            this_class: this,
            super_class: parent,
            interfaces: vec![],
            fields: vec![],
            methods: vec![],
            attributes: vec![],
        }
        .to_bytes()
        .unwrap()
    }

    #[test]
    fn owners_of_fields_are_found_once_each() {
        let bytes = class(|pool| {
            pool.add_field_ref("a/Other", "x", "I").unwrap();
            pool.add_long(-1).unwrap();
            pool.add_field_ref("a/Other", "y", "J").unwrap();
            pool.add_method_ref("a/Third", "m", "()V", false).unwrap();
            pool.add_field_ref("a/Me", "z", "I").unwrap();
        });
        let found = references(&bytes).unwrap();
        assert_eq!(found.name, "a/Me");
        assert_eq!(found.super_name.as_deref(), Some("a/Parent"));
        let mut owners = found.field_owners;
        owners.sort();
        assert_eq!(owners, ["a/Me", "a/Other"]);
        assert!(!found.var_handles);
        assert_eq!(method_owners(&bytes).unwrap(), ["a/Third"]);
    }

    #[test]
    fn what_the_class_inherits_from_is_found() {
        let bytes = class(|pool| {
            pool.add_method_ref("a/Face", "m", "()V", true).unwrap();
        });
        let mut parsed = ClassFile::parse(&bytes).unwrap();
        parsed.interfaces = vec![parsed.pool.add_class("a/Face").unwrap()];
        let bytes = parsed.to_bytes().unwrap();
        let found = references(&bytes).unwrap();
        assert_eq!(
            (found.access, found.interfaces),
            (0x21, vec!["a/Face".into()])
        );
        assert_eq!(method_owners(&bytes).unwrap(), ["a/Face"]);
    }

    #[test]
    fn var_handles_are_seen() {
        let bytes = class(|pool| {
            pool.add_method_ref(VAR_HANDLE, "set", "(La/Other;I)V", false)
                .unwrap();
        });
        assert!(references(&bytes).unwrap().var_handles);
    }

    #[test]
    fn every_prefix_is_an_error_or_the_same() {
        let bytes = class(|pool| {
            pool.add_field_ref("a/Other", "x", "I").unwrap();
        });
        let whole = references(&bytes).unwrap();
        let known = (0..bytes.len()).filter(|&n| references(&bytes[..n]).is_ok_and(|r| r == whole));
        // Only the fields, methods, … behind the interfaces may be missing.
        assert_eq!(known.count(), 6);
    }
}

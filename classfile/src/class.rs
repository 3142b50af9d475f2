//! A class file (JVMS §4.1), its members and their raw attributes.

use std::borrow::Cow;

pub use crate::attribute::{Attribute, WriteError};
pub(crate) use crate::attribute::{find, list, put_count, write_attributes};
use crate::bytes::{Reader, put_u16, put_u32};
use crate::code::Code;
pub use crate::error::ParseError;
use crate::pool::{ConstantPool, PoolError};

/// First two items of every class file.
pub(crate) const MAGIC: u32 = 0xCAFE_BABE;
/// Oldest class file version read: 45.3, that of JDK 1.0.2. Before it the `Code` attribute had another layout.
const OLDEST: (u16, u16) = (45, 3);

/// A class file.
#[derive(Clone, Debug)]
pub struct ClassFile {
    /// `minor_version`.
    pub minor: u16,
    /// `major_version`, at least 45.
    pub major: u16,
    /// Constants.
    pub pool: ConstantPool,
    /// `access_flags` (JVMS table 4.1-B).
    pub access: u16,
    /// Pool index of this class.
    pub this_class: u16,
    /// Pool index of the superclass; 0 in `java/lang/Object` and module descriptors.
    pub super_class: u16,
    /// Pool indices of the direct superinterfaces.
    pub interfaces: Vec<u16>,
    /// Fields.
    pub fields: Vec<Member>,
    /// Methods.
    pub methods: Vec<Member>,
    /// Attributes of the class.
    pub attributes: Vec<Attribute>,
}

/// A field or a method (JVMS §4.5, §4.6).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// `access_flags`.
    pub access: u16,
    /// Pool index of the name.
    pub name: u16,
    /// Pool index of the descriptor.
    pub desc: u16,
    /// Attributes.
    pub attributes: Vec<Attribute>,
}

impl ClassFile {
    /// Parses a whole class file. Checks the structure, not what constants refer to.
    ///
    /// There is no newest version. A file of a later JDK has the known form, as a rule; where it has not, that is an error.
    ///
    /// # Errors
    /// The bytes are no class file, or one of a form that is not known.
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        let mut reader = Reader::new(bytes);
        let magic = reader.u32()?;
        if magic != MAGIC {
            return Err(ParseError::Magic(magic));
        }
        let minor = reader.u16()?;
        let major = reader.u16()?;
        if (major, minor) < OLDEST {
            return Err(ParseError::Version { major, minor });
        }
        let class = ClassFile {
            minor,
            major,
            pool: ConstantPool::parse(&mut reader)?,
            access: reader.u16()?,
            this_class: reader.u16()?,
            super_class: reader.u16()?,
            interfaces: list(&mut reader, Reader::u16)?,
            fields: list(&mut reader, Member::parse)?,
            methods: list(&mut reader, Member::parse)?,
            attributes: list(&mut reader, Attribute::parse)?,
        };
        reader.end()?;
        Ok(class)
    }

    /// Writes the class file.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        let mut out = Vec::with_capacity(self.usual_len());
        put_u32(&mut out, MAGIC);
        put_u16(&mut out, self.minor);
        put_u16(&mut out, self.major);
        self.pool.write(&mut out);
        put_u16(&mut out, self.access);
        put_u16(&mut out, self.this_class);
        put_u16(&mut out, self.super_class);
        put_count(&mut out, self.interfaces.len(), "interfaces")?;
        for interface in &self.interfaces {
            put_u16(&mut out, *interface);
        }
        for (members, what) in [(&self.fields, "fields"), (&self.methods, "methods")] {
            put_count(&mut out, members.len(), what)?;
            for member in members {
                put_u16(&mut out, member.access);
                put_u16(&mut out, member.name);
                put_u16(&mut out, member.desc);
                write_attributes(&member.attributes, &mut out)?;
            }
        }
        write_attributes(&self.attributes, &mut out)?;
        Ok(out)
    }

    /// About the bytes that it takes.
    fn usual_len(&self) -> usize {
        const MEMBER: usize = 16;
        let members = self.fields.iter().chain(&self.methods);
        let attributes = members.clone().flat_map(|member| &member.attributes);
        let data = attributes.chain(&self.attributes).map(|a| a.data.len());
        self.pool.len() + data.sum::<usize>() + MEMBER * (members.count() + 16)
    }

    /// Are its instances objects without identity? So it is of a class, not an interface, that depends on preview features and does not have
    /// `ACC_IDENTITY` (JEP 401; the bit is `ACC_SUPER` of old, which compilers set in every other class).
    pub fn is_value_class(&self) -> bool {
        const PREVIEW: u16 = 0xFFFF;
        const ACC_IDENTITY: u16 = 0x0020;
        self.minor == PREVIEW
            && self.access & (ACC_IDENTITY | crate::ACC_INTERFACE | crate::ACC_MODULE) == 0
    }

    /// Internal name of this class (`java/util/List`).
    pub fn name(&self) -> Result<Cow<'_, str>, PoolError> {
        self.pool.class_name(self.this_class)
    }

    /// Internal name of the superclass, if there is one.
    pub fn super_name(&self) -> Result<Option<Cow<'_, str>>, PoolError> {
        match self.super_class {
            0 => Ok(None),
            index => self.pool.class_name(index).map(Some),
        }
    }

    /// Internal names of the direct superinterfaces.
    pub fn interface_names(&self) -> Result<Vec<Cow<'_, str>>, PoolError> {
        self.interfaces
            .iter()
            .map(|&index| self.pool.class_name(index))
            .collect()
    }

    /// The attribute of the class with this name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        find(&self.attributes, &self.pool, name)
    }

    /// Content of the `SourceFile` attribute (JVMS §4.7.10), if there is a readable one.
    pub fn source_file(&self) -> Option<Cow<'_, str>> {
        let data = &self.attribute("SourceFile")?.data;
        let index = u16::from_be_bytes(data.as_slice().try_into().ok()?);
        self.pool.utf8(index).ok()
    }

    /// Index into `methods` of the method with this name and descriptor.
    pub fn find_method(&self, name: &str, desc: &str) -> Option<usize> {
        self.methods.iter().position(|method| {
            self.pool.is_utf8(method.name, name) && self.pool.is_utf8(method.desc, desc)
        })
    }
}

impl Member {
    fn parse(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        Ok(Member {
            access: reader.u16()?,
            name: reader.u16()?,
            desc: reader.u16()?,
            attributes: list(reader, Attribute::parse)?,
        })
    }

    /// Simple name.
    pub fn name<'a>(&self, pool: &'a ConstantPool) -> Result<Cow<'a, str>, PoolError> {
        pool.utf8(self.name)
    }

    /// Descriptor.
    pub fn desc<'a>(&self, pool: &'a ConstantPool) -> Result<Cow<'a, str>, PoolError> {
        pool.utf8(self.desc)
    }

    /// Is it static?
    pub fn is_static(&self) -> bool {
        self.access & crate::ACC_STATIC != 0
    }

    /// The attribute with this name.
    pub fn attribute(&self, pool: &ConstantPool, name: &str) -> Option<&Attribute> {
        find(&self.attributes, pool, name)
    }

    /// The `Code` attribute, parsed; `None` for fields, abstract and native methods.
    pub fn code(&self, pool: &ConstantPool) -> Result<Option<Code>, ParseError> {
        self.attribute(pool, "Code")
            .map(|attribute| Code::parse(&attribute.data))
            .transpose()
    }

    /// Replaces the `Code` attribute in its place, or adds one at the end.
    pub fn set_code(&mut self, pool: &mut ConstantPool, code: &Code) -> Result<(), WriteError> {
        let data = code.to_bytes()?;
        let known = self
            .attributes
            .iter_mut()
            .find(|attribute| pool.is_utf8(attribute.name, "Code"));
        match known {
            Some(attribute) => attribute.data = data,
            None => self.attributes.push(Attribute {
                name: pool.add_utf8("Code")?,
                data,
            }),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tiny() -> ClassFile {
        let mut pool = ConstantPool::new();
        let this_class = pool.add_class("a/B").unwrap();
        let super_class = pool.add_class("java/lang/Object").unwrap();
        let source = pool.add_utf8("B.java").unwrap();
        let attributes = vec![Attribute {
            name: pool.add_utf8("SourceFile").unwrap(),
            data: source.to_be_bytes().to_vec(),
        }];
        ClassFile {
            minor: 0,
            major: 52,
            pool,
            access: 0x21,
            this_class,
            super_class,
            interfaces: vec![super_class],
            fields: Vec::new(),
            methods: Vec::new(),
            attributes,
        }
    }

    #[test]
    fn names_survive_writing() {
        let bytes = tiny().to_bytes().unwrap();
        let class = ClassFile::parse(&bytes).unwrap();
        assert_eq!(class.name().unwrap(), "a/B");
        assert_eq!(class.super_name().unwrap().unwrap(), "java/lang/Object");
        assert_eq!(class.interface_names().unwrap(), ["java/lang/Object"]);
        assert_eq!(class.source_file().unwrap(), "B.java");
        assert_eq!(class.to_bytes().unwrap(), bytes);
    }

    #[test]
    fn every_prefix_is_an_error() {
        let mut bytes = tiny().to_bytes().unwrap();
        for len in 0..bytes.len() {
            assert!(ClassFile::parse(&bytes[..len]).is_err(), "prefix {len}");
        }
        bytes.push(0);
        assert!(matches!(
            ClassFile::parse(&bytes),
            Err(ParseError::Trailing { .. })
        ));
    }

    #[test]
    fn value_classes_are_known_by_what_they_lack() {
        let class = |minor, access| ClassFile {
            minor,
            access,
            major: 72,
            ..tiny()
        };
        const ACC_IDENTITY: u16 = 0x20;
        const ACC_FINAL: u16 = 0x10;
        assert!(class(0xFFFF, ACC_FINAL).is_value_class());
        assert!(!class(0xFFFF, ACC_FINAL | ACC_IDENTITY).is_value_class());
        assert!(!class(0xFFFF, crate::ACC_INTERFACE).is_value_class());
        assert!(!class(0, ACC_FINAL).is_value_class());
    }

    #[test]
    fn only_versions_with_another_layout_are_refused() {
        for (major, minor, ok) in [
            (45, 2, false),
            (45, 3, true),
            (69, 0, true),
            (80, 0, true),
            (72, 0xFFFF, true),
        ] {
            let class = ClassFile {
                major,
                minor,
                ..tiny()
            };
            assert_eq!(ClassFile::parse(&class.to_bytes().unwrap()).is_ok(), ok);
        }
    }

    proptest! {
        #[test]
        fn damaged_files_never_panic(at in 0usize..200, value in any::<u8>()) {
            let mut bytes = tiny().to_bytes().unwrap();
            let at = at % bytes.len();
            bytes[at] = value;
            if let Ok(class) = ClassFile::parse(&bytes) {
                prop_assert_eq!(class.to_bytes().unwrap(), bytes);
                let _ = (class.name().is_ok(), class.super_name().is_ok(), class.source_file());
            }
        }
    }
}

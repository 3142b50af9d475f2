//! A class without its code: what is needed to know its shape when the class itself is missing.

use std::collections::HashMap;

use crate::bytes::{Reader, put_u16};
use crate::class::{Attribute, ClassFile, Member, ParseError, WriteError, list, write_attributes};
use crate::code::Code;
use crate::descriptor::MethodType;
use crate::pool::{self, ConstantPool, PoolError};
use crate::{ACC_ABSTRACT, ACC_NATIVE, ACC_STATIC, opcode};

/// Why no skeleton can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SkeletonError {
    /// The class cannot be parsed.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// It refers to constants that are not there, or are of the wrong kind.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// Strips a class file to its declarations. Flags, names, descriptors, constant values, declared exceptions, generic signatures,
/// the source file and what says who belongs to whom (inner classes, nests, permitted subclasses, record components) stay;
/// code, annotations and all other attributes go; the constant pool holds only what is used. Methods keep their flags, so that
/// most have no code though their flags ask for it: the result can be parsed, not loaded.
pub fn skeleton(bytes: &[u8]) -> Result<Vec<u8>, SkeletonError> {
    let class = ClassFile::parse(bytes)?;
    let mut copier = Copier {
        from: &class.pool,
        to: ConstantPool::new(),
        copied: HashMap::new(),
    };
    let this_class = copier.constant(class.this_class)?;
    let super_class = copier.optional(class.super_class)?;
    let interfaces = class
        .interfaces
        .iter()
        .map(|index| copier.constant(*index))
        .collect::<Result<_, _>>()?;
    let fields = copier.members(&class.fields)?;
    let methods = copier.members(&class.methods)?;
    let attributes = copier.attributes(&class.attributes)?;
    let stripped = ClassFile {
        minor: class.minor,
        major: class.major,
        access: class.access,
        this_class,
        super_class,
        interfaces,
        fields,
        methods,
        attributes,
        pool: copier.to,
    };
    Ok(stripped.to_bytes()?)
}

/// A skeleton that a JVM loads: methods that lack their code throw a `NullPointerException`. Stand-ins override them.
///
/// # Errors
/// The class cannot be parsed, or not be written again.
pub fn loadable(skeleton: &[u8]) -> Result<Vec<u8>, SkeletonError> {
    let mut class = ClassFile::parse(skeleton)?;
    let mut methods = std::mem::take(&mut class.methods);
    for method in &mut methods {
        let lacks_code = method.access & (ACC_ABSTRACT | ACC_NATIVE) == 0
            && method.attribute(&class.pool, "Code").is_none();
        if lacks_code {
            let desc = method.desc(&class.pool)?.into_owned();
            let words: u16 =
                MethodType::parse(&desc).map_or(0, |m| m.params.iter().map(|p| p.slots()).sum());
            let this = u16::from(method.access & ACC_STATIC == 0);
            let throws = Code {
                max_stack: 1,
                max_locals: words + this,
                bytes: vec![opcode::ACONST_NULL, opcode::ATHROW],
                handlers: Vec::new(),
                attributes: Vec::new(),
            };
            method.set_code(&mut class.pool, &throws)?;
        }
    }
    class.methods = methods;
    Ok(class.to_bytes()?)
}

/// Copies constants from one pool into another, and what refers to them.
struct Copier<'a> {
    from: &'a ConstantPool,
    to: ConstantPool,
    copied: HashMap<u16, u16>,
}

impl Copier<'_> {
    /// Copies the constant and what it refers to.
    fn constant(&mut self, index: u16) -> Result<u16, PoolError> {
        if let Some(copied) = self.copied.get(&index) {
            return Ok(*copied);
        }
        let entry = self.from.entry(index)?;
        let copied = match entry[0] {
            pool::UTF8 | pool::INTEGER | pool::FLOAT | pool::LONG | pool::DOUBLE => {
                self.to.add_entry(entry)?
            }
            // The two kinds declarations refer to that refer to texts; checking for texts bounds the depth.
            tag @ (pool::CLASS | pool::STRING | pool::NAME_AND_TYPE) => {
                let mut refs = Vec::with_capacity(2);
                for part in entry[1..].chunks_exact(2) {
                    let text = u16::from_be_bytes([part[0], part[1]]);
                    self.from.utf8_bytes(text)?;
                    refs.push(self.constant(text)?);
                }
                self.to.add_refs(tag, &refs)?
            }
            found => {
                return Err(PoolError::WrongTag {
                    index,
                    found,
                    expected: pool::CLASS,
                });
            }
        };
        self.copied.insert(index, copied);
        Ok(copied)
    }

    /// The same where 0 says that there is none.
    fn optional(&mut self, index: u16) -> Result<u16, PoolError> {
        match index {
            0 => Ok(0),
            _ => self.constant(index),
        }
    }

    fn members(&mut self, members: &[Member]) -> Result<Vec<Member>, SkeletonError> {
        members
            .iter()
            .map(|member| {
                Ok(Member {
                    access: member.access,
                    name: self.constant(member.name)?,
                    desc: self.constant(member.desc)?,
                    attributes: self.attributes(&member.attributes)?,
                })
            })
            .collect()
    }

    fn attributes(&mut self, attributes: &[Attribute]) -> Result<Vec<Attribute>, SkeletonError> {
        let mut kept = Vec::new();
        for attribute in attributes {
            let name = self.from.utf8(attribute.name)?;
            let mut reader = Reader::new(&attribute.data);
            let data = match &*name {
                "ConstantValue" | "Signature" | "SourceFile" | "NestHost" => {
                    let mut out = Vec::new();
                    put_u16(&mut out, self.constant(reader.u16()?)?);
                    out
                }
                "EnclosingMethod" => {
                    let mut out = Vec::new();
                    put_u16(&mut out, self.constant(reader.u16()?)?);
                    put_u16(&mut out, self.optional(reader.u16()?)?);
                    out
                }
                "Exceptions" | "NestMembers" | "PermittedSubclasses" => {
                    self.class_list(&mut reader)?
                }
                "InnerClasses" => self.inner_classes(&mut reader)?,
                "Record" => self.record(&mut reader)?,
                "Synthetic" => Vec::new(),
                _ => continue,
            };
            reader.end()?;
            let name = self.constant(attribute.name)?;
            kept.push(Attribute { name, data });
        }
        Ok(kept)
    }

    fn class_list(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, SkeletonError> {
        let classes = list(reader, Reader::u16)?;
        let mut out = Vec::new();
        put_u16(&mut out, classes.len() as u16);
        for class in classes {
            put_u16(&mut out, self.constant(class)?);
        }
        Ok(out)
    }

    fn inner_classes(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, SkeletonError> {
        let rows = list(reader, |r| Ok([r.u16()?, r.u16()?, r.u16()?, r.u16()?]))?;
        let mut out = Vec::new();
        put_u16(&mut out, rows.len() as u16);
        for [inner, outer, name, access] in rows {
            put_u16(&mut out, self.constant(inner)?);
            put_u16(&mut out, self.optional(outer)?);
            put_u16(&mut out, self.optional(name)?);
            put_u16(&mut out, access);
        }
        Ok(out)
    }

    fn record(&mut self, reader: &mut Reader<'_>) -> Result<Vec<u8>, SkeletonError> {
        let components = list(reader, |r| {
            Ok((r.u16()?, r.u16()?, list(r, Attribute::parse)?))
        })?;
        let mut out = Vec::new();
        put_u16(&mut out, components.len() as u16);
        for (name, desc, attributes) in components {
            put_u16(&mut out, self.constant(name)?);
            put_u16(&mut out, self.constant(desc)?);
            // A component has only signatures and annotations (JVMS table 4.7-C), so this does not nest.
            let signatures: Vec<_> = attributes
                .into_iter()
                .filter(|attribute| self.from.is_utf8(attribute.name, "Signature"))
                .collect();
            write_attributes(&self.attributes(&signatures)?, &mut out)?;
        }
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(attributes: impl FnOnce(&mut ConstantPool) -> Vec<Attribute>) -> Vec<u8> {
        let mut pool = ConstantPool::new();
        let this_class = pool.add_class("a/R").unwrap();
        let super_class = pool.add_class("java/lang/Record").unwrap();
        pool.add_string("used by code only").unwrap();
        let method = Member {
            access: 1,
            name: pool.add_utf8("m").unwrap(),
            desc: pool.add_utf8("()V").unwrap(),
            attributes: vec![Attribute {
                name: pool.add_utf8("Code").unwrap(),
                data: vec![1, 2, 3],
            }],
        };
        let class = ClassFile {
            minor: 0,
            major: 61,
            access: 0x31,
            this_class,
            super_class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: vec![method],
            attributes: attributes(&mut pool),
            pool,
        };
        class.to_bytes().unwrap()
    }

    fn words(words: &[u16]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    #[test]
    fn declarations_stay_and_the_rest_goes() {
        let bytes = class(|pool| {
            let mut add = |text: &str| pool.add_utf8(text).unwrap();
            let (component, signature) = (add("x"), add("Signature"));
            let (desc, annotations) = (add("La/B;"), add("RuntimeVisibleAnnotations"));
            // One component with two attributes, of which one stays.
            let mut record = words(&[1, component, desc, 2, annotations, 0, 2, 0]);
            record.extend(words(&[signature, 0, 2, desc]));
            let (record_name, inner_name) = (add("Record"), add("InnerClasses"));
            let inner = pool.add_class("a/R$1").unwrap();
            vec![
                Attribute {
                    name: record_name,
                    data: record,
                },
                Attribute {
                    name: inner_name,
                    data: words(&[1, inner, 0, 0, 8]),
                },
                Attribute {
                    name: annotations,
                    data: words(&[0]),
                },
            ]
        });
        let stripped = ClassFile::parse(&skeleton(&bytes).unwrap()).unwrap();
        assert!(stripped.methods[0].attributes.is_empty());
        assert_eq!(stripped.attributes.len(), 2);
        let record = &stripped.attribute("Record").unwrap().data;
        assert_eq!(record.len(), 2 + 6 + 8);
        let word = |at: usize| u16::from_be_bytes([record[at], record[at + 1]]);
        let text = |at| stripped.pool.utf8(word(at)).unwrap();
        assert_eq!((text(2), text(4)), ("x".into(), "La/B;".into()));
        assert_eq!(
            (word(6), text(8), text(14)),
            (1, "Signature".into(), "La/B;".into())
        );
        let inner = &stripped.attribute("InnerClasses").unwrap().data;
        assert_eq!(inner[4..], words(&[0, 0, 8]));
        let texts = (1..stripped.pool.count()).filter_map(|i| stripped.pool.utf8(i).ok());
        let unused = ["used by code only", "Code", "RuntimeVisibleAnnotations"];
        assert!(texts.into_iter().all(|text| !unused.contains(&&*text)));
    }

    #[test]
    fn malformed_attributes_are_errors() {
        for data in [vec![], vec![0], words(&[999]), words(&[1, 1])] {
            let bytes = class(|pool| {
                vec![Attribute {
                    name: pool.add_utf8("SourceFile").unwrap(),
                    data,
                }]
            });
            assert!(skeleton(&bytes).is_err());
        }
        // A class constant that names itself.
        let mut bytes = class(|_| Vec::new());
        let class_constant = bytes.iter().position(|b| *b == pool::CLASS).unwrap();
        bytes[class_constant + 2] = 2;
        assert!(skeleton(&bytes).is_err());
    }

    #[test]
    fn a_loadable_one_has_code_where_a_class_must_have_it() {
        let file = ClassFile::parse(&skeleton(&class(|_| Vec::new())).unwrap()).unwrap();
        assert!(file.methods[0].code(&file.pool).unwrap().is_none());
        let mut with_native = file.clone();
        let mut native = with_native.methods[0].clone();
        native.access = 0x101;
        with_native.methods.push(native);
        let bytes = loadable(&with_native.to_bytes().unwrap()).unwrap();
        let made = ClassFile::parse(&bytes).unwrap();
        let code = made.methods[0].code(&made.pool).unwrap().unwrap();
        assert_eq!((code.max_stack, code.max_locals), (1, 1));
        assert_eq!(code.bytes, [opcode::ACONST_NULL, opcode::ATHROW]);
        assert!(made.methods[1].code(&made.pool).unwrap().is_none());
    }
}

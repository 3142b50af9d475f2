//! Annotations of members that are visible at run time (JVMS §4.7.16), as far as they name classes.

use crate::bytes::Reader;
use crate::class::{ClassFile, Member};
use crate::error::ParseError;
use crate::pool::ConstantPool;

/// Annotations and arrays in each other that are gone through.
const DEPTH: usize = 16;

/// Internal names of the classes that the element `element` of the member's annotation `annotation` (a descriptor) is, or, of an array, has. Nothing
/// if there is no such annotation, or it is malformed.
pub fn classes_in(
    class: &ClassFile,
    member: &Member,
    annotation: &str,
    element: &str,
) -> Vec<String> {
    let Some(attribute) = member.attribute(&class.pool, "RuntimeVisibleAnnotations") else {
        return Vec::new();
    };
    let mut annotations = Annotations {
        pool: &class.pool,
        reader: Reader::new(&attribute.data),
        wanted: (annotation, element),
        found: Vec::new(),
    };
    match annotations.all() {
        Ok(()) => annotations.found,
        Err(_) => Vec::new(),
    }
}

struct Annotations<'c> {
    pool: &'c ConstantPool,
    reader: Reader<'c>,
    wanted: (&'c str, &'c str),
    found: Vec<String>,
}

impl Annotations<'_> {
    fn all(&mut self) -> Result<(), ParseError> {
        for _ in 0..self.reader.u16()? {
            self.annotation(true, DEPTH)?;
        }
        Ok(())
    }

    /// One annotation; only an outermost one can be the one that is wanted.
    fn annotation(&mut self, outermost: bool, depth: usize) -> Result<(), ParseError> {
        let ty = self.reader.u16()?;
        let is_wanted = outermost && self.pool.is_utf8(ty, self.wanted.0);
        for _ in 0..self.reader.u16()? {
            let name = self.reader.u16()?;
            self.value(is_wanted && self.pool.is_utf8(name, self.wanted.1), depth)?;
        }
        Ok(())
    }

    fn value(&mut self, is_wanted: bool, depth: usize) -> Result<(), ParseError> {
        let too_deep = ParseError::Malformed {
            what: "annotations too deep in each other",
            at: self.reader.pos(),
        };
        let depth = depth.checked_sub(1).ok_or(too_deep)?;
        match self.reader.u8()? {
            b'c' => {
                let desc = self.pool.utf8(self.reader.u16()?);
                let name = desc.ok().and_then(|desc| {
                    let name = desc.strip_prefix('L')?.strip_suffix(';')?;
                    Some(name.to_owned())
                });
                self.found.extend(name.filter(|_| is_wanted));
            }
            b'[' => {
                for _ in 0..self.reader.u16()? {
                    self.value(is_wanted, depth)?;
                }
            }
            b'@' => self.annotation(false, depth)?,
            b'e' => _ = self.reader.u32()?,
            _ => _ = self.reader.u16()?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Attribute;

    /// A method with the annotation `LA;` that has `x = 1, e = E.C, n = @B(is = D.class), is = {D.class, F.class}`, cut after so many bytes.
    fn found(most: usize, annotation: &str, element: &str) -> Vec<String> {
        let mut pool = ConstantPool::new();
        let mut add = |text: &str| pool.add_utf8(text).expect("room");
        let name = add("RuntimeVisibleAnnotations");
        let [a, b, d, f] = ["LA;", "LB;", "LD;", "La/F;"].map(&mut add);
        let [x, e, n, is] = ["x", "e", "n", "is"].map(&mut add);
        let mut data = Vec::new();
        for part in [
            [0, 1].as_slice(),
            &a.to_be_bytes(),
            &[0, 4],
            &x.to_be_bytes(),
            &[b'I', 0, 1],
            &e.to_be_bytes(),
            &[b'e', 0, 1, 0, 2],
            &n.to_be_bytes(),
            b"@",
            &b.to_be_bytes(),
            &[0, 1],
            &is.to_be_bytes(),
            b"c",
            &d.to_be_bytes(),
            &is.to_be_bytes(),
            &[b'[', 0, 2, b'c'],
            &d.to_be_bytes(),
            b"c",
            &f.to_be_bytes(),
        ] {
            data.extend_from_slice(part);
        }
        data.truncate(most);
        let member = Member {
            access: 0,
            name: 0,
            desc: 0,
            attributes: vec![Attribute { name, data }],
        };
        let class = ClassFile {
            minor: 0,
            major: 61,
            pool,
            access: 0,
            this_class: 0,
            super_class: 0,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
        };
        classes_in(&class, &member, annotation, element)
    }

    #[test]
    fn only_the_element_of_the_annotation_counts() {
        assert_eq!(found(usize::MAX, "LA;", "is"), ["D", "a/F"]);
        for (annotation, element) in [("LA;", "x"), ("LA;", "n"), ("LB;", "is"), ("LC;", "is")] {
            assert!(found(usize::MAX, annotation, element).is_empty());
        }
    }

    #[test]
    fn what_is_cut_off_has_none() {
        for most in 0..40 {
            assert!(found(most, "LA;", "is").is_empty(), "{most}");
        }
    }
}

//! What the calls of bridges stand for: the attribute by which whoever redirects instructions tells whoever rewrites the class next.
//!
//! Replay puts calls of added static methods in the place of instructions that would leave the observed classes. A recording of
//! the replay has to see the instructions that were there, as if nothing had been replaced.

use crate::bytes::{Reader, put_u16};
use crate::class::{Attribute, ClassFile, ParseError, WriteError};
use crate::insn::{self, Insn};
use crate::opcode;

/// Name of the class attribute. The JVM ignores attributes that it does not know (JVMS §4.7.1).
const NAME: &str = "jinsi.Bridges";
/// Names of bridges begin with this.
pub const BRIDGE_PREFIX: &str = "jinsi$";

/// The bridges of a class: the constant that the calls of each name, and the instruction that it stands for.
///
/// In the attribute an entry is the constant's index (`u2`), a length (`u1`) and the bytes of the instruction, which may
/// name constants of the same class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bridges(Vec<(u16, Vec<u8>)>);

impl Bridges {
    /// Calls through the method reference `constant` stand for the instruction with these bytes, which must not depend on where it
    /// is: a call or a field access.
    pub fn add(&mut self, constant: u16, instruction: &[u8]) {
        let at = self.0.partition_point(|(known, _)| *known < constant);
        self.0.insert(at, (constant, instruction.to_vec()));
    }

    /// The bridges of a class; none if it has no such attribute.
    ///
    /// # Errors
    /// The attribute is malformed.
    pub fn of(class: &ClassFile) -> Result<Self, ParseError> {
        let Some(attribute) = class.attribute(NAME) else {
            return Ok(Self::default());
        };
        let mut reader = Reader::new(&attribute.data);
        let mut bridges = Self::default();
        while !reader.is_empty() {
            let at = reader.pos();
            let constant = reader.u16()?;
            let length = usize::from(reader.u8()?);
            let bytes = reader.take(length)?;
            let accesses = opcode::GETSTATIC..=opcode::INVOKEINTERFACE;
            if !insn::at(bytes, 0).is_ok_and(|insn| accesses.contains(&insn.opcode)) {
                let what = "a bridge that stands for no call and no field access";
                return Err(ParseError::Malformed { what, at });
            }
            bridges.add(constant, bytes);
        }
        Ok(bridges)
    }

    /// Adds the attribute to `class`, unless there is nothing to say.
    ///
    /// # Errors
    /// The constant pool is full.
    pub fn attach(&self, class: &mut ClassFile) -> Result<(), WriteError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let mut data = Vec::new();
        for (constant, bytes) in &self.0 {
            put_u16(&mut data, *constant);
            // Calls and field accesses take at most five bytes.
            data.push(bytes.len() as u8);
            data.extend_from_slice(bytes);
        }
        let name = class.pool.add_utf8(NAME)?;
        class.attributes.push(Attribute { name, data });
        Ok(())
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// `instruction`, or what it stands for, at the same place.
    pub fn original<'a>(&'a self, instruction: &Insn<'a>) -> Insn<'a> {
        let stands_for = || {
            let constant = instruction.pool_index()?;
            let found = self.0.binary_search_by_key(&constant, |(c, _)| *c).ok()?;
            insn::at(&self.0[found].1, 0).ok()
        };
        match instruction.opcode {
            opcode::INVOKESTATIC => stands_for().map_or(*instruction, |original| Insn {
                offset: instruction.offset,
                ..original
            }),
            _ => *instruction,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pool::ConstantPool;

    fn empty_class() -> ClassFile {
        let mut pool = ConstantPool::new();
        ClassFile {
            minor: 0,
            major: 52,
            access: 0x21,
            this_class: pool.add_class("A").unwrap(),
            super_class: pool.add_class("java/lang/Object").unwrap(),
            pool,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            attributes: Vec::new(),
        }
    }

    #[test]
    fn calls_of_bridges_are_what_they_stand_for() {
        let mut class = empty_class();
        let bridge = class
            .pool
            .add_method_ref("A", "jinsi$1", "(LB;)I", false)
            .unwrap();
        let other = class.pool.add_method_ref("A", "a", "()V", false).unwrap();
        let read = class.pool.add_field_ref("B", "b", "I").unwrap();
        let [high, low] = read.to_be_bytes();
        let mut bridges = Bridges::default();
        bridges.add(bridge, &[opcode::GETFIELD, high, low]);
        bridges.attach(&mut class).unwrap();
        let class = ClassFile::parse(&class.to_bytes().unwrap()).unwrap();
        let bridges = Bridges::of(&class).unwrap();
        let call = |constant: u16| {
            let [high, low] = constant.to_be_bytes();
            vec![opcode::NOP, opcode::INVOKESTATIC, high, low]
        };
        let code = call(bridge);
        let seen = bridges.original(&insn::at(&code, 1).unwrap());
        assert_eq!((seen.offset, seen.opcode), (1, opcode::GETFIELD));
        assert_eq!(seen.pool_index(), Some(read));
        let code = call(other);
        let plain = insn::at(&code, 1).unwrap();
        assert_eq!(bridges.original(&plain).opcode, opcode::INVOKESTATIC);
    }

    #[test]
    fn a_class_without_bridges_says_nothing() {
        let mut class = empty_class();
        Bridges::default().attach(&mut class).unwrap();
        assert!(class.attribute(NAME).is_none());
        assert!(Bridges::of(&class).unwrap().is_empty());
    }

    #[test]
    fn malformed_bridges_are_refused() {
        let cases: [&[u8]; 4] = [
            &[0],
            &[0, 1, 3, opcode::GETFIELD, 0],
            &[0, 1, 0],
            &[0, 1, 1, opcode::ATHROW],
        ];
        for data in cases {
            let mut class = empty_class();
            let name = class.pool.add_utf8(NAME).unwrap();
            let data = data.to_vec();
            class.attributes.push(Attribute { name, data });
            assert!(Bridges::of(&class).is_err());
        }
    }
}

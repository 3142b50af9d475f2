//! The constant pool (JVMS §4.4): kept verbatim, only appended to; but dynamic call sites can be given another bootstrap method.

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::bytes::{Reader, put_u16};
use crate::error::ParseError;
use crate::mutf8;

/// Tag of `CONSTANT_Utf8` (JVMS table 4.4-A); the others follow.
pub const UTF8: u8 = 1;
/// Tag of `CONSTANT_Integer`.
pub const INTEGER: u8 = 3;
/// Tag of `CONSTANT_Float`.
pub const FLOAT: u8 = 4;
/// Tag of `CONSTANT_Long`.
pub const LONG: u8 = 5;
/// Tag of `CONSTANT_Double`.
pub const DOUBLE: u8 = 6;
/// Tag of `CONSTANT_Class`.
pub const CLASS: u8 = 7;
/// Tag of `CONSTANT_String`.
pub const STRING: u8 = 8;
/// Tag of `CONSTANT_Fieldref`.
pub const FIELD_REF: u8 = 9;
/// Tag of `CONSTANT_Methodref`.
pub const METHOD_REF: u8 = 10;
/// Tag of `CONSTANT_InterfaceMethodref`.
pub const INTERFACE_METHOD_REF: u8 = 11;
/// Tag of `CONSTANT_NameAndType`.
pub const NAME_AND_TYPE: u8 = 12;
/// Tag of `CONSTANT_MethodHandle`.
pub const METHOD_HANDLE: u8 = 15;
/// Tag of `CONSTANT_MethodType`.
pub const METHOD_TYPE: u8 = 16;
/// Tag of `CONSTANT_Dynamic`.
pub const DYNAMIC: u8 = 17;
/// Tag of `CONSTANT_InvokeDynamic`.
pub const INVOKE_DYNAMIC: u8 = 18;
/// Tag of `CONSTANT_Module`.
pub const MODULE: u8 = 19;
/// Tag of `CONSTANT_Package`.
pub const PACKAGE: u8 = 20;

/// Marks the slots no constant begins at: 0 and the second slots of longs and doubles.
const NO_ENTRY: u32 = u32::MAX;

/// Why a constant cannot be had, or not be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PoolError {
    /// No constant begins at this index.
    #[error("no constant at index {index}")]
    NoSuchConstant {
        /// The index asked for.
        index: u16,
    },
    /// There is one, of another kind.
    #[error("constant {index} has tag {found}, not {expected}")]
    WrongTag {
        /// The index asked for.
        index: u16,
        /// Its tag.
        found: u8,
        /// The tag wanted.
        expected: u8,
    },
    /// `constant_pool_count` would pass 65,535.
    #[error("constant pool is full")]
    Full,
    /// A text takes more than 65,535 bytes.
    #[error("constant text of {bytes} bytes is too long")]
    TextTooLong {
        /// Its length in modified UTF-8.
        bytes: usize,
    },
}

/// A field or method reference, names resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberRef<'a> {
    /// Internal name of the class, or an array descriptor.
    pub owner: Cow<'a, str>,
    /// Simple name.
    pub name: Cow<'a, str>,
    /// Descriptor.
    pub desc: Cow<'a, str>,
    /// Is it a `CONSTANT_InterfaceMethodref`?
    pub interface: bool,
}

/// An `invokedynamic` call site or a dynamic constant, names resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DynamicRef<'a> {
    /// Index into the `BootstrapMethods` attribute.
    pub bootstrap: u16,
    /// Name.
    pub name: Cow<'a, str>,
    /// Descriptor.
    pub desc: Cow<'a, str>,
}

/// The constant pool of one class.
#[derive(Clone, Debug)]
pub struct ConstantPool {
    /// All entries back to back, as in the file.
    bytes: Vec<u8>,
    /// Where the entry with an index begins in `bytes`, or [`NO_ENTRY`].
    offsets: Vec<u32>,
    /// The indexes of the entries by the hashes of their bytes; made at the first addition.
    index: Option<HashTable<u16>>,
    /// Of hashes that differ from process to process, so that no class file can be made for collisions.
    hasher: DefaultHashBuilder,
}

impl Default for ConstantPool {
    fn default() -> Self {
        Self::new()
    }
}

impl ConstantPool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::from_parts(Vec::new(), vec![NO_ENTRY])
    }

    fn from_parts(bytes: Vec<u8>, offsets: Vec<u32>) -> Self {
        ConstantPool {
            bytes,
            offsets,
            index: None,
            hasher: DefaultHashBuilder::default(),
        }
    }

    pub(crate) fn parse(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let count = usize::from(reader.u16()?);
        let all = reader.clone();
        let mut offsets = vec![NO_ENTRY];
        while offsets.len() < count {
            offsets.push((reader.pos() - all.pos()) as u32);
            let tag = reader.u8()?;
            let len = match tag {
                UTF8 => usize::from(reader.u16()?),
                _ => fixed_len(tag).ok_or(ParseError::ConstantTag {
                    index: offsets.len() - 1,
                    tag,
                })?,
            };
            reader.take(len)?;
            if tag == LONG || tag == DOUBLE {
                offsets.push(NO_ENTRY);
            }
        }
        // A count of 0, or one that ends between the two slots of a long or double.
        if offsets.len() != count {
            return Err(ParseError::Malformed {
                what: "impossible constant pool count",
                at: reader.pos(),
            });
        }
        let len = reader.pos() - all.pos();
        let bytes = { all }.take(len)?.to_vec();
        Ok(Self::from_parts(bytes, offsets))
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        put_u16(out, self.count());
        out.extend_from_slice(&self.bytes);
    }

    /// Bytes that the constants take.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// `constant_pool_count`: one more than the largest index.
    pub fn count(&self) -> u16 {
        self.offsets.len() as u16
    }

    /// The tag at `index`, if a constant begins there.
    pub fn tag(&self, index: u16) -> Option<u8> {
        let offset = *self.offsets.get(usize::from(index))?;
        self.bytes.get(offset as usize).copied()
    }

    /// Payload of the constant at `index`, which must have the tag `expected`. Longer than the entry: it runs to the end of
    /// the pool, and callers read the part that is theirs.
    fn payload(&self, index: u16, expected: u8) -> Result<&[u8], PoolError> {
        let found = self.tag(index).ok_or(PoolError::NoSuchConstant { index })?;
        if found != expected {
            return Err(PoolError::WrongTag {
                index,
                found,
                expected,
            });
        }
        Ok(&self.bytes[self.offsets[usize::from(index)] as usize + 1..])
    }

    fn pair(&self, index: u16, expected: u8) -> Result<(u16, u16), PoolError> {
        let payload = self.payload(index, expected)?;
        Ok((be16(payload), be16(&payload[2..])))
    }

    /// The raw entry (tag and payload) at `index`, of its whole length.
    pub fn entry(&self, index: u16) -> Result<&[u8], PoolError> {
        let tag = self.tag(index).ok_or(PoolError::NoSuchConstant { index })?;
        let entry = &self.bytes[self.offsets[usize::from(index)] as usize..];
        let len = match tag {
            UTF8 => 3 + usize::from(be16(&entry[1..])),
            _ => 1 + fixed_len(tag).unwrap_or(0),
        };
        Ok(&entry[..len])
    }

    /// The bytes of a text, in modified UTF-8.
    pub fn utf8_bytes(&self, index: u16) -> Result<&[u8], PoolError> {
        let payload = self.payload(index, UTF8)?;
        Ok(&payload[2..2 + usize::from(be16(payload))])
    }

    /// A text; see [`ConstantPool::utf8_bytes`] for those that no Rust string can hold.
    pub fn utf8(&self, index: u16) -> Result<Cow<'_, str>, PoolError> {
        self.utf8_bytes(index).map(mutf8::decode)
    }

    /// Is the text at `index` exactly this one? No for anything that is not a text.
    pub fn is_utf8(&self, index: u16, text: &str) -> bool {
        self.utf8_bytes(index)
            .is_ok_and(|bytes| bytes == &*mutf8::encode(text))
    }

    /// Internal name of the class constant at `index` (array classes: their descriptor).
    pub fn class_name(&self, index: u16) -> Result<Cow<'_, str>, PoolError> {
        self.utf8(be16(self.payload(index, CLASS)?))
    }

    /// The value of a string constant.
    pub fn string(&self, index: u16) -> Result<Cow<'_, str>, PoolError> {
        self.utf8(be16(self.payload(index, STRING)?))
    }

    /// Name and descriptor.
    pub fn name_and_type(&self, index: u16) -> Result<(Cow<'_, str>, Cow<'_, str>), PoolError> {
        let (name, desc) = self.pair(index, NAME_AND_TYPE)?;
        Ok((self.utf8(name)?, self.utf8(desc)?))
    }

    /// The field, method or interface method reference at `index`.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'_>, PoolError> {
        let tag = self.member_tag(index);
        let (owner, name_and_type) = self.pair(index, tag)?;
        let (name, desc) = self.name_and_type(name_and_type)?;
        Ok(MemberRef {
            owner: self.class_name(owner)?,
            name,
            desc,
            interface: tag == INTERFACE_METHOD_REF,
        })
    }

    /// Class of the member reference at `index`: [`MemberRef::owner`] without the rest.
    pub fn member_owner(&self, index: u16) -> Result<Cow<'_, str>, PoolError> {
        let (owner, _) = self.pair(index, self.member_tag(index))?;
        self.class_name(owner)
    }

    /// Descriptor of the member reference at `index`: [`MemberRef::desc`] without the rest.
    pub fn member_desc(&self, index: u16) -> Result<Cow<'_, str>, PoolError> {
        let (_, name_and_type) = self.pair(index, self.member_tag(index))?;
        let (_, desc) = self.pair(name_and_type, NAME_AND_TYPE)?;
        self.utf8(desc)
    }

    fn member_tag(&self, index: u16) -> u8 {
        match self.tag(index) {
            Some(tag @ (FIELD_REF | INTERFACE_METHOD_REF)) => tag,
            _ => METHOD_REF,
        }
    }

    /// The `CONSTANT_InvokeDynamic` at `index`.
    pub fn invoke_dynamic(&self, index: u16) -> Result<DynamicRef<'_>, PoolError> {
        self.dynamic_ref(index, INVOKE_DYNAMIC)
    }

    /// The `CONSTANT_Dynamic` at `index`.
    pub fn dynamic(&self, index: u16) -> Result<DynamicRef<'_>, PoolError> {
        self.dynamic_ref(index, DYNAMIC)
    }

    fn dynamic_ref(&self, index: u16, tag: u8) -> Result<DynamicRef<'_>, PoolError> {
        let (bootstrap, name_and_type) = self.pair(index, tag)?;
        let (name, desc) = self.name_and_type(name_and_type)?;
        Ok(DynamicRef {
            bootstrap,
            name,
            desc,
        })
    }

    /// The value of the `CONSTANT_Integer` at `index`.
    pub fn integer(&self, index: u16) -> Result<i32, PoolError> {
        let payload = self.payload(index, INTEGER)?;
        let [a, b, c, d] = [payload[0], payload[1], payload[2], payload[3]];
        Ok(i32::from_be_bytes([a, b, c, d]))
    }

    /// The method handle at `index`: its kind (JVMS table 5.4.3.5-A) and the index of the member it names.
    pub fn method_handle(&self, index: u16) -> Result<(u8, u16), PoolError> {
        let payload = self.payload(index, METHOD_HANDLE)?;
        Ok((payload[0], be16(&payload[1..])))
    }
}

/// Additions. An equal constant that is already there is used again. All fail with [`PoolError::Full`] when there is no room;
/// constants added on the way to the one that did not fit then stay behind, unused and harmless.
impl ConstantPool {
    /// Adds a text.
    pub fn add_utf8(&mut self, text: &str) -> Result<u16, PoolError> {
        self.add_utf8_bytes(&mutf8::encode(text))
    }

    /// Adds a text given in modified UTF-8.
    pub fn add_utf8_bytes(&mut self, bytes: &[u8]) -> Result<u16, PoolError> {
        let len = u16::try_from(bytes.len())
            .map_err(|_| PoolError::TextTooLong { bytes: bytes.len() })?;
        let mut entry = Vec::with_capacity(bytes.len() + 3);
        entry.push(UTF8);
        put_u16(&mut entry, len);
        entry.extend_from_slice(bytes);
        self.add_entry(&entry)
    }

    /// Adds a class by internal name or array descriptor.
    pub fn add_class(&mut self, name: &str) -> Result<u16, PoolError> {
        let name = self.add_utf8(name)?;
        self.add_refs(CLASS, &[name])
    }

    /// Adds a string.
    pub fn add_string(&mut self, value: &str) -> Result<u16, PoolError> {
        let value = self.add_utf8(value)?;
        self.add_refs(STRING, &[value])
    }

    /// Adds an `int`.
    pub fn add_integer(&mut self, value: i32) -> Result<u16, PoolError> {
        let [a, b, c, d] = value.to_be_bytes();
        self.add_entry(&[INTEGER, a, b, c, d])
    }

    /// Adds a `long`; it takes two indices.
    pub fn add_long(&mut self, value: i64) -> Result<u16, PoolError> {
        let mut entry = [LONG; 9];
        entry[1..].copy_from_slice(&value.to_be_bytes());
        self.add_entry(&entry)
    }

    /// Adds a name with a descriptor.
    pub fn add_name_and_type(&mut self, name: &str, desc: &str) -> Result<u16, PoolError> {
        let name = self.add_utf8(name)?;
        let desc = self.add_utf8(desc)?;
        self.add_refs(NAME_AND_TYPE, &[name, desc])
    }

    /// Adds a field reference.
    pub fn add_field_ref(&mut self, owner: &str, name: &str, desc: &str) -> Result<u16, PoolError> {
        self.add_member(FIELD_REF, owner, name, desc)
    }

    /// Adds a method reference; `interface` says whether `owner` is an interface.
    pub fn add_method_ref(
        &mut self,
        owner: &str,
        name: &str,
        desc: &str,
        interface: bool,
    ) -> Result<u16, PoolError> {
        let tag = if interface {
            INTERFACE_METHOD_REF
        } else {
            METHOD_REF
        };
        self.add_member(tag, owner, name, desc)
    }

    fn add_member(
        &mut self,
        tag: u8,
        owner: &str,
        name: &str,
        desc: &str,
    ) -> Result<u16, PoolError> {
        let owner = self.add_class(owner)?;
        let name_and_type = self.add_name_and_type(name, desc)?;
        self.add_refs(tag, &[owner, name_and_type])
    }

    /// Adds a method handle of this kind for the member at the index `member`.
    pub fn add_method_handle(&mut self, kind: u8, member: u16) -> Result<u16, PoolError> {
        let [high, low] = member.to_be_bytes();
        self.add_entry(&[METHOD_HANDLE, kind, high, low])
    }

    /// The `CONSTANT_InvokeDynamic` at `index` has the bootstrap method of this index from now on.
    pub fn set_bootstrap(&mut self, index: u16, bootstrap: u16) -> Result<(), PoolError> {
        self.payload(index, INVOKE_DYNAMIC)?;
        let at = self.offsets[usize::from(index)] as usize + 1;
        self.bytes[at..at + 2].copy_from_slice(&bootstrap.to_be_bytes());
        // Known by what it was.
        self.index = None;
        Ok(())
    }

    pub(crate) fn add_refs(&mut self, tag: u8, refs: &[u16]) -> Result<u16, PoolError> {
        let mut entry = Vec::with_capacity(5);
        entry.push(tag);
        for index in refs {
            put_u16(&mut entry, *index);
        }
        self.add_entry(&entry)
    }

    /// Adds a raw entry, tag and payload.
    pub(crate) fn add_entry(&mut self, entry: &[u8]) -> Result<u16, PoolError> {
        let mut index = match self.index.take() {
            Some(index) => index,
            None => self.build_index(),
        };
        let added = self.add_to(&mut index, entry);
        self.index = Some(index);
        added
    }

    /// The index of an entry, which is added if there is no equal one.
    fn add_to(&mut self, index: &mut HashTable<u16>, entry: &[u8]) -> Result<u16, PoolError> {
        let hash = self.hasher.hash_one(entry);
        if let Some(&known) = index.find(hash, |&known| self.entry(known) == Ok(entry)) {
            return Ok(known);
        }
        let slots = match entry.first() {
            Some(&(LONG | DOUBLE)) => 2,
            _ => 1,
        };
        if self.offsets.len() + slots > usize::from(u16::MAX) {
            return Err(PoolError::Full);
        }
        let new = self.count();
        self.offsets.push(self.bytes.len() as u32);
        self.offsets.resize(usize::from(new) + slots, NO_ENTRY);
        self.bytes.extend_from_slice(entry);
        index.insert_unique(hash, new, |&other| self.hash(other));
        Ok(new)
    }

    fn build_index(&self) -> HashTable<u16> {
        // What is added is mostly about as much again.
        let mut all = HashTable::with_capacity(2 * usize::from(self.count()));
        // Of equal entries, the last one is used.
        for index in (1..self.count()).rev() {
            if let Ok(entry) = self.entry(index) {
                let is_equal = |&other: &u16| self.entry(other) == Ok(entry);
                all.entry(self.hash(index), is_equal, |&other| self.hash(other))
                    .or_insert(index);
            }
        }
        all
    }

    fn hash(&self, index: u16) -> u64 {
        self.hasher.hash_one(self.entry(index).unwrap_or_default())
    }
}

fn be16(bytes: &[u8]) -> u16 {
    u16::from_be_bytes([bytes[0], bytes[1]])
}

/// Payload length of the constants that have a fixed one; `None` for texts and unknown tags.
pub(crate) fn fixed_len(tag: u8) -> Option<usize> {
    match tag {
        CLASS | STRING | METHOD_TYPE | MODULE | PACKAGE => Some(2),
        METHOD_HANDLE => Some(3),
        INTEGER | FLOAT | FIELD_REF | METHOD_REF | INTERFACE_METHOD_REF | NAME_AND_TYPE
        | DYNAMIC | INVOKE_DYNAMIC => Some(4),
        LONG | DOUBLE => Some(8),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_constants_are_shared_and_readable() {
        let mut pool = ConstantPool::new();
        let a = pool.add_method_ref("a/B", "c", "()V", false).unwrap();
        let count = pool.count();
        assert_eq!(pool.add_method_ref("a/B", "c", "()V", false), Ok(a));
        assert_eq!(pool.count(), count);
        let b = pool.add_method_ref("a/B", "c", "()V", true).unwrap();
        assert_eq!(pool.count(), count + 1);
        assert!(pool.member_ref(b).unwrap().interface);
        assert_eq!(pool.member_owner(a).unwrap(), "a/B");
        assert_eq!(pool.member_desc(b).unwrap(), "()V");
        let member = pool.member_ref(a).unwrap();
        assert_eq!(
            (
                &*member.owner,
                &*member.name,
                &*member.desc,
                member.interface
            ),
            ("a/B", "c", "()V", false)
        );
    }

    #[test]
    fn wrong_kinds_and_indices_are_errors() {
        let mut pool = ConstantPool::new();
        let long = pool.add_long(7).unwrap();
        assert_eq!(pool.tag(long + 1), None);
        assert_eq!(
            pool.utf8(long),
            Err(PoolError::WrongTag {
                index: long,
                found: LONG,
                expected: UTF8
            })
        );
        assert_eq!(pool.utf8(0), Err(PoolError::NoSuchConstant { index: 0 }));
        assert_eq!(
            pool.class_name(999),
            Err(PoolError::NoSuchConstant { index: 999 })
        );
        assert!(pool.add_utf8(&"x".repeat(65_536)).is_err());
    }

    #[test]
    fn impossible_counts_are_errors() {
        let long = [&[LONG][..], &[0; 8]].concat();
        for (count, ok) in [(0, false), (1, true), (2, false), (3, true)] {
            let mut bytes = vec![0, count];
            if count > 1 {
                bytes.extend(&long);
            }
            let read = ConstantPool::parse(&mut Reader::new(&bytes));
            assert_eq!(read.is_ok(), ok, "{count}");
        }
    }

    #[test]
    fn a_full_pool_says_so() {
        let mut pool = ConstantPool::new();
        for n in 0..65_533 {
            pool.add_integer(n).unwrap();
        }
        assert_eq!(pool.add_long(1), Err(PoolError::Full));
        assert_eq!(pool.add_integer(-1), Ok(65_534));
        assert_eq!(pool.add_integer(-2), Err(PoolError::Full));
        assert_eq!(pool.add_integer(5), Ok(6));
    }

    proptest! {
        #[test]
        fn additions_survive_writing(texts in proptest::collection::vec(any::<String>(), 0..20), longs in proptest::collection::vec(any::<i64>(), 0..9)) {
            let mut pool = ConstantPool::new();
            let mut strings = Vec::new();
            for (i, text) in texts.iter().enumerate() {
                strings.push(pool.add_string(text).unwrap());
                if let Some(long) = longs.get(i) {
                    pool.add_long(*long).unwrap();
                }
            }
            let mut bytes = Vec::new();
            pool.write(&mut bytes);
            let mut reader = Reader::new(&bytes);
            let read = ConstantPool::parse(&mut reader).unwrap();
            prop_assert!(reader.is_empty());
            for (index, text) in strings.iter().zip(&texts) {
                prop_assert_eq!(read.string(*index).unwrap(), text.as_str());
            }
            let mut again = Vec::new();
            read.write(&mut again);
            prop_assert_eq!(bytes, again);
        }
    }
}

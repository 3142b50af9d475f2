//! Guards of inherited methods.
//!
//! A stand-in's class may inherit methods of an observed class, or may be one whose code runs because an observed class inherits it.
//! Calls by observed code are redirected at the site. Natural code (`HashMap`, `List.sort`) is not: it would run such a method on an
//! object without state. So the method first asks whether its receiver is a stand-in.

use jinsi_classfile::class::Attribute;
use jinsi_classfile::frames::{self, Frame, FrameKind};
use jinsi_classfile::{Asm, Code, ConstantPool, Editor};
use jinsi_events::model::MemberRef;

use crate::{CodeError, Tables, bridge};
use jinsi_events::model::Operation;

/// Puts a guard in front of the code of the instance method `member`. Returns its length in bytes: where the method's
/// own code will begin, and need a frame.
pub(super) fn insert(
    editor: &mut Editor<'_>,
    pool: &mut ConstantPool,
    tables: &mut Tables,
    member: MemberRef,
) -> Result<u32, CodeError> {
    let desc = member.desc.clone();
    let no = tables.add_trap(Operation::Call, member);
    let (bytes, stack) = bridge::guard(pool, no, &desc)?;
    let len = bytes.len() as u32;
    // Its only jump goes to its end, wherever that is.
    editor.entry(&Asm::from_bytes(bytes, stack, 0))?;
    Ok(len)
}

/// States the frame behind a guard of `len` bytes: that of the method's beginning. No code before it has a frame.
pub(super) fn add_frame(
    code: &mut Code,
    pool: &mut ConstantPool,
    len: u32,
) -> Result<(), CodeError> {
    let name = pool.add_utf8("StackMapTable")?;
    let known = code.attributes.iter_mut().find(|a| a.name == name);
    let mut list = match &known {
        Some(attribute) => frames::decode(&attribute.data)?,
        None => Vec::new(),
    };
    if list.first().is_none_or(|first| first.offset != len) {
        let kind = FrameKind::Same;
        list.insert(0, Frame { offset: len, kind });
    }
    let data = frames::encode(&list)?;
    match known {
        Some(attribute) => attribute.data = data,
        None => code.attributes.push(Attribute { name, data }),
    }
    Ok(())
}

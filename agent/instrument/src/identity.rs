//! The field in which an object carries its identity.

use jinsi_classfile::class::{ClassFile, Member};
use jinsi_classfile::insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{ACC_INTERFACE, ACC_MODULE, ACC_PRIVATE, ACC_SYNTHETIC, Asm, Editor};

use super::outcome::InstrumentError;
use super::refs::PROBE;
use crate::selection::Selection;

/// Name of the field; `JinsiShape` looks for it.
pub const FIELD: &str = "$jinsi";
/// Kept out of serialized forms (JVMS table 4.5-A).
const ACC_TRANSIENT: u16 = 0x0080;

/// Adds the field to an observed class, unless it inherits one: from its superclass, if that is observed too. (Should that turn out to have
/// none, because it could not be rewritten, its instances are in the weak table.) A value class gets none: all its fields are final, and two
/// instances with equal fields are the same. The field is the last of the class, so that
/// the others keep their places. Returns whether it is added.
///
/// # Errors
/// The class is malformed, or the constant pool is full.
pub fn add_field(class: &mut ClassFile, selection: &Selection) -> Result<bool, InstrumentError> {
    let gets_it = adds_field(class, selection)?;
    if gets_it {
        add(class)?;
    }
    Ok(gets_it)
}

/// A class that is not observed, with the field; as it is, if it is a value class.
///
/// # Errors
/// The class is malformed, or the constant pool is full.
pub fn carry(bytes: &[u8]) -> Result<Vec<u8>, InstrumentError> {
    let mut class = ClassFile::parse(bytes)?;
    if class.is_value_class() {
        return Ok(bytes.to_vec());
    }
    add(&mut class)?;
    Ok(class.to_bytes()?)
}

/// Adds the field; another agent may have kept the bytes of a class that has it.
fn add(class: &mut ClassFile) -> Result<(), InstrumentError> {
    if class
        .fields
        .iter()
        .any(|f| class.pool.is_utf8(f.name, FIELD))
    {
        return Ok(());
    }
    let field = Member {
        access: ACC_PRIVATE | ACC_TRANSIENT | ACC_SYNTHETIC,
        name: class.pool.add_utf8(FIELD)?,
        desc: class.pool.add_utf8("J")?,
        attributes: Vec::new(),
    };
    class.fields.push(field);
    Ok(())
}

/// Does an observed class get the field?
///
/// # Errors
/// The class is malformed.
pub(super) fn adds_field(
    class: &ClassFile,
    selection: &Selection,
) -> Result<bool, InstrumentError> {
    if class.access & (ACC_INTERFACE | ACC_MODULE) != 0 || class.is_value_class() {
        return Ok(false);
    }
    let parent = class.super_name()?;
    Ok(parent.is_some_and(|parent| !selection.observes(&parent, false)))
}

/// `java.io.ObjectStreamClass` with a probe where `newInstance()` gives an object: only the constructors of its superclasses that cannot be
/// serialized have run, so that its fields are to be recorded.
///
/// # Errors
/// The class is malformed.
pub fn watch_deserialization(bytes: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    let mut class = ClassFile::parse(bytes)?;
    let Some(index) = class.find_method("newInstance", "()Ljava/lang/Object;") else {
        return Ok(None);
    };
    let Some(code) = class.methods[index].code(&class.pool)? else {
        return Ok(None);
    };
    let mut asm = Asm::new();
    let desc = "(Ljava/lang/Object;)V";
    asm.op(op::DUP)
        .invokestatic(&mut class.pool, PROBE, "restored", desc);
    let mut editor = Editor::new(&code, class.major)?;
    for at in insn::iter(&code.bytes) {
        let at = at?;
        if at.opcode == op::ARETURN {
            editor.before(at.offset, &asm)?;
        }
    }
    let code = editor.finish(&mut class.pool)?.code;
    class.methods[index].set_code(&mut class.pool, &code)?;
    Ok(Some(class.to_bytes()?))
}

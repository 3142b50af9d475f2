//! Classes in which JaCoCo counts what was covered, on the fly or offline. Each of its probes sets an element of an array that a method of the
//! class gives, which JaCoCo adds, too. That method asks JaCoCo for the array, so it is left alone, and is no event; where the class is run again
//! there is no JaCoCo, and it makes an array of its own.

use jinsi_classfile::class::ClassFile;
use jinsi_classfile::code::Code;
use jinsi_classfile::insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{Asm, Member};

use super::outcome::InstrumentError;

pub(crate) use jinsi_natural::is_of_coverage as is_init;

/// `newarray` of booleans (JVMS table 6.5.newarray-A).
const BOOLEANS: u8 = 4;

/// The class such that it runs without JaCoCo; `None` if JaCoCo has not changed it.
///
/// # Errors
/// The class is malformed.
pub fn without_coverage(class: &ClassFile) -> Result<Option<ClassFile>, InstrumentError> {
    let is_init = |member: &Member| -> Result<bool, InstrumentError> {
        Ok(is_init(
            &member.name(&class.pool)?,
            &member.desc(&class.pool)?,
        ))
    };
    for (index, method) in class.methods.iter().enumerate() {
        if !is_init(method)? {
            continue;
        }
        let Some(code) = method.code(&class.pool)? else {
            continue;
        };
        let mut changed = class.clone();
        let mut asm = Asm::new();
        asm.int(&mut changed.pool, largest_int(class, &code)?);
        let mut bytes = asm.bytes().to_vec();
        bytes.extend([op::NEWARRAY, BOOLEANS, op::ARETURN]);
        let code = Code {
            max_stack: 1,
            max_locals: code.max_locals,
            bytes,
            ..Code::default()
        };
        changed.methods[index].set_code(&mut changed.pool, &code)?;
        return Ok(Some(changed));
    }
    Ok(None)
}

/// The largest number that the code pushes: how many elements the array has is one of them, and more do no harm.
fn largest_int(class: &ClassFile, code: &Code) -> Result<i32, InstrumentError> {
    let mut largest = 1;
    for at in insn::iter(&code.bytes) {
        let at = at?;
        let constant = |index: u16| class.pool.integer(index).ok();
        let pushed = match (at.opcode, at.bytes) {
            (op::ICONST_0..=op::ICONST_5, _) => Some(i32::from(at.opcode - op::ICONST_0)),
            (op::BIPUSH, [_, value]) => Some(i32::from(*value as i8)),
            (op::SIPUSH, [_, high, low]) => Some(i32::from(i16::from_be_bytes([*high, *low]))),
            (op::LDC, [_, index]) => constant(u16::from(*index)),
            (op::LDC_W, [_, high, low]) => constant(u16::from_be_bytes([*high, *low])),
            _ => None,
        };
        largest = largest.max(pushed.unwrap_or(0));
    }
    Ok(largest)
}

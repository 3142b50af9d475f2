//! The frames that a throwable shows.

use jinsi_classfile::class::ClassFile;
use jinsi_classfile::code::Code;
use jinsi_classfile::insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{Asm, Editor};

use super::outcome::InstrumentError;

/// `java.lang.Throwable` with a probe where an exception has its frames: that is where it is made.
///
/// # Errors
/// The class is malformed.
pub fn watch_made(bytes: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    let mut class = ClassFile::parse(bytes)?;
    let Some(index) = class.find_method("fillInStackTrace", "()Ljava/lang/Throwable;") else {
        return Ok(None);
    };
    let Some(code) = class.methods[index].code(&class.pool)? else {
        return Ok(None);
    };
    let mut asm = Asm::new();
    let (owner, desc) = ("java/lang/JinsiArmed", "(Ljava/lang/Throwable;)V");
    asm.load('L', 0)
        .invokestatic(&mut class.pool, owner, "made", desc);
    before_returns(&mut class, index, &code, &asm)?;
    Ok(Some(class.to_bytes()?))
}

/// `java.lang.Throwable` such that a stack overflow that was first met by a probe does not show the probe's frames. All of its methods that
/// show frames ask `getOurStackTrace()`, and nobody does before somebody looks.
///
/// # Errors
/// The class is malformed.
pub fn hide_frames_of_probes(bytes: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    const FRAMES: &str = "[Ljava/lang/StackTraceElement;";
    let mut class = ClassFile::parse(bytes)?;
    let Some(index) = class.find_method("getOurStackTrace", &format!("(){FRAMES}")) else {
        return Ok(None);
    };
    let Some(code) = class.methods[index].code(&class.pool)? else {
        return Ok(None);
    };
    let mut asm = Asm::new();
    asm.load('L', 0).invokestatic(
        &mut class.pool,
        "java/lang/JinsiStop",
        "theirs",
        &format!("({FRAMES}Ljava/lang/Throwable;){FRAMES}"),
    );
    before_returns(&mut class, index, &code, &asm)?;
    Ok(Some(class.to_bytes()?))
}

/// Inserts `asm` where the method with this code returns an object.
fn before_returns(
    class: &mut ClassFile,
    index: usize,
    code: &Code,
    asm: &Asm,
) -> Result<(), InstrumentError> {
    let mut editor = Editor::new(code, class.major)?;
    for at in insn::iter(&code.bytes) {
        let at = at?;
        if at.opcode == op::ARETURN {
            editor.before(at.offset, asm)?;
        }
    }
    let code = editor.finish(&mut class.pool)?.code;
    class.methods[index].set_code(&mut class.pool, &code)?;
    Ok(())
}

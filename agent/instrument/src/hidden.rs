//! Classes of the JDK that would show what recording has added to others.

use jinsi_classfile::class::ClassFile;
use jinsi_classfile::insn;
use jinsi_classfile::opcode as op;
use jinsi_classfile::{Asm, Editor};

use super::outcome::InstrumentError;

/// Class whose methods leave out what is ours.
const HIDDEN: &str = "java/lang/JinsiHidden";

/// `jdk.internal.reflect.Reflection` with a `filterFields(Class, Field[])` and a `filterMethods(Class, Method[])` that leave out the field
/// with the identity and the bodies of method references, as they do with what the JDK hides. All of `Class`' methods that give fields and
/// methods ask them.
///
/// # Errors
/// The class is malformed, or has no such method.
pub fn hide_members(bytes: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    let mut class = ClassFile::parse(bytes)?;
    let filters = [
        ("filterFields", "Field", "java/lang/JinsiReflection", "hide"),
        ("filterMethods", "Method", HIDDEN, "without"),
    ];
    let mut found = false;
    for (filter, member, owner, name) in filters {
        let members = format!("[Ljava/lang/reflect/{member};");
        let desc = format!("(Ljava/lang/Class;{members}){members}");
        let Some(index) = class.find_method(filter, &desc) else {
            continue;
        };
        let Some(code) = class.methods[index].code(&class.pool)? else {
            continue;
        };
        let mut asm = Asm::new();
        let desc = format!("({members}){members}");
        asm.load('L', 1)
            .invokestatic(&mut class.pool, owner, name, &desc)
            .op(op::ASTORE_1);
        let mut editor = Editor::new(&code, class.major)?;
        editor.entry(&asm)?;
        let code = editor.finish(&mut class.pool)?.code;
        class.methods[index].set_code(&mut class.pool, &code)?;
        found = true;
    }
    Ok(found.then(|| class.to_bytes()).transpose()?)
}

/// `java.lang.StackTraceElement` whose methods `of(…)`, which make the frames of stack traces, leave out those of bodies of method
/// references.
///
/// # Errors
/// The class is malformed.
pub fn hide_frames(bytes: &[u8]) -> Result<Option<Vec<u8>>, InstrumentError> {
    const FRAMES: &str = "[Ljava/lang/StackTraceElement;";
    let mut class = ClassFile::parse(bytes)?;
    let mut found = false;
    for index in 0..class.methods.len() {
        let method = &class.methods[index];
        let makes_frames = class.pool.is_utf8(method.name, "of")
            && method.desc(&class.pool)?.ends_with(&format!("){FRAMES}"));
        let Some(code) = method.code(&class.pool)?.filter(|_| makes_frames) else {
            continue;
        };
        let mut asm = Asm::new();
        let desc = format!("({FRAMES}){FRAMES}");
        asm.invokestatic(&mut class.pool, HIDDEN, "without", &desc);
        let mut editor = Editor::new(&code, class.major)?;
        for at in insn::iter(&code.bytes) {
            let at = at?;
            if at.opcode == op::ARETURN {
                editor.before(at.offset, &asm)?;
            }
        }
        let code = editor.finish(&mut class.pool)?.code;
        class.methods[index].set_code(&mut class.pool, &code)?;
        found = true;
    }
    Ok(found.then(|| class.to_bytes()).transpose()?)
}

//! Classes that run as they are: only what they execute is counted, so that a test can be ended.

use jinsi_classfile::insn::Insn;
use jinsi_classfile::{ACC_SYNTHETIC, Asm, ClassFile, Editor, opcode};
use jinsi_events::model::MemberRef;

use crate::environment::method_name;
use crate::lines::source_of;
use crate::{CodeError, REPLAY, RewriteError, Tables, flips};

/// The class with these bytes, in which each backward branch is counted, and each line if lines are ([`Tables::lines`]).
///
/// # Errors
/// [`RewriteError::Parse`], or [`RewriteError::Code`]: malformed code, or a limit of the class file format.
pub fn counting(bytes: &[u8], tables: &mut Tables) -> Result<Vec<u8>, RewriteError> {
    let mut class = ClassFile::parse(bytes).map_err(|source| RewriteError::Parse {
        class: String::new(),
        source,
    })?;
    let name = class.name().map(|n| n.into_owned()).unwrap_or_default();
    let source = source_of(&class, &name);
    for index in 0..class.methods.len() {
        method(&mut class, (&name, index), &source, tables).map_err(|e| RewriteError::Code {
            class: name.clone(),
            method: method_name(&class, index),
            source: e,
        })?;
    }
    class.to_bytes().map_err(|e| RewriteError::Code {
        class: name,
        method: String::new(),
        source: e.into(),
    })
}

fn method(
    class: &mut ClassFile,
    (owner, index): (&str, usize),
    source: &str,
    tables: &mut Tables,
) -> Result<(), CodeError> {
    let method = &class.methods[index];
    let Some(code) = method.code(&class.pool)? else {
        return Ok(());
    };
    let synthetic = method.access & ACC_SYNTHETIC != 0;
    let member = MemberRef {
        owner: owner.into(),
        name: method.name(&class.pool)?.into_owned().into(),
        desc: method.desc(&class.pool)?.into_owned().into(),
    };
    let patched = flips::patched(&tables.flips, &member, &code);
    let mut editor = Editor::new(&patched, class.major)?;
    let is_asked = tables.flips.iter().any(|site| site.method == member);
    let back: Vec<u32> = editor
        .insns()
        .iter()
        .filter(|insn| goes_back(insn))
        .map(|insn| insn.offset)
        .collect();
    if back.is_empty() && tables.lines.is_none() && !is_asked {
        return Ok(());
    }
    flips::insert(&tables.flips, &member, &code, &mut editor, &mut class.pool)?;
    if let Some(lines) = &mut tables.lines {
        let own = code.lines(&class.pool);
        lines.insert(source, &own, synthetic, &mut editor, &mut class.pool)?;
        lines.insert_branches(&code.handlers, &mut editor, &mut class.pool)?;
    }
    let mut count = Asm::new();
    count.invokestatic(&mut class.pool, REPLAY, "backEdge", "()V");
    for offset in back {
        editor.before(offset, &count)?;
    }
    let edited = editor.finish(&mut class.pool)?;
    class.methods[index].set_code(&mut class.pool, &edited.code)?;
    Ok(())
}

/// May this instruction go on at itself or before it?
pub(super) fn goes_back(insn: &Insn<'_>) -> bool {
    let is_jump = !matches!(insn.opcode, opcode::JSR | opcode::JSR_W);
    is_jump && insn.targets().iter().any(|t| *t <= insn.offset)
}

//! Environment classes: shape without code.

use jinsi_classfile::{ACC_ABSTRACT, ACC_SYNCHRONIZED, ClassFile, subst};
use jinsi_events::model::MemberRef;

use crate::{CodeError, RewriteError, Tables, bridge};
use jinsi_events::model::Operation;

/// The class with these bytes (original or skeleton) as replay has it: no class initializer, and every method that can
/// be called is a trap, native ones included. Fields, hierarchy, flags and attributes stay.
///
/// # Errors
/// [`RewriteError::Parse`], or [`RewriteError::Code`] at a limit of the class file format.
pub fn environment(bytes: &[u8], tables: &mut Tables) -> Result<Vec<u8>, RewriteError> {
    let mut class = ClassFile::parse(bytes).map_err(|source| RewriteError::Parse {
        class: String::new(),
        source,
    })?;
    let name = class.name().map(|n| n.into_owned()).unwrap_or_default();
    rewrite(&mut class, &name, tables).map_err(|(method, source)| RewriteError::Code {
        class: name,
        method,
        source,
    })
}

fn rewrite(
    class: &mut ClassFile,
    name: &str,
    tables: &mut Tables,
) -> Result<Vec<u8>, (String, CodeError)> {
    subst::remove_method(class, "<clinit>", "()V");
    for index in 0..class.methods.len() {
        if class.methods[index].access & ACC_ABSTRACT == 0 {
            trap_method(class, name, index, tables)
                .map_err(|source| (method_name(class, index), source))?;
        }
    }
    class.to_bytes().map_err(|e| (String::new(), e.into()))
}

/// Gives the method at `index` the body of a trap.
pub(super) fn trap_method(
    class: &mut ClassFile,
    owner: &str,
    index: usize,
    tables: &mut Tables,
) -> Result<(), CodeError> {
    let method = &class.methods[index];
    let is_static = method.is_static();
    let member = MemberRef {
        owner: owner.into(),
        name: method.name(&class.pool)?.into(),
        desc: method.desc(&class.pool)?.into(),
    };
    let is_constructor = member.name == "<init>";
    let desc = member.desc.clone();
    let op = match (is_constructor, is_static) {
        (true, _) => Operation::Construct,
        (_, true) => Operation::CallStatic,
        _ => Operation::Call,
    };
    if tables.threaded {
        class.methods[index].access &= !ACC_SYNCHRONIZED;
    }
    let no = tables.add_trap(op, member);
    let code = if is_constructor {
        bridge::constructor_trap(&mut class.pool, no, &desc)?
    } else {
        bridge::trap(&mut class.pool, no, &desc, is_static)?
    };
    Ok(subst::replace_body(class, index, &code)?)
}

/// For messages.
pub(super) fn method_name(class: &ClassFile, index: usize) -> String {
    let name = class.methods[index].name(&class.pool);
    name.map(|n| n.into_owned()).unwrap_or_default()
}

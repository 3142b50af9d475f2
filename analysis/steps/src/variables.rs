//! The local variables of a method, as its source names them.

use jinsi_classfile::ClassFile;
use jinsi_classfile::code::Code;

/// A local variable as the source names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Name in the source.
    pub name: String,
    /// Descriptor of its type.
    pub desc: String,
    /// Its slot.
    pub slot: u16,
    /// First bytecode index at which it has a value.
    pub from: u32,
    /// First bytecode index behind.
    pub to: u32,
}

/// The `LocalVariableTable` (JVMS §4.7.13); empty if there is none or it is malformed.
pub(super) fn variables(code: &Code, file: &ClassFile) -> Vec<Variable> {
    let Some(table) = code.attribute(&file.pool, "LocalVariableTable") else {
        return Vec::new();
    };
    let rows = table.data.get(2..).unwrap_or_default().chunks_exact(10);
    rows.filter_map(|row| {
        let word = |at: usize| u16::from_be_bytes([row[at], row[at + 1]]);
        Some(Variable {
            name: file.pool.utf8(word(4)).ok()?.into_owned(),
            desc: file.pool.utf8(word(6)).ok()?.into_owned(),
            slot: word(8),
            from: u32::from(word(0)),
            to: u32::from(word(0)) + u32::from(word(2)),
        })
    })
    .collect()
}

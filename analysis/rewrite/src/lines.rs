//! The lines of observed code, for sessions in which each that is executed is noted.

use std::collections::{BTreeSet, HashMap};

use jinsi_classfile::code::{Handler, line_at};
use jinsi_classfile::insn::Insn;
use jinsi_classfile::{Asm, ClassFile, ConstantPool, EditError, Editor};

use crate::REPLAY;

/// What code without line numbers has in their place.
const UNKNOWN: u32 = 0;

/// Numbers of lines, from 1. Classes that come from one source file share its lines.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// By package and source file (or class, if that is not known), and line.
    numbers: HashMap<(String, u16), u32>,
    /// Places that may follow a jump, so far.
    branches: u32,
}

impl Lines {
    /// How many lines the code has; `None` if it has no line numbers at all. Of code that has none the replay tells if it is executed.
    pub fn count(&self) -> Option<usize> {
        Some(self.numbers.len()).filter(|n| *n > 0)
    }

    /// Has the code of a method of `source` (see [`source_of`]) tell when one of its `lines` begins, or, if it has none, that it was executed.
    /// Code that a compiler added, whose methods are `synthetic`, need not have any.
    pub(super) fn insert(
        &mut self,
        source: &str,
        lines: &[(u16, u16)],
        synthetic: bool,
        editor: &mut Editor<'_>,
        pool: &mut ConstantPool,
    ) -> Result<(), EditError> {
        let starts: Vec<u32> = editor.insns().iter().map(|i| i.offset).collect();
        if let (true, false, Some(first)) = (lines.is_empty(), synthetic, starts.first()) {
            let mut probe = Asm::new();
            probe
                .int(pool, UNKNOWN as i32)
                .invokestatic(pool, REPLAY, "line", "(I)V");
            editor.before(*first, &probe)?;
        }
        for start in starts {
            // Of several entries for one place the last one counts, as in stack traces.
            let begins = lines
                .binary_search_by_key(&start, |(at, _)| u32::from(*at))
                .is_ok();
            let Some(line) = line_at(lines, start).filter(|_| begins) else {
                continue;
            };
            let next = self.numbers.len() as u32 + 1;
            let number = *self
                .numbers
                .entry((source.to_owned(), line))
                .or_insert(next);
            let mut probe = Asm::new();
            // There are less than 2³¹: each takes a byte of a class file at least.
            probe
                .int(pool, number as i32)
                .invokestatic(pool, REPLAY, "line", "(I)V");
            editor.before(start, &probe)?;
        }
        Ok(())
    }
}

impl Lines {
    /// Has the code tell where it goes on behind each jump that depends on something, and when it catches: which way it goes is known then.
    pub(super) fn insert_branches(
        &mut self,
        handlers: &[Handler],
        editor: &mut Editor<'_>,
        pool: &mut ConstantPool,
    ) -> Result<(), EditError> {
        let caught = handlers.iter().map(|h| u32::from(h.handler));
        let depends = |insn: &&Insn<'_>| insn.falls_through() || insn.switch().is_some();
        let jumps = editor.insns().iter().filter(|i| !i.targets().is_empty());
        let branches = jumps.filter(depends).flat_map(|insn| {
            let next = insn.falls_through().then(|| insn.end());
            insn.targets().into_iter().chain(next)
        });
        let places: BTreeSet<u32> = caught.chain(branches).collect();
        for place in places {
            self.branches += 1;
            let mut probe = Asm::new();
            // There are less than 2³¹, as there are of lines.
            probe
                .int(pool, self.branches as i32)
                .invokestatic(pool, REPLAY, "branch", "(I)V");
            editor.before(place, &probe)?;
        }
        Ok(())
    }
}

/// Package and source file of a class, or its name if its file is not known.
pub(super) fn source_of(class: &ClassFile, name: &str) -> String {
    let package = name.rfind('/').map_or("", |slash| &name[..=slash]);
    match class.source_file() {
        Some(file) => format!("{package}{file}"),
        None => name.to_owned(),
    }
}

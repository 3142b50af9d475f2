//! The table `members`, from the class files in the trace.

use jinsi_classfile::class::ClassFile;
use jinsi_trace::model::{ClassDef, ClassOrigin};
use jinsi_trace::reader::Trace;

use crate::cell::Cell;
use crate::rows::Rows;
use crate::run::Run;
use crate::values::dotted;

/// Longest chain of superclasses followed; a damaged table may hold a cycle.
const MAX_DEPTH: usize = 256;

pub(crate) fn tell(run: &Run, rows: &mut Rows<'_>) {
    for class in run.trace.classes() {
        if !is_recorded(class) || !rows.wanted.has_text("class", &dotted(&class.name)) {
            continue;
        }
        for declared in chain(&run.trace, class) {
            members(run, class, declared, rows);
        }
    }
}

fn is_recorded(class: &ClassDef) -> bool {
    matches!(class.origin, ClassOrigin::Observed | ClassOrigin::Inherited)
}

/// A class and its recorded superclasses.
fn chain<'t>(trace: &'t Trace, class: &'t ClassDef) -> impl Iterator<Item = &'t ClassDef> {
    let above = std::iter::successors(Some(class), |class| {
        trace.class_by_name(class.super_name.as_deref()?)
    });
    above.take(MAX_DEPTH).filter(|class| is_recorded(class))
}

/// The members that `declared` has: all of the class's own, and the fields that it inherits.
fn members(run: &Run, class: &ClassDef, declared: &ClassDef, rows: &mut Rows<'_>) {
    let Ok(file) = ClassFile::parse(&declared.bytes) else {
        return;
    };
    let own = class.no == declared.no;
    let methods = file.methods.iter().filter(|_| own).map(|m| ("method", m));
    let fields = file.fields.iter().map(|f| ("field", f));
    for (kind, member) in fields.chain(methods) {
        let (Ok(name), Ok(desc)) = (member.name(&file.pool), member.desc(&file.pool)) else {
            continue;
        };
        rows.push([
            run.name.as_str().into(),
            dotted(&class.name).into(),
            dotted(&declared.name).into(),
            kind.into(),
            name.as_ref().into(),
            desc.as_ref().into(),
            member.is_static().into(),
            match kind {
                "field" => initial(&desc).into(),
                _ => Cell::Null,
            },
        ]);
    }
}

/// What a field of this type holds before it is written (JVMS §2.3).
fn initial(desc: &str) -> &'static str {
    match desc.as_bytes().first() {
        Some(b'Z') => "false",
        Some(b'F' | b'D') => "0.0",
        Some(b'C') => "'\\u0000'",
        Some(b'B' | b'S' | b'I' | b'J') => "0",
        _ => "null",
    }
}

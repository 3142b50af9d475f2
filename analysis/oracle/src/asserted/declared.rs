//! Exceptions that the class file of a test names: those that its annotations expect, and those that it catches.

use std::ops::Range;

use jinsi_classfile::ClassFile;
use jinsi_classfile::annotation::classes_in;
use jinsi_classfile::constants::Loaded;
use jinsi_classfile::{insn, opcode};

/// Annotations of test methods, as descriptors, and what they call the exception that is expected.
const EXPECTING: [(&str, &str); 2] = [
    ("Lorg/junit/Test;", "expected"),
    ("Lorg/testng/annotations/Test;", "expectedExceptions"),
];
/// What JUnit 4 has where none is expected.
const NONE: &str = "org/junit/Test$None";

/// Internal name of the class of the exception that the method (name, descriptor) is to end by; of several, of what they have in common.
pub(super) fn expected(class: &ClassFile, (name, desc): (&str, &str)) -> Option<String> {
    let method = &class.methods[class.find_method(name, desc)?];
    let expected = EXPECTING
        .iter()
        .flat_map(|(annotation, element)| classes_in(class, method, annotation, element));
    one_of(expected.filter(|class| class != NONE))
}

/// What the handlers of the innermost `try` around an instruction of the method (name, descriptor) catch, and which instructions the `try` covers.
pub(super) fn caught_at(
    class: &ClassFile,
    (name, desc): (&str, &str),
    bci: u16,
) -> Option<(Range<u16>, String)> {
    let method = &class.methods[class.find_method(name, desc)?];
    let code = method.code(&class.pool).ok()??;
    let mut around = code.handlers.iter().filter(|h| {
        let covers = (h.start..h.end).contains(&bci);
        covers && h.catch_type != 0
    });
    let first = around.next()?;
    let range = first.start..first.end;
    let same = around.filter(|h| (h.start..h.end) == range);
    let caught = std::iter::once(first).chain(same);
    let names = caught.filter_map(|h| Some(class.pool.class_name(h.catch_type).ok()?.into_owned()));
    let names = one_of(names)?;
    Some((range, names))
}

/// Is a method of one of these names called by an instruction in this range of the method (name, descriptor)?
pub(super) fn calls_within(
    class: &ClassFile,
    (name, desc): (&str, &str),
    range: &Range<u16>,
    names: &[&str],
) -> bool {
    let method = class.find_method(name, desc).map(|at| &class.methods[at]);
    let code = method.and_then(|method| method.code(&class.pool).ok().flatten());
    code.is_some_and(|code| {
        let calls = insn::iter(&code.bytes).map_while(Result::ok);
        calls
            .filter(|insn| (range.start.into()..range.end.into()).contains(&insn.offset))
            .filter(|insn| (opcode::INVOKEVIRTUAL..=opcode::INVOKEINTERFACE).contains(&insn.opcode))
            .filter_map(|insn| class.pool.member_ref(insn.pool_index()?).ok())
            .any(|member| names.contains(&&*member.name))
    })
}

/// Internal name of the class that a chain of calls asks for behind the one at `bci` of the method (name, descriptor), if that ended the test before the
/// chain came to it: `assertThatThrownBy(…).isInstanceOf(E.class)`.
pub(super) fn asked_behind(
    class: &ClassFile,
    (name, desc): (&str, &str),
    bci: u16,
) -> Option<String> {
    let method = &class.methods[class.find_method(name, desc)?];
    let code = method.code(&class.pool).ok()??;
    let mut behind = insn::iter(&code.bytes)
        .map_while(Result::ok)
        .skip_while(|insn| insn.offset <= bci.into())
        // The next statement begins where the chain's last result is dropped.
        .take_while(|insn| insn.opcode != opcode::POP && insn.target().is_none());
    let mut loaded = None;
    behind.find_map(|insn| {
        let index = insn.pool_index()?;
        match class.pool.member_ref(index) {
            Ok(member) if ASKS.contains(&&*member.name) => loaded.take(),
            _ => {
                loaded = match class.pool.loaded(index) {
                    Ok(Some(Loaded::Class(class))) => Some(class.into_owned()),
                    _ => None,
                };
                None
            }
        }
    })
}

/// Methods of AssertJ's that ask for the class of an exception.
const ASKS: [&str; 2] = ["isInstanceOf", "isExactlyInstanceOf"];

/// The one class, or what several exceptions are in any case.
fn one_of(classes: impl Iterator<Item = String>) -> Option<String> {
    let mut classes: Vec<String> = classes.collect();
    classes.dedup();
    match classes.len() {
        0 | 1 => classes.pop(),
        _ => Some("java/lang/Throwable".to_owned()),
    }
}

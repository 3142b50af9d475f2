//! Exceptions that the class file of a test names: those that its annotations expect, and those that it catches.

use std::ops::Range;

use jinsi_classfile::ClassFile;
use jinsi_classfile::annotation::classes_in;

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

/// The one class, or what several exceptions are in any case.
fn one_of(classes: impl Iterator<Item = String>) -> Option<String> {
    let mut classes: Vec<String> = classes.collect();
    classes.dedup();
    match classes.len() {
        0 | 1 => classes.pop(),
        _ => Some("java/lang/Throwable".to_owned()),
    }
}

//! What a rewritten class has that the original has not, and what it can do without.

use jinsi_classfile::opcode::*;
use jinsi_classfile::{
    ACC_INTERFACE, ACC_STATIC, ACC_SYNCHRONIZED, ClassFile, Code, ConstantPool, subst,
};
use jinsi_instrument::selection::Selection;
use jinsi_instrument::{ProbeSet, instrument};
use jinsi_trace::model::{ClassNo, SiteNo};

const NAME: &str = "a/Small";

fn class(access: u16, methods: &[(&str, u16, &[u8])]) -> Vec<u8> {
    let mut pool = ConstantPool::new();
    let mut class = ClassFile {
        minor: 0,
        major: 52,
        access,
        this_class: pool.add_class(NAME).unwrap(),
        super_class: pool.add_class("java/lang/Object").unwrap(),
        pool,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
    };
    for &(name, access, bytes) in methods {
        let code = Code {
            max_stack: 2,
            max_locals: 2,
            bytes: bytes.to_vec(),
            ..Code::default()
        };
        subst::add_method(&mut class, access, name, "(II)I", &code).unwrap();
    }
    class.to_bytes().unwrap()
}

/// `observe` is the only class observed, or all are.
fn rewritten(bytes: &[u8], observe: Option<&str>, probe_set: ProbeSet) -> ClassFile {
    let selection = Selection::for_checking(observe);
    let mut next = 0;
    let mut next_site = || {
        next += 1;
        SiteNo::FIRST.behind(next - 1)
    };
    let done = instrument(ClassNo::FIRST, probe_set, bytes, &selection, &mut next_site).unwrap();
    ClassFile::parse(&done.bytes).unwrap()
}

fn fields(class: &ClassFile) -> Vec<String> {
    let names = class.fields.iter().map(|f| f.name(&class.pool).unwrap());
    names.map(|name| name.into_owned()).collect()
}

#[test]
fn the_topmost_observed_class_has_a_field_for_the_identity() {
    let small = class(0x21, &[]);
    let alone = rewritten(&small, Some(NAME), ProbeSet::Observed);
    assert_eq!(fields(&alone), ["$jinsi"]);
    let with_its_superclass = rewritten(&small, None, ProbeSet::Observed);
    assert!(fields(&with_its_superclass).is_empty());
    assert!(fields(&rewritten(&small, Some(""), ProbeSet::Inherited)).is_empty());
    let interface = class(ACC_INTERFACE | 0x401, &[]);
    assert!(fields(&rewritten(&interface, Some(NAME), ProbeSet::Observed)).is_empty());
}

/// Versions of class files that nobody here has seen are rewritten as those that are known. Value classes (JEP 401) have no place for an identity.
#[test]
fn classes_of_later_jdks_are_rewritten() {
    let later = |minor, access| {
        let mut class = ClassFile::parse(&class(access, &[])).unwrap();
        (class.major, class.minor) = (80, minor);
        rewritten(&class.to_bytes().unwrap(), Some(NAME), ProbeSet::Observed)
    };
    assert_eq!(fields(&later(0, 0x21)), ["$jinsi"]);
    assert_eq!(fields(&later(0xFFFF, 0x21)), ["$jinsi"]);
    assert!(fields(&later(0xFFFF, 0x11)).is_empty());
}

#[test]
fn only_methods_that_may_throw_are_watched() {
    let methods: [(&str, u16, &[u8]); 4] = [
        ("sum", ACC_STATIC, &[ILOAD_0, ILOAD_1, IADD, IRETURN]),
        ("quotient", ACC_STATIC, &[ILOAD_0, ILOAD_1, IDIV, IRETURN]),
        (
            "locked",
            ACC_STATIC | ACC_SYNCHRONIZED,
            &[ICONST_1, IRETURN],
        ),
        ("none", ACC_STATIC, &[ACONST_NULL, ARRAYLENGTH, IRETURN]),
    ];
    let small = class(0x21, &methods);
    let done = rewritten(&small, Some(NAME), ProbeSet::Observed);
    let watched = |index: usize| {
        let code = done.methods[index].code(&done.pool).unwrap().unwrap();
        !code.handlers.is_empty()
    };
    assert_eq!([0, 1, 2, 3].map(watched), [false, true, true, true]);
}

#[test]
fn a_class_runs_without_what_jacoco_has_added() {
    use jinsi_instrument::without_coverage;

    let mut small = ClassFile::parse(&class(0x21, &[])).unwrap();
    assert_eq!(without_coverage(&small).unwrap().map(|_| ()), None);
    // It hands a number and a text to JaCoCo; the array has 300 elements.
    let code = Code {
        max_stack: 2,
        max_locals: 0,
        bytes: vec![ICONST_2, POP, SIPUSH, 1, 44, POP, ACONST_NULL, ARETURN],
        ..Code::default()
    };
    subst::add_method(&mut small, ACC_STATIC, "$jacocoInit", "()[Z", &code).unwrap();
    let alone = without_coverage(&small).unwrap().expect("it was changed");
    let init = alone.find_method("$jacocoInit", "()[Z").unwrap();
    let code = alone.methods[init].code(&alone.pool).unwrap().unwrap();
    assert_eq!(code.bytes, [SIPUSH, 1, 44, NEWARRAY, 4, ARETURN]);
    // The method is no event, nor is a call of it.
    let bytes = small.to_bytes().unwrap();
    let probed = rewritten(&bytes, Some(NAME), ProbeSet::Observed);
    let init = probed.find_method("$jacocoInit", "()[Z").unwrap();
    let code = probed.methods[init].code(&probed.pool).unwrap().unwrap();
    assert_eq!(code.bytes[..6], [ICONST_2, POP, SIPUSH, 1, 44, POP]);
}

//! Where test engines report, there are probes; nowhere else.

use jinsi_classfile::opcode::*;
use jinsi_classfile::{ACC_STATIC, ClassFile, Code, ConstantPool, insn, subst};
use jinsi_instrument::{is_engine, watch_engine};

const RUN_NOTIFIER: &str = "org/junit/runner/notification/RunNotifier";
const HELPER: &str = "org/testng/internal/TestListenerHelper";
const RESULT: &str = "(Lorg/testng/ITestResult;Ljava/util/List;)V";

fn class(name: &str, methods: &[(&str, u16, &str)]) -> Vec<u8> {
    let mut pool = ConstantPool::new();
    let mut class = ClassFile {
        minor: 0,
        major: 52,
        access: 0x21,
        this_class: pool.add_class(name).unwrap(),
        super_class: pool.add_class("java/lang/Object").unwrap(),
        pool,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
    };
    for &(name, access, desc) in methods {
        let code = Code {
            max_stack: 0,
            max_locals: 3,
            bytes: vec![RETURN],
            ..Code::default()
        };
        subst::add_method(&mut class, access, name, desc, &code).unwrap();
    }
    class.to_bytes().unwrap()
}

/// The opcodes of each method, in the order of the methods.
fn opcodes(bytes: &[u8]) -> Vec<Vec<u8>> {
    let class = ClassFile::parse(bytes).unwrap();
    let codes = class.methods.iter().map(|m| m.code(&class.pool).unwrap());
    codes
        .map(|code| {
            let bytes = code.unwrap().bytes;
            insn::iter(&bytes).map(|at| at.unwrap().opcode).collect()
        })
        .collect()
}

#[test]
fn reports_are_handed_on_before_anything_else() {
    let bytes = class(
        RUN_NOTIFIER,
        &[
            ("fireTestStarted", 0x1, "(Lorg/junit/runner/Description;)V"),
            ("fireTestStarted", 0x1, "(Ljava/lang/String;)V"),
            ("pleaseStop", 0x1, "()V"),
        ],
    );
    let watched = watch_engine(RUN_NOTIFIER, &bytes).unwrap().unwrap();
    let [started, other, stop] = &opcodes(&watched)[..] else {
        panic!("there are three methods")
    };
    // Of an instance: its first parameter, and none in the place of a second.
    assert_eq!(started[1..], [ALOAD_1, ACONST_NULL, INVOKESTATIC, RETURN]);
    assert_eq!((&other[..], &stop[..]), (&[RETURN][..], &[RETURN][..]));
}

#[test]
fn static_methods_have_their_parameters_in_front() {
    let bytes = class(HELPER, &[("runTestListeners", 0x1 | ACC_STATIC, RESULT)]);
    let watched = watch_engine(HELPER, &bytes).unwrap().unwrap();
    assert_eq!(
        opcodes(&watched)[0][1..],
        [ALOAD_0, ACONST_NULL, INVOKESTATIC, RETURN]
    );
}

#[test]
fn other_classes_are_left_alone() {
    let bytes = class("a/Notifier", &[("fireTestStarted", 0x1, RESULT)]);
    assert!(!is_engine("a/Notifier"));
    assert_eq!(watch_engine("a/Notifier", &bytes).unwrap(), None);
    let other = class(RUN_NOTIFIER, &[("pleaseStop", 0x1, "()V")]);
    assert!(is_engine(RUN_NOTIFIER));
    assert_eq!(watch_engine(RUN_NOTIFIER, &other).unwrap(), None);
}

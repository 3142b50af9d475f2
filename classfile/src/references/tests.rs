use super::*;
use crate::pool::ConstantPool;
use crate::{ACC_PRIVATE, ACC_STATIC, ACC_SYNTHETIC};

/// A class with one method of which each line makes a function object: descriptor of the call site, kind, owner, name and descriptor of the
/// method, and flags, if it is made by `altMetafactory`.
type Made<'a> = (&'a str, u8, &'a str, &'a str, &'a str, Option<i32>);

fn class_making(made: &[Made<'_>]) -> ClassFile {
    let mut class = class_without_members();
    let mut bytes = Vec::new();
    let mut bootstraps = vec![0, made.len() as u8];
    let mut lines = vec![0, made.len() as u8];
    for (index, made) in (0..).zip(made) {
        put(&mut bootstraps, &bootstrap(&mut class.pool, made));
        let site = class.pool.add_name_and_type("apply", made.0).unwrap();
        let site = [index, site];
        let constant = class.pool.add_refs(INVOKE_DYNAMIC, &site).unwrap();
        put(&mut lines, &[bytes.len() as u16, 10 + index]);
        bytes.push(opcode::INVOKEDYNAMIC);
        put(&mut bytes, &[constant, 0]);
    }
    bytes.push(opcode::RETURN);
    let name = class.pool.add_utf8("LineNumberTable").unwrap();
    let code = Code {
        max_stack: 9,
        max_locals: 0,
        bytes,
        attributes: vec![Attribute { name, data: lines }],
        ..Code::default()
    };
    subst::add_method(&mut class, ACC_STATIC, "all", "()V", &code).unwrap();
    let name = class.pool.add_utf8("BootstrapMethods").unwrap();
    let data = bootstraps;
    class.attributes.push(Attribute { name, data });
    ClassFile::parse(&class.to_bytes().unwrap()).unwrap()
}

fn class_without_members() -> ClassFile {
    let mut pool = ConstantPool::new();
    ClassFile {
        minor: 0,
        major: 52,
        access: 0x21,
        this_class: pool.add_class("a/User").unwrap(),
        super_class: pool.add_class("java/lang/Object").unwrap(),
        pool,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
    }
}

/// The entry in the table of bootstrap methods: factory, number of arguments, arguments.
fn bootstrap(pool: &mut ConstantPool, made: &Made<'_>) -> Vec<u16> {
    let &(_, kind, owner, name, desc, flags) = made;
    let factory = match flags {
        Some(_) => "altMetafactory",
        None => "metafactory",
    };
    let factory = pool
        .add_method_ref(METAFACTORY, factory, "()V", false)
        .unwrap();
    let factory = pool.add_method_handle(INVOKE_STATIC, factory).unwrap();
    let member = pool
        .add_method_ref(owner, name, desc, kind == INVOKE_INTERFACE)
        .unwrap();
    let handle = pool.add_method_handle(kind, member).unwrap();
    let text = pool.add_utf8("()V").unwrap();
    let plain = pool.add_refs(crate::pool::METHOD_TYPE, &[text]).unwrap();
    let mut arguments = vec![plain, handle, plain];
    arguments.extend(flags.map(|flags| pool.add_integer(flags).unwrap()));
    [vec![factory, arguments.len() as u16], arguments].concat()
}

fn put(out: &mut Vec<u8>, words: &[u16]) {
    for word in words {
        out.extend(word.to_be_bytes());
    }
}

const DELETE: Made<'_> = (
    "()Ljava/util/function/Function;",
    INVOKE_VIRTUAL,
    "java/io/File",
    "delete",
    "()Z",
    None,
);

/// Opcodes of a body.
fn opcodes(class: &ClassFile, reference: &Reference) -> Vec<u8> {
    let index = class
        .find_method(&reference.body_name(), &reference.body_desc())
        .unwrap();
    let method = &class.methods[index];
    assert_eq!(method.access, ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC);
    let code = method.code(&class.pool).unwrap().unwrap();
    insn::decode(&code.bytes)
        .unwrap()
        .iter()
        .map(|i| i.opcode)
        .collect()
}

/// Function objects, and descriptor and opcodes of their bodies.
const BODIES: [(Made<'_>, &str, &[u8]); 6] = {
    use crate::opcode::*;
    [
        (
            DELETE,
            "(Ljava/io/File;)Z",
            &[ALOAD_0, INVOKEVIRTUAL, IRETURN],
        ),
        (
            ("()La/F;", INVOKE_STATIC, "b/B", "of", "(JI)D", None),
            "(JI)D",
            &[LLOAD_0, ILOAD_2, INVOKESTATIC, DRETURN],
        ),
        (
            ("()La/F;", NEW_INVOKE_SPECIAL, "b/B", "<init>", "(I)V", None),
            "(I)Lb/B;",
            &[NEW, DUP, ILOAD_0, INVOKESPECIAL, ARETURN],
        ),
        // The receiver that is kept is of a subclass, of which the verifier need not know.
        (
            ("(Lb/Sub;)La/F;", INVOKE_VIRTUAL, "b/B", "f", "(J)V", None),
            "(Lb/Sub;J)V",
            &[ALOAD_0, CHECKCAST, LLOAD_1, INVOKEVIRTUAL, RETURN],
        ),
        // On itself, a class may call what others may not.
        (
            (
                "(La/User;)La/F;",
                INVOKE_VIRTUAL,
                "b/B",
                "g",
                "()V",
                Some(2),
            ),
            "(La/User;)V",
            &[ALOAD_0, INVOKEVIRTUAL, RETURN],
        ),
        (
            ("()La/F;", INVOKE_INTERFACE, "b/I", "h", "()V", None),
            "(Lb/I;)V",
            &[ALOAD_0, INVOKEINTERFACE, RETURN],
        ),
    ]
};

/// A class that makes all of them, before and after their bodies were added, and what was found in it before.
fn with_bodies() -> (ClassFile, ClassFile, Vec<Reference>) {
    let before = class_making(&BODIES.map(|(made, ..)| made));
    let found = references(&before).unwrap();
    assert_eq!(found.len(), BODIES.len());
    let mut after = before.clone();
    assert!(add_bodies(&mut after, &found).unwrap());
    let after = ClassFile::parse(&after.to_bytes().unwrap()).unwrap();
    (before, after, found)
}

#[test]
fn function_objects_lead_to_bodies() {
    let (_, class, found) = with_bodies();
    for (line, (reference, (_, desc, expected))) in (10..).zip(found.iter().zip(BODIES)) {
        assert_eq!(reference.body_desc(), desc);
        assert_eq!(opcodes(&class, reference), expected, "{reference:?}");
        let body = class.find_method(&reference.body_name(), desc).unwrap();
        let body = class.methods[body].code(&class.pool).unwrap().unwrap();
        assert_eq!(body.lines(&class.pool), [(0, line)]);
    }
}

#[test]
fn with_bodies_no_instruction_changes() {
    let (before, after, _) = with_bodies();
    let code = |class: &ClassFile| class.methods[0].code(&class.pool).unwrap().unwrap();
    assert_eq!(code(&after), code(&before));
}

#[test]
fn bodies_are_what_the_class_refers_to() {
    let (_, class, found) = with_bodies();
    let now = references(&class).unwrap();
    assert_eq!(now.len(), BODIES.len());
    for (now, then) in now.iter().zip(&found) {
        assert_eq!((now.kind, &*now.owner), (INVOKE_STATIC, "a/User"));
        assert_eq!(
            (&now.name, &now.desc),
            (&then.body_name(), &then.body_desc())
        );
    }
}

#[test]
fn only_what_is_wanted_changes() {
    let kept = ("()La/F;", INVOKE_STATIC, "b/B", "of", "()V", None);
    let mut class = class_making(&[DELETE, kept]);
    let found = references(&class).unwrap();
    assert!(!add_bodies(&mut class, &[]).unwrap());
    assert!(add_bodies(&mut class, &found[..1]).unwrap());
    let now = references(&class).unwrap();
    assert_eq!(now[0].owner, "a/User");
    assert_eq!(now[1], found[1]);
    assert_eq!(class.methods.len(), 2);
}

/// A class that was loaded with a body has to have it when it comes again, whoever has changed it.
#[test]
fn bodies_do_not_depend_on_what_else_is_in_the_class() {
    let other = ("()La/F;", INVOKE_STATIC, "b/B", "of", "()V", None);
    let mut first = class_making(&[DELETE]);
    let wanted = references(&first).unwrap();
    add_bodies(&mut first, &wanted).unwrap();
    let mut changed = class_making(&[other]);
    assert!(add_bodies(&mut changed, &wanted).unwrap());
    let names = |class: &ClassFile| -> Vec<String> {
        let names = class.methods.iter().map(|m| m.name(&class.pool).unwrap());
        names.map(|n| n.into_owned()).collect()
    };
    assert_eq!(names(&first), names(&changed));
    let untouched = references(&changed).unwrap();
    assert_eq!(untouched[0].owner, "b/B");
}

#[test]
fn forms_that_are_stored_are_distinguished() {
    let (site, kind, owner, name, desc, _) = DELETE;
    let class = class_making(&[
        DELETE,
        (site, kind, owner, name, desc, Some(1)),
        (site, kind, owner, name, desc, Some(4)),
    ]);
    let found = references(&class).unwrap();
    assert_eq!(
        found.iter().map(|r| r.serializable).collect::<Vec<_>>(),
        [false, true]
    );
    assert_ne!(found[0].body_name(), found[1].body_name());
}

#[test]
fn what_no_body_can_do_is_passed_over() {
    let of_super = ("(La/User;)La/F;", INVOKE_SPECIAL, "b/B", "f", "()V", None);
    let mut class = class_making(&[of_super]);
    let found = references(&class).unwrap();
    assert!(!found[0].can_be_body());
    assert!(!add_bodies(&mut class, &found).unwrap());
    let mut old = class_making(&[DELETE]);
    old.access = ACC_INTERFACE | 0x400;
    old.major = 51;
    let found = references(&old).unwrap();
    assert!(!add_bodies(&mut old, &found).unwrap());
    old.major = 52;
    assert!(add_bodies(&mut old, &found).unwrap());
}

#[test]
fn malformed_bootstrap_methods_are_refused() {
    let mut class = class_making(&[DELETE]);
    let at = class.attributes.len() - 1;
    let whole = class.attributes[at].data.clone();
    for len in 0..whole.len() {
        class.attributes[at].data = whole[..len].to_vec();
        assert!(references(&class).is_err(), "{len}");
    }
    class.attributes[at].data = [whole, vec![0]].concat();
    assert!(references(&class).is_err());
}

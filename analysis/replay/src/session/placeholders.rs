//! Classes that the session's classes name and that the recorded run never loaded.
//!
//! Nothing of them was needed then, but reflection on a class resolves every type in its signatures, so they must exist. One that was
//! needed, and missing, is missing in a replay, too, unless it is in a signature.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::{
    ACC_ABSTRACT, ACC_INTERFACE, ACC_PUBLIC, ACC_SYNCHRONIZED, ClassFile, ConstantPool, Member,
};

use jinsi_trace::model::{CallOp, EventKind, Site, ThrowableDef};

use super::{ClassKind, SessionClass};
use crate::rewrite::{Missing, Place};

/// Constant pool tags (JVMS table 4.4-A).
const CLASS: u8 = 7;
const INTERFACE_METHOD_REF: u8 = 11;
const NAME_AND_TYPE: u8 = 12;

/// Names that are always there: what rewriting refers to, and what no loader but the JVM's own may define.
const OURS: &[&str] = &["jinsi/replay/", "java/"];

/// Class file version of Java 8.
const MAJOR: u16 = 52;

/// What a class is used as.
#[derive(Clone, Copy, Debug, Default)]
struct Use {
    /// Its methods are called as those of an interface.
    interface: bool,
    /// It is declared to be thrown, or caught.
    exception: bool,
    /// It is in the type of a field or a method.
    in_signature: bool,
}

/// Internal names of the classes that a program asked for and did not have, as these say which were thrown.
pub fn missing<'t>(throwables: impl IntoIterator<Item = &'t ThrowableDef>) -> BTreeSet<&'t str> {
    let absent = |t: &&ThrowableDef| t.class == "java.lang.NoClassDefFoundError";
    let throwables = throwables.into_iter().filter(absent);
    throwables.filter_map(|t| t.message.as_deref()).collect()
}

/// The same, and where their events are written although they are missing: of what needs no object, the instruction fails behind its event.
pub fn asked_for(
    throwables: &[&ThrowableDef],
    sites: &[&Site],
    place: impl Fn(&Site) -> Place,
) -> Missing {
    let missing = missing(throwables.iter().copied());
    let called = sites.iter().filter(|s| {
        let first =
            s.kind == EventKind::PutStatic || s.kind == EventKind::Call && s.op == CallOp::Static;
        first && missing.contains(&*s.target.owner)
    });
    let called = called.map(|s| place(s)).collect();
    Missing::new(missing.iter().map(|&n| n.to_owned()).collect(), called)
}

/// An empty class for each name that `classes` use and none of them has. `missing`: what the program did not have either.
pub fn of(classes: &[SessionClass], missing: &BTreeSet<&str>) -> Vec<SessionClass> {
    let mut named = BTreeMap::new();
    for class in classes {
        if let Ok(file) = ClassFile::parse(&class.bytes) {
            collect(&file, &mut named);
        }
    }
    let present: BTreeSet<String> = classes.iter().map(|c| c.name.replace('.', "/")).collect();
    named
        .into_iter()
        .filter(|(name, usage)| usage.in_signature || !missing.contains(name.as_str()))
        .filter(|(name, _)| !present.contains(name) && !OURS.iter().any(|p| name.starts_with(p)))
        .filter_map(|(name, usage)| {
            let bytes = empty(&name, usage)?;
            Some(SessionClass {
                name: name.replace('/', "."),
                kind: ClassKind::Placeholder,
                bytes,
            })
        })
        .collect()
}

/// Internal names that the class uses, and what as.
fn collect(file: &ClassFile, named: &mut BTreeMap<String, Use>) {
    let pool = &file.pool;
    for index in 1..pool.count() {
        match pool.tag(index) {
            Some(CLASS) => {
                if let Ok(name) = pool.class_name(index) {
                    class_constant(&name, named);
                }
            }
            Some(NAME_AND_TYPE) => {
                if let Ok((_, desc)) = pool.name_and_type(index) {
                    descriptor(&desc, named);
                }
            }
            Some(INTERFACE_METHOD_REF) => {
                if let Ok(member) = pool.member_ref(index) {
                    named
                        .entry(member.owner.into_owned())
                        .or_default()
                        .interface = true;
                }
            }
            _ => {}
        }
    }
    for member in file.fields.iter().chain(&file.methods) {
        if let Ok(desc) = member.desc(pool) {
            let mut types = BTreeMap::new();
            descriptor(&desc, &mut types);
            for name in types.into_keys() {
                named.entry(name).or_default().in_signature = true;
            }
        }
    }
    for method in &file.methods {
        for index in thrown(method, pool).into_iter().chain(caught(method, pool)) {
            if let Ok(name) = pool.class_name(index) {
                named.entry(name.into_owned()).or_default().exception = true;
            }
        }
    }
}

/// Indices of the classes that a method is declared to throw (JVMS §4.7.5).
fn thrown(method: &Member, pool: &ConstantPool) -> Vec<u16> {
    let data = method
        .attribute(pool, "Exceptions")
        .map_or(&[][..], |a| a.data.as_ref());
    let (pairs, _) = data.get(2..).unwrap_or_default().as_chunks::<2>();
    pairs.iter().map(|pair| u16::from_be_bytes(*pair)).collect()
}

/// Indices of the classes that a method catches.
fn caught(method: &Member, pool: &ConstantPool) -> Vec<u16> {
    let code = method.code(pool).ok().flatten();
    let handlers = code.iter().flat_map(|c| &c.handlers);
    handlers.map(|h| h.catch_type).filter(|&t| t != 0).collect()
}

fn class_constant(name: &str, named: &mut BTreeMap<String, Use>) {
    if name.starts_with('[') {
        field(name, named);
    } else {
        named.entry(name.to_owned()).or_default();
    }
}

fn descriptor(desc: &str, named: &mut BTreeMap<String, Use>) {
    if let Ok(method) = MethodType::parse(desc) {
        for value in method.params.iter().chain(&method.result) {
            field(value.desc(), named);
        }
    } else {
        field(desc, named);
    }
}

fn field(desc: &str, named: &mut BTreeMap<String, Use>) {
    let element = desc.trim_start_matches('[');
    if let Ok(value) = Type::parse(element)
        && let Some(name) = value.class_name()
    {
        named.entry(name.to_owned()).or_default();
    }
}

/// A class or interface without members; `None` if there can be no class of this name.
fn empty(name: &str, usage: Use) -> Option<Vec<u8>> {
    let mut pool = ConstantPool::new();
    let this_class = pool.add_class(name).ok()?;
    // Compiler and verifier insist on throwables where something is thrown or caught.
    let super_name = if usage.exception {
        "java/lang/Exception"
    } else {
        "java/lang/Object"
    };
    let super_class = pool.add_class(super_name).ok()?;
    // ACC_SUPER has the bit of ACC_SYNCHRONIZED (JVMS table 4.1-B).
    let access = ACC_PUBLIC
        | if usage.interface {
            ACC_INTERFACE | ACC_ABSTRACT
        } else {
            ACC_SYNCHRONIZED
        };
    let file = ClassFile {
        minor: 0,
        major: MAJOR,
        pool,
        access,
        this_class,
        super_class,
        interfaces: vec![],
        fields: vec![],
        methods: vec![],
        attributes: vec![],
    };
    file.to_bytes().ok()
}

#[cfg(test)]
mod tests {
    use jinsi_classfile::{Attribute, Code, Handler};

    use super::*;

    fn class(name: &str, bytes: Vec<u8>) -> SessionClass {
        SessionClass {
            name: name.replace('/', "."),
            kind: ClassKind::Code,
            bytes,
        }
    }

    #[test]
    fn names_in_constants_and_descriptors_get_a_class() {
        let mut file = ClassFile::parse(&empty("a/User", Use::default()).unwrap()).unwrap();
        file.pool.add_class("[[La/InArray;").unwrap();
        file.pool.add_class("java/util/List").unwrap();
        file.pool.add_class("jinsi/replay/Replay").unwrap();
        file.pool.add_class("[I").unwrap();
        file.pool
            .add_method_ref("a/Face", "m", "(ILa/Param;[La/Array;)La/Result;", true)
            .unwrap();
        file.pool
            .add_field_ref("a/Known", "f", "La/Field;")
            .unwrap();
        let classes = [
            class("a/User", file.to_bytes().unwrap()),
            class("a/Known", empty("a/Known", Use::default()).unwrap()),
        ];
        let made = of(&classes, &BTreeSet::new());
        let names: Vec<&str> = made.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "a.Array",
                "a.Face",
                "a.Field",
                "a.InArray",
                "a.Param",
                "a.Result"
            ]
        );
        for placeholder in &made {
            let file = ClassFile::parse(&placeholder.bytes).unwrap();
            assert_eq!(
                file.access & ACC_INTERFACE != 0,
                placeholder.name == "a.Face"
            );
            assert_eq!(placeholder.kind, ClassKind::Placeholder);
        }
    }

    #[test]
    fn what_was_missing_stays_so() {
        let mut file = ClassFile::parse(&empty("a/User", Use::default()).unwrap()).unwrap();
        file.pool.add_class("a/Missing").unwrap();
        file.fields.push(Member {
            access: ACC_PUBLIC,
            name: file.pool.add_utf8("f").unwrap(),
            desc: file.pool.add_utf8("La/Reflected;").unwrap(),
            attributes: vec![],
        });
        let classes = [class("a/User", file.to_bytes().unwrap())];
        let made = of(&classes, &BTreeSet::from(["a/Missing", "a/Reflected"]));
        let names: Vec<&str> = made.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names, ["a.Reflected"]);
    }

    #[test]
    fn what_is_thrown_or_caught_is_an_exception() {
        let mut file = ClassFile::parse(&empty("a/User", Use::default()).unwrap()).unwrap();
        let thrown = file.pool.add_class("a/Thrown").unwrap();
        let caught = file.pool.add_class("a/Caught").unwrap();
        file.pool.add_class("a/Other").unwrap();
        let code = Code {
            max_stack: 1,
            max_locals: 0,
            bytes: vec![0, 0xb1],
            handlers: vec![Handler {
                start: 0,
                end: 1,
                handler: 1,
                catch_type: caught,
            }],
            attributes: vec![],
        };
        let mut data = 1u16.to_be_bytes().to_vec();
        data.extend(thrown.to_be_bytes());
        let mut method = Member {
            access: ACC_PUBLIC,
            name: file.pool.add_utf8("m").unwrap(),
            desc: file.pool.add_utf8("()V").unwrap(),
            attributes: vec![Attribute {
                name: file.pool.add_utf8("Exceptions").unwrap(),
                data,
            }],
        };
        method.set_code(&mut file.pool, &code).unwrap();
        file.methods.push(method);
        let classes = [class("a/User", file.to_bytes().unwrap())];
        let made = of(&classes, &BTreeSet::new());
        let supers: Vec<(String, String)> = made
            .iter()
            .map(|c| {
                let file = ClassFile::parse(&c.bytes).unwrap();
                let above = file.super_name().unwrap().unwrap().into_owned();
                (c.name.clone(), above)
            })
            .collect();
        let expected = [
            ("a.Caught", "java/lang/Exception"),
            ("a.Other", "java/lang/Object"),
            ("a.Thrown", "java/lang/Exception"),
        ];
        assert_eq!(
            supers,
            expected.map(|(name, above)| (name.to_owned(), above.to_owned()))
        );
    }
}

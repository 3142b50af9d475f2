//! Classes that the session's classes name and that the recorded run never loaded.
//!
//! Nothing of them was needed then, but reflection on a class resolves every type in its signatures, so they must exist.

use std::collections::{BTreeMap, BTreeSet};

use jinsi_classfile::descriptor::{MethodType, Type};
use jinsi_classfile::{
    ACC_ABSTRACT, ACC_INTERFACE, ACC_PUBLIC, ACC_SYNCHRONIZED, ClassFile, ConstantPool,
};

use super::{ClassKind, SessionClass};

/// Constant pool tags (JVMS table 4.4-A).
const CLASS: u8 = 7;
const INTERFACE_METHOD_REF: u8 = 11;
const NAME_AND_TYPE: u8 = 12;

/// Names that are always there: what rewriting refers to, and what no loader but the JVM's own may define.
const OURS: &[&str] = &["jinsi/replay/", "java/"];

/// Class file version of Java 8.
const MAJOR: u16 = 52;

/// An empty class for each name that `classes` use and none of them has.
pub fn of(classes: &[SessionClass]) -> Vec<SessionClass> {
    let mut named = BTreeMap::new();
    for class in classes {
        if let Ok(file) = ClassFile::parse(&class.bytes) {
            collect(&file, &mut named);
        }
    }
    let present: BTreeSet<String> = classes.iter().map(|c| c.name.replace('.', "/")).collect();
    named
        .into_iter()
        .filter(|(name, _)| !present.contains(name) && !OURS.iter().any(|p| name.starts_with(p)))
        .filter_map(|(name, interface)| {
            let bytes = empty(&name, interface)?;
            Some(SessionClass {
                name: name.replace('/', "."),
                kind: ClassKind::Placeholder,
                bytes,
            })
        })
        .collect()
}

/// Internal names that the class uses, and whether it uses them as interfaces.
fn collect(file: &ClassFile, named: &mut BTreeMap<String, bool>) {
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
                    *named.entry(member.owner.into_owned()).or_default() = true;
                }
            }
            _ => {}
        }
    }
    for member in file.fields.iter().chain(&file.methods) {
        if let Ok(desc) = member.desc(pool) {
            descriptor(&desc, named);
        }
    }
}

fn class_constant(name: &str, named: &mut BTreeMap<String, bool>) {
    if name.starts_with('[') {
        field(name, named);
    } else {
        named.entry(name.to_owned()).or_default();
    }
}

fn descriptor(desc: &str, named: &mut BTreeMap<String, bool>) {
    if let Ok(method) = MethodType::parse(desc) {
        for value in method.params.iter().chain(&method.result) {
            field(value.desc(), named);
        }
    } else {
        field(desc, named);
    }
}

fn field(desc: &str, named: &mut BTreeMap<String, bool>) {
    let element = desc.trim_start_matches('[');
    if let Ok(value) = Type::parse(element)
        && let Some(name) = value.class_name()
    {
        named.entry(name.to_owned()).or_default();
    }
}

/// A class or interface without members; `None` if there can be no class of this name.
fn empty(name: &str, interface: bool) -> Option<Vec<u8>> {
    let mut pool = ConstantPool::new();
    let this_class = pool.add_class(name).ok()?;
    let super_class = pool.add_class("java/lang/Object").ok()?;
    // ACC_SUPER has the bit of ACC_SYNCHRONIZED (JVMS table 4.1-B).
    let access = ACC_PUBLIC
        | if interface {
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
        let mut file = ClassFile::parse(&empty("a/User", false).unwrap()).unwrap();
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
            class("a/Known", empty("a/Known", false).unwrap()),
        ];
        let made = of(&classes);
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
}

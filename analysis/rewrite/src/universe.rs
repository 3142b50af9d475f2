//! The class table as name resolution sees it (JVMS §5.4.3).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use jinsi_classfile::ClassFile;
use jinsi_classfile::class::Member;
use jinsi_events::model::{ClassDef, ClassOrigin};

/// What is known of a field or method by its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared<'u> {
    /// Internal name of the class that declares it.
    pub class: &'u str,
    /// Access flags (JVMS tables 4.5-A and 4.6-A).
    pub access: u16,
    /// A field whose value stands in the class file (`ConstantValue`).
    pub constant: bool,
}

/// A class of the table.
#[derive(Clone, Debug)]
pub struct Class {
    name: String,
    super_name: Option<String>,
    interfaces: Vec<String>,
    origin: ClassOrigin,
    bytes: Arc<[u8]>,
    fields: HashMap<(String, String), (u16, bool)>,
    methods: HashMap<(String, String), u16>,
}

impl Class {
    /// Internal name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Class file: original, or a skeleton; empty for the JDK's.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether the trace has a class file of it, if only a skeleton.
    pub fn has_bytes(&self) -> bool {
        !self.bytes.is_empty()
    }

    /// Whether its code is in the trace.
    pub fn has_code(&self) -> bool {
        let original = matches!(
            self.origin,
            ClassOrigin::Observed | ClassOrigin::Skipped | ClassOrigin::Inherited
        );
        original && !self.bytes.is_empty()
    }

    /// Its members are those of `file`.
    fn declare(&mut self, file: &ClassFile) {
        let key = |m: &Member| {
            let name = m.name(&file.pool).ok()?.into_owned();
            Some((name, m.desc(&file.pool).ok()?.into_owned()))
        };
        for field in &file.fields {
            if let Some(key) = key(field) {
                let constant = field.attribute(&file.pool, "ConstantValue").is_some();
                self.fields.insert(key, (field.access, constant));
            }
        }
        for method in &file.methods {
            if let Some(key) = key(method) {
                self.methods.insert(key, method.access);
            }
        }
    }

    /// Whether only what its code does on instances of observed classes was recorded.
    pub fn is_only_inherited(&self) -> bool {
        self.origin == ClassOrigin::Inherited
    }
}

/// All classes of a trace by name. Classes of the JDK have no members here: whatever resolves into them is not found.
#[derive(Clone, Debug, Default)]
pub struct Universe {
    classes: HashMap<String, Class>,
}

impl Universe {
    /// From a class table. Of several classes with one name the first that has bytes counts; a class whose bytes cannot
    /// be parsed has no members.
    pub fn new<'c>(table: impl IntoIterator<Item = &'c ClassDef>) -> Self {
        let mut classes: HashMap<String, Class> = HashMap::new();
        for def in table {
            let known = classes.get(&def.name);
            if known.is_none_or(|k| k.bytes.is_empty() && !def.bytes.is_empty()) {
                classes.insert(def.name.clone(), class_of(def));
            }
        }
        Self { classes }
    }

    /// From class files that all have their code, with what their origin is taken for. Of several with one name the first counts; one that
    /// cannot be parsed is not there.
    pub fn of_files<'b>(files: impl IntoIterator<Item = (&'b [u8], ClassOrigin)>) -> Self {
        let mut classes = HashMap::new();
        for (bytes, origin) in files {
            let Some(class) = ClassFile::parse(bytes)
                .ok()
                .and_then(|file| of_file(&file, bytes, origin))
            else {
                continue;
            };
            classes.entry(class.name.clone()).or_insert(class);
        }
        Self { classes }
    }

    /// With other class files of these classes, by their internal names. A class that is not in the table does not come in.
    pub fn with_class_files(mut self, files: &BTreeMap<String, Arc<[u8]>>) -> Self {
        for (name, bytes) in files {
            let (Some(class), Ok(file)) = (self.classes.get_mut(name), ClassFile::parse(bytes))
            else {
                continue;
            };
            class.bytes = Arc::clone(bytes);
            class.fields.clear();
            class.methods.clear();
            class.declare(&file);
        }
        self
    }

    /// The class with this internal name.
    pub fn class(&self, name: &str) -> Option<&Class> {
        self.classes.get(name)
    }

    /// Classes with bytes, in name order.
    pub fn with_bytes(&self) -> Vec<&Class> {
        let mut list: Vec<&Class> = self
            .classes
            .values()
            .filter(|c| !c.bytes.is_empty())
            .collect();
        list.sort_by(|a, b| a.name.cmp(&b.name));
        list
    }

    /// The field that a reference resolves to (JVMS §5.4.3.2); `None` if it is not declared in the table.
    pub fn field(&self, owner: &str, name: &str, desc: &str) -> Option<Declared<'_>> {
        let key = (name.to_owned(), desc.to_owned());
        // A field in a superinterface goes before one in the superclass.
        self.linear(owner, true).into_iter().find_map(|class| {
            let &(access, constant) = class.fields.get(&key)?;
            Some(Declared {
                class: &class.name,
                access,
                constant,
            })
        })
    }

    /// The method that a reference resolves to (JVMS §5.4.3.3, §5.4.3.4); `None` if it is not declared in the table.
    pub fn method(&self, owner: &str, name: &str, desc: &str) -> Option<Declared<'_>> {
        let key = (name.to_owned(), desc.to_owned());
        self.linear(owner, false).into_iter().find_map(|class| {
            let &access = class.methods.get(&key)?;
            Some(Declared {
                class: &class.name,
                access,
                constant: false,
            })
        })
    }

    /// Whether `sub` is `sup` or inherits from it, as far as the table knows.
    pub fn is_subtype(&self, sub: &str, sup: &str) -> bool {
        let knows = |c: &&Class| {
            c.name == sup
                || c.super_name.as_deref() == Some(sup)
                || c.interfaces.iter().any(|i| i == sup)
        };
        sub == sup || self.linear(sub, false).iter().any(knows)
    }

    /// Superclasses and superinterfaces of `name` in the table, without itself.
    pub fn supertypes(&self, name: &str) -> BTreeSet<&str> {
        self.linear(name, false)
            .into_iter()
            .map(Class::name)
            .filter(|n| *n != name)
            .collect()
    }

    /// The superclasses of `name` in the table, nearest first.
    pub fn superclasses(&self, name: &str) -> impl Iterator<Item = &Class> {
        let next = |class: &&Class| self.classes.get(class.super_name.as_deref()?);
        // A damaged table may hold a cycle.
        std::iter::successors(self.classes.get(name), next)
            .skip(1)
            .take(self.classes.len())
    }

    /// The nearest superclass of `name`, or itself, that has no members here: of the JDK, or unknown.
    pub fn opaque_ancestor<'n>(&'n self, name: &'n str) -> &'n str {
        let own = self.classes.get(name).into_iter();
        let known = own
            .chain(self.superclasses(name))
            .take_while(|c| !c.bytes.is_empty());
        known
            .last()
            .map_or(name, |c| c.super_name.as_deref().unwrap_or(&c.name))
    }

    /// `name`, its superclasses and superinterfaces, each once, in the order of resolution: the class itself, then, if
    /// `interfaces_first`, its superinterfaces before its superclass; else all superclasses before any superinterface.
    fn linear(&self, name: &str, interfaces_first: bool) -> Vec<&Class> {
        let mut order = Vec::new();
        let mut seen = BTreeSet::new();
        let mut todo = vec![name];
        let mut later = Vec::new();
        while let Some(next) = todo.pop().or_else(|| later.pop()) {
            let Some(class) = self.classes.get(next) else {
                continue;
            };
            if !seen.insert(class.name.as_str()) {
                continue;
            }
            order.push(class);
            let interfaces = class.interfaces.iter().rev().map(String::as_str);
            if interfaces_first {
                todo.extend(class.super_name.as_deref());
                todo.extend(interfaces);
            } else {
                todo.extend(class.super_name.as_deref());
                later.extend(interfaces);
            }
        }
        order
    }
}

fn class_of(def: &ClassDef) -> Class {
    let mut class = Class {
        name: def.name.clone(),
        super_name: def.super_name.clone(),
        interfaces: def.interfaces.clone(),
        origin: def.origin,
        bytes: Arc::clone(&def.bytes),
        fields: HashMap::new(),
        methods: HashMap::new(),
    };
    if let Ok(file) = ClassFile::parse(&def.bytes) {
        class.declare(&file);
    }
    class
}

/// The class in a parsed file; `None` if that names none.
fn of_file(file: &ClassFile, bytes: &[u8], origin: ClassOrigin) -> Option<Class> {
    let interfaces = file.interface_names().ok()?.into_iter();
    let mut class = Class {
        name: file.name().ok()?.into_owned(),
        super_name: file.super_name().ok()?.map(|name| name.into_owned()),
        interfaces: interfaces.map(|name| name.into_owned()).collect(),
        origin,
        bytes: bytes.into(),
        fields: HashMap::new(),
        methods: HashMap::new(),
    };
    class.declare(file);
    Some(class)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_classfile::ConstantPool;
    use jinsi_events::model::ClassNo;

    fn def(
        name: &str,
        super_name: &str,
        interfaces: &[&str],
        members: &[(&str, &str)],
    ) -> ClassDef {
        let mut pool = ConstantPool::new();
        let mut fields = Vec::new();
        let mut methods = Vec::new();
        for (name, desc) in members {
            let member = Member {
                access: 0,
                name: pool.add_utf8(name).unwrap(),
                desc: pool.add_utf8(desc).unwrap(),
                attributes: Vec::new(),
            };
            if desc.starts_with('(') {
                methods.push(member);
            } else {
                fields.push(member);
            }
        }
        let file = ClassFile {
            minor: 0,
            major: 52,
            access: 0x21,
            this_class: pool.add_class(name).unwrap(),
            super_class: pool.add_class(super_name).unwrap(),
            pool,
            interfaces: Vec::new(),
            fields,
            methods,
            attributes: Vec::new(),
        };
        ClassDef {
            no: ClassNo::FIRST,
            name: name.to_owned(),
            super_name: Some(super_name.to_owned()),
            interfaces: interfaces.iter().map(|i| (*i).to_owned()).collect(),
            access: 0x21,
            origin: ClassOrigin::Observed,
            source_file: None,
            bytes: file.to_bytes().unwrap().into(),
        }
    }

    fn universe() -> Universe {
        Universe::new(&[
            def(
                "I",
                "java/lang/Object",
                &[],
                &[("x", "I"), ("m", "()V"), ("d", "()V")],
            ),
            def(
                "A",
                "java/util/ArrayList",
                &[],
                &[("x", "I"), ("m", "()V"), ("y", "J")],
            ),
            def("B", "A", &["I"], &[("own", "()V")]),
            def("C", "D", &[], &[]),
            def("D", "C", &[], &[]),
        ])
    }

    #[test]
    fn members_resolve_in_the_order_of_the_specification() {
        let u = universe();
        let field = |name, desc| u.field("B", name, desc).map(|d| d.class.to_owned());
        let method = |name| u.method("B", name, "()V").map(|d| d.class.to_owned());
        assert_eq!(field("x", "I").as_deref(), Some("I"));
        assert_eq!(field("y", "J").as_deref(), Some("A"));
        assert_eq!(field("y", "I"), None);
        assert_eq!(method("m").as_deref(), Some("A"));
        assert_eq!(method("d").as_deref(), Some("I"));
        assert_eq!(method("own").as_deref(), Some("B"));
        assert_eq!(method("size"), None);
    }

    #[test]
    fn hierarchies() {
        let u = universe();
        assert!(
            u.is_subtype("B", "I")
                && u.is_subtype("B", "java/util/ArrayList")
                && u.is_subtype("B", "B")
        );
        assert!(!u.is_subtype("A", "I") && !u.is_subtype("A", "B"));
        assert_eq!(u.supertypes("B"), BTreeSet::from(["A", "I"]));
        assert_eq!(u.opaque_ancestor("B"), "java/util/ArrayList");
        assert_eq!(u.opaque_ancestor("unknown"), "unknown");
    }

    #[test]
    fn a_cycle_ends() {
        let u = universe();
        assert!(u.is_subtype("C", "D") && !u.is_subtype("C", "A"));
        let _ = u.opaque_ancestor("C");
        assert_eq!(u.field("C", "x", "I"), None);
    }
}

//! What a written test has to know of classes: flags, nesting, members, hierarchy.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use jinsi_classfile::{ACC_SYNTHETIC, Attribute, ClassFile, ConstantPool, Member};
use jinsi_trace::model::{ClassDef, ClassNo, MemberRef, ObjectId, ThrowableDef};

/// A field or method as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberInfo {
    /// Simple name; constructors are `<init>`.
    pub name: String,
    /// Descriptor.
    pub desc: String,
    /// Access flags (JVMS tables 4.5-A, 4.6-A).
    pub access: u16,
    /// Internal names of the exceptions declared by `throws`.
    pub exceptions: Vec<String>,
}

/// Where a class is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// In a package.
    TopLevel,
    /// In another class; [`ClassInfo::access`] holds the flags of the declaration.
    Member {
        /// Internal name of the enclosing class.
        outer: String,
        /// Simple name.
        name: String,
    },
    /// In a method, or anonymous: Java source elsewhere has no name for it.
    Local,
}

/// A class as declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassInfo {
    /// Internal name.
    pub name: String,
    /// Access flags: those of the declaration, which the `InnerClasses` attribute holds for nested classes (JVMS §4.7.6).
    pub access: u16,
    /// Internal name of the superclass.
    pub super_name: Option<String>,
    /// Internal names of the direct superinterfaces.
    pub interfaces: Vec<String>,
    /// Where it is declared.
    pub nesting: Nesting,
    /// Fields and methods; `None` if only the class as such is known (the JDK's classes are not in a trace).
    pub members: Option<Vec<MemberInfo>>,
}

/// Answers what the recording, or the machine, knows of classes and throwables.
pub trait ClassLookup {
    /// The class with this internal name.
    fn class(&self, internal: &str) -> Option<&ClassInfo>;
    /// Internal name of a class in the trace's class table.
    fn class_name(&self, no: ClassNo) -> Option<&str>;
    /// Stored message of a recorded throwable: the outer `None` if the throwable is unknown, the inner if it has none.
    fn throwable_message(&self, id: ObjectId) -> Option<Option<&str>>;
    /// The class file of this class, if its code was recorded.
    fn class_file(&self, internal: &str) -> Option<ClassFile> {
        let _ = internal;
        None
    }
    /// A static field of code that was not recorded in which the object was seen, or a static method that takes nothing and gave it.
    fn source_of(&self, id: ObjectId) -> Option<&MemberRef> {
        let _ = id;
        None
    }
}

/// The class and throwable tables of a trace.
#[derive(Clone, Debug, Default)]
pub struct ClassTable {
    classes: HashMap<String, ClassInfo>,
    names: HashMap<ClassNo, String>,
    messages: HashMap<ObjectId, Option<String>>,
    sources: HashMap<ObjectId, MemberRef>,
    files: HashMap<String, Arc<[u8]>>,
}

/// Superclasses followed; a damaged table may hold a circle.
const MAX_DEPTH: usize = 256;

/// The class whose instance field `name` is meant on an expression of class `class`: fields are found by name alone, so one of a
/// subclass hides that of the superclass (JLS §8.3). `None` if the classes up to it are not all known.
pub(super) fn field_holder<'a>(
    classes: &'a dyn ClassLookup,
    class: &str,
    name: &str,
) -> Option<&'a str> {
    let mut at = classes.class(class)?;
    for _ in 0..MAX_DEPTH {
        let mut fields = at
            .members
            .as_ref()?
            .iter()
            .filter(|m| !m.desc.starts_with('('));
        if fields.any(|m| m.name == name) {
            return Some(&at.name);
        }
        at = classes.class(at.super_name.as_deref()?)?;
    }
    None
}

/// Does the field `member` have to be named through its own class on an object of class `class`, because another one hides it?
pub(super) fn is_hidden(classes: &dyn ClassLookup, member: &MemberRef, class: &str) -> bool {
    let meant = field_holder(classes, class, &member.name);
    let declared = field_holder(classes, &member.owner, &member.name);
    !member.desc.starts_with('(')
        && matches!((meant, declared), (Some(meant), Some(declared)) if meant != declared)
}

impl ClassTable {
    /// Reads the tables. Bytes that are no class file count as missing: then only the table's own entry is known.
    pub fn new<'a>(
        classes: impl IntoIterator<Item = &'a ClassDef>,
        throwables: impl IntoIterator<Item = &'a ThrowableDef>,
    ) -> Self {
        let mut table = Self::default();
        for class in classes {
            table.names.insert(class.no, class.name.clone());
            table
                .files
                .insert(class.name.clone(), Arc::clone(&class.bytes));
            table
                .classes
                .insert(class.name.clone(), ClassInfo::from_def(class));
        }
        table
            .messages
            .extend(throwables.into_iter().map(|t| (t.id, t.message.clone())));
        table
    }

    /// The same, with static fields of code that was not recorded in which objects were seen, and its static methods that gave some.
    pub fn with_sources(
        mut self,
        sources: impl IntoIterator<Item = (ObjectId, MemberRef)>,
    ) -> Self {
        for (id, source) in sources {
            self.sources.entry(id).or_insert(source);
        }
        self
    }

    /// Adds or replaces a class.
    pub fn insert(&mut self, class: ClassInfo) {
        self.classes.insert(class.name.clone(), class);
    }
}

impl ClassLookup for ClassTable {
    fn class(&self, internal: &str) -> Option<&ClassInfo> {
        self.classes.get(internal)
    }
    fn class_name(&self, no: ClassNo) -> Option<&str> {
        self.names.get(&no).map(String::as_str)
    }
    fn throwable_message(&self, id: ObjectId) -> Option<Option<&str>> {
        self.messages.get(&id).map(Option::as_deref)
    }
    fn class_file(&self, internal: &str) -> Option<ClassFile> {
        ClassFile::parse(self.files.get(internal)?).ok()
    }
    fn source_of(&self, id: ObjectId) -> Option<&MemberRef> {
        self.sources.get(&id)
    }
}

impl ClassInfo {
    fn from_def(def: &ClassDef) -> Self {
        let parsed = ClassFile::parse(&def.bytes)
            .ok()
            .and_then(|file| Self::from_file(&file));
        parsed.unwrap_or_else(|| Self {
            name: def.name.clone(),
            access: def.access,
            super_name: def.super_name.clone(),
            interfaces: def.interfaces.clone(),
            nesting: guess_nesting(&def.name),
            members: None,
        })
    }

    /// Reads the declaration; `None` if names in the class file are broken.
    pub fn from_file(file: &ClassFile) -> Option<Self> {
        let name = file.name().ok()?.into_owned();
        let (nesting, flags) = nesting(file, &name);
        let members = file.methods.iter().chain(&file.fields);
        Some(Self {
            access: flags.unwrap_or(file.access),
            super_name: file.super_name().ok()?.map(Cow::into_owned),
            interfaces: file
                .interface_names()
                .ok()?
                .into_iter()
                .map(Cow::into_owned)
                .collect(),
            nesting,
            members: Some(
                members
                    .map(|m| member(m, &file.pool))
                    .collect::<Option<_>>()?,
            ),
            name,
        })
    }
}

fn member(member: &Member, pool: &ConstantPool) -> Option<MemberInfo> {
    let synthetic = member.attribute(pool, "Synthetic").is_some();
    Some(MemberInfo {
        name: member.name(pool).ok()?.into_owned(),
        desc: member.desc(pool).ok()?.into_owned(),
        access: member.access | if synthetic { ACC_SYNTHETIC } else { 0 },
        exceptions: member
            .attribute(pool, "Exceptions")
            .map_or_else(Vec::new, |a| class_list(a, pool)),
    })
}

/// Content of an `Exceptions` attribute (JVMS §4.7.5).
fn class_list(attribute: &Attribute, pool: &ConstantPool) -> Vec<String> {
    let names = attribute.data.get(2..).unwrap_or_default().chunks_exact(2);
    names
        .filter_map(|b| {
            Some(
                pool.class_name(u16::from_be_bytes([b[0], b[1]]))
                    .ok()?
                    .into_owned(),
            )
        })
        .collect()
}

/// Nesting and flags of the declaration, from the `InnerClasses` attribute.
fn nesting(file: &ClassFile, name: &str) -> (Nesting, Option<u16>) {
    let data = file
        .attribute("InnerClasses")
        .map_or(&[][..], |a| a.data.get(2..).unwrap_or_default());
    for entry in data.chunks_exact(8) {
        let item = |i: usize| u16::from_be_bytes([entry[2 * i], entry[2 * i + 1]]);
        if file
            .pool
            .class_name(item(0))
            .is_ok_and(|inner| inner == name)
        {
            let nesting = match (file.pool.class_name(item(1)), file.pool.utf8(item(2))) {
                (Ok(outer), Ok(simple)) => Nesting::Member {
                    outer: outer.into_owned(),
                    name: simple.into_owned(),
                },
                _ => Nesting::Local,
            };
            return (nesting, Some(item(3)));
        }
    }
    (Nesting::TopLevel, None)
}

/// Nesting by the compiler's convention for binary names, where no class file says it.
pub(super) fn guess_nesting(name: &str) -> Nesting {
    let package_end = name.rfind('/').map_or(0, |at| at + 1);
    match name
        .rfind('$')
        .filter(|&at| at > package_end && at + 1 < name.len())
    {
        None => Nesting::TopLevel,
        Some(at) if name[at + 1..].starts_with(|c: char| c.is_ascii_digit()) => Nesting::Local,
        Some(at) => Nesting::Member {
            outer: name[..at].to_owned(),
            name: name[at + 1..].to_owned(),
        },
    }
}

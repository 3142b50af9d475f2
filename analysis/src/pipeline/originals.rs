//! Classes as they lie on the program's class path, where another agent changed them before they were recorded.
//!
//! What such an agent puts into a class calls the agent. Where the class runs for real there is no agent, so the class is taken as the program has it:
//! that is what written tests run with, too. Replay needs the recorded one, since the recorded calls are its calls.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use jinsi_classfile::ClassFile;
use jinsi_classfile::class::Member;
use jinsi_jdk::jar;
use jinsi_level::program::is_the_jdks;
use jinsi_trace::model::{ClassDef, ClassOrigin};

use super::kept::is_plain;
use super::run::Run;

/// Class files by the internal names of their classes.
pub(super) type Originals = BTreeMap<String, Arc<[u8]>>;

/// Owner, name and descriptor of a field or method.
type Reference = (String, String, String);

impl Run {
    /// The recorded classes that another agent changed such that they cannot run without it, as they were before that. Only class files in
    /// directories are found.
    pub(super) fn originals(&self) -> &Originals {
        self.originals.get_or_init(|| {
            let path = ClassPath::of(self.class_path_here());
            let own = self.trace.classes().iter().filter(|c| has_code(c));
            let own: BTreeSet<&str> = own.map(|c| c.name.as_str()).collect();
            let is_there =
                |reference: &Reference| own.contains(reference.0.as_str()) || path.has(reference);
            let changed = self
                .trace
                .classes()
                .iter()
                .filter(|c| has_code(c) && is_plain(&c.name));
            let original = changed.filter_map(|class| {
                let bytes = path.file(&class.name)?;
                let needs = additions(&bytes, &class.bytes)?;
                let cannot_run = !needs.iter().all(is_there);
                cannot_run.then(|| (class.name.clone(), bytes.into()))
            });
            original.collect()
        })
    }
}

/// Is the code of the class in the trace?
fn has_code(class: &ClassDef) -> bool {
    matches!(
        class.origin,
        ClassOrigin::Observed | ClassOrigin::Inherited | ClassOrigin::Skipped
    )
}

/// What `changed` refers to and `original` does not; `None` if one does not come of the other by additions alone.
fn additions(original: &[u8], changed: &[u8]) -> Option<BTreeSet<Reference>> {
    if original == changed {
        return None;
    }
    let [original, changed] = [original, changed].map(ClassFile::parse);
    let (original, changed) = (original.ok()?, changed.ok()?);
    let is_same = original.name().ok()? == changed.name().ok()?
        && original.super_name().ok()? == changed.super_name().ok()?;
    let [before, after] = [&original, &changed].map(|class| {
        let members = class.fields.iter().chain(&class.methods);
        let members = members.map(|member| declared(class, member));
        Some((members.collect::<Option<BTreeSet<_>>>()?, references(class)))
    });
    let ((members, needs), (more_members, more_needs)) = (before?, after?);
    let is_more = is_same && members.is_subset(&more_members) && needs.is_subset(&more_needs);
    is_more.then(|| more_needs.difference(&needs).cloned().collect())
}

/// Name and descriptor.
fn declared(class: &ClassFile, member: &Member) -> Option<(String, String)> {
    let name = member.name(&class.pool).ok()?.into_owned();
    Some((name, member.desc(&class.pool).ok()?.into_owned()))
}

/// The fields and methods that the class refers to.
fn references(class: &ClassFile) -> BTreeSet<Reference> {
    let all = (1..class.pool.count()).filter_map(|index| class.pool.member_ref(index).ok());
    all.map(|r| {
        (
            r.owner.into_owned(),
            r.name.into_owned(),
            r.desc.into_owned(),
        )
    })
    .collect()
}

/// Where the program has its classes.
struct ClassPath {
    directories: Vec<PathBuf>,
    /// Names of the files in its jars, once somebody asks.
    in_jars: std::cell::OnceCell<BTreeSet<String>>,
    jars: Vec<PathBuf>,
}

impl ClassPath {
    fn of(places: Vec<PathBuf>) -> Self {
        let (directories, jars) = places.into_iter().partition(|place| place.is_dir());
        Self {
            directories,
            jars,
            in_jars: std::cell::OnceCell::new(),
        }
    }

    /// The class file of a class in one of the directories.
    fn file(&self, internal: &str) -> Option<Vec<u8>> {
        let file = format!("{internal}.class");
        let mut places = self.directories.iter();
        places.find_map(|directory| fs::read(directory.join(&file)).ok())
    }

    /// Has it such a field or method? Of classes in jars, and of those that inherit, that is not asked.
    fn has(&self, (owner, name, desc): &Reference) -> bool {
        if owner.starts_with('[') || is_the_jdks(&owner.replace('/', ".")) {
            return true;
        }
        let file = is_plain(owner).then(|| self.file(owner)).flatten();
        if let Some(class) = file.and_then(|bytes| ClassFile::parse(&bytes).ok()) {
            let inherits = class
                .super_name()
                .ok()
                .flatten()
                .is_some_and(|parent| parent != "java/lang/Object");
            let mut members = class.fields.iter().chain(&class.methods);
            let wanted = Some((name.clone(), desc.clone()));
            return inherits
                || !class.interfaces.is_empty()
                || members.any(|member| declared(&class, member) == wanted);
        }
        let names = self.in_jars.get_or_init(|| {
            let jars = self.jars.iter().filter_map(|jar| jar::names(jar).ok());
            jars.flatten().collect()
        });
        names.contains(&format!("{owner}.class"))
    }
}

#[cfg(test)]
mod tests {
    use jinsi_classfile::ConstantPool;

    use super::*;

    /// A class file with such methods, which refers to these.
    fn class(methods: &[&str], references: &[[&str; 2]]) -> Vec<u8> {
        let mut pool = ConstantPool::new();
        let this_class = pool.add_class("a/A").unwrap();
        let super_class = pool.add_class("java/lang/Object").unwrap();
        let member = |pool: &mut ConstantPool, name: &&str| Member {
            access: 0,
            name: pool.add_utf8(name).unwrap(),
            desc: pool.add_utf8("()V").unwrap(),
            attributes: vec![],
        };
        let methods = methods.iter().map(|name| member(&mut pool, name)).collect();
        for [owner, name] in references {
            pool.add_field_ref(owner, name, "I").unwrap();
        }
        let file = ClassFile {
            minor: 0,
            major: 55,
            pool,
            access: 0,
            this_class,
            super_class,
            interfaces: vec![],
            fields: vec![],
            methods,
            attributes: vec![],
        };
        file.to_bytes().unwrap()
    }

    #[test]
    fn only_what_was_added_to_is_known_again() {
        let before = class(&["m"], &[["b/B", "f"]]);
        assert_eq!(additions(&before, &before), None);
        let woven = class(&["m", "n"], &[["agent/Agent", "on"], ["b/B", "f"]]);
        let added = additions(&before, &woven).unwrap();
        let added: Vec<&str> = added.iter().map(|(owner, ..)| owner.as_str()).collect();
        assert_eq!(added, ["agent/Agent"]);
        for other in [
            class(&["n"], &[["agent/Agent", "on"], ["b/B", "f"]]),
            class(&["m"], &[["agent/Agent", "on"], ["b/B", "g"]]),
        ] {
            assert_eq!(additions(&before, &other), None);
        }
    }

    #[test]
    fn a_member_is_looked_for_where_its_class_lies() {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("a")).unwrap();
        std::fs::write(place.path().join("a/A.class"), class(&["m"], &[])).unwrap();
        let path = ClassPath::of(vec![place.path().to_owned()]);
        let has = |owner: &str, name: &str| path.has(&(owner.into(), name.into(), "()V".into()));
        assert!(has("a/A", "m") && has("java/util/List", "any") && has("[La/A;", "clone"));
        assert!(!has("a/A", "n") && !has("a/Missing", "m") && !has("../a/A", "m"));
    }
}

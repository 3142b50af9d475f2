//! The tables of a trace, indexed for the questions the analyses ask.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use jinsi_classfile::class::{ClassFile, Member};
use jinsi_trace::model::{
    ClassDef, ClassNo, ClassOrigin, Failure, MemberRef, ObjectId, Site, SiteNo, ThrowableDef,
};

/// Longest chain of superclasses followed; a damaged table may hold a cycle.
const MAX_DEPTH: usize = 256;

/// Classes, sites, throwables and failures of a trace.
#[derive(Clone, Debug, Default)]
pub struct Tables {
    classes: HashMap<ClassNo, ClassDef>,
    by_name: HashMap<String, ClassNo>,
    /// Ordered by number; numbers are nearly always dense.
    sites: Vec<Arc<Site>>,
    throwables: HashMap<ObjectId, ThrowableDef>,
    failures: Vec<Failure>,
    at_boundary: bool,
    is_window: bool,
    identity_hashed: BTreeSet<ClassNo>,
    /// Internal names.
    tests: BTreeSet<String>,
}

impl Tables {
    /// Indexes the tables. Of two classes with one name (different loaders) the first is found by name.
    pub fn new(
        classes: impl IntoIterator<Item = ClassDef>,
        sites: impl IntoIterator<Item = Site>,
        throwables: impl IntoIterator<Item = ThrowableDef>,
        failures: impl IntoIterator<Item = Failure>,
    ) -> Self {
        let mut tables = Self {
            sites: sites.into_iter().map(Arc::new).collect(),
            throwables: throwables.into_iter().map(|t| (t.id, t)).collect(),
            failures: failures.into_iter().collect(),
            ..Self::default()
        };
        tables.sites.sort_by_key(|s| s.no);
        for class in classes {
            tables.by_name.entry(class.name.clone()).or_insert(class.no);
            tables.classes.insert(class.no, class);
        }
        tables
    }

    /// The same tables of a trace that was recorded with `detail=boundary`, if `at_boundary`.
    pub fn recorded_at_boundary(self, at_boundary: bool) -> Self {
        Self {
            at_boundary,
            ..self
        }
    }

    /// The same tables of a trace of which the beginning was dropped, if `is_window`.
    pub fn of_window(self, is_window: bool) -> Self {
        Self { is_window, ..self }
    }

    /// Was the beginning dropped while the trace was recorded, so that what was known and open then is not in it?
    pub fn is_window(&self) -> bool {
        self.is_window
    }

    /// The same tables, with the classes of the JDK's whose objects have identity hash codes.
    pub fn with_identity_hashed(self, identity_hashed: BTreeSet<ClassNo>) -> Self {
        Self {
            identity_hashed,
            ..self
        }
    }

    /// Do objects of this class of the JDK's have identity hash codes? No, if it is not known.
    pub fn is_identity_hashed(&self, class: ClassNo) -> bool {
        self.identity_hashed.contains(&class)
    }

    /// The same tables of a trace in which tests of these classes (binary names) ran.
    pub fn with_tests<'c>(self, classes: impl IntoIterator<Item = &'c str>) -> Self {
        let tests = classes.into_iter().map(|class| class.replace('.', "/"));
        Self {
            tests: tests.collect(),
            ..self
        }
    }

    /// Did tests of the class with this internal name run, or of one nested in it?
    pub fn is_test(&self, class: &str) -> bool {
        let nested = format!("{class}$");
        let mut behind = self.tests.range(nested.clone()..);
        self.tests.contains(class) || behind.next().is_some_and(|test| test.starts_with(&nested))
    }

    /// Does the trace hold only what crosses the edge of all observed classes (`detail=boundary`)?
    pub fn at_boundary(&self) -> bool {
        self.at_boundary
    }

    /// Internal names of the observed classes.
    pub fn observed_classes(&self) -> impl Iterator<Item = &str> {
        let observed = |c: &&ClassDef| c.origin == ClassOrigin::Observed;
        self.classes.values().filter(observed).map(|c| &*c.name)
    }

    /// All classes.
    pub fn classes(&self) -> impl Iterator<Item = &ClassDef> {
        self.classes.values()
    }

    /// The class numbered `no`.
    pub fn class(&self, no: ClassNo) -> Option<&ClassDef> {
        self.classes.get(&no)
    }

    /// The class called `internal`.
    pub fn class_by_name(&self, internal: &str) -> Option<&ClassDef> {
        self.by_name
            .get(internal)
            .and_then(|no| self.classes.get(no))
    }

    /// Internal name of the class numbered `no`; empty if the table has no such class.
    pub fn class_name(&self, no: ClassNo) -> &str {
        self.classes.get(&no).map_or("", |c| &c.name)
    }

    /// The field with this name that the class declares, if its class file is there.
    pub fn field(&self, class: &str, name: &str) -> Option<MemberRef> {
        let bytes = &self.class_by_name(class)?.bytes;
        let file = ClassFile::parse(bytes).ok()?;
        let named = |f: &&Member| f.name(&file.pool).is_ok_and(|n| n == name);
        let desc = file.fields.iter().find(named)?.desc(&file.pool).ok()?;
        Some(MemberRef {
            owner: class.into(),
            name: name.into(),
            desc: desc.into_owned().into(),
        })
    }

    /// The site numbered `no`.
    pub fn site(&self, no: SiteNo) -> Option<&Site> {
        self.shared_site(no).map(|site| &**site)
    }

    /// The site numbered `no`, to be kept.
    pub(super) fn shared_site(&self, no: SiteNo) -> Option<&Arc<Site>> {
        let first = self.sites.first()?.no;
        let guess = no.get().checked_sub(first.get())? as usize;
        match self.sites.get(guess) {
            Some(site) if site.no == no => Some(site),
            _ => self
                .sites
                .binary_search_by_key(&no, |s| s.no)
                .ok()
                .map(|at| &self.sites[at]),
        }
    }

    /// What is recorded of the throwable `id`.
    pub fn throwable(&self, id: ObjectId) -> Option<&ThrowableDef> {
        self.throwables.get(&id)
    }

    /// Notes a throwable of which the trace says no more than its class, a binary name.
    pub(super) fn add_throwable(&mut self, id: ObjectId, class: String) {
        let known = ThrowableDef {
            id,
            class,
            message: None,
            text: None,
            cause: 0,
            frames: Vec::new(),
        };
        self.throwables.insert(id, known);
    }

    /// Failures in the order in which they were recorded.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Is the class `internal` a subclass of `ancestor`, or that class itself, as far as the table tells?
    pub fn is_subclass(&self, internal: &str, ancestor: &str) -> bool {
        self.superclasses(internal).any(|name| name == ancestor)
    }

    /// Is the class `internal` a throwable's?
    pub fn is_throwable_class(&self, internal: &str) -> bool {
        self.superclasses(internal).any(|name| {
            name == "java/lang/Throwable"
                || (name.starts_with("java/")
                    && (name.ends_with("Exception") || name.ends_with("Error")))
        })
    }

    /// Internal names of the recorded throwable classes whose original bytes are in the trace: they run for real at every level.
    pub fn observed_throwable_classes(&self) -> BTreeSet<String> {
        self.classes
            .values()
            .filter(|c| matches!(c.origin, ClassOrigin::Observed | ClassOrigin::Skipped))
            .filter(|c| self.is_throwable_class(&c.name))
            .map(|c| c.name.clone())
            .collect()
    }

    /// Do instances of the recorded class `internal` have no fields at all?
    pub fn has_no_fields(&self, internal: &str) -> bool {
        self.superclasses(internal)
            .all(|name| match self.class_by_name(name) {
                Some(class) if !class.bytes.is_empty() => has_no_instance_fields(&class.bytes),
                _ => name == "java/lang/Object",
            })
    }

    /// Is `Object`, `Enum` or a throwable class the first class of the JDK's among the superclasses of `internal`? None of these has a
    /// `hashCode` of its own.
    pub fn inherits_identity(&self, internal: &str) -> bool {
        let of_jdk = |name: &&str| name.starts_with("java/") || name.starts_with("javax/");
        self.superclasses(internal)
            .find(of_jdk)
            .is_some_and(|name| {
                ["java/lang/Object", "java/lang/Enum"].contains(&name)
                    || self.is_throwable_class(name)
            })
    }

    /// The class that declares the field `field`, resolved as JVMS §5.4.3.2 has it, as far as class files are in the trace; else
    /// the class that the reference names.
    pub fn declaring_class(&self, field: &MemberRef) -> String {
        let mut seen = HashSet::new();
        let mut work = vec![field.owner.as_str()];
        while let Some(name) = work.pop() {
            let Some(class) = self.class_by_name(name).filter(|_| seen.insert(name)) else {
                continue;
            };
            if declares(&class.bytes, field) {
                return class.name.clone();
            }
            // The last one pushed is looked at next: superinterfaces come before the superclass.
            work.extend(class.super_name.as_deref());
            work.extend(class.interfaces.iter().rev().map(String::as_str));
        }
        field.owner.to_string()
    }

    /// The class that declares the static method `method`, resolved as JVMS §5.4.3.3 has it. Where the class files in the trace end
    /// before it is found, it is in the first class without one; if there is none of these, the class that the reference names.
    pub fn declaring_class_of_method<'a>(&'a self, method: &'a MemberRef) -> &'a str {
        let bytes = |name| self.class_by_name(name).map_or(&[][..], |c| &c.bytes);
        self.superclasses(&method.owner)
            .find(|name| {
                let bytes = bytes(name);
                bytes.is_empty() || declares_method(bytes, method)
            })
            .unwrap_or(&method.owner)
    }

    /// `internal` and its superclasses, as far as the table has them.
    pub fn superclasses<'a>(&'a self, internal: &'a str) -> impl Iterator<Item = &'a str> {
        std::iter::successors(Some(internal), |name| {
            self.class_by_name(name)?.super_name.as_deref()
        })
        .take(MAX_DEPTH)
    }
}

/// Does the class file declare no instance field? No if it cannot be read.
fn has_no_instance_fields(bytes: &[u8]) -> bool {
    ClassFile::parse(bytes).is_ok_and(|c| c.fields.iter().all(Member::is_static))
}

/// Has the class file a method of that name and type? No if it cannot be read.
fn declares_method(bytes: &[u8], method: &MemberRef) -> bool {
    ClassFile::parse(bytes).is_ok_and(|c| c.find_method(&method.name, &method.desc).is_some())
}

/// Has the class file a field of that name and type? No if it cannot be read.
fn declares(bytes: &[u8], field: &MemberRef) -> bool {
    let Ok(class) = ClassFile::parse(bytes) else {
        return false;
    };
    class.fields.iter().any(|f| {
        f.name(&class.pool).is_ok_and(|n| n == field.name)
            && f.desc(&class.pool).is_ok_and(|d| d == field.desc)
    })
}

#[cfg(test)]
mod tests {
    use super::Tables;

    #[test]
    fn a_test_and_what_it_is_nested_in_are_tests() {
        let tables = Tables::default().with_tests(["a.BTest$Inner", "a.CTest"]);
        for (class, is_test) in [
            ("a/BTest", true),
            ("a/BTest$Inner", true),
            ("a/CTest", true),
            ("a/CTest$Helper", false),
            ("a/BTes", false),
            ("a/C", false),
        ] {
            assert_eq!(tables.is_test(class), is_test, "{class}");
        }
    }
}

//! How a source file names classes and static members: by their simple names, imported, as far as these are free.

use std::collections::{BTreeSet, HashMap};

use crate::classes::{ClassLookup, Nesting, guess_nesting};

use super::types::package_of;

/// The names in one source file. To name a class imports it, so that no import is needless.
#[derive(Clone)]
pub struct Names<'a> {
    classes: &'a dyn ClassLookup,
    package: String,
    /// Simple name → the top-level class it stands for (internal).
    simple: HashMap<String, String>,
    imported: BTreeSet<String>,
    members: BTreeSet<String>,
    /// Nothing more is imported: what is not imported by now is named in full.
    pub(super) complete: bool,
}

impl<'a> Names<'a> {
    /// For a file in `package` (internal form) that declares the class `own`.
    pub fn new(classes: &'a dyn ClassLookup, package: &str, own: &str) -> Self {
        let full = match package {
            "" => own.to_owned(),
            package => format!("{package}/{own}"),
        };
        Self {
            classes,
            package: package.to_owned(),
            simple: HashMap::from([(own.to_owned(), full)]),
            imported: BTreeSet::new(),
            members: BTreeSet::new(),
            complete: false,
        }
    }

    /// Source name of a class (internal name), imported if that is needed and possible.
    pub fn class(&mut self, internal: &str) -> String {
        let (top, path) = source_path(self.classes, internal);
        let package = package_of(&top);
        let simple = &path[0];
        let is_near = package == "java/lang" || package == self.package || package.is_empty();
        let taken = self.simple.get(simple);
        let named = match taken {
            Some(other) => *other == top,
            None => is_near || !self.complete,
        };
        let text = path.join(".");
        if !named {
            return match package {
                "" => text,
                package => format!("{}.{text}", package.replace('/', ".")),
            };
        }
        if taken.is_none() {
            self.simple.insert(simple.clone(), top.clone());
        }
        if !is_near {
            self.imported.insert(top.replace('/', "."));
        }
        text
    }

    /// The simple name of a class (internal name).
    pub(super) fn simple(&self, internal: &str) -> String {
        let (_, mut path) = source_path(self.classes, internal);
        path.pop().unwrap_or_default()
    }

    /// Source name of a static member of a class (internal name), imported by itself.
    pub(super) fn member(&mut self, class: &str, name: &str) -> String {
        let full = format!("{}.{name}", class.replace('/', "."));
        if self.complete && !self.members.contains(&full) {
            return full;
        }
        self.members.insert(full);
        name.to_owned()
    }

    /// Is a static member of this class (internal name) imported?
    pub fn imports_member_of(&self, class: &str) -> bool {
        let class = class.replace('/', ".");
        let mut owners = self.members.iter().filter_map(|m| m.rsplit_once('.'));
        owners.any(|(owner, _)| owner == class)
    }

    /// The import declarations, static ones first, each group sorted; with a blank line behind each group.
    pub(super) fn imports(&self) -> String {
        let group = |names: &BTreeSet<String>, keyword: &str| {
            let lines = names.iter().map(|n| format!("import {keyword}{n};\n"));
            let lines: String = lines.collect();
            match lines.is_empty() {
                true => lines,
                false => lines + "\n",
            }
        };
        group(&self.members, "static ") + &group(&self.imported, "")
    }
}

/// The top-level class around a class (internal name), and the simple names from it on.
pub fn source_path(classes: &dyn ClassLookup, internal: &str) -> (String, Vec<String>) {
    let known = classes.class(internal);
    let nesting = known.map_or_else(|| guess_nesting(internal), |c| c.nesting.clone());
    match nesting {
        Nesting::Member { outer, name } => {
            let (top, mut path) = source_path(classes, &outer);
            path.push(name);
            (top, path)
        }
        Nesting::TopLevel | Nesting::Local => {
            let simple = internal[package_of(internal).len()..].trim_start_matches('/');
            (internal.to_owned(), vec![simple.to_owned()])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classes::ClassTable;

    #[test]
    fn imports_are_sorted_and_only_what_is_needed() {
        let table = ClassTable::default();
        let mut names = Names::new(&table, "a/b", "FooTest");
        for (class, name) in [
            ("java/lang/String", "String"),
            ("a/b/Beside", "Beside"),
            ("java/util/Map$Entry", "Map.Entry"),
            ("java/util/List", "List"),
            ("java/awt/List", "java.awt.List"),
            // The test's own name is taken.
            ("x/FooTest", "x.FooTest"),
        ] {
            assert_eq!(names.class(class), name);
        }
        assert_eq!(names.member("org/mockito/Mockito", "mock"), "mock");
        let imports = "import static org.mockito.Mockito.mock;\n\nimport java.util.List;\nimport java.util.Map;\n\n";
        assert_eq!(names.imports(), imports);
        names.complete = true;
        assert_eq!(names.class("java/util/List"), "List");
        assert_eq!(names.class("java/util/Set"), "java.util.Set");
        assert_eq!(names.member("org/A", "b"), "org.A.b");
        assert_eq!(names.imports(), imports);
    }
}

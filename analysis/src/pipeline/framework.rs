//! The framework that the failed test is for: what its project has, and runs.

use jinsi_classfile::ClassFile;
use jinsi_history::Tables;
use jinsi_testwriter::{Dialect, Framework};

use super::{Case, Wanted};

/// Beginnings of the descriptors of annotations of test methods.
const ANNOTATIONS: [(&str, Framework); 4] = [
    ("Lorg/junit/jupiter/api/", Framework::Junit5),
    ("Lorg/junit/jupiter/params/", Framework::Junit5),
    ("Lorg/junit/Test;", Framework::Junit4),
    ("Lorg/testng/annotations/Test;", Framework::TestNg),
];
/// What tests of JUnit 3 inherit from.
const TEST_CASE: &str = "junit/framework/TestCase";

impl Case<'_> {
    /// In which words the tests are written.
    pub(super) fn dialect(&self, wanted: &Wanted) -> Dialect {
        let own = wanted.like_failed_test.then(|| self.framework_of_test());
        Dialect {
            framework: own.flatten().unwrap_or(wanted.dialect.framework),
            ..wanted.dialect
        }
    }

    fn framework_of_test(&self) -> Option<Framework> {
        let no = self.run.test_no?;
        let mark = self.run.trace.marks().iter().find(|mark| mark.no == no)?;
        of_class(self.run.history.tables(), &mark.class.replace('.', "/"))
    }
}

/// The framework that the tests of a class are for (internal name), if tests are written for it.
fn of_class(tables: &Tables, class: &str) -> Option<Framework> {
    tables.superclasses(class).find_map(|name| match name {
        TEST_CASE => Some(Framework::Junit3),
        _ => of_file(&tables.class_by_name(name)?.bytes),
    })
}

/// The framework whose annotation of test methods a class file names.
fn of_file(bytes: &[u8]) -> Option<Framework> {
    let class = ClassFile::parse(bytes).ok()?;
    let has = |begin: &str| {
        let mut constants = 1..class.pool.count();
        constants.any(|i| class.pool.utf8(i).is_ok_and(|text| text.starts_with(begin)))
    };
    let found = ANNOTATIONS.iter().find(|(begin, _)| has(begin));
    found.map(|(_, framework)| *framework)
}

#[cfg(test)]
mod tests {
    use jinsi_classfile::pool::ConstantPool;
    use jinsi_history::script::history;

    use super::*;

    #[test]
    fn a_test_is_for_whose_annotation_it_has() {
        let with = |constant: &str| {
            let mut pool = ConstantPool::new();
            let this_class = pool.add_class("a/Checks").expect("room");
            pool.add_utf8(constant).expect("room");
            let class = ClassFile {
                minor: 0,
                major: 61,
                pool,
                access: 0,
                this_class,
                super_class: 0,
                interfaces: Vec::new(),
                fields: Vec::new(),
                methods: Vec::new(),
                attributes: Vec::new(),
            };
            of_file(&class.to_bytes().expect("bytes"))
        };
        assert_eq!(with("Lorg/junit/Test;"), Some(Framework::Junit4));
        let five = "Lorg/junit/jupiter/api/RepeatedTest;";
        assert_eq!(with(five), Some(Framework::Junit5));
        let of_testng = "Lorg/testng/annotations/Test;";
        assert_eq!(with(of_testng), Some(Framework::TestNg));
        assert_eq!(with("Lorg/junit/Rule;"), None);
    }

    #[test]
    fn a_test_of_junit_3_inherits() {
        let h = history(
            "class a/Base : junit/framework/TestCase
             class a/Checks : a/Base
             class a/Other
             s> a/Checks.main()V
             <",
        );
        let of = |class| of_class(h.tables(), class);
        assert_eq!(of("a/Checks"), Some(Framework::Junit3));
        assert_eq!(of("a/Other"), None);
    }
}

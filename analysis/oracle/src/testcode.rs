//! Which code is a test's own.

use jinsi_classfile::class::ClassFile;
use jinsi_history::{History, Tables};

/// Annotations of test methods, as descriptors.
const ANNOTATIONS: [&str; 8] = [
    "Lorg/junit/Test;",
    "Lorg/junit/jupiter/api/RepeatedTest;",
    "Lorg/junit/jupiter/api/Test;",
    "Lorg/junit/jupiter/api/TestFactory;",
    "Lorg/junit/jupiter/api/TestTemplate;",
    "Lorg/junit/jupiter/params/ParameterizedTest;",
    "Lorg/spockframework/runtime/model/FeatureMetadata;",
    "Lorg/testng/annotations/Test;",
];
/// Beginnings of the internal names of classes that tests inherit from.
const ANCESTORS: [&str; 4] = [
    "io/kotest/core/spec/",
    "junit/framework/TestCase",
    "org/spockframework/",
    "spock/lang/",
];

/// Is it code of the test: its class `test`, those in the same file and those that it inherits from? If no framework reported a test, a class
/// is one by its annotations, or by what it inherits from. Its name alone says nothing: `TestBench` may be the program's.
pub(crate) fn is_of_test(history: &History, class: &str, test: Option<&str>) -> bool {
    let tables = history.tables();
    let own = file_of(class);
    match test {
        Some(test) => own == file_of(test) || tables.is_subclass(test, class),
        None => is_test(tables, own) || is_test(tables, class),
    }
}

/// The outermost class around this one, which names the file.
pub(crate) fn file_of(class: &str) -> &str {
    class.split('$').next().unwrap_or_default()
}

fn is_test(tables: &Tables, class: &str) -> bool {
    tables.superclasses(class).any(|name| {
        let bytes = tables.class_by_name(name).map(|c| &*c.bytes);
        ANCESTORS.iter().any(|a| name.starts_with(a)) || bytes.is_some_and(has_tests)
    })
}

/// Does the class file name an annotation of test methods? Nothing else has its descriptor as a constant of its own.
fn has_tests(bytes: &[u8]) -> bool {
    ClassFile::parse(bytes).is_ok_and(|class| {
        let constants = 1..class.pool.count();
        let mut constants = constants.filter(|&i| class.pool.utf8_bytes(i).is_ok());
        constants.any(|i| ANNOTATIONS.iter().any(|a| class.pool.is_utf8(i, a)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use jinsi_classfile::pool::ConstantPool;
    use jinsi_history::script::history;

    #[test]
    fn a_name_makes_no_test() {
        let h = history(
            "class a/TestBench
             class a/Checks : junit/framework/TestCase
             s> a/TestBench.main()V
             <",
        );
        assert!(!is_of_test(&h, "a/TestBench", None));
        assert!(is_of_test(&h, "a/Checks", None));
        assert!(is_of_test(&h, "a/Checks$Row", None));
        assert!(is_of_test(&h, "a/TestBench", Some("a/TestBench")));
        assert!(!is_of_test(&h, "a/Checks", Some("a/TestBench")));
    }

    #[test]
    fn an_annotation_makes_one() {
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
            class.to_bytes().expect("bytes")
        };
        assert!(has_tests(&with("Lorg/junit/jupiter/api/Test;")));
        assert!(!has_tests(&with("org/junit/jupiter/api/Test")));
        assert!(!has_tests(b"no class"));
    }
}

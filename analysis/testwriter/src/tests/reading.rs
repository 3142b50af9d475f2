//! What is read from class files that a compiler wrote.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use jinsi_classfile::ClassFile;
use jinsi_trace::model::{ClassDef, ClassNo, ClassOrigin, Value};

use super::super::access::{Reach, Scope, choose_package};
use super::super::classes::{ClassInfo, ClassLookup, ClassTable, Nesting};
use super::super::describe::describe;
use super::super::java::JavaType;
use super::scene::*;
use jinsi_jdk::Jdk;
use jinsi_jdk::compile::javac;
use jinsi_level::{Operation, Outcome};

fn outer() -> ClassTable {
    let dir = tempfile::tempdir().unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/java/nest/Outer.java");
    javac(&Jdk::find(None).unwrap(), &[source], &[], dir.path()).unwrap();
    let mut defs = Vec::new();
    for file in fs::read_dir(dir.path().join("nest")).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        let name = ClassFile::parse(&bytes)
            .unwrap()
            .name()
            .unwrap()
            .into_owned();
        defs.push(ClassDef {
            no: ClassNo::from_index(defs.len()),
            name,
            super_name: None,
            interfaces: vec![],
            access: 0,
            origin: ClassOrigin::Observed,
            source_file: None,
            bytes: bytes.into(),
        });
    }
    ClassTable::new(&defs, [])
}

#[test]
fn nesting_flags_and_exceptions_come_from_the_class_file() {
    let table = outer();
    let nestings: HashMap<&str, Nesting> = [
        "nest/Outer",
        "nest/Outer$Hidden",
        "nest/Outer$Inner",
        "nest/Outer$1",
    ]
    .map(|n| (n, table.class(n).unwrap().nesting.clone()))
    .into();
    let member = |name: &str| Nesting::Member {
        outer: "nest/Outer".into(),
        name: name.into(),
    };
    assert_eq!(nestings["nest/Outer"], Nesting::TopLevel);
    assert_eq!(nestings["nest/Outer$Hidden"], member("Hidden"));
    assert_eq!(nestings["nest/Outer$1"], Nesting::Local);

    let inner: &ClassInfo = table.class("nest/Outer$Inner").unwrap();
    assert_eq!(inner.super_name.as_deref(), Some("java/lang/Object"));
    let constructor = inner
        .members
        .as_ref()
        .unwrap()
        .iter()
        .find(|m| m.name == "<init>")
        .unwrap();
    assert_eq!(constructor.desc, "(Lnest/Outer;I)V");
    assert_eq!(
        constructor.exceptions,
        ["java/io/IOException", "java/lang/InterruptedException"]
    );
}

#[test]
fn reach_follows_the_declaration_and_its_enclosing_classes() {
    let table = outer();
    let scope = Scope {
        classes: &table,
        package: "nest".into(),
    };
    let reach = |class: &str| scope.class_reach(class);
    assert_eq!(reach("nest/Outer"), Reach::Everywhere);
    assert_eq!(reach("nest/Outer$Hidden"), Reach::Nowhere);
    assert!(!scope.class_accessible("[[Lnest/Outer$Hidden;") && scope.class_accessible("[I"));
    assert_eq!(reach("nest/Outer$Inner"), Reach::Package, "protected");
    assert_eq!(reach("nest/Outer$Shape"), Reach::Everywhere);
    assert_eq!(reach("nest/Outer$1"), Reach::Nowhere);
    assert_eq!(reach("java/util/Map$Entry"), Reach::Everywhere);
    assert_eq!(reach("sun/misc/Unsafe"), Reach::Nowhere, "not exported");
    assert!(scope.is_inner("nest/Outer$Inner") && !scope.is_inner("nest/Outer$Hidden"));
    assert_eq!(
        scope.view("nest/Outer$1", &[]).as_deref(),
        Some("java/lang/Object")
    );
    let is_subtype =
        |sub: &str, sup: &str| scope.is_subtype(&JavaType::of(sub), &JavaType::of(sup));
    assert!(is_subtype("Lnest/Outer$1;", "Lnest/Outer$Shape;"));
    assert!(!is_subtype("Lnest/Outer;", "Lnest/Outer$Shape;"));
    assert!(is_subtype("[Lnest/Outer$1;", "[Lnest/Outer$Shape;"));
    assert!(!is_subtype("[I", "[J"));
}

#[test]
fn the_package_is_that_of_what_only_it_can_name() {
    let table = outer();
    let choose = |classes: &[&str], default: &str| {
        choose_package(&table, classes.iter().copied(), [], default)
    };
    assert_eq!(
        choose(&["nest/Outer$Inner", "java/util/List"], "elsewhere"),
        "nest"
    );
    assert_eq!(choose(&["nest/Outer"], "elsewhere"), "elsewhere");
    assert_eq!(choose(&["nest/Outer$Inner", "Unnamed"], "nest"), "");
    assert_eq!(
        choose(&[], "java/util"),
        "tests",
        "nobody may add to the JDK's packages"
    );
}

/// What is in the unnamed package cannot be imported from it.
#[test]
fn only_the_unnamed_package_names_what_is_in_it() {
    let table = outer();
    let scope = |package: &str| Scope {
        classes: &table,
        package: package.into(),
    };
    for class in ["Unnamed", "[LUnnamed;"] {
        assert!(!scope("nest").class_accessible(class), "{class}");
    }
    for class in ["nest/Outer", "[I", "[[J"] {
        assert!(scope("nest").class_accessible(class), "{class}");
        assert!(scope("").class_accessible(class), "{class}");
    }
}

#[test]
fn interactions_are_described_in_one_line() {
    let mut s = Scene::new();
    s.make(1, "a/Box", "()V", vec![]);
    s.array(5, "[I", vec![int(1)])
        .throwable(50, "java/lang/IllegalStateException", None);
    s.call_throws(
        1,
        "a/Box.put (Ljava/lang/String;[I)V",
        vec![text(&"x".repeat(70)), obj(5)],
        50,
    );
    s.interact(
        Operation::GetStatic,
        "a/Box.SIZE I",
        Value::Null,
        vec![],
        Outcome::Return(Some(int(3))),
    );
    s.interact(
        Operation::PutField,
        "a/Box.next La/Box;",
        obj(1),
        vec![Value::Null],
        Outcome::Return(None),
    );
    let lines: Vec<String> = s
        .level
        .interactions
        .iter()
        .map(|i| describe(i, &s.level, &s.table))
        .collect();
    assert_eq!(lines[0], "new Box() → Box#1");
    let shown = "x".repeat(60);
    assert_eq!(
        lines[1],
        format!(
            "Box#1.put(\"{shown}\"… (70 characters), array of 1 #5) throws IllegalStateException"
        )
    );
    assert_eq!(lines[2], "Box.SIZE → 3");
    assert_eq!(lines[3], "Box#1.next = null");
}

/// Fields are hidden, not overridden.
#[test]
fn a_hidden_field_is_named_through_its_own_class() {
    let mut s = Scene::new();
    s.class("a/Base", PUBLIC, "java/lang/Object", &[(PUBLIC, "size I")]);
    let members = [(PUBLIC, "<init> ()V"), (PUBLIC, "size J")];
    s.class("a/Box", PUBLIC, "a/Base", &members);
    s.make(1, "a/Box", "()V", vec![]);
    for field in ["a/Base.size I", "a/Box.size J"] {
        let none = Outcome::Return(None);
        s.interact(Operation::PutField, field, obj(1), vec![int(3)], none);
        s.level.interactions.last_mut().unwrap().target_class = "a/Box".into();
    }
    let mut table = ClassTable::default();
    s.declared.iter().for_each(|c| table.insert(c.clone()));
    let all = s.level.interactions.iter();
    let lines: Vec<String> = all.map(|i| describe(i, &s.level, &table)).collect();
    assert_eq!(lines[1..], ["((Base) Box#1).size = 3", "Box#1.size = 3"]);
}

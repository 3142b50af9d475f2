//! Rewritten classes on real JVMs: they verify, and they do what the originals did.
//!
//! `JINSI_CORPUS_EVERY=1` takes all classes of `java.base` instead of every twentieth; `JINSI_CORPUS=DIR` adds all class files
//! below a directory. The figures are printed (`--nocapture`).

mod support;

use std::collections::BTreeMap;
use std::env;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use jinsi_classfile::class::ClassFile;
use jinsi_classfile::pool::ConstantPool;
use jinsi_classfile::{Asm, Code, opcode, skeleton, subst};

use support::flows;
use support::jdk::{self, Harness, NamedClass};
use support::rewrite::{self, Tally};

/// Enough that probes at every instruction push the loop's ends more than 32 KiB apart, and the method stays below 64 KiB.
const FAR_STATEMENTS: usize = 1_000;

/// A main class and all classes of its program.
type Program = (&'static str, Vec<NamedClass>);

/// The test programs, `Plain` first, compiled by the JDK of each harness once.
fn programs(harness: &Harness) -> &'static [Program] {
    static COMPILED: Mutex<BTreeMap<PathBuf, &'static [Program]>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap();
    compiled
        .entry(harness.home.clone())
        .or_insert_with(|| compile_programs(&harness.home).leak())
}

fn compile_programs(home: &Path) -> Vec<Program> {
    let body = "sum = sum * 31 + rounds;\n".repeat(FAR_STATEMENTS);
    let plain = include_str!("java/Plain.java").replace("/*BODY*/", &body);
    let lambdas = include_str!("java/Lambdas.java");
    let modern = include_str!("java/Modern.java");
    vec![
        ("Plain", jdk::compile(home, "8", "Plain", &plain)),
        ("Lambdas", jdk::compile(home, "8", "Lambdas", lambdas)),
        ("Lambdas", jdk::compile(home, "17", "Lambdas", lambdas)),
        ("Modern", jdk::compile(home, "17", "Modern", modern)),
    ]
}

/// The classes of the program without invokedynamic.
fn plain(harness: &Harness) -> Vec<NamedClass> {
    programs(harness)[0].1.clone()
}

/// What a program printed, without the line on probes.
fn printed(out: &str) -> &str {
    out.trim_end().rsplit_once('\n').unwrap_or_default().0
}

#[test]
fn probed_programs_print_the_same() {
    for harness in jdk::harnesses() {
        for (main, classes) in programs(harness) {
            let mut tally = Tally::default();
            let rewritten = rewrite::probe_all(classes, &mut tally);
            let expected = harness.main(classes, main);
            let found = harness.main(&rewritten, main);
            assert_eq!(printed(&found), printed(&expected));
            assert!(found.ends_with("\nhit\n"), "{found}");
            assert_eq!(tally.untouched, 0);
            if *main == "Plain" {
                assert!(tally.jumps_widened > 0 && tally.far > 0, "{tally:?}");
            }
        }
    }
}

#[test]
fn classes_without_frames_get_inverted_jumps() {
    let padding = |pool: &mut ConstantPool| {
        let mut asm = rewrite::hit(pool);
        asm.op(opcode::NOP);
        asm
    };
    for harness in jdk::harnesses() {
        let classes: Vec<_> = plain(harness)
            .into_iter()
            .map(|(name, bytes)| (name, rewrite::downgraded(&bytes)))
            .collect();
        let mut tally = Tally::default();
        let rewritten: Vec<_> = classes
            .iter()
            .map(|(name, bytes)| {
                (
                    name.clone(),
                    rewrite::probe_class(bytes, padding, &mut tally),
                )
            })
            .collect();
        assert_eq!((tally.far, tally.light, tally.untouched), (0, 0, 0));
        assert!(tally.jumps_widened > 1, "{tally:?}");
        let expected = harness.main(&classes, "Plain");
        assert_eq!(
            printed(&harness.main(&rewritten, "Plain")),
            printed(&expected)
        );
    }
}

#[test]
fn constructions_can_be_moved_into_factories() {
    for harness in jdk::harnesses() {
        for (main, classes) in programs(harness) {
            let mut moved = 0;
            let rewritten: Vec<_> = classes
                .iter()
                .map(|(name, bytes)| {
                    let (bytes, count) = rewrite::factories(bytes);
                    moved += count;
                    (name.clone(), bytes)
                })
                .collect();
            assert!(moved > 3, "{main}: {moved}");
            let expected = harness.main(classes, main);
            assert_eq!(printed(&harness.main(&rewritten, main)), printed(&expected));
        }
    }
}

#[test]
fn subroutines_keep_working() {
    let mut class = with_subroutine();
    let bytes = class.to_bytes().unwrap();
    let mut tally = Tally::default();
    let rewritten = rewrite::probe_class(&bytes, rewrite::hit, &mut tally);
    assert_eq!((tally.methods, tally.full), (1, 1));
    // The same, with a jsr that has to become a jsr_w.
    let far = rewrite::probe_class(&bytes, |_| Asm::nops(1_750), &mut tally);
    class = ClassFile::parse(&far).unwrap();
    let code = class.methods[0].code(&class.pool).unwrap().unwrap();
    assert!(jinsi_classfile::insn::iter(&code.bytes).any(|i| i.unwrap().opcode == opcode::JSR_W));
    for harness in jdk::harnesses() {
        for bytes in [&bytes, &rewritten, &far] {
            let out = harness.main(&[("Sub".to_owned(), bytes.clone())], "Sub");
            assert_eq!(printed(&out), "5");
        }
    }
}

/// `class Sub` of version 48, whose `main` calls a subroutine twice: 1 + 2 + 2 is printed.
fn with_subroutine() -> ClassFile {
    let mut pool = ConstantPool::new();
    let this_class = pool.add_class("Sub").unwrap();
    let super_class = pool.add_class("java/lang/Object").unwrap();
    let out = pool
        .add_field_ref("java/lang/System", "out", "Ljava/io/PrintStream;")
        .unwrap();
    let println = pool
        .add_method_ref("java/io/PrintStream", "println", "(I)V", false)
        .unwrap();
    let mut class = ClassFile {
        minor: 0,
        major: 48,
        pool,
        access: 0x21,
        this_class,
        super_class,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
    };
    use opcode::*;
    let mut bytes = vec![ICONST_1, ISTORE_1];
    bytes.extend([JSR, 0, 20, JSR, 0, 17]);
    bytes.extend([NOP; 6]);
    let [high, low] = out.to_be_bytes();
    bytes.extend([GETSTATIC, high, low, ILOAD_1]);
    let [high, low] = println.to_be_bytes();
    bytes.extend([INVOKEVIRTUAL, high, low, RETURN]);
    // The subroutine, at 22.
    bytes.extend([ASTORE_2, IINC, 1, 2, RET, 2]);
    let code = Code {
        max_stack: 2,
        max_locals: 3,
        bytes,
        ..Code::default()
    };
    subst::add_method(&mut class, 9, "main", "([Ljava/lang/String;)V", &code).unwrap();
    class
}

/// Skeletons keep all declarations, and nothing can be taken from them any more.
fn check_skeletons(classes: &[NamedClass]) {
    for (name, bytes) in classes {
        let stripped = skeleton::skeleton(bytes).unwrap();
        assert!(stripped.len() <= bytes.len(), "{name}");
        assert_eq!(skeleton::skeleton(&stripped).unwrap(), stripped, "{name}");
        let (before, after) = (
            ClassFile::parse(bytes).unwrap(),
            ClassFile::parse(&stripped).unwrap(),
        );
        let declared = |class: &ClassFile| -> Vec<_> {
            (class.fields.iter().chain(&class.methods))
                .map(|member| {
                    let name = member.name(&class.pool).unwrap().into_owned();
                    (
                        name,
                        member.desc(&class.pool).unwrap().into_owned(),
                        member.access,
                    )
                })
                .collect()
        };
        assert_eq!(declared(&before), declared(&after), "{name}");
        assert_eq!(before.source_file(), after.source_file(), "{name}");
        assert!(
            !after
                .methods
                .iter()
                .any(|m| m.attribute(&after.pool, "Code").is_some())
        );
    }
}

/// A class with a method that takes from an empty stack.
fn broken(bytes: &[u8]) -> Vec<u8> {
    let mut class = ClassFile::parse(bytes).unwrap();
    let with_code = |class: &ClassFile, index: &usize| {
        class.methods[*index].code(&class.pool).unwrap().is_some()
    };
    let index = (0..class.methods.len())
        .find(|index| with_code(&class, index))
        .unwrap();
    let code = Code {
        max_stack: 1,
        max_locals: 9,
        bytes: vec![opcode::POP, opcode::RETURN],
        ..Code::default()
    };
    subst::replace_body(&mut class, index, &code).unwrap();
    class.to_bytes().unwrap()
}

#[test]
#[should_panic(expected = "1 classes do not verify")]
fn loading_notices_a_broken_class() {
    let harness = &jdk::harnesses()[0];
    let mut classes = plain(harness);
    classes[0].1 = broken(&classes[0].1);
    harness.load(&classes[..1]);
}

#[test]
#[should_panic(expected = "1 classes do not verify")]
fn redefining_notices_a_broken_class() {
    let harness = &jdk::harnesses()[0];
    let classes = harness.module("java.base", 1);
    let classes = [classes
        .into_iter()
        .find(|(name, _)| name == "java/util/ArrayList")
        .unwrap()];
    let broken = [(classes[0].0.clone(), broken(&classes[0].1))];
    harness.redefine(&classes, &broken);
}

#[test]
fn rewritten_classes_of_the_jdk_verify() {
    let every = env::var("JINSI_CORPUS_EVERY").map_or(20, |every| every.parse().unwrap());
    for harness in jdk::harnesses() {
        let mut classes = harness.module("java.base", every);
        classes.retain(|(name, _)| !name.ends_with("module-info"));
        assert!(classes.len() > 100);
        check_skeletons(&classes);
        let mut tally = Tally::default();
        let rewritten = rewrite::probe_all(&classes, &mut tally);
        let done = harness.redefine(&classes, &rewritten);
        println!("{}: {done}; {tally:?}", harness.home.display());
        assert_eq!(tally.untouched, 0);
    }
}

#[test]
fn control_and_data_flow_of_real_classes_fit_together() {
    let every = env::var("JINSI_CORPUS_EVERY").map_or(20, |every| every.parse().unwrap());
    let harness = &jdk::harnesses()[0];
    let mut classes = harness.module("java.base", every);
    classes.extend(plain(harness));
    if let Some(dir) = env::var_os("JINSI_CORPUS") {
        classes.extend(jdk::classes_below(Path::new(&dir)));
    }
    let mut tally = flows::Tally::default();
    for (name, bytes) in &classes {
        flows::check(name, bytes, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.methods > 1_000 && tally.branches > 1_000);
}

#[test]
fn rewritten_classes_of_a_corpus_verify() {
    for harness in jdk::harnesses() {
        let mut classes: Vec<_> = programs(harness)
            .iter()
            .flat_map(|(_, c)| c.clone())
            .collect();
        // One of each name: two programs are the same source for two releases.
        classes.dedup_by(|a, b| a.0 == b.0);
        if let Some(dir) = env::var_os("JINSI_CORPUS") {
            classes.extend(jdk::classes_below(Path::new(&dir)));
        }
        check_skeletons(&classes);
        let mut tally = Tally::default();
        let probed = rewrite::probe_all(&classes, &mut tally);
        println!(
            "{}: probes: {}; {tally:?}",
            harness.home.display(),
            harness.load(&probed)
        );
        let mut moved = 0;
        let rewritten: Vec<_> = classes
            .iter()
            .map(|(name, bytes)| {
                let (bytes, count) = rewrite::factories(bytes);
                moved += count;
                (name.clone(), bytes)
            })
            .collect();
        let done = harness.load(&rewritten);
        println!(
            "{}: {moved} constructions moved: {done}",
            harness.home.display()
        );
    }
}

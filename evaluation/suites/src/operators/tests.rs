use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jinsi_jdk::{Jdk, compile, process};

use super::*;

const LIMIT: Duration = Duration::from_secs(60);

fn source(name: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_MANIFEST_DIR"));
    place.join("testdata").join(format!("{name}.java"))
}

/// The class `Sample`, and a directory with `Link`.
fn sample(release: u32) -> (ClassFile, Jdk, tempfile::TempDir) {
    let jdk = Jdk::find(None).unwrap().compiler().unwrap();
    let out = tempfile::tempdir().unwrap();
    let (sample, link) = (out.path().join("sample"), out.path().join("link"));
    compile::javac_for(&jdk, Some(release), &[source("Sample")], &[], &sample).unwrap();
    compile::javac_for(&jdk, Some(11), &[source("Link")], &[], &link).unwrap();
    let class = ClassFile::parse(&fs::read(sample.join("Sample.class")).unwrap()).unwrap();
    (class, jdk, out)
}

/// What a JVM says of these classes that it refuses.
fn refused(jdk: &Jdk, out: &Path, classes: &[(String, ClassFile)]) -> String {
    let place = out.join("defects");
    fs::create_dir_all(&place).unwrap();
    for (name, class) in classes {
        fs::write(place.join(name), class.to_bytes().unwrap()).unwrap();
    }
    let mut command = jdk.command();
    command
        .arg("-cp")
        .arg(out.join("link"))
        .arg("Link")
        .arg(&place);
    let finished = process::run(&mut command, LIMIT).unwrap();
    assert!(finished.status.success(), "{}", finished.stderr);
    finished.stdout
}

#[test]
fn every_defect_of_every_operator_verifies() {
    for release in [8, 17] {
        let (class, jdk, out) = sample(release);
        let mut used = BTreeSet::new();
        let mut defects = Vec::new();
        for spot in spots(&class).unwrap() {
            for operator in operators(&class, &spot).unwrap() {
                used.insert(operator);
                let defect = apply(&class, &spot, operator).unwrap();
                assert_ne!(defect.to_bytes().unwrap(), class.to_bytes().unwrap());
                let name = format!("{}-{}-{operator:?}", spot.method, spot.offset);
                defects.push((name, defect));
            }
        }
        assert_eq!(used.len(), 11, "not all operators apply: {used:?}");
        assert!(defects.len() > 80, "{}", defects.len());
        assert_eq!(refused(&jdk, out.path(), &defects), "");
    }
}

#[test]
fn what_does_not_verify_is_noticed() {
    let (mut class, jdk, out) = sample(17);
    let spot = spots(&class).unwrap().remove(0);
    let method = &class.methods[spot.method];
    let mut code = method.code(&class.pool).unwrap().unwrap();
    code.bytes[0] = POP;
    class.methods[spot.method]
        .set_code(&mut class.pool, &code)
        .unwrap();
    let said = refused(&jdk, out.path(), &[("bad".into(), class)]);
    assert!(said.contains("VerifyError"), "{said}");
}

#[test]
fn a_class_with_probes_verifies_and_keeps_its_behaviour_otherwise() {
    let (class, jdk, out) = sample(17);
    let spots = spots(&class).unwrap();
    let numbered: Vec<(Spot, usize)> = spots.into_iter().zip(70_000..).collect();
    // A method that exists: `Thread.sleep(long)` would not fit, `System.exit(int)` is never called here.
    let probed = probed(&class, &numbered, "java/lang/System", "exit").unwrap();
    assert_eq!(
        refused(&jdk, out.path(), &[("probed".into(), probed.clone())]),
        ""
    );
    let calls: usize = probed
        .methods
        .iter()
        .filter_map(|m| m.code(&probed.pool).unwrap())
        .map(|code| {
            let insns = jinsi_classfile::insn::decode(&code.bytes).unwrap();
            let exits = insns.iter().filter(|i| i.opcode == INVOKESTATIC);
            exits
                .filter(|i| {
                    let called = probed.pool.member_ref(i.pool_index().unwrap()).unwrap();
                    called.name == "exit"
                })
                .count()
        })
        .sum();
    assert_eq!(calls, numbered.len());
}

/// The defects of the first instruction with this operator, in a method.
fn defect(class: &ClassFile, method: &str, operator: Operator) -> Code {
    let number = class
        .methods
        .iter()
        .position(|m| m.name(&class.pool).unwrap() == method)
        .unwrap();
    let spot = spots(class)
        .unwrap()
        .into_iter()
        .find(|s| s.method == number && operators(class, s).unwrap().contains(&operator))
        .unwrap();
    let defect = apply(class, &spot, operator).unwrap();
    defect.methods[number].code(&defect.pool).unwrap().unwrap()
}

fn names(code: &Code) -> Vec<&'static str> {
    let insns = jinsi_classfile::insn::decode(&code.bytes).unwrap();
    insns.iter().map(Insn::name).collect()
}

#[test]
fn operators_do_what_they_are_called() {
    let (class, ..) = sample(17);
    let of = |method: &str, operator| names(&defect(&class, method, operator));
    let has = |method: &str, operator, wanted: &[&str]| {
        let found = of(method, operator);
        let there = found.windows(wanted.len()).any(|part| part == wanted);
        assert!(there, "{method}, {operator:?}: {found:?}");
    };
    has("isBetween", Operator::ComparisonTurned, &["if_icmple"]);
    has("isBetween", Operator::BoundMoved, &["if_icmpge"]);
    has(
        "isBetween",
        Operator::ConditionForced,
        &["pop2", "iconst_0", "ifeq"],
    );
    has(
        "named",
        Operator::ConditionNeverHolds,
        &["pop", "iconst_0", "ifne"],
    );
    has(
        "isBetween",
        Operator::ResultTurned,
        &["iconst_1", "ixor", "ireturn"],
    );
    has(
        "sum",
        Operator::ResultReplaced,
        &["pop", "iconst_0", "ireturn"],
    );
    has("add", Operator::CallLeftOut, &["pop", "lload_1"]);
    has("half", Operator::ArithmeticReplaced, &["fmul"]);
    has("quarter", Operator::NegationLeftOut, &["nop"]);
    has("twice", Operator::ConstantReplaced, &["iconst_4"]);
    let turned = defect(&class, "sum", Operator::IncrementTurned);
    let insns = jinsi_classfile::insn::decode(&turned.bytes).unwrap();
    let by: Vec<i32> = insns
        .iter()
        .filter(|i| i.opcode == IINC)
        .filter_map(Insn::immediate)
        .collect();
    assert_eq!(by, [-1]);
}

#[test]
fn a_spot_is_described_by_method_and_line() {
    let (class, ..) = sample(17);
    let all = spots(&class).unwrap();
    let described: Vec<String> = all
        .iter()
        .map(|spot| described(&class, spot).unwrap())
        .collect();
    assert!(
        described.iter().any(
            |text| text.starts_with("Sample.isBetween(III)Z, bytecode index ")
                && text.ends_with("(Sample.java:11)")
        ),
        "{described:?}"
    );
}

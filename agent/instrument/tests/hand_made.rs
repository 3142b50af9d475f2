//! Class files that no compiler of today makes ([`made`]), rewritten in every way: they run as before, fully verified, and what cannot be
//! rewritten is named.

mod made;
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use jinsi_classfile::class::Attribute;
use jinsi_classfile::{ACC_MODULE, ACC_PRIVATE, ClassFile};
use jinsi_instrument::selection::Selection;
use jinsi_instrument::{Instrumented, ProbeSet, instrument};
use jinsi_trace::model::{ClassNo, Detail, EventKind, SiteNo};

use made::{NAME, Program, add, class, code, far_jump, long_method, programs, switches};
use support::{compile_probes, jdks, run_with, stderr, stdout, succeed, text, tool};

fn rewritten(
    bytes: &[u8],
    observe: Option<&str>,
    probe_set: ProbeSet,
    detail: Detail,
) -> Instrumented {
    let selection = Selection::for_checking(observe).in_detail(detail);
    let mut next = 40_000;
    let mut next_site = || {
        next += 1;
        SiteNo::FIRST.behind(next - 1)
    };
    instrument(ClassNo::FIRST, probe_set, bytes, &selection, &mut next_site).unwrap()
}

/// Every way to rewrite a class.
fn each_way(bytes: &[u8]) -> [Instrumented; 6] {
    [
        rewritten(bytes, None, ProbeSet::Observed, Detail::Interactions),
        rewritten(bytes, Some(NAME), ProbeSet::Observed, Detail::Interactions),
        rewritten(bytes, Some(""), ProbeSet::Inherited, Detail::Interactions),
        rewritten(bytes, Some(NAME), ProbeSet::Observed, Detail::Boundary),
        rewritten(bytes, Some(""), ProbeSet::Inherited, Detail::Boundary),
        rewritten(bytes, Some(NAME), ProbeSet::Observed, Detail::Instructions),
    ]
}

#[test]
fn they_run_as_before() {
    let work = tempfile::tempdir().unwrap();
    let mut places = Vec::new();
    let mut expected = String::new();
    for program in programs() {
        let rewritten = each_way(&program.bytes).map(|done| done.bytes);
        for bytes in [program.bytes].into_iter().chain(rewritten) {
            let place = work.path().join((places.len() + 1).to_string());
            fs::create_dir(&place).unwrap();
            fs::write(place.join(format!("{NAME}.class")), bytes).unwrap();
            places.push(place);
            expected += &format!("{}\n{}\n", program.prints, places.len());
        }
    }
    for jdk in jdks() {
        let work = tempfile::tempdir().unwrap();
        let probes = work.path().join("probes");
        compile_probes(&jdk, &probes);
        assert_eq!(printed(&jdk, &probes, work.path(), &places), expected);
    }
}

/// What the program prints as it is in each of these places, each time with the number of the place behind it.
fn printed(jdk: &Path, probes: &Path, work: &Path, places: &[PathBuf]) -> String {
    let classes = work.join("classes");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/EachOf.java");
    succeed(tool(jdk, "javac").args(["-d", text(&classes), text(&source)]));
    let places = places.iter().map(|place| text(place));
    let arguments: Vec<&str> = std::iter::once(NAME).chain(places).collect();
    let output = run_with(jdk, probes, &classes, "EachOf", &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn what_has_no_room_is_named_and_the_rest_is_rewritten() {
    let named = |program: Program| {
        let done = rewritten(
            &program.bytes,
            None,
            ProbeSet::Observed,
            Detail::Interactions,
        );
        assert!(done.sites.iter().any(|site| site.method == "main"));
        let probed = done.sites.iter().any(|site| site.method == "value");
        (done.thinned, done.left_out, probed)
    };
    let none = Vec::<String>::new();
    assert_eq!(
        named(long_method("", 21_000)),
        (none.clone(), none.clone(), true)
    );
    let left_out = vec!["value: there is no room for any probe".to_owned()];
    assert_eq!(
        named(long_method("", 21_840)),
        (none.clone(), left_out, false)
    );
    let thinned = vec!["value: calls, field and array accesses".to_owned()];
    assert_eq!(named(far_jump()), (thinned, none, true));
}

#[test]
fn calls_of_a_method_left_out_tell_of_it_themselves() {
    let program = long_method("", 21_840);
    let done = rewritten(
        &program.bytes,
        None,
        ProbeSet::Observed,
        Detail::Interactions,
    );
    let calls: Vec<_> = done
        .sites
        .iter()
        .filter(|site| site.target.name == "value")
        .collect();
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(calls.iter().all(|site| !site.light));
    let program = long_method("", 2);
    let done = rewritten(
        &program.bytes,
        None,
        ProbeSet::Observed,
        Detail::Interactions,
    );
    let is_call =
        |site: &&jinsi_trace::model::Site| site.method == "main" && site.target.name == "value";
    assert!(done.sites.iter().filter(is_call).all(|site| site.light));
}

#[test]
fn private_methods_of_groovy_may_be_called_by_reflection() {
    let program = long_method("", 2);
    let mut file = ClassFile::parse(&program.bytes).unwrap();
    for method in &mut file.methods {
        if method.name(&file.pool).unwrap() == "value" {
            method.access |= ACC_PRIVATE;
        }
    }
    let begins = |file: &ClassFile| {
        let bytes = file.to_bytes().unwrap();
        let done = rewritten(&bytes, Some(NAME), ProbeSet::Observed, Detail::Boundary);
        let mut sites = done.sites.iter();
        sites.any(|site| site.method == "value" && site.kind == EventKind::Enter)
    };
    assert!(!begins(&file));
    let interface = file.pool.add_class("groovy/lang/GroovyObject").unwrap();
    file.interfaces.push(interface);
    assert!(begins(&file));
}

#[test]
fn every_kind_of_code_gets_probes() {
    for program in programs() {
        if program.what == "longest method" {
            continue;
        }
        let done = rewritten(
            &program.bytes,
            None,
            ProbeSet::Observed,
            Detail::Interactions,
        );
        assert_eq!(done.left_out, Vec::<String>::new(), "{}", program.what);
        assert!(done.sites.len() > 3, "{}", program.what);
    }
}

#[test]
fn module_descriptors_stay_as_they_are() {
    let mut class = class(53);
    class.access = ACC_MODULE;
    class.super_class = 0;
    class.this_class = class.pool.add_class("module-info").unwrap();
    let bytes = class.to_bytes().unwrap();
    assert_eq!(
        rewritten(&bytes, None, ProbeSet::Observed, Detail::Interactions).bytes,
        bytes
    );
}

#[test]
fn unknown_attributes_of_classes_and_members_stay() {
    let mut program = long_method("", 2);
    let mut class = ClassFile::parse(&program.bytes).unwrap();
    let unknown = Attribute {
        name: class.pool.add_utf8("Unknown").unwrap(),
        data: vec![1, 2, 3],
    };
    class.attributes.push(unknown.clone());
    class.methods[0].attributes.push(unknown.clone());
    let mut code = class.methods[0].code(&class.pool).unwrap().unwrap();
    code.attributes.push(unknown.clone());
    class.methods[0].set_code(&mut class.pool, &code).unwrap();
    program.bytes = class.to_bytes().unwrap();
    for done in each_way(&program.bytes) {
        let class = ClassFile::parse(&done.bytes).unwrap();
        assert!(class.attributes.contains(&unknown));
        assert!(class.methods[0].attributes.contains(&unknown));
    }
    // What an unknown attribute of code says of places in it would no longer be true.
    let class = ClassFile::parse(&each_way(&program.bytes)[0].bytes).unwrap();
    let code = class.methods[0].code(&class.pool).unwrap().unwrap();
    assert!(!code.attributes.contains(&unknown));
}

#[test]
fn malformed_classes_are_errors() {
    let bytes = switches().bytes;
    let fails = |bytes: &[u8]| {
        let selection = Selection::for_checking(None);
        instrument(
            ClassNo::FIRST,
            ProbeSet::Observed,
            bytes,
            &selection,
            &mut || SiteNo::FIRST,
        )
        .is_err()
    };
    for len in (0..bytes.len()).step_by(997) {
        assert!(fails(&bytes[..len]), "{len}");
    }
    let mut no_constant = ClassFile::parse(&bytes).unwrap();
    no_constant.this_class = u16::MAX;
    assert!(fails(&no_constant.to_bytes().unwrap()));
    let mut no_opcode = class(52);
    add(&mut no_opcode, "m", "()V", &code(0, 0, vec![0xfd]));
    assert!(fails(&no_opcode.to_bytes().unwrap()));
}

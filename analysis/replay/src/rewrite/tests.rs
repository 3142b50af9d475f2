use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use jinsi_classfile::class::Member;
use jinsi_classfile::{ACC_STATIC, Asm, ClassFile, Code, ConstantPool, opcode, skeleton};
use jinsi_natural::Natural;
use jinsi_trace::model::{ClassDef, ClassNo, ClassOrigin, Operation};

use super::*;
use crate::session::{ClassKind, ReplayCode, TraceTables, rewrite_counting, rewrite_for};
use crate::testing;
use jinsi_jdk::Jdk;

fn recording(classes: &[ClassDef]) -> TraceTables {
    TraceTables::new(classes, &[], &[])
}

fn set<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
    names.into_iter().map(str::to_owned).collect()
}

fn write_classes(code: &ReplayCode, dir: &Path) {
    for class in &code.classes {
        let file = dir.join(class.name.replace('.', "/") + ".class");
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, &class.bytes).unwrap();
    }
}

/// Output of the Java side: stub and checker are in `stub`.
fn check(jdk: &Jdk, stub: &Path, args: &[&Path]) -> String {
    let output = Command::new(jdk.java())
        .args([
            "-Xverify:all",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-cp",
        ])
        .arg(stub)
        .arg("jinsi.replay.Check")
        .args(args)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

/// Program compiled for this JDK and for Java 8, and the stub.
struct Programs {
    dir: tempfile::TempDir,
}

impl Programs {
    /// `old` only: for tests that run nothing.
    fn old() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let program = testing::fixtures("rewrite/fixtures/program");
        testing::compile_for_8(&[program], &dir.path().join("old"));
        Self { dir }
    }

    fn all() -> Self {
        let this = Self::old();
        let program = testing::fixtures("rewrite/fixtures/program");
        let modern = testing::fixtures("rewrite/fixtures/modern");
        testing::compile(&[program, modern], &this.dir.path().join("new"));
        let stub = testing::fixtures("rewrite/fixtures/stub");
        testing::compile(&[stub], &this.dir.path().join("stub"));
        this
    }

    fn classes(&self, which: &str) -> Vec<ClassDef> {
        testing::class_table(&self.dir.path().join(which))
    }
}

#[test]
fn every_rewritten_class_verifies_whatever_is_observed() {
    let programs = Programs::all();
    let root = programs.dir.path();
    let mut dirs = Vec::new();
    let mut expected = 0;
    for which in ["old", "new"] {
        let classes = programs.classes(which);
        let recording = recording(&classes);
        let all: BTreeSet<String> = classes.iter().map(|c| c.name.clone()).collect();
        let each = classes.iter().map(|c| BTreeSet::from([c.name.clone()]));
        // All, with and without lines being noted.
        let sets = each.chain([all.clone(), all]);
        for (i, observed) in sets.enumerate() {
            let code = match i == classes.len() {
                true => rewrite_counting(&recording, &Natural::default(), &observed),
                false => rewrite_for(&recording, &Natural::default(), &observed),
            }
            .unwrap();
            assert_eq!(
                (code.classes.len(), code.left_out.len()),
                (classes.len(), 0)
            );
            expected += classes.len();
            let dir = root.join(format!("{which}-{i}"));
            write_classes(&code, &dir);
            dirs.push(dir);
        }
    }
    // What the trace has of classes outside `observe=`: skeletons.
    let mut classes = programs.classes("new");
    for class in classes.iter_mut().filter(|c| c.name != "fix/Modern") {
        class.origin = ClassOrigin::Skeleton;
        class.bytes = skeleton::skeleton(&class.bytes).unwrap().into();
    }
    let observed = set(["fix/Modern"]);
    let code = rewrite_for(&recording(&classes), &Natural::default(), &observed).unwrap();
    expected += code.classes.len();
    dirs.push(root.join("skeletons"));
    write_classes(&code, &root.join("skeletons"));

    let mut args = vec![Path::new("load")];
    args.extend(dirs.iter().map(|d| d.as_path()));
    for jdk in testing::jdks() {
        let out = check(&jdk, &root.join("stub"), &args);
        assert_eq!(
            out,
            format!("{expected} loaded\n"),
            "{}",
            jdk.home().display()
        );
    }
}

#[test]
fn a_program_all_observed_runs_as_it_did() {
    let programs = Programs::all();
    let root = programs.dir.path();
    for (which, main) in [("old", "fix.Main"), ("new", "fix.Modern")] {
        let classes = programs.classes(which);
        let observed: BTreeSet<String> = classes.iter().map(|c| c.name.clone()).collect();
        let code = rewrite_for(&recording(&classes), &Natural::default(), &observed).unwrap();
        let dir = root.join(format!("{which}-rewritten"));
        write_classes(&code, &dir);
        let line = |b: &Bridge| {
            let m = &b.member;
            format!("{:?}\t{}\t{}\t{}\n", b.op, m.owner, m.name, m.desc)
        };
        let table = root.join("bridges.txt");
        fs::write(&table, code.bridges.iter().map(line).collect::<String>()).unwrap();
        for jdk in testing::jdks() {
            let plain = Command::new(jdk.java())
                .arg("-cp")
                .arg(root.join(which))
                .arg(main)
                .output()
                .unwrap();
            assert!(plain.status.success());
            let plain = String::from_utf8(plain.stdout).unwrap();
            let args = [Path::new("run"), &dir, &table, Path::new(main)];
            let rewritten = check(&jdk, &root.join("stub"), &args);
            let summary = "open initializers 0, back edges true, lines 0\n";
            assert_eq!(rewritten, plain.clone() + summary, "{which}");

            let counting =
                rewrite_counting(&recording(&classes), &Natural::default(), &observed).unwrap();
            let dir = root.join(format!("{which}-counting"));
            write_classes(&counting, &dir);
            let args = [Path::new("run"), &dir, &table, Path::new(main)];
            let counted = check(&jdk, &root.join("stub"), &args);
            let lines = counted
                .strip_prefix(&(plain + "open initializers 0, back edges true, lines "))
                .unwrap_or_else(|| panic!("{counted}"));
            let lines: usize = lines.trim_end().parse().unwrap();
            let all = counting.lines.unwrap();
            assert!(0 < lines && lines < all, "{lines} of {all}");
        }
    }
}

#[test]
fn code_without_line_numbers_adds_none() {
    let programs = Programs::old();
    let mut classes = programs.classes("old");
    let observed = set(["fix/Point"]);
    let lines = |classes: &[ClassDef]| {
        let recording = recording(classes);
        rewrite_counting(&recording, &Natural::default(), &observed)
            .unwrap()
            .lines
    };
    let all = lines(&classes).unwrap();
    for class in classes.iter_mut().filter(|c| c.name == "fix/Point") {
        class.bytes = without_lines(&class.bytes).into();
    }
    assert!(lines(&classes).unwrap_or(0) < all);
}

/// The class as `javac -g:none` makes it, as far as lines go.
fn without_lines(bytes: &[u8]) -> Vec<u8> {
    let mut class = ClassFile::parse(bytes).unwrap();
    for method in &mut class.methods {
        if let Some(mut code) = method.code(&class.pool).unwrap() {
            let pool = &class.pool;
            code.attributes
                .retain(|a| !pool.is_utf8(a.name, "LineNumberTable"));
            method.set_code(&mut class.pool, &code).unwrap();
        }
    }
    class.to_bytes().unwrap()
}

/// Sites of `class` that are redirected, as `operation owner.name`.
fn redirected(code: &ReplayCode, class: &str) -> BTreeSet<String> {
    let text = |b: &Bridge| format!("{:?} {}.{}", b.op, b.member.owner, b.member.name);
    let sites = code.bridges.iter().filter(|b| b.class == class);
    sites.map(text).collect()
}

/// The program, rewritten with only its boxes observed.
fn boxes() -> ReplayCode {
    let classes = Programs::old().classes("old");
    let recording = recording(&classes);
    rewrite_for(&recording, &Natural::default(), &set(["fix/Box"])).unwrap()
}

#[test]
fn what_goes_out_of_observed_code_is_redirected() {
    let sites = redirected(&boxes(), "fix/Box");
    for site in [
        "Construct fix/Point.<init>",
        "Construct fix/Box$Cursor.<init>",
        "Call fix/Point.twin",
        "GetField fix/Point.marks",
        "Call java/util/List.size",
        "GetField fix/Box.modifications",
        "PutField fix/Box.modifications",
        "GetStatic fix/Box$2.$SwitchMap$fix$Box$Kind",
        "Call java/util/function/Supplier.get",
    ] {
        assert!(sites.contains(site), "{site}: {sites:?}");
    }
}

#[test]
fn natural_constructions_own_statics_and_accesses_to_this_stay() {
    let sites = redirected(&boxes(), "fix/Box");
    for site in [
        "Construct java/util/ArrayList.<init>",
        "Construct java/util/Random.<init>",
        "GetStatic fix/Box.boxes",
        "CallStatic fix/Box.sized",
        "PutField fix/Box.points",
        "Call fix/Box.kind",
        "Call java/lang/String.length",
        "CallStatic java/lang/Integer.valueOf",
    ] {
        assert!(!sites.contains(site), "{site}");
    }
}

#[test]
fn default_methods_run_on_observed_objects_and_statics_of_their_interface_do_not() {
    let code = boxes();
    let mut inherited = redirected(&code, "fix/Shape");
    inherited.retain(|site| !site.contains(" java/"));
    let expected = [
        "Call fix/Shape.area",
        "CallStatic fix/Shape.prefix",
        "CallStatic fix/Shape.unit",
        "GetStatic fix/Shape.ORIGIN",
    ];
    assert_eq!(inherited, set(expected));
    assert!(redirected(&code, "fix/Point").is_empty());
    let kind = |name: &str| code.classes.iter().find(|c| c.name == name).map(|c| c.kind);
    assert_eq!(kind("fix.Shape"), Some(ClassKind::Code));
    assert_eq!(kind("fix.Point"), Some(ClassKind::Environment));
}

#[test]
fn bodies_of_the_environment_are_traps() {
    let code = boxes();
    let trapped = |owner: &str, name: &str| {
        let member = |t: &&Trap| t.member.owner == owner && t.member.name == name;
        code.traps.iter().find(member).map(|t| t.op)
    };
    assert_eq!(trapped("fix/Point", "twin"), Some(Operation::Call));
    assert_eq!(trapped("fix/Point", "<init>"), Some(Operation::Construct));
    assert_eq!(trapped("fix/Shape", "prefix"), Some(Operation::CallStatic));
    // Guarded: a `Shape` need not be a `Box`.
    assert_eq!(trapped("fix/Shape", "label"), Some(Operation::Call));
    assert_eq!(trapped("fix/Box", "label"), None);
}

/// A recording from before there were bodies of method references, or one whose list of natural classes was another.
#[test]
fn method_references_to_the_environment_are_redirected_like_calls() {
    let dir = tempfile::tempdir().unwrap();
    let sources = testing::fixtures("rewrite/fixtures/references");
    testing::compile(&[sources], dir.path());
    let classes = testing::class_table(dir.path());
    let names: BTreeSet<String> = classes.iter().map(|c| c.name.clone()).collect();
    let natural = Natural::default();
    let code = rewrite_for(&recording(&classes), &natural, &names).unwrap();
    for (class, sites) in [
        (
            "fix/References",
            &[
                "Construct java/io/File.<init>",
                "Call java/io/File.delete",
                "CallStatic java/lang/System.currentTimeMillis",
            ][..],
        ),
        (
            "fix/References$Clock",
            &["CallStatic java/lang/System.nanoTime"],
        ),
    ] {
        let found = redirected(&code, class);
        for site in sites {
            assert!(found.contains(*site), "{site}: {found:?}");
        }
        assert!(!found.contains("CallStatic java/lang/Integer.parseInt"));
        let name = class.replace('/', ".");
        let written = code.classes.iter().find(|c| c.name == name).unwrap();
        let written = ClassFile::parse(&written.bytes).unwrap();
        for left in jinsi_classfile::references::references(&written).unwrap() {
            let plain = [class, "java/lang/Integer", "java/lang/Object"].contains(&&*left.owner);
            assert!(plain, "{left:?}");
        }
    }
    // `super(path)` of a file's writer comes to nothing.
    let opens = |t: &&Trap| t.member.owner == "java/io/FileWriter" && t.op == Operation::Construct;
    assert!(code.traps.iter().any(|t| opens(&t)));

    let all = dir.path().join("rewritten");
    write_classes(&code, &all);
    let stub = dir.path().join("stub");
    testing::compile(&[testing::fixtures("rewrite/fixtures/stub")], &stub);
    for jdk in testing::jdks() {
        let loaded = check(&jdk, &stub, &[Path::new("load"), &all]);
        assert!(loaded.contains(&classes.len().to_string()), "{loaded}");
    }
}

/// No compiler makes one, but a class file may: the JVM asks the clock while it computes a constant.
#[test]
fn what_the_jvm_would_compute_of_the_environment_is_refused() {
    let making = |owner: &str, name: &str, desc: &str| {
        let (code, pool) = initializer(false);
        let mut class = ClassFile::parse(&old_class(0x21, code, pool).bytes).unwrap();
        let pool = &mut class.pool;
        let factory = pool
            .add_method_ref(
                "java/lang/invoke/ConstantBootstraps",
                "invoke",
                "()V",
                false,
            )
            .unwrap();
        let factory = pool.add_method_handle(6, factory).unwrap();
        let member = pool.add_method_ref(owner, name, desc, false).unwrap();
        let handle = pool.add_method_handle(6, member).unwrap();
        let name = pool.add_utf8("BootstrapMethods").unwrap();
        let words = [1, factory, 1, handle];
        let data = words.iter().flat_map(|w: &u16| w.to_be_bytes()).collect();
        class
            .attributes
            .push(jinsi_classfile::Attribute { name, data });
        class
    };
    let natural = Natural::default();
    let rewritten = |class: ClassFile| {
        let (universe, observed) = (Universe::default(), BTreeSet::new());
        let world = World::new(&universe, &natural, &observed, |_| false).unwrap();
        let bytes = class.to_bytes().unwrap();
        super::observed(&bytes, &world, &mut Tables::default()).map(|_| ())
    };
    let refused = rewritten(making("java/lang/System", "nanoTime", "()J")).unwrap_err();
    let text = refused.to_string();
    assert!(text.contains("java/lang/System.nanoTime"), "{text}");
    for (owner, name, desc) in [
        ("java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;"),
        (
            "java/lang/constant/ClassDesc",
            "of",
            "(Ljava/lang/String;)Ljava/lang/constant/ClassDesc;",
        ),
    ] {
        assert_eq!(rewritten(making(owner, name, desc)), Ok(()));
    }
}

#[test]
fn places_of_sites_are_those_of_the_original_code() {
    let programs = Programs::old();
    let classes = programs.classes("old");
    let code = rewrite_for(&recording(&classes), &Natural::default(), &set(["fix/Box"])).unwrap();
    for bridge in &code.bridges {
        let def = classes.iter().find(|c| c.name == bridge.class).unwrap();
        let class = ClassFile::parse(&def.bytes).unwrap();
        let index = class.find_method(&bridge.method, &bridge.desc).unwrap();
        let body = class.methods[index].code(&class.pool).unwrap().unwrap();
        let insn = jinsi_classfile::insn::at(&body.bytes, u32::from(bridge.bci)).unwrap();
        let member = class.pool.member_ref(insn.pool_index().unwrap()).unwrap();
        assert_eq!(
            (&*member.owner, &*member.name),
            (&*bridge.member.owner, &*bridge.member.name)
        );
        assert_ne!(bridge.line, 0);
    }
    let numbers: Vec<u32> = code.bridges.iter().map(|b| b.no).collect();
    assert_eq!(numbers, (1..=code.bridges.len() as u32).collect::<Vec<_>>());
}

/// Nothing has happened with it, so it takes the environment's part, and what inherits from it with it.
#[test]
fn a_class_that_was_never_in_use_is_environment() {
    let mut classes = Programs::old().classes("old");
    let base = classes.iter_mut().find(|c| c.name == "fix/base/Base");
    base.unwrap().origin = ClassOrigin::Skeleton;
    let recording = recording(&classes);
    let (natural, observed) = (Natural::default(), set(["fix/Main", "fix/Point"]));
    let role = |lost: bool| {
        let world = World::new(recording.universe(), &natural, &observed, |_| lost);
        world.map(|world| (world.role("fix/Main"), world.role("fix/Point")))
    };
    // Where all code is there, it may be used.
    let world = World::new(recording.universe(), &natural, &observed, |_| false).unwrap();
    assert_eq!(
        ["fix/Point", "fix/base/Base"].map(|name| world.role_with_code(name)),
        [ClassRole::Observed, ClassRole::Inherited]
    );
    assert_eq!(
        role(false),
        Ok((ClassRole::Observed, ClassRole::Environment))
    );
    assert!(matches!(
        role(true),
        Err(RewriteError::NoInheritedCode { class, .. }) if class == "fix/Point"
    ));
}

#[test]
fn sets_that_cannot_be_replayed_are_refused_with_the_reason() {
    let programs = Programs::old();
    let mut classes = programs.classes("old");
    let natural = Natural::default();
    let refuse = |classes: &[ClassDef], observed: &BTreeSet<String>| {
        rewrite_for(&recording(classes), &natural, observed).unwrap_err()
    };
    assert!(matches!(
        refuse(&classes, &set(["fix/Nothing"])),
        RewriteError::NoCode { class } if class == "fix/Nothing"
    ));
    assert!(matches!(
        refuse(&classes, &set(["java/util/ArrayList"])),
        RewriteError::Jdk { .. }
    ));
    let base = classes
        .iter_mut()
        .find(|c| c.name == "fix/base/Base")
        .unwrap();
    base.origin = ClassOrigin::Skeleton;
    assert!(matches!(
        refuse(&classes, &set(["fix/Point"])),
        RewriteError::NoInheritedCode { ancestor, .. } if ancestor == "fix/base/Base"
    ));
    let broken = classes.iter_mut().find(|c| c.name == "fix/Main").unwrap();
    broken.bytes = broken.bytes[..40].into();
    assert!(matches!(
        refuse(&classes, &set(["fix/Main"])),
        RewriteError::Parse { .. }
    ));
    // As environment, a class that cannot be read is merely not there.
    let code = rewrite_for(&recording(&classes), &natural, &set(["fix/Box"])).unwrap();
    assert_eq!(code.left_out.len(), 1);
}

/// A class with one method, of class file version 46.
fn old_class(access: u16, code: Code, mut pool: ConstantPool) -> ClassDef {
    let mut method = Member {
        access: ACC_STATIC,
        name: pool.add_utf8("<clinit>").unwrap(),
        desc: pool.add_utf8("()V").unwrap(),
        attributes: Vec::new(),
    };
    method.set_code(&mut pool, &code).unwrap();
    let class = ClassFile {
        minor: 0,
        major: 46,
        access,
        this_class: pool.add_class("old/Type").unwrap(),
        super_class: pool.add_class("java/lang/Object").unwrap(),
        pool,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![method],
        attributes: Vec::new(),
    };
    ClassDef {
        no: ClassNo::FIRST,
        name: "old/Type".to_owned(),
        super_name: Some("java/lang/Object".to_owned()),
        interfaces: Vec::new(),
        access,
        origin: ClassOrigin::Observed,
        source_file: None,
        bytes: class.to_bytes().unwrap().into(),
    }
}

/// `<clinit>` that calls the environment, behind a conditional jump if `jumps`.
fn initializer(jumps: bool) -> (Code, ConstantPool) {
    let mut pool = ConstantPool::new();
    let mut asm = Asm::new();
    let end = asm.label();
    if jumps {
        asm.int(&mut pool, 0).branch(opcode::IFEQ, end);
    }
    asm.invokestatic(&mut pool, "lib/Setup", "go", "()V");
    asm.bind(end).op(opcode::RETURN);
    let code = asm.into_code(&mut pool, 0).unwrap();
    (code, pool)
}

#[test]
fn old_interfaces_get_a_version_that_allows_bridges() {
    let rewrite = |access: u16, jumps: bool| {
        let (code, pool) = initializer(jumps);
        let classes = [old_class(access, code, pool)];
        rewrite_for(
            &recording(&classes),
            &Natural::default(),
            &set(["old/Type"]),
        )
    };
    let major = |code: ReplayCode| ClassFile::parse(&code.classes[0].bytes).unwrap().major;
    let interface = 0x0600;
    assert_eq!(major(rewrite(interface, false).unwrap()), 52);
    assert_eq!(major(rewrite(0x20, true).unwrap()), 46);
    let refused = rewrite(interface, true).unwrap_err();
    assert!(
        matches!(refused, RewriteError::Unsupported { bci: 4, ref method, .. } if method == "<clinit>"),
        "{refused}"
    );
}

#[test]
fn what_ran_before_the_recording_does_not_run_again() {
    let (code, pool) = initializer(false);
    let classes = [old_class(0x20, code, pool)];
    let begun = recording(&classes).with_initialized(["old/Type".to_owned()]);
    let methods = |recording: &TraceTables| {
        let code = rewrite_for(recording, &Natural::default(), &set(["old/Type"])).unwrap();
        let initialized = code.today.parts[0].initialized;
        let class = ClassFile::parse(&code.classes[0].bytes).unwrap();
        (class.find_method("<clinit>", "()V").is_some(), initialized)
    };
    assert_eq!(methods(&recording(&classes)), (true, false));
    assert_eq!(methods(&begun), (false, true));
}

#[test]
fn a_construction_taken_apart_is_refused() {
    let mut pool = ConstantPool::new();
    let mut asm = Asm::new();
    asm.typed(opcode::NEW, &mut pool, "lib/Thing")
        .store('L', 0)
        .load('L', 0);
    let init = pool
        .add_method_ref("lib/Thing", "<init>", "()V", false)
        .unwrap();
    asm.invoke(opcode::INVOKESPECIAL, init, "()V")
        .op(opcode::RETURN);
    let code = asm.into_code(&mut pool, 0).unwrap();
    let classes = [old_class(0x20, code, pool)];
    let error = rewrite_for(
        &recording(&classes),
        &Natural::default(),
        &set(["old/Type"]),
    );
    assert!(
        matches!(error, Err(RewriteError::Unsupported { bci: 5, .. })),
        "{error:?}"
    );
}

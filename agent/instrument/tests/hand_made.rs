//! Class files that no compiler of today makes, rewritten in every way: they run as before, fully verified, and what cannot be
//! rewritten is named.

mod support;

use std::fs;
use std::path::Path;

use jinsi_classfile::class::Attribute;
use jinsi_classfile::frames::{self, Frame, FrameKind, VType};
use jinsi_classfile::opcode::*;
use jinsi_classfile::{ACC_MODULE, ACC_STATIC, Asm, ClassFile, Code, ConstantPool, Handler, subst};
use jinsi_instrument::selection::Selection;
use jinsi_instrument::{Instrumented, Part, instrument};
use jinsi_trace::model::{ClassNo, Detail, SiteNo};

use support::{compile_probes, jdks, run, stderr, stdout};

/// Name of the class in each program.
const NAME: &str = "Made";

/// A class with a static method `value()I`, whose result its `main` prints.
struct Program {
    what: &'static str,
    bytes: Vec<u8>,
    prints: i32,
}

/// A class of a version, without methods.
fn class(major: u16) -> ClassFile {
    let mut pool = ConstantPool::new();
    ClassFile {
        minor: 0,
        major,
        access: 0x21,
        this_class: pool.add_class(NAME).unwrap(),
        super_class: pool.add_class("java/lang/Object").unwrap(),
        pool,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
    }
}

fn code(max_stack: u16, max_locals: u16, bytes: Vec<u8>) -> Code {
    Code {
        max_stack,
        max_locals,
        bytes,
        ..Code::default()
    }
}

fn add(class: &mut ClassFile, name: &str, desc: &str, code: &Code) {
    subst::add_method(class, ACC_STATIC, name, desc, code).unwrap();
}

/// Adds `main`, and this code as `value()I`.
fn finished(what: &'static str, prints: i32, mut class: ClassFile, value: &Code) -> Program {
    add(&mut class, "value", "()I", value);
    let pool = &mut class.pool;
    let out = pool
        .add_field_ref("java/lang/System", "out", "Ljava/io/PrintStream;")
        .unwrap();
    let println = pool
        .add_method_ref("java/io/PrintStream", "println", "(I)V", false)
        .unwrap();
    let mut main = Asm::new();
    main.field(GETSTATIC, out, "Ljava/io/PrintStream;")
        .invokestatic(pool, NAME, "value", "()I")
        .invoke(INVOKEVIRTUAL, println, "(I)V")
        .ret('V');
    let main = main.into_code(pool, 1).unwrap();
    let access = ACC_STATIC | 1;
    subst::add_method(&mut class, access, "main", "([Ljava/lang/String;)V", &main).unwrap();
    Program {
        what,
        bytes: class.to_bytes().unwrap(),
        prints,
    }
}

fn rewritten(bytes: &[u8], observe: Option<&str>, part: Part, detail: Detail) -> Instrumented {
    let selection = Selection::for_checking(observe).in_detail(detail);
    let mut next = 40_000;
    let mut next_site = || {
        next += 1;
        SiteNo::FIRST.behind(next - 1)
    };
    instrument(ClassNo::FIRST, part, bytes, &selection, &mut next_site).unwrap()
}

/// Every way to rewrite a class.
fn each_way(bytes: &[u8]) -> [Instrumented; 6] {
    [
        rewritten(bytes, None, Part::Observed, Detail::Interactions),
        rewritten(bytes, Some(NAME), Part::Observed, Detail::Interactions),
        rewritten(bytes, Some(""), Part::Inherited, Detail::Interactions),
        rewritten(bytes, Some(NAME), Part::Observed, Detail::Boundary),
        rewritten(bytes, Some(""), Part::Inherited, Detail::Boundary),
        rewritten(bytes, Some(NAME), Part::Observed, Detail::Instructions),
    ]
}

/// Subroutines that call one another, before version 50.
fn subroutines() -> Program {
    let value = vec![
        // 0: 1 into local 0, the subroutine at 12 twice
        ICONST_1, ISTORE_0, JSR, 0, 10, JSR, 0, 7, ILOAD_0, IRETURN, NOP, NOP,
        // 12: adds 2, and calls that at 22
        ASTORE_1, IINC, 0, 2, JSR, 0, 6, RET, 1, NOP, // 22: adds 10
        ASTORE_2, IINC, 0, 10, RET, 2,
    ];
    finished("subroutines", 25, class(48), &code(2, 3, value))
}

/// `finally` as compilers made it: a subroutine called on the way out, and by a handler for everything.
fn finally_by_subroutine() -> Program {
    let mut class = class(46);
    let exception = class.pool.add_class("java/lang/RuntimeException").unwrap();
    let init = class
        .pool
        .add_method_ref("java/lang/RuntimeException", "<init>", "()V", false)
        .unwrap();
    let [e, x] = exception.to_be_bytes();
    let [i, n] = init.to_be_bytes();
    let value = Code {
        bytes: vec![
            // 0: 5 into local 0; throw new RuntimeException()
            ICONST_5,
            ISTORE_0,
            NEW,
            e,
            x,
            DUP,
            INVOKESPECIAL,
            i,
            n,
            ATHROW,
            // 10: the handler of RuntimeException: calls 27, returns local 0
            POP,
            JSR,
            0,
            16,
            ILOAD_0,
            IRETURN,
            NOP, // 17: the handler of everything: calls 27
            ASTORE_1,
            JSR,
            0,
            9,
            ALOAD_1,
            ATHROW,
            NOP,
            NOP,
            NOP,
            NOP,
            // 27: multiplies by itself
            ASTORE_2,
            ILOAD_0,
            ILOAD_0,
            IMUL,
            ISTORE_0,
            RET,
            2,
        ],
        handlers: vec![
            Handler {
                start: 2,
                end: 10,
                handler: 10,
                catch_type: exception,
            },
            Handler {
                start: 2,
                end: 14,
                handler: 17,
                catch_type: 0,
            },
        ],
        ..code(3, 3, vec![])
    };
    finished("finally by subroutine", 25, class, &value)
}

/// Variables beyond 255, and long jumps where short ones would do.
fn wide() -> Program {
    let value = vec![
        // 0: 0 into local 300; 6: adds 1000 to it
        ICONST_0, WIDE, ISTORE, 1, 44, NOP, WIDE, IINC, 1, 44, 3, 232,
        // 12: back to 6 until it is 5000
        WIDE, ILOAD, 1, 44, SIPUSH, 0x13, 0x88, IF_ICMPLT, 0, 8, GOTO_W, 0, 0, 0, 10,
        // 27: far back
        GOTO_W, 0xff, 0xff, 0xff, 0xeb, NOP, NOP, NOP, NOP, // 36
        WIDE, ILOAD, 1, 44, IRETURN,
    ];
    finished("wide", 5_000, class(48), &code(2, 301, value))
}

/// A method that does nothing but write a wide field of an object of another class.
fn wide_field() -> Program {
    const POINT: &str = "java/awt/geom/Point2D$Double";
    let mut class = class(52);
    let pool = &mut class.pool;
    let x = pool.add_field_ref(POINT, "x", "D").unwrap();
    let mut set = Asm::new();
    set.load('L', 0)
        .op(DCONST_1)
        .field(PUTFIELD, x, "D")
        .ret('V');
    let set = set.into_code(pool, 1).unwrap();
    let init = pool.add_method_ref(POINT, "<init>", "()V", false).unwrap();
    let mut value = Asm::new();
    value
        .typed(NEW, pool, POINT)
        .op(DUP)
        .invoke(INVOKESPECIAL, init, "()V")
        .op(DUP)
        .invokestatic(pool, NAME, "set", &format!("(L{POINT};)V"))
        .field(GETFIELD, x, "D")
        .op(D2I)
        .ret('I');
    let value = value.into_code(pool, 0).unwrap();
    add(&mut class, "set", &format!("(L{POINT};)V"), &set);
    finished("wide field", 1, class, &value)
}

/// A `tableswitch` and a `lookupswitch` of thousands of cases.
fn switches() -> Program {
    const CASES: i32 = 3_000;
    let mut class = class(48);
    for (name, table) in [("table", true), ("lookup", false)] {
        // 0: iload_0; 1: the switch, its operands from 4 on; behind it, for three cases each: return 1, 2 and 3
        let mut bytes = vec![
            ILOAD_0,
            if table { TABLESWITCH } else { LOOKUPSWITCH },
            0,
            0,
        ];
        let width = if table { 4 } else { 8 };
        let header = if table { 12 } else { 8 };
        let end = 4 + header + width * CASES;
        let jump = |n: i32| (end - 1 + 2 * n).to_be_bytes();
        bytes.extend(jump(2));
        if table {
            bytes.extend(0i32.to_be_bytes());
            bytes.extend((CASES - 1).to_be_bytes());
        } else {
            bytes.extend(CASES.to_be_bytes());
        }
        for key in 0..CASES {
            if !table {
                bytes.extend((key * 7).to_be_bytes());
            }
            bytes.extend(jump(key % 2));
        }
        bytes.extend([ICONST_1, IRETURN, ICONST_2, IRETURN, ICONST_3, IRETURN]);
        add(&mut class, name, "(I)I", &code(1, 1, bytes));
    }
    let mut value = Asm::new();
    value.int(&mut class.pool, 0);
    for (name, n) in [
        ("table", 0),
        ("table", CASES - 1),
        ("table", CASES),
        ("lookup", 7 * (CASES - 1)),
        ("lookup", 1),
    ] {
        value
            .int(&mut class.pool, 10)
            .op(IMUL)
            .int(&mut class.pool, n)
            .invokestatic(&mut class.pool, NAME, name, "(I)I")
            .op(IADD);
    }
    value.ret('I');
    let value = value.into_code(&mut class.pool, 0).unwrap();
    finished("switches", 12_323, class, &value)
}

/// Before version 50 nobody looks at code that is never reached; since, it has frames.
fn dead_code() -> [Program; 2] {
    let mut bytes = vec![
        ICONST_4, IRETURN, POP2, ALOAD_3, IADD, ARETURN, GOTO, 0xff, 0xfb,
    ];
    bytes.extend([LSTORE_0, POP, RETURN]);
    let old = finished("dead code, old", 4, class(49), &code(2, 4, bytes));
    let mut class = class(52);
    let throwable = class.pool.add_class("java/lang/Throwable").unwrap();
    let frames = [
        (3, FrameKind::SameLocals1(VType::Object(throwable))),
        (4, FrameKind::Same),
    ];
    let frames = frames.map(|(offset, kind)| Frame { offset, kind });
    let mut value = code(1, 0, vec![GOTO, 0, 4, ATHROW, ICONST_4, IRETURN]);
    value.attributes.push(Attribute {
        name: class.pool.add_utf8("StackMapTable").unwrap(),
        data: frames::encode(&frames).unwrap(),
    });
    [old, finished("dead code, new", 4, class, &value)]
}

/// A constructor that handles an exception before it calls another, and drops its first variable.
fn uninitialized() -> Program {
    let mut class = class(49);
    let object = class
        .pool
        .add_method_ref("java/lang/Object", "<init>", "()V", false)
        .unwrap();
    let parse = class
        .pool
        .add_method_ref(
            "java/lang/Integer",
            "parseInt",
            "(Ljava/lang/String;)I",
            false,
        )
        .unwrap();
    let value = class.pool.add_field_ref(NAME, "kept", "I").unwrap();
    let field = jinsi_classfile::Member {
        access: 0,
        name: class.pool.add_utf8("kept").unwrap(),
        desc: class.pool.add_utf8("I").unwrap(),
        attributes: Vec::new(),
    };
    class.fields.push(field);
    let ([p, q], [o, b], [v, w]) = (
        parse.to_be_bytes(),
        object.to_be_bytes(),
        value.to_be_bytes(),
    );
    let init = Code {
        bytes: vec![
            // 0: the object moves to local 3; what is given is read as a number
            ALOAD_0,
            ASTORE_3,
            ACONST_NULL,
            ASTORE_0,
            ALOAD_1,
            INVOKESTATIC,
            p,
            q,
            ISTORE_2,
            // 9: object initialized, number kept
            ALOAD_3,
            INVOKESPECIAL,
            o,
            b,
            ALOAD_3,
            ILOAD_2,
            PUTFIELD,
            v,
            w,
            RETURN,
            // 19: handler
            POP,
            BIPUSH,
            7,
            ISTORE_2,
            GOTO,
            0xff,
            0xf2,
        ],
        handlers: vec![Handler {
            start: 4,
            end: 8,
            handler: 19,
            catch_type: 0,
        }],
        ..code(3, 4, vec![])
    };
    subst::add_method(&mut class, 0, "<init>", "(Ljava/lang/String;)V", &init).unwrap();
    let made = class
        .pool
        .add_method_ref(NAME, "<init>", "(Ljava/lang/String;)V", false)
        .unwrap();
    let mut body = Asm::new();
    for (n, text) in ["x", "30"].into_iter().enumerate() {
        body.typed(NEW, &mut class.pool, NAME)
            .op(DUP)
            .string(&mut class.pool, text)
            .invoke(INVOKESPECIAL, made, "(Ljava/lang/String;)V")
            .field(GETFIELD, value, "I");
        if n > 0 {
            body.op(IADD);
        }
    }
    body.ret('I');
    let body = body.into_code(&mut class.pool, 0).unwrap();
    finished("uninitialized object, handler over it", 37, class, &body)
}

/// A class that runs although most of what it names is missing. The verifier of old class files must not be made to look for it.
fn missing_classes() -> Program {
    let mut class = class(48);
    let taken = "(Ljava/lang/Object;Ljava/lang/Object;)I";
    let mut take = Asm::new();
    take.op(ICONST_3).ret('I');
    let take = take.into_code(&mut class.pool, 2).unwrap();
    add(&mut class, "take", taken, &take);
    let desc = "(Lmissing/A;Lmissing/B;[Lmissing/C;)I";
    let mut body = Asm::new();
    // One variable for several types, one after the other; calls with arguments of different types, in a loop and without.
    let [again, on] = [body.label(), body.label()];
    body.bind(again);
    for (a, b) in [(0, 1), (1, 0), (2, 1)] {
        body.load('L', a)
            .store('L', 3)
            .load('L', 3)
            .load('L', b)
            .invokestatic(&mut class.pool, NAME, "take", taken)
            .op(POP);
    }
    body.load('L', 0)
        .branch(IFNULL, on)
        .null()
        .store('L', 0)
        .branch(GOTO, again)
        .bind(on)
        .load('L', 1)
        .store('L', 0)
        .load('L', 0)
        .load('L', 2)
        .invokestatic(&mut class.pool, NAME, "take", taken)
        .ret('I');
    let body = body.into_code(&mut class.pool, 3).unwrap();
    add(&mut class, "mixed", desc, &body);
    let mut value = Asm::new();
    value
        .null()
        .null()
        .null()
        .invokestatic(&mut class.pool, NAME, "mixed", desc)
        .ret('I');
    let value = value.into_code(&mut class.pool, 0).unwrap();
    finished("missing classes", 3, class, &value)
}

/// A dynamic constant. The library adds no such constants: they are put into the bytes, in the place of others as long.
fn dynamic_constant() -> Program {
    let mut class = class(55);
    let bootstrap = class
        .pool
        .add_method_ref(
            "java/lang/invoke/ConstantBootstraps",
            "nullConstant",
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;",
            false,
        )
        .unwrap();
    let name = class
        .pool
        .add_name_and_type("_", "Ljava/lang/String;")
        .unwrap();
    let handle = class.pool.add_utf8("#").unwrap();
    let dynamic = class.pool.add_integer(i32::from(name)).unwrap();
    let [h, l] = handle.to_be_bytes();
    class.attributes.push(Attribute {
        name: class.pool.add_utf8("BootstrapMethods").unwrap(),
        data: vec![0, 1, h, l, 0, 0],
    });
    let length = class
        .pool
        .add_method_ref("java/lang/String", "length", "()I", false)
        .unwrap();
    let value_of = "(Ljava/lang/Object;)Ljava/lang/String;";
    let mut value = Asm::new();
    value
        .constant(&class.pool, dynamic)
        .invokestatic(&mut class.pool, "java/lang/String", "valueOf", value_of)
        .invoke(INVOKEVIRTUAL, length, "()I")
        .ret('I');
    let value = value.into_code(&mut class.pool, 0).unwrap();
    let mut program = finished("dynamic constant", "null".len() as i32, class, &value);
    let [b, m] = bootstrap.to_be_bytes();
    let [n, t] = name.to_be_bytes();
    for (from, to) in [
        (&[1, 0, 1, b'#'][..], &[15, 6, b, m][..]),
        (&[3, 0, 0, n, t], &[17, 0, 0, n, t]),
    ] {
        let found: Vec<usize> = (0..program.bytes.len() - to.len())
            .filter(|at| &program.bytes[*at..at + from.len()] == from)
            .collect();
        assert_eq!(found.len(), 1);
        program.bytes[found[0]..found[0] + to.len()].copy_from_slice(to);
    }
    program
}

/// A method that adds 1 so many times; three bytes each.
fn long_method(what: &'static str, times: i32) -> Program {
    let mut bytes = vec![ICONST_0, ISTORE_0];
    for _ in 0..times {
        bytes.extend([IINC, 0, 1]);
    }
    bytes.extend([ILOAD_0, IRETURN]);
    finished(what, times, class(52), &code(1, 1, bytes))
}

/// Conditional jumps over nearly 32 KiB of calls, with frames: no jump can be made longer without a frame behind it.
fn far_jump() -> Program {
    let mut class = class(52);
    let mut nothing = Asm::new();
    nothing.ret('V');
    let nothing = nothing.into_code(&mut class.pool, 0).unwrap();
    add(&mut class, "nothing", "()V", &nothing);
    let mut value = Asm::new();
    let end = value.label();
    value.op(ICONST_0).branch(IFEQ, end);
    for _ in 0..10_000 {
        value.invokestatic(&mut class.pool, NAME, "nothing", "()V");
    }
    value.bind_with_frame(end, vec![], vec![]);
    value.int(&mut class.pool, 77).ret('I');
    let value = value.into_code(&mut class.pool, 0).unwrap();
    finished("far jump", 77, class, &value)
}

fn programs() -> Vec<Program> {
    let mut all = vec![
        subroutines(),
        finally_by_subroutine(),
        wide(),
        wide_field(),
        switches(),
        uninitialized(),
        missing_classes(),
        dynamic_constant(),
        long_method("long method", 21_000),
        long_method("longest method", 21_840),
        far_jump(),
    ];
    all.extend(dead_code());
    all
}

#[test]
fn they_run_as_before() {
    for jdk in jdks() {
        let work = tempfile::tempdir().unwrap();
        let probes = work.path().join("probes");
        compile_probes(&jdk, &probes);
        for program in programs() {
            let prints = |bytes: &[u8]| printed(&jdk, &probes, work.path(), bytes);
            let expected = format!("{}\n", program.prints);
            assert_eq!(prints(&program.bytes), expected, "{}", program.what);
            for done in each_way(&program.bytes) {
                assert_eq!(prints(&done.bytes), expected, "{}", program.what);
            }
        }
    }
}

fn printed(jdk: &Path, probes: &Path, work: &Path, bytes: &[u8]) -> String {
    let classes = work.join("classes");
    fs::create_dir_all(&classes).unwrap();
    fs::write(classes.join(format!("{NAME}.class")), bytes).unwrap();
    let output = run(jdk, probes, &classes, NAME);
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn what_has_no_room_is_named_and_the_rest_is_rewritten() {
    let named = |program: Program| {
        let done = rewritten(&program.bytes, None, Part::Observed, Detail::Interactions);
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
    let done = rewritten(&program.bytes, None, Part::Observed, Detail::Interactions);
    let calls: Vec<_> = done
        .sites
        .iter()
        .filter(|site| site.target.name == "value")
        .collect();
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(calls.iter().all(|site| !site.light));
    let program = long_method("", 2);
    let done = rewritten(&program.bytes, None, Part::Observed, Detail::Interactions);
    let is_call =
        |site: &&jinsi_trace::model::Site| site.method == "main" && site.target.name == "value";
    assert!(done.sites.iter().filter(is_call).all(|site| site.light));
}

#[test]
fn every_kind_of_code_gets_probes() {
    for program in programs() {
        if program.what == "longest method" {
            continue;
        }
        let done = rewritten(&program.bytes, None, Part::Observed, Detail::Interactions);
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
        rewritten(&bytes, None, Part::Observed, Detail::Interactions).bytes,
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
            Part::Observed,
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

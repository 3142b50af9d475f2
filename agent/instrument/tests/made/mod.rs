//! Class files that no compiler of today makes.

use jinsi_classfile::class::Attribute;
use jinsi_classfile::frames::{self, Frame, FrameKind, VType};
use jinsi_classfile::opcode::*;
use jinsi_classfile::{ACC_STATIC, Asm, ClassFile, Code, ConstantPool, Handler, subst};

/// Name of the class in each program.
pub(crate) const NAME: &str = "Made";

/// A class with a static method `value()I`, whose result its `main` prints.
pub(crate) struct Program {
    pub(crate) what: &'static str,
    pub(crate) bytes: Vec<u8>,
    pub(crate) prints: i32,
}

/// A class of a version, without methods.
pub(crate) fn class(major: u16) -> ClassFile {
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

pub(crate) fn code(max_stack: u16, max_locals: u16, bytes: Vec<u8>) -> Code {
    Code {
        max_stack,
        max_locals,
        bytes,
        ..Code::default()
    }
}

pub(crate) fn add(class: &mut ClassFile, name: &str, desc: &str, code: &Code) {
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
    let handler = |start, end, handler, catch_type| Handler {
        start,
        end,
        handler,
        catch_type,
    };
    let value = Code {
        bytes: finally_code(exception, init),
        handlers: vec![handler(2, 10, 10, exception), handler(2, 14, 17, 0)],
        ..code(3, 3, vec![])
    };
    finished("finally by subroutine", 25, class, &value)
}

/// Its instructions.
fn finally_code(exception: u16, init: u16) -> Vec<u8> {
    let [e, x] = exception.to_be_bytes();
    let [i, n] = init.to_be_bytes();
    vec![
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
    ]
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
pub(crate) fn switches() -> Program {
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
    let init = Code {
        bytes: constructor_code(parse, object, value),
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

/// The instructions of its constructor.
fn constructor_code(parse: u16, object: u16, value: u16) -> Vec<u8> {
    let [[p, q], [o, b], [v, w]] = [parse, object, value].map(u16::to_be_bytes);
    vec![
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
    ]
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
pub(crate) fn long_method(what: &'static str, times: i32) -> Program {
    let mut bytes = vec![ICONST_0, ISTORE_0];
    for _ in 0..times {
        bytes.extend([IINC, 0, 1]);
    }
    bytes.extend([ILOAD_0, IRETURN]);
    finished(what, times, class(52), &code(1, 1, bytes))
}

/// Conditional jumps over nearly 32 KiB of calls, with frames: no jump can be made longer without a frame behind it.
pub(crate) fn far_jump() -> Program {
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

pub(crate) fn programs() -> Vec<Program> {
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

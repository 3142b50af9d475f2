use super::*;
use crate::opcode::*;

#[test]
fn shortest_forms_and_depths() {
    let mut pool = ConstantPool::new();
    let mut asm = Asm::new();
    asm.load('J', 2)
        .store('D', 300)
        .int(&mut pool, -1)
        .int(&mut pool, 100);
    assert_eq!(
        asm.bytes(),
        [LLOAD_2, WIDE, DSTORE, 1, 44, ICONST_M1, BIPUSH, 100]
    );
    assert_eq!((asm.growth(), asm.net(), asm.locals_used()), (2, 2, 302));
    asm.int(&mut pool, -300)
        .int(&mut pool, 70_000)
        .long(&mut pool, 1)
        .long(&mut pool, 2);
    assert_eq!(
        asm.bytes()[8..],
        [SIPUSH, 0xfe, 0xd4, LDC, 1, LCONST_1, LDC2_W, 0, 2]
    );
    assert_eq!(asm.growth(), 8);
    let mut asm = Asm::new();
    asm.iinc(3, -2).iinc(3, 200).iinc(256, 1);
    assert_eq!(asm.bytes()[..3], [IINC, 3, 0xfe]);
    assert_eq!(asm.bytes()[3..9], [WIDE, IINC, 0, 3, 0, 200]);
    assert_eq!(asm.bytes()[9..], [WIDE, IINC, 1, 0, 0, 1]);
    assert_eq!((asm.growth(), asm.locals_used()), (0, 257));
}

#[test]
fn calls_boxes_and_casts() {
    let mut pool = ConstantPool::new();
    let mut asm = Asm::new();
    asm.load('L', 0)
        .unboxed(&mut pool, "J")
        .boxed(&mut pool, 'J');
    asm.op(DUP).unboxed(&mut pool, "Ljava/lang/Object;");
    assert_eq!((asm.growth(), asm.net()), (2, 2));
    asm.invokestatic(
        &mut pool,
        "a/B",
        "f",
        "(Ljava/lang/Object;Ljava/lang/Object;)D",
    );
    asm.ret('D');
    assert_eq!(
        (asm.net(), asm.straight_line().unwrap().is_some()),
        (0, true)
    );
    let call = u16::from_be_bytes([asm.bytes()[5], asm.bytes()[6]]);
    assert_eq!(pool.member_ref(call).unwrap().name, "longValue");
}

#[test]
fn bodies_with_jumps() {
    let mut pool = ConstantPool::new();
    let mut asm = Asm::new();
    let other = asm.label();
    asm.load('I', 0)
        .branch(IFEQ, other)
        .int(&mut pool, 1)
        .ret('I');
    asm.bind_with_frame(other, vec![VType::Integer], vec![])
        .int(&mut pool, 2)
        .ret('I');
    assert!(asm.straight_line().unwrap().is_none());
    let code = asm.into_code(&mut pool, 1).unwrap();
    assert_eq!(
        code.bytes,
        [ILOAD_0, IFEQ, 0, 5, ICONST_1, IRETURN, ICONST_2, IRETURN]
    );
    assert_eq!((code.max_stack, code.max_locals), (1, 1));
    let frames = frames::decode(&code.attributes[0].data).unwrap();
    assert_eq!(frames[0].offset, 6);
}

#[test]
fn errors_stick() {
    let mut pool = ConstantPool::new();
    let mut asm = Asm::new();
    asm.load('Q', 0).op(RETURN);
    assert_eq!(asm.straight_line(), Err(AsmError::Letter('Q')));
    let mut asm = Asm::new();
    let label = asm.label();
    asm.branch(GOTO, label);
    assert_eq!(asm.into_code(&mut pool, 0), Err(AsmError::Label(0)));
    let mut asm = Asm::new();
    asm.op(LDC);
    assert_eq!(
        asm.into_code(&mut pool, 0),
        Err(AsmError::Unsupported("ldc"))
    );
    assert_eq!(Asm::new().into_code(&mut pool, 0), Err(AsmError::TooLarge));
}

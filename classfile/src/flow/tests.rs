use proptest::prelude::*;

use super::*;
use crate::code::Handler;
use crate::opcode::*;
use crate::pool::{ConstantPool, MemberRef};
use crate::{ACC_STATIC, subst};

/// A class `T`, its constants at known places: 2 the class, then what each test adds.
pub(super) fn class() -> ClassFile {
    let mut pool = ConstantPool::new();
    let this_class = pool.add_class("T").unwrap();
    let super_class = pool.add_class("java/lang/Object").unwrap();
    ClassFile {
        minor: 0,
        major: 52,
        pool,
        access: 0x21,
        this_class,
        super_class,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
    }
}

/// Bytes of instructions with one constant: 0xff 0xff stands for its index.
fn with_constants(bytes: &[u8], constants: &[u16]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let mut constants = constants.iter();
    for at in 0..bytes.len() - 1 {
        if bytes[at..at + 2] == [0xff, 0xff] {
            bytes[at..at + 2].copy_from_slice(&constants.next().unwrap().to_be_bytes());
        }
    }
    bytes
}

fn analyzed(
    class: &mut ClassFile,
    access: u16,
    name: &str,
    desc: &str,
    bytes: &[u8],
    handlers: &[Handler],
) -> Result<Flow, FlowError> {
    let code = Code {
        max_stack: 9,
        max_locals: 6,
        bytes: bytes.to_vec(),
        handlers: handlers.to_vec(),
        attributes: Vec::new(),
    };
    let index = subst::add_method(class, access, name, desc, &code).unwrap();
    analyze(class, &class.methods[index])
}

const INT: Value = Value::Other(Kind::Int);
const LONG: Value = Value::Other(Kind::Long);

#[test]
fn the_receiver_is_followed_through_copies() {
    let mut class = class();
    let field = class.pool.add_field_ref("T", "f", "J").unwrap();
    let bytes = with_constants(
        &[
            ALOAD_0, ASTORE_3, ALOAD_3, DUP, GETFIELD, 0xff, 0xff, // 0..6
            POP2, ALOAD_1, SWAP, POP, GETFIELD, 0xff, 0xff, POP2, // 7..14
            ALOAD_1, ASTORE_0, ALOAD_0, GETFIELD, 0xff, 0xff, POP2, RETURN, // 15..
        ],
        &[field; 3],
    );
    let flow = analyzed(&mut class, 0, "m", "(LT;I)V", &bytes, &[]).unwrap();
    assert_eq!(flow.receiver(4), Some(Value::This));
    assert_eq!(flow.receiver(11), Some(Value::REF));
    assert_eq!(flow.receiver(18), Some(Value::REF));
    assert_eq!(flow.receiver(0), None);
    assert_eq!(flow.at(7).unwrap().stack, [Value::This, LONG]);
    assert_eq!(flow.at(0).unwrap().locals, [Value::This, Value::REF, INT]);
    assert_eq!(flow.at(1000), None);
}

#[test]
fn constructors_initialize_their_receiver() {
    let mut class = class();
    let object = class
        .pool
        .add_method_ref("java/lang/Object", "<init>", "()V", false)
        .unwrap();
    let new = class.this_class;
    // this is copied to local 2, a T is made and initialized by Object's constructor, then super() is called on the copy.
    let bytes = with_constants(
        &[
            ALOAD_0,
            ASTORE_2,
            NEW,
            0xff,
            0xff,
            DUP,
            INVOKESPECIAL,
            0xff,
            0xff,
            POP, // 0..9
            ALOAD_2,
            INVOKESPECIAL,
            0xff,
            0xff,
            ALOAD_0,
            POP,
            RETURN, // 10..
        ],
        &[new, object, object],
    );
    let flow = analyzed(&mut class, 0, "<init>", "(I)V", &bytes, &[]).unwrap();
    assert_eq!(flow.receiver(6), Some(Value::New(2)));
    assert_eq!(flow.at(10).unwrap().local(2), Value::UninitThis);
    assert_eq!(flow.at(14).unwrap().local(0), Value::This);
    assert_eq!(flow.at(14).unwrap().local(2), Value::This);
    let site = flow.new_site(2).unwrap();
    assert_eq!(
        (site.shape, site.inits.as_slice()),
        (NewShape::Pair, &[6][..])
    );
}

#[test]
fn shapes_of_news() {
    let mut class = class();
    let init = class
        .pool
        .add_method_ref("T", "<init>", "(I)V", false)
        .unwrap();
    let new = class.this_class;
    let mut number = 0;
    let mut shape = |bytes: &[u8]| {
        let mut constants = vec![new];
        constants.resize(9, init);
        let bytes = with_constants(bytes, &constants);
        number += 1;
        let name = format!("m{number}");
        let flow = analyzed(&mut class, ACC_STATIC, &name, "(I)V", &bytes, &[]).unwrap();
        flow.new_site(0).unwrap().shape
    };
    let init = [INVOKESPECIAL, 0xff, 0xff];
    let code = |parts: &[&[u8]]| parts.concat();
    let new = [NEW, 0xff, 0xff];
    // new; dup; load; init; pop
    let pair = code(&[&new, &[DUP, ILOAD_0], &init, &[POP, RETURN]]);
    assert_eq!(shape(&pair), NewShape::Pair);
    let single = code(&[&new, &[ILOAD_0], &init, &[RETURN]]);
    assert_eq!(shape(&single), NewShape::Single);
    // A jump among the arguments is fine.
    let jump = [ILOAD_0, IFEQ, 0, 7, ICONST_1, GOTO, 0, 4, ICONST_2];
    let conditional = code(&[&new, &[DUP], &jump, &init, &[POP, RETURN]]);
    assert_eq!(shape(&conditional), NewShape::Pair);
    // Something else between new and dup; the copy in a local; three copies; never initialized; lost at a merge.
    let late_dup = code(&[&new, &[NOP, DUP, ILOAD_0], &init, &[POP, RETURN]]);
    assert_eq!(shape(&late_dup), NewShape::Complex);
    let stored = code(&[&new, &[DUP, ASTORE_1, ILOAD_0], &init, &[RETURN]]);
    assert_eq!(shape(&stored), NewShape::Complex);
    let three = code(&[&new, &[DUP, DUP, ILOAD_0], &init, &[POP2, RETURN]]);
    assert_eq!(shape(&three), NewShape::Complex);
    let never = code(&[&new, &[DUP, POP2, RETURN]]);
    assert_eq!(shape(&never), NewShape::Complex);
    let swapped = code(&[&new, &[DUP, SWAP, ILOAD_0], &init, &[POP, RETURN]]);
    assert_eq!(shape(&swapped), NewShape::Complex);
    let two_inits = code(&[
        &new,
        &[DUP, ILOAD_0, ILOAD_0, IFEQ, 0, 8],
        &init,
        &[POP, RETURN],
        &init,
        &[POP, RETURN],
    ]);
    assert_eq!(shape(&two_inits), NewShape::Complex);
    let argument_below = code(&[
        &[NOP; 0],
        &new,
        &[DUP, ILOAD_0, DUP_X2, POP, POP2, POP, RETURN],
    ]);
    assert_eq!(shape(&argument_below), NewShape::Complex);
}

#[test]
fn handlers_see_the_locals_of_all_covered_instructions() {
    // 0: iconst_1; 1: istore_1; 2: aload_0; 3: astore_1; 4: return; 5: astore_2; 6: aload_0; 7: pop; 8: return
    let bytes = [
        ICONST_1, ISTORE_1, ALOAD_0, ASTORE_1, RETURN, ASTORE_2, ALOAD_0, POP, RETURN,
    ];
    let handler = |start, end| Handler {
        start,
        end,
        handler: 5,
        catch_type: 0,
    };
    let mut class = class();
    let flow = analyzed(&mut class, 0, "a", "()V", &bytes, &[handler(2, 4)]).unwrap();
    let state = flow.at(5).unwrap();
    assert_eq!(
        (state.stack, state.local(0), state.local(1)),
        (&[Value::REF][..], Value::This, INT)
    );
    let flow = analyzed(&mut class, 0, "b", "()V", &bytes, &[handler(2, 5)]).unwrap();
    assert_eq!(flow.at(5).unwrap().local(1), Value::TOP);
    let flow = analyzed(&mut class, 0, "c", "()V", &bytes, &[]).unwrap();
    assert_eq!(flow.at(5), None);
    let nowhere = Handler {
        start: 0,
        end: 4,
        handler: 900,
        catch_type: 0,
    };
    let result = analyzed(&mut class, 0, "d", "()V", &bytes, &[nowhere]);
    assert_eq!(result.unwrap_err(), FlowError::Offset(900));
}

#[test]
fn subroutines_return_to_all_their_callers() {
    let mut class = class();
    // 0: jsr 12; 3: aload_0; 4: astore_1; 5: jsr 12; 8: aload_1; 9: pop; 10: nop; 11: return; 12: astore_2; 13: ret 2
    let bytes = [
        JSR, 0, 12, ALOAD_0, ASTORE_1, JSR, 0, 7, ALOAD_1, POP, NOP, RETURN, ASTORE_2, RET, 2,
    ];
    let flow = analyzed(&mut class, 0, "m", "()V", &bytes, &[]).unwrap();
    assert_eq!(flow.at(12).unwrap().stack, [Value::ReturnAddress(12)]);
    for offset in [3, 8] {
        let state = flow.at(offset).unwrap();
        assert!(state.stack.is_empty());
        assert_eq!(state.local(0), Value::This, "{offset}");
    }
    // Only one caller has set it.
    assert_eq!(flow.at(8).unwrap().local(1), Value::TOP);
    let no_address = [ICONST_0, ISTORE_1, RET, 1];
    let result = analyzed(&mut class, 0, "n", "()V", &no_address, &[]);
    assert_eq!(result.unwrap_err(), FlowError::Local(2));
}

#[test]
fn bad_code_is_refused() {
    let mut class = class();
    let mut number = 0;
    let mut error = |bytes: &[u8]| {
        number += 1;
        let name = format!("m{number}");
        analyzed(&mut class, ACC_STATIC, &name, "(J)V", bytes, &[]).unwrap_err()
    };
    assert_eq!(error(&[POP, RETURN]), FlowError::Stack(0));
    assert_eq!(error(&[LLOAD_0, POP, RETURN]), FlowError::Stack(1));
    assert_eq!(
        error(&[LLOAD_0, ICONST_0, POP2, RETURN]),
        FlowError::Stack(2)
    );
    assert_eq!(error(&[LLOAD_0, ISTORE_0, RETURN]), FlowError::Stack(1));
    assert_eq!(error(&[ALOAD, 6, RETURN]), FlowError::Local(0));
    assert_eq!(error(&[LLOAD, 5, RETURN]), FlowError::Local(0));
    assert_eq!(error(&[NOP]), FlowError::Offset(1));
    assert_eq!(error(&[ICONST_0, GOTO, 0xff, 0xff]), FlowError::Merge(0));
    assert!(matches!(
        error(&[GETFIELD, 0, 1, RETURN]),
        FlowError::Pool(_)
    ));
    assert!(matches!(error(&[0xfe]), FlowError::Code(_)));
    assert_eq!(
        analyzed(&mut class, ACC_STATIC, "n", "(JJJJ)V", &[RETURN], &[]).unwrap_err(),
        FlowError::Local(0)
    );
}

/// A class with calls as constants, and the offsets of the confined `new`s of code that uses them.
fn confined(code: &[&[u8]], handlers: &[Handler]) -> Vec<u32> {
    const BUILDER: &str = "java/lang/StringBuilder";
    let mut class = class();
    let builder = class.pool.add_class(BUILDER).unwrap();
    let method = |pool: &mut ConstantPool, name: &str, desc: &str| {
        pool.add_method_ref(BUILDER, name, desc, false).unwrap()
    };
    let init = method(&mut class.pool, "<init>", "()V");
    let append = method(&mut class.pool, "append", "(I)Ljava/lang/StringBuilder;");
    let text = method(&mut class.pool, "toString", "()Ljava/lang/String;");
    let whole = method(
        &mut class.pool,
        "append",
        "(Ljava/lang/Object;)Ljava/lang/StringBuilder;",
    );
    let field = class
        .pool
        .add_field_ref("T", "f", "Ljava/lang/Object;")
        .unwrap();
    let constants = [builder, init, append, text, whole, field];
    let mut bytes = Vec::new();
    for part in code {
        match part {
            // One of the constants, behind its opcode.
            [op @ (NEW | PUTFIELD..=INVOKESPECIAL), 0xff, constant] => {
                bytes.push(*op);
                bytes.extend(constants[usize::from(*constant)].to_be_bytes());
            }
            part => bytes.extend_from_slice(part),
        }
    }
    let code = Code {
        max_stack: 9,
        max_locals: 6,
        bytes,
        handlers: handlers.to_vec(),
        attributes: Vec::new(),
    };
    let index = subst::add_method(&mut class, 0, "m", "()V", &code).unwrap();
    let flow = analyze(&class, &class.methods[index]).unwrap();
    let insns = insn::decode(&code.bytes).unwrap();
    let harmless = |call: &MemberRef<'_>| call.owner == BUILDER && !call.desc.contains("Object");
    flow.confined(&insns, &class.pool, &harmless)
        .into_iter()
        .collect()
}

#[test]
fn builders_that_a_method_keeps_to_itself() {
    const NEW_BUILDER: &[u8] = &[NEW, 0xff, 0];
    const INIT: &[u8] = &[INVOKESPECIAL, 0xff, 1];
    const APPEND: &[u8] = &[INVOKEVIRTUAL, 0xff, 2];
    const TEXT: &[u8] = &[INVOKEVIRTUAL, 0xff, 3];
    const APPEND_WHOLE: &[u8] = &[INVOKEVIRTUAL, 0xff, 4];
    const PUT: &[u8] = &[PUTFIELD, 0xff, 5];
    let kept = |code: &[&[u8]]| confined(&[&[NEW_BUILDER, &[DUP], INIT], code].concat(), &[]);
    let end: &[u8] = &[POP, RETURN];
    let one: &[u8] = &[ICONST_1];
    // On the stack, and in a local; round a loop, too.
    assert_eq!(kept(&[one, APPEND, one, APPEND, TEXT, end]), [0]);
    assert_eq!(kept(&[&[ASTORE_1, ALOAD_1], one, APPEND, end]), [0]);
    let back = [GOTO, 0xff, 0xfa];
    assert_eq!(
        kept(&[&[ASTORE_1, ALOAD_1], one, APPEND, &[POP], &back]),
        [0]
    );
    assert_eq!(kept(&[&[ASTORE_1, ALOAD_1, IFNULL, 0, 3, RETURN]]), [0]);
    // Given away: returned, what a call on it returned, thrown, stored, compared, an argument, locked.
    let none: [u32; 0] = [];
    assert_eq!(kept(&[&[ARETURN]]), none);
    assert_eq!(kept(&[one, APPEND, &[ARETURN]]), none);
    assert_eq!(kept(&[&[ATHROW]]), none);
    assert_eq!(kept(&[&[ALOAD_0, SWAP], PUT, &[RETURN]]), none);
    assert_eq!(kept(&[&[ALOAD_0, IF_ACMPEQ, 0, 3, RETURN]]), none);
    assert_eq!(kept(&[&[DUP], APPEND_WHOLE, end]), none);
    assert_eq!(kept(&[&[ALOAD_0], APPEND_WHOLE, end]), none);
    assert_eq!(kept(&[&[MONITORENTER, RETURN]]), none);
    // Together with another object in a local: `this` if the branch is taken.
    let either = [
        ASTORE_1, ICONST_0, IFEQ, 0, 5, ALOAD_0, ASTORE_1, ALOAD_1, POP, RETURN,
    ];
    assert_eq!(kept(&[&either]), none);
    // In a round of a loop there is still the one of the round before.
    let rounds = [
        &[NEW_BUILDER, &[DUP], INIT, &[ASTORE_1]][..],
        &[NEW_BUILDER, &[DUP], INIT, &[ASTORE_1], &[GOTO, 0xff, 0xf8]],
    ];
    assert_eq!(confined(&rounds.concat(), &[]), none);
    // A handler gets the local.
    let handler = Handler {
        start: 8,
        end: 13,
        handler: 15,
        catch_type: 0,
    };
    let tried = [
        NEW_BUILDER,
        &[DUP],
        INIT,
        &[ASTORE_1, ALOAD_1],
        one,
        APPEND,
        end,
    ];
    let caught = |code: &[u8]| confined(&[&tried[..], &[code]].concat(), &[handler]);
    assert_eq!(caught(&[POP, RETURN]), [0]);
    assert_eq!(caught(&[POP, ALOAD_1, ARETURN]), none);
}

/// The `dup` family the way JVMS §6.5 spells it out, on slots.
fn naive_shuffle(op: u8, stack: &[u8]) -> Option<Vec<u8>> {
    let (take, put): (usize, &[usize]) = match op {
        POP => (1, &[]),
        POP2 => (2, &[]),
        DUP => (1, &[0, 0]),
        DUP_X1 => (2, &[0, 1, 0]),
        DUP_X2 => (3, &[0, 2, 1, 0]),
        DUP2 => (2, &[1, 0, 1, 0]),
        DUP2_X1 => (3, &[1, 0, 2, 1, 0]),
        DUP2_X2 => (4, &[1, 0, 3, 2, 1, 0]),
        _ => (2, &[0, 1]),
    };
    let kept = stack.len().checked_sub(take)?;
    let mut result = stack[..kept].to_vec();
    result.extend(put.iter().map(|depth| stack[stack.len() - 1 - depth]));
    Some(result)
}

proptest! {
    #[test]
    fn shuffles_do_on_values_what_they_do_on_slots(kinds in proptest::collection::vec(0u8..3, 0..6), op in POP..=SWAP) {
        // Kinds: int, this, long; a long's slots are numbered 2 and 3.
        let mut bytes = Vec::new();
        let mut slots = Vec::new();
        for kind in kinds {
            bytes.push([ICONST_0, ALOAD_0, LCONST_0][usize::from(kind)]);
            slots.push(kind);
            if kind == 2 {
                slots.push(3);
            }
        }
        let at = bytes.len() as u32 + 1;
        bytes.extend([op, NOP, RETURN]);
        let expected = naive_shuffle(op, &slots);
        match analyzed(&mut class(), 0, "m", "()V", &bytes, &[]) {
            Ok(flow) => {
                let mut found = Vec::new();
                for value in flow.at(at).unwrap().stack {
                    match *value {
                        INT => found.push(0),
                        Value::This => found.push(1),
                        _ => found.extend([2, 3]),
                    }
                }
                prop_assert_eq!(Some(found), expected);
            }
            Err(error) => {
                prop_assert_eq!(error, FlowError::Stack(at - 1));
                // Too short a stack, or half a long moved.
                prop_assert!(expected.is_none() || slots.contains(&2));
            }
        }
    }

    #[test]
    fn any_code_is_analyzed_or_refused(bytes in proptest::collection::vec(any::<u8>(), 1..40), handler in any::<[u8; 3]>()) {
        let [start, end, handler] = handler.map(|b| u16::from(b % 40));
        let handler = Handler { start, end, handler, catch_type: 0 };
        let _ = analyzed(&mut class(), 0, "m", "(JI)V", &bytes, &[handler]);
    }

    #[test]
    fn any_jumps_are_analyzed_or_refused(parts in proptest::collection::vec((0usize..8, -12i16..12), 1..20)) {
        let mut bytes = Vec::new();
        for (kind, jump) in parts {
            let [high, low] = (jump * 2).to_be_bytes();
            match kind {
                0 => bytes.extend([ICONST_0, POP]),
                1 => bytes.extend([JSR, high, low, NOP]),
                2 => bytes.extend([ASTORE_2, NOP]),
                3 => bytes.extend([RET, 2]),
                4 => bytes.extend([GOTO, high, low, NOP]),
                5 => bytes.extend([ALOAD_0, IFNULL, high, low]),
                6 => bytes.extend([NEW, 0, 2, POP]),
                _ => bytes.extend([ALOAD_0, ASTORE_3]),
            }
        }
        bytes.push(RETURN);
        let _ = analyzed(&mut class(), 0, "m", "()V", &bytes, &[]);
    }
}

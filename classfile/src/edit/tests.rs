mod made_up;
mod shielded;

use super::*;
use crate::class::{Attribute, ClassFile, Member};
use crate::frames::{self, Frame, FrameKind};
use crate::insn::decode;
use crate::opcode::*;

fn code(bytes: &[u8]) -> Code {
    Code {
        max_stack: 4,
        max_locals: 1,
        bytes: bytes.to_vec(),
        ..Code::default()
    }
}

fn nops(count: usize) -> Asm {
    Asm::nops(count)
}

fn with_attribute(code: &mut Code, pool: &mut ConstantPool, name: &str, data: &[u8]) {
    code.attributes.push(Attribute {
        name: pool.add_utf8(name).unwrap(),
        data: data.to_vec(),
    });
}

/// A tableswitch at `offset` with one case; default and case jump by these distances.
fn table_switch(offset: usize, default: i32, case: i32) -> Vec<u8> {
    let mut bytes = vec![TABLESWITCH];
    bytes.resize(4 - offset % 4, 0);
    for word in [default, 7, 7, case] {
        bytes.extend(word.to_be_bytes());
    }
    bytes
}

#[test]
fn jumps_reach_what_is_before_but_not_entry_and_after() {
    // 0: iload_0; 1: ifne 0; 4: return
    let code = code(&[ILOAD_0, IFNE, 0xff, 0xff, RETURN]);
    let mut editor = Editor::new(&code, 52).unwrap();
    editor.entry(&nops(1)).unwrap();
    editor.before(0, &nops(2)).unwrap();
    editor.after(1, &nops(3)).unwrap();
    editor.before(4, &nops(1)).unwrap();
    let edited = editor.finish(&mut ConstantPool::new()).unwrap();
    assert_eq!(
        edited.code.bytes,
        [
            NOP, NOP, NOP, ILOAD_0, IFNE, 0xff, 0xfd, NOP, NOP, NOP, NOP, RETURN
        ]
    );
    let map = &edited.offsets;
    assert_eq!((map.label(0), map.insn(0)), (Some(1), Some(3)));
    assert_eq!((map.label(4), map.insn(4)), (Some(10), Some(11)));
    assert_eq!(
        (map.label(5), map.insn(5), map.label(2)),
        (Some(12), None, None)
    );
    let original: Vec<_> = [0, 1, 3, 4, 9, 10, 11, 12]
        .map(|new| map.original(new))
        .into();
    assert_eq!(
        original,
        [
            None,
            Some(0),
            Some(0),
            Some(1),
            Some(1),
            Some(4),
            Some(4),
            None
        ]
    );
}

#[test]
fn requests_that_make_no_sense_are_errors() {
    let code = code(&[GOTO, 0, 3, RETURN]);
    let mut editor = Editor::new(&code, 52).unwrap();
    assert_eq!(editor.before(1, &nops(1)), Err(EditError::Offset(1)));
    assert_eq!(editor.before(4, &nops(1)), Err(EditError::Offset(4)));
    assert_eq!(editor.after(0, &nops(1)), Err(EditError::NoFallThrough(0)));
    assert_eq!(editor.after(3, &nops(1)), Err(EditError::NoFallThrough(3)));
    editor.replace(0, &nops(0)).unwrap();
    assert_eq!(editor.replace(0, &nops(1)), Err(EditError::Replaced(0)));
    let mut jump = Asm::new();
    let label = jump.label();
    jump.bind(label).branch(GOTO, label);
    assert_eq!(editor.entry(&jump), Err(EditError::NotStraight));
    let edited = editor.finish(&mut ConstantPool::new()).unwrap();
    assert_eq!(edited.code.bytes, [NOP, RETURN]);
    assert!(Editor::new(&self::code(&[GOTO, 0, 1, RETURN]), 52).is_err());
}

#[test]
fn switches_are_padded_anew() {
    let mut bytes = vec![ILOAD_0];
    bytes.extend(table_switch(1, 19, 20));
    bytes.extend([NOP, RETURN]);
    let code = code(&bytes);
    for shift in 0..9 {
        let mut editor = Editor::new(&code, 52).unwrap();
        editor.before(1, &nops(shift)).unwrap();
        let edited = editor.finish(&mut ConstantPool::new()).unwrap();
        let insns = decode(&edited.code.bytes).unwrap();
        let switch = insns.iter().find(|i| i.opcode == TABLESWITCH).unwrap();
        let end = edited.code.bytes.len() as u32;
        assert_eq!(switch.targets(), [end - 2, end - 1], "{shift}");
    }
}

#[test]
fn far_jumps_are_widened() {
    // 0: goto 4; 3: nop; 4: jsr 7; 7: return
    let code = code(&[GOTO, 0, 4, NOP, JSR, 0, 3, RETURN]);
    let mut editor = Editor::new(&code, 48).unwrap();
    editor.before(3, &nops(32_763)).unwrap();
    let near = editor.clone().finish(&mut ConstantPool::new()).unwrap();
    assert_eq!(near.code.bytes[..3], [GOTO, 0x7f, 0xff]);
    editor.before(3, &nops(1)).unwrap();
    let far = editor.finish(&mut ConstantPool::new()).unwrap();
    assert_eq!(far.code.bytes[..5], [GOTO_W, 0, 0, 0x80, 2]);
    let mut editor = Editor::new(&code, 48).unwrap();
    editor.after(4, &nops(32_765)).unwrap();
    let far = editor.finish(&mut ConstantPool::new()).unwrap();
    assert_eq!(far.code.bytes[4..][..5], [JSR_W, 0, 0, 0x80, 2]);
}

#[test]
fn conditional_jumps_are_inverted_where_no_frame_is_missing() {
    // 0: iload_0; 1: ifeq 5; 4: nop; 5: return
    let mut code = code(&[ILOAD_0, IFEQ, 0, 4, NOP, RETURN]);
    let inverted = [IFNE, 0, 8, GOTO_W, 0, 0, 0x9c, 0x46];
    let edit = |code: &Code, major, pool: &mut ConstantPool, after| {
        let mut editor = Editor::new(code, major).unwrap();
        editor.before(4, &nops(40_000 - after)).unwrap();
        editor.after(1, &nops(after)).unwrap();
        editor
            .finish(pool)
            .map(|edited| edited.code.bytes[1..9].to_vec())
    };
    let mut pool = ConstantPool::new();
    assert_eq!(edit(&code, 49, &mut pool, 0).unwrap(), inverted);
    assert_eq!(edit(&code, 49, &mut pool, 9).unwrap(), inverted);
    assert_eq!(edit(&code, 52, &mut pool, 0), Err(EditError::FarBranch(1)));
    // Frames at 4 and 5.
    with_attribute(&mut code, &mut pool, "StackMapTable", &[0, 2, 4, 0]);
    assert_eq!(edit(&code, 52, &mut pool, 0).unwrap(), inverted);
    assert_eq!(edit(&code, 52, &mut pool, 9), Err(EditError::FarBranch(1)));
}

#[test]
fn too_large_code_is_refused() {
    let code = code(&[NOP, RETURN]);
    let mut editor = Editor::new(&code, 52).unwrap();
    editor.entry(&nops(65_533)).unwrap();
    assert!(editor.clone().finish(&mut ConstantPool::new()).is_ok());
    editor.before(1, &nops(1)).unwrap();
    let result = editor.finish(&mut ConstantPool::new());
    assert_eq!(result.unwrap_err(), EditError::TooLarge(65_536));
    let mut editor = Editor::new(&code, 52).unwrap();
    assert_eq!(editor.new_local(65_534), Ok(1));
    assert_eq!(editor.new_local(1), Err(EditError::TooManySlots));
}

#[test]
fn handlers_cover_what_was_inserted_in_their_range() {
    // 0: nop; 1: nop; 2: return; 3: astore_0; 4: return
    let mut code = code(&[NOP, NOP, RETURN, ASTORE_0, RETURN]);
    code.handlers.push(Handler {
        start: 0,
        end: 2,
        handler: 3,
        catch_type: 0,
    });
    let mut pool = ConstantPool::new();
    let mut editor = Editor::new(&code, 52).unwrap();
    for offset in [0, 1, 2, 3] {
        editor.before(offset, &nops(1)).unwrap();
    }
    editor.after(1, &nops(1)).unwrap();
    editor.entry(&nops(1)).unwrap();
    let mut rethrow = Asm::new();
    rethrow.op(DUP).op(POP).op(ATHROW);
    editor.catch_all(1, &rethrow).unwrap();
    let edited = editor.finish(&mut pool).unwrap();
    let code = edited.code;
    // entry, (before, 0), (before, 1, after), (before, 2), (before, 3), 4, handler
    let ranges: Vec<_> = code
        .handlers
        .iter()
        .map(|h| (h.start, h.end, h.handler))
        .collect();
    assert_eq!(ranges, [(1, 6, 8), (3, 11, 11)]);
    assert_eq!(code.bytes[11..], [DUP, POP, ATHROW]);
    assert_eq!(code.max_stack, 4);
    let frames = frames::decode(&code.attribute(&pool, "StackMapTable").unwrap().data).unwrap();
    assert_eq!(frames.len(), 1);
    assert_eq!(frames[0].offset, 11);
    assert!(
        matches!(&frames[0].kind, FrameKind::Full { locals, stack } if locals.is_empty() && stack.len() == 1)
    );
}

#[test]
fn a_handler_needs_stack_of_its_own() {
    let code = Code {
        max_stack: 0,
        ..code(&[RETURN])
    };
    let mut editor = Editor::new(&code, 48).unwrap();
    let mut rethrow = Asm::new();
    rethrow.op(DUP).op(POP).op(ATHROW);
    editor.catch_all(0, &rethrow).unwrap();
    let edited = editor.finish(&mut ConstantPool::new()).unwrap();
    assert_eq!(edited.code.max_stack, 2);
    assert!(edited.code.attributes.is_empty());
}

#[test]
fn tables_move_along() {
    // 0: nop; 1: nop; 2: return
    let mut code = code(&[NOP, NOP, RETURN]);
    let mut pool = ConstantPool::new();
    with_attribute(
        &mut code,
        &mut pool,
        "LineNumberTable",
        &[0, 3, 0, 0, 0, 5, 0, 1, 0, 6, 0, 2, 0, 7],
    );
    with_attribute(
        &mut code,
        &mut pool,
        "LocalVariableTable",
        &[
            0, 2, 0, 0, 0, 3, 0, 1, 0, 2, 0, 0, 0, 1, 0, 1, 0, 3, 0, 4, 0, 1,
        ],
    );
    with_attribute(&mut code, &mut pool, "LocalVariableTypeTable", &[0, 1, 0]);
    with_attribute(
        &mut code,
        &mut pool,
        "RuntimeVisibleTypeAnnotations",
        &[0, 0],
    );
    with_attribute(&mut code, &mut pool, "StackMap", &[0, 0]);
    let mut editor = Editor::new(&code, 52).unwrap();
    editor.entry(&nops(2)).unwrap();
    editor.before(1, &nops(3)).unwrap();
    editor.after(1, &nops(4)).unwrap();
    let edited = editor.finish(&mut pool).unwrap().code;
    assert_eq!(edited.lines(&pool), [(0, 5), (3, 6), (11, 7)]);
    let variables = edited.attribute(&pool, "LocalVariableTable").unwrap();
    assert_eq!(
        variables.data,
        [
            0, 2, 0, 0, 0, 12, 0, 1, 0, 2, 0, 0, 0, 3, 0, 8, 0, 3, 0, 4, 0, 1
        ]
    );
    // The malformed type table is gone, with all that is not known.
    assert_eq!(edited.attributes.len(), 2);
}

#[test]
fn frames_move_along_and_forget_removed_news() {
    // 0: new; 3: dup; 4: iload_0; 5: ifeq 5; 8: …
    let mut code = code(&[NEW, 0, 1, DUP, ILOAD_0, IFEQ, 0, 3, POP2, RETURN]);
    let mut pool = ConstantPool::new();
    let frame = Frame {
        offset: 8,
        kind: FrameKind::Full {
            locals: vec![VType::Integer],
            stack: vec![VType::Uninitialized(0), VType::Uninitialized(0)],
        },
    };
    let later = Frame {
        offset: 9,
        kind: FrameKind::Same,
    };
    let table = frames::encode(&[frame, later]).unwrap();
    with_attribute(&mut code, &mut pool, "StackMapTable", &table);
    let finish = |editor: Editor<'_>, pool: &mut ConstantPool| {
        let code = editor.finish(pool).unwrap().code;
        let data = &code.attribute(pool, "StackMapTable").unwrap().data;
        frames::decode(data).unwrap()
    };
    let mut editor = Editor::new(&code, 52).unwrap();
    editor.before(0, &nops(2)).unwrap();
    editor.after(3, &nops(70)).unwrap();
    editor.before(9, &nops(70)).unwrap();
    let frames = finish(editor.clone(), &mut pool);
    assert_eq!((frames[0].offset, frames[1].offset), (80, 81));
    let expected = |stack: &[VType]| FrameKind::Full {
        locals: vec![VType::Integer],
        stack: stack.to_vec(),
    };
    assert_eq!(frames[0].kind, expected(&[VType::Uninitialized(2); 2]));
    editor.replace(0, &nops(3)).unwrap();
    editor.remove_new(0).unwrap();
    assert_eq!(finish(editor, &mut pool)[0].kind, expected(&[]));
}

/// `iload 1; ifeq` over a `nop`.
const PASSED_BY: [u8; 5] = [ILOAD_1, IFEQ, 0, 4, NOP];

#[test]
fn a_snippet_is_passed_by_if_the_kept_local_is_0() {
    // 0: iload_0; 1: ifne 5; 4: return; 5: return
    let mut code = code(&[ILOAD_0, IFNE, 0, 4, RETURN, RETURN]);
    let mut pool = ConstantPool::new();
    let frame = Frame {
        offset: 5,
        kind: FrameKind::Same,
    };
    let table = frames::encode(&[frame]).unwrap();
    with_attribute(&mut code, &mut pool, "StackMapTable", &table);
    let mut editor = Editor::new(&code, 52).unwrap();
    let kept = editor.kept_int(&[VType::Integer]).unwrap();
    editor
        .entry(Asm::new().op(ICONST_0).store('I', kept))
        .unwrap();
    editor.entry_if(kept, &nops(1)).unwrap();
    editor.before_if(5, kept, &nops(1), vec![]).unwrap();
    let edited = editor.finish(&mut pool).unwrap();
    let expected: [&[u8]; 5] = [
        &[ICONST_0, ISTORE_1],
        &PASSED_BY,
        &[ILOAD_0, IFNE, 0, 4, RETURN],
        &PASSED_BY,
        &[RETURN],
    ];
    assert_eq!(edited.code.bytes, expected.concat());
    let table = edited.code.attribute(&pool, "StackMapTable").unwrap();
    let (int, top) = (VType::Integer, VType::Top);
    let unknown = FrameKind::Full {
        locals: vec![top, int],
        stack: vec![],
    };
    let expected = [
        (7, FrameKind::Append(vec![int])),
        (12, FrameKind::Same),
        (17, unknown),
    ];
    assert_eq!(
        frames::decode(&table.data).unwrap(),
        expected.map(|(offset, kind)| Frame { offset, kind })
    );
}

#[test]
fn what_runs_if_a_local_is_positive_is_passed_by_otherwise() {
    let code = code(&[RETURN]);
    let mut pool = ConstantPool::new();
    let mut editor = Editor::new(&code, 52).unwrap();
    let kept = editor.kept_int(&[]).unwrap();
    editor
        .entry(Asm::new().op(ICONST_0).store('I', kept))
        .unwrap();
    editor.entry_if_positive(kept, &nops(2)).unwrap();
    let edited = editor.finish(&mut pool).unwrap();
    let expected = [ICONST_0, ISTORE_1, ILOAD_1, IFLE, 0, 5, NOP, NOP, RETURN];
    assert_eq!(edited.code.bytes, expected);
}

#[test]
fn a_jump_target_behind_the_entry_keeps_its_frame() {
    // 0: goto 0
    let mut code = code(&[GOTO, 0, 0]);
    let mut pool = ConstantPool::new();
    let frame = Frame {
        offset: 0,
        kind: FrameKind::Chop(1),
    };
    let table = frames::encode(&[frame]).unwrap();
    with_attribute(&mut code, &mut pool, "StackMapTable", &table);
    let mut editor = Editor::new(&code, 52).unwrap();
    let kept = editor.kept_int(&[VType::Integer]).unwrap();
    editor.entry_if(kept, &nops(1)).unwrap();
    let edited = editor.finish(&mut pool).unwrap();
    let table = edited.code.attribute(&pool, "StackMapTable").unwrap();
    let kind = FrameKind::Full {
        locals: vec![VType::Top, VType::Integer],
        stack: vec![],
    };
    let frame = Frame { offset: 5, kind };
    assert_eq!(frames::decode(&table.data).unwrap(), [frame]);
}

#[test]
fn what_is_passed_by_needs_a_kept_local_and_leaves_the_stack() {
    let code = code(&[RETURN]);
    let mut editor = Editor::new(&code, 52).unwrap();
    let fresh = editor.new_local(1).unwrap();
    assert_eq!(
        editor.entry_if(fresh, &nops(1)),
        Err(EditError::NotStraight)
    );
    let kept = editor.kept_int(&[]).unwrap();
    let mut pushes = Asm::new();
    pushes.op(ICONST_0);
    assert_eq!(
        editor.before_if(0, kept, &pushes, vec![]),
        Err(EditError::NotStraight)
    );
}

#[test]
fn old_class_files_need_no_frame_where_a_snippet_is_passed_by() {
    let code = code(&[RETURN]);
    let mut pool = ConstantPool::new();
    let mut editor = Editor::new(&code, 49).unwrap();
    let kept = editor.kept_int(&[]).unwrap();
    editor.before_if(0, kept, &nops(1), vec![]).unwrap();
    let edited = editor.finish(&mut pool).unwrap();
    assert_eq!(edited.code.bytes.last(), Some(&RETURN));
    assert!(edited.code.attributes.is_empty());
}

/// Where nothing is on the stack there is room for a snippet, and a fresh local that nobody uses takes none.
#[test]
fn only_what_is_needed_makes_a_frame_bigger() {
    let mut pool = ConstantPool::new();
    let member = Member {
        access: crate::ACC_STATIC,
        name: pool.add_utf8("sum").unwrap(),
        desc: pool.add_utf8("()I").unwrap(),
        attributes: Vec::new(),
    };
    let class = ClassFile {
        minor: 0,
        major: 52,
        this_class: pool.add_class("Sum").unwrap(),
        super_class: pool.add_class("java/lang/Object").unwrap(),
        pool,
        access: 0,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
    };
    let code = Code {
        max_stack: 2,
        max_locals: 0,
        ..code(&[ICONST_1, ICONST_2, IADD, IRETURN])
    };
    let flow = crate::flow::analyze_code(&class, &member, &code).unwrap();
    let mut pool = class.pool.clone();
    let mut wide = Asm::new();
    wide.long(&mut pool, 7).op(POP2);
    for (at, known, stack) in [(0, true, 2), (0, false, 4), (2, true, 4), (3, true, 3)] {
        let mut editor = Editor::new(&code, 52).unwrap();
        if known {
            editor = editor.with_flow(&flow);
        }
        let unused = editor.new_local(3).unwrap();
        let used = editor.new_local(1).unwrap();
        assert_eq!((unused, used), (0, 3));
        editor.before(at, &wide).unwrap();
        let edited = editor.finish(&mut pool).unwrap().code;
        assert_eq!((edited.max_stack, edited.max_locals), (stack, 0), "at {at}");
    }
}

use proptest::prelude::*;

use super::*;
use crate::class::Attribute;
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

/// One instruction of a made-up method; jumps go to the instruction with this number, modulo how many there are.
#[derive(Clone, Debug)]
enum Made {
    Plain(u8),
    Jump(u8, usize),
    Switch(Vec<usize>, bool),
}

/// What is done around it: sizes of snippets.
#[derive(Clone, Debug, Default)]
struct Around {
    before: usize,
    after: usize,
}

fn made() -> impl Strategy<Value = (Made, Around)> {
    let jump = prop_oneof![
        Just(GOTO),
        Just(JSR),
        Just(IFEQ),
        Just(IFNONNULL),
        Just(IF_ICMPLT),
        Just(GOTO_W)
    ];
    let insn = prop_oneof![
        3 => prop_oneof![Just(ICONST_1), Just(POP), Just(RETURN)].prop_map(Made::Plain),
        2 => (jump, any::<usize>()).prop_map(|(op, to)| Made::Jump(op, to)),
        1 => (proptest::collection::vec(any::<usize>(), 2..5), any::<bool>()).prop_map(|(to, table)| Made::Switch(to, table)),
    ];
    let size = || prop_oneof![6 => Just(0usize), 3 => 1usize..9, 1 => 6_000usize..12_000];
    (insn, size(), size()).prop_map(|(insn, before, after)| (insn, Around { before, after }))
}

/// Assembles made-up instructions, the slow way: sizes first, then jumps. Offsets of all come back, and of the end.
fn assemble(insns: &[Made]) -> (Vec<u8>, Vec<usize>) {
    let mut offsets = vec![0];
    for insn in insns {
        let at = *offsets.last().unwrap();
        offsets.push(
            at + match insn {
                Made::Plain(_) => 1,
                Made::Jump(GOTO_W, _) => 5,
                Made::Jump(..) => 3,
                Made::Switch(to, true) => 4 - at % 4 + 12 + 4 * (to.len() - 1),
                Made::Switch(to, false) => 4 - at % 4 + 8 + 8 * (to.len() - 1),
            },
        );
    }
    let mut bytes = Vec::new();
    for (insn, at) in insns.iter().zip(&offsets) {
        let jump = |to: &usize| (offsets[to % insns.len()] as i32 - *at as i32).to_be_bytes();
        match insn {
            Made::Plain(op) => bytes.push(*op),
            Made::Jump(GOTO_W, to) => {
                bytes.push(GOTO_W);
                bytes.extend(jump(to));
            }
            Made::Jump(op, to) => {
                bytes.push(*op);
                bytes.extend(&jump(to)[2..]);
            }
            Made::Switch(to, table) => {
                bytes.push(if *table { TABLESWITCH } else { LOOKUPSWITCH });
                bytes.resize(at + 4 - at % 4, 0);
                bytes.extend(jump(&to[0]));
                let cases = to.len() as i32 - 1;
                if *table {
                    bytes.extend([0i32.to_be_bytes(), (cases - 1).to_be_bytes()].concat());
                } else {
                    bytes.extend(cases.to_be_bytes());
                }
                for (key, to) in to[1..].iter().enumerate() {
                    if !table {
                        bytes.extend((key as i32).to_be_bytes());
                    }
                    bytes.extend(jump(to));
                }
            }
        }
    }
    (bytes, offsets)
}

/// Walks through the edited code instruction by instruction, and checks that it is the original with the snippets between.
fn check_edited(
    insns: &[(Made, Around)],
    offsets: &[usize],
    edited: &Edited,
) -> Result<(), TestCaseError> {
    let new = decode(&edited.code.bytes).unwrap();
    let mut rest = new.iter();
    let mut labels = Vec::new();
    let mut jumps = Vec::new();
    let skip = |rest: &mut std::slice::Iter<'_, Insn<'_>>, count: usize| {
        rest.by_ref().take(count).all(|insn| insn.opcode == NOP)
    };
    for (index, (insn, around)) in insns.iter().enumerate() {
        labels.push(rest.as_slice()[0].offset);
        prop_assert!(skip(&mut rest, around.before));
        let found = rest.next().unwrap();
        prop_assert_eq!(
            edited.offsets.insn(offsets[index] as u32),
            Some(found.offset)
        );
        prop_assert_eq!(
            edited.offsets.original(found.offset),
            Some(offsets[index] as u32)
        );
        match insn {
            Made::Plain(op) => prop_assert_eq!(found.opcode, *op),
            Made::Jump(op, to) if Some(found.opcode) == inverted(*op) => {
                let goto = rest.next().unwrap();
                prop_assert_eq!(goto.opcode, GOTO_W);
                prop_assert_eq!(found.target(), Some(goto.end()));
                jumps.push((vec![goto.target().unwrap()], vec![*to]));
            }
            Made::Jump(op, to) => {
                prop_assert_eq!(
                    found.name().trim_end_matches("_w"),
                    name(*op).unwrap().trim_end_matches("_w")
                );
                jumps.push((found.targets(), vec![*to]));
            }
            Made::Switch(to, _) => {
                let keys: Vec<_> = found
                    .switch()
                    .unwrap()
                    .cases()
                    .map(|(key, _)| key)
                    .collect();
                prop_assert_eq!(keys, (0..to.len() as i32 - 1).collect::<Vec<_>>());
                jumps.push((found.targets(), to.clone()));
            }
        }
        if found.falls_through() {
            prop_assert!(skip(&mut rest, around.after));
        }
    }
    prop_assert!(rest.as_slice().is_empty());
    for (found, wanted) in jumps {
        let wanted: Vec<_> = wanted.iter().map(|to| labels[to % labels.len()]).collect();
        prop_assert_eq!(found, wanted);
    }
    Ok(())
}

proptest! {
    #[test]
    fn edits_keep_the_instructions(mut insns in proptest::collection::vec(made(), 0..25)) {
        insns.push((Made::Plain(RETURN), Around::default()));
        let plain: Vec<_> = insns.iter().map(|(insn, _)| insn.clone()).collect();
        let (bytes, offsets) = assemble(&plain);
        let code = code(&bytes);
        let mut editor = Editor::new(&code, 48).unwrap();
        for (at, (_, around)) in offsets.iter().zip(&insns) {
            editor.before(*at as u32, &nops(around.before)).unwrap();
            let _ = editor.after(*at as u32, &nops(around.after));
        }
        match editor.finish(&mut ConstantPool::new()) {
            Ok(edited) => check_edited(&insns, &offsets, &edited)?,
            Err(EditError::TooLarge(bytes)) => prop_assert!(bytes > 65_535),
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    #[test]
    fn any_code_is_edited_or_refused(bytes in proptest::collection::vec(any::<u8>(), 1..60), table in proptest::collection::vec(any::<u8>(), 0..40)) {
        let mut code = code(&bytes);
        let mut pool = ConstantPool::new();
        with_attribute(&mut code, &mut pool, "StackMapTable", &table);
        with_attribute(&mut code, &mut pool, "LineNumberTable", &table);
        if let Ok(mut editor) = Editor::new(&code, 52) {
            editor.entry(&nops(1)).unwrap();
            let _ = editor.finish(&mut pool);
        }
    }
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

/// `0: nop; 1: return; 2: astore_1; 3: nop; 4: aload_1; 5: athrow`, with a handler at 2 for 0 and 1 that covers itself up to before 4.
fn with_self_covering_handler(pool: &mut ConstantPool) -> Code {
    let throwable = pool.add_class("java/lang/Throwable").unwrap();
    let mut code = code(&[NOP, RETURN, ASTORE_1, NOP, ALOAD_1, ATHROW]);
    code.max_locals = 2;
    for (start, end) in [(0, 1), (2, 4)] {
        code.handlers.push(Handler {
            start,
            end,
            handler: 2,
            catch_type: 0,
        });
    }
    let frame = Frame {
        offset: 2,
        kind: FrameKind::SameLocals1(VType::Object(throwable)),
    };
    let data = frames::encode(&[frame]).unwrap();
    with_attribute(&mut code, pool, "StackMapTable", &data);
    code
}

fn table(code: &Code) -> Vec<(u16, u16, u16)> {
    let entry = |h: &Handler| (h.start, h.end, h.handler);
    code.handlers.iter().map(entry).collect()
}

#[test]
fn snippets_are_shielded_from_a_handler_that_covers_itself() {
    let mut pool = ConstantPool::new();
    let code = with_self_covering_handler(&mut pool);
    let mut editor = Editor::new(&code, 52).unwrap();
    editor.shield(&[VType::Integer]);
    editor.before(2, &nops(2)).unwrap();
    editor.after(2, &nops(1)).unwrap();
    editor.before(3, &nops(1)).unwrap();
    let edited = editor.finish(&mut pool).unwrap().code;
    // nop, return, 2: two nops, 4: astore_1, 5: two nops, 7: nop, aload_1, athrow, 10: goto 4
    assert_eq!(edited.bytes.len(), 13);
    assert_eq!(edited.bytes[10..], [GOTO, 0xff, 0xfa]);
    let expected = [(0, 1, 2), (2, 4, 10), (4, 5, 2), (5, 7, 10), (7, 8, 2)];
    assert_eq!(table(&edited), expected);
    let attribute = edited.attribute(&pool, "StackMapTable").unwrap();
    let frames = frames::decode(&attribute.data).unwrap();
    assert_eq!(
        frames.iter().map(|f| f.offset).collect::<Vec<_>>(),
        [2, 4, 10]
    );
    for frame in &frames {
        // The locals are those with which the method begins.
        assert!(matches!(frame.kind, FrameKind::SameLocals1(_)), "{frame:?}");
    }
}

#[test]
fn a_handler_that_covers_itself_stays_where_nothing_is_inserted_or_asked_for() {
    let mut pool = ConstantPool::new();
    let code = with_self_covering_handler(&mut pool);
    let mut editor = Editor::new(&code, 52).unwrap();
    editor.before(2, &nops(1)).unwrap();
    let moved = editor.finish(&mut pool).unwrap().code;
    assert_eq!(table(&moved), [(0, 1, 2), (2, 5, 2)]);
    let mut editor = Editor::new(&code, 52).unwrap();
    editor.shield(&[VType::Integer]);
    editor.before(0, &nops(1)).unwrap();
    let moved = editor.finish(&mut pool).unwrap().code;
    assert_eq!(table(&moved), [(0, 2, 3), (3, 5, 3)]);
    assert_eq!(moved.bytes.len(), 7);
}

#[test]
fn what_comes_before_a_handler_that_covers_itself_is_not_shielded_from_it() {
    let mut pool = ConstantPool::new();
    let mut code = with_self_covering_handler(&mut pool);
    code.handlers.remove(1);
    code.handlers[0].end = 4;
    let mut editor = Editor::new(&code, 52).unwrap();
    editor.shield(&[VType::Integer]);
    editor.before(1, &nops(1)).unwrap();
    editor.before(2, &nops(1)).unwrap();
    let edited = editor.finish(&mut pool).unwrap().code;
    // nop, 1: nop, return, 3: nop, 4: astore_1, nop, aload_1, athrow, 8: goto 4
    assert_eq!(table(&edited), [(0, 3, 3), (3, 4, 8), (4, 6, 3)]);
}

#[test]
fn a_far_shield_jumps_wide() {
    let mut pool = ConstantPool::new();
    let code = with_self_covering_handler(&mut pool);
    let mut editor = Editor::new(&code, 52).unwrap();
    editor.shield(&[VType::Integer]);
    editor.before(2, &nops(1)).unwrap();
    editor.before(4, &nops(40_000)).unwrap();
    let edited = editor.finish(&mut pool).unwrap().code;
    // 2: nop, 3: astore_1, nop, 40,000 nops, aload_1, athrow, 40,007: goto_w 3
    assert_eq!(edited.bytes[40_007], GOTO_W);
    assert_eq!(edited.bytes[40_008..], (3_i32 - 40_007).to_be_bytes());
}

//! Handlers that cover themselves, from which snippets are shielded.

use super::*;

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

//! Parses, analyzes and rewrites whatever comes; nothing may panic, and what is parsed comes back byte for byte.
//!
//! `cargo +nightly fuzz run rewrite`, best with a corpus of small class files.
#![no_main]

use jinsi_classfile::{Asm, ClassFile, Editor, flow, opcode, skeleton};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(mut class) = ClassFile::parse(bytes) else {
        return;
    };
    assert_eq!(class.to_bytes().ok().as_deref(), Some(bytes));
    let _ = skeleton::skeleton(bytes);
    for index in 0..class.methods.len() {
        let Ok(Some(code)) = class.methods[index].code(&class.pool) else {
            continue;
        };
        let analyzed = flow::analyze(&class, &class.methods[index]);
        let Ok(mut editor) = Editor::new(&code, class.major) else {
            continue;
        };
        let mut probe = Asm::new();
        probe.invokestatic(&mut class.pool, "Probe", "hit", "()V");
        let offsets: Vec<_> = editor.insns().iter().map(|insn| insn.offset).collect();
        for offset in offsets {
            // Refused behind instructions that do not go on.
            let _ = editor.after(offset, &probe);
            if editor.before(offset, &probe).is_err() {
                return;
            }
        }
        for site in analyzed.iter().flat_map(|flow| flow.news()) {
            let _ = editor.remove_new(site.offset);
        }
        let mut rethrow = Asm::new();
        rethrow.op(opcode::ATHROW);
        let _ = editor.catch_all(0, &rethrow);
        if let Ok(edited) = editor.finish(&mut class.pool) {
            let _ = class.methods[index].set_code(&mut class.pool, &edited.code);
        }
    }
    if let Ok(rewritten) = class.to_bytes() {
        assert!(ClassFile::parse(&rewritten).is_ok());
    }
});

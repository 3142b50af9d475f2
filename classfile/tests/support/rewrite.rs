//! Rewriting classes as heavily as it goes.

use jinsi_classfile::class::ClassFile;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::edit::{EditError, Edited, Editor};
use jinsi_classfile::flow::{self, Flow, NewShape, State, Value};
use jinsi_classfile::pool::ConstantPool;
use jinsi_classfile::{ACC_INTERFACE, Asm, Code, opcode, subst};

use super::jdk::NamedClass;

/// What became of the methods.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) classes: usize,
    pub(crate) methods: usize,
    /// Probes at every instruction.
    pub(crate) full: usize,
    /// Too large for that: probes at entry, exits and calls.
    pub(crate) light: usize,
    /// Not even that.
    pub(crate) untouched: usize,
    /// A conditional jump was too long (the methods are among `light`).
    pub(crate) far: usize,
    pub(crate) jumps_widened: usize,
    pub(crate) pairs: usize,
    pub(crate) singles: usize,
    pub(crate) complex: usize,
}

/// A snippet that stands for a probe.
pub(crate) fn hit(pool: &mut ConstantPool) -> Asm {
    let mut asm = Asm::new();
    asm.invokestatic(pool, "Probe", "hit", "()V");
    asm
}

/// Where the receiver is initialized from, to the end of the code: the whole method but for constructors.
fn initialized_from(flow: &Flow, code: &Code) -> Option<u32> {
    let insns = jinsi_classfile::insn::decode(&code.bytes).unwrap();
    let uninit = |state: State<'_>| {
        let mut all = state.stack.iter().chain(state.locals);
        all.any(|value| *value == Value::UninitThis)
    };
    let last = insns
        .iter()
        .rev()
        .find(|insn| flow.at(insn.offset).is_some_and(uninit));
    match last {
        None => Some(0),
        Some(last) => Some(last.end()).filter(|end| (*end as usize) < code.bytes.len()),
    }
}

/// Probes at every instruction (`full`) or at calls and exits only, at entry and in a catch-all.
fn probed(
    code: &Code,
    major: u16,
    flow: &Flow,
    pool: &mut ConstantPool,
    probe: &Asm,
    full: bool,
) -> Result<Edited, EditError> {
    let mut editor = Editor::new(code, major)?;
    editor.entry(probe)?;
    for insn in editor.insns().to_vec() {
        if full || opcode::is_invoke(insn.opcode) || opcode::is_return(insn.opcode) {
            editor.before(insn.offset, probe)?;
            if insn.falls_through() {
                editor.after(insn.offset, probe)?;
            }
        }
    }
    if let Some(from) = initialized_from(flow, code) {
        let mut handler = hit(pool);
        handler.op(opcode::ATHROW);
        editor.catch_all(from, &handler)?;
    }
    editor.finish(pool)
}

/// Rewrites one class with probes everywhere.
pub(crate) fn probe_class(
    bytes: &[u8],
    probe: impl Fn(&mut ConstantPool) -> Asm,
    tally: &mut Tally,
) -> Vec<u8> {
    let mut class = ClassFile::parse(bytes).unwrap();
    assert_eq!(class.to_bytes().unwrap(), bytes, "round trip");
    tally.classes += 1;
    let probe = probe(&mut class.pool);
    for index in 0..class.methods.len() {
        let Some(code) = class.methods[index].code(&class.pool).unwrap() else {
            continue;
        };
        let flow = flow::analyze_code(&class, &class.methods[index], &code)
            .unwrap_or_else(|e| panic!("{} method {index}: {e}", class.name().unwrap()));
        for site in flow.news() {
            match site.shape {
                NewShape::Pair => tally.pairs += 1,
                NewShape::Single => tally.singles += 1,
                NewShape::Complex => tally.complex += 1,
            }
        }
        tally.methods += 1;
        let mut edited = probed(&code, class.major, &flow, &mut class.pool, &probe, true);
        match &edited {
            Ok(edited) => {
                tally.full += 1;
                let wide = |code: &Code| {
                    jinsi_classfile::insn::iter(&code.bytes)
                        .filter(|i| i.as_ref().is_ok_and(|i| i.opcode == opcode::GOTO_W))
                        .count()
                };
                tally.jumps_widened += wide(&edited.code) - wide(&code);
            }
            Err(EditError::TooLarge(_) | EditError::FarBranch(_)) => {
                tally.far += usize::from(matches!(edited, Err(EditError::FarBranch(_))));
                tally.light += 1;
                let thin = hit(&mut class.pool);
                edited = probed(&code, class.major, &flow, &mut class.pool, &thin, false);
            }
            Err(error) => panic!("{} method {index}: {error}", class.name().unwrap()),
        }
        match edited {
            Ok(edited) => class.methods[index]
                .set_code(&mut class.pool, &edited.code)
                .unwrap(),
            Err(_) => {
                tally.light -= 1;
                tally.untouched += 1;
            }
        }
    }
    class.to_bytes().unwrap()
}

/// [`probe_class`] for many.
pub(crate) fn probe_all(classes: &[NamedClass], tally: &mut Tally) -> Vec<NamedClass> {
    classes
        .iter()
        .map(|(name, bytes)| (name.clone(), probe_class(bytes, hit, tally)))
        .collect()
}

/// Moves every simple `new` with its constructor call into a private static method of the class, the way replay redirects
/// constructions. How many were moved comes back, too.
pub(crate) fn factories(bytes: &[u8]) -> (Vec<u8>, usize) {
    let mut class = ClassFile::parse(bytes).unwrap();
    let name = class.name().unwrap().into_owned();
    let mut moved = 0;
    if class.access & ACC_INTERFACE != 0 {
        return (bytes.to_vec(), 0);
    }
    for index in 0..class.methods.len() {
        let Some(code) = class.methods[index].code(&class.pool).unwrap() else {
            continue;
        };
        let flow = flow::analyze_code(&class, &class.methods[index], &code).unwrap();
        let mut editor = Editor::new(&code, class.major).unwrap();
        for site in flow.news() {
            if site.shape == NewShape::Complex {
                continue;
            }
            let insn_at = |offset| jinsi_classfile::insn::at(&code.bytes, offset).unwrap();
            let new_index = insn_at(site.offset).pool_index().unwrap();
            let made = class.pool.class_name(new_index).unwrap().into_owned();
            let init = insn_at(site.inits[0]).pool_index().unwrap();
            let init_desc = class.pool.member_ref(init).unwrap().desc.into_owned();
            let desc = init_desc.replace(")V", &format!(")L{made};"));
            let factory = format!("made${moved}");
            moved += 1;
            let mut body = Asm::new();
            body.typed(opcode::NEW, &mut class.pool, &made)
                .op(opcode::DUP);
            let mut slot = 0;
            for param in MethodType::parse(&init_desc).unwrap().params {
                body.load(param.letter(), slot);
                slot += param.slots();
            }
            body.invoke(opcode::INVOKESPECIAL, init, &init_desc)
                .ret('L');
            let body = body.into_code(&mut class.pool, slot).unwrap();
            subst::add_private_static(&mut class, &factory, &desc, &body).unwrap();

            let mut call = Asm::new();
            call.invokestatic(&mut class.pool, &name, &factory, &desc);
            editor.replace(site.offset, &Asm::nops(3)).unwrap();
            editor.remove_new(site.offset).unwrap();
            match site.shape {
                NewShape::Pair => editor.replace(site.offset + 3, &Asm::nops(1)).unwrap(),
                _ => drop(call.op(opcode::POP)),
            }
            editor.replace(site.inits[0], &call).unwrap();
        }
        let edited = editor.finish(&mut class.pool).unwrap();
        class.methods[index]
            .set_code(&mut class.pool, &edited.code)
            .unwrap();
    }
    (class.to_bytes().unwrap(), moved)
}

/// Turns a class into one of version 49, without frames: for the verifier that infers types.
pub(crate) fn downgraded(bytes: &[u8]) -> Vec<u8> {
    let mut class = ClassFile::parse(bytes).unwrap();
    class.major = 49;
    for index in 0..class.methods.len() {
        if let Some(mut code) = class.methods[index].code(&class.pool).unwrap() {
            code.attributes
                .retain(|a| !class.pool.is_utf8(a.name, "StackMapTable"));
            class.methods[index]
                .set_code(&mut class.pool, &code)
                .unwrap();
        }
    }
    class.to_bytes().unwrap()
}

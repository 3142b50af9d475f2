//! Classes that are not observed but access fields of observed ones: probes at those instructions, and nowhere else.

use std::collections::HashMap;

use jinsi_classfile::Asm;
use jinsi_classfile::class::{ClassFile, Member};
use jinsi_classfile::code::Code;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::flow;
use jinsi_classfile::insn::{self, Insn};
use jinsi_classfile::opcode as op;
use jinsi_classfile::pool::{ConstantPool, FIELD_REF, METHOD_REF};
use jinsi_probes::numbers;
use jinsi_trace::model::{ClassNo, Site, SiteNo};

use super::context::{Context, HUGE_METHOD, ProbeSet};
use super::emitter::release;
use super::emitter::{Decoded, Probes};
use super::outcome::{InstrumentError, Instrumented};
use super::refs::ProbeRefs;
use crate::selection::Selection;

const REFLECTION: &str = "java/lang/JinsiReflection";
const VAR_HANDLE: &str = "java/lang/invoke/VarHandle";

/// What is recorded of the instructions with one operand.
#[derive(Clone, Copy)]
enum Wanted {
    /// A field reference.
    Field,
    /// A call of a `VarHandle` method: the number of its access mode.
    Handle(i32),
}

/// Rewrites a class that is not observed. `touches` says of an internal name whether the class is observed or inherits from an
/// observed one. `None` if nothing is to be recorded of the class.
///
/// # Errors
/// The class is malformed; the original bytes must be used then. Single methods without room for probes are left as they are, and
/// named in [`Instrumented::thinned`].
pub fn instrument_outside(
    class_no: ClassNo,
    bytes: &[u8],
    selection: &Selection,
    touches: &dyn Fn(&str) -> bool,
    next_site: &mut dyn FnMut() -> SiteNo,
) -> Result<Option<Instrumented>, InstrumentError> {
    let mut class = ClassFile::parse(bytes)?;
    let wanted = wanted(&class, touches);
    if wanted.is_empty() {
        return Ok(None);
    }
    let context = Context::new(class_no, ProbeSet::Outside, &class, selection)?;
    let mut pool = class.pool.clone();
    let mut refs = ProbeRefs::new(ProbeSet::Outside);
    let (mut sites, mut thinned) = (Vec::new(), Vec::new());
    let mut codes = Vec::new();
    for (at, member) in class.methods.iter().enumerate() {
        let Some(code) = member.code(&class.pool)? else {
            continue;
        };
        if !touched(&code, &wanted) {
            continue;
        }
        match probe(
            &context, member, &code, &wanted, &mut pool, &mut refs, next_site,
        ) {
            Ok((rewritten, _))
                if rewritten.bytes.len() >= HUGE_METHOD && code.bytes.len() < HUGE_METHOD =>
            {
                thinned.push(format!("{}: field accesses", member.name(&class.pool)?));
            }
            Ok((rewritten, found)) => {
                codes.push((at, rewritten));
                sites.extend(found);
            }
            Err(_) => thinned.push(format!("{}: field accesses", member.name(&class.pool)?)),
        }
    }
    if codes.is_empty() && thinned.is_empty() {
        return Ok(None);
    }
    class.pool = pool;
    for (at, code) in codes {
        class.methods[at].set_code(&mut class.pool, &code)?;
    }
    Ok(Some(Instrumented {
        bytes: class.to_bytes()?,
        sites,
        thinned,
        left_out: Vec::new(),
    }))
}

/// The constants whose instructions are recorded.
fn wanted(class: &ClassFile, touches: &dyn Fn(&str) -> bool) -> HashMap<u16, Wanted> {
    let pool = &class.pool;
    let mut wanted = HashMap::new();
    for index in 1..pool.count() {
        let what = match pool.tag(index) {
            Some(FIELD_REF) => field(class, index, touches),
            Some(METHOD_REF) => handle(pool, index, touches),
            _ => None,
        };
        if let Some(what) = what {
            wanted.insert(index, what);
        }
    }
    wanted
}

/// Fields that the class itself declares are its own, whatever it inherits from.
fn field(class: &ClassFile, index: u16, touches: &dyn Fn(&str) -> bool) -> Option<Wanted> {
    let pool = &class.pool;
    let field = pool.member_ref(index).ok()?;
    let own = class.name().is_ok_and(|name| name == field.owner)
        && class
            .fields
            .iter()
            .any(|f| pool.is_utf8(f.name, &field.name) && pool.is_utf8(f.desc, &field.desc));
    (!own && touches(&field.owner)).then_some(Wanted::Field)
}

/// Accesses by handle to an instance field: the exact type of the object is the first in the descriptor.
fn handle(pool: &ConstantPool, index: u16, touches: &dyn Fn(&str) -> bool) -> Option<Wanted> {
    let method = pool.member_ref(index).ok()?;
    if method.owner != VAR_HANDLE {
        return None;
    }
    let (mode, arguments) = access_mode(&method.name)?;
    let desc = MethodType::parse(&method.desc).ok()?;
    let target = desc.params.first()?.class_name()?;
    (desc.params.len() == 1 + arguments && touches(target)).then_some(Wanted::Handle(mode))
}

/// Number of an access mode, one of `numbers::HANDLE_…`, and how many arguments there are behind the object.
fn access_mode(method: &str) -> Option<(i32, usize)> {
    const FAMILIES: &[(&str, i32, usize)] = &[
        ("compareAndSet", numbers::HANDLE_COMPARE_AND_SET, 2),
        ("weakCompareAndSet", numbers::HANDLE_COMPARE_AND_SET, 2),
        (
            "compareAndExchange",
            numbers::HANDLE_COMPARE_AND_EXCHANGE,
            2,
        ),
        ("getAndSet", numbers::HANDLE_GET_AND_SET, 1),
        ("getAndAdd", numbers::HANDLE_GET_AND_ADD, 1),
        ("getAndBitwiseOr", numbers::HANDLE_GET_AND_OR, 1),
        ("getAndBitwiseAnd", numbers::HANDLE_GET_AND_AND, 1),
        ("getAndBitwiseXor", numbers::HANDLE_GET_AND_XOR, 1),
    ];
    match method {
        "get" | "getVolatile" | "getOpaque" | "getAcquire" => {
            return Some((numbers::HANDLE_GET, 0));
        }
        "set" | "setVolatile" | "setOpaque" | "setRelease" => {
            return Some((numbers::HANDLE_SET, 1));
        }
        _ => {}
    }
    let family = FAMILIES.iter().find(|(name, ..)| method.starts_with(name));
    family.map(|&(_, mode, arguments)| (mode, arguments))
}

fn what(at: &Insn<'_>, wanted: &HashMap<u16, Wanted>) -> Option<Wanted> {
    let what = *wanted.get(&at.pool_index()?)?;
    match (what, at.opcode) {
        (Wanted::Field, op::GETSTATIC..=op::PUTFIELD) | (Wanted::Handle(_), op::INVOKEVIRTUAL) => {
            Some(what)
        }
        _ => None,
    }
}

fn touched(code: &Code, wanted: &HashMap<u16, Wanted>) -> bool {
    insn::iter(&code.bytes)
        .flatten()
        .any(|at| what(&at, wanted).is_some())
}

fn probe(
    context: &Context<'_>,
    member: &Member,
    code: &Code,
    wanted: &HashMap<u16, Wanted>,
    pool: &mut ConstantPool,
    refs: &mut ProbeRefs,
    next_site: &mut dyn FnMut() -> SiteNo,
) -> Result<(Code, Vec<Site>), InstrumentError> {
    let insns = insn::decode(&code.bytes)?;
    let decoded = Decoded {
        code,
        encoded: &insns,
        insns: &insns,
        flow: &flow::analyze_insns(context.class, member, code, &insns)?,
    };
    let mut probes = Probes::new(context, member, decoded, pool, refs, next_site)?;
    probes.tell_secrets()?;
    for at in &insns {
        if decoded.flow.at(at.offset).is_none() {
            continue; // unreachable
        }
        match (what(at, wanted), at.opcode) {
            (Some(Wanted::Field), op::GETSTATIC | op::PUTSTATIC) => probes.static_field(at)?,
            (Some(Wanted::Field), _) => probes.field(at)?,
            (Some(Wanted::Handle(mode)), _) => probes.handle_access(at, mode)?,
            (None, _) => {}
        }
    }
    probes.finish()
}

impl Probes<'_, '_> {
    /// A call of a `VarHandle` method: operands are held in fresh locals, and `JinsiReflection` is informed of them and the result.
    fn handle_access(&mut self, at: &Insn<'_>, mode: i32) -> Result<(), InstrumentError> {
        let pool = &self.context.class.pool;
        let member = pool.member_ref(at.pool_index().unwrap_or(0))?;
        let method = MethodType::parse(&member.desc)?;
        let mut asm = Asm::new();
        let (locals, free) = self.spill_args(&mut asm, &method)?;
        let handle = self.reference_slot(free)?;
        asm.op(op::DUP).store('L', handle);
        for &(local, param) in &locals {
            asm.load(param.letter(), local);
        }
        self.editor.before(at.offset, &asm)?;

        let mut asm = Asm::new();
        let result = method.result_letter();
        match result {
            'V' => {
                asm.null();
            }
            'J' | 'D' => {
                asm.op(op::DUP2).boxed(self.pool, result);
            }
            _ => {
                asm.op(op::DUP).boxed(self.pool, result);
            }
        }
        for n in 1..=2 {
            match locals.get(n) {
                Some(&(local, param)) => asm
                    .load(param.letter(), local)
                    .boxed(self.pool, param.letter()),
                None => asm.null(),
            };
        }
        asm.load('L', handle);
        if let Some(&(target, _)) = locals.first() {
            asm.load('L', target);
        }
        asm.int(self.pool, mode)
            .int(self.pool, i32::from(result != 'V'));
        let object = "Ljava/lang/Object;";
        let desc = format!("({object}{object}{object}{object}{object}IZ)V");
        asm.invokestatic(self.pool, REFLECTION, "handle", &desc);
        for &(local, param) in &locals {
            release(&mut asm, param.letter(), local);
        }
        release(&mut asm, 'L', handle);
        self.editor.after(at.offset, &asm)?;
        Ok(())
    }
}

/// `java.lang.reflect.Field` with a probe before each normal return of its `get…` and `set…` methods.
///
/// # Errors
/// The class is malformed.
pub fn watch_fields(bytes: &[u8]) -> Result<Vec<u8>, InstrumentError> {
    const TYPES: &[(&str, &str)] = &[
        ("", "Ljava/lang/Object;"),
        ("Boolean", "Z"),
        ("Byte", "B"),
        ("Char", "C"),
        ("Short", "S"),
        ("Int", "I"),
        ("Long", "J"),
        ("Float", "F"),
        ("Double", "D"),
    ];
    let mut class = ClassFile::parse(bytes)?;
    for (suffix, desc) in TYPES {
        let accessors = [
            (
                format!("get{suffix}"),
                format!("(Ljava/lang/Object;){desc}"),
                false,
            ),
            (
                format!("set{suffix}"),
                format!("(Ljava/lang/Object;{desc})V"),
                true,
            ),
        ];
        for (name, signature, write) in accessors {
            let Some(index) = class.find_method(&name, &signature) else {
                continue;
            };
            if let Some(code) = class.methods[index].code(&class.pool)? {
                let code = watch(&code, class.major, desc, write, &mut class.pool)?;
                class.methods[index].set_code(&mut class.pool, &code)?;
            }
        }
    }
    Ok(class.to_bytes()?)
}

fn watch(
    code: &Code,
    major: u16,
    desc: &str,
    write: bool,
    pool: &mut ConstantPool,
) -> Result<Code, InstrumentError> {
    // Smaller integers are ints on the stack.
    let (letter, value) = match desc {
        "J" => ('J', "J"),
        "F" => ('F', "F"),
        "D" => ('D', "D"),
        "Z" | "B" | "C" | "S" | "I" => ('I', "I"),
        object => ('L', object),
    };
    let mut asm = Asm::new();
    if write {
        asm.load(letter, 2);
    } else {
        asm.op(if matches!(letter, 'J' | 'D') {
            op::DUP2
        } else {
            op::DUP
        });
    }
    asm.load('L', 0)
        .load('L', 1)
        .int(pool, i32::from(write))
        .invokestatic(
            pool,
            REFLECTION,
            "accessed",
            &format!("({value}Ljava/lang/reflect/Field;Ljava/lang/Object;Z)V"),
        );
    let mut editor = jinsi_classfile::Editor::new(code, major)?;
    for at in insn::iter(&code.bytes) {
        let at = at?;
        if matches!(at.opcode, op::IRETURN..=op::RETURN) {
            editor.before(at.offset, &asm)?;
        }
    }
    Ok(editor.finish(pool)?.code)
}

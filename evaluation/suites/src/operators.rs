//! The usual operators of mutation testing: each makes one small defect at one instruction, and leaves a class that the JVM verifies.

use std::fmt;

use anyhow::{Context, Result, bail};
use jinsi_classfile::code::line_at;
use jinsi_classfile::descriptor::MethodType;
use jinsi_classfile::insn::Insn;
use jinsi_classfile::opcode::{self, *};
use jinsi_classfile::{ACC_BRIDGE, ACC_SYNTHETIC, Asm, ClassFile, Code, ConstantPool};
use jinsi_classfile::{Editor, Member};
use serde::{Deserialize, Serialize};

/// What is done to an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Operator {
    /// `==` for `!=`, `<` for `>=`.
    ComparisonTurned,
    /// `<` for `<=`.
    BoundMoved,
    /// The jump is always taken.
    ConditionForced,
    /// The jump is never taken.
    ConditionNeverHolds,
    /// A call without result is not made.
    CallLeftOut,
    /// Another number.
    ConstantReplaced,
    /// Another result: 0, `null`, `true` or `false`.
    ResultReplaced,
    /// The other one of the two results: `true` for `false`.
    ResultTurned,
    /// A count goes the other way.
    IncrementTurned,
    /// `+` for `-`, `*` for `/`.
    ArithmeticReplaced,
    /// `x` for `-x`.
    NegationLeftOut,
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ComparisonTurned => "comparison turned round",
            Self::BoundMoved => "bound moved by one",
            Self::ConditionForced => "condition forced: the jump is always taken",
            Self::ConditionNeverHolds => "condition forced: the jump is never taken",
            Self::CallLeftOut => "call left out",
            Self::ConstantReplaced => "constant replaced",
            Self::ResultReplaced => "result replaced",
            Self::ResultTurned => "boolean result turned round",
            Self::IncrementTurned => "increment turned round",
            Self::ArithmeticReplaced => "arithmetic operator replaced",
            Self::NegationLeftOut => "negation left out",
        })
    }
}

/// An instruction that operators apply to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Spot {
    /// Which of the class's methods, by its place in the class file.
    pub(crate) method: usize,
    /// Bytecode index.
    pub(crate) offset: u32,
}

/// The instructions of a class that operators apply to. None of synthetic classes and methods, which no person wrote, but for the bodies of
/// lambdas. None of class initializers: these run before whichever test comes first, so that no test in particular executes them.
pub(crate) fn spots(class: &ClassFile) -> Result<Vec<Spot>> {
    let mut spots = Vec::new();
    if class.access & ACC_SYNTHETIC != 0 {
        return Ok(spots);
    }
    for (number, method) in class.methods.iter().enumerate() {
        if !is_written(method, &class.pool)? {
            continue;
        }
        let Some(code) = method.code(&class.pool)? else {
            continue;
        };
        let desc = method.desc(&class.pool)?;
        for insn in jinsi_classfile::insn::decode(&code.bytes)? {
            if !applicable(&insn, &desc, &class.pool)?.is_empty() {
                spots.push(Spot {
                    method: number,
                    offset: insn.offset,
                });
            }
        }
    }
    Ok(spots)
}

/// Did a person write the method, for others to call?
fn is_written(method: &Member, pool: &ConstantPool) -> Result<bool> {
    let is_synthetic = method.access & (ACC_SYNTHETIC | ACC_BRIDGE) != 0;
    let name = method.name(pool)?;
    Ok(&*name != "<clinit>" && (!is_synthetic || name.starts_with("lambda$")))
}

/// The operators that apply to the instruction at a spot.
pub(crate) fn operators(class: &ClassFile, spot: &Spot) -> Result<Vec<Operator>> {
    let method = &class.methods[spot.method];
    let code = method.code(&class.pool)?.context("the method has code")?;
    let insn = jinsi_classfile::insn::at(&code.bytes, spot.offset)?;
    applicable(&insn, &method.desc(&class.pool)?, &class.pool)
}

fn applicable(insn: &Insn<'_>, desc: &str, pool: &ConstantPool) -> Result<Vec<Operator>> {
    let op = insn.opcode;
    if opcode::inverted(op).is_some() {
        let mut all = vec![
            Operator::ComparisonTurned,
            Operator::ConditionForced,
            Operator::ConditionNeverHolds,
        ];
        if moved_bound(op).is_some() {
            all.push(Operator::BoundMoved);
        }
        return Ok(all);
    }
    Ok(match op {
        INVOKEVIRTUAL | INVOKEINTERFACE | INVOKESTATIC | INVOKESPECIAL => {
            let called = pool.member_ref(insn.pool_index().context("a call names a method")?)?;
            match called.desc.ends_with(")V") && &*called.name != "<init>" {
                true => vec![Operator::CallLeftOut],
                false => Vec::new(),
            }
        }
        ICONST_M1..=ICONST_5 | LCONST_0..=DCONST_1 | BIPUSH | SIPUSH => {
            vec![Operator::ConstantReplaced]
        }
        LDC | LDC_W => {
            let index = insn.pool_index().context("ldc names a constant")?;
            match pool.integer(index) {
                Ok(_) => vec![Operator::ConstantReplaced],
                Err(_) => Vec::new(),
            }
        }
        IRETURN if desc.ends_with(")Z") => vec![Operator::ResultReplaced, Operator::ResultTurned],
        IRETURN | LRETURN | FRETURN | DRETURN | ARETURN => vec![Operator::ResultReplaced],
        IINC if insn.immediate().is_some_and(|by| by > -128) => vec![Operator::IncrementTurned],
        INEG | LNEG | FNEG | DNEG => vec![Operator::NegationLeftOut],
        _ if other_arithmetic(op).is_some() => vec![Operator::ArithmeticReplaced],
        _ => Vec::new(),
    })
}

/// `<` and `<=`, `>` and `>=`.
fn moved_bound(op: u8) -> Option<u8> {
    Some(match op {
        IFLT => IFLE,
        IFLE => IFLT,
        IFGT => IFGE,
        IFGE => IFGT,
        IF_ICMPLT => IF_ICMPLE,
        IF_ICMPLE => IF_ICMPLT,
        IF_ICMPGT => IF_ICMPGE,
        IF_ICMPGE => IF_ICMPGT,
        _ => return None,
    })
}

/// Another operator on the same types. Those of arithmetic come in fours: of `int`, `long`, `float`, `double`; shifts and logic in pairs.
fn other_arithmetic(op: u8) -> Option<u8> {
    Some(match op {
        IADD..=DADD => op - IADD + ISUB,
        ISUB..=DSUB => op - ISUB + IADD,
        IMUL..=DMUL => op - IMUL + IDIV,
        IDIV..=DDIV => op - IDIV + IMUL,
        IREM..=DREM => op - IREM + IMUL,
        ISHL | LSHL => op - ISHL + ISHR,
        ISHR | LSHR => op - ISHR + ISHL,
        IUSHR | LUSHR => op - IUSHR + ISHL,
        IAND | LAND => op - IAND + IOR,
        IOR | LOR => op - IOR + IAND,
        IXOR | LXOR => op - IXOR + IAND,
        _ => return None,
    })
}

/// The class with one defect.
pub(crate) fn apply(class: &ClassFile, spot: &Spot, operator: Operator) -> Result<ClassFile> {
    let mut class = class.clone();
    let method = &class.methods[spot.method];
    let mut code = method.code(&class.pool)?.context("the method has code")?;
    let desc = method.desc(&class.pool)?.into_owned();
    let original = code.bytes.clone();
    let insn = jinsi_classfile::insn::at(&original, spot.offset)?;
    let edit = edit(&insn, operator, &desc, &mut class.pool)?;
    if let Some(opcode) = edit.opcode {
        code.bytes[spot.offset as usize] = opcode;
    }
    if let Some(bytes) = &edit.bytes {
        let at = spot.offset as usize;
        code.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }
    let code = around(&code, spot.offset, &edit, class.major, &mut class.pool)?;
    class.methods[spot.method].set_code(&mut class.pool, &code)?;
    Ok(class)
}

/// What is changed at one instruction.
#[derive(Default)]
struct Edit {
    /// Another opcode in its place, of the same length.
    opcode: Option<u8>,
    /// Other bytes in its place, of the same length.
    bytes: Option<Vec<u8>>,
    before: Option<Asm>,
    replacement: Option<Asm>,
}

fn edit(insn: &Insn<'_>, operator: Operator, desc: &str, pool: &mut ConstantPool) -> Result<Edit> {
    let op = insn.opcode;
    let same_length = |opcode: Option<u8>| Edit {
        opcode,
        ..Edit::default()
    };
    Ok(match operator {
        Operator::ComparisonTurned => same_length(opcode::inverted(op)),
        Operator::BoundMoved => same_length(moved_bound(op)),
        Operator::ConditionForced => forced(op, IFEQ),
        Operator::ConditionNeverHolds => forced(op, IFNE),
        Operator::ArithmeticReplaced => same_length(other_arithmetic(op)),
        Operator::NegationLeftOut => same_length(Some(NOP)),
        Operator::IncrementTurned => {
            let by = insn.immediate().context("iinc has a number")?;
            let mut bytes = insn.bytes.to_vec();
            let last = bytes.len() - 1;
            match insn.wide {
                true => bytes[last - 1..].copy_from_slice(&(-by as i16).to_be_bytes()),
                false => bytes[last] = (-by as i8) as u8,
            }
            Edit {
                bytes: Some(bytes),
                ..Edit::default()
            }
        }
        Operator::CallLeftOut => Edit {
            replacement: Some(popped_arguments(insn, pool)?),
            ..Edit::default()
        },
        Operator::ConstantReplaced => replaced_constant(insn, pool)?,
        Operator::ResultReplaced => Edit {
            before: Some(other_result(op)?),
            ..Edit::default()
        },
        Operator::ResultTurned => {
            if !desc.ends_with(")Z") {
                bail!("only a boolean result can be turned round");
            }
            Edit {
                before: Some(Asm::from_bytes(vec![ICONST_1, IXOR], 1, 0)),
                ..Edit::default()
            }
        }
    })
}

/// A jump on 0 that is always, or never, taken, in place of one that compares what is on the stack.
fn forced(op: u8, jump: u8) -> Edit {
    let compares_two = (IF_ICMPEQ..=IF_ACMPNE).contains(&op);
    let (pop, slots) = if compares_two { (POP2, 2) } else { (POP, 1) };
    Edit {
        opcode: Some(jump),
        before: Some(Asm::from_bytes(vec![pop, ICONST_0], 0, 1 - slots)),
        ..Edit::default()
    }
}

fn popped_arguments(insn: &Insn<'_>, pool: &ConstantPool) -> Result<Asm> {
    let index = insn.pool_index().context("a call names a method")?;
    let called = pool.member_ref(index)?;
    let method = MethodType::parse(&called.desc)?;
    let mut bytes: Vec<u8> = Vec::new();
    for param in method.params.iter().rev() {
        bytes.push(if param.slots() == 2 { POP2 } else { POP });
    }
    if insn.opcode != INVOKESTATIC {
        bytes.push(POP);
    }
    let receiver = i32::from(insn.opcode != INVOKESTATIC);
    let slots = i32::from(method.param_slots()) + receiver;
    Ok(Asm::from_bytes(bytes, 0, -slots))
}

/// 1 for 0, 0 for 1, else the next number.
fn replaced_constant(insn: &Insn<'_>, pool: &mut ConstantPool) -> Result<Edit> {
    let opcode = match insn.opcode {
        ICONST_0 | LCONST_0 | FCONST_0 | FCONST_1 | DCONST_0 => insn.opcode + 1,
        ICONST_1 | LCONST_1 | FCONST_2 | DCONST_1 => insn.opcode - 1,
        _ => {
            let before = match insn.opcode {
                op @ ICONST_M1..=ICONST_5 => i32::from(op) - i32::from(ICONST_0),
                LDC | LDC_W => pool.integer(insn.pool_index().context("ldc names a constant")?)?,
                _ => insn.immediate().context("a constant")?,
            };
            let mut asm = Asm::new();
            asm.int(pool, before.wrapping_add(1));
            return Ok(Edit {
                replacement: Some(asm),
                ..Edit::default()
            });
        }
    };
    Ok(Edit {
        opcode: Some(opcode),
        ..Edit::default()
    })
}

/// Leaves 0 or `null` on the stack, in place of what is about to be returned.
fn other_result(op: u8) -> Result<Asm> {
    let bytes = match op {
        IRETURN => vec![POP, ICONST_0],
        LRETURN => vec![POP2, LCONST_0],
        FRETURN => vec![POP, FCONST_0],
        DRETURN => vec![POP2, DCONST_0],
        ARETURN => vec![POP, ACONST_NULL],
        _ => bail!("{} returns no value", opcode::name(op).unwrap_or("?")),
    };
    Ok(Asm::from_bytes(bytes, 0, 0))
}

fn around(
    code: &Code,
    offset: u32,
    edit: &Edit,
    major: u16,
    pool: &mut ConstantPool,
) -> Result<Code> {
    if edit.before.is_none() && edit.replacement.is_none() {
        return Ok(code.clone());
    }
    let mut editor = Editor::new(code, major)?;
    if let Some(snippet) = &edit.before {
        editor.before(offset, snippet)?;
    }
    if let Some(snippet) = &edit.replacement {
        editor.replace(offset, snippet)?;
    }
    Ok(editor.finish(pool)?.code)
}

/// A spot as a person reads it: `a.b.C.add(II)I, bytecode index 7 (C.java:12)`.
pub(crate) fn described(class: &ClassFile, spot: &Spot) -> Result<String> {
    let method = &class.methods[spot.method];
    let name = class.name()?.replace('/', ".");
    let mut text = format!(
        "{name}.{}{}, bytecode index {}",
        method.name(&class.pool)?,
        method.desc(&class.pool)?,
        spot.offset
    );
    let code = method.code(&class.pool)?.context("the method has code")?;
    let line = line_at(&code.lines(&class.pool), spot.offset);
    if let (Some(file), Some(line)) = (class.source_file(), line) {
        text += &format!(" ({file}:{line})");
    }
    Ok(text)
}

/// The class with a call of a static method in front of each of these instructions, which is given the number beside it.
pub(crate) fn probed(
    class: &ClassFile,
    spots: &[(Spot, usize)],
    owner: &str,
    name: &str,
) -> Result<ClassFile> {
    let mut class = class.clone();
    let hit = class.pool.add_method_ref(owner, name, "(I)V", false)?;
    for group in spots.chunk_by(|a, b| a.0.method == b.0.method) {
        let number = group[0].0.method;
        let method = &class.methods[number];
        let code = method.code(&class.pool)?.context("the method has code")?;
        let mut editor = Editor::new(&code, class.major)?;
        for (spot, place) in group {
            let mut asm = Asm::new();
            asm.int(&mut class.pool, i32::try_from(*place)?);
            asm.call_static(hit, 1, 0);
            editor.before(spot.offset, &asm)?;
        }
        // A method that would grow too large stays as it is: nothing is known to run in it.
        if let Ok(edited) = editor.finish(&mut class.pool) {
            class.methods[number].set_code(&mut class.pool, &edited.code)?;
        }
    }
    Ok(class)
}

#[cfg(test)]
mod tests;

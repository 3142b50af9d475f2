//! Damages class files so that a good share of them stays acceptable to a JVM.

use jinsi_classfile::class::{Attribute, Member};
use jinsi_classfile::{ClassFile, Code, insn, opcode};
use jinsi_ground::numbers::Numbers;

/// Kinds of damage, most of them slight: the JVM shall accept the result often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Damage {
    Byte,
    Truncation,
    Version,
    ClassFlags,
    MethodFlags,
    Attributes,
    AttributeLength,
    PoolByte,
    PoolIndex,
    Opcode,
    Operand,
    Nops,
    Handler,
    MaxStack,
    DeadCode,
    SwappedMethods,
    LostFrames,
}

const ALL: [Damage; 17] = [
    Damage::Byte,
    Damage::Truncation,
    Damage::Version,
    Damage::ClassFlags,
    Damage::MethodFlags,
    Damage::Attributes,
    Damage::AttributeLength,
    Damage::PoolByte,
    Damage::PoolIndex,
    Damage::Opcode,
    Damage::Operand,
    Damage::Nops,
    Damage::Handler,
    Damage::MaxStack,
    Damage::DeadCode,
    Damage::SwappedMethods,
    Damage::LostFrames,
];

/// One to three kinds of damage done to a class file.
pub(super) fn mutate(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=numbers.below(3) {
        let damage = ALL[numbers.below(ALL.len())];
        bytes = damaged(bytes, damage, numbers);
    }
    bytes
}

fn damaged(mut bytes: Vec<u8>, damage: Damage, numbers: &mut Numbers) -> Vec<u8> {
    match damage {
        Damage::Byte => {
            let at = numbers.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << numbers.below(8);
            }
            return bytes;
        }
        Damage::Truncation if numbers.below(8) == 0 => {
            bytes.truncate(numbers.below(bytes.len()));
            return bytes;
        }
        Damage::PoolByte | Damage::PoolIndex => return pool_damaged(bytes, damage, numbers),
        _ => {}
    }
    // What can no longer be read is damaged enough.
    let Ok(mut class) = ClassFile::parse(&bytes) else {
        return bytes;
    };
    match damage {
        Damage::Version => class.major = 45 + numbers.below(25) as u16,
        Damage::ClassFlags => class.access ^= 1 << numbers.below(16),
        Damage::MethodFlags => {
            if let Some(method) = pick(&mut class.methods, numbers) {
                method.access ^= 1 << numbers.below(16);
            }
        }
        Damage::SwappedMethods => {
            let (a, b) = (
                numbers.below(class.methods.len()),
                numbers.below(class.methods.len()),
            );
            if a != b {
                let first = class.methods[a].attributes.clone();
                class.methods[a].attributes = class.methods[b].attributes.clone();
                class.methods[b].attributes = first;
            }
        }
        Damage::Attributes => {
            let method = numbers.below(class.methods.len() + 1);
            let list = match class.methods.get_mut(method) {
                Some(method) => &mut method.attributes,
                None => &mut class.attributes,
            };
            shuffled(list, numbers);
        }
        Damage::AttributeLength => {
            if let Some(attribute) = pick(&mut class.attributes, numbers) {
                match numbers.below(2) {
                    0 => drop(attribute.data.pop()),
                    _ => attribute.data.push(0),
                }
            }
        }
        _ => code_damaged(&mut class, damage, numbers),
    }
    class.to_bytes().unwrap_or(bytes)
}

fn pick<'a, T>(list: &'a mut [T], numbers: &mut Numbers) -> Option<&'a mut T> {
    let at = numbers.below(list.len());
    list.get_mut(at)
}

/// Takes an attribute away, or has it twice, or in another place, or under another name.
fn shuffled(list: &mut Vec<Attribute>, numbers: &mut Numbers) {
    if list.is_empty() {
        return;
    }
    let (at, to) = (numbers.below(list.len()), numbers.below(list.len()));
    match numbers.below(4) {
        0 => drop(list.remove(at)),
        1 => list.push(list[at].clone()),
        2 => list.swap(at, to),
        _ => list[at].name = list[to].name,
    }
}

/// Changes a constant: a byte of it, or what it refers to.
fn pool_damaged(mut bytes: Vec<u8>, damage: Damage, numbers: &mut Numbers) -> Vec<u8> {
    let Ok(class) = ClassFile::parse(&bytes) else {
        return bytes;
    };
    // The pool lies between the count and what is behind it, which has a known length.
    let mut rest = class.clone();
    rest.pool = jinsi_classfile::pool::ConstantPool::new();
    let behind = rest.to_bytes().map_or(bytes.len(), |rest| rest.len() - 10);
    let end = bytes.len().saturating_sub(behind);
    if end <= 10 {
        return bytes;
    }
    let at = 10 + numbers.below(end - 10);
    if damage == Damage::PoolByte {
        bytes[at] = bytes[at].wrapping_add(1);
    } else if at + 1 < end {
        let index = numbers.below(usize::from(class.pool.count())) as u16;
        bytes[at..at + 2].copy_from_slice(&index.to_be_bytes());
    }
    bytes
}

/// Damages the code of one method.
fn code_damaged(class: &mut ClassFile, damage: Damage, numbers: &mut Numbers) {
    let with_code = |member: &Member| member.attribute(&class.pool, "Code").is_some();
    let indices: Vec<usize> = (0..class.methods.len())
        .filter(|index| with_code(&class.methods[*index]))
        .collect();
    let Some(&index) = indices.get(numbers.below(indices.len())) else {
        return;
    };
    let Ok(Some(mut code)) = class.methods[index].code(&class.pool) else {
        return;
    };
    let constants = usize::from(class.pool.count());
    match damage {
        Damage::Handler => handler_damaged(&mut code, numbers),
        Damage::MaxStack => match numbers.below(4) {
            0 => code.max_stack = code.max_stack.wrapping_add(1),
            1 => code.max_stack = code.max_stack.wrapping_sub(1),
            2 => code.max_locals = [255, 256, 65_530, 65_535][numbers.below(4)],
            _ => code.max_locals = code.max_locals.wrapping_sub(1),
        },
        Damage::DeadCode => {
            // Behind everything, where only old verifiers do not look.
            let len = numbers.below(6);
            code.bytes
                .extend((0..len).map(|_| numbers.below(202) as u8));
            code.bytes.push(opcode::ATHROW);
        }
        Damage::LostFrames => code
            .attributes
            .retain(|attribute| !class.pool.is_utf8(attribute.name, "StackMapTable")),
        _ => instruction_damaged(&mut code, damage, constants, numbers),
    }
    // Only a wholly impossible attribute cannot be written; the class then stays as it was.
    let _ = class.methods[index].set_code(&mut class.pool, &code);
}

fn handler_damaged(code: &mut Code, numbers: &mut Numbers) {
    let len = code.bytes.len() + 1;
    let Some(handler) = pick(&mut code.handlers, numbers) else {
        return;
    };
    let at = numbers.below(len) as u16;
    match numbers.below(5) {
        0 => handler.start = at,
        1 => handler.end = at,
        2 => handler.handler = at,
        3 => handler.catch_type = 0,
        _ => {
            let copy = *handler;
            code.handlers.push(copy);
        }
    }
}

/// Instructions that may stand for one another without a change of the stack.
const ALIKE: [&[u8]; 8] = [
    &[
        opcode::NOP,
        opcode::I2B,
        opcode::I2C,
        opcode::I2S,
        opcode::INEG,
    ],
    &[
        opcode::ICONST_0,
        opcode::ICONST_1,
        opcode::ILOAD_0,
        opcode::ILOAD_1,
        opcode::ILOAD_2,
    ],
    &[
        opcode::ACONST_NULL,
        opcode::ALOAD_0,
        opcode::ALOAD_1,
        opcode::ALOAD_2,
        opcode::ALOAD_3,
    ],
    &[
        opcode::ASTORE_0,
        opcode::ASTORE_1,
        opcode::ASTORE_2,
        opcode::ASTORE_3,
        opcode::POP,
    ],
    &[
        opcode::IADD,
        opcode::ISUB,
        opcode::IMUL,
        opcode::IAND,
        opcode::IXOR,
    ],
    &[opcode::IFEQ, opcode::IFNE, opcode::IFLT, opcode::IFGE],
    &[opcode::IFNULL, opcode::IFNONNULL],
    &[opcode::INVOKEVIRTUAL, opcode::INVOKESPECIAL],
];

fn instruction_damaged(code: &mut Code, damage: Damage, constants: usize, numbers: &mut Numbers) {
    let Ok(insns) = insn::decode(&code.bytes) else {
        return;
    };
    let Some(insn) = insns.get(numbers.below(insns.len())).copied() else {
        return;
    };
    let at = insn.offset as usize;
    let len = insn.len() as usize;
    let alike = ALIKE.iter().find(|group| group.contains(&insn.opcode));
    let has_constant = insn.pool_index().is_some();
    match damage {
        Damage::Nops => code.bytes[at..at + len].fill(opcode::NOP),
        Damage::Opcode => {
            let byte = match alike {
                Some(group) => group[numbers.below(group.len())],
                None => numbers.below(202) as u8,
            };
            code.bytes[at] = byte;
        }
        _ if has_constant && len >= 3 => {
            let index = numbers.below(constants) as u16;
            code.bytes[at + 1..at + 3].copy_from_slice(&index.to_be_bytes());
        }
        _ if len > 1 => {
            let byte = at + 1 + numbers.below(len - 1);
            code.bytes[byte] = code.bytes[byte].wrapping_add(numbers.below(7) as u8);
        }
        _ => {}
    }
}

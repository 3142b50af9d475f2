//! Conditional jumps that a replay can turn, and places at which it tells that it came there: what would have happened if one jump had gone
//! the other way, once?
//!
//! A jump that can be turned compares by a method of the worker's `Flip`, which counts how often it ran and, the one time, says the opposite.
//! The code stays straight: what was compared is on the stack already, and the jump tests what the method gives.

use std::borrow::Cow;

use jinsi_classfile::{Asm, Code, ConstantPool, Editor, opcode as op};
use jinsi_events::model::MemberRef;

use crate::CodeError;

/// The class whose methods compare.
const FLIP: &str = "jinsi/replay/Flip";

/// What a site of a session is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlipKind {
    /// The conditional jump there can be turned.
    Turn,
    /// It is reported that the instruction there was come to after the jump was turned.
    Mark,
}

/// An instruction that is asked about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlipSite {
    /// Its number, from 1.
    pub no: u32,
    /// Whose code.
    pub method: MemberRef,
    /// Bytecode index.
    pub bci: u16,
    /// What for.
    pub kind: FlipKind,
}

impl FlipSite {
    /// Can the jump with this opcode be turned?
    pub fn can_turn(opcode: u8) -> bool {
        comparison(opcode).is_some()
    }
}

/// The method that compares in the place of a jump, its descriptor, and whether the jump is taken if it says so.
fn comparison(opcode: u8) -> Option<(&'static str, &'static str, bool)> {
    const ONE: &str = "(II)Z";
    const TWO: &str = "(III)Z";
    const OBJECTS: &str = "(Ljava/lang/Object;Ljava/lang/Object;I)Z";
    const OBJECT: &str = "(Ljava/lang/Object;I)Z";
    Some(match opcode {
        op::IFEQ => ("isZero", ONE, true),
        op::IFNE => ("isZero", ONE, false),
        op::IFLT => ("isNegative", ONE, true),
        op::IFGE => ("isNegative", ONE, false),
        op::IFGT => ("isPositive", ONE, true),
        op::IFLE => ("isPositive", ONE, false),
        op::IF_ICMPEQ => ("areEqual", TWO, true),
        op::IF_ICMPNE => ("areEqual", TWO, false),
        op::IF_ICMPLT => ("isLess", TWO, true),
        op::IF_ICMPGE => ("isLess", TWO, false),
        op::IF_ICMPGT => ("isGreater", TWO, true),
        op::IF_ICMPLE => ("isGreater", TWO, false),
        op::IF_ACMPEQ => ("areSame", OBJECTS, true),
        op::IF_ACMPNE => ("areSame", OBJECTS, false),
        op::IFNULL => ("isNull", OBJECT, true),
        op::IFNONNULL => ("isNull", OBJECT, false),
        _ => return None,
    })
}

/// Those of a method.
fn of<'s>(sites: &'s [FlipSite], method: &'s MemberRef) -> impl Iterator<Item = &'s FlipSite> {
    sites.iter().filter(move |site| site.method == *method)
}

/// The code of a method, in which jumps that can be turned test what [`insert`] leaves for them.
pub(crate) fn patched<'c>(sites: &[FlipSite], method: &MemberRef, code: &'c Code) -> Cow<'c, Code> {
    let mut patched = Cow::Borrowed(code);
    for site in of(sites, method).filter(|site| site.kind == FlipKind::Turn) {
        let at = usize::from(site.bci);
        let found = code.bytes.get(at).and_then(|opcode| comparison(*opcode));
        if let Some((_, _, positive)) = found {
            let tests = if positive { op::IFNE } else { op::IFEQ };
            patched.to_mut().bytes[at] = tests;
        }
    }
    patched
}

/// Puts the comparisons in front of the jumps of `editor`, whose code is [`patched`], and the marks in front of what is marked. `code` is the code
/// as it was.
pub(crate) fn insert(
    sites: &[FlipSite],
    method: &MemberRef,
    code: &Code,
    editor: &mut Editor<'_>,
    pool: &mut ConstantPool,
) -> Result<(), CodeError> {
    for site in of(sites, method) {
        let bci = u32::from(site.bci);
        let mut asm = Asm::new();
        // There are fewer sites than 2³¹.
        asm.int(pool, site.no as i32);
        match site.kind {
            FlipKind::Mark => _ = asm.invokestatic(pool, FLIP, "came", "(I)V"),
            FlipKind::Turn => {
                let opcode = code.bytes.get(usize::from(site.bci));
                let Some((name, desc, _)) = opcode.and_then(|opcode| comparison(*opcode)) else {
                    continue;
                };
                asm.invokestatic(pool, FLIP, name, desc);
            }
        }
        editor.before(bci, &asm)?;
    }
    Ok(())
}

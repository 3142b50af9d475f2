//! Where instructions go, and writing them there.

use super::{EditError, Editor};
use crate::bytes::{put_u16, put_u32};
use crate::code::MAX_CODE_BYTES;
use crate::insn::{Insn, padding};
use crate::opcode::{self, Format};

/// Where the instructions of the original code have gone.
#[derive(Clone, Debug)]
pub struct OffsetMap {
    /// Original offsets of all instructions, then the length of the code.
    old: Vec<u32>,
    /// Where jumps to them go: in front of what was inserted before them.
    labels: Vec<u32>,
    /// Where they are themselves.
    bodies: Vec<u32>,
}

impl OffsetMap {
    fn index(&self, old: u32) -> Option<usize> {
        self.old.binary_search(&old).ok()
    }

    pub(super) fn label_of(&self, index: usize) -> u32 {
        self.labels[index]
    }

    /// Where a jump to the original offset goes now; also for the offset behind the last instruction. `None` if no instruction
    /// began there.
    pub fn label(&self, old: u32) -> Option<u32> {
        self.index(old).map(|index| self.labels[index])
    }

    /// Where the instruction itself is now, or what replaced it.
    pub fn insn(&self, old: u32) -> Option<u32> {
        let index = self.index(old)?;
        self.bodies[..self.bodies.len() - 1].get(index).copied()
    }

    /// [`OffsetMap::label`] of the last instruction that begins at `old` or before it.
    pub(super) fn label_at_or_before(&self, old: u32) -> u32 {
        let behind = self.old.partition_point(|offset| *offset <= old);
        self.labels[behind.saturating_sub(1)]
    }

    /// The original offset of the instruction that the code at `new` belongs to, be it the instruction itself or what was
    /// inserted before or after it. `None` in entry and appended handler code.
    pub fn original(&self, new: u32) -> Option<u32> {
        let behind = self.labels.partition_point(|label| *label <= new);
        let index = behind.checked_sub(1)?;
        (behind < self.labels.len()).then(|| self.old[index])
    }
}

/// Positions of everything; the last element of each vector stands for the end of the original code.
pub(super) struct Layout {
    labels: Vec<u32>,
    bodies: Vec<u32>,
    /// Which jumps take their long form.
    widened: Vec<bool>,
}

impl Layout {
    /// Lays the code out; `framed` are the original offsets that have a frame, rising.
    pub(super) fn compute(editor: &Editor<'_>, framed: Vec<u32>) -> Result<Self, EditError> {
        let mut layout = Layout {
            labels: Vec::new(),
            bodies: Vec::new(),
            widened: vec![false; editor.insns.len()],
        };
        // A jump that has become long stays long, so this ends.
        loop {
            layout.place(editor);
            if !layout.widen(editor)? {
                break;
            }
        }
        layout.check_inversions(editor, &framed)?;
        let end = layout.labels.last().copied().unwrap_or(0) as usize;
        let handlers: usize = editor.catch_alls.iter().map(|c| c.bytes.len()).sum();
        if end + handlers > MAX_CODE_BYTES {
            return Err(EditError::TooLarge((end + handlers) as u64));
        }
        Ok(layout)
    }

    fn place(&mut self, editor: &Editor<'_>) {
        self.labels.clear();
        self.bodies.clear();
        let mut at = editor.entry.len() as u32;
        for (index, insn) in editor.insns.iter().enumerate() {
            let edit = editor.edit(index);
            self.labels.push(at);
            at += edit.before.len() as u32;
            self.bodies.push(at);
            at += match &edit.replacement {
                Some(bytes) => bytes.len() as u32,
                None => placed_len(insn, self.widened[index], at),
            };
            at += edit.after.len() as u32;
        }
        self.labels.push(at);
        self.bodies.push(at);
    }

    /// Marks jumps that have become too long; were there any?
    fn widen(&mut self, editor: &Editor<'_>) -> Result<bool, EditError> {
        let mut more = false;
        for (index, insn) in editor.insns.iter().enumerate() {
            let short = insn.format == Format::Branch && !self.widened[index];
            if !short || editor.edit(index).replacement.is_some() {
                continue;
            }
            if let Some(target) = insn.target() {
                let jump = i64::from(self.label(editor, target)) - i64::from(self.bodies[index]);
                if i16::try_from(jump).is_err() {
                    self.widened[index] = true;
                    more = true;
                }
            }
        }
        Ok(more)
    }

    /// An inverted conditional jump makes the place behind it a jump target. There must be an instruction, and where frames are
    /// needed, a frame.
    fn check_inversions(&self, editor: &Editor<'_>, framed: &[u32]) -> Result<(), EditError> {
        for (index, insn) in editor.insns.iter().enumerate() {
            if !self.widened[index] || opcode::inverted(insn.opcode).is_none() {
                continue;
            }
            let is_last = index + 1 == editor.insns.len();
            let has_frame =
                framed.binary_search(&insn.end()).is_ok() && editor.edit(index).after.is_empty();
            if is_last || (editor.framed && !has_frame) {
                return Err(EditError::FarBranch(insn.offset));
            }
        }
        Ok(())
    }

    /// Where a jump to an original offset goes. Decoding has checked that instructions begin at all targets.
    fn label(&self, editor: &Editor<'_>, target: u32) -> u32 {
        let end = self.labels.len() - 1;
        self.labels[editor.offsets.place(target).unwrap_or(end)]
    }

    /// Writes the code, without the handlers to be appended.
    pub(super) fn emit(&self, editor: &Editor<'_>) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.labels.last().copied().unwrap_or(0) as usize);
        out.extend_from_slice(&editor.entry);
        for (index, insn) in editor.insns.iter().enumerate() {
            let edit = editor.edit(index);
            out.extend_from_slice(&edit.before);
            match &edit.replacement {
                Some(bytes) => out.extend_from_slice(bytes),
                None => self.emit_insn(editor, index, insn, &mut out),
            }
            out.extend_from_slice(&edit.after);
        }
        out
    }

    fn emit_insn(&self, editor: &Editor<'_>, index: usize, insn: &Insn<'_>, out: &mut Vec<u8>) {
        let at = self.bodies[index];
        let jump = |target: u32| self.label(editor, target).wrapping_sub(at);
        if let Some(switch) = insn.switch() {
            out.push(insn.opcode);
            out.resize(out.len() + padding(at), 0);
            put_u32(out, jump(switch.default_target()));
            // Low and high, or the count of pairs, stay as they are.
            let start = 1 + padding(insn.offset) + 4;
            let counts = if switch.is_table() { 8 } else { 4 };
            out.extend_from_slice(&insn.bytes[start..start + counts]);
            for (key, target) in switch.cases() {
                if !switch.is_table() {
                    put_u32(out, key as u32);
                }
                put_u32(out, jump(target));
            }
            return;
        }
        match (insn.format, insn.target()) {
            (Format::Branch, Some(target)) if !self.widened[index] => {
                out.push(insn.opcode);
                put_u16(out, jump(target) as u16);
            }
            (Format::Branch, Some(target)) => match opcode::inverted(insn.opcode) {
                Some(inverted) => {
                    // Over itself and the goto_w behind it; that one jumps relative to its own place.
                    out.push(inverted);
                    put_u16(out, 8);
                    out.push(opcode::GOTO_W);
                    put_u32(out, jump(target).wrapping_sub(3));
                }
                None => {
                    let wide = match insn.opcode {
                        opcode::JSR => opcode::JSR_W,
                        _ => opcode::GOTO_W,
                    };
                    out.push(wide);
                    put_u32(out, jump(target));
                }
            },
            (Format::BranchWide, Some(target)) => {
                out.push(insn.opcode);
                put_u32(out, jump(target));
            }
            _ => out.extend_from_slice(insn.bytes),
        }
    }

    pub(super) fn into_offsets(self, editor: &Editor<'_>) -> OffsetMap {
        let end = editor.code.bytes.len() as u32;
        let old = editor.insns.iter().map(|insn| insn.offset);
        OffsetMap {
            old: old.chain([end]).collect(),
            labels: self.labels,
            bodies: self.bodies,
        }
    }
}

/// Length of an instruction that is put at `at`.
fn placed_len(insn: &Insn<'_>, widened: bool, at: u32) -> u32 {
    match insn.format {
        Format::TableSwitch | Format::LookupSwitch => {
            insn.len() - padding(insn.offset) as u32 + padding(at) as u32
        }
        Format::Branch if widened && opcode::inverted(insn.opcode).is_some() => 8,
        Format::Branch if widened => 5,
        _ => insn.len(),
    }
}

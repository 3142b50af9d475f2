//! Handlers that cover their own first instructions.
//!
//! Compilers let the handler of a `finally` or of a `synchronized` cover its own beginning, which stores the throwable and leaves the monitor.
//! None of these instructions can throw; inserted ones can, as far as HotSpot's C1 knows, and it gives up a method with an exception that
//! leads back to a handler it has been at, so that the method stays with the interpreter for long. What is thrown by snippets there goes to
//! a jump of their own instead, to behind the first of them: the handler's own code runs all the same.

use super::{EditError, Editor, OffsetMap};
use crate::bytes::{put_u16, put_u32};
use crate::code::{Code, Handler};
use crate::frames::{self, Frame, FrameKind, VType};
use crate::opcode;

/// A jump that was appended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shield {
    /// Where it is.
    start: u32,
    /// Where the handler begins, with what was inserted there.
    handler: u32,
    /// Where its first instruction is, to which it jumps.
    to: u32,
}

/// Does the handler cover its own first instruction, whatever is thrown there?
fn covers_itself(handler: &Handler) -> bool {
    (handler.start..handler.end).contains(&handler.handler) && handler.catch_type == 0
}

impl Editor<'_> {
    /// Snippets at the beginning of a handler that covers itself are not to be covered by it directly: C1 would not compile the
    /// method. `initial`: the locals with which the method begins, as [`crate::frames::initial_locals`] gives them.
    pub fn shield(&mut self, initial: &[VType]) {
        self.shielded = true;
        self.initial_locals = initial.to_vec();
    }

    /// Moves the exception table of the original code; appends what shields snippets from handlers that cover themselves.
    pub(super) fn move_handlers(
        &self,
        code: &mut Code,
        offsets: &OffsetMap,
    ) -> Result<Vec<Shield>, EditError> {
        let mut shields = Vec::new();
        for old in &self.code.handlers {
            let label = |old: u16| {
                let old = u32::from(old);
                offsets.label(old).ok_or(EditError::Offset(old))
            };
            let moved = Handler {
                start: label(old.start)? as u16,
                end: label(old.end)? as u16,
                handler: label(old.handler)? as u16,
                catch_type: old.catch_type,
            };
            let pieces = match self.shielded && covers_itself(old) {
                true => self.pieces(old, offsets)?,
                false => Vec::new(),
            };
            if !pieces.iter().any(|piece| piece.inserted) {
                code.handlers.push(moved);
                continue;
            }
            let shield = code.bytes.len() as u32;
            let covered = |start: u32, end: u32, handler: u32| Handler {
                start: start as u16,
                end: end as u16,
                handler: handler as u16,
                catch_type: 0,
            };
            let handler = u32::from(moved.handler);
            for piece in pieces {
                let to = if piece.inserted { shield } else { handler };
                code.handlers.push(covered(piece.start, piece.end, to));
            }
            let old = u32::from(old.handler);
            let to = offsets.insn(old).ok_or(EditError::Offset(old))?;
            jump(&mut code.bytes, to);
            shields.push(Shield {
                start: shield,
                handler,
                to,
            });
        }
        Ok(shields)
    }

    /// What a handler covers: in turn what it goes on to cover, and the snippets from its own beginning on.
    fn pieces(&self, handler: &Handler, offsets: &OffsetMap) -> Result<Vec<Piece>, EditError> {
        let first = self.index(handler.start.into())?;
        let own = self.index(handler.handler.into())?;
        let end = self
            .insns
            .partition_point(|insn| insn.offset < handler.end.into());
        let mut pieces: Vec<Piece> = Vec::new();
        let mut push = |start: u32, end: u32, inserted: bool| match pieces.last_mut() {
            _ if start == end => {}
            Some(last) if last.inserted == inserted => last.end = end,
            _ => pieces.push(Piece {
                start,
                end,
                inserted,
            }),
        };
        for index in first..end {
            let edit = self.edit(index);
            let (start, end) = (offsets.label_of(index), offsets.label_of(index + 1));
            let body = start + edit.before.len() as u32;
            let behind = end - edit.after.len() as u32;
            push(start, body, index >= own);
            push(body, behind, false);
            push(behind, end, index >= own);
        }
        Ok(pieces)
    }
}

/// Appends a jump back.
fn jump(code: &mut Vec<u8>, to: u32) {
    let distance = i64::from(to) - code.len() as i64;
    match i16::try_from(distance) {
        Ok(near) => {
            code.push(opcode::GOTO);
            put_u16(code, near as u16);
        }
        Err(_) => {
            code.push(opcode::GOTO_W);
            put_u32(code, distance as u32);
        }
    }
}

/// A part of what a handler covers.
struct Piece {
    start: u32,
    end: u32,
    inserted: bool,
}

/// Frames of the shields, and of where they jump: what holds in front of the handler holds there. `frames` are all frames so far.
pub(super) fn add_frames(
    editor: &Editor<'_>,
    shields: &[Shield],
    frames: &mut Vec<Frame>,
    throwable: u16,
) {
    if shields.is_empty() {
        return;
    }
    if editor.kept.is_empty() {
        frames::keep(frames, &editor.initial_locals, &[]);
    }
    for shield in shields {
        let Some(handler) = frames.iter().find(|frame| frame.offset == shield.handler) else {
            continue; // a class file of version 50 without frames, which is verified as an older one
        };
        let kind = handler.kind.clone();
        let FrameKind::Full { locals, .. } = &kind else {
            continue; // all of them are, by now
        };
        let locals = locals.clone();
        let stack = vec![VType::Object(throwable)];
        frames.push(Frame {
            offset: shield.start,
            kind: FrameKind::Full { locals, stack },
        });
        if frames.iter().all(|frame| frame.offset != shield.to) {
            frames.push(Frame {
                offset: shield.to,
                kind,
            });
        }
    }
    frames.sort_by_key(|frame| frame.offset);
}

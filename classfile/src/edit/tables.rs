//! Moving the tables of a method along with its code.

use super::shield::{self, Shield};
use super::{EditError, Editor, OffsetMap};
use crate::bytes::{Reader, put_u16};
use crate::class::{Attribute, ParseError, list};
use crate::frames::{self, Frame, FrameKind, VType};
use crate::pool::ConstantPool;

const STACK_MAP_TABLE: &str = "StackMapTable";

impl Editor<'_> {
    /// Original offsets that have a frame, rising.
    pub(super) fn frame_offsets(&self, pool: &ConstantPool) -> Result<Vec<u32>, EditError> {
        let frames = match self.code.attribute(pool, STACK_MAP_TABLE) {
            Some(attribute) if self.framed => frames::decode(&attribute.data)?,
            _ => Vec::new(),
        };
        Ok(frames.iter().map(|frame| frame.offset).collect())
    }
}

/// All attributes of the new code. `handler_starts`: where the appended handlers begin that are no shields.
pub(super) fn relocate(
    editor: &Editor<'_>,
    offsets: &OffsetMap,
    shields: &[Shield],
    handler_starts: &[u32],
    pool: &mut ConstantPool,
) -> Result<Vec<Attribute>, EditError> {
    let mut attributes = Vec::new();
    let mut has_frames = false;
    for attribute in &editor.code.attributes {
        let name = pool.utf8(attribute.name)?.into_owned();
        let data = match name.as_str() {
            // Before version 50 nothing reads it, so that it may hold anything.
            STACK_MAP_TABLE if editor.framed => {
                has_frames = true;
                let moved = move_frames(editor, offsets, &attribute.data)?;
                with_new(editor, offsets, moved, shields, handler_starts, pool)?
            }
            "LineNumberTable" => lines(offsets, &attribute.data)?,
            // The JVM itself does not read these two unless a debugger asks, so malformed ones must not cost the method.
            "LocalVariableTable" | "LocalVariableTypeTable" => {
                match variables(offsets, &attribute.data) {
                    Ok(data) => data,
                    Err(_) => continue,
                }
            }
            _ => continue,
        };
        attributes.push(Attribute {
            name: attribute.name,
            data,
        });
    }
    let needs_frames = !handler_starts.is_empty() || !editor.joins.is_empty();
    if !has_frames && editor.framed && needs_frames {
        attributes.push(Attribute {
            name: pool.add_utf8(STACK_MAP_TABLE)?,
            data: with_new(editor, offsets, Vec::new(), shields, handler_starts, pool)?,
        });
    }
    Ok(attributes)
}

fn move_frames(
    editor: &Editor<'_>,
    offsets: &OffsetMap,
    data: &[u8],
) -> Result<Vec<Frame>, EditError> {
    let mut frames = frames::decode(data)?;
    for new in &editor.removed_news {
        frames::remove_uninitialized(&mut frames, *new);
    }
    for frame in &mut frames {
        let old = frame.offset;
        frame.offset = offsets.label(old).ok_or(EditError::Offset(old))?;
        for entry in frame.kind.types_mut() {
            if let VType::Uninitialized(new) = entry {
                let old = u32::from(*new);
                // The instruction itself is meant, not what is inserted before it.
                *new = offsets.insn(old).ok_or(EditError::Offset(old))? as u16;
            }
        }
    }
    Ok(frames)
}

/// Encodes the frames, those behind snippets that may be passed by, and those of the appended handlers.
fn with_new(
    editor: &Editor<'_>,
    offsets: &OffsetMap,
    mut frames: Vec<Frame>,
    shields: &[Shield],
    handler_starts: &[u32],
    pool: &mut ConstantPool,
) -> Result<Vec<u8>, EditError> {
    if !editor.kept.is_empty() {
        frames::keep(&mut frames, &editor.initial_locals, &editor.kept);
    }
    add_joins(editor, offsets, &mut frames);
    if !shields.is_empty() {
        let throwable = pool.add_class("java/lang/Throwable")?;
        shield::add_frames(editor, shields, &mut frames, throwable);
    }
    for (catch_all, start) in editor.catch_alls.iter().zip(handler_starts) {
        let throwable = pool.add_class("java/lang/Throwable")?;
        frames.push(Frame {
            offset: *start,
            kind: FrameKind::Full {
                locals: frames::with_kept(&catch_all.locals, &editor.kept),
                stack: vec![VType::Object(throwable)],
            },
        });
    }
    if !editor.kept.is_empty() || !shields.is_empty() {
        frames::shorten(&mut frames, &editor.initial_locals);
    }
    Ok(frames::encode(&frames)?)
}

/// Adds the frames of [`Editor::entry_if`] and [`Editor::before_if`]; kept locals have made all others full ones.
fn add_joins(editor: &Editor<'_>, offsets: &OffsetMap, frames: &mut Vec<Frame>) {
    for join in &editor.joins {
        let start = join.index.map_or(0, |index| offsets.label_of(index));
        let offset = start + join.at as u32;
        // The method's first instruction may be a jump target, whose frame then is the weaker one.
        if frames.iter().any(|frame| frame.offset == offset) {
            continue;
        }
        frames.push(Frame {
            offset,
            kind: FrameKind::Full {
                locals: frames::with_kept(&join.locals, &editor.kept),
                stack: join.stack.clone(),
            },
        });
    }
    frames.sort_by_key(|frame| frame.offset);
}

/// Entry code belongs to the line of offset 0.
fn lines(offsets: &OffsetMap, data: &[u8]) -> Result<Vec<u8>, ParseError> {
    let mut reader = Reader::new(data);
    let rows = list(&mut reader, |r| Ok((r.u16()?, r.u16()?)))?;
    reader.end()?;
    let mut out = Vec::with_capacity(data.len());
    put_u16(&mut out, rows.len() as u16);
    for (start, line) in rows {
        put_u16(&mut out, moved(offsets, start));
        put_u16(&mut out, line);
    }
    Ok(out)
}

/// `LocalVariableTable` and `LocalVariableTypeTable` have the same layout. Parameters are there during entry code, too.
fn variables(offsets: &OffsetMap, data: &[u8]) -> Result<Vec<u8>, ParseError> {
    let mut reader = Reader::new(data);
    let rows = list(&mut reader, |r| {
        Ok((r.u16()?, r.u16()?, [r.u16()?, r.u16()?, r.u16()?]))
    })?;
    reader.end()?;
    let mut out = Vec::with_capacity(data.len());
    put_u16(&mut out, rows.len() as u16);
    for (start, len, rest) in rows {
        let end = u32::from(start) + u32::from(len);
        let start = moved(offsets, start);
        put_u16(&mut out, start);
        let end = offsets.label_at_or_before(end) as u16;
        put_u16(&mut out, end.saturating_sub(start));
        rest.iter().for_each(|item| put_u16(&mut out, *item));
    }
    Ok(out)
}

fn moved(offsets: &OffsetMap, old: u16) -> u16 {
    match old {
        0 => 0,
        _ => offsets.label_at_or_before(u32::from(old)) as u16,
    }
}

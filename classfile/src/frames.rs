//! Stack map frames (JVMS §4.7.4), decoded one entry at a time. Nothing is computed: entries keep their form and only move, or where a local
//! joins them are spelled out and then shortened.

use crate::bytes::{Reader, put_u16};
use crate::class::ParseError;
use crate::descriptor::{MethodType, Type};
use crate::pool::{ConstantPool, PoolError};

/// Why frames cannot be read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// The attribute cannot be parsed.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// An entry of a reserved or impossible kind.
    #[error("unknown frame or type tag {tag}")]
    Tag {
        /// The tag.
        tag: u8,
    },
    /// A frame is not behind its predecessor, or behind all code.
    #[error("frame at {offset} is out of order")]
    Order {
        /// Its bytecode index.
        offset: u32,
    },
    /// More than 65,535 frames, locals or stack entries; or a chop or append of none or more than three.
    #[error("{0} entries do not fit into a frame")]
    Size(usize),
}

/// A verification type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VType {
    /// Anything; cannot be used.
    Top,
    /// `int` and everything smaller.
    Integer,
    /// `float`.
    Float,
    /// `long`; one entry, two slots.
    Long,
    /// `double`; one entry, two slots.
    Double,
    /// `null`.
    Null,
    /// The receiver of a constructor before `super(…)`/`this(…)`.
    UninitializedThis,
    /// An object of the class constant with this pool index.
    Object(u16),
    /// Made by the `new` at this bytecode index, not yet initialized.
    Uninitialized(u16),
}

impl VType {
    /// What a parameter, a result or a field of this type is.
    pub fn of(value: Type<'_>, pool: &mut ConstantPool) -> Result<Self, PoolError> {
        Ok(match value.letter() {
            'J' => Self::Long,
            'F' => Self::Float,
            'D' => Self::Double,
            'L' => Self::Object(pool.add_class(value.class_name().unwrap_or(value.desc()))?),
            _ => Self::Integer,
        })
    }
}

/// The form of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// Same locals as before, empty stack.
    Same,
    /// Same locals as before, one stack entry.
    SameLocals1(VType),
    /// The last 1 to 3 locals are gone, empty stack.
    Chop(u8),
    /// 1 to 3 more locals, empty stack.
    Append(Vec<VType>),
    /// Everything spelled out.
    Full {
        /// Locals, a `long` or `double` counted once.
        locals: Vec<VType>,
        /// Stack, bottom first.
        stack: Vec<VType>,
    },
}

/// A stack map frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Bytecode index it holds for.
    pub offset: u32,
    /// What it says.
    pub kind: FrameKind,
}

impl FrameKind {
    /// All verification types it mentions.
    pub fn types_mut(&mut self) -> impl Iterator<Item = &mut VType> {
        let (first, second): (&mut [VType], &mut [VType]) = match self {
            FrameKind::Same | FrameKind::Chop(_) => (&mut [], &mut []),
            FrameKind::SameLocals1(entry) => (std::slice::from_mut(entry), &mut []),
            FrameKind::Append(locals) => (locals, &mut []),
            FrameKind::Full { locals, stack } => (locals, stack),
        };
        first.iter_mut().chain(second)
    }
}

/// Decodes the content of a `StackMapTable`.
pub fn decode(data: &[u8]) -> Result<Vec<Frame>, FrameError> {
    let mut reader = Reader::new(data);
    let count = reader.u16()?;
    let mut frames: Vec<Frame> = Vec::new();
    for _ in 0..count {
        let tag = reader.u8()?;
        let (delta, kind) = read_frame(tag, &mut reader)?;
        let offset = match frames.last() {
            Some(previous) => previous.offset + delta + 1,
            None => delta,
        };
        frames.push(Frame { offset, kind });
    }
    reader.end()?;
    Ok(frames)
}

fn read_frame(tag: u8, reader: &mut Reader<'_>) -> Result<(u32, FrameKind), FrameError> {
    Ok(match tag {
        0..=63 => (u32::from(tag), FrameKind::Same),
        64..=127 => (
            u32::from(tag - 64),
            FrameKind::SameLocals1(read_type(reader)?),
        ),
        247 => (
            u32::from(reader.u16()?),
            FrameKind::SameLocals1(read_type(reader)?),
        ),
        248..=250 => (u32::from(reader.u16()?), FrameKind::Chop(251 - tag)),
        251 => (u32::from(reader.u16()?), FrameKind::Same),
        252..=254 => (
            u32::from(reader.u16()?),
            FrameKind::Append(read_types(u16::from(tag - 251), reader)?),
        ),
        255 => {
            let delta = u32::from(reader.u16()?);
            let locals = reader.u16()?;
            let locals = read_types(locals, reader)?;
            let stack = reader.u16()?;
            let stack = read_types(stack, reader)?;
            (delta, FrameKind::Full { locals, stack })
        }
        _ => return Err(FrameError::Tag { tag }),
    })
}

fn read_types(count: u16, reader: &mut Reader<'_>) -> Result<Vec<VType>, FrameError> {
    (0..count).map(|_| read_type(reader)).collect()
}

fn read_type(reader: &mut Reader<'_>) -> Result<VType, FrameError> {
    Ok(match reader.u8()? {
        0 => VType::Top,
        1 => VType::Integer,
        2 => VType::Float,
        3 => VType::Double,
        4 => VType::Long,
        5 => VType::Null,
        6 => VType::UninitializedThis,
        7 => VType::Object(reader.u16()?),
        8 => VType::Uninitialized(reader.u16()?),
        tag => return Err(FrameError::Tag { tag }),
    })
}

/// Encodes frames, each in the shortest encoding of its form; they must be in rising order of `offset`.
pub fn encode(frames: &[Frame]) -> Result<Vec<u8>, FrameError> {
    let mut out = Vec::new();
    put_size(frames.len(), &mut out)?;
    let mut next = 0;
    for frame in frames {
        let order = FrameError::Order {
            offset: frame.offset,
        };
        let delta = frame.offset.checked_sub(next).ok_or(order)?;
        let delta = u16::try_from(delta).map_err(|_| order)?;
        write_frame(delta, &frame.kind, &mut out)?;
        next = frame.offset + 1;
    }
    Ok(out)
}

fn write_frame(delta: u16, kind: &FrameKind, out: &mut Vec<u8>) -> Result<(), FrameError> {
    let tagged = |tag: u8, out: &mut Vec<u8>| {
        out.push(tag);
        put_u16(out, delta);
    };
    match kind {
        FrameKind::Same if delta < 64 => out.push(delta as u8),
        FrameKind::Same => tagged(251, out),
        FrameKind::SameLocals1(entry) => {
            if delta < 64 {
                out.push(64 + delta as u8);
            } else {
                tagged(247, out);
            }
            write_type(*entry, out);
        }
        FrameKind::Chop(count @ 1..=3) => tagged(251 - count, out),
        FrameKind::Chop(count) => return Err(FrameError::Size(usize::from(*count))),
        FrameKind::Append(locals) => {
            if !(1..=3).contains(&locals.len()) {
                return Err(FrameError::Size(locals.len()));
            }
            tagged(251 + locals.len() as u8, out);
            locals.iter().for_each(|local| write_type(*local, out));
        }
        FrameKind::Full { locals, stack } => {
            tagged(255, out);
            for types in [locals, stack] {
                put_size(types.len(), out)?;
                types.iter().for_each(|entry| write_type(*entry, out));
            }
        }
    }
    Ok(())
}

fn put_size(size: usize, out: &mut Vec<u8>) -> Result<(), FrameError> {
    put_u16(
        out,
        u16::try_from(size).map_err(|_| FrameError::Size(size))?,
    );
    Ok(())
}

fn write_type(entry: VType, out: &mut Vec<u8>) {
    let (tag, operand) = match entry {
        VType::Top => (0, None),
        VType::Integer => (1, None),
        VType::Float => (2, None),
        VType::Double => (3, None),
        VType::Long => (4, None),
        VType::Null => (5, None),
        VType::UninitializedThis => (6, None),
        VType::Object(class) => (7, Some(class)),
        VType::Uninitialized(offset) => (8, Some(offset)),
    };
    out.push(tag);
    if let Some(operand) = operand {
        put_u16(out, operand);
    }
}

/// Takes the stack entries `Uninitialized(new_offset)` out of all frames, for code in which that `new` no longer leaves
/// anything on the stack until its constructor has run. Locals that hold it become [`VType::Top`]; a pair that
/// [`crate::flow::NewSite::shape`] calls simple has none.
pub fn remove_uninitialized(frames: &mut [Frame], new_offset: u16) {
    let gone = VType::Uninitialized(new_offset);
    for frame in frames {
        match &mut frame.kind {
            FrameKind::SameLocals1(entry) if *entry == gone => frame.kind = FrameKind::Same,
            FrameKind::Full { stack, .. } => stack.retain(|entry| *entry != gone),
            _ => {}
        }
        for entry in frame.kind.types_mut() {
            if *entry == gone {
                *entry = VType::Top;
            }
        }
    }
}

/// Adds locals with these indices and types, above all others, to every frame; frames are spelled out for it. `initial` are the locals with
/// which the method begins.
pub fn keep(frames: &mut [Frame], initial: &[VType], kept: &[(u16, VType)]) {
    let mut locals = initial.to_vec();
    for frame in frames {
        let stack = match std::mem::replace(&mut frame.kind, FrameKind::Same) {
            FrameKind::Same => Vec::new(),
            FrameKind::SameLocals1(entry) => vec![entry],
            FrameKind::Chop(count) => {
                locals.truncate(locals.len().saturating_sub(usize::from(count)));
                Vec::new()
            }
            FrameKind::Append(more) => {
                locals.extend(more);
                Vec::new()
            }
            FrameKind::Full { locals: all, stack } => {
                locals = all;
                stack
            }
        };
        frame.kind = FrameKind::Full {
            locals: with_kept(&locals, kept),
            stack,
        };
    }
}

/// Gives frames that are spelled out the shortest form that says the same: the verifier takes over what a frame has in common with the one
/// before it. `initial` are the locals with which the method begins.
pub fn shorten(frames: &mut [Frame], initial: &[VType]) {
    let mut before = Some(initial.to_vec());
    for frame in frames {
        match (&frame.kind, &mut before) {
            (FrameKind::Full { locals, stack }, _) => {
                let short = before.and_then(|before| short_form(&before, locals, stack));
                // HotSpot hands on that the receiver is uninitialized, even if that was on the stack only.
                let this = VType::UninitializedThis;
                let hands_on = locals.contains(&this) || !stack.contains(&this);
                before = hands_on.then(|| locals.clone());
                if let Some(short) = short {
                    frame.kind = short;
                }
            }
            (FrameKind::Chop(count), Some(before)) => {
                before.truncate(before.len().saturating_sub(usize::from(*count)));
            }
            (FrameKind::Append(more), Some(before)) => before.extend_from_slice(more),
            _ => {}
        }
    }
}

/// A frame behind one with the locals `before`, if it need not be spelled out.
fn short_form(before: &[VType], locals: &[VType], stack: &[VType]) -> Option<FrameKind> {
    /// Locals that may be gone, or be more.
    const MOST: usize = 3;
    match stack {
        [] if locals == before => Some(FrameKind::Same),
        [entry] if locals == before => Some(FrameKind::SameLocals1(*entry)),
        [] => match (locals.strip_prefix(before), before.strip_prefix(locals)) {
            (Some(more), _) if more.len() <= MOST => Some(FrameKind::Append(more.to_vec())),
            (_, Some(gone)) if gone.len() <= MOST => Some(FrameKind::Chop(gone.len() as u8)),
            _ => None,
        },
        _ => None,
    }
}

/// The locals with which a method of this descriptor begins (JVMS §4.10.1.6). `receiver`: of an instance method, its class' constant, or
/// [`VType::UninitializedThis`].
pub fn initial_locals(
    receiver: Option<VType>,
    method: &MethodType<'_>,
    pool: &mut ConstantPool,
) -> Result<Vec<VType>, PoolError> {
    let mut locals: Vec<VType> = receiver.into_iter().collect();
    for &param in &method.params {
        locals.push(VType::of(param, pool)?);
    }
    Ok(locals)
}

/// These locals, and the kept ones at these indices above them.
pub fn with_kept(locals: &[VType], kept: &[(u16, VType)]) -> Vec<VType> {
    let slots = |entry: &VType| 1 + u16::from(matches!(entry, VType::Long | VType::Double));
    let mut all = locals.to_vec();
    let mut used: u16 = locals.iter().map(slots).sum();
    for (index, kind) in kept {
        all.extend((used..*index).map(|_| VType::Top));
        all.push(*kind);
        used = index + slots(kind);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vtype() -> impl Strategy<Value = VType> {
        prop_oneof![
            Just(VType::Top),
            Just(VType::Integer),
            Just(VType::Float),
            Just(VType::Long),
            Just(VType::Double),
            Just(VType::Null),
            Just(VType::UninitializedThis),
            any::<u16>().prop_map(VType::Object),
            any::<u16>().prop_map(VType::Uninitialized),
        ]
    }

    /// Of so few types, neighbouring frames often have the same.
    fn few() -> impl Strategy<Value = VType> {
        prop_oneof![4 => Just(VType::Integer), 1 => Just(VType::Top), 1 => Just(VType::Long)]
    }

    fn kind() -> impl Strategy<Value = FrameKind> {
        let types = |sizes| proptest::collection::vec(vtype(), sizes);
        prop_oneof![
            Just(FrameKind::Same),
            vtype().prop_map(FrameKind::SameLocals1),
            (1u8..4).prop_map(FrameKind::Chop),
            types(1..4).prop_map(FrameKind::Append),
            (types(0..6), types(0..6))
                .prop_map(|(locals, stack)| FrameKind::Full { locals, stack }),
        ]
    }

    proptest! {
        #[test]
        fn frames_survive_encoding(parts in proptest::collection::vec((1u32..200, kind()), 0..20)) {
            let mut offset = 0;
            let frames: Vec<_> = parts.into_iter().map(|(step, kind)| {
                offset += step;
                Frame { offset: offset - 1, kind }
            }).collect();
            let bytes = encode(&frames).unwrap();
            prop_assert_eq!(decode(&bytes).unwrap(), frames);
        }

        #[test]
        fn shorter_frames_say_the_same(
            initial in proptest::collection::vec(few(), 0..4),
            spelled in proptest::collection::vec((proptest::collection::vec(few(), 0..6), proptest::collection::vec(few(), 0..3)), 0..9),
        ) {
            let full = |(offset, (locals, stack))| Frame { offset, kind: FrameKind::Full { locals, stack } };
            let all: Vec<Frame> = (0..).zip(spelled).map(full).collect();
            let mut short = all.clone();
            shorten(&mut short, &initial);
            prop_assert!(encode(&short).unwrap().len() <= encode(&all).unwrap().len());
            keep(&mut short, &initial, &[]);
            prop_assert_eq!(short, all);
        }

        #[test]
        fn any_bytes_decode_or_fail(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            if let Ok(frames) = decode(&bytes)
                && let Ok(shorter) = encode(&frames)
            {
                prop_assert_eq!(decode(&shorter).unwrap(), frames);
            }
        }
    }

    #[test]
    fn long_distances_take_the_extended_forms() {
        let frames = [63, 128, 65_535].map(|offset| Frame {
            offset,
            kind: FrameKind::Same,
        });
        let bytes = encode(&frames).unwrap();
        assert_eq!(bytes, [0, 3, 63, 251, 0, 64, 251, 0xff, 0x7e]);
        let late = [Frame {
            offset: 65_536,
            kind: FrameKind::Same,
        }];
        assert_eq!(encode(&late), Err(FrameError::Order { offset: 65_536 }));
        let twice = [frames[0].clone(), frames[0].clone()];
        assert_eq!(encode(&twice), Err(FrameError::Order { offset: 63 }));
    }

    #[test]
    fn what_a_frame_hands_on_besides_locals_is_no_reason_to_shorten() {
        let full = |offset, stack: &[VType]| Frame {
            offset,
            kind: FrameKind::Full {
                locals: vec![VType::Integer],
                stack: stack.to_vec(),
            },
        };
        let this = VType::UninitializedThis;
        let mut frames = [full(0, &[this]), full(1, &[]), full(2, &[])];
        shorten(&mut frames, &[VType::Integer]);
        assert_eq!(frames[0].kind, FrameKind::SameLocals1(this));
        assert_eq!(frames[1], full(1, &[]));
        assert_eq!(frames[2].kind, FrameKind::Same);
    }

    #[test]
    fn a_kept_local_is_in_every_frame() {
        let kinds = [
            FrameKind::Append(vec![VType::Long]),
            FrameKind::Chop(2),
            FrameKind::SameLocals1(VType::Null),
            FrameKind::Full {
                locals: vec![VType::Float],
                stack: vec![VType::Null],
            },
        ];
        let mut frames: Vec<Frame> = (0..)
            .zip(kinds)
            .map(|(offset, kind)| Frame { offset, kind })
            .collect();
        let this = VType::Object(7);
        let kept = [(6, VType::Integer), (8, VType::Long), (10, VType::Integer)];
        keep(&mut frames, &[this, VType::Double], &kept);
        let top = VType::Top;
        let expected = [
            (vec![this, VType::Double, VType::Long, top], vec![]),
            (vec![this, top, top, top, top, top], vec![]),
            (vec![this, top, top, top, top, top], vec![VType::Null]),
            (
                vec![VType::Float, top, top, top, top, top],
                vec![VType::Null],
            ),
        ];
        for (frame, (mut locals, stack)) in frames.into_iter().zip(expected) {
            locals.extend([VType::Integer, top, VType::Long, VType::Integer]);
            assert_eq!(frame.kind, FrameKind::Full { locals, stack });
        }
    }

    #[test]
    fn an_uninitialized_pair_disappears() {
        let pair = VType::Uninitialized(4);
        let full = |stack: &[VType]| Frame {
            offset: 9,
            kind: FrameKind::Full {
                locals: vec![pair],
                stack: stack.to_vec(),
            },
        };
        let one = Frame {
            offset: 8,
            kind: FrameKind::SameLocals1(pair),
        };
        let mut frames = [
            one,
            full(&[VType::Integer, pair, pair, VType::Uninitialized(5)]),
        ];
        remove_uninitialized(&mut frames, 4);
        assert_eq!(frames[0].kind, FrameKind::Same);
        assert_eq!(
            frames[1].kind,
            FrameKind::Full {
                locals: vec![VType::Top],
                stack: vec![VType::Integer, VType::Uninitialized(5)]
            }
        );
    }
}

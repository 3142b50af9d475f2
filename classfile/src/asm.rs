//! A small assembler: straight-line snippets to insert, and whole bodies of new methods.
//!
//! Errors stick: they are reported by [`Asm::into_code`] or by the editor the snippet is given to, so that calls can be chained.

use crate::class::Attribute;
use crate::code::{Code, MAX_CODE_BYTES};
use crate::descriptor::{DescriptorError, MethodType, Type, letter_slots};
use crate::frames::{self, Frame, FrameError, FrameKind, VType};
use crate::opcode::{self, Format};
use crate::pool::{self, ConstantPool, PoolError};

/// Why code could not be assembled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AsmError {
    /// A constant did not fit, or is not what the instruction needs.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// A descriptor is malformed.
    #[error(transparent)]
    Descriptor(#[from] DescriptorError),
    /// Frames do not follow one another.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The instruction has no simple effect on the stack; it has a method of its own.
    #[error("{0} cannot be emitted this way")]
    Unsupported(&'static str),
    /// A label was used and never bound, or bound twice.
    #[error("label bound {0} times")]
    Label(u32),
    /// A jump over more than 32 KiB, or more than 65,535 bytes, slots or handlers.
    #[error("assembled code is too large")]
    TooLarge,
    /// No primitive or reference letter.
    #[error("no type letter: {0:?}")]
    Letter(char),
}

/// Bytes that most snippets take.
const USUAL_LEN: usize = 48;

/// A place in the code being assembled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label(usize);

#[derive(Clone, Debug, Default)]
struct LabelState {
    bound: Option<u32>,
    binds: u32,
    depth: Option<i32>,
}

/// Code being assembled. Stack depths count slots, from the depth where it begins.
#[derive(Clone, Debug, Default)]
pub struct Asm {
    bytes: Vec<u8>,
    depth: i32,
    peak: i32,
    max_locals: u32,
    labels: Vec<LabelState>,
    /// Where a branch instruction is, and where it goes.
    branches: Vec<(u32, Label)>,
    frames: Vec<Frame>,
    error: Option<AsmError>,
}

impl Asm {
    /// No code yet.
    pub fn new() -> Self {
        Asm {
            bytes: Vec::with_capacity(USUAL_LEN),
            ..Self::default()
        }
    }

    /// Ready-made bytes: straight-line code without switches that raises the stack by at most `growth` slots and leaves it
    /// changed by `net` slots.
    pub fn from_bytes(bytes: Vec<u8>, growth: u16, net: i32) -> Self {
        Asm {
            bytes,
            peak: i32::from(growth),
            depth: net,
            ..Self::default()
        }
    }

    /// `count` times `nop`.
    pub fn nops(count: usize) -> Self {
        Self::from_bytes(vec![opcode::NOP; count], 0, 0)
    }

    /// The bytes so far; jumps are not yet filled in.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Is there no code?
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// How many slots the stack grows above the depth at the beginning, at most.
    pub fn growth(&self) -> u16 {
        self.peak.clamp(0, i32::from(u16::MAX)) as u16
    }

    /// By how many slots the stack has changed at the end.
    pub fn net(&self) -> i32 {
        self.depth
    }

    /// One more than the highest local variable slot used.
    pub(crate) fn locals_used(&self) -> u32 {
        self.max_locals
    }

    /// Checked bytes of straight-line code; `None` if it has jumps or frames.
    pub(crate) fn straight_line(&self) -> Result<Option<&[u8]>, AsmError> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let straight = self.branches.is_empty() && self.frames.is_empty();
        Ok(straight.then_some(&self.bytes))
    }

    fn fail(&mut self, error: impl Into<AsmError>) -> &mut Self {
        self.error.get_or_insert(error.into());
        self
    }

    fn emit(&mut self, bytes: &[u8], pops: i32, pushes: i32) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self.depth = self.depth.saturating_sub(pops).saturating_add(pushes);
        self.peak = self.peak.max(self.depth);
        self
    }

    fn emit_indexed(&mut self, op: u8, index: u16, pops: i32, pushes: i32) -> &mut Self {
        let [high, low] = index.to_be_bytes();
        self.emit(&[op, high, low], pops, pushes)
    }

    /// An instruction without operands: arithmetic, array access, `arraylength`, `athrow`, returns, `monitorenter`, and the
    /// `pop`, `dup` and `swap` family.
    pub fn op(&mut self, op: u8) -> &mut Self {
        if let Some((pops, pushes)) = stack_shuffle(op) {
            return self.emit(&[op], pops, pushes);
        }
        match (opcode::format(op), opcode::effect(op)) {
            (Some(Format::Plain | Format::LocalImplicit), Some((pops, pushes))) => {
                self.emit(&[op], slots(pops), slots(pushes))
            }
            _ => self.fail(AsmError::Unsupported(opcode::name(op).unwrap_or("?"))),
        }
    }

    /// Loads the local variable `index`; `letter` is one of `ZBCSIJFD` or `L` (also `[` and `A`) for references.
    pub fn load(&mut self, letter: char, index: u16) -> &mut Self {
        let Some(n) = kind_number(letter) else {
            return self.fail(AsmError::Letter(letter));
        };
        self.local(opcode::ILOAD + n, opcode::ILOAD_0 + 4 * n, letter, index);
        let pushes = i32::from(letter_slots(letter));
        self.emit(&[], 0, pushes)
    }

    /// Stores into the local variable `index`; letters as in [`Asm::load`].
    pub fn store(&mut self, letter: char, index: u16) -> &mut Self {
        let Some(n) = kind_number(letter) else {
            return self.fail(AsmError::Letter(letter));
        };
        self.local(opcode::ISTORE + n, opcode::ISTORE_0 + 4 * n, letter, index);
        let pops = i32::from(letter_slots(letter));
        self.emit(&[], pops, 0)
    }

    fn local(&mut self, op: u8, short: u8, letter: char, index: u16) {
        let [high, low] = index.to_be_bytes();
        match index {
            0..=3 => self.bytes.push(short + low),
            4..=255 => self.bytes.extend([op, low]),
            _ => self.bytes.extend([opcode::WIDE, op, high, low]),
        }
        let end = u32::from(index) + u32::from(letter_slots(letter));
        self.max_locals = self.max_locals.max(end);
    }

    /// Adds to the `int` in the local variable `index`.
    pub fn iinc(&mut self, index: u16, by: i16) -> &mut Self {
        self.max_locals = self.max_locals.max(u32::from(index) + 1);
        match (u8::try_from(index), i8::try_from(by)) {
            (Ok(index), Ok(by)) => self.emit(&[opcode::IINC, index, by as u8], 0, 0),
            _ => {
                let ([high, low], by) = (index.to_be_bytes(), by.to_be_bytes());
                let wide = [opcode::WIDE, opcode::IINC, high, low, by[0], by[1]];
                self.emit(&wide, 0, 0)
            }
        }
    }

    /// Pushes `null`.
    pub fn null(&mut self) -> &mut Self {
        self.op(opcode::ACONST_NULL)
    }

    /// Pushes an `int`, in the shortest form.
    pub fn int(&mut self, pool: &mut ConstantPool, value: i32) -> &mut Self {
        if (-1..=5).contains(&value) {
            return self.op((i32::from(opcode::ICONST_0) + value) as u8);
        }
        if let Ok(byte) = i8::try_from(value) {
            return self.emit(&[opcode::BIPUSH, byte as u8], 0, 1);
        }
        if let Ok(short) = i16::try_from(value) {
            return self.emit_indexed(opcode::SIPUSH, short as u16, 0, 1);
        }
        let constant = pool.add_integer(value);
        self.ldc(constant)
    }

    /// Pushes a `long`.
    pub fn long(&mut self, pool: &mut ConstantPool, value: i64) -> &mut Self {
        match value {
            0 => self.op(opcode::LCONST_0),
            1 => self.op(opcode::LCONST_1),
            _ => match pool.add_long(value) {
                Ok(index) => self.emit_indexed(opcode::LDC2_W, index, 0, 2),
                Err(error) => self.fail(error),
            },
        }
    }

    /// Pushes a string.
    pub fn string(&mut self, pool: &mut ConstantPool, value: &str) -> &mut Self {
        let constant = pool.add_string(value);
        self.ldc(constant)
    }

    /// Pushes a `Class` object by internal name or array descriptor; class files from version 49 on.
    pub fn class(&mut self, pool: &mut ConstantPool, name: &str) -> &mut Self {
        let constant = pool.add_class(name);
        self.ldc(constant)
    }

    /// `ldc`, `ldc_w` or `ldc2_w` of an existing integer, float, long, double, string, class, method handle or method type.
    pub fn constant(&mut self, pool: &ConstantPool, index: u16) -> &mut Self {
        match pool.tag(index) {
            Some(pool::LONG | pool::DOUBLE) => self.emit_indexed(opcode::LDC2_W, index, 0, 2),
            Some(
                pool::INTEGER
                | pool::FLOAT
                | pool::STRING
                | pool::CLASS
                | pool::METHOD_HANDLE
                | pool::METHOD_TYPE,
            ) => self.ldc(Ok(index)),
            _ => self.fail(PoolError::NoSuchConstant { index }),
        }
    }

    fn ldc(&mut self, constant: Result<u16, PoolError>) -> &mut Self {
        match constant.map(|index| (index, u8::try_from(index))) {
            Ok((_, Ok(short))) => self.emit(&[opcode::LDC, short], 0, 1),
            Ok((index, _)) => self.emit_indexed(opcode::LDC_W, index, 0, 1),
            Err(error) => self.fail(error),
        }
    }

    /// Calls a static method of a class.
    pub fn invokestatic(
        &mut self,
        pool: &mut ConstantPool,
        owner: &str,
        name: &str,
        desc: &str,
    ) -> &mut Self {
        match pool.add_method_ref(owner, name, desc, false) {
            Ok(index) => self.invoke(opcode::INVOKESTATIC, index, desc),
            Err(error) => self.fail(error),
        }
    }

    /// Calls a static method through an existing constant; its arguments take `slots` slots, its result `result`.
    pub fn call_static(&mut self, index: u16, slots: u16, result: u16) -> &mut Self {
        self.emit_indexed(
            opcode::INVOKESTATIC,
            index,
            i32::from(slots),
            i32::from(result),
        )
    }

    /// Calls a method through an existing constant; `op` is one of the `invoke…` opcodes, `desc` the method's descriptor.
    pub fn invoke(&mut self, op: u8, index: u16, desc: &str) -> &mut Self {
        let method = match MethodType::parse(desc) {
            Ok(method) => method,
            Err(error) => return self.fail(error),
        };
        let args = method.param_slots();
        let pushes = i32::from(letter_slots(method.result_letter()));
        let pops = i32::from(args) + i32::from(has_receiver(op));
        let [high, low] = index.to_be_bytes();
        match op {
            opcode::INVOKEINTERFACE => match u8::try_from(pops) {
                Ok(count) => self.emit(&[op, high, low, count, 0], pops, pushes),
                Err(_) => self.fail(AsmError::TooLarge),
            },
            opcode::INVOKEDYNAMIC => self.emit(&[op, high, low, 0, 0], pops, pushes),
            opcode::INVOKEVIRTUAL | opcode::INVOKESPECIAL | opcode::INVOKESTATIC => {
                self.emit(&[op, high, low], pops, pushes)
            }
            _ => self.fail(AsmError::Unsupported(opcode::name(op).unwrap_or("?"))),
        }
    }

    /// Accesses a field through an existing constant; `op` is one of `getstatic putstatic getfield putfield`, `desc` the
    /// field's descriptor.
    pub fn field(&mut self, op: u8, index: u16, desc: &str) -> &mut Self {
        let value = match Type::parse(desc) {
            Ok(value) => i32::from(value.slots()),
            Err(error) => return self.fail(error),
        };
        match op {
            opcode::GETSTATIC => self.emit_indexed(op, index, 0, value),
            opcode::PUTSTATIC => self.emit_indexed(op, index, value, 0),
            opcode::GETFIELD => self.emit_indexed(op, index, 1, value),
            opcode::PUTFIELD => self.emit_indexed(op, index, 1 + value, 0),
            _ => self.fail(AsmError::Unsupported(opcode::name(op).unwrap_or("?"))),
        }
    }

    /// `new`, `anewarray`, `checkcast` or `instanceof` of a class given by internal name or array descriptor.
    pub fn typed(&mut self, op: u8, pool: &mut ConstantPool, class: &str) -> &mut Self {
        let index = match pool.add_class(class) {
            Ok(index) => index,
            Err(error) => return self.fail(error),
        };
        match op {
            opcode::NEW => self.emit_indexed(op, index, 0, 1),
            opcode::ANEWARRAY | opcode::CHECKCAST | opcode::INSTANCEOF => {
                self.emit_indexed(op, index, 1, 1)
            }
            _ => self.fail(AsmError::Unsupported(opcode::name(op).unwrap_or("?"))),
        }
    }

    /// Turns a primitive on the stack into its box; references stay as they are.
    pub fn boxed(&mut self, pool: &mut ConstantPool, letter: char) -> &mut Self {
        match box_class(letter) {
            Some((class, _)) => {
                let desc = format!("({letter})L{class};");
                self.invokestatic(pool, class, "valueOf", &desc)
            }
            None if kind_number(letter).is_some() => self,
            None => self.fail(AsmError::Letter(letter)),
        }
    }

    /// Turns an `Object` on the stack into a value of type `desc`: casts and unboxes, casts to the class, nothing for
    /// `java/lang/Object`.
    pub fn unboxed(&mut self, pool: &mut ConstantPool, desc: &str) -> &mut Self {
        let value = match Type::parse(desc) {
            Ok(value) => value,
            Err(error) => return self.fail(error),
        };
        match (value.class_name(), box_class(value.letter())) {
            (Some("java/lang/Object"), _) => self,
            (Some(class), _) => self.typed(opcode::CHECKCAST, pool, class),
            (None, Some((class, getter))) => {
                self.typed(opcode::CHECKCAST, pool, class);
                let desc = format!("(){desc}");
                match pool.add_method_ref(class, getter, &desc, false) {
                    Ok(index) => self.invoke(opcode::INVOKEVIRTUAL, index, &desc),
                    Err(error) => self.fail(error),
                }
            }
            (None, None) => self.fail(AsmError::Letter(value.letter())),
        }
    }

    /// Returns a value of this kind (`V`: none).
    pub fn ret(&mut self, letter: char) -> &mut Self {
        match kind_number(letter) {
            Some(n) => self.op(opcode::IRETURN + n),
            None if letter == 'V' => self.op(opcode::RETURN),
            None => self.fail(AsmError::Letter(letter)),
        }
    }
}

/// Control flow, for whole bodies.
impl Asm {
    /// A label to be bound later.
    pub fn label(&mut self) -> Label {
        self.labels.push(LabelState::default());
        Label(self.labels.len() - 1)
    }

    /// Binds a label here.
    pub fn bind(&mut self, label: Label) -> &mut Self {
        let state = &mut self.labels[label.0];
        state.bound = Some(self.bytes.len() as u32);
        state.binds += 1;
        if let Some(depth) = state.depth {
            self.depth = depth;
            self.peak = self.peak.max(depth);
        }
        self
    }

    /// Binds a label here and states the frame that holds (needed from class file version 51 on, ignored before 50).
    pub fn bind_with_frame(
        &mut self,
        label: Label,
        locals: Vec<VType>,
        stack: Vec<VType>,
    ) -> &mut Self {
        self.bind(label);
        self.frames.push(Frame {
            offset: self.bytes.len() as u32,
            kind: FrameKind::Full { locals, stack },
        });
        self
    }

    /// A conditional jump or `goto`.
    pub fn branch(&mut self, op: u8, to: Label) -> &mut Self {
        let (Some(Format::Branch), Some((pops, _))) = (opcode::format(op), opcode::effect(op))
        else {
            return self.fail(AsmError::Unsupported(opcode::name(op).unwrap_or("?")));
        };
        self.branches.push((self.bytes.len() as u32, to));
        self.emit_indexed(op, 0, slots(pops), 0);
        self.labels[to.0].depth = Some(self.depth);
        self
    }

    /// The code of a whole method whose parameters (receiver included) take `param_slots`.
    pub fn into_code(
        mut self,
        pool: &mut ConstantPool,
        param_slots: u16,
    ) -> Result<Code, AsmError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        for (at, to) in std::mem::take(&mut self.branches) {
            let jump = i64::from(self.position(to)?) - i64::from(at);
            let jump = i16::try_from(jump).map_err(|_| AsmError::TooLarge)?;
            self.bytes[at as usize + 1..][..2].copy_from_slice(&jump.to_be_bytes());
        }
        if self.bytes.is_empty() || self.bytes.len() > MAX_CODE_BYTES {
            return Err(AsmError::TooLarge);
        }
        let mut attributes = Vec::new();
        if !self.frames.is_empty() {
            attributes.push(Attribute {
                name: pool.add_utf8("StackMapTable")?,
                data: frames::encode(&self.frames)?,
            });
        }
        let max_locals = self.max_locals.max(u32::from(param_slots));
        Ok(Code {
            max_stack: self.growth(),
            max_locals: u16::try_from(max_locals).map_err(|_| AsmError::TooLarge)?,
            bytes: self.bytes,
            handlers: Vec::new(),
            attributes,
        })
    }

    fn position(&self, label: Label) -> Result<u32, AsmError> {
        let state = &self.labels[label.0];
        match state.bound {
            Some(at) if state.binds == 1 => Ok(at),
            _ => Err(AsmError::Label(state.binds)),
        }
    }
}

/// Does the call take a receiver?
fn has_receiver(op: u8) -> bool {
    !matches!(op, opcode::INVOKESTATIC | opcode::INVOKEDYNAMIC)
}

/// Slots of the letters of an [`opcode::effect`].
fn slots(letters: &str) -> i32 {
    letters.chars().map(|l| i32::from(letter_slots(l))).sum()
}

/// Slots popped and pushed by the untyped stack instructions.
fn stack_shuffle(op: u8) -> Option<(i32, i32)> {
    Some(match op {
        opcode::POP => (1, 0),
        opcode::POP2 => (2, 0),
        opcode::DUP => (1, 2),
        opcode::DUP_X1 => (2, 3),
        opcode::DUP_X2 => (3, 4),
        opcode::DUP2 => (2, 4),
        opcode::DUP2_X1 => (3, 5),
        opcode::DUP2_X2 => (4, 6),
        opcode::SWAP => (2, 2),
        _ => return None,
    })
}

/// Position of a type in the families `iload lload fload dload aload`.
fn kind_number(letter: char) -> Option<u8> {
    Some(match letter {
        'Z' | 'B' | 'C' | 'S' | 'I' => 0,
        'J' => 1,
        'F' => 2,
        'D' => 3,
        'L' | '[' | 'A' => 4,
        _ => return None,
    })
}

/// Class of the box of a primitive, and the method that opens it.
fn box_class(letter: char) -> Option<(&'static str, &'static str)> {
    Some(match letter {
        'Z' => ("java/lang/Boolean", "booleanValue"),
        'B' => ("java/lang/Byte", "byteValue"),
        'C' => ("java/lang/Character", "charValue"),
        'S' => ("java/lang/Short", "shortValue"),
        'I' => ("java/lang/Integer", "intValue"),
        'J' => ("java/lang/Long", "longValue"),
        'F' => ("java/lang/Float", "floatValue"),
        'D' => ("java/lang/Double", "doubleValue"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;

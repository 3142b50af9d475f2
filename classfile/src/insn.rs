//! Decoding of instructions.

use crate::opcode::{self, Format};

/// Why code cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InsnError {
    /// A number that is no instruction, or one that `wide` does not go with.
    #[error("no instruction {opcode:#04x} at {offset}")]
    Opcode {
        /// Where.
        offset: u32,
        /// The number.
        opcode: u8,
    },
    /// The code ends inside an instruction.
    #[error("instruction at {offset} is cut off")]
    Truncated {
        /// Where it begins.
        offset: u32,
    },
    /// A switch with an impossible range or count.
    #[error("malformed switch at {offset}")]
    Switch {
        /// Where.
        offset: u32,
    },
    /// A jump to where no instruction begins.
    #[error("instruction at {offset} jumps to where no instruction begins")]
    Target {
        /// Where the jump is.
        offset: u32,
    },
}

/// An instruction in its code.
#[derive(Clone, Copy, Debug)]
pub struct Insn<'a> {
    /// Bytecode index.
    pub offset: u32,
    /// Opcode; behind `wide`, the modified instruction's.
    pub opcode: u8,
    /// Is it modified by `wide`?
    pub wide: bool,
    /// All its bytes, `wide` and padding included.
    pub bytes: &'a [u8],
    /// How its operands are encoded.
    pub format: Format,
}

/// Operands of a switch.
#[derive(Clone, Copy, Debug)]
pub struct Switch<'a> {
    offset: u32,
    default: i32,
    /// Of a `tableswitch`, its lowest key.
    low: Option<i32>,
    /// Jump offsets, for a `lookupswitch` each behind its key.
    cases: &'a [u8],
}

impl<'a> Insn<'a> {
    /// Bytes it takes.
    // An instruction is never empty.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u32 {
        self.bytes.len() as u32
    }

    /// Bytecode index behind it.
    pub fn end(&self) -> u32 {
        self.offset + self.len()
    }

    /// Mnemonic.
    pub fn name(&self) -> &'static str {
        opcode::name(self.opcode).unwrap_or("?")
    }

    fn u16_at(&self, at: usize) -> u16 {
        u16::from_be_bytes([self.bytes[at], self.bytes[at + 1]])
    }

    fn i32_at(&self, at: usize) -> i32 {
        be32(&self.bytes[at..])
    }

    /// Local variable it loads, stores, increments or returns to.
    pub fn local(&self) -> Option<u16> {
        match self.format {
            Format::Local | Format::Iinc if self.wide => Some(self.u16_at(2)),
            Format::Local | Format::Iinc => Some(u16::from(self.bytes[1])),
            Format::LocalImplicit => Some(u16::from(implicit_local(self.opcode))),
            _ => None,
        }
    }

    /// Constant it names.
    pub fn pool_index(&self) -> Option<u16> {
        match self.format {
            Format::PoolByte => Some(u16::from(self.bytes[1])),
            Format::Pool
            | Format::InvokeInterface
            | Format::InvokeDynamic
            | Format::MultiNewArray => Some(self.u16_at(1)),
            _ => None,
        }
    }

    /// Immediate value of `bipush`, `sipush`, `iinc`; the type code of `newarray`; the dimensions of `multianewarray`.
    pub fn immediate(&self) -> Option<i32> {
        match self.format {
            Format::Byte => Some(i32::from(self.bytes[1] as i8)),
            Format::Short => Some(i32::from(self.u16_at(1) as i16)),
            Format::Iinc if self.wide => Some(i32::from(self.u16_at(4) as i16)),
            Format::Iinc => Some(i32::from(self.bytes[2] as i8)),
            Format::MultiNewArray => Some(i32::from(self.bytes[3])),
            _ => None,
        }
    }

    /// Where a conditional jump, `goto` or `jsr` goes. Inside the code, as decoding has checked.
    pub fn target(&self) -> Option<u32> {
        let jump = match self.format {
            Format::Branch => i32::from(self.u16_at(1) as i16),
            Format::BranchWide => self.i32_at(1),
            _ => return None,
        };
        Some(self.offset.wrapping_add_signed(jump))
    }

    /// Operands of a switch.
    pub fn switch(&self) -> Option<Switch<'a>> {
        let start = 1 + padding(self.offset);
        let (low, cases) = match self.format {
            Format::TableSwitch => (Some(self.i32_at(start + 4)), start + 12),
            Format::LookupSwitch => (None, start + 8),
            _ => return None,
        };
        Some(Switch {
            offset: self.offset,
            default: self.i32_at(start),
            low,
            cases: &self.bytes[cases..],
        })
    }

    /// All places it can jump to, in the order of its operands (a switch: default first); not the next instruction.
    pub fn targets(&self) -> Vec<u32> {
        match self.switch() {
            Some(switch) => std::iter::once(switch.default_target())
                .chain(switch.cases().map(|(_, target)| target))
                .collect(),
            None => self.target().into_iter().collect(),
        }
    }

    /// Can execution go on at the next instruction? See [`opcode::falls_through`].
    pub fn falls_through(&self) -> bool {
        opcode::falls_through(self.opcode)
    }
}

impl<'a> Switch<'a> {
    /// Where the default goes.
    pub fn default_target(&self) -> u32 {
        self.offset.wrapping_add_signed(self.default)
    }

    /// Is it a `tableswitch`?
    pub fn is_table(&self) -> bool {
        self.low.is_some()
    }

    /// Keys and where each goes.
    pub fn cases(&self) -> impl Iterator<Item = (i32, u32)> + 'a {
        let Switch {
            offset, low, cases, ..
        } = *self;
        let width = if low.is_some() { 4 } else { 8 };
        cases.chunks_exact(width).enumerate().map(move |(n, case)| {
            let key = match low {
                Some(low) => low.wrapping_add(n as i32),
                None => be32(case),
            };
            let target = offset.wrapping_add_signed(be32(&case[width - 4..]));
            (key, target)
        })
    }
}

/// Zero bytes between a switch's opcode and its operands (JVMS §6.5 tableswitch).
pub(crate) fn padding(offset: u32) -> usize {
    (3 - offset % 4) as usize
}

/// Local variable of `xload_n` and `xstore_n`; `istore_0` is 59, `iload_0` is 26, four of each in a row.
fn implicit_local(opcode: u8) -> u8 {
    let first = if opcode >= opcode::ISTORE_0 {
        opcode::ISTORE_0
    } else {
        opcode::ILOAD_0
    };
    (opcode - first) % 4
}

fn be32(bytes: &[u8]) -> i32 {
    i32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
}

/// Decodes the instruction at `offset`. Jumps are checked to stay inside the code, not to hit instructions.
pub fn at(code: &[u8], offset: u32) -> Result<Insn<'_>, InsnError> {
    let truncated = InsnError::Truncated { offset };
    let rest = code.get(offset as usize..).ok_or(truncated)?;
    let first = *rest.first().ok_or(truncated)?;
    let wide = first == opcode::WIDE;
    let op = if wide {
        *rest.get(1).ok_or(truncated)?
    } else {
        first
    };
    let no_such = InsnError::Opcode { offset, opcode: op };
    let format = opcode::format(op).ok_or(no_such)?;
    let len = if wide {
        match format {
            Format::Local => 4,
            Format::Iinc => 6,
            _ => return Err(no_such),
        }
    } else {
        length(rest, offset, format)?
    };
    let insn = Insn {
        offset,
        opcode: op,
        wide,
        bytes: rest.get(..len).ok_or(truncated)?,
        format,
    };
    let inside = |target: u32| (target as usize) < code.len();
    let jumps_inside = match insn.switch() {
        Some(switch) => {
            inside(switch.default_target()) && switch.cases().all(|(_, target)| inside(target))
        }
        None => insn.target().is_none_or(inside),
    };
    if jumps_inside {
        Ok(insn)
    } else {
        Err(InsnError::Target { offset })
    }
}

/// Length of an instruction without `wide` that `rest` begins with.
fn length(rest: &[u8], offset: u32, format: Format) -> Result<usize, InsnError> {
    let word = |at: usize| {
        rest.get(at..at + 4)
            .map(be32)
            .ok_or(InsnError::Truncated { offset })
    };
    let start = 1 + padding(offset);
    let malformed = InsnError::Switch { offset };
    Ok(match format {
        Format::Plain | Format::LocalImplicit => 1,
        Format::Byte | Format::PoolByte | Format::Local => 2,
        Format::Short | Format::Pool | Format::Iinc | Format::Branch => 3,
        Format::MultiNewArray => 4,
        Format::BranchWide | Format::InvokeInterface | Format::InvokeDynamic => 5,
        Format::TableSwitch => {
            let (low, high) = (i64::from(word(start + 4)?), i64::from(word(start + 8)?));
            let cases = usize::try_from(high - low + 1).map_err(|_| malformed)?;
            if cases == 0 {
                return Err(malformed);
            }
            start + 12 + 4 * cases
        }
        Format::LookupSwitch => {
            let cases = usize::try_from(word(start + 4)?).map_err(|_| malformed)?;
            start + 8 + 8 * cases
        }
        Format::Wide => {
            return Err(InsnError::Opcode {
                offset,
                opcode: opcode::WIDE,
            });
        }
    })
}

/// Instructions in order; ends behind the first error.
pub fn iter(code: &[u8]) -> impl Iterator<Item = Result<Insn<'_>, InsnError>> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let offset = next.filter(|offset| (*offset as usize) < code.len())?;
        let decoded = at(code, offset);
        next = decoded.as_ref().ok().map(Insn::end);
        Some(decoded)
    })
}

/// Decodes all instructions, and checks that every jump hits one.
pub fn decode(code: &[u8]) -> Result<Vec<Insn<'_>>, InsnError> {
    let insns: Vec<_> = iter(code).collect::<Result<_, _>>()?;
    let mut begins = vec![false; code.len()];
    for insn in &insns {
        begins[insn.offset as usize] = true;
    }
    for insn in &insns {
        let hits = match insn.switch() {
            Some(_) => insn.targets().iter().all(|t| begins[*t as usize]),
            None => insn.target().is_none_or(|t| begins[t as usize]),
        };
        if !hits {
            return Err(InsnError::Target {
                offset: insn.offset,
            });
        }
    }
    Ok(insns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opcode::*;
    use proptest::prelude::*;

    fn names(insns: &[Insn<'_>]) -> Vec<&'static str> {
        insns.iter().map(Insn::name).collect()
    }

    #[test]
    fn wide_operands_have_two_bytes() {
        let insns = decode(&[WIDE, ILOAD, 1, 2, WIDE, IINC, 0, 3, 0xff, 0xfe]).unwrap();
        assert_eq!(names(&insns), ["iload", "iinc"]);
        assert_eq!(
            (insns[0].local(), insns[0].wide, insns[0].len()),
            (Some(258), true, 4)
        );
        assert_eq!(
            (insns[1].local(), insns[1].immediate()),
            (Some(3), Some(-2))
        );
    }

    #[test]
    fn locals_are_in_the_opcode_or_behind_it() {
        let insns = decode(&[ASTORE_2, ALOAD_3, IINC, 4, 0xff]).unwrap();
        assert_eq!(names(&insns), ["astore_2", "aload_3", "iinc"]);
        assert_eq!((insns[0].local(), insns[1].local()), (Some(2), Some(3)));
        assert_eq!(
            (insns[2].local(), insns[2].immediate()),
            (Some(4), Some(-1))
        );
    }

    #[test]
    fn constants_and_members() {
        let insns = decode(&[BIPUSH, 0x80, LDC, 9, INVOKEINTERFACE, 0, 7, 1, 0]).unwrap();
        assert_eq!(names(&insns), ["bipush", "ldc", "invokeinterface"]);
        assert_eq!(insns[0].immediate(), Some(-128));
        assert_eq!(
            (insns[1].pool_index(), insns[2].pool_index()),
            (Some(9), Some(7))
        );
    }

    #[test]
    fn jumps_count_from_their_own_place() {
        let insns = decode(&[NOP, GOTO, 0xff, 0xff, GOTO_W, 0, 0, 0, 5, RETURN]).unwrap();
        assert_eq!(names(&insns), ["nop", "goto", "goto_w", "return"]);
        assert_eq!((insns[1].target(), insns[2].target()), (Some(0), Some(9)));
    }

    #[test]
    fn switches() {
        let mut code = vec![NOP, TABLESWITCH, 0, 0];
        for word in [27, -1, 0, 27, 28] {
            code.extend(i32::to_be_bytes(word));
        }
        code.extend([LOOKUPSWITCH, 0]);
        code.truncate(24);
        code.extend([LOOKUPSWITCH, 0, 0, 0, 0, 0, 0, 4]);
        // Too short for four pairs.
        assert!(decode(&code).is_err());
        let mut code = vec![ICONST_0, TABLESWITCH, 0, 0];
        for word in [23, -1, 0, 24, 23] {
            code.extend(i32::to_be_bytes(word));
        }
        code.extend([NOP, RETURN]);
        let insns = decode(&code).unwrap();
        let switch = insns[1].switch().unwrap();
        assert_eq!(switch.default_target(), 24);
        assert_eq!(switch.cases().collect::<Vec<_>>(), [(-1, 25), (0, 24)]);
        assert_eq!(insns[1].targets(), [24, 25, 24]);
    }

    /// Why this code cannot be decoded.
    fn refused(code: &[u8]) -> InsnError {
        decode(code).unwrap_err()
    }

    #[test]
    fn numbers_that_are_no_instruction_are_refused() {
        let unknown = |opcode| InsnError::Opcode { offset: 0, opcode };
        assert_eq!(refused(&[0xcb]), unknown(0xcb));
        assert_eq!(refused(&[WIDE, NOP]), unknown(NOP));
        assert_eq!(refused(&[WIDE, WIDE]), unknown(WIDE));
    }

    #[test]
    fn code_that_ends_inside_an_instruction_is_refused() {
        assert_eq!(
            refused(&[NOP, SIPUSH, 1]),
            InsnError::Truncated { offset: 1 }
        );
    }

    #[test]
    fn jumps_to_where_no_instruction_begins_are_refused() {
        for jump in [[GOTO, 0, 9], [GOTO, 0, 1], [GOTO, 0x80, 0]] {
            assert_eq!(refused(&jump), InsnError::Target { offset: 0 }, "{jump:?}");
        }
    }

    #[test]
    fn impossible_ranges_of_a_switch_are_refused() {
        let range = |low: i32, high: i32| {
            let words = [0, low, high].map(i32::to_be_bytes);
            refused(&[&[TABLESWITCH, 0, 0, 0][..], &words.concat()].concat())
        };
        assert_eq!(
            range(i32::MIN, i32::MAX),
            InsnError::Truncated { offset: 0 }
        );
        assert_eq!(range(5, 4), InsnError::Switch { offset: 0 });
    }

    proptest! {
        #[test]
        fn any_bytes_decode_or_fail(code in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(insns) = decode(&code) {
                let total: u32 = insns.iter().map(Insn::len).sum();
                prop_assert_eq!(total as usize, code.len());
                for insn in insns {
                    let _ = (insn.local(), insn.pool_index(), insn.immediate(), insn.targets());
                }
            }
        }
    }
}

//! The code that writes an event. It is one call of a probe that takes all values, where there is such a probe; otherwise a call for each
//! value.

use jinsi_classfile::Asm;
use jinsi_classfile::descriptor::letter_slots;
use jinsi_classfile::opcode as op;
use jinsi_classfile::pool::ConstantPool;
use jinsi_probes::{numbers, value_probe};
use jinsi_trace::model::{EventKind, SiteNo};

use super::emitter::Probes;
use super::refs::{MOST_VALUES, PROBE, Whole};

/// Where the kind is in the number that tells a probe what event it is, above the site; and above the kind, the [`Then`].
pub(super) const KIND: u32 = numbers::SITE_BITS as u32;
pub(super) const THEN: u32 = KIND + numbers::KIND_BITS as u32;

/// A value of an event, in the order of the site's letters.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operand {
    /// What is in a local.
    Local(char, u16),
    /// An `int` that is always the same.
    Int(i32),
    /// A copy of what is on top of the stack; only the last value can be.
    Top(char),
}

impl Operand {
    pub(super) fn letter(self) -> char {
        match self {
            Self::Local(letter, _) | Self::Top(letter) => letter,
            Self::Int(_) => 'I',
        }
    }

    /// Puts it on the stack.
    pub(super) fn push(self, asm: &mut Asm, pool: &mut ConstantPool) {
        match self {
            Self::Local(letter, local) => {
                asm.load(letter, local);
            }
            Self::Int(value) => {
                asm.int(pool, value);
            }
            Self::Top(letter) => dup(asm, letter),
        }
    }
}

/// What runs behind an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// Whatever ran before.
    Same = numbers::SAME as isize,
    /// Observed code.
    Inside = numbers::INSIDE as isize,
    /// The environment.
    Outside = numbers::OUTSIDE as isize,
    /// Something that does not synchronize with other threads, or records it if it does.
    Quiet = numbers::QUIET as isize,
    /// A method of the first operand, which is in a local.
    Call = numbers::CALL as isize,
    /// Whatever ran before: an access of a field is an event where code runs on an unobserved subclass, too.
    Access = numbers::ACCESS as isize,
    /// The initializer of a class, which the JVM runs in the middle of whatever it does.
    Initializer,
}

impl Then {
    fn end(self) -> &'static str {
        match self {
            Self::Same => "end",
            Self::Access => "endAccess",
            Self::Inside => "endInside",
            Self::Outside => "endOutside",
            Self::Quiet => "endQuiet",
            Self::Call => "endCall",
            Self::Initializer => "endIntoInitializer",
        }
    }
}

impl Probes<'_, '_> {
    /// Writes an event.
    pub(super) fn event(
        &mut self,
        asm: &mut Asm,
        operands: &[Operand],
        then: Then,
        site: SiteNo,
        kind: EventKind,
    ) {
        if !self.has_event_of(operands.len(), site) || then == Then::Initializer {
            return self.event_by_parts(asm, operands, then, site, kind);
        }
        self.stacked(asm, operands);
        let letters: Vec<char> = operands.iter().map(|o| o.letter()).collect();
        self.event_of(asm, &letters, then, site, kind);
    }

    /// Puts the values of an event on the stack, as the probes of whole events take them.
    pub(super) fn stacked(&mut self, asm: &mut Asm, operands: &[Operand]) {
        let top = match operands.last() {
            Some(Operand::Top(letter)) => Some(*letter),
            _ => None,
        };
        if let Some(letter) = top {
            dup(asm, letter);
        }
        for operand in operands {
            if matches!(operand, Operand::Top(_)) {
                continue;
            }
            operand.push(asm, self.pool);
            let slots = self.as_value(asm, operand.letter());
            if let Some(top) = top {
                below(asm, slots, letter_slots(top));
            }
        }
        if let Some(letter) = top {
            self.as_value(asm, letter);
        }
    }

    /// Writes an event whose values are on the stack, and as [`Self::as_value`] makes them.
    pub(super) fn event_of(
        &mut self,
        asm: &mut Asm,
        letters: &[char],
        then: Then,
        site: SiteNo,
        kind: EventKind,
    ) {
        let what = site.get() | u32::from(kind as u8) << KIND | (then as u32) << THEN;
        asm.int(self.pool, what as i32);
        self.refs.call_event(asm, self.pool, Whole::Event, letters);
    }

    /// May an event of so many values be written with [`Self::event_of`]?
    pub(super) fn has_event_of(&self, count: usize, site: SiteNo) -> bool {
        (!self.is_inherited() || self.context.at_boundary())
            && count <= MOST_VALUES
            && site.get() < 1 << KIND
    }

    /// Makes of a value on the stack what event probes take: references stay, primitives become words. Gives its slots.
    pub(super) fn as_value(&mut self, asm: &mut Asm, letter: char) -> u16 {
        match letter {
            'L' => return 1,
            'J' => {}
            'F' => {
                asm.invokestatic(self.pool, PROBE, "word", "(F)J");
            }
            'D' => {
                asm.invokestatic(self.pool, PROBE, "word", "(D)J");
            }
            _ => {
                asm.op(op::I2L);
            }
        }
        2
    }

    fn event_by_parts(
        &mut self,
        asm: &mut Asm,
        operands: &[Operand],
        then: Then,
        site: SiteNo,
        kind: EventKind,
    ) {
        self.begin(asm);
        let mut receiver = None;
        for operand in operands {
            if let Operand::Local(_, local) = *operand {
                receiver.get_or_insert(local);
            }
            operand.push(asm, self.pool);
            self.value(asm, operand.letter());
        }
        let desc = match (then, receiver) {
            (Then::Call, Some(local)) => {
                asm.load('L', local);
                "(Ljava/lang/Object;II)V"
            }
            _ => "(II)V",
        };
        asm.int(self.pool, site.get() as i32)
            .int(self.pool, i32::from(kind as u8));
        self.probe(asm, then.end(), desc);
    }

    pub(super) fn begin(&mut self, asm: &mut Asm) {
        self.probe(asm, "begin", "()V");
    }

    pub(super) fn value(&mut self, asm: &mut Asm, letter: char) {
        let add = value_probe(letter);
        self.probe(asm, add.name, add.descriptor);
    }

    /// Ends an event that [`Self::begin`] began.
    pub(super) fn end(&mut self, asm: &mut Asm, then: Then, site: SiteNo, kind: EventKind) {
        asm.int(self.pool, site.get() as i32)
            .int(self.pool, i32::from(kind as u8));
        self.probe(asm, then.end(), "(II)V");
    }
}

/// A copy of the value on top of the stack.
pub(super) fn dup(asm: &mut Asm, letter: char) {
    asm.op(if letter_slots(letter) == 2 {
        op::DUP2
    } else {
        op::DUP
    });
}

/// Exchanges the value on top of the stack, of `slots` slots, with the one under it, of `under` slots.
fn below(asm: &mut Asm, slots: u16, under: u16) {
    match (slots, under) {
        (1, 1) => asm.op(op::SWAP),
        (1, _) => asm.op(op::DUP_X2).op(op::POP),
        (_, 1) => asm.op(op::DUP2_X1).op(op::POP2),
        _ => asm.op(op::DUP2_X2).op(op::POP2),
    };
}

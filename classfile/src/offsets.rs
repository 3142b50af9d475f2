//! Which instruction begins where.

use crate::insn::Insn;

/// Places of instructions among all, by offset. Nearly every question about a method begins with one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offsets {
    /// By offset, one more than the place; 0 where no instruction begins.
    places: Vec<u32>,
}

impl Offsets {
    pub(crate) fn of(insns: &[Insn<'_>]) -> Self {
        let end = insns.last().map_or(0, |last| last.offset as usize + 1);
        let mut places = vec![0; end];
        for (place, insn) in (1..).zip(insns) {
            if let Some(at) = places.get_mut(insn.offset as usize) {
                *at = place;
            }
        }
        Self { places }
    }

    /// Place of the instruction that begins at `offset`.
    pub(crate) fn place(&self, offset: u32) -> Option<usize> {
        let place = *self.places.get(offset as usize)?;
        (place as usize).checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insn;
    use crate::opcode as op;

    #[test]
    fn places_are_those_of_the_instructions() {
        let code = [op::SIPUSH, 0, 1, op::POP, op::RETURN];
        let offsets = Offsets::of(&insn::decode(&code).unwrap());
        let places: Vec<_> = (0..6).map(|offset| offsets.place(offset)).collect();
        assert_eq!(places, [Some(0), None, None, Some(1), Some(2), None]);
        assert_eq!(Offsets::of(&[]).place(0), None);
    }
}

//! Whether a value, or that something happened, is used in the slice, and by what.

use jinsi_classfile::bits::Bits;
use jinsi_classfile::cfg::BlockNo;

/// A part of a run, counted from its end ([`super::hierarchy`]).
pub(super) type PhaseNo = u32;
/// What a use is marked with. In a slice by phases, that of the user; else how many dependences what is used is away from the criterion.
/// Of several marks the least counts.
pub(super) type Mark = u32;

/// The mark of what is at a distance that is not known.
pub(super) const FAR: Mark = 1 << 30;

/// How a value is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Use(u32);

/// Marks the block of a statement.
const STATEMENT: u32 = 1 << 31;

impl Use {
    /// Not at all.
    pub(super) const NONE: Self = Self(0);

    /// By an occurrence in the slice, with this mark.
    pub(super) fn by(mark: Mark) -> Self {
        Self(mark.min(FAR) + 1)
    }

    /// By a statement, in this block, on which something in the slice depends potentially (the dummy nodes of Wang 2007, Section 4.2):
    /// what the rest of the statement computes is in the slice, but not what decided that the statement ran.
    pub(super) fn by_statement(block: BlockNo) -> Self {
        Self(STATEMENT | block)
    }

    /// Is it used?
    pub(super) fn any(self) -> bool {
        self.0 != 0
    }

    /// Its mark; `None` if it is not used, or only by a statement.
    pub(super) fn mark(self) -> Option<Mark> {
        (self.0 & STATEMENT == 0 && self.0 != 0).then(|| self.0 - 1)
    }

    /// What is computed in this block: a statement in another one uses it as the slice does.
    pub(super) fn computed_in(self, block: BlockNo) -> Self {
        match self.0 & STATEMENT != 0 && self.0 != STATEMENT | block {
            true => Self::by(FAR),
            false => self,
        }
    }

    /// What is computed in another activation.
    pub(super) fn elsewhere(self) -> Self {
        match self.0 & STATEMENT {
            0 => self,
            _ => Self::by(FAR),
        }
    }

    /// Used by both.
    pub(super) fn or(self, other: Self) -> Self {
        match (self.mark(), other.mark()) {
            (Some(one), Some(two)) => Self::by(one.min(two)),
            (Some(_), None) => self,
            (None, Some(_)) => other,
            (None, None) if !self.any() || self == other => other,
            (None, None) if !other.any() => self,
            (None, None) => Self::by(FAR),
        }
    }
}

/// Blocks with occurrences in the slice that nothing has explained yet (γ in Wang 2007, Section 3.2.1).
#[derive(Clone, Debug, Default)]
pub(super) struct Unexplained {
    blocks: Bits,
    /// By block: the mark; 0 if it is not there.
    marks: Vec<Mark>,
}

impl Unexplained {
    /// An occurrence in `block` is in the slice: what decides that it runs is used so.
    pub(super) fn insert(&mut self, block: BlockNo, mark: Mark) {
        let new = self.blocks.insert(block);
        let index = block as usize;
        if self.marks.len() <= index {
            self.marks.resize(index + 1, 0);
        }
        let known = &mut self.marks[index];
        *known = if new { mark } else { mark.min(*known) };
    }

    /// These blocks are explained. How were they used?
    pub(super) fn explain(&mut self, blocks: &Bits) -> Use {
        if !self.blocks.intersects(blocks) {
            return Use::NONE;
        }
        let mut found = Use::NONE;
        for block in blocks.iter() {
            if self.blocks.remove(block) {
                found = found.or(self.use_of(block));
            }
        }
        found
    }

    /// Is there any?
    pub(super) fn any(&self) -> bool {
        !self.blocks.is_empty()
    }

    /// All that is left.
    pub(super) fn all(&self) -> Use {
        let uses = self.blocks.iter().map(|block| self.use_of(block));
        uses.fold(Use::NONE, Use::or)
    }

    fn use_of(&self, block: BlockNo) -> Use {
        Use::by(self.marks.get(block as usize).copied().unwrap_or(0))
    }
}

/// The local variables of an activation whose definition is sought.
#[derive(Clone, Debug, Default)]
pub(super) struct Locals(Vec<Use>);

impl Locals {
    /// Seeks the definition of a variable.
    pub(super) fn seek(&mut self, slot: u16, mark: Mark) {
        let index = usize::from(slot);
        if self.0.len() <= index {
            self.0.resize(index + 1, Use::NONE);
        }
        self.0[index] = self.0[index].or(Use::by(mark));
    }

    /// The variable is defined here. By what was it used?
    pub(super) fn found(&mut self, slot: u16) -> Use {
        let known = self.0.get_mut(usize::from(slot));
        known.map_or(Use::NONE, std::mem::take)
    }

    /// By what is it used?
    pub(super) fn sought(&self, slot: u16) -> Use {
        let known = self.0.get(usize::from(slot));
        known.copied().unwrap_or_default()
    }

    /// Is any sought?
    pub(super) fn any(&self) -> bool {
        self.0.iter().any(|sought| sought.any())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_left_by_its_block() {
        let mine = Use::by_statement(3);
        assert_eq!(mine.computed_in(3), mine);
        assert_eq!(mine.computed_in(4), Use::by(FAR));
        assert_eq!(mine.or(mine), mine);
        assert_eq!(mine.or(Use::NONE), mine);
        assert_eq!(Use::NONE.or(mine), mine);
        assert_eq!(mine.or(Use::by_statement(4)), Use::by(FAR));
        assert_eq!(mine.or(Use::by(7)), Use::by(7));
        assert!(mine.any() && mine.mark().is_none());
    }

    #[test]
    fn what_is_explained_tells_the_least_mark() {
        let mut unexplained = Unexplained::default();
        unexplained.insert(1, 0);
        unexplained.insert(2, 4);
        unexplained.insert(2, 5);
        unexplained.insert(70, 6);
        let mut two = Bits::default();
        two.insert(2);
        two.insert(70);
        assert_eq!(unexplained.explain(&two), Use::by(4));
        assert_eq!(unexplained.explain(&two), Use::NONE);
        assert_eq!(unexplained.all(), Use::by(0));
    }
}

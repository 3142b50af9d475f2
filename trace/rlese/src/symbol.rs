//! Symbols of a grammar under construction and of a finished one.

/// A terminal or a rule, as a dense number: terminals by their place in the alphabet, rules by their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sym(pub(super) u32);

/// How many terminals, and how many rules, a grammar can have: three numbers above them mark nodes that are no symbol.
pub(super) const MAX_SYMBOLS: usize = (u32::MAX >> 1) as usize - 1;

impl Sym {
    pub(super) fn terminal(index: u32) -> Self {
        Sym(index << 1)
    }

    pub(super) fn rule(number: u32) -> Self {
        Sym(number << 1 | 1)
    }

    pub(super) fn is_rule(self) -> bool {
        self.0 & 1 == 1
    }

    /// The place in the alphabet, or the number of the rule.
    pub(super) fn index(self) -> usize {
        (self.0 >> 1) as usize
    }
}

//! The numbers of classes that calls name, for the table of those that unobserved subclasses inherit from.

/// How many there are. Each fits into the operand of one instruction.
pub const SLOTS: usize = 1 << 15;

const OFFSET: u32 = 0x811c_9dc5;
const PRIME: u32 = 0x0100_0193;

/// The number of the class with this internal name, below [`SLOTS`]. Several classes may have the same: what is true of one then counts for
/// all. So nobody has to hand numbers out, and they are the same whenever a class is rewritten (the hash is Fowler's, Noll's and Vo's, 1a).
pub fn slot(internal: &str) -> usize {
    let hash = internal.bytes().fold(OFFSET, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(PRIME)
    });
    (hash >> 15 ^ hash) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_alike_have_numbers_of_their_own() {
        let slots: HashSet<_> = (0..100)
            .map(|no| slot(&format!("com/foo/Order{no}")))
            .collect();
        assert!(slots.len() > 95, "{}", slots.len());
        assert!(slots.into_iter().all(|slot| slot < SLOTS));
    }
}

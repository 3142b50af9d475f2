//! Numbers that only look random.

/// A small generator of numbers that only look random (SplitMix64): the same seed, the same numbers.
#[derive(Clone, Debug)]
pub struct Numbers(u64);

impl Numbers {
    /// Those of a seed.
    pub fn new(seed: u64) -> Self {
        Numbers(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `limit`; 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

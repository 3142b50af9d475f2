//! Draws some of many.

/// So many of them, drawn by the seed, in the order drawn.
pub(crate) fn some<T>(mut all: Vec<T>, mut seed: u64, count: usize) -> Vec<T> {
    let mut drawn = Vec::new();
    while drawn.len() < count && !all.is_empty() {
        // SplitMix64 (Steele, Lea and Flood 2014).
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        drawn.push(all.swap_remove((z % all.len() as u64) as usize));
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_ones() {
        let all: Vec<u32> = (0..100).collect();
        let one = some(all.clone(), 7, 20);
        assert_eq!(one, some(all.clone(), 7, 20));
        assert_ne!(one, some(all.clone(), 8, 20));
        let mut sorted = some(all.clone(), 7, 200);
        sorted.sort_unstable();
        assert_eq!(sorted, all);
    }
}

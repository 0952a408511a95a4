//! Pseudo-random numbers that are the same everywhere. Start at [`split_mix_64`].

/// Step of the counter of `SplitMix64`.
pub(crate) const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// Hashes `word` by one step of `SplitMix64` (Steele, Lea and Flood 2014), so that similar words
/// get unrelated results. Usable in constants.
pub(crate) const fn split_mix_64(word: u64) -> u64 {
    let mut z = word.wrapping_add(GOLDEN_GAMMA);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

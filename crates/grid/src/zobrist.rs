//! Seeded random numbers: hash keys at compile time, a generator at run time. A seed gives the same numbers on every machine.

/// One step of SplitMix64 (Steele, Lea and Flood, 2014): a bijection of 64-bit words that mixes all bits.
#[inline]
#[must_use]
pub const fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// `N` Zobrist keys from a seed, at compile time.
///
/// ```
/// use ninefold_grid::zobrist_keys;
/// const STONES: [u64; 18] = zobrist_keys(7);
/// assert_ne!(STONES[0], STONES[1]);
/// ```
#[must_use]
pub const fn zobrist_keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut rng = Rng::new(seed);
    let mut keys = [0; N];
    let mut at = 0;
    while at < N {
        keys[at] = rng.next_word();
        at += 1;
    }
    keys
}

/// A small seeded generator (SplitMix64) for playouts and tests. Not for cryptography.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    #[inline]
    pub const fn next_word(&mut self) -> u64 {
        let word = mix(self.0);
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        word
    }

    /// A number below `bound`, by one multiplication; the bias is below `bound / 2^32`. Zero if `bound` is zero.
    #[inline]
    pub const fn below(&mut self, bound: u32) -> u32 {
        (((self.next_word() >> 32) * bound as u64) >> 32) as u32
    }

    /// A random item; `None` if there is none.
    #[inline]
    pub fn pick<T, I: ExactSizeIterator<Item = T>>(&mut self, mut items: I) -> Option<T> {
        let chosen = self.below(items.len() as u32) as usize;
        items.nth(chosen)
    }
}

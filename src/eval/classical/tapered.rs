//! Middle-game and endgame value packed into one word. Start at [`Tapered`].

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Two signed 16-bit halves, middle game low and endgame high, so one addition handles both.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tapered(i32);

impl Tapered {
    /// Zero in both halves.
    pub const ZERO: Self = Self(0);

    /// Packs two values.
    #[inline]
    #[must_use]
    pub const fn new(middle_game: i32, endgame: i32) -> Self {
        Self((endgame << 16) + middle_game)
    }

    /// Returns the middle-game value.
    #[inline]
    #[must_use]
    pub const fn middle_game(self) -> i32 {
        self.0 as i16 as i32
    }

    /// Returns the endgame value.
    #[inline]
    #[must_use]
    pub const fn endgame(self) -> i32 {
        // A negative low half has borrowed one from the high half: add it back.
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }

    /// Returns the sum, in `const` contexts too.
    #[inline]
    #[must_use]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }
}

impl Add for Tapered {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Tapered {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Tapered {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;

    #[inline]
    fn mul(self, count: i32) -> Self {
        Self(self.0.wrapping_mul(count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_independent() {
        for (mg, eg) in [(0, 0), (5, -7), (-5, 7), (-300, -400), (1200, 900)] {
            let pair = Tapered::new(mg, eg);
            assert_eq!((pair.middle_game(), pair.endgame()), (mg, eg));
            let tripled = pair * -3 + Tapered::new(1, 2) - Tapered::new(-1, 4);
            assert_eq!((tripled.middle_game(), tripled.endgame()), (-3 * mg + 2, -3 * eg - 2));
        }
    }
}

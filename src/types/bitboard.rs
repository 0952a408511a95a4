//! Bitboards: sets of squares in one 64-bit word. Start at [`Bitboard`].

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use super::color::Color;
use super::square::{File, Rank, Square};

/// A set of squares: bit 0 is a1, bit 63 is h8.
///
/// `|` is union, `&` intersection, `-` difference, `^` symmetric difference, `!` complement.
///
/// ```
/// use damero::types::{Bitboard, Color, File, Rank, Square};
///
/// let cross = Bitboard::from(File::D) ^ Bitboard::from(Rank::Fourth);
/// assert_eq!(cross.to_string(), "\
/// . . . X . . . .
/// . . . X . . . .
/// . . . X . . . .
/// . . . X . . . .
/// X X X . X X X X
/// . . . X . . . .
/// . . . X . . . .
/// . . . X . . . .");
/// assert_eq!(cross.len(), 14);
/// assert!(cross.contains(Square::D8));
/// // Shifts drop what leaves the board; nothing wraps around.
/// assert_eq!(Bitboard::from(Square::H4).right(), Bitboard::EMPTY);
/// assert_eq!(Bitboard::from(Square::E2).forward(Color::White), Square::E3.into());
/// assert_eq!(Bitboard::from(Square::E7).forward(Color::Black), Square::E6.into());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(transparent)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// The empty set.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(!0);
    /// The squares on the edge of the board.
    pub const EDGE: Self = Self(0xff81_8181_8181_81ff);
    /// The dark squares, a1 among them.
    pub const DARK: Self = Self(0xaa55_aa55_aa55_aa55);

    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;

    /// Returns the set that contains only `square`. Usable in constants.
    #[inline]
    #[must_use]
    pub const fn of(square: Square) -> Self {
        Self(1 << square as u64)
    }

    /// Returns whether `square` is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square as u64 & 1 != 0
    }

    /// Returns the number of squares.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set is empty.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether the set has at least one square.
    #[inline]
    #[must_use]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Returns whether the set has at least two squares.
    #[inline]
    #[must_use]
    pub const fn has_many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Returns whether the two sets share a square.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether every square of this set is in `other`.
    #[inline]
    #[must_use]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns the lowest square.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_low_bits(self.0.trailing_zeros())) }
    }

    /// Returns the lowest square of a set known not to be empty (a1 if it is).
    #[inline]
    #[must_use]
    pub(crate) const fn first_or_a1(self) -> Square {
        Square::from_low_bits(self.0.trailing_zeros())
    }

    /// Shifts the set one rank up (towards rank 8).
    #[inline]
    #[must_use]
    pub const fn up(self) -> Self {
        Self(self.0 << 8)
    }

    /// Shifts the set one rank down (towards rank 1).
    #[inline]
    #[must_use]
    pub const fn down(self) -> Self {
        Self(self.0 >> 8)
    }

    /// Shifts the set one file towards the a-file.
    #[inline]
    #[must_use]
    pub const fn left(self) -> Self {
        Self((self.0 & Self::NOT_A) >> 1)
    }

    /// Shifts the set one file towards the h-file.
    #[inline]
    #[must_use]
    pub const fn right(self) -> Self {
        Self((self.0 & Self::NOT_H) << 1)
    }

    /// Shifts the set one rank towards `color`'s opponent.
    #[inline]
    #[must_use]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => self.up(),
            Color::Black => self.down(),
        }
    }

    /// Mirrors the set vertically (a1 and a8 swap).
    #[inline]
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self(self.0.swap_bytes())
    }

    /// Iterates over all subsets in the order in which PEXT numbers them, the empty set first.
    pub fn subsets(self) -> impl Iterator<Item = Self> {
        let mut next = Some(0_u64);
        std::iter::from_fn(move || {
            let subset = next?;
            // Carry-Rippler: this is `(subset | !mask) + 1`, masked, so the carry skips the bits
            // outside the mask.
            let following = subset.wrapping_sub(self.0) & self.0;
            next = (following != 0).then_some(following);
            Some(Self(subset))
        })
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::of(square)
    }
}

impl From<File> for Bitboard {
    #[inline]
    fn from(file: File) -> Self {
        Self(0x0101_0101_0101_0101 << file as u64)
    }
}

impl From<Rank> for Bitboard {
    #[inline]
    fn from(rank: Rank) -> Self {
        Self(0xff << (8 * rank as u64))
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

/// An iterator over the squares of a set, lowest first.
#[derive(Clone)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

macro_rules! set_operators {
    ($($trait:ident $method:ident $assign_trait:ident $assign_method:ident |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl $trait for Bitboard {
            type Output = Self;

            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($value)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    )*};
}

set_operators! {
    BitAnd bitand BitAndAssign bitand_assign |a, b| a & b;
    BitOr bitor BitOrAssign bitor_assign |a, b| a | b;
    BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b;
    Sub sub SubAssign sub_assign |a, b| a & !b;
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// Draws the set as a board with rank 8 on top.
impl fmt::Display for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = if self.contains(Square::new(file, rank)) { 'X' } else { '.' };
                let separator = match (file, rank) {
                    (File::H, Rank::First) => "",
                    (File::H, _) => "\n",
                    _ => " ",
                };
                write!(f, "{mark}{separator}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_iterate_in_order_and_collect_back() {
        let set: Bitboard = [Square::H8, Square::A1, Square::E4].into_iter().collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), [Square::A1, Square::E4, Square::H8]);
        assert_eq!(set.into_iter().len(), 3);
    }

    #[test]
    fn subsets_come_in_counting_order() {
        let set: Bitboard = [Square::B1, Square::D1, Square::H8].into_iter().collect();
        let subsets: Vec<_> = set.subsets().collect();
        assert_eq!(subsets.len(), 8);
        assert!(subsets.is_sorted_by_key(|subset| subset.0));
        assert!(subsets.iter().all(|subset| subset.is_subset(set)));
    }

    #[test]
    fn shifts_drop_squares_off_the_board() {
        for (file, moved) in [(File::A, Bitboard::left as fn(_) -> _), (File::H, Bitboard::right)] {
            assert_eq!(moved(Bitboard::from(file)), Bitboard::EMPTY);
        }
        assert_eq!(Bitboard::from(Rank::Eighth).up(), Bitboard::EMPTY);
        assert_eq!(Bitboard::from(Rank::First).down(), Bitboard::EMPTY);
    }
}

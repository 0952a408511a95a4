//! The two sides, as a value ([`Color`]) and as a type ([`Side`]).

use std::fmt;
use std::ops::Not;

/// White or Black.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    White,
    /// The side that moves second.
    Black,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// Returns 0 for White, 1 for Black.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the letter of FEN's side-to-move field.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// Returns the other colour; usable in constants.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        self.opposite()
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::White => "White",
            Self::Black => "Black",
        })
    }
}

/// A colour known at compile time. Rules are written once, in terms of us and them; the compiler
/// makes two versions in which every shift and every rank is a constant.
pub trait Side {
    /// The colour itself.
    const US: Color;
    /// The opponent's colour.
    const THEM: Color = Self::US.opposite();
    /// The opponent, as a type.
    type Them: Side;
}

/// White, as a type.
pub struct White;
/// Black, as a type.
pub struct Black;

impl Side for White {
    const US: Color = Color::White;
    type Them = Black;
}

impl Side for Black {
    const US: Color = Color::Black;
    type Them = White;
}

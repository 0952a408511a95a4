//! Castling rights for orthodox chess and Chess960. Start at [`CastlingRights`].

use super::bitboard::Bitboard;
use super::color::Color;
use super::square::{File, Rank, Square};

/// The side of the board on which the king castles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum CastlingSide {
    /// O-O: the king ends on the g-file.
    King,
    /// O-O-O: the king ends on the c-file.
    Queen,
}

impl CastlingSide {
    /// Both wings, kingside first, as FEN lists them.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// Returns the king's square after castling, whatever file it came from.
    #[inline]
    #[must_use]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Returns the rook's square after castling, whatever file it came from.
    #[inline]
    #[must_use]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Returns the wing of `rook` as seen from `king`, on the same rank.
    #[inline]
    #[must_use]
    pub const fn of(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 { Self::King } else { Self::Queen }
    }
}

/// The rooks that may still castle, as the set of their squares.
///
/// One set serves every starting position: a right is lost when a piece moves from or to the rook's
/// square, and all rights of a colour are lost when its king moves. The side of the king on which a
/// rook stands gives its wing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    rooks: Bitboard,
}

impl CastlingRights {
    /// No castling rights.
    pub const NONE: Self = Self { rooks: Bitboard::EMPTY };

    /// Returns the castling rooks of both colours.
    #[inline]
    #[must_use]
    pub const fn rooks(self) -> Bitboard {
        self.rooks
    }

    /// Returns the castling rooks of `color`.
    #[inline]
    #[must_use]
    pub fn rooks_of(self, color: Color) -> Bitboard {
        self.rooks & Rank::First.relative_to(color).into()
    }

    /// Returns the castling rook of `color` on `side`, given its king's square.
    #[inline]
    #[must_use]
    pub fn rook(self, color: Color, king: Square, side: CastlingSide) -> Option<Square> {
        self.rooks_of(color).into_iter().find(|&rook| CastlingSide::of(king, rook) == side)
    }

    /// Grants the castling right to the rook on `rook`.
    pub fn grant(&mut self, rook: Square) {
        self.rooks |= rook.into();
    }

    /// Revokes the castling rights of `rooks`.
    #[inline]
    pub fn revoke(&mut self, rooks: Bitboard) {
        self.rooks -= rooks;
    }
}

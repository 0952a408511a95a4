//! Castling rights, for orthodox chess and Chess960 alike.

use super::bitboard::Bitboard;
use super::color::Color;
use super::square::{File, Rank, Square};

/// The side of the board on which the king castles.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Wing {
    /// O-O: the king ends on the g-file.
    King,
    /// O-O-O: the king ends on the c-file.
    Queen,
}

impl Wing {
    /// Both wings, the king's first, as FEN lists them.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// Where the king ends, whatever file it came from.
    #[inline]
    #[must_use]
    pub const fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Where the rook ends, whatever file it came from.
    #[inline]
    #[must_use]
    pub const fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// The wing on which the rook stands, as the king sees it.
    #[inline]
    #[must_use]
    pub const fn of(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 { Self::King } else { Self::Queen }
    }
}

/// The rooks that may still castle, as the set of their squares.
///
/// One set serves every starting position: a right is lost when anything moves from or to the
/// rook's square, and all of a colour's are lost when its king moves. Which wing a rook belongs to
/// follows from the side of the king it stands on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights {
    rooks: Bitboard,
}

impl CastlingRights {
    /// Nobody may castle.
    pub const NONE: Self = Self { rooks: Bitboard::EMPTY };

    /// The rooks of both colours that may castle.
    #[inline]
    #[must_use]
    pub const fn rooks(self) -> Bitboard {
        self.rooks
    }

    /// The rooks of a colour that may castle.
    #[inline]
    #[must_use]
    pub fn rooks_of(self, color: Color) -> Bitboard {
        self.rooks & Rank::First.relative_to(color).into()
    }

    /// The rook of a colour that may castle on a wing, when the king is on `king`.
    #[inline]
    #[must_use]
    pub fn rook(self, color: Color, king: Square, wing: Wing) -> Option<Square> {
        self.rooks_of(color).into_iter().find(|&rook| Wing::of(king, rook) == wing)
    }

    /// Grants the right to the rook on a square.
    pub fn grant(&mut self, rook: Square) {
        self.rooks |= rook.into();
    }

    /// Takes the right from the rooks on these squares.
    #[inline]
    pub fn revoke(&mut self, rooks: Bitboard) {
        self.rooks -= rooks;
    }
}

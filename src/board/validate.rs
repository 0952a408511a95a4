//! What makes a position possible enough to be played.

use thiserror::Error;

use super::Board;
use crate::attacks::pawn_attacks;
use crate::types::{Bitboard, Color, File, PieceType, Rank, Square, Wing};

/// Why an arrangement of pieces is not a position that can be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum InvalidPosition {
    /// A colour has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A colour has more than one king.
    #[error("{0} has {1} kings; one is allowed")]
    TooManyKings(Color, u32),
    /// A pawn stands where no pawn can be.
    #[error("a pawn stands on {0}; pawns cannot be on rank 1 or rank 8")]
    PawnOnEdge(Square),
    /// A colour has more pawns than it began with.
    #[error("{0} has {1} pawns; at most 8 are possible")]
    TooManyPawns(Color, u32),
    /// A colour has more pieces than it began with.
    #[error("{0} has {1} pieces; at most 16 are possible")]
    TooManyPieces(Color, u32),
    /// The side that has just moved is in check.
    #[error("{0} is in check, but it is {mover}'s move", mover = .0.opposite())]
    OpponentInCheck(Color),
    /// A castling right without king or rook in place.
    #[error("{color} cannot castle with a rook on the {file}-file: {reason}")]
    CastlingRight {
        /// Whose right.
        color: Color,
        /// The file on which the rook would stand.
        file: File,
        /// What is wrong.
        reason: &'static str,
    },
    /// A square on which no pawn can be taken in passing.
    #[error("{square} is not a possible en passant square: {reason}")]
    EnPassant {
        /// The square.
        square: Square,
        /// What is wrong.
        reason: &'static str,
    },
}

impl Board {
    /// Checks everything that a board promises. Boards that come out of this module pass it; tests
    /// call it after random games.
    ///
    /// # Errors
    /// Says what is wrong first.
    pub fn validate(&self) -> Result<(), InvalidPosition> {
        self.validate_pieces()?;
        self.validate_castling()?;
        match self.en_passant {
            Some(square) => self.validate_en_passant(square),
            None => Ok(()),
        }
    }

    pub(super) fn validate_pieces(&self) -> Result<(), InvalidPosition> {
        for color in Color::ALL {
            match self.pieces(color, PieceType::King).len() {
                0 => return Err(InvalidPosition::NoKing(color)),
                1 => {}
                count => return Err(InvalidPosition::TooManyKings(color, count)),
            }
        }
        let edge = Bitboard::from(Rank::First) | Rank::Eighth.into();
        if let Some(square) = (self.kind(PieceType::Pawn) & edge).first() {
            return Err(InvalidPosition::PawnOnEdge(square));
        }
        for color in Color::ALL {
            let pawns = self.pieces(color, PieceType::Pawn).len();
            if pawns > 8 {
                return Err(InvalidPosition::TooManyPawns(color, pawns));
            }
            let pieces = self.color(color).len();
            if pieces > 16 {
                return Err(InvalidPosition::TooManyPieces(color, pieces));
            }
        }
        let (us, them) = (self.side_to_move, !self.side_to_move);
        if self.is_attacked(self.king(them), us, self.occupied()) {
            return Err(InvalidPosition::OpponentInCheck(them));
        }
        Ok(())
    }

    /// Each right belongs to a rook on its home rank, with the king on that rank too, and one
    /// rook for each wing.
    pub(super) fn validate_castling(&self) -> Result<(), InvalidPosition> {
        for color in Color::ALL {
            let (king, rooks) = (self.king(color), self.castling.rooks_of(color));
            for rook in rooks {
                let refused = |reason| {
                    Err(InvalidPosition::CastlingRight { color, file: rook.file(), reason })
                };
                if king.rank() != Rank::First.relative_to(color) {
                    return refused("the king is not on its home rank");
                }
                if !self.pieces(color, PieceType::Rook).has(rook) {
                    return refused("no rook of that colour stands there");
                }
                let same_wing = |&other: &Square| Wing::of(king, other) == Wing::of(king, rook);
                if rooks.into_iter().filter(same_wing).count() > 1 {
                    return refused("another rook has the right on that wing");
                }
            }
        }
        Ok(())
    }

    /// Could the last move have been a double step of a pawn over this square?
    pub(super) fn validate_en_passant(&self, square: Square) -> Result<(), InvalidPosition> {
        let them = !self.side_to_move;
        let refused = |reason| Err(InvalidPosition::EnPassant { square, reason });
        if square.rank() != Rank::Third.relative_to(them) {
            return refused("it is not behind a pawn that could just have moved two squares");
        }
        let (pawn, start) = (square.forward(them), square.forward(!them));
        if !self.pieces(them, PieceType::Pawn).has(pawn) {
            return refused("no pawn stands in front of it");
        }
        if self.occupied().has(square) || self.occupied().has(start) {
            return refused("the pawn's way was not free");
        }
        // Take the double step back: if the king was in check then, it was left in check.
        let before = (self.occupied() ^ pawn.into()) | start.into();
        let king = self.king(self.side_to_move);
        let others = self.color(them) ^ pawn.into();
        if self.attackers_to(king, before).meets(others) || pawn_attacks(them, start).has(king) {
            return refused("the king would have been in check before the pawn's move");
        }
        Ok(())
    }
}

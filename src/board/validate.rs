//! Validation of positions. Start at [`Board::validate`].

use thiserror::Error;

use super::Board;
use crate::attacks::pawn_attacks;
use crate::types::{Bitboard, CastlingSide, Color, File, PieceType, Rank, Square};

/// Why a position is not playable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum InvalidPosition {
    /// A colour has no king.
    #[error("{0} has no king")]
    NoKing(Color),
    /// A colour has more than one king.
    #[error("{0} has {1} kings; only one is allowed")]
    TooManyKings(Color, u32),
    /// A pawn stands on rank 1 or rank 8.
    #[error("pawn on {0}: pawns cannot be on rank 1 or 8")]
    PawnOnEdge(Square),
    /// A colour has more than 8 pawns.
    #[error("{0} has {1} pawns; at most 8 are possible")]
    TooManyPawns(Color, u32),
    /// A colour has more than 16 pieces, pawns included.
    #[error("{0} has {1} pieces; at most 16 are possible")]
    TooManyPieces(Color, u32),
    /// The side not to move is in check.
    #[error("{0} is in check, but it is {mover}'s move", mover = .0.opposite())]
    OpponentInCheck(Color),
    /// A castling right that the king and rooks do not support.
    #[error("{color} cannot castle with a rook on the {file}-file: {reason}")]
    CastlingRight {
        /// The colour that has the right.
        color: Color,
        /// The file of the castling rook.
        file: File,
        /// The cause.
        reason: &'static str,
    },
    /// An en passant square that no double push can have passed.
    #[error("{square} is not a possible en passant square: {reason}")]
    EnPassant {
        /// The square.
        square: Square,
        /// The cause.
        reason: &'static str,
    },
}

impl Board {
    /// Checks the pieces, the castling rights and the en passant square. Boards that come out of
    /// this module pass; tests call it in random games.
    ///
    /// # Errors
    /// Returns the first fault found.
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

    /// Checks that every right belongs to a rook on its home rank, that the king is on that rank
    /// too, and that each wing has at most one such rook.
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
                if !self.pieces(color, PieceType::Rook).contains(rook) {
                    return refused("it has no rook there");
                }
                let same_wing =
                    |&other: &Square| CastlingSide::of(king, other) == CastlingSide::of(king, rook);
                if rooks.into_iter().filter(same_wing).count() > 1 {
                    return refused("two rooks on that side of the king have the right");
                }
            }
        }
        Ok(())
    }

    /// Checks that the last move can have been a double push over `square`.
    pub(super) fn validate_en_passant(&self, square: Square) -> Result<(), InvalidPosition> {
        let them = !self.side_to_move;
        let refused = |reason| Err(InvalidPosition::EnPassant { square, reason });
        if square.rank() != Rank::Third.relative_to(them) {
            return refused("wrong rank for a double push");
        }
        let (pawn, start) = (square.forward(them), square.forward(!them));
        if !self.pieces(them, PieceType::Pawn).contains(pawn) {
            return refused("no pawn in front of it");
        }
        if self.occupied().contains(square) || self.occupied().contains(start) {
            return refused("the double push was blocked");
        }
        // Undo the double push: the opponent was to move then, so the king cannot have been in
        // check.
        let before = (self.occupied() ^ pawn.into()) | start.into();
        let king = self.king(self.side_to_move);
        let others = self.color(them) ^ pawn.into();
        if self.attackers_to(king, before).intersects(others)
            || pawn_attacks(them, start).contains(king)
        {
            return refused("the side to move would have been in check before the double push");
        }
        Ok(())
    }
}

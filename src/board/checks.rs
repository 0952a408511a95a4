//! Which moves give check. Start at [`Board::checks`].

use super::Board;
use crate::attacks::{between, bishop_attacks, knight_attacks, pawn_attacks, rook_attacks};
use crate::types::{Bitboard, Move, PieceType};

impl Board {
    /// Computes where the side to move gives check, to test many moves with
    /// [`CheckInfo::given_by`].
    #[must_use]
    pub fn checks(&self) -> CheckInfo {
        let us = self.side_to_move;
        let (king, occupied, own) = (self.king(!us), self.occupied(), self.color(us));
        let (diagonal, orthogonal) = (bishop_attacks(king, occupied), rook_attacks(king, occupied));
        // The sliders that would see the king if the first own piece on each line were gone.
        let uncovered = bishop_attacks(king, occupied - (diagonal & own)) & self.diagonal_sliders()
            | rook_attacks(king, occupied - (orthogonal & own)) & self.orthogonal_sliders();
        let mut covers = Bitboard::EMPTY;
        for slider in uncovered & own {
            covers |= between(king, slider) & own;
        }
        let pawns = pawn_attacks(!us, king);
        let squares = [
            pawns,
            knight_attacks(king),
            diagonal,
            orthogonal,
            diagonal | orthogonal,
            Bitboard::EMPTY,
        ];
        CheckInfo { squares, covers }
    }

    /// Returns whether the legal move `mv` gives check, direct or discovered.
    #[must_use]
    pub fn gives_check(&self, mv: Move) -> bool {
        let us = self.side_to_move;
        let (from, to) = (Bitboard::from(mv.from()), Bitboard::from(mv.destination()));
        let mut occupied = (self.occupied() ^ from) | to;
        let mut own = (self.color(us) ^ from) | to;
        let mut kind = mv.promotion_to().unwrap_or(mv.piece().kind());
        if mv.is_en_passant() {
            occupied ^= mv.to().forward(!us).into();
        }
        if let Some(side) = mv.castling_side() {
            // Both pieces leave before either arrives; only the rook can give check.
            let rook = Bitboard::from(side.rook_target(us));
            occupied = (self.occupied() ^ from ^ mv.to().into()) | to | rook;
            own = rook;
            kind = PieceType::King;
        }
        let target = self.king(!us);
        let direct = match kind {
            PieceType::Pawn => pawn_attacks(!us, target).intersects(to),
            PieceType::Knight => knight_attacks(target).intersects(to),
            PieceType::King => false,
            PieceType::Bishop => bishop_attacks(target, occupied).intersects(to),
            PieceType::Rook => rook_attacks(target, occupied).intersects(to),
            PieceType::Queen => {
                (bishop_attacks(target, occupied) | rook_attacks(target, occupied)).intersects(to)
            }
        };
        if direct {
            return true;
        }
        if mv.is_castling() {
            return rook_attacks(target, occupied).intersects(own);
        }
        // Discovered check by a slider that did not move. The moved piece is handled above.
        let stayed = own - to;
        bishop_attacks(target, occupied).intersects(self.diagonal_sliders() & stayed)
            || rook_attacks(target, occupied).intersects(self.orthogonal_sliders() & stayed)
    }
}

/// The squares from which the side to move gives check, and its possible discoverers.
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// Squares from which each kind of piece, pawn to king, attacks the enemy king.
    squares: [Bitboard; 6],
    /// Pieces whose move may discover a check.
    covers: Bitboard,
}

impl CheckInfo {
    /// Returns whether the legal move `mv` on `board` gives check, like [`Board::gives_check`].
    #[inline]
    #[must_use]
    pub fn given_by(&self, board: &Board, mv: Move) -> bool {
        if self.covers.contains(mv.from()) || mv.is_special() && !mv.is_double_push() {
            return board.gives_check(mv);
        }
        // The square that a slider leaves does not matter: if it approached the king along its
        // line, it would have been giving check before.
        self.squares[mv.piece().kind().index()].contains(mv.to())
    }
}

//! Who attacks a square, and what follows for the king: checks and pins.

use super::Board;
use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use crate::types::{Bitboard, Color, PieceType, Side, Square};

impl Board {
    /// The pieces of both colours that attack a square, with the given squares occupied.
    #[inline]
    #[must_use]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        pawn_attacks(Color::Black, square) & self.pieces(Color::White, PieceType::Pawn)
            | pawn_attacks(Color::White, square) & self.pieces(Color::Black, PieceType::Pawn)
            | knight_attacks(square) & self.kind(PieceType::Knight)
            | king_attacks(square) & self.kind(PieceType::King)
            | bishop_attacks(square, occupied) & self.diagonal_sliders()
            | rook_attacks(square, occupied) & self.orthogonal_sliders()
    }

    /// Does a piece of colour `by` attack the square, with the given squares occupied?
    #[inline]
    #[must_use]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        self.attackers_to(square, occupied).meets(self.color(by))
    }

    /// Finds the checks and pins of the side to move. Called at the end of every change.
    #[inline]
    pub(super) fn refresh_checks_and_pins<S: Side>(&mut self) {
        let king = self.king(S::US);
        let (own, enemies, occupied) = (self.color(S::US), self.color(S::THEM), self.occupied());
        let diagonal = self.diagonal_sliders() & enemies;
        let orthogonal = self.orthogonal_sliders() & enemies;
        let diagonal_view = bishop_attacks(king, occupied);
        let orthogonal_view = rook_attacks(king, occupied);

        self.checkers = diagonal_view & diagonal
            | orthogonal_view & orthogonal
            | knight_attacks(king) & self.pieces(S::THEM, PieceType::Knight)
            | pawn_attacks(S::US, king) & self.pieces(S::THEM, PieceType::Pawn);

        // Look once more with the own pieces nearest to the king taken away: the sliders that
        // appear only then pin one of them.
        let pinning = bishop_attacks(king, occupied ^ (diagonal_view & own)) & diagonal;
        self.diagonal_pins = lines(king, pinning - diagonal_view);
        let pinning = rook_attacks(king, occupied ^ (orthogonal_view & own)) & orthogonal;
        self.orthogonal_pins = lines(king, pinning - orthogonal_view);
    }
}

/// The squares from the king to each of these pieces, without the king's own.
#[inline]
fn lines(king: Square, sliders: Bitboard) -> Bitboard {
    sliders.into_iter().fold(sliders, |lines, slider| lines | between(king, slider))
}

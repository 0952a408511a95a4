//! Attackers of a square, and the checks and pins of the side to move. Start at
//! [`Board::attackers_to`].

use super::Board;
use crate::attacks::{
    between, bishop_attacks, bishop_rays, king_attacks, knight_attacks, knight_attacks_of_all,
    pawn_attacks, pawn_attacks_of_all, rook_attacks, rook_rays,
};
use crate::types::{Bitboard, Color, PieceType, Side, Square};

impl Board {
    /// Returns the pieces of both colours that attack `square`, given the occupancy `occupied`.
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

    /// Returns every square that `color` attacks or defends.
    #[must_use]
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        let occupied = self.occupied();
        let mut attacked = pawn_attacks_of_all(color, self.pieces(color, PieceType::Pawn))
            | knight_attacks_of_all(self.pieces(color, PieceType::Knight))
            | king_attacks(self.king(color));
        for square in self.diagonal_sliders() & self.color(color) {
            attacked |= bishop_attacks(square, occupied);
        }
        for square in self.orthogonal_sliders() & self.color(color) {
            attacked |= rook_attacks(square, occupied);
        }
        attacked
    }

    /// Returns whether a piece of colour `by` attacks `square`, given the occupancy `occupied`.
    #[inline]
    #[must_use]
    pub fn is_attacked(&self, square: Square, by: Color, occupied: Bitboard) -> bool {
        self.attackers_to(square, occupied).intersects(self.color(by))
    }

    /// Computes the checkers and pins of the side to move. Called at the end of every change.
    ///
    /// Few enemy sliders are on a line with the king, so testing the squares between is cheaper
    /// than looking from the king in all directions (8 % of perft), and it needs no branches.
    #[inline]
    pub(super) fn refresh_checks_and_pins<S: Side>(&mut self) {
        let king = self.king(S::US);
        let enemies = self.color(S::THEM);
        self.checkers = knight_attacks(king) & self.pieces(S::THEM, PieceType::Knight)
            | pawn_attacks(S::US, king) & self.pieces(S::THEM, PieceType::Pawn);
        self.diagonal_pins =
            self.examine_lines(king, bishop_rays(king) & self.diagonal_sliders() & enemies);
        self.orthogonal_pins =
            self.examine_lines(king, rook_rays(king) & self.orthogonal_sliders() & enemies);
    }

    /// Adds each of `sliders` that sees the king to the checkers, and returns the lines with at
    /// most one piece between. If that piece is the king's own, it is pinned. If it is the enemy's
    /// or there is no piece, the line holds no piece of the king's side and pins nothing.
    #[inline]
    fn examine_lines(&mut self, king: Square, sliders: Bitboard) -> Bitboard {
        let occupied = self.occupied();
        let mut pins = Bitboard::EMPTY;
        for slider in sliders {
            let line = between(king, slider);
            let blockers = line & occupied;
            self.checkers |= if blockers.is_empty() { slider.into() } else { Bitboard::EMPTY };
            pins |= if blockers.has_many() { Bitboard::EMPTY } else { line | slider.into() };
        }
        pins
    }
}

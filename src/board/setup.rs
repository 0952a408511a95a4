//! A position before validation. Start at [`Setup`].

use super::Board;
use crate::types::{CastlingRights, Color, Piece, Square};

/// A description of a position, not yet validated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The piece on each square, a1 first.
    pub squares: [Option<Piece>; 64],
    /// Side to move.
    pub side_to_move: Color,
    /// Rooks that may castle.
    pub castling: CastlingRights,
    /// The square that a pawn has just passed by a double push, whether or not it can be captured
    /// there.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u16,
    /// Full-move number.
    pub fullmove_number: u16,
}

impl Setup {
    /// Returns the position mirrored vertically with the colours exchanged. An evaluation that
    /// treats both colours alike gives it the same value for the side to move.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let mut flipped = self.clone();
        for square in Square::all() {
            let piece = self.squares[square.index()];
            flipped.squares[square.relative_to(Color::Black).index()] =
                piece.map(|piece| Piece::new(!piece.color(), piece.kind()));
        }
        flipped.side_to_move = !self.side_to_move;
        flipped.castling = CastlingRights::NONE;
        for rook in self.castling.rooks() {
            flipped.castling.grant(rook.relative_to(Color::Black));
        }
        flipped.en_passant = self.en_passant.map(|square| square.relative_to(Color::Black));
        flipped
    }
}

impl From<&Board> for Setup {
    fn from(board: &Board) -> Self {
        Self {
            squares: board.squares,
            side_to_move: board.side_to_move,
            castling: board.castling,
            en_passant: board.en_passant,
            halfmove_clock: board.halfmove_clock,
            fullmove_number: board.fullmove_number,
        }
    }
}

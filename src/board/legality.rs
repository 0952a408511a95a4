//! Legality of a single move that the generator did not just make: from the transposition table, a
//! killer slot or a user. Also check detection. Start at [`Board::is_legal`] and
//! [`Board::gives_check`].

use super::Board;
use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks,
};
use crate::types::{Black, Color, Move, Piece, PieceType, Rank, Side, Square, White};

impl Board {
    /// Returns whether the generator would make exactly this move here, all flags included.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        match self.side_to_move {
            Color::White => self.is_legal_for::<White>(mv),
            Color::Black => self.is_legal_for::<Black>(mv),
        }
    }

    /// Returns the legal move from `from` to `to` with the given promotion. Castling is the king's
    /// move to its rook.
    #[must_use]
    pub fn find_legal(
        &self,
        from: Square,
        to: Square,
        promotion: Option<PieceType>,
    ) -> Option<Move> {
        let piece = self.piece_on(from)?;
        let captured = self.piece_on(to);
        let mv = if let Some(kind) = promotion {
            if !kind.is_promotion() {
                return None;
            }
            Move::promotion(piece, from, to, self.capturable(to), kind)
        } else if piece.kind() == PieceType::King
            && captured == Some(Piece::new(piece.color(), PieceType::Rook))
        {
            Move::castling(piece.color(), from, to)
        } else if piece.kind() != PieceType::Pawn {
            Move::taking(piece, from, to, self.capturable(to))
        } else if self.en_passant == Some(to) && from.file() != to.file() {
            Move::en_passant(piece, from, to)
        } else if from.index().abs_diff(to.index()) == 16 {
            Move::double_push(piece, from, to)
        } else {
            Move::taking(piece, from, to, self.capturable(to))
        };
        self.is_legal(mv).then_some(mv)
    }

    /// Returns the kind of piece on `square` as the victim of a move: kings are never captured.
    fn capturable(&self, square: Square) -> Option<PieceType> {
        self.piece_on(square).map(Piece::kind).filter(|&kind| kind != PieceType::King)
    }

    fn is_legal_for<S: Side>(&self, mv: Move) -> bool {
        let (piece, from, to) = (mv.piece(), mv.from(), mv.to());
        if piece.color() != S::US || self.piece_on(from) != Some(piece) {
            return false;
        }
        if mv.is_castling() {
            return mv == Move::castling(S::US, from, to)
                && piece.kind() == PieceType::King
                && self.castling.rooks_of(S::US).contains(to)
                && !self.in_check()
                && self.can_castle::<S>(to);
        }
        if mv.is_en_passant() {
            return mv == Move::en_passant(piece, from, to)
                && piece.kind() == PieceType::Pawn
                && self.en_passant == Some(to)
                && self.en_passant_takers::<S>(to).contains(from)
                && self.is_en_passant_safe::<S>(from, to);
        }
        // The victim encoded in the move must be the one on the board.
        if mv.captured().map(|kind| Piece::new(S::THEM, kind)) != self.piece_on(to) {
            return false;
        }
        match piece.kind() {
            PieceType::Pawn => self.is_pawn_step::<S>(mv) && self.keeps_king_safe::<S>(from, to),
            _ if mv.is_special() => false,
            PieceType::Knight => {
                knight_attacks(from).contains(to) && self.keeps_king_safe::<S>(from, to)
            }
            PieceType::Bishop => {
                self.slides_diagonally(from, to) && self.keeps_king_safe::<S>(from, to)
            }
            PieceType::Rook => {
                self.slides_orthogonally(from, to) && self.keeps_king_safe::<S>(from, to)
            }
            PieceType::Queen => {
                (self.slides_diagonally(from, to) || self.slides_orthogonally(from, to))
                    && self.keeps_king_safe::<S>(from, to)
            }
            PieceType::King => {
                let occupied = self.occupied() ^ from.into();
                king_attacks(from).contains(to) && !self.is_attacked(to, S::THEM, occupied)
            }
        }
    }

    fn slides_diagonally(&self, from: Square, to: Square) -> bool {
        bishop_attacks(from, self.occupied()).contains(to)
    }

    fn slides_orthogonally(&self, from: Square, to: Square) -> bool {
        rook_attacks(from, self.occupied()).contains(to)
    }

    /// Returns whether a pawn moves like this, en passant aside. Flags and promotion must fit too.
    fn is_pawn_step<S: Side>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_promotion() != (to.rank() == Rank::Eighth.relative_to(S::US)) {
            return false;
        }
        if mv.is_capture() {
            return !mv.is_double_push() && pawn_attacks(S::US, from).contains(to);
        }
        let ahead = from.forward(S::US);
        if mv.is_double_push() {
            return from.rank() == Rank::Second.relative_to(S::US)
                && to == ahead.forward(S::US)
                && !self.occupied().contains(ahead);
        }
        to == ahead
    }

    /// Returns whether checks and pins allow a piece other than the king to move from `from` to
    /// `to`.
    fn keeps_king_safe<S: Side>(&self, from: Square, to: Square) -> bool {
        let answers_check = match self.checkers.first() {
            None => true,
            Some(checker) => {
                !self.checkers.has_many()
                    && (checker == to || between(self.king(S::US), checker).contains(to))
            }
        };
        let king = self.king(S::US);
        // A pinned piece must stay on its ray. Testing that the target is on *some* pin line is not
        // enough: a knight or a pawn may jump from one line to another.
        let keeps_pin = !(self.orthogonal_pins | self.diagonal_pins).contains(from)
            || between(king, from).contains(to)
            || between(king, to).contains(from);
        answers_check && keeps_pin
    }
}

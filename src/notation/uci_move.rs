//! UCI move notation: `e2e4`, `e7e8q`; castling is `e1g1` or, in Chess960, `e1h1`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Board;
use crate::types::{CastlingSide, Move, PieceType, Square};

/// A move in coordinates, not yet checked for legality.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UciMove {
    /// The origin square.
    pub from: Square,
    /// The target square.
    pub to: Square,
    /// The promotion piece.
    pub promotion: Option<PieceType>,
}

/// The notation for castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingStyle {
    /// The king's origin and target squares, as in `e1g1`: orthodox chess.
    #[default]
    KingMoves,
    /// The squares of king and rook, as in `e1h1`: Chess960.
    KingTakesRook,
}

/// Text that is not a move in coordinates. Holds its first 40 characters.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0:?} is not a move (expected UCI notation, such as e2e4 or e7e8q)")]
pub struct UciMoveSyntax(pub String);

/// A move in coordinates that is not legal in the position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{mv} is not a legal move in {fen}")]
pub struct IllegalUciMove {
    /// The move.
    pub mv: UciMove,
    /// The position, as FEN.
    pub fen: String,
}

impl UciMove {
    /// Converts `mv`, writing castling in `style`.
    #[must_use]
    pub fn new(mv: Move, style: CastlingStyle) -> Self {
        let to = match style {
            CastlingStyle::KingMoves => mv.destination(),
            CastlingStyle::KingTakesRook => mv.to(),
        };
        Self { from: mv.from(), to, promotion: mv.promotion_to() }
    }

    /// Finds the matching legal move. Castling is accepted in both styles.
    ///
    /// # Errors
    /// If the move is not legal in the position.
    pub fn to_move(self, board: &Board) -> Result<Move, IllegalUciMove> {
        board
            .find_legal(self.from, self.to, self.promotion)
            .or_else(|| self.to_castling(board))
            .ok_or_else(|| IllegalUciMove { mv: self, fen: board.to_fen() })
    }

    /// Resolves castling written as a king move of two or more files to the c-file or g-file. A
    /// shorter move is always an ordinary king step.
    fn to_castling(self, board: &Board) -> Option<Move> {
        let us = board.side_to_move();
        let far = self.from.file().index().abs_diff(self.to.file().index()) >= 2;
        if self.from != board.king(us) || !far || self.promotion.is_some() {
            return None;
        }
        let side = CastlingSide::ALL.into_iter().find(|side| side.king_target(us) == self.to)?;
        let rook = board.castling().rook(us, self.from, side)?;
        board.find_legal(self.from, rook, None)
    }
}

impl FromStr for UciMove {
    type Err = UciMoveSyntax;

    fn from_str(text: &str) -> Result<Self, UciMoveSyntax> {
        let parse = || {
            let (from, to) = (text.get(0..2)?, text.get(2..4)?);
            let promotion = match text.get(4..)? {
                "" => None,
                letter => {
                    // Some programs write the promotion in upper case.
                    let mut letters = letter.chars().map(|letter| letter.to_ascii_lowercase());
                    let kind = PieceType::from_letter(letters.next()?)?;
                    if letters.next().is_some() || !kind.is_promotion() {
                        return None;
                    }
                    Some(kind)
                }
            };
            Some(Self { from: Square::parse(from)?, to: Square::parse(to)?, promotion })
        };
        parse().ok_or_else(|| UciMoveSyntax(text.chars().take(40).collect()))
    }
}

impl fmt::Display for UciMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(kind) => write!(f, "{}", kind.letter()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(fen: &str, text: &str) -> Option<Move> {
        text.parse::<UciMove>().unwrap().to_move(&Board::from_fen(fen).unwrap()).ok()
    }

    #[test]
    fn coordinates_parse_and_print() {
        for text in ["e2e4", "a7a8q", "h2h1n"] {
            assert_eq!(text.parse::<UciMove>().unwrap().to_string(), text);
        }
        assert_eq!("a7a8Q".parse::<UciMove>().unwrap().to_string(), "a7a8q");
        for text in ["", "e2", "e2e9", "i2i4", "e2e4x", "e7e8k", "e7e8p", "e7e8qq", "0000", "é2e4"]
        {
            assert_eq!(text.parse::<UciMove>(), Err(UciMoveSyntax(text.to_owned())));
        }
    }

    #[test]
    fn castling_is_accepted_in_both_styles() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (king_moves, king_takes_rook) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
            let mv = read(fen, king_moves).unwrap();
            assert!(mv.is_castling());
            assert_eq!(read(fen, king_takes_rook), Some(mv));
            assert_eq!(UciMove::new(mv, CastlingStyle::KingMoves).to_string(), king_moves);
            assert_eq!(UciMove::new(mv, CastlingStyle::KingTakesRook).to_string(), king_takes_rook);
        }
        assert_eq!(read("r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1", "e1g1"), None);
    }

    #[test]
    fn king_step_to_the_g_file_is_not_castling() {
        // In Chess960 the king on f1 may step to g1 or castle with the rook on h1.
        let fen = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
        assert!(!read(fen, "f1g1").unwrap().is_castling());
        assert!(read(fen, "f1h1").unwrap().is_castling());
    }
}

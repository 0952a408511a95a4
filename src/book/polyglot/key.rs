//! Zobrist key of a position in Polyglot books. Start at [`PolyglotKey::of_game`].
//!
//! It differs from [`Board::key`] in more than its random numbers. Polyglot hashes the en passant
//! file if an enemy pawn stands beside the pawn that has just made a double step, even if capturing
//! it would leave the king in check. A [`Board`] keeps the en passant square only if a capture is
//! legal. So the key is exact when made from the last move or from a FEN. Made from a board alone,
//! it is exact unless all such captures are illegal (pinned pawns, or a check that the capture does
//! not resolve).

use crate::attacks::pawn_attacks;
use crate::board::{Board, Game, Setup};
use crate::book::polyglot::random::RANDOM;
use crate::types::{Bitboard, CastlingSide, Color, Move, Piece, PieceType, Square};

const CASTLING: usize = 12 * 64;
const EN_PASSANT: usize = CASTLING + 4;
const WHITE_TO_MOVE: usize = EN_PASSANT + 8;

/// The Polyglot key of a position.
///
/// ```
/// use damero::board::Game;
/// use damero::book::PolyglotKey;
///
/// assert_eq!(PolyglotKey::of_game(&Game::default()), PolyglotKey(0x463b96181691fc9c));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PolyglotKey(pub u64);

impl PolyglotKey {
    /// Returns the key of the game's current position.
    #[must_use]
    pub fn of_game(game: &Game) -> Self {
        Self::after(game.board(), game.moves().last().copied())
    }

    /// Returns the key of `board`, where `last` is the move that led to it. Without `last`, the
    /// en passant square of `board` is used.
    #[must_use]
    pub fn after(board: &Board, last: Option<Move>) -> Self {
        let passed = match last {
            Some(mv) if mv.is_double_push() => Some(mv.to().forward(board.side_to_move())),
            Some(_) => None,
            None => board.en_passant(),
        };
        Self::of_setup(&Setup { en_passant: passed, ..Setup::from(board) })
    }

    /// Returns the key of a position described by a FEN.
    #[must_use]
    pub fn of_setup(setup: &Setup) -> Self {
        let mut key = 0;
        let mut kings = [None; 2];
        for square in Square::all() {
            if let Some(piece) = setup.squares[square.index()] {
                key ^= RANDOM[64 * piece_number(piece) + square.index()];
                if piece.kind() == PieceType::King {
                    kings[piece.color().index()] = Some(square);
                }
            }
        }
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let king = kings[color.index()];
                if king.and_then(|king| setup.castling.rook(color, king, side)).is_some() {
                    key ^= RANDOM[CASTLING + 2 * color.index() + side as usize];
                }
            }
        }
        if let Some(square) = setup.en_passant.filter(|&square| can_be_reached(setup, square)) {
            key ^= RANDOM[EN_PASSANT + square.file().index()];
        }
        if setup.side_to_move == Color::White {
            key ^= RANDOM[WHITE_TO_MOVE];
        }
        Self(key)
    }
}

/// Returns Polyglot's piece index: black pawn 0, white pawn 1, black knight 2, and so on.
fn piece_number(piece: Piece) -> usize {
    2 * piece.kind().index() + usize::from(piece.color() == Color::White)
}

/// Returns whether a pawn of the side to move attacks `square`, legal capture or not.
fn can_be_reached(setup: &Setup, square: Square) -> bool {
    let us = setup.side_to_move;
    let pawn = Some(Piece::new(us, PieceType::Pawn));
    let origins: Bitboard = pawn_attacks(!us, square);
    origins.into_iter().any(|from| setup.squares[from.index()] == pawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::UciMove;

    fn after(moves: &str) -> u64 {
        let mut game = Game::default();
        for word in moves.split_whitespace() {
            let mv = word.parse::<UciMove>().unwrap().to_move(game.board()).unwrap();
            game.play(mv).unwrap();
        }
        PolyglotKey::of_game(&game).0
    }

    /// Examples from the description of the format.
    #[test]
    fn keys_match_the_published_examples() {
        for (moves, key) in [
            ("", 0x463b96181691fc9c),
            ("e2e4", 0x823c9b50fd114196),
            ("e2e4 d7d5", 0x0756b94461c50fb0),
            ("e2e4 d7d5 e4e5", 0x662fafb965db29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560),
        ] {
            assert_eq!(after(moves), key, "{moves}");
        }
    }

    #[test]
    fn pinned_pawn_counts_if_the_last_move_is_known() {
        // After d2d4 the e4 pawn stands beside the d-pawn, but is pinned by the rook on e1.
        let before = Board::from_fen("4k3/8/8/8/4p3/8/3P4/K3R3 w - - 0 1").unwrap();
        let mv = "d2d4".parse::<UciMove>().unwrap().to_move(&before).unwrap();
        let fen = "4k3/8/8/8/3Pp3/8/8/K3R3 b - d3 0 1";
        let exact = PolyglotKey::of_setup(&Setup::parse(fen).unwrap());
        let mut game = Game::new(before);
        game.play(mv).unwrap();
        assert_eq!(PolyglotKey::of_game(&game), exact);
        assert_eq!(game.board().en_passant(), None);
        assert_ne!(PolyglotKey::after(&Board::from_fen(fen).unwrap(), None), exact);
    }
}

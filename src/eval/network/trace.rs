//! The network's verdict on a position, piece by piece. Start at [`Network::trace`].

use crate::board::Board;
use crate::eval::network::accumulator::evaluate_inputs;
use crate::eval::network::features::{Perspective, output_bucket};
use crate::eval::network::parameters::Network;
use crate::types::{Color, Piece, PieceType, Square};

/// The network's verdict on a position, in centipawns for White.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkTrace {
    /// The score.
    pub total: i32,
    /// The output used, from 0 for the fewest men.
    pub bucket: usize,
    /// What each piece but the kings is worth: the score minus the score without the piece.
    pub pieces: Vec<(Square, Piece, i32)>,
}

impl Network {
    /// Evaluates `board`, and `board` without each of its pieces, with the same output.
    #[must_use]
    pub fn trace(&self, board: &Board) -> NetworkTrace {
        let squares = board.occupied().into_iter();
        let men: Vec<(Square, Piece)> =
            squares.filter_map(|square| Some((square, board.piece_on(square)?))).collect();
        let us = board.side_to_move();
        let bucket = output_bucket(men.len());
        let score_without = |missing: Option<Square>| {
            let [own, other] = [us, !us].map(|color| -> Vec<u16> {
                let perspective = Perspective::new(color, board.king(color));
                let present = men.iter().filter(|&&(square, _)| Some(square) != missing);
                present.map(|&(square, piece)| perspective.input(piece, square) as u16).collect()
            });
            let score = evaluate_inputs(self, [&own, &other], bucket);
            if us == Color::White { score } else { -score }
        };
        let total = score_without(None);
        let pieces = men
            .iter()
            .filter(|(_, piece)| piece.kind() != PieceType::King)
            .map(|&(square, piece)| (square, piece, total - score_without(Some(square))))
            .collect();
        NetworkTrace { total, bucket, pieces }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::accumulator::evaluate_from_scratch;

    #[test]
    fn total_is_the_evaluation_and_pieces_have_their_sign() {
        let network = Network::embedded();
        for (fen, sign) in [
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 1),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1", -1),
        ] {
            let board = Board::from_fen(fen).unwrap();
            let trace = network.trace(&board);
            assert_eq!(trace.total * sign, evaluate_from_scratch(&network, &board));
            assert_eq!(trace.pieces.len(), 30);
            let queens =
                trace.pieces.iter().filter(|(_, piece, _)| piece.kind() == PieceType::Queen);
            for (_, queen, worth) in queens {
                let own = if queen.color() == Color::White { *worth } else { -worth };
                assert!(own > 300, "{fen}: {queen:?} {worth}");
            }
        }
    }
}

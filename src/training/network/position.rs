//! Positions packed for training. Start at [`PackedPosition`].

use crate::board::Board;
use crate::eval::network::features::{Perspective, output_bucket};
use crate::types::{Color, Piece, PieceType, Square};

/// A position with its score and result, in 28 bytes. It is stored from the point of view of the
/// side to move, which always plays up the board as White.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PackedPosition {
    /// The occupied squares, low half first.
    occupied: [u32; 2],
    /// The piece on each of them, four bits each: 8 for the opponent's, plus the type.
    pieces: [u8; 16],
    /// The score from the search, in centipawns.
    pub(crate) score: i16,
    /// The points in the game, doubled: 0, 1 or 2.
    pub(crate) points: u8,
    /// The source of the score, whose scale it has.
    pub(crate) source: u8,
}

/// The inputs of a position for both perspectives, the side to move first.
pub(crate) struct Inputs {
    pub(crate) rows: [[u16; 32]; 2],
    pub(crate) len: usize,
    pub(crate) bucket: usize,
}

impl PackedPosition {
    /// Packs `board`, whose `score` and `points` are those of the side to move.
    pub(crate) fn new(board: &Board, score: i16, points: u8, source: u8) -> Self {
        let us = board.side_to_move();
        let mut men: Vec<(usize, u8)> = board
            .occupied()
            .into_iter()
            .filter_map(|square| board.piece_on(square).map(|piece| (square, piece)))
            .map(|(square, piece)| {
                let enemy = if piece.color() == us { 0 } else { 8 };
                (square.relative_to(us).index(), enemy + piece.kind().index() as u8)
            })
            .collect();
        men.sort_unstable();
        let (mut occupied, mut pieces) = (0_u64, [0; 16]);
        for (index, (square, code)) in men.into_iter().enumerate() {
            occupied |= 1 << square;
            pieces[index / 2] |= code << (index % 2 * 4);
        }
        Self { occupied: [occupied as u32, (occupied >> 32) as u32], pieces, score, points, source }
    }

    fn occupied(&self) -> u64 {
        u64::from(self.occupied[0]) | u64::from(self.occupied[1]) << 32
    }

    /// Iterates over the men, with the side to move as White.
    fn men(&self) -> impl Iterator<Item = (Piece, Square)> {
        let mut rest = self.occupied();
        (0..rest.count_ones() as usize).map(move |index| {
            let square = Square::from_low_bits(rest.trailing_zeros());
            rest &= rest - 1;
            let code = self.pieces[index / 2] >> (index % 2 * 4) & 15;
            let color = if code < 8 { Color::White } else { Color::Black };
            (Piece::new(color, PieceType::ALL[usize::from(code & 7) % 6]), square)
        })
    }

    /// Returns the network's inputs and its output bucket.
    pub(crate) fn inputs(&self) -> Inputs {
        let king = |color: Color| {
            let king = Piece::new(color, PieceType::King);
            self.men().find(|&(piece, _)| piece == king).map_or(Square::A1, |(_, square)| square)
        };
        let perspectives = Color::ALL.map(|color| Perspective::new(color, king(color)));
        let mut rows = [[0; 32]; 2];
        let mut len = 0;
        for (piece, square) in self.men().take(32) {
            for (row, perspective) in rows.iter_mut().zip(perspectives) {
                row[len] = perspective.input(piece, square) as u16;
            }
            len += 1;
        }
        Inputs { rows, len, bucket: output_bucket(len) }
    }

    /// Returns a number by which equal positions can be found.
    pub(crate) fn hash(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        (self.occupied, self.pieces).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the number of men.
    pub(crate) fn len(&self) -> usize {
        self.occupied().count_ones() as usize
    }
}

const _: () = assert!(std::mem::size_of::<PackedPosition>() == 28);

#[cfg(test)]
mod tests {
    use super::*;

    /// The trainer's inputs must be the engine's, for both sides to move.
    #[test]
    fn inputs_are_those_of_the_engine() {
        for fen in [
            Board::START_FEN,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/8/8/8/8/4k3/7q/K7 b - - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            let packed = PackedPosition::new(&board, 17, 2, 3);
            assert_eq!((packed.score, packed.points, packed.source), (17, 2, 3));
            let inputs = packed.inputs();
            assert_eq!(inputs.len, board.occupied().len() as usize);
            assert_eq!(inputs.bucket, output_bucket(inputs.len));
            let us = board.side_to_move();
            for (row, color) in inputs.rows.iter().zip([us, !us]) {
                let perspective = Perspective::new(color, board.king(color));
                let mut expected: Vec<u16> = board
                    .occupied()
                    .into_iter()
                    .map(|square| perspective.input(board.piece_on(square).unwrap(), square) as u16)
                    .collect();
                let mut found = row[..inputs.len].to_vec();
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, expected, "{fen} {color:?}");
            }
        }
    }
}

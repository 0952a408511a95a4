//! Accumulators: the sums of the hidden layer, kept by ply and computed when they are needed. Start
//! at [`Accumulators::evaluate`].
//!
//! A move is only noted. An evaluation looks back for the nearest ply whose sums are known, and
//! applies the moves since. If a king changes to the other half of the board, its side's inputs are
//! mirrored and all change; then the sums come from a cache that holds for each side and half the
//! last position refreshed there.

use crate::board::Board;
use crate::eval::network::features::{Perspective, output_bucket};
use crate::eval::network::kernels::{Group, accumulate, add, output};
use crate::eval::network::parameters::Network;
use crate::types::{Bitboard, Color, MAX_PLY, Move, Piece, PieceType, Square};

/// A man on a square.
type Man = (Piece, Square);

/// The men that a move adds to the board and removes from it.
#[derive(Clone, Copy, Default)]
struct Change {
    added: [Option<Man>; 2],
    removed: [Option<Man>; 2],
}

impl Change {
    /// Returns the change that the move `mv` makes.
    #[inline]
    fn of(mv: Move) -> Self {
        let (piece, from, to) = (mv.piece(), mv.from(), mv.to());
        let us = piece.color();
        if let Some(side) = mv.castling_side() {
            // Castling is encoded as the king taking its own rook.
            let rook = Piece::new(us, PieceType::Rook);
            return Self {
                added: [Some((piece, side.king_target(us))), Some((rook, side.rook_target(us)))],
                removed: [Some((piece, from)), Some((rook, to))],
            };
        }
        let captured = mv.captured().map(|kind| {
            let square = if mv.is_en_passant() { to.forward(!us) } else { to };
            (Piece::new(!us, kind), square)
        });
        let arrived = mv.promotion_to().map_or(piece, |kind| Piece::new(us, kind));
        Self { added: [Some((arrived, to)), None], removed: [Some((piece, from)), captured] }
    }
}

/// What is known about one ply of the current line.
#[derive(Clone, Copy)]
struct Ply {
    /// The change from the ply before.
    change: Change,
    perspectives: [Perspective; 2],
    /// Whether the sums of each perspective are computed.
    known: [bool; 2],
}

/// The position of a refresh, with its sums.
struct Refreshed {
    /// The squares of each piece.
    pieces: [Bitboard; 12],
    sums: Vec<Group>,
}

/// The accumulators of one search thread.
pub(crate) struct Accumulators {
    plies: Vec<Ply>,
    /// For each ply and perspective a row of units.
    sums: Vec<Group>,
    /// For each colour, with the king on the left and on the right half.
    cache: [[Refreshed; 2]; 2],
}

impl Accumulators {
    /// Creates the accumulators of a line whose root is not set yet.
    pub(crate) fn new(network: &Network) -> Self {
        let refreshed =
            || Refreshed { pieces: [Bitboard::EMPTY; 12], sums: network.input_bias().to_vec() };
        let perspective = Perspective::new(Color::White, Square::A1);
        let ply =
            Ply { change: Change::default(), perspectives: [perspective; 2], known: [false; 2] };
        Self {
            plies: vec![ply; MAX_PLY + 2],
            sums: vec![Group::ZERO; (MAX_PLY + 2) * 2 * network.groups()],
            cache: [(); 2].map(|()| [(); 2].map(|()| refreshed())),
        }
    }

    /// Starts a line at `board`, which becomes ply 0. Its sums are computed at once: the search may
    /// find the root's evaluation in the TT, and then no ply below would find sums to start from.
    pub(crate) fn reset(&mut self, network: &Network, board: &Board) {
        self.plies[0] =
            Ply { change: Change::default(), perspectives: of_board(board), known: [false; 2] };
        for color in Color::ALL {
            self.refresh(network, 0, 0, board, color);
        }
    }

    /// Notes that `mv`, or a null move for `None`, leads from ply `ply` to `child`.
    #[inline]
    pub(crate) fn play(&mut self, ply: usize, mv: Option<Move>, child: &Board) {
        let change = mv.map_or_else(Change::default, Change::of);
        self.plies[ply + 1] = Ply { change, perspectives: of_board(child), known: [false; 2] };
    }

    /// Returns the network's score of `board`, which stands at ply `ply`, for the side to move, in
    /// centipawns.
    pub(crate) fn evaluate(&mut self, network: &Network, ply: usize, board: &Board) -> i32 {
        for color in Color::ALL {
            self.compute(network, ply, board, color);
        }
        let bucket = output_bucket(board.occupied().len() as usize);
        let us = board.side_to_move();
        let sum = output(
            self.row(network, ply, us),
            self.row(network, ply, !us),
            network.output_rows(bucket),
        );
        network.centipawns(sum, bucket)
    }

    fn row(&self, network: &Network, ply: usize, color: Color) -> &[Group] {
        &self.sums[(2 * ply + color.index()) * network.groups()..][..network.groups()]
    }

    /// Computes the sums of `color` at `ply`, where `board` stands, and those of the plies before
    /// that are needed.
    fn compute(&mut self, network: &Network, ply: usize, board: &Board, color: Color) {
        let side = color.index();
        let mut known = ply;
        while !self.plies[known].known[side] {
            let perspective = self.plies[known].perspectives[side];
            if known == 0 || self.plies[known - 1].perspectives[side] != perspective {
                self.refresh(network, known, ply, board, color);
                break;
            }
            known -= 1;
        }
        for ply in known + 1..=ply {
            self.update(network, ply, color);
        }
    }

    /// Computes the sums of `color` at `ply` from those of the ply before.
    fn update(&mut self, network: &Network, ply: usize, color: Color) {
        let (side, groups) = (color.index(), network.groups());
        let Ply { change, perspectives, .. } = self.plies[ply];
        let (mut added, mut removed) = (Rows::<2>::new(), Rows::<2>::new());
        let row = |(piece, square)| network.input_row(perspectives[side].input(piece, square));
        change.added.into_iter().flatten().for_each(|man| added.push(row(man)));
        change.removed.into_iter().flatten().for_each(|man| removed.push(row(man)));
        let (before, after) = self.sums.split_at_mut(2 * ply * groups);
        let from = &before[(2 * (ply - 1) + side) * groups..][..groups];
        let to = &mut after[side * groups..][..groups];
        accumulate(to, from, added.rows(), removed.rows());
        self.plies[ply].known[side] = true;
    }

    /// Computes the sums of `color` at `ply` from the last position refreshed with the king on the
    /// same half of the board. `board` stands at the later ply `board_ply`.
    fn refresh(
        &mut self,
        network: &Network,
        ply: usize,
        board_ply: usize,
        board: &Board,
        color: Color,
    ) {
        let (side, groups) = (color.index(), network.groups());
        let perspective = self.plies[ply].perspectives[side];
        let mut now = Piece::ALL.map(|piece| board.pieces(piece.color(), piece.kind()));
        for Ply { change, .. } in self.plies[ply + 1..=board_ply].iter().rev() {
            for (piece, square) in change.added.into_iter().flatten() {
                now[piece.index()] = now[piece.index()] - Bitboard::from(square);
            }
            for (piece, square) in change.removed.into_iter().flatten() {
                now[piece.index()] = now[piece.index()] | Bitboard::from(square);
            }
        }
        let Refreshed { pieces, sums } = &mut self.cache[side][perspective.half()];
        let (mut added, mut removed) = (Rows::<32>::new(), Rows::<32>::new());
        for piece in Piece::ALL {
            let (now, before) = (now[piece.index()], pieces[piece.index()]);
            let row = |square| network.input_row(perspective.input(piece, square));
            (now - before).into_iter().for_each(|square| added.push(row(square)));
            (before - now).into_iter().for_each(|square| removed.push(row(square)));
        }
        let to = &mut self.sums[(2 * ply + side) * groups..][..groups];
        accumulate(to, sums, added.rows(), removed.rows());
        sums.copy_from_slice(to);
        *pieces = now;
        self.plies[ply].known[side] = true;
    }
}

/// Rows of weights to be added or subtracted, at most `N`.
struct Rows<'a, const N: usize>([&'a [Group]; N], usize);

impl<'a, const N: usize> Rows<'a, N> {
    #[inline]
    fn new() -> Self {
        Self([&[]; N], 0)
    }

    #[inline]
    fn push(&mut self, row: &'a [Group]) {
        self.0[self.1] = row;
        self.1 += 1;
    }

    #[inline]
    fn rows(&self) -> &[&'a [Group]] {
        &self.0[..self.1]
    }
}

/// Returns both perspectives on `board`.
#[inline]
fn of_board(board: &Board) -> [Perspective; 2] {
    Color::ALL.map(|color| Perspective::new(color, board.king(color)))
}

/// Computes a score from the inputs of both perspectives, the side to move first.
pub(crate) fn evaluate_inputs(network: &Network, inputs: [&[u16]; 2], bucket: usize) -> i32 {
    let [us, them] = inputs.map(|inputs| {
        let mut sums = network.input_bias().to_vec();
        for &input in inputs {
            add(&mut sums, network.input_row(input.into()));
        }
        sums
    });
    network.centipawns(output(&us, &them, network.output_rows(bucket)), bucket)
}

/// Computes a score from nothing but the board: the slow twin of [`Accumulators::evaluate`].
pub(crate) fn evaluate_from_scratch(network: &Network, board: &Board) -> i32 {
    let us = board.side_to_move();
    let [own, other] = [us, !us].map(|color| -> Vec<u16> {
        let perspective = Perspective::new(color, board.king(color));
        let men = board.occupied().into_iter();
        men.filter_map(|square| Some(perspective.input(board.piece_on(square)?, square) as u16))
            .collect()
    });
    evaluate_inputs(network, [&own, &other], output_bucket(own.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::testing::network;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt, SeedableRng};

    const STARTS: [&str; 7] = [
        Board::START_FEN,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "bbrknqrn/pppppppp/8/8/8/8/PPPPPPPP/BBRKNQRN w GCgc - 0 1",
        "rk5r/p6p/8/8/8/8/P6P/RK5R w HAha - 0 1",
        "4k3/8/8/3K4/8/8/3R4/8 w - - 0 1",
    ];

    /// Walks through a random tree as the search does: down and up, with null moves, chains of
    /// plies that are never evaluated, and lines that are left in the middle.
    #[test]
    fn updates_equal_evaluation_from_scratch() {
        let networks = [network(32, 1), network(96, 2)];
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut evaluated, mut mirrored) = (0, 0);
        for network in &networks {
            let mut accumulators = Accumulators::new(network);
            for round in 0..60 {
                let mut line = vec![Board::from_fen(STARTS[round % STARTS.len()]).unwrap()];
                accumulators.reset(network, &line[0]);
                for _ in 0..300 {
                    let board = line[line.len() - 1];
                    let ply = line.len() - 1;
                    let moves = board.legal_moves();
                    // Back to any earlier ply, as after a cutoff or a stopped search.
                    if moves.is_empty() || ply > 60 || rng.random_ratio(1, 8) {
                        line.truncate(rng.random_range(1..=line.len()));
                        continue;
                    }
                    let mut child = board;
                    if !board.in_check() && rng.random_ratio(1, 12) {
                        child.play_null();
                        accumulators.play(ply, None, &child);
                    } else {
                        let mv = moves[rng.random_range(0..moves.len())];
                        child.play_unchecked(mv);
                        accumulators.play(ply, Some(mv), &child);
                        mirrored += usize::from(of_board(&board) != of_board(&child));
                    }
                    line.push(child);
                    // Mostly long chains without an evaluation, sometimes one at every ply.
                    if rng.random_ratio(1, if round % 2 == 0 { 10 } else { 2 }) {
                        let fast = accumulators.evaluate(network, ply + 1, &child);
                        assert_eq!(
                            fast,
                            evaluate_from_scratch(network, &child),
                            "{}",
                            child.to_fen()
                        );
                        evaluated += 1;
                    }
                }
            }
        }
        assert!(evaluated > 3_000 && mirrored > 500, "{evaluated} {mirrored}");
    }

    #[test]
    fn colours_flipped_give_the_same_score() {
        let network = network(64, 4);
        for fen in STARTS {
            let board = Board::from_fen(fen).unwrap();
            let flipped = crate::board::Setup::from(&board).flipped().build().unwrap();
            let [one, other] =
                [board, flipped].map(|board| evaluate_from_scratch(&network, &board));
            assert_eq!(one, other, "{fen}");
        }
    }

    #[test]
    fn every_kind_of_move_changes_the_right_men() {
        let network = network(32, 5);
        for (fen, count) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", 26),
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", 13),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", 7),
        ] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(board.legal_moves().len(), count, "{fen}");
            for &mv in &board.legal_moves() {
                let mut accumulators = Accumulators::new(&network);
                accumulators.reset(&network, &board);
                let _ = accumulators.evaluate(&network, 0, &board);
                let child = board.after(mv);
                accumulators.play(0, Some(mv), &child);
                let fast = accumulators.evaluate(&network, 1, &child);
                assert_eq!(fast, evaluate_from_scratch(&network, &child), "{mv:?}");
            }
        }
    }
}

//! Shared test code: random games, a slow twin of the rules, and the real program.

#![allow(dead_code)] // no test file uses everything

#[cfg(feature = "cli")]
pub mod program;
pub mod slow;

use damero::board::Board;
use damero::types::Move;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Starting positions of orthodox chess and Chess960, and some with few pieces, so that random
/// games reach every kind of position.
pub const STARTS: &[&str] = &[
    Board::START_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "bbrknqrn/pppppppp/8/8/8/8/PPPPPPPP/BBRKNQRN w GCgc - 0 1",
    "nrknqbbr/pppppppp/8/8/8/8/PPPPPPPP/NRKNQBBR w HBhb - 0 1",
    "rk5r/p6p/8/8/8/8/P6P/RK5R w HAha - 0 1",
    "5rkr/pp4pp/8/8/8/8/PP4PP/5RKR b HFhf - 0 1",
];

/// Plays a random game of up to `plies` plies and calls `visit` with each position, before its
/// move.
pub fn random_game(start: usize, seed: u64, plies: usize, mut visit: impl FnMut(&Board)) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut board = Board::from_fen(STARTS[start % STARTS.len()]).unwrap();
    for _ in 0..plies {
        visit(&board);
        let Some(mv) = random_move(&board, &mut rng) else { return };
        board = board.after(mv);
    }
}

pub fn random_move(board: &Board, rng: &mut ChaCha8Rng) -> Option<Move> {
    let moves = board.legal_moves();
    (!moves.is_empty()).then(|| moves[rng.random_range(0..moves.len())])
}

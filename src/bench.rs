//! Layer 5: the bench, a search of fixed positions. Its node count is the signature of the engine's
//! behaviour: a functional change alters it, a refactoring does not. Start at [`bench()`].

use std::time::{Duration, Instant};

use crate::board::{Board, Game};
use crate::eval::EvalKind;
use crate::search::{
    Control, Limits, NullReporter, Request, TableTooLarge, ThreadPool, TranspositionTable,
};

/// Default search depth in plies.
pub const DEFAULT_DEPTH: u32 = 11;
/// Default number of threads.
pub const DEFAULT_THREADS: usize = 1;
/// Default size of the transposition table in MiB.
pub const DEFAULT_HASH: usize = 16;

/// Totals of a bench.
#[derive(Clone, Copy, Debug)]
pub struct BenchResult {
    /// Nodes searched in all positions.
    pub nodes: u64,
    /// Search time of all positions.
    pub time: Duration,
}

/// Searches every position to `depth` plies with `evaluation`, each with cleared tables, and calls
/// `progress` with its index, FEN and nodes. An error of `progress` ends the bench.
///
/// # Errors
/// If the transposition table cannot be allocated, or `progress` fails.
///
/// # Panics
/// Never: the positions are constants, and tests parse them.
pub fn bench<E: From<TableTooLarge>>(
    depth: u32,
    threads: usize,
    hash: usize,
    evaluation: EvalKind,
    mut progress: impl FnMut(usize, &str, u64) -> Result<(), E>,
) -> Result<BenchResult, E> {
    let table = TranspositionTable::new(hash)?;
    let mut pool = ThreadPool::new(threads, evaluation);
    let control = Control::default();
    let mut result = BenchResult { nodes: 0, time: Duration::ZERO };
    for (index, fen) in POSITIONS.iter().enumerate() {
        let game = Game::new(Board::from_fen(fen).expect("the constants are valid"));
        let limits = Limits::depth(depth);
        let request = Request::new(&game, &limits);
        table.clear(threads);
        pool.clear_histories();
        control.start(false);
        let start = Instant::now();
        let nodes = pool.run(&request, &table, &control, &mut NullReporter).nodes;
        result.time += start.elapsed();
        result.nodes += nodes;
        progress(index, fen, nodes)?;
    }
    Ok(result)
}

/// Openings, middlegames and endgames: well-known test positions, then positions from games that
/// Stockfish played against itself from random openings.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r3k2r/pp1bbppp/1q2p3/nP1pPn2/3N3P/2PB4/P4PP1/RNBQR1K1 w kq - 3 5",
    "r3kb1r/ppqn1pp1/2n1p2p/2p1P3/4PP2/2P2NPP/P5B1/1RBQR1K1 w kq - 3 9",
    "3q1rk1/rpN1ppbp/5np1/pbnpB3/P7/2P3P1/1P2PPBP/R2QK2R w KQ - 0 13",
    "r3r1k1/3n1pp1/1p1q3p/p1pp4/P2P4/1P1QPN1P/2R2PP1/5RK1 w - - 1 17",
    "7r/1p1k1pp1/p3p3/P2pP2p/2r3P1/2P2P1P/2bB1K2/R6R w - - 0 21",
    "2r3k1/3p2pp/q3pb2/3nN3/3P1P2/1p4P1/1P1Q1B1P/5RK1 w - - 2 27",
    "2b3k1/p7/P7/8/5Kp1/R3p2p/4P2P/8 w - - 4 33",
    "5b2/4pkp1/8/3p4/3n4/3r1P2/R4K2/8 w - - 2 41",
    "8/8/8/3k4/2p4P/3nBKP1/1b3P2/8 w - - 2 51",
    "rnbqk2r/p1ppbp2/4p1p1/1p1nP2p/3P2Q1/6P1/PPP2PBP/RNB1K1NR w KQkq - 0 5",
    "rnbqrbk1/1p3pp1/p1pp3p/4p3/2P1P1n1/P1NPBN2/1P2BPPP/R2Q1RK1 w - - 4 9",
    "r2q1rk1/pp3pp1/1n3nbp/3p4/3Pp3/P1N1PPP1/1PBB2P1/R2Q1RK1 w - - 2 13",
    "5b1r/pkpqnp1p/rp2pp2/8/3N4/1PB3PQ/2PP1P1P/1K2R2R w - - 4 17",
    "2kr3r/2p2pp1/5q1p/1pnPp3/2p1P2P/P3K1P1/1B2QP2/R6R w - - 0 21",
    "8/p5p1/5pk1/3p3p/1P1P4/P1R3KP/3r3P/8 w - - 0 27",
    "6k1/2B4p/1pp5/p1bq1Q2/6P1/1P6/P4PK1/8 w - - 5 33",
    "6R1/5p1r/4p1n1/6pk/7p/7P/6P1/5RK1 w - - 1 41",
    "1r6/1p3k1N/7p/1R3KPp/4p3/8/3r1P2/8 w - - 1 51",
    "8/k7/1R6/8/1pN1K3/r7/8/8 w - - 4 61",
    "r1bqkb1r/p2p1pp1/2p1pn1p/8/4P3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 5",
    "r3k2r/pbqpnpbp/1p2p1p1/8/P1BpPP2/3P4/1PP1Q1PP/R1BN1RK1 w kq - 3 9",
    "r1bq1rk1/1pp3pp/4p3/P2p1p2/2n5/1NP1P3/2P2PPP/R2QKB1R w KQ - 1 13",
    "1r5r/2k1bppp/ppb1p3/2pnP3/P1N2P2/2P2B1P/2PB2P1/R4R1K w - - 1 17",
    "6k1/4b3/4p3/pb1pP1r1/N7/1nB3KP/1P3P2/R2R4 w - - 0 21",
    "r5k1/1p1q1pb1/p5n1/5N1Q/P7/4P1PP/1P4PK/5R2 w - - 2 27",
    "8/1p4pk/p2p1q1p/P2Pr3/1P1QPp2/5P2/8/5KR1 w - - 12 33",
    "8/2r4p/5kp1/4pp2/4n2P/6P1/R4PK1/5B2 w - - 0 41",
    "3k4/pr3p2/8/p1p4R/7p/1KP5/5P2/8 w - - 2 51",
    "5k2/5p2/8/1n2p3/4P3/6K1/6B1/8 w - - 0 61",
    "rnbqkb1r/1p3ppp/p4n2/2p5/P2p4/2N3P1/1PPPNPBP/R1BQK2R w KQkq - 0 5",
    "r3k2r/pb1n1ppp/1p1bpq2/8/2BP4/8/PP2QPPP/RNB2RK1 w kq - 1 9",
    "3nk2r/1p1bppbp/6p1/p1r5/P1B1p3/1PP1P3/2K2PPP/R1B3NR w k - 0 13",
    "5k2/1pp2p2/2n2bpp/3B4/1P1P1P2/p1P3P1/P1Q3KP/4qN2 w - - 0 17",
    "2kr1b1r/1pp4q/p7/5b1p/P1NP2p1/1Q2P3/1Pn1BPPP/R1B2RK1 w - - 8 21",
    "3r4/p7/7p/PP2k3/5p2/2Pp1P2/1NbR3P/4K3 w - - 3 27",
    "6k1/p5rp/1p1P4/8/3bNr2/P6P/1P3PP1/3R2K1 w - - 0 33",
    "8/1p3pk1/6p1/b3p2p/4P2P/3p2P1/5PK1/1N6 w - - 0 41",
    "5k2/7p/8/5P1p/p3K1b1/Pp2N3/8/B5n1 w - - 9 51",
];

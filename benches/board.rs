//! Benchmarks of the board: perft, move generation and making moves.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use damero::board::perft::perft;
use damero::board::{Board, GenType};
use damero::types::MoveList;

const POSITIONS: &[(&str, &str, u32)] = &[
    ("start", Board::START_FEN, 5),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("position 3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("position 4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("position 5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
    ("position 6", "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];

fn boards() -> impl Iterator<Item = (&'static str, Board, u32)> {
    POSITIONS.iter().map(|&(name, fen, depth)| {
        (name, Board::from_fen(fen).expect("the constants are valid"), depth)
    })
}

fn perft_speed(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(20);
    for (name, board, depth) in boards() {
        group.throughput(Throughput::Elements(perft(&board, depth)));
        group.bench_function(name, |bencher| bencher.iter(|| perft(black_box(&board), depth)));
    }
}

fn generation(criterion: &mut Criterion) {
    for (kind, moves) in
        [("all", GenType::All), ("noisy", GenType::Noisy), ("quiet", GenType::Quiet)]
    {
        let mut group = criterion.benchmark_group(format!("generate {kind}"));
        for (name, board, _) in boards() {
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    let mut list = MoveList::new();
                    black_box(&board).generate(moves, &mut list);
                    list.len()
                });
            });
        }
    }
}

fn make(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("copy and play every move");
    for (name, board, _) in boards() {
        let moves = board.legal_moves();
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                moves.iter().fold(0, |keys, &mv| {
                    let mut next = *black_box(&board);
                    next.play_unchecked(mv);
                    keys ^ next.key()
                })
            });
        });
    }
}

criterion_group!(benches, perft_speed, generation, make);
criterion_main!(benches);

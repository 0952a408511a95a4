//! Benchmarks of both evaluations. One iteration evaluates all bench positions, so throughput is in
//! positions.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use damero::bench::POSITIONS;
use damero::board::Board;
use damero::eval::{EvalKind, evaluate};
use damero::internals::Evaluator;
use damero::types::{Move, PieceType};

fn evaluation(criterion: &mut Criterion) {
    let boards: Vec<Board> = POSITIONS
        .iter()
        .map(|fen| Board::from_fen(fen).expect("the constants are valid"))
        .collect();
    let mut group = criterion.benchmark_group("classical");
    group.throughput(Throughput::Elements(boards.len() as u64));
    // The sums keep the compiler from optimising evaluations away.
    group.bench_function("with a warm pawn cache", |bencher| {
        let mut evaluator = Evaluator::new(&EvalKind::Classical);
        let mut all = || -> i32 {
            boards.iter().map(|board| evaluator.evaluate(0, black_box(board)).value()).sum()
        };
        all();
        bencher.iter(&mut all);
    });
    group.bench_function("without", |bencher| {
        bencher.iter(|| -> i32 {
            boards.iter().map(|board| evaluate(black_box(board)).value()).sum()
        });
    });
    group.finish();

    // A quiet move that changes no perspective, in every position that has one.
    let moves: Vec<(Board, Move, Board)> = boards
        .iter()
        .filter_map(|board| {
            let is_plain = |mv: &&Move| !mv.is_noisy() && mv.piece().kind() != PieceType::King;
            let mv = *board.legal_moves().iter().find(is_plain)?;
            Some((*board, mv, board.after(mv)))
        })
        .collect();
    let mut group = criterion.benchmark_group("network");
    group.throughput(Throughput::Elements(moves.len() as u64));
    let mut evaluator = Evaluator::new(&EvalKind::default());
    group.bench_function("refresh of both sides", |bencher| {
        bencher.iter(|| {
            for (board, ..) in &moves {
                evaluator.reset(black_box(board));
            }
        });
    });
    group.bench_function("refresh, a move, output", |bencher| {
        bencher.iter(|| -> i32 {
            let evaluated = moves.iter().map(|(board, mv, child)| {
                evaluator.reset(black_box(board));
                evaluator.play(0, Some(*mv), child);
                evaluator.evaluate(1, child).value()
            });
            evaluated.sum()
        });
    });
    group.bench_function("refresh, two moves, output", |bencher| {
        bencher.iter(|| -> i32 {
            let evaluated = moves.iter().map(|(board, mv, child)| {
                evaluator.reset(black_box(board));
                evaluator.play(0, Some(*mv), child);
                // The same move again: for the sums it need not be legal.
                evaluator.play(1, Some(*mv), child);
                evaluator.evaluate(2, child).value()
            });
            evaluated.sum()
        });
    });
}

criterion_group!(benches, evaluation);
criterion_main!(benches);

//! Benchmarks of the evaluation, with a warm pawn cache as in the search and without one. One
//! iteration evaluates all bench positions, so throughput is in positions.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use damero::bench::POSITIONS;
use damero::board::Board;
use damero::eval::{EvalKind, evaluate};
use damero::internals::Evaluator;

fn evaluation(criterion: &mut Criterion) {
    let boards: Vec<Board> = POSITIONS
        .iter()
        .map(|fen| Board::from_fen(fen).expect("the constants are valid"))
        .collect();
    let mut group = criterion.benchmark_group("evaluate");
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
}

criterion_group!(benches, evaluation);
criterion_main!(benches);

//! Benchmarks of reading and writing PGN and of writing SAN: random games with tags, in memory.

use std::fmt::Write;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use damero::board::Game;
use damero::notation::{PgnGame, PgnReader, San};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Returns `count` random games of up to 120 plies, with tags.
fn games(count: u64) -> Vec<PgnGame> {
    let mut rng = ChaCha8Rng::seed_from_u64(2026);
    let mut one = |number: u64| {
        let mut game = Game::default();
        for _ in 0..120 {
            let moves = game.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        let mut pgn = PgnGame::new(&game);
        for (name, value) in [
            ("Event", "Bench"),
            ("White", "Somebody, Some"),
            ("Black", "Else, Else"),
            ("ECO", "A00"),
        ] {
            pgn.tags.set(name, value);
        }
        pgn.tags.set("Round", &number.to_string());
        pgn
    };
    (0..count).map(&mut one).collect()
}

fn reading(criterion: &mut Criterion) {
    let games = games(500);
    let mut text = String::new();
    for game in &games {
        writeln!(text, "{game}").expect("memory is enough");
    }
    let mut group = criterion.benchmark_group("pgn");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("read", |bencher| {
        bencher.iter(|| -> usize {
            PgnReader::new(black_box(text.as_bytes()))
                .map(|game| game.expect("it was written right").line.plies.len())
                .sum()
        });
    });
    group.bench_function("write", |bencher| {
        bencher.iter(|| -> usize { games.iter().map(|game| game.to_string().len()).sum() });
    });
    group.finish();

    let positions: Vec<_> = games
        .iter()
        .take(50)
        .flat_map(|game| {
            let game = game.to_game();
            let moves = game.moves().to_vec();
            game.positions().to_vec().into_iter().zip(moves).collect::<Vec<_>>()
        })
        .collect();
    let mut group = criterion.benchmark_group("san");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("of a move", |bencher| {
        bencher.iter(|| {
            for (board, mv) in &positions {
                black_box(San::new(board, *mv));
            }
        });
    });
}

criterion_group!(benches, reading);
criterion_main!(benches);

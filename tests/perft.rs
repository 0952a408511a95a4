//! Perft counts against those of Stockfish (`tests/data/*.epd`).

use damero::board::Board;
use damero::board::perft::{PerftCache, divide, perft};

/// A position with its perft counts from depth 1.
struct Case {
    fen: String,
    counts: Vec<u64>,
}

fn read(text: &str) -> Vec<Case> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let cases: Vec<Case> = lines
        .map(|line| {
            let mut parts = line.split(" ;D");
            let fen = parts.next().unwrap().to_owned();
            let counts = parts
                .enumerate()
                .map(|(index, part)| {
                    let (depth, count) = part.split_once(' ').unwrap();
                    assert_eq!(depth.parse(), Ok(index + 1), "{line}");
                    count.parse().unwrap()
                })
                .collect();
            Case { fen, counts }
        })
        .collect();
    assert!(!cases.is_empty());
    cases
}

fn check(cases: &[Case]) {
    for Case { fen, counts } in cases {
        let board = Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for (index, &count) in counts.iter().enumerate() {
            assert_eq!(perft(&board, index as u32 + 1), count, "{fen} depth {}", index + 1);
        }
    }
}

const STANDARD: &str = include_str!("data/perft_standard.epd");
const SUITE: &str = include_str!("data/perft_suite.epd");
const CHESS960: &str = include_str!("data/perft_chess960.epd");

#[test]
fn perft_matches_on_standard_positions() {
    let cases = read(STANDARD);
    assert_eq!(cases.len(), 6);
    check(&cases);
}

#[test]
fn perft_matches_on_the_suite() {
    let cases = read(SUITE);
    assert!(cases.len() >= 120);
    check(&cases);
}

#[test]
fn perft_matches_on_chess960() {
    let cases = read(CHESS960);
    assert!(cases.len() >= 40);
    check(&cases);
}

#[test]
fn divide_is_independent_of_threads_and_cache() {
    let cache = PerftCache::new(1).unwrap();
    for Case { fen, counts } in read(SUITE).iter().chain(&read(CHESS960)) {
        let board = Board::from_fen(fen).unwrap();
        for (depth, &count) in (1..).zip(counts).take(3) {
            for (threads, cache) in [(1, None), (3, None), (1, Some(&cache)), (2, Some(&cache))] {
                let total: u64 =
                    divide(&board, depth, threads, cache).iter().map(|&(_, leaves)| leaves).sum();
                assert_eq!(total, count, "{fen} depth {depth} threads {threads}");
            }
        }
    }
}

//! Checks that the search's evaluation of a network equals its definition, and measures its speed.
//! Start at [`Network::self_test`].

use std::time::{Duration, Instant};

use crate::board::Board;
use crate::eval::network::accumulator::{Accumulators, evaluate_from_scratch};
use crate::eval::network::parameters::Network;
use crate::types::MAX_PLY;
use crate::types::random::split_mix_64;

/// What [`Network::self_test`] found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SelfTest {
    /// Positions evaluated in both ways.
    pub positions: u64,
    /// Positions where the two differ.
    pub mismatches: u64,
    /// Largest absolute score, in centipawns.
    pub largest: i32,
    /// Time for all positions, updated move by move.
    pub updated: Duration,
    /// Time for all positions, computed from nothing.
    pub from_scratch: Duration,
}

impl Network {
    /// Plays `games` random games, and evaluates every position move by move as the search does and
    /// from scratch. Every other position is skipped, so that some updates span several moves.
    #[must_use]
    pub fn self_test(&self, games: u64) -> SelfTest {
        let mut accumulators = Accumulators::new(self);
        let mut test = SelfTest::default();
        for game in 0..games {
            let mut random = split_mix_64(game);
            let mut line = vec![Board::starting_position()];
            let mut moves = Vec::new();
            while line.len() < MAX_PLY {
                let board = line[line.len() - 1];
                let legal = board.legal_moves();
                if legal.is_empty() {
                    break;
                }
                random = split_mix_64(random);
                let mv = legal[(random % legal.len() as u64) as usize];
                moves.push(mv);
                line.push(board.after(mv));
            }
            let is_tested = |ply: usize| split_mix_64(game << 32 ^ ply as u64) & 1 == 1;
            let began = Instant::now();
            let mut scores = Vec::with_capacity(line.len());
            accumulators.reset(self, &line[0]);
            for (ply, &mv) in moves.iter().enumerate() {
                accumulators.play(ply, Some(mv), &line[ply + 1]);
                if is_tested(ply + 1) {
                    scores.push(accumulators.evaluate(self, ply + 1, &line[ply + 1]));
                }
            }
            test.updated += began.elapsed();
            let began = Instant::now();
            let tested = (1..line.len()).filter(|&ply| is_tested(ply));
            let expected: Vec<i32> =
                tested.map(|ply| evaluate_from_scratch(self, &line[ply])).collect();
            test.from_scratch += began.elapsed();
            test.positions += expected.len() as u64;
            test.mismatches += scores.iter().zip(&expected).filter(|(a, b)| a != b).count() as u64;
            let largest = expected.iter().map(|score| score.abs()).max();
            test.largest = test.largest.max(largest.unwrap_or_default());
        }
        test
    }
}

#[cfg(test)]
mod tests {
    use crate::eval::network::testing::network;

    #[test]
    fn updated_scores_equal_those_from_scratch() {
        for units in [32, 128] {
            let test = network(units, 6).self_test(20);
            assert!(test.positions > 1_000 && test.largest > 0, "{test:?}");
            assert_eq!(test.mismatches, 0, "{test:?}");
        }
    }
}

//! Game review: evaluated positions and judged moves.

use super::evaluation::Evaluation;
use super::judge::{Verdict, judge};
use crate::analysis::player_stats::PlayerStats;
use crate::board::Game;
use crate::types::Color;

/// The evaluations and verdicts of a game.
#[derive(Clone, Debug)]
pub struct GameReview {
    /// Evaluations of all positions, the first one included.
    pub evaluations: Vec<Evaluation>,
    /// Verdicts on all moves.
    pub verdicts: Vec<Verdict>,
}

impl GameReview {
    /// Judges the moves of `game` from the evaluations of its positions.
    #[must_use]
    pub fn new(game: &Game, evaluations: Vec<Evaluation>) -> Self {
        let verdicts = evaluations
            .windows(2)
            .zip(game.moves())
            .map(|(pair, &played)| judge(&pair[0], &pair[1], played))
            .collect();
        Self { evaluations, verdicts }
    }

    /// Returns the side that played the move at index `ply`.
    #[must_use]
    pub fn mover(&self, ply: usize) -> Option<Color> {
        self.evaluations.get(ply).map(|evaluation| evaluation.us)
    }

    /// Returns the statistics of a side's moves.
    #[must_use]
    pub fn player_stats(&self, side: Color) -> PlayerStats {
        let mut stats = PlayerStats::default();
        for (evaluation, verdict) in self.evaluations.iter().zip(&self.verdicts) {
            if evaluation.us == side {
                stats.add(verdict);
            }
        }
        stats
    }
}

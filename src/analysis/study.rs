//! A game with its positions evaluated and its moves judged.

use super::evaluation::Evaluation;
use super::judge::{Verdict, judge};
use super::tally::Tally;
use crate::board::Game;
use crate::types::Color;

/// What was found out about a game.
#[derive(Clone, Debug)]
pub struct Study {
    /// Every position, the first one included.
    pub evaluations: Vec<Evaluation>,
    /// Every move.
    pub verdicts: Vec<Verdict>,
}

impl Study {
    /// Judges the moves of a game whose positions have been evaluated.
    #[must_use]
    pub fn new(game: &Game, evaluations: Vec<Evaluation>) -> Self {
        let verdicts = evaluations
            .windows(2)
            .zip(game.moves())
            .map(|(pair, &played)| judge(&pair[0], &pair[1], played))
            .collect();
        Self { evaluations, verdicts }
    }

    /// Who played the move of a ply.
    #[must_use]
    pub fn mover(&self, ply: usize) -> Option<Color> {
        self.evaluations.get(ply).map(|evaluation| evaluation.us)
    }

    /// All moves of a side, summed up.
    #[must_use]
    pub fn tally(&self, side: Color) -> Tally {
        let mut tally = Tally::default();
        for (evaluation, verdict) in self.evaluations.iter().zip(&self.verdicts) {
            if evaluation.us == side {
                tally.add(verdict);
            }
        }
        tally
    }
}

//! Win/draw/loss counts by score, and the logistic curves that fit them. Start at
//! [`OutcomeCounts::fit`].

use super::dataset::Filter;
use super::format::{GameResult, ScoredGame};
use crate::eval::WdlModel;
use crate::types::Score;

/// Largest score counted, in centipawns. Beyond it games are as good as won and do not shape the
/// curves.
const RANGE: i32 = 1_500;

/// Won, drawn and lost games by score, from the side to move's point of view.
pub struct OutcomeCounts(Vec<[u64; 3]>);

impl Default for OutcomeCounts {
    fn default() -> Self {
        Self(vec![[0; 3]; 2 * RANGE as usize + 1])
    }
}

impl OutcomeCounts {
    /// Adds the positions of `game` that pass `filter` and have a score within `RANGE`.
    pub fn add(&mut self, game: &ScoredGame, filter: Filter) {
        for (ply, &(_, white)) in game.plies.iter().enumerate() {
            if ply >= filter.first_ply
                && !Score::from_table(white, 0).is_decisive()
                && i32::from(white).abs() <= RANGE
            {
                let result = match game.result {
                    GameResult::WhiteWon => 0,
                    GameResult::Drawn => 1,
                    GameResult::BlackWon => 2,
                };
                // Every position counts once for each side, which makes the curves symmetric.
                self.0[(RANGE + i32::from(white)) as usize][result] += 1;
                self.0[(RANGE - i32::from(white)) as usize][2 - result] += 1;
            }
        }
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.0.iter().flatten().sum::<u64>() / 2
    }

    /// Returns the cross-entropy of the results under `outcome`, in nats per position.
    #[must_use]
    pub fn cross_entropy(&self, outcome: WdlModel) -> f64 {
        let mut sum = 0.0;
        for (score, counts) in (-RANGE..).zip(&self.0) {
            let (win, loss) = (outcome.win(score.into()), outcome.win((-score).into()));
            for (&count, chance) in counts.iter().zip([win, 1.0 - win - loss, loss]) {
                sum -= count as f64 * chance.max(1e-9).ln();
            }
        }
        sum / (2 * self.positions().max(1)) as f64
    }

    /// Returns the curves of least cross-entropy, by coordinate descent with step halving.
    #[must_use]
    pub fn fit(&self) -> WdlModel {
        let mut best = WdlModel { even: 100.0, spread: 60.0 };
        let mut least = self.cross_entropy(best);
        let mut step = 32.0;
        while step > 0.01 {
            let mut improved = false;
            for (even, spread) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                let tried = WdlModel { even: best.even + even, spread: best.spread + spread };
                // Keep both positive: with `even` below 0, win and loss chances could sum to more
                // than 1.
                if tried.even < 1.0 || tried.spread < 1.0 {
                    continue;
                }
                let cross_entropy = self.cross_entropy(tried);
                if cross_entropy < least {
                    (best, least, improved) = (tried, cross_entropy, true);
                }
            }
            if !improved {
                step /= 2.0;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fit_recovers_known_curves() {
        let truth = WdlModel { even: 130.0, spread: 45.0 };
        let mut counts = OutcomeCounts::default();
        for (score, entry) in (-RANGE..).zip(&mut counts.0) {
            let (win, loss) = (truth.win(score.into()), truth.win((-score).into()));
            *entry = [win, 1.0 - win - loss, loss].map(|chance| (1e6 * chance) as u64);
        }
        let fitted = counts.fit();
        assert!((fitted.even - truth.even).abs() < 1.0, "{fitted:?}");
        assert!((fitted.spread - truth.spread).abs() < 1.0, "{fitted:?}");
    }
}

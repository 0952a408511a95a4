//! WDL model: win, draw and loss probabilities of a score. Start at [`WdlModel::per_mille`].
//!
//! Two logistic curves, one per side, fitted to self-play games by `damero wdl`.

use crate::types::Score;

/// Parameters of the logistic curve P(win) = 1 / (1 + exp((even - score) / spread)), in internal
/// centipawns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WdlModel {
    /// Score with a win probability of one half.
    pub even: f64,
    /// Width of the curve: the larger, the flatter.
    pub spread: f64,
}

impl Default for WdlModel {
    fn default() -> Self {
        Self::CLASSICAL
    }
}

impl WdlModel {
    /// Fitted to the classical evaluation; [`crate::guide::training`] describes the games.
    pub const CLASSICAL: Self = Self { even: 109.5, spread: 123.6 };

    /// Returns the win probability of a score of `centipawns`.
    #[must_use]
    pub fn win(self, centipawns: f64) -> f64 {
        1.0 / (1.0 + ((self.even - centipawns) / self.spread).exp())
    }

    /// Returns the win, draw and loss probabilities of `score`, in thousandths.
    #[must_use]
    pub fn per_mille(self, score: Score) -> [u32; 3] {
        if score.is_decisive() {
            return if score.is_win() { [1000, 0, 0] } else { [0, 0, 1000] };
        }
        let chance = |centipawns: i32| (1000.0 * self.win(centipawns.into())).round() as u32;
        let (win, loss) = (chance(score.value()), chance(-score.value()));
        [win, 1000_u32.saturating_sub(win + loss), loss]
    }

    /// Returns `score` normalised for display: 100 means an even chance to win. Decisive scores
    /// are unchanged.
    #[must_use]
    pub fn shown(self, score: Score) -> Score {
        if score.is_decisive() {
            return score;
        }
        Score::cp((f64::from(score.value()) * 100.0 / self.even).round() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_score_of_100_is_an_even_chance() {
        let model = WdlModel { even: 140.0, spread: 50.0 };
        assert_eq!(model.per_mille(Score::cp(140))[0], 500);
        assert_eq!(model.shown(Score::cp(140)), Score::cp(100));
        assert_eq!(model.shown(Score::cp(-70)), Score::cp(-50));
        let [win, draw, loss] = model.per_mille(Score::cp(0));
        assert_eq!((win, win + draw + loss), (loss, 1000));
        let mate = Score::mate_in(3);
        assert_eq!((model.per_mille(mate), model.shown(mate)), ([1000, 0, 0], mate));
        assert_eq!(model.per_mille(-mate), [0, 0, 1000]);
    }

    #[test]
    fn chances_are_monotonic_in_score() {
        let mut before = [0, 0, 1000];
        for centipawns in -3000..3000 {
            let now = WdlModel::CLASSICAL.per_mille(Score::cp(centipawns));
            assert!(now[0] >= before[0] && now[2] <= before[2], "{centipawns}");
            assert_eq!(now.iter().sum::<u32>(), 1000);
            before = now;
        }
    }
}

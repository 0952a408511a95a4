//! Statistics of a player's moves.

use std::ops::AddAssign;

use crate::analysis::judge::{Judgement, MateNote, Verdict};

/// Move statistics for one or more games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerStats {
    /// Number of moves.
    pub moves: u64,
    /// Number of moves with each judgement, in the order of [`Judgement::ALL`].
    judged: [u64; 3],
    /// Number of mates missed.
    pub missed_mates: u64,
    accuracy: f64,
    loss: i64,
}

impl PlayerStats {
    pub(crate) fn add(&mut self, verdict: &Verdict) {
        self.moves += 1;
        if let Some(judgement) = verdict.judgement {
            self.judged[judgement as usize] += 1;
        }
        self.missed_mates += u64::from(matches!(verdict.mate, Some(MateNote::Missed(_))));
        self.accuracy += verdict.accuracy();
        self.loss += i64::from(verdict.loss);
    }

    /// Returns the number of moves with this judgement.
    #[must_use]
    pub fn count(&self, judgement: Judgement) -> u64 {
        self.judged[judgement as usize]
    }

    /// Returns the mean accuracy in percent; `None` without moves.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy / self.moves as f64)
    }

    /// Returns the mean loss per move in centipawns; `None` without moves.
    #[must_use]
    pub fn average_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.loss as f64 / self.moves as f64)
    }
}

impl AddAssign for PlayerStats {
    fn add_assign(&mut self, other: Self) {
        self.moves += other.moves;
        for (mine, theirs) in self.judged.iter_mut().zip(other.judged) {
            *mine += theirs;
        }
        self.missed_mates += other.missed_mates;
        self.accuracy += other.accuracy;
        self.loss += other.loss;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tally_sums_and_averages() {
        let good = Verdict { loss: 0, chances_lost: 0.0, judgement: None, mate: None };
        let bad = Verdict {
            loss: 300,
            chances_lost: 0.5,
            judgement: Some(Judgement::Blunder),
            mate: Some(MateNote::Missed(2)),
        };
        let mut player_stats = PlayerStats::default();
        assert_eq!((player_stats.accuracy(), player_stats.average_loss()), (None, None));
        player_stats.add(&good);
        player_stats.add(&bad);
        assert_eq!(player_stats.average_loss(), Some(150.0));
        let expected = f64::midpoint(good.accuracy(), bad.accuracy());
        assert!((player_stats.accuracy().unwrap() - expected).abs() < 1e-9);
        assert_eq!(Judgement::ALL.map(|judgement| player_stats.count(judgement)), [0, 0, 1]);
        let mut both = player_stats;
        both += player_stats;
        assert_eq!((both.moves, both.missed_mates, both.average_loss()), (4, 2, Some(150.0)));
    }
}

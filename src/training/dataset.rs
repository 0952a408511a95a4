//! Positions with their features, for tuning. Start at [`Dataset`].

use super::format::ScoredGame;
use crate::board::Board;
use crate::eval::features::COUNT;
use crate::eval::{FeatureSink, count_features, endgame_scale, is_made_of_features, phase};
use crate::types::{Color, Score};

/// Selects the positions to learn from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// First ply to use, counted from the end of the random opening.
    pub first_ply: usize,
}

impl Default for Filter {
    fn default() -> Self {
        Self { first_ply: 8 }
    }
}

/// A position as feature counts: the summed features, then the king danger features of White's king
/// and of Black's.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    pub(super) start: u32,
    pub(super) lens: [u8; 3],
    pub(super) phase: u8,
    pub(super) scale: u8,
    /// White's points in the game.
    pub(super) result: f32,
    /// White's score from the search, in centipawns.
    pub(super) score: f32,
}

/// Training and validation positions, split by game so that no game is in both.
#[derive(Default)]
pub struct Dataset {
    features: Vec<(u16, i8)>,
    pub(super) training: Vec<Sample>,
    pub(super) validation: Vec<Sample>,
    games: u64,
}

/// Records feature counts instead of summing weights.
struct Recorder {
    sum: Vec<i16>,
    danger: [Vec<i16>; 2],
}

impl FeatureSink for Recorder {
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        let count = count as i16;
        self.sum[feature] += if color == Color::White { count } else { -count };
    }

    fn danger(&mut self, color: Color, feature: usize, count: i32) {
        self.danger[color.index()][feature] += count as i16;
    }
}

/// One game in this many is held out for validation.
const HELD_OUT: u64 = 10;

impl Dataset {
    /// Adds the positions of `game` that pass `filter` and are not in check, have a quiet best move
    /// and no decisive score, and are evaluated by features alone.
    pub fn add(&mut self, game: &ScoredGame, filter: Filter) {
        let held_out = self.games.is_multiple_of(HELD_OUT);
        self.games += 1;
        let mut board = game.start;
        for (ply, &(mv, score)) in game.plies.iter().enumerate() {
            let learnable = ply >= filter.first_ply
                && !board.in_check()
                && !mv.is_noisy()
                && !Score::from_table(score, 0).is_decisive()
                && is_made_of_features(&board);
            if learnable {
                let sample = self.sample(&board, game.result.white_points(), score);
                if held_out { self.validation.push(sample) } else { self.training.push(sample) }
            }
            board.play_unchecked(mv);
        }
    }

    fn sample(&mut self, board: &Board, result: f64, score: i16) -> Sample {
        let nothing = || vec![0; COUNT];
        let mut recorder = Recorder { sum: nothing(), danger: [nothing(), nothing()] };
        count_features(board, &mut recorder);
        let start = self.features.len() as u32;
        let [white, black] = &recorder.danger;
        let lens = [&recorder.sum, white, black].map(|counts| {
            let before = self.features.len();
            let counted = counts.iter().enumerate().filter(|&(_, &count)| count != 0);
            self.features.extend(counted.map(|(feature, &count)| (feature as u16, count as i8)));
            (self.features.len() - before) as u8
        });
        Sample {
            start,
            lens,
            phase: phase(board) as u8,
            scale: endgame_scale(board) as u8,
            result: result as f32,
            score: f32::from(score),
        }
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the numbers of training and of validation positions.
    #[must_use]
    pub fn positions(&self) -> (usize, usize) {
        (self.training.len(), self.validation.len())
    }

    /// Returns the summed features, and the king danger features of either king.
    pub(super) fn features(&self, sample: &Sample) -> [&[(u16, i8)]; 3] {
        let [sum, white, black] = sample.lens.map(usize::from);
        let (sum, rest) = self.features[sample.start as usize..].split_at(sum);
        let (white, rest) = rest.split_at(white);
        [sum, white, &rest[..black]]
    }
}

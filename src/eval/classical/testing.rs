//! Helpers for testing the terms: which features a position has, for which side, and how often.
//! Tests do not depend on weights, which change with every tuning.

use std::ops::Range;

use crate::board::{Board, Setup};
use crate::eval::classical::features::{COUNT, DANGER, GROUPS};
use crate::eval::classical::{FeatureSink, count_features};
use crate::types::{Color, Square};

/// Feature counts by colour. Danger belongs to the colour whose king is in danger.
#[derive(PartialEq, Eq)]
pub(crate) struct Counts([Vec<i32>; 2]);

impl Counts {
    fn new(board: &Board) -> Self {
        let mut counts = Self([vec![0; COUNT], vec![0; COUNT]]);
        count_features(board, &mut counts);
        counts
    }

    /// Returns how often `feature` was counted for `color`.
    pub(crate) fn of(&self, color: Color, feature: usize) -> i32 {
        self.0[color.index()][feature]
    }

    /// Returns how often `feature` was counted for White and for Black.
    pub(crate) fn both(&self, feature: usize) -> [i32; 2] {
        Color::ALL.map(|color| self.of(color, feature))
    }

    /// Returns the total count of `features` for White and for Black.
    pub(crate) fn sum(&self, features: Range<usize>) -> [i32; 2] {
        Color::ALL.map(|color| self.0[color.index()][features.clone()].iter().sum())
    }
}

impl FeatureSink for Counts {
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        assert!(feature < DANGER, "{} is a danger feature", name(feature));
        self.0[color.index()][feature] += count;
    }

    fn danger(&mut self, color: Color, feature: usize, count: i32) {
        assert!(feature >= DANGER, "{} is not a danger feature", name(feature));
        self.0[color.index()][feature] += count;
    }
}

/// Returns the name of a feature: its group and its offset there.
fn name(feature: usize) -> String {
    let group = GROUPS.iter().rfind(|group| group.start <= feature).unwrap();
    format!("{} + {}", group.name, feature - group.start)
}

/// Parses `fen`. With the piece placement alone, White is to move and nobody can castle.
pub(crate) fn board(fen: &str) -> Board {
    let rest = if fen.contains(' ') { "" } else { " w - -" };
    Board::from_fen(&format!("{fen}{rest}")).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Returns the position with colours flipped.
pub(crate) fn flipped(board: &Board) -> Board {
    Setup::from(board).flipped().build().unwrap()
}

/// Returns the features of `fen`. Checks that they change sides with colours flipped.
#[track_caller]
pub(crate) fn features(fen: &str) -> Counts {
    let board = board(fen);
    let counts = Counts::new(&board);
    let mirrored = Counts::new(&flipped(&board));
    for feature in 0..COUNT {
        let [white, black] = mirrored.both(feature);
        assert_eq!(counts.both(feature), [black, white], "{} mirrored, {fen}", name(feature));
    }
    counts
}

/// Checks the counts of some features of `fen`, for White and for Black.
#[track_caller]
pub(crate) fn expect(fen: &str, expected: &[(usize, [i32; 2])]) {
    let counts = features(fen);
    for &(feature, both) in expected {
        assert_eq!(counts.both(feature), both, "{}, {fen}", name(feature));
    }
}

/// Returns the index of a square such as `e4`.
pub(crate) fn square(text: &str) -> usize {
    Square::parse(text).unwrap().index()
}

//! For the tests of the ideas: which features a position has, for whom and how often. The tests
//! say nothing about weights, which every tuning changes.

use std::ops::Range;

use super::layout::{COUNT, DANGER, GROUPS};
use super::{Tally, count_features};
use crate::board::{Board, Setup};
use crate::types::{Color, Square};

/// How often each feature was counted, by colour. Danger is that to the colour's own king.
#[derive(PartialEq, Eq)]
pub(super) struct Counts([Vec<i32>; 2]);

impl Counts {
    fn new(board: &Board) -> Self {
        let mut counts = Self([vec![0; COUNT], vec![0; COUNT]]);
        count_features(board, &mut counts);
        counts
    }

    /// How often a feature was counted for a colour.
    pub(super) fn of(&self, color: Color, feature: usize) -> i32 {
        self.0[color.index()][feature]
    }

    /// The same, for White and for Black.
    pub(super) fn both(&self, feature: usize) -> [i32; 2] {
        Color::ALL.map(|color| self.of(color, feature))
    }

    /// Several features together, for White and for Black.
    pub(super) fn sum(&self, features: Range<usize>) -> [i32; 2] {
        Color::ALL.map(|color| self.0[color.index()][features.clone()].iter().sum())
    }
}

impl Tally for Counts {
    fn add(&mut self, color: Color, feature: usize, count: i32) {
        assert!(feature < DANGER, "{} is danger", name(feature));
        self.0[color.index()][feature] += count;
    }

    fn danger(&mut self, color: Color, feature: usize, count: i32) {
        assert!(feature >= DANGER, "{} is no danger", name(feature));
        self.0[color.index()][feature] += count;
    }
}

/// The name of a feature: its group, and its number there.
fn name(feature: usize) -> String {
    let group = GROUPS.iter().rfind(|group| group.start <= feature).unwrap();
    format!("{} + {}", group.name, feature - group.start)
}

/// Reads a position. The pieces are enough: then White is to move, and nobody may castle.
pub(super) fn board(fen: &str) -> Board {
    let rest = if fen.contains(' ') { "" } else { " w - -" };
    Board::from_fen(&format!("{fen}{rest}")).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The same position with the colours exchanged.
pub(super) fn flipped(board: &Board) -> Board {
    Setup::from(board).flipped().build().unwrap()
}

/// The features of a position. With the colours exchanged it must have the same, exchanged.
#[track_caller]
pub(super) fn features(fen: &str) -> Counts {
    let board = board(fen);
    let counts = Counts::new(&board);
    let mirrored = Counts::new(&flipped(&board));
    for feature in 0..COUNT {
        let [white, black] = mirrored.both(feature);
        assert_eq!(counts.both(feature), [black, white], "{} mirrored, {fen}", name(feature));
    }
    counts
}

/// Checks some features of a position: the counts for White and for Black.
#[track_caller]
pub(super) fn expect(fen: &str, expected: &[(usize, [i32; 2])]) {
    let counts = features(fen);
    for &(feature, both) in expected {
        assert_eq!(counts.both(feature), both, "{}, {fen}", name(feature));
    }
}

/// The number of a square such as `e4`, as White sees it.
pub(super) fn square(text: &str) -> usize {
    Square::parse(text).unwrap().index()
}

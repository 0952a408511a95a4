//! What a position is worth. Mate distances, wins known from endgame tables, their adjustment for the
//! transposition table and the choice between "cp" and "mate" live here and nowhere else.
//!
//! From the top: mates by their distance, then wins from tables by the distance to the position that
//! was looked up, then evaluations; and the same below zero.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A value in centipawns, a forced mate, or a win or loss that endgame tables know of, from the point
/// of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

/// The longest line that is searched, in plies from the root.
pub const MAX_PLY: usize = 200;

const MATE: i32 = 32_000;
const LONGEST_MATE: i32 = MATE - MAX_PLY as i32;
const TABLE_WIN: i32 = LONGEST_MATE - 1;
const LONGEST_TABLE_WIN: i32 = TABLE_WIN - MAX_PLY as i32;
/// What a win from tables is shown as, less the distance: 200 pawns, as other engines do.
const SHOWN_TABLE_WIN: i32 = 20_000;

impl Score {
    /// Nobody is better.
    pub const DRAW: Self = Self(0);
    /// Above every score.
    pub const INFINITE: Self = Self(MATE + 1);
    /// The best score that is neither a forced mate nor a win from tables.
    pub const BEST_EVALUATION: Self = Self(LONGEST_TABLE_WIN - 1);

    /// A value in centipawns; kept away from the values that mean a forced win.
    #[inline]
    #[must_use]
    pub const fn cp(centipawns: i32) -> Self {
        let limit = Self::BEST_EVALUATION.0;
        if centipawns > limit {
            Self(limit)
        } else if centipawns < -limit {
            Self(-limit)
        } else {
            Self(centipawns)
        }
    }

    /// The side to move is mated on the board, `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - MATE)
    }

    /// The side to move gives mate `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn mate_in(ply: usize) -> Self {
        Self(MATE - ply as i32)
    }

    /// The side to move comes to a position `ply` plies from the root that tables know to be won.
    #[inline]
    #[must_use]
    pub const fn tablebase_win(ply: usize) -> Self {
        Self(TABLE_WIN - ply as i32)
    }

    /// The side to move comes to a position `ply` plies from the root that tables know to be lost.
    #[inline]
    #[must_use]
    pub const fn tablebase_loss(ply: usize) -> Self {
        Self(ply as i32 - TABLE_WIN)
    }

    /// The number itself: centipawns, unless it is a forced win or loss.
    #[inline]
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Is it won by force, by mate or as tables say?
    #[inline]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 >= LONGEST_TABLE_WIN
    }

    /// Is it lost by force, by mate or as tables say?
    #[inline]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 <= -LONGEST_TABLE_WIN
    }

    /// Is it won by force for either side? Such a score is no evaluation, and margins mean nothing.
    #[inline]
    #[must_use]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Is it a forced mate for either side?
    #[inline]
    #[must_use]
    pub const fn is_mate(self) -> bool {
        self.0 >= LONGEST_MATE || self.0 <= -LONGEST_MATE
    }

    /// The length of a forced mate in moves, as UCI counts: positive if the side to move gives it,
    /// negative if it suffers it.
    #[must_use]
    pub const fn mate_distance(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.is_win() {
            Some((MATE - self.0 + 1) / 2)
        } else {
            Some((-MATE - self.0) / 2)
        }
    }

    /// Centipawns as they are shown; a win from tables is 200 pawns less its distance. A forced mate
    /// has none: see [`Self::mate_distance`].
    #[must_use]
    pub const fn centipawns(self) -> i32 {
        if self.is_win() {
            SHOWN_TABLE_WIN - (TABLE_WIN - self.0)
        } else if self.is_loss() {
            (TABLE_WIN + self.0) - SHOWN_TABLE_WIN
        } else {
            self.0
        }
    }

    /// The score as it is stored for a position `ply` plies from the root: forced wins are counted
    /// from the position, because it may be reached at another distance from the root.
    #[inline]
    #[must_use]
    pub const fn to_table(self, ply: usize) -> i16 {
        let value = if self.is_win() {
            self.0 + ply as i32
        } else if self.is_loss() {
            self.0 - ply as i32
        } else {
            self.0
        };
        value as i16
    }

    /// The opposite of [`Self::to_table`].
    #[inline]
    #[must_use]
    pub const fn from_table(stored: i16, ply: usize) -> Self {
        let score = Self(stored as i32);
        if score.is_win() {
            Self(score.0 - ply as i32)
        } else if score.is_loss() {
            Self(score.0 + ply as i32)
        } else {
            score
        }
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// Shifts a bound by a margin.
impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, margin: i32) -> Self {
        Self((self.0 + margin).clamp(-Self::INFINITE.0, Self::INFINITE.0))
    }
}

/// Shifts a bound by a margin.
impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, margin: i32) -> Self {
        self + -margin
    }
}

/// As UCI prints it: `cp 25` or `mate -3`; a win from tables is `cp 20000` less its distance.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_distance() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.centipawns()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(4).to_string(), "mate -2");
        assert_eq!(Score::cp(-25).to_string(), "cp -25");
        assert!(!Score::cp(1_000_000).is_mate() && !Score::cp(-1_000_000).is_mate());
    }

    #[test]
    fn wins_from_tables_are_between_mates_and_evaluations() {
        assert!(Score::tablebase_win(0) < Score::mate_in(MAX_PLY));
        assert!(Score::tablebase_win(MAX_PLY) > Score::cp(1_000_000));
        assert_eq!(Score::tablebase_win(0).to_string(), "cp 20000");
        assert_eq!(Score::tablebase_win(7).to_string(), "cp 19993");
        assert_eq!(Score::tablebase_loss(7).to_string(), "cp -19993");
        for score in [Score::tablebase_win(3), Score::tablebase_loss(3)] {
            assert!(score.is_decisive() && !score.is_mate());
        }
        for score in [Score::mate_in(MAX_PLY), Score::mated_in(MAX_PLY)] {
            assert!(score.is_decisive() && score.is_mate());
        }
        assert!(!Score::cp(1_000_000).is_decisive() && !Score::cp(-1_000_000).is_decisive());
    }

    #[test]
    fn the_table_stores_mates_relative_to_the_position() {
        // Mate five plies from the root, stored two plies from it: three plies from there.
        let stored = Score::mate_in(5).to_table(2);
        assert_eq!(Score::from_table(stored, 0), Score::mate_in(3));
        assert_eq!(Score::from_table(stored, 10), Score::mate_in(13));
        let stored = Score::mated_in(6).to_table(4);
        assert_eq!(Score::from_table(stored, 1), Score::mated_in(3));
        for value in [-500, 0, 31] {
            assert_eq!(Score::from_table(Score::cp(value).to_table(9), 33), Score::cp(value));
        }
        for ply in 0..MAX_PLY {
            let mates = [Score::mate_in(ply), Score::mated_in(ply)];
            for score in
                mates.into_iter().chain([Score::tablebase_win(ply), Score::tablebase_loss(ply)])
            {
                assert_eq!(Score::from_table(score.to_table(ply), ply), score);
            }
        }
    }
}

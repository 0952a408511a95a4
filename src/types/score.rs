//! Scores. Mate distances, tablebase wins, their adjustment for the transposition table and the
//! choice between "cp" and "mate" are handled only here. Start at [`Score`].
//!
//! Order from the top: mates by distance, tablebase wins by distance to the probed position, then
//! evaluations. Negative scores mirror this.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A value in centipawns, a forced mate, or a tablebase win or loss, from the point of view of the
/// side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

/// Maximum length of a searched line, in plies from the root.
pub const MAX_PLY: usize = 200;

const MATE: i32 = 32_000;
const LONGEST_MATE: i32 = MATE - MAX_PLY as i32;
const TABLE_WIN: i32 = LONGEST_MATE - 1;
const LONGEST_TABLE_WIN: i32 = TABLE_WIN - MAX_PLY as i32;
/// Displayed value of a tablebase win at distance 0: 200 pawns, as in other engines.
const SHOWN_TABLE_WIN: i32 = 20_000;

impl Score {
    /// The score of a draw.
    pub const DRAW: Self = Self(0);
    /// A bound above every score.
    pub const INFINITE: Self = Self(MATE + 1);
    /// The best score that is neither a forced mate nor a tablebase win.
    pub const BEST_EVALUATION: Self = Self(LONGEST_TABLE_WIN - 1);

    /// Creates a score of `centipawns`, clamped to stay clear of forced wins and losses.
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

    /// Returns the score if the side to move is mated `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn mated_in(ply: usize) -> Self {
        Self(ply as i32 - MATE)
    }

    /// Returns the score if the side to move mates `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn mate_in(ply: usize) -> Self {
        Self(MATE - ply as i32)
    }

    /// Returns the score if the side to move reaches a tablebase win `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn tablebase_win(ply: usize) -> Self {
        Self(TABLE_WIN - ply as i32)
    }

    /// Returns the score if the side to move reaches a tablebase loss `ply` plies from the root.
    #[inline]
    #[must_use]
    pub const fn tablebase_loss(ply: usize) -> Self {
        Self(ply as i32 - TABLE_WIN)
    }

    /// Returns the raw value: centipawns, unless the score is decisive.
    #[inline]
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Returns whether this is a forced win, by mate or tablebase.
    #[inline]
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 >= LONGEST_TABLE_WIN
    }

    /// Returns whether this is a forced loss, by mate or tablebase.
    #[inline]
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 <= -LONGEST_TABLE_WIN
    }

    /// Returns whether this is a forced win or loss. Such a score is not an evaluation, and margins
    /// do not apply to it.
    #[inline]
    #[must_use]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Returns whether this is a forced mate for either side.
    #[inline]
    #[must_use]
    pub const fn is_mate(self) -> bool {
        self.0 >= LONGEST_MATE || self.0 <= -LONGEST_MATE
    }

    /// Returns the distance of a forced mate in moves, as in UCI: positive if the side to move
    /// mates, zero or negative if it is mated.
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

    /// Returns the centipawns to display. A tablebase win is 200 pawns, less one centipawn per ply
    /// of distance. For a forced mate use [`Self::mate_distance`].
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

    /// Returns the score to store in the transposition table for a node `ply` plies from the root.
    /// Forced wins and losses are counted from the node, which may be reached at another ply.
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

    /// Converts a stored score back for a node `ply` plies from the root: the inverse of
    /// [`Self::to_table`].
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

/// Adds a margin to a bound, saturating at [`Score::INFINITE`] and its negative.
impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, margin: i32) -> Self {
        Self((self.0 + margin).clamp(-Self::INFINITE.0, Self::INFINITE.0))
    }
}

/// Subtracts a margin from a bound, saturating as in addition.
impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, margin: i32) -> Self {
        self + -margin
    }
}

/// The UCI form: `cp 25` or `mate -3`. A tablebase win is `cp 20000` less its distance.
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
    fn mate_distance_counts_moves() {
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(4).to_string(), "mate -2");
        assert_eq!(Score::cp(-25).to_string(), "cp -25");
        assert!(!Score::cp(1_000_000).is_mate() && !Score::cp(-1_000_000).is_mate());
    }

    #[test]
    fn tablebase_wins_rank_between_mates_and_evaluations() {
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
    fn stored_scores_are_relative_to_the_node() {
        // Mate at ply 5, stored at ply 2, is mate in three plies from there.
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
